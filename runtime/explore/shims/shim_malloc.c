/* shim_malloc.c - malloc and its kin, for the target and for ourselves.
 *
 * Exported by the program around the scheduler, they stand in front of libc's for
 * everybody: the target, libstdc++ (operator new calls malloc), and libc
 * (strdup, getline).  What the target allocates comes from the test heap; the
 * rest from libc as ever.  A pointer tells which of the two it is from.
 *
 * They are events for strategies that know nothing but events, and where memory
 * is reused by choice (heap.h); to free a block is to write it. */
#include "real.h"
#include "runtime/explore/job/trace.h"
#include "runtime/explore/memory/heap.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/races/races.h"
#include "runtime/explore/races/step_races.h"
#include "runtime/explore/scheduler/scheduler.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma weak races_forget
#pragma weak races_wanted
#pragma weak races_step_free
#pragma weak races_step_on
#pragma weak scheduler_running
#pragma weak target_trace_elements

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

/* A program that asks for as much as this expects to be refused. */
#define MUCH ((size_t)1 << 40)

/* Constructors of the target call while it is loaded; the dynamic linker does,
 * too, and its memory is no part of the world. */
static bool is_for_target(const void *pc)
{
    return scheduler_inside ||
           (memory_image_is_loading() && !memory_image_is_linker(pc));
}

static void *take(const void *pc, size_t size, size_t alignment)
{
    if (scheduler_inside)
        scheduler_allocation(pc, size);
    scheduler_changed();
    void *const block = memory_heap_take(pc, size, alignment);
    if (!block && scheduler_inside && size < MUCH)
        scheduler_fail(FAULT_UNMODELLED, pc, NULL,
                       "the target allocates more than %d MB",
                       HEAP_BYTES >> 20);
    if (!block)
        errno = ENOMEM;
    else if (scheduler_inside && races_forget && races_wanted)
        races_forget(block, size);
    return block;
}

/* Not a block in use: what is it? */
_Noreturn static void fail_to_free(const void *pc, const void *block)
{
    struct memory_heap_block b;
    if (!memory_heap_block_of(block, &b))
        scheduler_fail(FAULT_FREE, pc, block,
                       "freed a pointer that malloc() never returned");
    if (b.at == block)
        scheduler_fail(FAULT_FREE, pc, block, "freed twice");
    if (b.used && (uintptr_t)block - (uintptr_t)b.at < b.size)
        scheduler_fail(
            FAULT_FREE, pc, block,
            "freed a pointer into a block of %zu bytes, %zu bytes from "
            "its start",
            b.size, (size_t)((uintptr_t)block - (uintptr_t)b.at));
    scheduler_fail(FAULT_FREE, pc, block,
                   "freed a pointer that malloc() never returned");
}

static void announce(const void *pc, const void *block)
{
    const size_t size = memory_heap_size(block);
    scheduler_free(pc, block, size ? size : 1);
    if (races_step_free && races_step_on)
        races_step_free(scheduler_self(), pc, block, size);
    scheduler_changed();
}

/* What is freed from outside is cleaning up, which restoring does. */
static void give(const void *pc, void *block)
{
    if (scheduler_inside && memory_heap_is_block(block))
        announce(pc, block);
    if (!memory_heap_give(pc, block) && scheduler_inside)
        fail_to_free(pc, block);
}

void *malloc(size_t size)
{
    return is_for_target(HERE) ? take(HERE, size, 1) : __libc_malloc(size);
}

void free(void *block)
{
    if (memory_heap_has(block))
        give(HERE, block);
    else if (scheduler_inside && memory_image_has(block))
        fail_to_free(HERE, block);
    else
        __libc_free(block);
}

void *calloc(size_t count, size_t size)
{
    size_t whole;
    if (!is_for_target(HERE))
        return __libc_calloc(count, size);
    if (__builtin_mul_overflow(count, size, &whole)) {
        errno = ENOMEM;
        return NULL;
    }
    void *const block = take(HERE, whole, 1);
    if (block && target_trace_elements)
        target_trace_elements(size);
    return block ? memset(block, 0, whole) : NULL;
}

/* Always to another place, which is what a program must expect. */
static void *move(const void *pc, void *block, size_t size)
{
    if (!memory_heap_is_block(block)) {
        if (scheduler_inside)
            fail_to_free(pc, block);
        errno = EINVAL;
        return NULL;
    }
    const size_t old = memory_heap_size(block);
    if (size == 0) { /* as in glibc */
        give(pc, block);
        return NULL;
    }
    void *const new = take(pc, size, 1);
    if (!new)
        return NULL;
    memcpy(new, block, old < size ? old : size);
    give(pc, block);
    return new;
}

static void *change_size(const void *pc, void *block, size_t size)
{
    if (block && memory_heap_has(block))
        return move(pc, block, size);
    if (!is_for_target(pc))
        return __libc_realloc(block, size);
    if (!block)
        return take(pc, size, 1);
    if (memory_image_has(block))
        fail_to_free(pc, block);
    return __libc_realloc(block, size);
}

void *realloc(void *block, size_t size)
{
    return change_size(HERE, block, size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
    size_t whole;
    if (__builtin_mul_overflow(count, size, &whole)) {
        errno = ENOMEM;
        return NULL;
    }
    return change_size(HERE, block, whole);
}

/* ---- aligned ---- */

static bool is_power_of_2(size_t n)
{
    return n && (n & (n - 1)) == 0;
}

static void *take_aligned(const void *pc, size_t alignment, size_t size)
{
    if (!is_power_of_2(alignment)) {
        errno = EINVAL;
        return NULL;
    }
    return is_for_target(pc) ? take(pc, size, alignment)
                             : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return take_aligned(HERE, alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    return take_aligned(HERE, alignment, size);
}

void *valloc(size_t size)
{
    return take_aligned(HERE, (size_t)getpagesize(), size);
}

void *pvalloc(size_t size)
{
    const size_t page = (size_t)getpagesize();
    const size_t whole = (size + page - 1) / page * page;
    return take_aligned(HERE, page, whole < size ? SIZE_MAX : whole);
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    const int before = errno;
    if (!is_power_of_2(alignment) || alignment % sizeof(void *) != 0)
        return EINVAL;
    void *const block = take_aligned(HERE, alignment, size);
    errno = before;
    if (!block)
        return ENOMEM;
    *to = block;
    return 0;
}

size_t malloc_usable_size(void *block)
{
    return memory_heap_has(block) ? memory_heap_size(block)
                                  : REAL(malloc_usable_size)(block);
}
