/* concurrent_queue.c - a queue of short arrays.
 *
 * ConcurrentQueue of .NET 4.0, a subject of Line-Up (Burckhardt et al., PLDI
 * 2010, table 1), made again from its documented behaviour.  segment_queue.h
 * has the algorithm, and why it is right.
 *
 * FAULT_UNFILLED (B, a re-creation): the paper does not say what was wrong with
 * the preview of this class, only that two threads with two operations each
 * show it.  Here a try_dequeue that meets a slot which is claimed but not yet
 * filled says that the queue is empty. */
#include "segment_queue.h"

static struct segment_queue queue;

static void setup(void)
{
    segment_queue_init(&queue);
}

static void count(plumb_invocation *i)
{
    plumb_return(i, segment_queue_span(&queue).length);
}

static void is_empty(plumb_invocation *i)
{
    plumb_return_bool(i, segment_queue_is_empty(&queue));
}

static void enqueue(plumb_invocation *i)
{
    segment_queue_enqueue(i, &queue, plumb_arg(i, 0));
}

static void to_array(plumb_invocation *i)
{
    segment_queue_to_array(i, &queue);
}

static void try_dequeue(plumb_invocation *i)
{
    int64_t item;
    if (segment_queue_dequeue(&queue, &item))
        plumb_return(i, item);
    else
        plumb_term(i, "empty");
}

static void try_peek(plumb_invocation *i)
{
    int64_t item;
    if (segment_queue_peek(&queue, &item))
        plumb_return(i, item);
    else
        plumb_term(i, "empty");
}

PLUMB_OBJECT(.name = "Q", .setup = setup, .teardown = collected_free_all,
             .operations = { { "count", count },
                             { "is_empty", is_empty },
                             { "enqueue", enqueue, { PLUMB_FRESH } },
                             { "to_array", to_array },
                             { "try_dequeue", try_dequeue },
                             { "try_peek", try_peek } });
