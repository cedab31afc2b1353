/* live_numbers.h - values of a stream as small numbers, as long as somebody
 * needs them.
 *
 * A number that is forgotten is given to another value, so tables by number
 * stay as small as what is resident. */
#ifndef PLUMB_CHECK_LIVE_LIVE_NUMBERS_H
#define PLUMB_CHECK_LIVE_LIVE_NUMBERS_H

#include "history/renaming.h"
#include <plumb/budget.h>
#include <plumb/value.h>
#include <stdbool.h>
#include <stddef.h>

struct plumb_check_live_numbers {
    struct plumb_budget *budget;
    struct plumb_value *value; /* by number */
    uint32_t *next;  /* by number: the next of its chain, or free one */
    uint32_t *first; /* by hash: number + 1 */
    size_t value_capacity, next_capacity;
    uint32_t buckets;     /* of first[], a power of two */
    uint32_t count, used; /* numbers ever given; now in use */
    uint32_t free;        /* the first free one + 1 */
};

void plumb_check_live_numbers_init(struct plumb_check_live_numbers *n,
                                   struct plumb_budget *budget);
void plumb_check_live_numbers_release(struct plumb_check_live_numbers *n);

/* The number of a value; UINT32_MAX when memory is used up. */
uint32_t plumb_check_live_number(struct plumb_check_live_numbers *n,
                                 struct plumb_value v);

/* Nobody needs it any more. */
void plumb_check_live_forget(struct plumb_check_live_numbers *n,
                             uint32_t number);

/* Say which symbols are needed; then, that they are others. */
void plumb_check_live_numbers_need(const struct plumb_check_live_numbers *n,
                                   bool *symbol);
void plumb_check_live_numbers_rename(struct plumb_check_live_numbers *n,
                                     const struct plumb_history_renaming *r);

static inline struct plumb_value plumb_check_live_value(
    const struct plumb_check_live_numbers *n, uint32_t number)
{
    return n->value[number];
}

/* ---- who uses a number: when nobody does, it is forgotten ---- */

struct plumb_check_live_users {
    struct plumb_check_live_numbers *numbers;
    uint32_t *users; /* by number */
    size_t capacity;
};

void plumb_check_live_users_init(struct plumb_check_live_users *u,
                                 struct plumb_check_live_numbers *numbers);
void plumb_check_live_users_release(struct plumb_check_live_users *u);

/* Words that are no numbers are ignored.  False when memory is used up. */
bool plumb_check_live_use(struct plumb_check_live_users *u, uint32_t word);
void plumb_check_live_leave(struct plumb_check_live_users *u, uint32_t word);

#endif
