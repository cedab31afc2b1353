/* verify_json.c - the verdict about an assertion, for programs:
 * docs/json-output.md. */
#include "report/json.h"
#include "verify_formula.h"
#include "verify_history.h"
#include "verify_reason.h"
#include "verify_report.h"
#include "verify_way.h"
#include <assert.h>
#include <inttypes.h>
#include <limits.h>
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
    if (j->assertion->kind == PLUMB_ASSERT_EQUAL)
        return;
    plumb_report_json_number("pairs", r->pairs, out);
    plumb_report_json_number("pair_transitions", r->transitions, out);
    if (r->both_ways)
        plumb_base_text_add(out, ",\"bisimilar\":true");
}

/* Of a search for one state: what each order visited, and whether the way is
 * known to be a shortest one. */
static void add_search(const struct plumb_refine_judgement *j,
                       struct plumb_base_text *out)
{
    const struct plumb_refine_examination *const x = &j->examination;
    if (!x->visited_broad && !x->visited_deep)
        return;
    plumb_report_json_number("visited_breadth_first", x->visited_broad, out);
    plumb_report_json_number("visited_depth_first", x->visited_deep, out);
    if (j->decided && j->path)
        plumb_base_text_add(out, x->shortest ? ",\"shortest\":true"
                                             : ",\"shortest\":false");
}

/* "changes":["H = 1","HL[0] = 1"], if there are any: the globals that the step
 * changes; or else those that it writes to and that stay as they are. */
static void add_slots(const struct verify_way *w, const char *member,
                      bool (*is_one)(const struct verify_way *, uint32_t),
                      struct plumb_base_text *out)
{
    const struct plumb_csp_system *const system =
        plumb_refine_judgement_side(w->j)->system;
    const uint32_t globals = plumb_csp_system_globals(system);
    bool any = false;
    for (uint32_t i = 0; i < globals; i++) {
        struct plumb_base_text text;
        if (!is_one(w, i))
            continue;
        plumb_base_text_init(&text, NULL);
        plumb_csp_system_slot_text(system, i, w->after[i], &text);
        if (any)
            plumb_base_text_add(out, ",");
        else
            plumb_base_text_printf(out, ",\"%s\":[", member);
        plumb_report_json_string(plumb_base_text_string(&text), text.size, out);
        plumb_base_text_release(&text);
        any = true;
    }
    plumb_base_text_add(out, any ? "]" : "");
}

/* {"name":"HL[0]","value":"1"}, of a text as in "HL[0] = 1". */
static void add_assignment(const char *text, size_t size,
                           struct plumb_base_text *out)
{
    const char *const equals = strstr(text, " = ");
    const size_t name = equals ? (size_t)(equals - text) : size;
    const size_t value = equals ? name + 3 : size;
    plumb_report_json_open('{', out);
    plumb_report_json_key("name", out);
    plumb_report_json_string(text, name, out);
    plumb_report_json_key("value", out);
    plumb_report_json_string(text + value, size - value, out);
    plumb_base_text_add(out, "}");
}

/* The globals of a state: those that the step writes to, or all. */
static void add_assignments(const struct verify_way *w, const char *member,
                            const uint32_t *vector, bool all,
                            struct plumb_base_text *out)
{
    const struct plumb_csp_system *const system =
        plumb_refine_judgement_side(w->j)->system;
    const uint32_t globals = plumb_csp_system_globals(system);
    plumb_report_json_begin(member, '[', out);
    for (uint32_t i = 0; i < globals; i++) {
        struct plumb_base_text text;
        if (!all && !verify_way_changes_slot(w, i) &&
            !verify_way_keeps_slot(w, i))
            continue;
        if (plumb_csp_system_slot_passes(system, i))
            continue;
        plumb_base_text_init(&text, NULL);
        plumb_csp_system_slot_text(system, i, vector[i], &text);
        add_assignment(plumb_base_text_string(&text), text.size, out);
        plumb_base_text_release(&text);
    }
    plumb_base_text_add(out, "]");
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
    add_slots(w, "changes", verify_way_changes_slot, out);
    add_slots(w, "unchanged", verify_way_keeps_slot, out);
    add_assignments(w, "assigns", w->after, false, out);
    plumb_base_text_add(out, "}");
    plumb_base_text_release(&text);
}

