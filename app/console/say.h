/* say.h - what the program tells its user besides results: lines on stderr. */
#ifndef PLUMB_APP_CONSOLE_SAY_H
#define PLUMB_APP_CONSOLE_SAY_H

#include <plumb/error.h>
#include <stdbool.h>

/* One line on stderr; the newline is added. */
void console_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same of what went wrong: then false, or STATUS_ERROR. */
#define console_fails(...) (console_say(__VA_ARGS__), false)
#define console_error(...) (console_say(__VA_ARGS__), STATUS_ERROR)

/* "note: ..." unless notes are off. */
void console_note(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void console_notes_off(void);
bool console_notes_are_on(void);

/* "FILE:LINE:COLUMN: message", or as much of a place as the error has. */
void console_say_error(const char *file, const struct plumb_error *err);

/* Everything written to stdout has arrived.  Else the reason was said (not for
 * a closed pipe: whoever reads has seen enough). */
bool console_flush_results(void);

/* To be called last: false if stdout could not take everything. */
bool console_close_results(void);

/* Did a write fail because nobody reads the pipe any more? */
bool console_reader_is_gone(void);

/* The operating system's words for errno. */
const char *console_reason(void);

#endif
