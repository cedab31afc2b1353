/* budget.c - counting bytes and watching the clock.
 *
 * Bytes are charged before malloc is asked, so the limit is never exceeded by
 * more than what other libraries allocate.  The counters are relaxed atomics:
 * they order nothing, they only have to add up. */
#include "memory.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

struct plumb_budget {
    atomic_size_t used, peak;
    atomic_size_t fail_in; /* allocations until one fails; 0 is never */
    atomic_bool stopped;
    size_t limit;
    uint64_t deadline; /* monotonic nanoseconds; 0 is none */
    uint64_t tight;    /* when six sevenths of the time are over */
};

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct plumb_budget *plumb_budget_new(uint64_t milliseconds, size_t bytes)
{
    struct plumb_budget *const b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->limit = bytes;
    plumb_budget_allow(b, milliseconds);
    return b;
}

void plumb_budget_allow(struct plumb_budget *b, uint64_t milliseconds)
{
    b->deadline = b->tight = 0;
    if (milliseconds && milliseconds < UINT64_MAX / 2000000) {
        const uint64_t start = now(), length = milliseconds * 1000000;
        b->deadline = start + length;
        b->tight = start + length / 7 * 6;
    }
}

void plumb_budget_free(struct plumb_budget *budget)
{
    free(budget);
}

void plumb_budget_stop(struct plumb_budget *budget)
{
    atomic_store_explicit(&budget->stopped, true, memory_order_relaxed);
}

static bool is_stopped(const struct plumb_budget *b)
{
    return atomic_load_explicit(&b->stopped, memory_order_relaxed);
}

bool plumb_base_budget_is_tight(const struct plumb_budget *budget)
{
    return budget &&
           (is_stopped(budget) || (budget->tight && now() >= budget->tight));
}

enum plumb_status plumb_budget_state(const struct plumb_budget *budget)
{
    if (!budget)
        return PLUMB_OK;
    if (is_stopped(budget))
        return PLUMB_ESTOP;
    if (budget->deadline && now() >= budget->deadline)
        return PLUMB_ETIME;
    return PLUMB_OK;
}

size_t plumb_budget_used(const struct plumb_budget *budget)
{
    return budget ? atomic_load_explicit(&budget->used, memory_order_relaxed)
                  : 0;
}

size_t plumb_budget_peak(const struct plumb_budget *budget)
{
    return budget ? atomic_load_explicit(&budget->peak, memory_order_relaxed)
                  : 0;
}

bool plumb_base_budget_is_half_used(const struct plumb_budget *budget)
{
    return budget && budget->limit &&
           plumb_budget_used(budget) > budget->limit / 2;
}

void plumb_base_budget_forget_peak(struct plumb_budget *budget)
{
    if (budget)
        atomic_store_explicit(&budget->peak, plumb_budget_used(budget),
                              memory_order_relaxed);
}

void plumb_base_budget_fail_at(struct plumb_budget *budget, size_t nth)
{
    atomic_store_explicit(&budget->fail_in, nth, memory_order_relaxed);
}

bool plumb_base_budget_has_failed(const struct plumb_budget *budget)
{
    return !atomic_load_explicit(&budget->fail_in, memory_order_relaxed);
}

static bool this_allocation_is_to_fail(struct plumb_budget *b)
{
    size_t n = atomic_load_explicit(&b->fail_in, memory_order_relaxed);
    if (n == 0)
        return false;
    atomic_store_explicit(&b->fail_in, n - 1, memory_order_relaxed);
    return n == 1;
}

bool plumb_base_budget_charge(struct plumb_budget *b, size_t size)
{
    if (!b)
        return true;
    if (this_allocation_is_to_fail(b))
        return false;
    const size_t before =
        atomic_fetch_add_explicit(&b->used, size, memory_order_relaxed);
    const size_t after = before + size;
    if (b->limit && (after > b->limit || after < before)) {
        atomic_fetch_sub_explicit(&b->used, size, memory_order_relaxed);
        return false;
    }
    size_t peak = atomic_load_explicit(&b->peak, memory_order_relaxed);
    while (peak < after && !atomic_compare_exchange_weak_explicit(
                               &b->peak, &peak, after, memory_order_relaxed,
                               memory_order_relaxed))
        ;
    return true;
}

void plumb_base_budget_give_back(struct plumb_budget *b, size_t size)
{
    assert(!b ||
           size <= plumb_budget_used(b)); /* sizes come back as they went */
    if (b)
        atomic_fetch_sub_explicit(&b->used, size, memory_order_relaxed);
}

/* Large blocks are mapped, and made of large pages as far as they go: with
 * those the system is asked for memory 512 times less often, and a block that
 * grows moves by its page tables, not byte by byte. */
enum { LARGE_PAGE = 2 << 20 };

/* 0: it is not mapped. */
static size_t mapped_size(size_t size)
{
    const bool large = size >= LARGE_PAGE && size <= SIZE_MAX / 2;
    return large ? (size + LARGE_PAGE - 1) & ~(size_t)(LARGE_PAGE - 1) : 0;
}

