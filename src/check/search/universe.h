/* universe.h - the operations and answers met so far, as a history that grows.
 *
 * A type understands a history that is bound (spec/spec.h).  Here none is
 * finished: names, arguments and answers turn up one by one.  So they are kept
 * as a history of their own, one operation for each call that was met, pending,
 * and one for each call and answer, returned; it is bound again when there is a
 * new one.  It orders nothing: it is there to give actions to step by. */
#ifndef PLUMB_CHECK_SEARCH_UNIVERSE_H
#define PLUMB_CHECK_SEARCH_UNIVERSE_H

#include "history/symbols.h"
#include "live_configurations.h"

/* What is known of an operation of the universe. */
struct plumb_check_universe_entry {
    uint32_t call; /* the number of the call that it answers, or its own */
    /* The answers that a call can have at all, where they can be listed: see
     * plumb_check_answer_bit().  0: they cannot. */
    uint16_t answers;
};

struct plumb_check_universe {
    struct plumb_budget *budget;
    const struct plumb_spec *spec;
    struct plumb_symbols symbols;
    struct plumb_op *op;
    struct plumb_check_universe_entry *entry;
    struct plumb_value *value;
    uint32_t *thread; /* symbols */
    size_t op_capacity, entry_capacity, value_capacity, thread_capacity;
    uint32_t object; /* symbol */
    struct plumb_base_index index;
    struct plumb_history history;  /* of the arrays above */
    struct plumb_spec_bound bound; /* action[n] is that of number n */
    /* Counts how often a new operation changed what states made of the old
     * ones mean: those have to be made again. */
    uint32_t upheavals;
};

/* False when memory is refused; `u` may then be closed, or not. */
bool plumb_check_universe_open(struct plumb_check_universe *u,
                               const struct plumb_spec *spec,
                               struct plumb_budget *budget);
void plumb_check_universe_close(struct plumb_check_universe *u);

/* The number of a call, or of an answer to call number `call`.  UINT32_MAX, and
 * nothing has changed: see `err`. */
uint32_t plumb_check_universe_call(
    struct plumb_check_universe *u, unsigned thread, const char *name,
    const struct plumb_check_configurations_word *arg, unsigned nargs,
    struct plumb_error *err);
uint32_t plumb_check_universe_answer(
    struct plumb_check_universe *u, uint32_t call, const char *term,
    const struct plumb_check_configurations_word *result, unsigned nresults,
    struct plumb_error *err);

/* Answers without values and with one boolean can be listed, for there are few:
 * term t has the bits 2t and 2t + 1, the latter for true. */
static inline uint16_t plumb_check_answer_bit(unsigned term, bool value)
{
    return (uint16_t)(1u << (2 * term + value));
}

#endif
