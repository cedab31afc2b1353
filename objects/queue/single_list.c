/* single_list.c - a list for one thread, used by several.
 *
 * The queue of every textbook: `last` is where the next node goes, `first` is a
 * node whose item has left already.  An enqueue links its node behind `last`, a
 * dequeue makes the node behind `first` the first one.
 *
 *     first -> . -> 1 -> 2 -> 3 <- last
 *
 * Round-Up (2015) has such a queue, sl-queue of the Scal suite, among its
 * subjects.  No access is atomic and no lock is taken: what meets, races, in
 * the sense of C too (`--races interleave` goes on to the wrong answers).
 * While there are items an enqueue and a dequeue do not meet.  Two enqueues
 * do: both may link their node behind the same one, and an item is lost.  Two
 * dequeues do: both may take the same item.
 *
 * LOCKED: with a lock around each operation it is right.
 *
 * Nodes lie in an array and are not used again, so that the fault is a wrong
 * answer and not a crash: a history may have ENQUEUES of them at most. */
#include "../common/lock.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENQUEUES = 1024 };

struct node {
    struct node *next;
    int64_t item;
};

static struct node nodes[ENQUEUES + 1];
static _Atomic unsigned used;
static struct node *first, *last;

#ifdef LOCKED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define LOCK()   lock(&mutex)
#define UNLOCK() unlock(&mutex)
#else
#define LOCK()   ((void)0)
#define UNLOCK() ((void)0)
#endif

static struct node *make_node(int64_t item)
{
    /* relaxed: malloc() would not order the threads either */
    const unsigned n =
        atomic_fetch_add_explicit(&used, 1, memory_order_relaxed);
    if (n > ENQUEUES) {
        fprintf(stderr, "single-list: more than %d enqueues\n", ENQUEUES);
        abort();
    }
    nodes[n] = (struct node){ NULL, item };
    return &nodes[n];
}

static void setup(void)
{
    atomic_init(&used, 0);
    first = last = make_node(0);
}

static void enq(plumb_invocation *i)
{
    struct node *const fresh = make_node(plumb_arg(i, 0));
    LOCK();
    last->next = fresh;
    last = fresh;
    UNLOCK();
}

static void deq(plumb_invocation *i)
{
    LOCK();
    struct node *const next = first->next;
    if (next) {
        plumb_return(i, next->item);
        first = next;
    } else {
        plumb_term(i, "empty");
    }
    UNLOCK();
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
