/* recording_state.h - a recording that is being read.
 *
 * recording_open.c opens and closes it, recording_blocks.c learns what is in
 * the file, recording.c gives its events. */
#ifndef PLUMB_HISTORY_RECORDING_RECORDING_STATE_H
#define PLUMB_HISTORY_RECORDING_RECORDING_STATE_H

#include "base/fail.h"
#include "recording.h"
#include "recording_track.h"

#define FOR_EVER UINT64_MAX

/* A process: one of those that a thread is. */
struct plumb_history_lane {
    uint32_t thread;
    uint32_t number; /* among those of the thread, from 1 */
    uint32_t next;   /* of those that are free, + 1       */
};

/* A chunk that was taken, and had not been written when we looked. */
struct plumb_history_absent {
    uint32_t number;
    uint64_t before; /* when those of lower numbers were taken */
};

/* A return that was found and not given yet. */
struct plumb_history_waiting {
    uint64_t round;
    uint32_t lane, thread;
    struct plumb_history_track_event event;
};

struct plumb_history_recording {
    struct plumb_budget *budget;
    struct plumb_error *err; /* of whoever asks just now */
    struct plumb_history_recording_file file;
    int fd;        /* to follow, or -1         */
    size_t mapped; /* bytes that we mapped     */
    uint64_t checksum, ticks_per_second, uncertainty;
    uint64_t limit;  /* nothing later is to be given */
    uint64_t round;  /* how often we have looked for events of all threads */
    uint64_t known;  /* chunks and desks that were looked at */
    uint64_t newest; /* when the last of them was taken      */
    struct plumb_history_absent *absent; /* ... those that were not there yet */
    size_t absents, absent_capacity;
    bool lost; /* a part of the file is no good: learn of no more */
    struct plumb_history_track names;
    struct plumb_history_track *track; /* track[i] is thread i + 1 */
    size_t tracks, track_capacity;
    struct plumb_history_lane *lane;
    size_t lanes, lane_capacity;
    struct plumb_history_waiting
        *queue; /* a ring: queue[(first + i) % capacity] */
    size_t first, waiting, queue_capacity;
    struct plumb_history_track_event
        given; /* whose values the last event points to */
    struct plumb_symbols symbols;
    uint32_t name[RECORDING_NAMES]; /* symbols, from 1 on */
    uint32_t names_known;
    uint32_t spec; /* symbol, or 0 */
    uint32_t *object;
    size_t objects_known, object_capacity;
    char note[200];
};

/* The words that a recorder changes are read where they are. */
static inline const struct plumb_history_recording_header *plumb_history_header(
    const struct plumb_history_recording *r)
{
    const void *const data = r->file.data;
    return data;
}

static inline uint64_t plumb_history_load(const _Atomic uint64_t *word)
{
    /* acquire: what was written before it is seen with it */
    return atomic_load_explicit(word, memory_order_acquire);
}

static inline uint64_t plumb_history_minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* What follows, but for those that say otherwise, returns false after an error,
 * which is then in r->err. */

/* PLUMB_EINPUT, at a byte of the file. */
static inline bool plumb_history_fail_at_byte(struct plumb_history_recording *r,
                                              uint64_t offset,
                                              const char *message)
{
    plumb_base_fail(r->err, PLUMB_EINPUT, 0, offset, "%s", message);
    return false;
}

static inline bool plumb_history_recording_no_room(
    struct plumb_history_recording *r)
{
    plumb_base_fail_memory(r->err);
    return false;
}

/* ---- recording_open.c ---- */

/* Was it closed?  A file that was says how it should look. */
bool plumb_history_recording_heed_close(struct plumb_history_recording *r);

/* Has anybody a lock on it? */
bool plumb_history_recording_is_locked(int fd);

/* ---- recording_blocks.c ---- */

/* Nothing after `time` is to be given, for this reason. */
void plumb_history_recording_limit(struct plumb_history_recording *r,
                                   uint64_t time, const char *note);

/* A part of the file is no good, after `time`: r->err says why.  If it was
 * closed that is an error.  Else the program, or the machine, was stopped in the middle. */
bool plumb_history_recording_lose(struct plumb_history_recording *r,
                                  uint64_t time);

/* Make the whole file, as it is now, visible.  False if it is no larger. */
bool plumb_history_recording_map(struct plumb_history_recording *r, int fd);
void plumb_history_recording_unmap(struct plumb_history_recording *r);

/* Learn which chunks and desks have been added, and which names. */
bool plumb_history_recording_learn(struct plumb_history_recording *r);
bool plumb_history_recording_learn_names(struct plumb_history_recording *r);

/* The next name is that of number 0, or of object 0. */
void plumb_history_recording_add_name(struct plumb_history_recording *r,
                                      uint32_t symbol);
bool plumb_history_recording_add_object(struct plumb_history_recording *r,
                                        uint32_t symbol);

/* Look for the next event of a thread, or the next of the names; if it is in a
 * chunk that we do not know, learn which there are. */
bool plumb_history_recording_look(struct plumb_history_recording *r,
                                  struct plumb_history_track *t, bool names);

/* ---- recording.c ---- */

/* Once more look for events of all threads. */
bool plumb_history_recording_begin_round(struct plumb_history_recording *r);

#endif
