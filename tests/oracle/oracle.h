/* oracle.h - is a small history linearizable?  By the definition alone.
 *
 * Herlihy and Wing's definition as in "A Simulator for Concurrent Objects",
 * section 2.2: some responses may be appended for pending operations, the
 * other pending ones are left out, and what remains has the answers of a legal
 * sequential history that keeps the order of operations that do not overlap.
 * Every choice and every order is tried; a prefix that is not legal ends a
 * try, and nothing else does.  At most ORACLE_OPS operations. */
#ifndef ORACLE_H
#define ORACLE_H

#include "oracle_types.h"
#include <plumb/history.h>

bool oracle_linearizable(const struct plumb_history *h, const char *spec_text);

/* Is one particular order a linearization?  By call: pending operations may
 * take part, in their place.  By return: pending ones return never, so last,
 * where they do not matter. */
enum oracle_order { ORACLE_BY_CALL, ORACLE_BY_RETURN };
bool oracle_order_is(const struct plumb_history *h, const char *spec_text,
                     enum oracle_order order);

/* Do these operations, in this order, show that `h` is linearizable? */
bool oracle_is_witness(const struct plumb_history *h, const char *spec_text,
                       const uint32_t *order, uint32_t count);

/* An operation of a history as the types see it.  Stops the program at names
 * and shapes that the types do not know. */
struct oracle_operation {
    uint32_t index; /* in the history */
    uint32_t object, call, ret;
    bool pending;
    struct oracle_call what;
    struct oracle_answer answer; /* unless pending */
};

/* The operations that count, that is, all but FAIL ones; returns how many. */
unsigned oracle_read(const struct plumb_history *h,
                     const struct oracle_spec *spec,
                     struct oracle_operation op[ORACLE_OPS]);

#endif
