/* history_json.c - a history and what was found out about it, for programs. */
#include "json.h"

#include "history/formats/scalar.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* For a picture: operations, and steps that have a state. */
enum { MOST_SHOWN = 1500, FIRST_SHOWN = 500, MOST_STATES = 500 };

/* ---- an operation ---- */

/* A rank or a line; null if it is `none`. */
static void add_place(struct plumb_base_text *out, const char *name, uint32_t n,
                      uint32_t none)
{
    if (n == none)
        plumb_report_json_text(name, NULL, out);
    else
        plumb_report_json_number(name, n, out);
}

/* Counted from `first`; null if it is not known. */
static void add_time(struct plumb_base_text *out, const char *name,
                     uint64_t time, uint64_t first)
{
    if (time == PLUMB_NO_TIME)
        plumb_report_json_text(name, NULL, out);
    else
        plumb_report_json_number(name, time - first, out);
}

static uint64_t first_time(const struct plumb_history *h)
{
    uint64_t first = PLUMB_NO_TIME;
    for (size_t i = 0; h->time && i < 2 * (size_t)h->count; i++)
        first = h->time[i] < first ? h->time[i] : first;
    return first;
}

static void add_symbol(struct plumb_base_text *out, const char *name,
                       const struct plumb_history *h, uint32_t symbol)
{
    size_t size;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &size);
    plumb_report_json_key(name, out);
    plumb_report_json_string(text, size, out);
}

static void add_value(struct plumb_base_text *out,
                      const struct plumb_history *h, struct plumb_value v)
{
    size_t size;
    if (plumb_history_scalar_show(v, "null", out))
        return;
    const char *const text =
        plumb_symbol_text(h->symbols, (uint32_t)v.bits, &size);
    plumb_report_json_string(text, size, out);
}

static void add_values(struct plumb_base_text *out, const char *name,
                       const struct plumb_history *h,
                       const struct plumb_value *v, size_t count)
{
    plumb_report_json_begin(name, '[', out);
    for (size_t i = 0; i < count; i++) {
        plumb_base_text_add(out, i ? "," : "");
        add_value(out, h, v[i]);
    }
    plumb_base_text_add(out, "]");
}

static void add_indexes(struct plumb_base_text *out, const char *name,
                        const uint32_t *index, uint32_t count)
{
    plumb_report_json_begin(name, '[', out);
    for (uint32_t i = 0; i < count; i++)
        plumb_base_text_printf(out, i ? ",%" PRIu32 : "%" PRIu32, index[i]);
    plumb_base_text_add(out, "]");
}

static const char *outcome_name(uint8_t outcome)
{
    static const char *const names[] = { "ok", "fail", "info", "open" };
    return names[outcome];
}

static void add_lines(struct plumb_base_text *out,
                      const struct plumb_history *h, uint32_t index)
{
    const struct plumb_origin *const at =
        h->origin ? h->origin + 2 * (size_t)index : NULL;
    add_place(out, "line", at ? at[0].line : 0, 0);
    add_place(out, "return_line",
              at && h->op[index].resp != PLUMB_NEVER ? at[1].line : 0, 0);
}

/* Its members, behind "{" and perhaps a letter. */
static void add_members(struct plumb_base_text *out,
                        const struct plumb_history *h, uint32_t index,
                        uint64_t first)
{
    const struct plumb_op *const o = h->op + index;
    plumb_report_json_number("index", index, out);
    add_symbol(out, "thread", h, h->thread[o->thread]);
    add_symbol(out, "object", h, h->object[o->object]);
    add_symbol(out, "name", h, o->name);
    add_values(out, "args", h, plumb_op_args(h, o), o->nargs);
    plumb_report_json_text("outcome", outcome_name(o->outcome), out);
    if (o->outcome == PLUMB_OUTCOME_OK)
        add_symbol(out, "term", h, o->term);
    else
        plumb_report_json_text("term", NULL, out);
    add_values(out, "results", h, plumb_op_results(h, o), o->nres);
    plumb_report_json_number("call", o->call, out);
    add_place(out, "return", o->resp, PLUMB_NEVER);
    add_lines(out, h, index);
    if (!h->time)
        return;
    add_time(out, "call_time", h->time[2 * (size_t)index], first);
    add_time(out, "return_time", h->time[2 * (size_t)index + 1], first);
}

