/* blocking_collection.c - a queue whose consumers wait for items.
 *
 * BlockingCollection of .NET 4.0, a subject of Line-Up (Burckhardt et al., PLDI
 * 2010, table 1), made again from its documented behaviour.  It has no bound.
 *
 * `adders` counts the threads that are adding; its highest bit asks for the end
 * of adding.  Adding is *completed* when the bit is alone, and only then nothing
 * more may be added.
 * `occupied` is a semaphore: how many items may be taken.  An item is put into
 * a ConcurrentQueue (segment_queue.h) first, then the semaphore is released;
 * who takes an item acquires the semaphore first, and holds the lock until the
 * item is out of the queue.  Timeouts are no clocks here: an operation with a
 * timeout gives way to others once, then tries again.
 *
 * It is not linearizable, and was not meant to be.  The paper describes what
 * comes of it; the mechanisms are re-creations:
 * H  count is 0 if the semaphore is, although to_array has an item;
 * I  try_take fails if the semaphore is 0, although to_array has an item;
 * K  complete_adding does not wait for those that are adding: the collection is
 *    completed when the last of them leaves, which may be long after
 *    complete_adding has returned.
 * Where no operation overlaps another one, none of this shows.  There is nothing
 * else: with --nondet count=0,try_take=empty,try_take_1=empty and --async
 * complete_adding it passes.
 *
 * Two faults that it does not have, to see that these options hide nothing else:
 * FAULT_SEMAPHORE looks at the semaphore and acquires it in two steps, so that
 * two threads may wait for one item, or have none left.  FAULT_REOPEN: a thread
 * that adds looks whether adding is completed and counts itself in two steps, so
 * that adding may go on afterwards.
 *
 * FAULT_TIMEOUT (D, a re-creation of figure 1, whose fault is documented, but
 * not its class): the items lie in a list behind one lock, and so H and I do
 * not occur, but K does.  try_take does not wait for the lock, as if its wait
 * had timed out at once, and says that there is nothing. */
#include "segment_queue.h"

#define COMPLETE 0x80000000u

static atomic_uint adders;

/* ---- items: a semaphore and a queue ---- */

static pthread_mutex_t mutex;
static pthread_cond_t changed; /* more items, or completed */

#ifndef FAULT_TIMEOUT

static struct segment_queue queue;
static atomic_int occupied;

static void items_init(void)
{
    segment_queue_init(&queue);
    atomic_store(&occupied, 0);
}

static int items_count(void)
{
    return atomic_load(&occupied) ? (int)segment_queue_span(&queue).length : 0;
}

static bool items_are_none(void)
{
    return segment_queue_span(&queue).length == 0;
}

static void items_to_array(plumb_invocation *i)
{
    segment_queue_to_array(i, &queue);
}

static void items_add(const plumb_invocation *i, int64_t item)
{
    segment_queue_enqueue(i, &queue, item);
    lock(&mutex);
    atomic_fetch_add(&occupied, 1);
    pthread_cond_signal(&changed);
    unlock(&mutex);
}

/* With the lock.  Where the semaphore can be acquired there is an item. */
static bool items_remove_first(int64_t *item)
{
    if (atomic_load(&occupied) == 0)
        return false;
    atomic_fetch_sub(&occupied, 1);
    while (!segment_queue_dequeue(&queue, item))
        try_again();
    return true;
}

static bool items_try_take(int64_t *item)
{
#ifdef FAULT_SEMAPHORE
    return items_remove_first(item);
#endif
    if (atomic_load(&occupied) == 0)
        return false;
    lock(&mutex);
    const bool taken = items_remove_first(item);
    unlock(&mutex);
    return taken;
}

#else

/* ---- items: a list behind the lock ---- */

struct node {
    int64_t item;
    struct node *next;
};

static struct node *first, *last;
static int length;

static void items_init(void)
{
    first = last = NULL;
    length = 0;
}

static int items_count(void)
{
    lock(&mutex);
    const int n = length;
    unlock(&mutex);
    return n;
}

static bool items_are_none(void)
{
    return items_count() == 0;
}

static void items_to_array(plumb_invocation *i)
{
    lock(&mutex);
    for (const struct node *n = first; n; n = n->next)
        plumb_return(i, n->item);
    unlock(&mutex);
}

static void items_add(const plumb_invocation *i, int64_t item)
{
    struct node *const n = collected_new(i, sizeof *n);
    n->item = item;
    lock(&mutex);
    if (first)
        last->next = n;
    else
        first = n;
    last = n;
    length++;
    pthread_cond_signal(&changed);
    unlock(&mutex);
}

