/* input.h - a file's bytes: mapped, or read whole where that cannot be. */
#ifndef PLUMB_APP_CONSOLE_INPUT_H
#define PLUMB_APP_CONSOLE_INPUT_H

#include <plumb/format.h>
#include <stdbool.h>

struct console_input {
    const char *name; /* for messages */
    const char *data;
    size_t size;
    /* how it is released */
    struct plumb_budget *budget;
    size_t capacity; /* of what was read; 0 if mapped */
    size_t mapped;
    bool whole; /* a recording that nobody writes to any more */
};

/* How messages call it: "(stdin)" for "-". */
const char *console_input_name(const char *path);

/* `err` is filled in for PLUMB_EIO; else it is the budget that says no. */
enum plumb_status console_input_open(struct console_input *in, const char *path,
                                     struct plumb_budget *budget,
                                     struct plumb_error *err);

/* A reader of its histories, charged to the same budget. */
enum plumb_status console_input_reader(const struct console_input *in,
                                       enum plumb_format format,
                                       enum plumb_tie_rule ties,
                                       struct plumb_reader **reader,
                                       struct plumb_error *err);

/* The next history, as plumb_reader_next() gives it, but never one that is
 * malformed: a binary file is mapped, and may hold anything. */
enum plumb_status console_input_next(struct plumb_reader *reader,
                                     struct plumb_history *h,
                                     struct plumb_error *err);

/* What to say if there is none: PLUMB_EINPUT. */
enum plumb_status console_fail_no_history(struct plumb_error *err);

/* What it holds was packed: this is what was in it, in a block of so many bytes
 * that is charged to its budget.  Nobody writes to that any more. */
void console_input_replace(struct console_input *in, char *data, size_t size,
                           size_t capacity);

void console_input_close(struct console_input *in);

#endif
