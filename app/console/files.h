/* files.h - formats on the command line, and what they could not keep. */
#ifndef PLUMB_APP_CONSOLE_FILES_H
#define PLUMB_APP_CONSOLE_FILES_H

#include "options.h"
#include <plumb/format.h>
#include <stdbool.h>

/* All formats, in the order of `plumb list formats`; ends with NULL. */
struct plumb_history_format_class;
extern const struct plumb_history_format_class *const console_file_formats[];

/* The names of all, and of those that can be written, for options. */
extern const char *const console_formats[], *const console_written_formats[];

/* If no format was given: the one that the name asks for. */
bool console_output_format(const struct console_options *o, const char *path,
                           enum plumb_format *format);

/* In how many histories something was lost, by kind. */
struct console_loss_count {
    uint64_t histories[PLUMB_LOSSES];
};

enum plumb_status console_write_history(const struct plumb_history *h,
                                        enum plumb_format format, size_t index,
                                        const struct plumb_sink *sink,
                                        struct console_loss_count *losses,
                                        struct plumb_error *err);
void console_note_losses(const char *file,
                         const struct console_loss_count *losses);

#endif
