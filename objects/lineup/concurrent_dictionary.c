/* concurrent_dictionary.c - a hash table with a lock per stripe of buckets.
 *
 * ConcurrentDictionary of .NET 4.0, a subject of Line-Up (Burckhardt et al.,
 * PLDI 2010, table 1), made again from its documented behaviour; this table
 * does not grow.  Whoever changes a bucket holds the lock of its stripe.
 * Count, is_empty and clear hold all locks; clear puts a new table in the place
 * of the old one, so a writer that has got its lock looks whether the table is
 * still the same.  Reading takes no lock: a node never changes but for its
 * link, and a new value is a new node.
 *
 * Writers, count and is_empty take effect while they hold their locks.  A
 * reader takes effect when it reads the link that ends its search; if the
 * table was replaced by then, just before that: nobody changes a table that was
 * replaced. */
#include "../common/lock.h"
#include "collected.h"

#include <stdatomic.h>

enum { STRIPES = 2 };

struct node {
    int64_t key, value;
    _Atomic(struct node *) next;
};

struct table {
    _Atomic(struct node *) bucket[STRIPES];
};

static pthread_mutex_t stripe[STRIPES];
static int count_of[STRIPES]; /* under the lock of the stripe */
static struct table first_table;
static _Atomic(struct table *) table;

static void setup(void)
{
    for (int s = 0; s < STRIPES; s++) {
        pthread_mutex_init(&stripe[s], NULL);
        atomic_store(&first_table.bucket[s], NULL);
        count_of[s] = 0;
    }
    atomic_store(&table, &first_table);
}

static void teardown(void)
{
    for (int s = 0; s < STRIPES; s++)
        pthread_mutex_destroy(&stripe[s]);
    collected_free_all();
}

/* ---- with and without locks ---- */

static unsigned stripe_of(int64_t key)
{
    return (unsigned)(key / 10) % STRIPES;
}

/* The present table, with the stripe locked. */
static struct table *lock_stripe(unsigned s)
{
    for (;;) {
        struct table *const t = atomic_load(&table);
        lock(&stripe[s]);
        if (t == atomic_load(&table))
            return t;
        unlock(&stripe[s]);
        plumb_retry();
    }
}

static void lock_all(void)
{
    for (int s = 0; s < STRIPES; s++)
        lock(&stripe[s]);
}

static void unlock_all(void)
{
    for (int s = STRIPES; s-- > 0;)
        unlock(&stripe[s]);
}

/* The link to the node with that key, or the last link of its bucket. */
static _Atomic(struct node *) *find_link(struct table *t, int64_t key,
                                         struct node **found)
{
    _Atomic(struct node *) *link = &t->bucket[stripe_of(key)];
    struct node *n = atomic_load(link);
    while (n && n->key != key) {
        link = &n->next;
        n = atomic_load(link);
    }
    *found = n;
    return link;
}

static const struct node *find(int64_t key)
{
    struct node *n;
    find_link(atomic_load(&table), key, &n);
    return n;
}

/* A node in the place of `old`, or behind all others. */
static void put(const plumb_invocation *i, _Atomic(struct node *) *link,
                struct node *old, int64_t value)
{
    struct node *const n = collected_new(i, sizeof *n);
    n->key = plumb_arg(i, 0);
    n->value = value;
    atomic_store(&n->next, old ? atomic_load(&old->next) : NULL);
    atomic_store(link, n);
    count_of[stripe_of(n->key)] += !old;
}

/* ---- operations ---- */

static int total(void)
{
    int n = 0;
    lock_all();
    for (int s = 0; s < STRIPES; s++)
        n += count_of[s];
    unlock_all();
    return n;
}

static void count(plumb_invocation *i)
{
    plumb_return(i, total());
}

static void is_empty(plumb_invocation *i)
{
    plumb_return_bool(i, total() == 0);
}

static void clear(plumb_invocation *i)
{
    struct table *const empty = collected_new(i, sizeof *empty);
    lock_all();
    atomic_store(&table, empty);
    for (int s = 0; s < STRIPES; s++)
        count_of[s] = 0;
    unlock_all();
}

static void try_add(plumb_invocation *i)
{
    const int64_t key = plumb_arg(i, 0);
    const unsigned s = stripe_of(key);
    struct node *old;
    _Atomic(struct node *) *const link = find_link(lock_stripe(s), key, &old);
    if (!old)
        put(i, link, NULL, plumb_arg(i, 1));
    unlock(&stripe[s]);
    plumb_return_bool(i, !old);
}

static void try_remove(plumb_invocation *i)
{
    const int64_t key = plumb_arg(i, 0);
    const unsigned s = stripe_of(key);
    struct node *old;
    _Atomic(struct node *) *const link = find_link(lock_stripe(s), key, &old);
    if (old) {
        atomic_store(link, atomic_load(&old->next));
        count_of[s]--;
    }
    unlock(&stripe[s]);
    if (old)
        plumb_return(i, old->value);
    else
        plumb_term(i, "none");
}

static void try_get(plumb_invocation *i)
{
    const struct node *const n = find(plumb_arg(i, 0));
    if (n)
        plumb_return(i, n->value);
    else
        plumb_term(i, "none");
}

static void get(plumb_invocation *i)
{
    const struct node *const n = find(plumb_arg(i, 0));
    if (n)
        plumb_return(i, n->value);
    else
        plumb_term(i, "invalid");
}

static void set(plumb_invocation *i)
{
    const int64_t key = plumb_arg(i, 0);
    const unsigned s = stripe_of(key);
    struct node *old;
    _Atomic(struct node *) *const link = find_link(lock_stripe(s), key, &old);
    put(i, link, old, plumb_arg(i, 1));
    unlock(&stripe[s]);
}

/* try_update(key, new, old): where the value is `old`. */
static void try_update(plumb_invocation *i)
{
    const int64_t key = plumb_arg(i, 0);
    const unsigned s = stripe_of(key);
    struct node *old;
    _Atomic(struct node *) *const link = find_link(lock_stripe(s), key, &old);
    const bool is_it = old && old->value == plumb_arg(i, 2);
    if (is_it)
        put(i, link, old, plumb_arg(i, 1));
    unlock(&stripe[s]);
    plumb_return_bool(i, is_it);
}

static void contains_key(plumb_invocation *i)
{
    plumb_return_bool(i, find(plumb_arg(i, 0)));
}

#define KEY   PLUMB_ONE_OF("10 20")
#define VALUE PLUMB_RANGE(1, 2)

PLUMB_OBJECT(.name = "D", .setup = setup, .teardown = teardown,
             .operations = {
                 { "count", count },
                 { "is_empty", is_empty },
                 { "clear", clear },
                 { "try_add", try_add, { KEY, VALUE } },
                 { "try_remove", try_remove, { KEY } },
                 { "try_get", try_get, { KEY } },
                 { "get", get, { KEY } },
                 { "set", set, { KEY, VALUE } },
                 { "try_update", try_update, { KEY, VALUE, VALUE } },
                 { "contains_key", contains_key, { KEY } } });
