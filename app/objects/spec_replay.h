/* spec_replay.h - letting the report run a specification step by step. */
#ifndef PLUMB_CLI_SPEC_REPLAY_H
#define PLUMB_CLI_SPEC_REPLAY_H

#include "check/search/front.h"
#include "report/explain.h"
#include "proof/plain.h"

/* The report asks for one sequence after the other, most of them one step
 * longer or shorter than the last: what they have in common is kept. */
struct spec_replay {
    struct plumb_replay replay; /* for struct plumb_subject */
    const struct plumb_history *history;
    struct plumb_budget *budget;
    struct plumb_bound bound;
    struct plumb_fronts fronts;
    struct plain *plain;
    /* front[d] is after step[0 .. d); both have room for every operation. */
    struct plumb_replay_step *step;
    plumb_front_id *front;
    uint32_t depth;
};

/* False when memory is used up; then there is nothing to close. */
bool spec_replay_open(struct spec_replay *r, const struct plumb_history *h,
                      const struct plumb_spec *spec,
                      struct plumb_budget *budget);
void spec_replay_close(struct spec_replay *r);

#endif
