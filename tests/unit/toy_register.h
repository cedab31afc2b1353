/* toy_register.h - small histories of registers. */
#ifndef PLUMB_TESTS_TOY_REGISTER_H
#define PLUMB_TESTS_TOY_REGISTER_H

#include "brute_keyed.h"

/* States are values; the value at first is 0, or nil. */
enum { NIL = TOY_STATES - 1 };

static inline uint32_t state_of(uint32_t word)
{
    return word == PLUMB_NIL_WORD ? NIL : word;
}

static inline uint32_t step(uint32_t state,
                            const struct plumb_check_input_op *o)
{
    const bool any = o->term == PLUMB_TERM_ANY;
    const bool equal = state_of(o->word[0]) == state;
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return state_of(o->word[0]);
    case PLUMB_ROLE_CAS:
        if (!any && o->word[2] != equal)
            return TOY_REFUSES;
        return equal ? state_of(o->word[1]) : state;
    case PLUMB_ROLE_SWAP:
        return any || state_of(o->word[1]) == state ? state_of(o->word[0])
                                                    : TOY_REFUSES;
    default:
        return any || equal ? state : TOY_REFUSES;
    }
}

static inline bool reads(const struct plumb_check_input_op *o)
{
    switch (o->role) {
    case PLUMB_ROLE_CAS:
        return !o->word[2] || o->word[0] == o->word[1];
    case PLUMB_ROLE_SWAP:
        return o->word[0] == o->word[1];
    default:
        return o->role == PLUMB_ROLE_READ;
    }
}

/* Writes number their values 1, 2, ... */
static inline bool call(struct toy *t, struct plumb_check_input_op *o,
                        uint32_t variant)
{
    o->role = variant == 0 ? PLUMB_ROLE_WRITE : PLUMB_ROLE_READ;
    if (variant == 0) {
        o->nargs = 1;
        o->word[0] = ++t->written;
    }
    return variant < 2;
}

/* One of three values, nil among them; half of these are reads. */
static inline uint32_t few(uint32_t variant)
{
    return variant % 3 == 2 ? PLUMB_NIL_WORD : variant % 3;
}

static inline bool call_again(struct toy *t, struct plumb_check_input_op *o,
                              uint32_t variant)
{
    (void)t;
    o->role = variant < 3 ? PLUMB_ROLE_WRITE : PLUMB_ROLE_READ;
    if (variant < 3) {
        o->nargs = 1;
        o->word[0] = few(variant);
    }
    return variant < 6;
}

static inline bool call_any(struct toy *t, struct plumb_check_input_op *o,
                            uint32_t variant)
{
    if (variant < 6)
        return call_again(t, o, variant);
    o->role = variant < 15 ? PLUMB_ROLE_CAS : PLUMB_ROLE_SWAP;
    o->nargs = variant < 15 ? 2 : 1;
    o->word[0] = few(variant);
    if (variant < 15)
        o->word[1] = few(variant / 3);
    return variant < 18;
}

/* Any value that was written, or the next that will be. */
static inline bool answer(const struct toy *t, struct plumb_check_input_op *o,
                          uint32_t variant)
{
    if (o->role == PLUMB_ROLE_WRITE)
        return variant == 0;
    o->nres = 1;
    o->word[0] = variant;
    return variant < t->values && variant <= t->written + 1;
}

static inline bool answer_any(const struct toy *t,
                              struct plumb_check_input_op *o, uint32_t variant)
{
    (void)t;
    if (o->role == PLUMB_ROLE_WRITE)
        return variant == 0;
    o->nres = 1;
    if (o->role == PLUMB_ROLE_CAS) {
        o->word[2] = variant;
        return variant < 2;
    }
    o->word[o->nargs] = few(variant);
    return variant < 3;
}

static const struct toy_type of_zero = { .name = "register",
                                         .monitor =
                                             plumb_check_monitor_register,
                                         .values = TOY_OPS + 2,
                                         .initial = 0,
                                         .step = step,
                                         .reads = reads,
                                         .call = call,
                                         .answer = answer };

#endif
