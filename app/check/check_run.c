/* check_run.c - decide every history of the files, and print in their order.
 *
 *     source --> window of subjects, decided in turns --> printed in order
 *
 * The main thread reads and prints; a subject is decided by one thread of the
 * pool, unless it is the only one: then the threads share its parts. */
#include "app/console/interrupt.h"
#include "app/console/memory_limit.h"
#include "app/console/output.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "app/objects/guard.h"
#include "check_report.h"
#include "check_settings.h"
#include "history_turns.h"
#include "pool.h"
#include "rank_histogram.h"
#include "report/witness_file.h"
#include "source.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- setting up ---- */

/* False after saying why not. */
static bool relax(struct plumb_spec **spec, const struct objects_quasi *quasi,
                  const char *option, const char *name)
{
    struct plumb_error err = { 0 };
    if (!*spec || !quasi->given ||
        ((!quasi->replaces || objects_strict_spec(spec, &err) == PLUMB_OK) &&
         objects_relax_spec(spec, quasi->k, &err) == PLUMB_OK))
        return true;
    console_say("%s %s: %s", option, name, err.message);
    return false;
}

static struct plumb_spec *load(const char *name,
                               const struct objects_target *plugin,
                               const char *option)
{
    struct plumb_spec *spec = NULL;
    struct plumb_error err = { 0 };
    if (!plugin) {
        if (plumb_spec_parse(name, &spec, &err) != PLUMB_OK)
            console_say("%s %s: %s", option, name, err.message);
        return spec;
    }
    const struct plumb_user_spec *const user = objects_plugin_load(plugin);
    if (user &&
        plumb_spec_from_user(objects_guard_spec(user), &spec, &err) != PLUMB_OK)
        console_say("%s: %s", name, err.message);
    return spec;
}

struct plumb_spec *check_load_spec(const char *name,
                                   const struct objects_target *plugin,
                                   const struct objects_quasi *quasi,
                                   const char *option)
{
    struct plumb_spec *spec = load(name, plugin, option);
    if (!relax(&spec, quasi, option, name)) {
        plumb_spec_free(spec);
        spec = NULL;
    }
    return spec;
}

enum console_status check_with_spec(const char *spec,
                                    struct objects_target **plugin,
                                    uint64_t milliseconds,
                                    enum console_status (*work)(void *context),
                                    void *context)
{
    struct objects_target built;
    if (!spec || !objects_is_plugin(spec))
        return work(context);
    if (!objects_plugin_build(&built, spec))
        return STATUS_ERROR;
    *plugin = &built; /* cppcheck-suppress autoVariables; until below */
    const enum console_status status =
        objects_guard_run(&built, milliseconds, work, context);
    *plugin = NULL;
    objects_target_release(&built);
    return status;
}

bool check_set_up(const struct check_settings *s, struct check_setting_up *up)
{
    *up = (struct check_setting_up){ NULL, NULL };
    up->budget = plumb_budget_new(s->timeout, console_memory_limit(s->memory));
    if (!up->budget)
        return console_fails("plumb check: out of memory");
    console_interrupts_stop(up->budget);
    if (s->spec)
        up->spec = check_load_spec(s->spec, s->plugin, &s->quasi,
                                   "plumb check: --spec");
    if (!s->spec || up->spec)
        return true;
    check_clean_up(up);
    return false;
}

void check_clean_up(struct check_setting_up *up)
{
    console_interrupts_stop(NULL);
    if (up->spec)
        plumb_spec_free(up->spec);
    plumb_budget_free(up->budget);
}

/* ---- the run ---- */

struct run {
    const struct check_settings *with;
    struct check_reporting reporting;
    struct check_source source;
    struct check_pool pool;
    struct console_output witness; /* if with->witness */
    struct check_ranks ranks;
    enum console_status status;
    bool out_of_memory;
    bool proved; /* something was written to the witness */
};

static void work(void *context, struct check_subject *s)
{
    struct run *const r = context;
    check_decide_subject(&r->reporting, s);
    if (!s->interrupted)
        console_progress_count();
}

