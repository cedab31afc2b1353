/* say.h - what the program tells its user besides results: lines on stderr. */
#ifndef PLUMB_CLI_SAY_H
#define PLUMB_CLI_SAY_H

#include <plumb/error.h>
#include <stdbool.h>

/* One line on stderr; the newline is added. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "note: ..." unless notes are off. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void notes_off(void);
bool notes_are_on(void);

/* "FILE:LINE:COLUMN: message", or as much of a place as the error has. */
void say_error(const char *file, const struct plumb_error *err);

/* Everything written to stdout has arrived.  Else the reason was said (not for
 * a closed pipe: whoever reads has seen enough). */
bool flush_results(void);

/* To be called last: false if stdout could not take everything. */
bool close_results(void);

/* Did a write fail because nobody reads the pipe any more? */
bool reader_is_gone(void);

/* The operating system's words for errno. */
const char *reason(void);

#endif