/* With the lock. */
static bool items_remove_first(int64_t *item)
{
    if (!first)
        return false;
    *item = first->item;
    first = first->next;
    length--;
    return true;
}

static bool items_try_take(int64_t *item)
{
    if (pthread_mutex_trylock(&mutex) != 0)
        return false;
    const bool taken = items_remove_first(item);
    unlock(&mutex);
    return taken;
}

#endif

static void setup(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&changed, NULL);
    atomic_store(&adders, 0);
    items_init();
}

static void teardown(void)
{
    pthread_cond_destroy(&changed);
    pthread_mutex_destroy(&mutex);
    collected_free_all();
}

/* ---- being completed ---- */

static bool adding_is_completed(void)
{
    return atomic_load(&adders) == COMPLETE;
}

static bool all_is_completed(void)
{
    return adding_is_completed() && items_are_none();
}

/* Those that wait look again whether they wait in vain. */
static void wake_consumers(void)
{
    lock(&mutex);
    pthread_cond_broadcast(&changed);
    unlock(&mutex);
}

static void complete_adding(plumb_invocation *i)
{
    (void)i;
    if (atomic_fetch_or(&adders, COMPLETE) == 0)
        wake_consumers();
}

static bool begin_adding(void)
{
    unsigned seen = atomic_load(&adders);
    while (seen != COMPLETE) {
#ifdef FAULT_REOPEN
        atomic_fetch_add(&adders, 1);
        return true;
#endif
        if (atomic_compare_exchange_strong(&adders, &seen, seen + 1))
            return true;
        plumb_retry();
    }
    return false;
}

static void end_adding(void)
{
    if (atomic_fetch_sub(&adders, 1) == COMPLETE + 1)
        wake_consumers();
}

/* ---- adding ---- */

static bool put(const plumb_invocation *i)
{
    if (!begin_adding())
        return false;
    items_add(i, plumb_arg(i, 0));
    end_adding();
    return true;
}

static void add(plumb_invocation *i)
{
    if (!put(i))
        plumb_term(i, "invalid");
}

/* As there is no bound it fails only where adding is an error. */
static void try_add(plumb_invocation *i)
{
    if (put(i))
        plumb_return_bool(i, true);
    else
        plumb_term(i, "invalid");
}

/* ---- taking ---- */

/* False when all is completed. */
static bool take_or_wait(int64_t *item)
{
    bool taken = false;
    lock(&mutex);
    while (!(taken = items_remove_first(item)) && !adding_is_completed())
        pthread_cond_wait(&changed, &mutex);
    /* It may have been the last that was added before adding completed. */
    taken = taken || items_remove_first(item);
    unlock(&mutex);
    return taken;
}

static void take_or(plumb_invocation *i, const char *otherwise)
{
    int64_t item;
    if (take_or_wait(&item))
        plumb_return(i, item);
    else
        plumb_term(i, otherwise);
}

static void take(plumb_invocation *i)
{
    take_or(i, "invalid");
}

/* The first round of a loop over a consuming enumerator. */
static void take_with_enum(plumb_invocation *i)
{
    take_or(i, "end");
}

static void try_take_in(plumb_invocation *i, int attempts)
{
    int64_t item;
    for (int n = 0; n < attempts; n++) {
        if (n > 0)
            try_again();
        if (items_try_take(&item)) {
            plumb_return(i, item);
            return;
        }
    }
    plumb_term(i, "empty");
}

static void try_take(plumb_invocation *i)
{
    try_take_in(i, 1);
}

/* With a timeout of one millisecond. */
static void try_take_1(plumb_invocation *i)
{
    try_take_in(i, 2);
}

/* ---- looking ---- */

static void count(plumb_invocation *i)
{
    plumb_return(i, items_count());
}

static void to_array(plumb_invocation *i)
{
    items_to_array(i);
}

static void is_completed(plumb_invocation *i)
{
    plumb_return_bool(i, all_is_completed());
}

static void is_adding_completed(plumb_invocation *i)
{
    plumb_return_bool(i, adding_is_completed());
}

PLUMB_OBJECT(.name = "B", .setup = setup, .teardown = teardown,
             .operations = { { "count", count },
                             { "to_array", to_array },
                             { "try_add", try_add, { PLUMB_FRESH } },
                             { "try_add_1", try_add, { PLUMB_FRESH } },
                             { "is_completed", is_completed },
                             { "is_adding_completed", is_adding_completed },
                             { "complete_adding", complete_adding },
                             { "add", add, { PLUMB_FRESH } },
                             { "take", take },
                             { "take_with_enum", take_with_enum },
                             { "try_take", try_take },
                             { "try_take_1", try_take_1 } });
