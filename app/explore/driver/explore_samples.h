/* explore_samples.h - tests of what an object offers: all small ones, then some
 * drawn by chance.
 *
 * First, every test of two threads with one operation each, then of three, then
 * of two with two; new objects first, then such that one operation was done on.
 * Arguments are of one or two values.  A size of which there are too many is
 * left out.
 *
 * Then those that are drawn: some of each smaller size, so that what a small
 * test can show is not shown by a large one, then those of the full size.  Every
 * other one begins with an object that is not new: operations that take
 * arguments, and so are likely to fill it, are done before.  They cost no
 * schedules.  Arguments are of a few values more often than of many, so that
 * threads meet.  If that is wanted, every third test has unequal threads.
 *
 * The same object, numbers and seed give the same tests in the same order.  No
 * two are the same but for the order of their threads and the names of fresh
 * values. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_EXPLORE_SAMPLES_H
#define PLUMB_APP_EXPLORE_DRIVER_EXPLORE_SAMPLES_H

#include "base/arena.h"
#include <plumb/object.h>
#include <stdbool.h>
#include <stdint.h>

struct explore_samples {
    const char **test; /* texts, as after --test */
    const char **init; /* ... and after --init   */
    unsigned count;
    unsigned small; /* so many of them were not drawn */
    struct plumb_base_arena arena;
};

struct explore_samples_wanted {
    unsigned threads, ops; /* at most 64 operations in all */
    unsigned small;        /* at most so many are not drawn   */
    unsigned count;        /* fewer, if there are not so many */
    unsigned more;         /* behind these, of the full size  */
    unsigned init;         /* at most so many before; 0: none */
    bool unequal;          /* one thread may have an operation more */
    uint64_t seed;
};

/* False when memory is used up; then there is nothing to release. */
bool explore_samples_draw(struct explore_samples *s,
                          const struct plumb_object *object,
                          const struct explore_samples_wanted *wanted);
void explore_samples_release(struct explore_samples *s);

#endif
