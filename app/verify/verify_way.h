/* verify_way.h - the way to what was found, a step at a time.
 *
 *   struct verify_way w;
 *   verify_way_begin(&w, j);
 *   while (verify_way_next(&w))
 *       ... w.step, w.before, w.after ...
 *   verify_way_end(&w);
 *
 * Who goes another way says itself where to look and which step to take. */
#ifndef PLUMB_APP_VERIFY_VERIFY_WAY_H
#define PLUMB_APP_VERIFY_VERIFY_WAY_H

#include "refine/judge.h"

struct verify_way {
    struct plumb_refine_judgement *j;
    uint32_t number; /* of the step, from 1 */
    const struct plumb_csp_step *step;
    uint32_t *before; /* the vectors on both sides of it */
    const uint32_t *after;
    /* Globals, a bit each: those that several processes use; and of these, the
     * ones that the step gives the value they have. */
    uint64_t *shared, *kept;
    unsigned actor;               /* a component that takes part */
    struct plumb_csp_steps steps; /* all that were possible      */
};

/* Of `j` the world and the side of its path are looked at, and by
 * verify_way_next the path. */
void verify_way_begin(struct verify_way *w, struct plumb_refine_judgement *j);
void verify_way_end(struct verify_way *w);

/* False behind the last step, or if memory is refused. */
bool verify_way_next(struct verify_way *w);

/* What is possible in a state; then one of these steps.  Nothing else is
 * changed by taking one, so all can be tried. */
enum plumb_status verify_way_look(struct verify_way *w, uint32_t state,
                                  struct plumb_error *err);
void verify_way_take(struct verify_way *w, uint32_t index);

/* Does the step change the variable at a slot, or write to it although several
 * processes use it? */
static inline bool verify_way_changes_slot(const struct verify_way *w,
                                           uint32_t slot)
{
    return w->before[slot] != w->after[slot];
}
static inline bool verify_way_keeps_slot(const struct verify_way *w,
                                         uint32_t slot)
{
    return w->kept[slot / 64] >> slot % 64 & 1;
}

/* Does it one or the other with any? */
bool verify_way_writes(const struct verify_way *w);

#endif
