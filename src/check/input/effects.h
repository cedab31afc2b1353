/* effects.h - an order, from the events at which operations took effect.
 *
 * Nothing takes effect but at an event of its key, its own call or return, or
 * that of another: so at one event only operations of one key do, and the order
 * is that of events, and for each as it is told.  That is so whatever threads
 * found it, and in which order.  Most operations take effect at their own
 * returns, where they are found in the input. */
#ifndef PLUMB_CHECK_INPUT_EFFECTS_H
#define PLUMB_CHECK_INPUT_EFFECTS_H

#include "monitor.h"

/* An operation took effect with others: place >> shift is the rank of the
 * event. */
struct plumb_check_effect {
    uint32_t place, op;
};

/* The order, as m->order, of operations that took effect alone at their own
 * return, own[i], and of those in effect[], by place and then as they are
 * listed.  effect[] is sorted.  False when memory is used up. */
bool plumb_check_effects_order(struct plumb_check_monitoring *m,
                               const bool *own,
                               struct plumb_check_effect *effect,
                               uint32_t effects, unsigned shift);

#endif
