/* simulate_command.c - plumb simulate: its options, and where it runs.
 *
 * Wing & Gong's interface, as printed: simulate -cConcObj -sSeqObj
 * -iinput_file -ooutput_file -d.  What is missing is asked for. */
#include "app/console/color.h"
#include "app/console/interrupt.h"
#include "app/console/quantity.h"
#include "app/console/say.h"
#include "app/objects/guard.h"
#include "app/objects/target.h"
#include "app/simulate/compare.h"
#include "app/simulate/simulate_record.h"
#include "app/simulate/simulate_settings.h"
#include "app/simulate/simulate_spec.h"
#include "app/simulate/worker_process.h"
#include "cli.h"
#include "record/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OBJECT = OPTION_HELP + 1,
    SPEC,
    INPUT,
    OUTPUT,
    DEFAULTS,
    PROCESSES,
    OPERATIONS,
    SECONDS,
    HISTORIES,
    SEED,
    NOISE,
    STATISTICS,
    COMPARE,
    PLOT,
    RECORD,
    UNIQUE,
    MEMORY,
    JSON,
    QUIET,
    VERBOSE,
    COLOR
};

static const struct poptOption table[] = {
    { "object", 'c', POPT_ARG_STRING, NULL, OBJECT,
      "the concurrent object: a name (plumb list objects), a source, .o or .so",
      "OBJECT" },
    { "spec", 's', POPT_ARG_STRING, NULL, SPEC,
      "what it should be: a name (plumb list specs), a specification in C, or "
      "a sequential object",
      "SPEC" },
    { "input", 'i', POPT_ARG_STRING, NULL, INPUT,
      "run nothing, test each history of FILE", "FILE" },
    { "output", 'o', POPT_ARG_STRING, NULL, OUTPUT,
      "write each history with its status to a new FILE", "FILE" },
    { "defaults", 'd', POPT_ARG_NONE, NULL, DEFAULTS,
      "ask nothing: conditions are those of .init, else 4 processes, 10 "
      "operations, 10 seconds",
      NULL },
    { "processes", 'p', POPT_ARG_STRING, NULL, PROCESSES, "how many run", "N" },
    { "operations", 'n', POPT_ARG_STRING, NULL, OPERATIONS,
      "how many each invokes, on the average", "N" },
    { "seconds", '\0', POPT_ARG_STRING, NULL, SECONDS,
      "stop after a time; -1 is never", "S" },
    { "histories", '\0', POPT_ARG_STRING, NULL, HISTORIES,
      "stop after so many histories; -1 is never", "N" },
    { "seed", '\0', POPT_ARG_STRING, NULL, SEED,
      "the same seed invokes the same operations (default 1)", "N" },
    { "noise", '\0', POPT_ARG_STRING, NULL, NOISE,
      "so many pauses of each process inside its operations, on the average; "
      "0 builds and runs it plain (default 1)",
      "N" },
    { "statistics", '\0', POPT_ARG_NONE, NULL, STATISTICS,
      "measure how long the operations take", NULL },
    { "compare", '\0', POPT_ARG_NONE, NULL, COMPARE,
      "measure the OBJECTs side by side, over 1 to N processes", NULL },
    { "plot", '\0', POPT_ARG_STRING, NULL, PLOT,
      "with --compare: draw a picture to a new file, OUT.svg", "OUT" },
    { "record", '\0', POPT_ARG_STRING, NULL, RECORD,
      "run it freely, as one long history, and record that to FILE", "FILE" },
    { "unique", '\0', POPT_ARG_NONE, NULL, UNIQUE,
      "with --record: make every value unique, by process and a counter",
      NULL },
    { "memory", 'm', POPT_ARG_STRING, NULL, MEMORY,
      "use at most so much memory for deciding, as 512M or 2G (default: most "
      "of what is free)",
      "SIZE" },
    { "json", '\0', POPT_ARG_NONE, NULL, JSON,
      "print results as JSON, one object a line", NULL },
    { "quiet", 'q', POPT_ARG_NONE, NULL, QUIET, "print the result lines alone",
      NULL },
    { "verbose", 'v', POPT_ARG_NONE, NULL, VERBOSE, "tell more", NULL },
    { "color", '\0', POPT_ARG_STRING, NULL, COLOR, "auto, always or never",
      "WHEN" },
    OPTIONS_END
};

