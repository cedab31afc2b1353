/* seqlock_register.c - a register wider than what can be read at once.
 *
 * Wing & Gong (1990) name a register but do not print it.  After Lamport
 * ("Concurrent reading and writing", 1977): a value takes two words, and a
 * number says how often the register has changed.  The number is odd while a
 * write is under way.  Writers take turns by a lock; readers lock nothing, but
 * begin again if the number was odd, or is not what it was.
 *
 * A value is split behind its last bit, so that small ones tear as well:
 * 3 is 2 + 1, 4 is 4 + 0.
 *
 * A write takes effect when it makes the number even again.  A read that
 * answers found the same even number before and after its two words: they are
 * what the last write before that number had left, so it takes effect when it
 * first read the number.
 *
 * FAULT_TORN: the reader does not look at the number again. */
#include "../common/lock.h"

#include <stdatomic.h>

static pthread_mutex_t writer_lock;
static _Atomic unsigned number;
static _Atomic int64_t low, high;

static void setup(void)
{
    pthread_mutex_init(&writer_lock, NULL);
    atomic_store(&number, 0);
    atomic_store(&low, 0);
    atomic_store(&high, 0);
}

static void teardown(void)
{
    pthread_mutex_destroy(&writer_lock);
}

static void store(int64_t x)
{
    const unsigned n = atomic_load_explicit(&number, memory_order_relaxed);
    atomic_store_explicit(&number, n + 1, memory_order_relaxed);
    /* release: who reads one of these, with acquire, will then see that the
     * number has changed */
    atomic_store_explicit(&low, x & 1, memory_order_release);
    atomic_store_explicit(&high, x - (x & 1), memory_order_release);
    /* release: pairs with the acquire of the number in load() */
    atomic_store_explicit(&number, n + 2, memory_order_release);
}

/* False if a write interfered. */
static bool load(int64_t *x)
{
    const unsigned n = atomic_load_explicit(&number, memory_order_acquire);
    /* acquire: the number is read again after these */
    const int64_t l = atomic_load_explicit(&low, memory_order_acquire);
    const int64_t h = atomic_load_explicit(&high, memory_order_acquire);
    *x = h + l;
#ifdef FAULT_TORN
    return n % 2 == 0;
#else
    return n % 2 == 0 &&
           n == atomic_load_explicit(&number, memory_order_relaxed);
#endif
}

static void write_op(plumb_invocation *i)
{
    lock(&writer_lock);
    store(plumb_arg(i, 0));
    unlock(&writer_lock);
}

static void read_op(plumb_invocation *i)
{
    int64_t x;
    while (!load(&x))
        try_again();
    plumb_return(i, x);
}

PLUMB_OBJECT(.name = "R", .spec = "register:init=0", .setup = setup,
             .teardown = teardown,
             .operations = { { "write", write_op, { PLUMB_FRESH } },
                             { "read", read_op } });
