/* suspects.c - values tried in pairs, and then in growing crowds. */
#include "suspects.h"

#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"

enum {
    PAIRS = 1 << 15,
    CROWD = 512,
    STEPS_OF_PAIR = 2000,
    STEPS_OF_CROWD = 50000,
    WILD = 32 /* pending operations without a value: all of them stay */
};

struct value {
    uint32_t distance; /* of its nearest event from the stuck one */
    plumb_spec_vid vid;
};

struct inquiry {
    const struct plumb_check_case *c;
    const struct plumb_check_part *part;
    struct plumb_base_arena scratch;
    struct plumb_check_searcher search;
    uint32_t stuck;        /* the item that could not be placed */
    plumb_spec_vid *owner; /* by item */
    uint32_t *of, *end;    /* items, value by value; where one ends */
    struct value *value;   /* the nearest first */
    uint32_t values;
    uint32_t wild[WILD], wilds;
    struct plumb_check_part tried;
};

static bool may_leave_values_out(const struct plumb_check_case *c,
                                 uint32_t part)
{
    const struct plumb_spec_type *const t = c->bound->spec->type;
    return t->owner && !c->bound->branches && !t->missed &&
           !c->parts.part[part].told &&
           (!t->closed || t->closed(c->bound, c->parts.part[part].object) ||
            (t->bar && t->bar(c->bound->spec) == PLUMB_BARRED_BY_FULL));
}

static bool find_stuck(struct inquiry *q, uint32_t prefix)
{
    for (q->stuck = 0; q->stuck < q->part->count; q->stuck++) {
        if (!plumb_base_in_time(q->c->budget, q->stuck))
            return false;
        if (q->part->item[q->stuck].ret == prefix)
            return q->part->item[q->stuck].action->term != PLUMB_TERM_FULL;
    }
    return false;
}

static bool reads(const struct inquiry *q, uint32_t i)
{
    return q->c->traits.trait[q->part->item[i].op].reads;
}

/* What belongs to no value and is no read stays; too much of it, and there is
 * no use. */
