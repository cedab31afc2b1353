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

static inline uint32_t step(uint32_t state, const struct plumb_tape_op *o)
{
    if (o->role == PLUMB_ROLE_WRITE)
        return state_of(o->word[0]);
    const bool any = o->term == PLUMB_TERM_ANY;
    return any || state_of(o->word[0]) == state ? state : TOY_REFUSES;
}

static inline bool reads(const struct plumb_tape_op *o)
{
    return o->role == PLUMB_ROLE_READ;
}

/* Writes number their values 1, 2, ... */
static inline bool call(struct toy *t, struct plumb_tape_op *o,
                        uint32_t variant)
{
    o->role = variant == 0 ? PLUMB_ROLE_WRITE : PLUMB_ROLE_READ;
    if (variant == 0) {
        o->nargs = 1;
        o->word[0] = ++t->written;
    }
    return variant < 2;
}

/* One of a few values. */
static inline bool call_again(struct toy *t, struct plumb_tape_op *o,
                              uint32_t variant)
{
    (void)t;
    o->role = variant < 8 ? PLUMB_ROLE_WRITE : PLUMB_ROLE_READ;
    if (variant < 8) {
        o->nargs = 1;
        o->word[0] = variant;
    }
    return variant < 12;
}

/* Any value that was written, or the next that will be. */
static inline bool answer(const struct toy *t, struct plumb_tape_op *o,
                          uint32_t variant)
{
    if (o->role == PLUMB_ROLE_WRITE)
        return variant == 0;
    o->nres = 1;
    o->word[0] = variant;
    return variant < t->values && variant <= t->written + 1;
}

static inline bool answer_any(const struct toy *t, struct plumb_tape_op *o,
                              uint32_t variant)
{
    if (o->role == PLUMB_ROLE_WRITE)
        return variant == 0;
    o->nres = 1;
    o->word[0] = variant == 8 ? PLUMB_NIL_WORD : variant;
    (void)t;
    return variant < 9;
}

static const struct toy_type of_zero = { .name = "register",
                                         .monitor = plumb_monitor_register,
                                         .values = TOY_OPS + 2,
                                         .initial = 0,
                                         .step = step,
                                         .reads = reads,
                                         .call = call,
                                         .answer = answer };

#endif
