/* weakness.c - what weak types share. */
#include "weakness.h"

const char *const plumb_spec_weak_words[PLUMB_WEAKNESSES] = {
    [PLUMB_WEAK_GAP] = "gap",
    [PLUMB_WEAK_CLAIM] = "claim",
    [PLUMB_WEAK_POOL] = "pool",
    [PLUMB_WEAK_SCAN] = "scan",
};

const char *const plumb_spec_weak_pool_word[PLUMB_WEAKNESSES] = {
    [PLUMB_WEAK_POOL] = "pool",
};
const char *const plumb_spec_weak_scan_word[PLUMB_WEAKNESSES] = {
    [PLUMB_WEAK_SCAN] = "scan",
};
const char *const plumb_spec_weak_bag_words[PLUMB_WEAKNESSES] = {
    [PLUMB_WEAK_POOL] = "pool",
    [PLUMB_WEAK_SCAN] = "scan",
};

const char *plumb_spec_weak_pool_needs_cap(const struct plumb_spec *spec,
                                           unsigned weak)
{
    return spec->given[weak] && spec->param[weak] == PLUMB_WEAK_POOL &&
                   !spec->given[PLUMB_CAP]
               ? "weak=pool is about full(), so it needs cap=N"
               : NULL;
}

bool plumb_spec_weak_pool_is_full(const struct plumb_spec_marks *m,
                                  uint64_t cap, uint32_t length)
{
    const uint32_t holders = plumb_spec_marks_count(m, PLUMB_MARK_HOLDING) +
                             plumb_spec_marks_count(m, PLUMB_MARK_REMOVING);
    return (uint64_t)length + holders >= cap;
}

bool plumb_spec_weak_pool_call(struct plumb_spec_space *space,
                               struct plumb_spec_marks *m, plumb_spec_state s,
                               const struct plumb_spec_action *a,
                               struct plumb_spec_states *out)
{
    if (a->term != PLUMB_TERM_OK && !plumb_spec_states_add(out, s))
        return false;
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    return plumb_spec_marks_add(space, m, PLUMB_MARK_HOLDING, a->whose, 0, 0) &&
           plumb_spec_states_made(out, plumb_spec_marks_store(space, m));
}

void plumb_spec_weak_forget(struct plumb_spec_marks *m,
                            enum plumb_spec_mark_kind kind, uint32_t whose)
{
    const uint32_t i = plumb_spec_marks_find(m, kind, whose);
    if (i != UINT32_MAX)
        plumb_spec_marks_drop(m, i);
}