static void add_path(struct plumb_refine_judgement *j,
                     struct plumb_base_text *out)
{
    struct verify_way w;
    struct plumb_base_text initial = { .budget = out->budget };
    plumb_base_text_add(out, ",\"steps\":[");
    verify_way_begin(&w, j);
    while (verify_way_next(&w)) {
        if (w.number == 1)
            add_assignments(&w, "initial", w.before, true, &initial);
        add_step(&w, w.number == 1, out);
    }
    verify_way_end(&w);
    plumb_base_text_add(out, "]");
    if (initial.size)
        plumb_base_text_printf(out, ",%s", plumb_base_text_string(&initial));
    out->broken |= initial.broken;
    plumb_base_text_release(&initial);
    if (j->cycle < j->length)
        plumb_report_json_number("cycle", j->cycle, out);
}

/* ---- for reports: why in words, who the processes are, the history ---- */

static void add_explanation(struct plumb_refine_judgement *j,
                            struct plumb_base_text *out)
{
    struct plumb_base_text lines;
    plumb_base_text_init(&lines, NULL);
    verify_reason(j, &lines);
    plumb_report_json_begin("explanation", '[', out);
    for (const char *at = plumb_base_text_string(&lines); *at;) {
        const size_t size = strcspn(at, "\n"), indent = strspn(at, " ");
        if (out->data[out->size - 1] != '[')
            plumb_base_text_add(out, ",");
        plumb_report_json_string(at + indent, size - indent, out);
        at += size + 1;
    }
    plumb_base_text_add(out, "]");
    out->broken |= lines.broken;
    plumb_base_text_release(&lines);
}

static void add_components(struct plumb_refine_judgement *j,
                           struct plumb_base_text *out)
{
    const struct plumb_csp_system *const system =
        plumb_refine_judgement_side(j)->system;
    struct plumb_base_text name;
    plumb_base_text_init(&name, NULL);
    plumb_report_json_begin("components", '[', out);
    for (uint32_t i = 0; i < plumb_csp_system_components(system); i++) {
        name.size = 0;
        plumb_csp_system_component_text(system, i, &name);
        plumb_base_text_add(out, i ? "," : "");
        plumb_report_json_string(plumb_base_text_string(&name), name.size, out);
    }
    plumb_base_text_add(out, "]");
    out->broken |= name.broken;
    plumb_base_text_release(&name);
}

/* Of calls and responses that pair. */
static void add_history(struct plumb_refine_judgement *j,
                        struct plumb_base_text *out)
{
    struct plumb_history h;
    struct verify_pairing pairing;
    if (!verify_history(j, &h, &pairing))
        return;
    if (pairing.pairs || j->assertion->kind == PLUMB_ASSERT_LINEARIZABLE)
        plumb_report_json_history(&h, out);
    plumb_history_release(&h);
}

static void add_finding(struct plumb_refine_judgement *j,
                        struct plumb_base_text *out)
{
    if (j->assertion->kind != PLUMB_ASSERT_EQUAL)
        add_explanation(j, out);
    if (j->path)
        add_components(j, out);
    if (j->length)
        add_history(j, out);
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

/* The formula, and what the names in it stand for. */
static void add_formula(const struct plumb_refine_judgement *j,
                        struct plumb_base_text *out)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    verify_formula(j, &text);
    const char *at = plumb_base_text_string(&text);
    for (unsigned line = 0; *at; line++) {
        const size_t size = strcspn(at, "\n");
        plumb_base_text_add(out, line == 0   ? ",\"formula\":"
                                 : line == 1 ? ",\"where\":["
                                             : ",");
        plumb_report_json_string(at, size, out);
        at += size + 1;
        plumb_base_text_add(out, line && !*at ? "]" : "");
    }
    plumb_report_json_text("satisfied_by",
                           j->equivalence.second ? "specification" : "process",
                           out);
    out->broken |= text.broken;
    plumb_base_text_release(&text);
}

