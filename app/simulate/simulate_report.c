/* simulate_report.c - what a simulation found, in words. */
#include "simulate_report.h"

#include "app/check/check_report.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "latencies.h"
#include "report/json.h"
#include "report/label.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* An operation that was invoked and never returned, or NULL. */
static const char *never_returned(const struct worker_description *object,
                                  const struct worker_shared *shared)
{
    for (unsigned i = 0; i < object->operations; i++) {
        uint64_t calls = 0, returns = 0;
        for (unsigned p = 0; p < shared->with.processes; p++) {
            calls += shared->tally[p].calls[i];
            returns += shared->tally[p].returns[i];
        }
        if (calls > 0 && returns == 0)
            return object->operation[i];
    }
    return NULL;
}

enum { MOST_STUCK = 10 }; /* one of so many may get stuck */

void simulate_doubt(struct simulate_outcome *o,
                    const struct worker_description *object,
                    const struct worker_shared *shared)
{
    const char *const name = never_returned(object, shared);
    const int phase =
        atomic_load_explicit(&shared->phase, memory_order_relaxed);
    const char *const what =
        o->interrupted                          ? "interrupted"
        : !o->histories && phase == PHASE_SETUP ? "setup has not returned"
        : !o->histories                         ? "no history was decided"
        : !o->operations                        ? "no operation was invoked"
        : o->undecided             ? "not all histories were decided"
        : o->stuck == o->histories ? "every history got stuck"
        : o->stuck > o->histories / MOST_STUCK
            ? "more than a tenth of the histories got stuck"
            : "";
    snprintf(o->doubt, sizeof o->doubt, "%s", what);
    if (!what[0] && name)
        snprintf(o->doubt, sizeof o->doubt, "%s never returned", name);
}

enum console_status simulate_status(const struct simulate_outcome *o)
{
    if (o->status != STATUS_HOLDS)
        return o->status;
    if (o->violation)
        return STATUS_VIOLATED;
    return o->doubt[0] ? STATUS_UNDECIDED : STATUS_HOLDS;
}

struct check_settings simulate_telling(const struct simulate_settings *s)
{
    return (struct check_settings){ .json = s->json,
                                    .quiet = s->quiet,
                                    .verbose = s->verbose,
                                    .color = s->color,
                                    .memory = s->memory,
                                    .command = "simulate",
                                    .publication = s->publication };
}

void simulate_report_violation(const struct simulate_settings *s,
                               const struct plumb_spec *spec,
                               struct plumb_budget *budget, const char *label,
                               uint64_t number, struct plumb_history *h)
{
    const struct check_settings with = simulate_telling(s);
    const struct check_reporting reporting = check_reporting_for(&with, budget);
    struct check_subject *const subject =
        check_subject_new(label, (size_t)number, NULL);
    if (!subject) {
        console_say("plumb simulate: out of memory");
        return;
    }
    subject->spec = spec;
    subject->path = s->object;
    subject->history = *h;
    subject->has_history = true;
    check_decide_subject(&reporting, subject);
    if (subject->complaint.size > 0)
        fputs(plumb_base_text_string(&subject->complaint), stderr);
    console_progress_print(&subject->result);
    publish_result(s->publication, &subject->published);
    subject->has_history = false; /* the caller's */
    check_subject_free(subject);
}

/* ---- a process that died ---- */

static void add_ending(struct plumb_base_text *t, int how)
{
    if (WIFSIGNALED(how))
        plumb_base_text_printf(t, "crashed (%s)", strsignal(WTERMSIG(how)));
    else
        plumb_base_text_printf(t, "ended its process (exit status %d)",
                               WEXITSTATUS(how));
}

/* "  in deq() of P2, enq(3) of P1" */
static void add_open_calls(struct plumb_base_text *t,
                           const struct plumb_history *h)
{
    const struct plumb_report_style style = { .ascii = true };
    bool any = false;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct plumb_op *const o = h->op + i;
        if (!plumb_op_is_pending(o))
            continue;
        plumb_base_text_add(t, any ? ", " : "  in ");
        plumb_report_label_op(&style, h, o, PLUMB_LABEL_CALL, t);
        plumb_base_text_add(t, " of ");
        plumb_report_label_thread(&style, h, o->thread, t);
        any = true;
    }
    plumb_base_text_add(t, any ? "\n" : "  between operations\n");
}

static void add_death_json(const struct simulate_settings *s, const char *label,
                           uint64_t number, const char *words,
                           struct plumb_base_text *line)
{
    publish_json_begin("simulate", label, s->object, line);
    plumb_report_json_number("history", number, line);
    plumb_report_json_verdict(words, PLUMB_SAYS_VIOLATION, line);
    plumb_base_text_add(line, "}\n");
}

void simulate_report_death(const struct simulate_settings *s, const char *label,
                           uint64_t number, int how, const char *phase,
                           const struct plumb_history *h)
{
    struct plumb_base_text line = { 0 };
    struct plumb_base_text words = { 0 };
    add_ending(&words, how);
    add_death_json(s, label, number, plumb_base_text_string(&words), &line);
    publish_result(s->publication, &line);
    if (!s->json) {
        plumb_base_text_clear(&line);
        plumb_report_label_line(label, &line);
        plumb_base_text_printf(&line, "#%" PRIu64 ": %s\n", number,
                               plumb_base_text_string(&words));
        if (!s->quiet && phase)
            plumb_base_text_printf(&line, "  in %s\n", phase);
        else if (!s->quiet)
            add_open_calls(&line, h);
    }
    console_progress_print(&line);
    plumb_base_text_release(&words);
    plumb_base_text_release(&line);
}

