/* builder.c - from events, or from time-stamped intervals, to a history.
 *
 * Events get their ranks as they come, so op[] is sorted by call rank without
 * sorting.  Intervals are kept until the end and then replayed as events, see
 * replay.c. */
#include "builder.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { NONE = 0 }; /* tables by symbol hold index + 1, so 0 is none */

static void free_arrays(struct plumb_history_arrays *a)
{
    if (!a)
        return;
    struct plumb_budget *const b = a->budget;
    plumb_history_symbols_release(&a->symbols);
    PLUMB_RELEASE(b, a->op, a->op_capacity);
    PLUMB_RELEASE(b, a->value, a->value_capacity);
    PLUMB_RELEASE(b, a->origin, a->origin_capacity);
    PLUMB_RELEASE(b, a->time, a->time_capacity);
    PLUMB_RELEASE(b, a->thread, a->thread_capacity);
    PLUMB_RELEASE(b, a->object, a->object_capacity);
    plumb_base_release(b, a, sizeof *a);
}

/* The value pool, never NULL: operations without values point into it too. */
static const struct plumb_value *pool(const struct plumb_history_arrays *a)
{
    static const struct plumb_value none;
    return a->value ? a->value : &none;
}

static void release_arrays(struct plumb_history_owner *owner)
{
    free_arrays((struct plumb_history_arrays *)owner);
}

static struct plumb_history_arrays *new_arrays(struct plumb_budget *budget)
{
    struct plumb_history_arrays *const a =
        plumb_base_alloc_zeroed(budget, sizeof *a);
    if (!a)
        return NULL;
    a->owner.release = release_arrays;
    a->budget = budget;
    if (plumb_history_symbols_init(&a->symbols, budget))
        return a;
    plumb_base_release(budget, a, sizeof *a);
    return NULL;
}

void plumb_history_release(struct plumb_history *h)
{
    struct plumb_history_owner *const owner = h->owner;
    if (owner)
        owner->release(owner);
    *h = (struct plumb_history){ .op = NULL };
}

struct plumb_builder *plumb_builder_new(struct plumb_budget *budget)
{
    struct plumb_builder *const b = plumb_base_alloc_zeroed(budget, sizeof *b);
    if (b) {
        b->budget = budget;
        b->now = PLUMB_NO_TIME;
    }
    return b;
}

/* Everything but the arrays.  Only the entries in use are cleared, lest many
 * small histories behind a large one pay for its tables. */
static void forget(struct plumb_builder *b)
{
    for (uint32_t i = 0; i < b->threads; i++)
        b->thread_of[b->a->thread[i]] = NONE;
    for (uint32_t i = 0; i < b->objects; i++)
        b->object_of[b->a->object[i]] = NONE;
    b->count = b->values = b->threads = b->objects = 0;
    b->events = b->open = b->spec = 0;
    b->has_origin = b->has_times = false;
    b->now = PLUMB_NO_TIME;
    b->intervals = 0;
    b->logged = 0;
}

void plumb_builder_reset(struct plumb_builder *b)
{
    forget(b);
    free_arrays(b->a);
    b->a = NULL;
}

void plumb_builder_free(struct plumb_builder *b)
{
    if (!b)
        return;
    free_arrays(b->a);
    struct plumb_budget *const g = b->budget;
    PLUMB_RELEASE(g, b->thread_of, b->thread_of_capacity);
    PLUMB_RELEASE(g, b->object_of, b->object_of_capacity);
    PLUMB_RELEASE(g, b->open_op, b->open_op_capacity);
    PLUMB_RELEASE(g, b->promise, b->promise_capacity);
    PLUMB_RELEASE(g, b->interval, b->interval_capacity);
    PLUMB_RELEASE(g, b->log, b->log_capacity);
    plumb_base_release(g, b, sizeof *b);
}

static bool start(struct plumb_builder *b)
{
    if (!b->a)
        b->a = new_arrays(b->budget);
    return b->a;
}

