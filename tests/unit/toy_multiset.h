/* toy_multiset.h - small histories of multisets. */
#ifndef PLUMB_TESTS_TOY_MULTISET_H
#define PLUMB_TESTS_TOY_MULTISET_H

#include "brute_keyed.h"

static inline uint32_t step(uint32_t state,
                            const struct plumb_check_input_op *o)
{
    const bool any = o->term == PLUMB_TERM_ANY;
    switch (o->role) {
    case PLUMB_ROLE_INSERT:
        return state + 1;
    case PLUMB_ROLE_DELETE:
        if (!any && o->word[1] != (state > 0))
            return TOY_REFUSES;
        return state ? state - 1 : 0;
    case PLUMB_ROLE_MEMBER:
        return any || o->word[1] == (state > 0) ? state : TOY_REFUSES;
    default:
        return any || o->word[1] == state ? state : TOY_REFUSES;
    }
}

static inline bool reads(const struct plumb_check_input_op *o)
{
    return o->role == PLUMB_ROLE_MEMBER || o->role == PLUMB_ROLE_COUNT ||
           (o->role == PLUMB_ROLE_DELETE && !o->word[1]);
}

static inline bool call_of_key(struct plumb_check_input_op *o, uint32_t role,
                               uint32_t key)
{
    static const uint8_t roles[] = { PLUMB_ROLE_INSERT, PLUMB_ROLE_DELETE,
                                     PLUMB_ROLE_MEMBER, PLUMB_ROLE_COUNT };
    if (role >= sizeof roles)
        return false;
    o->role = roles[role];
    o->nargs = 1;
    o->word[0] = key;
    return true;
}

static inline bool call(struct toy *t, struct plumb_check_input_op *o,
                        uint32_t variant)
{
    (void)t;
    return call_of_key(o, variant, 0);
}

static inline bool call_of_three(struct toy *t, struct plumb_check_input_op *o,
                                 uint32_t variant)
{
    (void)t;
    const uint32_t key = variant % 3;
    return call_of_key(o, variant / 3, key == 2 ? PLUMB_NIL_WORD : key);
}

static inline bool answer(const struct toy *t, struct plumb_check_input_op *o,
                          uint32_t variant)
{
    (void)t;
    if (o->role == PLUMB_ROLE_INSERT)
        return variant == 0;
    o->nres = 1;
    o->word[1] = variant;
    return variant < (o->role == PLUMB_ROLE_COUNT ? 4 : 2);
}

static const struct toy_type one_key = { .name = "multiset",
                                         .monitor =
                                             plumb_check_monitor_multiset,
                                         .keyed = true,
                                         .values = 1,
                                         .initial = PLUMB_NO_WORD,
                                         .step = step,
                                         .reads = reads,
                                         .call = call,
                                         .answer = answer };

#endif
