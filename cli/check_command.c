/* check_command.c - plumb check: its options, and where it runs.
 *
 * With a specification of the user's everything happens in a child process. */
#include "app/check/check_settings.h"
#include "app/console/color.h"
#include "app/console/files.h"
#include "app/console/options.h"
#include "app/console/quantity.h"
#include "app/console/say.h"
#include "app/objects/guard.h"
#include "cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPEC = OPTION_HELP + 1,
    ALGORITHM,
    FORMAT,
    TIES,
    WHOLE,
    JOBS,
    TIMEOUT,
    MEMORY,
    JSON,
    QUIET,
    VERBOSE,
    COLOR,
    NO_CORE,
    WITNESS,
    VERIFY
};

static const struct poptOption table[] = {
    { "spec", 's', POPT_ARG_STRING, NULL, SPEC,
      "specification: a built-in, as queue or queue:cap=4 (plumb list specs), "
      "or your own, as my_spec.c",
      "NAME" },
    { "algorithm", 'a', POPT_ARG_STRING, NULL, ALGORITHM,
      "auto, monitor, search or wing-gong", "NAME" },
    { "format", 'f', POPT_ARG_STRING, NULL, FORMAT,
      "read the files as FORMAT (plumb list formats); detected if not given",
      "FORMAT" },
    { "ties", '\0', POPT_ARG_STRING, NULL, TIES,
      "at equal time stamps: call-first (they overlap) or return-first",
      "RULE" },
    { "whole", '\0', POPT_ARG_NONE, NULL, WHOLE,
      "do not split a history by key", NULL },
    { "jobs", 'j', POPT_ARG_STRING, NULL, JOBS,
      "threads; 0 is one per processor (default 1)", "N" },
    { "timeout", 't', POPT_ARG_STRING, NULL, TIMEOUT,
      "stop after a time, as 10, 0.5 or 2m", "SECONDS" },
    { "memory", 'm', POPT_ARG_STRING, NULL, MEMORY,
      "use at most so much memory, as 512M or 2G (default: most of what is "
      "free)",
      "SIZE" },
    { "no-core", '\0', POPT_ARG_NONE, NULL, NO_CORE,
      "do not look for a small part that is a violation by itself", NULL },
    { "witness", 'w', POPT_ARG_STRING, NULL, WITNESS,
      "write the proofs of the answers to a new file", "OUT" },
    { "verify", '\0', POPT_ARG_STRING, NULL, VERIFY,
      "decide nothing; accept or reject the proofs in WITNESS", "WITNESS" },
    { "json", '\0', POPT_ARG_NONE, NULL, JSON,
      "print one JSON object per history and line", NULL },
    { "quiet", 'q', POPT_ARG_NONE, NULL, QUIET, "print the result lines alone",
      NULL },
    { "verbose", 'v', POPT_ARG_NONE, NULL, VERBOSE,
      "tell more: orders, numbers, how it was decided", NULL },
    { "color", '\0', POPT_ARG_STRING, NULL, COLOR, "auto, always or never",
      "WHEN" },
    OPTIONS_END
};

void cli_check_help(void)
{
    console_print_options("plumb check", "FILE...", table);
    fputs("\nA FILE may be -, the standard input.  Of several histories in a "
          "FILE, the k-th\nis called FILE#k.\n\n"
          "  plumb check queue.hist\n"
          "  plumb check --spec register:init=0 *.log\n"
          "  plumb check --spec my_spec.c trace.jsonl --timeout 1m\n\n"
          "Exit status: 0 all linearizable, 1 some are not, 2 error, 3 "
          "undecided; the first\nof 2, 1, 3, 0 that occurred.  With --verify: "
          "0 accepted, 1 accepted, and some\nare not linearizable, 2 rejected "
          "or error, 3 undecided.\n",
          stdout);
}

static bool take_algorithm(const struct console_options *o, const char *value,
                           enum plumb_algorithm *algorithm)
{
    static const char *const words[] = { "auto", "search", "wing-gong",
                                         "monitor", NULL };
    const int i = console_option_word(o, ALGORITHM, value, words);
    *algorithm = (enum plumb_algorithm)i; /* the words are in its order */
    return i >= 0;
}