uint32_t plumb_builder_symbol(struct plumb_builder *b, const char *text,
                              size_t length)
{
    return start(b) ? plumb_history_symbols_intern(&b->a->symbols, text, length)
                    : UINT32_MAX;
}

void plumb_builder_spec(struct plumb_builder *b, uint32_t symbol)
{
    assert(!symbol || (b->a && symbol < b->a->symbols.count));
    b->spec = symbol;
}

uint32_t plumb_builder_count(const struct plumb_builder *b)
{
    return b->count;
}

uint32_t plumb_builder_open(const struct plumb_builder *b)
{
    return b->open;
}

/* The index + 1 of a thread or object by its symbol, made on first sight. */
static uint32_t index_of(struct plumb_budget *budget, uint32_t **table,
                         size_t *table_capacity, uint32_t symbol,
                         uint32_t **list, size_t *list_capacity,
                         uint32_t *count)
{
    if (!PLUMB_GROW_ZEROED(budget, *table, *table_capacity, (size_t)symbol + 1))
        return NONE;
    if ((*table)[symbol])
        return (*table)[symbol];
    if (!PLUMB_APPEND(budget, *list, *count, *list_capacity, symbol))
        return NONE;
    return (*table)[symbol] = *count;
}

uint32_t plumb_history_builder_thread(struct plumb_builder *b, uint32_t symbol)
{
    const uint32_t before = b->threads;
    const uint32_t t =
        index_of(b->budget, &b->thread_of, &b->thread_of_capacity, symbol,
                 &b->a->thread, &b->a->thread_capacity, &b->threads);
    if (t == NONE || b->threads == before)
        return t;
    if (!PLUMB_GROW(b->budget, b->open_op, b->open_op_capacity, t))
        return NONE;
    b->open_op[t - 1] = NONE;
    return t;
}

static uint32_t object_index(struct plumb_builder *b, uint32_t symbol)
{
    return index_of(b->budget, &b->object_of, &b->object_of_capacity, symbol,
                    &b->a->object, &b->a->object_capacity, &b->objects);
}

static bool add_values(struct plumb_builder *b, const struct plumb_value *v,
                       size_t count)
{
    struct plumb_history_arrays *const a = b->a;
    if (count >= UINT32_MAX - b->values ||
        !PLUMB_GROW(b->budget, a->value, a->value_capacity,
                    (size_t)b->values + count))
        return false;
    if (count)
        memcpy(a->value + b->values, v, count * sizeof *v);
    b->values += (uint32_t)count;
    return true;
}

static bool grow_ops(struct plumb_builder *b)
{
    struct plumb_history_arrays *const a = b->a;
    const size_t need = (size_t)b->count + 1;
    return b->count < UINT32_MAX / 2 - 1 &&
           PLUMB_GROW(b->budget, a->op, a->op_capacity, need) &&
           PLUMB_GROW(b->budget, a->origin, a->origin_capacity, 2 * need) &&
           (!b->keeps_times ||
            PLUMB_GROW(b->budget, a->time, a->time_capacity, 2 * need));
}

/* ---- streams ---- */

void plumb_history_builder_stream(struct plumb_builder *b)
{
    b->streams = true;
}

/* Room for one more event; it is logged when it has happened. */
static bool grow_log(struct plumb_builder *b)
{
    return !b->streams ||
           PLUMB_GROW(b->budget, b->log, b->log_capacity, b->logged + 1);
}

static inline void log_event(struct plumb_builder *b, uint32_t op,
                             bool response)
{
    if (b->streams)
        b->log[b->logged++] = 2 * op + response;
}

/* Arguments of open operations stand in the order of their calls. */
static void keep_open(struct plumb_builder *b, uint32_t from, uint32_t to)
{
    struct plumb_history_arrays *const a = b->a;
    struct plumb_op *const o = a->op + to;
    *o = a->op[from];
    if (o->nargs)
        memmove(a->value + b->values, a->value + o->values,
                o->nargs * sizeof *a->value);
    o->values = b->values;
    o->call = to;
    b->values += o->nargs;
    a->origin[2 * (size_t)to] = a->origin[2 * (size_t)from];
    b->open_op[o->thread] = to + 1;
}

