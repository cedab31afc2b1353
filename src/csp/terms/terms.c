/* terms.c - nodes of terms, interned.
 *
 * Invariant: two nodes with the same operation and operands do not exist, so
 * comparing numbers compares whole processes.  A node's operands never move;
 * the array of nodes does, so pointers to nodes are not kept over a call that
 * may make one. */
#include "terms.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "term_moves.h"
#include "term_store.h"
#include <assert.h>
#include <string.h>

static bool make_first_terms(struct plumb_csp_terms *t)
{
    static const enum plumb_csp_term_kind first[] = {
        [PLUMB_STOPPED] = PLUMB_TERM_STOP,
        [PLUMB_SKIPPED] = PLUMB_TERM_SKIP,
        [PLUMB_FINISHED] = PLUMB_TERM_DONE,
    };
    struct plumb_error ignored;
    for (uint32_t i = 0; i < sizeof first / sizeof *first; i++)
        if (plumb_csp_term_make(t, first[i], NULL, 0, NULL, &ignored) != i)
            return false;
    return true;
}

struct plumb_csp_terms *plumb_csp_terms_new(struct plumb_csp_world *world)
{
    struct plumb_csp_terms *const t =
        plumb_base_alloc_zeroed(world->budget, sizeof *t);
    if (!t)
        return NULL;
    t->world = world;
    t->farthest = PLUMB_FARTHEST;
    plumb_base_arena_init(&t->arena, world->budget);
    plumb_csp_event_sets_init(&t->sets, world->budget);
    plumb_base_index_init(&t->index, world->budget);
    t->scratch = plumb_base_alloc(world->budget, (world->model->slots + 1) *
                                                     sizeof *t->scratch);
    if (t->scratch && make_first_terms(t))
        return t;
    plumb_csp_terms_free(t);
    return NULL;
}

void plumb_csp_terms_free(struct plumb_csp_terms *t)
{
    if (!t)
        return;
    struct plumb_budget *const budget = t->world->budget;
    plumb_csp_event_sets_release(&t->sets);
    plumb_base_arena_release(&t->arena);
    PLUMB_RELEASE(budget, t->node, t->capacity);
    plumb_base_index_release(&t->index);
    PLUMB_RELEASE(budget, t->move, t->move_capacity);
    PLUMB_RELEASE(budget, t->list, t->list_capacity);
    if (t->scratch)
        PLUMB_RELEASE(budget, t->scratch, t->world->model->slots + 1);
    plumb_base_release(budget, t, sizeof *t);
}

/* ---- the index ---- */

static uint64_t hash_of(enum plumb_csp_term_kind operation,
                        const uint32_t *operand, uint32_t count)
{
    uint64_t h = plumb_base_mix((uint64_t)operation, count);
    for (uint32_t i = 0; i < count; i++)
        h = plumb_base_mix(h, operand[i]);
    return h;
}

static uint64_t hash_of_term(const void *context, uint32_t number)
{
    const struct plumb_csp_terms *const t = context;
    const struct plumb_csp_term_node *const n = t->node + number;
    return hash_of((enum plumb_csp_term_kind)n->operation, n->operand,
                   n->count);
}

/* The term, or PLUMB_NO_TERM and *p is where it belongs. */
static uint32_t find(const struct plumb_csp_terms *t,
                     enum plumb_csp_term_kind operation,
                     const uint32_t *operand, uint32_t count,
                     struct plumb_base_probe *p)
{
    *p = plumb_base_index_probe(&t->index, hash_of(operation, operand, count));
    PLUMB_FOR_CANDIDATES(&t->index, p, i) {
        const struct plumb_csp_term_node *const n = t->node + i;
        if (n->operation == operation && n->count == count &&
            (!count || !memcmp(n->operand, operand, count * sizeof *operand)))
            return i;
    }
    return PLUMB_NO_TERM;
}

/* ---- nodes ---- */

