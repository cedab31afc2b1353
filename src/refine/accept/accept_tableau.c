/* accept_tableau.c - claims, and the steps between them, as tables.
 *
 * A claim is a stage (how many steps from the beginning, until what matters
 * stays the same) and a bit for each operator.  The bit of X a is whether a is
 * true at the next position; of any other operator, whether it is true there
 * itself.  There, with a and b for what its sides are:
 *
 *   a U b    b or (a and its bit)        in order if false, or b
 *   a R b    b and (a or its bit)        in order if true, or not b
 *   <> a     a or its bit                in order if false, or a
 *   [] a     a and its bit               in order if true, or not a
 *
 * The next claim decides the one before it, so a table is made by going through
 * all next claims and sorting them by the claim they come from. */
#include "accept_tableau.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>

enum { STAGE_SHIFT = 16 };

/* ---- operators ---- */

static bool is_temporal(const struct plumb_refine_ltl *f)
{
    switch (f->kind) {
    case PLUMB_LTL_NEXT:
    case PLUMB_LTL_UNTIL:
    case PLUMB_LTL_RELEASE:
    case PLUMB_LTL_ALWAYS:
    case PLUMB_LTL_EVENTUALLY:
        return true;
    default:
        return false;
    }
}

static uint32_t bit_of(const struct plumb_refine_tableau *t,
                       const struct plumb_refine_ltl *f)
{
    uint32_t i = 0;
    while (t->op[i] != f)
        i++;
    assert(i < t->ops);
    return (uint32_t)1 << i;
}

/* False if there are too many. */
static bool find_operators(struct plumb_refine_tableau *t,
                           const struct plumb_refine_ltl *f)
{
    if (is_temporal(f)) {
        if (t->ops == PLUMB_MOST_OPERATORS)
            return false;
        t->op[t->ops++] = f;
    }
    return (!f->left || find_operators(t, f->left)) &&
           (!f->right || find_operators(t, f->right));
}

/* The operators whose bits say whether `f` is true. */
static uint32_t needs(const struct plumb_refine_tableau *t,
                      const struct plumb_refine_ltl *f)
{
    uint32_t bits = is_temporal(f) ? bit_of(t, f) : 0;
    if (f->kind == PLUMB_LTL_NEXT)
        return bits;
    if (f->left)
        bits |= needs(t, f->left);
    if (f->right)
        bits |= needs(t, f->right);
    return bits;
}

/* What the bit of the operator speaks of. */
static const struct plumb_refine_ltl *meant(const struct plumb_refine_ltl *op)
{
    return op->kind == PLUMB_LTL_NEXT ? op->left : op;
}

/* Only what is below X ceases to matter, so there are few stages. */
static void find_stages(struct plumb_refine_tableau *t)
{
    t->matters[0] = needs(t, t->root);
    for (t->stages = 1;; t->stages++) {
        const uint32_t before = t->matters[t->stages - 1];
        uint32_t now = 0;
        for (uint32_t i = 0; i < t->ops; i++)
            if (before >> i & 1)
                now |= needs(t, meant(t->op[i]));
        if (now == before)
            return;
        assert(t->stages < sizeof t->matters / sizeof *t->matters);
        t->matters[t->stages] = now;
    }
}

static uint32_t stage_after(const struct plumb_refine_tableau *t,
                            uint32_t stage)
{
    return stage + 1 < t->stages ? stage + 1 : stage;
}

/* ---- truth ---- */

/* At a position with these atoms; `bits` is the claim from there on. */
static bool is_true(const struct plumb_refine_tableau *t,
                    const struct plumb_refine_ltl *f, uint64_t atoms,
                    uint32_t bits)
{
    const bool later = is_temporal(f) && bits & bit_of(t, f);
    bool a = false, b = false;
    if (f->kind == PLUMB_LTL_NEXT)
        return later;
    if (f->left)
        a = is_true(t, f->left, atoms, bits);
    if (f->right)
        b = is_true(t, f->right, atoms, bits);
    switch (f->kind) {
    case PLUMB_LTL_TRUE:
        return true;
    case PLUMB_LTL_FALSE:
        return false;
    case PLUMB_LTL_ATOM:
        return atoms >> f->atom & 1;
    case PLUMB_LTL_NOT:
        return !a;
    case PLUMB_LTL_AND:
        return a && b;
    case PLUMB_LTL_OR:
        return a || b;
    case PLUMB_LTL_IMPLIES:
        return !a || b;
    case PLUMB_LTL_IFF:
        return a == b;
    case PLUMB_LTL_XOR:
        return a != b;
    case PLUMB_LTL_UNTIL:
        return b || (a && later);
    case PLUMB_LTL_RELEASE:
        return b && (a || later);
    case PLUMB_LTL_EVENTUALLY:
        return a || later;
    case PLUMB_LTL_ALWAYS:
        return a && later;
    case PLUMB_LTL_NEXT:
        break;
    }
    return later;
}

static bool is_in_order(const struct plumb_refine_tableau *t,
                        const struct plumb_refine_ltl *f, uint64_t atoms,
                        uint32_t bits)
{
    const bool now = is_true(t, f, atoms, bits);
    const struct plumb_refine_ltl *const side = f->right ? f->right : f->left;
    if (f->kind == PLUMB_LTL_NEXT)
        return true;
    if (f->kind == PLUMB_LTL_UNTIL || f->kind == PLUMB_LTL_EVENTUALLY)
        return !now || is_true(t, side, atoms, bits);
    return now || !is_true(t, side, atoms, bits);
}

static uint32_t kept_by(const struct plumb_refine_tableau *t, uint32_t matters,
                        uint64_t atoms, uint32_t bits)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->ops; i++)
        if (matters >> i & 1 && is_in_order(t, t->op[i], atoms, bits))
            kept |= (uint32_t)1 << i;
    return kept;
}

