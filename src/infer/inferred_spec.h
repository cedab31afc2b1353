/* inferred_spec.h - what an object did serially, as its specification.
 *
 * An operation may answer what it answered in a serial history, where that
 * history goes on.  A state is a position of the automaton.  For histories of
 * the same test only: who calls what is part of it. */
#ifndef PLUMB_INFER_INFERRED_SPEC_H
#define PLUMB_INFER_INFERRED_SPEC_H

#include "automaton.h"
#include "record/log.h"
#include <plumb/history.h>
#include <plumb/spec.h>

enum { PLUMB_INFER_PROCESSES = 64 };

/* An operation of the test: of init, then of the processes in order, then of
 * final. */
struct plumb_infer_operation {
    const char *name;
    unsigned process;
    const struct plumb_record_entry *call; /* its arguments */
};

struct plumb_infer_test {
    unsigned operations;
    struct plumb_infer_operation operation[PLUMB_INFER_OPERATIONS];
};

struct plumb_infer_spec;

/* Everything it is given it keeps a pointer to.  answer[] is indexed by the
 * automaton.  `h`: the history whose threads are meant, called P1, P2, ...
 * after the processes; NULL: thread t is process t.
 * NULL when memory is refused, or threads of `h` have other names. */
struct plumb_infer_spec *plumb_infer_spec_new(
    const struct plumb_infer_automaton *a, const struct plumb_infer_test *test,
    const struct plumb_record_entry *answer, const struct plumb_history *h,
    struct plumb_budget *budget);
void plumb_infer_spec_free(struct plumb_infer_spec *s);

/* For plumb_spec_from_user(), and back. */
struct plumb_infer_spec *plumb_infer_spec_of(
    const struct plumb_user_spec *user);
const struct plumb_user_spec *plumb_infer_spec_user(
    const struct plumb_infer_spec *s);

#endif
