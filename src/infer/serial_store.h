/* serial_store.h - the serial histories of a test in one block of memory.
 *
 * It holds no pointers: who runs a test and who judges it are two processes
 * that share this.  Whoever reads it checks it first. */
#ifndef PLUMB_INFER_SERIAL_STORE_H
#define PLUMB_INFER_SERIAL_STORE_H

#include "automaton.h"
#include "base/index.h"
#include "inferred_spec.h"

enum {
    PLUMB_INFER_POSITIONS = 1 << 19,
    PLUMB_INFER_EDGES = 1 << 21,
    PLUMB_INFER_ANSWERS = 1 << 12
};

enum plumb_infer_end {
    PLUMB_INFER_NOT_RUN,          /* there was no phase 1 */
    PLUMB_INFER_DETERMINISTIC,    /* the automaton is a specification         */
    PLUMB_INFER_NONDETERMINISTIC, /* `conflict` says why it is none           */
    PLUMB_INFER_BROKEN,           /* a serial execution ends in a fault       */
    PLUMB_INFER_CUT,              /* ... or is longer than allowed            */
    PLUMB_INFER_TOO_MANY          /* there is no room for so many             */
};

struct plumb_infer_store {
    enum plumb_infer_end end;
    uint32_t moments;     /* that were left                          */
    uint64_t runs;        /* of operations, from those               */
    uint64_t full, stuck; /* histories                               */
    uint64_t nanoseconds; /* that it took, the automaton included    */
    struct plumb_infer_conflict conflict;
    uint32_t operations, positions, edges, answers;
    /* Of each operation, an answer that it may give anywhere; or UINT32_MAX. */
    uint32_t allowed[PLUMB_INFER_OPERATIONS];
    uint32_t init, final; /* so many of the operations come before and after */
    /* Bit k: operation k is asynchronous (--async), a process of its own whose
     * answer nobody looks at. */
    uint64_t async;
    uint8_t process[PLUMB_INFER_OPERATIONS];
    struct plumb_record_entry call[PLUMB_INFER_OPERATIONS];
    struct plumb_record_entry answer[PLUMB_INFER_ANSWERS];
    uint32_t first[PLUMB_INFER_POSITIONS + 1];
    struct plumb_infer_edge edge[PLUMB_INFER_EDGES];
};

/* Is it in a list with commas? */
bool plumb_infer_is_listed(const char *list, const char *name);

/* ---- filling one in ---- */

/* Finds answers by what they are. */
struct plumb_infer_answers {
    struct plumb_infer_store *store;
    struct plumb_base_index index;
};
void plumb_infer_answers_open(struct plumb_infer_answers *a,
                              struct plumb_infer_store *store,
                              struct plumb_budget *budget);
void plumb_infer_answers_close(struct plumb_infer_answers *a);

/* The number of what `e` says, with its operation and arguments.  UINT32_MAX
 * when memory is refused; PLUMB_INFER_ANSWERS if there is no room for more. */
uint32_t plumb_infer_answer(struct plumb_infer_answers *a,
                            const struct plumb_record_entry *e);

bool plumb_infer_same_answer(const struct plumb_record_entry *a,
                             const struct plumb_record_entry *b);
uint64_t plumb_infer_hash_answer(const struct plumb_record_entry *e);

/* The automaton of what was seen (automaton.h): sets `end`, `conflict`, the
 * positions and the numbers of histories. */
enum plumb_status plumb_infer_store_infer(struct plumb_infer_store *s,
                                          const struct plumb_infer_seen *seen,
                                          size_t count, uint32_t moments,
                                          struct plumb_budget *budget,
                                          struct plumb_error *err);

/* ---- reading one ---- */

/* The automaton in `s`, as long as that is there. */
struct plumb_infer_automaton plumb_infer_store_automaton(
    const struct plumb_infer_store *s);

/* The test that it is of; name[]: of the object's operations. */
void plumb_infer_store_test(const struct plumb_infer_store *s,
                            const char *const *name,
                            struct plumb_infer_test *test);

/* Is all of it what it should be?  names: of operations that there are. */
bool plumb_infer_store_is_sound(const struct plumb_infer_store *s,
                                unsigned names);

/* How many there are; UINT64_MAX stands for more than that, too. */
uint64_t plumb_infer_store_histories(const struct plumb_infer_store *s);

/* Only what is used. */
void plumb_infer_store_copy(const struct plumb_infer_store *from,
                            struct plumb_infer_store *to);

#endif
