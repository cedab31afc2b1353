/* convert_command.c - plumb convert: histories in, the same histories out. */
#include "app/console/files.h"
#include "app/console/input.h"
#include "app/console/interrupt.h"
#include "app/console/options.h"
#include "app/console/output.h"
#include "app/console/say.h"
#include "cli.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FROM = OPTION_HELP + 1, TO, QUIET };

static const struct poptOption table[] = {
    { "from", 'f', POPT_ARG_STRING, NULL, FROM,
      "read IN as FORMAT; detected if not given", "FORMAT" },
    { "to", 't', POPT_ARG_STRING, NULL, TO,
      "write OUT as FORMAT: native, jsonl or binary", "FORMAT" },
    { "quiet", 'q', POPT_ARG_NONE, NULL, QUIET,
      "do not tell what the format of OUT cannot keep", NULL },
    OPTIONS_END
};

struct settings {
    enum plumb_format from, to;
};

void cli_convert_help(void)
{
    console_print_options("plumb convert", "IN OUT", table);
    fputs("\nIN and OUT may be -, the standard input and output; an OUT that "
          "exists is left\nalone.  Without --to its name tells the format: "
          ".hist and .txt native text,\n.jsonl JSON lines, .plumb binary; the "
          "standard\noutput gets native text.\n\n"
          "  plumb convert jepsen.log history.plumb\n"
          "  plumb convert trace.edn - --to jsonl\n\n"
          "Exit status: 0 converted, 2 error, 3 interrupted.\n",
          stdout);
}

static bool take(struct console_options *o, void *context, int code,
                 const char *value)
{
    struct settings *const s = context;
    switch (code) {
    case FROM:
        return console_option_format(o, code, value, &s->from);
    case TO:
        return console_option_written_format(o, code, value, &s->to);
    default:
        console_notes_off();
        return true;
    }
}

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
    while ((status = console_input_next(reader, &h, err)) == PLUMB_OK) {
        if (plumb_reader_note(reader))
            console_note("%s: %s", name, plumb_reader_note(reader));
        status = console_write_history(&h, to, index++, &sink, losses, err);
        plumb_history_release(&h);
        if (status != PLUMB_OK)
            return status;
    }
    if (status != PLUMB_END)
        return status;
    return index > 0 ? PLUMB_OK : console_fail_no_history(err);
}

static enum console_status convert_bytes(const struct console_input *in,
                                         const struct settings *s,
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
                                         const struct settings *s)
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
                                   const struct settings *s)
{
    struct console_input in;
    struct plumb_error err = { .message = "interrupted" };
    enum console_status status = STATUS_ERROR;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    if (!budget) {
        console_say("plumb convert: out of memory");
        return STATUS_ERROR;
    }
    console_interrupts_stop(budget);
    const enum plumb_status opened =
        console_input_open(&in, from, budget, &err);
    if (opened == PLUMB_OK) {
        status = convert_input(&in, to, s);
        console_input_close(&in);
    } else {
        console_say_error(in.name, &err);
        if (opened == PLUMB_ESTOP)
            status = STATUS_UNDECIDED;
    }
    console_interrupts_stop(NULL);
    plumb_budget_free(budget);
    return status;
}

enum console_status cli_convert_command(int argc, const char **argv)
{
    struct settings s = { PLUMB_FORMAT_AUTO, PLUMB_FORMAT_AUTO };
    struct console_options o = { .command = "plumb convert", .table = table };
    enum console_status status = STATUS_ERROR;
    if (!console_read_options(&o, argc, argv, take, &s))
        goto out;
    if (o.help) {
        cli_convert_help();
        status = STATUS_HOLDS;
    } else if (o.nargs != 2) {
        console_usage_fails(&o, "needs two files, IN and OUT");
    } else if (shims_output_format(&o, o.args[1], &s.to)) {
        status = convert(o.args[0], o.args[1], &s);
    }
out:
    console_release_options(&o);
    return status;
}
