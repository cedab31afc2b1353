/* verify_command.c - plumb verify: its options. */
#include "app/console/color.h"
#include "app/console/files.h"
#include "app/console/options.h"
#include "app/console/quantity.h"
#include "app/console/say.h"
#include "app/verify/verify_settings.h"
#include "cli.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ASSERTION = OPTION_HELP + 1,
    DEFINE,
    ENGINE,
    COUNT,
    REDUCTION,
    NO_REDUCTION,
    SYMMETRY,
    FAIRNESS,
    COMPILE,
    LEGACY,
    SIMULATE,
    STEPS,
    DOT,
    HISTORY,
    THREADS,
    SEED,
    TIMEOUT,
    MEMORY,
    JSON,
    QUIET,
    VERBOSE,
    COLOR
};

static const struct poptOption table[] = {
    { "assert", 'a', POPT_ARG_STRING, NULL, ASSERTION,
      "decide the N-th assertion alone", "N" },
    { "define", 'D', POPT_ARG_STRING, NULL, DEFINE,
      "in place of the model's #define, as SIZE=12; may be repeated",
      "NAME=VALUE" },
    { "engine", 'e', POPT_ARG_STRING, NULL, ENGINE,
      "auto, product, antichain or bisimilar: how refinement is decided",
      "ENGINE" },
    { "por", '\0', POPT_ARG_STRING, NULL, REDUCTION,
      "local, dynamic or none: which steps need not be interleaved (local)",
      "RULE" },
    { "no-por", '\0', POPT_ARG_NONE, NULL, NO_REDUCTION, "the same as none",
      NULL },
    { "symmetry", '\0', POPT_ARG_STRING, NULL, SYMMETRY,
      "auto, on or off: states that differ only in which process is which are "
      "one (auto: if there are many)",
      "WHEN" },
    { "fairness", '\0', POPT_ARG_STRING, NULL, FAIRNESS,
      "none, weak or strong: of processes, for formulas (none)", "KIND" },
    { "compile", '\0', POPT_ARG_STRING, NULL, COMPILE,
      "auto, always or never: make states by compiled C (auto: if there are "
      "more than a million)",
      "WHEN" },
    { "count", '\0', POPT_ARG_STRING, NULL, COUNT,
      "print states and transitions as pat2 or pat3 counts them, without --por "
      "unless it is given",
      "HOW" },
    { "legacy", '\0', POPT_ARG_NONE, NULL, LEGACY,
      "read P <<b>> Q, which goes to Q if b holds", NULL },
    { "simulate", '\0', POPT_ARG_NONE, NULL, SIMULATE,
      "go through the first process step by step instead", NULL },
    { "steps", '\0', POPT_ARG_STRING, NULL, STEPS,
      "with --simulate: so many steps at random", "N" },
    { "dot", '\0', POPT_ARG_STRING, NULL, DOT,
      "write the states of a small model as a graph for Graphviz", "OUT" },
    { "history", '\0', POPT_ARG_STRING, NULL, HISTORY,
      "write a counterexample as a history for plumb check; the ending of "
      "OUT tells the format: .hist, .jsonl or .plumb",
      "OUT" },
    { "threads", 'j', POPT_ARG_STRING, NULL, THREADS,
      "threads; 0 is one per processor (default 1)", "N" },
    { "seed", '\0', POPT_ARG_STRING, NULL, SEED, "of --steps (1)", "N" },
    { "timeout", 't', POPT_ARG_STRING, NULL, TIMEOUT,
      "stop after a time, as 10, 0.5 or 2m", "SECONDS" },
    { "memory", 'm', POPT_ARG_STRING, NULL, MEMORY,
      "use at most so much memory, as 512M or 2G (default: most of what is "
      "free)",
      "SIZE" },
    { "json", '\0', POPT_ARG_NONE, NULL, JSON,
      "print each result as one JSON object", NULL },
    { "quiet", 'q', POPT_ARG_NONE, NULL, QUIET, "print the result lines alone",
      NULL },
    { "verbose", 'v', POPT_ARG_NONE, NULL, VERBOSE,
      "tell every step of a counterexample, hidden ones too", NULL },
    { "color", '\0', POPT_ARG_STRING, NULL, COLOR, "auto, always or never",
      "WHEN" },
    OPTIONS_END
};

void cli_verify_help(void)
{
    console_print_options("plumb verify", "MODEL", table);
    fputs("\nMODEL is a file, or the name of one that comes with the program: "
          "see\n`plumb list models`.  It describes processes and ends with "
          "assertions about\nthem, as\n\n"
          "  #assert Queue() linearizable \"queue\" (clients 2, values {1..2});"
          "\n"
          "  #assert Stack() refines StackA();\n"
          "  #assert System() deadlockfree;\n\n"
          "Each is proved for all behaviour of the model, or shown to be "
          "violated by the\nshortest way there.  docs/modelling-language.md "
          "teaches the language.\n\n"
          "Exit status: 0 all hold, 1 one is violated, 2 error, 3 undecided.\n",
          stdout);
}

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

static bool take_define(const struct console_options *o, const char *value,
                        struct verify_settings *s)
{
    const size_t length = strcspn(value, "=");
    struct plumb_csp_setting *const setting = &s->setting[s->settings];
    if (s->settings == MOST_SETTINGS)
        return console_option_fails(o, DEFINE, value, "too many of them");
    if (length == 0 || length >= MOST_NAME || value[length] != '=' ||
        !read_value(value + length + 1, &setting->value))
        return console_option_fails(o, DEFINE, value,
                                    "must be a name and a number, as SIZE=12");
    memcpy(s->name[s->settings], value, length);
    setting->name = s->name[s->settings++];
    return true;
}