/* ---- the end ---- */

static void add_end_json(const struct simulate_settings *s, const char *label,
                         const char *verdict, bool decided,
                         const struct simulate_outcome *o,
                         struct plumb_base_text *line)
{
    publish_json_begin("simulate", label, s->object, line);
    plumb_report_json_verdict(
        verdict, decided ? PLUMB_SAYS_PASS : PLUMB_SAYS_UNDECIDED, line);
    plumb_report_json_number("histories", o->histories, line);
    plumb_report_json_number("stuck", o->stuck, line);
    plumb_report_json_number("undecided", o->undecided, line);
    if (o->doubt[0])
        plumb_report_json_text("reason", o->doubt, line);
    plumb_base_text_add(line, "}\n");
}

static void print_no_violation(const struct simulate_settings *s,
                               const char *label,
                               const struct simulate_outcome *o)
{
    struct plumb_base_text line = { 0 };
    const char *const verdict =
        o->doubt[0] && !o->interrupted ? "undecided" : "no violation found";
    add_end_json(s, label, verdict, !o->doubt[0], o, &line);
    publish_result(s->publication, &line);
    if (!s->json) {
        plumb_base_text_clear(&line);
        plumb_report_label_line(label, &line);
        plumb_base_text_printf(&line, ": %s", verdict);
        if (o->doubt[0])
            plumb_base_text_printf(&line, " (%s)", o->doubt);
        plumb_base_text_add(&line, "\n");
    }
    console_progress_print(&line);
    plumb_base_text_release(&line);
}

enum { FEW = 10 };

static const char *plural(uint64_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

static void note_stuck(const struct simulate_outcome *o,
                       const struct worker_description *object,
                       uint32_t waiting)
{
    struct plumb_base_text names = { 0 };
    simulate_add_names(object, waiting, &names);
    console_note("%" PRIu64 " %s got stuck in %s: no return for 100 ms; stuck "
                 "histories are not judged",
                 o->stuck, plural(o->stuck, "history", "histories"),
                 names.size ? plumb_base_text_string(&names) : "no operation");
    plumb_base_text_release(&names);
}

static void note_numbers(const struct simulate_outcome *o)
{
    const double seconds = (double)(o->ended - o->began) / 1e9;
    console_note(
        "%" PRIu64 " %s with %" PRIu64 " %s in %.1f s, %.0f histories/s",
        o->histories, plural(o->histories, "history", "histories"),
        o->operations, plural(o->operations, "operation", "operations"),
        seconds, seconds > 0 ? (double)o->histories / seconds : 0.0);
    if (o->histories && !o->operations && !o->violation)
        console_note(
            "no process may invoke an operation; try more --processes");
    if (o->undecided)
        console_note(
            "%" PRIu64 " %s could not be decided; %s", o->undecided,
            plural(o->undecided, "history", "histories"),
            o->unknown ? "the specification does not know every answer"
                       : "try fewer processes or operations, or more --memory");
    if (o->cut && o->histories < FEW)
        console_note(
            "time ran out while the last history was being decided; that "
            "history is not counted; try fewer processes or operations");
}

/* No noise without hooks: say so, for then little is tried.  Processes of a
 * stuck history do not come to tell how many they passed. */
static void note_hooks(const struct simulate_settings *s,
                       const struct worker_shared *shared,
                       const struct simulate_outcome *o)
{
    uint64_t hooks = 0;
    for (unsigned p = 0; p < shared->with.processes; p++)
        hooks += shared->tally[p].hooks;
    if (s->noise && hooks == 0 && !o->violation && o->histories > o->stuck)
        console_note("the object made no memory access that plumb can see, so "
                     "its operations were disturbed only at their ends; "
                     "compile all of the object from source, or with plumb cc");
}

/* ---- how long operations took, and what they met ---- */

/* A table on stderr, for times are not results; but JSON on stdout if results
 * are. */
static void print_statistics(const struct simulate_settings *with,
                             const char *label,
                             const struct worker_description *object,
                             const struct worker_shared *s,
                             const struct simulate_outcome *o)
{
    const struct plumb_report_style style = { .ascii = true };
    const double seconds = (double)(o->ended - o->began) / 1e9;
    struct simulate_latencies l[PLUMB_MAX_OPERATIONS];
    struct plumb_base_text text = { 0 };
    for (unsigned i = 0; i < object->operations; i++)
        l[i] = simulate_latencies_of(s, i);
    if (with->json)
        simulate_add_latency_json(label, s->with.processes, object, l, seconds,
                                  &text);
    else
        simulate_add_latency_table(&style, object, l, seconds, &text);
    fputs(plumb_base_text_string(&text), with->json ? stdout : stderr);
    plumb_base_text_release(&text);
    if (with->json)
        console_flush_results();
    if (s->with.noise)
        console_note("retries and contended are per 1000 calls; times include "
                     "the pauses of --noise %u",
                     s->with.noise);
    else
        console_note("retries and contended are per 1000 calls");
}

void simulate_report_end(const struct simulate_settings *s, const char *label,
                         const struct worker_description *object,
                         const struct worker_shared *shared,
                         const struct simulate_outcome *o)
{
    if (o->time_ran_out && !s->quiet)
        fputs("Time has run out!\n", stderr);
    if (o->status != STATUS_HOLDS)
        return;
    if (!o->violation)
        print_no_violation(s, label, o);
    note_numbers(o);
    if (o->stuck)
        note_stuck(o, object, shared->waiting);
    note_hooks(s, shared, o);
    if (s->statistics)
        print_statistics(s, label, object, shared, o);
}