void cli_simulate_help(void)
{
    console_print_options("plumb simulate",
                          "[--compare OBJECT...] [-- SOURCE|OBJECT|FLAG...]",
                          table);
    fputs("\nRuns the object with real threads, records its histories and "
          "decides each, until\none is not linearizable.  What is not given is "
          "asked for.  Behind -- stand more\nsources, objects and flags for "
          "the compiler.\n\n"
          "  plumb simulate -cqueue-unbound -ooutput\n"
          "  plumb simulate -c queue-reread -d\n"
          "  plumb simulate -c my_queue.c -s queue -p 3 -n 5 --seconds 60 -- "
          "-I ../include\n\n"
          "With --compare nothing is recorded or decided: the OBJECTs, all of "
          "one type, run\nas fast as they can, with 1 to N processes (default: "
          "as many as there are\nprocessors, at least 4), S seconds each "
          "(default 1).  Tables of throughput and\nlatencies go to stdout.  "
          "docs/measuring-objects.md tells how to read them.\n\n"
          "  plumb simulate --compare queue-coarse michael-scott --plot "
          "queues.svg\n\n"
          "With --record nothing is decided either: N processes (default: as "
          "many as there\nare processors) run for S seconds (default 10), or "
          "N operations each.  FILE is\nfor `plumb check`, while it is "
          "written or afterwards: docs/recording.md.\n\n"
          "  plumb simulate --record queue.rec -c michael-scott --seconds "
          "60\n\n"
          "Exit status: 0 no violation found, 1 a violation or a crash, 2 "
          "error,\n3 undecided or interrupted.\n",
          stdout);
}

/* ---- options ---- */

/* How many are too many depends on whether they are recorded. */
static bool take_operations(const struct console_options *o, const char *value,
                            struct simulate_settings *s)
{
    uint64_t n;
    if (!console_read_count(value, &n) || n == 0 || n > UINT32_MAX)
        return console_option_fails(o, OPERATIONS, value,
                                    "must be a whole number from 1 to 100000");
    s->operations = (unsigned)n;
    return true;
}

static bool operations_make_sense(const struct console_options *o,
                                  const struct simulate_settings *s)
{
    char value[16];
    snprintf(value, sizeof value, "%u", s->operations);
    return s->record || s->operations <= MOST_OPERATIONS ||
           console_option_fails(o, OPERATIONS, value,
                                "must be a whole number from 1 to 100000");
}

static bool take_span(const struct console_options *o, int code,
                      const char *value, struct simulate_settings *s)
{
    const bool forever = console_means_no_end(value);
    s->span = forever           ? SPAN_FOREVER
              : code == SECONDS ? SPAN_TIME
                                : SPAN_HISTORIES;
    if (forever)
        return true;
    if (code == SECONDS)
        return console_read_duration(value, &s->milliseconds) ||
               console_option_fails(o, code, value,
                                    "must be a time, as 10, 0.5 or 2m, or -1");
    return (console_read_count(value, &s->histories) && s->histories > 0) ||
           console_option_fails(o, code, value,
                                "must be a number above 0, or -1");
}

static bool take_switch(struct simulate_settings *s, int code)
{
    switch (code) {
    case DEFAULTS:
        s->defaults = true;
        break;
    case COMPARE:
        s->compare = true;
        break;
    case UNIQUE:
        s->unique = true;
        break;
    case STATISTICS:
        s->statistics = true;
        break;
    case JSON:
        s->json = true;
        break;
    case QUIET:
        s->quiet = true;
        console_notes_off();
        break;
    default:
        s->verbose = true;
    }
    return true;
}

static bool take_name(struct simulate_settings *s, int code, const char *value)
{
    switch (code) {
    case OBJECT:
        s->object = value;
        break;
    case SPEC:
        s->spec = value;
        break;
    case INPUT:
        s->input = value;
        break;
    case PLOT:
        s->plot = value;
        break;
    case RECORD:
        s->record = value;
        break;
    default:
        s->output = value;
    }
    return true;
}

