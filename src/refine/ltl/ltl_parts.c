/* ltl_parts.c - negations pushed down to the atoms, and what is plain to see
 * made simpler.
 *
 * <-> and xor mention their sides twice, so what was made of a node is kept:
 * without that a chain of them would take time exponential in its length.  */
#include "ltl_parts.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"

enum { NO_PART = PLUMB_MOST_PARTS, MADE = 8192 };

struct made {
    const struct plumb_refine_ltl *of;
    uint32_t plain, negated; /* part + 1, or 0 */
};

struct maker {
    struct plumb_refine_ltl_parts *p;
    struct made *made; /* open addressing by node; MADE of them */
    uint32_t used;
};

/* ---- parts that are equal are one ---- */

static uint32_t intern(struct maker *m, enum plumb_refine_ltl_part_kind kind,
                       uint32_t left, uint32_t right)
{
    struct plumb_refine_ltl_parts *const p = m->p;
    struct plumb_refine_ltl_part *n;
    if (left == NO_PART || right == NO_PART)
        return NO_PART;
    for (uint32_t i = 0; i < p->parts; i++)
        if (p->part[i].kind == kind && p->part[i].left == left &&
            p->part[i].right == right)
            return i;
    if (p->parts == PLUMB_MOST_PARTS ||
        (kind == PLUMB_PART_UNTIL && p->untils == PLUMB_MOST_UNTILS))
        return NO_PART;
    n = p->part + p->parts;
    *n = (struct plumb_refine_ltl_part){ kind, left, right, 0 };
    if (kind == PLUMB_PART_UNTIL)
        n->until = p->untils++;
    return p->parts++;
}

static bool is(const struct maker *m, uint32_t part,
               enum plumb_refine_ltl_part_kind kind)
{
    return part != NO_PART && m->p->part[part].kind == kind;
}

/* []<> a or <>[] a: true from here on, or from nowhere on. */
static bool is_of_the_tail(const struct maker *m, uint32_t part)
{
    const struct plumb_refine_ltl_part *const p = m->p->part + part;
    if (is(m, part, PLUMB_PART_RELEASE) && p->left == PLUMB_PART_FALSE)
        return is(m, p->right, PLUMB_PART_UNTIL) &&
               m->p->part[p->right].left == PLUMB_PART_TRUE;
    if (is(m, part, PLUMB_PART_UNTIL) && p->left == PLUMB_PART_TRUE)
        return is(m, p->right, PLUMB_PART_RELEASE) &&
               m->p->part[p->right].left == PLUMB_PART_FALSE;
    return false;
}

static bool contradict(const struct maker *m, uint32_t a, uint32_t b)
{
    const struct plumb_refine_ltl_part *const x = m->p->part + a;
    const struct plumb_refine_ltl_part *const y = m->p->part + b;
    return ((x->kind == PLUMB_PART_ATOM && y->kind == PLUMB_PART_NO_ATOM) ||
            (x->kind == PLUMB_PART_NO_ATOM && y->kind == PLUMB_PART_ATOM)) &&
           x->left == y->left;
}

/* && and ||: `zero` decides, `one` does not matter. */
static uint32_t joined(struct maker *m, enum plumb_refine_ltl_part_kind kind,
                       uint32_t a, uint32_t b)
{
    const uint32_t zero =
        kind == PLUMB_PART_AND ? PLUMB_PART_FALSE : PLUMB_PART_TRUE;
    const uint32_t one = PLUMB_PART_TRUE + PLUMB_PART_FALSE - zero;
    if (a == NO_PART || b == NO_PART)
        return NO_PART;
    if (a == zero || b == zero || contradict(m, a, b))
        return zero;
    if (a == one || a == b)
        return b;
    if (b == one)
        return a;
    return a < b ? intern(m, kind, a, b) : intern(m, kind, b, a);
}

/* U and R: `never` on the left leaves the right alone. */
static uint32_t timed(struct maker *m, enum plumb_refine_ltl_part_kind kind,
                      uint32_t a, uint32_t b)
{
    const uint32_t never =
        kind == PLUMB_PART_UNTIL ? PLUMB_PART_FALSE : PLUMB_PART_TRUE;
    if (a == NO_PART || b == NO_PART)
        return NO_PART;
    if (b <= PLUMB_PART_FALSE || a == never || a == b || is_of_the_tail(m, b))
        return b;
    if (is(m, b, kind) && m->p->part[b].left == a)
        return b;
    return intern(m, kind, a, b);
}

static uint32_t next(struct maker *m, uint32_t a)
{
    if (a == NO_PART || a <= PLUMB_PART_FALSE || is_of_the_tail(m, a))
        return a;
    return intern(m, PLUMB_PART_NEXT, a, 0);
}

/* ---- from the tree ---- */

static uint32_t make(struct maker *m, const struct plumb_refine_ltl *n,
                     bool negated);

