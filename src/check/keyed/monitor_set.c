/* monitor_set.c - sets, whatever their values: one sweep in the order of time.
 *
 * live_set.c decides; here it is fed with an input, and where it lets operations
 * take effect makes the order. */
#include "check/input/effects.h"
#include "check/live/live_set.h"
#include "key_shares.h"

#include "base/arena.h"
#include "base/pace.h"
#include "base/workers.h"

/* Most operations are alone with their key: then the list of changes under way
 * (live_set.c) says nothing that the operation does not say itself, and none is
 * kept.  When a second one is called, both are told to the list; when none is
 * left, it is as if there had been none. */
struct lone {
    uint32_t op;    /* number + 1 of the only one that is open, or 0 */
    uint32_t among; /* how many are open, of those the list knows */
    /* As in struct plumb_check_set_key, but for its number and when it was, which do
     * not matter: whatever is told to the list was called later. */
    uint32_t flip;
    uint32_t unused; /* 16 bytes */
};

/* A share of the keys, which a thread follows. */
struct sweep {
    struct plumb_check_monitoring *m;
    struct plumb_check_share share;
    struct plumb_check_live_set set;
    struct lone *lone; /* by key */
    bool *own;         /* by operation: it was alone, and has returned */
    uint32_t *at;      /* of the others: their tickets, then their places */
    enum plumb_verdict verdict;
    enum plumb_status why; /* UNDECIDED */
    uint32_t end;          /* the event that is the first violation, or none */
};

struct worker_pool {
    struct sweep sweep[PLUMB_KEY_GROUPS];
    unsigned shares;
};

/* An event may flip a key twice, so flips are numbered from twice its rank:
 * then places are in the order of time, of all keys. */
enum { PLACES = 2 /* bits: of the places at one event */ };
#define MOST_EVENTS (((uint32_t)1 << 29) - 2)

/* Only reads, with its answer: a pending one does not say so. */
static bool reads(const struct plumb_check_accused *accused,
                  const struct plumb_check_input_op *o)
{
    (void)accused;
    return o->role == PLUMB_ROLE_MEMBER || o->word[1] == 0;
}

/* One place for each kind of event: it is the processor's guess which comes
 * next that costs. */
enum { CALL_MEMBER, CALL_CHANGE, SAW, CHANGED, REFUSED };

static inline unsigned kind_of(uint32_t event,
                               const struct plumb_check_input_op *o)
{
    const bool member = o->role == PLUMB_ROLE_MEMBER;
    if (!plumb_check_input_is_return(event))
        return member ? CALL_MEMBER : CALL_CHANGE;
    const unsigned change = o->word[1] ? CHANGED : REFUSED;
    return member ? SAW : change;
}

/* What an event makes of the place of its operation.  That of an open one is
 * its ticket until it returns, that of a pending one stays nowhere. */
static inline uint32_t place_after(struct sweep *s, uint32_t event)
{
    const struct plumb_check_input_op *const o = s->m->input->op + event / 2;
    const uint32_t key = plumb_check_key_of(s->m->input, o),
                   ticket = s->at[event / 2];
    const uint64_t call = (uint64_t)o->call + 1, moment = (uint64_t)o->ret + 1;
    const bool insert = o->role == PLUMB_ROLE_INSERT;
    s->set.flips = 2 * plumb_check_input_rank(s->m->input, event);
    switch (kind_of(event, o)) {
    case CALL_MEMBER:
        return 0; /* for now */
    case CALL_CHANGE:
        return plumb_check_live_set_call(&s->set, key, insert, call, event / 2);
    case SAW:
        return plumb_check_live_set_saw(&s->set, key, o->word[1], call, moment);
    case CHANGED:
        return plumb_check_live_set_changed(&s->set, key, insert, ticket,
                                            moment);
    default:
        return plumb_check_live_set_refused(&s->set, key, insert, ticket,
                                            moment);
    }
}

/* Tell the list. */
static inline uint32_t place_among(struct sweep *s, uint32_t event)
{
    const uint32_t place = place_after(s, event), i = event / 2;
    const bool pending = plumb_check_input_is_pending(s->m->input->op + i);
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
    lone->among += plumb_check_input_is_return(event) ? UINT32_MAX : 1u;
    return place_among(s, event);
}

