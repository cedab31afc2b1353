/* convert_command.c - plumb convert: histories in, the same histories out. */
#include "app/archive/packed_input.h"
#include "app/console/files.h"
#include "app/console/interrupt.h"
#include "app/console/options.h"
#include "app/console/output.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "cli.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct convert_settings {
    enum plumb_format from, to;
    bool quiet;
};
#define SETTINGS struct convert_settings

static const struct console_option rows[] = {
    { "from", 'f', IN_FORMAT(from, console_formats), "FORMAT",
      .help = "read IN as FORMAT instead of detecting it" },
    { "to", 't', IN_FORMAT(to, console_written_formats), "FORMAT",
      .help = "write OUT as FORMAT instead of what its name says",
      .more = "Names that end in .hist and .txt mean native, .jsonl means "
              "jsonl, .plumb means binary.  The standard output gets native." },
    { "quiet", 'q', PLACE(QUIET, bool, quiet, ),
      .help = "do not report what the format of OUT cannot keep" },
    OPTIONS_END
};

static enum plumb_status copy_histories(const char *name,
                                        struct plumb_reader *reader,
                                        enum plumb_format to,
                                        struct console_output *out,
                                        struct console_loss_count *losses,
                                        struct plumb_error *err)
{
    const struct plumb_sink sink = console_output_sink(out);
    struct plumb_history h;
    enum plumb_status status;
    size_t index = 0;
    console_progress_unit("histories converted");
    while ((status = console_input_next(reader, &h, err)) == PLUMB_OK) {
        if (plumb_reader_note(reader))
            console_note("%s: %s", name, plumb_reader_note(reader));
        status = console_write_history(&h, to, index++, &sink, losses, err);
        plumb_history_release(&h);
        console_progress_count();
        if (status != PLUMB_OK)
            return status;
    }
    if (status != PLUMB_END)
        return status;
    return index > 0 ? PLUMB_OK : console_fail_no_history(err);
}

static enum console_status convert_bytes(const struct console_input *in,
                                         const struct convert_settings *s,
                                         struct console_output *out)
{
    struct console_loss_count losses = { { 0 } };
    struct plumb_reader *reader;
    struct plumb_error err = { 0 };
    enum plumb_status status =
        console_input_reader(in, s->from, PLUMB_TIES_OF_FORMAT, &reader, &err);
    if (status == PLUMB_OK) {
        status = copy_histories(in->name, reader, s->to, out, &losses, &err);
        plumb_reader_close(reader);
    }
    if (plumb_budget_state(in->budget) == PLUMB_ESTOP) {
        console_say("plumb convert: interrupted; nothing is left in %s",
                    out->name);
        return STATUS_UNDECIDED;
    }
    if (status != PLUMB_OK && !out->failed)
        console_say_error(in->name, &err);
    if (status == PLUMB_OK)
        console_note_losses(out->name, &losses);
    return status == PLUMB_OK ? STATUS_HOLDS : STATUS_ERROR;
}

static enum console_status convert_input(const struct console_input *in,
                                         const char *to,
                                         const struct convert_settings *s)
{
    struct console_output out;
    if (!console_output_create(&out, to))
        return STATUS_ERROR;
    out.budget = in->budget;
    const enum console_status status = convert_bytes(in, s, &out);
    const bool written = console_output_finish(&out, status == STATUS_HOLDS);
    return status == STATUS_HOLDS && !written ? STATUS_ERROR : status;
}

static enum console_status convert(const char *from, const char *to,
                                   const struct convert_settings *s)
{
    struct console_input in;
    struct plumb_error err = { .message = "interrupted" };
    enum console_status status = STATUS_ERROR;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    if (!budget)
        return console_error("plumb convert: out of memory");
    console_interrupts_stop(budget);
    if (!s->quiet)
        console_progress_start(budget);
    const enum plumb_status opened =
        archive_open_input(&in, from, budget, &err);
    if (opened == PLUMB_OK) {
        status = convert_input(&in, to, s);
        console_input_close(&in);
    } else {
        console_say_error(in.name, &err);
        if (opened == PLUMB_ESTOP)
            status = STATUS_UNDECIDED;
    }
    console_progress_stop();
    console_interrupts_stop(NULL);
    plumb_budget_free(budget);
    return status;
}

static enum console_status run(const struct console_options *o, void *settings)
{
    struct convert_settings *const s = settings;
    if (o->nargs != 2)
        console_usage_fails(o, "give two files, IN and OUT");
    else if (console_output_format(o, o->args[1], &s->to))
        return convert(o->args[0], o->args[1], s);
    return STATUS_ERROR;
}

const struct console_command cli_convert = {
    .name = "convert",
    .summary = "rewrite histories in another format",
    .arguments = "IN OUT [options]",
    .about = "Read every history of IN and write it to OUT, a new file.  "
             "Either may be -, the standard input or output.",
    .examples = "  plumb convert jepsen.log history.plumb\n"
                "  plumb convert trace.edn - --to jsonl\n",
    .status = "  0  converted\n"
              "  2  error\n"
              "  3  interrupted\n",
    .options = rows,
    .names = NAMES_FILES,
    .settings = sizeof(SETTINGS),
    .run = run,
};
