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

/* NULL when memory is used up. */
struct explore_matrices *explore_matrices_open(
    const struct plumb_object *object);
void explore_matrices_close(struct explore_matrices *m);

/* Sequences as building blocks, "enq(1) deq(); deq() deq()"; one operation each.
 */
enum plumb_status explore_matrices_add(struct explore_matrices *m,
                                       const char *sequences,
                                       struct plumb_error *err);

/* RandomCheck: up to `count` different tests of threads x ops, no two of which
 * differ only in the order of their threads, drawn from all matrices, which are
 * equally likely; the same for the same seed; *drawn of them, in `test`, which the
 * caller frees.  False when memory is used up. */
bool explore_matrices_draw(const struct explore_matrices *m, unsigned threads,
                           unsigned ops, unsigned count, uint64_t seed,
                           char **test, unsigned *drawn);

/* AutoCheck: all n x n tests over the first n invocations, for n = 1, 2, ...,
 * but of no more threads than the object is for.
 * The next one, into `out`; false: there are none, or memory is used up. */
bool explore_matrices_next(struct explore_matrices *m,
                           struct plumb_base_text *out);

#endif
