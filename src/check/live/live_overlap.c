/* live_overlap.c - one key where operations overlap, event by event.
 *
 * Nothing changes the state before some operation returns that needs it: then
 * any of the others that are open may do so before it, in any order, and it is
 * the last.  What they could answer without changing the state is kept as a set
 * that grows along the way, so those that only look never make more
 * configurations:
 *
 * - an operation that leaves a state as it is could answer there;
 * - one that overwrites could have stood just before any other that does.
 *
 * If the answer is in the set, nothing has to happen.
 *
 * A configuration is dropped if another can do all that it can: the same state,
 * fewer changes, larger sets.
 *
 * Where calls that are the same are alike, the youngest changes the state first;
 * an older one that returns takes over the change of the next younger one, which
 * then has not changed anything yet.  All of them were open at that change: it
 * came behind the call of the younger.  (The calls that could have made the
 * changes so far, one each, are a matroid, and what is kept is the base with the
 * youngest: so the next younger is the right one to take it from.) */
#include "live_overlap.h"

#include "base/memory.h"
#include <assert.h>
#include <string.h>

enum { SLOTS = PLUMB_OVERLAP_SLOTS };

void plumb_check_overlaps_release(struct plumb_check_overlaps *s)
{
    PLUMB_RELEASE(s->budget, s->queue.config, s->queue.capacity);
    PLUMB_RELEASE(s->budget, s->out.config, s->out.capacity);
}

void plumb_check_overlap_release(struct plumb_check_overlaps *s,
                                 struct plumb_check_overlap *overlap)
{
    PLUMB_RELEASE(s->budget, overlap->list.config, overlap->list.capacity);
}

static uint32_t lowest(uint32_t slots)
{
    return (uint32_t)__builtin_ctz(slots);
}

static uint32_t bit(uint32_t slot)
{
    return (uint32_t)1 << slot;
}

static uint64_t member(uint32_t id)
{
    return (uint64_t)1 << id;
}

/* ---- states ---- */

static uint32_t find_state(const struct plumb_check_overlap *overlap,
                           uint32_t state)
{
    for (uint64_t left = overlap->ids; left; left &= left - 1) {
        const uint32_t id = (uint32_t)__builtin_ctzll(left);
        if (overlap->state[id] == state)
            return id;
    }
    return PLUMB_OVERLAP_IDS;
}

static uint32_t id_of(struct plumb_check_overlaps *s, uint32_t state)
{
    uint32_t id = find_state(s->overlap, state);
    if (id < PLUMB_OVERLAP_IDS)
        return id;
    if (s->overlap->ids == UINT64_MAX) {
        s->full = true;
        return 0;
    }
    id = (uint32_t)__builtin_ctzll(~s->overlap->ids);
    s->overlap->ids |= member(id);
    s->overlap->state[id] = state;
    return id;
}

/* Is what the slot does one of these roles? */
static bool is_of(const struct plumb_check_overlap *overlap, uint32_t slot,
                  uint32_t roles)
{
    return roles >> overlap->deed[slot].role & 1;
}

static bool says_state(const struct plumb_check_overlaps *s, uint32_t slot)
{
    return is_of(s->overlap, slot, s->type->says_state);
}

uint64_t plumb_check_overlap_unused(struct plumb_check_overlaps *s,
                                    struct plumb_check_overlap *overlap)
{
    uint64_t used = 0;
    s->overlap = overlap;
    for (uint32_t i = 0; i < overlap->list.count; i++) {
        const struct plumb_check_overlap_config *const c =
            overlap->list.config + i;
        used |= member(c->state);
        for (uint32_t left = overlap->used; left; left &= left - 1) {
            const uint32_t slot = lowest(left);
            if (!says_state(s, slot))
                continue;
            used |= c->seen[slot];
            if (c->done & bit(slot))
                used |= member(c->got[slot]);
        }
    }
    return overlap->ids & ~used;
}

/* ---- configurations ---- */

/* What it does in the state of `c`; *says is what it answers. */
static uint32_t step(const struct plumb_check_overlaps *s,
                     const struct plumb_check_overlap_config *c, uint32_t slot,
                     uint32_t *says)
{
    const uint32_t next = s->type->step(s->overlap->state[c->state],
                                        s->overlap->deed + slot, says);
    if (says_state(s, slot))
        *says = c->state;
    return next;
}

static void look(const struct plumb_check_overlaps *s,
                 struct plumb_check_overlap_config *c, uint32_t slots)
{
    for (uint32_t left = slots & ~s->overlap->info; left; left &= left - 1) {
        const uint32_t slot = lowest(left);
        uint32_t says;
        if (step(s, c, slot, &says) == s->overlap->state[c->state])
            c->seen[slot] |= member(says);
    }
}

