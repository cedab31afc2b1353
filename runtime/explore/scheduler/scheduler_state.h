/* scheduler_state.h - what the files of the scheduler share. */
#ifndef PLUMB_RUNTIME_EXPLORE_SCHEDULER_SCHEDULER_STATE_H
#define PLUMB_RUNTIME_EXPLORE_SCHEDULER_SCHEDULER_STATE_H

#include "fiber.h"
#include "machine_adapter.h"
#include "runtime/explore/memory/tape.h"

struct scheduler_thread {
    struct scheduler_fiber fiber;
    /* From here on the world. */
    struct plumb_strategies_event next; /* it stands before      */
    scheduler_condition *ready;         /* NULL: it can go on    */
    const void *what;
    void (*body)(void *);
    void *argument;
    const void *pc;   /* of the event */
    uintptr_t bottom; /* of its stack, at that place; 0: not known */
    const char *name;
    bool begun, ended;
    bool called; /* its operation has had no event yet              */
    int locks;   /* it holds so many, at least of those it waited for */
    uintptr_t slot[SLOTS];
};

struct scheduler_told {
    unsigned op;
    bool returned;
};

enum { MOST_TOLD = 8 };

/* A thread that is to be made. */
struct scheduler_wanted {
    void (*body)(void *); /* NULL: none */
    void *argument;
    bool made; /* the last one */
};

struct scheduler {
    const struct scheduler_adapter_play *play;
    struct scheduler_fiber home;
    struct scheduler_thread thread[PLUMB_MAX_THREADS];
    unsigned fibers; /* made so far */

    /* Of the execution. */
    unsigned threads;
    uint64_t runnable; /* no condition; bit per thread      */
    uint64_t waiting;  /* a condition                       */
    uint64_t yielding;
    uint64_t repeating; /* has done a round (waiting_loops.h)     */
    uint64_t calling;   /* before a call                     */
    uint64_t operating; /* inside of an operation            */
    uint64_t visited;   /* of all executions: machine_adapter.h      */
    uint32_t step;      /* number of the step that runs      */
    uint32_t plain;     /* plain accesses of this step       */
    uint32_t at_once;   /* events of this operation that were no steps */
    bool light;         /* plain accesses are followed by who
                                          looks for races, at most           */
    unsigned option;    /* that the strategy took            */
    const struct plumb_strategies_walker *walker; /* who goes on, or NULL */
    unsigned walkers; /* threads when a walk was last begun anew */
    bool walked;      /* it has come to its end */
    struct plumb_strategies_random_run
        *random_run;       /* it draws who goes on, or NULL */
    bool at_random, raced; /* races are not told in a random run */
    struct plumb_strategies_event event; /* of this step, as it turned out */
    struct scheduler_wanted wanted;
    bool may_wait; /* machine_adapter.h */
    bool over, exited;
    bool alone; /* scheduler_adapter_prepare(): nobody else, no events */
    bool often;
    int status;
    struct scheduler_finding finding;
    unsigned told;
    struct scheduler_told tell[MOST_TOLD];

    /* The last hook that may be the first half of a copy. */
    struct {
        const void *pc, *at;
        size_t size;
        uint64_t hook; /* its number */
        uint32_t step;
        bool stood; /* it was an event */
    } copy;

    uint64_t hooks, failed_swaps;
    uint64_t failed_here; /* of failed_swaps those of this execution */
};

extern struct scheduler scheduler;

static inline uint64_t scheduler_thread_bit(unsigned t)
{
    return (uint64_t)1 << t;
}

static inline struct scheduler_thread *scheduler_running_thread(void)
{
    return &scheduler.thread[scheduler_running];
}

/* The stack of who passes control on must be cleared down to here later. */
static inline void scheduler_note_depth(struct scheduler_thread *t)
{
    char *const here = (char *)__builtin_frame_address(0) - 1024;
    if (here < t->fiber.low)
        t->fiber.low = here > t->fiber.stack ? here : t->fiber.stack;
}

/* scheduler.c: fibers for threads up to t; thread `number` as one that has not
 * begun; the next thread, which the one that runs wants. */
bool scheduler_has_fiber(unsigned t);
void scheduler_make_thread(unsigned number, void (*body)(void *),
                           void *argument);
void scheduler_make_wanted(void);

/* machine_adapter.c: in a walk, the thread that stands passes control on.  Who can go
 * on; let one do so, from outside; what is left to do when it stands, if so many
 * threads there were: to tell what was called and has returned, for one. */
void scheduler_adapter_walk_on(void);
uint64_t scheduler_adapter_ready(void);
void scheduler_adapter_run(unsigned t);
void scheduler_adapter_end_step(unsigned before);
void scheduler_adapter_tell_history(void);
/* Only at home, after the step, can it be told whether operations may wait. */
bool scheduler_adapter_has_to_look(void);

/* random_run.c: the same as scheduler_adapter_walk_on(), and of the machine. */
void scheduler_random_run_on(void);
bool scheduler_random_run(void *context, struct plumb_strategies_random_run *s);

/* kept_moments.c: of the machine. */
bool scheduler_moments_keep(void *context, unsigned n);
void scheduler_moments_restore(void *context, unsigned n);

/* Give control back to who let this thread go on. */
void scheduler_leave(void);

/* world.c */
void memory_world_keep_thread(unsigned t);
bool memory_world_snapshot(void);
void memory_world_restore(void);
void memory_world_pass(struct memory_tape *tape);
void memory_world_fingerprint(uint64_t hash[2]);
/* Memory in which pointers may be, beside variables and the heap. */
void memory_world_each_root(void (*visit)(const void *at, size_t size));

/* scheduler_faults.c */
bool scheduler_faults_catch(void);

/* scheduling_points.c: plain accesses that are events.  A copy is one event: it is
 * if either half is, as soon as it is known to be one. */
bool scheduler_points_have(const void *pc);
bool scheduler_points_have_copy(const void *written);
void scheduler_points_pair(const void *written, const void *read);
/* True: there are new ones. */
bool scheduler_points_begin(void);
extern unsigned scheduler_points_count;

#endif
