/* plugin.c - a user's own specification: from C source to a loaded object.
 *
 * Objects are cached under $XDG_CACHE_HOME/plumb by a hash of everything they
 * are made from: the preprocessed source, the compiler's version, the flags.
 * They are compiled under another name and renamed, so that a cached one is
 * whole, whoever else compiles at the same time. */
#include "plugin.h"

#include "base/hash.h"
#include "base/text.h"
#include "say.h"
#include "toolchain.h"
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

bool is_plugin(const char *spec)
{
    return ends_with(spec, ".c") || ends_with(spec, ".so");
}

static bool make_directory(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* $XDG_CACHE_HOME/plumb or ~/.cache/plumb, made if it is not there. */
static bool find_cache(char *path, size_t size)
{
    const char *const xdg = getenv("XDG_CACHE_HOME");
    const char *const home = getenv("HOME");
    char base[PATH_MAX];
    if (xdg && xdg[0] == '/')
        snprintf(base, sizeof base, "%s", xdg);
    else if (home && home[0] == '/')
        snprintf(base, sizeof base, "%s/.cache", home);
    else
        return false;
    const int length = snprintf(path, size, "%s/plumb", base);
    if (length < 0 || (size_t)length >= size || !make_directory(base))
        return false;
    return make_directory(path) && access(path, W_OK | X_OK) == 0;
}

static bool make_private_directory(char *path, size_t size)
{
    const char *const tmp = getenv("TMPDIR");
    const int used =
        snprintf(path, size, "%s/plumb-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    return used > 0 && (size_t)used < size && mkdtemp(path);
}

/* Everything the object depends on, hashed. */
static bool cache_key(const char *file, char key[33])
{
    struct plumb_text all;
    plumb_text_init(&all, NULL);
    plumb_text_add(&all, PLUMB_VERSION "\n");
    const bool known = toolchain_version(file, &all) &&
                       toolchain_preprocess(file, &all) && !all.broken;
    const struct plumb_hash128 h = plumb_hash128_bytes(all.data, all.size);
    plumb_text_release(&all);
    snprintf(key, 33, "%016" PRIx64 "%016" PRIx64, h.hi, h.lo);
    return known;
}

/* Compile to a name nobody else uses, then rename. */
static bool compile_into(const struct plugin *p, const char *file)
{
    char part[PATH_MAX + 16];
    snprintf(part, sizeof part, "%s.XXXXXX", p->object);
    const int fd = mkstemp(part);
    if (fd < 0) {
        say("%s: cannot create %s: %s", file, part, reason());
        return false;
    }
    close(fd);
    if (toolchain_compile(file, part) && rename(part, p->object) == 0)
        return true;
    unlink(part);
    say("%s: could not be compiled; the compiler's messages are above", file);
    return false;
}

static bool compile(struct plugin *p, const char *file)
{
    char directory[PATH_MAX - 64], key[33];
    if (access(file, R_OK) != 0) {
        say("%s: cannot read it: %s", file, reason());
        return false;
    }
    if (!cache_key(file, key))
        return false;
    p->temporary = !find_cache(directory, sizeof directory);
    if (p->temporary && !make_private_directory(directory, sizeof directory)) {
        say("%s: no directory to compile into: %s", file, reason());
        return false;
    }
    snprintf(p->object, sizeof p->object, "%s/%s.so", directory, key);
    if (access(p->object, R_OK) == 0)
        return true;
    if (compile_into(p, file))
        return true;
    plugin_release(p);
    return false;
}

bool plugin_build(struct plugin *p, const char *file)
{
    *p = (struct plugin){ .name = file };
    if (ends_with(file, ".c"))
        return compile(p, file);
    if (realpath(file, p->object))
        return true;
    say("%s: cannot read it: %s", file, reason());
    return false;
}

void plugin_release(struct plugin *p)
{
    if (!p->temporary)
        return;
    unlink(p->object);
    *strrchr(p->object, '/') = '\0';
    rmdir(p->object);
    p->temporary = false;
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

const struct plumb_user_spec *plugin_load(const struct plugin *p)
{
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
