/* weak_bag.c - how often each value is there, and marks.
 *
 * Where an item is, is its value.  Of several equal items some may be counted by
 * a removal that scans and others not: then there are several ways to take one
 * out. */
#include "weak_bag.h"

#include "base/memory.h"
#include "spec/stores/treap.h"

struct extra {
    struct plumb_spec_treap
        items; /* first: what the functions of treaps take */
    struct plumb_spec_marks marks;
};

bool plumb_spec_weak_bag_open(struct plumb_spec_space *space)
{
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    space->extra = e;
    if (e)
        plumb_spec_treap_init(&e->items, space->arena.budget);
    return e;
}

void plumb_spec_weak_bag_close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_treap_release(&e->items);
    plumb_spec_marks_release(space, &e->marks);
}

plumb_spec_state plumb_spec_weak_bag_initial(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    e->marks.items = PLUMB_EMPTY_TREAP;
    e->marks.seekers = e->marks.count = 0;
    return plumb_spec_marks_store(space, &e->marks);
}

void plumb_spec_weak_bag_show(const struct plumb_spec_space *space,
                              plumb_spec_state s, struct plumb_base_text *out)
{
    plumb_spec_treap_show(space, plumb_spec_marks_items(space, s), out);
    plumb_spec_marks_show(space, s, out);
}

uint32_t plumb_spec_weak_bag_count(const struct plumb_spec_space *space,
                                   plumb_spec_state s, plumb_spec_vid value)
{
    return plumb_spec_treap_get(space->extra, plumb_spec_marks_items(space, s),
                                value);
}

uint32_t plumb_spec_weak_bag_total(const struct plumb_spec_space *space,
                                   plumb_spec_state s)
{
    return plumb_spec_treap_total(space->extra,
                                  plumb_spec_marks_items(space, s));
}

static bool has_pool(const struct plumb_spec_weak_bag *b)
{
    return b->cap != UINT64_MAX;
}

/* ---- taking an item out ---- */

/* One item of the value leaves, of those with `mark` (UINT32_MAX: without any):
 * add the state, from `s`. */
static bool remove_one(struct plumb_spec_space *space,
                       const struct plumb_spec_weak_bag *b, plumb_spec_state s,
                       uint32_t whose, plumb_spec_vid value, uint32_t mark,
                       struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    if (!plumb_spec_marks_load(space, m, s))
        return false;
    const uint32_t count = plumb_spec_treap_get(&e->items, m->items, value);
    m->items = plumb_spec_treap_set(&e->items, m->items, value, count - 1);
    if (mark == UINT32_MAX) {
        plumb_spec_marks_miss(m, PLUMB_SEEN_BY_ALL);
    } else {
        struct plumb_spec_mark *const x = m->mark + mark;
        const bool later = x->kind == PLUMB_MARK_LATER;
        const uint32_t rank = x->whose;
        if (!later || --x->deficit == 0)
            plumb_spec_marks_drop(m, mark);
        if (later)
            plumb_spec_marks_miss(m, rank);
    }
    return (!has_pool(b) ||
            plumb_spec_marks_add(space, m, PLUMB_MARK_REMOVING, whose, 0, 0)) &&
           plumb_spec_states_made(out, plumb_spec_marks_store(space, m));
}

/* Marks that tell equal items apart: how many items have one? */
static uint32_t marked(const struct plumb_spec_marks *m, uint32_t i,
                       plumb_spec_vid value)
{
    if (m->mark[i].at != value)
        return 0;
    return m->mark[i].kind == PLUMB_MARK_ADDING  ? 1
           : m->mark[i].kind == PLUMB_MARK_LATER ? m->mark[i].deficit
                                                 : 0;
}

bool plumb_spec_weak_bag_delete(struct plumb_spec_space *space,
                                const struct plumb_spec_weak_bag *b,
                                plumb_spec_state s, uint32_t whose,
                                plumb_spec_vid value,
                                struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    if (!plumb_spec_marks_load(space, m, s))
        return false;
    const uint32_t marks = m->count;
    uint32_t plain = plumb_spec_treap_get(&e->items, m->items, value);
    for (uint32_t i = 0; i < marks; i++) {
        const uint32_t items = marked(m, i, value);
        plain -= items;
        if (items && !remove_one(space, b, s, whose, value, i, out))
            return false;
        if (!plumb_spec_marks_load(space, m, s))
            return false;
    }
    return !plain || remove_one(space, b, s, whose, value, UINT32_MAX, out);
}

/* ---- steps ---- */

