/* decide_parts.c - the parts of a history, by several threads.
 *
 * Nothing matters behind a violation, and every part before the first violated
 * one is decided whatever the timing (workers.h); the statistics count just
 * those. */
#include "decide_parts.h"

#include "base/workers.h"
#include "check/search/search.h"
#include "check/search/told.h"
#include "merge.h"

struct pool {
    const struct plumb_check_case *c;
    struct plumb_check_finding *finding; /* by part; UNDECIDED until decided */
    struct worker *worker;
};

/* One thread's share; its arena keeps the orders it found. */
struct worker {
    struct plumb_base_arena arena;
    struct plumb_check_searcher searcher;
    bool open; /* the searcher */
};

static bool keep_order(struct worker *w, struct plumb_check_finding *found)
{
    if (found->verdict != PLUMB_LINEARIZABLE)
        return true;
    found->order = plumb_base_arena_copy(
        &w->arena, found->order, found->order_count * sizeof *found->order);
    return found->order;
}

static bool is_left(const struct plumb_check_case *c, uint32_t part)
{
    const struct plumb_check_monitored *const m = c->monitored;
    return !m || m->nothing ||
           (m->left && m->left[c->parts.part[part].item[0].op]);
}

static void decide_part(const struct plumb_check_case *c, struct worker *w,
                        uint32_t i, struct plumb_check_finding *found)
{
    if (c->algorithm == PLUMB_ALGORITHM_WING_GONG)
        plumb_check_wing_gong(&w->searcher.sets, c->parts.part + i, &w->arena,
                              found);
    else
        plumb_check_search(&w->searcher, c->parts.part + i, 0, false, found);
    found->certificate = NULL;
    if (!keep_order(w, found)) {
        found->verdict = PLUMB_UNDECIDED;
        found->why = PLUMB_EMEMORY;
    }
}

static bool open_searcher(const struct plumb_check_case *c, struct worker *w)
{
    if (!w->open) {
        w->open = plumb_check_searcher_open(&w->searcher, c->bound, &c->traits,
                                            false, c->budget);
        if (!w->open)
            plumb_check_searcher_close(&w->searcher);
    }
    return w->open;
}

static bool work(void *context, unsigned member, uint32_t i)
{
    const struct pool *const p = context;
    struct worker *const w = p->worker + member;
    if (plumb_budget_state(p->c->budget) != PLUMB_OK)
        return false;
    if (!is_left(p->c, i)) {
        p->finding[i].verdict = PLUMB_LINEARIZABLE;
        return true;
    }
    if (!open_searcher(p->c, w))
        return false;
    decide_part(p->c, w, i, p->finding + i);
    return p->finding[i].verdict != PLUMB_NOT_LINEARIZABLE;
}

/* What the findings say together.  The first violation counts; before it, or
 * without one, anything undecided. */
static void sum_up(const struct pool *p,
                   struct plumb_check_outcome_of_parts *out)
{
    const struct plumb_check_parts *const parts = &p->c->parts;
    out->verdict = PLUMB_LINEARIZABLE;
    out->prefix = PLUMB_NEVER;
    for (uint32_t i = 0; i < parts->count; i++) {
        const struct plumb_check_finding *const f = p->finding + i;
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
        const uint32_t first =
            plumb_check_part_rank(parts->part + i, parts->part[i].item[0].call);
        const uint32_t prefix = f->prefix > first ? f->prefix : first;
        if (prefix < out->prefix)
            out->prefix = prefix;
    }
}

/* Of the parts, and what monitors found. */
static bool merge(const struct pool *p, struct plumb_base_arena *arena,
                  struct plumb_check_outcome_of_parts *out)
{
    const struct plumb_check_case *const c = p->c;
    struct plumb_base_arena scratch = { .budget = c->budget };
    uint32_t n = c->parts.count;
    struct plumb_check_order *const order =
        plumb_base_arena_alloc(&scratch, ((size_t)n + 1) * sizeof *order);
    for (uint32_t i = 0; order && i < n; i++)
        order[i] = (struct plumb_check_order){ p->finding[i].order,
                                               p->finding[i].order_count };
    if (order && c->monitored && c->monitored->order)
        order[n++] = (struct plumb_check_order){ c->monitored->order,
                                                 c->monitored->order_count };
    const bool merged =
        order && plumb_check_merge_orders(c->bound->history, order, n, arena,
                                          &out->order, &out->order_count);
    plumb_base_arena_release(&scratch);
    return merged;
}

static bool conclude(struct pool *p, struct plumb_base_arena *arena,
                     struct plumb_check_outcome_of_parts *out)
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

static void release(struct worker *w, struct plumb_check_outcome_of_parts *out)
{
    if (w->open) {
        out->unknown |= w->searcher.sets.space.unknown;
        plumb_check_searcher_close(&w->searcher);
    }
    plumb_base_arena_release(&w->arena);
}

bool plumb_check_decide_parts(const struct plumb_check_case *c, unsigned jobs,
                              struct plumb_base_arena *arena,
                              struct plumb_check_outcome_of_parts *out)
{
    struct pool p = { .c = c };
    struct plumb_base_arena scratch = { .budget = c->budget };
    *out = (struct plumb_check_outcome_of_parts){ .verdict = PLUMB_UNDECIDED };
    const unsigned size = plumb_base_workers_size(jobs, c->parts.count);
    p.finding = plumb_base_arena_zeroed(&scratch, (c->parts.count + 1) *
                                                      sizeof *p.finding);
    p.worker = plumb_base_arena_zeroed(&scratch, size * sizeof *p.worker);
    const bool room = p.finding && p.worker;
    if (room) {
        for (uint32_t i = 0; i < c->parts.count; i++)
            p.finding[i].verdict = PLUMB_UNDECIDED;
        for (unsigned j = 0; j < size; j++)
            plumb_base_arena_init(&p.worker[j].arena, c->budget);
        plumb_base_workers_run(jobs, c->parts.count, work, &p);
        conclude(&p, arena, out);
        for (unsigned j = 0; j < size; j++)
            release(p.worker + j, out);
    }
    plumb_base_arena_release(&scratch);
    return room;
}
