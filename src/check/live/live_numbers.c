/* live_numbers.c - a hash table with chains, from which can be removed.
 *
 * Nothing can be removed from base/index.h, and here as many values go as come:
 * numbers are given again. */
#include "live_numbers.h"

#include "base/hash.h"
#include "base/memory.h"
#include <assert.h>

enum { FEW = 4 };

void plumb_check_live_numbers_init(struct plumb_check_live_numbers *n,
                                   struct plumb_budget *budget)
{
    *n = (struct plumb_check_live_numbers){ .budget = budget };
}

void plumb_check_live_numbers_release(struct plumb_check_live_numbers *n)
{
    PLUMB_RELEASE(n->budget, n->value, n->value_capacity);
    PLUMB_RELEASE(n->budget, n->next, n->next_capacity);
    PLUMB_RELEASE(n->budget, n->first, n->buckets);
    plumb_check_live_numbers_init(n, n->budget);
}

static uint32_t *bucket_of(const struct plumb_check_live_numbers *n,
                           struct plumb_value v)
{
    return n->first +
           ((uint32_t)plumb_base_mix(v.bits, v.tag) & (n->buckets - 1));
}

static void chain(struct plumb_check_live_numbers *n, uint32_t number)
{
    uint32_t *const first = bucket_of(n, n->value[number]);
    n->next[number] = *first;
    *first = number + 1;
}

/* Twice the buckets.  Free numbers are in no chain. */
static bool spread(struct plumb_check_live_numbers *n)
{
    const uint32_t buckets = n->buckets ? 2 * n->buckets : FEW;
    uint32_t *const first =
        plumb_base_alloc_zeroed(n->budget, buckets * sizeof *first);
    if (!first)
        return false;
    uint32_t *const old = n->first;
    const uint32_t olds = n->buckets;
    n->first = first;
    n->buckets = buckets;
    for (uint32_t i = 0; i < olds; i++)
        for (uint32_t at = old[i], next; at; at = next) {
            next = n->next[at - 1];
            chain(n, at - 1);
        }
    PLUMB_RELEASE(n->budget, old, olds);
    return true;
}

static bool make_number(struct plumb_check_live_numbers *n, uint32_t *number)
{
    if (n->free) {
        *number = n->free - 1;
        n->free = n->next[*number];
        return true;
    }
    const size_t need = (size_t)n->count + 1;
    if (need > INT32_MAX ||
        !PLUMB_GROW(n->budget, n->value, n->value_capacity, need) ||
        !PLUMB_GROW(n->budget, n->next, n->next_capacity, need))
        return false;
    *number = n->count++;
    return true;
}

uint32_t plumb_check_live_number(struct plumb_check_live_numbers *n,
                                 struct plumb_value v)
{
    uint32_t number;
    if (n->used >= n->buckets && !spread(n))
        return UINT32_MAX;
    for (uint32_t at = *bucket_of(n, v); at; at = n->next[at - 1])
        if (plumb_value_equal(n->value[at - 1], v))
            return at - 1;
    if (!make_number(n, &number))
        return UINT32_MAX;
    n->value[number] = v;
    chain(n, number);
    n->used++;
    return number;
}

void plumb_check_live_forget(struct plumb_check_live_numbers *n,
                             uint32_t number)
{
    assert(number < n->count && n->used);
    uint32_t *at = bucket_of(n, n->value[number]);
    while (*at != number + 1)
        at = &n->next[*at - 1];
    *at = n->next[number];
    n->next[number] = n->free;
    n->free = number + 1;
    n->used--;
}

/* ---- other symbols ---- */

void plumb_check_live_numbers_need(const struct plumb_check_live_numbers *n,
                                   bool *symbol)
{
    for (uint32_t i = 0; i < n->buckets; i++)
        for (uint32_t at = n->first[i]; at; at = n->next[at - 1])
            if (n->value[at - 1].tag == PLUMB_STR)
                symbol[n->value[at - 1].bits] = true;
}

/* Free numbers are in no chain, but in that of the free ones. */
void plumb_check_live_numbers_rename(struct plumb_check_live_numbers *n,
                                     const struct plumb_history_renaming *r)
{
    uint32_t used = 0; /* a chain of all */
    for (uint32_t i = 0; i < n->buckets; i++) {
        for (uint32_t at = n->first[i], next; at; at = next) {
            next = n->next[at - 1];
            n->next[at - 1] = used;
            used = at;
        }
        n->first[i] = 0;
    }
    for (uint32_t at = used, next; at; at = next) {
        next = n->next[at - 1];
        plumb_history_rename_value(r, n->value + at - 1);
        chain(n, at - 1);
    }
}

/* ---- users ---- */

void plumb_check_live_users_init(struct plumb_check_live_users *u,
                                 struct plumb_check_live_numbers *numbers)
{
    *u = (struct plumb_check_live_users){ .numbers = numbers };
}

void plumb_check_live_users_release(struct plumb_check_live_users *u)
{
    PLUMB_RELEASE(u->numbers->budget, u->users, u->capacity);
    plumb_check_live_users_init(u, u->numbers);
}

static bool is_number(uint32_t word)
{
    return word < INT32_MAX;
}

bool plumb_check_live_use(struct plumb_check_live_users *u, uint32_t word)
{
    if (!is_number(word))
        return true;
    if (!PLUMB_GROW_ZEROED(u->numbers->budget, u->users, u->capacity,
                           (size_t)word + 1))
        return false;
    u->users[word]++;
    return true;
}

void plumb_check_live_leave(struct plumb_check_live_users *u, uint32_t word)
{
    assert(!is_number(word) || (word < u->capacity && u->users[word]));
    if (is_number(word) && !--u->users[word])
        plumb_check_live_forget(u->numbers, word);
}
