/* recording_track.h - what one thread recorded: its chunks as one stream. */
#ifndef PLUMB_HISTORY_RECORDING_TRACK_H
#define PLUMB_HISTORY_RECORDING_TRACK_H

#include "history/recording_format.h"
#include "history/symbols.h"
#include <plumb/value.h>
#include <stdbool.h>

/* The file as it is in memory now. */
struct recording_file {
    const char *data;
    size_t size;
    bool closed; /* nobody writes, and all is there             */
    bool final;  /* nobody writes, all is there that there ever was */
};

/* One event, as it was written. */
struct recorded {
    unsigned kind; /* RECORDING_CALL or RECORDING_RETURN */
    uint32_t name, object;
    uint32_t values;
    uint64_t time;
    struct plumb_value value[RECORDING_VALUES];
};

enum track_state {
    TRACK_DRY,   /* there is no more, for the time being */
    TRACK_READY, /* `next` is its next event             */
    TRACK_TORN   /* there was more, but it is lost       */
};

struct recording_track {
    uint32_t *chunk; /* their numbers */
    size_t chunks, capacity;
    size_t current; /* the chunk that is being read, of those */
    bool entered;
    uint32_t at;   /* words of it that were read */
    uint32_t used; /* words that it has in all, 0 if that is not known yet */
    uint64_t last; /* stamp */
    enum track_state state;
    struct recorded next;
    /* For who merges them: */
    bool open;      /* a call was given, its return was not found    */
    uint32_t lane;  /* ... the process that called                   */
    uint32_t idle;  /* first of its processes that are free, + 1     */
    uint32_t lanes; /* its processes                                 */
};

const struct recording_chunk *plumb_recording_chunk(
    const struct recording_file *f, uint64_t number);

/* Look for the next event, unless there is one already.  What is no event of a
 * sound file is PLUMB_EINPUT, with its offset.  Texts become symbols. */
enum plumb_status plumb_track_look(struct recording_track *t,
                                   const struct recording_file *f,
                                   struct plumb_symbols *symbols,
                                   struct plumb_error *err);

/* The same of the table of names: the next text, or TRACK_DRY.  `kind` says
 * what it names, `name` is its symbol. */
enum plumb_status plumb_track_look_for_name(struct recording_track *t,
                                            const struct recording_file *f,
                                            struct plumb_symbols *symbols,
                                            struct plumb_error *err);

#endif
