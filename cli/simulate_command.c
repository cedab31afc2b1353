/* simulate_command.c - plumb simulate: its options, and where it runs.
 *
 * Wing & Gong's interface, as printed: simulate -cConcObj -sSeqObj
 * -iinput_file -ooutput_file -d.  What is missing is asked for. */
#include "app/check/rank_histogram.h"
#include "app/console/interrupt.h"
#include "app/console/options.h"
#include "app/console/quantity.h"
#include "app/console/say.h"
#include "app/objects/target.h"
#include "app/simulate/compare.h"
#include "app/simulate/simulate_settings.h"
#include "app/simulate/worker_process.h"
#include "cli.h"
#include "record/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETTINGS struct simulate_settings

/* A negative number means for ever. */
static bool take_span(const struct console_options *o,
                      const struct console_option *row, const char *value,
                      void *settings)
{
    struct simulate_settings *const s = settings;
    const bool is_time = strcmp(row->name, "seconds") == 0;
    s->span = console_means_no_end(value) ? SPAN_FOREVER
              : is_time                   ? SPAN_TIME
                                          : SPAN_HISTORIES;
    if (s->span == SPAN_FOREVER)
        return true;
    if (!is_time)
        return console_option_number(o, row, value, &s->histories);
    return console_read_duration(value, &s->milliseconds) ||
           console_option_fails(
               o, row, value,
               "must be a time above 0, such as 10, 0.5 or 2m, or -1");
}

#define RUNNING  "Running"
#define DECIDING "Deciding"

static const struct console_option rows[] = {
    { "object", 'c', IN_OBJECT(object), "OBJECT", .group = RUNNING,
      .help = "run OBJECT: a name (see `plumb list objects`), a source in C or "
              "C++, a .o or a .so file",
      .more = "docs/testing-an-object.md explains how to write one." },
    { "processes", 'p', IN_UNSIGNED(processes, 1, PLUMB_MAX_PROCESSES), "N",
      .help = "let N processes call operations at the same time",
      .more = "They are threads." },
    { "operations", 'n', IN_UNSIGNED(operations, 1, UINT32_MAX), "N",
      .help = "let each process call N operations on average, at most 100000",
      .more = "Each calls between half and one and a half times as many.  The "
              "limit does not apply to --record." },
    { "seconds", 0, IN_OWN(take_span, 0, 0, WORDS("-1")), "S",
      .help = "stop after this time, such as 10, 0.5 or 2m; -1 means never" },
    { "histories", 0, IN_OWN(take_span, 1, UINT64_MAX, WORDS("-1")), "N",
      .help = "stop after N histories; -1 means never" },
    { "defaults", 'd', IN_FLAG(defaults),
      .help = "take what is missing from the file .init, else 4 processes, 10 "
              "operations, 10 seconds; so it is without --ask, too" },
    { "ask", 0, IN_FLAG(asks),
      .help = "ask for what the options do not say, as in Wing and Gong" },
    OPTION_SEED("operations",
                "When the processes run is still up to the machine."),
    { "noise", 0, IN_UNSIGNED(noise, 0, MOST_NOISE), "N", "1",
      .help = "pause each process N times per history on average, inside its "
              "operations; 0 builds and runs the object unchanged" },
    { "", 0, IN_REST(extra, nextra), "WORD...",
      .help = "more sources, object files and flags for the compiler" },

    { "spec", 's', IN_SPEC(spec), "SPEC", .group = DECIDING,
      .help = "check against SPEC: a built-in specification (see `plumb list "
              "specs`), a specification in C, or a sequential object",
      .more = "A sequential object is named as after -c; the ending of a file "
              "may be left out.  Default: the specification that the object "
              "names, with -d or for an empty answer." },
    OPTION_QUASI,
    OPTION_RANK_ERRORS,
    { "input", 'i', IN_FILE(input), "FILE",
      .help = "run nothing; check each history of FILE, in any format" },
    { "output", 'o', IN_FILE(output), "FILE",
      .help = "write each history with its verdict to FILE, a new file",
      .more = "- is the standard output.  A run without end writes only the "
              "first history that is not linearizable." },
    { "statistics", 0, IN_FLAG(statistics),
      .help = "measure how long the operations take" },
    OPTION_MEMORY,

    { "compare", 0, IN_FLAG(compare), .group = "Measuring and recording",
      .help = "measure the OBJECTs named as arguments side by side, with 1 to "
              "N processes" },
    { "plot", 0, IN_FILE(plot), "OUT.svg",
      .help = "draw what --compare measures into OUT.svg, a new file" },
    { "record", 0, IN_FILE(record), "FILE",
      .help = "run the object as one long history and record it to FILE",
      .more = "An old FILE is replaced." },
    { "unique", 0, IN_FLAG(unique),
      .help = "make every value unique, by process and a counter; needs "
              "--record",
      .more = "Keys stay as they are." },

    OPTION_JSON(NULL, "Output"),
    OPTIONS_PUBLISH,
    OPTIONS_OUTPUT("print more about each verdict"),
};

