/* error_path.h - the way to where a model goes wrong.
 *
 * A program that leaves an array or a range, or an assert() that does not hold,
 * is an error in the model: the steps of a state cannot be made. */
#ifndef PLUMB_REFINE_ENGINES_ERROR_PATH_H
#define PLUMB_REFINE_ENGINES_ERROR_PATH_H

#include "base/arena.h"
#include "refine.h"

/* The nearest state whose steps cannot be made, of the states known by now and
 * the first `most`; what is wrong there in `err`, and the way to it, in the
 * arena.  False if there is none, or memory is refused; then `err` is as it
 * was. */
bool plumb_refine_error_path_find(struct plumb_csp_graph *graph, uint32_t most,
                                  struct plumb_budget *budget,
                                  struct plumb_base_arena *arena,
                                  const struct plumb_refine_hop **path,
                                  uint32_t *length, struct plumb_error *err);

#endif
