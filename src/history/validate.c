/* validate.c - is a history what history.h promises?
 *
 * One pass over everything, with a bit per rank (each is taken by one event)
 * and per symbol (each names one thread and one object at most).  All else is
 * local to an operation, but for the last operation of each thread. */
#include "builder.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "symbols.h"
#include <string.h>

struct check {
    const struct plumb_history *h;
    uintptr_t origin; /* the address of the file's first byte, or 0 */
    struct plumb_error *err;
    uint64_t *taken; /* a bit per rank   */
    uint64_t *named; /* a bit per symbol */
    uint32_t *last;  /* by thread: its latest operation + 1 */
};

static uint64_t place(const struct check *c, const void *at)
{
    return c->origin ? (uint64_t)((uintptr_t)at - c->origin) : 0;
}

static enum plumb_status bad(const struct check *c, const char *what,
                             uint64_t index, const void *at)
{
    return plumb_base_fail(c->err, PLUMB_EINPUT, 0, place(c, at),
                           "%s %llu is malformed", what,
                           (unsigned long long)index);
}

static enum plumb_status refused(const struct check *c)
{
    return plumb_base_fail_budget(c->h->symbols->budget, c->err);
}

static bool in_time(const struct check *c, uint32_t i)
{
    return plumb_base_in_time(c->h->symbols->budget, i);
}

static enum plumb_status check_symbols(const struct check *c)
{
    const struct plumb_symbols *const s = c->h->symbols;
    if (s->count == 0 || s->start[0] != 0 || s->start[s->count] != s->text_size)
        return bad(c, "symbol", 0, s->start);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t from = s->start[i], to = s->start[i + 1];
        if (!in_time(c, i))
            return refused(c);
        if (to <= from || to > s->text_size || s->text[to - 1] != '\0')
            return bad(c, "symbol", i, s->start + i);
    }
    if (s->start[1] != 1) /* number 0 is the empty one */
        return bad(c, "symbol", 0, s->start);
    uint32_t twin;
    if (!plumb_history_symbols_are_distinct(s, &twin))
        return twin == UINT32_MAX ? refused(c)
                                  : bad(c, "symbol", twin, s->start + twin);
    return c->h->spec < s->count
               ? PLUMB_OK
               : bad(c, "specification", c->h->spec, s->start);
}

/* Set bit `i`; false if it was set. */
static bool take(uint64_t *bits, uint32_t i)
{
    const uint64_t bit = (uint64_t)1 << i % 64;
    if (bits[i / 64] & bit)
        return false;
    bits[i / 64] |= bit;
    return true;
}

static size_t bits_size(uint32_t bits)
{
    return ((size_t)bits + 63) / 64 * sizeof(uint64_t);
}

/* Threads and objects: each a symbol of its own. */
static enum plumb_status check_names(const struct check *c, const char *what,
                                     const uint32_t *name, uint32_t count)
{
    const uint32_t symbols = c->h->symbols->count;
    memset(c->named, 0, bits_size(symbols));
    for (uint32_t i = 0; i < count; i++)
        if (name[i] >= symbols || !take(c->named, name[i]))
            return bad(c, what, i, name + i);
    return PLUMB_OK;
}

static enum plumb_status check_values(const struct check *c)
{
    for (uint32_t i = 0; i < c->h->values; i++) {
        const struct plumb_value v = c->h->value[i];
        const bool in_range = v.tag == PLUMB_NIL    ? v.bits == 0
                              : v.tag == PLUMB_BOOL ? v.bits <= 1
                              : v.tag == PLUMB_STR
                                  ? v.bits < c->h->symbols->count
                                  : v.tag == PLUMB_INT;
        if (!in_range || v.zero)
            return bad(c, "value", i, c->h->value + i);
        if (!in_time(c, i))
            return refused(c);
    }
    return PLUMB_OK;
}

static bool indices_are_good(const struct plumb_history *h,
                             const struct plumb_op *o)
{
    return o->thread < h->threads && o->object < h->objects &&
           o->name < h->symbols->count && o->term < h->symbols->count &&
           o->values <= h->values &&
           (uint32_t)o->nargs + o->nres <= h->values - o->values && !o->zero;
}

static bool outcome_is_good(const struct plumb_op *o)
{
    if (o->outcome > PLUMB_OUTCOME_OPEN)
        return false;
    if (o->outcome != PLUMB_OUTCOME_OK && (o->term || o->nres))
        return false;
    return (o->outcome == PLUMB_OUTCOME_OPEN) == (o->resp == PLUMB_NEVER);
}

/* Ranks in order: calls by index, the response behind its call, and a thread's
 * next call behind its last response. */
static bool ranks_are_good(struct check *c, uint32_t i)
{
    const struct plumb_op *const op = c->h->op, *const o = op + i;
    if (i && o->call <= op[i - 1].call)
        return false;
    if (o->resp <= o->call || o->call >= c->h->events ||
        !take(c->taken, o->call))
        return false;
    if (o->resp != PLUMB_NEVER &&
        (o->resp >= c->h->events || !take(c->taken, o->resp)))
        return false;
    const uint32_t last = c->last[o->thread];
    c->last[o->thread] = i + 1;
    return !last || op[last - 1].resp < o->call;
}

static enum plumb_status check_ops(struct check *c)
{
    uint64_t events = 0;
    for (uint32_t i = 0; i < c->h->count; i++) {
        const struct plumb_op *const o = c->h->op + i;
        if (!indices_are_good(c->h, o) || !outcome_is_good(o) ||
            !ranks_are_good(c, i))
            return bad(c, "operation", i, o);
        if (!in_time(c, i))
            return refused(c);
        events += o->resp == PLUMB_NEVER ? 1 : 2;
    }
    if (events == c->h->events)
        return PLUMB_OK;
    return plumb_base_fail(c->err, PLUMB_EINPUT, 0, place(c, c->h->op),
                           "the operations have %llu events, not %llu",
                           (unsigned long long)events,
                           (unsigned long long)c->h->events);
}

static enum plumb_status check_all(struct check *c)
{
    const struct plumb_history *const h = c->h;
    enum plumb_status status = check_symbols(c);
    if (status == PLUMB_OK)
        status = check_names(c, "thread", h->thread, h->threads);
    if (status == PLUMB_OK)
        status = check_names(c, "object", h->object, h->objects);
    if (status == PLUMB_OK)
        status = check_values(c);
    return status == PLUMB_OK ? check_ops(c) : status;
}

enum plumb_status plumb_history_validate(const struct plumb_history *h,
                                         struct plumb_error *err)
{
    return plumb_history_validate_from(h, 0, err);
}

enum plumb_status plumb_history_validate_from(const struct plumb_history *h,
                                              uintptr_t origin,
                                              struct plumb_error *err)
{
    struct plumb_budget *const budget = h->symbols->budget;
    const size_t ranks = bits_size(h->events);
    const size_t names = bits_size(h->symbols->count);
    const size_t lasts = h->threads * sizeof(uint32_t);
    struct check c = { .h = h, .origin = origin, .err = err };
    c.taken = plumb_base_alloc_zeroed(budget, ranks);
    c.named = plumb_base_alloc(budget, names);
    c.last = plumb_base_alloc_zeroed(budget, lasts);
    const enum plumb_status status = c.taken && c.named && c.last
                                         ? check_all(&c)
                                         : plumb_base_fail_memory(err);
    plumb_base_release(budget, c.taken, ranks);
    plumb_base_release(budget, c.named, names);
    plumb_base_release(budget, c.last, lasts);
    return status;
}