bool plumb_spec_weak_bag_add(struct plumb_spec_space *space,
                             const struct plumb_spec_weak_bag *b,
                             plumb_spec_state s,
                             const struct plumb_spec_action *a,
                             struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    const plumb_spec_vid value = a->arg[0];
    if (!plumb_spec_marks_load(space, m, s))
        return false;
    const uint32_t length = plumb_spec_treap_total(&e->items, m->items);
    const bool full = has_pool(b) &&
                      plumb_spec_weak_pool_is_full(m, b->cap, length) &&
                      !plumb_spec_weak_pool_holds(m, a->whose);
    if (full && !plumb_spec_step_refused(space, b->blocking, s, a, out))
        return false;
    if (length >= b->cap || !plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    const uint32_t count = plumb_spec_treap_get(&e->items, m->items, value);
    m->items = plumb_spec_treap_set(&e->items, m->items, value, count + 1);
    plumb_spec_weak_forget(m, PLUMB_MARK_HOLDING, a->whose);
    return (b->weakness == PLUMB_WEAK_POOL ||
            plumb_spec_marks_add(space, m, PLUMB_MARK_ADDING, a->whose, value,
                                 0)) &&
           plumb_spec_states_made(out, plumb_spec_marks_store(space, m));
}

bool plumb_spec_weak_bag_take(struct plumb_spec_space *space,
                              const struct plumb_spec_weak_bag *b,
                              plumb_spec_state s,
                              const struct plumb_spec_action *a,
                              struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    if (!plumb_spec_marks_load(space, &e->marks, s))
        return false;
    const uint32_t items = e->marks.items;
    const bool empty = plumb_spec_treap_total(&e->items, items) == 0;
    const bool overlooks = b->weakness == PLUMB_WEAK_SCAN &&
                           plumb_spec_marks_find(&e->marks, PLUMB_MARK_SEEKING,
                                                 a->whose) == UINT32_MAX;
    if ((empty || overlooks) &&
        !plumb_spec_step_refused(space, b->blocking, s, a, out))
        return false;
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    const bool any = a->term == PLUMB_TERM_ANY;
    uint64_t value = any ? 0 : a->res[0];
    const uint64_t last = any ? UINT64_MAX : value;
    for (; plumb_spec_treap_at_least(&e->items, items, &value) && value <= last;
         value++)
        if (!plumb_spec_weak_bag_delete(space, b, s, a->whose,
                                        (plumb_spec_vid)value, out))
            return false;
    return true;
}

/* ---- calls and returns ---- */

static enum plumb_spec_role role_of(const struct plumb_spec_space *space,
                                    const struct plumb_spec_action *a)
{
    return space->spec->type->ops[a->kind].role;
}

static bool adds(enum plumb_spec_role role)
{
    return role == PLUMB_ROLE_ADD || role == PLUMB_ROLE_INSERT;
}

bool plumb_spec_weak_bag_called(struct plumb_spec_space *space,
                                const struct plumb_spec_weak_bag *b,
                                plumb_spec_state s,
                                const struct plumb_spec_action *a,
                                struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    const enum plumb_spec_role role = role_of(space, a);
    if (!plumb_spec_marks_load(space, m, s))
        return false;
    if (adds(role) && has_pool(b))
        return plumb_spec_weak_pool_call(space, m, s, a, out);
    if (role != PLUMB_ROLE_REMOVE || b->weakness != PLUMB_WEAK_SCAN)
        return plumb_spec_states_add(out, s);
    const uint32_t complete = plumb_spec_treap_total(&e->items, m->items) -
                              plumb_spec_marks_count(m, PLUMB_MARK_ADDING);
    return plumb_spec_marks_seek(space, m, a->whose, complete) &&
           plumb_spec_states_made(out, plumb_spec_marks_store(space, m));
}

bool plumb_spec_weak_bag_returned(struct plumb_spec_space *space,
                                  const struct plumb_spec_weak_bag *b,
                                  plumb_spec_state s,
                                  const struct plumb_spec_action *a,
                                  struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    const enum plumb_spec_role role = role_of(space, a);
    if (!plumb_spec_marks_load(space, m, s))
        return false;
    const uint32_t adding =
        plumb_spec_marks_find(m, PLUMB_MARK_ADDING, a->whose);
    if (adding != UINT32_MAX)
        plumb_spec_marks_complete(m, adding);
    plumb_spec_weak_forget(m, PLUMB_MARK_HOLDING, a->whose);
    plumb_spec_weak_forget(m, PLUMB_MARK_REMOVING, a->whose);
    if (role == PLUMB_ROLE_REMOVE && b->weakness == PLUMB_WEAK_SCAN)
        plumb_spec_marks_end_seeking(m, a->whose);
    return plumb_spec_states_made(out, plumb_spec_marks_store(space, m));
}
