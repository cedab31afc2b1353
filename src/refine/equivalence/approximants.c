/* approximants.c - how many steps have to be looked at to tell two states
 * apart. */
#include "approximants.h"

#include "base/components.h"
#include "base/fail.h"
#include "base/sort_numbers.h"

#define NONE UINT32_MAX

/* A round: signatures, as lists of two numbers for each word, behind the class
 * of the state. */
struct round {
    struct plumb_refine_approximants *a;
    struct plumb_base_lists lists;
    uint32_t *signature;          /* of each state */
    PLUMB_VECTOR(uint64_t) word;  /* of the one that is made */
    PLUMB_VECTOR(uint32_t) list;  /* as it is put in */
    PLUMB_VECTOR(uint32_t) class; /* that each signature becomes */
    uint32_t *seen; /* of each class: the signature that keeps its number */
    size_t seen_room;
    bool split;
};

/* Hidden steps that go on for ever: no tau leads to a class of that number. */
static const uint64_t forever = NONE;

static uint64_t word_of(uint32_t event, uint32_t class)
{
    return (uint64_t)event << 32 | class;
}

/* ---- order ---- */

static uint32_t next_tau(void *context, uint32_t state, uint64_t *at,
                         struct plumb_base_pace *pace)
{
    const struct plumb_csp_lts *const lts =
        *(const struct plumb_csp_lts **)context;
    const struct plumb_csp_edge *const edge = lts->edge + lts->first[state];
    const uint64_t count = lts->first[state + 1] - lts->first[state];
    while (*at < count)
        if (edge[(*at)++].event == PLUMB_TAU)
            return edge[*at - 1].target;
    plumb_base_pace_spend(pace, count);
    return NONE;
}

/* Each state is a component, and has a higher number than those its taus lead
 * to. */
static bool find_order(struct plumb_refine_approximants *a)
{
    const struct plumb_base_digraph taus = { a->lts->states, &a->lts,
                                             next_tau };
    uint32_t count;
    if (!plumb_base_components(&taus, a->budget, a->leaf, &count))
        return false;
    assert(count == a->lts->states);
    for (uint32_t s = 0; s < count; s++) {
        if (!plumb_base_pace_allows(&a->pace, 1))
            return false;
        a->order[a->leaf[s]] = s;
    }
    return plumb_base_paced_set(a->budget, a->leaf, 0, count * sizeof *a->leaf);
}

/* ---- signatures ---- */

static bool add_word(struct round *r, uint64_t word)
{
    return PLUMB_PUSH(r->a->budget, &r->word, word);
}

/* What a state of the same class can do, who was looked at before. */
static bool add_inert(struct round *r, uint32_t target)
{
    size_t count;
    const uint32_t *const list =
        plumb_base_lists_get(&r->lists, r->signature[target], &count);
    plumb_base_pace_spend(&r->a->pace, count);
    for (size_t i = 1; i < count; i += 2)
        if (!add_word(r, word_of(list[i], list[i + 1])))
            return false;
    return true;
}

static bool add_edge(struct round *r, uint32_t state, struct plumb_csp_edge e)
{
    const uint32_t class = r->a->leaf[e.target];
    if (e.event != PLUMB_TAU || class != r->a->leaf[state])
        return add_word(r, word_of(e.event, class));
    return e.target == state ? add_word(r, forever) : add_inert(r, e.target);
}

/* Each word once, behind the class. */
static bool write_list(struct round *r, uint32_t class)
{
    struct plumb_budget *const budget = r->a->budget;
    if (!plumb_base_sort_words(budget, r->word.at, r->word.count))
        return false;
    r->list.count = 0;
    bool good = PLUMB_PUSH(budget, &r->list, class);
    for (size_t i = 0; good && i < r->word.count; i++) {
        const uint64_t word = r->word.at[i];
        if (i == 0 || word != r->word.at[i - 1])
            good = PLUMB_PUSH(budget, &r->list, (uint32_t)(word >> 32)) &&
                   PLUMB_PUSH(budget, &r->list, (uint32_t)word);
    }
    return good;
}

static bool sign(struct round *r, uint32_t state)
{
    const struct plumb_csp_lts *const lts = r->a->lts;
    const uint64_t begin = lts->first[state], end = lts->first[state + 1];
    r->word.count = 0;
    if (!plumb_base_pace_allows(&r->a->pace, 1 + end - begin))
        return false;
    for (uint64_t e = begin; e < end; e++)
        if (!add_edge(r, state, lts->edge[e]))
            return false;
    if (!write_list(r, r->a->leaf[state]))
        return false;
    r->signature[state] =
        plumb_base_lists_put(&r->lists, r->list.at, r->list.count);
    return r->signature[state] != PLUMB_ABSENT;
}