static void add_letter(const char *key, uint32_t i, struct plumb_base_text *out)
{
    plumb_report_json_begin(key, '"', out);
    plumb_report_scene_letter(i, out);
    plumb_base_text_add(out, "\"");
}

static void add_operation(struct plumb_base_text *out,
                          const struct plumb_report_scene *scene, uint32_t i,
                          uint64_t first)
{
    plumb_report_json_open('{', out);
    add_letter("letter", i, out);
    add_members(out, scene->h, scene->op[i], first);
    plumb_report_json_bool("forgotten", plumb_report_scene_forgets(scene, i),
                           out);
    plumb_base_text_add(out, "}");
}

/* ---- an order that gets stuck ---- */

static void add_state(const struct plumb_report_replay *replay,
                      const struct plumb_report_replay_step *step,
                      uint32_t count, struct plumb_base_text *out)
{
    struct plumb_base_text text = { .budget = out->budget };
    if (!replay->state)
        return;
    replay->state(replay->context, step, count, &text);
    plumb_report_json_text("state", plumb_base_text_string(&text), out);
    out->broken |= text.broken;
    plumb_base_text_release(&text);
}

static void add_refused(const struct plumb_report_scene *scene,
                        const struct plumb_report_replay *replay,
                        const struct plumb_report_attempt *a, uint32_t i,
                        struct plumb_base_text *out)
{
    static const struct plumb_report_style style = { .ascii = false };
    struct plumb_base_text text = { .budget = out->budget };
    plumb_report_json_open('{', out);
    add_letter("letter", i, out);
    plumb_report_label_answer(&style, scene->h, plumb_report_scene_op(scene, i),
                              &text);
    plumb_report_json_text("returned", plumb_base_text_string(&text), out);
    plumb_base_text_clear(&text);
    replay->answers(replay->context, a->step, a->count, scene->op[i], &text);
    plumb_report_json_text(
        "allowed", text.size ? plumb_base_text_string(&text) : NULL, out);
    plumb_base_text_add(out, "}");
    out->broken |= text.broken;
    plumb_base_text_release(&text);
}

static void add_attempt(const struct plumb_report_scene *scene,
                        const struct plumb_report_replay *replay,
                        struct plumb_base_text *out)
{
    struct plumb_base_arena arena = { .budget = out->budget };
    struct plumb_report_attempt a;
    if (plumb_report_attempt_find(scene, replay, &arena, &a)) {
        plumb_report_json_begin("attempt", '{', out);
        add_state(replay, a.step, 0, out);
        plumb_report_json_begin("order", '[', out);
        for (uint32_t d = 0; d < a.count; d++) {
            plumb_report_json_open('{', out);
            add_letter("letter", a.order[d], out);
            if (d < MOST_STATES)
                add_state(replay, a.step, d + 1, out);
            plumb_base_text_add(out, "}");
        }
        plumb_base_text_add(out, "]");
        plumb_report_json_begin("refused", '[', out);
        for (uint32_t k = 0; k < a.refusals; k++)
            add_refused(scene, replay, &a, a.refused[k], out);
        plumb_base_text_add(out, "]}");
    }
    plumb_base_arena_release(&arena);
}

/* ---- a core ---- */

/* The sentences of `lines` as strings. */
static void add_sentences(struct plumb_base_text *out, const char *lines)
{
    for (bool first = true; *lines; first = false) {
        const size_t size = strcspn(lines, "\n");
        plumb_base_text_add(out, first ? "" : ",");
        plumb_report_json_string(lines, size, out);
        lines += size + (lines[size] == '\n');
    }
}

static void add_reasons(struct plumb_base_text *out,
                        const struct plumb_report_subject *s,
                        const struct plumb_report_scene *scene)
{
    const struct plumb_report_style style = { .ascii = false };
    struct plumb_base_text t = { .budget = out->budget };
    plumb_report_json_begin("why", '[', out);
    if (s->spec && !s->user_spec &&
        plumb_report_explain_why(scene, s->spec, &style, &t))
        add_sentences(out, plumb_base_text_string(&t));
    plumb_base_text_add(out, "]");
    plumb_base_text_clear(&t);
    if (s->replay && plumb_report_explain_stuck(scene, s->replay, &style, &t))
        plumb_report_json_text("stuck", plumb_base_text_string(&t), out);
    else
        plumb_report_json_text("stuck", NULL, out);
    out->broken |= t.broken;
    plumb_base_text_release(&t);
    if (s->replay)
        add_attempt(scene, s->replay, out);
}

