/* live_set.c - a set, event by event.
 *
 * A key is present or absent.  An insert or delete that answers true flips it;
 * everything else only looks.  Nothing takes effect before it has to:
 *
 * - what looked for b is content if the key was b at any time since its call;
 * - otherwise the key flips once, by one of the open operations that may do so;
 * - a change to b flips the key when it returns; if it is b already, it first
 *   flips back, by one of the others.
 *
 * Which of the open ones flipped is left open: that flip is *owed*, until a
 * change to the same state returns that was open at the time, the oldest first.
 * For each key and state there is a list of open operations and owed flips in the
 * order of time, read as ( and ): no prefix has more ) than (.  Where they are
 * equal, the list is *tight*: all operations up to there are needed.
 * docs/how-monitors-work.md has the proof that waiting is never wrong. */
#include "live_set.h"

#include "base/memory.h"
#include <assert.h>

enum { NONE = 0 }; /* node 0 is not used */

bool plumb_check_live_set_init(struct plumb_check_live_set *s,
                               struct plumb_budget *budget,
                               struct plumb_check_set_key *key)
{
    *s = (struct plumb_check_live_set){ .budget = budget,
                                        .key = key,
                                        .nodes = 1 };
    return PLUMB_GROW(budget, s->node, s->capacity, 2);
}

void plumb_check_live_set_release(struct plumb_check_live_set *s)
{
    PLUMB_RELEASE(s->budget, s->node, s->capacity);
}

void plumb_check_live_set_forget(struct plumb_check_live_set *s, uint32_t key)
{
    s->key[key] = (struct plumb_check_set_key){ 0 };
    s->nodes = 1;
    s->free = s->flips = 0;
}

static uint32_t new_node(struct plumb_check_live_set *s)
{
    const uint32_t free = s->free;
    if (free) {
        s->free = s->node[free].after;
        return free;
    }
    if (!PLUMB_GROW(s->budget, s->node, s->capacity, s->nodes + 1))
        return NONE;
    return s->nodes++;
}

static uint32_t append(struct plumb_check_live_set *s,
                       struct plumb_check_set_side *side, uint64_t moment,
                       uint32_t what)
{
    const uint32_t n = new_node(s);
    if (n == NONE)
        return NONE;
    s->node[n] = (struct plumb_check_set_node){ .before = side->last,
                                                .moment = moment,
                                                .what = what };
    s->node[side->last].after = n; /* of node 0: nobody looks */
    side->last = n;
    return n;
}

static void drop(struct plumb_check_live_set *s,
                 struct plumb_check_set_side *side, uint32_t n)
{
    struct plumb_check_set_node *const x = s->node + n;
    assert(n != NONE && n < s->nodes);
    if (x->after)
        s->node[x->after].before = x->before;
    else
        side->last = x->before;
    s->node[x->before].after = x->after;
    x->after = s->free;
    s->free = n;
}

static bool is_owed(const struct plumb_check_set_node *x)
{
    return x->what & PLUMB_SET_OWED;
}

uint32_t plumb_check_live_set_append(struct plumb_check_live_set *s,
                                     struct plumb_check_set_side *side,
                                     uint64_t moment, uint32_t what)
{
    const uint32_t n = append(s, side, moment, what);
    return n == NONE ? PLUMB_SET_NO_ROOM : n;
}

static bool is_present(const struct plumb_check_set_key *k)
{
    return k->flip & 1;
}

/* By some open operation: nobody knows yet which. */
static uint32_t flip_on_credit(struct plumb_check_live_set *s,
                               struct plumb_check_set_key *k, uint64_t moment)
{
    struct plumb_check_set_side *const side = &k->to[!is_present(k)];
    if (!side->spare)
        return PLUMB_SET_NOWHERE;
    if (append(s, side, moment, PLUMB_SET_OWED | s->flips) == NONE)
        return PLUMB_SET_NO_ROOM;
    if (!--side->spare)
        side->tight = moment;
    return plumb_check_live_set_flip(s, k, moment);
}

