/* decide_parts.c - a pool of threads over the parts of a history.
 *
 * Parts are handed out in order and none after a violation was found, so every
 * part before the first violated one is decided whatever the timing, and the
 * statistics count just those. */
#include "check/decide_parts.h"

#include "base/memory.h"
#include "check/merge.h"
#include "check/search.h"
#include "check/wing_gong.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct pool {
    const struct plumb_case *c;
    struct plumb_finding *finding; /* by part; UNDECIDED until decided */
    atomic_uint next;
    atomic_bool violated;
};

/* One thread's share; its arena keeps the orders it found. */
struct worker {
    struct pool *pool;
    struct plumb_arena arena;
    pthread_t thread;
    bool started;
};

static bool keep_order(struct worker *w, struct plumb_finding *found)
{
    if (found->verdict != PLUMB_LINEARIZABLE)
        return true;
    found->order = plumb_arena_copy(&w->arena, found->order,
                                    found->order_count * sizeof *found->order);
    return found->order;
}

static bool is_left(const struct plumb_case *c, uint32_t part)
{
    const struct plumb_monitored *const m = c->monitored;
    return !m || m->nothing ||
           (m->left && m->left[c->parts.part[part].item[0].op]);
}

static void decide_part(struct worker *w, struct plumb_searcher *s, uint32_t i)
{
    const struct plumb_case *const c = w->pool->c;
    struct plumb_finding *const found = w->pool->finding + i;
    if (c->algorithm == PLUMB_ALGORITHM_WING_GONG)
        plumb_wing_gong(&s->fronts, c->parts.part + i, &w->arena, found);
    else
        plumb_search(s, c->parts.part + i, 0, false, found);
    found->certificate = NULL;
    if (!keep_order(w, found)) {
        found->verdict = PLUMB_UNDECIDED;
        found->why = PLUMB_EMEMORY;
    }
    if (found->verdict == PLUMB_NOT_LINEARIZABLE) /* relaxed: only a hint */
        atomic_store_explicit(&w->pool->violated, true, memory_order_relaxed);
}

static void *work(void *context)
{
    struct worker *const w = context;
    struct pool *const p = w->pool;
    struct plumb_searcher s;
    if (plumb_searcher_open(&s, p->c->bound, &p->c->traits, false,
                            p->c->budget))
        while (!atomic_load_explicit(&p->violated, memory_order_relaxed)) {
            const uint32_t i =
                atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
            if (i >= p->c->parts.count ||
                plumb_budget_state(p->c->budget) != PLUMB_OK)
                break;
            if (is_left(p->c, i))
                decide_part(w, &s, i);
            else
                p->finding[i].verdict = PLUMB_LINEARIZABLE;
        }
    plumb_searcher_close(&s);
    return NULL;
}

/* What the findings say together.  The first violation counts; before it, or
 * without one, anything undecided. */
static void sum_up(const struct pool *p, struct plumb_outcome_of_parts *out)
{
    const struct plumb_parts *const parts = &p->c->parts;
    out->verdict = PLUMB_LINEARIZABLE;
    out->prefix = PLUMB_NEVER;
    for (uint32_t i = 0; i < parts->count; i++) {
        const struct plumb_finding *const f = p->finding + i;
        out->configurations += f->configurations;
        out->steps += f->steps;
        if (f->verdict == PLUMB_NOT_LINEARIZABLE) {
            out->verdict = f->verdict;
            out->violated = i;
            out->prefix = f->prefix;
            return;
        }
        if (f->verdict == PLUMB_LINEARIZABLE)
            continue;
        if (out->verdict != PLUMB_UNDECIDED)
            out->why = f->why;
        out->verdict = PLUMB_UNDECIDED;
        const uint32_t first = parts->part[i].item[0].call;
        const uint32_t prefix = f->prefix > first ? f->prefix : first;
        if (prefix < out->prefix)
            out->prefix = prefix;
    }
}

static bool run(struct pool *p, struct worker *w, unsigned jobs)
{
    for (unsigned j = 1; j < jobs; j++)
        w[j].started = !pthread_create(&w[j].thread, NULL, work, w + j);
    work(w); /* this thread is one of them */
    for (unsigned j = 1; j < jobs; j++)
        if (w[j].started)
            pthread_join(w[j].thread, NULL);
    return p->finding;
}

/* Of the parts, and what monitors found. */
static bool merge(const struct pool *p, struct plumb_arena *arena,
                  struct plumb_outcome_of_parts *out)
{
    const struct plumb_case *const c = p->c;
    struct plumb_arena scratch;
    uint32_t n = c->parts.count;
    plumb_arena_init(&scratch, c->budget);
    struct plumb_order *const order =
        plumb_arena_alloc(&scratch, ((size_t)n + 1) * sizeof *order);
    for (uint32_t i = 0; order && i < n; i++)
        order[i] = (struct plumb_order){ p->finding[i].order,
                                         p->finding[i].order_count };
    if (order && c->monitored && c->monitored->order)
        order[n++] = (struct plumb_order){ c->monitored->order,
                                           c->monitored->order_count };
    const bool merged =
        order && plumb_merge_orders(c->bound->history, order, n, arena,
                                    &out->order, &out->order_count);
    plumb_arena_release(&scratch);
    return merged;
}

static bool conclude(struct pool *p, struct plumb_arena *arena,
                     struct plumb_outcome_of_parts *out)
{
    sum_up(p, out);
    if (out->verdict == PLUMB_UNDECIDED && out->why == PLUMB_OK) {
        out->why = plumb_budget_state(p->c->budget); /* never started */
        if (out->why == PLUMB_OK)
            out->why = PLUMB_EMEMORY;
    }
    if (out->verdict != PLUMB_LINEARIZABLE)
        return true;
    if (merge(p, arena, out))
        return true;
    out->verdict = PLUMB_UNDECIDED;
    out->why = PLUMB_EMEMORY;
    return true;
}

bool plumb_decide_parts(const struct plumb_case *c, unsigned jobs,
                        struct plumb_arena *arena,
                        struct plumb_outcome_of_parts *out)
{
    struct pool p = { .c = c };
    struct plumb_arena scratch;
    *out = (struct plumb_outcome_of_parts){ .verdict = PLUMB_UNDECIDED };
    if (jobs > c->parts.count)
        jobs = c->parts.count;
    if (jobs < 1)
        jobs = 1;
    plumb_arena_init(&scratch, c->budget);
    p.finding =
        plumb_arena_zeroed(&scratch, (c->parts.count + 1) * sizeof *p.finding);
    struct worker *const w = plumb_arena_zeroed(&scratch, jobs * sizeof *w);
    const bool room = p.finding && w;
    if (room) {
        for (uint32_t i = 0; i < c->parts.count; i++)
            p.finding[i].verdict = PLUMB_UNDECIDED;
        for (unsigned j = 0; j < jobs; j++) {
            w[j].pool = &p;
            plumb_arena_init(&w[j].arena, c->budget);
        }
        run(&p, w, jobs);
        conclude(&p, arena, out);
        for (unsigned j = 0; j < jobs; j++)
            plumb_arena_release(&w[j].arena);
    }
    plumb_arena_release(&scratch);
    return room;
}
