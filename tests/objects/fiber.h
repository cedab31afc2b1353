/* fiber.h - threads that take turns on one thread of the system.
 *
 * Each has its own stack and its own thread pointer: that of a real thread,
 * which is parked for good.  So the _Thread_local variables of an object,
 * errno and pthread_self() are those of the fiber that runs, and the address
 * of a thread-local may be published and followed as in a real program.
 * x86-64 and Linux only. */
#ifndef FIBER_H
#define FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fiber {
    void *sp;
    uintptr_t thread_pointer;
    char *stack, *stack_end;
};

/* The fiber of whoever calls it, on the stack it has. */
void fiber_adopt(struct fiber *f);

/* A new one.  False when the system gives no thread or memory. */
bool fiber_make(struct fiber *f);

/* When switched to next, begin with entry(), which must not return. */
void fiber_start(struct fiber *f, void (*entry)(void));

void fiber_switch(struct fiber *from, const struct fiber *to);

static inline bool fiber_owns(const struct fiber *f, const void *address)
{
    const char *const at = address;
    return at >= f->stack && at < f->stack_end;
}

#endif