struct plumb_csp_children plumb_csp_term_children(
    const struct plumb_csp_term_node *n)
{
    enum { ALL = UINT8_MAX, HALF = UINT8_MAX - 1 }; /* of the operands */
    static const struct {
        uint8_t first, step, count;
    } shape[] = {
        [PLUMB_TERM_PREFIX] = { 2, 1, 1 },
        [PLUMB_TERM_SEND] = { 3, 1, 1 },
        [PLUMB_TERM_RECEIVE] = { 4, 1, 1 },
        [PLUMB_TERM_RECEIVED] = { 2, 1, 1 },
        [PLUMB_TERM_SEQUENCE] = { 0, 1, 2 },
        [PLUMB_TERM_CHOICE] = { 0, 1, ALL },
        [PLUMB_TERM_EXTERNAL] = { 0, 1, ALL },
        [PLUMB_TERM_INTERNAL] = { 0, 1, ALL },
        [PLUMB_TERM_INTERLEAVE] = { 0, 1, ALL },
        [PLUMB_TERM_PARALLEL] = { 0, 1, ALL },
        [PLUMB_TERM_SYNCHRONY] = { 0, 1, HALF },
        [PLUMB_TERM_COPIES] = { 1, 1, 1 },
        [PLUMB_TERM_MULTISET] = { 0, 2, HALF },
        [PLUMB_TERM_HIDE] = { 0, 1, 1 },
        [PLUMB_TERM_INTERRUPT] = { 0, 1, 2 },
        [PLUMB_TERM_GUARD] = { 1, 1, 1 },
        [PLUMB_TERM_IF] = { 1, 1, 2 },
        [PLUMB_TERM_IFA] = { 1, 1, 2 },
        [PLUMB_TERM_IFB] = { 1, 1, 1 },
        [PLUMB_TERM_CASE] = { 1, 2, HALF },
        [PLUMB_TERM_ATOMIC] = { 0, 1, 1 },
        [PLUMB_TERM_ASSERT] = { 1, 1, 1 },
        [PLUMB_TERM_OUTSIDE] = { 0, 1, 0 },
    };
    if (n->operation == PLUMB_TERM_INDEXED)
        return (struct plumb_csp_children){ 3 + n->operand[2], 1,
                                            n->count - 3 - n->operand[2] };
    const uint8_t count = shape[n->operation].count;
    return (struct plumb_csp_children){ shape[n->operation].first,
                                        shape[n->operation].step,
                                        count == ALL    ? n->count
                                        : count == HALF ? n->count / 2
                                                        : count };
}

static uint32_t depth_of(const struct plumb_csp_terms *t,
                         const struct plumb_csp_term_node *n)
{
    const struct plumb_csp_children c = plumb_csp_term_children(n);
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < c.count; i++) {
        const uint32_t child = n->operand[c.first + i * c.step];
        assert(child < t->count); /* terms are made from the leaves up */
        if (t->node[child].depth > deepest)
            deepest = t->node[child].depth;
    }
    return deepest + 1;
}

static uint32_t too_deep(const struct plumb_csp_process *origin,
                         struct plumb_error *err)
{
    const struct plumb_csp_place at =
        origin ? origin->place : (struct plumb_csp_place){ 0 };
    plumb_base_fail(err, PLUMB_EINPUT, at.line, at.column,
                    "the process grows without bound: more than %d levels",
                    PLUMB_DEEPEST);
    return PLUMB_NO_TERM;
}

uint32_t plumb_csp_term_refuse(struct plumb_error *err)
{
    plumb_base_fail_memory(err);
    return PLUMB_NO_TERM;
}

static uint32_t add_node(struct plumb_csp_terms *t,
                         struct plumb_csp_term_node *n,
                         const struct plumb_base_probe *p,
                         struct plumb_error *err)
{
    const uint32_t depth = depth_of(t, n);
    if (depth > PLUMB_DEEPEST)
        return too_deep(n->origin, err);
    if (!PLUMB_GROW(t->world->budget, t->node, t->capacity,
                    (size_t)t->count + 1))
        return plumb_csp_term_refuse(err);
    const uint32_t *const operand = n->operand;
    if (n->count) {
        n->operand = plumb_base_arena_copy(&t->arena, operand,
                                           n->count * sizeof *operand);
        if (!n->operand)
            return plumb_csp_term_refuse(err);
    }
    n->depth = (uint16_t)depth;
    t->node[t->count] = *n;
    plumb_base_index_put(&t->index, p, t->count);
    return t->count++;
}