/* The oldest owed flip after node n. */
static uint32_t owed_after(const struct plumb_check_live_set *s, uint32_t n)
{
    do
        n = s->node[n].after;
    while (n && !is_owed(s->node + n));
    return n;
}

uint32_t plumb_check_live_set_changed_amid(struct plumb_check_live_set *s,
                                           uint32_t key, uint32_t to,
                                           uint32_t ticket, uint64_t moment)
{
    struct plumb_check_set_key *const k = s->key + key;
    struct plumb_check_set_side *const side = &k->to[to];
    const uint32_t owed = owed_after(s, ticket);
    drop(s, side, ticket);
    if (owed) {
        const uint32_t which = s->node[owed].what & ~PLUMB_SET_OWED;
        drop(s, side, owed);
        return 2 * which + 1;
    }
    side->spare--;
    if (is_present(k) == to) {
        const uint32_t back = flip_on_credit(s, k, moment);
        if (back >= PLUMB_SET_NO_ROOM)
            return back;
    }
    return 2 * plumb_check_live_set_flip(s, k, moment) + 1;
}

/* Node n is to go without having flipped: from there on, every prefix has one
 * ( less.  Find the last that is tight then. */
static void tighten(const struct plumb_check_live_set *s,
                    struct plumb_check_set_side *side, uint32_t n)
{
    uint32_t spare = side->spare;
    for (uint32_t i = side->last; i != n; i = s->node[i].before) {
        if (!spare) {
            side->tight = s->node[i].moment;
            return;
        }
        spare = is_owed(s->node + i) ? spare + 1 : spare - 1;
    }
}

bool plumb_check_live_set_withdraw(struct plumb_check_live_set *s, uint32_t key,
                                   uint32_t to, uint32_t ticket)
{
    struct plumb_check_set_side *const side = &s->key[key].to[to];
    if (s->node[ticket].moment < side->tight)
        return false;
    side->spare--;
    tighten(s, side, ticket);
    drop(s, side, ticket);
    return true;
}

uint32_t plumb_check_live_set_refused(struct plumb_check_live_set *s,
                                      uint32_t key, uint32_t to,
                                      uint32_t ticket, uint64_t moment)
{
    const uint64_t call = s->node[ticket].moment;
    return plumb_check_live_set_withdraw(s, key, to, ticket)
               ? plumb_check_live_set_saw(s, key, to, call, moment)
               : PLUMB_SET_NOWHERE;
}

/* What it saw is not so now. */
uint32_t plumb_check_live_set_saw_other(struct plumb_check_live_set *s,
                                        uint32_t key, uint64_t call,
                                        uint64_t moment)
{
    struct plumb_check_set_key *const k = s->key + key;
    if (k->moment > call)
        return k->flip & ~(uint32_t)1;
    const uint32_t credit = flip_on_credit(s, k, moment);
    return credit >= PLUMB_SET_NO_ROOM ? credit : 2 * s->flips;
}

/* From the last backwards, each open operation makes up for the nearest owed
 * flip behind it. */
void plumb_check_live_set_settle(const struct plumb_check_live_set *s,
                                 uint32_t key, uint32_t *at)
{
    for (unsigned to = 0; to < 2; to++) {
        uint32_t owed = 0; /* nodes between the two that found nobody yet */
        const struct plumb_check_set_side *const side = &s->key[key].to[to];
        for (uint32_t n = side->last, flips = n; n; n = s->node[n].before) {
            if (is_owed(s->node + n)) {
                owed++;
                continue;
            }
            if (!owed)
                continue;
            while (flips > 0 && !is_owed(s->node + flips))
                flips = s->node[flips].before;
            at[s->node[n].what] =
                2 * (s->node[flips].what & ~PLUMB_SET_OWED) + 1;
            flips = s->node[flips].before;
            owed--;
        }
        assert(!owed);
    }
}
