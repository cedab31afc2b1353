/* accesses.c - every kind of access that C knows, and what came of it.
 *
 * Compiled with and without hooks, by each compiler and at every level of
 * optimization, it must print the same (same.sh). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t sum; /* of all results, in order */

static void see(uint64_t value)
{
    sum = (sum ^ value) * 0x100000001b3u + (sum >> 29);
}

static void report(const char *what)
{
    printf("%s %016llx\n", what, (unsigned long long)sum);
    sum = 0;
}

/* ---- plain ---- */

struct packed {
    char pad;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    float real;
} __attribute__((packed));

struct large {
    char byte[100];
};

#define EACH_TYPE(X)                                                           \
    X(uint8_t)                                                                 \
    X(uint16_t) X(uint32_t) X(uint64_t) X(float) X(double) X(long double)

#define PLAIN(type)                                                            \
    {                                                                          \
        static type a[4] = { 1, 2, 3, 4 };                                     \
        static volatile type v = 5;                                            \
        type *volatile hidden = a; /* so that nothing is known of a[] */       \
        type *const p = hidden;                                                \
        p[0]++;                                                                \
        p[1] = p[0] + p[2];                                                    \
        p[3] += p[1];                                                          \
        v++;                                                                   \
        v = v + p[3];                                                          \
        see((uint64_t)(p[0] + 2 * p[1] + 3 * p[3]));                           \
        see((uint64_t)v);                                                      \
    }

static struct packed packed;
static volatile struct packed volatile_packed;
static struct large large[3];

static void plain(void)
{
    EACH_TYPE(PLAIN)
    report("plain");
}

static void unaligned(struct packed *p)
{
    p->two = (uint16_t)(p->two + 7);
    p->four += 70000;
    p->eight += 7000000000u;
    p->real += 1.5f;
    volatile_packed.two = p->two;
    volatile_packed.four += p->four;
    volatile_packed.eight += p->eight;
    see(volatile_packed.two);
    see(volatile_packed.four);
    see(volatile_packed.eight + (uint64_t)p->real);
    report("unaligned");
}

static void blocks(struct large *l, size_t size)
{
    for (size_t i = 0; i < sizeof l[0].byte; i++)
        l[0].byte[i] = (char)(3 * i);
    l[1] = l[0];
    memmove(l[1].byte + 5, l[1].byte, size);
    memset(l[2].byte, 9, sizeof l[2].byte);
    memcpy(l[2].byte + size, l[1].byte, size);
    memcpy(l[0].byte, l[2].byte, 8);
    for (size_t i = 0; i < sizeof l[0].byte; i++)
        see((uint64_t)(l[0].byte[i] + 256 * l[1].byte[i] + l[2].byte[i]));
    report("blocks");
}

/* ---- atomic ---- */

#define ATOMIC(type)                                                           \
    {                                                                          \
        static _Atomic type at = 100;                                          \
        type expected = 3;                                                     \
        see(atomic_load(&at));                                                 \
        see(atomic_load_explicit(&at, memory_order_relaxed));                  \
        see(atomic_load_explicit(&at, memory_order_acquire));                  \
        atomic_store(&at, 200);                                                \
        atomic_store_explicit(&at, 201, memory_order_release);                 \
        see(atomic_exchange(&at, 202));                                        \
        see(atomic_fetch_add(&at, 99));                                        \
        see(atomic_fetch_sub_explicit(&at, 55, memory_order_relaxed));         \
        see(atomic_fetch_and(&at, 0x7b));                                      \
        see(atomic_fetch_or_explicit(&at, 0x94, memory_order_acq_rel));        \
        see(atomic_fetch_xor(&at, 0x3c));                                      \
        see(__atomic_fetch_nand((type *)&at, 0x55, __ATOMIC_SEQ_CST));         \
        see(atomic_compare_exchange_strong(&at, &expected, 77));               \
        see(expected);                                                         \
        see(atomic_compare_exchange_strong_explicit(                           \
            &at, &expected, 78, memory_order_release, memory_order_relaxed));  \
        while (!atomic_compare_exchange_weak(&at, &expected, 79))              \
            ;                                                                  \
        see(at++);                                                             \
        see(at);                                                               \
        report(#type);                                                         \
    }

static void atomics(void)
{
    ATOMIC(uint8_t)
    ATOMIC(uint16_t)
    ATOMIC(uint32_t)
    ATOMIC(uint64_t)
    atomic_thread_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_acquire);
    atomic_signal_fence(memory_order_seq_cst);
}

/* ---- 16 bytes ---- */

#ifdef __x86_64__

struct pair {
    uint64_t low, high;
};

static _Atomic struct pair pair;

static bool swap_pair(struct pair *expected, uint64_t low, uint64_t high)
{
    const struct pair desired = { low, high };
    return atomic_compare_exchange_strong(&pair, expected, desired);
}

static void pairs(void)
{
    struct pair p = { 1, 2 }, seen;
    atomic_store(&pair, p);
    p.high = 3;
    see(swap_pair(&p, 4, 5)); /* the halves are equal and different */
    see(p.low + 10 * p.high);
    see(swap_pair(&p, 6, 7));
    seen = atomic_load(&pair);
    see(seen.low + 10 * seen.high);
    p = atomic_exchange(&pair, seen);
    see(p.low + 10 * p.high);
    report("pairs");
}

static void *count_pairs(void *unused)
{
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        struct pair p = atomic_load(&pair);
        while (!swap_pair(&p, p.low + 1, p.high - 1))
            ;
    }
    return NULL;
}

#endif

/* ---- atomic means that nothing is lost ---- */

static _Atomic uint8_t count8;
static _Atomic uint32_t count32;
static _Atomic uint64_t flag;
static uint64_t guarded;

static void *count(void *unused)
{
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        count8++;
        atomic_fetch_add_explicit(&count32, 3, memory_order_relaxed);
        while (atomic_exchange_explicit(&flag, 1, memory_order_acquire))
            ;
        guarded++;
        atomic_store_explicit(&flag, 0, memory_order_release);
    }
    return NULL;
}

static void together(void *work(void *))
{
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
}

int main(void)
{
    struct packed *volatile hidden = &packed;
    plain();
    unaligned(hidden);
    blocks(large, 40);
    atomics();
    together(count);
    see(count8);
    see(count32);
    see(guarded);
#ifdef __x86_64__
    pairs();
    together(count_pairs);
    const struct pair p = atomic_load(&pair);
    see(p.low);
    see(p.high);
#endif
    report("together");
    return 0;
}
