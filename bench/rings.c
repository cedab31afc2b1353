/* rings.c - a long history of a ring that is often empty and often full.
 *
 *     rings FILE SLOTS THREADS OPERATIONS [strict]
 *
 * Vyukov's ring for many producers and consumers (objects/queue/vyukov.c has the
 * proof).  `strict` looks at the other index before it says that it is empty or
 * full.  Threads call at random, in tides: for a while nine of ten operations
 * add, and then nine of ten remove. */
#include <plumb/record.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 64 };

struct cell {
    _Atomic uint64_t turn;
    int64_t value;
};

static struct {
    struct cell *cell;
    uint64_t slots, tide;
    bool strict;
    unsigned threads;
    uint64_t operations;
    _Atomic uint64_t head, tail, calls;
    plumb_recorder *recorder;
} ring;

static bool claim(_Atomic uint64_t *index, uint64_t ahead, uint64_t *number)
{
    for (;;) {
        uint64_t n = atomic_load(index);
        /* acquire: pairs with the release in pass() */
        const uint64_t turn = atomic_load_explicit(
            &ring.cell[n % ring.slots].turn, memory_order_acquire);
        *number = n;
        if ((int64_t)(turn - (n + ahead)) < 0)
            return false;
        if (turn == n + ahead &&
            atomic_compare_exchange_strong(index, &n, n + 1))
            return true;
    }
}

static void pass(uint64_t n, uint64_t turn)
{
    /* release: pairs with the acquire in claim() */
    atomic_store_explicit(&ring.cell[n % ring.slots].turn, turn,
                          memory_order_release);
}

/* False: it is so, or may be said to be. */
static bool again(_Atomic uint64_t *other, uint64_t limit)
{
    if (!ring.strict || atomic_load(other) == limit)
        return false;
    sched_yield();
    return true;
}

static bool add(int64_t value)
{
    uint64_t n;
    while (!claim(&ring.tail, 0, &n))
        if (!again(&ring.head, n - ring.slots))
            return false;
    ring.cell[n % ring.slots].value = value;
    pass(n, n + 1);
    return true;
}

static bool take(int64_t *value)
{
    uint64_t n;
    while (!claim(&ring.head, 1, &n))
        if (!again(&ring.tail, n))
            return false;
    *value = ring.cell[n % ring.slots].value;
    pass(n, n + ring.slots);
    return true;
}

/* Does the operation of that number add? */
static bool adds(uint64_t number, uint64_t random)
{
    const bool flood = number / ring.tide % 2 == 0;
    return (random % 10 == 0) != flood;
}

static void *work(void *context)
{
    const uint64_t id = (uint64_t)(uintptr_t)context + 1;
    uint64_t random = id * 0x9e3779b97f4a7c15u;
    for (uint64_t i = 0; i < ring.operations / ring.threads; i++) {
        int64_t value = (int64_t)(id << 32 | i);
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        if (adds(atomic_fetch_add(&ring.calls, 1), random)) {
            plumb_record_begin(ring.recorder, "Q", "enq", &value, 1);
            plumb_record_end(ring.recorder, add(value) ? NULL : "full", NULL,
                             0);
        } else {
            plumb_record_begin(ring.recorder, "Q", "deq", NULL, 0);
            const bool got = take(&value);
            plumb_record_end(ring.recorder, got ? NULL : "empty", &value, got);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[MOST_THREADS];
    if (argc < 5)
        return 2;
    ring.slots = strtoull(argv[2], NULL, 10);
    ring.threads = (unsigned)strtoul(argv[3], NULL, 10);
    ring.operations = strtoull(argv[4], NULL, 10);
    ring.strict = argc > 5 && strcmp(argv[5], "strict") == 0;
    ring.tide = 3 * ring.slots;
    ring.cell = calloc(ring.slots, sizeof *ring.cell);
    ring.recorder = plumb_record_open(argv[1]);
    if (!ring.cell || !ring.recorder || ring.threads > MOST_THREADS)
        return 2;
    for (uint64_t n = 0; n < ring.slots; n++)
        atomic_init(&ring.cell[n].turn, n);
    for (unsigned i = 0; i < ring.threads; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)(uintptr_t)i) != 0)
            return 2;
    for (unsigned i = 0; i < ring.threads; i++)
        pthread_join(thread[i], NULL);
    return plumb_record_close(ring.recorder) ? 2 : 0;
}