/* All that overwrite could have stood just before now. */
static void swallow(const struct plumb_check_overlaps *s,
                    struct plumb_check_overlap_config *c, uint32_t slots)
{
    for (uint32_t left = slots; left; left &= left - 1)
        if (is_of(s->overlap, lowest(left), s->type->overwrites))
            c->seen[lowest(left)] |= member(0);
}

static bool same_call(const struct plumb_check_overlap *overlap, uint32_t a,
                      uint32_t b)
{
    return overlap->deed[a].role == overlap->deed[b].role &&
           overlap->deed[a].arg[0] == overlap->deed[b].arg[0] &&
           overlap->deed[a].arg[1] == overlap->deed[b].arg[1];
}

/* Of some slots with the same call as `slot`: the next older, or younger, one;
 * SLOTS if there is none. */
static uint32_t next_alike(const struct plumb_check_overlap *overlap,
                           uint32_t slots, uint32_t slot, bool older)
{
    uint32_t best = SLOTS;
    for (uint32_t left = slots & ~bit(slot); left; left &= left - 1) {
        const uint32_t i = lowest(left);
        if (same_call(overlap, i, slot) &&
            (overlap->called[i] < overlap->called[slot]) == older &&
            (best == SLOTS ||
             (overlap->called[i] > overlap->called[best]) == older))
            best = i;
    }
    return best;
}

/* `slot` changes the state of `c`, or overwrites it with what it is.  False: it
 * does neither. */
static bool change(struct plumb_check_overlaps *s,
                   struct plumb_check_overlap_config *c, uint32_t slot)
{
    const uint32_t open = s->overlap->used & ~c->done & ~bit(slot);
    const bool overwrites = is_of(s->overlap, slot, s->type->overwrites);
    uint32_t says;
    const uint32_t next = step(s, c, slot, &says);
    if (next == s->overlap->state[c->state] && !overwrites)
        return false;
    c->state = (uint8_t)id_of(s, next);
    c->done |= bit(slot);
    c->got[slot] = (uint8_t)says;
    look(s, c, s->type->alike ? s->overlap->used : open);
    if (overwrites)
        swallow(s, c, open);
    return !s->full;
}

/* Can `a` do all that `b` can? */
static bool covers(const struct plumb_check_overlaps *s,
                   const struct plumb_check_overlap_config *a,
                   const struct plumb_check_overlap_config *b)
{
    if (a->state != b->state || a->done & ~b->done)
        return false;
    for (uint32_t left = s->overlap->used & ~s->overlap->info; left;
         left &= left - 1) {
        const uint32_t slot = lowest(left);
        const bool did_a = a->done & bit(slot), did_b = b->done & bit(slot);
        if ((!did_b || s->type->alike) && b->seen[slot] & ~a->seen[slot])
            return false;
        if (did_b && (did_a ? a->got[slot] != b->got[slot]
                            : !(a->seen[slot] & member(b->got[slot]))))
            return false;
    }
    return true;
}

static bool make_room(struct plumb_check_overlaps *s,
                      struct plumb_check_overlap_list *list, uint32_t count)
{
    if (list->capacity >= count ||
        PLUMB_GROW(s->budget, list->config, list->capacity, count))
        return true;
    s->no_room = true;
    return false;
}

/* Unless it is superfluous there. */
static void put(struct plumb_check_overlaps *s,
                struct plumb_check_overlap_list *list,
                const struct plumb_check_overlap_config *c)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (covers(s, list->config + i, c))
            return;
    if (list->count >= s->most)
        s->full = true;
    else if (make_room(s, list, list->count + 1))
        list->config[list->count++] = *c;
}

/* ---- the overlap ---- */

bool plumb_check_overlap_start(struct plumb_check_overlaps *s,
                               struct plumb_check_overlap *overlap,
                               uint32_t state)
{
    assert(s->type && s->most); /* set by whoever made it */
    if (!make_room(s, &overlap->list, 1))
        return false;
    overlap->used = overlap->info = 0;
    overlap->ids = 1;
    overlap->state[0] = state;
    overlap->list.count = 1;
    memset(overlap->list.config, 0, sizeof *overlap->list.config);
    return true;
}

