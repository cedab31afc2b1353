/* deadline_rule.h - the rule *late*: enqueues no legal order goes on with. */
#ifndef PLUMB_PROOF_DEADLINE_RULE_H
#define PLUMB_PROOF_DEADLINE_RULE_H

#include "core.h"

struct plumb_proof_deadline;

/* Make the rule ready for a core that is not empty.  *late is NULL where the
 * specification is neither queue nor stuttering-queue, or has `k`, or `cap` and
 * an enqueue is pending: no step is late there.
 * False when memory is used up. */
bool plumb_proof_deadline_new(const struct plumb_proof_core *core,
                              struct plumb_proof_deadline **late);
void plumb_proof_deadline_free(struct plumb_proof_deadline *l);

/* Is the step by operation o late in the configuration of the operations
 * 0 .. upto - 1 without missing[0 .. count), which ascend?  o is none of the
 * configuration's. */
bool plumb_proof_deadline_is(struct plumb_proof_deadline *l, uint32_t o,
                             uint32_t upto, const uint32_t *missing,
                             uint32_t count);

#endif
