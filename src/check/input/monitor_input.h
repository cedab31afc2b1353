/* monitor_input.h - one object of a history, as monitors read it.
 *
 * Monitors go through a history once or twice in the order of time, so what
 * they need of an operation stands in one place: when it was called and
 * returned, what it is to its type, and its values as small numbers.  An input is
 * made from a history and a type without binding it first: names and terms are
 * resolved once per symbol, and integers that lie close together number
 * themselves.
 *
 * FAIL operations are not in the input.  Of containers, a value that is used again
 * when nothing of it is left is another word (check/incarnations.h). */
#ifndef PLUMB_CHECK_INPUT_MONITOR_INPUT_H
#define PLUMB_CHECK_INPUT_MONITOR_INPUT_H

#include "spec/spec.h"

enum { PLUMB_INPUT_WORDS = 3 };

/* A word that is not there, or of a shape that was not answered. */
#define PLUMB_NO_WORD UINT32_MAX
/* The value nil.  Other values are numbered below `values`. */
#define PLUMB_NIL_WORD (UINT32_MAX - 1)

/* 24 bytes.  Its words are its arguments and then its results: booleans (letter
 * b of its shape) are 0 or 1, counts (i) are themselves, any others are numbers
 * of values: of the input, equal for equal values. */
struct plumb_check_input_op {
    uint32_t call,
        ret; /* ranks in the history; ret is PLUMB_NEVER if pending */
    uint32_t word[PLUMB_INPUT_WORDS];
    uint8_t role; /* enum plumb_spec_role: what its type says it is */
    uint8_t term; /* enum plumb_spec_term; PLUMB_TERM_ANY if pending */
    uint8_t nargs, nres;
};

struct plumb_check_input {
    const struct plumb_check_input_op *op; /* in the order of calls */
    uint32_t count;
    /* By operation: its index in the history; NULL: the same. */
    const uint32_t *origin;
    /* All calls and returns in the order of time: 2 * index into op[], plus 1
     * for a return. */
    const uint32_t *event;
    uint32_t events;
    uint32_t object;
    uint32_t values;  /* words that are values are below it, or NIL_WORD */
    uint32_t initial; /* the parameter `init`, as a word; NO_WORD: not given */
    bool ordered;     /* a smaller word is a smaller value */
    /* By role: some operation has it. */
    uint64_t roles;
};

static inline bool plumb_check_input_is_return(uint32_t event)
{
    return event & 1;
}

static inline bool plumb_check_input_is_pending(
    const struct plumb_check_input_op *o)
{
    return o->ret == PLUMB_NEVER;
}

static inline uint32_t plumb_check_input_rank(
    const struct plumb_check_input *input, uint32_t event)
{
    const struct plumb_check_input_op *const o = input->op + event / 2;
    return plumb_check_input_is_return(event) ? o->ret : o->call;
}

/* Of the event at that place. */
static inline uint32_t plumb_check_input_rank_at(
    const struct plumb_check_input *input, uint32_t at)
{
    return plumb_check_input_rank(input, input->event[at]);
}

static inline uint32_t plumb_check_input_origin(
    const struct plumb_check_input *input, uint32_t i)
{
    return input->origin ? input->origin[i] : i;
}

/* One input for each object of the history. */
struct plumb_check_inputs {
    struct plumb_check_input *input;
    uint32_t count;
    const char *declined; /* why there are none, or NULL */
};

/* In `arena`.  False when the budget is used up.  If `declined` is set, some
 * operation is not what the type knows, or has a value that a word cannot be:
 * plumb_spec_bind() will say what is wrong, if something is. */
bool plumb_check_inputs_make(const struct plumb_history *h,
                             const struct plumb_spec *spec,
                             struct plumb_base_arena *arena,
                             struct plumb_check_inputs *inputs);

/* The number of events before that rank. */
uint32_t plumb_check_input_events_before(const struct plumb_check_input *input,
                                         uint32_t rank);

/* ---- some operations of an input, as an input of their own ---- */

/* `pick` are indexes of `from`, ascending.  Ranks and origins stay as they are,
 * first words are numbered again.  Takes as long as `from` has events and
 * values.  False when memory is used up. */
bool plumb_check_input_cut(const struct plumb_check_input *from,
                           const uint32_t *pick, uint32_t count,
                           struct plumb_base_arena *arena,
                           struct plumb_check_input *to);

#endif
