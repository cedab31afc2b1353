/* conflict_graph.c - see conflict_graph.h.
 *
 * A transaction may touch the same memory again and again; what matters is the
 * first time and the last.  `a` comes before `b` if it touches something for
 * the first time before `b` touches it for the last. */
#include "conflict_graph.h"

#include "base/bits.h"
#include "base/memory.h"

enum { NONE = PLUMB_TRANSACTIONS };

struct plumb_strategies_conflict_access {
    struct plumb_strategies_event event;
    unsigned transaction;
    uint32_t first, last; /* steps */
};

/* Where each thread is: in which transaction, or NONE; and in which it was. */
struct places {
    unsigned now[PLUMB_MAX_THREADS], last[PLUMB_MAX_THREADS];
};

static bool are_alike(const struct plumb_strategies_event *a,
                      const struct plumb_strategies_event *b)
{
    return a->kind == b->kind && a->at == b->at && a->size == b->size;
}

static bool add_access(struct plumb_strategies_conflict_graph *g,
                       const struct plumb_strategies_event *e,
                       unsigned transaction, uint32_t step)
{
    for (size_t i = g->accesses; i-- > 0;) {
        struct plumb_strategies_conflict_access *const a = &g->access[i];
        if (a->transaction == transaction && are_alike(&a->event, e)) {
            a->last = step;
            return true;
        }
    }
    const struct plumb_strategies_conflict_access access = {
        .event = *e, .transaction = transaction, .first = step, .last = step
    };
    return PLUMB_APPEND(g->budget, g->access, g->accesses, g->capacity, access);
}

static void order(struct plumb_strategies_conflict_graph *g, unsigned a,
                  unsigned b)
{
    if (a != NONE && b != NONE && a != b)
        g->precedes[a] |= plumb_base_bit(b);
}

static bool begin_transaction(struct plumb_strategies_conflict_graph *g,
                              struct places *p,
                              const struct plumb_strategies_step *s)
{
    const unsigned t = g->transactions;
    if (t == PLUMB_TRANSACTIONS)
        return false;
    g->transactions++;
    g->call[t] = s->event.at;
    g->thread[t] = s->thread;
    g->conflicts[t] = g->precedes[t] = 0;
    order(g, p->last[s->thread], t);
    p->now[s->thread] = p->last[s->thread] = t;
    return true;
}

static bool add_step(struct plumb_strategies_conflict_graph *g,
                     struct places *p, const struct plumb_strategies_step *s,
                     uint32_t number)
{
    const unsigned now = p->now[s->thread];
    switch (s->event.kind) {
    case PLUMB_EVENT_CALL:
        return begin_transaction(g, p, s);
    case PLUMB_EVENT_RETURN:
        p->now[s->thread] = NONE;
        return true;
    case PLUMB_EVENT_SPAWN:
        p->now[s->event.at] = p->last[s->event.at] = now;
        return true;
    case PLUMB_EVENT_JOIN:
        order(g, p->last[s->event.at], now);
        return true;
    case PLUMB_EVENT_LOCAL:
    case PLUMB_EVENT_CHOICE:
    case PLUMB_EVENT_EXIT:
        return true;
    default:
        return now == NONE || (g->leaves_out && g->leaves_out(&s->event)) ||
               add_access(g, &s->event, now, number);
    }
}

static void compare(struct plumb_strategies_conflict_graph *g,
                    const struct plumb_strategies_conflict_access *a,
                    const struct plumb_strategies_conflict_access *b)
{
    const unsigned from = a->transaction, to = b->transaction;
    if (g->conflicts[from] & plumb_base_bit(to) || a->first >= b->last)
        return;
    g->conflicts[from] |= plumb_base_bit(to);
    g->precedes[from] |= plumb_base_bit(to);
    g->step[from][to][0] = a->first;
    g->step[from][to][1] = b->last;
}

static void find_conflicts(struct plumb_strategies_conflict_graph *g)
{
    for (size_t i = 0; i < g->accesses; i++)
        for (size_t j = i + 1; j < g->accesses; j++) {
            const struct plumb_strategies_conflict_access
                *const a = &g->access[i],
                       *const b = &g->access[j];
            if (a->transaction == b->transaction ||
                !plumb_strategies_events_depend(&a->event, &b->event))
                continue;
            compare(g, a, b);
            compare(g, b, a);
        }
}

/* Warshall's algorithm, a row at a time. */
static void close_order(struct plumb_strategies_conflict_graph *g)
{
    for (unsigned k = 0; k < g->transactions; k++)
        for (unsigned i = 0; i < g->transactions; i++)
            if (g->precedes[i] & plumb_base_bit(k))
                g->precedes[i] |= g->precedes[k];
}

bool plumb_strategies_conflict_graph_make(
    struct plumb_strategies_conflict_graph *g,
    const struct plumb_strategies_execution *x)
{
    struct places places;
    g->transactions = 0;
    g->accesses = 0;
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++)
        places.now[t] = places.last[t] = NONE;
    for (uint32_t i = 0; i < x->length; i++)
        if (!add_step(g, &places, &x->step[i], i))
            return false;
    find_conflicts(g);
    close_order(g);
    return true;
}

void plumb_strategies_conflict_graph_release(
    struct plumb_strategies_conflict_graph *g)
{
    PLUMB_RELEASE(g->budget, g->access, g->capacity);
}

bool plumb_strategies_conflict_graph_is_cyclic(
    const struct plumb_strategies_conflict_graph *g)
{
    for (unsigned t = 0; t < g->transactions; t++)
        if (g->precedes[t] & plumb_base_bit(t))
            return true;
    return false;
}

bool plumb_strategies_conflict_graph_on_cycle(
    const struct plumb_strategies_conflict_graph *g, unsigned a, unsigned b)
{
    return g->thread[a] != g->thread[b] &&
           g->conflicts[a] & plumb_base_bit(b) &&
           g->precedes[b] & plumb_base_bit(a);
}
