/* accept_word.c - where on a word does a formula hold?
 *
 * A truth value for each position, from the leaves of the formula upwards.
 * With n for the position after i:
 *
 *   a U b at i:  b at i, or a at i and a U b at n     (the least solution)
 *   a R b at i:  b at i, and a at i or a R b at n     (the greatest one)
 *
 * From the last position down to the first, what is needed is known, but for
 * the last one itself: the beginning of the round comes after it.  Take for
 * that what the solution begins with, false for U, true for R.  Once down to
 * the beginning of the round it is right there: what does not come about in one
 * round never does.  Beginning with that, once more down makes all right.
 *
 * Recursion is as deep as the formula, which the parser bounds. */
#include "accept_word.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>

struct evaluation {
    const struct plumb_refine_word *w;
    struct plumb_budget *budget;
    struct plumb_error *err;
};

static enum plumb_status evaluate(const struct evaluation *e,
                                  const struct plumb_refine_ltl *f, bool *out);

static void read_atom(const struct plumb_refine_word *w, uint32_t atom,
                      bool *out)
{
    for (size_t i = 0; i < w->positions; i++)
        out[i] = w->letter[i] >> atom & 1;
}

static void fill(const struct plumb_refine_word *w, bool value, bool *out)
{
    for (size_t i = 0; i < w->positions; i++)
        out[i] = value;
}

static void negate(const struct plumb_refine_word *w, bool *out)
{
    for (size_t i = 0; i < w->positions; i++)
        out[i] = !out[i];
}

static void shift(const struct plumb_refine_word *w, bool *out)
{
    const bool after_last = out[w->back];
    for (size_t i = 0; i + 1 < w->positions; i++)
        out[i] = out[i + 1];
    out[w->positions - 1] = after_last;
}

/* The formula here, from its sides here and itself at the next position. */
static bool unfold(enum plumb_refine_ltl_kind kind, bool a, bool b, bool next)
{
    switch (kind) {
    case PLUMB_LTL_UNTIL:
        return b || (a && next);
    case PLUMB_LTL_RELEASE:
        return b && (a || next);
    case PLUMB_LTL_EVENTUALLY:
        return a || next;
    default: /* PLUMB_LTL_ALWAYS */
        return a && next;
    }
}

/* The solution takes the place of `a`; `b` may be `a` if there is none. */
static void solve(const struct plumb_refine_word *w,
                  enum plumb_refine_ltl_kind kind, bool *a, const bool *b)
{
    bool next = kind == PLUMB_LTL_RELEASE || kind == PLUMB_LTL_ALWAYS;
    for (size_t i = w->positions; i-- > w->back;)
        next = unfold(kind, a[i], b[i], next);
    for (size_t i = w->positions; i-- > 0;)
        a[i] = next = unfold(kind, a[i], b[i], next);
}

static bool join(enum plumb_refine_ltl_kind kind, bool a, bool b)
{
    switch (kind) {
    case PLUMB_LTL_AND:
        return a && b;
    case PLUMB_LTL_OR:
        return a || b;
    case PLUMB_LTL_IMPLIES:
        return !a || b;
    case PLUMB_LTL_IFF:
        return a == b;
    default: /* PLUMB_LTL_XOR */
        return a != b;
    }
}

static void combine(const struct plumb_refine_word *w,
                    enum plumb_refine_ltl_kind kind, bool *a, const bool *b)
{
    if (kind == PLUMB_LTL_UNTIL || kind == PLUMB_LTL_RELEASE) {
        solve(w, kind, a, b);
        return;
    }
    for (size_t i = 0; i < w->positions; i++)
        a[i] = join(kind, a[i], b[i]);
}

static enum plumb_status evaluate_two(const struct evaluation *e,
                                      const struct plumb_refine_ltl *f,
                                      bool *out)
{
    const size_t size = e->w->positions * sizeof *out;
    bool *const right = plumb_base_alloc(e->budget, size);
    if (!right)
        return plumb_base_fail_memory(e->err);
    enum plumb_status status = evaluate(e, f->left, out);
    if (status == PLUMB_OK)
        status = evaluate(e, f->right, right);
    if (status == PLUMB_OK)
        combine(e->w, f->kind, out, right);
    plumb_base_release(e->budget, right, size);
    return status;
}

static enum plumb_status evaluate_one(const struct evaluation *e,
                                      const struct plumb_refine_ltl *f,
                                      bool *out)
{
    PLUMB_TRY(evaluate(e, f->left, out));
    if (f->kind == PLUMB_LTL_NOT)
        negate(e->w, out);
    else if (f->kind == PLUMB_LTL_NEXT)
        shift(e->w, out);
    else
        solve(e->w, f->kind, out, out);
    return PLUMB_OK;
}

static enum plumb_status evaluate(const struct evaluation *e,
                                  const struct plumb_refine_ltl *f, bool *out)
{
    if (plumb_budget_state(e->budget) != PLUMB_OK)
        return plumb_base_fail_budget(e->budget, e->err);
    switch (f->kind) {
    case PLUMB_LTL_TRUE:
    case PLUMB_LTL_FALSE:
        fill(e->w, f->kind == PLUMB_LTL_TRUE, out);
        return PLUMB_OK;
    case PLUMB_LTL_ATOM:
        read_atom(e->w, f->atom, out);
        return PLUMB_OK;
    case PLUMB_LTL_NOT:
    case PLUMB_LTL_NEXT:
    case PLUMB_LTL_ALWAYS:
    case PLUMB_LTL_EVENTUALLY:
        return evaluate_one(e, f, out);
    default:
        return evaluate_two(e, f, out);
    }
}

enum plumb_status plumb_refine_word_satisfies(
    const struct plumb_refine_word *w, const struct plumb_refine_ltl *formula,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err)
{
    assert(w->positions && w->back < w->positions);
    const struct evaluation e = { w, budget, err };
    const size_t size = w->positions * sizeof(bool);
    bool *const out = plumb_base_alloc(budget, size);
    if (!out)
        return plumb_base_fail_memory(err);
    const enum plumb_status status = evaluate(&e, formula, out);
    *yes = status == PLUMB_OK && out[0];
    plumb_base_release(budget, out, size);
    return status;
}
