/* keyed_few.c - a monitor made of what few.c knows of each key.
 *
 * The sweep knows all answers, so it may meet a violation before the events so
 * far are one: some operation that is open may still look as if it could help,
 * but its answer will tell that it did not.  So the first event at which a key
 * is a violation is found by bisection, over the events of that key, and the
 * sweep goes on to see if another key is one before that. */
#include "check/keyed_few.h"
#include "check/keyed.h"

#include "base/arena.h"
#include <string.h>

struct sweep {
    struct plumb_monitoring *m;
    struct plumb_few few;
    /* The events of each key, in order: numbers of the tape's, from start[k];
     * made at the first violation. */
    uint32_t *start, *event;
    /* Numbers of events: there is a violation at `sure`, of that key, and none
     * before `maybe`. */
    uint32_t maybe, sure, sure_key;
    uint32_t lefts;
};

enum { WORK = 256 }; /* comparisons for each event, on the average */

static uint32_t key_of(const struct sweep *s, uint32_t op)
{
    return s->few.type->whole ? 0
                              : plumb_key_of(s->m->tape, s->m->tape->op + op);
}

static uint32_t key_at(const struct sweep *s, uint32_t e)
{
    return key_of(s, s->m->tape->event[e] / 2);
}

static uint32_t key_count(const struct sweep *s)
{
    return s->few.type->whole ? 1 : plumb_key_count(s->m->tape);
}

static uint32_t rank_of(const struct plumb_tape *tape, uint32_t event)
{
    const struct plumb_tape_op *const o = tape->op + event / 2;
    return plumb_tape_is_return(event) ? o->ret : o->call;
}

static void feed(struct plumb_few *f, uint32_t event, uint32_t key,
                 uint32_t now)
{
    if (plumb_tape_is_return(event))
        plumb_few_return(f, event / 2, key, now);
    else
        plumb_few_call(f, event / 2, key, now);
}

/* ---- one key by itself ---- */

struct trial {
    struct sweep *sweep;
    uint32_t key;
};

/* What comes of these events, of one key? */
static enum plumb_verdict judge(const void *context, const uint32_t *event,
                                uint32_t events, const bool *keep)
{
    const struct trial *const t = context;
    const struct plumb_few *const all = &t->sweep->few;
    struct plumb_few_key key;
    struct plumb_few f = {
        .type = all->type, .tape = all->tape, .budget = all->budget, .key = &key
    };
    if (!events)
        return PLUMB_LINEARIZABLE;
    f.known = rank_of(f.tape, event[events - 1]);
    f.work = WORK * (uint64_t)events + 1000000;
    if (plumb_budget_state(f.budget) || !plumb_few_init(&f))
        return PLUMB_UNDECIDED;
    key = plumb_few_start(&f);
    for (uint32_t i = 0; i < events; i++)
        if (!keep || keep[event[i] / 2])
            feed(&f, event[i], 0, i);
    plumb_few_release(&f);
    if (f.no_room || key.fate == PLUMB_FEW_LEFT)
        return PLUMB_UNDECIDED;
    return key.fate == PLUMB_FEW_VIOLATED ? PLUMB_NOT_LINEARIZABLE
                                          : PLUMB_LINEARIZABLE;
}

static bool index_events(struct sweep *s)
{
    const struct plumb_tape *const tape = s->m->tape;
    const uint32_t keys = key_count(s);
    s->start = plumb_arena_zeroed(s->m->scratch,
                                  ((size_t)keys + 2) * sizeof *s->start);
    s->event = plumb_arena_alloc(s->m->scratch,
                                 (size_t)tape->events * sizeof *s->event);
    if (!s->start || !s->event)
        return false;
    for (uint32_t i = 0; i < tape->events; i++)
        s->start[key_at(s, i) + 2]++;
    for (uint32_t k = 2; k <= keys; k++)
        s->start[k] += s->start[k - 1];
    for (uint32_t i = 0; i < tape->events; i++)
        s->event[s->start[key_at(s, i) + 1]++] = i;
    return true;
}

/* The events of the key up to *high are a violation, those before *low are
 * not; both are numbers of its events.  Is one more known?  False: too many
 * orders. */
