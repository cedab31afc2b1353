/* quasi_stack.c - a list from whose first items any may be popped.
 *
 * A push puts a node on top by a CAS, a pop marks any of the first K + 1 nodes
 * that are not marked yet, and the top moves down over marked ones.
 *
 *     top -> x -> 4 -> x -> 2 -> 1        K = 1: 4 or 2 may be popped
 *
 * Round-Up (2015) has a quasi stack in its Table I, and says that it is
 * linearizable: so it is here with K = 0, the default.  -DK=2 relaxes it.
 *
 * Proof sketch.  Nodes are never unmarked, and links do not change.  A push
 * takes effect with its CAS of `top`.  A pop reads `top`, walks to the items,
 * and reads `top` again: if it is the same, then now no more than K items are
 * above the one it has chosen, as all others on its way are marked.  It takes
 * effect then, stack:k=K, if afterwards its CAS marks the node: nobody else can
 * have had the item in between.  Meanwhile others may still count the item
 * among the K above theirs, which only keeps them higher up.  Empty: all nodes
 * of the list were marked when `top` was read again.
 * The top may be the same node because another was pushed, popped and passed in
 * between.  Then it is gone, and all holds.
 *
 * The names b1 and b2 are those of the faulty variants of the paper, which says
 * what they answer; how they come to it is ours.
 *
 * FAULT_GIVE_UP (b1): who chose an item and did not get it, answers empty.
 * FAULT_FAR (b2): chooses among K + 2 items.
 * FAULT_ONE_LOOK: does not read `top` again.  Items that were there first are
 * popped, others are pushed above: K and more may be above the chosen one (not
 * with K = 0).
 *
 * Nodes stay until teardown. */
#include <plumb/object.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef K
#define K 0
#endif

#ifdef FAULT_FAR
enum { WINDOW = K + 2 };
#else
enum { WINDOW = K + 1 };
#endif

struct node {
    struct node *below; /* does not change once others can see the node */
    _Atomic bool taken;
    int64_t item;
    struct node *next_passed;
};

static _Atomic(struct node *) top;
static _Atomic(struct node *) passed; /* for teardown */

static void setup(void)
{
    atomic_init(&top, NULL);
    atomic_init(&passed, NULL);
}

static void teardown(void)
{
    for (struct node *n = atomic_load(&top), *next; n; n = next) {
        next = n->below;
        free(n);
    }
    for (struct node *n = atomic_load(&passed), *next; n; n = next) {
        next = n->next_passed;
        free(n);
    }
}

static void push(plumb_invocation *i)
{
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
    atomic_init(&n->taken, false);
    n->item = plumb_arg(i, 0);
    n->below = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->below, n))
        plumb_retry();
}

static void keep_for_teardown(struct node *n)
{
    n->next_passed = atomic_load(&passed);
    while (!atomic_compare_exchange_strong(&passed, &n->next_passed, n))
        plumb_retry();
}

/* Move the top down over nodes that are marked. */
static void lower_top(void)
{
    struct node *n = atomic_load(&top);
    while (n && atomic_load(&n->taken))
        if (atomic_compare_exchange_strong(&top, &n, n->below)) {
            struct node *const below = n->below;
            keep_for_teardown(n);
            n = below;
        }
}

struct candidates {
    struct node *node[WINDOW];
    unsigned count;
};

/* The first items of the list; false if they were not there together. */
static bool look(struct candidates *c)
{
    struct node *const first = atomic_load(&top);
    c->count = 0;
    for (struct node *n = first; n && c->count < WINDOW; n = n->below)
        if (!atomic_load(&n->taken))
            c->node[c->count++] = n;
#ifdef FAULT_ONE_LOOK
    return true;
#else
    return atomic_load(&top) == first;
#endif
}

static bool take(struct node *n)
{
    bool taken = false;
    return atomic_compare_exchange_strong(&n->taken, &taken, true);
}

static void pop(plumb_invocation *i)
{
    for (;; plumb_retry()) {
        struct candidates c;
        if (!look(&c))
            continue;
        struct node *const n = c.count ? c.node[plumb_choose(c.count)] : NULL;
        if (n && take(n)) {
            plumb_return(i, n->item);
            lower_top();
            return;
        }
#ifdef FAULT_GIVE_UP
        plumb_term(i, "empty");
        return;
#endif
        if (!n) {
            plumb_term(i, "empty");
            return;
        }
    }
}

#define TEXT(x) #x
#if K == 0
#define SPEC_OF(k) "stack"
#else
#define SPEC_OF(k) "stack:k=" TEXT(k)
#endif

PLUMB_OBJECT(.name = "S", .spec = SPEC_OF(K), .setup = setup,
             .teardown = teardown,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
