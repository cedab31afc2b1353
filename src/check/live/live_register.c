/* live_register.c - the machine of registers.
 *
 * Two follow the same stream: live_register_intervals.c, as long as every value is written
 * once at a time and there is no compare-and-set or swap, however much is open;
 * and live_small_state.c, whatever the values are, as long as few operations overlap.
 * Each is exact as long as it follows; it is given up when both have given up. */
#include "live.h"
#include "live_register_intervals.h"
#include "live_small_state.h"

#include "base/memory.h"
#include "check/input/monitor_input.h"
#include "live_overlap.h"

enum {
    SLOT_BITS = 6,    /* of a ticket: the slot of live_small_state.c */
    SMALL_BESIDE = 64 /* configurations, as long as the other follows too */
};
_Static_assert((int)PLUMB_OVERLAP_SLOTS < 1 << SLOT_BITS, "slots fit");

/* ---- a register with few states ---- */

static uint32_t step(uint32_t state, const struct plumb_check_live_deed *d,
                     uint32_t *bit)
{
    *bit = 0;
    switch (d->role) {
    case PLUMB_ROLE_WRITE:
    case PLUMB_ROLE_SWAP:
        return d->arg[0];
    case PLUMB_ROLE_CAS:
        *bit = state == d->arg[0];
        return *bit ? d->arg[1] : state;
    default:
        return state;
    }
}

static const char *const reason[][2] = {
    [PLUMB_ROLE_WRITE] = { NULL,
                           "write(%0) contradicts the values that were read" },
    [PLUMB_ROLE_SWAP] = { NULL, "swap(%0) returned %1, but the register cannot "
                                "have held %1" },
    [PLUMB_ROLE_CAS] = { "cas(%0, %1) returned false, but the register can "
                         "only have held %0",
                         "cas(%0, %1) returned true, but the register cannot "
                         "have held %0" },
    [PLUMB_ROLE_READ] = { NULL, "a read returned %0, but the register cannot "
                                "have held %0" },
};

static const struct plumb_check_live_small_state_type small_state = {
    .unkeyed = true,
    .values = true,
    .start = PLUMB_NIL_WORD,
    .step = step,
    .says_state =
        PLUMB_LIVE_ROLE(PLUMB_ROLE_READ) | PLUMB_LIVE_ROLE(PLUMB_ROLE_SWAP),
    .watches = PLUMB_LIVE_ROLE(PLUMB_ROLE_READ),
    .overwrites = PLUMB_LIVE_ROLE(PLUMB_ROLE_WRITE),
    .reason = reason,
};

/* ---- both ---- */

struct machine {
    struct plumb_check_live_talk *talk;
    struct plumb_check_live_users users;
    void *intervals, *small; /* NULL: it has given up */
};

static void give_up_intervals(struct machine *m)
{
    plumb_check_live_intervals_close(m->intervals);
    m->intervals = NULL;
    if (m->small)
        plumb_check_live_small_state_limit(m->small, PLUMB_OVERLAP_MOST);
}

static void give_up_small(struct machine *m)
{
    plumb_check_live_small_state_close(m->small);
    m->small = NULL;
}

static void close_register(void *machine)
{
    struct machine *const m = machine;
    if (m->intervals)
        give_up_intervals(m);
    if (m->small)
        give_up_small(m);
    plumb_check_live_users_release(&m->users);
    plumb_base_release(m->talk->budget, m, sizeof *m);
}

static void *open_register(struct plumb_check_live_talk *talk)
{
    struct machine *const m = plumb_base_alloc_zeroed(talk->budget, sizeof *m);
    if (!m)
        return NULL;
    m->talk = talk;
    plumb_check_live_users_init(&m->users, talk->numbers);
    m->intervals = plumb_check_live_intervals_open(talk, &m->users);
    m->small = plumb_check_live_small_state_open(talk, &small_state, &m->users);
    if (m->intervals && m->small) {
        plumb_check_live_small_state_limit(m->small, SMALL_BESIDE);
        return m;
    }
    close_register(m);
    return NULL;
}

/* Intervals first: they use a value that is written, if they follow it, before
 * the other may give up and use it no more. */
static enum plumb_check_live_word tell(struct machine *m,
                                       struct plumb_check_live_op *o,
                                       plumb_check_live_event *intervals,
                                       plumb_check_live_event *small)
{
    struct plumb_check_live_op a = *o, b = *o;
    enum plumb_check_live_word word = PLUMB_LIVE_DECLINED, other = word;
    a.ticket = o->ticket >> SLOT_BITS;
    b.ticket = o->ticket & ((1u << SLOT_BITS) - 1);
    if (m->intervals)
        word = intervals(m->intervals, &a);
    if (word == PLUMB_LIVE_VIOLATED || word == PLUMB_LIVE_NO_ROOM)
        return word;
    if (m->small)
        other = small(m->small, &b);
    if (m->small && other == PLUMB_LIVE_DECLINED)
        give_up_small(m);
    if (m->intervals && word == PLUMB_LIVE_DECLINED)
        give_up_intervals(m);
    o->ticket = a.ticket << SLOT_BITS | b.ticket;
    return word == PLUMB_LIVE_DECLINED || other == PLUMB_LIVE_NO_ROOM ? other
                                                                      : word;
}

static enum plumb_check_live_word call_register(void *machine,
                                                struct plumb_check_live_op *o)
{
    return tell(machine, o, plumb_check_live_intervals_call,
                plumb_check_live_small_state_call);
}

static enum plumb_check_live_word ret_register(void *machine,
                                               struct plumb_check_live_op *o)
{
    return tell(machine, o, plumb_check_live_intervals_ret,
                plumb_check_live_small_state_ret);
}

static enum plumb_check_live_word info_register(void *machine,
                                                struct plumb_check_live_op *o)
{
    return tell(machine, o, plumb_check_live_intervals_info,
                plumb_check_live_small_state_info);
}

static enum plumb_check_live_word fail_register(void *machine,
                                                struct plumb_check_live_op *o)
{
    return tell(machine, o, plumb_check_live_intervals_fail,
                plumb_check_live_small_state_fail);
}

const struct plumb_check_live_class plumb_check_live_class_register = {
    .open = open_register,
    .close = close_register,
    .call = call_register,
    .ret = ret_register,
    .info = info_register,
    .fail = fail_register,
};
