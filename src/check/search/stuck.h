/* stuck.h - may operations wait for ever here?  (Line-Up, Definition 2.)
 *
 * In a history that is stuck, some operations are open and nobody can go on.
 * That is justified if for each open operation, alone, the others that are open
 * removed, there is an order of all completed ones after which it cannot
 * return.  An info operation may have taken effect or not, at any time after its
 * call, and waits for nothing.
 *
 * Where operations take effect in several steps, those that are open help each
 * other: two that wait for one another are not to be looked at alone.  There it
 * is justified if the steps of all can be ordered so that every completed
 * operation has taken all of its own and no open one can take another. */
#ifndef PLUMB_CHECK_SEARCH_STUCK_H
#define PLUMB_CHECK_SEARCH_STUCK_H

#include "spec/spec.h"

/* *justified, or which open operation of `h` could have returned (`culprit`).
 * The completed operations alone must be linearizable: if they are not, it is
 * not justified and the culprit is UINT32_MAX.  *unknown, unless NULL: it is
 * justified only if something holds that the specification does not know. */
enum plumb_status plumb_check_stuck(const struct plumb_history *h,
                                    const struct plumb_spec *spec,
                                    struct plumb_budget *budget,
                                    bool *justified, bool *unknown,
                                    uint32_t *culprit, struct plumb_error *err);

#endif
