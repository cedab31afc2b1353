/* recording_track.h - what one thread recorded, as one stream. */
#ifndef PLUMB_HISTORY_RECORDING_RECORDING_TRACK_H
#define PLUMB_HISTORY_RECORDING_RECORDING_TRACK_H

#include "history/symbols.h"
#include "recording_format.h"
#include <plumb/value.h>
#include <stdbool.h>

/* The file as it is in memory now. */
struct plumb_history_recording_file {
    const char *data;
    size_t size;
    bool closed; /* nobody writes, and all is there                 */
    bool final;  /* nobody writes, all is there that there ever was */
};

/* One event, as it was written. */
struct plumb_history_track_event {
    unsigned kind; /* RECORDING_CALL or RECORDING_RETURN; of names, any */
    uint32_t name, object;
    uint32_t values;
    uint64_t time;
    struct plumb_value value[RECORDING_VALUES];
};

enum plumb_history_track_state {
    TRACK_DRY,     /* there is no more, for the time being            */
    TRACK_READY,   /* `next` is its next event                        */
    TRACK_MISSING, /* it goes on in a chunk that is not known yet     */
    TRACK_TORN     /* there was more, but it is lost                  */
};

#define NO_CHUNK UINT32_MAX

/* Where in its stream: `at` words of what has this sequence were read. */
struct plumb_history_track_place {
    uint64_t sequence;
    uint32_t at;
    bool entered;  /* `last` is known            */
    uint64_t last; /* stamp of the event before  */
};

struct plumb_history_track {
    uint32_t desk;   /* its number */
    uint32_t *chunk; /* numbers by sequence, or NO_CHUNK */
    size_t chunks, capacity;
    struct plumb_history_track_place place;
    uint32_t checked; /* number + 1 of the one whose checksum was compared */
    enum plumb_history_track_state state;
    struct plumb_history_track_event next;
    /* For who merges them: */
    bool open;      /* a call was given, its return was not found    */
    uint32_t lane;  /* ... the process that called                   */
    uint32_t idle;  /* first of its processes that are free, + 1     */
    uint32_t lanes; /* its processes                                 */
};

/* Chunk or desk number `number`; NULL if the file is not so long. */
const struct plumb_history_chunk *plumb_history_chunk(
    const struct plumb_history_recording_file *f, uint64_t number);

static inline uint64_t plumb_history_chunk_place(uint64_t number)
{
    return RECORDING_HEADER + number * RECORDING_CHUNK;
}

/* Look for the next event, unless there is one already.  False: what is no event
 * of a sound file is PLUMB_EINPUT, with its offset.  Texts become symbols.  In the
 * table of names, events are names: `kind` says of what, `name` is the symbol.
 */
bool plumb_history_track_look(struct plumb_history_track *t, bool names,
                              const struct plumb_history_recording_file *f,
                              struct plumb_symbols *symbols,
                              struct plumb_error *err);

#endif
