/* concurrent_stack.c - Treiber's list, with operations on several items.
 *
 * ConcurrentStack of .NET 4.0, a subject of Line-Up (Burckhardt et al., PLDI
 * 2010, table 1), made again from its documented behaviour.  Ten items are
 * pushed as a chain by one CAS; up to four are popped by one CAS that moves the
 * top past them.  Nodes do not change once they are in the list, and no node
 * comes back (collected.h), so whoever has read `top` has read the whole stack.
 *
 * What changes the stack takes effect at its CAS or exchange; what does not,
 * and what finds it empty, when it reads `top`. */
#include "../common/lock.h"
#include "collected.h"

#include <stdatomic.h>

enum { RANGE = 10, MOST = 100 };

struct node {
    int64_t item;
    struct node *next;
};

static _Atomic(struct node *) top;

static void setup(void)
{
    atomic_store(&top, NULL);
}

/* ---- pushing ---- */

static struct node *new_node(const plumb_invocation *i, int64_t item,
                             struct node *next)
{
    struct node *const n = collected_new(i, sizeof *n);
    *n = (struct node){ item, next };
    return n;
}

/* From `first` to `last` they are linked already. */
static void push_chain(struct node *first, struct node *last)
{
    last->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &last->next, first))
        plumb_retry();
}

static void push(plumb_invocation *i)
{
    struct node *const n = new_node(i, plumb_arg(i, 0), NULL);
    push_chain(n, n);
}

/* push_range_ten(2): 20, 21, ... 29, which is then on top. */
static void push_range_ten(plumb_invocation *i)
{
    struct node *const last = new_node(i, plumb_arg(i, 0) * RANGE, NULL);
    struct node *first = last;
    for (int64_t n = 1; n < RANGE; n++)
        first = new_node(i, plumb_arg(i, 0) * RANGE + n, first);
    push_chain(first, last);
}

/* ---- popping ---- */

/* The node behind the first `most`, or NULL. */
static struct node *skip(struct node *n, int most)
{
    while (n && most-- > 0)
        n = n->next;
    return n;
}

/* Answers up to `most` items, or empty. */
static void pop_up_to(plumb_invocation *i, int most)
{
    struct node *first = atomic_load(&top);
    struct node *rest = skip(first, most);
    while (first && !atomic_compare_exchange_strong(&top, &first, rest)) {
        plumb_retry();
        rest = skip(first, most);
    }
    if (!first)
        plumb_term(i, "empty");
    for (; first != rest; first = first->next)
        plumb_return(i, first->item);
}

static void try_pop(plumb_invocation *i)
{
    pop_up_to(i, 1);
}

static void try_pop_range_one(plumb_invocation *i)
{
    pop_up_to(i, 1);
}

static void try_pop_range_two(plumb_invocation *i)
{
    pop_up_to(i, 2);
}

static void try_pop_range_four(plumb_invocation *i)
{
    pop_up_to(i, 4);
}

static void clear(plumb_invocation *i)
{
    (void)i;
    atomic_store(&top, NULL);
}

/* ---- looking ---- */

static void count(plumb_invocation *i)
{
    int64_t n = 0;
    for (const struct node *p = atomic_load(&top); p; p = p->next)
        n++;
    plumb_return(i, n);
}

static void try_peek(plumb_invocation *i)
{
    const struct node *const first = atomic_load(&top);
    if (first)
        plumb_return(i, first->item);
    else
        plumb_term(i, "empty");
}

/* Into ascending order. */
static void insert(int64_t *item, int count_before, int64_t x)
{
    int at = count_before;
    for (; at > 0 && item[at - 1] > x; at--)
        item[at] = item[at - 1];
    item[at] = x;
}

/* All items, in ascending order; no more than an answer can have. */
static void to_array_order_by(plumb_invocation *i)
{
    int64_t item[MOST];
    int n = 0;
    for (const struct node *p = atomic_load(&top); p && n < MOST; p = p->next)
        insert(item, n++, p->item);
    for (int at = 0; at < n; at++)
        plumb_return(i, item[at]);
}

PLUMB_OBJECT(.name = "S", .setup = setup, .teardown = collected_free_all,
             .operations = {
                 { "clear", clear },
                 { "count", count },
                 { "push", push, { PLUMB_FRESH } },
                 { "push_range_ten", push_range_ten, { PLUMB_FRESH } },
                 { "try_pop", try_pop },
                 { "try_pop_range_one", try_pop_range_one },
                 { "try_pop_range_two", try_pop_range_two },
                 { "try_pop_range_four", try_pop_range_four },
                 { "try_peek", try_peek },
                 { "to_array_order_by", to_array_order_by } });
