/* explore_command.c - plumb explore: its options, and what they are about. */
#include "app/check/rank_histogram.h"
#include "app/console/options.h"
#include "app/console/say.h"
#include "app/explore/driver/explore_target.h"
#include "app/explore/driver/schedule_file.h"
#include "cli.h"
#include <stdlib.h>
#include <string.h>

#define SETTINGS struct explore_settings

static bool take_preemptions(const struct console_options *o,
                             const struct console_option *row,
                             const char *value, void *settings)
{
    struct explore_settings *const s = settings;
    uint64_t n = 0;
    s->bounded = strcmp(value, row->to.words[0]) != 0;
    if (s->bounded && !console_option_number(o, row, value, &n))
        return false;
    s->preemptions = (unsigned)n;
    return true;
}

/* "0,2": each is what gcc and clang have behind -O. */
static bool take_levels(const struct console_options *o,
                        const struct console_option *row, const char *value,
                        void *settings)
{
    struct explore_settings *const s = settings;
    const char *at = value;
    bool good;
    s->levels = value;
    do
        good = *at && strchr("0123sgz", *at);
    while (good && *++at == ',' && *++at);
    return (good && !*at && at[-1] != ',') ||
           console_option_fails(o, row, value,
                                "must be levels that compilers accept after "
                                "-O, such as 0,2");
}

/* "serial,permutations" */
static bool take_duplicates(const struct console_options *o,
                            const struct console_option *row, const char *value,
                            void *settings)
{
    static const char *const word[] = { "serial", "histories", "permutations" };
    struct explore_settings *const s = settings;
    const char *at = value;
    for (bool more = true; more; more = *at++ == ',') {
        const size_t length = strcspn(at, ",");
        unsigned found = length == 3 && memcmp(at, "all", length) == 0 ? 7 : 0;
        for (unsigned i = 0; i < sizeof word / sizeof *word; i++)
            if (strlen(word[i]) == length && memcmp(at, word[i], length) == 0)
                found = 1U << i;
        if (!found)
            return console_option_fails(o, row, value,
                                        "must be serial, histories, "
                                        "permutations or all");
        s->duplicates |= found;
        at += length;
    }
    return true;
}