void plumb_history_builder_settle(struct plumb_builder *b)
{
    const uint32_t count = b->count;
    b->count = b->values = 0;
    for (uint32_t i = 0; i < count; i++)
        if (b->open_op[b->a->op[i].thread] == i + 1)
            keep_open(b, i, b->count++);
    b->events = b->count;
    b->logged = 0;
    assert(b->count == b->open); /* nothing else is left */
}

/* ---- events ---- */

static void set_origin(struct plumb_builder *b, size_t event,
                       const struct plumb_origin *origin)
{
    b->a->origin[event] = origin ? *origin : (struct plumb_origin){ 0, 0 };
    if (origin)
        b->has_origin = true;
}

static void set_time(struct plumb_builder *b, size_t event, uint64_t time)
{
    b->now = PLUMB_NO_TIME;
    if (!b->keeps_times)
        return;
    b->a->time[event] = time;
    b->has_times |= time != PLUMB_NO_TIME;
}

static enum plumb_status fail_at(struct plumb_error *err,
                                 const struct plumb_origin *origin,
                                 const char *message, const char *name)
{
    return plumb_base_fail(err, PLUMB_EINPUT, origin ? origin->line : 0,
                           origin ? origin->column : 0, message, name);
}

static const char *name_of(const struct plumb_builder *b, uint32_t symbol)
{
    return plumb_symbol_text(&b->a->symbols, symbol, NULL);
}

enum plumb_status plumb_history_builder_fail_open(
    struct plumb_builder *b, uint32_t thread, uint32_t name, uint32_t op,
    const struct plumb_origin *origin, struct plumb_error *err)
{
    const uint32_t first = b->a->origin[2 * (size_t)op].line;
    char which[32] = "previous call";
    if (first)
        snprintf(which, sizeof which, "call on line %u", (unsigned)first);
    return plumb_base_fail(
        err, PLUMB_EINPUT, origin ? origin->line : 0,
        origin ? origin->column : 0,
        "process %.80s calls %.80s while its %s is still open",
        name_of(b, thread), name_of(b, name), which);
}

/* A file may be long: look at the clock now and then. */
static enum plumb_status in_time(const struct plumb_builder *b,
                                 struct plumb_error *err)
{
    enum { OFTEN = 4096 };
    if (b->count % OFTEN)
        return PLUMB_OK;
    return plumb_budget_state(b->budget) == PLUMB_OK
               ? PLUMB_OK
               : plumb_base_fail_budget(b->budget, err);
}

enum plumb_status plumb_builder_call(struct plumb_builder *b, uint32_t thread,
                                     uint32_t object, uint32_t name,
                                     const struct plumb_value *args,
                                     size_t nargs,
                                     const struct plumb_origin *origin,
                                     struct plumb_error *err)
{
    assert(b && err);
    const enum plumb_status status = in_time(b, err);
    if (status != PLUMB_OK)
        return status;
    if (!start(b))
        return plumb_base_fail_memory(err);
    const uint32_t t = plumb_history_builder_thread(b, thread);
    const uint32_t o = t ? object_index(b, object) : NONE;
    if (!t || !o)
        return plumb_base_fail_memory(err);
    if (b->open_op[t - 1])
        return plumb_history_builder_fail_open(
            b, thread, name, b->open_op[t - 1] - 1, origin, err);
    if (nargs > UINT8_MAX)
        return fail_at(err, origin, "%s has more than 255 arguments",
                       name_of(b, name));
    const uint32_t values = b->values;
    if (!grow_ops(b) || !grow_log(b) || !add_values(b, args, nargs))
        return plumb_base_fail_memory(err);
    log_event(b, b->count, false);
    b->a->op[b->count] = (struct plumb_op){
        .call = b->events++,
        .resp = PLUMB_NEVER,
        .thread = t - 1,
        .object = o - 1,
        .name = name,
        .values = values,
        .nargs = (uint8_t)nargs,
        .outcome = PLUMB_OUTCOME_OPEN,
    };
    set_origin(b, 2 * (size_t)b->count, origin);
    b->a->origin[2 * (size_t)b->count + 1] = (struct plumb_origin){ 0, 0 };
    set_time(b, 2 * (size_t)b->count, b->now);
    set_time(b, 2 * (size_t)b->count + 1, PLUMB_NO_TIME);
    if (t - 1 < b->promise_capacity)
        b->promise[t - 1].given = false;
    b->open_op[t - 1] = ++b->count;
    b->open++;
    return PLUMB_OK;
}

