/* ts_stack.c - the time-stamped stack.
 *
 * Mike Dodds, Andreas Haas, Christoph Kirsch, 2015; the variant with one
 * atomic counter as clock.  Each thread pushes into a pool of its own, where
 * nobody competes, and stamps what it pushed.  A pop looks at the youngest item
 * of every pool and takes the one with the latest stamp.
 *
 *     pool of P0:  top -> 9 -> 4 -> 1        pop takes 9, unless the item
 *     pool of P1:  top -> . -> 3             that has no stamp yet (.) is
 *     pool of P2:  top -> 7                  there: its push is under way
 *
 * Proof sketch (the paper has the whole).  An item is in the stack from when
 * its node is linked until `taken` is set, by a CAS, so by one pop.
 * - Stamps.  A push links its node and then draws the stamp.  If push a ends
 *   before push b begins, a's stamp is earlier.  So if a pop sees both in its
 *   pools, it does not take a.  It can miss b only if b was linked after the
 *   pop looked into that pool, hence after it began: then the pop linearizes
 *   before push b.  Pushes that overlap may be ordered either way.
 * - An item without stamp, or with one later than the pop's own first stamp,
 *   was pushed while the pop was running.  The two cancel each other out, at
 *   once: push and pop linearize next to each other.
 * - pop = empty.  No pool had an item, each at its time.  Then all pools are
 *   looked at again: if their tops are the same, nothing was linked between
 *   the two looks, so between the two rounds all pools were empty at once.
 *   Nodes are numbered in each pool, so the sum of the numbers of the tops
 *   tells whether any of them changed.
 * - Only its thread writes a pool's `top`, when it pushes; it then leaves out
 *   the taken nodes at the front, and retires them.  Others may be walking
 *   there: reclamation by epochs (smr/epoch.h).  A node is left out once, as
 *   no link leads to it afterwards.
 *
 * FAULT_TORN_CLOCK: the counter is read and written in two steps.  A thread
 * that sleeps between them sets the clock back, and later pushes get earlier
 * stamps than items that lie below them. */
#include "../smr/epoch.h"
#include <plumb/object.h>

#define NO_STAMP UINT64_MAX

struct node {
    struct epoch_link retired;
    struct node *next; /* does not change while others can see the node */
    int64_t value;
    uint64_t number; /* in its pool, from 1 */
    _Atomic uint64_t stamp;
    _Atomic bool taken;
};

struct pool {
    struct local local;
    _Atomic(struct node *) top; /* written by its thread alone */
};

static struct local_registry pools;
static _Thread_local struct local_slot my_pool;
static _Atomic uint64_t ticks;

static uint64_t draw_stamp(void)
{
#ifdef FAULT_TORN_CLOCK
    const uint64_t now = atomic_load_explicit(&ticks, memory_order_seq_cst) + 1;
    atomic_store_explicit(&ticks, now, memory_order_seq_cst);
    return now;
#else
    return atomic_fetch_add_explicit(&ticks, 1, memory_order_seq_cst) + 1;
#endif
}

static bool is_taken(struct node *n)
{
    return atomic_load_explicit(&n->taken, memory_order_seq_cst);
}

static bool take(struct node *n)
{
    bool no = false;
    return atomic_compare_exchange_strong_explicit(
        &n->taken, &no, true, memory_order_seq_cst, memory_order_seq_cst);
}

static struct node *top_of(struct pool *p)
{
    return atomic_load_explicit(&p->top, memory_order_seq_cst);
}

static struct node *skip_taken(struct node *n)
{
    while (n && is_taken(n))
        n = n->next;
    return n;
}

static void retire_between(struct node *from, const struct node *to)
{
    while (from != to) {
        struct node *const next = from->next;
        epoch_retire(&from->retired);
        from = next;
    }
}

/* Link a node before the items of this thread's pool. */
static struct node *link_node(int64_t value)
{
    struct pool *const mine =
        local_record(&pools, &my_pool, sizeof(struct pool));
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
    struct node *const top = top_of(mine);
    n->next = skip_taken(top);
    n->value = value;
    n->number = top ? top->number + 1 : 1;
    atomic_init(&n->stamp, NO_STAMP);
    atomic_init(&n->taken, false);
    atomic_store_explicit(&mine->top, n, memory_order_seq_cst);
    retire_between(top, n->next);
    return n;
}

static void push(plumb_invocation *i)
{
    epoch_enter();
    struct node *const n = link_node(plumb_arg(i, 0));
    atomic_store_explicit(&n->stamp, draw_stamp(), memory_order_seq_cst);
    epoch_leave();
}

/* What a pop saw in its round. */
struct round {
    struct node *youngest; /* NULL if there was no item */
    uint64_t stamp;        /* of that one */
    uint64_t tops;         /* sum of the numbers of the tops */
};

/* The sum of the numbers of the tops, now. */
static uint64_t tops_now(void)
{
    uint64_t sum = 0;
    for (struct local *at = local_first(&pools); at; at = at->next) {
        const struct node *const top = top_of((struct pool *)at);
        sum += top ? top->number : 0;
    }
    return sum;
}

/* Look into all pools; stop at an item pushed after `start`. */
static void look_around(struct round *r, uint64_t start)
{
    *r = (struct round){ 0 };
    for (struct local *at = local_first(&pools); at; at = at->next) {
        struct node *const top = top_of((struct pool *)at);
        struct node *const n = skip_taken(top);
        r->tops += top ? top->number : 0;
        if (!n)
            continue;
        const uint64_t stamp =
            atomic_load_explicit(&n->stamp, memory_order_seq_cst);
        if (r->youngest && stamp <= r->stamp)
            continue;
        r->youngest = n;
        r->stamp = stamp;
        if (stamp > start)
            return;
    }
}

/* The item that was popped, or NULL. */
static struct node *take_youngest(void)
{
    const uint64_t start = draw_stamp();
    for (;; plumb_retry()) {
        struct round r;
        look_around(&r, start);
        if (r.youngest ? take(r.youngest) : r.tops == tops_now())
            return r.youngest;
    }
}

static void pop(plumb_invocation *i)
{
    epoch_enter();
    const struct node *const n = take_youngest();
    if (n)
        plumb_return(i, n->value);
    else
        plumb_term(i, "empty");
    epoch_leave();
}

static void setup(void)
{
    atomic_init(&ticks, 0);
}

static void teardown(void)
{
    for (struct local *at = local_first(&pools); at; at = at->next)
        for (struct node *n = top_of((struct pool *)at), *next; n; n = next) {
            next = n->next;
            free(n);
        }
    local_drain(&pools);
    epoch_drain();
}

PLUMB_OBJECT(.name = "S", .spec = "stack", .setup = setup, .teardown = teardown,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
