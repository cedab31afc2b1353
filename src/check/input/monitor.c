/* monitor.c - the monitors over all objects of a history.
 *
 * Every object has its own input, and keys of an object are decided by one sweep
 * over it.  What a monitor declines is marked, and everything else has an
 * order: the orders of objects and keys are merged by their points. */
#include "monitor.h"

#include "base/pace.h"
#include "base/workers.h"
#include "check/keyed/keyed.h"
#include "check/merge.h"
#include "cuts.h"
#include "spec/builtin.h"
#include "spec/types/queue_family.h"
#include "spec/weak/weakness.h"
#include <assert.h>
#include <string.h>

/* ---- which one ---- */

static bool is_given(const struct plumb_spec *spec, const char *name)
{
    for (unsigned i = 0; i < spec->type->nparams; i++)
        if (strcmp(spec->type->params[i].name, name) == 0)
            return spec->given[i];
    return false;
}

plumb_check_monitor *plumb_check_monitor_of(const struct plumb_spec *spec)
{
    static const struct {
        const struct plumb_spec_type *type;
        plumb_check_monitor *monitor;
    } known[] = {
        { &plumb_spec_type_queue, plumb_check_monitor_queue },
        { &plumb_spec_type_stack, plumb_check_monitor_stack },
        { &plumb_spec_type_priority_queue, plumb_check_monitor_priority_queue },
        { &plumb_spec_type_set, plumb_check_monitor_set },
        { &plumb_spec_type_multiset, plumb_check_monitor_multiset },
        { &plumb_spec_type_register, plumb_check_monitor_register },
        { &plumb_spec_type_cas_register, plumb_check_monitor_register },
        { &plumb_spec_type_map, plumb_check_monitor_map },
    };
    if (spec->type == &plumb_spec_type_weak_queue &&
        (spec->param[PLUMB_QUEUE_WEAK] == PLUMB_WEAK_GAP ||
         spec->param[PLUMB_QUEUE_WEAK] == PLUMB_WEAK_CLAIM))
        return plumb_check_monitor_bounded_queue;
    if (is_given(spec, "cap"))
        return spec->type == &plumb_spec_type_queue
                   ? plumb_check_monitor_bounded_queue
                   : NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type == spec->type)
            return known[i].monitor;
    return NULL;
}

/* ---- all objects ---- */

struct overseer {
    const struct plumb_history *h;
    const struct plumb_spec *spec;
    struct plumb_base_arena *arena;
    struct plumb_check_monitored *out;
    struct plumb_check_order *order; /* of objects and keys */
    size_t orders, capacity;
    bool *left; /* by operation, or NULL while nothing is */
};

static bool leave(struct overseer *o, uint32_t op)
{
    if (!o->left)
        o->left =
            plumb_base_arena_zeroed(o->arena, o->h->count * sizeof *o->left);
    if (o->left)
        o->left[op] = true;
    return o->left;
}

static bool leave_all(struct overseer *o, const struct plumb_check_input *input)
{
    for (uint32_t i = 0; i < input->count; i++)
        if (!plumb_base_in_time(o->arena->budget, i) ||
            !leave(o, plumb_check_input_origin(input, i)))
            return false;
    return true;
}

static bool leave_keys(struct overseer *o,
                       const struct plumb_check_monitoring *m)
{
    for (uint32_t i = 0; i < m->input->count; i++)
        if (!plumb_base_in_time(o->arena->budget, i) ||
            (m->left[plumb_check_key_of(m->input, m->input->op + i)] &&
             !leave(o, plumb_check_input_origin(m->input, i))))
            return false;
    return true;
}

/* Indexes into an input become those of the history. */
static bool make_global(const struct overseer *o,
                        const struct plumb_check_input *input, uint32_t *index,
                        uint32_t count)
{
    for (uint32_t i = 0; input->origin && i < count; i++) {
        if (!plumb_base_in_time(o->arena->budget, i))
            return false;
        index[i] = input->origin[index[i]];
    }
    return true;
}