static bool find_owners(struct inquiry *q)
{
    for (uint32_t i = 0; i < q->part->count; i++) {
        const struct plumb_check_part_item *const x = q->part->item + i;
        q->owner[i] =
            q->c->bound->spec->type->owner(&q->search.sets.space, x->action);
        if (!plumb_base_in_time(q->c->budget, i))
            return false;
        if (q->owner[i] != PLUMB_NO_VALUE || reads(q, i))
            continue;
        if (x->ret != PLUMB_NEVER || q->wilds == WILD)
            return false;
        q->wild[q->wilds++] = i;
    }
    return true;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Of an operation that is called before the stuck one returns. */
static uint32_t distance(const struct inquiry *q, uint32_t i)
{
    const uint32_t at = q->part->item[q->stuck].ret;
    const struct plumb_check_part_item *const x = q->part->item + i;
    const uint32_t call = apart(x->call, at);
    const uint32_t ret = x->ret == PLUMB_NEVER ? call : apart(x->ret, at);
    return ret < call ? ret : call;
}

/* Counted, added up, and filled from behind. */
static bool list_items(struct inquiry *q, uint32_t all)
{
    struct plumb_budget *const b = q->c->budget;
    for (uint32_t i = 0; i < q->part->count; i++) {
        if (!plumb_base_in_time(b, i))
            return false;
        if (q->owner[i] != PLUMB_NO_VALUE)
            q->end[q->owner[i]]++;
    }
    for (uint32_t v = 1; v <= all; v++) {
        if (!plumb_base_in_time(b, v))
            return false;
        q->end[v] += q->end[v - 1];
    }
    for (uint32_t i = q->part->count; i-- > 0;) {
        if (!plumb_base_in_time(b, i))
            return false;
        if (q->owner[i] != PLUMB_NO_VALUE)
            q->of[--q->end[q->owner[i]]] = i;
    }
    return true;
}

/* Now end[v] is where v begins, and the next one where it ends. */
static uint32_t first_of(const struct inquiry *q, plumb_spec_vid v)
{
    return q->end[v];
}

static uint32_t end_of(const struct inquiry *q, plumb_spec_vid v)
{
    return q->end[v + 1];
}

static int by_distance(const void *x, const void *y)
{
    const struct value *const a = x, *const b = y;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return (a->vid > b->vid) - (a->vid < b->vid);
}

/* All but that of the stuck operation; none that comes later. */
static bool rank_values(struct inquiry *q, uint32_t all)
{
    const uint32_t until = q->part->item[q->stuck].ret;
    for (uint32_t v = 0; v < all; v++) {
        const uint32_t first = first_of(q, v);
        uint32_t nearest = UINT32_MAX;
        if (!plumb_base_in_time(q->c->budget, v))
            return false;
        if (first == end_of(q, v) || v == q->owner[q->stuck] ||
            q->part->item[q->of[first]].call > until)
            continue;
        for (uint32_t i = first; i < end_of(q, v); i++)
            if (distance(q, q->of[i]) < nearest)
                nearest = distance(q, q->of[i]);
        q->value[q->values++] = (struct value){ nearest, v };
    }
    return plumb_base_sort(q->c->budget, q->value, q->values, sizeof *q->value,
                           by_distance);
}

/* ---- trying ---- */

/* But for `full`, which reads, and is not to stay where values are left out. */
static void include(struct inquiry *q, plumb_spec_vid v)
{
    for (uint32_t i = first_of(q, v); i < end_of(q, v); i++) {
        const struct plumb_check_part_item *const x = q->part->item + q->of[i];
        if (x->action->term != PLUMB_TERM_FULL)
            q->tried.item[q->tried.count++] = *x;
    }
}

static int by_call(const void *x, const void *y)
{
    const struct plumb_check_part_item *const a = x, *const b = y;
    return (a->call > b->call) - (a->call < b->call);
}

/* The stuck operation, and the values from ... to - 1. */
static bool is_violation(struct inquiry *q, uint32_t from, uint32_t to,
                         uint64_t steps)
{
    struct plumb_check_finding found;
    q->tried.count = 0;
    if (q->owner[q->stuck] == PLUMB_NO_VALUE)
        q->tried.item[q->tried.count++] = q->part->item[q->stuck];
    else
        include(q, q->owner[q->stuck]);
    for (uint32_t i = from; i < to; i++)
        include(q, q->value[i].vid);
    for (uint32_t i = 0; i < q->wilds; i++)
        q->tried.item[q->tried.count++] = q->part->item[q->wild[i]];
    if (!plumb_base_sort(q->c->budget, q->tried.item, q->tried.count,
                         sizeof *q->tried.item, by_call))
        return false;
    plumb_check_search(&q->search, &q->tried, steps, false, &found);
    return found.verdict == PLUMB_NOT_LINEARIZABLE;
}

static bool try_values(struct inquiry *q)
{
    const struct plumb_budget *const b = q->c->budget;
    if (is_violation(q, 0, 0, STEPS_OF_PAIR))
        return true;
    for (uint32_t i = 0; i < q->values && i < PAIRS; i++)
        if (is_violation(q, i, i + 1, STEPS_OF_PAIR))
            return true;
        else if (i % 64 == 0 && plumb_budget_state(b) != PLUMB_OK)
            return false;
    for (uint32_t n = 2; n <= CROWD && n / 2 < q->values; n *= 2)
        if (is_violation(q, 0, n < q->values ? n : q->values, STEPS_OF_CROWD))
            return true;
    return false;
}

static void name_them(const struct inquiry *q, struct plumb_base_arena *arena,
                      const uint32_t **op, uint32_t *ops)
{
    uint32_t *const named =
        plumb_base_arena_alloc(arena, q->tried.count * sizeof *named);
    for (uint32_t i = 0; named && i < q->tried.count; i++)
        named[i] = q->tried.item[i].op;
    *op = named;
    *ops = named ? q->tried.count : 0;
}

static bool make_room(struct inquiry *q, uint32_t all)
{
    struct plumb_base_arena *const a = &q->scratch;
    const size_t n = q->part->count;
    q->owner = plumb_base_arena_alloc(a, n * sizeof *q->owner);
    q->of = plumb_base_arena_alloc(a, n * sizeof *q->of);
    q->end = plumb_base_arena_zeroed(a, ((size_t)all + 1) * sizeof *q->end);
    q->value = plumb_base_arena_alloc(a, ((size_t)all + 1) * sizeof *q->value);
    q->tried.item = plumb_base_arena_alloc(a, n * sizeof *q->tried.item);
    return q->owner && q->of && q->end && q->value && q->tried.item;
}

static bool inquire(struct inquiry *q, uint32_t prefix)
{
    const uint32_t all = (uint32_t)q->c->bound->values;
    if (!find_stuck(q, prefix) || !make_room(q, all) || !find_owners(q))
        return false;
    return list_items(q, all) && rank_values(q, all) && try_values(q);
}

void plumb_check_find_suspects(const struct plumb_check_case *c, uint32_t part,
                               uint32_t prefix, struct plumb_base_arena *arena,
                               const uint32_t **op, uint32_t *ops)
{
    struct inquiry q = { .c = c, .part = c->parts.part + part };
    *ops = 0;
    if (!may_leave_values_out(c, part))
        return;
    q.tried.object = q.part->object;
    plumb_base_arena_init(&q.scratch, c->budget);
    if (plumb_check_searcher_open(&q.search, c->bound, &c->traits, false,
                                  c->budget)) {
        if (inquire(&q, prefix))
            name_them(&q, arena, op, ops);
        plumb_check_searcher_close(&q.search);
    }
    plumb_base_arena_release(&q.scratch);
}
