/* live_register_intervals.c - a register whose values are each written once at a time.
 *
 * As in register_intervals.c everything about a value is in two moments: `first`, when the
 * first operation on it returned, and `last`, when the last of those that have
 * returned (or its write) was called; u comes before v if first(u) < last(v),
 * and two values that each come before the other are a violation.
 *
 * A value u is forgotten when some v comes behind it, and first(v) is earlier
 * than the calls of all operations that may still return: whatever returns u
 * later would be called behind first(v), a violation; and now it is one because
 * nobody knows u.  That is the case iff first(u) is earlier than the latest
 * `last` of all others that have such a first.  So values are forgotten in the
 * order of `first`, but for the one whose own `last` that is: it is *parked*.
 * docs/how-monitors-work.md has the proof that nothing is lost. */
#include "live_register_intervals.h"

#include "base/memory.h"
#include "check/input/monitor_input.h"
#include <assert.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* Moments start at 2, the value at first was written at 1; 0: not yet. */
struct interval {
    uint64_t first, last;
    uint64_t limit; /* see register_intervals.h */
    uint64_t place; /* up to which values have been compared with it */
    uint32_t other; /* who set the limit */
};

/* An operation that may return: in the order of calls, around number 0. */
struct caller {
    uint32_t before, after; /* `after` is the next free one too */
    uint64_t call;
};

struct machine {
    struct plumb_check_live_talk *talk;
    struct plumb_check_live_users *users;
    struct interval *interval; /* by value; nil is 0 */
    size_t intervals;
    /* Values in the order of `first`: places base to end, of a ring. */
    uint32_t *ring;
    size_t ring_size; /* a power of two */
    uint64_t base, end;
    uint64_t early; /* up to here `first` is before all that may return */
    /* The latest `last` of those, whose it is if he is known, and the latest of
     * all others. */
    uint64_t latest, second;
    uint32_t leader;
    bool parked; /* the leader has left the ring */
    struct caller *caller;
    size_t caller_capacity;
    uint32_t callers, free_caller;
};

static uint32_t value_of(uint32_t word)
{
    return word >= PLUMB_NIL_WORD ? 0 : word + 1;
}

static uint32_t word_of(uint32_t value)
{
    return value ? value - 1 : PLUMB_NIL_WORD;
}

static bool has_interval(const struct machine *m, uint32_t value)
{
    return value < m->intervals && m->interval[value].last;
}

/* ---- room ---- */

static bool make_interval(struct machine *m, uint32_t value)
{
    return PLUMB_GROW_ZEROED(m->talk->budget, m->interval, m->intervals,
                             (size_t)value + 1);
}

static uint32_t *at_place(const struct machine *m, uint64_t place)
{
    return m->ring + (place & (m->ring_size - 1));
}

static bool widen_ring(struct machine *m)
{
    struct machine wider = *m;
    wider.ring_size = m->ring_size ? 2 * m->ring_size : 4;
    wider.ring =
        plumb_base_alloc(m->talk->budget, wider.ring_size * sizeof *wider.ring);
    if (!wider.ring)
        return false;
    for (uint64_t i = m->base; i < m->end; i++)
        *at_place(&wider, i) = *at_place(m, i);
    PLUMB_RELEASE(m->talk->budget, m->ring, m->ring_size);
    *m = wider;
    return true;
}

static bool append(struct machine *m, uint32_t value)
{
    if (m->end - m->base == m->ring_size && !widen_ring(m))
        return false;
    *at_place(m, m->end++) = value;
    return true;
}

/* ---- who may return ---- */

static uint32_t add_caller(struct machine *m, uint64_t call)
{
    uint32_t n = m->free_caller;
    if (n)
        m->free_caller = m->caller[n].after;
    else if (m->callers < m->caller_capacity ||
             PLUMB_GROW(m->talk->budget, m->caller, m->caller_capacity,
                        (size_t)m->callers + 1))
        n = m->callers++;
    else
        return 0;
    const uint32_t last = m->caller[0].before;
    m->caller[n] = (struct caller){ last, 0, call };
    m->caller[last].after = n;
    m->caller[0].before = n;
    return n;
}

static void drop_caller(struct machine *m, uint32_t n)
{
    struct caller *const c = m->caller + n;
    assert(n && n < m->callers); /* 0 is the ends of the list */
    m->caller[c->before].after = c->after;
    m->caller[c->after].before = c->before;
    c->after = m->free_caller;
    m->free_caller = n;
}

static uint64_t earliest_call(const struct machine *m)
{
    const uint32_t first = m->caller[0].after;
    return first ? m->caller[first].call : UINT64_MAX;
}

/* ---- forgetting ---- */

static void forget(struct machine *m, uint32_t value)
{
    m->interval[value] = (struct interval){ 0 };
    plumb_check_live_leave(m->users, word_of(value));
}

static void forget_leader(struct machine *m)
{
    if (m->parked)
        forget(m, m->leader);
    m->parked = false;
    m->leader = NOBODY;
}

/* `value` has an early `first`, and its `last` may be the latest. */
static void offer(struct machine *m, uint32_t value)
{
    const uint64_t last = m->interval[value].last;
    if (value == m->leader) {
        m->latest = last;
    } else if (last > m->latest) {
        forget_leader(m); /* if it was parked: now it is as all others are */
        m->second = m->latest;
        m->latest = last;
        m->leader = value;
    } else if (last > m->second) {
        m->second = last;
    }
}