/* Results stand right behind the arguments.  Other calls may have been added
 * since, so the arguments move to the end of the pool when there are results;
 * an operation whose response follows at once moves nothing. */
static bool add_results(struct plumb_builder *b, struct plumb_op *o,
                        const struct plumb_value *results, size_t nres)
{
    if (nres && o->values + o->nargs != b->values) {
        struct plumb_value args[UINT8_MAX];
        const uint32_t at = b->values;
        memcpy(args, pool(b->a) + o->values, o->nargs * sizeof *args);
        if (!add_values(b, args, o->nargs))
            return false;
        o->values = at;
    }
    return add_values(b, results, nres);
}

enum plumb_status plumb_builder_respond(
    struct plumb_builder *b, uint32_t thread, uint32_t object,
    enum plumb_outcome outcome, uint32_t term,
    const struct plumb_value *results, size_t nres,
    const struct plumb_origin *origin, struct plumb_error *err)
{
    assert(b && err && outcome != PLUMB_OUTCOME_OPEN);
    const uint32_t t =
        b->a && thread < b->thread_of_capacity ? b->thread_of[thread] : NONE;
    if (!t || !b->open_op[t - 1])
        return fail_at(err, origin,
                       "this response has no matching call of process %.80s",
                       name_of(b, thread));
    const uint32_t index = b->open_op[t - 1] - 1;
    struct plumb_op *const o = b->a->op + index;
    if (object != UINT32_MAX && b->a->object[o->object] != object)
        return plumb_base_fail(
            err, PLUMB_EINPUT, origin ? origin->line : 0,
            origin ? origin->column : 0,
            "this response has no matching call: it names object \"%.60s\", "
            "the open call object \"%.60s\"",
            name_of(b, object), name_of(b, b->a->object[o->object]));
    if (nres > UINT8_MAX)
        return fail_at(err, origin,
                       "response of process %.80s has more than "
                       "255 results",
                       name_of(b, thread));
    const bool ok = outcome == PLUMB_OUTCOME_OK;
    if (!grow_log(b) || (ok && !add_results(b, o, results, nres)))
        return plumb_base_fail_memory(err);
    log_event(b, index, true);
    o->resp = b->events++;
    o->outcome = (uint8_t)outcome;
    o->term = ok ? term : 0;
    o->nres = ok ? (uint8_t)nres : 0;
    set_origin(b, 2 * (size_t)index + 1, origin);
    set_time(b, 2 * (size_t)index + 1, b->now);
    b->open_op[t - 1] = NONE;
    b->open--;
    return PLUMB_OK;
}

const struct plumb_op *plumb_builder_open_call(const struct plumb_builder *b,
                                               uint32_t thread,
                                               const struct plumb_value **args)
{
    if (!b->a || thread >= b->thread_of_capacity || !b->thread_of[thread])
        return NULL;
    const uint32_t op = b->open_op[b->thread_of[thread] - 1];
    if (!op)
        return NULL;
    const struct plumb_op *const o = b->a->op + op - 1;
    if (args)
        *args = pool(b->a) + o->values;
    return o;
}

