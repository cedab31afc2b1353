/* scene.h - the operations that a report talks about, with their letters.
 *
 * A scene is a core, or a whole history.  Its operations are in the order of
 * their calls, and the i-th is called a, b, ..., z, aa, ab, ...; that letter is
 * its name in timelines and sentences.  A response that the core forgets, or
 * that lies behind its cut, is not there: the operation is pending. */
#ifndef PLUMB_REPORT_SCENE_H
#define PLUMB_REPORT_SCENE_H

#include "base/arena.h"
#include "base/text.h"
#include <assert.h>
#include <plumb/verify.h>

struct plumb_report_scene {
    const struct plumb_history *h;
    const uint32_t *op;       /* indexes into h->op, ascending      */
    const uint8_t *forgotten; /* NULL: no response is               */
    uint32_t count;
    uint32_t cut; /* events of this rank and later are not there    */
};

struct plumb_report_scene plumb_report_scene_of_core(
    const struct plumb_history *h, const struct plumb_core *core);

/* All operations but failed ones.  False when memory is used up. */
bool plumb_report_scene_of_history(const struct plumb_history *h,
                                   struct plumb_base_arena *arena,
                                   struct plumb_report_scene *scene);

static inline const struct plumb_op *plumb_report_scene_op(
    const struct plumb_report_scene *s, uint32_t i)
{
    assert(i < s->count);
    return s->h->op + s->op[i];
}

/* When the i-th operation returned; PLUMB_NEVER if it is pending. */
static inline uint32_t plumb_report_scene_ret(
    const struct plumb_report_scene *s, uint32_t i)
{
    const uint32_t ret = plumb_op_ret(plumb_report_scene_op(s, i));
    return (s->forgotten && s->forgotten[i]) || ret >= s->cut ? PLUMB_NEVER
                                                              : ret;
}

static inline bool plumb_report_scene_is_pending(
    const struct plumb_report_scene *s, uint32_t i)
{
    return plumb_report_scene_ret(s, i) == PLUMB_NEVER;
}

/* Did the i-th return in the history, but not in this scene? */
static inline bool plumb_report_scene_forgets(
    const struct plumb_report_scene *s, uint32_t i)
{
    return plumb_report_scene_is_pending(s, i) &&
           plumb_op_ret(plumb_report_scene_op(s, i)) != PLUMB_NEVER;
}

/* Did the i-th return before the j-th was called? */
static inline bool plumb_report_scene_precedes(
    const struct plumb_report_scene *s, uint32_t i, uint32_t j)
{
    return plumb_report_scene_ret(s, i) < plumb_report_scene_op(s, j)->call;
}

void plumb_report_scene_letter(uint32_t i, struct plumb_base_text *out);

#endif
