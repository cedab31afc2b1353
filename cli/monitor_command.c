/* monitor_command.c - plumb monitor: its options. */
#include "app/check/check_settings.h"
#include "app/console/files.h"
#include "app/console/options.h"
#include "cli.h"

#define SETTINGS struct check_monitor_settings

static const struct console_option rows[] = {
    { "spec", 's', IN_SPEC(spec), "NAME",
      .help = "check against NAME, a built-in specification such as queue (see "
              "`plumb list specs`)",
      .more = "Default: the specification that the operations suggest, with a "
              "note.  While several fit, `plumb monitor` waits for more "
              "events.  If an operation comes that the suggested "
              "specification lacks, and another one has all of them, it "
              "begins again with that one." },
    OPTION_QUASI,
    { "format", 'f', IN_FORMAT(format, console_formats), "FORMAT",
      .help = "read FILE as FORMAT instead of detecting it",
      .more = "The events of binary, fastlin and fptlin do not come in the "
              "order of time: such a file is read to its end first, and from "
              "a pipe only if this option is given." },
    { "follow", 'F', IN_FLAG(follow),
      .help = "wait for more events at the end of FILE",
      .more = "The run ends when it is interrupted.  If another file takes "
              "the name FILE, the old one is still followed, with a note; if "
              "FILE is truncated, that is an error." },
    { "interval", 'i', IN_DURATION(interval), "SECONDS",
      .help = "report progress on stderr at this interval, such as 10 or 1m",
      .more = "The line shows events, events per second, open operations, "
              "stored values and memory." },
    OPTION_TIMEOUT,
    OPTION_MEMORY,
    OPTION_JSON(NULL, NULL),
    OPTIONS_PUBLISH,
    OPTIONS_OUTPUT(
        "print the numbers of events and open operations also after a "
        "violation"),
};

static enum console_status monitor(const struct console_options *o,
                                   void *settings)
{
    struct check_monitor_settings *const s = settings;
    s->file = o->nargs ? o->args[0] : "-";
    if (o->nargs > 1)
        console_usage_fails(o,
                            "one FILE at a time; run `plumb monitor` for each");
    else if (publish_open(&s->publication, &s->publish, o, s->file, s->json))
        return publish_close(s->publication, check_monitor_run(s));
    return STATUS_ERROR;
}

const struct console_command cli_monitor = {
    .name = "monitor",
    .summary = "decide a stream of events while it is written",
    .arguments = "[FILE] [options]",
    .about =
        "Read calls and returns from FILE, or the standard input, while they "
        "are written, and stop at the first event that makes the history a "
        "violation.\n\n"
        "Queues, sets, multisets, maps and registers are decided event by "
        "event; memory depends on the open operations and the stored values, "
        "not on the length of the stream.  Other types are decided in "
        "batches, which are dropped when no operation is open and every "
        "object is empty.",
    .examples = "  my_server | plumb monitor --spec queue\n"
                "  plumb monitor --spec map --follow --interval 10 ops.jsonl\n",
    .status = "  0  no violation up to the end of the stream\n"
              "  1  a violation\n"
              "  2  error\n"
              "  3  undecided or interrupted\n",
    .options = rows,
    .names = NAMES_FILES,
    .settings = sizeof(SETTINGS),
    .run = monitor,
};
