/* check_command.c - plumb check: its options, and where it runs.
 *
 * With a specification of the user's everything happens in a child process. */
#include "app/check/check_settings.h"
#include "app/check/rank_histogram.h"
#include "app/console/files.h"
#include "app/console/options.h"
#include "app/console/say.h"
#include "cli.h"

#define SETTINGS struct check_settings

static const struct console_option rows[] = {
    { "spec", 's', IN_SPEC(spec), "NAME",
      .help = "check against NAME: a built-in specification such as queue or "
              "queue:cap=4 (see `plumb list specs`), or your own file, such "
              "as my_spec.c",
      .more = "Default: the specification that the history names; else the "
              "only built-in one that has all its operations, with a note." },
    OPTION_QUASI,
    { "algorithm", 'a',
      IN_WORD(check.algorithm, PLUMB_ALGORITHM_AUTO,
              WORDS("auto", "search", "wing-gong", "monitor")),
      "NAME", "auto", .help = "decide with this algorithm",
      .more =
          "monitor takes near-linear time for queues, stacks, priority queues, "
          "sets, multisets, registers and maps, and reports undecided where it "
          "cannot decide.  search is the memoised search, for every type.  "
          "wing-gong is the algorithm of 1990 as published, for comparison.  "
          "auto runs the monitors first, and searches whatever they cannot "
          "decide." },
    { "format", 'f', IN_FORMAT(format, console_formats), "FORMAT",
      .help = "read each FILE as FORMAT instead of detecting it" },
    { "ties", 0,
      IN_WORD(ties, PLUMB_TIES_CALL, WORDS("call-first", "return-first")),
      "RULE", .help = "which event comes first at equal time stamps",
      .more = "With call-first the two operations overlap.  Default: "
              "return-first in the formats fastlin and fptlin, call-first in "
              "all others." },
    { "whole", 0, IN_FLAG(check.whole),
      .help = "do not split histories by key" },
    { "jobs", 'j', IN_JOBS(jobs), "N", "1",
      .help = "use N threads; 0 means one per processor",
      .more = "The threads share several histories, or the parts of one: "
              "objects, keys, and pieces of a long history between moments "
              "when the object was empty and no operation was open.  The "
              "output is the same for any N." },
    OPTION_TIMEOUT,
    OPTION_MEMORY,
    { "no-core", 0, IN_FLAG(check.no_core),
      .help = "do not reduce a violation to a small part that is one by "
              "itself" },
    OPTION_RANK_ERRORS,
    { "witness", 'w', IN_FILE(witness), "OUT",
      .help = "write the proofs to OUT, a new file",
      .more = "The proof of a linearizable history is an order of its "
              "operations; that of a violation is a core and a certificate." },
    { "verify", 0, IN_FILE(verify), "WITNESS",
      .help = "decide nothing; accept or reject the proofs in WITNESS",
      .more = "It does not matter who wrote them.  The result names the "
              "specification; give --spec to check against yours instead of "
              "the one that WITNESS names." },
    OPTION_JSON("With --verbose it has the order of a linearizable history.",
                NULL),
    OPTIONS_PUBLISH,
    OPTIONS_OUTPUT("print more: the order of a linearizable history, and how "
                   "it was decided"),
};

static bool settings_make_sense(const struct console_options *o,
                                const struct check_settings *s)
{
    if (o->nargs == 0)
        return console_usage_fails(
            o, "no FILE given; use - for the standard input");
    if (s->verify && s->witness)
        return console_usage_fails(o,
                                   "--witness writes proofs and --verify reads "
                                   "them; give one of the two");
    if (s->verify && s->quasi.given)
        return console_usage_fails(
            o, "--verify takes the specification that WITNESS names, or --spec;"
               " --quasi has no effect");
    if ((s->witness || s->verify) && o->nargs > 1)
        return console_usage_fails(
            o, "--%s takes one FILE, the one that the proofs are about",
            s->witness ? "witness" : "verify");
    return true;
}

static enum console_status run(void *context)
{
    const struct check_settings *const s = context;
    return s->verify ? check_witness(s) : check_histories(s);
}

static enum console_status check(const struct console_options *o,
                                 void *settings)
{
    struct check_settings *const s = settings;
    s->files = o->args;
    s->nfiles = o->nargs;
    if (!settings_make_sense(o, s) ||
        !publish_open(&s->publication, &s->publish, o,
                      s->nfiles == 1 ? s->files[0] : NULL, s->json))
        return STATUS_ERROR;
    return publish_close(s->publication, check_with_spec(s->spec, &s->plugin,
                                                         s->timeout, run, s));
}

const struct console_command cli_check = {
    .name = "check",
    .summary = "decide whether recorded histories are linearizable",
    .arguments = "FILE... [options]",
    .about = "Decide whether each history in each FILE is linearizable.  Of "
             "one that "
             "is not, show a part that proves it.  A FILE of - is the standard "
             "input.  If a FILE holds several histories, FILE#k is the k-th.",
    .examples = "  plumb check queue.hist\n"
                "  plumb check --spec register:init=0 *.log\n"
                "  plumb check --spec my_spec.c trace.jsonl --timeout 1m\n",
    .status = "  0  all histories are linearizable\n"
              "  1  some history is not linearizable\n"
              "  2  error; with --verify also a rejected proof\n"
              "  3  some history is undecided\n"
              "  If several apply, the first of 2, 1, 3, 0.\n",
    .options = rows,
    .names = NAMES_FILES,
    .settings = sizeof(SETTINGS),
    .run = check,
};
