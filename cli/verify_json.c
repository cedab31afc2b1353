/* verify_json.c - the verdict about an assertion, for programs: docs/JSON.md. */
#include "report/json.h"
#include "verify_report.h"
#include <inttypes.h>
#include <string.h>

static void add_string(const char *key, const char *text,
                       struct plumb_text *out)
{
    plumb_text_printf(out, ",\"%s\":", key);
    plumb_json_string(text, strlen(text), out);
}

static void add_number(const char *key, uint64_t number, struct plumb_text *out)
{
    plumb_text_printf(out, ",\"%s\":%" PRIu64, key, number);
}

static void add_sizes(const struct plumb_judgement *j, struct plumb_text *out)
{
    const struct plumb_refinement *const r = &j->refinement;
    if (!j->impl.graph)
        return;
    add_number("states", j->states, out);
    if (j->symmetrically)
        add_number("symmetry", j->symmetric.order, out);
    add_number("transitions", j->transitions, out);
    if (!j->spec.graph)
        return;
    add_number("specification_states", plumb_graph_states(j->spec.graph), out);
    add_number("pairs", r->pairs, out);
    add_number("pair_transitions", r->transitions, out);
    if (r->both_ways)
        plumb_text_add(out, ",\"bisimilar\":true");
}

/* "changes":["H = 1","HL[0] = 1"], if there are any. */
static void add_changes(struct plumb_judgement *j, uint32_t state,
                        const uint32_t *after, struct plumb_text *out)
{
    const uint32_t globals = plumb_system_globals(j->impl.system);
    const uint32_t slots = plumb_system_slots(j->impl.system);
    uint32_t *const before =
        plumb_arena_alloc(&j->arena, slots * sizeof *before);
    bool any = false;
    if (!before)
        return;
    plumb_census_vector(j->impl.census, state, before);
    for (uint32_t i = 0; i < globals; i++) {
        struct plumb_text text;
        if (before[i] == after[i])
            continue;
        plumb_text_init(&text, NULL);
        plumb_system_slot_text(j->impl.system, i, after[i], &text);
        plumb_text_add(out, any ? "," : ",\"changes\":[");
        plumb_json_string(plumb_text_string(&text), text.size, out);
        plumb_text_release(&text);
        any = true;
    }
    plumb_text_add(out, any ? "]" : "");
}

static void add_step(struct plumb_judgement *j, const struct plumb_hop *hop,
                     struct plumb_text *out)
{
    struct plumb_steps steps = { 0 };
    struct plumb_error err;
    struct plumb_text text;
    if (plumb_census_steps(j->impl.census, hop->state, &steps, &err) !=
        PLUMB_OK) {
        plumb_steps_release(&steps, j->world.budget);
        return;
    }
    const struct plumb_step *const step = &steps.step[hop->index];
    plumb_text_init(&text, NULL);
    plumb_event_numbers_text(
        j->world.events, step->event == PLUMB_TAU ? step->inside : step->event,
        &text);
    plumb_text_printf(out, "{\"hidden\":%s,\"process\":%d,\"line\":%u",
                      step->event == PLUMB_TAU ? "true" : "false",
                      step->actors ? __builtin_ctzll(step->actors) : 0,
                      (unsigned)step->place.line);
    add_string("event", plumb_text_string(&text), out);
    add_changes(j, hop->state,
                steps.vector +
                    (size_t)step->target * plumb_system_slots(j->impl.system),
                out);
    plumb_text_add(out, "}");
    plumb_text_release(&text);
    plumb_steps_release(&steps, j->world.budget);
}

static void add_path(struct plumb_judgement *j, struct plumb_text *out)
{
    plumb_text_add(out, ",\"steps\":[");
    for (uint32_t i = 0; i < j->length; i++) {
        plumb_text_add(out, i ? "," : "");
        add_step(j, &j->path[i], out);
    }
    plumb_text_add(out, "]");
    if (j->cycle < j->length)
        add_number("cycle", j->cycle, out);
}

void verify_report_json(const struct verify_settings *s, const char *subject,
                        struct plumb_judgement *j,
                        const struct plumb_error *err, struct plumb_text *out)
{
    const char *const doubt = j->decided ? verify_doubt(j) : err->message;
    const bool wrong = !j->decided && (err->status == PLUMB_EINPUT ||
                                       err->status == PLUMB_EBUG);
    (void)s;
    plumb_text_printf(out, "{\"format\":%d", PLUMB_JSON_FORMAT);
    add_string("subject", subject, out);
    add_string("assertion", j->assertion->text, out);
    add_string("verdict",
               wrong                  ? "error"
               : !j->decided || doubt ? "undecided"
               : j->holds             ? "holds"
                                      : "violated",
               out);
    if (doubt)
        add_string("reason", doubt, out);
    if (wrong) {
        add_number("line", err->line, out);
        add_number("column", err->column, out);
    }
    add_sizes(j, out);
    if (j->decided && j->path && j->impl.system)
        add_path(j, out);
    plumb_text_add(out, "}\n");
}
