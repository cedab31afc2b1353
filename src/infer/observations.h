/* observations.h - serial histories in a file: Line-Up, section 4.2, Figure 7.
 *
 *     <observationset>
 *     <observation>                      histories with the same operations and
 *     <thread id="A">1 2</thread>        answers of each thread
 *     <thread id="B">3B</thread>         3 waits for ever
 *     <op id="1" name="add">value="200"</op>
 *     <op id="2" name="take">result="200"</op>
 *     <op id="3" name="take" />
 *     <history>1[ ]1 2[ ]2 3[ #</history>
 *     </observation>
 *     </observationset>
 *
 * Values are written as in histories, 7, true, "a b"; several with commas.
 * What was run is in comments before that. */
#ifndef PLUMB_INFER_OBSERVATIONS_H
#define PLUMB_INFER_OBSERVATIONS_H

#include "base/text.h"
#include "inferred_spec.h"
#include "serial_store.h"

/* What the histories are of: texts as after --test, --init and --final, the
 * build that ran them, and the options that they depend on. */
struct plumb_infer_origin {
    const char *object, *build, *options, *init, *test, *final;
};

/* At most so many histories are written. */
enum { PLUMB_INFER_MOST_WRITTEN = 1000000 };

/* All histories of the automaton, in groups; only those that agree with `only`,
 * if that is given: an answer number for each operation, or one of these. */
#define PLUMB_INFER_ANY_ANSWER UINT32_MAX       /* it does not matter      */
#define PLUMB_INFER_NOT_DONE   (UINT32_MAX - 1) /* it is not in the history */
#define PLUMB_INFER_WAITS      (UINT32_MAX - 2) /* it is, and is stuck     */
enum plumb_status plumb_infer_write(const struct plumb_infer_store *store,
                                    const char *const *name,
                                    const struct plumb_infer_origin *origin,
                                    const uint32_t *only,
                                    struct plumb_budget *budget,
                                    struct plumb_base_text *out,
                                    struct plumb_error *err);

/* A history of the test in the same notation: threads, operations, events.  An
 * entry for each operation; one that has not returned is marked as waiting if
 * it is `stuck`.  An asynchronous one has no return. */
void plumb_infer_write_found(const struct plumb_infer_store *store,
                             const char *const *name,
                             const struct plumb_record_entry *entry, bool stuck,
                             struct plumb_base_text *out);

/* Read such a text into a store that has the operations of the test already.
 * Errors have a line.  PLUMB_EINPUT, too, if it is of another build or test. */
enum plumb_status plumb_infer_read(const char *text, size_t size,
                                   const struct plumb_infer_origin *origin,
                                   const char *const *name,
                                   struct plumb_budget *budget,
                                   struct plumb_infer_store *store,
                                   struct plumb_error *err);

#endif
