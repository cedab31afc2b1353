/* live_register.c - the machine of registers.
 *
 * Two follow the same stream: live_register_intervals.c, as long as every value is written
 * once at a time and there is no compare-and-set or swap, however much is open;
 * and live_small_state.c, whatever the values are, as long as few operations overlap.
 * Each is exact as long as it follows; it is given up when both have given up. */
#include "live_keyed.h"
#include "live_register_intervals.h"
#include "live_small_state.h"

#include "base/memory.h"
#include "check/input/monitor_input.h"
#include "live_overlap.h"

enum {
    SLOT_BITS = 6,  /* of a ticket: the slot of live_small_state.c */
    FEW_BESIDE = 64 /* configurations, as long as the other follows too */
};
_Static_assert((int)PLUMB_FRONT_SLOTS < 1 << SLOT_BITS, "slots fit");

/* ---- a register with few states ---- */

static uint32_t start(const struct plumb_check_live_talk *talk)
{
    return talk->initial == PLUMB_NO_WORD ? PLUMB_NIL_WORD : talk->initial;
}

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

static enum plumb_check_live_tone tone(uint32_t role)
{
    return role == PLUMB_ROLE_READ || role == PLUMB_ROLE_SWAP
               ? PLUMB_LIVE_SAYS_STATE
               : PLUMB_LIVE_SAYS_BIT;
}

static bool watches(uint32_t role)
{
    return role == PLUMB_ROLE_READ;
}

static bool overwrites(uint32_t role)
{
    return role == PLUMB_ROLE_WRITE;
}

static uint32_t answer(const struct plumb_check_live_op *o)
{
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return 0;
    case PLUMB_ROLE_CAS:
        return o->word[2];
    default: /* its only result */
        return o->word[o->role == PLUMB_ROLE_SWAP];
    }
}

static const char *reason(const struct plumb_check_live_op *o)
{
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return "write(%0) contradicts the values that were read";
    case PLUMB_ROLE_SWAP:
        return "swap(%0) returned %1, but the register cannot have held %1";
    case PLUMB_ROLE_CAS:
        return o->word[2] ? "cas(%0, %1) returned true, but the register "
                            "cannot have held %0"
                          : "cas(%0, %1) returned false, but the register can "
                            "only have held %0";
    default:
        return "a read returned %0, but the register cannot have held %0";
    }
}

static const struct plumb_check_live_small_state_type few_states = {
    .unkeyed = true,
    .values = true,
    .start = start,
    .step = step,
    .tone = tone,
    .watches = watches,
    .overwrites = overwrites,
    .answer = answer,
    .reason = reason,
};

/* ---- both ---- */

struct machine {
    struct plumb_check_live_talk *talk;
    struct plumb_check_live_users users;
    void *zones, *few; /* NULL: it has given up */
};

static void give_up_zones(struct machine *m)
{
    plumb_check_live_intervals_close(m->zones);
    m->zones = NULL;
    if (m->few)
        plumb_check_live_small_state_limit(m->few, PLUMB_FRONT_MOST);
}

static void give_up_few(struct machine *m)
{
    plumb_check_live_small_state_close(m->few);
    m->few = NULL;
}

static void close_register(void *machine)
{
    struct machine *const m = machine;
    if (m->zones)
        give_up_zones(m);
    if (m->few)
        give_up_few(m);
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
    m->zones = plumb_check_live_intervals_open(talk, &m->users);
    m->few = plumb_check_live_small_state_open(talk, &few_states, &m->users);
    if (m->zones && m->few) {
        plumb_check_live_small_state_limit(m->few, FEW_BESIDE);
        return m;
    }
    close_register(m);
    return NULL;
}

/* One kind of event, for each of the two. */
struct event {
    enum plumb_check_live_word (*zones)(void *machine,
                                        struct plumb_check_live_op *o);
    enum plumb_check_live_word (*few)(void *machine,
                                      struct plumb_check_live_op *o);
    bool returns; /* the functions above are for other kinds */
    uint64_t now;
};

static enum plumb_check_live_word tell_few(struct machine *m,
                                           struct plumb_check_live_op *o,
                                           const struct event *e)
{
    return e->returns ? plumb_check_live_small_state_ret(m->few, o, e->now)
                      : e->few(m->few, o);
}

static enum plumb_check_live_word tell_zones(struct machine *m,
                                             struct plumb_check_live_op *o,
                                             const struct event *e)
{
    return e->returns ? plumb_check_live_intervals_ret(m->zones, o, e->now)
                      : e->zones(m->zones, o);
}

/* Zones first: they use a value that is written, if they follow it, before the
 * other may give up and use it no more. */
static enum plumb_check_live_word tell(struct machine *m,
                                       struct plumb_check_live_op *o,
                                       const struct event *e)
{
    struct plumb_check_live_op a = *o, b = *o;
    enum plumb_check_live_word word = PLUMB_LIVE_DECLINED, other = word;
    a.ticket = o->ticket >> SLOT_BITS;
    b.ticket = o->ticket & ((1u << SLOT_BITS) - 1);
    if (m->zones)
        word = tell_zones(m, &a, e);
    if (word == PLUMB_LIVE_VIOLATED || word == PLUMB_LIVE_NO_ROOM)
        return word;
    if (m->few)
        other = tell_few(m, &b, e);
    if (m->few && other == PLUMB_LIVE_DECLINED)
        give_up_few(m);
    if (m->zones && word == PLUMB_LIVE_DECLINED)
        give_up_zones(m);
    o->ticket = a.ticket << SLOT_BITS | b.ticket;
    return word == PLUMB_LIVE_DECLINED || other == PLUMB_LIVE_NO_ROOM ? other
                                                                      : word;
}

static enum plumb_check_live_word call_register(void *machine,
                                                struct plumb_check_live_op *o)
{
    return tell(machine, o,
                &(struct event){ .zones = plumb_check_live_intervals_call,
                                 .few = plumb_check_live_small_state_call });
}

static enum plumb_check_live_word ret_register(void *machine,
                                               struct plumb_check_live_op *o,
                                               uint64_t now)
{
    return tell(machine, o, &(struct event){ .returns = true, .now = now });
}

static enum plumb_check_live_word info_register(void *machine,
                                                struct plumb_check_live_op *o)
{
    return tell(machine, o,
                &(struct event){ .zones = plumb_check_live_intervals_info,
                                 .few = plumb_check_live_small_state_info });
}

static enum plumb_check_live_word fail_register(void *machine,
                                                struct plumb_check_live_op *o)
{
    return tell(machine, o,
                &(struct event){ .zones = plumb_check_live_intervals_fail,
                                 .few = plumb_check_live_small_state_fail });
}

static uint64_t resident_in_register(const void *machine)
{
    return ((const struct machine *)machine)->talk->numbers->used;
}

const struct plumb_check_live_class plumb_check_live_class_register = {
    .open = open_register,
    .close = close_register,
    .call = call_register,
    .ret = ret_register,
    .info = info_register,
    .fail = fail_register,
    .resident = resident_in_register,
};
