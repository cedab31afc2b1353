/* fiber.h - threads that take turns on one thread of the system.
 *
 * Each has its own stack and its own thread pointer: that of a real thread,
 * which is parked for good.  So thread-local variables, errno, pthread_self()
 * and C++ exceptions are those of the fiber that runs, and the address of a
 * thread-local may be published and followed as in a real program. */
#ifndef PLUMB_RUNTIME_EXPLORE_SCHEDULER_FIBER_H
#define PLUMB_RUNTIME_EXPLORE_SCHEDULER_FIBER_H

#include "fiber_switch.h"
#include <stdbool.h>
#include <stdint.h>

enum { FIBER_EXCEPTIONS = 16 }; /* bytes: a pointer and a count */
enum { FIBER_ONCE = 2 };

enum { FIBER_GUARD = 1 << 20 }; /* bytes below a stack */

struct scheduler_fiber {
    void *sp; /* while it does not run: what it needs is above */
    uintptr_t thread_pointer;
    uintptr_t name;          /* its pthread_self() */
    char *stack, *stack_end; /* the lowest page is a guard */
    char *low;               /* no stack below was used since it was cleared */
    char *locals;            /* the target's thread-locals, or NULL */
    char *exceptions;        /* those that it is handling, or NULL */
    void **once[FIBER_ONCE]; /* what std::call_once() calls, or NULL */
    int *error;              /* its errno, while it runs */
    int kept_error;          /* and while it does not */
};

/* The fiber of whoever calls it, on the stack it has.  After it switched to
 * another it keeps the other's thread pointer, and with it the other's errno:
 * what it does there to errno is undone when the other goes on. */
void scheduler_fiber_adopt(struct scheduler_fiber *f);

/* A new one, the n-th: its stack lies where the n-th of another process does.
 * visit() is called by its parked thread, to find what is its own.  False when the system gives no
 * thread or memory. */
bool scheduler_fiber_make(struct scheduler_fiber *f, unsigned n,
                          void (*visit)(struct scheduler_fiber *));

/* When switched to next, begin with entry(), which must not return.  The stack
 * is cleared, so that what was left on it makes no difference. */
void scheduler_fiber_start(struct scheduler_fiber *f, void (*entry)(void));

extern uintptr_t scheduler_fiber_running; /* the thread pointer */

/* Nobody looks at the thread pointer, so it stays as it is. */
extern bool scheduler_fiber_anonymous;

/* Setting the thread pointer costs more than all the rest.  One that was
 * adopted runs on whatever the last one had: all of them are real threads'. */
static inline void scheduler_fiber_change_thread(
    struct scheduler_fiber *from, const struct scheduler_fiber *to)
{
    if (from->error)
        from->kept_error = *from->error;
    if (!to->thread_pointer)
        return;
    *to->error = to->kept_error;
    if (to->thread_pointer != scheduler_fiber_running) {
        scheduler_fiber_running = to->thread_pointer;
        scheduler_fiber_set_thread_pointer(scheduler_fiber_running);
    }
}

static inline void scheduler_fiber_switch(struct scheduler_fiber *from,
                                          const struct scheduler_fiber *to)
{
    if (!scheduler_fiber_anonymous)
        scheduler_fiber_change_thread(from, to);
    scheduler_fiber_swap_stacks(&from->sp, to->sp);
}

/* While it does not run: clear what calls that have returned left below. */
void scheduler_fiber_tidy(struct scheduler_fiber *f);

/* While it does not run, if it is tidied whenever it stands: its stack, and what
 * is its own of its thread. */
struct memory_tape;
void scheduler_fiber_pass(struct scheduler_fiber *f, struct memory_tape *tape);

static inline bool scheduler_fiber_owns(const struct scheduler_fiber *f,
                                        const void *address)
{
    const char *const at = address;
    return at >= f->stack && at < f->stack_end;
}

/* Is an address on the stack of any fiber?  Surely not, if this says so. */
extern uintptr_t scheduler_fiber_stacks, scheduler_fiber_stacks_size;
static inline bool scheduler_fiber_any_owns(const void *address)
{
    return (uintptr_t)address - scheduler_fiber_stacks <
           scheduler_fiber_stacks_size;
}

/* An address in the guard page: the stack was used up. */
static inline bool scheduler_fiber_guards(const struct scheduler_fiber *f,
                                          const void *address)
{
    const char *const at = address;
    return f->stack && at >= f->stack - FIBER_GUARD && at < f->stack;
}

#endif
