/* verify_json.c - the verdict about an assertion, for programs:
 * docs/json-output.md. */
#include "report/json.h"
#include "verify_reason.h"
#include "verify_report.h"
#include "verify_way.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

static void add_sizes(const struct plumb_refine_judgement *j,
                      struct plumb_base_text *out)
{
    const struct plumb_refinement *const r = &j->refinement;
    if (!j->impl.graph)
        return;
    plumb_report_json_number("states", j->states, out);
    if (j->symmetrically)
        plumb_report_json_number("symmetry", j->symmetric.order, out);
    plumb_report_json_number("transitions", j->transitions, out);
    if (!j->spec.graph)
        return;
    plumb_report_json_number("specification_states",
                             plumb_csp_graph_states(j->spec.graph), out);
    plumb_report_json_number("pairs", r->pairs, out);
    plumb_report_json_number("pair_transitions", r->transitions, out);
    if (r->both_ways)
        plumb_base_text_add(out, ",\"bisimilar\":true");
}

/* "changes":["H = 1","HL[0] = 1"], if there are any. */
static void add_changes(const struct verify_way *w, struct plumb_base_text *out)
{
    const struct plumb_csp_system *const system =
        plumb_refine_judgement_side(w->j)->system;
    const uint32_t globals = plumb_csp_system_globals(system);
    bool any = false;
    for (uint32_t i = 0; i < globals; i++) {
        struct plumb_base_text text;
        if (w->before[i] == w->after[i])
            continue;
        plumb_base_text_init(&text, NULL);
        plumb_csp_system_slot_text(system, i, w->after[i], &text);
        plumb_base_text_add(out, any ? "," : ",\"changes\":[");
        plumb_report_json_string(plumb_base_text_string(&text), text.size, out);
        plumb_base_text_release(&text);
        any = true;
    }
    plumb_base_text_add(out, any ? "]" : "");
}

static void add_step(const struct verify_way *w, bool first,
                     struct plumb_base_text *out)
{
    const struct plumb_csp_step *const step = w->step;
    const bool hidden = step->event == PLUMB_TAU;
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    plumb_csp_event_numbers_text(w->j->world.events,
                                 hidden ? step->inside : step->event, &text);
    plumb_base_text_printf(out, "%s{\"hidden\":%s,\"process\":%u,\"line\":%u",
                           first ? "" : ",", hidden ? "true" : "false",
                           w->actor, (unsigned)step->place.line);
    plumb_report_json_text("event", plumb_base_text_string(&text), out);
    add_changes(w, out);
    plumb_base_text_add(out, "}");
    plumb_base_text_release(&text);
}

static void add_path(struct plumb_refine_judgement *j,
                     struct plumb_base_text *out)
{
    struct verify_way w;
    plumb_base_text_add(out, ",\"steps\":[");
    verify_way_begin(&w, j);
    while (verify_way_next(&w))
        add_step(&w, w.number == 1, out);
    verify_way_end(&w);
    plumb_base_text_add(out, "]");
    if (j->cycle < j->length)
        plumb_report_json_number("cycle", j->cycle, out);
}

/* The two steps with the same event, of which either may come next. */
static void add_either(struct plumb_refine_judgement *j,
                       struct plumb_base_text *out)
{
    const struct plumb_refine_examination *const x = &j->examination;
    struct plumb_error err;
    struct verify_way w;
    plumb_base_text_add(out, ",\"either\":[");
    verify_way_begin(&w, j);
    if (verify_way_look(&w, x->final, &err) == PLUMB_OK)
        for (unsigned k = 0; k < 2; k++) {
            verify_way_take(&w, x->edge[k]);
            add_step(&w, k == 0, out);
        }
    verify_way_end(&w);
    plumb_base_text_add(out, "]");
}

void verify_unread_json(const char *subject, const struct plumb_error *err,
                        struct plumb_base_text *out)
{
    plumb_report_json_subject(subject, out);
    plumb_report_json_text("verdict", "undecided", out);
    plumb_report_json_text("reason", err->message, out);
    plumb_base_text_add(out, "}\n");
}

void verify_report_json(const char *subject, struct plumb_refine_judgement *j,
                        const struct plumb_error *err,
                        struct plumb_base_text *out)
{
    const char *const doubt = j->decided ? verify_doubt(j) : err->message;
    const bool wrong = verify_went_wrong(j, err);
    assert(j->decided || err);
    plumb_report_json_subject(subject, out);
    plumb_report_json_text("assertion", j->assertion->text, out);
    plumb_report_json_text("verdict",
                           wrong                  ? "error"
                           : !j->decided || doubt ? "undecided"
                           : j->holds             ? "holds"
                                                  : "violated",
                           out);
    if (doubt)
        plumb_report_json_text("reason", doubt, out);
    if (j->vacuous_event)
        plumb_report_json_text("never_happens", j->vacuous_event, out);
    if (j->unverified)
        plumb_report_json_text("found", j->holds ? "holds" : "violated", out);
    if (wrong) {
        plumb_report_json_number("line", err->line, out);
        plumb_report_json_number("column", err->column, out);
    }
    add_sizes(j, out);
    if (j->path && j->impl.system)
        add_path(j, out);
    if (verify_is_ambiguous(j))
        add_either(j, out);
    if (j->in_specification)
        plumb_report_json_text("steps_of", "specification", out);
    plumb_base_text_add(out, "}\n");
}
