/* sarif.c - results in SARIF 2.1.0, an OASIS standard.
 *
 * A violation is a result of kind "fail", what is undecided one of kind "open".
 * Its code flow has a thread flow per thread; the steps are numbered across all
 * of them by executionOrder.  What could not be read is a notification. */
#include "writers.h"

#include "markup.h"
#include <ctype.h>
#include <string.h>

/* ---- places ---- */

static void add_message(const char *text, struct plumb_base_text *out)
{
    plumb_report_json_begin("message", '{', out);
    plumb_report_json_text("text", text, out);
    plumb_base_text_add(out, "}");
}

/* "physicalLocation":{...}, if the place is known. */
static void add_physical(const struct finding_place *p,
                         struct plumb_base_text *out)
{
    struct plumb_base_text uri = { .budget = out->budget };
    if (!p || !p->name[0])
        return;
    publish_uri(publish_path(p->name, p->absolute), &uri);
    plumb_report_json_begin("physicalLocation", '{', out);
    plumb_report_json_begin("artifactLocation", '{', out);
    plumb_report_json_text("uri", plumb_base_text_string(&uri), out);
    plumb_base_text_add(out, "}");
    if (p->line) {
        plumb_report_json_begin("region", '{', out);
        plumb_report_json_number("startLine", p->line, out);
        plumb_base_text_add(out, "}");
    }
    plumb_base_text_add(out, "}");
    out->broken |= uri.broken;
    plumb_base_text_release(&uri);
}

/* ---- one thread ---- */

struct flow {
    const struct finding *f;
    uint32_t thread;
    bool any; /* a location was written */
    struct plumb_base_text *out;
};

/* Everything before the location's state. */
static void begin_location(struct flow *w, uint64_t order, unsigned depth,
                           const char *text, const struct finding_place *place)
{
    struct plumb_base_text *const out = w->out;
    plumb_report_json_open('{', out);
    plumb_report_json_number("executionOrder", order, out);
    plumb_report_json_number("nestingLevel", depth, out);
    plumb_report_json_begin("location", '{', out);
    add_message(text, out);
    add_physical(place, out);
    plumb_base_text_add(out, "}");
    w->any = true;
}

static void add_state(const struct finding_step *s, struct plumb_base_text *out)
{
    if (!s->assignments)
        return;
    plumb_report_json_begin("state", '{', out);
    for (size_t i = 0; i < s->assignments; i++) {
        const char *const name = s->assignment[i].name;
        plumb_base_text_add(out, i ? "," : "");
        plumb_report_json_string(name, strlen(name), out);
        plumb_base_text_add(out, ":{");
        plumb_report_json_text("text", s->assignment[i].value, out);
        plumb_base_text_add(out, "}");
    }
    plumb_base_text_add(out, "}");
}

static void add_steps(struct flow *w)
{
    for (size_t i = 0; i < w->f->steps; i++) {
        const struct finding_step *const s = w->f->step + i;
        if (s->thread != w->thread)
            continue;
        begin_location(w, i + 1, s->depth, s->text[0] ? s->text : "step",
                       s->place.line ? &s->place : NULL);
        add_state(s, w->out);
        plumb_base_text_add(w->out, "}");
    }
}

static void add_event(struct flow *w, const struct finding_operation *o,
                      bool call)
{
    struct plumb_base_text text = { .budget = w->out->budget };
    struct finding_place place = w->f->file;
    place.line = call ? o->line : 0;
    plumb_base_text_printf(&text, "%s %s %s", o->letter,
                           call ? "calls" : "returns", o->name);
    if (!call && o->answer[0])
        plumb_base_text_printf(&text, " = %s", o->answer);
    begin_location(w, (call ? o->call : o->ret) + (uint64_t)1, !call,
                   plumb_base_text_string(&text), place.line ? &place : NULL);
    plumb_base_text_add(w->out, "}");
    w->out->broken |= text.broken;
    plumb_base_text_release(&text);
}

/* Without steps: calls and returns of the core. */
static void add_operations(struct flow *w)
{
    for (size_t i = 0; i < w->f->operations; i++) {
        const struct finding_operation *const o = w->f->operation + i;
        if (!o->letter[0] || o->thread != w->thread)
            continue;
        add_event(w, o, true);
        if (o->ret != FINDING_NONE)
            add_event(w, o, false);
    }
}

static bool has_flow(const struct finding *f, uint32_t thread)
{
    for (size_t i = 0; i < f->steps; i++)
        if (f->step[i].thread == thread)
            return true;
    for (size_t i = 0; i < f->operations && !f->steps; i++)
        if (f->operation[i].letter[0] && f->operation[i].thread == thread)
            return true;
    return false;
}

static void add_flows(const struct finding *f, struct plumb_base_text *out)
{
    bool any = false;
    for (uint32_t t = 0; t < f->threads; t++) {
        struct flow w = { .f = f, .thread = t, .out = out };
        if (!has_flow(f, t))
            continue;
        if (!any) {
            plumb_report_json_begin("codeFlows", '[', out);
            plumb_report_json_open('{', out);
            plumb_report_json_begin("threadFlows", '[', out);
        }
        any = true;
        plumb_report_json_open('{', out);
        plumb_report_json_text("id", f->thread[t], out);
        plumb_report_json_begin("locations", '[', out);
        if (f->steps)
            add_steps(&w);
        else
            add_operations(&w);
        plumb_base_text_add(out, "]}");
    }
    plumb_base_text_add(out, any ? "]}]" : "");
}