/* The first option given that makes sense only where histories are decided. */
static const char *deciding_option(const struct console_options *o)
{
    static const char *const names[] = { "spec",   "quasi",      "input",
                                         "output", "defaults",   "histories",
                                         "noise",  "statistics", "memory",
                                         NULL };
    const char *const *name = names;
    while (*name && !console_given(o, *name))
        name++;
    return *name;
}

static bool ends_in_svg(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".svg") == 0;
}

static bool comparison_makes_sense(const struct console_options *o,
                                   const struct simulate_settings *s)
{
    if (s->object || o->nargs == 0)
        return console_usage_fails(o, "name the objects after --compare, as in "
                                      "--compare queue-coarse michael-scott");
    if (o->nargs > MOST_COMPARED)
        return console_usage_fails(o, "--compare takes at most %d objects",
                                   MOST_COMPARED);
    if (s->span == SPAN_FOREVER)
        return console_usage_fails(
            o, "--compare must end: give a positive number of --seconds");
    if (s->plot && !ends_in_svg(s->plot))
        return console_usage_fails(o, "--plot %s: the name must end in .svg",
                                   s->plot);
    return true;
}

static bool measuring_makes_sense(const struct console_options *o,
                                  const struct simulate_settings *s)
{
    const char *const deciding = deciding_option(o);
    if (s->compare && s->record)
        return console_usage_fails(o,
                                   "--compare and --record cannot be combined");
    if (publish_asked(&s->publish))
        return console_usage_fails(o,
                                   "--%s decides nothing, so there is "
                                   "nothing to report",
                                   s->compare ? "compare" : "record");
    if (deciding)
        return console_usage_fails(
            o, "--%s has no effect with --%s, which decides nothing", deciding,
            s->compare ? "compare" : "record");
    if (s->compare)
        return comparison_makes_sense(o, s);
    return s->object ||
           console_usage_fails(o, "--record needs an object: -c OBJECT");
}

static bool settings_make_sense(const struct console_options *o,
                                const struct simulate_settings *s)
{
    if (!s->record && s->operations > MOST_OPERATIONS)
        return console_usage_fails(
            o, "--operations %u: only --record allows more than %d",
            s->operations, MOST_OPERATIONS);
    if (s->unique && !s->record)
        return console_usage_fails(o, "--unique needs --record");
    if (s->plot && !s->compare)
        return console_usage_fails(o, "--plot needs --compare");
    if (o->nargs > 0 && !s->compare && s->object != o->args[0])
        return console_usage_fails(
            o,
            "unexpected argument `%s`; give one object, and what the compiler "
            "needs after --",
            o->args[0]);
    if (o->nargs > 1 && !s->compare)
        return console_usage_fails(
            o, "unexpected argument `%s`; several objects go with --compare",
            o->args[1]);
    if (s->asks && s->defaults)
        return console_usage_fails(
            o, "--ask asks questions and -d asks none; give one of the two");
    if (s->compare || s->record)
        return measuring_makes_sense(o, s);
    if (s->input && s->object)
        return console_usage_fails(
            o, "-i checks histories and -c makes them; give one of the two");
    return true;
}

/* ---- making it ready ---- */

struct readiness {
    struct objects_target target;
    bool has_target;
    struct worker_description object; /* what it says of itself */
};

/* A name is looked up now, before questions are asked in vain. */
static bool spec_is_known(const struct simulate_settings *s)
{
    if (objects_is_plugin(s->spec))
        return true;
    struct plumb_spec *const spec =
        check_load_spec(s->spec, NULL, &s->quasi, SIMULATE_SPEC_OPTION);
    if (spec)
        plumb_spec_free(spec);
    return spec != NULL;
}

static bool make_ready(struct simulate_settings *s, void *context)
{
    struct readiness *const r = context;
    if (s->input)
        return true;
    r->has_target = objects_target_build(
        &r->target, s->object, s->noise > 0 ? TARGET_HOOKED : TARGET_PLAIN,
        s->extra, s->nextra);
    if (!r->has_target || !simulate_worker_learn(&r->target, &r->object))
        return false;
    if (r->object.lacks_setup)
        console_note("%s has no .setup, so a history begins with what the last "
                     "one left",
                     s->object);
    if (!s->spec) {
        s->spec = r->object.spec;
        s->quasi.replaces = true;
    }
    if (s->spec[0])
        return spec_is_known(s);
    return console_fails(
        "%s: names no specification; give one, as -s queue (plumb list specs)",
        s->object);
}

/* ---- running it ---- */

struct job {
    struct simulate_settings *s;
    const struct objects_target *target;
};

static enum console_status run(void *context)
{
    const struct job *const job = context;
    return job->s->input ? simulate_file(job->s)
                         : simulate_object(job->s, job->target);
}

