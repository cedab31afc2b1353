/* fiber.h - threads that take turns on one thread of the system.
 *
 * Each has its own stack and its own thread pointer: that of a real thread,
 * which is parked for good.  So thread-local variables, errno, pthread_self()
 * and C++ exceptions are those of the fiber that runs, and the address of a
 * thread-local may be published and followed as in a real program. */
#ifndef PLUMB_EXPLORE_FIBER_H
#define PLUMB_EXPLORE_FIBER_H

#include "fiber_switch.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIBER_EXCEPTIONS = 16 }; /* bytes: a pointer and a count */

enum { FIBER_GUARD = 1 << 20 }; /* bytes below a stack */

struct fiber {
    void *sp; /* while it does not run: what it needs is above */
    uintptr_t thread_pointer;
    uintptr_t name;          /* its pthread_self() */
    char *stack, *stack_end; /* the lowest page is a guard */
    char *low;               /* no stack below was used since it was cleared */
    char *locals;            /* the target's thread-locals, or NULL */
    char *exceptions;        /* those that it is handling, or NULL */
    int *error;              /* its errno */
};

/* The fiber of whoever calls it, on the stack it has.  After it switched to
 * another it keeps the other's thread pointer: its errno is another then. */
void fiber_adopt(struct fiber *f);

/* A new one, the n-th: its stack lies where the n-th of another process does.
 * visit() is called by its parked thread, to find what is its own.  False when the system gives no
 * thread or memory. */
bool fiber_make(struct fiber *f, unsigned n, void (*visit)(struct fiber *));

/* When switched to next, begin with entry(), which must not return.  The stack
 * is cleared, so that what was left on it makes no difference. */
void fiber_start(struct fiber *f, void (*entry)(void));

extern uintptr_t fiber_running; /* the thread pointer */

/* Nobody looks at the thread pointer, so it stays as it is. */
extern bool fiber_anonymous;

/* Setting the thread pointer costs more than all the rest.  One that was
 * adopted runs on whatever the last one had: all of them are real threads'. */
static inline void fiber_switch(struct fiber *from, const struct fiber *to)
{
    if (to->thread_pointer && to->thread_pointer != fiber_running &&
        !fiber_anonymous) {
        fiber_running = to->thread_pointer;
        fiber_set_thread_pointer(fiber_running);
    }
    fiber_swap_stacks(&from->sp, to->sp);
}

/* While it does not run: clear what calls that have returned left below. */
void fiber_tidy(struct fiber *f);

static inline bool fiber_owns(const struct fiber *f, const void *address)
{
    const char *const at = address;
    return at >= f->stack && at < f->stack_end;
}

/* An address in the guard page: the stack was used up. */
static inline bool fiber_guards(const struct fiber *f, const void *address)
{
    const char *const at = address;
    return f->stack && at >= f->stack - FIBER_GUARD && at < f->stack;
}

#endif
