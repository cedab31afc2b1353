/* recorder.h - a recording that is being written: the file, and who writes.
 *
 * Every thread that records has a *lane*: the desk that it writes on
 * (recording_format.h), and what it needs for that.  Nobody else touches a lane
 * while its thread lives.  Then the next thread that comes along gets it and
 * goes on: for the history the two are one process. */
#ifndef PLUMB_RECORD_RECORDER_H
#define PLUMB_RECORD_RECORDER_H

#include "history/recording/recording_format.h"
#include "history/symbols.h"
#include "stamp.h"
#include <plumb/record.h>
#include <pthread.h>
#include <stdbool.h>

enum { KNOWN_NAMES = 64, KNOWN_OBJECTS = 256 };

/* The number of a text whose address was seen before. */
struct plumb_record_known {
    const char *text;
    uint32_t number;
};

struct plumb_record_lane {
    plumb_recorder *r;
    /* Free words of its desk; NULL when nothing can be recorded any more. */
    _Atomic uint64_t *at, *end;
    uint64_t last; /* stamp            */
    bool open;     /* a call has begun */
    uint32_t thread;
    uint64_t sequence; /* how often the desk was cleared */
    uint64_t used;     /* words of it, if `at` is NULL   */
    struct plumb_history_chunk *desk;
    struct plumb_record_lane *next; /* of all                              */
    struct plumb_record_lane
        *next_free; /* of those whose thread has ended     */
    struct plumb_record_known name[KNOWN_NAMES], object[KNOWN_OBJECTS];
};

struct plumb_recorder {
    struct plumb_history_recording_header *header; /* mapped */
    struct plumb_recorder_clock clock;
    pthread_key_t key; /* of a thread's lane */
    uint64_t mark_every;
    /* Read with every return, written some times a millisecond. */
    _Alignas(64) _Atomic uint64_t next_mark;
    _Atomic int error; /* the first one, or 0 */

    /* All that follows is for who holds the lock. */
    _Alignas(64) pthread_mutex_t lock;
    int fd;
    uint32_t threads;
    struct plumb_record_lane *all, *free;
    struct plumb_record_lane table; /* of the names: thread 0 */
    struct plumb_symbols names, objects;
};

/* The calling thread's lane; NULL if it cannot have one. */
struct plumb_record_lane *plumb_record_lane_make(plumb_recorder *r);

/* Put away what is on the desk.  False: that cannot be, and the recording has
 * ended. */
bool plumb_record_lane_advance(struct plumb_record_lane *l);

/* The number of a name, or of an object, that is not known yet; it is kept at
 * `k`.  0 if there is no number for it, and the recording has ended. */
uint32_t plumb_record_lane_learn(struct plumb_record_lane *l,
                                 struct plumb_record_known *k,
                                 enum plumb_history_recording_kind kind,
                                 const char *text);

static inline size_t plumb_record_known_place(const char *text)
{
    const uintptr_t address = (uintptr_t)text;
    return address ^ address >> 6;
}

static inline uint32_t plumb_record_lane_name(struct plumb_record_lane *l,
                                              const char *name)
{
    struct plumb_record_known *const k =
        &l->name[plumb_record_known_place(name) % KNOWN_NAMES];
    if (k->text == name && k->number)
        return k->number;
    return plumb_record_lane_learn(l, k, RECORDING_CALL, name);
}

static inline uint32_t plumb_record_lane_object(struct plumb_record_lane *l,
                                                const char *object)
{
    struct plumb_record_known *const k =
        &l->object[plumb_record_known_place(object) % KNOWN_OBJECTS];
    if (k->text == object && k->number)
        return k->number;
    return plumb_record_lane_learn(l, k, RECORDING_RETURN, object);
}

/* From now on something is missing. */
void plumb_record_stop(plumb_recorder *r, int error);

#endif
