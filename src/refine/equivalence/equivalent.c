/* equivalent.c - are two graphs branching bisimilar, with divergence; and if
 * not, what tells them apart? */
#include "equivalent.h"

#include "base/fail.h"
#include "refine/evidence.h"
#include "refine/minimise/comparison.h"
#include "refine/properties/breadth.h"
#include "tell_apart.h"
#include <string.h>

struct explaining {
    struct plumb_refine_comparison *c;
    struct plumb_refine_approximants a;
    struct plumb_refine_truths t;
    struct plumb_base_arena *arena;
    struct plumb_refine_equivalence *e;
    struct plumb_error *err;
};

static enum plumb_status lack_of_budget(const struct explaining *x)
{
    return plumb_base_fail_budget(x->c->budget, x->err);
}

/* ---- the steps that the formula begins with ---- */

/* A formula of the union, of a state of the side that it holds in. */
static bool holds(const struct explaining *x, uint32_t formula, uint32_t state)
{
    const unsigned side = x->e->second;
    const uint32_t offset = side ? x->c->side[0].partition.blocks : 0;
    return plumb_refine_truths_hold(
        &x->t, formula, offset + x->c->side[side].partition.block[state]);
}

/* From `from` by hidden steps through states with F and then by the event to
 * one with G.  `*last` is the last step, NOWHERE: there is none; `*to` where it
 * leads. */
static bool spread(const struct explaining *x, struct plumb_refine_breadth *b,
                   const struct plumb_refine_modal *f, uint32_t from,
                   struct plumb_refine_hop *last, uint32_t *to)
{
    const struct plumb_csp_lts *const lts = &x->c->side[x->e->second].lts;
    plumb_refine_breadth_clear(b);
    bool good = plumb_refine_breadth_meet(b, from, PLUMB_NOWHERE, 0);
    last->state = PLUMB_NOWHERE;
    *to = from;
    if (f->event == PLUMB_TAU && holds(x, f->right, from))
        return good;
    while (good && b->head < b->count) {
        const uint32_t s = b->queue[b->head++];
        good = plumb_base_in_time(b->budget, b->head);
        for (uint64_t i = lts->first[s]; good && i < lts->first[s + 1]; i++) {
            const struct plumb_csp_edge edge = lts->edge[i];
            const uint32_t index = (uint32_t)(i - lts->first[s]);
            if (edge.event == f->event && holds(x, f->right, edge.target)) {
                *last = (struct plumb_refine_hop){ s, index };
                *to = edge.target;
                return true;
            }
            if (edge.event == PLUMB_TAU && holds(x, f->left, edge.target))
                good = plumb_refine_breadth_meet(b, edge.target, s, index);
        }
    }
    return good;
}

/* Put the steps of one <e> behind the path. */
static bool lengthen(const struct explaining *x,
                     const struct plumb_refine_breadth *b,
                     struct plumb_refine_hop last)
{
    struct plumb_refine_equivalence *const e = x->e;
    uint32_t before;
    if (last.state == PLUMB_NOWHERE)
        return true;
    const struct plumb_refine_hop *const way =
        plumb_refine_breadth_way(b, last.state, 1, x->arena, &before);
    struct plumb_refine_hop *const path = plumb_base_arena_alloc(
        x->arena, ((size_t)e->length + before + 1) * sizeof *path);
    if (!way || !path)
        return false;
    if (e->length)
        memcpy(path, e->path, e->length * sizeof *path);
    memcpy(path + e->length, way, before * sizeof *path);
    path[e->length + before] = last;
    e->path = path;
    e->length += before + 1;
    return true;
}

/* `formula` is of the union; e->rest becomes what is left of it. */
static enum plumb_status find_path(const struct explaining *x, uint32_t formula)
{
    struct plumb_refine_breadth b = { .budget = x->c->budget };
    uint32_t at = 0;
    bool good = true;
    while (good && x->t.truth.at[formula].formula.kind == PLUMB_MODAL_STEP) {
        const struct plumb_refine_modal f = x->t.truth.at[formula].formula;
        struct plumb_refine_hop last;
        good = spread(x, &b, &f, at, &last, &at) && lengthen(x, &b, last);
        formula = f.right;
    }
    plumb_refine_breadth_release(&b);
    x->e->rest = formula;
    return good ? PLUMB_OK : lack_of_budget(x);
}

/* ---- the formula by itself ---- */

