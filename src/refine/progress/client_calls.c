/* client_calls.c - which events of a model are calls and responses, and whose.
 */
#include "client_calls.h"

#include "base/fail.h"
#include "csp/terms/participants.h"
#include <string.h>

/* ---- names ---- */

/* The length of OP in OP_inv; 0: it is no call. */
static size_t called(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && !strcmp(name + length - 4, "_inv") ? length - 4 : 0;
}

static bool responds(const char *name, const char *call, size_t length)
{
    return !strncmp(name, call, length) && name[length] == '_' &&
           name[length + 1] && strcmp(name + length + 1, "lin") != 0;
}

static struct plumb_refine_call_name meaning_of(
    const struct plumb_csp_model *model, uint32_t name)
{
    struct plumb_refine_call_name m = { PLUMB_NO_CALL, 0 };
    size_t longest = 0;
    if (called(model->name[name]))
        return (struct plumb_refine_call_name){ PLUMB_CALL, name };
    for (uint32_t i = 0; i < model->names; i++) {
        const size_t length = called(model->name[i]);
        if (length <= longest ||
            !responds(model->name[name], model->name[i], length))
            continue;
        longest = length;
        m = (struct plumb_refine_call_name){ PLUMB_RESPONSE, i };
    }
    return m;
}

static enum plumb_status read_names(struct plumb_refine_client_calls *c,
                                    struct plumb_base_arena *arena,
                                    struct plumb_error *err)
{
    const struct plumb_csp_model *const model = c->world->model;
    struct plumb_refine_call_name *const name = plumb_base_arena_alloc(
        arena, (model->names + (size_t)1) * sizeof *name);
    if (!name)
        return plumb_base_fail_memory(err);
    for (uint32_t i = 0; i < model->names; i++)
        name[i] = meaning_of(model, i);
    c->name = name;
    return PLUMB_OK;
}

/* ---- errors ---- */

/* `text` begins with the event that an error is about. */
static void begin(const struct plumb_refine_client_calls *c, uint32_t event,
                  struct plumb_base_text *text)
{
    plumb_base_text_init(text, c->world->budget);
    plumb_csp_event_numbers_text(c->world->events, event, text);
}

static enum plumb_status fail(const struct plumb_refine_client_calls *c,
                              struct plumb_base_text *text,
                              struct plumb_error *err)
{
    const struct plumb_csp_place place = c->assertion->place;
    const enum plumb_status status =
        text->broken
            ? plumb_base_fail_memory(err)
            : plumb_base_fail(err, PLUMB_EINPUT, place.line, place.column, "%s",
                              plumb_base_text_string(text));
    plumb_base_text_release(text);
    return status;
}

static enum plumb_status misuse(void *context, uint32_t event,
                                const struct plumb_refine_call *call,
                                uint32_t open, struct plumb_error *err)
{
    const struct plumb_refine_client_calls *const c = context;
    const char *const op = open ? c->world->model->name[open - 1] : "";
    struct plumb_base_text text;
    begin(c, event, &text);
    plumb_base_text_printf(&text, " is a %s, but client %u ",
                           call->kind == PLUMB_CALL ? "call" : "response",
                           (unsigned)call->client);
    plumb_base_text_printf(&text,
                           !open                      ? "has called nothing%.*s"
                           : call->kind == PLUMB_CALL ? "has not returned "
                                                        "from %.*s"
                                                      : "has called %.*s",
                           (int)called(op), op);
    return fail(c, &text, err);
}

static enum plumb_status refuse_processes(
    const struct plumb_refine_client_calls *c,
    const struct plumb_csp_participants *who, struct plumb_error *err)
{
    return plumb_base_fail(
        err, PLUMB_EINPUT, c->assertion->place.line, c->assertion->place.column,
        who->copies ? "progress needs to know who takes a step, which copies "
                      "hide; write ||| i:{0..N-1} @ P(i) instead of |||{N} "
                      "@ P()"
                    : "progress supports at most %d processes; this model "
                      "creates more",
        PLUMB_MOST_PARTICIPANTS);
}

/* ---- labels ---- */