static void settle(struct machine *m)
{
    const uint64_t call = earliest_call(m);
    for (; m->early < m->end; m->early++) {
        const uint32_t value = *at_place(m, m->early);
        if (m->interval[value].first >= call)
            break;
        offer(m, value);
    }
    if (m->parked && m->interval[m->leader].first < m->second)
        forget_leader(m);
    for (; m->base < m->end; m->base++) {
        const uint32_t value = *at_place(m, m->base);
        if (m->interval[value].first >= m->latest)
            break;
        if (value == m->leader && m->interval[value].first >= m->second) {
            m->parked = true;
            continue;
        }
        forget(m, value);
        if (value == m->leader)
            m->leader = NOBODY;
    }
    if (m->early < m->base)
        m->early = m->base;
}

/* ---- opening ---- */

void plumb_check_live_intervals_close(void *machine)
{
    struct machine *const m = machine;
    struct plumb_budget *const b = m->talk->budget;
    for (size_t i = 0; i < m->intervals; i++)
        if (m->interval[i].last)
            plumb_check_live_leave(m->users, word_of((uint32_t)i));
    PLUMB_RELEASE(b, m->interval, m->intervals);
    PLUMB_RELEASE(b, m->ring, m->ring_size);
    PLUMB_RELEASE(b, m->caller, m->caller_capacity);
    plumb_base_release(b, m, sizeof *m);
}

void *plumb_check_live_intervals_open(struct plumb_check_live_talk *talk,
                                      struct plumb_check_live_users *users)
{
    struct machine *const m = plumb_base_alloc_zeroed(talk->budget, sizeof *m);
    if (!m)
        return NULL;
    const uint32_t initial = value_of(talk->initial);
    m->talk = talk;
    m->users = users;
    m->leader = NOBODY;
    m->callers = 1;
    if (make_interval(m, initial) && append(m, initial) &&
        PLUMB_GROW(talk->budget, m->caller, m->caller_capacity, 2) &&
        plumb_check_live_use(users, talk->initial)) {
        m->caller[0] = (struct caller){ 0 };
        m->interval[initial] =
            (struct interval){ .first = 1, .last = 1, .place = 1 };
        return m;
    }
    plumb_check_live_intervals_close(m);
    return NULL;
}

/* ---- events ---- */

static enum plumb_check_live_word violated(struct machine *m, uint32_t value,
                                           uint32_t other, const char *reason)
{
    return plumb_check_live_objects(m->talk, reason, word_of(value),
                                    word_of(other));
}

enum plumb_check_live_word plumb_check_live_intervals_call(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    if (o->role == PLUMB_ROLE_WRITE) {
        const uint32_t value = value_of(o->word[0]);
        if (has_interval(m, value))
            return plumb_check_live_declines(m->talk, "values repeat");
        if (!make_interval(m, value) ||
            !plumb_check_live_use(m->users, o->word[0]))
            return PLUMB_LIVE_NO_ROOM;
        m->interval[value].last = o->call + 1;
    } else if (o->role != PLUMB_ROLE_READ) {
        return plumb_check_live_declines(m->talk, "compare-and-set or swap");
    }
    o->ticket = add_caller(m, o->call + 1);
    return o->ticket ? PLUMB_LIVE_GOOD : PLUMB_LIVE_NO_ROOM;
}

static enum plumb_check_live_word crossed(struct machine *m, uint32_t value,
                                          uint32_t other)
{
    return violated(m, value, other,
                    "neither %0 nor %1 can have overwritten the other: each "
                    "was still there later");
}

/* Look at the values whose `first` its `last` has passed. */
static enum plumb_check_live_word pass_over(struct machine *m, uint32_t value)
{
    struct interval *const u = m->interval + value;
    if (u->place < m->base)
        u->place = m->base;
    for (; u->place < m->end; u->place++) {
        const uint32_t other = *at_place(m, u->place);
        struct interval *const v = m->interval + other;
        if (v->first > u->last)
            break;
        if (v->last > u->first)
            return crossed(m, value, other);
        v->limit = u->first;
        v->other = value;
    }
    return PLUMB_LIVE_GOOD;
}

/* An operation on it that was called then has returned. */
static enum plumb_check_live_word stretch(struct machine *m, uint32_t value,
                                          uint64_t call)
{
    struct interval *const u = m->interval + value;
    if (call <= u->last)
        return PLUMB_LIVE_GOOD;
    u->last = call;
    if (u->limit && u->last > u->limit)
        return m->interval[u->other].first == u->limit
                   ? crossed(m, value, u->other)
                   : violated(m, value, value,
                              "a read returned %0, but %0 must have been "
                              "overwritten before");
    if (u->first < earliest_call(m))
        offer(m, value);
    return u->last > u->first ? pass_over(m, value) : PLUMB_LIVE_GOOD;
}

enum plumb_check_live_word plumb_check_live_intervals_ret(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    const uint32_t value = value_of(o->word[0]);
    drop_caller(m, o->ticket);
    if (!has_interval(m, value))
        return violated(m, value, value,
                        "a read returned %0, but %0 was never written or "
                        "already overwritten");
    struct interval *const u = m->interval + value;
    if (!u->first) {
        u->first = o->now + 1;
        if (!append(m, value))
            return PLUMB_LIVE_NO_ROOM;
        u->place = m->end;
    }
    const enum plumb_check_live_word word = stretch(m, value, o->call + 1);
    if (word == PLUMB_LIVE_GOOD)
        settle(m);
    return word;
}

/* A write that may or may not have happened can be read at any time: it stays.
 */
enum plumb_check_live_word plumb_check_live_intervals_info(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    drop_caller(m, o->ticket);
    settle(m);
    return PLUMB_LIVE_GOOD;
}

enum plumb_check_live_word plumb_check_live_intervals_fail(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    if (o->role == PLUMB_ROLE_WRITE) {
        const uint32_t value = value_of(o->word[0]);
        if (m->interval[value].first)
            return violated(m, value, value,
                            "write(%0) failed, but %0 was read");
        forget(m, value);
    }
    return plumb_check_live_intervals_info(machine, o);
}
