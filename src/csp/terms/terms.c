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
#include <string.h>

enum { FIRST_INDEX = 1024 };

static bool make_first_terms(struct plumb_csp_terms *t)
{
    struct plumb_error ignored;
    return plumb_csp_term_make(t, PLUMB_TERM_STOP, NULL, 0, NULL, &ignored) ==
               PLUMB_STOPPED &&
           plumb_csp_term_make(t, PLUMB_TERM_SKIP, NULL, 0, NULL, &ignored) ==
               PLUMB_SKIPPED &&
           plumb_csp_term_make(t, PLUMB_TERM_DONE, NULL, 0, NULL, &ignored) ==
               PLUMB_FINISHED;
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
    t->index =
        plumb_base_alloc_zeroed(world->budget, FIRST_INDEX * sizeof *t->index);
    t->index_size = t->index ? FIRST_INDEX : 0;
    t->scratch = plumb_base_alloc(world->budget, (world->model->slots + 1) *
                                                     sizeof *t->scratch);
    if (t->index && t->scratch && make_first_terms(t))
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
    plumb_base_release(budget, t->node, t->capacity * sizeof *t->node);
    plumb_base_release(budget, t->index, t->index_size * sizeof *t->index);
    plumb_base_release(budget, t->move, t->move_capacity * sizeof *t->move);
    plumb_base_release(budget, t->list, t->list_capacity * sizeof *t->list);
    if (t->scratch)
        plumb_base_release(budget, t->scratch,
                           (t->world->model->slots + 1) * sizeof *t->scratch);
    plumb_base_release(budget, t, sizeof *t);
}

/* ---- the index ---- */

static uint32_t hash_of(enum plumb_csp_term_kind operation,
                        const uint32_t *operand, uint32_t count)
{
    uint64_t h = plumb_base_mix((uint64_t)operation, count);
    for (uint32_t i = 0; i < count; i++)
        h = plumb_base_mix(h, operand[i]);
    return (uint32_t)(h ^ h >> 32);
}

static bool is_node(const struct plumb_csp_term_node *n,
                    enum plumb_csp_term_kind operation, const uint32_t *operand,
                    uint32_t count, uint32_t hash)
{
    return n->hash == hash && n->operation == operation && n->count == count &&
           (!count || !memcmp(n->operand, operand, count * sizeof *operand));
}

/* The entry where the node is, or where it belongs. */
static uint32_t *entry_of(const struct plumb_csp_terms *t,
                          enum plumb_csp_term_kind operation,
                          const uint32_t *operand, uint32_t count,
                          uint32_t hash)
{
    const size_t mask = t->index_size - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask)
        if (!t->index[i] ||
            is_node(&t->node[t->index[i] - 1], operation, operand, count, hash))
            return &t->index[i];
}

static bool widen_index(struct plumb_csp_terms *t)
{
    struct plumb_budget *const budget = t->world->budget;
    const size_t size = 2 * t->index_size, mask = size - 1;
    uint32_t *const index =
        plumb_base_alloc_zeroed(budget, size * sizeof *index);
    if (!index)
        return false;
    for (uint32_t term = 0; term < t->count; term++) {
        size_t i = t->node[term].hash & mask;
        while (index[i])
            i = (i + 1) & mask;
        index[i] = term + 1;
    }
    plumb_base_release(budget, t->index, t->index_size * sizeof *t->index);
    t->index = index;
    t->index_size = size;
    return true;
}

static bool make_room(struct plumb_csp_terms *t)
{
    if (t->count == t->capacity) {
        void *block = t->node;
        if (!plumb_base_grow(t->world->budget, &block, &t->capacity,
                             (size_t)t->count + 1, sizeof *t->node))
            return false;
        t->node = block;
    }
    return (size_t)t->count * 3 < t->index_size * 2 || widen_index(t);
}

/* ---- nodes ---- */