static bool take_ties(const struct console_options *o, const char *value,
                      enum plumb_tie_rule *ties)
{
    static const char *const words[] = { "call-first", "return-first", NULL };
    const int i = console_option_word(o, TIES, value, words);
    *ties = i == 0 ? PLUMB_TIES_CALL : PLUMB_TIES_RETURN;
    return i >= 0;
}

static bool take_limit(const struct console_options *o, int code,
                       const char *value, struct check_settings *s)
{
    if (code == TIMEOUT)
        return console_read_duration(value, &s->timeout) ||
               console_option_fails(
                   o, code, value,
                   "must be a time more than 0, as 10, 0.5 or 2m");
    return console_read_size(value, &s->memory) ||
           console_option_fails(o, code, value,
                                "must be a size, as 512M or 2G");
}

static bool take_switch(struct check_settings *s, int code)
{
    switch (code) {
    case WHOLE:
        s->check.whole = true;
        break;
    case NO_CORE:
        s->check.no_core = true;
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

static bool take(struct console_options *o, void *context, int code,
                 const char *value)
{
    struct check_settings *const s = context;
    switch (code) {
    case SPEC:
        s->spec = value;
        return true;
    case ALGORITHM:
        return take_algorithm(o, value, &s->check.algorithm);
    case FORMAT:
        return console_option_format(o, code, value, &s->format);
    case TIES:
        return take_ties(o, value, &s->ties);
    case JOBS:
        return console_option_jobs(o, code, value, &s->jobs);
    case TIMEOUT:
    case MEMORY:
        return take_limit(o, code, value, s);
    case COLOR:
        return console_option_color(o, code, value, &s->color);
    case WITNESS:
        s->witness = value;
        return true;
    case VERIFY:
        s->verify = value;
        return true;
    default:
        return take_switch(s, code);
    }
}

static bool settings_make_sense(const struct console_options *o,
                                const struct check_settings *s)
{
    if (o->nargs == 0)
        return console_usage_fails(o, "no FILE given; - is the standard input");
    if (s->verify && s->witness)
        return console_usage_fails(o,
                                   "--witness writes proofs and --verify reads "
                                   "them; give one of the two");
    if (s->witness && o->nargs > 1)
        return console_usage_fails(
            o, "--witness takes one FILE, whose histories the "
               "proofs are numbered by");
    if (s->verify && o->nargs > 1)
        return console_usage_fails(o,
                                   "--verify takes one FILE, the one that the "
                                   "proofs are about");
    if (s->quiet && s->verbose)
        return console_usage_fails(o, "--quiet or --verbose, not both");
    return true;
}

static enum console_status run(void *context)
{
    const struct check_settings *const s = context;
    return s->verify ? check_witness(s) : check_histories(s);
}

static enum console_status run_with_plugin(struct check_settings *s)
{
    struct objects_plugin plugin;
    if (!objects_plugin_build(&plugin, s->spec))
        return STATUS_ERROR;
    s->plugin = &plugin; /* cppcheck-suppress autoVariables; until below */
    const enum console_status status =
        objects_guard_run(&plugin, s->timeout, run, s);
    s->plugin = NULL;
    objects_plugin_release(&plugin);
    return status;
}

enum console_status cli_check_command(int argc, const char **argv)
{
    struct check_settings s = { .jobs = 1,
                                .color = console_terminal_has_color() };
    struct console_options o = { .command = "plumb check", .table = table };
    enum console_status status = STATUS_ERROR;
    if (!console_read_options(&o, argc, argv, take, &s))
        goto out;
    s.files = o.args;
    s.nfiles = o.nargs;
    if (o.help) {
        cli_check_help();
        status = STATUS_HOLDS;
    } else if (settings_make_sense(&o, &s)) {
        status =
            s.spec && objects_is_plugin(s.spec) ? run_with_plugin(&s) : run(&s);
    }
out:
    console_release_options(&o);
    return status;
}
