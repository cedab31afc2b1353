/* keyed.h - what the monitors of types with keys have in common. */
#ifndef PLUMB_CHECK_KEYED_KEYED_H
#define PLUMB_CHECK_KEYED_KEYED_H

#include "check/input/monitor.h"

/* Keys are numbered as their values are; nil is the last. */
static inline uint32_t plumb_check_key_of(const struct plumb_check_input *input,
                                          const struct plumb_check_input_op *o)
{
    const uint32_t key = o->word[0];
    return key == PLUMB_NIL_WORD ? input->values : key;
}

static inline uint32_t plumb_check_key_count(
    const struct plumb_check_input *input)
{
    return input->values + 1;
}

/* The budget is used up: always false. */
bool plumb_check_monitor_gives_up(struct plumb_check_monitoring *m,
                                  enum plumb_status why);

/* It is left to the search: always true. */
static inline bool plumb_check_monitor_declines(
    struct plumb_check_monitoring *m, const char *why)
{
    m->verdict = PLUMB_UNDECIDED;
    m->declined = why;
    return true;
}

/* The order of operations with places in it: at[i], of input->op[i], is
 * 2 * f + 1 for the one that is number f of those that change something, below
 * `changes`; 2 * f for any that stand before that and behind the previous one;
 * PLUMB_NO_PLACE if it is not in the order.  Operations of one place are put in
 * the order of their calls. */
#define PLUMB_NO_PLACE UINT32_MAX
bool plumb_check_order_by_place(struct plumb_check_monitoring *m,
                                const uint32_t *at, uint32_t changes);

struct plumb_check_accused {
    uint32_t key;
    bool whole; /* there are no keys */
    /* Can it be left out? */
    bool (*reads)(const struct plumb_check_accused *accused,
                  const struct plumb_check_input_op *o);
    /* Are these events, of the key, a violation, if the operations with
     * keep[i], i an index into input->op, are all there are?  UNDECIDED: stop
     * asking. */
    enum plumb_verdict (*judge)(const void *context, const uint32_t *event,
                                uint32_t events, const bool *keep);
    const void *context;
};

/* m->blame becomes those of `count` operations that are marked; of[i] is which
 * one of m->input number i is, unless it is NULL.  False when the budget is used
 * up. */
bool plumb_check_list_blamed(struct plumb_check_monitoring *m,
                             const bool *blamed, uint32_t count,
                             const uint32_t *of);

/* The return at rank `sure` is the first violation, of one key: blame what was
 * called of that key before, but as few reads as there can be. */
bool plumb_check_blame_key(struct plumb_check_monitoring *m,
                           const struct plumb_check_accused *accused,
                           uint32_t sure);

#endif
