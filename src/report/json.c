/* json.c - one JSON object per subject. */
#include "json.h"

#include "base/utf8.h"
#include "history/formats/scalar.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* ---- writing JSON ---- */

static void separate(struct plumb_base_text *out)
{
    if (out->size && !strchr("{[:", out->data[out->size - 1]))
        plumb_base_text_add(out, ",");
}

static void add_char(const char *text, size_t bytes, uint32_t c,
                     struct plumb_base_text *out)
{
    if (c == '"' || c == '\\')
        plumb_base_text_printf(out, "\\%c", (char)c);
    else if (c == '\n')
        plumb_base_text_add(out, "\\n");
    else if (c == '\t')
        plumb_base_text_add(out, "\\t");
    else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
        plumb_base_text_printf(out, "\\u%04" PRIx32, c);
    else
        plumb_base_text_bytes(out, text, bytes);
}

void plumb_report_json_string(const char *text, size_t size,
                              struct plumb_base_text *out)
{
    plumb_base_text_add(out, "\"");
    for (size_t i = 0; i < size;) {
        uint32_t c;
        const size_t bytes = plumb_base_utf8_next(text + i, size - i, &c);
        if (bytes)
            add_char(text + i, bytes, c, out);
        else
            plumb_base_text_add(out, "\\ufffd");
        i += bytes ? bytes : 1;
    }
    plumb_base_text_add(out, "\"");
}

void plumb_report_json_open(char bracket, struct plumb_base_text *out)
{
    assert(bracket == '{' || bracket == '[');
    separate(out);
    plumb_base_text_fill(out, bracket, 1);
}

void plumb_report_json_key(const char *name, struct plumb_base_text *out)
{
    separate(out);
    plumb_base_text_printf(out, "\"%s\":", name);
}

void plumb_report_json_begin(const char *key, char bracket,
                             struct plumb_base_text *out)
{
    plumb_report_json_key(key, out);
    plumb_base_text_fill(out, bracket, 1);
}

void plumb_report_json_text(const char *key, const char *text,
                            struct plumb_base_text *out)
{
    plumb_report_json_key(key, out);
    if (text)
        plumb_report_json_string(text, strlen(text), out);
    else
        plumb_base_text_add(out, "null");
}

void plumb_report_json_number(const char *key, uint64_t n,
                              struct plumb_base_text *out)
{
    plumb_report_json_key(key, out);
    plumb_base_text_printf(out, "%" PRIu64, n);
}

void plumb_report_json_subject(const char *subject, struct plumb_base_text *out)
{
    plumb_base_text_add(out, "{");
    plumb_report_json_number("format", PLUMB_JSON_FORMAT, out);
    plumb_report_json_text("subject", subject, out);
}

static void add_bool(struct plumb_base_text *out, const char *name, bool b)
{
    plumb_report_json_key(name, out);
    plumb_base_text_add(out, b ? "true" : "false");
}

/* A rank or a line; `none` if it is not there. */
static void add_place(struct plumb_base_text *out, const char *name, uint32_t n,
                      uint32_t none)
{
    if (n != none) {
        plumb_report_json_number(name, n, out);
        return;
    }
    plumb_report_json_key(name, out);
    plumb_base_text_add(out, "null");
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
        separate(out);
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

/* ---- a core ---- */

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

static void add_operation(struct plumb_base_text *out,
                          const struct plumb_report_scene *scene, uint32_t i)
{
    const struct plumb_history *const h = scene->h;
    const struct plumb_op *const o = plumb_report_scene_op(scene, i);
    plumb_report_json_open('{', out);
    plumb_report_json_begin("letter", '"', out);
    plumb_report_scene_letter(i, out);
    plumb_base_text_add(out, "\"");
    plumb_report_json_number("index", scene->op[i], out);
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
    add_lines(out, h, scene->op[i]);
    add_bool(out, "forgotten", plumb_report_scene_forgets(scene, i));
    plumb_base_text_add(out, "}");
}

/* The sentences of `lines` as strings. */
static void add_sentences(struct plumb_base_text *out, const char *lines)
{
    while (*lines) {
        const size_t size = strcspn(lines, "\n");
        separate(out);
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
    for (uint32_t i = 0; i < scene.count; i++)
        add_operation(out, &scene, i);
    plumb_base_text_add(out, "]");
    add_bool(out, "minimal", a->minimal);
    plumb_report_json_number("certificate", a->certificate_count, out);
    add_reasons(out, s, &scene);
    plumb_base_text_add(out, "}");
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

static void add_answer(struct plumb_base_text *out,
                       const struct plumb_report_subject *s, bool witness)
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
    if (a->verdict == PLUMB_UNDECIDED) {
        plumb_report_json_text("reason", plumb_report_undecided_reason(a), out);
        plumb_report_json_number("prefix_events", a->prefix, out);
    } else if (a->verdict == PLUMB_NOT_LINEARIZABLE) {
        plumb_report_json_begin("first_event", '{', out);
        plumb_report_json_number("from", a->maybe + 1, out);
        plumb_report_json_number("to", a->sure + 1, out);
        plumb_base_text_add(out, "}");
        add_core(out, s);
    } else if (witness) {
        add_indexes(out, "witness", a->order, a->order_count);
    }
}

void plumb_report_json(const struct plumb_report_subject *s, bool witness,
                       struct plumb_base_text *out)
{
    plumb_base_text_add(out, "{");
    plumb_report_json_number("format", PLUMB_JSON_FORMAT, out);
    plumb_report_json_text("subject", s->name, out);
    plumb_report_json_text(
        "verdict",
        s->error ? "error" : plumb_report_verdict_name(s->answer->verdict),
        out);
    plumb_report_json_text("spec", s->spec, out);
    if (s->error)
        add_error(out, s);
    else
        add_answer(out, s, witness);
    plumb_base_text_add(out, "}\n");
}