uint32_t plumb_csp_term_make(struct plumb_csp_terms *t,
                             enum plumb_csp_term_kind operation,
                             const uint32_t *operand, uint32_t count,
                             const struct plumb_csp_process *origin,
                             struct plumb_error *err)
{
    struct plumb_base_probe p;
    if (!plumb_base_index_room(&t->index, hash_of_term, t))
        return plumb_csp_term_refuse(err);
    const uint32_t found = find(t, operation, operand, count, &p);
    if (found != PLUMB_NO_TERM)
        return found;
    struct plumb_csp_term_node n = { .operand = operand,
                                     .origin = origin,
                                     .count = count,
                                     .normal = PLUMB_UNKNOWN,
                                     .acting = PLUMB_UNKNOWN,
                                     .body = PLUMB_UNKNOWN,
                                     .moves = PLUMB_UNKNOWN,
                                     .operation = (uint16_t)operation };
    return add_node(t, &n, &p, err);
}

uint32_t plumb_csp_term_find(const struct plumb_csp_terms *t,
                             enum plumb_csp_term_kind operation,
                             const uint32_t *operand, uint32_t count)
{
    struct plumb_base_probe p;
    return find(t, operation, operand, count, &p);
}

bool plumb_csp_term_push(struct plumb_csp_terms *t, uint32_t operand)
{
    return PLUMB_APPEND(t->world->budget, t->list, t->listed, t->list_capacity,
                        operand);
}

uint32_t plumb_csp_term_pop(struct plumb_csp_terms *t, size_t from,
                            enum plumb_csp_term_kind operation,
                            const struct plumb_csp_process *origin,
                            struct plumb_error *err)
{
    assert(from <= t->listed);
    const uint32_t *const operand = t->list ? t->list + from : NULL;
    const uint32_t count = (uint32_t)(t->listed - from);
    t->listed = from;
    return plumb_csp_term_make(t, operation, operand, count, origin, err);
}

uint32_t plumb_csp_term_drop(struct plumb_csp_terms *t, size_t from,
                             struct plumb_error *err)
{
    assert(from <= t->listed);
    t->listed = from;
    return plumb_csp_term_refuse(err);
}

uint32_t plumb_csp_term_replace(struct plumb_csp_terms *t, uint32_t term,
                                uint32_t child, uint32_t by,
                                struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[term];
    const struct plumb_csp_children c = plumb_csp_term_children(&n);
    const uint32_t at = c.first + child * c.step;
    if (n.operand[at] == by)
        return term;
    const size_t from = t->listed;
    for (uint32_t i = 0; i < n.count; i++)
        if (!plumb_csp_term_push(t, i == at ? by : n.operand[i]))
            return plumb_csp_term_drop(t, from, err);
    return plumb_csp_term_pop(t, from, (enum plumb_csp_term_kind)n.operation,
                              n.origin, err);
}

bool plumb_csp_term_always(const struct plumb_csp_terms *t, uint32_t condition)
{
    int32_t value;
    return condition == PLUMB_NONE ||
           (plumb_csp_formula_is_constant(t->world->formulas, condition,
                                          &value) &&
            value);
}

bool plumb_csp_term_never(const struct plumb_csp_terms *t, uint32_t condition)
{
    int32_t value;
    return condition != PLUMB_NONE &&
           plumb_csp_formula_is_constant(t->world->formulas, condition,
                                         &value) &&
           !value;
}

struct plumb_csp_place plumb_csp_term_place(const struct plumb_csp_terms *t,
                                            uint32_t term)
{
    const struct plumb_csp_process *const origin = t->node[term].origin;
    return origin ? origin->place : (struct plumb_csp_place){ 0 };
}

bool plumb_csp_term_enter(struct plumb_csp_terms *t, uint32_t term,
                          struct plumb_error *err)
{
    if (t->nesting < PLUMB_DEEPEST) {
        t->nesting++;
        return true;
    }
    const struct plumb_csp_place at = plumb_csp_term_place(t, term);
    plumb_base_fail(
        err, PLUMB_EINPUT, at.line, at.column,
        "more than %d levels without a step; does the process call itself?",
        PLUMB_DEEPEST);
    return false;
}
