/* keyed_small_state.c - a monitor made of what small_state.c knows of each key.
 *
 * The sweep knows all answers, so it may meet a violation before the events so
 * far are one: some operation that is open may still look as if it could help,
 * but its answer will tell that it did not.  So the first event at which a key
 * is a violation is found by bisection, over the events of that key, and the
 * sweep goes on to see if another key is one before that. */
#include "small_state.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/workers.h"
#include <string.h>

/* A share of the keys, which a thread follows. */
struct sweep {
    const struct plumb_check_input *input;
    struct plumb_check_small_state small;
    struct plumb_check_share share;
    struct plumb_base_arena scratch;
    /* The events of each key, in order, from start[k]; made at the first
     * violation. */
    uint32_t *start, *event;
    /* Ranks: there is a violation at `sure`, of that key, and none before
     * `maybe`. */
    uint32_t maybe, sure, sure_key;
    uint32_t lefts;
    enum plumb_status why; /* the budget is used up */
};

struct worker_pool {
    struct plumb_check_monitoring *m;
    struct sweep sweep[PLUMB_KEY_GROUPS];
    unsigned shares;
};

/* Comparisons for each event, on the average; of one group of keys. */
enum { WORK = 256, GROUP_WORK = 64 };

static uint32_t key_of(const struct sweep *s, uint32_t op)
{
    return s->small.type->whole
               ? 0
               : plumb_check_key_of(s->input, s->input->op + op);
}

static uint32_t key_count(const struct sweep *s)
{
    return s->small.type->whole ? 1 : plumb_check_key_count(s->input);
}

static void feed(struct plumb_check_small_state *f, uint32_t event,
                 uint32_t key)
{
    const uint32_t now = plumb_check_input_rank(f->input, event);
    if (plumb_check_input_is_return(event))
        plumb_check_small_state_return(f, event / 2, key, now);
    else
        plumb_check_small_state_call(f, event / 2, key, now);
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
    const struct plumb_check_small_state *const all = &t->sweep->small;
    struct plumb_check_small_state_key key;
    struct plumb_check_small_state f = { .type = all->type,
                                         .input = all->input,
                                         .budget = all->budget,
                                         .key = &key };
    if (!events)
        return PLUMB_LINEARIZABLE;
    f.known = plumb_check_input_rank(f.input, event[events - 1]);
    f.work[0] = WORK * (uint64_t)events + 1000000;
    if (plumb_budget_state(f.budget) || !plumb_check_small_state_init(&f))
        return PLUMB_UNDECIDED;
    key = plumb_check_small_state_start(&f);
    for (uint32_t i = 0; i < events && !f.no_room; i++) {
        if (!keep || keep[event[i] / 2])
            feed(&f, event[i], 0);
        if (!plumb_base_in_time(f.budget, i))
            f.no_room = true;
    }
    plumb_check_small_state_release(&f);
    if (f.no_room || key.fate == PLUMB_SMALL_LEFT)
        return PLUMB_UNDECIDED;
    return key.fate == PLUMB_SMALL_VIOLATED ? PLUMB_NOT_LINEARIZABLE
                                            : PLUMB_LINEARIZABLE;
}

