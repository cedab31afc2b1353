/* small_state_rules.h - what an operation with an answer asks of the state of its key,
 * and what it makes of it, in numbers.
 *
 * A key holds something or nothing.  An operation asks for nothing, for
 * something, for just its word, or does not ask; then there is what was there,
 * its word, nothing, or one more or less.  Rules say so as masks, because the
 * processor cannot guess which operation comes next: it need not. */
#ifndef PLUMB_CHECK_KEYED_SMALL_STATE_RULES_H
#define PLUMB_CHECK_KEYED_SMALL_STATE_RULES_H

#include "check/input/monitor_input.h"

#define PLUMB_SMALL_ALL UINT32_MAX /* of a mask: yes */

struct plumb_check_small_state_rule {
    uint32_t any;        /* 1: every state will do */
    uint32_t unless;     /* 1: every state but the one that is wanted */
    uint32_t wants_word; /* mask: its word 1 is wanted, else nothing */
    /* Masks: one of them is set; plus a number. */
    uint32_t stays, to_word, to_nothing, plus;
    uint32_t unused; /* 32 bytes */
};

/* clang-format off */
#define PLUMB_SMALL_IF_NOTHING   { .stays = PLUMB_SMALL_ALL }
#define PLUMB_SMALL_IF_SOMETHING { .unless = 1, .stays = PLUMB_SMALL_ALL }
#define PLUMB_SMALL_IF_WORD                                                      \
    { .wants_word = PLUMB_SMALL_ALL, .stays = PLUMB_SMALL_ALL }
/* clang-format on */

/* false, or any other result; true; the term none(). */
enum {
    PLUMB_SMALL_NO,
    PLUMB_SMALL_YES,
    PLUMB_SMALL_NONE,
    PLUMB_SMALL_ANSWERS = 4
};
enum { PLUMB_SMALL_ROLES = 16 };

struct plumb_check_small_state_rules {
    uint32_t nothing; /* the state */
    struct plumb_check_small_state_rule rule[PLUMB_SMALL_ROLES]
                                            [PLUMB_SMALL_ANSWERS];
};

static inline const struct plumb_check_small_state_rule *
plumb_check_small_state_rule_for(const struct plumb_check_small_state_rules *r,
                                 const struct plumb_check_input_op *o)
{
    const unsigned none = o->term == PLUMB_TERM_NONE;
    const unsigned yes = o->word[o->nargs] & !none;
    return &r->rule[o->role % PLUMB_SMALL_ROLES][2 * none + yes];
}

/* May its answer be right in `state`?  *next: the state behind it. */
static inline bool plumb_check_small_state_apply(
    const struct plumb_check_small_state_rules *r,
    const struct plumb_check_input_op *o, uint32_t state, uint32_t *next)
{
    const struct plumb_check_small_state_rule *const u =
        plumb_check_small_state_rule_for(r, o);
    const uint32_t word = o->word[1];
    const uint32_t wanted =
        (word & u->wants_word) | (r->nothing & ~u->wants_word);
    *next = ((state & u->stays) | (word & u->to_word) |
             (r->nothing & u->to_nothing)) +
            u->plus;
    return u->any | ((state == wanted) ^ u->unless);
}

#endif
