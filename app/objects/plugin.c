/* plugin.c - a user's own specification: from C source to a loaded object. */
#include "plugin.h"

#include "app/binary/exports.h"
#include "app/console/say.h"
#include "app/toolchain/build.h"
#include "library.h"
#include "object_spec.h"
#include <dlfcn.h>
#include <plumb/object.h>
#include <string.h>

/* Is there a built-in of that name, whatever its parameters? */
static bool is_builtin(const char *spec)
{
    struct plumb_spec *parsed;
    struct plumb_error err;
    char name[64];
    const size_t length = strcspn(spec, ":");
    if (length >= sizeof name)
        return false;
    memcpy(name, spec, length);
    name[length] = '\0';
    if (plumb_spec_parse(name, &parsed, &err) != PLUMB_OK)
        return false;
    plumb_spec_free(parsed);
    return true;
}

static bool is_in_library(const char *spec)
{
    struct objects_library l;
    if (!objects_library_open(&l))
        return false;
    const bool is = objects_library_find(&l, spec) != NULL;
    objects_library_close(&l);
    return is;
}

bool objects_is_plugin(const char *spec)
{
    char path[PATH_MAX];
    const enum toolchain_file_kind kind = toolchain_kind_of_file(spec);
    if (is_builtin(spec))
        return false;
    return (kind != FILE_OTHER && kind != FILE_ARCHIVE) || strchr(spec, '/') ||
           is_in_library(spec) || objects_target_file(spec, path);
}

static bool compile(struct objects_target *p, const char *file)
{
    static const struct toolchain_recipe recipe = { "-std=gnu17 -O2 -fPIC",
                                                    false };
    struct toolchain_build b = { .subject = file, .recipe = &recipe };
    *p = (struct objects_target){ .given = file };
    console_wordlist_add(&b.sources, file);
    const bool done =
        toolchain_build_shared_object(&b, p->object, &p->temporary);
    toolchain_build_release(&b);
    return done;
}

/* Objects and sources in C++ are made ready as objects under test are. */
bool objects_plugin_build(struct objects_target *p, const char *file)
{
    return toolchain_kind_of_file(file) == FILE_C
               ? compile(p, file)
               : objects_target_build(p, file, TARGET_PLAIN, NULL, 0);
}

static bool is_complete(const struct objects_target *p,
                        const struct plumb_user_spec *u)
{
    if (u->version != PLUMB_SPEC_VERSION)
        console_say("%s: compiled for version %u of plumb/spec.h, but this "
                    "plumb has version %u; compile it again",
                    p->given, u->version, PLUMB_SPEC_VERSION);
    else if (!u->name || !u->ops || !u->ops[0] || !u->step)
        console_say("%s: its PLUMB_SPEC lacks .%s", p->given,
                    !u->name   ? "name"
                    : !u->step ? "step"
                               : "ops, or names no operation there");
    else
        return true;
    return false;
}

const struct plumb_user_spec *objects_plugin_load(
    const struct objects_target *p)
{
    /* An object under test is a specification, too: by what it answers when its
     * operations are invoked one after the other. */
    if (objects_target_is_object(p) &&
        !binary_exports(p->object, PLUMB_SPEC_SYMBOL)) {
        const struct plumb_object *const o = objects_target_load(p);
        return o ? object_spec(o) : NULL;
    }
    void *const object = dlopen(p->object, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        console_say("%s: cannot load it: %s", p->given, dlerror());
        return NULL;
    }
    const struct plumb_user_spec *const user = dlsym(object, PLUMB_SPEC_SYMBOL);
    if (!user)
        console_say("%s: defines no specification: PLUMB_SPEC(...) is missing",
                    p->given);
    return user && is_complete(p, user) ? user : NULL;
}
