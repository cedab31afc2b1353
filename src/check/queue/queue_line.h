/* queue_line.h - what is open or inside a queue that is followed event by event.
 *
 * Items stand in line in the order in which it was known that they are inside:
 * their enqueue returned, or somebody answered them.  Takers are open dequeues
 * and open peeks, in the order of their calls.  Debts are items that some open
 * dequeue must have taken, in the order of their deadlines.  All are linked
 * lists through arrays; number 0 is nobody.  Those that left are kept in that
 * order as long as a peek is open that was open then. */
#ifndef PLUMB_CHECK_QUEUE_QUEUE_LINE_H
#define PLUMB_CHECK_QUEUE_QUEUE_LINE_H

#include "check/live/live_numbers.h"

struct plumb_check_line_link {
    uint32_t before, after;
};

/* One value, from the call of its enqueue on.  Times are events. */
struct plumb_check_line_item {
    uint64_t call;     /* of its enqueue */
    uint64_t came;     /* it is inside since; 0: perhaps it is not yet */
    uint64_t deadline; /* it left before; UINT64_MAX: no debt */
    uint64_t seen;     /* the first answer of it returned; 0: none did */
    uint64_t left;     /* a dequeue returned it; 0: none did */
    struct plumb_check_line_link line, debt;
    struct plumb_check_line_link
        gone; /* that left; `after`: the next free one */
    uint32_t word;
    bool adding; /* its enqueue is open */
    bool lined;  /* in the line */
    bool known;  /* its word means it */
};

struct plumb_check_line_taker {
    uint64_t call;  /* it takes effect behind */
    uint64_t since; /* it was called */
    struct plumb_check_line_link line;
    struct plumb_check_line_link live; /* those that may still return */
};

enum { PLUMB_LINE_DEQUEUES = 0, PLUMB_LINE_PEEKS = 1 };

struct plumb_check_line {
    struct plumb_budget *budget;
    struct plumb_check_live_numbers *numbers;
    struct plumb_check_line_item
        *item; /* 0 is the ends of the line and the debts */
    size_t item_capacity;
    uint32_t items, free_item;
    struct plumb_check_line_taker
        *taker; /* 0 and 1 are the ends of two lists */
    size_t taker_capacity;
    uint32_t takers, free_taker;
    uint32_t *item_of; /* by word: 0 nil, else word + 1 */
    size_t words;
    uint64_t kept;     /* items */
    uint64_t inside;   /* items in line that have not left */
    uint64_t dequeues; /* open */
};

bool plumb_check_line_init(struct plumb_check_line *l,
                           struct plumb_check_live_numbers *numbers,
                           struct plumb_budget *budget);
void plumb_check_line_release(struct plumb_check_line *l);

/* The item that the word means; 0: none. */
uint32_t plumb_check_line_find(const struct plumb_check_line *l, uint32_t word);

/* A new one, that the word means from now on.  0: no room. */
uint32_t plumb_check_line_add(struct plumb_check_line *l, uint32_t word,
                              uint64_t call);

/* Its word may mean another from now on. */
void plumb_check_line_unname(struct plumb_check_line *l, uint32_t item);

/* Forget it, if nobody can ask for it any more. */
void plumb_check_line_drop(struct plumb_check_line *l, uint32_t item);

/* It is inside: the last in line. */
void plumb_check_line_enter(struct plumb_check_line *l, uint32_t item,
                            uint64_t now);
void plumb_check_line_unlink(struct plumb_check_line *l, uint32_t item);

/* It left; an open peek may still answer it.  And: none may. */
void plumb_check_line_keep(struct plumb_check_line *l, uint32_t item);
void plumb_check_line_unkeep(struct plumb_check_line *l, uint32_t item);

/* Some open peek was called while it was certainly inside. */
bool plumb_check_line_is_watched(const struct plumb_check_line *l,
                                 uint32_t item);

/* It left before.  Equal deadlines stand in the order in which they came. */
void plumb_check_line_owe(struct plumb_check_line *l, uint32_t item,
                          uint64_t deadline);
void plumb_check_line_pay(struct plumb_check_line *l, uint32_t item);

/* A new open one, in list DEQUEUES or PEEKS.  0: no room. */
uint32_t plumb_check_line_take(struct plumb_check_line *l, uint32_t list,
                               uint64_t call);
void plumb_check_line_untake(struct plumb_check_line *l, uint32_t list,
                             uint32_t taker);

/* It stays open, but never returns. */
void plumb_check_line_hang(struct plumb_check_line *l, uint32_t taker);

/* An item was the front from the one event to the other: whatever else was
 * called in between happens behind, and what left by then has left before. */
void plumb_check_line_hold(struct plumb_check_line *l, uint64_t from,
                           uint64_t to);

/* All that may still return was called behind that event. */
static inline bool plumb_check_line_is_past(const struct plumb_check_line *l,
                                            uint64_t event)
{
    for (uint32_t list = 0; list < 2; list++) {
        const uint32_t first = l->taker[list].live.after;
        if (first != list && l->taker[first].call < event)
            return false;
    }
    return true;
}

static inline bool plumb_check_line_owes(const struct plumb_check_line *l,
                                         uint32_t item)
{
    return l->item[item].deadline != UINT64_MAX;
}

#endif
