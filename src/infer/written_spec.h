/* written_spec.h - what an object did serially, as a specification in C.
 *
 * The text is a file for `--spec`: tables of the merged automaton, and a step
 * function that looks there.  What has no edge is unknown. */
#ifndef PLUMB_INFER_WRITTEN_SPEC_H
#define PLUMB_INFER_WRITTEN_SPEC_H

#include "base/text.h"
#include "merged_tests.h"

/* Of the object; tests: what was run, a line each. */
struct plumb_infer_about {
    const char *object, *build, *tests;
    unsigned operations;
    const char *name[PLUMB_MAX_OPERATIONS];
    unsigned arity[PLUMB_MAX_OPERATIONS];
};

/* PLUMB_EINPUT: the tests contradict each other, or the specification would
 * have names that it must not have; the message says how. */
enum plumb_status plumb_infer_write_spec(struct plumb_infer_merged *m,
                                         const struct plumb_infer_about *about,
                                         struct plumb_base_text *out,
                                         struct plumb_error *err);

#endif
