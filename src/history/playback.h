/* playback.h - a history that is there as a whole, played as a stream.
 *
 * For formats that do not tell events in the order of time: all of it has to be
 * read before the first is known. */
#ifndef PLUMB_HISTORY_PLAYBACK_H
#define PLUMB_HISTORY_PLAYBACK_H

#include "builder.h"

struct plumb_history_play {
    const struct plumb_history *h;
    struct plumb_builder *builder; /* a stream's */
    struct plumb_budget *budget;
    uint32_t *event;  /* by rank: 2 * operation, plus 1 for its response */
    uint32_t next;    /* rank */
    uint32_t *symbol; /* by symbol: the builder's, plus 1; or 0 */
    uint32_t renamed; /* how often the builder was, when they were made */
};

/* False when memory is used up; to be closed in any case. */
bool plumb_history_play_open(struct plumb_history_play *p,
                             const struct plumb_history *h,
                             struct plumb_budget *budget);
void plumb_history_play_close(struct plumb_history_play *p);

/* Up to so many events more.  PLUMB_END: that was the last. */
enum plumb_status plumb_history_play_some(struct plumb_history_play *p,
                                          unsigned most,
                                          struct plumb_error *err);

#endif
