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

/* A function of libc's: its model for threads of the target, and itself for all
 * others. */
#define SHIM(declaration, name, arguments, ...)                                \
    declaration                                                                \
    {                                                                          \
        return scheduler_inside ? (__VA_ARGS__) : REAL(name) arguments;        \
    }

/* One that has no model. */
#define UNMODELLED(declaration, name, arguments, what)                         \
    declaration                                                                \
    {                                                                          \
        if (!scheduler_inside)                                                 \
            return REAL(name) arguments;                                       \
        shims_unmodelled(PLACE, what);                                         \
    }

#endif
