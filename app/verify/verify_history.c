/* verify_history.c - a way through a model, as calls and responses.
 *
 * OP_inv.DATA is a call of OP, OP_res.DATA returns ok(DATA), OP_TERM.DATA any
 * other term.  Who calls?  Where linearizability is asserted the first datum
 * is the client, whoever takes the step: that is how the specification reads
 * it (object_source.h).  Elsewhere it is taken for the client if calls and
 * responses pair that way and there are no more clients than components; else
 * the caller is the component that takes the step, and all data are values. */
#include "verify_history.h"

#include "base/arena.h"
#include "base/text.h"
#include "verify_way.h"
#include <assert.h>
#include <string.h>

enum { MOST_VALUES = 8 };

/* An event that is seen, in parts. */
struct heard {
    const char *name;
    const int32_t *data;
    uint32_t count;
    unsigned component;
};

/* Who calls, and the operation that is open, if any. */
struct caller {
    int32_t number;
    const char *open;
    size_t length;
};

enum rule { BY_CLIENT, BY_COMPONENT };

struct telling {
    struct plumb_base_arena arena;
    const struct heard *heard;
    size_t count;
    enum rule rule;
    struct caller *caller; /* as many as there were, at most `count` */
    uint32_t callers;
    struct plumb_builder *builder; /* NULL: only look whether it fits */
    bool broken;                   /* memory is refused */
    struct verify_pairing found;
};

/* ---- what is heard on the way ---- */

static bool hear(struct telling *t, const struct verify_way *w,
                 struct heard *heard)
{
    const struct plumb_csp_step *const step = w->step;
    const int32_t *data;
    uint32_t name;
    if (step->event < PLUMB_FIRST_EVENT || !step->actors ||
        plumb_csp_event_numbers_parts(w->j->world.events, step->event, &name,
                                      &data,
                                      &heard->count) != PLUMB_EVENT_PLAIN)
        return false;
    int32_t *const kept =
        plumb_base_arena_alloc(&t->arena, (heard->count + 1) * sizeof *kept);
    if (kept && heard->count)
        memcpy(kept, data, heard->count * sizeof *kept);
    heard->name = w->j->model->name[name];
    heard->data = kept;
    heard->component = w->actor;
    t->broken |= !kept;
    return true;
}

static bool hear_all(struct telling *t, struct plumb_refine_judgement *j)
{
    struct heard *const heard = plumb_base_arena_alloc(
        &t->arena, ((size_t)j->length + 1) * sizeof *heard);
    t->caller = plumb_base_arena_alloc(&t->arena, ((size_t)j->length + 1) *
                                                      sizeof *t->caller);
    if (!heard || !t->caller)
        return false;
    struct verify_way w;
    verify_way_begin(&w, j);
    while (!t->broken && verify_way_next(&w))
        if (hear(t, &w, &heard[t->count]))
            t->count++;
    verify_way_end(&w);
    t->heard = heard;
    return !t->broken && w.number == j->length;
}

/* ---- telling it ---- */

static size_t stem_of(const char *name, const char *suffix)
{
    const size_t size = strlen(name), end = strlen(suffix);
    return size > end && strcmp(name + size - end, suffix) == 0 ? size - end
                                                                : 0;
}

/* NULL if by this rule the event has no caller.  One who did not call before
 * stands behind the others, until a call counts him in. */
static struct caller *caller_of(struct telling *t, const struct heard *heard)
{
    uint32_t i = 0;
    if (t->rule == BY_CLIENT && heard->count == 0)
        return NULL;
    const int32_t number =
        t->rule == BY_CLIENT ? heard->data[0] : (int32_t)heard->component;
    while (i < t->callers && t->caller[i].number != number)
        i++;
    if (i == t->callers)
        t->caller[i] = (struct caller){ .number = number };
    return &t->caller[i];
}

static uint32_t symbol(struct telling *t, const char *text, size_t length)
{
    return plumb_builder_symbol(t->builder, text, length);
}

static uint32_t thread_symbol(struct telling *t, const struct caller *caller)
{
    struct plumb_base_text name;
    plumb_base_text_init(&name, NULL);
    plumb_base_text_printf(&name, "P%d", (int)caller->number);
    const uint32_t s = symbol(t, plumb_base_text_string(&name), name.size);
    plumb_base_text_release(&name);
    return s;
}

