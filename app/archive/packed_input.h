/* packed_input.h - a file's bytes, unpacked if the file is an archive. */
#ifndef PLUMB_APP_ARCHIVE_PACKED_INPUT_H
#define PLUMB_APP_ARCHIVE_PACKED_INPUT_H

#include "app/console/input.h"

/* As console_input_open(); PLUMB_EINPUT if it is a damaged archive. */
enum plumb_status archive_open_input(struct console_input *in, const char *path,
                                     struct plumb_budget *budget,
                                     struct plumb_error *err);

#endif
