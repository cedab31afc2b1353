/* plugin.c - a user's own specification: from C source to a loaded object. */
#include "plugin.h"

#include "build.h"
#include "cache.h"
#include "exports.h"
#include "object_spec.h"
#include "say.h"
#include "target.h"
#include <dlfcn.h>
#include <plumb/object.h>
#include <stdio.h>
#include <stdlib.h>

bool is_plugin(const char *spec)
{
    const enum file_kind kind = kind_of_file(spec);
    return kind == FILE_C || kind == FILE_SHARED;
}

static bool compile(struct plugin *p, const char *file)
{
    static const struct recipe recipe = { "-std=c17 -O2 -fPIC", false };
    struct build b = { .subject = file, .recipe = &recipe };
    wordlist_add(&b.sources, file);
    const bool done = build_shared_object(&b, p->object, &p->temporary);
    build_release(&b);
    return done;
}

bool plugin_build(struct plugin *p, const char *file)
{
    *p = (struct plugin){ .name = file };
    if (kind_of_file(file) == FILE_C)
        return compile(p, file);
    if (realpath(file, p->object))
        return true;
    say("%s: cannot read it: %s", file, reason());
    return false;
}

void plugin_release(struct plugin *p)
{
    cache_discard(p->object, &p->temporary);
}

static bool is_complete(const struct plugin *p, const struct plumb_user_spec *u)
{
    if (u->version != PLUMB_SPEC_VERSION)
        say("%s: made for version %u of plumb/spec.h, this is version %u; "
            "compile it again",
            p->name, u->version, PLUMB_SPEC_VERSION);
    else if (!u->name || !u->ops || !u->ops[0] || !u->step)
        say("%s: its PLUMB_SPEC lacks .%s", p->name,
            !u->name   ? "name"
            : !u->step ? "step"
                       : "ops, or names no operation there");
    else
        return true;
    return false;
}

/* An object under test is a specification, too: by what it answers when its
 * operations are invoked one after the other. */
static const struct plumb_user_spec *load_object(const struct plugin *p)
{
    struct target t = { .given = p->name };
    snprintf(t.label, sizeof t.label, "%s", p->name);
    snprintf(t.object, sizeof t.object, "%s", p->object);
    const struct plumb_object *const object = target_load(&t);
    const struct plumb_user_spec *const spec =
        object ? object_spec(object) : NULL;
    if (object && !spec)
        say("%s: out of memory", p->name);
    return spec;
}

const struct plumb_user_spec *plugin_load(const struct plugin *p)
{
    if (exports(p->object, PLUMB_OBJECT_SYMBOL) &&
        !exports(p->object, PLUMB_SPEC_SYMBOL))
        return load_object(p);
    void *const object = dlopen(p->object, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        say("%s: cannot be loaded: %s", p->name, dlerror());
        return NULL;
    }
    const struct plumb_user_spec *const user = dlsym(object, PLUMB_SPEC_SYMBOL);
    if (!user)
        say("%s: defines no specification: PLUMB_SPEC(...) is missing",
            p->name);
    return user && is_complete(p, user) ? user : NULL;
}
