/* ltl.h - which runs of a graph break a formula?
 *
 * Syntax:  [] <> X U V R ! && || -> <-> xor ( ) true false, event names with
 * their data (eat.0), "quoted events", and names of propositions.  V is R. */
#ifndef PLUMB_REFINE_LTL_LTL_H
#define PLUMB_REFINE_LTL_LTL_H

#include "base/arena.h"
#include "refine/temporal.h"

/* `text` begins at line:column of its file.  Everything is in `arena`. */
enum plumb_status plumb_refine_ltl_parse(const char *text, size_t size,
                                         uint64_t line, uint64_t column,
                                         struct plumb_base_arena *arena,
                                         struct plumb_refine_formula *formula,
                                         struct plumb_error *err);

enum plumb_status plumb_refine_ltl_check(
    struct plumb_csp_graph *g, const struct plumb_refine_formula *formula,
    const struct plumb_refine_labels *labels,
    enum plumb_refine_fairness fairness, struct plumb_base_arena *arena,
    struct plumb_refine_run *run, struct plumb_error *err);

#endif