/* Its parts, and theirs: all that come before it and that it needs. */
static void mark_parts(const struct plumb_refine_truths *t, bool *needed,
                       uint32_t formula)
{
    needed[formula] = true;
    for (uint32_t i = formula + 1; i-- > 0;) {
        const struct plumb_refine_modal *const f = &t->truth.at[i].formula;
        if (!needed[i] || f->kind == PLUMB_MODAL_TRUE)
            continue;
        needed[f->left] = true;
        if (f->kind == PLUMB_MODAL_AND || f->kind == PLUMB_MODAL_STEP)
            needed[f->right] = true;
    }
}

static enum plumb_status hand_over(struct explaining *x, uint32_t formula)
{
    struct plumb_refine_equivalence *const e = x->e;
    struct plumb_base_arena *const arena = x->arena;
    bool *const needed = plumb_base_arena_zeroed(arena, formula + (size_t)1);
    uint32_t *const number =
        plumb_base_arena_alloc(arena, (formula + (size_t)1) * sizeof *number);
    struct plumb_refine_modal *const list =
        plumb_base_arena_alloc(arena, (formula + (size_t)1) * sizeof *list);
    if (!needed || !number || !list)
        return plumb_base_fail_memory(x->err);
    mark_parts(&x->t, needed, formula);
    for (uint32_t i = 0; i <= formula; i++) {
        struct plumb_refine_modal f = x->t.truth.at[i].formula;
        if (!needed[i])
            continue;
        const bool whole = f.kind != PLUMB_MODAL_TRUE;
        const bool two =
            f.kind == PLUMB_MODAL_AND || f.kind == PLUMB_MODAL_STEP;
        f.left = whole ? number[f.left] : 0;
        f.right = two ? number[f.right] : 0;
        number[i] = e->formulas;
        list[e->formulas++] = f;
    }
    e->rest = number[e->rest];
    e->formula = list;
    return PLUMB_OK;
}

/* ---- all ---- */

static enum plumb_status explain(struct explaining *x)
{
    const uint32_t second = x->c->side[0].partition.blocks;
    uint32_t formula;
    PLUMB_TRY(plumb_refine_approximants_make(&x->a, &x->c->lts, 0, second,
                                             x->c->budget, x->err));
    if (!plumb_refine_truths_init(&x->t, &x->c->lts, x->a.order, x->c->budget))
        return lack_of_budget(x);
    PLUMB_TRY(
        plumb_refine_tell_apart(&x->a, &x->t, 0, second, &formula, x->err));
    x->e->second = x->t.truth.at[formula].formula.kind == PLUMB_MODAL_NOT;
    if (x->e->second)
        formula = x->t.truth.at[formula].formula.left;
    PLUMB_TRY(find_path(x, formula));
    for (unsigned i = 0; i < 2; i++)
        x->e->side[i] =
            plumb_refine_certify_partition(&x->c->side[i].partition, x->arena);
    return hand_over(x, formula);
}

static enum plumb_status tell_difference(struct plumb_refine_comparison *c,
                                         struct plumb_base_arena *arena,
                                         struct plumb_refine_equivalence *e,
                                         struct plumb_error *err)
{
    struct explaining x = { .c = c,
                            .a = { .budget = c->budget },
                            .t = { .budget = c->budget },
                            .arena = arena,
                            .e = e,
                            .err = err };
    plumb_base_arena_init(&x.t.arena, c->budget);
    plumb_base_lists_init(&x.t.known, c->budget);
    const enum plumb_status status = explain(&x);
    plumb_refine_truths_release(&x.t);
    plumb_refine_approximants_release(&x.a);
    return status;
}

enum plumb_status plumb_refine_equivalent(struct plumb_csp_graph *one,
                                          struct plumb_csp_graph *two,
                                          unsigned threads,
                                          struct plumb_base_arena *arena,
                                          struct plumb_refine_equivalence *e,
                                          struct plumb_error *err)
{
    struct plumb_refine_comparison c;
    *e = (struct plumb_refine_equivalence){ .equal = false };
    enum plumb_status status = plumb_refine_comparison_make(
        &c, one, two, true, threads, arena->budget, err);
    for (unsigned i = 0; i < 2; i++) {
        e->states[i] = c.side[i].lts.states;
        e->blocks[i] = c.side[i].partition.blocks;
    }
    e->equal = status == PLUMB_OK && c.same;
    if (e->equal)
        e->both = plumb_refine_comparison_certify(&c, arena);
    else if (status == PLUMB_OK)
        status = tell_difference(&c, arena, e, err);
    plumb_refine_comparison_release(&c);
    return status;
}
