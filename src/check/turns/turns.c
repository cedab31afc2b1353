/* turns.c - the tables of the parts that wait, and who has to give up his. */
#include "turns.h"

#include "base/memory.h"
#include "suspects.h"
#include <assert.h>

/* More tables than these are not kept, and a table with more slots is not
 * handed on to another part. */
enum { MOST_KEPT = 256, LARGE_TABLE = 1 << 16 };

bool plumb_check_turns_open(struct plumb_check_turns *t,
                            const struct plumb_check_case *c)
{
    t->c = c;
    atomic_init(&t->kept, 0);
    atomic_init(&t->unknown, false);
    t->waiting = plumb_base_alloc_zeroed(c->budget, (c->parts.count + 1) *
                                                        sizeof *t->waiting);
    return t->waiting;
}

static struct plumb_check_searcher *open_searcher(
    const struct plumb_check_case *c)
{
    struct plumb_check_searcher *const s =
        plumb_base_alloc(c->budget, sizeof *s);
    if (!s ||
        plumb_check_searcher_open(s, c->bound, &c->traits, false, c->budget))
        return s;
    plumb_check_searcher_close(s);
    plumb_base_release(c->budget, s, sizeof *s);
    return NULL;
}

/* relaxed: read when all threads have been joined */
static void close_searcher(struct plumb_check_turns *t,
                           struct plumb_check_searcher *s)
{
    if (!s)
        return;
    if (s->sets.space.unknown)
        atomic_store_explicit(&t->unknown, true, memory_order_relaxed);
    plumb_check_searcher_close(s);
    plumb_base_release(t->c->budget, s, sizeof *s);
}

static void give_up_table(struct plumb_check_turns *t, uint32_t part)
{
    if (!t->waiting[part])
        return;
    close_searcher(t, t->waiting[part]);
    t->waiting[part] = NULL;
    atomic_fetch_sub_explicit(&t->kept, 1, memory_order_relaxed);
}

void plumb_check_turns_close(struct plumb_check_turns *t)
{
    if (!t->waiting)
        return;
    plumb_check_turns_make_room(t, true);
    PLUMB_RELEASE(t->c->budget, t->waiting, (size_t)t->c->parts.count + 1);
    t->waiting = NULL;
}

void plumb_check_turner_init(struct plumb_check_turner *w,
                             struct plumb_budget *budget)
{
    w->spare = NULL;
    plumb_base_arena_init(&w->arena, budget);
}

void plumb_check_turner_release(struct plumb_check_turns *t,
                                struct plumb_check_turner *w)
{
    close_searcher(t, w->spare);
    plumb_base_arena_release(&w->arena);
}

/* ---- a turn ---- */

/* The part's own, or one that it begins with; NULL: there is no memory. */
static struct plumb_check_searcher *take_table(struct plumb_check_turns *t,
                                               struct plumb_check_turner *w,
                                               uint32_t part)
{
    struct plumb_check_searcher *s = t->waiting[part];
    if (s) {
        t->waiting[part] = NULL;
        atomic_fetch_sub_explicit(&t->kept, 1, memory_order_relaxed);
        return s;
    }
    s = w->spare ? w->spare : open_searcher(t->c);
    w->spare = NULL;
    if (s && t->c->algorithm != PLUMB_ALGORITHM_WING_GONG)
        plumb_check_search_begin(s, t->c->parts.part + part, false);
    return s;
}

static void put_aside(struct plumb_check_turns *t, struct plumb_check_turner *w,
                      uint32_t part, struct plumb_check_searcher *s,
                      const struct plumb_check_finding *found)
{
    if (found->interrupted &&
        atomic_fetch_add_explicit(&t->kept, 1, memory_order_relaxed) <
            MOST_KEPT) {
        t->waiting[part] = s;
        return;
    }
    if (found->interrupted)
        atomic_fetch_sub_explicit(&t->kept, 1, memory_order_relaxed);
    if (w->spare || s->visited.capacity > LARGE_TABLE ||
        found->why == PLUMB_EMEMORY)
        close_searcher(t, s);
    else
        w->spare = s;
}

static void keep_order(struct plumb_check_turner *w,
                       struct plumb_check_finding *found)
{
    if (found->verdict != PLUMB_LINEARIZABLE)
        return;
    found->order = plumb_base_arena_copy(
        &w->arena, found->order, found->order_count * sizeof *found->order);
    if (found->order)
        return;
    found->verdict = PLUMB_UNDECIDED;
    found->why = PLUMB_EMEMORY;
}

/* So many steps, and more than so many for each operation: the search is lost in
 * what came before. */
enum { LOST = 1 << 15, LOST_EACH = 8 };

static void blame_some(const struct plumb_check_turns *t,
                       struct plumb_check_turner *w, uint32_t part,
                       struct plumb_check_finding *found)
{
    if (!found->interrupted || found->steps < LOST ||
        found->steps < LOST_EACH * (uint64_t)t->c->parts.part[part].count)
        return;
    plumb_check_find_suspects(t->c, part, found->prefix, &w->arena,
                              &found->blame, &found->blames);
    if (!found->blames)
        return;
    found->verdict = PLUMB_NOT_LINEARIZABLE;
    found->interrupted = false;
}

void plumb_check_turn(struct plumb_check_turns *t, struct plumb_check_turner *w,
                      uint32_t part, uint64_t until,
                      struct plumb_check_finding *found)
{
    struct plumb_check_searcher *const s = take_table(t, w, part);
    *found = (struct plumb_check_finding){ .verdict = PLUMB_UNDECIDED,
                                           .why = PLUMB_EMEMORY };
    if (!s)
        return;
    if (t->c->algorithm == PLUMB_ALGORITHM_WING_GONG) {
        plumb_check_wing_gong(&s->sets, t->c->parts.part + part, &w->arena,
                              found);
    } else {
        plumb_check_search_go_on(s, until, found);
        keep_order(w, found);
        blame_some(t, w, part, found);
    }
    found->certificate = NULL;
    put_aside(t, w, part, s, found);
}

/* ---- memory ---- */

static uint32_t largest(const struct plumb_check_turns *t)
{
    uint32_t most = 0;
    for (uint32_t i = 1; i < t->c->parts.count; i++)
        if (t->waiting[i] &&
            (!t->waiting[most] || t->waiting[i]->visited.capacity >
                                      t->waiting[most]->visited.capacity))
            most = i;
    return most;
}

void plumb_check_turns_make_room(struct plumb_check_turns *t, bool all)
{
    while (atomic_load_explicit(&t->kept, memory_order_relaxed) > 0 &&
           (all || plumb_base_budget_is_half_used(t->c->budget)))
        give_up_table(t, largest(t));
}
