/* item_counter.h - what the parts of item_counts.c share.
 *
 * A *region* is, for each d of a window, the least e that can be reached. */
#ifndef PLUMB_CHECK_QUEUE_ITEM_COUNTER_H
#define PLUMB_CHECK_QUEUE_ITEM_COUNTER_H

#include "base/pace.h"
#include "base/vector.h"
#include "check/keyed/keyed.h"
#include "item_counts.h"

#define COUNT_NONE UINT32_MAX

enum { MOST_REGIONS = 24, MOST_ROWS = 64, MOST_OPEN = 64 };

struct plumb_check_region {
    uint32_t empties, fulls; /* so many open ones are explained */
    uint32_t least[MOST_ROWS];
};

/* After an event, or just before it. */
struct plumb_check_front {
    uint32_t d, rows; /* d ... d + rows - 1 */
    uint32_t count;
    struct plumb_check_region region[MOST_REGIONS];
};

/* What calls allow, and which failing answers are open, by call. */
struct plumb_check_moment {
    uint32_t rank;
    uint32_t called, leaving; /* items 1 ... were added, removed: calls */
    uint32_t empty[MOST_OPEN + 1], full[MOST_OPEN + 1];
    uint32_t empties, fulls;
};

struct plumb_check_counter {
    struct plumb_check_counting *c;
    struct plumb_check_moment now;
    struct plumb_check_front front;
    PLUMB_VECTOR(uint32_t) kept; /* fronts, packed */
    uint32_t *start;             /* by event, of returns: where in there */
    uint32_t *out;               /* the order, from its end */
    uint32_t outs;
    bool *listed; /* by operation, of failing ones */
    uint64_t steps;
    PLUMB_VECTOR(uint32_t) exchanged; /* items, with the next */
    uint32_t repairs;
};

static inline uint32_t counted_smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t counted_larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline const struct plumb_check_input_op *counted_operation(
    const struct plumb_check_counter *s, uint32_t event)
{
    return s->c->input->op + event / 2;
}

static inline bool counted_fails(const struct plumb_check_input_op *o)
{
    return o->term == PLUMB_TERM_EMPTY || o->term == PLUMB_TERM_FULL;
}

/* ---- count_regions.c ---- */

/* The least e from `least` on that allows `empty`, or `full`; COUNT_NONE if none
 * does. */
uint32_t plumb_check_count_empty(const struct plumb_check_counter *s,
                                 uint32_t d, uint32_t least);
uint32_t plumb_check_count_full(const struct plumb_check_counter *s, uint32_t d,
                                uint32_t least);

/* The most that may have come, if d have left. */
uint32_t plumb_check_count_most(const struct plumb_check_counter *s,
                                uint32_t d);

bool plumb_check_count_is_nothing(const struct plumb_check_front *f,
                                  const struct plumb_check_region *r);
void plumb_check_count_drop(struct plumb_check_front *f, uint32_t i);

/* What `from` becomes by a visit that explains all that answered `empty`, or
 * `full`. */
void plumb_check_count_visit(const struct plumb_check_counter *s,
                             const struct plumb_check_front *f,
                             const struct plumb_check_region *from, bool full,
                             struct plumb_check_region *to);

/* What calls have made possible: just before the next return.  False, here and
 * below: too many overlap. */
bool plumb_check_count_open_window(const struct plumb_check_counter *s,
                                   struct plumb_check_front *f);

/* All that visits lead to. */
bool plumb_check_count_explain(const struct plumb_check_counter *s,
                               struct plumb_check_front *f);

/* ---- count_events.c ---- */

/* At first. */
void plumb_check_count_begin(struct plumb_check_counter *s);

/* What happens at events *at ... `to` - 1; *at is where it ended. */
enum plumb_check_count_word plumb_check_count_sweep(
    struct plumb_check_counter *s, uint32_t *at, uint32_t to);

/* After the return at event `at`, or at first if there is none (COUNT_NONE). */
void plumb_check_count_recall(struct plumb_check_counter *s, uint32_t at);

/* The words that the front takes where it is kept. */
uint32_t plumb_check_count_size(const struct plumb_check_front *f);

/* Take back what was seen of an event. */
void plumb_check_count_unsee(struct plumb_check_counter *s, uint32_t event);

/* ---- count_order.c ---- */

/* Of two items that may be in either order, the one whose addition returns
 * later is first.  False: time or memory is used up. */
bool plumb_check_count_late_first(struct plumb_check_counter *s);

/* It went wrong at event *at, whose return was seen.  FINE: in another order it
 * does not, and *at is the next event. */
enum plumb_check_count_word plumb_check_count_repair(
    struct plumb_check_counter *s, uint32_t *at);

/* ---- count_back.c ---- */

/* An order of effects from its end, into s->out, along what was kept.  False:
 * time is used up. */
bool plumb_check_count_backward(struct plumb_check_counter *s);

#endif