static const struct console_option rows[] = {
    { "test", 0, IN_TEXT(test), "OPS", .group = "Tests",
      .help = "run this test, such as 'enq(1) deq() | deq()', instead of "
              "generated ones",
      .more = "| separates the threads.  Without this option tests are drawn "
              "from the operations of the object: some of each smaller size "
              "first, then those of --threads times --ops operations.  No two "
              "differ only in the order of their threads." },
    { "init", 0, IN_TEXT(init), "OPS",
      .help = "run these operations before each test, in one thread",
      .more = "Default: what the object says." },
    { "final", 0, IN_TEXT(final), "OPS",
      .help = "run these operations after each test, in one thread",
      .more = "Default: what the object says." },
    { "threads", 0, IN_UNSIGNED(threads, 1, JOB_PROCESSES), "N", "3",
      .help = "generate tests of N threads" },
    { "ops", 0, IN_UNSIGNED(ops, 1, JOB_OPERATIONS), "N", "2",
      .help = "generate tests of N operations per thread",
      .more = "3 unless it is given with --spec infer." },
    { "samples", 0, IN_UNSIGNED(samples, 1, MOST_SAMPLES), "N",
      .help = "generate N tests (default: 20, then more while they are quick)",
      .more = "By default there are more, up to 500, until there were 200000 "
              "executions.  Every second test has up to four operations "
              "before it, unless --init or the object says what comes before. "
              " Small tests come first, all there are of 2x1, 3x1 and 2x2 "
              "threads and operations, as long as they are few: at most 200, "
              "and no more than N." },
    { "auto", 0, IN_FLAG(automatic),
      .help = "with --spec infer: run all tests, the smallest first, until "
              "stopped",
      .more = "For n = 1, 2, ..., all tests of n threads with n operations "
              "each over the first n invocations, which are listed operation "
              "by operation." },
    { "sequence", 0, IN_TEXT(sequences), "OPS",
      .help = "with --spec infer: generate tests of whole sequences, such as "
              "'enq(1) deq()', too",
      .more = "Several are separated by semicolons.  Each counts as one "
              "operation." },
    OPTION_SEED("tests", NULL),
    { "spec", 's', IN_SPEC(spec), "SPEC",
      .help = "check against SPEC instead of the object's own: a built-in "
              "specification (see `plumb list specs`), a specification in C, "
              "a sequential object, or infer",
      .more = "infer compares the object with itself: every serial execution "
              "of a test is run first, and concurrent ones must agree with "
              "one of those.  It is what happens to an object that names no "
              "specification." },
    { "quasi", 0, IN_QUASI(quasi, WORDS("auto")), "K",
      .help = "relax the specification by the quasi factor K: add k=K",
      .more = "A queue may then hand out an item up to K places early or "
              "late; see docs/relaxed-objects.md.  auto finds the smallest K "
              "without a violation, and shows the history that needs it." },
    { "algorithm", 0,
      IN_WORD(algorithm, EXPLORE_DEFAULT, WORDS("search", "round-up")), "NAME",
      "search", .help = "decide histories by this algorithm",
      .more = "round-up is the method of the paper as printed, with --quasi K: "
              "it permutes the removals of every history and looks it up among "
              "the sequential ones of a golden model.  Tests that are drawn "
              "get as many removals as additions." },
    { "golden", 0, IN_TEXT(golden), "OBJECT",
      .help = "with --algorithm round-up: take the sequential histories from "
              "OBJECT, run with every operation in a lock",
      .more = "OBJECT may be followed by flags for the compiler, as in "
              "'quasi-queue -DK=0'.  By default they are those of the "
              "specification without its factor." },
    { "permute", 0, IN_WORD(permute, 0, WORDS("removals", "all")), "WHAT",
      "removals",
      .help = "with --algorithm round-up: permute only removals, or all "
              "operations" },
    { "duplicates", 0, IN_OWN(take_duplicates, 0, 0, NULL), "WHAT",
      .help = "with --algorithm round-up: look again at what is alike: serial, "
              "histories, permutations, or all",
      .more = "Commas separate several." },
    { "nondet", 0, IN_TEXT(nondet), "OP=TERM",
      .help = "with --spec infer: OP may answer TERM at any time, without "
              "effect",
      .more =
          "TERM may also be a number, true or false; commas separate several. "
          "Serial executions "
          "in which such calls are left out are right, too." },
    { "async", 0, IN_TEXT(async), "OP",
      .help = "with --spec infer: OP may take effect at any time after its "
              "call, also after its return, or not at all",
      .more = "Commas separate several.  The answers of OP are ignored." },
    { "names", 0, IN_TEXT(names), "OP=NAME",
      .help = "with --spec infer: compare OP with NAME of built-in "
              "specifications",
      .more = "Such as add=enq,take=deq.  A pass names the built-in "
              "specifications that agree with every serial execution." },
    { "observations", 0, IN_FILE(observations), "FILE",
      .help = "with --spec infer: keep the serial histories in FILE",
      .more = "If FILE exists it is read, and the serial executions are not "
              "run again.  With generated tests FILE is a directory, with a "
              "file for each test." },
    { "write-spec", 0, IN_FILE(write_spec), "OUT.c",
      .help = "with --spec infer: after a pass, write what was observed as a "
              "specification in C",
      .more = "OUT.c must not exist.  It knows the answers of the tests that "
              "were run.  plumb check --spec OUT.c, and other commands, say "
              "undecided where that is not enough." },

    { "strategy", 0,
      IN_WORD(strategy, PLUMB_DPOR,
              WORDS("dpor", "dfs", "random", "pct", "states")),
      "NAME", "states", .group = "Schedules",
      .help = "choose schedules by this strategy",
      .more = "states visits every reachable state once.  dpor runs one of "
              "each class of schedules that differ only in the order of "
              "independent steps.  dfs runs every schedule within the bound.  "
              "random chooses a thread at every step.  pct gives threads "
              "random priorities, which change --changes times.  random and "
              "pct are never complete." },
    { "preemptions", 0, IN_OWN(take_preemptions, 0, 1000, WORDS("all")),
      "N|all", "2",
      .help = "run only schedules with at most N preemptions; all: no bound; "
              "unless given, the bound rises while that is cheap",
      .more = "A preemption is a switch away from a thread that could go on.  "
              "Without this option the bound rises to 3 if all tests pass, "
              "then to none, 4, 5, ... as long as a budget of steps lasts; the "
              "result names the bound that all tests completed.  The "
              "strategies random and pct have no bound." },
    { "executions", 0, IN_COUNT(executions, 1, UINT64_MAX), "N",
      .help = "stop a test after N executions (default for random and pct: "
              "100000)" },
    { "changes", 0, IN_UNSIGNED(changes, 0, 1000), "N", "3",
      .help = "change priorities N times in an execution of pct" },
    { "steps", 0, IN_UNSIGNED(steps, 1, JOB_STEPS), "N", "50000",
      .help = "give up an execution after N steps",
      .more = "The result is then not complete." },
    { "races", 0, IN_WORD(races, JOB_RACES_REPORT, explore_schedule_races),
      "WHAT", "report", .help = "what to do with plain accesses that race",
      .more = "report makes them violations.  interleave only runs them both "
              "ways.  With ignore plain accesses happen together with the "
              "event before them: a fault that needs another order, such as a "
              "use after free, may be missed." },
    { "also", 0, IN_WORD(also, 1, WORDS("serializability")), "WHAT",
      .help = "count the schedules that are not conflict-serializable, too",
      .more = "Each operation is a transaction.  Such a schedule is no "
              "violation; the report names the operations and the lines of "
              "their conflicting accesses.  Without --strategy, schedules are "
              "chosen by dpor; states, random and pct leave schedules out." },
    OPTION_RANK_ERRORS,
    { "leaks", 0, IN_FLAG(leaks),
      .help =
          "treat lost memory, neither freed nor pointed to, as a violation" },
    { "reuse", 0, IN_WORD(reuse, HEAP_REUSE_AT_ONCE, explore_schedule_reuse),
      "WHEN", "at-once", .help = "when freed memory is allocated again",
      .more = "never means as late as possible; choice tries both." },
    { "random", 0, IN_UNSIGNED(random, 1, 256), "R", "2",
      .help = "try each of R results of rand()",
      .more = "They are 0 to R-1, also for functions like rand()." },
    { "no-fairness", 0, IN_FLAG(no_fairness),
      .help = "let a thread that waits in a loop run for ever",
      .more = "Otherwise it gives way to others." },
    { "no-pruning", 0, IN_FLAG(no_pruning),
      .help = "run every iteration of a loop that waits",
      .more = "Otherwise such loops are cut short where that changes "
              "nothing." },
    { "backtrack", 0,
      IN_WORD(back, PLUMB_BACK_RESTORE, WORDS("restore", "repeat", "both")),
      "HOW", "restore", .help = "how to return to an earlier step",
      .more = "restore puts the memory of the target back where that is "
              "cheaper than repeating the steps before; repeat never does; "
              "both does both and compares, for who doubts plumb.  Results "
              "are the same." },

    { "keep-going", 'k', IN_FLAG(keep_going), .group = "Running",
      .help = "do not stop at the first violation",
      .more = "Each kind of violation is reported once per place, histories "
              "once per way to be wrong, and at most 16 in all." },
    { "require-complete", 0, IN_FLAG(require_complete),
      .help = "exit with status 3 unless every schedule within the bound was "
              "run" },
    { "no-minimise", 0, IN_FLAG(no_minimise),
      .help = "show a violation as it was found" },
    { "jobs", 'j', IN_JOBS(jobs), "N", "1",
      .help = "explore in N processes; 0 means one per processor",
      .more = "Each explores a test of its own; if there are fewer tests, "
              "several share one, unless the strategy is states.  Results are "
              "the same for any N." },
    { "opt", 0, IN_OWN(take_levels, 0, 0, NULL), "LEVELS",
      .help = "compile with these optimisation levels in turn, such as 0,2 "
              "(default 1)" },
    OPTION_TIMEOUT,
    OPTION_MEMORY,
    { "", 0, IN_REST(extra, nextra), "WORD...",
      .help = "more sources, object files and flags for the compiler" },
    { "args", 0, IN_REST(args, nargs), "WORD...",
      .help = "arguments of main(), if OBJECT is a program",
      .more = "Each list ends where the other begins; write -- --args WORD... "
              "if the arguments contain --." },

    OPTION_JSON(NULL, "Output"),
    OPTIONS_PUBLISH,
    OPTIONS_OUTPUT("print more: every access of a violation, every place, and "
                   "the speed"),
};