uint32_t plumb_check_overlap_call(struct plumb_check_overlaps *s,
                                  struct plumb_check_overlap *overlap,
                                  const struct plumb_check_live_deed *d,
                                  uint64_t call)
{
    s->overlap = overlap;
    if (overlap->used == UINT32_MAX)
        return SLOTS;
    const uint32_t slot = lowest(~overlap->used);
    overlap->deed[slot] = *d;
    overlap->called[slot] = call;
    overlap->used |= bit(slot);
    for (uint32_t i = 0; i < overlap->list.count; i++) {
        struct plumb_check_overlap_config *const c = overlap->list.config + i;
        c->done &= ~bit(slot);
        c->seen[slot] = 0;
        look(s, c, bit(slot));
    }
    return slot;
}

static void begin(struct plumb_check_overlaps *s,
                  struct plumb_check_overlap *overlap)
{
    s->overlap = overlap;
    s->queue.count = s->out.count = 0;
    s->full = s->no_room = false;
}

/* Is one of those in `out` superfluous?  Some are marked as such. */
#define SUPERFLUOUS UINT32_MAX /* as done: more than can be open */
static bool is_covered(const struct plumb_check_overlaps *s, uint32_t i)
{
    const struct plumb_check_overlap_config *const out = s->out.config;
    for (uint32_t j = 0; j < s->out.count; j++)
        if (j != i && out[j].done != SUPERFLUOUS && covers(s, out + j, out + i))
            return true;
    return false;
}

/* It is over; `out` are the configurations then. */
static enum plumb_check_live_word take_out(struct plumb_check_overlaps *s,
                                           uint32_t slot)
{
    assert(s->overlap->used >> slot & 1 && s->out.count <= s->most);
    struct plumb_check_overlap_list *const list = &s->overlap->list;
    if (s->no_room)
        return PLUMB_LIVE_NO_ROOM;
    if (s->full)
        return PLUMB_LIVE_DECLINED;
    if (!s->out.count)
        return PLUMB_LIVE_VIOLATED;
    if (!make_room(s, list, s->out.count))
        return PLUMB_LIVE_NO_ROOM;
    s->overlap->used &= ~bit(slot);
    s->overlap->info &= ~bit(slot);
    list->count = 0;
    for (uint32_t i = 0; i < s->out.count; i++) {
        struct plumb_check_overlap_config *const c = s->out.config + i;
        if (is_covered(s, i))
            c->done = SUPERFLUOUS;
        else
            list->config[list->count++] = *c;
    }
    return PLUMB_LIVE_GOOD;
}

/* ---- returns ---- */

/* The return of a slot with an answer: a bit, or the id of a state. */
struct reply {
    uint32_t slot, says;
    bool overwrites;
};

static void let_go(struct plumb_check_overlaps *s,
                   const struct plumb_check_overlap_config *c, uint32_t slot)
{
    struct plumb_check_overlap_config x = *c;
    x.done &= ~bit(slot);
    x.seen[slot] = 0;
    put(s, &s->out, &x);
}

/* Alike: it takes over the change of the next younger one. */
static bool take_over(struct plumb_check_overlaps *s,
                      const struct plumb_check_overlap_config *c,
                      const struct reply *r)
{
    uint32_t did = 0;
    if (!s->type->alike)
        return false;
    for (uint32_t left = c->done & s->overlap->used; left; left &= left - 1)
        if (c->got[lowest(left)] == r->says)
            did |= bit(lowest(left));
    const uint32_t from = next_alike(s->overlap, did, r->slot, false);
    if (from == SLOTS)
        return false;
    struct plumb_check_overlap_config x = *c;
    x.done &= ~bit(from);
    let_go(s, &x, r->slot);
    return true;
}

/* It returns from `c`, in which it has not changed anything yet.  True: nothing
 * else has to happen before. */
static bool reply(struct plumb_check_overlaps *s,
                  const struct plumb_check_overlap_config *c,
                  const struct reply *r)
{
    struct plumb_check_overlap_config x = *c;
    uint32_t says;
    if (c->seen[r->slot] & member(r->says)) {
        let_go(s, c, r->slot);
        if (!r->overwrites)
            return true;
    } else if (take_over(s, c, r)) {
        return true;
    }
    step(s, c, r->slot, &says);
    if (says == r->says && change(s, &x, r->slot))
        let_go(s, &x, r->slot);
    return false;
}

/* Are all others that may change the state such that overwrite? */
static bool all_overwrite(const struct plumb_check_overlaps *s,
                          const struct plumb_check_overlap_config *c,
                          uint32_t slot)
{
    const uint32_t open = s->overlap->used & ~c->done & ~bit(slot);
    for (uint32_t left = open; left; left &= left - 1)
        if (!is_of(s->overlap, lowest(left), s->type->overwrites))
            return false;
    return true;
}

