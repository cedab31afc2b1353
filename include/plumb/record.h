/* record.h - write down what a program's threads do to a concurrent object.
 *
 * Four calls, from C or C++, around operations that real threads invoke:
 *
 *     plumb_recorder *r = plumb_record_open("queue.rec");
 *
 *     int64_t x = 7;                                  in any thread:
 *     plumb_record_begin(r, "Q", "enq", &x, 1);       what is called
 *     my_queue_put(q, x);
 *     plumb_record_end(r, NULL, NULL, 0);             what it answered
 *
 *     plumb_record_close(r);
 *
 * The file is read by `plumb check`, also while it is being written, and also
 * if the program was killed.  docs/recording.md teaches it,
 * docs/history-formats.md defines the file.
 *
 * Threads share nothing while they record: each writes to a part of the file
 * of its own, that is mapped into memory.  A call that never ends, because the
 * thread has left it some other way or the program is gone, is pending: it may
 * or may not have taken effect. */
#ifndef PLUMB_RECORD_H
#define PLUMB_RECORD_H

#include <plumb/value.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plumb_recorder plumb_recorder;

enum { PLUMB_RECORD_VALUES = 8, PLUMB_RECORD_TEXT = 255 };

/* A new file; one of that name is replaced, but nothing that is no file (EEXIST).
 * NULL, and errno says why. */
plumb_recorder *plumb_record_open(const char *path);

/* The calling thread is about to invoke `operation` of `object`, with up to
 * PLUMB_RECORD_VALUES numbers.  The two names are told apart by their address
 * and read when they are first seen: let them be literals, or texts that stay
 * as they are until the recorder is closed.  Up to 511 operations and terms,
 * and 65536 objects; of a name, 255 bytes count. */
void plumb_record_begin(plumb_recorder *r, const char *object,
                        const char *operation, const int64_t *args, size_t n);

/* It has returned to the calling thread.  `term` is "ok" if it is NULL, or what
 * the specification calls another answer: "empty", "full". */
void plumb_record_end(plumb_recorder *r, const char *term,
                      const int64_t *results, size_t n);

/* 0, or the number of an error (errno.h) if a part of the history could not be
 * written: the disk is full (ENOSPC), there are too many names (EOVERFLOW), or
 * too many or too long values (E2BIG).  The file then ends where that happened,
 * and is right up to there.  No thread may be recording, or record any more;
 * those that did have ended, or go on without the recorder. */
int plumb_record_close(plumb_recorder *r);

/* What the object should be, as after `plumb check --spec`: "queue:cap=4".  For
 * readers that are not told otherwise; at most PLUMB_RECORD_TEXT bytes. */
void plumb_record_spec(plumb_recorder *r, const char *spec);

/* ---- the same for values that are not all numbers ---- */

void plumb_record_begin_values(plumb_recorder *r, const char *object,
                               const char *operation,
                               const struct plumb_value *args, size_t n);
void plumb_record_end_values(plumb_recorder *r, const char *term,
                             const struct plumb_value *results, size_t n);

/* A text as such a value, at most PLUMB_RECORD_TEXT bytes.  It is copied by the
 * call that it is given to. */
static inline struct plumb_value plumb_record_text(const char *text)
{
    const struct plumb_value v = { (uint64_t)(uintptr_t)text, PLUMB_STR, 0 };
    return v;
}

/* ---- what it found out about the machine ---- */

struct plumb_clock {
    const char *name; /* "tsc", "cntvct" or "monotonic"                   */
    uint64_t ticks_per_second;
    uint64_t uncertainty; /* ticks: how much clocks of processors may differ
                             beyond what takes light, and caches, to travel */
};
struct plumb_clock plumb_record_clock(const plumb_recorder *r);

#ifdef __cplusplus
}
#endif
#endif