/* What makes no sense with --compare, nor with --record. */
static void note_deciding(struct simulate_settings *s, int code)
{
    switch (code) {
    case SPEC:
    case INPUT:
    case OUTPUT:
    case DEFAULTS:
    case HISTORIES:
    case NOISE:
    case STATISTICS:
    case MEMORY:
        for (const struct poptOption *p = table; p->longName; p++)
            if (p->val == code)
                s->decides = p->longName;
        break;
    default:
        break;
    }
}

static bool take(struct console_options *o, void *context, int code,
                 const char *value)
{
    struct simulate_settings *const s = context;
    note_deciding(s, code);
    switch (code) {
    case OBJECT:
    case SPEC:
    case INPUT:
    case OUTPUT:
    case PLOT:
    case RECORD:
        return take_name(s, code, value);
    case PROCESSES:
        return console_option_unsigned(o, code, value, 1, PLUMB_MAX_PROCESSES,
                                       &s->processes);
    case OPERATIONS:
        return take_operations(o, value, s);
    case NOISE:
        return console_option_unsigned(o, code, value, 0, MOST_NOISE,
                                       &s->noise);
    case SECONDS:
    case HISTORIES:
        return take_span(o, code, value, s);
    case SEED:
        return console_read_count(value, &s->seed) ||
               console_option_fails(o, code, value, "must be a number");
    case MEMORY:
        return console_read_size(value, &s->memory) ||
               console_option_fails(o, code, value,
                                    "must be a size, as 512M or 2G");
    case COLOR:
        return console_option_color(o, code, value, &s->color);
    default:
        return take_switch(s, code);
    }
}

static bool ends_in_svg(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".svg") == 0;
}

static bool comparison_makes_sense(const struct console_options *o,
                                   const struct simulate_settings *s)
{
    if (s->decides)
        return console_usage_fails(
            o,
            "--compare decides nothing: --%s does not go "
            "with it",
            s->decides);
    if (s->object || o->nargs == 0)
        return console_usage_fails(o, "name the objects after --compare, as in "
                                      "--compare queue-coarse michael-scott");
    if (o->nargs > MOST_COMPARED)
        return console_usage_fails(o, "at most %d objects can be compared",
                                   MOST_COMPARED);
    if (s->span == SPAN_FOREVER)
        return console_usage_fails(
            o, "--compare needs an end: a number of --seconds");
    if (s->plot && !ends_in_svg(s->plot))
        return console_usage_fails(o, "--plot %s: only .svg can be drawn",
                                   s->plot);
    return true;
}

static bool recording_makes_sense(const struct console_options *o,
                                  const struct simulate_settings *s)
{
    if (s->decides)
        return console_usage_fails(
            o, "--record decides nothing: --%s does not go with it",
            s->decides);
    if (!s->object)
        return console_usage_fails(o, "--record needs an object: -c OBJECT");
    return true;
}

static bool settings_make_sense(const struct console_options *o,
                                const struct simulate_settings *s)
{
    if (!operations_make_sense(o, s))
        return false;
    if (s->quiet && s->verbose)
        return console_usage_fails(o, "--quiet or --verbose, not both");
    if (s->compare && s->record)
        return console_usage_fails(o, "--compare or --record, not both");
    if (s->compare)
        return comparison_makes_sense(o, s);
    if (s->unique && !s->record)
        return console_usage_fails(o, "--unique is for what --record records");
    if (s->plot)
        return console_usage_fails(o, "--plot draws what --compare measures");
    if (o->nargs > 0)
        return console_usage_fails(
            o,
            "what is `%s`?  The object is given by -c, and "
            "what its compiler needs stands behind --",
            o->args[0]);
    if (s->record)
        return recording_makes_sense(o, s);
    if (s->input && s->object)
        return console_usage_fails(
            o, "-i tests histories and -c makes them; give one "
               "of the two");
    return true;
}

/* ---- making it ready ---- */

struct readiness {
    struct objects_target target;
    bool has_target;
    char own_spec[SHARED_SPEC];
};