static bool add_order(struct overseer *o, const uint32_t *op, uint32_t count)
{
    if (o->orders == o->capacity) {
        const size_t capacity = o->capacity ? 2 * o->capacity : 16;
        struct plumb_check_order *const more =
            plumb_base_arena_alloc(o->arena, capacity * sizeof *more);
        if (!more)
            return false;
        if (o->orders)
            memcpy(more, o->order, o->orders * sizeof *more);
        o->order = more;
        o->capacity = capacity;
    }
    o->order[o->orders++] = (struct plumb_check_order){ op, count };
    return true;
}

static bool take_order(struct overseer *o,
                       const struct plumb_check_monitoring *m)
{
    if (!make_global(o, m->input, m->order, m->order_count) ||
        (m->left && !leave_keys(o, m)))
        return false;
    o->out->parts += m->keys ? m->keys : 1;
    if (!m->keys)
        return add_order(o, m->order, m->order_count);
    for (uint32_t k = 0; k < m->keys; k++) {
        if (!plumb_base_in_time(o->arena->budget, k))
            return false;
        const uint32_t end =
            k + 1 < m->keys ? m->key_start[k + 1] : m->order_count;
        if (!add_order(o, m->order + m->key_start[k], end - m->key_start[k]))
            return false;
    }
    return true;
}

static bool take_violation(struct overseer *o,
                           const struct plumb_check_monitoring *m)
{
    struct plumb_check_monitored *const out = o->out;
    assert(m->blames > 0 && m->maybe <= m->sure);
    if (!make_global(o, m->input, m->blame, m->blames) ||
        (m->left && !leave_keys(o, m)))
        return false;
    out->blame = m->blame;
    out->verdict = PLUMB_NOT_LINEARIZABLE;
    out->blames = m->blames;
    out->maybe = m->maybe;
    out->sure = m->sure;
    return true;
}

/* False when memory or time is used up. */
static bool take(struct overseer *o, const struct plumb_check_monitoring *m)
{
    if (m->declined)
        o->out->declined = m->declined;
    switch (m->verdict) {
    case PLUMB_LINEARIZABLE:
        return take_order(o, m);
    case PLUMB_NOT_LINEARIZABLE:
        return take_violation(o, m);
    default:
        return m->declined && leave_all(o, m->input);
    }
}

/* What is not decided may have been a violation earlier. */
static void admit_doubt(struct overseer *o,
                        const struct plumb_check_inputs *inputs,
                        uint32_t decided)
{
    uint32_t first = PLUMB_NEVER;
    for (uint32_t i = decided; i < inputs->count; i++)
        if (inputs->input[i].count && inputs->input[i].op[0].call < first)
            first = inputs->input[i].op[0].call;
    for (uint32_t i = 0; o->left && i < o->h->count; i++)
        if (o->left[i] && o->h->op[i].call < first)
            first = o->h->op[i].call;
    if (first < o->out->maybe)
        o->out->maybe = first;
}

static bool conclude(struct overseer *o)
{
    struct plumb_check_monitored *const out = o->out;
    out->left = o->left;
    if (o->orders == 1) { /* it is adopted */
        out->order = o->order->op;
        out->order_count = o->order->count;
    } else {
        uint32_t *merged;
        if (!plumb_check_merge_orders(o->h, o->order, o->orders, o->arena,
                                      &merged, &out->order_count))
            return false;
        out->order = merged;
    }
    if (!o->left)
        out->verdict = PLUMB_LINEARIZABLE;
    return true;
}

/* ---- several at a time ---- */

struct pool {
    const struct overseer *o;
    const struct plumb_check_inputs *inputs;
    struct plumb_check_monitoring *monitoring; /* by input */
    bool *done;
    struct plumb_base_arena *arena; /* of each thread; keeps what it found */
    unsigned each;                  /* threads for one object */
    uint32_t least;                 /* operations for a thread */
};

