/* rank_search.c - see rank_search.h.
 *
 * An operation need not take effect before some return makes it: at each return
 * the configurations are those that the one before had, after some operations
 * that are open, the last of which is the one that returns.  A *configuration*
 * is which of the open operations have taken effect, and the items in their
 * order.  Of two that are equal the one with the smaller sum of rank errors is
 * better, whatever follows, as long as no error is larger than a limit.  The
 * limit is the smallest with which there is a linearization: doubled until there
 * is one, then halved between. */
#include "rank_search.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/memory.h"
#include "base/vector.h"
#include <string.h>

enum { OPEN = 64, NOBODY = UINT32_MAX };

/* How a configuration came about: operation `op`, after `before`. */
struct origin {
    uint32_t before, op, error;
};

struct configuration {
    uint64_t placed; /* slots of open operations that have taken effect */
    uint64_t sum;
    uint32_t origin;
    uint32_t count;
    const uint32_t *item; /* the next to leave last */
};

/* Those with equally many operations placed: what is added to one of them is in
 * another layer, so each is as good as it gets when it is gone on from. */
struct layer {
    PLUMB_VECTOR(struct configuration) all;
    struct plumb_base_index index;
};

struct pass {
    const struct plumb_check_rank_search *s;
    uint32_t limit;
    PLUMB_VECTOR(struct origin) origin;
    struct layer layer[OPEN + 1], next;
    struct plumb_base_arena items, next_items;
    uint32_t slot[OPEN]; /* the operation in it, or NOBODY */
    uint64_t used;
    bool looks; /* some operation is FRONT */
    bool no_memory;
};

/* ---- layers ---- */

static uint64_t hash_of_configuration(const struct configuration *c)
{
    return plumb_base_mix(
        c->placed, plumb_base_hash_bytes(c->item, c->count * sizeof *c->item));
}

static uint64_t hash_of(const void *context, uint32_t number)
{
    const struct layer *const l = context;
    return hash_of_configuration(&l->all.at[number]);
}

static bool are_equal(const struct configuration *a,
                      const struct configuration *b)
{
    return a->placed == b->placed && a->count == b->count &&
           memcmp(a->item, b->item, a->count * sizeof *a->item) == 0;
}

static void clear_layer(struct layer *l)
{
    l->all.count = 0;
    plumb_base_index_clear(&l->index);
}

static void release_layer(struct pass *p, struct layer *l)
{
    PLUMB_VECTOR_RELEASE(p->s->budget, &l->all);
    plumb_base_index_release(&l->index);
}

/* Its items are somebody else's, until it is clear that it stays. */
static void put(struct pass *p, struct layer *l, struct plumb_base_arena *arena,
                const struct configuration *c)
{
    if (!plumb_base_index_room(&l->index, hash_of, l)) {
        p->no_memory = true;
        return;
    }
    struct plumb_base_probe probe =
        plumb_base_index_probe(&l->index, hash_of_configuration(c));
    PLUMB_FOR_CANDIDATES(&l->index, &probe, n) {
        struct configuration *const old = &l->all.at[n];
        if (!are_equal(old, c))
            continue;
        if (c->sum < old->sum) {
            old->sum = c->sum;
            old->origin = c->origin;
        }
        return;
    }
    struct configuration own = *c;
    own.item = plumb_base_arena_copy(arena, c->item,
                                     (c->count + (size_t)1) * sizeof *c->item);
    if (!own.item || !PLUMB_PUSH(p->s->budget, &l->all, own))
        p->no_memory = true;
    else
        plumb_base_index_put(&l->index, &probe, (uint32_t)l->all.count - 1);
}

/* ---- one operation ---- */

struct step {
    struct pass *pass;
    const struct configuration *from;
    uint32_t op;
    unsigned slot;
    bool last; /* it is the one that returns */
    uint32_t *room;
};

static void arrive(const struct step *t, uint32_t count, uint32_t error)
{
    struct pass *const p = t->pass;
    const bool counts = error != NOBODY;
    struct configuration c = { .placed =
                                   t->from->placed | plumb_base_bit(t->slot),
                               .sum = t->from->sum + (counts ? error : 0),
                               .origin = (uint32_t)p->origin.count,
                               .count = count,
                               .item = t->room };
    const struct origin o = { t->from->origin, t->op, error };
    if (!PLUMB_PUSH(p->s->budget, &p->origin, o))
        p->no_memory = true;
    else if (t->last) {
        c.placed &= ~plumb_base_bit(t->slot);
        put(p, &p->next, &p->next_items, &c);
    } else {
        put(p, &p->layer[__builtin_popcountll(c.placed)], &p->items, &c);
    }
}

