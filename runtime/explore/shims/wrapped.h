/* wrapped.h - functions of libc that read and write for their caller.
 *
 * gcc, and clang before 15, call them as they are.  Targets that we link call
 * __wrap_memcpy and so on instead (shim_memory.c), by the linker's option
 * --wrap=memcpy: to stand in for them everywhere would slow down the program
 * around the scheduler, too.  In a target that somebody else has linked they stay
 * invisible.
 *
 * Compile targets with -fno-builtin-memcpy and so on, too: gcc writes out many
 * calls after it has put in its hooks, so that neither a hook nor a call is
 * left of them; and with -U_FORTIFY_SOURCE, which gives them other names. */
#ifndef PLUMB_RUNTIME_EXPLORE_SHIMS_WRAPPED_H
#define PLUMB_RUNTIME_EXPLORE_SHIMS_WRAPPED_H

#define WRAPPED(X)                                                             \
    X(memcpy)                                                                  \
    X(memmove)                                                                 \
    X(memset)                                                                  \
    X(memcmp)                                                                  \
    X(bcmp)                                                                    \
    X(memchr)                                                                  \
    X(strlen)                                                                  \
    X(strcmp)                                                                  \
    X(strncmp)                                                                 \
    X(strcpy)                                                                  \
    X(strncpy)                                                                 \
    X(strcat)

/* What stands in for them, in that order, and NULL. */
extern void (*const shims_wrapped_functions[])(void);

#endif
