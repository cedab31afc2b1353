/* coarse_queue.c - a list behind one lock.
 *
 * The traditional way to make a sequential object a concurrent one: every
 * operation is a critical region, and takes effect inside it. */
#include "../common/lock.h"

#include <stdlib.h>

struct node {
    struct node *next;
    int64_t item;
};

static pthread_mutex_t mutex;
static struct node *first, **last_link;

static void setup(void)
{
    pthread_mutex_init(&mutex, NULL);
    first = NULL;
    last_link = &first;
}

static void teardown(void)
{
    while (first) {
        struct node *const n = first;
        first = n->next;
        free(n);
    }
    pthread_mutex_destroy(&mutex);
}

static void enq(plumb_invocation *i)
{
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
    *n = (struct node){ .item = plumb_arg(i, 0) };
    lock(&mutex);
    *last_link = n;
    last_link = &n->next;
    unlock(&mutex);
}

static struct node *take_first(void)
{
    lock(&mutex);
    struct node *const n = first;
    if (n)
        first = n->next;
    if (!first)
        last_link = &first;
    unlock(&mutex);
    return n;
}

static void deq(plumb_invocation *i)
{
    struct node *const n = take_first();
    if (!n) {
        plumb_term(i, "empty");
        return;
    }
    plumb_return(i, n->item);
    free(n);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup, .teardown = teardown,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
