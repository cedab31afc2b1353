/* jsonl.h - the writer of JSON lines, for the format's class. */
#ifndef PLUMB_HISTORY_FORMATS_JSONL_H
#define PLUMB_HISTORY_FORMATS_JSONL_H

#include "emit.h"

enum plumb_status plumb_history_jsonl_write(const struct plumb_history *h,
                                            size_t index,
                                            const struct plumb_sink *sink,
                                            uint64_t losses[PLUMB_LOSSES],
                                            struct plumb_error *err);

#endif
