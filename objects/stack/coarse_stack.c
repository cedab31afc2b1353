/* coarse_stack.c - a list behind one lock.
 *
 * Every operation is a critical region, and takes effect inside it. */
#include "../common/lock.h"

#include <stdlib.h>

struct node {
    struct node *below;
    int64_t item;
};

static pthread_mutex_t mutex;
static struct node *top;

static void setup(void)
{
    pthread_mutex_init(&mutex, NULL);
    top = NULL;
}

static void teardown(void)
{
    while (top) {
        struct node *const n = top;
        top = n->below;
        free(n);
    }
    pthread_mutex_destroy(&mutex);
}

static void push(plumb_invocation *i)
{
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
    n->item = plumb_arg(i, 0);
    lock(&mutex);
    n->below = top;
    top = n;
    unlock(&mutex);
}

static struct node *take_top(void)
{
    lock(&mutex);
    struct node *const n = top;
    if (n)
        top = n->below;
    unlock(&mutex);
    return n;
}

static void pop(plumb_invocation *i)
{
    struct node *const n = take_top();
    if (!n) {
        plumb_term(i, "empty");
        return;
    }
    plumb_return(i, n->item);
    free(n);
}

PLUMB_OBJECT(.name = "S", .spec = "stack", .setup = setup, .teardown = teardown,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