/* Where it stands among the items: the last is the next to leave. */
static uint32_t place_of(const struct pass *p, const struct configuration *c,
                         uint32_t item)
{
    const uint32_t *const priority = p->s->priority;
    uint32_t at = 0;
    switch (p->s->order) {
    case PLUMB_RANK_OLDEST_FIRST:
        return 0;
    case PLUMB_RANK_NEWEST_FIRST:
        return c->count;
    default:
        while (at < c->count && priority[c->item[at]] > priority[item])
            at++;
        return at;
    }
}

static void add_item(const struct step *t, uint32_t item)
{
    const struct configuration *const c = t->from;
    const uint32_t at = place_of(t->pass, c, item);
    memcpy(t->room, c->item, at * sizeof *t->room);
    t->room[at] = item;
    memcpy(t->room + at + 1, c->item + at, (c->count - at) * sizeof *t->room);
    arrive(t, c->count + 1, NOBODY);
}

static void remove_at(const struct step *t, uint32_t at, uint32_t error)
{
    const struct configuration *const c = t->from;
    memcpy(t->room, c->item, at * sizeof *t->room);
    memcpy(t->room + at, c->item + at + 1,
           (c->count - at - 1) * sizeof *t->room);
    arrive(t, c->count - 1, error);
}

/* Those that come later, among equals, are not smaller. */
static uint32_t error_at(const struct pass *p, const struct configuration *c,
                         uint32_t at)
{
    uint32_t error = c->count - 1 - at;
    if (p->s->order == PLUMB_RANK_SMALLEST_FIRST)
        for (uint32_t i = c->count; i-- > at + 1;)
            error -= p->s->priority[c->item[i]] == p->s->priority[c->item[at]];
    return error;
}

/* The next to leave of those equal to `item` that are before `end`; NOBODY:
 * there is none. */
static uint32_t find_item(const struct configuration *c, uint32_t item,
                          uint32_t end)
{
    while (end > 0 && c->item[end - 1] != item)
        end--;
    return end ? end - 1 : NOBODY;
}

/* Of equal items the next to leave is the best choice, unless somebody looks
 * which item is in front. */
static void remove_item(const struct step *t, uint32_t item)
{
    uint32_t at = t->from->count;
    do {
        at = find_item(t->from, item, at);
        if (at == NOBODY)
            return;
        const uint32_t error = error_at(t->pass, t->from, at);
        if (error <= t->pass->limit)
            remove_at(t, at, error);
    } while (t->pass->looks);
}

static bool is_in_front(const struct step *t, uint32_t item)
{
    const uint32_t at = find_item(t->from, item, t->from->count);
    return at != NOBODY && error_at(t->pass, t->from, at) == 0;
}

static void keep_items(const struct step *t)
{
    memcpy(t->room, t->from->item, t->from->count * sizeof *t->room);
    arrive(t, t->from->count, NOBODY);
}

static void take_effect(const struct step *t)
{
    const struct plumb_check_rank_op *const o = &t->pass->s->op[t->op];
    const struct configuration *const c = t->from;
    switch (o->kind) {
    case PLUMB_RANK_ADD:
        add_item(t, o->item);
        break;
    case PLUMB_RANK_REMOVE:
        if (o->item != NOBODY)
            remove_item(t, o->item);
        for (uint32_t at = 0; o->item == NOBODY && at < c->count; at++)
            remove_at(t, at, NOBODY);
        break;
    case PLUMB_RANK_FRONT:
        if (is_in_front(t, o->item))
            keep_items(t);
        break;
    case PLUMB_RANK_EMPTY:
        if (!c->count)
            keep_items(t);
        break;
    default:
        keep_items(t);
    }
}

/* ---- a return ---- */

static void go_on_from(struct pass *p, const struct configuration *c,
                       uint32_t returns, uint32_t *room)
{
    struct step t = { .pass = p, .from = c, .room = room };
    for (uint64_t left = p->used & ~c->placed; left; left &= left - 1) {
        t.slot = plumb_base_lowest(left);
        t.op = p->slot[t.slot];
        t.last = t.op == returns;
        take_effect(&t);
    }
}