/* Of the share's keys. */
static bool index_events(struct sweep *s)
{
    const struct plumb_check_input *const input = s->input;
    const uint32_t keys = key_count(s);
    struct plumb_base_pace pace = { .budget = s->small.budget };
    uint32_t room[PLUMB_PICK], count, mine = 0;
    s->start = plumb_base_arena_zeroed(&s->scratch,
                                       ((size_t)keys + 2) * sizeof *s->start);
    if (!s->start)
        return false;
    for (uint32_t at = 0; at < input->events; mine += count) {
        const uint32_t *const e =
            plumb_check_share_pick(s->share, input, &at, room, &count);
        if (!plumb_base_pace_allows(&pace, PLUMB_PICK))
            return false;
        for (uint32_t i = 0; i < count; i++)
            s->start[key_of(s, e[i] / 2) + 2]++;
    }
    s->event = plumb_base_arena_alloc(&s->scratch,
                                      ((size_t)mine + 1) * sizeof *s->event);
    if (!s->event)
        return false;
    for (uint32_t k = 2; k <= keys; k++) {
        if (!plumb_base_pace_allows(&pace, 1))
            return false;
        s->start[k] += s->start[k - 1];
    }
    for (uint32_t at = 0; at < input->events;) {
        const uint32_t *const e =
            plumb_check_share_pick(s->share, input, &at, room, &count);
        if (!plumb_base_pace_allows(&pace, PLUMB_PICK))
            return false;
        for (uint32_t i = 0; i < count; i++)
            s->event[s->start[key_of(s, e[i] / 2) + 1]++] = e[i];
    }
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

/* With all answers known, key k is a violation at the event of that rank. */
static bool find_violation(struct sweep *s, uint32_t k, uint32_t rank)
{
    if (!s->start && !index_events(s))
        return false;
    const uint32_t *const event = s->event + s->start[k];
    const uint32_t count = s->start[k + 1] - s->start[k];
    const struct trial t = { s, k };
    uint32_t low = 0, high = count - 1;
    while (plumb_check_input_rank(s->input, event[low]) < rank)
        low++;
    close_in(&t, event, &low, &high);
    s->maybe = least(s->maybe, plumb_check_input_rank(s->input, event[low]));
    const uint32_t sure = plumb_check_input_rank(s->input, event[high]);
    if (sure < s->sure) {
        s->sure = sure;
        s->sure_key = k;
    }
    return true;
}

/* ---- the sweep ---- */

static void leave(struct sweep *s, uint32_t rank)
{
    s->lefts++;
    s->maybe = least(s->maybe, rank);
}

/* An event of one that is not alone.  False when memory is used up. */
static bool go_among(struct sweep *s, uint32_t event)
{
    const uint32_t k = key_of(s, event / 2);
    const uint32_t rank = plumb_check_input_rank(s->input, event);
    const struct plumb_check_small_state_key *const key = s->small.key + k;
    if (key->fate != PLUMB_SMALL_FOLLOWED)
        return true;
    feed(&s->small, event, k);
    if (key->fate == PLUMB_SMALL_LEFT)
        leave(s, rank);
    return (key->fate != PLUMB_SMALL_VIOLATED || find_violation(s, k, rank)) &&
           !s->small.no_room;
}

/* What is behind a violation does not matter.  False when memory is used up. */
static bool go_on(struct sweep *s, const uint32_t *event, uint32_t events)
{
    for (uint32_t i = 0; i < events; i++) {
        i += plumb_check_small_state_go_alone(&s->small, event + i, events - i);
        if (i == events || plumb_check_input_rank(s->input, event[i]) > s->sure)
            return true;
        if (!go_among(s, event[i]))
            return false;
    }
    return true;
}

static bool is_behind_violation(const struct sweep *s, const uint32_t *event,
                                uint32_t events)
{
    return s->sure != PLUMB_NEVER && events &&
           plumb_check_input_rank(s->input, event[0]) > s->sure;
}

static void finish(struct sweep *s)
{
    for (uint32_t k = 0; k < key_count(s) && !s->why; k++) {
        if (plumb_check_share_has(s->share, k))
            plumb_check_small_state_finish(&s->small, k);
        if (!plumb_base_in_time(s->small.budget, k))
            s->why = PLUMB_EMEMORY;
    }
}

/* `why` says if the budget is used up. */
static void sweep(struct sweep *s)
{
    uint32_t room[PLUMB_PICK], count;
    for (uint32_t at = 0; at < s->input->events;) {
        if ((s->why = plumb_budget_state(s->small.budget)))
            return;
        const uint32_t *const event =
            plumb_check_share_pick(s->share, s->input, &at, room, &count);
        if (is_behind_violation(s, event, count))
            return;
        if (!go_on(s, event, count)) {
            s->why = PLUMB_EMEMORY;
            return;
        }
    }
    finish(s);
    if (s->small.no_room)
        s->why = PLUMB_EMEMORY;
}

static bool sweep_share(void *context, unsigned member, uint32_t share)
{
    struct worker_pool *const c = context;
    (void)member;
    sweep(c->sweep + share);
    return true;
}

static bool start_share(struct worker_pool *c, unsigned number,
                        const struct plumb_check_small_state *small)
{
    struct sweep *const s = c->sweep + number;
    s->input = c->m->input;
    s->small = *small;
    s->share = plumb_check_share_of(number, c->shares);
    s->maybe = s->sure = PLUMB_NEVER;
    plumb_base_arena_init(&s->scratch, c->m->budget);
    if (plumb_check_small_state_init(&s->small))
        return true;
    s->small = (struct plumb_check_small_state){ .type = small->type };
    return false;
}

static bool start(struct worker_pool *c,
                  const struct plumb_check_small_state_type *type)
{
    const struct plumb_check_input *const input = c->m->input;
    struct plumb_base_arena *const scratch = c->m->scratch;
    const uint32_t keys = type->whole ? 1 : plumb_check_key_count(input);
    struct plumb_check_small_state f = { .type = type,
                                         .input = input,
                                         .budget = c->m->budget,
                                         .known = PLUMB_NEVER - 1 };
    for (unsigned g = 0; g < PLUMB_KEY_GROUPS; g++)
        f.work[g] =
            (type->whole ? WORK : GROUP_WORK) * (uint64_t)input->events +
            10000000;
    f.key = plumb_base_arena_alloc(scratch, keys * sizeof *f.key);
    f.own = plumb_base_arena_zeroed(scratch, (size_t)input->count + 1);
    if (!f.key || !f.own)
        return false;
    for (uint32_t k = 0; k < keys; k++) {
        if (!plumb_base_in_time(f.budget, k))
            return false;
        f.key[k] = plumb_check_small_state_start(&f);
    }
    for (unsigned i = 0; i < c->shares; i++)
        if (!start_share(c, i, &f))
            return false;
    return true;
}

static void end(struct worker_pool *c)
{
    for (unsigned i = 0; i < c->shares; i++) {
        plumb_base_arena_release(&c->sweep[i].scratch);
        plumb_check_small_state_release(&c->sweep[i].small);
    }
}

/* ---- what it makes of it ---- */

/* The share in which there is a violation first, or the first. */
static struct sweep *worst_of(struct worker_pool *c)
{
    struct sweep *worst = c->sweep;
    for (unsigned i = 1; i < c->shares; i++)
        if (c->sweep[i].sure < worst->sure)
            worst = c->sweep + i;
    return worst;
}

static uint32_t count_left(const struct worker_pool *c)
{
    uint32_t lefts = 0;
    for (unsigned i = 0; i < c->shares; i++)
        lefts += c->sweep[i].lefts;
    return lefts;
}

static bool list_left(struct worker_pool *c, const char *why)
{
    struct plumb_check_monitoring *const m = c->m;
    const uint32_t keys = key_count(c->sweep);
    m->lefts = count_left(c);
    if (!m->lefts)
        return true;
    bool *const left = plumb_base_arena_alloc(m->arena, keys);
    if (!left)
        return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
    for (uint32_t k = 0; k < keys; k++) {
        if (!plumb_base_in_time(m->budget, k))
            return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
        left[k] = c->sweep->small.key[k].fate == PLUMB_SMALL_LEFT;
    }
    m->left = left;
    m->declined = why;
    return true;
}

/* Those of keys that were left did not take effect. */
static bool drop_left(struct worker_pool *c)
{
    struct plumb_check_small_state *const f = &c->sweep->small;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->m->input->count; i++) {
        if (!plumb_base_in_time(c->m->budget, i))
            return false;
        if (f->key[key_of(c->sweep, i)].fate)
            f->own[i] = false;
    }
    for (uint32_t i = 0; i < f->amids; i++) {
        if (!plumb_base_in_time(c->m->budget, i))
            return false;
        if (!f->key[key_of(c->sweep, f->amid[i].op)].fate)
            f->amid[kept++] = f->amid[i];
    }
    f->amids = kept;
    return true;
}

