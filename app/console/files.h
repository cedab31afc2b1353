/* files.h - formats on the command line, and what they could not keep. */
#ifndef PLUMB_CLI_FILES_H
#define PLUMB_CLI_FILES_H

#include "options.h"
#include <plumb/format.h>
#include <stdbool.h>

/* All formats, in the order of `plumb list formats`; ends with NULL. */
struct plumb_format_class;
extern const struct plumb_format_class *const file_formats[];

/* The value of --format or --from; false after saying what there is. */
bool option_format(const struct options *o, int code, const char *value,
                   enum plumb_format *format);
/* Of --to. */
bool option_written_format(const struct options *o, int code, const char *value,
                           enum plumb_format *format);

/* If no format was given: the one that the name asks for. */
bool output_format(const struct options *o, const char *path,
                   enum plumb_format *format);

/* In how many histories something was lost, by kind. */
struct loss_count {
    uint64_t histories[PLUMB_LOSSES];
};

enum plumb_status write_history(const struct plumb_history *h,
                                enum plumb_format format, size_t index,
                                const struct plumb_sink *sink,
                                struct loss_count *losses,
                                struct plumb_error *err);
void note_losses(const char *file, const struct loss_count *losses);

#endif
