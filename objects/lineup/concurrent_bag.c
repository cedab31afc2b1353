/* concurrent_bag.c - a bag of lists, one for each thread.
 *
 * ConcurrentBag of .NET 4.0, a subject of Line-Up (Burckhardt et al., PLDI
 * 2010, table 1), made again from its documented behaviour.  A thread adds to
 * its own list and takes what it added last.  If it has nothing it steals: it
 * goes through the lists in the order in which they were made and takes what
 * was added first.  Whoever changes a list holds its lock.  (The real one
 * leaves it out while there are more than two items.)  Count, is_empty and
 * to_array freeze the bag: they hold the locks of all lists.
 *
 * Each list counts how often it stopped being empty.  A thief that has found
 * all lists empty compares these numbers with those that it read on its way.
 * If they are the same, no list got an item since it was looked at, so at the
 * end of the first round all were empty: that is where "empty" takes effect.
 * All else takes effect while the lock of one list, or of all, is held.
 *
 * J  So the bag is linearizable, but what is taken or shown first is not said
 *    by the order in which items were added: it depends on which thread made
 *    its list first, and where a thief was.  Line-Up, which asks for a
 *    deterministic object, calls that a violation (section 5.2.2).  That any
 *    item may be taken is documented; how it comes about here is how it does
 *    in the class as it was shipped.
 *
 * FAULT_BUSY (E, a re-creation): the paper says only that two threads with two
 * operations each show the fault.  Here a thief does not wait for the lock of a
 * list: it passes by a list whose owner, or anybody else, is at work there. */
#include "../common/lock.h"
#include "collected.h"

#include <stdatomic.h>

enum { PROCESSES = 65 };

struct node {
    int64_t item;
    struct node *newer, *older;
};

struct list {
    pthread_mutex_t mutex;
    struct node *newest, *oldest; /* under the lock */
    atomic_uint filled;           /* how often it stopped being empty */
    _Atomic(struct list *) next;
};

static pthread_mutex_t making; /* lists */
static _Atomic(struct list *) first_list;
static _Atomic(struct list *) *last_link;
static struct list *own[PROCESSES];

static void setup(void)
{
    pthread_mutex_init(&making, NULL);
    atomic_store(&first_list, NULL);
    last_link = &first_list;
    for (int p = 0; p < PROCESSES; p++)
        own[p] = NULL;
}

static void teardown(void)
{
    pthread_mutex_destroy(&making);
    collected_free_all();
}

/* ---- lists ---- */

/* That of this thread, or NULL. */
static struct list **own_list(const plumb_invocation *i)
{
    const unsigned process = plumb_process(i);
    return &own[process < PROCESSES ? process : PROCESSES - 1];
}

static struct list *make_list(const plumb_invocation *i)
{
    struct list *const l = collected_new(i, sizeof *l);
    pthread_mutex_init(&l->mutex, NULL);
    lock(&making);
    atomic_store(last_link, l);
    last_link = &l->next;
    unlock(&making);
    return l;
}

static void push(struct list *l, struct node *n)
{
    lock(&l->mutex);
    n->older = l->newest;
    if (l->newest) {
        l->newest->newer = n;
    } else {
        l->oldest = n;
        atomic_fetch_add(&l->filled, 1);
    }
    l->newest = n;
    unlock(&l->mutex);
}

static void unlink_node(struct list *l, struct node *n)
{
    if (n->newer)
        n->newer->older = n->older;
    else
        l->newest = n->older;
    if (n->older)
        n->older->newer = n->newer;
    else
        l->oldest = n->newer;
}

static void add(plumb_invocation *i)
{
    struct list **const mine = own_list(i);
    if (!*mine)
        *mine = make_list(i);
    struct node *const n = collected_new(i, sizeof *n);
    n->item = plumb_arg(i, 0);
    push(*mine, n);
}

/* ---- taking and peeking ---- */

/* The newest of one's own, or NULL. */
static struct node *get_own(struct list *l, bool take)
{
    if (!l)
        return NULL;
    lock(&l->mutex);
    struct node *const n = l->newest;
    if (n && take)
        unlink_node(l, n);
    unlock(&l->mutex);
    return n;
}

/* The oldest of a list, or NULL. */
static struct node *get_oldest(struct list *l, bool take)
{
#ifdef FAULT_BUSY
    if (pthread_mutex_trylock(&l->mutex) != 0)
        return NULL;
#else
    lock(&l->mutex);
#endif
    struct node *const n = l->oldest;
    if (n && take)
        unlink_node(l, n);
    unlock(&l->mutex);
    return n;
}

/* One round; *fillings: of all lists. */
static struct node *get_any(bool take, unsigned *fillings)
{
    *fillings = 0;
    for (struct list *l = atomic_load(&first_list); l;
         l = atomic_load(&l->next)) {
        *fillings += atomic_load(&l->filled);
        struct node *const n = get_oldest(l, take);
        if (n)
            return n;
    }
    return NULL;
}

static struct node *steal(bool take)
{
    unsigned before, after;
    struct node *n = get_any(take, &after);
    do {
        before = after;
        n = n ? n : get_any(take, &after);
    } while (!n && before != after);
    return n;
}

static void get(plumb_invocation *i, bool take)
{
    struct node *n = get_own(*own_list(i), take);
    if (!n)
        n = steal(take);
    if (n)
        plumb_return(i, n->item);
    else
        plumb_term(i, "empty");
}

static void try_take(plumb_invocation *i)
{
    get(i, true);
}

static void try_peek(plumb_invocation *i)
{
    get(i, false);
}

/* ---- the whole bag ---- */

static void freeze(void)
{
    lock(&making);
    for (struct list *l = atomic_load(&first_list); l;
         l = atomic_load(&l->next))
        lock(&l->mutex);
}

static void thaw(void)
{
    for (struct list *l = atomic_load(&first_list); l;
         l = atomic_load(&l->next))
        unlock(&l->mutex);
    unlock(&making);
}

static int64_t frozen_count(void)
{
    int64_t items = 0;
    freeze();
    for (struct list *l = atomic_load(&first_list); l;
         l = atomic_load(&l->next))
        for (const struct node *n = l->newest; n; n = n->older)
            items++;
    thaw();
    return items;
}

static void count(plumb_invocation *i)
{
    plumb_return(i, frozen_count());
}

static void is_empty(plumb_invocation *i)
{
    plumb_return_bool(i, frozen_count() == 0);
}

static void to_array(plumb_invocation *i)
{
    freeze();
    for (struct list *l = atomic_load(&first_list); l;
         l = atomic_load(&l->next))
        for (const struct node *n = l->newest; n; n = n->older)
            plumb_return(i, n->item);
    thaw();
}

PLUMB_OBJECT(.name = "B", .setup = setup, .teardown = teardown,
             .operations = { { "count", count },
                             { "add", add, { PLUMB_ONE_OF("10 20") } },
                             { "try_take", try_take },
                             { "is_empty", is_empty },
                             { "try_peek", try_peek },
                             { "to_array", to_array } });