/* The data as values, without the client's number. */
static size_t values_of(const struct telling *t, const struct heard *heard,
                        struct plumb_value value[MOST_VALUES])
{
    size_t count = 0;
    for (uint32_t i = t->rule == BY_CLIENT ? 1 : 0;
         i < heard->count && count < MOST_VALUES; i++)
        value[count++] = plumb_int(heard->data[i]);
    return count;
}

static void tell_call(struct telling *t, const struct heard *heard,
                      const struct caller *caller)
{
    struct plumb_value value[MOST_VALUES];
    struct plumb_error err;
    const size_t count = values_of(t, heard, value);
    t->broken |= plumb_builder_call(t->builder, thread_symbol(t, caller),
                                    symbol(t, "x", 1),
                                    symbol(t, heard->name, caller->length),
                                    value, count, NULL, &err) != PLUMB_OK;
}

static void tell_response(struct telling *t, const struct heard *heard,
                          const struct caller *caller)
{
    struct plumb_value value[MOST_VALUES];
    struct plumb_error err;
    const size_t count = values_of(t, heard, value);
    const char *term = heard->name + caller->length + 1;
    if (strcmp(term, "res") == 0)
        term = "ok";
    t->broken |=
        plumb_builder_respond(t->builder, thread_symbol(t, caller), UINT32_MAX,
                              PLUMB_OUTCOME_OK, symbol(t, term, strlen(term)),
                              value, count, NULL, &err) != PLUMB_OK;
}

/* Of enq that is enq_res, or enq_full, but not enq_all_res. */
static bool answers(const struct caller *caller, const char *name)
{
    const size_t stem = stem_of(name, "_res");
    return caller && caller->open && (!stem || stem == caller->length) &&
           strncmp(caller->open, name, caller->length) == 0 &&
           name[caller->length] == '_';
}

/* One event: a call, a response, or neither.  False if it does not fit. */
static bool take(struct telling *t, const struct heard *heard)
{
    const size_t call = stem_of(heard->name, "_inv");
    const bool response = stem_of(heard->name, "_res") != 0;
    struct caller *const caller = caller_of(t, heard);
    t->found.responded = !call && answers(caller, heard->name);
    if (t->found.responded) {
        if (t->builder)
            tell_response(t, heard, caller);
        caller->open = NULL;
        return true;
    }
    if (!call)
        return !response;
    if (!caller || caller->open)
        return false;
    if (caller == &t->caller[t->callers])
        t->callers++;
    caller->open = heard->name;
    caller->length = call;
    t->found.calls = true;
    if (t->builder)
        tell_call(t, heard, caller);
    return true;
}

/* All that fits; true if that is everything. */
static bool tell(struct telling *t, enum rule rule)
{
    assert(t->caller && t->heard);
    t->rule = rule;
    t->callers = 0;
    t->found = (struct verify_pairing){ .pairs = true };
    for (size_t i = 0; i < t->count && t->found.pairs && !t->broken; i++)
        t->found.pairs = take(t, &t->heard[i]);
    return t->found.pairs;
}

static enum rule choose_rule(struct telling *t,
                             const struct plumb_refine_judgement *j)
{
    if (j->assertion->clients) /* linearizable, and progress */
        return BY_CLIENT;
    const bool clients = tell(t, BY_CLIENT);
    if (clients && t->callers <= plumb_csp_system_components(j->impl.system))
        return BY_CLIENT;
    return tell(t, BY_COMPONENT) || !clients ? BY_COMPONENT : BY_CLIENT;
}

/* The values of a built-in specification that are booleans there are 0 and 1
 * here: the reader of the history takes both. */
static bool build(struct telling *t, const struct plumb_refine_judgement *j,
                  struct plumb_history *h)
{
    struct plumb_error err;
    const char *const spec = j->assertion->built_in;
    const enum rule rule = choose_rule(t, j);
    t->builder = plumb_builder_new(NULL);
    if (!t->builder)
        return false;
    if (spec)
        plumb_builder_spec(t->builder, symbol(t, spec, strlen(spec)));
    (void)tell(t, rule);
    return t->found.calls && !t->broken &&
           plumb_builder_finish(t->builder, PLUMB_TIES_CALL_FIRST, h, &err) ==
               PLUMB_OK;
}

bool verify_history(struct plumb_refine_judgement *j, struct plumb_history *h,
                    struct verify_pairing *pairing)
{
    struct telling t = { .builder = NULL };
    plumb_base_arena_init(&t.arena, NULL);
    const bool well = j->length && hear_all(&t, j) && build(&t, j, h);
    *pairing = t.found;
    plumb_builder_free(t.builder);
    plumb_base_arena_release(&t.arena);
    return well;
}
