/* install_paths.c - where the files are that come with the program. */
#include "install_paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The directory so many levels above the program; else "". */
static void find_above(char path[PATH_MAX], int levels)
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = '\0';
    for (int up = 0; up < levels; up++) {
        char *const slash = strrchr(path, '/');
        if (!slash)
            return;
        *slash = '\0';
    }
}

/* PREFIX/directory if `file` is there, else `source`. */
static const char *find(const char *directory, const char *file,
                        const char *source, char path[PATH_MAX])
{
    char prefix[PATH_MAX], whole[PATH_MAX + 32];
    find_above(prefix, 2); /* the program is PREFIX/bin/plumb */
    const int size = snprintf(path, PATH_MAX, "%s/%s", prefix, directory);
    if (size < 0 || size >= PATH_MAX)
        return source;
    snprintf(whole, sizeof whole, "%s/%s", path, file);
    return access(whole, R_OK) == 0 ? path : source;
}

const char *console_install_paths_headers(char path[PATH_MAX])
{
    return find("include", "plumb/spec.h", PLUMB_INCLUDE_DIR, path);
}

const char *console_install_paths_objects(char path[PATH_MAX])
{
    return find("share/plumb/objects", ".", PLUMB_OBJECTS_DIR, path);
}

const char *console_install_paths_models(char path[PATH_MAX])
{
    return find("share/plumb/models", ".", PLUMB_MODELS_DIR, path);
}

const char *console_install_paths_hooks(char path[PATH_MAX])
{
    return find(PLUMB_LIBRARY_DIR, "libplumb-hooks.a", PLUMB_HOOKS_DIR, path);
}

/* Beside the program as it was built, or as it was installed. */
static void find_program(const char *built, const char *installed, int mode,
                         char path[PATH_MAX])
{
    const char *const place[] = { built, installed };
    char directory[PATH_MAX], whole[PATH_MAX + 64];
    for (int i = 0; i < 2; i++) {
        find_above(directory, 1 + i);
        snprintf(whole, sizeof whole, "%s/%s", directory, place[i]);
        snprintf(path, PATH_MAX, "%.*s", PATH_MAX - 1, whole);
        if (access(path, mode) == 0)
            return;
    }
}

void console_install_paths_host(char path[PATH_MAX])
{
    find_program("plumb-host", PLUMB_LIBEXEC_DIR "/plumb/plumb-host", X_OK,
                 path);
}

void console_install_paths_assembler(char path[PATH_MAX])
{
    const char *const given = getenv("PLUMB_AS_DIRECTORY");
    if (given && *given)
        snprintf(path, PATH_MAX, "%s", given);
    else
        find_program("assembler", PLUMB_LIBEXEC_DIR "/plumb/assembler", F_OK,
                     path);
}
