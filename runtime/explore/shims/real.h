/* real.h - libc's own functions, behind those of ours with the same names. */
#ifndef PLUMB_RUNTIME_EXPLORE_SHIMS_REAL_H
#define PLUMB_RUNTIME_EXPLORE_SHIMS_REAL_H

#include <dlfcn.h>

/* The next definition of `name`, asked for once.  Not for malloc: dlsym may
 * call that. */
#define REAL(name)                                                             \
    __extension__({                                                            \
        static __typeof__(&name) real_##name;                                  \
        if (!real_##name)                                                      \
            *(void **)&real_##name = dlsym(RTLD_NEXT, #name);                  \
        real_##name;                                                           \
    })

#endif
