/* exhaustive.c - all small histories, numbered.  See generate.h. */
#include "generate.h"
#include <assert.h>
#include <string.h>

#define THREADS 3

/* Extend a shape by every event in turn; it counts once all calls are in. */
static void extend(struct exhaustive *e, const struct shape *s, unsigned calls,
                   unsigned open)
{
    if (calls == e->ops) {
        assert(e->shapes < MAX_SHAPES);
        e->shape[e->shapes++] = *s;
    }
    struct shape next = *s;
    next.events++;
    if (calls < e->ops && open < THREADS) {
        next.event[s->events] = (struct draft_event){ (uint8_t)calls, false };
        extend(e, &next, calls + 1, open + 1);
    }
    for (unsigned i = 0; i < calls; i++) {
        if (s->returns[i])
            continue;
        next.event[s->events] = (struct draft_event){ (uint8_t)i, true };
        next.returns[i] = true;
        extend(e, &next, calls, open - 1);
        next.returns[i] = false;
    }
}

static unsigned digits(const struct exhaustive *e, bool returns)
{
    return returns ? e->instances : e->calls;
}

void exhaustive_init(struct exhaustive *e, const struct alphabet *a,
                     unsigned ops)
{
    assert(ops >= 1 && ops <= 4);
    const unsigned tier = ops == 4 ? 0 : ops == 3 ? 1 : 2;
    const struct shape empty = { .events = 0 };
    *e = (struct exhaustive){ .alphabet = a,
                              .ops = ops,
                              .calls = a->tier_calls[tier],
                              .instances = a->tier_instances[tier] };
    extend(e, &empty, 0, 0);
    for (unsigned i = 0; i < e->shapes; i++) {
        uint64_t size = 1;
        for (unsigned k = 0; k < ops; k++)
            size *= digits(e, e->shape[i].returns[k]);
        e->shape[i].first = e->count;
        e->count += size;
    }
}

static void set_threads(struct draft *d)
{
    bool busy[THREADS] = { false };
    for (unsigned i = 0; i < d->events; i++) {
        struct draft_op *const o = &d->op[d->event[i].op];
        if (d->event[i].is_return) {
            busy[o->thread] = false;
            continue;
        }
        for (o->thread = 0; busy[o->thread];)
            o->thread++;
        busy[o->thread] = true;
    }
}

static void set_operation(const struct exhaustive *e, unsigned digit,
                          bool returns, struct draft_op *o)
{
    const struct instance *const instance = &e->alphabet->instance[digit];
    memset(o, 0, sizeof *o);
    if (!returns) {
        o->call = digit;
        o->outcome = PLUMB_OUTCOME_OPEN;
        return;
    }
    o->call = instance->call;
    o->answer = instance->answer;
    o->outcome = PLUMB_OUTCOME_OK;
}

void exhaustive_draft(const struct exhaustive *e, uint64_t number,
                      struct draft *d)
{
    assert(number < e->count);
    unsigned low = 0, high = e->shapes;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (e->shape[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    const struct shape *const s = &e->shape[low];
    number -= s->first;
    for (unsigned i = 0; i < e->ops; i++) {
        const unsigned base = digits(e, s->returns[i]);
        set_operation(e, (unsigned)(number % base), s->returns[i], &d->op[i]);
        number /= base;
    }
    d->count = e->ops;
    d->events = s->events;
    memcpy(d->event, s->event, sizeof s->event);
    set_threads(d);
}
