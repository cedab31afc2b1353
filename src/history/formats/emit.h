/* emit.h - what the writers share: a buffered sink, and events by rank. */
#ifndef PLUMB_HISTORY_FORMATS_EMIT_H
#define PLUMB_HISTORY_FORMATS_EMIT_H

#include <plumb/format.h>
#include <string.h>

enum { PLUMB_EMIT_ROOM = 1 << 16 };

/* Bytes on their way to a sink, in blocks of 64 KiB.  A refusal is remembered,
 * and what follows it is dropped: a writer asks once, in plumb_history_emit_end(). */
struct plumb_history_emit {
    const struct plumb_sink *sink;
    size_t used;
    bool refused;
    int error; /* errno of the refusal, if it left one */
    char block[PLUMB_EMIT_ROOM];
};

void plumb_history_emit_begin(struct plumb_history_emit *e,
                              const struct plumb_sink *sink);
void plumb_history_emit_bytes(struct plumb_history_emit *e, const void *data,
                              size_t size);
void plumb_history_emit_flush(struct plumb_history_emit *e);
void plumb_history_emit_int(struct plumb_history_emit *e, int64_t value);

/* PLUMB_OK, or PLUMB_EIO if the sink refused something. */
enum plumb_status plumb_history_emit_end(struct plumb_history_emit *e,
                                         struct plumb_error *err);

static inline void plumb_history_emit_char(struct plumb_history_emit *e, char c)
{
    if (e->used == PLUMB_EMIT_ROOM)
        plumb_history_emit_flush(e);
    e->block[e->used++] = c;
}

static inline void plumb_history_emit_text(struct plumb_history_emit *e,
                                           const char *text)
{
    plumb_history_emit_bytes(e, text, strlen(text));
}

/* event[r] is 2 * i for the call of operation i, 2 * i + 1 for its response,
 * where r is the event's rank.  The history must be valid.  NULL when memory
 * is used up; release with the other function. */
uint32_t *plumb_history_events_new(const struct plumb_history *h);
void plumb_history_events_free(const struct plumb_history *h, uint32_t *event);

#endif