/* False if that is all; `status` then says how it ended. */
static bool ask(struct simulate_settings *s, struct simulate_answers *answers,
                struct readiness *r, enum console_status *status)
{
    struct plumb_budget *const asking = plumb_budget_new(0, 0);
    console_interrupts_stop(asking);
    const bool ready = simulate_ask(s, answers, make_ready, r);
    const bool stopped = asking && plumb_budget_state(asking) == PLUMB_ESTOP;
    console_interrupts_stop(NULL);
    plumb_budget_free(asking);
    *status = stopped ? STATUS_UNDECIDED : STATUS_ERROR;
    return ready && !stopped;
}

static enum console_status simulate(struct simulate_settings *s)
{
    struct simulate_answers answers;
    struct readiness r = { .has_target = false };
    enum console_status status;
    if (s->defaults && !simulate_read_defaults(s))
        return STATUS_ERROR;
    if (s->defaults && !s->object && !s->input)
        return console_error("plumb simulate: no OBJECT given; see `plumb list "
                             "objects` and `plumb simulate --help`");
    if (ask(s, &answers, &r, &status)) {
        struct job job = { .s = s, .target = &r.target };
        status = check_with_spec(s->spec, &s->plugin,
                                 s->span == SPAN_TIME ? s->milliseconds : 0,
                                 run, &job);
    }
    if (r.has_target)
        objects_target_release(&r.target);
    return status;
}

/* One per processor, but not fewer than that. */
static unsigned usual_processes(long least)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return (unsigned)(processors < least                 ? least
                      : processors > PLUMB_MAX_PROCESSES ? PLUMB_MAX_PROCESSES
                                                         : processors);
}

static enum console_status compare(struct simulate_settings *s,
                                   const struct console_options *o)
{
    if (!s->processes)
        s->processes = usual_processes(DEFAULT_PROCESSES);
    if (!s->operations)
        s->operations = DEFAULT_ROUND;
    if (s->span == SPAN_UNKNOWN)
        s->milliseconds = 1000;
    return simulate_compare_objects(s, o->args, o->nargs);
}

static enum console_status record(struct simulate_settings *s)
{
    struct objects_target target;
    if (!s->processes)
        s->processes = usual_processes(2);
    if (s->span == SPAN_UNKNOWN && !s->operations) {
        s->span = SPAN_TIME;
        s->milliseconds = DEFAULT_SECONDS * 1000;
    }
    if (!objects_target_build(&target, s->object, TARGET_PLAIN, s->extra,
                              s->nextra))
        return STATUS_ERROR;
    const enum console_status status = simulate_record(s, &target);
    objects_target_release(&target);
    return status;
}

static enum console_status run_simulate(const struct console_options *o,
                                        void *settings)
{
    struct simulate_settings *const s = settings;
    const bool named = o->nargs && !s->compare && !s->object && !s->input;
    if (named)
        s->object = o->args[0];
    if (!settings_make_sense(o, s))
        return STATUS_ERROR;
    s->defaults = !s->asks;
    if (s->compare || s->record)
        return s->compare ? compare(s, o) : record(s);
    return publish_open(&s->publication, &s->publish, o,
                        s->object ? s->object : s->input, s->json)
               ? publish_close(s->publication, simulate(s))
               : STATUS_ERROR;
}

const struct console_command cli_simulate = {
    .name = "simulate",
    .summary = "run an object with real threads and check its histories",
    .arguments = "OBJECT [options] [-- WORD...]",
    .about =
        "Run OBJECT with real threads, record its histories, and check each, "
        "until one is not linearizable.  With --ask, questions are asked for "
        "what the options do not say, as in the paper of Wing and Gong.\n\n"
        "With --compare nothing is recorded or checked: the OBJECTs, all of "
        "one type, run as fast as they can with 1 to N processes (default: one "
        "per processor, at least 4) for S seconds each (default 1).  "
        "docs/measuring-objects.md explains the tables of throughput and "
        "latency.\n\n"
        "With --record nothing is checked either: N processes (default: one "
        "per processor, at least 2) run for S seconds (default 10), or N "
        "operations each.  `plumb check` reads FILE, even while it is "
        "written (docs/recording.md).",
    .examples =
        "  plumb simulate queue-reread\n"
        "  plumb simulate my_queue.c -s queue -p 3 -n 5 -- -I ../include\n"
        "  plumb simulate --compare queue-coarse michael-scott --plot q.svg\n"
        "  plumb simulate --record queue.rec -c michael-scott --seconds 60\n",
    .status = "  0  no violation found\n"
              "  1  a violation, or the object crashed\n"
              "  2  error\n"
              "  3  undecided or interrupted\n",
    .options = rows,
    .names = NAMES_OBJECTS,
    .settings = sizeof(SETTINGS),
    .run = run_simulate,
};