static bool rank_errors_make_sense(const struct console_options *o,
                                   const struct explore_settings *s)
{
    if (s->rank_errors && s->strategy == PLUMB_STATES)
        return console_usage_fails(
            o, "--rank-errors counts whole executions: give it with --strategy "
               "random, pct, dpor or dfs");
    if (s->rank_errors && s->algorithm == EXPLORE_ROUND_UP)
        return console_usage_fails(
            o, "--rank-errors and --algorithm round-up do not go together");
    return true;
}

static bool round_up_makes_sense(const struct console_options *o,
                                 const struct explore_settings *s)
{
    const char *const alone = s->golden       ? "golden"
                              : s->permute    ? "permute"
                              : s->duplicates ? "duplicates"
                                              : NULL;
    if (s->algorithm != EXPLORE_ROUND_UP)
        return !alone || console_usage_fails(
                             o, "--%s is for --algorithm round-up", alone);
    if (!s->quasi.given || s->quasi.automatic)
        return console_usage_fails(
            o, "--algorithm round-up needs --quasi K, a number");
    if (s->also)
        return console_usage_fails(
            o, "--also serializability and --algorithm round-up do not go "
               "together");
    if (s->strategy == PLUMB_STATES && console_given(o, "strategy"))
        return console_usage_fails(
            o, "--algorithm round-up needs whole histories: --strategy states "
               "leaves some out");
    return true;
}