static uint32_t go_among(struct sweep *s, uint32_t event)
{
    const struct plumb_check_input_op *const o = s->m->input->op + event / 2;
    const uint32_t k = plumb_check_key_of(s->m->input, o);
    struct lone *const lone = s->lone + k;
    struct plumb_check_set_key *const key = s->set.key + k;
    if (plumb_check_input_is_pending(o) && o->role == PLUMB_ROLE_MEMBER)
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
static inline bool goes_alone(const struct plumb_check_input_op *o,
                              uint32_t event, struct lone *lone)
{
    const uint32_t me = event / 2 + 1, returns = event & 1;
    const uint32_t answer = o->word[1] & 1;
    const uint32_t wanted = answer ^ (o->role == PLUMB_ROLE_INSERT);
    const uint32_t flip = answer & (o->role != PLUMB_ROLE_MEMBER) & returns;
    if ((lone->op ^ (me & all_if(returns))) | lone->among |
        (returns & (lone->flip ^ wanted)) | plumb_check_input_is_pending(o))
        return false;
    lone->op = me & ~all_if(returns);
    lone->flip ^= flip;
    return true;
}

/* How many of the events are those of operations that are alone, up to the
 * first that is not. */
static uint32_t go_alone(struct sweep *s, const uint32_t *event,
                         uint32_t events)
{
    const struct plumb_check_input *const input = s->m->input;
    const struct plumb_check_input_op *const op = input->op;
    struct lone *const lone = s->lone;
    bool *const own = s->own;
    uint32_t i = 0;
    for (; i < events; i++) {
        const struct plumb_check_input_op *const o = op + event[i] / 2;
        if (!goes_alone(o, event[i], lone + plumb_check_key_of(input, o)))
            break;
        own[event[i] / 2] = event[i] & 1;
    }
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

/* LINEARIZABLE so far; or NOT, at event s->end; or UNDECIDED: `why` says why. */
static enum plumb_verdict follow(struct sweep *s, const uint32_t *event,
                                 uint32_t events, const bool *keep)
{
    uint32_t place = 0;
    if ((s->why = plumb_budget_state(s->m->budget)))
        return PLUMB_UNDECIDED;
    const uint32_t fine = go_on(s, event, events, keep, &place);
    if (fine == events)
        return PLUMB_LINEARIZABLE;
    s->end = event[fine];
    if (place == PLUMB_SET_NOWHERE)
        return PLUMB_NOT_LINEARIZABLE;
    s->why = PLUMB_EMEMORY;
    return PLUMB_UNDECIDED;
}

static bool is_fine(const struct sweep *s)
{
    return s->verdict == PLUMB_LINEARIZABLE;
}

/* The keys of a share, to the end. */
static bool sweep(void *context, unsigned member, uint32_t share)
{
    struct sweep *const s = ((struct worker_pool *)context)->sweep + share;
    const struct plumb_check_input *const input = s->m->input;
    uint32_t room[PLUMB_PICK], count;
    (void)member;
    s->verdict = PLUMB_LINEARIZABLE;
    for (uint32_t at = 0; at < input->events && is_fine(s);) {
        const uint32_t *const event =
            plumb_check_share_pick(s->share, input, &at, room, &count);
        s->verdict = follow(s, event, count, NULL);
    }
    for (uint32_t k = 0; k < plumb_check_key_count(input) && is_fine(s); k++) {
        if (plumb_check_share_has(s->share, k))
            plumb_check_live_set_settle(&s->set, k, s->at);
        if (!plumb_base_in_time(s->m->budget, k)) {
            s->why = PLUMB_EMEMORY;
            s->verdict = PLUMB_UNDECIDED;
        }
    }
    return true;
}

static bool start(struct worker_pool *c, struct plumb_check_monitoring *m)
{
    const struct plumb_check_input *const input = m->input;
    struct sweep s = { .m = m };
    struct plumb_check_set_key *const key = plumb_base_arena_zeroed(
        m->scratch, plumb_check_key_count(input) * sizeof *key);
    s.lone = plumb_base_arena_zeroed(m->scratch, plumb_check_key_count(input) *
                                                     sizeof *s.lone);
    s.own = plumb_base_arena_zeroed(m->scratch, (size_t)input->count + 1);
    s.at = plumb_base_arena_alloc(m->scratch,
                                  ((size_t)input->count + 1) * sizeof *s.at);
    if (!key || !s.lone || !s.own || !s.at)
        return false;
    for (unsigned i = 0; i < c->shares; i++) {
        s.share = plumb_check_share_of(i, c->shares);
        c->sweep[i] = s;
        if (!plumb_check_live_set_init(&c->sweep[i].set, m->budget, key))
            return false;
    }
    return true;
}

static void end(struct worker_pool *c)
{
    for (unsigned i = 0; i < c->shares; i++)
        plumb_check_live_set_release(&c->sweep[i].set);
}

/* ---- what it makes of the sweep ---- */

static bool put_in_order(const struct sweep *s)
{
    const uint32_t count = s->m->input->count;
    uint32_t effects = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(s->m->budget, i))
            return plumb_check_monitor_gives_up(s->m, PLUMB_EMEMORY);
        effects += !s->own[i];
    }
    struct plumb_check_effect *const effect = plumb_base_arena_alloc(
        s->m->scratch, ((size_t)effects + 1) * sizeof *effect);
    if (!effect)
        return plumb_check_monitor_gives_up(s->m, PLUMB_EMEMORY);
    effects = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(s->m->budget, i))
            return plumb_check_monitor_gives_up(s->m, PLUMB_EMEMORY);
        if (!s->own[i] && s->at[i] != PLUMB_NO_PLACE)
            effect[effects++] = (struct plumb_check_effect){ s->at[i], i };
    }
    s->m->verdict = PLUMB_LINEARIZABLE;
    return plumb_check_effects_order(s->m, s->own, effect, effects, PLACES);
}

