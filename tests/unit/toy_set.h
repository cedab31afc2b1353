/* toy_set.h - small histories of sets. */
#ifndef PLUMB_TESTS_TOY_SET_H
#define PLUMB_TESTS_TOY_SET_H

#include "brute_keyed.h"

static inline uint32_t step(uint32_t state,
                            const struct plumb_check_input_op *o)
{
    const bool any = o->term == PLUMB_TERM_ANY;
    const uint32_t wanted = o->role == PLUMB_ROLE_INSERT;
    if (o->role == PLUMB_ROLE_MEMBER)
        return any || o->word[1] == state ? state : TOY_REFUSES;
    return any || o->word[1] == (state != wanted) ? wanted : TOY_REFUSES;
}

static inline bool reads(const struct plumb_check_input_op *o)
{
    return o->role == PLUMB_ROLE_MEMBER || o->word[1] == 0;
}

static inline bool call_of_key(struct plumb_check_input_op *o, uint32_t role,
                               uint32_t key)
{
    static const uint8_t roles[] = { PLUMB_ROLE_INSERT, PLUMB_ROLE_DELETE,
                                     PLUMB_ROLE_MEMBER };
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

/* Keys 0, 1 and nil. */
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
    o->nres = 1;
    o->word[1] = variant;
    return variant < 2;
}

static const struct toy_type one_key = { .name = "set",
                                         .monitor = plumb_check_monitor_set,
                                         .keyed = true,
                                         .values = 1,
                                         .initial = PLUMB_NO_WORD,
                                         .step = step,
                                         .reads = reads,
                                         .call = call,
                                         .answer = answer };

#endif