static void add_core(struct plumb_base_text *out,
                     const struct plumb_report_subject *s)
{
    const struct plumb_history *const h = s->history;
    const struct plumb_answer *const a = s->answer;
    const struct plumb_report_scene scene =
        plumb_report_scene_of_core(h, &a->core);
    if (scene.count == 0)
        return;
    plumb_report_json_begin("core", '{', out);
    add_symbol(out, "object", h, h->object[a->core.object]);
    plumb_report_json_number(
        "cut", a->core.cut < h->events ? a->core.cut : h->events, out);
    plumb_report_json_begin("operations", '[', out);
    const uint64_t first = first_time(h);
    for (uint32_t i = 0; i < scene.count; i++)
        add_operation(out, &scene, i, first);
    plumb_base_text_add(out, "]");
    plumb_report_json_bool("minimal", a->minimal, out);
    plumb_report_json_number("certificate", a->certificate_count, out);
    add_reasons(out, s, &scene);
    plumb_base_text_add(out, "}");
}

/* ---- some of the history, for a picture ---- */

/* How many operations are within `reach` of one of the core; both are sorted. */
static uint64_t count_near(const struct plumb_history *h,
                           const struct plumb_core *core, uint32_t reach)
{
    uint64_t count = 0;
    uint32_t end = 0; /* those before it are counted */
    for (uint32_t k = 0; k < core->count; k++) {
        const uint32_t at = core->op[k];
        const uint32_t from = at > reach ? at - reach : 0;
        const uint32_t to = h->count - at > reach ? at + reach + 1 : h->count;
        count += to - (from > end ? from : end < to ? end : to);
        end = to > end ? to : end;
    }
    return count;
}

static uint32_t widest_reach(const struct plumb_history *h,
                             const struct plumb_core *core)
{
    uint32_t reach = MOST_SHOWN;
    while (reach && count_near(h, core, reach) > MOST_SHOWN)
        reach /= 2;
    return reach;
}

static void add_shown(const struct plumb_history *h, uint32_t from, uint32_t to,
                      uint32_t *end, uint64_t first,
                      struct plumb_base_text *out)
{
    for (uint32_t i = from > *end ? from : *end; i < to; i++) {
        plumb_report_json_open('{', out);
        add_members(out, h, i, first);
        plumb_base_text_add(out, "}");
    }
    *end = to > *end ? to : *end;
}

static void begin_history(const struct plumb_history *h,
                          struct plumb_base_text *out)
{
    plumb_report_json_begin("history", '{', out);
    plumb_report_json_number("operations_in_all", h->count, out);
    plumb_report_json_begin("operations", '[', out);
}

void plumb_report_json_history(const struct plumb_history *h,
                               struct plumb_base_text *out)
{
    uint32_t end = 0;
    begin_history(h, out);
    add_shown(h, 0, h->count <= MOST_SHOWN ? h->count : FIRST_SHOWN, &end,
              first_time(h), out);
    plumb_base_text_add(out, "]}");
}

static void add_history(const struct plumb_report_subject *s,
                        struct plumb_base_text *out)
{
    const struct plumb_history *const h = s->history;
    const struct plumb_core *const core = &s->answer->core;
    const bool violated =
        s->answer->verdict == PLUMB_NOT_LINEARIZABLE && core->count;
    const uint32_t reach = violated ? widest_reach(h, core) : 0;
    uint32_t end = 0;
    if (!violated) {
        plumb_report_json_history(h, out);
        return;
    }
    begin_history(h, out);
    const uint64_t first = first_time(h);
    for (uint32_t k = 0; k < core->count; k++) {
        const uint32_t at = core->op[k];
        add_shown(h, at > reach ? at - reach : 0,
                  h->count - at > reach ? at + reach + 1 : h->count, &end,
                  first, out);
    }
    plumb_base_text_add(out, "]}");
}

