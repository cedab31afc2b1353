/* queue_line.h - what is open or inside a queue that is followed event by event.
 *
 * Items stand in line in the order in which it was known that they are inside:
 * their enqueue returned, or somebody answered them.  Takers are open dequeues
 * and open peeks, in the order of their calls.  Debts are items that some open
 * dequeue must have taken, in the order of their deadlines.  All are linked
 * lists through arrays; number 0 is nobody. */
#ifndef PLUMB_CHECK_QUEUE_LINE_H
#define PLUMB_CHECK_QUEUE_LINE_H

#include "check/live_numbers.h"

struct plumb_line_link {
    uint32_t before, after;
};

/* One value, from the call of its enqueue on.  Times are events. */
struct plumb_line_item {
    uint64_t call;     /* of its enqueue */
    uint64_t came;     /* it is inside since; 0: perhaps it is not yet */
    uint64_t deadline; /* it left before; UINT64_MAX: no debt */
    uint64_t seen;     /* the first answer of it returned; 0: none did */
    uint64_t left;     /* a dequeue returned it; 0: none did */
    struct plumb_line_link line, debt;
    uint32_t next; /* that left, or the next free one */
    uint32_t word;
    bool adding; /* its enqueue is open */
    bool lined;  /* in the line */
    bool known;  /* its word means it */
};

struct plumb_line_taker {
    uint64_t call;
    struct plumb_line_link line;
};

enum { PLUMB_LINE_DEQUEUES = 0, PLUMB_LINE_PEEKS = 1 };

struct plumb_line {
    struct plumb_budget *budget;
    struct plumb_live_numbers *numbers;
    struct plumb_line_item *item; /* 0 is the ends of the line and the debts */
    size_t item_capacity;
    uint32_t items, free_item;
    struct plumb_line_taker *taker; /* 0 and 1 are the ends of two lists */
    size_t taker_capacity;
    uint32_t takers, free_taker;
    uint32_t *item_of; /* by word: 0 nil, else word + 1 */
    size_t words;
    uint64_t kept;                  /* items */
    uint64_t inside;                /* items in line that have not left */
    uint64_t dequeues;              /* open */
    uint32_t gone_first, gone_last; /* that left, for the open peeks */
};

bool plumb_line_init(struct plumb_line *l, struct plumb_live_numbers *numbers,
                     struct plumb_budget *budget);
void plumb_line_release(struct plumb_line *l);

/* The item that the word means; 0: none. */
uint32_t plumb_line_find(const struct plumb_line *l, uint32_t word);

/* A new one, that the word means from now on.  0: no room. */
uint32_t plumb_line_add(struct plumb_line *l, uint32_t word, uint64_t call);

/* Its word may mean another from now on. */
void plumb_line_unname(struct plumb_line *l, uint32_t item);

/* Forget it, if nobody can ask for it any more. */
void plumb_line_drop(struct plumb_line *l, uint32_t item);

/* It is inside: the last in line. */
void plumb_line_enter(struct plumb_line *l, uint32_t item, uint64_t now);
void plumb_line_unlink(struct plumb_line *l, uint32_t item);

void plumb_line_owe(struct plumb_line *l, uint32_t item, uint64_t deadline);
void plumb_line_pay(struct plumb_line *l, uint32_t item);

/* A new open one, in list DEQUEUES or PEEKS.  0: no room. */
uint32_t plumb_line_take(struct plumb_line *l, uint32_t list, uint64_t call);
void plumb_line_untake(struct plumb_line *l, uint32_t list, uint32_t taker);

/* An item was the front from the one event to the other: whatever else was
 * called in between happens behind. */
void plumb_line_hold(struct plumb_line *l, uint64_t from, uint64_t to);

static inline bool plumb_line_owes(const struct plumb_line *l, uint32_t item)
{
    return l->item[item].deadline != UINT64_MAX;
}

#endif