static const struct plumb_refine_call_name *name_of(
    const struct plumb_refine_client_calls *c, uint32_t event,
    const int32_t **data, uint32_t *count)
{
    uint32_t name;
    return event >= PLUMB_FIRST_EVENT && plumb_csp_event_numbers_parts(
                                             c->world->events, event, &name,
                                             data, count) == PLUMB_EVENT_PLAIN
               ? c->name + name
               : NULL;
}

static enum plumb_status refuse_client(
    const struct plumb_refine_client_calls *c, uint32_t event,
    const int32_t *data, uint32_t count, struct plumb_error *err)
{
    struct plumb_base_text text;
    begin(c, event, &text);
    if (!count)
        plumb_base_text_add(&text, " names no client; write .i for client i "
                                   "behind the name of each call and response");
    else
        plumb_base_text_printf(
            &text, " is of client %d, but the assertion has clients 0 to %u",
            (int)data[0], (unsigned)c->assertion->clients - 1);
    return fail(c, &text, err);
}

static enum plumb_status call_of(void *context, uint32_t event,
                                 struct plumb_refine_call *call,
                                 struct plumb_error *err)
{
    const struct plumb_refine_client_calls *const c = context;
    const int32_t *data;
    uint32_t count;
    const struct plumb_refine_call_name *const name =
        name_of(c, event, &data, &count);
    *call = (struct plumb_refine_call){ PLUMB_NO_CALL, 0, 0 };
    if (!name || name->kind == PLUMB_NO_CALL)
        return PLUMB_OK;
    if (!count || data[0] < 0 || (uint32_t)data[0] >= c->assertion->clients)
        return refuse_client(c, event, data, count, err);
    *call = (struct plumb_refine_call){ name->kind, (uint32_t)data[0],
                                        name->operation };
    return PLUMB_OK;
}

/* Copies in one term are one process, which has no name of its own. */
static bool is_copy(const struct plumb_csp_participants *who,
                    uint64_t processes)
{
    for (uint32_t i = 0; i < who->count; i++)
        if (processes >> i & 1 && who->known[i].copy != PLUMB_NO_TERM)
            return true;
    return false;
}

static enum plumb_status actors_of(void *context, uint32_t state,
                                   uint32_t index, uint64_t *processes,
                                   bool *atomic, struct plumb_error *err)
{
    struct plumb_refine_client_calls *const c = context;
    const struct plumb_csp_participants *const who =
        plumb_csp_system_participants(c->system);
    if (state != c->stepped)
        PLUMB_TRY(
            plumb_csp_numbering_steps(c->numbering, state, &c->steps, err));
    c->stepped = state;
    *processes = c->steps.step[index].processes;
    *atomic = c->steps.step[index].atomic;
    const int32_t *data;
    uint32_t count;
    const struct plumb_refine_call_name *const name =
        name_of(c, c->steps.step[index].event, &data, &count);
    const bool calls = name && name->kind != PLUMB_NO_CALL;
    return who->too_many || (calls && is_copy(who, *processes))
               ? refuse_processes(c, who, err)
               : PLUMB_OK;
}

/* ---- the interface ---- */

enum plumb_status plumb_refine_client_calls_open(
    struct plumb_refine_client_calls *c, struct plumb_csp_world *world,
    const struct plumb_csp_system *system,
    struct plumb_csp_numbering *numbering,
    const struct plumb_csp_assertion *assertion, struct plumb_base_arena *arena,
    struct plumb_error *err)
{
    *c = (struct plumb_refine_client_calls){ .world = world,
                                             .system = system,
                                             .numbering = numbering,
                                             .assertion = assertion,
                                             .stepped = UINT32_MAX,
                                             .labels = { .clients =
                                                             assertion->clients,
                                                         .call = call_of,
                                                         .actors = actors_of,
                                                         .misuse = misuse } };
    c->labels.context = c;
    return read_names(c, arena, err);
}

void plumb_refine_client_calls_close(struct plumb_refine_client_calls *c)
{
    plumb_csp_steps_release(&c->steps, c->world->budget);
}
