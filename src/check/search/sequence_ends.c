/* sequence_ends.c - sights of what is inside, sorted by return. */
#include "sequence_ends.h"

#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"
#include "queue_deadlines.h"
#include "spec/stores/container.h"
#include <string.h>

enum { FRONT, BACK, STAYS, UNKNOWN };

/* A lane is 8 times the number of an item or sight, and one of these. */
enum { PUSH_FRONT = FRONT, PUSH_BACK = BACK, SEE, TAKE, NOTHING, KINDS = 8 };

#define NO_ITEM UINT32_MAX

void plumb_check_ends_init(struct plumb_check_ends *o,
                           struct plumb_budget *budget)
{
    *o = (struct plumb_check_ends){ .budget = budget };
    plumb_base_arena_init(&o->arena, budget);
}

void plumb_check_ends_release(struct plumb_check_ends *o)
{
    struct plumb_budget *const b = o->budget;
    PLUMB_RELEASE(b, o->item, o->item_capacity);
    PLUMB_RELEASE(b, o->sight, o->sight_capacity);
    PLUMB_RELEASE(b, o->sight_of, o->sight_of_capacity);
    PLUMB_RELEASE(b, o->call, o->call_capacity);
    PLUMB_RELEASE(b, o->end, o->end_capacity);
    PLUMB_RELEASE(b, o->of, o->of_capacity);
    plumb_base_arena_release(&o->arena);
    plumb_check_ends_init(o, b);
}

/* ---- loading ---- */

struct loading {
    struct plumb_check_ends *o;
    const struct plumb_spec_bound *bound;
    const struct plumb_check_part *part;
    bool pops_pend, pushes_pend;
};

static struct plumb_spec_end role_of(const struct loading *l, uint32_t i)
{
    return l->bound->spec->type->ends(l->bound->spec, l->part->item[i].action);
}

static bool is_pending(const struct loading *l, uint32_t i)
{
    return l->part->item[i].ret == PLUMB_NEVER;
}

static plumb_spec_vid value_of(const struct loading *l, uint32_t i,
                               struct plumb_spec_end role)
{
    const struct plumb_spec_action *const a = l->part->item[i].action;
    return role.does == PLUMB_END_ADDS ? a->arg[0] : a->res[0];
}

static bool make_room(struct plumb_check_ends *o,
                      const struct plumb_spec_bound *bound, size_t n)
{
    return PLUMB_GROW(o->budget, o->item, o->item_capacity, n) &&
           PLUMB_GROW(o->budget, o->sight, o->sight_capacity, n) &&
           PLUMB_GROW(o->budget, o->sight_of, o->sight_of_capacity, n) &&
           PLUMB_GROW(o->budget, o->call, o->call_capacity, n) &&
           PLUMB_GROW(o->budget, o->end, o->end_capacity, n) &&
           PLUMB_GROW_ZEROED(o->budget, o->of, o->of_capacity, bound->values);
}

static bool clear_bits(struct plumb_check_ends *o, uint32_t n)
{
    struct plumb_check_bits *const all[] = { o->seen, o->seen + 1, o->leaving,
                                             o->leaving + 1, &o->nothing };
    const bool more = n > o->room;
    if (more) {
        plumb_base_arena_release(&o->arena);
        plumb_base_arena_init(&o->arena, o->budget);
        o->room = 0;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (more && !plumb_check_bits_init(all[i], &o->arena, n))
            return false;
        plumb_check_bits_fill(all[i], n);
        plumb_check_bits_remove(all[i], 0, n);
    }
    o->room = more ? n : o->room;
    return true;
}

/* Items are the values that are pushed; `sights` counts pushes for now. */
static bool find_items(struct loading *l)
{
    struct plumb_check_ends *const o = l->o;
    for (uint32_t i = 0; i < l->part->count; i++) {
        const struct plumb_spec_end role = role_of(l, i);
        if (!plumb_base_in_time(o->budget, i))
            return false;
        l->pops_pend |= role.does == PLUMB_END_TAKES && is_pending(l, i);
        l->pushes_pend |= role.does == PLUMB_END_ADDS && is_pending(l, i);
        if (role.does != PLUMB_END_ADDS)
            continue;
        uint32_t *const of = o->of + value_of(l, i, role);
        if (!*of) {
            o->item[o->items] = (struct plumb_check_end_item){
                .first = { PLUMB_NEVER, PLUMB_NEVER }, .leaves = STAYS
            };
            *of = ++o->items;
        }
        o->item[*of - 1].sights++;
    }
    return true;
}