/* ---- classes ---- */

/* A class that has several signatures falls into as many; which of them have a
 * second is known when all are there. */
static bool number_classes(struct round *r)
{
    struct plumb_refine_approximants *const a = r->a;
    const size_t before = a->class.count;
    for (size_t i = 0; i < before; i++)
        r->seen[i] = NONE;
    for (uint32_t n = 0; n < r->lists.count; n++) {
        size_t count;
        const uint32_t old = plumb_base_lists_get(&r->lists, n, &count)[0];
        const bool first = r->seen[old] == NONE;
        r->seen[old] = first ? n : NONE - 1;
        r->split |= !first;
    }
    for (uint32_t n = 0; n < r->lists.count; n++) {
        size_t count;
        const uint32_t old = plumb_base_lists_get(&r->lists, n, &count)[0];
        const bool alone = r->seen[old] == n;
        const uint32_t number = alone ? old : (uint32_t)a->class.count;
        const struct plumb_refine_class child = { old, a->rounds + 1 };
        if (!plumb_base_pace_allows(&a->pace, 1) ||
            !PLUMB_PUSH(a->budget, &r->class, number) ||
            (!alone && !PLUMB_PUSH(a->budget, &a->class, child)))
            return false;
    }
    return true;
}

static bool go_round(struct round *r)
{
    struct plumb_refine_approximants *const a = r->a;
    const uint32_t states = a->lts->states;
    r->signature = plumb_base_alloc(a->budget, states * sizeof *r->signature);
    if (!r->signature ||
        !PLUMB_GROW(a->budget, r->seen, r->seen_room, a->class.count))
        return false;
    for (uint32_t i = 0; i < states; i++)
        if (!sign(r, a->order[i]))
            return false;
    if (!number_classes(r))
        return false;
    for (uint32_t s = 0; s < states; s++)
        a->leaf[s] = r->class.at[r->signature[s]];
    a->rounds++;
    return true;
}

/* One more round; `*split`: it made a difference. */
static bool refine(struct plumb_refine_approximants *a, bool *split)
{
    struct round r = { .a = a };
    plumb_base_lists_init(&r.lists, a->budget);
    const bool good = go_round(&r);
    *split = r.split;
    plumb_base_lists_release(&r.lists);
    PLUMB_RELEASE(a->budget, r.signature, a->lts->states);
    PLUMB_RELEASE(a->budget, r.seen, r.seen_room);
    PLUMB_VECTOR_RELEASE(a->budget, &r.word);
    PLUMB_VECTOR_RELEASE(a->budget, &r.list);
    PLUMB_VECTOR_RELEASE(a->budget, &r.class);
    return good;
}

/* ---- the interface ---- */

enum plumb_status plumb_refine_approximants_make(
    struct plumb_refine_approximants *a, const struct plumb_csp_lts *lts,
    uint32_t one, uint32_t other, struct plumb_budget *budget,
    struct plumb_error *err)
{
    const size_t size = lts->states * sizeof *a->leaf;
    *a = (struct plumb_refine_approximants){ .budget = budget,
                                             .lts = lts,
                                             .pace = { .budget = budget } };
    a->leaf = plumb_base_alloc(budget, size);
    a->order = plumb_base_alloc(budget, size);
    const struct plumb_refine_class all = { NONE, 0 };
    bool good = a->leaf && a->order && find_order(a) &&
                PLUMB_PUSH(budget, &a->class, all);
    for (bool split = true; good && a->leaf[one] == a->leaf[other];) {
        good = refine(a, &split);
        if (good && !split)
            return plumb_base_fail(err, PLUMB_EBUG, 0, 0,
                                   "internal error: states that are not "
                                   "bisimilar cannot be told apart");
    }
    return good ? PLUMB_OK : plumb_base_fail_budget(budget, err);
}

void plumb_refine_approximants_release(struct plumb_refine_approximants *a)
{
    PLUMB_RELEASE(a->budget, a->leaf, a->lts ? a->lts->states : 0);
    PLUMB_RELEASE(a->budget, a->order, a->lts ? a->lts->states : 0);
    PLUMB_VECTOR_RELEASE(a->budget, &a->class);
}

uint32_t plumb_refine_class_after(const struct plumb_refine_approximants *a,
                                  uint32_t class, uint32_t round)
{
    while (a->class.at[class].round > round)
        class = a->class.at[class].parent;
    return class;
}
