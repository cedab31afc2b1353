/* ltl_automaton.c - the tableau of a formula.
 *
 * What has to hold is taken apart (Gerth, Peled, Vardi, Wolper 1995), with the
 * result on moves and promises for acceptance (Couvreur 1999):
 *
 *   a && b   both                    a || b   one or the other
 *   X a      a has to hold next
 *   a U b    b, or a and next a U b again, which promises it
 *   a R b    a and b, or b and next a R b again
 *
 * Each choice makes a branch; a branch in which an atom has to hold and not to
 * hold is dropped.  Smaller parts first: what holds already decides larger
 * ones.  A state never has b beside a R b: both lead to the same moves. */
#include "ltl_automaton.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/memory.h"
#include "ltl_parts.h"
#include <assert.h>
#include <string.h>

enum { WORDS = PLUMB_MOST_PARTS / 64 };

struct set {
    uint64_t word[WORDS];
};

struct node {
    struct set set;
    uint32_t first, count; /* of its moves; first UNMADE: none yet */
};

#define UNMADE UINT32_MAX

struct plumb_refine_ltl_automaton {
    struct plumb_refine_ltl_parts parts;
    struct plumb_budget *budget;
    struct node *node;
    struct plumb_refine_ltl_move *move;
    struct plumb_base_index index; /* of nodes */
    size_t nodes, node_room, moves, move_room;
    uint32_t steps; /* so that time is looked at now and then */
};

/* ---- sets ---- */

static void add(struct set *s, uint32_t part)
{
    assert(part < PLUMB_MOST_PARTS);
    s->word[part / 64] |= (uint64_t)1 << part % 64;
}

static void drop(struct set *s, uint32_t part)
{
    s->word[part / 64] &= ~((uint64_t)1 << part % 64);
}

static bool has(const struct set *s, uint32_t part)
{
    return s->word[part / 64] >> part % 64 & 1;
}

/* The smallest part, which is taken out. */
static bool take_least(struct set *s, uint32_t *part)
{
    for (uint32_t i = 0; i < WORDS; i++)
        if (s->word[i]) {
            *part = 64 * i + (uint32_t)__builtin_ctzll(s->word[i]);
            drop(s, *part);
            return true;
        }
    return false;
}

static uint64_t hash_of(const struct set *s)
{
    uint64_t h = 0;
    for (int i = 0; i < WORDS; i++)
        h = plumb_base_mix(h, s->word[i]);
    return h;
}

/* ---- states ---- */

static uint64_t hash_of_number(const void *context, uint32_t number)
{
    const struct plumb_refine_ltl_automaton *const a = context;
    return hash_of(&a->node[number].set);
}

/* The number of a state, UINT32_MAX if memory is refused. */
static uint32_t state_of(struct plumb_refine_ltl_automaton *a,
                         const struct set *s)
{
    if (!plumb_base_index_room(&a->index, hash_of_number, a))
        return UINT32_MAX;
    struct plumb_base_probe p = plumb_base_index_probe(&a->index, hash_of(s));
    PLUMB_FOR_CANDIDATES(&a->index, &p, n)
        if (!memcmp(&a->node[n].set, s, sizeof *s))
            return n;
    if (!PLUMB_APPEND(a->budget, a->node, a->nodes, a->node_room,
                      (struct node){ .set = *s, .first = UNMADE }))
        return UINT32_MAX;
    plumb_base_index_put(&a->index, &p, (uint32_t)a->nodes - 1);
    return (uint32_t)a->nodes - 1;
}

/* Sides of && instead of it; nothing that another part implies at once. */
static void normalise(const struct plumb_refine_ltl_automaton *a, struct set *s)
{
    for (uint32_t i = a->parts.parts; i-- > 0;) {
        const struct plumb_refine_ltl_part *const p = a->parts.part + i;
        if (!has(s, i))
            continue;
        if (p->kind == PLUMB_PART_AND) {
            drop(s, i);
            add(s, p->left);
            add(s, p->right);
        }
    }
    for (uint32_t i = 0; i < a->parts.parts; i++)
        if (has(s, i) && a->parts.part[i].kind == PLUMB_PART_RELEASE)
            drop(s, a->parts.part[i].right);
    drop(s, PLUMB_PART_TRUE);
}

/* ---- moves ---- */

/* `b` allows all that `a` does, to the same state. */
static bool is_covered(const struct plumb_refine_ltl_move *a,
                       const struct plumb_refine_ltl_move *b)
{
    return a->target == b->target && !(b->wants & ~a->wants) &&
           !(b->forbids & ~a->forbids) && !(b->promises & ~a->promises);
}

/* Among the moves from `first` on. */
static bool add_move(struct plumb_refine_ltl_automaton *a, size_t first,
                     const struct plumb_refine_ltl_move *m)
{
    size_t kept = first;
    for (size_t i = first; i < a->moves; i++)
        if (is_covered(m, a->move + i))
            return true;
    for (size_t i = first; i < a->moves; i++)
        if (!is_covered(a->move + i, m))
            a->move[kept++] = a->move[i];
    a->moves = kept;
    return PLUMB_APPEND(a->budget, a->move, a->moves, a->move_room, *m);
}

struct branch {
    struct set todo, done, next;
    struct plumb_refine_ltl_move move;
};

static bool expand(struct plumb_refine_ltl_automaton *a, size_t first,
                   struct branch *b);

