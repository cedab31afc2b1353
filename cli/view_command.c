/* view_command.c - plumb view: a report about what is in a file. */
#include "app/console/input.h"
#include "app/console/say.h"
#include "app/publish/publication.h"
#include "cli.h"
#include <stdlib.h>
#include <string.h>

struct view_settings {
    const char *html, *svg, *spec;
    bool no_source;
};
#define SETTINGS struct view_settings

static const struct console_option rows[] = {
    { "html", 0, IN_FILE(html), "OUT.html",
      .help = "write the report, one file for a browser",
      .more = "OUT.html must not exist." },
    { "svg", 0, IN_FILE(svg), "OUT.svg",
      .help = "write its timeline as a picture",
      .more = "OUT.svg must not exist." },
    { "spec", 's', IN_SPEC(spec), "NAME",
      .help = "check a history against NAME (see `plumb list specs`)" },
    { "no-source", 0, IN_FLAG(no_source),
      .help = "quote no lines of files in the report" },
    OPTIONS_END
};

enum kind { HISTORY, SCHEDULE, RESULTS };

static enum kind kind_of(const struct console_input *in)
{
    static const char schedule[] = "plumb-schedule ";
    const size_t size = strlen(schedule);
    if (in->size > size && memcmp(in->data, schedule, size) == 0)
        return SCHEDULE;
    return publish_is_result(in->data, in->size) ? RESULTS : HISTORY;
}

/* As if the command had been given with --report. */
static enum console_status run_again(const struct console_command *c,
                                     const char *file,
                                     const struct view_settings *s)
{
    const char *words[12] = { c->name, "--quiet" };
    int count = 2;
    if (s->html) {
        words[count++] = "--report";
        words[count++] = s->html;
    }
    if (s->svg) {
        words[count++] = "--svg";
        words[count++] = s->svg;
    }
    if (s->spec) {
        words[count++] = "--spec";
        words[count++] = s->spec;
    }
    if (s->no_source)
        words[count++] = "--no-source";
    words[count++] = "--";
    words[count++] = file;
    return console_run(c, count, words);
}

/* What a report says is no fault of whoever looks at it. */
static enum console_status shown(enum console_status status)
{
    return status == STATUS_ERROR ? STATUS_ERROR : STATUS_HOLDS;
}

static enum console_status view_results(const struct console_options *o,
                                        const struct console_input *in,
                                        const struct view_settings *s)
{
    struct publish_settings with = { .report = s->html,
                                     .svg = s->svg,
                                     .no_source = s->no_source };
    if (s->spec) {
        console_usage_fails(o, "%s holds results; --spec has no effect",
                            in->name);
        return STATUS_ERROR;
    }
    return publish_results_of(&with, o, in->name, in->data, in->size);
}

static enum console_status view_file(const struct console_options *o,
                                     const char *file,
                                     const struct view_settings *s)
{
    struct plumb_error err = { .message = "out of memory" };
    struct console_input in;
    if (console_input_open(&in, file, NULL, &err) != PLUMB_OK)
        return console_error("%s: %s", console_input_name(file), err.message);
    const enum kind kind = kind_of(&in);
    enum console_status status = STATUS_ERROR;
    if (kind == RESULTS)
        status = view_results(o, &in, s);
    console_input_close(&in);
    if (kind == RESULTS)
        return status;
    if (strcmp(file, "-") == 0)
        return console_error("(stdin): these are no results of --json; give "
                             "a history or a schedule as a FILE");
    if (kind == SCHEDULE && s->spec)
        return console_error("%s: a schedule names its specification; --spec "
                             "has no effect",
                             file);
    return shown(
        run_again(kind == SCHEDULE ? &cli_replay : &cli_check, file, s));
}

static enum console_status run(const struct console_options *o, void *settings)
{
    const struct view_settings *const s = settings;
    if (o->nargs != 1)
        console_usage_fails(o, o->nargs ? "give one FILE" : "no FILE given");
    else if (!s->html && !s->svg)
        console_usage_fails(o, "give --html OUT.html, --svg OUT.svg or both");
    else
        return view_file(o, o->args[0], s);
    return STATUS_ERROR;
}

const struct console_command cli_view = {
    .name = "view",
    .summary = "write a report about a history, a schedule or results",
    .arguments = "FILE --html OUT.html [options]",
    .about = "Write a page for a browser about what is in FILE.  A history is "
             "checked, a schedule is run again, and the lines that --json "
             "printed are shown as they are; then - is the standard input.  Of "
             "the files that such lines name, only those in the working "
             "directory are quoted.",
    .examples = "  plumb view store/latest/history.edn --html history.html\n"
                "  plumb view .plumb/queue-3f21.schedule --html queue.html\n"
                "  plumb check --json *.hist | plumb view - --html all.html\n",
    .status = "  0  written, whatever the verdicts are\n"
              "  2  error\n",
    .options = rows,
    .names = NAMES_FILES,
    .settings = sizeof(SETTINGS),
    .run = run,
};
