/* shared_slots.h - which variables several processes use, and what a step
 * writes.
 *
 * A write to what is shared matters also where it changes nothing: x = 1 over 1
 * may be the update that is lost. */
#ifndef PLUMB_CSP_STATES_SHARED_SLOTS_H
#define PLUMB_CSP_STATES_SHARED_SLOTS_H

#include "system.h"

/* Sets a bit for each global that more than one process can read or write; for
 * all of them where that is not known.  `shared` has room for every global. */
enum plumb_status plumb_csp_system_shared_slots(struct plumb_csp_system *s,
                                                uint64_t *shared,
                                                struct plumb_error *err);

/* Sets a bit for each global that the programs of `step` write to, on the way
 * from one state to another. */
enum plumb_status plumb_csp_system_step_writes(
    struct plumb_csp_system *s, const struct plumb_csp_step *step,
    const uint32_t *before, const uint32_t *after, uint64_t *written,
    struct plumb_error *err);

#endif