/* Of those of Line-Up. */
static bool is_blank(const char *text)
{
    return text && !text[strspn(text, " \t\n;,")];
}

static bool infer_makes_sense(const struct console_options *o,
                              const struct explore_settings *s)
{
    const char *const blank = is_blank(s->sequences)      ? "sequence"
                              : is_blank(s->nondet)       ? "nondet"
                              : is_blank(s->async)        ? "async"
                              : is_blank(s->names)        ? "names"
                              : is_blank(s->observations) ? "observations"
                              : is_blank(s->write_spec)   ? "write-spec"
                                                          : NULL;
    if (blank)
        return console_usage_fails(o, "--%s: nothing is given", blank);
    if (s->automatic &&
        (console_given(o, "threads") || console_given(o, "ops") ||
         console_given(o, "samples")))
        return console_usage_fails(
            o, "--threads, --ops and --samples have no effect with --auto, "
               "which runs all tests of every size");
    if ((s->write_spec || s->observations) && s->levels)
        return console_usage_fails(
            o,
            "--%s writes what one build does; give one level of --opt after "
            "-- instead",
            s->write_spec ? "write-spec" : "observations");
    if (s->write_spec && s->async)
        return console_usage_fails(
            o, "--write-spec does not go with --async: what an asynchronous "
               "operation answers is not observed");
    return true;
}

