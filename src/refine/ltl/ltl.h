/* ltl.h - which runs of a graph break a formula?
 *
 * Syntax:  [] <> X U V R ! && || -> <-> xor ( ) true false, event names with
 * their data (eat.0), "quoted events", and names of propositions.  V is R. */
#ifndef PLUMB_MODEL_LTL_H
#define PLUMB_MODEL_LTL_H

#include "base/arena.h"
#include "refine/temporal.h"

/* `text` begins at line:column of its file.  Everything is in `arena`. */
enum plumb_status plumb_ltl_parse(const char *text, size_t size, uint64_t line,
                                  uint64_t column, struct plumb_arena *arena,
                                  struct plumb_formula *formula,
                                  struct plumb_error *err);

enum plumb_status plumb_ltl_check(
    struct plumb_graph *g, const struct plumb_formula *formula,
    const struct plumb_labels *labels, enum plumb_fairness fairness,
    struct plumb_arena *arena, struct plumb_run *run, struct plumb_error *err);

#endif
