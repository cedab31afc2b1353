/* small_tests.h - every small test of an object, one after the other.
 *
 * A test of `threads` times `ops` operations is a choice for each of them: an
 * operation, and for each argument that is not fresh one of its first `width`
 * values.  Of tests that differ in the order of their threads alone there is
 * one.  If `init` says so, each begins with one operation that may fill the
 * object.
 *
 *     struct explore_small_tests *s = explore_small_tests_open(...);
 *     while (explore_small_tests_next(s))
 *         ... explore_small_tests_init(s), explore_small_tests_choice(s, thread, position)
 *
 * The order is always the same. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_SMALL_TESTS_H
#define PLUMB_APP_EXPLORE_DRIVER_SMALL_TESTS_H

#include <plumb/object.h>
#include <stdbool.h>

struct explore_small_size {
    unsigned threads, ops, width;
    bool init;
};

struct explore_small_tests;

/* NULL when memory is used up. */
struct explore_small_tests *explore_small_tests_open(
    const struct plumb_object *object, const struct explore_small_size *size);

/* How many there are, or `most` + 1 if there are more than that. */
unsigned explore_small_tests_count(const struct explore_small_tests *s,
                                   unsigned most);

/* The first one, then the next; false: that was the last. */
bool explore_small_tests_next(struct explore_small_tests *s);

/* Operations with one value for each argument: what comes before, or NULL, and
 * what a thread does. */
const struct plumb_operation *explore_small_tests_init(
    const struct explore_small_tests *s);
const struct plumb_operation *explore_small_tests_choice(
    const struct explore_small_tests *s, unsigned thread, unsigned position);

void explore_small_tests_close(struct explore_small_tests *s);

#endif
