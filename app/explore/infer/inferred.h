/* inferred.h - the specification that judges a history: the one that was given,
 * or what the object did serially in the same test. */
#ifndef PLUMB_APP_EXPLORE_INFER_INFERRED_H
#define PLUMB_APP_EXPLORE_INFER_INFERRED_H

#include "app/explore/driver/exploration.h"
#include "base/text.h"

/* What an inferred one consists of. */
struct explore_inferred {
    struct plumb_infer_automaton automaton;
    struct plumb_infer_test test;
    const char *name[PLUMB_MAX_OPERATIONS];
    struct plumb_infer_spec *inferred;
    struct plumb_spec *spec;
};

/* The specification for history `h` of the job: e->spec, or one that is made in
 * `room` and valid until that is released, before the job and `h` are.  NULL:
 * memory is used up, or the target has damaged the job; *err says which. */
struct plumb_spec *explore_spec_of(const struct exploration *e,
                                   const struct job *job,
                                   const struct plumb_history *h,
                                   struct explore_inferred *room,
                                   struct plumb_error *err);
void explore_inferred_release(struct explore_inferred *room);

/* A violation is compared with every serial history once more, plainly, by the
 * verifier; not if there are too many.  False: `why` says what it found. */
bool explore_is_unwitnessed(const struct job *job,
                            const struct plumb_history *h, bool stuck,
                            char why[256]);

/* A violation in the notation of observation files, and the serial histories
 * with the same answers. */
void explore_add_observation(const struct job *job, const struct job_finding *f,
                             struct plumb_base_text *out);

/* Is what the host tells of serial histories what it should be? */
bool explore_serial_is_sound(const struct job *job);

#endif
