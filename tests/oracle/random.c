/* random.c - random histories of which about half are linearizable.
 *
 * Threads run on a sequential object, one random step at a time: call, take
 * effect, return.  The result is linearizable, and its operations took effect
 * in an order of their own.  Some histories are then changed a little: near
 * misses are what a decider may get wrong. */
#include "base/rng.h"
#include "generate.h"
#include <assert.h>
#include <string.h>

#define THREADS   4
#define OBJECTS   2
#define USUAL_OPS 12

enum phase { CALLED, EFFECTED };

struct run {
    const struct alphabet *a;
    struct draft *d;
    struct plumb_base_rng rng;
    unsigned threads, objects, ops;
    struct oracle_state state[OBJECTS];
    int current[THREADS]; /* operation of a thread, or -1 */
    enum phase phase[ORACLE_OPS];
};

static unsigned below(struct run *r, unsigned n)
{
    return plumb_base_rng_below(&r->rng, n);
}

static void add_event(struct draft *d, unsigned op, bool is_return)
{
    d->event[d->events++] = (struct draft_event){ (uint8_t)op, is_return };
}

static void call(struct run *r, unsigned thread)
{
    struct draft *const d = r->d;
    if (d->count == r->ops)
        return;
    const unsigned i = d->count++;
    d->op[i] = (struct draft_op){ .call = below(r, r->a->calls),
                                  .thread = thread,
                                  .object = below(r, r->objects),
                                  .outcome = PLUMB_OUTCOME_OPEN };
    r->current[thread] = (int)i;
    r->phase[i] = CALLED;
    add_event(d, i, false);
}

static void end(struct run *r, unsigned i, enum plumb_outcome outcome)
{
    r->d->op[i].outcome = outcome;
    r->current[r->d->op[i].thread] = -1;
    add_event(r->d, i, true);
}

static void take_effect(struct run *r, unsigned i)
{
    struct draft_op *const o = &r->d->op[i];
    struct oracle_state *const s = &r->state[o->object];
    struct oracle_outcomes out;
    oracle_outcomes(&r->a->spec, s, &r->a->call[o->call].what, &out);
    if (!out.count)
        return; /* it blocks */
    const struct oracle_outcome *const it = &out.at[below(r, out.count)];
    o->answer = it->answer;
    *s = it->state;
    r->phase[i] = EFFECTED;
}

static void step(struct run *r)
{
    const unsigned thread = below(r, r->threads);
    if (r->current[thread] < 0) {
        call(r, thread);
        return;
    }
    const unsigned i = (unsigned)r->current[thread];
    const unsigned fate = below(r, 100);
    if (fate < 3)
        end(r, i, PLUMB_OUTCOME_INFO);
    else if (r->phase[i] == EFFECTED)
        end(r, i, PLUMB_OUTCOME_OK);
    else if (fate < 5)
        end(r, i, PLUMB_OUTCOME_FAIL);
    else
        take_effect(r, i);
}

/* Those that have not returned after so many steps are pending. */
static void simulate(struct run *r)
{
    const unsigned steps = r->ops * 3 + below(r, r->ops * 3);
    for (unsigned i = 0; i < steps; i++)
        step(r);
}

/* ---- changes ----
 *
 * Each tells whether it changed anything. */

static bool is_ok(const struct draft_op *o)
{
    return o->outcome == PLUMB_OUTCOME_OK;
}

static bool swap_answers(struct run *r, unsigned i)
{
    struct draft_op *const o = &r->d->op[i];
    struct draft_op *const other = &r->d->op[below(r, r->d->count)];
    if (!is_ok(o) || !is_ok(other) ||
        r->a->call[o->call].what.op != r->a->call[other->call].what.op ||
        oracle_same_answer(&o->answer, &other->answer))
        return false;
    const struct oracle_answer answer = o->answer;
    o->answer = other->answer;
    other->answer = answer;
    return true;
}

static bool change_answer(struct run *r, unsigned i)
{
    struct draft_op *const o = &r->d->op[i];
    const struct oracle_answer old = o->answer;
    unsigned candidates = 0;
    for (unsigned k = 0; is_ok(o) && k < r->a->instances; k++)
        if (r->a->instance[k].call == o->call &&
            !oracle_same_answer(&old, &r->a->instance[k].answer) &&
            below(r, ++candidates) == 0)
            o->answer = r->a->instance[k].answer;
    return candidates > 0;
}

static bool change_argument(struct run *r, unsigned i)
{
    struct draft_op *const o = &r->d->op[i];
    const unsigned c = below(r, r->a->calls);
    const struct oracle_call *const to = &r->a->call[c].what;
    const struct oracle_call *const from = &r->a->call[o->call].what;
    if (c == o->call || to->op != from->op || to->nargs != from->nargs)
        return false;
    o->call = c;
    return true;
}

static bool drop_response(struct run *r, unsigned i)
{
    if (!is_ok(&r->d->op[i]))
        return false;
    r->d->op[i].outcome = PLUMB_OUTCOME_INFO;
    return true;
}

static bool may_exchange(const struct draft *d, unsigned a, unsigned b)
{
    return a < d->events && b < d->events &&
           d->op[d->event[a].op].thread != d->op[d->event[b].op].thread;
}

/* Make an interval narrower, which is stricter: move a call to later or a
 * return to earlier, past events of other threads. */
static bool move_event(struct run *r)
{
    struct draft *const d = r->d;
    unsigned at = below(r, d->events);
    const unsigned way = d->event[at].is_return ? UINT32_MAX : 1;
    bool moved = false;
    for (unsigned n = 1 + below(r, 6); n && may_exchange(d, at, at + way);
         n--) {
        const struct draft_event event = d->event[at];
        d->event[at] = d->event[at + way];
        d->event[at + way] = event;
        at += way;
        moved = true;
    }
    return moved;
}

static bool change(struct run *r)
{
    const unsigned i = below(r, r->d->count);
    switch (below(r, 10)) {
    case 0:
    case 1:
        return swap_answers(r, i);
    case 2:
        return change_argument(r, i);
    case 3:
        return below(r, 2) && drop_response(r, i);
    case 4:
    case 5:
    case 6:
        return change_answer(r, i);
    default:
        return move_event(r);
    }
}

/* About `n` changes; histories that hardly can be changed get fewer. */
static void spoil(struct run *r, unsigned n)
{
    for (unsigned tries = 0; n && tries < 30; tries++)
        n -= change(r);
}

void random_draft_of(const struct alphabet *a, uint64_t seed, unsigned most,
                     struct draft *d)
{
    struct run r = { .a = a, .d = d };
    assert(most > 3 && most <= ORACLE_OPS);
    plumb_base_rng_seed(&r.rng, seed);
    d->count = d->events = 0;
    r.threads = 2 + below(&r, 3);
    r.objects = below(&r, 16) == 0 ? 2 : 1;
    r.ops = below(&r, 4) == 0 ? 1 + below(&r, most) : most - 3 + below(&r, 4);
    for (unsigned i = 0; i < OBJECTS; i++)
        oracle_initial(&a->spec, &r.state[i]);
    for (unsigned i = 0; i < THREADS; i++)
        r.current[i] = -1;
    simulate(&r);
    if (d->count && below(&r, 100) < a->domain->wrong)
        spoil(&r, 1 + below(&r, 4));
}

void random_draft(const struct alphabet *a, uint64_t seed, struct draft *d)
{
    random_draft_of(a, seed, USUAL_OPS, d);
}
