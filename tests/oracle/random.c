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

#define THREADS 4
#define OBJECTS 2
#define MAX_OPS 12

enum phase { CALLED, EFFECTED };

struct run {
    const struct alphabet *a;
    struct draft *d;
    struct plumb_rng rng;
    unsigned threads, objects, ops;
    struct oracle_state state[OBJECTS];
    int current[THREADS]; /* operation of a thread, or -1 */
    enum phase phase[MAX_OPS];
};

static unsigned below(struct run *r, unsigned n)
{
    return plumb_rng_below(&r->rng, n);
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

/* ---- changes ---- */

static bool is_ok(const struct draft_op *o)
{
    return o->outcome == PLUMB_OUTCOME_OK;
}

static void swap_answers(struct run *r, unsigned i)
{
    struct draft_op *const o = &r->d->op[i];
    struct draft_op *const other = &r->d->op[below(r, r->d->count)];
    if (!is_ok(o) || !is_ok(other) ||
        r->a->call[o->call].what.op != r->a->call[other->call].what.op)
        return;
    const struct oracle_answer answer = o->answer;
    o->answer = other->answer;
    other->answer = answer;
}

static void change_answer(struct run *r, unsigned i)
{
    struct draft_op *const o = &r->d->op[i];
    unsigned candidates = 0;
    for (unsigned k = 0; is_ok(o) && k < r->a->instances; k++)
        if (r->a->instance[k].call == o->call && below(r, ++candidates) == 0)
            o->answer = r->a->instance[k].answer;
}

static void change_argument(struct run *r, unsigned i)
{
    struct draft_op *const o = &r->d->op[i];
    const unsigned c = below(r, r->a->calls);
    const struct oracle_call *const to = &r->a->call[c].what;
    if (to->op == r->a->call[o->call].what.op &&
        to->nargs == r->a->call[o->call].what.nargs)
        o->call = c;
}

static void drop_response(struct run *r, unsigned i)
{
    if (is_ok(&r->d->op[i]))
        r->d->op[i].outcome = PLUMB_OUTCOME_INFO;
}

/* Move an end point: exchange neighbours as long as their threads differ. */
static void move_event(struct run *r)
{
    struct draft *const d = r->d;
    unsigned at = below(r, d->events);
    const bool later = !d->event[at].is_return; /* narrower, so stricter */
    for (unsigned way = 1 + below(r, 6); way; way--) {
        const unsigned to = later ? at + 1 : at - 1;
        if (to >= d->events ||
            d->op[d->event[at].op].thread == d->op[d->event[to].op].thread)
            return;
        const struct draft_event event = d->event[at];
        d->event[at] = d->event[to];
        d->event[to] = event;
        at = to;
    }
}

static void change(struct run *r)
{
    const unsigned i = below(r, r->d->count);
    switch (below(r, 8)) {
    case 0:
    case 1:
        swap_answers(r, i);
        break;
    case 2:
    case 3:
        change_answer(r, i);
        break;
    case 4:
        change_argument(r, i);
        break;
    case 5:
        drop_response(r, i);
        break;
    default:
        move_event(r);
    }
}

void random_draft(const struct alphabet *a, uint64_t seed, struct draft *d)
{
    struct run r = { .a = a, .d = d };
    plumb_rng_seed(&r.rng, seed);
    d->count = d->events = 0;
    r.threads = 2 + below(&r, 3);
    r.objects = below(&r, 16) == 0 ? 2 : 1;
    r.ops = below(&r, 4) == 0 ? 1 + below(&r, MAX_OPS) : 8 + below(&r, 5);
    for (unsigned i = 0; i < OBJECTS; i++)
        oracle_initial(&a->spec, &r.state[i]);
    for (unsigned i = 0; i < THREADS; i++)
        r.current[i] = -1;
    simulate(&r);
    if (d->count && below(&r, 100) < a->domain->wrong)
        for (unsigned n = 1 + below(&r, 4); n; n--)
            change(&r);
}