/* Objects behind one that is a violation need not be decided. */
static bool oversee(void *context, unsigned member, uint32_t i)
{
    struct pool *const p = context;
    struct plumb_base_arena *const arena = p->arena + member;
    struct plumb_check_monitoring *const m = p->monitoring + i;
    struct plumb_base_arena scratch = { .budget = arena->budget };
    if (plumb_budget_state(arena->budget) != PLUMB_OK)
        return false;
    *m = (struct plumb_check_monitoring){ .input = &p->inputs->input[i],
                                          .spec = p->o->spec,
                                          .budget = arena->budget,
                                          .arena = arena,
                                          .scratch = &scratch,
                                          .jobs = p->each,
                                          .least = p->least,
                                          .verdict = PLUMB_UNDECIDED };
    p->done[i] = plumb_check_monitor_of(p->o->spec)(m);
    plumb_base_arena_release(&scratch);
    return !p->done[i] || m->verdict != PLUMB_NOT_LINEARIZABLE;
}

/* In the order of objects, as far as the first violation. */
static bool take_all(struct overseer *o, const struct pool *p)
{
    for (uint32_t i = 0; i < p->inputs->count; i++) {
        if (!p->done[i] || !take(o, &p->monitoring[i])) {
            o->out->why = p->monitoring[i].why;
            return false;
        }
        if (o->out->verdict != PLUMB_NOT_LINEARIZABLE)
            continue;
        admit_doubt(o, p->inputs, i + 1);
        return true;
    }
    return conclude(o);
}

/* Several orders have been merged, so nobody needs them any more. */
static void keep_results(struct overseer *o, struct plumb_base_arena *arena,
                         unsigned count)
{
    const bool merged = o->orders > 1 && !o->out->blame;
    for (unsigned j = 0; j < count; j++)
        if (merged)
            plumb_base_arena_release(arena + j);
        else
            plumb_base_arena_adopt(o->arena, arena + j);
}

static bool oversee_all(struct overseer *o,
                        const struct plumb_check_inputs *inputs, unsigned jobs,
                        uint32_t least)
{
    struct plumb_base_arena scratch = { .budget = o->arena->budget };
    const unsigned size = plumb_base_workers_size(jobs, inputs->count);
    struct pool p = {
        .o = o, .inputs = inputs, .each = jobs / size, .least = least
    };
    p.monitoring = plumb_base_arena_zeroed(&scratch, (inputs->count + 1) *
                                                         sizeof *p.monitoring);
    p.done =
        plumb_base_arena_zeroed(&scratch, (inputs->count + 1) * sizeof *p.done);
    p.arena = plumb_base_arena_zeroed(&scratch, size * sizeof *p.arena);
    bool done = p.monitoring && p.done && p.arena;
    if (done) {
        for (unsigned j = 0; j < size; j++)
            plumb_base_arena_init(p.arena + j, o->arena->budget);
        plumb_base_workers_run(jobs, inputs->count, oversee, &p);
        done = take_all(o, &p);
        keep_results(o, p.arena, size);
    }
    plumb_base_arena_release(&scratch);
    return done;
}

static bool monitor_objects(struct overseer *o, unsigned jobs, uint32_t least)
{
    struct plumb_base_arena memory = { .budget = o->arena->budget };
    struct plumb_check_inputs inputs;
    bool done = plumb_check_inputs_make(o->h, o->spec, &memory, &inputs);
    if (done && inputs.declined) {
        o->out->declined = inputs.declined;
        o->out->nothing = true;
    } else if (done) {
        done = oversee_all(o, &inputs, jobs, least);
    }
    plumb_base_arena_release(&memory);
    return done;
}

bool plumb_check_monitor_history(const struct plumb_history *h,
                                 const struct plumb_spec *spec, unsigned jobs,
                                 uint32_t least, struct plumb_base_arena *arena,
                                 struct plumb_check_monitored *out)
{
    struct overseer o = { .h = h, .spec = spec, .arena = arena, .out = out };
    *out = (struct plumb_check_monitored){ .verdict = PLUMB_UNDECIDED };
    bool declined = false;
    bool done =
        plumb_check_monitor_pieces(h, spec, jobs, least, arena, out, &declined);
    if (done && declined)
        done = monitor_objects(&o, jobs, least);
    if (!done && (out->why == PLUMB_OK || out->why == PLUMB_EMEMORY)) {
        out->why = plumb_budget_state(arena->budget);
        if (out->why == PLUMB_OK)
            out->why = PLUMB_EMEMORY;
    }
    return done;
}
