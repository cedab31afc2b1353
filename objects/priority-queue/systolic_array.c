/* systolic_array.c - a bounded priority queue, sorted by passing things on.
 *
 * Wing & Gong (1990) name a bounded priority queue but do not print it; this
 * is Leiserson's systolic priority queue (1979) with a lock for each cell.
 * An insert goes along the cells with its item, leaves in each cell the
 * smaller of two, takes the larger one on, and ends at the first free cell.  A
 * delmin takes the item of the first cell and closes the gap, cell by cell.
 *
 *     insert(3) ->  [ 1 ][ 2 ](3)[ 4 ][ ]   3 stays where 4 was, 4 goes on
 *
 * Several operations are under way at a time, one behind the other: each
 * locks the next cell before it unlocks its own.  So none overtakes another,
 * each finds every cell as the operation before it left it, and together they
 * do what they would do one after the other in the order in which they locked
 * the first cell.  That is where each takes effect; `size`, which decides
 * about full, is counted there.
 *
 * FAULT_UNCOUPLED: an insert unlocks its cell and then locks the next.  While
 * it holds neither, a delmin may overtake it, and close no gap because the
 * item that should fill it is on its way. */
#include "../common/lock.h"

enum { CAPACITY = 4 };

struct cell {
    pthread_mutex_t mutex;
    bool used;
    int64_t item;
};

static struct cell cell[CAPACITY];
static int size; /* the lock of the first cell protects it */

static void setup(void)
{
    for (int n = 0; n < CAPACITY; n++) {
        pthread_mutex_init(&cell[n].mutex, NULL);
        cell[n].used = false;
    }
    size = 0;
}

static void teardown(void)
{
    for (int n = 0; n < CAPACITY; n++)
        pthread_mutex_destroy(&cell[n].mutex);
}

/* Leave the smaller of c's item and *x in c, the larger in *x.  False if c
 * was free and has taken *x. */
static bool pass(struct cell *c, int64_t *x)
{
    if (!c->used) {
        c->used = true;
        c->item = *x;
        return false;
    }
    if (*x < c->item) {
        const int64_t larger = c->item;
        c->item = *x;
        *x = larger;
    }
    return true;
}

/* `n` is locked by us; n + 1 will be instead. */
static void advance(int n)
{
#ifdef FAULT_UNCOUPLED
    unlock(&cell[n].mutex);
    lock(&cell[n + 1].mutex);
#else
    lock(&cell[n + 1].mutex);
    unlock(&cell[n].mutex);
#endif
}

static void insert(plumb_invocation *i)
{
    int64_t x = plumb_arg(i, 0);
    int n = 0;
    lock(&cell[0].mutex);
    if (size == CAPACITY) {
        plumb_term(i, "full");
    } else {
        size++;
        while (pass(&cell[n], &x) && n + 1 < CAPACITY)
            advance(n++);
    }
    unlock(&cell[n].mutex);
}

/* The item of the n-th cell, which is locked, has gone: close the gap. */
static void close_gap(int n)
{
    for (; n + 1 < CAPACITY; n++) {
        lock(&cell[n + 1].mutex);
        if (!cell[n + 1].used) {
            unlock(&cell[n + 1].mutex);
            break;
        }
        cell[n].item = cell[n + 1].item;
        unlock(&cell[n].mutex);
    }
    cell[n].used = false;
    unlock(&cell[n].mutex);
}

static void delmin(plumb_invocation *i)
{
    lock(&cell[0].mutex);
    if (!cell[0].used) {
        plumb_term(i, "empty");
        unlock(&cell[0].mutex);
        return;
    }
    plumb_return(i, cell[0].item);
    size--;
    close_gap(0);
}

PLUMB_OBJECT(.name = "P", .spec = "priority-queue:cap=4", .setup = setup,
             .teardown = teardown,
             .operations = { { "insert", insert, { PLUMB_RANGE(1, 20) } },
                             { "delmin", delmin } });
