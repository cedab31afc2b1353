/* check_run.c - decide every history of the files, and print in their order.
 *
 *     source --> window of subjects, decided by a pool --> printed in order
 *
 * The main thread reads and prints; a subject is decided by one thread of the
 * pool, unless it is the only one: then the threads share its parts. */
#include "check_report.h"
#include "check_settings.h"
#include "app/objects/guard.h"
#include "app/console/interrupt.h"
#include "app/console/memory_limit.h"
#include "app/console/output.h"
#include "pool.h"
#include "app/console/progress.h"
#include "report/witness_file.h"
#include "app/console/say.h"
#include "source.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- setting up ---- */

static bool load_spec(const struct check_settings *s, struct plumb_spec **spec)
{
    struct plumb_error err = { 0 };
    if (!s->plugin) {
        if (plumb_spec_parse(s->spec, spec, &err) == PLUMB_OK)
            return true;
        say("plumb check: --spec %s: %s", s->spec, err.message);
        return false;
    }
    const struct plumb_user_spec *const user = plugin_load(s->plugin);
    if (!user)
        return false;
    if (plumb_spec_from_user(guard_spec(user), spec, &err) == PLUMB_OK)
        return true;
    say("%s: %s", s->spec, err.message);
    return false;
}

bool check_set_up(const struct check_settings *s, struct check_setting_up *up)
{
    *up = (struct check_setting_up){ NULL, NULL };
    up->budget = plumb_budget_new(s->timeout, memory_limit(s->memory));
    if (!up->budget) {
        say("plumb check: out of memory");
        return false;
    }
    interrupts_stop(up->budget);
    if (!s->spec || load_spec(s, &up->spec))
        return true;
    check_clean_up(up);
    return false;
}

void check_clean_up(struct check_setting_up *up)
{
    interrupts_stop(NULL);
    if (up->spec)
        plumb_spec_free(up->spec);
    plumb_budget_free(up->budget);
}

/* ---- the run ---- */

struct run {
    const struct check_settings *with;
    struct reporting reporting;
    struct source source;
    struct pool pool;
    struct output witness; /* if with->witness */
    struct subject **window;
    size_t first, end; /* the window's subjects, modulo pool.room */
    enum exit_status status;
    bool out_of_memory;
    bool proved; /* something was written to the witness */
};

static void work(void *context, struct subject *s)
{
    struct run *const r = context;
    decide_subject(&r->reporting, s);
    progress_count();
}

static bool write_witness(struct run *r, const struct subject *s)
{
    const struct plumb_sink sink = output_sink(&r->witness);
    struct plumb_text t;
    plumb_text_init(&t, NULL);
    if (!r->proved)
        plumb_witness_begin(&t);
    plumb_text_bytes(&t, s->witness.data, s->witness.size);
    const bool written =
        !t.broken && sink.write(sink.context, t.data, t.size) == 0;
    plumb_text_release(&t);
    r->proved = true;
    return written;
}

/* Print what there is about a subject.  False: nobody can read it. */
static bool print_subject(struct run *r, const struct subject *s)
{
    bool written = true;
    r->status = worse_status(r->status, s->status);
    progress_hide();
    if (s->complaint.size > 0)
        fputs(plumb_text_string(&s->complaint), stderr);
    if (s->result.size > 0)
        fwrite(s->result.data, 1, s->result.size, stdout);
    progress_show();
    if (s->witness.size > 0)
        written = write_witness(r, s);
    if (s->result.broken || s->witness.broken) {
        say("%s: no memory for the report", s->name);
        r->status = STATUS_ERROR;
    }
    return flush_results() && written;
}

/* Fill the window.  Nothing is read after the budget is used up: the source
 * then names what is left. */
static void fill_window(struct run *r)
{
    while (r->end - r->first < r->pool.room && !r->out_of_memory) {
        struct subject *const s = source_next(&r->source, &r->out_of_memory);
        if (!s)
            return;
        r->window[r->end++ % r->pool.room] = s;
        pool_submit(&r->pool, s);
    }
}

static void run_pool(struct run *r)
{
    bool readable = true;
    for (;;) {
        if (readable)
            fill_window(r);
        if (r->first == r->end)
            return;
        struct subject *const s = r->window[r->first++ % r->pool.room];
        pool_wait(&r->pool, s);
        if (readable && !print_subject(r, s)) {
            readable = false;
            r->status = STATUS_ERROR;
            plumb_budget_stop(r->reporting.budget);
        }
        subject_free(s);
    }
}

/* The only history: its parts are what can be shared out. */
static void run_alone(struct run *r, struct subject *s)
{
    s->jobs = r->with->jobs;
    work(r, s);
    if (!print_subject(r, s))
        r->status = STATUS_ERROR;
    subject_free(s);
}

static void run_several(struct run *r, struct subject *first)
{
    if (!pool_open(&r->pool, r->with->jobs, work, r)) {
        r->out_of_memory = true;
        subject_free(first);
        return;
    }
    r->window = calloc(r->pool.room, sizeof(struct subject *));
    if (r->window) {
        r->window[r->end++ % r->pool.room] = first;
        pool_submit(&r->pool, first);
        run_pool(r);
    } else {
        r->out_of_memory = true;
        subject_free(first);
    }
    free(r->window);
    pool_close(&r->pool);
}

static void run_all(struct run *r)
{
    struct subject *const first = source_next(&r->source, &r->out_of_memory);
    if (first && source_is_exhausted(&r->source))
        run_alone(r, first);
    else if (first)
        run_several(r, first);
    if (r->out_of_memory) {
        say("plumb check: out of memory");
        r->status = STATUS_ERROR;
    }
}

static enum exit_status run_with(const struct check_settings *s,
                                 const struct check_setting_up *up)
{
    struct spec_choice specs = { .given = up->spec, .quiet = s->quiet };
    struct run r = {
        .with = s,
        .reporting = reporting_for(s, up->budget),
        .source = { .files = s->files,
                    .count = s->nfiles,
                    .format = s->format,
                    .ties = s->ties,
                    .budget = up->budget,
                    .specs = &specs },
    };
    if (s->witness && !output_create(&r.witness, s->witness))
        return STATUS_ERROR;
    if (!s->quiet)
        progress_start(up->budget);
    run_all(&r);
    progress_stop();
    source_close(&r.source);
    spec_choice_release(&specs);
    if (s->witness && !output_finish(&r.witness, r.proved))
        r.status = STATUS_ERROR;
    return r.status;
}

enum exit_status check_histories(const struct check_settings *s)
{
    struct check_setting_up up;
    if (!check_set_up(s, &up))
        return STATUS_ERROR;
    const enum exit_status status = run_with(s, &up);
    check_clean_up(&up);
    return status;
}
