/* points.c - the entry points of -fsanitize=thread, as gcc 12 calls them.
 *
 * A plain access is announced here and then done by the object; an atomic one
 * is done here.  Only one process runs at a time, so it needs no atomics, and
 * memory is sequentially consistent.  A weak compare-and-exchange fails only
 * where a strong one does.
 *
 * Plain accesses to a process's own stack are no points: variables that are
 * shared that way have to be atomic or volatile (gcc is told to distinguish
 * volatile ones), else they race. */
#include "scheduler.h"
#include "test_heap.h"

#define HERE __builtin_return_address(0)

static void pass(const void *where, const volatile void *address, size_t size)
{
    const void *const at = (const void *)(uintptr_t)address;
    sched_point(where, at);
    if (test_heap_is_dead(at, size))
        sched_dead_access(where);
}

static void touch(const void *where, const void *address, size_t size,
                  bool writes)
{
    if (sched_owns(address))
        return;
    pass(where, address, size);
    if (writes) /* what, is not known yet */
        sched_progress();
}

/* ---- plain ---- */

#define PLAIN(size)                                                            \
    void __tsan_read##size(void *p);                                           \
    void __tsan_read##size(void *p)                                            \
    {                                                                          \
        touch(HERE, p, size, false);                                           \
    }                                                                          \
    void __tsan_write##size(void *p);                                          \
    void __tsan_write##size(void *p)                                           \
    {                                                                          \
        touch(HERE, p, size, true);                                            \
    }                                                                          \
    void __tsan_volatile_read##size(void *p);                                  \
    void __tsan_volatile_read##size(void *p)                                   \
    {                                                                          \
        pass(HERE, p, size);                                                   \
    }                                                                          \
    void __tsan_volatile_write##size(void *p);                                 \
    void __tsan_volatile_write##size(void *p)                                  \
    {                                                                          \
        pass(HERE, p, size);                                                   \
        sched_progress();                                                      \
    }

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(void *p, size_t size);
void __tsan_read_range(void *p, size_t size)
{
    touch(HERE, p, size, false);
}

void __tsan_write_range(void *p, size_t size);
void __tsan_write_range(void *p, size_t size)
{
    touch(HERE, p, size, true);
}

/* ---- atomic ---- */

#define LOAD_STORE(bits, type)                                                 \
    type __tsan_atomic##bits##_load(const volatile type *p, int order);        \
    type __tsan_atomic##bits##_load(const volatile type *p, int order)         \
    {                                                                          \
        (void)order;                                                           \
        pass(HERE, p, sizeof *p);                                              \
        return *p;                                                             \
    }                                                                          \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order);     \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order)      \
    {                                                                          \
        (void)order;                                                           \
        pass(HERE, p, sizeof *p);                                              \
        if (*p != v)                                                           \
            sched_progress();                                                  \
        *p = v;                                                                \
    }

#define MODIFY(bits, type, name, result)                                       \
    type __tsan_atomic##bits##_##name(volatile type *p, type v, int order);    \
    type __tsan_atomic##bits##_##name(volatile type *p, type v, int order)     \
    {                                                                          \
        (void)order;                                                           \
        pass(HERE, p, sizeof *p);                                              \
        const type old = *p;                                                   \
        const type new = (type)(result);                                       \
        if (new != old)                                                        \
            sched_progress();                                                  \
        *p = new;                                                              \
        return old;                                                            \
    }

#define EXCHANGE(bits, type, name)                                             \
    int __tsan_atomic##bits##_##name(volatile type *p, type *expected, type v, \
                                     int order, int failure);                  \
    int __tsan_atomic##bits##_##name(volatile type *p, type *expected, type v, \
                                     int order, int failure)                   \
    {                                                                          \
        (void)order, (void)failure;                                            \
        pass(HERE, p, sizeof *p);                                              \
        const type old = *p;                                                   \
        if (old != *expected) {                                                \
            *expected = old;                                                   \
            return 0;                                                          \
        }                                                                      \
        if (old != v)                                                          \
            sched_progress();                                                  \
        *p = v;                                                                \
        return 1;                                                              \
    }

#define ATOMIC(bits, type)                                                     \
    LOAD_STORE(bits, type)                                                     \
    MODIFY(bits, type, exchange, v)                                            \
    MODIFY(bits, type, fetch_add, old + v)                                     \
    MODIFY(bits, type, fetch_sub, old - v)                                     \
    MODIFY(bits, type, fetch_and, old &v)                                      \
    MODIFY(bits, type, fetch_or, old | v)                                      \
    MODIFY(bits, type, fetch_xor, old ^ v)                                     \
    MODIFY(bits, type, fetch_nand, ~(old & v))                                 \
    EXCHANGE(bits, type, compare_exchange_strong)                              \
    EXCHANGE(bits, type, compare_exchange_weak)

__extension__ typedef unsigned __int128 uint128;

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
ATOMIC(128, uint128)

/* ---- what is no point ---- */

#define NOTHING(name, ...)                                                     \
    void name(__VA_ARGS__);                                                    \
    void name(__VA_ARGS__)                                                     \
    {                                                                          \
    }

NOTHING(__tsan_init, void)
NOTHING(__tsan_func_entry, void *pc __attribute__((unused)))
NOTHING(__tsan_func_exit, void)
NOTHING(__tsan_atomic_thread_fence, int order __attribute__((unused)))
NOTHING(__tsan_atomic_signal_fence, int order __attribute__((unused)))

/* ---- functions of plumb/object.h that invocation.c leaves open ---- */

NOTHING(plumb_retry, void)
NOTHING(plumb_contend, void)

unsigned plumb_choose(unsigned n)
{
    return sched_choose(n);
}
