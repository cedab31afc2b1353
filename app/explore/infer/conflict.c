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
                               job->serial.process[step->op] + 1u);
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

/* An answer that says "nothing", as --nondet takes it; NULL: it is another. */
static const char *word_for(const struct plumb_record_entry *e)
{
    const struct plumb_value *const v = &e->value[e->nargs];
    if (*e->term)
        return e->nres ? NULL : e->term;
    if (e->nres != 1 || v->bits)
        return NULL;
    return v->tag == PLUMB_INT ? "0" : v->tag == PLUMB_BOOL ? "false" : NULL;
}

/* The answer that came last is the one that nothing explains. */
static const struct plumb_record_entry *last_answer(const struct job *job,
                                                    const struct job_finding *f)
{
    const struct plumb_record_entry *last = NULL;
    for (unsigned op = 0; op < job->serial.operations; op++) {
        const uint64_t ret = atomic_load(&f->entry[op].ret);
        if (ret && (!last || ret > atomic_load(&last->ret)))
            last = &f->entry[op];
    }
    return last;
}

/* Does the specification have all operations of the object? */
static bool is_of(const struct job *job, const char *text)
{
    struct plumb_spec *spec;
    struct plumb_error err;
    if (plumb_spec_parse(text, &spec, &err) != PLUMB_OK)
        return false;
    bool knows = true;
    for (unsigned i = 0; i < job->target.operations && knows; i++) {
        const char *const name = job->target.operation[i].name;
        knows = plumb_spec_takes(spec, name, strlen(name),
                                 job->target.operation[i].arity);
    }
    plumb_spec_free(spec);
    return knows;
}

/* Operations that take effect together: no serial execution has them. */
static void suggest_blocks(const struct job *job, struct plumb_base_text *out)
{
    static const char *const specs[] = { "setlin:barrier", "setlin:exchanger" };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        if (is_of(job, specs[i]))
            plumb_base_text_printf(
                out, "\n  If operations take effect together, use --spec %s.\n",
                specs[i]);
}

void explore_add_suggestion(const struct job *job, const struct job_finding *f,
                            struct plumb_base_text *out)
{
    const struct plumb_record_entry *const e = last_answer(job, f);
    if (f->what.fault == FAULT_HISTORY)
        suggest_blocks(job, out);
    const char *const word = e ? word_for(e) : NULL;
    if (!word || (f->what.fault != FAULT_HISTORY &&
                  f->what.fault != FAULT_NONDETERMINISTIC))
        return;
    const char *const name = job->target.operation[e->operation].name;
    plumb_base_text_printf(
        out, "\n  If %s may answer %s at any time, add --nondet %s=%s.\n", name,
        word, name, word);
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
                               job->serial.process[step->op] + 1u);
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