/* The order that explains a history, as far as a reader follows it. */
static void add_linearization(const struct plumb_report_subject *s,
                              struct plumb_base_text *out)
{
    const struct plumb_answer *const a = s->answer;
    const uint32_t count =
        a->order_count < MOST_STATES ? a->order_count : MOST_STATES;
    struct plumb_base_arena arena = { .budget = out->budget };
    struct plumb_report_replay_step *const step =
        plumb_base_arena_alloc(&arena, (count + (size_t)1) * sizeof *step);
    if (step && s->replay) {
        for (uint32_t d = 0; d < count; d++)
            step[d] = (struct plumb_report_replay_step){
                a->order[d], plumb_op_is_pending(s->history->op + a->order[d])
            };
        plumb_report_json_begin("linearization", '{', out);
        add_state(s->replay, step, 0, out);
        plumb_report_json_begin("order", '[', out);
        for (uint32_t d = 0; d < count; d++) {
            plumb_report_json_open('{', out);
            plumb_report_json_number("index", a->order[d], out);
            add_state(s->replay, step, d + 1, out);
            plumb_base_text_add(out, "}");
        }
        plumb_base_text_add(out, "]}");
    }
    plumb_base_arena_release(&arena);
}

/* ---- a subject ---- */

static void add_error(struct plumb_base_text *out,
                      const struct plumb_report_subject *s)
{
    const struct plumb_error *const e = s->error;
    plumb_report_json_begin("error", '{', out);
    plumb_report_json_text("file", s->file, out);
    plumb_report_json_number("line", e->line, out);
    plumb_report_json_number("column", e->column, out);
    plumb_report_json_text("message", e->message, out);
    plumb_base_text_add(out, "}");
}

static void add_verdict_members(struct plumb_base_text *out,
                                const struct plumb_report_subject *s,
                                struct plumb_report_json_detail detail)
{
    const struct plumb_answer *const a = s->answer;
    if (a->verdict == PLUMB_UNDECIDED) {
        plumb_report_json_text("reason", plumb_report_undecided_reason(a), out);
        plumb_report_json_number("prefix_events", a->prefix, out);
    } else if (a->verdict == PLUMB_NOT_LINEARIZABLE) {
        plumb_report_json_begin("first_event", '{', out);
        plumb_report_json_number("from", a->maybe + 1, out);
        plumb_report_json_number("to", a->sure + 1, out);
        plumb_base_text_add(out, "}");
        add_core(out, s);
    } else {
        if (detail.witness)
            add_indexes(out, "witness", a->order, a->order_count);
        if (detail.picture)
            add_linearization(s, out);
    }
}

static void add_answer(struct plumb_base_text *out,
                       const struct plumb_report_subject *s,
                       struct plumb_report_json_detail detail)
{
    const struct plumb_answer *const a = s->answer;
    plumb_report_json_text("algorithm",
                           plumb_report_algorithm_name(a->algorithm), out);
    plumb_report_json_number("operations", s->history->count, out);
    plumb_report_json_number("threads", s->history->threads, out);
    plumb_report_json_number("parts", a->parts, out);
    plumb_report_json_number("configurations", a->configurations, out);
    plumb_report_json_number("steps", a->steps, out);
    if (a->declined)
        plumb_report_json_text("declined", a->declined, out);
    add_verdict_members(out, s, detail);
    if (detail.picture)
        add_history(s, out);
}

static enum plumb_report_outcome outcome_of(
    const struct plumb_report_subject *s)
{
    return s->error                                   ? PLUMB_SAYS_ERROR
           : s->answer->verdict == PLUMB_LINEARIZABLE ? PLUMB_SAYS_PASS
           : s->answer->verdict == PLUMB_NOT_LINEARIZABLE
               ? PLUMB_SAYS_VIOLATION
               : PLUMB_SAYS_UNDECIDED;
}

void plumb_report_json(const struct plumb_report_subject *s,
                       const struct plumb_report_json_head *head,
                       struct plumb_report_json_detail detail,
                       struct plumb_base_text *out)
{
    plumb_report_json_begin_line(head, out);
    plumb_report_json_verdict(
        s->error ? "error" : plumb_report_verdict_name(s->answer->verdict),
        outcome_of(s), out);
    plumb_report_json_text("spec", s->spec, out);
    if (s->error)
        add_error(out, s);
    else
        add_answer(out, s, detail);
    plumb_base_text_add(out, "}\n");
}
