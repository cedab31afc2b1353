/* pieces.h - what a text says, read as a whole and in pieces. */
#ifndef TESTS_STREAMS_PIECES_H
#define TESTS_STREAMS_PIECES_H

#include "base/text.h"
#include <plumb/format.h>

/* Where a text is cut: behind these bytes. */
struct cuts {
    size_t count;
    size_t *at;
};

struct reading {
    enum plumb_status status; /* PLUMB_END: there is no history */
    struct plumb_error err;
    enum plumb_format format;
    bool several;                  /* there are others behind the first */
    struct plumb_base_text events; /* a line for each */
};

void read_whole(struct reading *r, enum plumb_format format, const char *data,
                size_t size);

/* `forget`: everything that can be, between the pieces. */
void read_pieces(struct reading *r, enum plumb_format format, const char *data,
                 size_t size, const struct cuts *cuts, bool forget);
void release_reading(struct reading *r);

/* NULL, or what is different. */
const char *difference(const struct reading *whole,
                       const struct reading *pieces);

#endif
