/* monitor_set.c - sets, whatever their values: one sweep in the order of time.
 *
 * live_set.c decides; here it is fed with a tape, and where it lets operations
 * take effect makes the order. */
#include "check/keyed.h"
#include "check/live_set.h"

#include "base/arena.h"

struct sweep {
    struct plumb_monitoring *m;
    struct plumb_live_set set;
    uint32_t *at; /* by operation: its ticket, then its place */
};

/* Only reads, with its answer: a pending one does not say so. */
static bool reads(const struct plumb_accused *accused,
                  const struct plumb_tape_op *o)
{
    (void)accused;
    return o->role == PLUMB_ROLE_MEMBER || o->word[1] == 0;
}

static inline uint32_t return_of(struct sweep *s, uint32_t i)
{
    const struct plumb_tape_op *const o = s->m->tape->op + i;
    const uint32_t key = plumb_key_of(s->m->tape, o), moment = o->ret + 1;
    const bool insert = o->role == PLUMB_ROLE_INSERT;
    if (o->role == PLUMB_ROLE_MEMBER)
        return plumb_live_set_saw(&s->set, key, o->word[1], o->call + 1,
                                  moment);
    if (o->word[1])
        return plumb_live_set_changed(&s->set, key, insert, s->at[i], moment);
    return plumb_live_set_refused(&s->set, key, insert, s->at[i], moment);
}

/* The place of an open operation is its ticket until it returns. */
static inline bool call_of(struct sweep *s, uint32_t i)
{
    const struct plumb_tape_op *const o = s->m->tape->op + i;
    if (o->role == PLUMB_ROLE_MEMBER) {
        s->at[i] = PLUMB_NO_PLACE;
        return true;
    }
    s->at[i] =
        plumb_live_set_call(&s->set, plumb_key_of(s->m->tape, o),
                            o->role == PLUMB_ROLE_INSERT, o->call + 1, i);
    return s->at[i] != PLUMB_NO_TICKET;
}

/* LINEARIZABLE; or NOT, and *end is the place of the event that is the first
 * violation; or UNDECIDED: `why` says why.  Only operations with keep[], unless
 * that is NULL. */
static enum plumb_verdict sweep(struct sweep *s, const uint32_t *event,
                                uint32_t events, const bool *keep,
                                uint32_t *end)
{
    for (uint32_t i = 0; i < events; i++) {
        const uint32_t o = event[i] / 2;
        if (i % (4 * PLUMB_POLL_OPERATIONS) == 0)
            s->m->why = plumb_budget_state(s->m->budget);
        if (s->m->why)
            return PLUMB_UNDECIDED;
        if (keep && !keep[o])
            continue;
        if (!plumb_tape_is_return(event[i])) {
            if (!call_of(s, o))
                s->m->why = PLUMB_EMEMORY;
            continue;
        }
        s->at[o] = return_of(s, o);
        if (s->at[o] == PLUMB_SET_NOWHERE) {
            *end = i;
            return PLUMB_NOT_LINEARIZABLE;
        }
        if (s->at[o] == PLUMB_SET_NO_ROOM)
            s->m->why = PLUMB_EMEMORY;
    }
    return s->m->why ? PLUMB_UNDECIDED : PLUMB_LINEARIZABLE;
}

static bool start(struct sweep *s, struct plumb_monitoring *m)
{
    struct plumb_set_key *const key =
        plumb_arena_zeroed(m->scratch, plumb_key_count(m->tape) * sizeof *key);
    s->m = m;
    s->at = plumb_arena_alloc(m->scratch,
                              ((size_t)m->tape->count + 1) * sizeof *s->at);
    return key && s->at && plumb_live_set_init(&s->set, m->budget, key);
}

/* ---- what it makes of the sweep ---- */

static bool put_in_order(struct sweep *s)
{
    const struct plumb_tape *const tape = s->m->tape;
    for (uint32_t i = 0; i < tape->count; i++)
        if (plumb_tape_is_pending(tape->op + i))
            s->at[i] = PLUMB_NO_PLACE;
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
    return sweep(t->sweep, event, events, keep, &end);
}

static bool accuse(struct sweep *s, uint32_t end)
{
    const struct plumb_tape *const tape = s->m->tape;
    const struct plumb_tape_op *const o = tape->op + tape->event[end] / 2;
    struct trial t = { s, plumb_key_of(tape, o) };
    const struct plumb_accused accused = { t.key, reads, judge, &t };
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
