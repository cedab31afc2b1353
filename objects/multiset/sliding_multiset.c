/* sliding_multiset.c - a multiset in an array with holes.
 *
 * Wing & Gong (1990) name a multiset but do not print it.  This one has the
 * array of their set (objects/set/sliding_array.c).  Inserts fill the first
 * hole they meet, or make the array longer, and do not wait for each other.
 * Deletes take the last x, so that the holes are at the end.
 *
 *     length = 5:  [ 3 ][ 1 ][ 1 ][   ][   ] ...
 *
 * That is not enough.  Other than in a set, x may be present all the time and
 * yet not be seen: one is inserted where the scan has been, and another one
 * deleted where it has not been yet.  So every slot counts its changes, and a
 * view of the array holds only if a second one is the same.  Counts only grow:
 * two views are the same iff the lengths and the sums of the counts are.
 *
 * Then no slot changed between its first and its second reading, and those
 * behind the length were unused.  What was seen was all there at once, at the
 * moment at which the second view began.  There member, count and a delete
 * that answers false take effect; insert, and delete if true, when they change
 * a slot.
 *
 * FAULT_ONCE: one view is believed. */
#include <plumb/object.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 1024 };

/* A slot: the changes it has seen in the upper half; in the lower the item, or
 * zero for a hole. */
static _Atomic uint64_t slot[SLOTS];
static _Atomic int length;

static void setup(void)
{
    for (int n = 0; n < SLOTS; n++)
        atomic_init(&slot[n], 0);
    atomic_store(&length, 0);
}

static uint32_t item_of(uint64_t word)
{
    return (uint32_t)word;
}

static bool change(int n, uint64_t from, uint32_t item)
{
    const uint64_t to = ((from >> 32) + 1) << 32 | item;
    return atomic_compare_exchange_strong(&slot[n], &from, to);
}

struct view {
    int length;
    uint64_t changes;
    int64_t count;      /* of x */
    int last;           /* where the last one is, if any, ... */
    uint64_t last_word; /* ... and what is there */
};

static struct view look_once(uint32_t x)
{
    struct view v = { .length = atomic_load(&length) };
    for (int n = 0; n < v.length; n++) {
        const uint64_t word = atomic_load(&slot[n]);
        v.changes += word >> 32;
        if (item_of(word) == x) {
            v.count++;
            v.last = n;
            v.last_word = word;
        }
    }
    return v;
}

static struct view look(uint32_t x)
{
    struct view v = look_once(x);
#ifndef FAULT_ONCE
    for (;;) {
        const struct view again = look_once(x);
        if (again.length == v.length && again.changes == v.changes)
            break;
        plumb_retry();
        v = again;
    }
#endif
    return v;
}

static int lengthen(void)
{
    const int n = atomic_fetch_add(&length, 1);
    if (n >= SLOTS) {
        fprintf(stderr, "sliding multiset: more than %d slots\n", SLOTS);
        abort();
    }
    return n;
}

static uint32_t argument(const plumb_invocation *i)
{
    return (uint32_t)plumb_arg(i, 0);
}

/* Fill the n-th slot if it is a hole. */
static bool fill(int n, uint32_t x)
{
    const uint64_t word = atomic_load(&slot[n]);
    return item_of(word) == 0 && change(n, word, x);
}

static void insert(plumb_invocation *i)
{
    const int end = atomic_load(&length);
    for (int n = 0; n < end; n++)
        if (fill(n, argument(i)))
            return;
    while (!fill(lengthen(), argument(i))) /* somebody's hole by now */
        plumb_retry();
}

static bool delete_one(uint32_t x)
{
    for (;;) {
        const struct view v = look(x);
        if (v.count == 0)
            return false;
        if (change(v.last, v.last_word, 0))
            return true;
        plumb_retry();
    }
}

static void erase(plumb_invocation *i)
{
    plumb_return_bool(i, delete_one(argument(i)));
}

static void member(plumb_invocation *i)
{
    plumb_return_bool(i, look(argument(i)).count > 0);
}

static void count(plumb_invocation *i)
{
    plumb_return(i, look(argument(i)).count);
}

PLUMB_OBJECT(.name = "M", .spec = "multiset", .setup = setup,
             .operations = { { "insert", insert, { PLUMB_RANGE(1, 2) } },
                             { "delete", erase, { PLUMB_RANGE(1, 2) } },
                             { "member", member, { PLUMB_RANGE(1, 2) } },
                             { "count", count, { PLUMB_RANGE(1, 2) } } });
