/* small_state.h - small states, one per key, followed through the few orders that the
 * operations which overlap allow.
 *
 * For keys with little going on at once.  What is known of a key is a set of
 * configurations: a state, and which of the open operations have taken effect.
 * An operation that is alone with its key costs one step; a key that has too
 * many configurations at once is given up. */
#ifndef PLUMB_CHECK_KEYED_SMALL_STATE_H
#define PLUMB_CHECK_KEYED_SMALL_STATE_H

#include "check/input/effects.h"
#include "key_shares.h"
#include "small_state_rules.h"

#define PLUMB_SMALL_REFUSED UINT32_MAX

struct plumb_check_small_state_type {
    uint32_t start; /* the state of every key */
    bool whole;     /* there are no keys: all is of key 0 */
    /* The state behind `o` in `state`, or REFUSED if it cannot answer what it
     * answered.  A pending one answers what it likes; REFUSED if that leaves
     * the state as it is. */
    uint32_t (*step)(uint32_t state, const struct plumb_check_input_op *o,
                     bool pending);
    /* Does it leave every state as it is, whatever it answers if pending? */
    bool (*reads)(const struct plumb_check_input_op *o, bool pending);
    /* Its key is given up. */
    bool (*declines)(const struct plumb_check_input_op *o);
    /* The same as step() of those that are not pending; NULL: not given. */
    const struct plumb_check_small_state_rules *rules;
};

struct plumb_check_small_state_overlap; /* of a key where operations overlap */
struct plumb_check_small_state_effect;

enum plumb_check_small_state_fate {
    PLUMB_SMALL_FOLLOWED,
    PLUMB_SMALL_LEFT,
    PLUMB_SMALL_VIOLATED
};

/* There is an overlap, or the key is not followed any more. */
#define PLUMB_SMALL_SEVERAL UINT32_MAX

struct plumb_check_small_state_key {
    uint32_t state; /* without an overlap: all there is, and ... */
    uint32_t open;  /* ... the only open operation, plus 1; or 0; or SEVERAL */
    uint32_t overlap; /* or 0 */
    uint32_t fate;
};

struct plumb_check_small_state {
    const struct plumb_check_small_state_type *type;
    const struct plumb_check_input *input;
    struct plumb_budget *budget;
    uint32_t known; /* what returns behind this rank is pending */
    /* Comparisons that may be made, by group of keys; then they are left. */
    uint64_t work[PLUMB_KEY_GROUPS];
    struct plumb_check_small_state_key *key;

    /* By operation: it took effect at its return, alone with its key.  NULL if
     * not wanted.  The others are listed, those of a key in the order in which
     * they took effect, with the ranks of the events at which they did. */
    bool *own;
    struct plumb_check_effect *amid;
    uint32_t amids;

    /* private */
    size_t amid_capacity;
    struct plumb_check_small_state_overlap *overlaps;
    size_t overlaps_capacity;
    uint32_t overlap_count, free_overlap;
    struct plumb_check_small_state_effect *log;
    size_t log_capacity;
    uint32_t log_count, free_log;
    struct plumb_check_small_state_config *queue, *out;
    uint32_t queued, outs;
    bool no_room; /* memory is used up */
};

/* type, input, budget, known, work, key and own are set; all keys are as
 * plumb_check_small_state_start() makes them. */
bool plumb_check_small_state_init(struct plumb_check_small_state *f);
void plumb_check_small_state_release(struct plumb_check_small_state *f);

static inline struct plumb_check_small_state_key plumb_check_small_state_start(
    const struct plumb_check_small_state *f)
{
    return (struct plumb_check_small_state_key){ .state = f->type->start };
}

/* No more events of key k: say what took effect. */
void plumb_check_small_state_finish(struct plumb_check_small_state *f,
                                    uint32_t k);

/* How many of the events, from the first on, are of operations that are alone
 * with their keys?  They have happened. */
uint32_t plumb_check_small_state_go_alone(struct plumb_check_small_state *f,
                                          const uint32_t *event,
                                          uint32_t events);

/* ---- the usual case, in line: alone with its key ---- */

void plumb_check_small_state_call_amid(struct plumb_check_small_state *f,
                                       uint32_t i,
                                       struct plumb_check_small_state_key *key,
                                       uint32_t now);
void plumb_check_small_state_return_amid(
    struct plumb_check_small_state *f, uint32_t i,
    struct plumb_check_small_state_key *key, uint32_t now);

/* An event of operation i, of key k; `now` is its rank.
 * The fate of the key may become LEFT or VIOLATED; after that its events are
 * ignored. */
static inline void plumb_check_small_state_call(
    struct plumb_check_small_state *f, uint32_t i, uint32_t k, uint32_t now)
{
    struct plumb_check_small_state_key *const key = f->key + k;
    if (f->input->op[i].ret > f->known || f->type->declines || key->open)
        plumb_check_small_state_call_amid(f, i, key, now);
    else
        key->open = i + 1;
}

static inline void plumb_check_small_state_return(
    struct plumb_check_small_state *f, uint32_t i, uint32_t k, uint32_t now)
{
    struct plumb_check_small_state_key *const key = f->key + k;
    if (key->open == PLUMB_SMALL_SEVERAL) {
        plumb_check_small_state_return_amid(f, i, key, now);
        return;
    }
    const uint32_t state = f->type->step(key->state, f->input->op + i, false);
    if (state == PLUMB_SMALL_REFUSED) {
        key->fate = PLUMB_SMALL_VIOLATED;
        key->open = PLUMB_SMALL_SEVERAL;
        return;
    }
    key->state = state;
    key->open = 0;
    if (f->own)
        f->own[i] = true;
}

/* ---- a monitor made of what is known of each key (keyed_small_state.c) ---- */

/* `why`: what is said of keys that were given up. */
bool plumb_check_monitor_small_state(
    struct plumb_check_monitoring *m,
    const struct plumb_check_small_state_type *type, const char *why);

/* A register whatever its values are, with compare-and-set and swap
 * (any_register.c); `why` there are no intervals. */
bool plumb_check_monitor_any_register(struct plumb_check_monitoring *m,
                                      const char *why);

#endif