/* The index of a thread that is known to have an open call. */
static uint32_t calling_thread(const struct plumb_builder *b, uint32_t thread)
{
    assert(plumb_builder_open_call(b, thread, NULL));
    return b->thread_of[thread] - 1;
}

bool plumb_history_builder_promise(struct plumb_builder *b, uint32_t thread,
                                   struct plumb_value value)
{
    const uint32_t t = calling_thread(b, thread);
    if (!PLUMB_GROW_ZEROED(b->budget, b->promise, b->promise_capacity,
                           (size_t)t + 1))
        return false;
    b->promise[t] = (struct plumb_history_promise){ true, value };
    return true;
}

bool plumb_history_builder_promised(const struct plumb_builder *b,
                                    uint32_t thread, struct plumb_value *value)
{
    const uint32_t t = calling_thread(b, thread);
    if (t >= b->promise_capacity || !b->promise[t].given)
        return false;
    *value = b->promise[t].value;
    return true;
}

enum plumb_status plumb_builder_interval(struct plumb_builder *b,
                                         const struct plumb_interval *in,
                                         struct plumb_error *err)
{
    assert(b && in && err);
    const enum plumb_status status = in_time(b, err);
    if (status != PLUMB_OK)
        return status;
    if (in->end < in->start)
        return fail_at(err, &in->origin, "%s ends before it starts",
                       name_of(b, in->op.name));
    const uint32_t o = start(b) ? object_index(b, in->op.object) : NONE;
    const uint32_t values = b->values;
    const bool ok = in->op.outcome == PLUMB_OUTCOME_OK;
    const uint8_t nres = ok ? in->op.nres : 0;
    if (!o || !grow_ops(b) ||
        !add_values(b, in->values, (size_t)in->op.nargs + nres) ||
        !PLUMB_GROW(b->budget, b->interval, b->interval_capacity,
                    b->intervals + 1))
        return plumb_base_fail_memory(err);
    b->interval[b->intervals++] = (struct plumb_history_timed){
        .start = in->start, .end = in->end, .thread = in->thread
    };
    struct plumb_op *const op = b->a->op + b->count;
    *op = in->op;
    op->object = o - 1;
    op->values = values;
    op->call = op->resp = PLUMB_NEVER;
    op->term = ok ? in->op.term : 0;
    op->nres = nres;
    op->zero = 0;
    set_origin(b, 2 * (size_t)b->count, &in->origin);
    set_origin(b, 2 * (size_t)b->count + 1, &in->origin);
    set_time(b, 2 * (size_t)b->count, in->start);
    set_time(b, 2 * (size_t)b->count + 1, in->end);
    b->count++;
    return PLUMB_OK;
}

void plumb_history_builder_view(const struct plumb_builder *b,
                                struct plumb_history *h)
{
    const struct plumb_history_arrays *const a = b->a;
    *h = (struct plumb_history){
        .op = a->op,
        .value = pool(a),
        .thread = a->thread,
        .object = a->object,
        .symbols = &a->symbols,
        .origin = b->has_origin ? a->origin : NULL,
        .time = b->has_times ? a->time : NULL,
        .count = b->count,
        .values = b->values,
        .threads = b->threads,
        .objects = b->objects,
        .events = b->events,
        .spec = b->spec,
        .valid = true,
    };
}

enum plumb_status plumb_builder_finish(struct plumb_builder *b,
                                       enum plumb_ties ties,
                                       struct plumb_history *h,
                                       struct plumb_error *err)
{
    assert(b && h && err);
    if (!start(b))
        return plumb_base_fail_memory(err);
    if (b->intervals) {
        const enum plumb_status status =
            plumb_history_builder_replay(b, ties, err);
        if (status != PLUMB_OK)
            return status;
    }
    plumb_history_builder_view(b, h);
    h->owner = b->a;
    forget(b);
    b->a = NULL;
    return PLUMB_OK;
}
