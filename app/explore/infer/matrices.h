/* matrices.h - tests as matrices of invocations (Line-Up, sections 3.1 to 4.3).
 *
 * A column is a thread.  The invocations of an object are listed operation by
 * operation with their first values, then with their second ones, and so on; an
 * argument that is fresh has one value, another one each time it is invoked.
 * Behind them come the sequences that the user wants as building blocks: each
 * counts as one invocation.
 *
 * Of tests that differ in the order of their threads alone there is one, unless
 * the object tells its first thread from others. */
#ifndef PLUMB_APP_EXPLORE_INFER_MATRICES_H
#define PLUMB_APP_EXPLORE_INFER_MATRICES_H

#include "base/text.h"
#include <plumb/error.h>
#include <plumb/object.h>

struct explore_matrices;

/* sequences: "enq(1) deq(); deq() deq()", or NULL.  NULL after filling in the
 * error. */
struct explore_matrices *explore_matrices_open(
    const struct plumb_object *object, const char *sequences,
    struct plumb_error *err);
void explore_matrices_close(struct explore_matrices *m);

/* RandomCheck: up to `count` different tests of threads x ops, all equally
 * likely, the same for the same seed; *drawn of them, in `test`, which the
 * caller frees.  False when memory is used up. */
bool explore_matrices_draw(const struct explore_matrices *m, unsigned threads,
                           unsigned ops, unsigned count, uint64_t seed,
                           char **test, unsigned *drawn);

/* AutoCheck: all n x n tests over the first n invocations, for n = 1, 2, ...
 * The next one, into `out`; false: there are none, or memory is used up. */
bool explore_matrices_next(struct explore_matrices *m,
                           struct plumb_base_text *out);

#endif
