/* verify_command.c - plumb verify: its options. */
#include "app/console/files.h"
#include "app/console/options.h"
#include "app/verify/verify_settings.h"
#include "cli.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SETTINGS struct verify_settings

/* The number behind the sign; false if that is not all there is. */
static bool read_value(const char *text, int32_t *value)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    *value = (int32_t)number;
    return end != text && !*end && !errno && number >= INT32_MIN &&
           number <= INT32_MAX;
}

static bool take_define(const struct console_options *o,
                        const struct console_option *row, const char *value,
                        void *settings)
{
    struct verify_settings *const s = settings;
    const size_t length = strcspn(value, "=");
    struct plumb_csp_setting *const setting = &s->setting[s->settings];
    if (s->settings == MOST_SETTINGS)
        return console_option_fails(o, row, value,
                                    "too many definitions; 64 are allowed");
    if (length == 0 || length >= MOST_NAME || value[length] != '=' ||
        !read_value(value + length + 1, &setting->value))
        return console_option_fails(
            o, row, value, "must be a name and a number, such as SIZE=12");
    memcpy(s->name[s->settings], value, length);
    setting->name = s->name[s->settings++];
    return true;
}

static bool take_no_reduction(const struct console_options *o,
                              const struct console_option *row,
                              const char *value, void *settings)
{
    struct verify_settings *const s = settings;
    (void)o, (void)row, (void)value; /* it has none */
    s->reduction = PLUMB_REDUCE_NOTHING;
    return true;
}

static const struct console_option rows[] = {
    { "assert", 'a', IN_COUNT(assertion, 1, 100000), "N",
      .help = "decide only the N-th assertion" },
    { "define", 'D', IN_OWN(take_define, 0, 0, NULL), "NAME=VALUE",
      .help =
          "replace a #define of the model, as in SIZE=12; may be repeated" },
    { "engine", 'e',
      IN_WORD(engine, PLUMB_ENGINE_AUTO,
              WORDS("auto", "product", "antichain", "bisimilar")),
      "ENGINE", "auto", .help = "decide refinement with this engine",
      .more = "All give the same verdict; product gives exact counts.  "
              "bisimilar builds all states of both sides first: it does not "
              "end if one side has infinitely many, and it finds errors of "
              "the model in states that the others never reach." },
    { "por", 0,
      IN_WORD(reduction, PLUMB_REDUCE_NOTHING,
              WORDS("none", "local", "dynamic")),
      "RULE", "local", .help = "leave out interleavings of independent steps",
      .more = "local decides once for the model which steps these are, "
              "dynamic in every state, by the rules of the paper." },
    { "no-por", 0, IN_OWN(take_no_reduction, 0, 0, NULL),
      .help = "the same as --por none" },
    { "symmetry", 0,
      IN_WORD(symmetry, PLUMB_SYMMETRY_AUTO, WORDS("auto", "on", "off")),
      "WHEN", "auto",
      .help = "treat states that differ only by renaming processes as one",
      .more = "This applies to processes of a ||| that are written alike, or "
              "that differ in a number which they use only as a name.  auto "
              "does so for large refinements.  on does so wherever it is "
              "sound, and says why where it is not." },
    { "search", 0,
      IN_WORD(search, PLUMB_SEARCH_BOTH, WORDS("both", "breadth", "depth")),
      "ORDER", "both",
      .help = "look for what `reaches` and `deadlockfree` ask in this order",
      .more = "breadth finds a shortest way.  depth often finds a way that is "
              "long after fewer states.  both takes turns of equal numbers of "
              "states; where depth finds a way first, breadth goes on for as "
              "many states, and the report says whether the way is known to "
              "be a shortest one." },
    { "fairness", 0,
      IN_WORD(fairness, PLUMB_UNFAIR, WORDS("none", "weak", "strong")), "KIND",
      "none", .help = "assume this fairness of processes in formulas",
      .more = "The processes are the operands of ||| and ||, also where they "
              "begin later, and the copies of |||{N}.  There may be at most "
              "64." },
    { "compile", 0,
      IN_WORD(compile, NATIVE_AUTO, WORDS("auto", "always", "never")), "WHEN",
      "auto", .help = "compute states with compiled C",
      .more = "auto does so beyond a million states.  The compiled model is "
              "kept for the next run.  Without a compiler the run continues "
              "with bytecode; always and --verbose report that." },
    { "count", 0, IN_WORD(counting, PLUMB_COUNT_PAT3, WORDS("pat3", "pat2")),
      "HOW",
      .help = "print the numbers of states and transitions as PAT counts them",
      .more = "Unless --por is given, nothing is then left out.  A refinement "
              "is decided by the search that is counted: product for pat2, "
              "antichain for pat3." },
    { "legacy", 0, IN_FLAG(legacy),
      .help = "read P <<b>> Q, which continues as Q if b holds" },
    { "simulate", 0, IN_FLAG(simulate),
      .help = "walk through the first process step by step instead",
      .more = "A number takes a step, u goes back, q ends." },
    { "steps", 0, IN_COUNT(steps, 1, 1000000000), "N",
      .help = "take N random steps; needs --simulate",
      .more = "The variables are shown at the end." },
    OPTION_SEED("steps", "It is for --steps."),
    { "dot", 0, IN_FILE(dot), "OUT",
      .help = "write the states of a small model as a graph for Graphviz" },
    { "history", 0, IN_FILE(history), "OUT",
      .help = "write a counterexample as a history for `plumb check`; OUT ends "
              "in .hist, .jsonl or .plumb",
      .more = "It is the first counterexample that has calls and responses; "
              "where linearizable is asserted, only one that is not "
              "linearizable.  .jsonl and .plumb keep the name of a built-in "
              "specification, so that `plumb check` OUT needs no --spec." },
    { "threads", 'j', IN_JOBS(threads), "N", "1",
      .help = "use N threads; 0 means one per processor",
      .more = "They build the states of a process, beyond some thousand, and "
              "minimise both sides.  The output is the same for any N." },
    OPTION_TIMEOUT,
    { "timeout-each", 0, IN_DURATION(timeout_each), "S",
      .help = "stop each assertion after this time and go on with the next",
      .more = "--timeout still limits the whole run." },
    OPTION_MEMORY,
    OPTION_JSON(NULL, NULL),
    OPTIONS_PUBLISH,
    OPTIONS_OUTPUT("show every step of a counterexample, hidden ones too"),
};