/* Let others change the state before.  Where all of them overwrite, only the
 * last would be seen, so one is enough, and none for what overwrites itself. */
static void expand(struct plumb_check_overlaps *s,
                   const struct plumb_check_overlap_config *c,
                   const struct reply *r)
{
    const uint32_t open = s->overlap->used & ~c->done & ~bit(r->slot);
    const bool one = all_overwrite(s, c, r->slot);
    if (one && r->overwrites)
        return;
    for (uint32_t left = open; left && !s->full; left &= left - 1) {
        const uint32_t slot = lowest(left);
        struct plumb_check_overlap_config x = *c;
        if (is_of(s->overlap, slot, s->type->watches) ||
            (s->type->alike &&
             next_alike(s->overlap, open, slot, false) < SLOTS) ||
            !change(s, &x, slot))
            continue;
        if (one)
            reply(s, &x, r);
        else
            put(s, &s->queue, &x);
    }
}

/* Alike: give its change to the next older one that is open.  False: there is
 * none. */
static bool disown(const struct plumb_check_overlaps *s,
                   struct plumb_check_overlap_config *c, uint32_t slot)
{
    const uint32_t open = s->overlap->used & ~c->done;
    const uint32_t to =
        s->type->alike ? next_alike(s->overlap, open, slot, true) : SLOTS;
    c->done &= ~bit(slot);
    if (to == SLOTS)
        return false;
    c->done |= bit(to);
    c->got[to] = c->got[slot];
    return true;
}

static void start_replies(struct plumb_check_overlaps *s, const struct reply *r)
{
    for (uint32_t i = 0; i < s->overlap->list.count; i++) {
        struct plumb_check_overlap_config x = s->overlap->list.config[i];
        const bool done = x.done & bit(r->slot);
        if (done && x.got[r->slot] == r->says)
            let_go(s, &x, r->slot);
        else if (!done || disown(s, &x, r->slot))
            put(s, &s->queue, &x);
    }
}

enum plumb_check_live_word plumb_check_overlap_return(
    struct plumb_check_overlaps *s, struct plumb_check_overlap *overlap,
    uint32_t slot, uint32_t answer)
{
    struct reply r = { slot, answer,
                       is_of(overlap, slot, s->type->overwrites) };
    assert(overlap->used & bit(slot));
    begin(s, overlap);
    if (says_state(s, slot))
        r.says = id_of(s, answer);
    start_replies(s, &r);
    for (uint32_t i = 0; i < s->queue.count && !s->full && !s->no_room; i++) {
        const struct plumb_check_overlap_config c = s->queue.config[i];
        if (!reply(s, &c, &r))
            expand(s, &c, &r);
    }
    return take_out(s, slot);
}

/* ---- other ends ---- */

enum plumb_check_live_word plumb_check_overlap_fail(
    struct plumb_check_overlaps *s, struct plumb_check_overlap *overlap,
    uint32_t slot)
{
    assert(overlap->used & bit(slot));
    begin(s, overlap);
    for (uint32_t i = 0; i < overlap->list.count; i++) {
        struct plumb_check_overlap_config x = overlap->list.config[i];
        if (!(x.done & bit(slot)) || disown(s, &x, slot))
            let_go(s, &x, slot);
    }
    return take_out(s, slot);
}

/* It has changed the state in all configurations, and no other can take that
 * over: there is nothing left of it. */
static bool is_settled(const struct plumb_check_overlaps *s, uint32_t slot)
{
    if (s->type->alike &&
        next_alike(s->overlap, s->overlap->used, slot, true) < SLOTS)
        return false;
    for (uint32_t i = 0; i < s->overlap->list.count; i++)
        if (!(s->overlap->list.config[i].done & bit(slot)))
            return false;
    return true;
}

void plumb_check_overlap_info(struct plumb_check_overlaps *s,
                              struct plumb_check_overlap *overlap,
                              uint32_t slot)
{
    if (is_of(overlap, slot, s->type->watches))
        overlap->used &= ~bit(slot);
    else
        overlap->info |= bit(slot);
}

uint32_t plumb_check_overlap_settle(struct plumb_check_overlaps *s,
                                    struct plumb_check_overlap *overlap)
{
    uint32_t settled = 0;
    s->overlap = overlap;
    for (uint32_t left = overlap->info; left; left &= left - 1)
        if (is_settled(s, lowest(left)))
            settled |= bit(lowest(left));
    overlap->used &= ~settled;
    overlap->info &= ~settled;
    return settled;
}
