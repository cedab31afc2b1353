/* partition.c - splitting a history by object and by key.
 *
 * By object because linearizability is local (Herlihy & Wing, 1990, Theorem 1);
 * by key because a type whose operations each touch one key is a product of
 * independent objects (P-compositionality; Horn & Kroening, 2015).
 *
 * An operation that takes effect in several steps becomes as many items: the
 * history is one in which every step is an operation, and that is linearizable
 * iff the steps can be taken in an order.  The same holds for calls and returns
 * that a type is told of. */
#include "base/pace.h"
#include "base/pair_index.h"
#include "check/search/told.h"
#include <string.h>

struct splitter {
    const struct plumb_spec_bound *bound;
    bool *by_key;                 /* by object */
    struct plumb_base_pairs part; /* object and key */
    uint32_t *part_of;            /* by operation */
};

static plumb_spec_vid key_of(const struct plumb_spec_bound *b,
                             const struct plumb_spec_action *a)
{
    const int key = b->spec->type->ops[a->kind].key;
    return key < 0 ? PLUMB_NO_VALUE : a->arg[key];
}

static bool find_keyed_objects(struct splitter *s, bool whole,
                               const struct plumb_budget *budget)
{
    const struct plumb_history *const h = s->bound->history;
    memset(s->by_key, !whole, h->objects * sizeof *s->by_key);
    for (uint32_t i = 0; i < h->count; i++) {
        const struct plumb_spec_action *const a = s->bound->action + i;
        if (!plumb_base_in_time(budget, i))
            return false;
        if (!a->skip && key_of(s->bound, a) == PLUMB_NO_VALUE)
            s->by_key[h->op[i].object] = false;
    }
    return true;
}

static bool assign(struct splitter *s, struct plumb_budget *budget)
{
    const struct plumb_history *const h = s->bound->history;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct plumb_spec_action *const a = s->bound->action + i;
        const uint32_t object = h->op[i].object;
        if (!plumb_base_in_time(budget, i))
            return false;
        s->part_of[i] = UINT32_MAX;
        if (a->skip)
            continue;
        s->part_of[i] = plumb_base_pairs_number(
            &s->part, (struct plumb_base_pair){
                          object, s->by_key[object] ? key_of(s->bound, a)
                                                    : PLUMB_NO_VALUE });
        if (s->part_of[i] == UINT32_MAX)
            return false;
    }
    return true;
}

/* How many items are there of operation i? */
static uint32_t items_of(const struct plumb_spec_bound *b, uint32_t i)
{
    const struct plumb_spec_type *const type = b->spec->type;
    if (plumb_spec_is_told(type))
        return plumb_check_told_items(type, b->action + i);
    return type->stepwise ? plumb_spec_steps(type, b->action + i) : 1;
}

/* How many items each part has, and room for them. */
static bool make_room(const struct splitter *s, struct plumb_check_part *part,
                      struct plumb_base_arena *arena)
{
    for (uint32_t i = 0; i < s->bound->history->count; i++) {
        if (!plumb_base_in_time(arena->budget, i))
            return false;
        if (s->part_of[i] != UINT32_MAX)
            part[s->part_of[i]].count += items_of(s->bound, i);
    }
    for (uint32_t p = 0; p < s->part.count; p++) {
        part[p].item =
            plumb_base_arena_alloc(arena, part[p].count * sizeof *part[p].item);
        if (!part[p].item || !plumb_base_in_time(arena->budget, p))
            return false;
        part[p].count = 0;
    }
    return true;
}

static void add_item(const struct plumb_spec_bound *b, uint32_t i,
                     const struct plumb_spec_action *a,
                     struct plumb_check_part *p)
{
    const struct plumb_op *const o = b->history->op + i;
    p->item[p->count++] =
        (struct plumb_check_part_item){ a, i, o->call, plumb_op_ret(o) };
}

/* The steps of operation i, each with an action of its own. */
static bool add_steps(const struct plumb_spec_bound *b, uint32_t i,
                      struct plumb_base_arena *arena,
                      struct plumb_check_part *p)
{
    const unsigned steps = plumb_spec_steps(b->spec->type, b->action + i);
    struct plumb_spec_action *const step =
        plumb_base_arena_alloc(arena, steps * sizeof *step);
    for (unsigned k = 0; step && k < steps; k++) {
        step[k] = b->action[i];
        step[k].thread = i;
        step[k].more = (uint8_t)(steps - 1 - k);
        add_item(b, i, step + k, p);
    }
    return step;
}

static bool fill(const struct splitter *s, struct plumb_base_arena *arena,
                 struct plumb_check_parts *parts)
{
    const struct plumb_history *const h = s->bound->history;
    const struct plumb_spec_type *const type = s->bound->spec->type;
    const bool told = plumb_spec_is_told(type);
    struct plumb_check_part *const part =
        plumb_base_arena_zeroed(arena, (s->part.count + 1) * sizeof *part);
    if (!part || !make_room(s, part, arena))
        return false;
    for (uint32_t i = 0; i < h->count; i++) {
        if (!plumb_base_in_time(arena->budget, i))
            return false;
        if (s->part_of[i] == UINT32_MAX)
            continue;
        struct plumb_check_part *const p = part + s->part_of[i];
        p->object = h->op[i].object;
        if (!told && !type->stepwise)
            add_item(s->bound, i, s->bound->action + i, p);
        else if (told ? !plumb_check_told_add(s->bound, i, arena, p)
                      : !add_steps(s->bound, i, arena, p))
            return false;
    }
    for (uint32_t p = 0; told && p < s->part.count; p++)
        if (!plumb_check_told_sort(part + p, arena->budget))
            return false;
    *parts = (struct plumb_check_parts){ part, s->part.count };
    return true;
}

bool plumb_check_partition(const struct plumb_spec_bound *bound, bool whole,
                           struct plumb_base_arena *arena,
                           struct plumb_check_parts *parts)
{
    const struct plumb_history *const h = bound->history;
    struct plumb_base_arena scratch = { .budget = arena->budget };
    struct splitter s = { .bound = bound };
    plumb_base_pairs_init(&s.part, arena->budget);
    s.by_key = plumb_base_arena_alloc(&scratch, h->objects * sizeof *s.by_key);
    s.part_of = plumb_base_arena_alloc(&scratch, h->count * sizeof *s.part_of);
    const bool done = s.by_key && s.part_of &&
                      find_keyed_objects(&s, whole, arena->budget) &&
                      assign(&s, arena->budget) && fill(&s, arena, parts);
    plumb_base_pairs_release(&s.part);
    plumb_base_arena_release(&scratch);
    return done;
}
