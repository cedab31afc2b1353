/* explain.h - why a core cannot be put in order, in words.
 *
 * Two explanations.  *Why*: facts about the core that contradict each other,
 * in the terms of its type; each is checked against the core before it is
 * told, and together they imply the violation.  Only some violations have such
 * a short reason.  *Stuck*: a longest order that the specification allows, and
 * what would have to follow; there always is one. */
#ifndef PLUMB_REPORT_EXPLAIN_H
#define PLUMB_REPORT_EXPLAIN_H

#include "label.h"
#include "scene.h"

/* Add the reason, one sentence per line, each ending with a newline.  False,
 * and nothing is added, if no known pattern fits.  `spec` is the text of the
 * specification, as in "queue:cap=4". */
bool plumb_report_explain_why(const struct plumb_report_scene *scene,
                              const char *spec,
                              const struct plumb_report_style *style,
                              struct plumb_base_text *out);

/* One operation of an order; `any`: whatever it answers is allowed. */
struct plumb_report_replay_step {
    uint32_t op; /* index in the history */
    bool any;
};

/* How to run a specification: filled in by whoever has one. */
struct plumb_report_replay {
    void *context;
    /* Does the specification allow this sequence, from its initial state? */
    bool (*allows)(void *context, const struct plumb_report_replay_step *step,
                   uint32_t count);
    /* Add the text of the state after a sequence that is allowed; may be NULL.
     */
    void (*state)(void *context, const struct plumb_report_replay_step *step,
                  uint32_t count, struct plumb_base_text *out);
    /* Add what `op` may answer after a sequence that is allowed, as in
     * "1 or 2" or "empty"; nothing if it cannot return there. */
    void (*answers)(void *context, const struct plumb_report_replay_step *step,
                    uint32_t count, uint32_t op, struct plumb_base_text *out);
};

enum { PLUMB_STUCK_STEPS = 10000 }; /* sequences tried at most */

/* A longest order that the specification allows, as numbers of operations of
 * the scene and as steps; and the operations that could be next but may not
 * return what they did. */
struct plumb_report_attempt {
    const uint32_t *order;
    const struct plumb_report_replay_step *step;
    uint32_t count;
    const uint32_t *refused;
    uint32_t refusals;
};

/* False if the whole scene can be ordered or memory is used up. */
bool plumb_report_attempt_find(const struct plumb_report_scene *scene,
                               const struct plumb_report_replay *replay,
                               struct plumb_base_arena *arena,
                               struct plumb_report_attempt *attempt);

/* Add one sentence without a newline.  False, and nothing is added, if the
 * whole scene can be ordered or memory is used up. */
bool plumb_report_explain_stuck(const struct plumb_report_scene *scene,
                                const struct plumb_report_replay *replay,
                                const struct plumb_report_style *style,
                                struct plumb_base_text *out);

#endif