static void add_clients(const char *key, uint64_t clients,
                        struct plumb_base_text *out)
{
    plumb_base_text_printf(out, ",\"%s\":[", key);
    for (uint64_t left = clients; left; left &= left - 1)
        plumb_base_text_printf(out, "%s%d", left == clients ? "" : ",",
                               __builtin_ctzll(left));
    plumb_base_text_add(out, "]");
}

/* Who is blocked or takes steps for ever, and in which operation. */
static void add_progress(const struct plumb_refine_judgement *j,
                         struct plumb_base_text *out)
{
    const struct plumb_refine_progress *const x = &j->progress;
    const uint64_t silent =
        (UINT64_MAX >> (64 - j->assertion->clients)) & ~x->callers;
    struct plumb_base_text operation;
    if (silent)
        add_clients("never_call", silent, out);
    if (x->offence == PLUMB_PROGRESS_MADE)
        return;
    plumb_base_text_init(&operation, NULL);
    verify_operation(j, &operation);
    plumb_report_json_text(
        "offence",
        x->offence == PLUMB_PROGRESS_BLOCKED ? "blocked" : "livelock", out);
    plumb_report_json_number("client", x->client, out);
    plumb_report_json_text("operation", plumb_base_text_string(&operation),
                           out);
    plumb_base_text_release(&operation);
    if (x->offence == PLUMB_PROGRESS_LIVELOCK)
        add_clients("steppers", x->steppers, out);
}

void verify_unread_json(const char *subject, const char *file,
                        const struct plumb_error *err,
                        struct plumb_base_text *out)
{
    publish_json_begin("verify", subject, file, out);
    plumb_report_json_verdict("undecided", PLUMB_SAYS_UNDECIDED, out);
    plumb_report_json_text("reason", err->message, out);
    plumb_base_text_add(out, "}\n");
}

static void add_verdict(const struct plumb_refine_judgement *j, bool wrong,
                        const char *doubt, struct plumb_base_text *out)
{
    if (wrong)
        plumb_report_json_verdict("error", PLUMB_SAYS_ERROR, out);
    else if (!j->decided || doubt)
        plumb_report_json_verdict("undecided", PLUMB_SAYS_UNDECIDED, out);
    else if (j->holds)
        plumb_report_json_verdict("holds", PLUMB_SAYS_PASS, out);
    else
        plumb_report_json_verdict("violated", PLUMB_SAYS_VIOLATION, out);
}

/* A model of the library is given by its name. */
static void begin(const char *subject, const char *given, const char *path,
                  struct plumb_base_text *out)
{
    char absolute[PATH_MAX];
    struct plumb_report_json_head head =
        publish_json_head("verify", subject, path, absolute);
    head.given = given;
    plumb_report_json_begin_line(&head, out);
}

void verify_report_json(const char *subject, const char *file, const char *path,
                        const char *graph, struct plumb_refine_judgement *j,
                        const struct plumb_error *err,
                        const struct verify_resources *used,
                        struct plumb_base_text *out)
{
    const char *const doubt = j->decided ? verify_doubt(j) : err->message;
    const bool wrong = verify_went_wrong(j, err);
    assert(j->decided || err);
    begin(subject, file, path, out);
    plumb_report_json_text("assertion", j->assertion->text, out);
    add_verdict(j, wrong, doubt, out);
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
    if (j->decided && j->holds && j->assertion->optimise)
        plumb_base_text_printf(out, ",\"value\":%" PRId64, j->examination.best);
    add_sizes(j, out);
    add_search(j, out);
    if (j->progress.callers)
        add_progress(j, out);
    if (j->decided && j->equivalence.formula)
        add_formula(j, out);
    if (verify_has_finding(j))
        add_finding(j, out);
    if (j->path && j->impl.system)
        add_path(j, out);
    if (verify_is_ambiguous(j))
        add_either(j, out);
    if (j->in_specification)
        plumb_report_json_text("steps_of", "specification", out);
    plumb_base_text_add(out, graph);
    verify_resources_json(used, out);
    plumb_base_text_add(out, "}\n");
}