static bool write_witness(struct run *r, const struct check_subject *s)
{
    const struct plumb_sink sink = console_output_sink(&r->witness);
    struct plumb_base_text t = { 0 };
    if (!r->proved)
        plumb_report_witness_begin(&t);
    plumb_base_text_bytes(&t, s->witness.data, s->witness.size);
    const bool written =
        !t.broken && sink.write(sink.context, t.data, t.size) == 0;
    plumb_base_text_release(&t);
    r->proved = true;
    return written;
}

/* Print what there is about a subject.  False: nobody can read it. */
static bool print_subject(struct run *r, const struct check_subject *s)
{
    bool written = true;
    r->status = console_worse_status(r->status, s->status);
    console_progress_hide();
    if (s->complaint.size > 0)
        fputs(plumb_base_text_string(&s->complaint), stderr);
    if (s->result.size > 0)
        fwrite(s->result.data, 1, s->result.size, stdout);
    console_progress_show();
    publish_result(r->with->publication, &s->published);
    if (s->has_history && s->spec && s->status != STATUS_ERROR)
        check_ranks_add(&r->ranks, &s->history, s->spec);
    if (s->witness.size > 0)
        written = write_witness(r, s);
    if (s->result.broken || s->witness.broken || s->published.broken) {
        console_say("%s: out of memory while writing the report", s->name);
        r->status = STATUS_ERROR;
    }
    return console_flush_results() && written;
}

static bool print_next(void *context, const struct check_subject *s)
{
    struct run *const r = context;
    const bool readable = print_subject(r, s);
    if (!readable)
        r->status = STATUS_ERROR;
    return readable;
}

/* The only history: its parts are what can be shared out. */
static void run_alone(struct run *r, struct check_subject *s)
{
    s->jobs = r->with->jobs;
    work(r, s);
    if (!print_subject(r, s))
        r->status = STATUS_ERROR;
    check_subject_free(s);
}

static void run_several(struct run *r, struct check_subject *first)
{
    struct check_turns turns = {
        .pool = &r->pool,
        .source = &r->source,
        .budget = r->reporting.budget,
        .jobs = r->with->jobs,
        .print = print_next,
        .context = r,
    };
    if (!check_pool_open(&r->pool, r->with->jobs, work, r)) {
        r->out_of_memory = true;
        check_subject_free(first);
        return;
    }
    if (!check_take_turns(&turns, first))
        r->out_of_memory = true;
    check_pool_close(&r->pool);
}

static void run_all(struct run *r)
{
    struct check_subject *const first =
        check_source_next(&r->source, &r->out_of_memory);
    if (first && check_source_is_exhausted(&r->source))
        run_alone(r, first);
    else if (first)
        run_several(r, first);
    if (r->out_of_memory) {
        console_say("plumb check: out of memory");
        r->status = STATUS_ERROR;
    }
}

static enum console_status run_with(const struct check_settings *s,
                                    const struct check_setting_up *up)
{
    struct objects_spec_choice specs = { .given = up->spec,
                                         .quasi = s->quasi,
                                         .quiet = s->quiet };
    struct run r = {
        .with = s,
        .reporting = check_reporting_for(s, up->budget),
        .source = { .files = s->files,
                    .count = s->nfiles,
                    .format = s->format,
                    .ties = s->ties,
                    .keeps_times = (s->json && s->verbose) ||
                                   publish_wants(s->publication),
                    .budget = up->budget,
                    .specs = &specs },
    };
    if (!check_ranks_open(&r.ranks, s->rank_errors, !s->json, s->memory))
        return STATUS_ERROR;
    if (s->witness && !console_output_create(&r.witness, s->witness))
        return STATUS_ERROR;
    if (!s->quiet)
        console_progress_start(up->budget);
    run_all(&r);
    console_progress_stop();
    check_source_close(&r.source);
    objects_spec_choice_release(&specs);
    if (s->witness && !console_output_finish(&r.witness, r.proved))
        r.status = STATUS_ERROR;
    if (!check_ranks_close(&r.ranks))
        r.status = STATUS_ERROR;
    return r.status;
}

enum console_status check_histories(const struct check_settings *s)
{
    struct check_setting_up up;
    if (!check_set_up(s, &up))
        return STATUS_ERROR;
    const enum console_status status = run_with(s, &up);
    check_clean_up(&up);
    return status;
}
