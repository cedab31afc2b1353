/* scheduler.h - a program under test whose threads go on only when they are told.
 *
 * Threads are fibers of one thread of the system.  Code that was compiled with
 * -fsanitize=thread calls hooks (hooks_*.c) before each access to memory; what
 * it calls to lock, wait, sleep and allocate is ours, too (shim_*.c).  Hooks
 * and shims tell the scheduler what the thread is about to do: an *event*.  There
 * the thread stands until a strategy (strategies/machine.h) lets it go on.
 *
 * Between two events a thread runs alone.  What is done between scheduler_...()
 * returning and the next call of one is one step, with nothing in between.
 *
 * The *world* is what an execution can change: the variables of the target,
 * its thread-locals, the test heap, the stacks, and what memory_world_keep() names.
 * Every execution begins with the same world, and two moments with the same
 * world have the same future. */
#ifndef PLUMB_RUNTIME_EXPLORE_SCHEDULER_SCHEDULER_H
#define PLUMB_RUNTIME_EXPLORE_SCHEDULER_SCHEDULER_H

#include "strategies/machine.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The place in the target that called us: of a hook or a shim itself. */
#define HERE __builtin_return_address(0)

/* Where the stack of the target ended when it called the hook that is about to
 * tell an access; 0: not known. */
extern uintptr_t scheduler_caller_stack;

/* ---- who runs ---- */

/* Is it code of the target that calls?  If not, a shim does what libc does
 * (real.h): the same functions serve the program around the scheduler. */
extern bool scheduler_inside;

/* Are stacks compared?  Then hooks make their frames on a clear stack. */
extern bool scheduler_tidy;

/* The thread that runs, from 0. */
extern unsigned scheduler_running;
static inline unsigned scheduler_self(void)
{
    return scheduler_running;
}

/* ---- events of the thread that runs; each returns when it may go on ---- */

/* An access that is an event: atomic or volatile.  The caller does it next, and
 * says then what came of it.  `kind`: READ, or WRITE for whatever may write. */
void scheduler_access(const void *pc, const volatile void *at, uint32_t size,
                      enum plumb_strategies_event_kind kind);

/* An event like a WRITE of that memory, which it neither reads nor writes: it
 * need not be there. */
void scheduler_touch(const void *pc, const void *at, uint32_t size);

/* The compare-and-swap of this step failed: it has only read. */
void scheduler_failed(void);

/* A plain access, which the target does next.  No event unless it is known to
 * race.  Also looks whether that memory may be accessed at all. */
void scheduler_plain(const void *pc, const void *at, size_t size, bool writes);

/* The same, if it may be half of a copy: gcc tells what will be written and
 * then what will be read, before it does any of both.  Other threads may have
 * come in between, so what is written is told again.  `surely`: hooks of this
 * kind in that order are nothing else; such a copy is one event. */
void scheduler_copy_to(const void *pc, const void *at, size_t size);
void scheduler_copy_from(const void *pc, const void *at, size_t size,
                         bool surely);

/* A block of `size` bytes is about to be allocated or freed.  The order of those
 * decides which addresses come back, so it is an event where the order of
 * events is all that a strategy knows (dfs, dpor). */
void scheduler_allocation(const void *pc, size_t size);
bool scheduler_is_allocation(const struct plumb_strategies_event *event);

/* It is about to be freed, which is to write all of it: who still uses it races
 * with that, or has an event that depends on it. */
void scheduler_free(const void *pc, const void *block, size_t size);

/* An object is about to be used in an event that tells nothing of memory: a
 * lock, a semaphore.  What frees it must depend on that, too. */
void scheduler_use(const void *pc, const void *object);

/* LOCK, UNLOCK or SYNC of the object at `at`.  If there is a condition the
 * thread waits until it holds; it only reads the world, and holds or does not
 * until another event at the same `at`. */
typedef bool scheduler_condition(const void *what);
void scheduler_sync(const void *pc, const void *at,
                    enum plumb_strategies_event_kind kind,
                    scheduler_condition *ready, const void *what);

/* It came to nothing: the thread has only looked at this memory. */
void scheduler_looked(const volatile void *at, size_t size);

/* The thread has changed something that is not told by its accesses. */
void scheduler_changed(void);