/* The claim before, if `bits` is the claim from here on. */
static uint32_t before(const struct plumb_refine_tableau *t, uint32_t matters,
                       uint64_t atoms, uint32_t bits)
{
    uint32_t claim = 0;
    for (uint32_t i = 0; i < t->ops; i++)
        if (matters >> i & 1 && is_true(t, meant(t->op[i]), atoms, bits))
            claim |= (uint32_t)1 << i;
    return claim;
}

/* ---- tables ---- */

static size_t claims(const struct plumb_refine_tableau *t)
{
    return (size_t)1 << t->ops;
}

static void forget(struct plumb_refine_tableau *t,
                   struct plumb_refine_claim_steps *s)
{
    PLUMB_RELEASE(t->budget, s->first, (claims(t) + 1));
    PLUMB_RELEASE(t->budget, s->step, claims(t));
    *s = (struct plumb_refine_claim_steps){ .first = NULL };
}

static bool reserve(struct plumb_refine_tableau *t,
                    struct plumb_refine_claim_steps *s)
{
    s->first =
        plumb_base_alloc_zeroed(t->budget, (claims(t) + 1) * sizeof *s->first);
    s->step = plumb_base_alloc(t->budget, claims(t) * sizeof *s->step);
    if (s->first && s->step)
        return true;
    forget(t, s);
    return false;
}

/* The subset of `of` that comes after `bits`; the empty one comes after all. */
static uint32_t next_subset(uint32_t bits, uint32_t of)
{
    return (bits - of) & of;
}

/* first[c] becomes where the steps of c end, and then, by placing from the
 * last to the first, where they begin. */
static void fill(struct plumb_refine_tableau *t,
                 struct plumb_refine_claim_steps *s, uint64_t atoms,
                 uint32_t stage)
{
    const uint32_t here = t->matters[stage];
    const uint32_t after = stage_after(t, stage), next = t->matters[after];
    uint32_t bits = 0;
    do
        s->first[before(t, here, atoms, bits)]++;
    while ((bits = next_subset(bits, next)) != 0);
    for (size_t c = 1; c <= claims(t); c++)
        s->first[c] += s->first[c - 1];
    do
        s->step[--s->first[before(t, here, atoms, bits)]] =
            (struct plumb_refine_claim_step){ after << STAGE_SHIFT | bits,
                                              kept_by(t, next, atoms, bits) };
    while ((bits = next_subset(bits, next)) != 0);
}

const struct plumb_refine_claim_step *plumb_refine_tableau_steps(
    struct plumb_refine_tableau *t, uint32_t claim, uint32_t letter,
    uint32_t *count)
{
    assert(letter < t->letters && claim >> STAGE_SHIFT < t->stages);
    const uint32_t stage = claim >> STAGE_SHIFT;
    const uint32_t bits = claim & (((uint32_t)1 << STAGE_SHIFT) - 1);
    struct plumb_refine_claim_steps *const s =
        t->table + (size_t)letter * t->stages + stage;
    if (!s->first) {
        if (!reserve(t, s))
            return NULL;
        fill(t, s, t->letter[letter], stage);
    }
    *count = s->first[bits + 1] - s->first[bits];
    return s->step + s->first[bits];
}

const struct plumb_refine_claim_step *plumb_refine_tableau_begin(
    struct plumb_refine_tableau *t, uint32_t letter, uint32_t *count)
{
    assert(letter < t->letters);
    const uint32_t matters = t->matters[0];
    struct plumb_refine_claim_steps *const s = &t->begin;
    uint32_t bits = 0;
    if (!s->first && !reserve(t, s))
        return NULL;
    *count = 0;
    do
        if (!is_true(t, t->root, t->letter[letter], bits))
            s->step[(*count)++] = (struct plumb_refine_claim_step){ bits, 0 };
    while ((bits = next_subset(bits, matters)) != 0);
    return s->step;
}

uint32_t plumb_refine_tableau_letter(struct plumb_refine_tableau *t,
                                     uint64_t letter)
{
    for (uint32_t i = 0; i < t->letters; i++)
        if (t->letter[i] == letter)
            return i;
    if (t->letters == PLUMB_MOST_LETTERS)
        return PLUMB_MOST_LETTERS;
    t->letter[t->letters] = letter;
    return t->letters++;
}

bool plumb_refine_tableau_is_settled(const struct plumb_refine_tableau *t,
                                     uint32_t claim)
{
    return !t->matters[claim >> STAGE_SHIFT];
}

uint32_t plumb_refine_tableau_wanted(const struct plumb_refine_tableau *t)
{
    return t->matters[t->stages - 1];
}

/* ---- the whole ---- */

static size_t tables(const struct plumb_refine_tableau *t)
{
    return (size_t)PLUMB_MOST_LETTERS * t->stages;
}

enum plumb_status plumb_refine_tableau_open(struct plumb_refine_tableau *t,
                                            const struct plumb_refine_ltl *root,
                                            struct plumb_budget *budget,
                                            struct plumb_error *err)
{
    *t = (struct plumb_refine_tableau){ .budget = budget, .root = root };
    if (!find_operators(t, root))
        return PLUMB_END;
    find_stages(t);
    t->table = plumb_base_alloc_zeroed(budget, tables(t) * sizeof *t->table);
    return t->table ? PLUMB_OK : plumb_base_fail_memory(err);
}

void plumb_refine_tableau_close(struct plumb_refine_tableau *t)
{
    for (size_t i = 0; t->table && i < tables(t); i++)
        forget(t, t->table + i);
    forget(t, &t->begin);
    PLUMB_RELEASE(t->budget, t->table, tables(t));
    t->table = NULL;
}
