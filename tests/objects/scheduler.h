/* scheduler.h - every schedule of a small scenario with few preemptions.
 *
 * An object that was compiled with -fsanitize=thread calls us before each
 * access to memory (points.c), and instead of pthread functions (sync.c).  Each
 * such call is a *point*, at which another process may go on.  An execution is
 * determined by the choices at its points; the next one repeats them up to the
 * last choice that has an alternative, and takes that.
 *
 * A *preemption* is a switch away from a process that could go on.  At its
 * end, where it blocks, and where it yields, a switch is free.  A call is one
 * with the first access of the operation, and a return with the last one: more
 * points there would only make operations overlap that need not. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "scenario.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANY_NUMBER UINT32_MAX /* of preemptions */

struct plan {
    const struct plumb_object *object;
    const struct scenario *scenario;
    uint32_t preemptions; /* at most */
    bool serial;          /* operations never overlap; any order of them */
    /* Between executions leave memory as it is, like a program that sets the
     * object up again; not after one that is stuck. */
    bool again;
};

/* How an execution ended.  BLOCKED: of a serial plan, an operation cannot go
 * on without others.  STUCK: nobody can; every process is at its end, blocked,
 * or has long repeated itself without a change to memory.  ENDLESS: too many
 * steps were taken. */
enum ending { COMPLETE, BLOCKED, STUCK, ENDLESS };

struct event {
    uint8_t op; /* of the scenario */
    bool is_return;
};

/* From a switch to the next one: who ran, and where it was stopped. */
struct stretch {
    unsigned process;
    const void *where; /* NULL: at the end of an operation */
};

enum { MAX_STRETCHES = 512 };

/* What happened in an execution. */
struct run {
    enum ending ending;
    uint32_t preemptions, points;
    uint32_t steps;         /* points that processes passed                */
    uint32_t dead_accesses; /* to memory that was freed or never allocated */
    const void *dead_where; /* the first of them                           */
    size_t left;            /* blocks of memory that nobody freed          */
    unsigned events;
    struct event event[2 * MAX_INVOKED];
    struct plumb_record_entry entry[MAX_INVOKED];
    unsigned stretches; /* the first MAX_STRETCHES are kept */
    struct stretch stretch[MAX_STRETCHES];
};

/* Once, after the object was loaded.  False after saying why. */
bool scheduler_init(const struct plan *plan);

/* One execution.  False after the last: *run is then as it was. */
bool scheduler_next(const struct run **run);

/* ---- for points.c and sync.c: inside an execution ---- */

/* Before an access to `address` (only compared) by the code at `where`. */
void sched_point(const void *where, const void *address);

/* The same, where the process cannot go on unless ready(what). */
typedef bool sched_condition(void *what);
void sched_wait(const void *where, sched_condition *ready, void *what);

/* The process gives way. */
void sched_give_way(const void *where);

/* Memory has changed, or a lock changed hands: it was worth going on. */
void sched_progress(void);

/* One of 0 .. n - 1: every one of them, in some execution. */
unsigned sched_choose(unsigned n);

/* Who runs, from 1. */
unsigned sched_self(void);

/* Is it on the stack of who runs? */
bool sched_owns(const void *address);

void sched_dead_access(const void *where);

/* The object did what nobody may do; does not return. */
_Noreturn void sched_misuse(const char *what);

#endif
