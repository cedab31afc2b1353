/* system_library.c - see system_library.h. */
#include "system_library.h"

#include <stddef.h>
#include <string.h>

bool target_is_system_library(const char *path)
{
    static const char *const start[] = {
        "libc.so",  "libm.so",       "libstdc++.so",  "libgcc_s.so",
        "ld-linux", "libatomic.so",  "libpthread.so", "librt.so",
        "libdl.so", "linux-vdso.so", "libmvec.so",
    };
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        if (strncmp(name, start[i], strlen(start[i])) == 0)
            return true;
    return false;
}