struct trial {
    struct sweep *sweep;
    uint32_t key;
};

static enum plumb_verdict judge(const void *context, const uint32_t *event,
                                uint32_t events, const bool *keep)
{
    const struct trial *const t = context;
    plumb_check_live_set_forget(&t->sweep->set, t->key);
    t->sweep->lone[t->key] = (struct lone){ 0, 0, 0, 0 };
    return follow(t->sweep, event, events, keep);
}

static bool accuse(struct sweep *s)
{
    const struct plumb_check_input *const input = s->m->input;
    const struct plumb_check_input_op *const o = input->op + s->end / 2;
    struct trial t = { s, plumb_check_key_of(input, o) };
    const struct plumb_check_accused accused = { t.key, false, reads, judge,
                                                 &t };
    return plumb_check_blame_key(s->m, &accused, o->ret);
}

static bool is_earlier(const struct sweep *a, const struct sweep *b)
{
    const struct plumb_check_input *const input = a->m->input;
    return a->verdict == PLUMB_NOT_LINEARIZABLE &&
           (b->verdict != PLUMB_NOT_LINEARIZABLE ||
            plumb_check_input_rank(input, a->end) <
                plumb_check_input_rank(input, b->end));
}

static bool sum_up(struct worker_pool *c)
{
    struct sweep *worst = c->sweep;
    for (unsigned i = 0; i < c->shares; i++) {
        if (c->sweep[i].why)
            return plumb_check_monitor_gives_up(worst->m, c->sweep[i].why);
        if (is_earlier(c->sweep + i, worst))
            worst = c->sweep + i;
    }
    return worst->verdict == PLUMB_NOT_LINEARIZABLE ? accuse(worst)
                                                    : put_in_order(worst);
}

bool plumb_check_monitor_set(struct plumb_check_monitoring *m)
{
    struct worker_pool c = { .shares = plumb_check_share_count(m) };
    bool done = false;
    if (m->input->events > MOST_EVENTS)
        return plumb_check_monitor_declines(m, "the history is too long");
    if (start(&c, m)) {
        plumb_base_workers_run(c.shares, c.shares, sweep, &c);
        done = sum_up(&c);
    } else {
        plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
    }
    end(&c);
    return done;
}
