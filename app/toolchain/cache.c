/* cache.c - where compiled objects are kept. */
#include "cache.h"

#include "app/binary/exports.h"
#include "app/console/say.h"
#include "base/hash.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool toolchain_cache_locate(const char *subject,
                            const struct plumb_base_text *key, bool keep,
                            char object[PATH_MAX], bool *temporary)
{
    char directory[PATH_MAX - 64];
    const struct plumb_base_hash128 h =
        plumb_base_hash128_bytes(key->data, key->size);
    *temporary = !keep || !find_cache(directory, sizeof directory);
    if (*temporary && !make_private_directory(directory, sizeof directory))
        return console_fails("%s: cannot create a directory to compile in: %s",
                             subject, console_reason());
    snprintf(object, PATH_MAX, "%s/%016" PRIx64 "%016" PRIx64 ".so", directory,
             h.hi, h.lo);
    return true;
}

bool toolchain_cache_has(const char *object)
{
    return binary_is_whole_object(object);
}

bool toolchain_cache_fill(const char *subject, const char *object,
                          bool (*make)(const void *context, const char *part),
                          const void *context)
{
    char part[PATH_MAX + 16];
    snprintf(part, sizeof part, "%s.XXXXXX", object);
    const int fd = mkstemp(part);
    if (fd < 0)
        return console_fails("%s: cannot create %s: %s", subject, part,
                             console_reason());
    close(fd);
    bool done = make(context, part);
    if (done && rename(part, object) != 0) {
        console_say("%s: cannot create %s: %s", subject, object,
                    console_reason());
        done = false;
    }
    if (!done)
        unlink(part);
    return done;
}

void toolchain_cache_discard(char object[PATH_MAX], bool *temporary)
{
    if (!*temporary)
        return;
    assert(strrchr(object, '/'));
    unlink(object);
    *strrchr(object, '/') = '\0';
    rmdir(object);
    *temporary = false;
}
