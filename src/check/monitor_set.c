/* monitor_set.c - sets, whatever their values: one sweep in the order of time.
 *
 * live_set.c decides; here it is fed with a tape, and where it lets operations
 * take effect makes the order. */
#include "check/keyed.h"
#include "check/live_set.h"

#include "base/arena.h"

/* Most operations are alone with their key: then the list of changes under way
 * (live_set.c) says nothing that the operation does not say itself, and none is
 * kept.  When a second one is called, both are told to the list; when none is
 * left, it is as if there had been none. */
struct lone {
    uint32_t op;    /* number + 1 of the only one that is open, or 0 */
    uint32_t among; /* how many are open, of those the list knows */
    /* As in struct plumb_set_key.  When it was does not matter: whatever is
     * told to the list was called later. */
    uint32_t flip;
    uint32_t unused; /* 16 bytes */
};

struct sweep {
    struct plumb_monitoring *m;
    struct plumb_live_set set;
    struct lone *lone; /* by key */
    uint32_t *at;      /* by operation: its ticket, then its place */
};

/* Only reads, with its answer: a pending one does not say so. */
static bool reads(const struct plumb_accused *accused,
                  const struct plumb_tape_op *o)
{
    (void)accused;
    return o->role == PLUMB_ROLE_MEMBER || o->word[1] == 0;
}

/* One place for each kind of event: it is the processor's guess which comes
 * next that costs. */
enum { CALL_MEMBER, CALL_CHANGE, SAW, CHANGED, REFUSED };

static inline unsigned kind_of(uint32_t event, const struct plumb_tape_op *o)
{
    const bool member = o->role == PLUMB_ROLE_MEMBER;
    if (!plumb_tape_is_return(event))
        return member ? CALL_MEMBER : CALL_CHANGE;
    const unsigned change = o->word[1] ? CHANGED : REFUSED;
    return member ? SAW : change;
}

/* What an event makes of the place of its operation.  That of an open one is
 * its ticket until it returns, that of a pending one stays nowhere. */
static inline uint32_t place_after(struct sweep *s, uint32_t event)
{
    const struct plumb_tape_op *const o = s->m->tape->op + event / 2;
    const uint32_t key = plumb_key_of(s->m->tape, o), ticket = s->at[event / 2];
    const uint64_t call = (uint64_t)o->call + 1, moment = (uint64_t)o->ret + 1;
    const bool insert = o->role == PLUMB_ROLE_INSERT;
    switch (kind_of(event, o)) {
    case CALL_MEMBER:
        return 0; /* for now */
    case CALL_CHANGE:
        return plumb_live_set_call(&s->set, key, insert, call, event / 2);
    case SAW:
        return plumb_live_set_saw(&s->set, key, o->word[1], call, moment);
    case CHANGED:
        return plumb_live_set_changed(&s->set, key, insert, ticket, moment);
    default:
        return plumb_live_set_refused(&s->set, key, insert, ticket, moment);
    }
}

/* Tell the list. */
static inline uint32_t place_among(struct sweep *s, uint32_t event)
{
    const uint32_t place = place_after(s, event), i = event / 2;
    const bool pending = plumb_tape_is_pending(s->m->tape->op + i);
    s->at[i] = pending ? PLUMB_NO_PLACE : place;
    return place;
}

/* An event of one that is not alone with its key.  It is NOWHERE, or there is
 * NO_ROOM, or neither. */
static uint32_t join(struct sweep *s, struct lone *lone, uint32_t event)
{
    if (lone->op) {
        const uint32_t ticket = place_among(s, 2 * (lone->op - 1));
        if (ticket >= PLUMB_SET_NO_ROOM)
            return ticket;
        lone->op = 0;
        lone->among = 1;
    }
    lone->among += plumb_tape_is_return(event) ? UINT32_MAX : 1u;
    return place_among(s, event);
}

static uint32_t go_among(struct sweep *s, uint32_t event)
{
    const struct plumb_tape_op *const o = s->m->tape->op + event / 2;
    const uint32_t k = plumb_key_of(s->m->tape, o);
    struct lone *const lone = s->lone + k;
    struct plumb_set_key *const key = s->set.key + k;
    if (plumb_tape_is_pending(o) && o->role == PLUMB_ROLE_MEMBER)
        return place_among(s, event); /* it is nobody's business */
    key->flip = lone->flip;
    const uint32_t place = join(s, lone, event);
    lone->flip = key->flip;
    return place;
}

/* All bits or none. */
static inline uint32_t all_if(uint32_t bit)
{
    return 0 - bit;
}

/* What an operation that is alone does, without a branch for what that is.
 * False: it is not alone, or it is a violation. */
static inline bool goes_alone(const struct plumb_tape_op *o, uint32_t event,
                              struct lone *lone, uint32_t *flips, uint32_t *at)
{
    const uint32_t me = event / 2 + 1, returns = event & 1;
    const uint32_t answer = o->word[1] & 1;
    const uint32_t wanted = answer ^ (o->role == PLUMB_ROLE_INSERT);
    const uint32_t flip = answer & (o->role != PLUMB_ROLE_MEMBER) & returns;
    if ((lone->op ^ (me & all_if(returns))) | lone->among |
        (returns & (lone->flip ^ wanted)) | plumb_tape_is_pending(o))
        return false;
    lone->op = me & ~all_if(returns);
    lone->flip ^= (lone->flip ^ (2 * *flips + !wanted)) & all_if(flip);
    *at = 2 * *flips + flip;
    *flips = (*flips + flip) & PLUMB_SET_FLIPS;
    return true;
}

