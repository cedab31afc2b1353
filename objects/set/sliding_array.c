/* sliding_array.c - a set in an array with holes.
 *
 * Lanin & Shasha, "Concurrent set manipulation without locking" (1988), as in
 * Wing & Gong, "A simulator for concurrent objects" (1990), section 4.2 and
 * appendix C.  Every operation reads how much of the array is in use and scans
 * it from the front.  A delete makes a hole, by one instruction that fails if
 * the element has gone.  An insert fills a hole that it saw, or else makes the
 * array longer; it holds a lock that belongs to its element alone.
 *
 *     length = 5:  [ 3 ][   ][ 1 ][   ][ 4 ] ...
 *
 * The set is what is in the array.  An element never moves, so while x stays
 * present a scan for x sees it; a scan that does not was overlapped by a moment
 * without x.  Hence:
 * - member: yes when it saw x; no at the moment without x.
 * - delete: yes when it removes x.  No as above, or when it saw x but x was
 *   removed before it could do so itself: right after that.
 * - insert: no when it saw x.  Yes when it fills the slot: its scan proves a
 *   moment without x, and since then nobody else could insert x.
 *
 * FAULT_NO_LOCK: insert takes no lock, as printed in section 4.2.  Two
 * inserts of x that overlap may both add it. */
#include "../common/lock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 512, LOCKS = 8 };
#define HOLE INT64_MIN

static _Atomic int64_t slot[SLOTS];
static _Atomic int length; /* slot[length] and those behind it are holes */
static pthread_mutex_t element_lock[LOCKS];

static void setup(void)
{
    for (int n = 0; n < SLOTS; n++)
        atomic_init(&slot[n], HOLE);
    atomic_store(&length, 0);
    for (int n = 0; n < LOCKS; n++)
        pthread_mutex_init(&element_lock[n], NULL);
}

static void teardown(void)
{
    for (int n = 0; n < LOCKS; n++)
        pthread_mutex_destroy(&element_lock[n]);
}

/* REMOVE and ADD of the paper. */
static bool remove_at(int n, int64_t x)
{
    return atomic_compare_exchange_strong(&slot[n], &x, HOLE);
}

static bool add_at(int n, int64_t x)
{
    int64_t hole = HOLE;
    return atomic_compare_exchange_strong(&slot[n], &hole, x);
}

/* Where x was seen, or -1.  The holes before it go to `hole` if that is not
 * NULL. */
static int find(int64_t x, int *hole, int *holes)
{
    const int end = atomic_load(&length);
    for (int n = 0; n < end; n++) {
        const int64_t seen = atomic_load(&slot[n]);
        if (seen == x)
            return n;
        if (hole && seen == HOLE)
            hole[(*holes)++] = n;
    }
    return -1;
}

static int lengthen(void)
{
    const int n = atomic_fetch_add(&length, 1);
    if (n >= SLOTS) {
        fprintf(stderr, "sliding array: more than %d slots\n", SLOTS);
        abort();
    }
    return n;
}

static bool find_or_add(int64_t x)
{
    int hole[SLOTS], holes = 0;
    if (find(x, hole, &holes) >= 0)
        return false;
    while (holes > 0)
        if (add_at(hole[--holes], x))
            return true;
    while (!add_at(lengthen(), x)) /* others may fill it as a hole */
        plumb_retry();
    return true;
}

static void insert(plumb_invocation *i)
{
    const int64_t x = plumb_arg(i, 0);
#ifdef FAULT_NO_LOCK
    plumb_return_bool(i, find_or_add(x));
#else
    pthread_mutex_t *const mine = &element_lock[(uint64_t)x % LOCKS];
    lock(mine);
    plumb_return_bool(i, find_or_add(x));
    unlock(mine);
#endif
}

static void erase(plumb_invocation *i)
{
    const int64_t x = plumb_arg(i, 0);
    const int n = find(x, NULL, NULL);
    plumb_return_bool(i, n >= 0 && remove_at(n, x));
}

static void member(plumb_invocation *i)
{
    plumb_return_bool(i, find(plumb_arg(i, 0), NULL, NULL) >= 0);
}

PLUMB_OBJECT(.name = "S", .spec = "set", .setup = setup, .teardown = teardown,
             .operations = { { "insert", insert, { PLUMB_RANGE(1, 4) } },
                             { "delete", erase, { PLUMB_RANGE(1, 4) } },
                             { "member", member, { PLUMB_RANGE(1, 4) } } });
