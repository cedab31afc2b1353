/* progress_search.h - does every operation come to an end, as far as a kind of
 * progress promises? */
#ifndef PLUMB_REFINE_PROGRESS_PROGRESS_SEARCH_H
#define PLUMB_REFINE_PROGRESS_PROGRESS_SEARCH_H

#include "call_places.h"

/* The path and the ranks are allocated in `arena`; the list of places is that
 * of `p`. */
enum plumb_status plumb_refine_progress_search(
    const struct plumb_refine_call_places *p,
    enum plumb_refine_progress_kind kind, struct plumb_base_arena *arena,
    struct plumb_refine_progress *found, struct plumb_error *err);

#endif
