/* ltl_lasso.c - the run that breaks a formula.
 *
 * Breadth first to the nearest place of the set; then, again and again, on the
 * shortest way to an arc that is still needed; then back.  Taking the nearest
 * need first is not the shortest round there is (that is as hard as the
 * travelling salesman), but no part of it is longer than it has to be. */
#include "ltl_lasso.h"

#include "base/fail.h"
#include "base/vector.h"
#include <assert.h>

#define NOWHERE UINT32_MAX

/* The arc by which a search came to a place. */
struct origin {
    uint32_t place, edge;
    uint32_t search; /* which search it was, so that nothing is cleared */
};

struct lasso {
    struct plumb_refine_ltl_product *p;
    const uint32_t *set;
    uint32_t inside, places, search;
    struct origin *from;
    uint32_t *queue;
    PLUMB_VECTOR(struct plumb_refine_hop) hop; /* the run so far */
    struct plumb_refine_ltl_needs missing;
};

/* ---- adding to the run ---- */

/* Arcs that stay are no hops. */
static bool add_hop(struct lasso *l, uint32_t place, uint32_t edge)
{
    if (edge == PLUMB_LTL_STAYS)
        return true;
    return PLUMB_PUSH(
        l->p->budget, &l->hop,
        (struct plumb_refine_hop){
            plumb_base_pairs_at(&l->p->places, place).left, edge });
}

/* The way of the last search to `place`. */
static bool add_way(struct lasso *l, uint32_t place)
{
    const size_t before = l->hop.count;
    for (; l->from[place].place != NOWHERE; place = l->from[place].place)
        if (!add_hop(l, l->from[place].place, l->from[place].edge))
            return false;
    for (size_t i = before, k = l->hop.count; i + 1 < k; i++, k--) {
        const struct plumb_refine_hop h = l->hop.at[i];
        l->hop.at[i] = l->hop.at[k - 1];
        l->hop.at[k - 1] = h;
    }
    return true;
}

/* ---- needs ---- */

static bool helps(const struct plumb_refine_ltl_needs *missing,
                  const struct plumb_refine_ltl_arc *arc)
{
    return (missing->untils & arc->kept) ||
           (missing->weak & (arc->actors | ~arc->enabled)) ||
           (missing->strong & arc->actors);
}

static void meet_needs(struct plumb_refine_ltl_needs *missing,
                       const struct plumb_refine_ltl_arc *arc)
{
    missing->untils &= ~arc->kept;
    missing->weak &= arc->enabled & ~arc->actors;
    missing->strong &= ~arc->actors;
}

/* ---- searching ---- */

struct found {
    uint32_t place;                  /* at which the arc begins */
    struct plumb_refine_ltl_arc arc; /* that was looked for     */
};

/* What a search looks for: the set, an arc that helps, or one place. */
enum aim { AIM_SET, AIM_NEED, AIM_PLACE };

struct wave {
    enum aim aim;
    uint32_t goal; /* AIM_PLACE */
    uint32_t head, count;
};

static void reach(struct lasso *l, struct wave *w, uint32_t place,
                  uint32_t from, uint32_t edge)
{
    if (l->from[place].search == l->search)
        return;
    l->from[place] = (struct origin){ from, edge, l->search };
    l->queue[w->count++] = place;
}

static bool is_aim(const struct lasso *l, const struct wave *w,
                   const struct plumb_refine_ltl_arc *arc)
{
    switch (w->aim) {
    case AIM_SET:
        return l->set[arc->place] == l->inside;
    case AIM_NEED:
        return helps(&l->missing, arc);
    default:
        return arc->place == w->goal;
    }
}

/* All arcs of `place`; PLUMB_END if one is what is looked for.  Outside the
 * first search only the set is looked at. */
static enum plumb_status look_around(struct lasso *l, struct wave *w,
                                     uint32_t place,
                                     struct plumb_refine_ltl_cursor *c,
                                     struct found *found)
{
    enum plumb_status status;
    struct plumb_refine_ltl_arc arc;
    while ((status = plumb_refine_ltl_cursor_next(l->p, c, &arc)) == PLUMB_OK) {
        if (arc.place >= l->places ||
            (w->aim != AIM_SET && l->set[arc.place] != l->inside))
            continue;
        if (is_aim(l, w, &arc)) {
            *found = (struct found){ place, arc };
            return PLUMB_END;
        }
        reach(l, w, arc.place, place, arc.edge);
    }
    return status == PLUMB_END ? PLUMB_OK : status;
}

/* PLUMB_END if it was found. */
static enum plumb_status flood(struct lasso *l, struct wave *w,
                               struct found *found)
{
    while (w->head < w->count) {
        struct plumb_refine_ltl_cursor c;
        const uint32_t place = l->queue[w->head++];
        PLUMB_TRY(plumb_refine_ltl_cursor_at(l->p, place, &c));
        PLUMB_TRY(look_around(l, w, place, &c, found));
    }
    return plumb_base_fail(
        l->p->err, PLUMB_EBUG, 0, 0,
        "internal error: a run that violates the formula was lost");
}