/* ---- results ---- */

/* "not linearizable" as "not-linearizable". */
static void add_rule(const char *key, const char *verdict,
                     struct plumb_base_text *out)
{
    plumb_report_json_begin(key, '"', out);
    for (bool gap = false; *verdict; verdict++) {
        if (!isalnum((unsigned char)*verdict)) {
            gap = true;
            continue;
        }
        plumb_base_text_add(out, gap ? "-" : "");
        plumb_base_text_bytes(out, verdict, 1);
        gap = false;
    }
    plumb_base_text_add(out, "\"");
}

static bool is_first_of_rule(const struct finding *f, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(f[k].verdict, f[i].verdict) == 0)
            return false;
    return true;
}

static void add_rules(const struct finding *f, size_t count,
                      struct plumb_base_text *out)
{
    plumb_report_json_begin("rules", '[', out);
    for (size_t i = 0; i < count; i++) {
        if (f[i].outcome == PLUMB_SAYS_ERROR || !is_first_of_rule(f, i))
            continue;
        plumb_report_json_open('{', out);
        add_rule("id", f[i].verdict, out);
        plumb_report_json_begin("shortDescription", '{', out);
        plumb_report_json_text("text", f[i].verdict, out);
        plumb_base_text_add(out, "}}");
    }
    plumb_base_text_add(out, "]");
}

static const char *kind_of(const struct finding *f)
{
    return f->outcome == PLUMB_SAYS_PASS        ? "pass"
           : f->outcome == PLUMB_SAYS_VIOLATION ? "fail"
                                                : "open";
}

static void add_locations(const struct finding *f, struct plumb_base_text *out)
{
    struct finding_place room;
    const struct finding_place *const at = finding_where(f, &room);
    if (!at)
        return;
    plumb_report_json_begin("locations", '[', out);
    plumb_report_json_open('{', out);
    add_physical(at, out);
    plumb_base_text_add(out, "}]");
}

static void add_result(const struct finding *f, struct plumb_base_text *out)
{
    struct plumb_base_text text = { .budget = out->budget };
    finding_describe(f, false, &text);
    plumb_report_json_open('{', out);
    add_rule("ruleId", f->verdict, out);
    plumb_report_json_text("kind", kind_of(f), out);
    plumb_report_json_text(
        "level", f->outcome == PLUMB_SAYS_VIOLATION ? "error" : "none", out);
    add_message(plumb_base_text_string(&text), out);
    add_locations(f, out);
    if (f->outcome == PLUMB_SAYS_VIOLATION)
        add_flows(f, out);
    plumb_report_json_begin("properties", '{', out);
    plumb_report_json_text("command", f->command, out);
    plumb_report_json_text("subject", f->subject, out);
    if (f->replay[0])
        plumb_report_json_text("replay", f->replay, out);
    plumb_base_text_add(out, "}}");
    out->broken |= text.broken;
    plumb_base_text_release(&text);
}

static void add_notification(const struct finding *f,
                             struct plumb_base_text *out)
{
    struct plumb_base_text text = { .budget = out->budget };
    finding_summary(f, &text);
    plumb_report_json_open('{', out);
    plumb_report_json_text("level", "error", out);
    add_message(plumb_base_text_string(&text), out);
    add_locations(f, out);
    plumb_base_text_add(out, "}");
    plumb_base_text_release(&text);
}

static void add_invocation(const struct finding *f, size_t count,
                           struct plumb_base_text *out)
{
    bool errors = false;
    for (size_t i = 0; i < count; i++)
        errors |= f[i].outcome == PLUMB_SAYS_ERROR;
    plumb_report_json_begin("invocations", '[', out);
    plumb_report_json_open('{', out);
    plumb_report_json_bool("executionSuccessful", !errors, out);
    if (errors) {
        plumb_report_json_begin("toolExecutionNotifications", '[', out);
        for (size_t i = 0; i < count; i++)
            if (f[i].outcome == PLUMB_SAYS_ERROR)
                add_notification(f + i, out);
        plumb_base_text_add(out, "]");
    }
    plumb_base_text_add(out, "}]");
}

void publish_write_sarif(const struct finding *f, size_t count,
                         struct plumb_base_text *out)
{
    plumb_base_text_add(
        out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
             "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{"
             "\"name\":\"plumb\",\"version\":\"" PLUMB_VERSION "\"");
    add_rules(f, count, out);
    plumb_base_text_add(out, "}}");
    add_invocation(f, count, out);
    plumb_report_json_begin("results", '[', out);
    for (size_t i = 0; i < count; i++)
        if (f[i].outcome != PLUMB_SAYS_ERROR)
            add_result(f + i, out);
    plumb_base_text_add(out, "]}]}\n");
}
