/* explore_command.c - plumb explore: its options, and what they are about. */
#include "app/console/color.h"
#include "app/console/options.h"
#include "app/console/quantity.h"
#include "app/console/say.h"
#include "app/explore/driver/explore_target.h"
#include "app/explore/driver/schedule_file.h"
#include "cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPEC = OPTION_HELP + 1,
    TEST,
    INIT,
    FINAL,
    THREADS,
    OPS,
    SAMPLES,
    SEED,
    STRATEGY,
    PREEMPTIONS,
    EXECUTIONS,
    CHANGES,
    STEPS,
    RACES,
    LEAKS,
    REUSE,
    RANDOM,
    NO_FAIRNESS,
    NO_PRUNING,
    KEEP_GOING,
    REQUIRE_COMPLETE,
    NO_MINIMISE,
    JOBS,
    OPT,
    TIMEOUT,
    MEMORY,
    JSON,
    QUIET,
    VERBOSE,
    COLOR
};

static const struct poptOption table[] = {
    { "spec", 's', POPT_ARG_STRING, NULL, SPEC,
      "what it should be: a name (plumb list specs), a specification in C, or "
      "a sequential object; else what the object says",
      "SPEC" },
    { "test", '\0', POPT_ARG_STRING, NULL, TEST,
      "what the threads do, as 'enq(1) deq() | deq()'; else tests are drawn "
      "from what the object offers",
      "OPS" },
    { "init", '\0', POPT_ARG_STRING, NULL, INIT, "what is done before them",
      "OPS" },
    { "final", '\0', POPT_ARG_STRING, NULL, FINAL, "what is done after them",
      "OPS" },
    { "threads", '\0', POPT_ARG_STRING, NULL, THREADS,
      "threads of a drawn test (default 3)", "N" },
    { "ops", '\0', POPT_ARG_STRING, NULL, OPS,
      "operations of each thread of a drawn test (default 2)", "N" },
    { "samples", '\0', POPT_ARG_STRING, NULL, SAMPLES,
      "how many tests are drawn (default 20, and more if they are quick)",
      "N" },
    { "seed", '\0', POPT_ARG_STRING, NULL, SEED,
      "the same seed draws the same tests (default 1)", "N" },
    { "strategy", '\0', POPT_ARG_STRING, NULL, STRATEGY,
      "states (default), dpor, dfs, random or pct", "NAME" },
    { "preemptions", '\0', POPT_ARG_STRING, NULL, PREEMPTIONS,
      "schedules with at most so many preemptions, or all (default 2)", "N" },
    { "executions", '\0', POPT_ARG_STRING, NULL, EXECUTIONS,
      "stop after so many executions of a test (default for random and pct: "
      "100000)",
      "N" },
    { "changes", '\0', POPT_ARG_STRING, NULL, CHANGES,
      "pct: how often priorities change (default 3)", "N" },
    { "steps", '\0', POPT_ARG_STRING, NULL, STEPS,
      "give up an execution after so many steps", "N" },
    { "races", '\0', POPT_ARG_STRING, NULL, RACES,
      "accesses that race: report (default), interleave or ignore", "WHAT" },
    { "leaks", '\0', POPT_ARG_NONE, NULL, LEAKS,
      "memory that nothing points to in the end is a violation", NULL },
    { "reuse", '\0', POPT_ARG_STRING, NULL, REUSE,
      "freed memory comes back at-once (default), never, or by choice",
      "WHEN" },
    { "random", '\0', POPT_ARG_STRING, NULL, RANDOM,
      "rand() is one of so many numbers, and each is tried (default 2)", "R" },
    { "no-fairness", '\0', POPT_ARG_NONE, NULL, NO_FAIRNESS,
      "let a thread that waits in a loop go on for ever", NULL },
    { "no-pruning", '\0', POPT_ARG_NONE, NULL, NO_PRUNING,
      "run every round of such a loop", NULL },
    { "keep-going", 'k', POPT_ARG_NONE, NULL, KEEP_GOING,
      "do not stop at the first violation", NULL },
    { "require-complete", '\0', POPT_ARG_NONE, NULL, REQUIRE_COMPLETE,
      "exit status 3 unless every schedule within the bound was run", NULL },
    { "no-minimise", '\0', POPT_ARG_NONE, NULL, NO_MINIMISE,
      "show a violation as it was found", NULL },
    { "jobs", 'j', POPT_ARG_STRING, NULL, JOBS,
      "processes that explore at once; 0 is one per processor (default 1)",
      "N" },
    { "opt", '\0', POPT_ARG_STRING, NULL, OPT,
      "compile with these levels of optimisation, one after the other, as 0,2 "
      "(default 1)",
      "LEVELS" },
    { "timeout", 't', POPT_ARG_STRING, NULL, TIMEOUT,
      "stop after a time, as 10, 0.5 or 2m", "SECONDS" },
    { "memory", 'm', POPT_ARG_STRING, NULL, MEMORY,
      "use at most so much memory, as 512M or 2G (default: most of what is "
      "free)",
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

void cli_explore_help(void)
{
    console_print_options("plumb explore",
                          "OBJECT [-- SOURCE|OBJECT|FLAG...] [--args WORD...]",
                          table);
    fputs("\nRuns the threads of a test under every schedule with at most 2 "
          "preemptions, or\nas many as --preemptions says, and decides every "
          "history.  Memory is\nsequentially consistent.  The OBJECT is a "
          "name (plumb list objects), a source in C\nor C++, a .o or a .so; "
          "or a source with a main(), which is run whole.  Behind --\nstand "
          "more sources, objects and flags for the compiler, behind --args "
          "what main()\ngets.\n\n"
          "  plumb explore michael-scott\n"
          "  plumb explore my_queue.c --spec queue --test 'enq(1) deq() | "
          "deq()'\n"
          "  plumb explore my_queue.c --threads 4 --ops 1 --preemptions all\n\n"
          "Exit status: 0 no violation, 1 a violation, 2 error, 3 undecided or "
          "interrupted.\n",
          stdout);
}

/* ---- options ---- */

static bool take_strategy(const struct console_options *o, const char *value,
                          enum plumb_strategy *strategy)
{
    static const char *const words[] = { "dpor", "dfs",    "random",
                                         "pct",  "states", NULL };
    const int i = console_option_word(o, STRATEGY, value, words);
    if (i >= 0)
        *strategy = (enum plumb_strategy)i; /* the words are in its order */
    return i >= 0;
}

static bool take_preemptions(const struct console_options *o, const char *value,
                             struct explore_settings *s)
{
    s->bounded = strcmp(value, "all") != 0;
    if (!s->bounded)
        return true;
    uint64_t n;
    if (!console_read_count(value, &n) || n > 1000)
        return console_option_fails(
            o, PREEMPTIONS, value,
            "must be a whole number from 0 to 1000, or all");
    s->preemptions = (unsigned)n;
    return true;
}

/* "0,2": each is what gcc and clang have behind -O. */
static bool levels_are_good(const char *text)
{
    do {
        if (!*text || !strchr("0123sgz", *text))
            return false;
        text++;
    } while (*text++ == ',');
    return text[-1] == '\0';
}

static bool take_number(const struct console_options *o, int code,
                        const char *value, struct explore_settings *s)
{
    switch (code) {
    case THREADS:
        return console_option_unsigned(o, code, value, 1, JOB_PROCESSES,
                                       &s->threads);
    case OPS:
        return console_option_unsigned(o, code, value, 1, JOB_OPERATIONS,
                                       &s->ops);
    case SAMPLES:
        return console_option_unsigned(o, code, value, 1, MOST_SAMPLES,
                                       &s->samples);
    case CHANGES:
        return console_option_unsigned(o, code, value, 0, 1000, &s->changes);
    case STEPS:
        return console_option_unsigned(o, code, value, 1, JOB_STEPS, &s->steps);
    case RANDOM:
        return console_option_unsigned(o, code, value, 1, 256, &s->random);
    case EXECUTIONS:
        return (console_read_count(value, &s->executions) &&
                s->executions > 0) ||
               console_option_fails(o, code, value, "must be a number above 0");
    case SEED:
        return console_read_count(value, &s->seed) ||
               console_option_fails(o, code, value, "must be a number");
    case TIMEOUT:
        return console_read_duration(value, &s->timeout) ||
               console_option_fails(
                   o, code, value,
                   "must be a time more than 0, as 10, 0.5 or 2m");
    default:
        return console_read_size(value, &s->memory) ||
               console_option_fails(o, code, value,
                                    "must be a size, as 512M or 2G");
    }
}

static bool take_word(const struct console_options *o, int code,
                      const char *value, struct explore_settings *s)
{
    int which;
    switch (code) {
    case RACES:
        which = console_option_word(o, code, value, explore_schedule_races);
        s->races = which < 0 ? JOB_RACES_REPORT : (enum job_races)which;
        return which >= 0;
    case REUSE:
        which = console_option_word(o, code, value, explore_schedule_reuse);
        s->reuse =
            which < 0 ? HEAP_REUSE_AT_ONCE : (enum memory_heap_reuse)which;
        return which >= 0;
    case OPT:
        s->levels = value;
        return levels_are_good(value) ||
               console_option_fails(
                   o, code, value,
                   "must be levels as compilers have them behind -O, "
                   "as 0,2");
    case SPEC:
        s->spec = value;
        return true;
    case TEST:
        s->test = value;
        return true;
    case INIT:
        s->init = value;
        return true;
    default:
        s->final = value;
        return true;
    }
}

static bool take_switch(struct explore_settings *s, int code)
{
    bool *const flag = code == NO_FAIRNESS        ? &s->no_fairness
                       : code == NO_PRUNING       ? &s->no_pruning
                       : code == KEEP_GOING       ? &s->keep_going
                       : code == LEAKS            ? &s->leaks
                       : code == REQUIRE_COMPLETE ? &s->require_complete
                       : code == NO_MINIMISE      ? &s->no_minimise
                       : code == JSON             ? &s->json
                       : code == QUIET            ? &s->quiet
                                                  : &s->verbose;
    *flag = true;
    if (code == QUIET)
        console_notes_off();
    return true;
}

static bool take(struct console_options *o, void *context, int code,
                 const char *value)
{
    struct explore_settings *const s = context;
    switch (code) {
    case SPEC:
    case TEST:
    case INIT:
    case FINAL:
    case RACES:
    case REUSE:
    case OPT:
        return take_word(o, code, value, s);
    case THREADS:
    case OPS:
    case SAMPLES:
    case CHANGES:
    case STEPS:
    case RANDOM:
    case EXECUTIONS:
    case SEED:
    case TIMEOUT:
    case MEMORY:
        return take_number(o, code, value, s);
    case STRATEGY:
        return take_strategy(o, value, &s->strategy);
    case PREEMPTIONS:
        return take_preemptions(o, value, s);
    case JOBS:
        return console_option_jobs(o, code, value, &s->jobs);
    case COLOR:
        return console_option_color(o, code, value, &s->color);
    default:
        return take_switch(s, code);
    }
}

static bool settings_make_sense(const struct console_options *o,
                                const struct explore_settings *s)
{
    const bool sized = s->threads || s->ops || s->samples;
    const unsigned threads = s->threads ? s->threads : DEFAULT_THREADS;
    const unsigned ops = s->ops ? s->ops : DEFAULT_OPS;
    if (o->nargs == 0)
        return console_usage_fails(o, "no OBJECT given");
    if (o->nargs > 1)
        return console_usage_fails(
            o,
            "what is `%s`?  There is one OBJECT, and what its "
            "compiler needs stands behind --",
            o->args[1]);
    if (s->test && sized)
        return console_usage_fails(
            o, "--test says what is run, so --threads, --ops "
               "and --samples say nothing");
    if (threads * ops > JOB_OPERATIONS)
        return console_usage_fails(
            o,
            "%u threads with %u operations each are more "
            "than %d operations",
            threads, ops, JOB_OPERATIONS);
    if (s->quiet && s->verbose)
        return console_usage_fails(o, "--quiet or --verbose, not both");
    return true;
}

static void set_defaults(struct explore_settings *s)
{
    const bool endless =
        s->strategy == PLUMB_RANDOM || s->strategy == PLUMB_PCT;
    s->threads = s->threads ? s->threads : DEFAULT_THREADS;
    s->ops = s->ops ? s->ops : DEFAULT_OPS;
    if (endless) {
        s->bounded = false;
        if (!s->executions)
            s->executions = DEFAULT_EXECUTIONS;
    }
}

/* ---- one level of optimisation after the other ---- */

static enum console_status explore_level(const struct explore_settings *s,
                                         char level)
{
    struct explore_settings with = *s;
    char flag[] = { '-', 'O', level, '\0' };
    const char **const extra = calloc(s->nextra + 1, sizeof *extra);
    if (!extra) {
        console_say("plumb explore: out of memory");
        return STATUS_ERROR;
    }
    if (s->nextra)
        memcpy(extra, s->extra, s->nextra * sizeof *extra);
    extra[s->nextra] = flag;
    with.extra = extra;
    with.nextra = s->nextra + 1;
    const enum console_status status = explore_target(&with, flag);
    free(extra);
    return status;
}

static enum console_status explore(const struct explore_settings *s)
{
    enum console_status status = STATUS_HOLDS;
    if (!s->levels)
        return explore_target(s, NULL);
    for (const char *level = s->levels; *level; level++)
        if (*level != ',')
            status = console_worse_status(status, explore_level(s, *level));
    return status;
}

/* ---- the command line ---- */

/* Where a word stands, or `end`. */
static int find_word(const char **argv, int begin, int end, const char *word)
{
    while (begin < end && strcmp(argv[begin], word) != 0)
        begin++;
    return begin;
}

/* OPTIONS [-- EXTRA] [--args ARGS], or OPTIONS [--args ARGS] [-- EXTRA]: where
 * the options end.  Each list ends where the other begins; in the first form,
 * ARGS may hold a "--" of their own. */
static int cut_off(struct explore_settings *s, int argc, const char **argv)
{
    const int args = find_word(argv, 1, argc, "--args");
    const int extra = find_word(argv, 1, argc, "--");
    const int args_end = args < extra ? extra : argc;
    const int extra_end = extra < args ? args : argc;
    if (args + 1 < args_end) {
        s->args = argv + args + 1;
        s->nargs = (size_t)(args_end - args - 1);
    }
    if (extra + 1 < extra_end) {
        s->extra = argv + extra + 1;
        s->nextra = (size_t)(extra_end - extra - 1);
    }
    return args < extra ? args : extra;
}

enum console_status cli_explore_command(int argc, const char **argv)
{
    struct explore_settings s = { .seed = 1,
                                  .strategy = PLUMB_STATES,
                                  .bounded = true,
                                  .preemptions = DEFAULT_PREEMPTIONS,
                                  .changes = DEFAULT_CHANGES,
                                  .random = DEFAULT_RANDOM,
                                  .jobs = 1,
                                  .color = console_terminal_has_color() };
    const int end = cut_off(&s, argc, argv);
    struct console_options o = { .command = "plumb explore", .table = table };
    enum console_status status = STATUS_ERROR;
    if (!console_read_options(&o, end, argv, take, &s))
        goto out;
    if (o.help) {
        cli_explore_help();
        status = STATUS_HOLDS;
    } else if (settings_make_sense(&o, &s)) {
        s.object = o.args[0];
        set_defaults(&s);
        status = explore(&s);
    }
out:
    console_release_options(&o);
    return status;
}