struct plumb_csp_children plumb_csp_term_children(
    const struct plumb_csp_term_node *n)
{
    static const struct plumb_csp_children shape[] = {
        [PLUMB_TERM_PREFIX] = { 2, 1, 1 },
        [PLUMB_TERM_SEND] = { 3, 1, 1 },
        [PLUMB_TERM_RECEIVE] = { 4, 1, 1 },
        [PLUMB_TERM_RECEIVED] = { 2, 1, 1 },
        [PLUMB_TERM_SEQUENCE] = { 0, 1, 2 },
        [PLUMB_TERM_COPIES] = { 1, 1, 1 },
        [PLUMB_TERM_HIDE] = { 0, 1, 1 },
        [PLUMB_TERM_INTERRUPT] = { 0, 1, 2 },
        [PLUMB_TERM_GUARD] = { 1, 1, 1 },
        [PLUMB_TERM_IF] = { 1, 1, 2 },
        [PLUMB_TERM_IFA] = { 1, 1, 2 },
        [PLUMB_TERM_IFB] = { 1, 1, 1 },
        [PLUMB_TERM_ATOMIC] = { 0, 1, 1 },
        [PLUMB_TERM_ASSERT] = { 1, 1, 1 },
    };
    switch ((enum plumb_csp_term_kind)n->operation) {
    case PLUMB_TERM_CHOICE:
    case PLUMB_TERM_EXTERNAL:
    case PLUMB_TERM_INTERNAL:
    case PLUMB_TERM_INTERLEAVE:
    case PLUMB_TERM_PARALLEL:
        return (struct plumb_csp_children){ 0, 1, n->count };
    case PLUMB_TERM_SYNCHRONY:
        return (struct plumb_csp_children){ 0, 1, n->count / 2 };
    case PLUMB_TERM_MULTISET:
        return (struct plumb_csp_children){ 0, 2, n->count / 2 };
    case PLUMB_TERM_CASE:
        return (struct plumb_csp_children){ 1, 2, n->count / 2 };
    case PLUMB_TERM_INDEXED:
        return (struct plumb_csp_children){ 3 + n->operand[2], 1,
                                            n->count - 3 - n->operand[2] };
    case PLUMB_TERM_STOP:
    case PLUMB_TERM_SKIP:
    case PLUMB_TERM_DONE:
    case PLUMB_TERM_REFERENCE:
    case PLUMB_TERM_MESSAGE:
    case PLUMB_TERM_OUTSIDE:
        return (struct plumb_csp_children){ 0, 1, 0 };
    default:
        return shape[n->operation];
    }
}

static uint32_t depth_of(const struct plumb_csp_terms *t,
                         const struct plumb_csp_term_node *n)
{
    const struct plumb_csp_children c = plumb_csp_term_children(n);
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < c.count; i++) {
        const uint32_t child = n->operand[c.first + i * c.step];
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

static uint32_t refuse(struct plumb_error *err)
{
    plumb_base_fail_memory(err);
    return PLUMB_NO_TERM;
}

static uint32_t add_node(struct plumb_csp_terms *t,
                         struct plumb_csp_term_node *n, struct plumb_error *err)
{
    const uint32_t depth = depth_of(t, n);
    if (depth > PLUMB_DEEPEST)
        return too_deep(n->origin, err);
    if (!make_room(t))
        return refuse(err);
    const uint32_t *const operand = n->operand;
    if (n->count) {
        n->operand = plumb_base_arena_copy(&t->arena, operand,
                                           n->count * sizeof *operand);
        if (!n->operand)
            return refuse(err);
    }
    n->depth = (uint16_t)depth;
    *entry_of(t, (enum plumb_csp_term_kind)n->operation, n->operand, n->count,
              n->hash) = t->count + 1;
    t->node[t->count] = *n;
    return t->count++;
}

uint32_t plumb_csp_term_make(struct plumb_csp_terms *t,
                             enum plumb_csp_term_kind operation,
                             const uint32_t *operand, uint32_t count,
                             const struct plumb_csp_process *origin,
                             struct plumb_error *err)
{
    const uint32_t hash = hash_of(operation, operand, count);
    const uint32_t found = *entry_of(t, operation, operand, count, hash);
    if (found)
        return found - 1;
    struct plumb_csp_term_node n = { .operand = operand,
                                     .origin = origin,
                                     .count = count,
                                     .hash = hash,
                                     .normal = PLUMB_UNKNOWN,
                                     .acting = PLUMB_UNKNOWN,
                                     .body = PLUMB_UNKNOWN,
                                     .moves = PLUMB_UNKNOWN,
                                     .operation = (uint16_t)operation };
    return add_node(t, &n, err);
}

uint32_t plumb_csp_term_find(const struct plumb_csp_terms *t,
                             enum plumb_csp_term_kind operation,
                             const uint32_t *operand, uint32_t count)
{
    return *entry_of(t, operation, operand, count,
                     hash_of(operation, operand, count)) -
           1;
}

bool plumb_csp_term_push(struct plumb_csp_terms *t, uint32_t operand)
{
    if (t->listed == t->list_capacity) {
        void *block = t->list;
        if (!plumb_base_grow(t->world->budget, &block, &t->list_capacity,
                             t->listed + 1, sizeof *t->list))
            return false;
        t->list = block;
    }
    t->list[t->listed++] = operand;
    return true;
}

uint32_t plumb_csp_term_pop(struct plumb_csp_terms *t, size_t from,
                            enum plumb_csp_term_kind operation,
                            const struct plumb_csp_process *origin,
                            struct plumb_error *err)
{
    const uint32_t *const operand = t->list ? t->list + from : NULL;
    const uint32_t count = (uint32_t)(t->listed - from);
    t->listed = from;
    return plumb_csp_term_make(t, operation, operand, count, origin, err);
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
        if (!plumb_csp_term_push(t, i == at ? by : n.operand[i])) {
            t->listed = from;
            return refuse(err);
        }
    return plumb_csp_term_pop(t, from, (enum plumb_csp_term_kind)n.operation,
                              n.origin, err);
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