/* The other choice: a branch of its own, with one or two parts more. */
static bool fork_off(struct plumb_refine_ltl_automaton *a, size_t first,
                     const struct branch *b, uint32_t part, uint32_t more)
{
    struct branch other = *b;
    add(&other.todo, part);
    add(&other.todo, more);
    return expand(a, first, &other);
}

/* One part of what has to hold.  False if it has to end; `*dead` if the
 * branch cannot be. */
static bool take_apart(struct plumb_refine_ltl_automaton *a, size_t first,
                       struct branch *b, uint32_t part, bool *dead)
{
    const struct plumb_refine_ltl_part *const p = a->parts.part + part;
    switch (p->kind) {
    case PLUMB_PART_TRUE:
        return true;
    case PLUMB_PART_FALSE:
        *dead = true;
        return true;
    case PLUMB_PART_ATOM:
        b->move.wants |= (uint64_t)1 << p->left;
        *dead = b->move.wants & b->move.forbids;
        return true;
    case PLUMB_PART_NO_ATOM:
        b->move.forbids |= (uint64_t)1 << p->left;
        *dead = b->move.wants & b->move.forbids;
        return true;
    case PLUMB_PART_AND:
        add(&b->todo, p->left);
        add(&b->todo, p->right);
        return true;
    case PLUMB_PART_OR:
        if (has(&b->done, p->left) || has(&b->done, p->right))
            return true;
        if (!fork_off(a, first, b, p->left, p->left))
            return false;
        add(&b->todo, p->right);
        return true;
    case PLUMB_PART_NEXT:
        add(&b->next, p->left);
        return true;
    case PLUMB_PART_UNTIL:
        if (has(&b->done, p->right))
            return true;
        if (!fork_off(a, first, b, p->right, p->right))
            return false;
        add(&b->todo, p->left);
        add(&b->next, part);
        b->move.promises |= (uint64_t)1 << p->until;
        return true;
    case PLUMB_PART_RELEASE:
        if (!fork_off(a, first, b, p->left, p->right))
            return false;
        add(&b->todo, p->right);
        add(&b->next, part);
        return true;
    }
    return true;
}

/* A formula may have exponentially many branches. */
static bool may_go_on(struct plumb_refine_ltl_automaton *a)
{
    return ++a->steps % 4096 != 0 || plumb_budget_state(a->budget) == PLUMB_OK;
}

/* Recursion is as deep as there are parts that choose: each is taken apart
 * once in a branch. */
static bool expand(struct plumb_refine_ltl_automaton *a, size_t first,
                   struct branch *b)
{
    uint32_t part;
    while (take_least(&b->todo, &part)) {
        bool dead = false;
        if (has(&b->done, part))
            continue;
        add(&b->done, part);
        if (!may_go_on(a) || !take_apart(a, first, b, part, &dead))
            return false;
        if (dead)
            return true;
    }
    normalise(a, &b->next);
    if (has(&b->next, PLUMB_PART_FALSE))
        return true;
    b->move.target = state_of(a, &b->next);
    return b->move.target != UINT32_MAX && add_move(a, first, &b->move);
}

const struct plumb_refine_ltl_move *plumb_refine_ltl_automaton_moves(
    struct plumb_refine_ltl_automaton *a, uint32_t state, uint32_t *count)
{
    assert(state < a->nodes);
    struct node *n = a->node + state;
    if (n->first == UNMADE) {
        const size_t first = a->moves;
        struct branch b = { .todo = n->set };
        /* So that there is an address even if there is no move. */
        if (!PLUMB_GROW(a->budget, a->move, a->move_room, first + 1) ||
            first >= UNMADE || !expand(a, first, &b)) {
            a->moves = first;
            return NULL;
        }
        n = a->node + state;
        n->first = (uint32_t)first;
        n->count = (uint32_t)(a->moves - first);
    }
    *count = n->count;
    return a->move + n->first;
}

/* ---- the whole ---- */

uint64_t plumb_refine_ltl_automaton_untils(
    const struct plumb_refine_ltl_automaton *a)
{
    const uint32_t n = a->parts.untils;
    return n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

void plumb_refine_ltl_automaton_free(struct plumb_refine_ltl_automaton *a)
{
    struct plumb_budget *b;
    if (!a)
        return;
    b = a->budget;
    PLUMB_RELEASE(b, a->node, a->node_room);
    PLUMB_RELEASE(b, a->move, a->move_room);
    plumb_base_index_release(&a->index);
    plumb_base_release(b, a, sizeof *a);
}

enum plumb_status plumb_refine_ltl_automaton_open(
    struct plumb_refine_ltl_automaton **made,
    const struct plumb_refine_formula *formula, struct plumb_budget *budget,
    struct plumb_error *err)
{
    struct plumb_refine_ltl_automaton *const a =
        plumb_base_alloc_zeroed(budget, sizeof *a);
    struct set initial = { { 0 } };
    enum plumb_status status;
    if (!a)
        return plumb_base_fail_memory(err);
    a->budget = budget;
    plumb_base_index_init(&a->index, budget);
    status = plumb_refine_ltl_parts(&a->parts, formula, budget, err);
    if (status == PLUMB_OK) {
        add(&initial, a->parts.root);
        if (state_of(a, &initial) == UINT32_MAX)
            status = plumb_base_fail_memory(err);
    }
    if (status != PLUMB_OK) {
        plumb_refine_ltl_automaton_free(a);
        return status;
    }
    *made = a;
    return PLUMB_OK;
}
