/* weakness.h - the kinds of weak answers, and what all weak types share. */
#ifndef PLUMB_SPEC_WEAK_WEAKNESS_H
#define PLUMB_SPEC_WEAK_WEAKNESS_H

#include "marks.h"
#include "spec/stores/container.h"

/* The words of the parameter `weak`. */
enum plumb_spec_weakness {
    PLUMB_WEAK_GAP,
    PLUMB_WEAK_CLAIM,
    PLUMB_WEAK_POOL,
    PLUMB_WEAK_SCAN,
    PLUMB_WEAKNESSES
};

/* Those of queues; and where there are fewer. */
extern const char *const plumb_spec_weak_words[PLUMB_WEAKNESSES];
extern const char *const plumb_spec_weak_pool_word[PLUMB_WEAKNESSES];
extern const char *const plumb_spec_weak_scan_word[PLUMB_WEAKNESSES];
extern const char *const plumb_spec_weak_bag_words[PLUMB_WEAKNESSES];

#define PLUMB_PARAM_WEAK(list, without)                                        \
    {                                                                          \
        .name = "weak", .kind = PLUMB_PARAM_WORD,                              \
        .what = "empty, full may be due to operations that are open",          \
        .words = (list), .nwords = PLUMB_WEAKNESSES, .excludes = (without)     \
    }

/* plumb_spec_type.refuses: a pool is about `full`, so it needs `cap`. */
const char *plumb_spec_weak_pool_needs_cap(const struct plumb_spec *spec,
                                           unsigned weak);

/* ---- fixed-size pools of nodes: `full` while others hold some ---- */

/* Room for `cap` nodes, of which `length` are items: may an addition answer
 * `full`?  Not one that holds a node itself. */
bool plumb_spec_weak_pool_is_full(const struct plumb_spec_marks *m,
                                  uint64_t cap, uint32_t length);
static inline bool plumb_spec_weak_pool_holds(const struct plumb_spec_marks *m,
                                              uint32_t whose)
{
    return plumb_spec_marks_find(m, PLUMB_MARK_HOLDING, whose) != UINT32_MAX;
}

/* An addition is called: add the states it leads to from the marks loaded, with
 * a node in its hands and without one. */
bool plumb_spec_weak_pool_call(struct plumb_spec_space *space,
                               struct plumb_spec_marks *m, plumb_spec_state s,
                               const struct plumb_spec_action *a,
                               struct plumb_spec_states *out);

/* It takes effect, or returns: its node is an item, or was given back. */
void plumb_spec_weak_forget(struct plumb_spec_marks *m,
                            enum plumb_spec_mark_kind kind, uint32_t whose);

#endif