/* How many of the events are those of operations that are alone, up to the
 * first that is not. */
static uint32_t go_alone(struct sweep *s, const uint32_t *event,
                         uint32_t events)
{
    const struct plumb_tape *const tape = s->m->tape;
    const struct plumb_tape_op *const op = tape->op;
    struct lone *const lone = s->lone;
    uint32_t flips = s->set.flips, *const at = s->at, i = 0;
    for (; i < events; i++) {
        const struct plumb_tape_op *const o = op + event[i] / 2;
        if (!goes_alone(o, event[i], lone + plumb_key_of(tape, o), &flips,
                        at + event[i] / 2))
            break;
    }
    s->set.flips = flips;
    return i;
}

/* How many of the events were fine; *place is that of the next, NOWHERE or
 * NO_ROOM.  Only operations with keep[], unless that is NULL. */
static uint32_t go_on(struct sweep *s, const uint32_t *event, uint32_t events,
                      const bool *keep, uint32_t *place)
{
    uint32_t i = 0;
    for (; i < events; i++) {
        if (!keep)
            i += go_alone(s, event + i, events - i);
        else if (!keep[event[i] / 2])
            continue;
        if (i == events)
            break;
        *place = go_among(s, event[i]);
        if (*place >= PLUMB_SET_NO_ROOM)
            break;
    }
    return i;
}

/* LINEARIZABLE; or NOT, and *end is the number of the event that is the first
 * violation; or UNDECIDED: `why` says why. */
static enum plumb_verdict sweep(struct sweep *s, const uint32_t *event,
                                uint32_t events, const bool *keep,
                                uint32_t *end)
{
    for (uint32_t i = 0; i < events;) {
        const uint32_t most = 4 * PLUMB_POLL_OPERATIONS;
        const uint32_t some = events - i < most ? events - i : most;
        uint32_t place = 0;
        if ((s->m->why = plumb_budget_state(s->m->budget)))
            return PLUMB_UNDECIDED;
        const uint32_t fine = go_on(s, event + i, some, keep, &place);
        i += fine;
        if (fine == some)
            continue;
        *end = i;
        if (place == PLUMB_SET_NOWHERE)
            return PLUMB_NOT_LINEARIZABLE;
        s->m->why = PLUMB_EMEMORY;
        return PLUMB_UNDECIDED;
    }
    return PLUMB_LINEARIZABLE;
}

static bool start(struct sweep *s, struct plumb_monitoring *m)
{
    struct plumb_set_key *const key =
        plumb_arena_zeroed(m->scratch, plumb_key_count(m->tape) * sizeof *key);
    s->m = m;
    s->lone = plumb_arena_zeroed(m->scratch,
                                 plumb_key_count(m->tape) * sizeof *s->lone);
    s->at = plumb_arena_alloc(m->scratch,
                              ((size_t)m->tape->count + 1) * sizeof *s->at);
    return key && s->lone && s->at &&
           plumb_live_set_init(&s->set, m->budget, key);
}

/* ---- what it makes of the sweep ---- */

static bool put_in_order(struct sweep *s)
{
    const struct plumb_tape *const tape = s->m->tape;
    for (uint32_t k = 0; k < plumb_key_count(tape); k++)
        plumb_live_set_settle(&s->set, k, s->at);
    s->m->verdict = PLUMB_LINEARIZABLE;
    return plumb_order_by_place(s->m, s->at, s->set.flips);
}

struct trial {
    struct sweep *sweep;
    uint32_t key;
};

static enum plumb_verdict judge(const void *context, const uint32_t *event,
                                uint32_t events, const bool *keep)
{
    const struct trial *const t = context;
    uint32_t end;
    plumb_live_set_forget(&t->sweep->set, t->key);
    t->sweep->lone[t->key] = (struct lone){ 0, 0, 0, 0 };
    return sweep(t->sweep, event, events, keep, &end);
}

static bool accuse(struct sweep *s, uint32_t end)
{
    const struct plumb_tape *const tape = s->m->tape;
    const struct plumb_tape_op *const o = tape->op + tape->event[end] / 2;
    struct trial t = { s, plumb_key_of(tape, o) };
    const struct plumb_accused accused = { t.key, false, reads, judge, &t };
    return plumb_blame_key(s->m, &accused, o->ret);
}

bool plumb_monitor_set(struct plumb_monitoring *m)
{
    struct sweep s = { .m = m };
    uint32_t end = 0;
    bool done = false;
    if (!start(&s, m))
        return plumb_monitor_gives_up(m, PLUMB_EMEMORY);
    switch (sweep(&s, m->tape->event, m->tape->events, NULL, &end)) {
    case PLUMB_LINEARIZABLE:
        done = put_in_order(&s);
        break;
    case PLUMB_NOT_LINEARIZABLE:
        done = accuse(&s, end);
        break;
    default:
        m->verdict = PLUMB_UNDECIDED;
    }
    plumb_live_set_release(&s.set);
    return done;
}
