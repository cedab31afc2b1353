/* resolve_recursion.c - definitions that come back to themselves before
 * anything happens.
 *
 * What P() = P() [] Q() can do first has no answer.  A definition leads to the
 * ones it refers to outside of all that takes a step (a prefix, if, case, <>);
 * a cycle of these is an error.  Behind a guard or an ifa that looks at a
 * parameter a cycle may end, as in
 *
 *     Users(n) = ifa (n == 0) { Skip } else { User(n) ||| Users(n - 1) };
 *
 * and is left to whoever unfolds it; so behind an index whose range looks at
 * one, which may have no values. */
#include "model_reader.h"

struct edge {
    uint32_t to;
    struct plumb_csp_place place;
};

struct walk {
    struct plumb_csp_read *r;
    bool *skips;                  /* of each definition: it is Skip */
    PLUMB_LIST(struct edge) edge; /* of one definition after another */
    uint32_t *first;              /* of each definition, and the end */
};

/* ---- is it Skip, without a step? ---- */

static bool skips(const struct walk *w, const struct plumb_csp_process *p)
{
    for (; p->kind == PLUMB_SEQUENCE; p = p->child[1])
        if (!skips(w, p->child[0]))
            return false;
    return p->kind == PLUMB_SKIP ||
           (p->kind == PLUMB_REFERENCE && w->skips[p->definition]);
}

/* There and back, since definitions tend to refer to their neighbours. */
static void find_skips(struct walk *w)
{
    const uint32_t count = w->r->definition.count;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < 2 * count; i++) {
            const uint32_t n = i < count ? i : 2 * count - 1 - i;
            if (!w->skips[n] && skips(w, w->r->definition.at[n].body))
                more = w->skips[n] = true;
        }
    }
}

/* ---- what is referred to first ---- */

static bool is_value(const struct plumb_csp_expr *e, bool truth)
{
    return e->kind == PLUMB_EXPR_CONSTANT && !e->value == !truth;
}

static bool add_edges(struct walk *w, const struct plumb_csp_process *p);

static bool add_children(struct walk *w, const struct plumb_csp_process *p)
{
    for (uint32_t i = 0; i < p->children; i++)
        if (!add_edges(w, p->child[i]))
            return false;
    return true;
}

/* A guard, or ifa. */
static bool add_tested(struct walk *w, const struct plumb_csp_process *p)
{
    if (plumb_csp_expr_looks_at_local(p->condition))
        return true;
    if (!is_value(p->condition, false) && !add_edges(w, p->child[0]))
        return false;
    return p->kind == PLUMB_GUARD || is_value(p->condition, true) ||
           add_edges(w, p->child[1]);
}

/* P(n) = ||| i:{0..n-1} @ P(i): with values or copies for no arguments, or
 * other ones each time. */
static bool may_be_empty(const struct plumb_csp_process *p)
{
    for (uint32_t i = 0; i < p->ranges; i++)
        if (p->range[i].spans)
            return true;
    return p->copies &&
           !(p->copies->kind == PLUMB_EXPR_CONSTANT && p->copies->value > 0);
}

static bool add_edges(struct walk *w, const struct plumb_csp_process *p)
{
    switch (p->kind) {
    case PLUMB_REFERENCE:
        return PLUMB_LIST_ADD(w->r, &w->edge,
                              (struct edge){ p->definition, p->place });
    case PLUMB_SEQUENCE:
        return add_edges(w, p->child[0]) &&
               (!skips(w, p->child[0]) || add_edges(w, p->child[1]));
    case PLUMB_GUARD:
    case PLUMB_IFA:
        return add_tested(w, p);
    case PLUMB_EXTERNAL:
    case PLUMB_CHOICE:
    case PLUMB_INTERLEAVE:
    case PLUMB_PARALLEL:
    case PLUMB_COPIES:
    case PLUMB_HIDE:
    case PLUMB_INTERRUPT:
    case PLUMB_ATOMIC:
        return may_be_empty(p) || add_children(w, p);
    default:
        return true; /* nothing follows, or a step does */
    }
}

/* ---- cycles ---- */

enum colour { WHITE, GREY, BLACK };

struct frame {
    uint32_t definition, next; /* edge */
};
PLUMB_LIST_OF(frames, struct frame);

static bool push(struct walk *w, struct frames *stack, unsigned char *colour,
                 uint32_t definition)
{
    colour[definition] = GREY;
    return PLUMB_LIST_ADD(w->r, stack,
                          (struct frame){ definition, w->first[definition] });
}

static bool fail_cycle(struct walk *w, const struct edge *e)
{
    return plumb_csp_read_fail(w->r, e->place,
                               "%.60s calls itself here before any event",
                               w->r->definition.at[e->to].name);
}

static bool search(struct walk *w, uint32_t from, unsigned char *colour)
{
    struct frames stack = { 0 };
    if (!push(w, &stack, colour, from))
        return false;
    while (stack.count) {
        struct frame *const f = stack.at + stack.count - 1;
        if (f->next == w->first[f->definition + 1]) {
            colour[f->definition] = BLACK;
            stack.count--;
            continue;
        }
        const struct edge *const e = w->edge.at + f->next++;
        if (colour[e->to] == GREY)
            return fail_cycle(w, e);
        if (colour[e->to] == WHITE && !push(w, &stack, colour, e->to))
            return false;
    }
    return true;
}

bool plumb_csp_resolve_recursion(struct plumb_csp_read *r)
{
    const uint32_t count = r->definition.count;
    struct walk w = { .r = r };
    w.skips = plumb_csp_read_scratch(r, count + 1u);
    w.first = plumb_csp_read_scratch(r, (count + 1u) * sizeof *w.first);
    unsigned char *const colour = plumb_csp_read_scratch(r, count + 1u);
    if (r->failed)
        return false;
    find_skips(&w);
    for (uint32_t i = 0; i < count; i++) {
        w.first[i] = w.edge.count;
        if (!add_edges(&w, r->definition.at[i].body))
            return false;
    }
    w.first[count] = w.edge.count;
    for (uint32_t i = 0; i < count; i++)
        if (colour[i] == WHITE && !search(&w, i, colour))
            return false;
    return true;
}
