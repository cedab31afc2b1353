/* monitor_command.c - plumb monitor: its options. */
#include "app/check/monitor_settings.h"
#include "app/console/color.h"
#include "app/console/files.h"
#include "app/console/options.h"
#include "app/console/quantity.h"
#include "app/console/say.h"
#include "cli.h"
#include <stdio.h>

enum {
    SPEC = OPTION_HELP + 1,
    FORMAT,
    FOLLOW,
    INTERVAL,
    TIMEOUT,
    MEMORY,
    JSON,
    QUIET,
    VERBOSE,
    COLOR
};

static const struct poptOption table[] = {
    { "spec", 's', POPT_ARG_STRING, NULL, SPEC,
      "a built-in specification, as queue (plumb list specs)", "NAME" },
    { "format", 'f', POPT_ARG_STRING, NULL, FORMAT,
      "read FILE as FORMAT (plumb list formats); detected if not given",
      "FORMAT" },
    { "follow", 'F', POPT_ARG_NONE, NULL, FOLLOW,
      "at the end of FILE wait for more", NULL },
    { "interval", 'i', POPT_ARG_STRING, NULL, INTERVAL,
      "tell every so often on stderr how it goes, as 10 or 1m", "SECONDS" },
    { "timeout", 't', POPT_ARG_STRING, NULL, TIMEOUT,
      "stop after a time, as 10, 0.5 or 2m", "SECONDS" },
    { "memory", 'm', POPT_ARG_STRING, NULL, MEMORY,
      "use at most so much memory, as 512M or 2G (default: most of what is "
      "free)",
      "SIZE" },
    { "json", '\0', POPT_ARG_NONE, NULL, JSON,
      "print the result as one JSON object", NULL },
    { "quiet", 'q', POPT_ARG_NONE, NULL, QUIET, "print the result line alone",
      NULL },
    { "verbose", 'v', POPT_ARG_NONE, NULL, VERBOSE, "tell more", NULL },
    { "color", '\0', POPT_ARG_STRING, NULL, COLOR, "auto, always or never",
      "WHEN" },
    OPTIONS_END
};

void cli_monitor_help(void)
{
    console_print_options("plumb monitor", "[FILE]", table);
    fputs(
        "\nFILE is read as it is written; without one, or for -, the standard "
        "input is.\nIt ends at the first event that makes what has happened a "
        "violation.  Queues,\nsets, multisets, maps and registers are "
        "followed event by event, and what is\nsettled is forgotten; other "
        "types are decided in batches, which are forgotten\nwhen all is empty "
        "and nobody is at work.\n\n"
        "  my_server | plumb monitor --spec queue\n"
        "  plumb monitor --spec map --follow --interval 10 ops.jsonl\n\n"
        "Exit status: 0 no violation until the end, 1 a violation, 2 error, "
        "3 undecided\nor interrupted.\n",
        stdout);
}

static bool take_limit(const struct console_options *o, int code,
                       const char *value, struct check_monitor_settings *s)
{
    if (code == MEMORY)
        return console_read_size(value, &s->memory) ||
               console_option_fails(o, code, value,
                                    "must be a size, as 512M or 2G");
    return console_read_duration(value, code == TIMEOUT ? &s->timeout
                                                        : &s->interval) ||
           console_option_fails(o, code, value,
                                "must be a time more than 0, as 10, 0.5 or 2m");
}

static bool take(struct console_options *o, void *context, int code,
                 const char *value)
{
    struct check_monitor_settings *const s = context;
    switch (code) {
    case SPEC:
        s->spec = value;
        return true;
    case FORMAT:
        return console_option_format(o, code, value, &s->format);
    case INTERVAL:
    case TIMEOUT:
    case MEMORY:
        return take_limit(o, code, value, s);
    case COLOR:
        return console_option_color(o, code, value, &s->color);
    case FOLLOW:
        s->follow = true;
        return true;
    case JSON:
        s->json = true;
        return true;
    case QUIET:
        s->quiet = true;
        console_notes_off();
        return true;
    default:
        s->verbose = true;
        return true;
    }
}

enum console_status cli_monitor_command(int argc, const char **argv)
{
    struct check_monitor_settings s = { .file = "-",
                                        .color = console_terminal_has_color() };
    struct console_options o = { .command = "plumb monitor", .table = table };
    enum console_status status = STATUS_ERROR;
    if (!console_read_options(&o, argc, argv, take, &s))
        goto out;
    if (o.nargs)
        s.file = o.args[0];
    if (o.help) {
        cli_monitor_help();
        status = STATUS_HOLDS;
    } else if (o.nargs > 1) {
        console_usage_fails(&o, "it follows one FILE; run it once for each");
    } else if (s.quiet && s.verbose) {
        console_usage_fails(&o, "--quiet or --verbose, not both");
    } else {
        status = check_monitor_run(&s);
    }
out:
    console_release_options(&o);
    return status;
}
