/* round_up.c - see round_up.h. */
#include "round_up.h"

#include "base/memory.h"
#include "permutations.h"
#include <string.h>

/* One sequentialization: the calls in its order, and which may be permuted. */
struct sequence {
    struct plumb_quasi_checker *checker;
    unsigned count, permuted;
    uint32_t symbol[PLUMB_QUASI_CALLS];
    uint8_t place[PLUMB_QUASI_CALLS]; /* of the n-th that is permuted */
    bool is_legal;
    enum plumb_status status;
};

struct decision {
    struct plumb_quasi_checker *checker;
    const struct plumb_quasi_call *call;
    enum plumb_quasi_verdict verdict;
    enum plumb_status status;
};

void plumb_quasi_open(struct plumb_quasi_checker *c,
                      const struct plumb_quasi_options *with,
                      struct plumb_budget *budget)
{
    *c = (struct plumb_quasi_checker){ .with = *with, .budget = budget };
    assert(with->calls > 0 && with->calls <= PLUMB_QUASI_CALLS);
    plumb_quasi_set_init(&c->legal, with->calls, budget);
    plumb_quasi_set_init(&c->sequentializations, with->calls, budget);
    plumb_quasi_set_init(&c->permutations, with->calls, budget);
}

void plumb_quasi_close(struct plumb_quasi_checker *c)
{
    plumb_quasi_set_release(&c->legal);
    plumb_quasi_set_release(&c->sequentializations);
    plumb_quasi_set_release(&c->permutations);
    PLUMB_RELEASE(c->budget, c->is_quasi, c->capacity);
    c->is_quasi = NULL;
    c->capacity = 0;
}

/* What is in the table once is enough to be found: that the others are left out
 * can only be counted. */
bool plumb_quasi_add_legal(struct plumb_quasi_checker *c,
                           const uint32_t *sequence)
{
    const uint32_t before = c->legal.count;
    if (plumb_quasi_set_add(&c->legal, sequence) == PLUMB_ABSENT)
        return false;
    c->counts.serial++;
    c->counts.serial_again += !c->with.same_serial && c->legal.count == before;
    return true;
}

static bool is_legal(const struct plumb_quasi_checker *c,
                     const uint32_t *sequence)
{
    return plumb_quasi_set_find(&c->legal, sequence) != PLUMB_ABSENT;
}

/* ---- permutations of a sequentialization ---- */

/* To remember that it was looked up costs as much as to look it up: what is
 * saved is counted, as in the paper. */
static bool look_up(struct sequence *s, const uint32_t *permutation)
{
    struct plumb_quasi_checker *const c = s->checker;
    c->counts.permutations++;
    if (!c->with.same_permutations) {
        const uint32_t before = c->permutations.count;
        if (plumb_quasi_set_add(&c->permutations, permutation) == PLUMB_ABSENT)
            return false;
        c->counts.permutations_again += c->permutations.count == before;
    }
    s->is_legal |= is_legal(c, permutation);
    return true;
}

static bool take_permutation(void *context, const uint8_t *order,
                             unsigned count)
{
    struct sequence *const s = context;
    uint32_t permutation[PLUMB_QUASI_CALLS];
    memcpy(permutation, s->symbol, s->count * sizeof *permutation);
    for (unsigned i = 0; i < count; i++)
        permutation[s->place[i]] = s->symbol[s->place[order[i]]];
    if (!look_up(s, permutation))
        s->status = PLUMB_EMEMORY;
    else if (s->checker->counts.permutations % 4096 == 0)
        s->status = plumb_budget_state(s->checker->budget);
    return s->status == PLUMB_OK;
}

/* ---- sequentializations of a history ---- */

static void line_up(const struct decision *d, const uint8_t *order,
                    unsigned count, struct sequence *s)
{
    s->count = count;
    for (unsigned i = 0; i < count; i++) {
        const struct plumb_quasi_call *const call = &d->call[order[i]];
        s->symbol[i] = call->symbol;
        if (call->permuted)
            s->place[s->permuted++] = (uint8_t)i;
    }
}

static bool fail(struct decision *d, enum plumb_status status)
{
    d->status = status;
    return false;
}

static void improve(struct decision *d, enum plumb_quasi_verdict verdict)
{
    if (verdict == PLUMB_QUASI_LINEARIZABLE || d->verdict == PLUMB_QUASI_NO)
        d->verdict = verdict;
}

/* Its number, and whether it is new; PLUMB_ABSENT: memory is refused. */
static uint32_t remember(struct plumb_quasi_checker *c,
                         const struct sequence *s, bool *is_new)
{
    const uint32_t before = c->sequentializations.count;
    if (!PLUMB_GROW(c->budget, c->is_quasi, c->capacity, (size_t)before + 1))
        return PLUMB_ABSENT;
    const uint32_t number =
        plumb_quasi_set_add(&c->sequentializations, s->symbol);
    *is_new = c->sequentializations.count != before;
    return number;
}

static bool take_sequentialization(void *context, const uint8_t *order,
                                   unsigned count)
{
    struct decision *const d = context;
    struct plumb_quasi_checker *const c = d->checker;
    struct sequence s = { .checker = c };
    bool is_new = true;
    uint32_t number = 0;
    line_up(d, order, count, &s);
    if (++c->counts.sequentializations % 1024 == 0 &&
        plumb_budget_state(c->budget) != PLUMB_OK)
        return fail(d, plumb_budget_state(c->budget));
    if (is_legal(c, s.symbol))
        improve(d, PLUMB_QUASI_LINEARIZABLE);
    if (!c->with.same_permutations) {
        number = remember(c, &s, &is_new);
        if (number == PLUMB_ABSENT)
            return fail(d, PLUMB_EMEMORY);
    }
    if (is_new) {
        plumb_quasi_permute(s.permuted, c->with.k, take_permutation, &s);
        if (s.status != PLUMB_OK)
            return fail(d, s.status);
        if (!c->with.same_permutations)
            c->is_quasi[number] = s.is_legal;
    } else {
        c->counts.sequentializations_again++;
        s.is_legal = c->is_quasi[number];
    }
    if (s.is_legal)
        improve(d, PLUMB_QUASI_PERMUTED);
    return true;
}

enum plumb_status plumb_quasi_decide(struct plumb_quasi_checker *c,
                                     const struct plumb_quasi_history *h,
                                     const struct plumb_quasi_call *call,
                                     enum plumb_quasi_verdict *verdict)
{
    struct decision d = { .checker = c, .call = call };
    assert(h->count == c->with.calls);
    if (!plumb_quasi_sequentialize(h, take_sequentialization, &d))
        return d.status;
    *verdict = d.verdict;
    c->counts.histories++;
    c->counts.wrong += d.verdict == PLUMB_QUASI_NO;
    return PLUMB_OK;
}
