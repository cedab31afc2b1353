/* stream.h - a history that arrives in pieces, and may never end.
 *
 * Pieces of text may be cut anywhere.  Their events stand in the log of the
 * stream's builder (history/builder.h) until it is settled, and are those of the
 * whole text, however it is cut. */
#ifndef PLUMB_HISTORY_STREAM_H
#define PLUMB_HISTORY_STREAM_H

#include "builder.h"
#include "history/recording/recording_copy.h"
#include "playback.h"
#include <plumb/format.h>

struct plumb_history_stream {
    struct plumb_reader *reader; /* NULL until the format is known */
    enum plumb_format format;
    struct plumb_signature signature; /* plumb_reader_signature() */
    struct plumb_budget *budget;
    char *held; /* text that came and was not read yet */
    size_t size, capacity;
    size_t looked; /* so much of it has no end of a line */
    struct plumb_history_recording_copy recording; /* if it is one */
    struct plumb_history_play play; /* ... if it is there as a whole */
    bool any;                       /* a history has begun */
    bool ended;                     /* and ended: what follows is another */
};

/* `format` may be AUTO: the first lines tell. */
void plumb_history_stream_init(struct plumb_history_stream *s,
                               enum plumb_format format,
                               struct plumb_budget *budget);
void plumb_history_stream_release(struct plumb_history_stream *s);

/* Read a piece.  What may be incomplete is held until there is more.
 * PLUMB_EINPUT also for formats whose events do not come in the order of
 * time, and where another history begins; then no more may be fed. */
enum plumb_status plumb_history_stream_feed(struct plumb_history_stream *s,
                                            const char *data, size_t size,
                                            struct plumb_error *err);

/* There is no more: read what is held.  PLUMB_END: there was no history. */
enum plumb_status plumb_history_stream_end(struct plumb_history_stream *s,
                                           struct plumb_error *err);

/* Instead of pieces: a recording, from its file, which may be being written. */
enum plumb_status plumb_history_stream_record(struct plumb_history_stream *s,
                                              int fd, struct plumb_error *err);

/* Up to so many of its events. */
enum plumb_history_recorded plumb_history_stream_take(
    struct plumb_history_stream *s, unsigned most, struct plumb_error *err);

/* Instead of pieces: a history, which outlives the stream; and up to so many of
 * its events.  PLUMB_END: that was the last. */
enum plumb_status plumb_history_stream_play(struct plumb_history_stream *s,
                                            const struct plumb_history *h,
                                            struct plumb_error *err);

/* Do the events of a format come in the order of time?  If not, it is played. */
bool plumb_history_stream_comes_in_order(enum plumb_format format);

/* Of what was read; NULL before the format is known. */
struct plumb_builder *plumb_history_stream_builder(
    const struct plumb_history_stream *s);

#endif
