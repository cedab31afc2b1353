/* unplaced_operations.c - lists of operations that have not taken effect yet. */
#include "unplaced_operations.h"

#include "base/memory.h"
#include "base/pace.h"
#include <assert.h>
#include <string.h>

void plumb_check_agenda_init(struct plumb_check_agenda *a,
                             struct plumb_budget *budget)
{
    *a = (struct plumb_check_agenda){ .budget = budget };
    plumb_check_deadlines_init(&a->deadlines, budget);
    plumb_check_ends_init(&a->ends, budget);
}

void plumb_check_agenda_release(struct plumb_check_agenda *a)
{
    struct plumb_budget *const b = a->budget;
    PLUMB_RELEASE(b, a->entry, a->entry_capacity);
    PLUMB_RELEASE(b, a->group, a->group_capacity);
    PLUMB_RELEASE(b, a->member, a->member_capacity);
    PLUMB_RELEASE(b, a->trail, a->trail_capacity);
    PLUMB_RELEASE(b, a->taken, a->taken_capacity);
    PLUMB_RELEASE(b, a->class_table, a->class_capacity);
    PLUMB_RELEASE(b, a->lane, a->lane_capacity);
    plumb_check_deadlines_release(&a->deadlines);
    plumb_check_ends_release(&a->ends);
    plumb_check_agenda_init(a, b);
}

static bool is_pending(const struct plumb_check_part_item *i)
{
    return i->ret == PLUMB_NEVER;
}

static bool only_reads(const struct plumb_check_part_item *i,
                       const struct plumb_check_trait *t)
{
    return is_pending(i) && t->pending_reads;
}

static bool make_room(struct plumb_check_agenda *a,
                      const struct plumb_check_part *part, uint32_t classes)
{
    const size_t n = part->count;
    const bool room =
        PLUMB_GROW(a->budget, a->entry, a->entry_capacity, n + 1) &&
        PLUMB_GROW(a->budget, a->trail, a->trail_capacity, n) &&
        PLUMB_GROW_ZEROED(a->budget, a->class_table, a->class_capacity,
                          classes) &&
        PLUMB_GROW(a->budget, a->lane, a->lane_capacity, n);
    size_t pending = 0;
    bool in_time = true;
    for (uint32_t i = 0; i < n && in_time; i++) {
        in_time = plumb_base_in_time(a->budget, i);
        pending += is_pending(part->item + i);
    }
    return room && in_time &&
           PLUMB_GROW(a->budget, a->group, a->group_capacity, pending) &&
           PLUMB_GROW(a->budget, a->member, a->member_capacity, pending) &&
           PLUMB_GROW(a->budget, a->taken, a->taken_capacity, pending);
}

/* May it be placed as soon as it leaves the states as they are? */
static bool may_go_at_once(const struct plumb_spec_bound *bound,
                           const struct plumb_check_part_item *i,
                           const struct plumb_check_trait *t)
{
    return i->action->moment == PLUMB_MOMENT_EFFECT
               ? t->reads
               : bound->spec->type->settles;
}

/* Entries in call order; `twins` only where the part has more of the class. */
static bool load_entries(struct plumb_check_agenda *a,
                         const struct plumb_spec_bound *bound,
                         const struct plumb_check_part *part,
                         const struct plumb_check_traits *traits)
{
    uint32_t *const members = a->class_table;
    uint32_t n = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        const struct plumb_check_part_item *const x = part->item + i;
        if (!plumb_base_in_time(a->budget, i))
            return false;
        if (is_pending(x))
            continue;
        const struct plumb_check_trait *const t = traits->trait + x->op;
        members[t->twins]++;
        n++;
        a->entry[n] = (struct plumb_check_entry){
            .action = x->action,
            .next = n + 1,
            .prev = n - 1,
            .call = x->call,
            .ret = x->ret,
            .op = x->op,
            .twins = t->twins,
            .lane = a->lane[i],
            .reads = may_go_at_once(bound, x, t),
        };
    }
    a->entries = n;
    a->entry[n].next = 0;
    a->entry[0] = (struct plumb_check_entry){ .next = n ? 1 : 0, .prev = n };
    for (uint32_t i = 1; i <= n; i++) {
        if (!plumb_base_in_time(a->budget, i))
            return false;
        if (members[a->entry[i].twins] == 1) {
            members[a->entry[i].twins] = 0;
            a->entry[i].twins = UINT32_MAX;
        }
    }
    for (uint32_t i = 1; i <= n; i++) {
        if (!plumb_base_in_time(a->budget, i))
            return false;
        if (a->entry[i].twins != UINT32_MAX)
            members[a->entry[i].twins] = 0;
    }
    return true;
}

static bool count_groups(struct plumb_check_agenda *a,
                         const struct plumb_check_part *part,
                         const struct plumb_check_traits *traits)
{
    uint32_t *const group_of = a->class_table; /* + 1 */
    for (uint32_t i = 0; i < part->count; i++) {
        const struct plumb_check_part_item *const x = part->item + i;
        const struct plumb_check_trait *const t = traits->trait + x->op;
        if (!plumb_base_in_time(a->budget, i))
            return false;
        if (!is_pending(x) || only_reads(x, t))
            continue;
        uint32_t *const g = group_of + t->pending_twins;
        if (!*g) {
            *g = ++a->groups;
            a->group[*g - 1] = (struct plumb_check_group){ 0, 0, 0 };
        }
        a->group[*g - 1].count++;
    }
    for (uint32_t g = 0; g < a->groups; g++) {
        a->group[g].first = a->members;
        a->members += a->group[g].count;
        a->group[g].count = 0;
    }
    return true;
}