/* ---- the three parts ---- */

/* From the beginning into the set, at `*entry`. */
static enum plumb_status go_there(struct lasso *l, uint32_t *entry)
{
    struct wave w = { .aim = AIM_SET };
    struct plumb_refine_ltl_cursor c;
    struct found found;
    enum plumb_status status;
    l->search++;
    plumb_refine_ltl_cursor_begin(&c);
    status = look_around(l, &w, NOWHERE, &c, &found);
    if (status == PLUMB_OK)
        status = flood(l, &w, &found);
    if (status != PLUMB_END)
        return status;
    *entry = found.arc.place;
    if (found.place != NOWHERE &&
        !(add_way(l, found.place) && add_hop(l, found.place, found.arc.edge)))
        return plumb_base_fail_budget(l->p->budget, l->p->err);
    return PLUMB_OK;
}

/* The needs of the way of the last search are met on the way. */
static enum plumb_status meet_on_way(struct lasso *l, uint32_t place)
{
    for (; l->from[place].place != NOWHERE; place = l->from[place].place) {
        const struct origin from = l->from[place];
        struct plumb_refine_ltl_cursor c;
        struct plumb_refine_ltl_arc arc;
        enum plumb_status status =
            plumb_refine_ltl_cursor_at(l->p, from.place, &c);
        while (status == PLUMB_OK) {
            status = plumb_refine_ltl_cursor_next(l->p, &c, &arc);
            if (status == PLUMB_OK && arc.place == place &&
                arc.edge == from.edge) {
                meet_needs(&l->missing, &arc);
                break;
            }
        }
        if (status != PLUMB_OK)
            return status;
    }
    return PLUMB_OK;
}

/* From `*at` to the aim, over one arc at least; `*at` is then its end. */
static enum plumb_status go_on(struct lasso *l, enum aim aim, uint32_t goal,
                               uint32_t *at)
{
    struct wave w = { .aim = aim, .goal = goal };
    struct found found;
    enum plumb_status status;
    l->search++;
    reach(l, &w, *at, NOWHERE, 0);
    status = flood(l, &w, &found);
    if (status != PLUMB_END)
        return status;
    if (!add_way(l, found.place) || !add_hop(l, found.place, found.arc.edge))
        return plumb_base_fail_budget(l->p->budget, l->p->err);
    meet_needs(&l->missing, &found.arc);
    *at = found.arc.place;
    return meet_on_way(l, found.place);
}

static enum plumb_status go_round(struct lasso *l, uint32_t entry)
{
    enum plumb_status status = PLUMB_OK;
    uint32_t at = entry;
    bool moved = false;
    while (status == PLUMB_OK &&
           (l->missing.untils || l->missing.weak || l->missing.strong)) {
        status = go_on(l, AIM_NEED, 0, &at);
        moved = true;
    }
    if (status == PLUMB_OK && (at != entry || !moved))
        status = go_on(l, AIM_PLACE, entry, &at);
    return status;
}

static enum plumb_status make_run(struct lasso *l,
                                  struct plumb_base_arena *arena,
                                  struct plumb_refine_run *run)
{
    uint32_t entry = 0, stem;
    PLUMB_TRY(go_there(l, &entry));
    stem = (uint32_t)l->hop.count;
    PLUMB_TRY(go_round(l, entry));
    if (l->hop.count) {
        run->path = plumb_base_arena_copy(arena, l->hop.at,
                                          l->hop.count * sizeof *l->hop.at);
        if (!run->path)
            return plumb_base_fail_budget(l->p->budget, l->p->err);
    }
    run->length = (uint32_t)l->hop.count;
    run->cycle = stem;
    return PLUMB_OK;
}

enum plumb_status plumb_refine_ltl_lasso(struct plumb_refine_ltl_product *p,
                                         const uint32_t *set, uint32_t inside,
                                         uint32_t places,
                                         struct plumb_refine_ltl_needs needs,
                                         struct plumb_base_arena *arena,
                                         struct plumb_refine_run *run)
{
    assert(places <= p->places.count);
    struct lasso l = {
        .p = p, .set = set, .inside = inside, .places = places, .missing = needs
    };
    enum plumb_status status;
    l.from = plumb_base_alloc_zeroed(p->budget, places * sizeof *l.from);
    l.queue = plumb_base_alloc(p->budget, places * sizeof *l.queue);
    status = l.from && l.queue ? make_run(&l, arena, run)
                               : plumb_base_fail_budget(p->budget, p->err);
    PLUMB_RELEASE(p->budget, l.from, places);
    PLUMB_RELEASE(p->budget, l.queue, places);
    PLUMB_VECTOR_RELEASE(p->budget, &l.hop);
    return status;
}