/* Sights of completed operations. */
static bool find_sights(struct loading *l)
{
    struct plumb_check_ends *const o = l->o;
    for (uint32_t i = 0; i < l->part->count; i++) {
        const struct plumb_check_part_item *const x = l->part->item + i;
        const struct plumb_spec_end role = role_of(l, i);
        if (!plumb_base_in_time(o->budget, i))
            return false;
        if (role.does == PLUMB_END_NEITHER || role.does == PLUMB_END_ADDS ||
            is_pending(l, i))
            continue;
        uint32_t item = NO_ITEM;
        if (role.does != PLUMB_END_FINDS_NOTHING) {
            item = o->of[value_of(l, i, role)] - 1;
            if (item == NO_ITEM) /* nobody pushed it */
                continue;
        }
        if (item != NO_ITEM) {
            struct plumb_check_end_item *const it = o->item + item;
            it->last = i;
            o->call[i] = x->call;
            if (role.does == PLUMB_END_TAKES)
                it->leaves = it->leaves == STAYS ? (uint8_t)role.end : UNKNOWN;
        }
        o->sight[o->sights++] = (struct plumb_check_sight){ x->ret, item, i };
    }
    return true;
}

static int by_return(const void *x, const void *y)
{
    const struct plumb_check_sight *const a = x, *const b = y;
    return (a->ret > b->ret) - (a->ret < b->ret);
}

/* What more than one push or pop makes unclear is not followed at all; what
 * never leaves may be taken by a pending pop. */
static bool settle_items(struct loading *l)
{
    struct plumb_check_ends *const o = l->o;
    for (uint32_t k = 0; k < o->items; k++) {
        struct plumb_check_end_item *const it = o->item + k;
        if (!plumb_base_in_time(o->budget, k))
            return false;
        const bool clear = it->sights == 1 && it->leaves != UNKNOWN;
        it->sights = clear ? 0 : NO_ITEM;
        if (it->leaves == STAYS && l->pops_pend)
            it->leaves = UNKNOWN;
    }
    return true;
}

static bool is_followed(const struct plumb_check_ends *o, uint32_t item)
{
    return o->item[item].sights != NO_ITEM;
}

/* sight_of[] lists the sights of each item side by side. */
static bool list_sights(struct loading *l, uint32_t *lane)
{
    struct plumb_check_ends *const o = l->o;
    uint32_t first = 0;
    for (uint32_t s = 0; s < o->sights; s++) {
        if (!plumb_base_in_time(o->budget, s))
            return false;
        if (o->sight[s].item != NO_ITEM && is_followed(o, o->sight[s].item))
            o->item[o->sight[s].item].sights++;
    }
    for (uint32_t k = 0; k < o->items; k++) {
        if (!plumb_base_in_time(o->budget, k))
            return false;
        o->item[k].sight = first;
        first += is_followed(o, k) ? o->item[k].sights : 0;
        o->item[k].sights = is_followed(o, k) ? 0 : NO_ITEM;
    }
    for (uint32_t s = 0; s < o->sights; s++) {
        const struct plumb_check_sight *const x = o->sight + s;
        const struct plumb_spec_end role = role_of(l, x->index);
        if (!plumb_base_in_time(o->budget, s))
            return false;
        if (x->item == NO_ITEM) {
            plumb_check_bits_add(&o->nothing, s);
            lane[x->index] = s * KINDS + NOTHING;
            continue;
        }
        struct plumb_check_end_item *const it = o->item + x->item;
        if (!is_followed(o, x->item))
            continue;
        o->sight_of[it->sight + it->sights++] = s;
        o->end[s] = (uint8_t)role.end;
        if (x->ret < it->first[role.end])
            it->first[role.end] = x->ret;
        lane[x->index] =
            s * KINDS + (role.does == PLUMB_END_TAKES ? TAKE : SEE);
    }
    return true;
}

static bool mark_pushes(const struct loading *l, uint32_t *lane)
{
    for (uint32_t i = 0; i < l->part->count; i++) {
        const struct plumb_spec_end role = role_of(l, i);
        if (!plumb_base_in_time(l->o->budget, i))
            return false;
        if (role.does != PLUMB_END_ADDS)
            continue;
        const uint32_t item = l->o->of[value_of(l, i, role)] - 1;
        if (is_followed(l->o, item))
            lane[i] = item * KINDS + (uint32_t)role.end;
    }
    return true;
}

/* Whatever became of it: the next load finds zeros. */
static void forget_values(const struct loading *l)
{
    for (uint32_t i = 0; i < l->part->count; i++) {
        const struct plumb_spec_end role = role_of(l, i);
        if (!plumb_base_in_time(l->o->budget, i)) {
            memset(l->o->of, 0, l->o->of_capacity * sizeof *l->o->of);
            return;
        }
        if (role.does == PLUMB_END_ADDS)
            l->o->of[value_of(l, i, role)] = 0;
    }
}

/* With a limit, a pending push may be refused and not tell. */
static bool is_clear(const struct loading *l)
{
    return !(l->pushes_pend && l->bound->spec->given[PLUMB_CAP]) &&
           l->o->items && l->part->count < NO_ITEM / KINDS;
}