/* What a block takes: a large one takes its large pages as a whole. */
static size_t cost(size_t size)
{
    const size_t mapped = mapped_size(size);
    return mapped ? mapped : size;
}

/* Addresses that begin where a large page may; NULL: there are none. */
static void *reserve(size_t size, int protection)
{
    char *const found =
        mmap(NULL, size + LARGE_PAGE, protection,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED)
        return NULL;
    const size_t skipped = -(uintptr_t)found & (LARGE_PAGE - 1);
    if (skipped)
        munmap(found, skipped);
    munmap(found + skipped + size, LARGE_PAGE - skipped);
    return found + skipped;
}

static void want_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
    madvise(block, size, MADV_HUGEPAGE);
#else
    (void)block, (void)size;
#endif
}

static void *allocate_zeroed(size_t size)
{
    const size_t mapped = mapped_size(size);
    if (!mapped)
        return calloc(size ? size : 1, 1);
    void *const block = reserve(mapped, PROT_READ | PROT_WRITE);
    if (block)
        want_large_pages(block, mapped);
    return block;
}

static void *allocate(size_t size)
{
    return mapped_size(size) ? allocate_zeroed(size) : malloc(size ? size : 1);
}

static void deallocate(void *block, size_t size)
{
    const size_t mapped = mapped_size(size);
    if (mapped)
        munmap(block, mapped);
    else
        free(block);
}

static void *charged(struct plumb_budget *b, void *block, size_t size)
{
    if (!block)
        plumb_base_budget_give_back(b, size);
    return block;
}

void *plumb_base_alloc(struct plumb_budget *budget, size_t size)
{
    if (!plumb_base_budget_charge(budget, cost(size)))
        return NULL;
    return charged(budget, allocate(size), cost(size));
}

void *plumb_base_alloc_zeroed(struct plumb_budget *budget, size_t size)
{
    if (!plumb_base_budget_charge(budget, cost(size)))
        return NULL;
    return charged(budget, allocate_zeroed(size), cost(size));
}

/* A mapped block, which stays or moves as a whole; NULL: it cannot. */
static void *remap(void *block, size_t before, size_t after)
{
    void *moved = mremap(block, before, after, 0);
    if (moved != MAP_FAILED)
        return moved;
    void *const place = reserve(after, PROT_NONE);
    if (!place)
        return NULL;
    moved = mremap(block, before, after, MREMAP_MAYMOVE | MREMAP_FIXED, place);
    if (moved != MAP_FAILED)
        return moved;
    munmap(place, after);
    return NULL;
}

static void *copy(void *block, size_t old_size, size_t new_size)
{
    void *const moved = allocate(new_size);
    if (!moved)
        return NULL;
    if (old_size)
        memcpy(moved, block, old_size < new_size ? old_size : new_size);
    if (block)
        deallocate(block, old_size);
    return moved;
}

static void *reallocate(void *block, size_t old_size, size_t new_size)
{
    const size_t before = mapped_size(old_size), after = mapped_size(new_size);
    if (!before && !after)
        return realloc(block, new_size ? new_size : 1);
    void *const moved = before && after ? remap(block, before, after) : NULL;
    return moved ? moved : copy(block, old_size, new_size);
}

/* The new size is charged before the old one is given back, because both may
 * be held at once; unless the block is remapped. */
void *plumb_base_resize(struct plumb_budget *budget, void *block,
                        size_t old_size, size_t new_size)
{
    assert(block || !old_size);
    const size_t before = cost(old_size), after = cost(new_size);
    const size_t shared = mapped_size(old_size) && mapped_size(new_size)
                              ? (before < after ? before : after)
                              : 0;
    if (!plumb_base_budget_charge(budget, after - shared))
        return NULL;
    void *const moved = reallocate(block, old_size, new_size);
    if (moved)
        plumb_base_budget_give_back(budget, before - shared);
    return charged(budget, moved, after - shared);
}

void plumb_base_release(struct plumb_budget *budget, void *block, size_t size)
{
    if (!block)
        return;
    deallocate(block, size);
    plumb_base_budget_give_back(budget, cost(size));
}

void *plumb_base_grown(struct plumb_budget *budget, void *array,
                       size_t *capacity, size_t need, size_t element_size)
{
    size_t wanted = *capacity < 2 ? 4 : *capacity * 2;
    if (wanted < need)
        wanted = need;
    if (wanted > SIZE_MAX / element_size)
        return array;
    void *const moved = plumb_base_resize(
        budget, array, *capacity * element_size, wanted * element_size);
    if (!moved)
        return array;
    *capacity = wanted;
    return moved;
}

void *plumb_base_grown_zeroed(struct plumb_budget *budget, void *array,
                              size_t *capacity, size_t need,
                              size_t element_size)
{
    const size_t before = *capacity;
    char *const now =
        plumb_base_grown(budget, array, capacity, need, element_size);
    if (*capacity > before)
        memset(now + before * element_size, 0,
               (*capacity - before) * element_size);
    return now;
}
