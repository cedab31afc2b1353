/* picture.h - a history as a picture: a row per thread, a bar per operation.
 *
 * Columns are events in their order.  A column is as far to the right of the
 * one before as the labels of the operations that end there need, so that every
 * label is in its bar and no space is lost where nothing happens. */
#ifndef PLUMB_APP_PUBLISH_HTML_PICTURE_H
#define PLUMB_APP_PUBLISH_HTML_PICTURE_H

#include "app/publish/finding.h"

enum { PICTURE_OPERATIONS = 1500 }; /* how many are drawn at most */

struct picture {
    const struct finding *f;
    size_t count;        /* of its operations, the first, that are drawn */
    uint32_t *row;       /* of each                     */
    uint32_t *from, *to; /* where each begins and ends */
    uint32_t *thread;    /* of each row                 */
    uint32_t rows, width, names; /* names: how wide they are */
    bool broken;
    /* Where they begin and end by time, if there are times. */
    bool timed;
    uint64_t first, last;
    uint32_t *early, *late;
};

/* Where everything is; in the arena. */
struct picture picture_lay_out(const struct finding *f,
                               struct plumb_base_arena *arena);

/* Of the core alone, perhaps none; false if memory is used up. */
bool picture_core(const struct finding *f, struct plumb_base_arena *arena,
                  struct finding *core);

/* An element svg with the names of the rows, and one with the bars, for page
 * number `number`. */
void picture_draw_names(const struct picture *t, struct plumb_base_text *out);
void picture_draw_bars(const struct picture *t, unsigned number,
                       struct plumb_base_text *out);

/* A whole file. */
void picture_draw(const struct picture *t, struct plumb_base_text *out);

#endif