static bool probe(const struct trial *t, const uint32_t *event, uint32_t at,
                  uint32_t *low, uint32_t *high)
{
    const enum plumb_verdict verdict = judge(t, event, at + 1, NULL);
    if (verdict == PLUMB_NOT_LINEARIZABLE)
        *high = at;
    else if (verdict == PLUMB_LINEARIZABLE)
        *low = at + 1;
    return verdict != PLUMB_UNDECIDED;
}

/* Closer: it is most often one of the next. */
static void close_in(const struct trial *t, const uint32_t *event,
                     uint32_t *low, uint32_t *high)
{
    for (uint32_t far = 1; *low < *high; far *= 2) {
        const uint32_t at = *low + far - 1;
        if (at >= *high || !probe(t, event, at, low, high))
            break;
    }
    while (*low < *high &&
           probe(t, event, *low + (*high - *low) / 2, low, high))
        continue;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* With all answers known, key k is a violation at event number e. */
static bool find_violation(struct sweep *s, uint32_t k, uint32_t e)
{
    if (!s->start && !index_events(s))
        return false;
    const uint32_t *const mine = s->event + s->start[k];
    const uint32_t count = s->start[k + 1] - s->start[k];
    const struct trial t = { s, k };
    uint32_t *const event =
        plumb_arena_alloc(s->m->scratch, (size_t)count * sizeof *event);
    if (!event)
        return false;
    uint32_t low = 0, high = count - 1;
    for (uint32_t i = 0; i < count; i++) {
        event[i] = s->m->tape->event[mine[i]];
        low += mine[i] < e;
    }
    close_in(&t, event, &low, &high);
    s->maybe = least(s->maybe, mine[low]);
    if (mine[high] < s->sure) {
        s->sure = mine[high];
        s->sure_key = k;
    }
    return true;
}

/* ---- the sweep ---- */

static void leave(struct sweep *s, uint32_t e)
{
    s->lefts++;
    s->maybe = least(s->maybe, e);
}

/* Event number i, of one that is not alone.  False when memory is used up. */
static bool go_among(struct sweep *s, uint32_t i, uint32_t *returns)
{
    const struct plumb_tape *const tape = s->m->tape;
    const uint32_t k = key_at(s, i);
    const struct plumb_few_key *const key = s->few.key + k;
    if (key->fate != PLUMB_FEW_FOLLOWED)
        return true;
    feed(&s->few, tape->event[i], k, *returns);
    *returns += plumb_tape_is_return(tape->event[i]);
    if (key->fate == PLUMB_FEW_LEFT)
        leave(s, i);
    return (key->fate != PLUMB_FEW_VIOLATED || find_violation(s, k, i)) &&
           !s->few.no_room;
}

/* Those that are behind a violation do not matter. */
static uint32_t end_of(const struct sweep *s, uint32_t most)
{
    const uint32_t events = s->m->tape->events;
    return least(most, s->sure < events ? s->sure + 1 : events);
}

/* False when the budget is used up. */
static bool sweep(struct sweep *s)
{
    enum { SOME = 4096 };
    const uint32_t *const event = s->m->tape->event;
    uint32_t returns = 0;
    for (uint32_t i = 0; i < end_of(s, PLUMB_NEVER);) {
        const uint32_t end = i + SOME;
        if ((s->m->why = plumb_budget_state(s->m->budget)))
            return false;
        while (i < end_of(s, end)) {
            i += plumb_few_go_alone(&s->few, event + i, end_of(s, end) - i,
                                    &returns);
            if (i < end_of(s, end) && !go_among(s, i++, &returns))
                return plumb_monitor_gives_up(s->m, PLUMB_EMEMORY);
        }
    }
    return true;
}

static bool start(struct sweep *s)
{
    const struct plumb_tape *const tape = s->m->tape;
    const size_t count = (size_t)tape->count + 1;
    const uint32_t keys = key_count(s);
    struct plumb_few *const f = &s->few;
    f->key = plumb_arena_alloc(s->m->scratch, keys * sizeof *f->key);
    f->when = plumb_arena_alloc(s->m->scratch, count * sizeof *f->when);
    f->amid = plumb_arena_alloc(s->m->scratch, count * sizeof *f->amid);
    if (!f->key || !f->when || !f->amid || !plumb_few_init(f))
        return plumb_monitor_gives_up(s->m, PLUMB_EMEMORY);
    for (uint32_t k = 0; k < keys; k++)
        f->key[k] = plumb_few_start(f);
    memset(f->when, 0xff, count * sizeof *f->when);
    return true;
}

/* ---- what it makes of it ---- */

static bool list_left(struct sweep *s, const char *why)
{
    struct plumb_monitoring *const m = s->m;
    const uint32_t keys = key_count(s);
    if (!s->lefts)
        return true;
    bool *const left = plumb_arena_alloc(m->arena, keys);
    if (!left)
        return plumb_monitor_gives_up(m, PLUMB_EMEMORY);
    for (uint32_t k = 0; k < keys; k++)
        left[k] = s->few.key[k].fate == PLUMB_FEW_LEFT;
    m->left = left;
    m->lefts = s->lefts;
    m->declined = why;
    return true;
}

/* Those of keys that were left did not take effect. */
static void forget_left(struct sweep *s)
{
    const struct plumb_tape *const tape = s->m->tape;
    if (!s->lefts)
        return;
    for (uint32_t i = 0; i < tape->count; i++)
        if (s->few.key[key_of(s, i)].fate)
            s->few.when[i] = PLUMB_NO_WORD;
}

/* Sorted by counting.  Those that took effect alone with their keys come in any
 * order among those of the same time; the others as they are listed. */
static bool put_in_order(struct sweep *s)
{
    const struct plumb_tape *const tape = s->m->tape;
    struct plumb_few *const f = &s->few;
    const uint32_t count = tape->count, behind = count + 1;
    for (uint32_t k = 0; k < key_count(s); k++)
        plumb_few_finish(f, k);
    forget_left(s);
    uint32_t *const start =
        plumb_arena_zeroed(s->m->scratch, ((size_t)behind + 2) * sizeof *start);
    uint32_t *const order =
        plumb_arena_alloc(s->m->arena, ((size_t)count + 1) * sizeof *order);
    if (!start || !order)
        return plumb_monitor_gives_up(s->m, PLUMB_EMEMORY);
    for (uint32_t i = 0; i < count; i++)
        start[least(f->when[i] / 2, behind) + 1]++;
    for (uint32_t i = 1; i <= behind; i++)
        start[i] += start[i - 1];
    s->m->order = order;
    s->m->order_count = start[behind];
    for (uint32_t i = 0; i < f->amids; i++)
        if (f->when[f->amid[i]] != PLUMB_NO_WORD)
            order[start[f->when[f->amid[i]] / 2]++] = f->amid[i];
    for (uint32_t i = 0; i < count; i++)
        if (!(f->when[i] & 1))
            order[start[f->when[i] / 2]++] = i;
    s->m->verdict = PLUMB_LINEARIZABLE;
    return true;
}

static bool reads(const struct plumb_accused *accused,
                  const struct plumb_tape_op *o)
{
    const struct trial *const t = accused->context;
    return t->sweep->few.type->reads(o, plumb_tape_is_pending(o));
}

static bool accuse(struct sweep *s)
{
    const struct plumb_tape *const tape = s->m->tape;
    struct trial t = { s, s->sure_key };
    const struct plumb_accused accused = { t.key, s->few.type->whole, reads,
                                           judge, &t };
    const bool done =
        plumb_blame_key(s->m, &accused, rank_of(tape, tape->event[s->sure]));
    s->m->maybe = rank_of(tape, tape->event[s->maybe]);
    return done;
}

bool plumb_monitor_few(struct plumb_monitoring *m,
                       const struct plumb_few_type *type, const char *why)
{
    struct sweep s = { .m = m,
                       .few = { .type = type,
                                .tape = m->tape,
                                .budget = m->budget,
                                .known = PLUMB_NEVER - 1,
                                .work = WORK * (uint64_t)m->tape->events +
                                        10000000 },
                       .maybe = PLUMB_NEVER,
                       .sure = PLUMB_NEVER };
    m->verdict = PLUMB_UNDECIDED;
    if (!start(&s))
        return false;
    bool done = sweep(&s);
    if (done && s.sure != PLUMB_NEVER)
        done = accuse(&s);
    else if (done && type->whole && s.lefts)
        m->declined = why;
    else if (done)
        done = list_left(&s, why) && put_in_order(&s);
    plumb_few_release(&s.few);
    return done;
}
