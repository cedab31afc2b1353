/* shared.h - the memory that a simulation's parent and worker share.
 *
 * The parent makes it and forks; the worker loads the object, runs histories
 * and writes them to a ring of slots; the parent decides them.  Each field is
 * written by one side only; the parent's have pages of their own, which the
 * worker cannot write to.  There are no pointers in it, and the worker may be
 * killed at any moment: what it has written so far stays. */
#ifndef PLUMB_RUNTIME_SIMULATE_SHARED_H
#define PLUMB_RUNTIME_SIMULATE_SHARED_H

#include "record/log.h"
#include <assert.h>
#include <stddef.h>

enum {
    SHARED_NAME = 64,
    SHARED_SPEC = 256,
    CACHE_LINE = 64,
    SHARED_PAGE = 4096,
    LATENCY_BUCKETS = 40 * 8 /* eight to a power of two of nanoseconds */
};

/* What the worker is doing, for the parent to say if it does it for ever. */
enum worker_phase {
    PHASE_LOADING,
    PHASE_READY,   /* loaded, has not begun */
    PHASE_IDLE,    /* waits for a slot      */
    PHASE_SETUP,   /* in setup()            */
    PHASE_RUNNING, /* operations run        */
    PHASE_TEARDOWN,
    PHASE_OVER,   /* measuring, recording: all is done */
    PHASE_REFUSED /* the object is unusable, and that was said */
};

/* Counted by one process for itself. */
struct worker_tally {
    _Alignas(CACHE_LINE) uint64_t calls[PLUMB_MAX_OPERATIONS];
    uint64_t returns[PLUMB_MAX_OPERATIONS];
    uint64_t retries[PLUMB_MAX_OPERATIONS], contended[PLUMB_MAX_OPERATIONS];
    uint64_t longest[PLUMB_MAX_OPERATIONS]; /* nanoseconds */
    uint64_t latency[PLUMB_MAX_OPERATIONS][LATENCY_BUCKETS];
    uint64_t hooks;
    uint64_t began, ended; /* measuring: its part of this round */
};

struct worker_conditions {
    unsigned processes;  /* N                                       */
    unsigned operations; /* each invokes so many on the average     */
    unsigned most;       /* ... and never more than this            */
    unsigned slots;      /* of the ring                             */
    unsigned noise;
    bool timed;    /* measure how long operations take             */
    bool measures; /* measure.c: rounds of `operations` by each process,
                      of which nothing is kept                     */
    bool unique;   /* recording: menu.h */
    uint64_t seed;
    uint64_t warm_up; /* measuring: a first round that is shorter does not
                         count; nanoseconds */
};

/* What the parent must know of the object, which it does not load. */
struct worker_description {
    char name[SHARED_NAME];
    char spec[SHARED_SPEC]; /* "" if it has none */
    unsigned lacks_setup;
    unsigned operations;
    char operation[PLUMB_MAX_OPERATIONS][SHARED_NAME];
};

struct worker_shared {
    /* Written by the parent. */
    struct worker_conditions with;
    size_t size;            /* of all of it                            */
    uint64_t first;         /* the number of the worker's first history */
    uint32_t waiting;       /* operations seen to wait for ever         */
    _Atomic bool begin;     /* the object's description has been read   */
    _Atomic bool reckless;  /* it may invoke them when it likes         */
    _Atomic uint64_t taken; /* histories before this one were decided   */
    _Atomic bool over;      /* measuring, recording: begin no more operations */

    /* Written by the worker. */
    _Alignas(SHARED_PAGE) struct worker_description object;
    _Atomic int phase;
    _Atomic uint64_t finished; /* histories before this one are whole */
    uint64_t measured;         /* measuring: nanoseconds inside rounds */
    _Alignas(CACHE_LINE) _Atomic uint64_t clock;
    struct worker_tally tally[PLUMB_MAX_PROCESSES];

    /* slots * processes counts, then slots * processes * most entries. */
    _Alignas(CACHE_LINE) char slots[];
};

static inline void worker_set_phase(struct worker_shared *s,
                                    enum worker_phase phase)
{
    /* release: what went before is seen with it */
    atomic_store_explicit(&s->phase, phase, memory_order_release);
}

static inline size_t worker_shared_counts(const struct worker_conditions *c)
{
    return (size_t)c->slots * c->processes;
}

static inline size_t worker_shared_size(const struct worker_conditions *c)
{
    const size_t counts = worker_shared_counts(c);
    return sizeof(struct worker_shared) + counts * CACHE_LINE +
           counts * c->most * sizeof(struct plumb_record_entry);
}

/* How many entries process `p` has begun in history `number`. */
static inline _Atomic uint32_t *worker_shared_count(struct worker_shared *s,
                                                    uint64_t number, unsigned p)
{
    assert(p < s->with.processes);
    const size_t slot = (size_t)(number % s->with.slots);
    void *const at = s->slots + (slot * s->with.processes + p) * CACHE_LINE;
    return at;
}

static inline struct plumb_record_entry *worker_shared_entries(
    struct worker_shared *s, uint64_t number, unsigned p)
{
    assert(p < s->with.processes);
    const size_t slot = (size_t)(number % s->with.slots);
    void *const at = s->slots + worker_shared_counts(&s->with) * CACHE_LINE;
    struct plumb_record_entry *const all = at;
    return all + (slot * s->with.processes + p) * s->with.most;
}

#endif
