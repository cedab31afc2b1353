/* verify_run.c - a model, assertion by assertion. */
#include "app/console/exit_status.h"
#include "app/console/input.h"
#include "app/console/interrupt.h"
#include "app/console/memory_limit.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "base/spelling.h"
#include "verify_record.h"
#include "verify_report.h"
#include "verify_resources.h"
#include "verify_settings.h"
#include "verify_source.h"
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

struct verifying {
    const struct verify_settings *with;
    struct plumb_budget *budget;
    struct verify_source source;
    struct verify_native compiler;
    const struct plumb_csp_native *native;
    struct plumb_csp_model *model;
    bool violated, history_written;
    struct verify_resources run, used; /* of all assertions, and of this one */
    uint64_t states;                   /* of the implementation, so far */
};

/* States and how fast they come; then, of a search, how far it is. */
static void tell_progress(void *context, const char *phase, uint64_t done,
                          uint64_t depth)
{
    struct verifying *const v = context;
    const double seconds = verify_resources_elapsed(&v->used);
    char line[128], search[64] = "";
    if (strcmp(phase, "states") == 0)
        v->states = done;
    else if (strcmp(phase, "specification") == 0)
        return;
    else
        snprintf(search, sizeof search, ", %" PRIu64 " pairs, depth %" PRIu64,
                 done, depth);
    snprintf(line, sizeof line, "%" PRIu64 " states, %.2f M/s%s, %.0f MiB",
             v->states, seconds > 0 ? (double)v->states / seconds / 1e6 : 0,
             search, (double)plumb_budget_used(v->budget) / (1 << 20));
    console_progress_line(line);
}

/* FILE, or FILE#2 if there are several assertions. */
static void name_subject(const struct verifying *v, uint32_t index,
                         struct plumb_base_text *subject)
{
    plumb_base_text_add(subject, console_input_name(v->with->file));
    if (v->model->assertions > 1)
        plumb_base_text_printf(subject, "#%u", (unsigned)index + 1);
}

static enum console_status status_of(const struct plumb_refine_judgement *j,
                                     const struct plumb_error *err)
{
    if (j->decided)
        return j->holds          ? STATUS_HOLDS
               : verify_doubt(j) ? STATUS_UNDECIDED
                                 : STATUS_VIOLATED;
    return verify_went_wrong(j, err) ? STATUS_ERROR : STATUS_UNDECIDED;
}

/* What is wrong with the model, and how it comes to that. */
static void say_trouble(const struct verifying *v,
                        struct plumb_refine_judgement *j,
                        const struct plumb_error *err)
{
    struct plumb_base_text steps;
    verify_say_error(&v->source, err);
    plumb_base_text_init(&steps, NULL);
    verify_report_trouble(v->with, j, &steps);
    console_progress_hide();
    fputs(plumb_base_text_string(&steps), stderr);
    console_progress_show();
    plumb_base_text_release(&steps);
}

/* Why processes were not renamed, where somebody wants to know. */
static void tell_no_symmetry(const struct verifying *v,
                             const struct plumb_refine_judgement *j)
{
    const struct plumb_csp_place at = j->no_symmetry.place;
    if (j->no_symmetry.what &&
        (v->with->symmetry == PLUMB_SYMMETRY_ON || v->with->verbose))
        verify_note_at(&v->source, at, "no symmetry", j->no_symmetry.what);
}

/* The first that makes a history is enough. */
static enum console_status write_counterexample(
    struct verifying *v, struct plumb_refine_judgement *j)
{
    const enum verify_recorded recorded = verify_record(v->with, j, v->budget);
    v->history_written = recorded != VERIFY_NO_RECORD;
    return recorded == VERIFY_RECORD_FAILED ? STATUS_ERROR : STATUS_VIOLATED;
}

/* As long as one may take, and no longer than all together. */
static void begin_clock(struct verifying *v)
{
    const uint64_t all = v->with->timeout, each = v->with->timeout_each;
    const double elapsed = verify_resources_elapsed(&v->run) * 1000;
    verify_resources_begin(&v->used, v->budget);
    if (!each || (all && elapsed >= (double)all))
        return;
    const uint64_t left = all ? all - (uint64_t)elapsed : each;
    plumb_budget_allow(v->budget, left < each ? left : each);
}

/* As a line in `out`, if stdout is for that, and as what is published. */
static void tell_programs(const struct verifying *v, const char *subject,
                          struct plumb_refine_judgement *j,
                          const struct plumb_error *err,
                          struct plumb_base_text *out)
{
    const struct verify_settings *const with = v->with;
    struct plumb_base_text line, graph;
    plumb_base_text_init(&line, NULL);
    plumb_base_text_init(&graph, NULL);
    if (with->verbose || publish_wants(with->publication))
        verify_graph_json(with, v->model, j->assertion, &graph);
    verify_report_json(subject, with->file, v->source.path,
                       plumb_base_text_string(&graph), j, err, &v->used, &line);
    publish_result(with->publication, &line);
    if (with->json)
        plumb_base_text_bytes(out, line.data, line.size);
    plumb_base_text_release(&graph);
    plumb_base_text_release(&line);
}