/* What the object says of itself, in a worker of its own. */
static bool learn_spec(struct readiness *r)
{
    const struct worker_conditions few = { .processes = 1,
                                           .most = 1,
                                           .slots = 1 };
    struct simulate_worker_process w;
    const bool known = simulate_worker_prepare(&w, &r->target, &few) &&
                       simulate_worker_describe(&w);
    if (known)
        snprintf(r->own_spec, sizeof r->own_spec, "%s", w.object.spec);
    simulate_worker_release(&w);
    return known;
}

/* A name is looked up now, before questions are asked in vain. */
static bool spec_is_known(const struct simulate_settings *s)
{
    if (objects_is_plugin(s->spec))
        return true;
    struct plumb_spec *const spec = simulate_spec(s);
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
    if (!r->has_target || !learn_spec(r))
        return false;
    if (!s->spec)
        s->spec = r->own_spec;
    if (s->spec[0])
        return spec_is_known(s);
    console_say(
        "%s: names no specification; give one, as -s queue (plumb list specs)",
        s->object);
    return false;
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

static enum console_status run_with_plugin(struct job *job)
{
    struct objects_plugin plugin;
    if (!objects_plugin_build(&plugin, job->s->spec))
        return STATUS_ERROR;
    job->s->plugin = &plugin; /* cppcheck-suppress autoVariables; until below */
    const uint64_t milliseconds =
        job->s->span == SPAN_TIME ? job->s->milliseconds : 0;
    const enum console_status status =
        objects_guard_run(&plugin, milliseconds, run, job);
    job->s->plugin = NULL;
    objects_plugin_release(&plugin);
    return status;
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
    if (s->defaults && !s->object && !s->input) {
        console_say(
            "plumb simulate: -d asks nothing, so -c OBJECT must be given (see "
            "`plumb simulate --help`)");
        return STATUS_ERROR;
    }
    if (ask(s, &answers, &r, &status)) {
        struct job job = { .s = s, .target = &r.target };
        status = s->spec && objects_is_plugin(s->spec) ? run_with_plugin(&job)
                                                       : run(&job);
    }
    if (r.has_target)
        objects_target_release(&r.target);
    return status;
}

static enum console_status compare(struct simulate_settings *s,
                                   const struct console_options *o)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const long usual = processors < DEFAULT_PROCESSES     ? DEFAULT_PROCESSES
                       : processors > PLUMB_MAX_PROCESSES ? PLUMB_MAX_PROCESSES
                                                          : processors;
    if (!s->processes)
        s->processes = (unsigned)usual;
    if (!s->operations)
        s->operations = DEFAULT_ROUND;
    if (s->span == SPAN_UNKNOWN)
        s->milliseconds = 1000;
    return simulate_compare_objects(s, o->args, o->nargs);
}

static enum console_status record(struct simulate_settings *s)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct objects_target target;
    if (!s->processes)
        s->processes = processors < 2 ? 2
                       : processors > PLUMB_MAX_PROCESSES
                           ? PLUMB_MAX_PROCESSES
                           : (unsigned)processors;
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

/* Where `--` stands, or argc. */
static int find_extra(int argc, const char **argv)
{
    int i = 0;
    while (i < argc && strcmp(argv[i], "--") != 0)
        i++;
    return i;
}

enum console_status cli_simulate_command(int argc, const char **argv)
{
    const int end = find_extra(argc, argv);
    struct simulate_settings s = { .noise = DEFAULT_NOISE,
                                   .seed = 1,
                                   .color = console_terminal_has_color() };
    struct console_options o = { .command = "plumb simulate", .table = table };
    enum console_status status = STATUS_ERROR;
    if (end + 1 < argc) {
        s.extra = argv + end + 1;
        s.nextra = (size_t)(argc - end - 1);
    }
    if (!console_read_options(&o, end, argv, take, &s))
        goto out;
    if (o.help) {
        cli_simulate_help();
        status = STATUS_HOLDS;
    } else if (settings_make_sense(&o, &s)) {
        status = s.compare  ? compare(&s, &o)
                 : s.record ? record(&s)
                            : simulate(&s);
    }
out:
    console_release_options(&o);
    return status;
}
