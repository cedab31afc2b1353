/* conflict.c - see conflict.h. */
#include "conflict.h"

#include "app/explore/report/explore_words.h"
#include "app/explore/trace/trace_rows.h"
#include "report/json.h"
#include <stdlib.h>
#include <string.h>

/* "deq() = 1", or "deq() waits for ever". */
static void add_outcome(const struct job *job, const struct plumb_infer_edge *e,
                        struct plumb_base_text *out)
{
    struct job_finding *const f = calloc(1, sizeof *f);
    const bool stuck = e->next == PLUMB_INFER_STUCK;
    if (!f)
        return;
    memcpy(&f->entry[e->op],
           stuck ? &job->serial.call[e->op] : &job->serial.answer[e->answer],
           sizeof f->entry[e->op]);
    explore_trace_operation_text(job, f, e->op, !stuck, out);
    if (stuck)
        plumb_base_text_add(out, " waits for ever");
    free(f);
}

static const struct plumb_infer_edge *step_of(
    const struct plumb_infer_conflict *c, unsigned which, uint32_t i)
{
    return i < c->length ? &c->before[i] : &c->outcome[which];
}

/* One history on a line: "P1 enq(1) = ok, P2 deq() = 1". */
static void add_history(const struct exploration *e, const struct job *job,
                        unsigned which, struct plumb_base_text *out)
{
    const struct plumb_infer_conflict *const c = &job->serial.conflict;
    struct plumb_base_text line;
    plumb_base_text_init(&line, NULL);
    plumb_base_text_printf(&line, "serial %u: ", which + 1);
    for (uint32_t i = 0; i <= c->length; i++) {
        const struct plumb_infer_edge *const step = step_of(c, which, i);
        plumb_base_text_printf(&line, "%sP%u ", i ? ", " : "",
                               job->target.process[step->op] + 1u);
        add_outcome(job, step, &line);
    }
    explore_wrapped_line(e, plumb_base_text_string(&line), out);
    plumb_base_text_release(&line);
}

void explore_add_conflict(const struct exploration *e, const struct job *job,
                          struct plumb_base_text *out)
{
    explore_wrapped_line(
        e,
        "Two serial executions of this test differ in one answer, so no "
        "deterministic specification fits the object.",
        out);
    add_history(e, job, 0, out);
    add_history(e, job, 1, out);
}

static void json_history(const struct job *job, unsigned which,
                         struct plumb_base_text *out)
{
    const struct plumb_infer_conflict *const c = &job->serial.conflict;
    struct plumb_base_text text;
    plumb_base_text_add(out, "[");
    for (uint32_t i = 0; i <= c->length; i++) {
        const struct plumb_infer_edge *const step = step_of(c, which, i);
        plumb_base_text_init(&text, NULL);
        add_outcome(job, step, &text);
        plumb_base_text_printf(out, "%s{\"process\":%u", i ? "," : "",
                               job->target.process[step->op] + 1u);
        plumb_report_json_text("text", plumb_base_text_string(&text), out);
        plumb_base_text_add(out, "}");
        plumb_base_text_release(&text);
    }
    plumb_base_text_add(out, "]");
}

void explore_json_conflict(const struct job *job, struct plumb_base_text *out)
{
    plumb_base_text_add(out, ",\"serial\":[");
    json_history(job, 0, out);
    plumb_base_text_add(out, ",");
    json_history(job, 1, out);
    plumb_base_text_add(out, "]");
}
