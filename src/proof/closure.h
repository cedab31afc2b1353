/* closure.h - deleting values while certain answers remain.
 *
 * Let S be a legal order, and v a value all of whose operations are deleted.
 * What remains of S has fewer items at each of its places, in the same order.
 * Removals and peeks that answered an item other than v find it still where it
 * was, additions that succeeded find no less room, and where there was no item
 * there is none.  So S stays legal if nobody answered `full`, and if no answer
 * `empty` is weak:
 *
 *   claim  An `empty` at an instant p needs that the additions of all items
 *          present are open at p, of none if there is none.  So they are of
 *          those that are left.
 *   gap    It needs that of the first item present.  If v is that item, its
 *          addition is open at p and so overlaps the operation.  If no addition
 *          of v does, another item is the first one and stays so, or there was
 *          none.
 *   scan   It needs that of the items present no more were added before it was
 *          called than other removals overlap it.  Deleting v takes nothing from
 *          the latter if no removal of v overlaps it.
 *   pool   Only `full` is weak. */
#ifndef PLUMB_PROOF_CLOSURE_H
#define PLUMB_PROOF_CLOSURE_H

#include "core.h"

struct plumb_proof_closure {
    enum plumb_proof_plain_closed kind;
    bool full; /* it is the answer of some operation that remains */
    /* Removals that answered `empty` and remain, by call: the last call of the
     * first so many, and their largest return. */
    uint32_t *call, *ret;
    size_t count, call_capacity, ret_capacity;
};

/* Look through the operations that remain.  `kind` is set; false when the
 * budget is used up. */
bool plumb_proof_closure_of_core(const struct plumb_proof_core *c,
                                 struct plumb_proof_closure *closure);
void plumb_proof_closure_release(const struct plumb_proof_core *c,
                                 struct plumb_proof_closure *closure);

/* Is an answer that remains in the way of deleting this operation? */
bool plumb_proof_closure_keeps(const struct plumb_proof_closure *closure,
                               const struct plumb_proof_plain_call *call,
                               const struct plumb_op *o);

#endif