static bool take_word(const struct console_options *o, int code,
                      const char *value, struct verify_settings *s)
{
    static const char *const engines[] = { "auto", "product", "antichain",
                                           "bisimilar", NULL };
    static const char *const counts[] = { "pat3", "pat2", NULL };
    static const char *const rules[] = { "none", "local", "dynamic", NULL };
    static const char *const uses[] = { "auto", "on", "off", NULL };
    static const char *const times[] = { "auto", "always", "never", NULL };
    static const char *const kinds[] = { "none", "weak", "strong", NULL };
    const char *const *const words = code == ENGINE      ? engines
                                     : code == COUNT     ? counts
                                     : code == REDUCTION ? rules
                                     : code == SYMMETRY  ? uses
                                     : code == COMPILE   ? times
                                                         : kinds;
    const int index = console_option_word(o, code, value, words);
    if (index < 0)
        return false;
    if (code == ENGINE)
        s->engine = (enum plumb_refine_engine)index;
    else if (code == COUNT)
        s->counting = (enum plumb_csp_counting)index;
    else if (code == REDUCTION)
        s->reduction = (enum plumb_csp_reduction)index;
    else if (code == SYMMETRY)
        s->symmetry = (enum plumb_refine_symmetry_use)index;
    else if (code == COMPILE)
        s->compile = (enum verify_native_when)index;
    else
        s->fairness = (enum plumb_refine_fairness)index;
    s->counts = s->counts || code == COUNT;
    s->reduction_given = s->reduction_given || code == REDUCTION;
    return true;
}

static bool take_limit(const struct console_options *o, int code,
                       const char *value, struct verify_settings *s)
{
    if (code == MEMORY)
        return console_read_size(value, &s->memory) ||
               console_option_fails(o, code, value,
                                    "must be a size, as 512M or 2G");
    if (code == SEED)
        return console_read_count(value, &s->seed) ||
               console_option_fails(o, code, value, "must be a number");
    return console_read_duration(value, &s->timeout) ||
           console_option_fails(o, code, value,
                                "must be a time more than 0, as 10, 0.5 or 2m");
}

static bool take_flag(struct verify_settings *s, int code)
{
    switch (code) {
    case NO_REDUCTION:
        s->reduction = PLUMB_REDUCE_NOTHING;
        return true;
    case LEGACY:
        return s->legacy = true;
    case SIMULATE:
        return s->simulate = true;
    case JSON:
        return s->json = true;
    case QUIET:
        console_notes_off();
        return s->quiet = true;
    default:
        return s->verbose = true;
    }
}

static bool take(struct console_options *o, void *context, int code,
                 const char *value)
{
    struct verify_settings *const s = context;
    switch (code) {
    case ASSERTION:
        return console_option_number(o, code, value, 1, 100000, &s->assertion);
    case THREADS:
        return console_option_jobs(o, code, value, &s->threads);
    case STEPS:
        return console_option_number(o, code, value, 1, 1000000000, &s->steps);
    case DEFINE:
        return take_define(o, value, s);
    case ENGINE:
    case COUNT:
    case REDUCTION:
    case SYMMETRY:
    case FAIRNESS:
    case COMPILE:
        return take_word(o, code, value, s);
    case SEED:
    case TIMEOUT:
    case MEMORY:
        return take_limit(o, code, value, s);
    case COLOR:
        return console_option_color(o, code, value, &s->color);
    case DOT:
        s->dot = value;
        return true;
    case HISTORY:
        s->history = value;
        return true;
    default:
        return take_flag(s, code);
    }
}

/* Counts are those of others only if nothing is left out: unless asked for
 * otherwise, no reduction, and the search that the count belongs to. */
static bool settle_counts(const struct console_options *o,
                          struct verify_settings *s)
{
    if (!s->counts)
        return true;
    if (s->engine == PLUMB_ENGINE_BISIMILAR)
        return console_usage_fails(o,
                                   "--count goes with the engines product and "
                                   "antichain");
    if (s->engine == PLUMB_ENGINE_AUTO)
        s->engine = s->counting == PLUMB_COUNT_PAT2 ? PLUMB_ENGINE_PRODUCT
                                                    : PLUMB_ENGINE_ANTICHAIN;
    if (!s->reduction_given)
        s->reduction = PLUMB_REDUCE_NOTHING;
    return true;
}

static bool fits_together(const struct console_options *o,
                          struct verify_settings *s)
{
    if (o->nargs != 1)
        return console_usage_fails(o, o->nargs ? "it takes one MODEL"
                                               : "which MODEL?");
    if (s->quiet && s->verbose)
        return console_usage_fails(o, "--quiet or --verbose, not both");
    if (s->steps && !s->simulate)
        return console_usage_fails(o, "--steps goes with --simulate");
    if (s->simulate && s->json)
        return console_usage_fails(o, "--simulate or --json, not both");
    if (!settle_counts(o, s))
        return false;
    return !s->history ||
           shims_output_format(o, s->history, &s->history_format);
}

enum console_status cli_verify_command(int argc, const char **argv)
{
    struct verify_settings s = { .color = console_terminal_has_color(),
                                 .reduction = PLUMB_REDUCE_LOCAL,
                                 .threads = 1,
                                 .seed = 1 };
    struct console_options o = { .command = "plumb verify", .table = table };
    enum console_status status = STATUS_ERROR;
    if (!console_read_options(&o, argc, argv, take, &s))
        goto out;
    if (o.help) {
        cli_verify_help();
        status = STATUS_HOLDS;
    } else if (fits_together(&o, &s)) {
        s.file = o.args[0];
        status = verify_run(&s);
    }
out:
    console_release_options(&o);
    return status;
}
