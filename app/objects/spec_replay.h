/* spec_replay.h - letting the report run a specification step by step. */
#ifndef PLUMB_APP_OBJECTS_SPEC_REPLAY_H
#define PLUMB_APP_OBJECTS_SPEC_REPLAY_H

#include "check/search/state_sets.h"
#include "proof/plain.h"
#include "report/explain.h"

/* The report asks for one sequence after the other, most of them one step
 * longer or shorter than the last: what they have in common is kept. */
struct objects_spec_replay {
    struct plumb_report_replay replay; /* for struct plumb_subject */
    const struct plumb_history *history;
    struct plumb_budget *budget;
    struct plumb_spec_bound bound;
    struct plumb_check_state_sets sets;
    struct plumb_proof_plain *plain;
    /* set[d] is after step[0 .. d); both have room for every operation. */
    struct plumb_report_replay_step *step;
    plumb_check_state_set *set;
    uint32_t depth;
};

/* False when memory is used up; then there is nothing to close. */
bool objects_spec_replay_open(struct objects_spec_replay *r,
                              const struct plumb_history *h,
                              const struct plumb_spec *spec,
                              struct plumb_budget *budget);
void objects_spec_replay_close(struct objects_spec_replay *r);

#endif