static bool settings_make_sense(const struct console_options *o,
                                const struct explore_settings *s)
{
    const bool sized = console_given(o, "threads") || console_given(o, "ops") ||
                       console_given(o, "samples") || s->automatic ||
                       s->sequences;
    if (o->nargs == 0)
        return console_usage_fails(
            o, "no OBJECT given; `plumb list objects` shows some");
    if (o->nargs > 1)
        return console_usage_fails(
            o,
            "unexpected argument `%s`; give one OBJECT, and what the "
            "compiler needs after --",
            o->args[1]);
    if (s->test && sized)
        return console_usage_fails(
            o, "--threads, --ops, --samples, --auto and --sequence have no "
               "effect with --test");
    if (s->quasi.automatic && s->keep_going)
        return console_usage_fails(
            o, "--quasi auto goes on after violations by itself; give it "
               "without --keep-going");
    if (s->also && console_given(o, "strategy") && s->strategy != PLUMB_DPOR &&
        s->strategy != PLUMB_DFS)
        return console_usage_fails(
            o, "--also serializability needs --strategy dpor or dfs: other "
               "strategies leave schedules out");
    if (!infer_makes_sense(o, s) || !rank_errors_make_sense(o, s) ||
        !round_up_makes_sense(o, s))
        return false;
    if (s->threads * s->ops > JOB_OPERATIONS)
        return console_usage_fails(
            o, "%u threads with %u operations each are more than %d operations",
            s->threads, s->ops, JOB_OPERATIONS);
    return true;
}

static void set_defaults(const struct console_options *o,
                         struct explore_settings *s)
{
    if ((s->also || s->algorithm == EXPLORE_ROUND_UP) &&
        !console_given(o, "strategy"))
        s->strategy = PLUMB_DPOR;
    if (s->algorithm == EXPLORE_ROUND_UP && !console_given(o, "threads"))
        s->threads = 2; /* as in the paper: sequentializations are many */
    if (s->algorithm == EXPLORE_ROUND_UP && !s->samples)
        s->samples = DEFAULT_SAMPLES;
    s->rises =
        !console_given(o, "preemptions") && s->algorithm != EXPLORE_ROUND_UP;
    if (s->strategy != PLUMB_RANDOM && s->strategy != PLUMB_PCT)
        return;
    s->bounded = false;
    if (!s->executions)
        s->executions = DEFAULT_EXECUTIONS;
}

/* ---- one level of optimisation after the other ---- */

static enum console_status explore_level(const struct explore_settings *s,
                                         char level)
{
    struct explore_settings with = *s;
    char flag[] = { '-', 'O', level, '\0' };
    const char **const extra = calloc(s->nextra + 1, sizeof *extra);
    if (!extra)
        return console_error("plumb explore: out of memory");
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

static enum console_status run(const struct console_options *o, void *settings)
{
    struct explore_settings *const s = settings;
    if (!settings_make_sense(o, s))
        return STATUS_ERROR;
    s->object = o->args[0];
    s->own_ops = console_given(o, "ops");
    set_defaults(o, s);
    return publish_open(&s->publication, &s->publish, o, s->object, s->json)
               ? publish_close(s->publication, explore(s))
               : STATUS_ERROR;
}

const struct console_command cli_explore = {
    .name = "explore",
    .summary = "run every schedule of small tests, up to 2 preemptions",
    .arguments = "OBJECT [options] [-- WORD...] [--args WORD...]",
    .about =
        "Run every schedule of small tests of OBJECT with at most 2 "
        "preemptions, then with more while that is cheap, or with as many as "
        "--preemptions allows, and check every history.  Memory is "
        "sequentially consistent.\n\n"
        "OBJECT is a name (see `plumb list objects`), a source in C or C++, a "
        ".o or a .so file.  A source with a main() is run as a whole program.",
    .examples =
        "  plumb explore michael-scott\n"
        "  plumb explore my_queue.c --test 'enq(1) deq() | deq()'\n"
        "  plumb explore my_queue.c --threads 4 --ops 1 --preemptions all\n"
        "  plumb explore my_queue.c -- -I../include queue.c\n",
    .status = "  0  no violation\n"
              "  1  a violation\n"
              "  2  error\n"
              "  3  undecided or interrupted\n",
    .options = rows,
    .names = NAMES_OBJECTS,
    .settings = sizeof(SETTINGS),
    .run = run,
};