/* Counts are those of others only if nothing is left out: unless asked for
 * otherwise, no reduction, and the search that the count belongs to. */
static bool settle_counts(const struct console_options *o,
                          struct verify_settings *s)
{
    s->counts = console_given(o, "count");
    if (!s->counts)
        return true;
    if (s->engine == PLUMB_ENGINE_BISIMILAR)
        return console_usage_fails(o, "--count needs the engine product or "
                                      "antichain");
    if (s->engine == PLUMB_ENGINE_AUTO)
        s->engine = s->counting == PLUMB_COUNT_PAT2 ? PLUMB_ENGINE_PRODUCT
                                                    : PLUMB_ENGINE_ANTICHAIN;
    if (!console_given(o, "search"))
        s->search = PLUMB_SEARCH_BREADTH;
    if (!console_given(o, "por"))
        s->reduction = PLUMB_REDUCE_NOTHING;
    return true;
}

static bool fits_together(const struct console_options *o,
                          struct verify_settings *s)
{
    if (o->nargs != 1)
        return console_usage_fails(o, o->nargs ? "give one MODEL"
                                               : "no MODEL given; `plumb list "
                                                 "models` shows some");
    if (s->steps && !s->simulate)
        return console_usage_fails(o, "--steps needs --simulate");
    if (s->simulate && s->json)
        return console_usage_fails(o,
                                   "--simulate and --json cannot be combined");
    if ((s->simulate || s->dot) && publish_asked(&s->publish))
        return console_usage_fails(o, "--simulate and --dot decide nothing, so "
                                      "there is nothing to report");
    if (s->timeout_each && (s->simulate || s->dot))
        return console_usage_fails(o, "--timeout-each is for assertions; "
                                      "--simulate and --dot decide none");
    if (!settle_counts(o, s))
        return false;
    return !s->history ||
           console_output_format(o, s->history, &s->history_format);
}

static enum console_status verify(const struct console_options *o,
                                  void *settings)
{
    struct verify_settings *const s = settings;
    if (!fits_together(o, s))
        return STATUS_ERROR;
    s->file = o->args[0];
    return publish_open(&s->publication, &s->publish, o, s->file, s->json)
               ? publish_close(s->publication, verify_run(s))
               : STATUS_ERROR;
}

const struct console_command cli_verify = {
    .name = "verify",
    .summary = "prove a model of an algorithm, or find a counterexample",
    .arguments = "MODEL [options]",
    .about =
        "Prove each assertion of MODEL for all behaviours of the model, or "
        "show a counterexample, mostly a shortest one.  MODEL is a file, or "
        "the name of one "
        "that comes with plumb (see `plumb list models`).  "
        "docs/modelling-language.md "
        "teaches the language.  Assertions look like these:\n\n"
        "  #assert Queue() linearizable \"queue\" (clients 2, values {1..2});\n"
        "  #assert Stack() refines StackA();\n"
        "  #assert System() deadlockfree;\n"
        "  #assert Stack() lockfree (clients 2);",
    .examples = "  plumb verify stack -D SIZE=12\n"
                "  plumb verify --history h.jsonl shann-queue\n"
                "  plumb verify my_model.csp --assert 2 --timeout 1m\n",
    .status = "  0  all assertions hold\n"
              "  1  an assertion is violated\n"
              "  2  error\n"
              "  3  undecided\n",
    .options = rows,
    .names = NAMES_MODELS,
    .settings = sizeof(SETTINGS),
    .run = verify,
};
