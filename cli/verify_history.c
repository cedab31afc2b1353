/* verify_history.c - a way through a model, as calls and responses.
 *
 * OP_inv.DATA is a call of OP, OP_res.DATA returns ok(DATA), OP_TERM.DATA any
 * other term; the thread is the component that takes the step.  Data begin
 * with the number of the client where all events of a component agree on it;
 * that is told by the thread already. */
#include "base/memory.h"
#include "say.h"
#include "verify_report.h"
#include "verify_way.h"
#include <string.h>

enum { MOST_COMPONENTS = 64 };

struct telling {
    struct plumb_judgement *j;
    struct plumb_builder *builder;
    bool numbered;                     /* data begin with the client */
    const char *open[MOST_COMPONENTS]; /* the operation called */
    size_t length[MOST_COMPONENTS];
    bool any;
};

/* The parts of the event of one step. */
struct heard {
    const char *name;
    const int32_t *data;
    uint32_t count;
    unsigned component;
};

static bool hear(const struct verify_way *w, struct heard *heard)
{
    const struct plumb_step *const step = w->step;
    uint32_t name;
    if (step->event < PLUMB_FIRST_EVENT || !step->actors ||
        plumb_event_numbers_parts(w->j->world.events, step->event, &name,
                                  &heard->data,
                                  &heard->count) != PLUMB_EVENT_PLAIN)
        return false;
    heard->name = w->j->model->name[name];
    heard->component = w->actor;
    return true;
}

/* The next step that somebody sees. */
static bool hear_next(struct verify_way *w, struct heard *heard)
{
    while (verify_way_next(w))
        if (hear(w, heard))
            return true;
    return false;
}

static size_t stem_of(const char *name, const char *suffix)
{
    const size_t size = strlen(name), end = strlen(suffix);
    return size > end && strcmp(name + size - end, suffix) == 0 ? size - end
                                                                : 0;
}

static bool are_different(const int32_t *number, const bool *known)
{
    for (unsigned a = 0; a < MOST_COMPONENTS; a++)
        for (unsigned b = 0; b < a; b++)
            if (known[a] && known[b] && number[a] == number[b])
                return false;
    return true;
}

/* Do the first data of each component's events agree, and differ from those of
 * others? */
static bool are_numbered(struct plumb_judgement *j)
{
    int32_t number[MOST_COMPONENTS];
    bool known[MOST_COMPONENTS] = { false };
    bool agree = true;
    struct verify_way w;
    struct heard heard;
    verify_way_begin(&w, j);
    while (agree && hear_next(&w, &heard)) {
        const unsigned c = heard.component;
        agree = heard.count && (!known[c] || number[c] == heard.data[0]);
        if (agree)
            number[c] = heard.data[0];
        known[c] = true;
    }
    verify_way_end(&w);
    return agree && are_different(number, known);
}

static uint32_t symbol(struct telling *t, const char *text, size_t length)
{
    return plumb_builder_symbol(t->builder, text, length);
}

static uint32_t thread_symbol(struct telling *t, unsigned component)
{
    struct plumb_text name;
    plumb_text_init(&name, NULL);
    plumb_text_printf(&name, "P%u", component);
    const uint32_t s = symbol(t, plumb_text_string(&name), name.size);
    plumb_text_release(&name);
    return s;
}

/* The data as values, without the client's number. */
static size_t values_of(const struct telling *t, const struct heard *heard,
                        struct plumb_value value[8])
{
    size_t count = 0;
    for (uint32_t i = t->numbered ? 1 : 0; i < heard->count && count < 8; i++)
        value[count++] = plumb_int(heard->data[i]);
    return count;
}

static bool tell_call(struct telling *t, const struct heard *heard,
                      size_t length)
{
    struct plumb_value value[8];
    struct plumb_error err;
    const size_t count = values_of(t, heard, value);
    t->open[heard->component] = heard->name;
    t->length[heard->component] = length;
    t->any = true;
    return plumb_builder_call(t->builder, thread_symbol(t, heard->component),
                              symbol(t, "x", 1), symbol(t, heard->name, length),
                              value, count, NULL, &err) == PLUMB_OK;
}

static bool tell_response(struct telling *t, const struct heard *heard)
{
    const char *const op = t->open[heard->component];
    const size_t length = t->length[heard->component];
    struct plumb_value value[8];
    struct plumb_error err;
    if (!op || strncmp(op, heard->name, length) != 0 ||
        heard->name[length] != '_')
        return true;
    const char *term = heard->name + length + 1;
    const size_t count = values_of(t, heard, value);
    if (strcmp(term, "res") == 0)
        term = "ok";
    t->open[heard->component] = NULL;
    return plumb_builder_respond(t->builder, thread_symbol(t, heard->component),
                                 UINT32_MAX, PLUMB_OUTCOME_OK,
                                 symbol(t, term, strlen(term)), value, count,
                                 NULL, &err) == PLUMB_OK;
}

static bool tell_all(struct telling *t)
{
    struct verify_way w;
    struct heard heard;
    bool well = true;
    verify_way_begin(&w, t->j);
    while (well && hear_next(&w, &heard)) {
        const size_t call = stem_of(heard.name, "_inv");
        well = call ? tell_call(t, &heard, call) : tell_response(t, &heard);
    }
    verify_way_end(&w);
    return well && t->any;
}

/* The values of a built-in specification that are booleans there are 0 and 1
 * here: the reader of the history takes both. */
bool verify_history(struct plumb_judgement *j, struct plumb_history *h)
{
    struct plumb_error err;
    struct telling t = { .j = j, .builder = plumb_builder_new(NULL) };
    bool well = false;
    if (t.builder && j->length) {
        const char *const spec = j->assertion->built_in;
        t.numbered = are_numbered(j);
        if (spec)
            plumb_builder_spec(t.builder, symbol(&t, spec, strlen(spec)));
        well = tell_all(&t) &&
               plumb_builder_finish(t.builder, PLUMB_TIES_CALL_FIRST, h,
                                    &err) == PLUMB_OK;
    }
    plumb_builder_free(t.builder);
    return well;
}