static bool load(struct loading *l, uint32_t *lane)
{
    struct plumb_check_ends *const o = l->o;
    if (!find_items(l))
        return false;
    if (!is_clear(l))
        return true;
    if (!find_sights(l) || !clear_bits(o, l->part->count) ||
        !plumb_base_sort(o->budget, o->sight, o->sights, sizeof *o->sight,
                         by_return))
        return false;
    return settle_items(l) && list_sights(l, lane) && mark_pushes(l, lane);
}

bool plumb_check_ends_load(struct plumb_check_ends *o,
                           const struct plumb_spec_bound *bound,
                           const struct plumb_check_part *part, uint32_t *lane)
{
    struct loading l = { .o = o, .bound = bound, .part = part };
    o->items = o->sights = o->staying = 0;
    if (!plumb_base_paced_set(o->budget, lane, 0xff,
                              part->count * sizeof *lane) ||
        !make_room(o, bound, part->count))
        return false;
    const bool loaded = load(&l, lane);
    forget_values(&l);
    if (!loaded || !is_clear(&l))
        o->items = 0;
    return loaded;
}

/* ---- looking out ---- */

static uint32_t first_return(const struct plumb_check_ends *o,
                             const struct plumb_check_bits *bits)
{
    const uint32_t s = plumb_check_bits_next(bits, 0);
    return s == PLUMB_NO_MEMBER ? PLUMB_NEVER : o->sight[s].ret;
}

/* The last call of the sights of items inside that leave at this end; 0: none. */
static uint32_t last_call(const struct plumb_check_ends *o, int end)
{
    const uint32_t p = plumb_check_bits_previous(o->leaving + end, o->room - 1);
    return p == PLUMB_NO_MEMBER ? 0 : o->call[p] + 1;
}

/* Does v leave this end before it has to be free for others, and for good? */
static bool makes_way(const struct plumb_check_ends *o,
                      const struct plumb_check_end_item *v, int end)
{
    const uint32_t free_by = first_return(o, o->seen + end);
    const uint32_t empty_by = first_return(o, &o->nothing);
    if (v->leaves == UNKNOWN)
        return true;
    if (v->leaves == STAYS)
        return free_by == PLUMB_NEVER && empty_by == PLUMB_NEVER;
    const uint32_t call = o->call[v->last];
    return call < empty_by &&
           (v->leaves == end ? call < free_by : free_by == PLUMB_NEVER);
}

/* Do all others leave by the other end, where v is to be seen? */
static bool is_made_way(const struct plumb_check_ends *o,
                        const struct plumb_check_end_item *v, int end)
{
    const uint32_t seen_by = v->first[!end];
    return seen_by == PLUMB_NEVER ||
           (!o->staying && !last_call(o, end) && last_call(o, !end) <= seen_by);
}

/* Once it is taken, v is not seen any more. */
static bool is_last_sight(const struct plumb_check_ends *o, uint32_t sight)
{
    const struct plumb_check_end_item *const v = o->item + o->sight[sight].item;
    for (uint32_t k = 0; k < v->sights; k++) {
        const uint32_t s = o->sight_of[v->sight + k];
        if (s != sight && plumb_check_bits_next(o->seen + o->end[s], s) == s)
            return false;
    }
    return true;
}

bool plumb_check_ends_allow(const struct plumb_check_ends *o, uint32_t lane)
{
    const int end = lane % KINDS;
    if (end == TAKE)
        return is_last_sight(o, lane / KINDS);
    if (end > PUSH_BACK)
        return true;
    const struct plumb_check_end_item *const v = o->item + lane / KINDS;
    return makes_way(o, v, end) && is_made_way(o, v, end);
}

static void put(struct plumb_check_bits *bits, uint32_t at, bool in)
{
    if (in)
        plumb_check_bits_add(bits, at);
    else
        plumb_check_bits_remove(bits, at, at + 1);
}

static void put_item(struct plumb_check_ends *o, uint32_t item, bool in)
{
    const struct plumb_check_end_item *const v = o->item + item;
    for (uint32_t k = 0; k < v->sights; k++) {
        const uint32_t s = o->sight_of[v->sight + k];
        put(o->seen + o->end[s], s, in);
    }
    if (v->leaves <= BACK)
        put(o->leaving + v->leaves, v->last, in);
    if (v->leaves == STAYS)
        o->staying = in ? o->staying + 1 : o->staying - 1;
}

static void move(struct plumb_check_ends *o, uint32_t lane, bool on)
{
    const uint32_t at = lane / KINDS;
    switch (lane % KINDS) {
    case PUSH_FRONT:
    case PUSH_BACK:
        put_item(o, at, on);
        break;
    case TAKE:
        put(o->leaving + o->end[at], o->item[o->sight[at].item].last, !on);
        put(o->seen + o->end[at], at, !on);
        break;
    case SEE:
        put(o->seen + o->end[at], at, !on);
        break;
    default:
        put(&o->nothing, at, !on);
    }
}

void plumb_check_ends_add(struct plumb_check_ends *o, uint32_t lane)
{
    move(o, lane, true);
}

void plumb_check_ends_undo(struct plumb_check_ends *o, uint32_t lane)
{
    move(o, lane, false);
}
