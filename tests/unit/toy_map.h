/* toy_map.h - small histories of maps. */
#ifndef PLUMB_TESTS_TOY_MAP_H
#define PLUMB_TESTS_TOY_MAP_H

#include "brute_keyed.h"

/* States are values, nil, or absent. */
enum { NIL = TOY_STATES - 1, ABSENT = TOY_STATES - 2 };

static inline uint32_t state_of(uint32_t word)
{
    return word == PLUMB_NIL_WORD ? NIL : word;
}

static inline uint32_t answered(const struct plumb_check_input_op *o)
{
    return o->term == PLUMB_TERM_NONE ? ABSENT : state_of(o->word[1]);
}

static inline uint32_t step(uint32_t state,
                            const struct plumb_check_input_op *o)
{
    const bool any = o->term == PLUMB_TERM_ANY, absent = state == ABSENT;
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return state_of(o->word[1]);
    case PLUMB_ROLE_READ:
        return any || answered(o) == state ? state : TOY_REFUSES;
    case PLUMB_ROLE_DELETE:
        return any || answered(o) == state ? ABSENT : TOY_REFUSES;
    case PLUMB_ROLE_INSERT:
        if (!any && o->word[2] != absent)
            return TOY_REFUSES;
        return absent ? state_of(o->word[1]) : state;
    default:
        return any || o->word[1] == !absent ? state : TOY_REFUSES;
    }
}

static inline bool reads(const struct plumb_check_input_op *o)
{
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return false;
    case PLUMB_ROLE_DELETE:
        return o->term == PLUMB_TERM_NONE;
    case PLUMB_ROLE_INSERT:
        return !o->word[2];
    default:
        return true;
    }
}

static const uint8_t roles[] = { PLUMB_ROLE_WRITE, PLUMB_ROLE_READ,
                                 PLUMB_ROLE_DELETE, PLUMB_ROLE_INSERT,
                                 PLUMB_ROLE_MEMBER };

static inline void set_call(struct plumb_check_input_op *o, uint32_t role,
                            uint32_t key, uint32_t value)
{
    o->role = roles[role];
    o->nargs = 1;
    o->word[0] = key;
    if (o->role != PLUMB_ROLE_WRITE && o->role != PLUMB_ROLE_INSERT)
        return;
    o->nargs = 2;
    o->word[1] = value;
}

/* Values are 1, 2, ... */
static inline bool call_with_fresh(struct toy *t,
                                   struct plumb_check_input_op *o,
                                   uint32_t variant)
{
    if (variant >= sizeof roles)
        return false;
    set_call(o, variant, 0, t->written + 1);
    t->written += o->nargs - 1u;
    return true;
}

/* Values are 0 and 1; keys are 0, 1 and nil. */
static inline bool call_with_few(struct toy *t, struct plumb_check_input_op *o,
                                 uint32_t variant)
{
    (void)t;
    const uint32_t key = variant % 3, value = variant / 3 % 2;
    if (variant / 6 >= sizeof roles)
        return false;
    set_call(o, variant / 6, key == 2 ? PLUMB_NIL_WORD : key, value);
    return true;
}

static inline bool answer(const struct toy *t, struct plumb_check_input_op *o,
                          uint32_t variant)
{
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return variant == 0;
    case PLUMB_ROLE_INSERT:
    case PLUMB_ROLE_MEMBER:
        o->nres = 1;
        o->word[o->nargs] = variant;
        return variant < 2;
    default:
        break;
    }
    if (variant == 0) {
        o->term = PLUMB_TERM_NONE;
        return true;
    }
    o->nres = 1;
    o->word[1] = variant - 1;
    return variant - 1 < t->values &&
           (t->values == 2 || variant - 1 <= t->written + 1);
}

static const struct toy_type fresh = { .name = "map",
                                       .monitor = plumb_check_monitor_map,
                                       .keyed = true,
                                       .values = TOY_OPS + 2,
                                       .initial = PLUMB_NO_WORD,
                                       .start = ABSENT,
                                       .step = step,
                                       .reads = reads,
                                       .call = call_with_fresh,
                                       .answer = answer };

#endif