/* The same for a wait with a time limit: always ready, and true if the
 * condition holds when it goes on; else its time is up.  Not to let it go on is
 * no preemption. */
bool scheduler_sync_timed(const void *pc, const void *at,
                          scheduler_condition *ready, const void *what);

/* One of 0 .. n - 1: a CHOICE.  `what` names it in reports: "rand()". */
unsigned scheduler_choose(const void *pc, unsigned n, const char *what);

/* It never goes on, as what it assumes does not hold.  Has some thread? */
void scheduler_give_up(const void *pc);
bool scheduler_has_given_up(void);

/* The thread that is in an atomic block, plus 1: while it can go on nobody else
 * can.  0: none. */
extern unsigned scheduler_atomic;

/* The thread gives way: not to let it go on is no preemption, and under
 * fairness others come first. */
void scheduler_yield(const void *pc);

/* A new thread, which stands before its first event; its number.  UINT_MAX when
 * there are too many.  body(argument) returns at its end. */
unsigned scheduler_spawn(const void *pc, void (*body)(void *), void *argument);

/* Wait for its end.  To who has waited for it in another way, it has ended. */
void scheduler_join(const void *pc, unsigned thread);
void scheduler_joined(unsigned thread);

/* End the thread that runs, from any depth. */
_Noreturn void scheduler_end_thread(void);
bool scheduler_has_ended(unsigned thread);

/* End the execution: the program called exit(), or its main returned. */
_Noreturn void scheduler_exit(int status);

/* As pthread_self() in that thread; 0 if there is no such thread. */
uintptr_t scheduler_thread_name(unsigned thread);

/* ---- operations of an object: the histories ---- */

/* Number `op` of the scenario begins, or has answered. */
void scheduler_call(unsigned op);
void scheduler_return(unsigned op);

/* Is what the thread runs to return, as an operation is? */
bool scheduler_must_return(void);

/* ---- what can go wrong ---- */

enum scheduler_fault {
    FAULT_NONE,
    FAULT_HISTORY,    /* not linearizable                                   */
    FAULT_CRASH,      /* a signal: `at` is the address, `detail` the number */
    FAULT_ASSERTION,  /* __assert_fail                                      */
    FAULT_ABORT,      /* abort(), std::terminate                            */
    FAULT_FREED,      /* use after free                                     */
    FAULT_RETURNED,   /* of a variable whose function has ended             */
    FAULT_OVERFLOW,   /* of a heap block, or wild in the heap               */
    FAULT_FREE,       /* double free, or of what is no block                */
    FAULT_MISUSE,     /* unlock of a lock that is not held, ...             */
    FAULT_STACK,      /* a thread ran out of stack                          */
    FAULT_ENDLESS,    /* one step does not end                              */
    FAULT_UNMODELLED, /* a function or a use of it that we cannot follow    */
    FAULT_RACE,       /* of plain accesses                                  */
    FAULT_DEADLOCK,   /* found by the strategy, not the scheduler: nobody can go
                         on                                                 */
    FAULT_LIVELOCK,   /* ... a cycle in which everybody who can goes on     */
    FAULT_NONDETERMINISTIC, /* serial executions differ in an answer     */
    FAULT_LEAK /* blocks that are lost at the end; detail: so many    */
};

struct scheduler_finding {
    enum scheduler_fault fault;
    unsigned thread;
    const void *pc, *at; /* where in the code, and which address; or NULL */
    int64_t detail;
    char text[160]; /* one line for people, without a place */
};

/* It happened to the thread that runs, at `pc`: the execution ends here. */
_Noreturn void scheduler_fail(enum scheduler_fault fault, const void *pc,
                              const void *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- the world ---- */

/* At start: memory of a hook or shim that belongs to the world.  It is put back
 * to what it holds now when an execution begins. */
void memory_world_keep(void *at, size_t size);

/* A thread's own memory (keys, errno of models): slot `slot` of the thread, a
 * word that belongs to the world and is 0 at first. */
enum scheduler_slot { SLOT_KEYS, SLOT_RESULT, SLOT_STATE, SLOTS = 8 };
uintptr_t *scheduler_slot(unsigned thread, enum scheduler_slot slot);

#endif
