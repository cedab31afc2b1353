/* files.c - formats on the command line, and what they could not keep. */
#include "files.h"

#include "history/reader.h"
#include "say.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const struct plumb_history_format_class *const console_file_formats[] = {
    &plumb_history_format_native,  &plumb_history_format_jsonl,
    &plumb_history_format_binary,  &plumb_history_format_recording,
    &plumb_history_format_jepsen,  &plumb_history_format_edn,
    &plumb_history_format_callret, &plumb_history_format_fastlin,
    &plumb_history_format_fptlin,  NULL,
};

const char *const console_formats[] = {
    "native", "jsonl",   "binary",  "recording", "jepsen",
    "edn",    "callret", "fastlin", "fptlin",    NULL,
};
const char *const console_written_formats[] = { "native", "jsonl", "binary",
                                                NULL };

static enum plumb_format format_of_name(const char *path)
{
    static const struct {
        const char *ending;
        enum plumb_format format;
    } endings[] = {
        { ".hist", PLUMB_FORMAT_NATIVE },
        { ".txt", PLUMB_FORMAT_NATIVE },
        { ".jsonl", PLUMB_FORMAT_JSONL },
        { ".plumb", PLUMB_FORMAT_BINARY },
    };
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t tail = strlen(endings[i].ending);
        if (length > tail &&
            strcasecmp(path + length - tail, endings[i].ending) == 0)
            return endings[i].format;
    }
    return PLUMB_FORMAT_AUTO;
}

bool console_output_format(const struct console_options *o, const char *path,
                           enum plumb_format *format)
{
    const bool is_stdout = strcmp(path, "-") == 0;
    if (*format == PLUMB_FORMAT_AUTO)
        *format = is_stdout ? PLUMB_FORMAT_NATIVE : format_of_name(path);
    if (*format == PLUMB_FORMAT_AUTO)
        return console_usage_fails(
            o,
            "%s: cannot tell the format from the name; end it in .hist, .jsonl "
            "or .plumb%s",
            path, strcmp(o->command->name, "verify") ? ", or give --to" : "");
    if (*format == PLUMB_FORMAT_BINARY && is_stdout && isatty(STDOUT_FILENO))
        return console_usage_fails(
            o, "the binary format cannot go to a terminal; name a file");
    return true;
}

enum plumb_status console_write_history(const struct plumb_history *h,
                                        enum plumb_format format, size_t index,
                                        const struct plumb_sink *sink,
                                        struct console_loss_count *losses,
                                        struct plumb_error *err)
{
    uint64_t lost[PLUMB_LOSSES] = { 0 };
    const enum plumb_status status =
        plumb_history_write(h, format, index, sink, lost, err);
    for (int i = 0; i < PLUMB_LOSSES; i++)
        losses->histories[i] += lost[i] > 0;
    return status;
}

void console_note_losses(const char *file,
                         const struct console_loss_count *losses)
{
    for (int i = 0; i < PLUMB_LOSSES; i++) {
        const uint64_t n = losses->histories[i];
        if (n > 0)
            console_note("%s: the format cannot store %s (%" PRIu64 " %s)",
                         file, plumb_loss_name((enum plumb_loss)i), n,
                         n == 1 ? "history" : "histories");
    }
}
