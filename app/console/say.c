/* say.c - lines on stderr, and noticing when stdout fails.
 *
 * SIGPIPE is ignored, so that a command can remove half-written files first;
 * main() then ends the process by the signal after all, which is how shells
 * expect the left side of a pipe to end. */
#include "say.h"

#include "progress.h"
#include "report/label.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool quiet;     /* notes are off */
static bool pipe_gone; /* a write gave EPIPE */
static bool told;      /* that stdout fails was said */

/* Names that come from elsewhere must not steer the terminal.  Without memory
 * for that, the format alone, which is ours, has to do. */
static void line(const char *prefix, const char *format, va_list args)
{
    struct plumb_base_text shown = { 0 };
    char *raw = NULL;
    if (vasprintf(&raw, format, args) >= 0) {
        plumb_report_label_line(raw, &shown);
        free(raw);
    }
    console_progress_hide();
    fprintf(stderr, "%s%s\n", prefix,
            shown.size ? plumb_base_text_string(&shown) : format);
    console_progress_show();
    plumb_base_text_release(&shown);
}

void console_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    line("", format, args);
    va_end(args);
}

void console_note(const char *format, ...)
{
    va_list args;
    if (quiet)
        return;
    va_start(args, format);
    line("note: ", format, args);
    va_end(args);
}

void console_notes_off(void)
{
    quiet = true;
}

bool console_notes_are_on(void)
{
    return !quiet;
}

void console_say_error(const char *file, const struct plumb_error *err)
{
    if (err->line && err->column)
        console_say("%s:%" PRIu64 ":%" PRIu64 ": %s", file, err->line,
                    err->column, err->message);
    else if (err->line)
        console_say("%s:%" PRIu64 ": %s", file, err->line, err->message);
    else if (err->column)
        console_say("%s: at byte %" PRIu64 ": %s", file, err->column,
                    err->message);
    else
        console_say("%s: %s", file, err->message);
}

const char *console_reason(void)
{
    return strerror(errno);
}

static bool stdout_failed(void)
{
    if (errno == EPIPE)
        pipe_gone = true;
    else if (!told)
        console_say("plumb: cannot write to standard output: %s",
                    console_reason());
    told = true;
    return false;
}

bool console_flush_results(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return stdout_failed();
}

bool console_close_results(void)
{
    if (told)
        return false;
    if (ferror(stdout) || fclose(stdout) != 0)
        return stdout_failed();
    return true;
}

bool console_reader_is_gone(void)
{
    return pipe_gone;
}