/* The lists of all shares, one behind the other, in that of the first. */
static bool join_lists(struct worker_pool *c)
{
    struct plumb_check_small_state *const f = &c->sweep->small;
    for (unsigned i = 1; i < c->shares; i++) {
        const struct plumb_check_small_state *const other = &c->sweep[i].small;
        const size_t count = (size_t)f->amids + other->amids;
        if (!PLUMB_GROW(f->budget, f->amid, f->amid_capacity, count))
            return plumb_check_monitor_gives_up(c->m, PLUMB_EMEMORY);
        if (other->amids)
            memcpy(f->amid + f->amids, other->amid,
                   other->amids * sizeof *f->amid);
        f->amids += other->amids;
    }
    return true;
}

static bool put_in_order(struct worker_pool *c)
{
    struct plumb_check_small_state *const f = &c->sweep->small;
    if (!join_lists(c))
        return false;
    if (c->m->lefts && !drop_left(c))
        return plumb_check_monitor_gives_up(c->m, PLUMB_EMEMORY);
    c->m->verdict = PLUMB_LINEARIZABLE;
    return plumb_check_effects_order(c->m, f->own, f->amid, f->amids, 0);
}

static bool reads(const struct plumb_check_accused *accused,
                  const struct plumb_check_input_op *o)
{
    const struct trial *const t = accused->context;
    return t->sweep->small.type->reads(o, plumb_check_input_is_pending(o));
}

static bool accuse(struct worker_pool *c, struct sweep *s)
{
    struct trial t = { s, s->sure_key };
    const struct plumb_check_accused accused = { t.key, s->small.type->whole,
                                                 reads, judge, &t };
    const bool done = plumb_check_blame_key(c->m, &accused, s->sure);
    for (unsigned i = 0; i < c->shares; i++)
        c->m->maybe = least(c->m->maybe, c->sweep[i].maybe);
    return done;
}

static bool sum_up(struct worker_pool *c, const char *why)
{
    struct sweep *const worst = worst_of(c);
    for (unsigned i = 0; i < c->shares; i++)
        if (c->sweep[i].why)
            return plumb_check_monitor_gives_up(c->m, c->sweep[i].why);
    if (worst->sure != PLUMB_NEVER)
        return accuse(c, worst);
    if (worst->small.type->whole && worst->lefts) {
        c->m->declined = why;
        return true;
    }
    return list_left(c, why) && put_in_order(c);
}

bool plumb_check_monitor_small_state(
    struct plumb_check_monitoring *m,
    const struct plumb_check_small_state_type *type, const char *why)
{
    struct worker_pool c = { .m = m, .shares = 1 };
    bool done = false;
    if (!type->whole)
        c.shares = plumb_check_share_count(m);
    m->verdict = PLUMB_UNDECIDED;
    if (start(&c, type)) {
        plumb_base_workers_run(c.shares, c.shares, sweep_share, &c);
        done = sum_up(&c, why);
    } else {
        plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
    }
    end(&c);
    return done;
}