static bool load_groups(struct plumb_check_agenda *a,
                        const struct plumb_check_part *part,
                        const struct plumb_check_traits *traits)
{
    uint32_t *const group_of = a->class_table;
    a->groups = a->members = 0;
    if (!count_groups(a, part, traits))
        return false;
    for (uint32_t i = 0; i < part->count; i++) {
        const struct plumb_check_part_item *const x = part->item + i;
        const struct plumb_check_trait *const t = traits->trait + x->op;
        if (!plumb_base_in_time(a->budget, i))
            return false;
        if (!is_pending(x) || only_reads(x, t))
            continue;
        const uint32_t g = group_of[t->pending_twins] - 1;
        struct plumb_check_group *const group = a->group + g;
        a->member[group->first + group->count++] =
            (struct plumb_check_member){ x->action, x->op, x->call, g,
                                         a->lane[i] };
    }
    for (uint32_t i = 0; i < part->count; i++) {
        if (!plumb_base_in_time(a->budget, i))
            return false;
        group_of[traits->trait[part->item[i].op].pending_twins] = 0;
    }
    return true;
}

bool plumb_check_agenda_load(struct plumb_check_agenda *a,
                             const struct plumb_spec_bound *bound,
                             const struct plumb_check_part *part,
                             const struct plumb_check_traits *traits,
                             bool plain)
{
    const bool ends = bound->spec->type->ends && !plain;
    a->ends.items = 0;
    if (!make_room(a, part, traits->classes) ||
        !(ends ? plumb_check_ends_load(&a->ends, bound, part, a->lane)
               : plumb_check_deadlines_load(&a->deadlines, bound, part, !plain,
                                            a->lane)))
        return false;
    if (!load_entries(a, bound, part, traits) ||
        !load_groups(a, part, traits)) {
        memset(a->class_table, 0, a->class_capacity * sizeof *a->class_table);
        return false;
    }
    a->lifted = (struct plumb_base_hash128){ 0, 0 };
    a->depth = a->takens = 0;
    return true;
}

/* With or without one more: its own inverse. */
static struct plumb_base_hash128 toggle(struct plumb_base_hash128 h,
                                        uint32_t lifted)
{
    h.lo ^= plumb_base_mix1(2 * (uint64_t)lifted + 0x51a7e3c9d2b60f84u);
    h.hi ^= plumb_base_mix1(2 * (uint64_t)lifted + 0xc3d28b90f6e514a7u);
    return h;
}

static void mark(struct plumb_check_agenda *a, uint32_t lifted)
{
    a->lifted = toggle(a->lifted, lifted);
}

static void add_to_lane(struct plumb_check_agenda *a, uint32_t lane)
{
    if (lane == PLUMB_NO_LANE)
        return;
    if (a->ends.items)
        plumb_check_ends_add(&a->ends, lane);
    else
        plumb_check_deadlines_add(&a->deadlines, lane);
}

static void undo_in_lane(struct plumb_check_agenda *a, uint32_t lane)
{
    if (lane == PLUMB_NO_LANE)
        return;
    if (a->ends.items)
        plumb_check_ends_undo(&a->ends, lane);
    else
        plumb_check_deadlines_undo(&a->deadlines, lane);
}

void plumb_check_agenda_lift(struct plumb_check_agenda *a, uint32_t entry)
{
    struct plumb_check_entry *const e = a->entry + entry;
    assert(entry && entry <= a->entries);
    a->entry[e->prev].next = e->next;
    a->entry[e->next].prev = e->prev;
    mark(a, entry);
    add_to_lane(a, e->lane);
    a->trail[a->depth++] = entry;
}

void plumb_check_agenda_take(struct plumb_check_agenda *a, uint32_t group)
{
    struct plumb_check_group *const g = a->group + group;
    assert(g->taken < g->count);
    const uint32_t member = g->first + g->taken++;
    const uint32_t lifted = a->entries + 1 + member;
    a->taken[a->takens++] = member;
    mark(a, lifted);
    add_to_lane(a, a->member[member].lane);
    a->trail[a->depth++] = lifted;
}

static void put_back_member(struct plumb_check_agenda *a, uint32_t member)
{
    const struct plumb_check_member *const m = a->member + member;
    a->takens--;
    a->group[m->group].taken--;
    undo_in_lane(a, m->lane);
}

static void put_back_entry(struct plumb_check_agenda *a, uint32_t entry)
{
    const struct plumb_check_entry *const e = a->entry + entry;
    a->entry[e->prev].next = entry;
    a->entry[e->next].prev = entry;
    undo_in_lane(a, e->lane);
}

bool plumb_check_agenda_without(const struct plumb_check_agenda *a, uint32_t i,
                                struct plumb_base_hash128 *lifted)
{
    const uint32_t member = a->taken[i];
    const struct plumb_check_group *const g =
        a->group + a->member[member].group;
    *lifted = toggle(a->lifted, a->entries + 1 + member);
    return member == g->first + g->taken - 1;
}

void plumb_check_agenda_undo(struct plumb_check_agenda *a, uint32_t depth)
{
    while (a->depth > depth) {
        const uint32_t lifted = a->trail[--a->depth];
        mark(a, lifted);
        if (lifted > a->entries)
            put_back_member(a, lifted - a->entries - 1);
        else
            put_back_entry(a, lifted);
    }
}

uint32_t plumb_check_agenda_op(const struct plumb_check_agenda *a,
                               uint32_t lifted)
{
    return lifted > a->entries ? a->member[lifted - a->entries - 1].op
                               : a->entry[lifted].op;
}