/* It has taken effect before: it is forgotten. */
static void let_return(struct pass *p, const struct configuration *c,
                       unsigned slot)
{
    struct configuration gone = *c;
    gone.placed &= ~plumb_base_bit(slot);
    put(p, &p->next, &p->next_items, &gone);
}

static unsigned slot_of(const struct pass *p, uint32_t op)
{
    unsigned slot = 0;
    while (p->slot[slot] != op)
        slot++;
    return slot;
}

/* The configurations of `next` become those to go on from. */
static void begin_next(struct pass *p)
{
    const struct plumb_base_arena items = p->items;
    for (unsigned i = 0; i <= OPEN; i++)
        clear_layer(&p->layer[i]);
    for (size_t i = 0; i < p->next.all.count && !p->no_memory; i++) {
        const struct configuration *const c = &p->next.all.at[i];
        struct layer *const l = &p->layer[__builtin_popcountll(c->placed)];
        if (!plumb_base_index_room(&l->index, hash_of, l)) {
            p->no_memory = true;
            return;
        }
        struct plumb_base_probe probe =
            plumb_base_index_probe(&l->index, hash_of_configuration(c));
        PLUMB_FOR_CANDIDATES(&l->index, &probe, n)
            (void)n; /* they differ */
        if (!PLUMB_PUSH(p->s->budget, &l->all, *c))
            p->no_memory = true;
        else
            plumb_base_index_put(&l->index, &probe, (uint32_t)l->all.count - 1);
    }
    clear_layer(&p->next);
    p->items = p->next_items;
    p->next_items = items;
    plumb_base_arena_release(&p->next_items);
    plumb_base_arena_init(&p->next_items, p->s->budget);
}

static void do_return(struct pass *p, uint32_t op, uint32_t *room)
{
    const unsigned slot = slot_of(p, op);
    for (unsigned i = 0; i <= OPEN; i++)
        for (size_t k = 0; k < p->layer[i].all.count && !p->no_memory; k++) {
            const struct configuration c = p->layer[i].all.at[k];
            if (c.placed >> slot & 1)
                let_return(p, &c, slot);
            else
                go_on_from(p, &c, op, room);
        }
    p->slot[slot] = NOBODY;
    p->used &= ~plumb_base_bit(slot);
    begin_next(p);
}

/* ---- a pass ---- */

static bool do_call(struct pass *p, uint32_t op)
{
    if (~p->used == 0)
        return false;
    const unsigned slot = plumb_base_lowest(~p->used);
    p->slot[slot] = op;
    p->used |= plumb_base_bit(slot);
    return true;
}

static size_t count_configurations(const struct pass *p)
{
    size_t count = 0;
    for (unsigned i = 0; i <= OPEN; i++)
        count += p->layer[i].all.count;
    return count;
}

/* Operations in the order of their returns, in `by_return`. */
static enum plumb_status run_events(struct pass *p, const uint32_t *by_return,
                                    uint32_t returns, uint32_t *room)
{
    const struct plumb_check_rank_search *const s = p->s;
    uint32_t called = 0;
    for (uint32_t i = 0; i < returns; i++) {
        const uint32_t op = by_return[i];
        while (called < s->count && s->op[called].call < s->op[op].ret)
            if (!do_call(p, called++))
                return PLUMB_EMEMORY;
        do_return(p, op, room);
        const enum plumb_status status = plumb_budget_state(s->budget);
        if (p->no_memory || status != PLUMB_OK)
            return p->no_memory ? PLUMB_EMEMORY : status;
        if (!count_configurations(p))
            return PLUMB_OK;
    }
    return PLUMB_OK;
}

static const struct configuration *best_of(const struct pass *p)
{
    const struct configuration *best = NULL;
    for (unsigned i = 0; i <= OPEN; i++)
        for (size_t k = 0; k < p->layer[i].all.count; k++)
            if (!best || p->layer[i].all.at[k].sum < best->sum)
                best = &p->layer[i].all.at[k];
    return best;
}

