/* merged_tests.h - what an object did serially in several tests, as one
 * automaton.
 *
 * In a test it matters which thread calls; to the object it does not.  So an
 * edge of the merged automaton is a *call*: an operation with its arguments.
 * All tests begin at the same position, and after the same calls with the same
 * answers they are at the same one again, as far as each of them goes.  A call
 * that has no edge was made there in no test: nobody knows what it does.
 *
 * Where the answer depends on the thread, or on anything but the calls before,
 * two tests may contradict each other, or two threads of one test. */
#ifndef PLUMB_INFER_MERGED_TESTS_H
#define PLUMB_INFER_MERGED_TESTS_H

#include "base/index.h"
#include "base/vector.h"
#include "serial_store.h"

/* Calls, or answers: each once, numbered. */
struct plumb_infer_entries {
    PLUMB_VECTOR(struct plumb_record_entry) entry;
    struct plumb_base_index index;
};

struct plumb_infer_merged {
    struct plumb_budget *budget;
    struct plumb_infer_entries calls, answers;
    PLUMB_VECTOR(uint32_t) allowed; /* of each call, as in a store */
    PLUMB_VECTOR(struct plumb_infer_seen) seen;
    uint32_t moments;
    unsigned tests, longest; /* of operations */
};

void plumb_infer_merged_init(struct plumb_infer_merged *m,
                             struct plumb_budget *budget);
void plumb_infer_merged_release(struct plumb_infer_merged *m);

/* The serial histories of one more test, which are deterministic.  False when
 * memory is refused; then it is only good to be released. */
bool plumb_infer_merged_add(struct plumb_infer_merged *m,
                            const struct plumb_infer_store *store);

/* As plumb_infer_build(): the operations of the automaton are calls. */
enum plumb_status plumb_infer_merged_build(struct plumb_infer_merged *m,
                                           struct plumb_infer_automaton *a,
                                           struct plumb_infer_conflict *c,
                                           struct plumb_error *err);

#endif