/* a <-> b, or its negation. */
static uint32_t make_equal(struct maker *m, const struct plumb_refine_ltl *n,
                           bool negated)
{
    const uint32_t both = joined(m, PLUMB_PART_AND, make(m, n->left, false),
                                 make(m, n->right, negated));
    const uint32_t none = joined(m, PLUMB_PART_AND, make(m, n->left, true),
                                 make(m, n->right, !negated));
    return joined(m, PLUMB_PART_OR, both, none);
}

static uint32_t make_joined(struct maker *m, const struct plumb_refine_ltl *n,
                            bool negated)
{
    const bool is_and = (n->kind == PLUMB_LTL_AND) != negated;
    const bool turn_left = negated != (n->kind == PLUMB_LTL_IMPLIES);
    return joined(m, is_and ? PLUMB_PART_AND : PLUMB_PART_OR,
                  make(m, n->left, turn_left), make(m, n->right, negated));
}

static uint32_t make_timed(struct maker *m, const struct plumb_refine_ltl *n,
                           bool negated)
{
    const bool release =
        n->kind == PLUMB_LTL_RELEASE || n->kind == PLUMB_LTL_ALWAYS;
    const bool becomes_release = release != negated;
    const enum plumb_refine_ltl_part_kind kind =
        becomes_release ? PLUMB_PART_RELEASE : PLUMB_PART_UNTIL;
    if (n->kind == PLUMB_LTL_ALWAYS || n->kind == PLUMB_LTL_EVENTUALLY)
        return timed(m, kind,
                     becomes_release ? PLUMB_PART_FALSE : PLUMB_PART_TRUE,
                     make(m, n->left, negated));
    return timed(m, kind, make(m, n->left, negated),
                 make(m, n->right, negated));
}

static uint32_t make_afresh(struct maker *m, const struct plumb_refine_ltl *n,
                            bool negated)
{
    switch (n->kind) {
    case PLUMB_LTL_TRUE:
        return negated ? PLUMB_PART_FALSE : PLUMB_PART_TRUE;
    case PLUMB_LTL_FALSE:
        return negated ? PLUMB_PART_TRUE : PLUMB_PART_FALSE;
    case PLUMB_LTL_ATOM:
        return intern(m, negated ? PLUMB_PART_NO_ATOM : PLUMB_PART_ATOM,
                      n->atom, 0);
    case PLUMB_LTL_NOT:
        return make(m, n->left, !negated);
    case PLUMB_LTL_NEXT:
        return next(m, make(m, n->left, negated));
    case PLUMB_LTL_IFF:
        return make_equal(m, n, negated);
    case PLUMB_LTL_XOR:
        return make_equal(m, n, !negated);
    case PLUMB_LTL_AND:
    case PLUMB_LTL_OR:
    case PLUMB_LTL_IMPLIES:
        return make_joined(m, n, negated);
    default:
        return make_timed(m, n, negated);
    }
}

/* Where what was made of `n` is kept; NULL if there is no room left. */
static struct made *kept(struct maker *m, const struct plumb_refine_ltl *n)
{
    size_t i = plumb_base_mix1((uintptr_t)n) % MADE;
    while (m->made[i].of && m->made[i].of != n)
        i = (i + 1) % MADE;
    if (!m->made[i].of && 2 * m->used >= MADE)
        return NULL;
    m->used += !m->made[i].of;
    m->made[i].of = n;
    return m->made + i;
}

static uint32_t make(struct maker *m, const struct plumb_refine_ltl *n,
                     bool negated)
{
    struct made *const k = kept(m, n);
    uint32_t *where;
    if (!k)
        return NO_PART;
    where = negated ? &k->negated : &k->plain;
    if (!*where) {
        const uint32_t part = make_afresh(m, n, negated);
        if (part == NO_PART)
            return NO_PART;
        *where = part + 1;
    }
    return *where - 1;
}

enum plumb_status plumb_refine_ltl_parts(
    struct plumb_refine_ltl_parts *p,
    const struct plumb_refine_formula *formula, struct plumb_budget *budget,
    struct plumb_error *err)
{
    struct maker m = { .p = p };
    const size_t size = MADE * sizeof *m.made;
    m.made = plumb_base_alloc_zeroed(budget, size);
    if (!m.made)
        return plumb_base_fail_memory(err);
    p->parts = p->untils = 0;
    intern(&m, PLUMB_PART_TRUE, 0, 0);
    intern(&m, PLUMB_PART_FALSE, 0, 0);
    p->root = make(&m, formula->root, true);
    plumb_base_release(budget, m.made, size);
    if (p->root == NO_PART)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "the temporal formula has too many parts (at "
                               "most %d, and at most %d U and <>)",
                               PLUMB_MOST_PARTS, PLUMB_MOST_UNTILS);
    return PLUMB_OK;
}