static void open_pass(struct pass *p, const struct plumb_check_rank_search *s,
                      uint32_t limit)
{
    static const uint32_t nothing[1];
    const struct configuration empty = { .origin = NOBODY, .item = nothing };
    *p = (struct pass){ .s = s, .limit = limit };
    for (unsigned i = 0; i <= OPEN; i++)
        plumb_base_index_init(&p->layer[i].index, s->budget);
    plumb_base_index_init(&p->next.index, s->budget);
    plumb_base_arena_init(&p->items, s->budget);
    plumb_base_arena_init(&p->next_items, s->budget);
    for (unsigned i = 0; i < OPEN; i++)
        p->slot[i] = NOBODY;
    for (uint32_t i = 0; i < s->count; i++)
        p->looks |= s->op[i].kind == PLUMB_RANK_FRONT;
    put(p, &p->layer[0], &p->items, &empty);
}

static void close_pass(struct pass *p)
{
    for (unsigned i = 0; i <= OPEN; i++)
        release_layer(p, &p->layer[i]);
    release_layer(p, &p->next);
    PLUMB_VECTOR_RELEASE(p->s->budget, &p->origin);
    plumb_base_arena_release(&p->items);
    plumb_base_arena_release(&p->next_items);
}

struct search {
    const struct plumb_check_rank_search *s;
    struct pass *pass;
    uint32_t *by_return, *room, *error;
    uint32_t returns;
};

static void tell_errors(const struct search *t, const struct configuration *c)
{
    for (uint32_t i = 0; i < t->s->count; i++)
        t->error[i] = NOBODY;
    for (uint32_t at = c->origin; at != NOBODY;
         at = t->pass->origin.at[at].before) {
        const struct origin *const o = &t->pass->origin.at[at];
        if (!t->s->op[o->op].pending)
            t->error[o->op] = o->error;
    }
}

/* Is there a linearization without an error above the limit? */
static enum plumb_status try_limit(const struct search *t, uint32_t limit,
                                   bool *found)
{
    open_pass(t->pass, t->s, limit);
    enum plumb_status status =
        t->pass->no_memory
            ? PLUMB_EMEMORY
            : run_events(t->pass, t->by_return, t->returns, t->room);
    const struct configuration *const best = best_of(t->pass);
    *found = status == PLUMB_OK && best;
    if (*found)
        tell_errors(t, best);
    close_pass(t->pass);
    return status;
}

/* The smallest one: larger than `low`, at most `high`, which has one. */
static enum plumb_status halve(const struct search *t, uint32_t low,
                               uint32_t high)
{
    enum plumb_status status = PLUMB_OK;
    uint32_t last = high;
    bool found;
    while (status == PLUMB_OK && high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        status = try_limit(t, middle, &found);
        last = middle;
        if (found)
            high = middle;
        else
            low = middle;
    }
    return status == PLUMB_OK && last != high ? try_limit(t, high, &found)
                                              : status;
}

static enum plumb_status find_limit(const struct search *t, bool *found)
{
    uint32_t low = 0, high = 0;
    enum plumb_status status = try_limit(t, 0, found);
    while (status == PLUMB_OK && !*found && high < t->s->count) {
        low = high;
        high = high ? 2 * high : 1;
        status = try_limit(t, high, found);
    }
    if (status == PLUMB_OK && *found && high > low + 1)
        status = halve(t, low, high);
    return status;
}

static void sort_returns(struct search *t)
{
    const struct plumb_check_rank_op *const op = t->s->op;
    for (uint32_t i = 0; i < t->s->count; i++) {
        if (op[i].pending)
            continue;
        uint32_t at = t->returns++;
        for (; at > 0 && op[t->by_return[at - 1]].ret > op[i].ret; at--)
            t->by_return[at] = t->by_return[at - 1];
        t->by_return[at] = i;
    }
}

enum plumb_status plumb_check_rank_search(
    const struct plumb_check_rank_search *s, uint32_t *error, bool *found)
{
    const size_t size = (s->count + (size_t)1) * sizeof(uint32_t);
    struct search t = { .s = s, .error = error };
    enum plumb_status status = PLUMB_EMEMORY;
    *found = false;
    t.pass = plumb_base_alloc(s->budget, sizeof *t.pass);
    t.by_return = plumb_base_alloc(s->budget, size);
    t.room = plumb_base_alloc(s->budget, size);
    if (t.pass && t.by_return && t.room) {
        sort_returns(&t);
        status = find_limit(&t, found);
    }
    if (t.room)
        plumb_base_release(s->budget, t.room, size);
    if (t.by_return)
        plumb_base_release(s->budget, t.by_return, size);
    if (t.pass)
        plumb_base_release(s->budget, t.pass, sizeof *t.pass);
    return status;
}
