/* serial_histories.h - serial histories written out, one by one.
 *
 * A history is a sequence of events: calls stand at even places, and behind
 * each what came of it, an answer or that the operation is stuck. */
#ifndef PLUMB_TESTS_SERIAL_HISTORIES_H
#define PLUMB_TESTS_SERIAL_HISTORIES_H

#include "infer/automaton.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 16, MOST_HISTORIES = 20000 };

#define STUCK_EVENT UINT32_MAX

struct serial_history {
    uint32_t event[MOST_EVENTS]; /* 0 behind the last */
    unsigned length;
};

struct histories {
    struct serial_history *item;
    size_t count;
    bool too_many;
};

static inline void open_histories(struct histories *h)
{
    *h = (struct histories){ .item = malloc(MOST_HISTORIES * sizeof *h->item) };
    assert_non_null(h->item);
}

static inline void add_history(struct histories *h,
                               const struct serial_history *one)
{
    h->too_many |= h->count == MOST_HISTORIES;
    if (!h->too_many)
        h->item[h->count++] = *one;
}

/* One event more. */
static inline struct serial_history followed_by(struct serial_history h,
                                                uint32_t event)
{
    assert_true(h.length < MOST_EVENTS);
    h.event[h.length++] = event;
    return h;
}

static inline bool is_stuck(const struct serial_history *h)
{
    return h->length && h->event[h->length - 1] == STUCK_EVENT;
}

/* The first in the order of the alphabet; one that another begins with comes
 * before it. */
static inline int compare_histories(const void *a, const void *b)
{
    const struct serial_history *const x = a, *const y = b;
    for (unsigned i = 0; i < x->length && i < y->length; i++)
        if (x->event[i] != y->event[i])
            return x->event[i] < y->event[i] ? -1 : 1;
    return (x->length > y->length) - (x->length < y->length);
}

static inline void sort_histories(struct histories *h)
{
    qsort(h->item, h->count, sizeof *h->item, compare_histories);
}

/* How many there were twice. */
static inline size_t drop_equals(struct histories *h)
{
    size_t kept = 0;
    for (size_t i = 0; i < h->count; i++)
        if (!kept || compare_histories(&h->item[kept - 1], &h->item[i]) != 0)
            h->item[kept++] = h->item[i];
    const size_t dropped = h->count - kept;
    h->count = kept;
    return dropped;
}

static inline bool are_same_histories(const struct histories *a,
                                      const struct histories *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (compare_histories(&a->item[i], &b->item[i]) != 0)
            return false;
    return true;
}

static inline unsigned common_events(const struct serial_history *a,
                                     const struct serial_history *b)
{
    unsigned n = 0;
    while (n < a->length && n < b->length && a->event[n] == b->event[n])
        n++;
    return n;
}

/* ---- of a graph of moments ---- */

enum { MOST_MOMENTS = 4096 };

struct moments {
    const struct plumb_infer_seen *seen;
    size_t count;
};

static inline void spell_from(const struct moments *g, uint32_t moment,
                              struct serial_history so_far,
                              struct histories *into);

/* What is called at one moment. */
static inline bool spell_calls(const struct moments *g, uint32_t moment,
                               struct serial_history so_far,
                               struct histories *into)
{
    bool any = false;
    for (size_t i = 0; i < g->count; i++) {
        const struct plumb_infer_seen *const s = g->seen + i;
        if (s->from != moment || s->op == PLUMB_INFER_HIDDEN)
            continue;
        const bool stuck = s->to == PLUMB_INFER_STUCK;
        const struct serial_history longer = followed_by(
            followed_by(so_far, s->op), stuck ? STUCK_EVENT : s->answer);
        any = true;
        if (stuck)
            add_history(into, &longer);
        else
            spell_from(g, s->to, longer, into);
    }
    return any;
}

/* From a moment, and from where hidden steps lead to: all that can follow.
 * Where nothing is called any more the history ends. */
static inline void spell_from(const struct moments *g, uint32_t moment,
                              struct serial_history so_far,
                              struct histories *into)
{
    bool reached[MOST_MOMENTS] = { false }, goes_on = false;
    uint32_t stack[MOST_MOMENTS], height = 0;
    stack[height++] = moment;
    reached[moment] = true;
    while (height && !into->too_many) {
        const uint32_t at = stack[--height];
        goes_on |= spell_calls(g, at, so_far, into);
        for (size_t i = 0; i < g->count; i++) {
            const struct plumb_infer_seen *const s = g->seen + i;
            if (s->from != at || s->op != PLUMB_INFER_HIDDEN || reached[s->to])
                continue;
            stack[height++] = s->to;
            reached[s->to] = true;
        }
    }
    if (!goes_on)
        add_history(into, &so_far);
}

/* All histories of the graph, sorted, each once. */
static inline void spell_graph(const struct moments *g, struct histories *into)
{
    into->count = 0;
    into->too_many = false;
    spell_from(g, 0, (struct serial_history){ .length = 0 }, into);
    sort_histories(into);
    drop_equals(into);
}

#endif