static enum console_status judge_one(struct verifying *v, uint32_t index)
{
    const struct plumb_refine_judging how = { .engine = v->with->engine,
                                              .counting = v->with->counting,
                                              .counts = v->with->counts,
                                              .reduction = v->with->reduction,
                                              .symmetry = v->with->symmetry,
                                              .fairness = v->with->fairness,
                                              .search = v->with->search,
                                              .threads = v->with->threads,
                                              .budget = v->budget,
                                              .native = v->native,
                                              .progress = tell_progress,
                                              .context = v };
    struct plumb_refine_judgement j;
    struct plumb_error err = { 0 };
    struct plumb_base_text subject, out;
    plumb_base_text_init(&subject, NULL);
    plumb_base_text_init(&out, NULL);
    name_subject(v, index, &subject);
    v->states = 0;
    begin_clock(v);
    tell_progress(v, "states", 0, 0);
    (void)plumb_refine_judge(&j, v->model, index, &how, &err);
    enum console_status status = status_of(&j, &err);
    tell_no_symmetry(v, &j);
    if (v->with->json || publish_wants(v->with->publication))
        tell_programs(v, plumb_base_text_string(&subject), &j, &err, &out);
    if (!v->with->json)
        verify_report(v->with, plumb_base_text_string(&subject), &j, &err,
                      &out);
    console_progress_print(&out);
    verify_resources_note(&v->used, plumb_base_text_string(&subject),
                          v->with->verbose);
    if (status == STATUS_ERROR)
        say_trouble(v, &j, &err);
    v->violated |= status == STATUS_VIOLATED;
    if (status == STATUS_VIOLATED && v->with->history && !v->history_written)
        status = console_worse_status(status, write_counterexample(v, &j));
    plumb_refine_judgement_free(&j);
    plumb_base_text_release(&subject);
    plumb_base_text_release(&out);
    return status;
}

static enum console_status judge_all(struct verifying *v)
{
    const unsigned long only = v->with->assertion;
    enum console_status status = STATUS_HOLDS;
    if (only > v->model->assertions) {
        console_say(
            "%s: the model has %u assertion%s; there is no assertion %lu",
            v->with->file, (unsigned)v->model->assertions,
            plumb_base_plural(v->model->assertions), only);
        return STATUS_ERROR;
    }
    if (v->model->assertions == 0) {
        console_say("%s: the model has no assertion; add a line such as "
                    "`#assert P() deadlockfree;`",
                    v->with->file);
        return STATUS_ERROR;
    }
    for (uint32_t i = 0; i < v->model->assertions; i++)
        if (only == 0 || only == i + 1)
            status = console_worse_status(status, judge_one(v, i));
    if (v->with->history && !v->violated && status != STATUS_ERROR)
        console_note("no assertion is violated; %s was not written",
                     v->with->history);
    return status;
}

static enum console_status run_model(struct verifying *v)
{
    if (v->with->simulate)
        return verify_simulate(v->with, v->model, v->budget);
    if (v->with->dot)
        return verify_dot(v->with, v->model, v->budget);
    return judge_all(v);
}

/* Large arrays that grow are moved by changing page tables, not by copying:
 * the C library would get used to large blocks and keep them elsewhere. */
static void keep_large_blocks_apart(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

/* Time or memory were up before anything was known of the model. */
static enum console_status tell_unread(const struct verify_settings *s,
                                       const struct plumb_error *err)
{
    struct plumb_base_text out;
    plumb_base_text_init(&out, NULL);
    verify_unread_json(console_input_name(s->file), s->file, err, &out);
    publish_result(s->publication, &out);
    if (!s->json)
        plumb_base_text_clear(&out);
    if (!s->json)
        verify_unread(s, console_input_name(s->file), err, &out);
    console_progress_print(&out);
    plumb_base_text_release(&out);
    return STATUS_UNDECIDED;
}

enum console_status verify_run(const struct verify_settings *s)
{
    keep_large_blocks_apart();
    struct verifying v = { .with = s,
                           .budget = plumb_budget_new(
                               s->timeout, console_memory_limit(s->memory)) };
    struct plumb_error err = { 0 };
    enum console_status status = STATUS_ERROR;
    if (!v.budget) {
        console_say("out of memory");
        return STATUS_UNDECIDED;
    }
    v.native = verify_native(&v.compiler, s->compile, s->verbose, v.budget);
    verify_resources_begin(&v.run, v.budget);
    console_interrupts_stop(v.budget);
    if (!s->simulate) /* which asks and answers on the terminal itself */
        console_progress_start(v.budget);
    const enum plumb_status read =
        verify_source_open(&v.source, s, v.budget, &v.model, &err);
    if (read == PLUMB_OK)
        status = run_model(&v);
    else if (read != PLUMB_EINPUT && read != PLUMB_EIO)
        status = tell_unread(s, &err);
    console_progress_stop();
    console_interrupts_stop(NULL);
    verify_source_close(&v.source);
    plumb_budget_free(v.budget);
    return status;
}
