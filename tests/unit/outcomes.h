/* outcomes.h - what executions of interpreted programs come to, as sets. */
#ifndef PLUMB_TESTS_OUTCOMES_H
#define PLUMB_TESTS_OUTCOMES_H

#include <stdlib.h>

#include "base/hash.h"
#include "interpreter.h"
#include "strategies/explore.h"

enum { MOST_SCHEDULES = 10000 };

static inline uint64_t state_of(const struct interpreter *m,
                                enum plumb_strategies_ending end)
{
    uint64_t hash = plumb_base_mix(m->threads, (uint64_t)end);
    hash = plumb_base_mix(hash,
                          plumb_base_hash_bytes(m->memory, sizeof m->memory));
    hash =
        plumb_base_mix(hash, plumb_base_hash_bytes(m->owner, sizeof m->owner));
    hash =
        plumb_base_mix(hash, plumb_base_hash_bytes(m->count, sizeof m->count));
    hash = plumb_base_mix(
        hash, plumb_base_hash_bytes(m->enlisted, sizeof m->enlisted));
    for (unsigned t = 0; t < m->threads; t++)
        hash = plumb_base_mix(
            hash, plumb_base_hash_bytes(m->thread + t, sizeof *m->thread));
    return hash;
}

/* For every CALL, which RETURNs came before it; and the results, which the
 * registers at the end tell. */
static inline uint64_t history_of(const struct interpreter *m,
                                  const struct plumb_strategies_execution *e)
{
    unsigned returns[MOST_THREADS] = { 0 };
    uint64_t of_thread[MOST_THREADS] = { 0 };
    uint64_t hash = state_of(m, e->outcome);
    for (uint32_t i = 0; i < e->length; i++) {
        const unsigned thread = e->step[i].thread;
        if (e->step[i].event.kind == PLUMB_EVENT_RETURN)
            returns[thread]++;
        if (e->step[i].event.kind == PLUMB_EVENT_CALL)
            of_thread[thread] =
                plumb_base_mix(of_thread[thread],
                               plumb_base_hash_bytes(returns, sizeof returns));
    }
    for (unsigned t = 0; t < MOST_THREADS; t++)
        hash = plumb_base_mix(hash, plumb_base_mix(of_thread[t], returns[t]));
    return hash;
}

struct list {
    uint64_t *item;
    size_t count;
};

static inline void open_list(struct list *l)
{
    l->count = 0;
    l->item = malloc(MOST_SCHEDULES * sizeof *l->item);
    assert(l->item);
}

static inline void add_item(struct list *l, uint64_t item)
{
    assert(l->count < MOST_SCHEDULES);
    l->item[l->count++] = item;
}

static inline int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline void sort(struct list *l)
{
    qsort(l->item, l->count, sizeof *l->item, by_number);
}

static inline void sort_and_drop_doubles(struct list *l)
{
    size_t kept = 0;
    sort(l);
    for (size_t i = 0; i < l->count; i++)
        if (!kept || l->item[kept - 1] != l->item[i])
            l->item[kept++] = l->item[i];
    l->count = kept;
}

static inline bool are_equal(const struct list *a, const struct list *b)
{
    return a->count == b->count &&
           memcmp(a->item, b->item, a->count * sizeof *a->item) == 0;
}

#endif
