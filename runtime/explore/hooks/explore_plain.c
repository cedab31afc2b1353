/* explore_plain.c - accesses that are not atomic, for the explorer.
 *
 * The same entry points as in runtime/simulate/hooks_plain.c, which tells which compiler
 * calls them when.  The access itself follows the hook.  Volatile accesses are
 * events like atomic ones, and order as little as relaxed ones do: much code
 * that is older than <stdatomic.h> means that by them. */
#include "scheduler_hook.h"
#include "weak_orders.h"

#include <stdatomic.h>

#if PLUMB_HOOKS

HOOK(void, __tsan_init, void)
{
}

/* ---- functions ---- */

/* Variables on stacks are found by the pointers to the stack and the frame of
 * their function: `stack` is where its stack ended when it called the hook.  The
 * hook may have a frame of its own, which begins with the pointer it found. */
static __attribute__((noinline, cold)) void trace_entry(const void *caller,
                                                        const void *here,
                                                        uintptr_t stack)
{
    struct job_trace_record *const r =
        target_trace_add(TRACE_ENTER, caller, here, 0);
    target_trace_enters(stack);
    if (!r)
        return;
    r->before = stack;
#ifdef __x86_64__
    const uintptr_t *frame = __builtin_frame_address(0);
    if (*frame == stack - 2 * sizeof *frame)
        frame = (const uintptr_t *)*frame;
    r->after = *frame;
#endif
}

/* `caller` is where it was called, and we were called at its beginning. */
HOOK(void, __tsan_func_entry, void *caller)
{
    if (RARELY(target_trace != NULL))
        trace_entry(caller, HERE, (uintptr_t)__builtin_dwarf_cfa());
}

HOOK(void, __tsan_func_exit, void)
{
    if (RARELY(target_trace != NULL)) {
        (void)target_trace_add(TRACE_LEAVE, HERE, NULL, 0);
        target_trace_leaves();
    }
}

/* Their accesses are not hooked; what they call is followed still. */
HOOK(void, __tsan_ignore_thread_begin, void)
{
}

HOOK(void, __tsan_ignore_thread_end, void)
{
}

/* ---- reading and writing ---- */

#define PLAIN(name, size, writes)                                              \
    HOOK(void, __tsan_##name, void *at)                                        \
    {                                                                          \
        hooks_plain(HERE, at, size, writes);                                   \
    }

static inline void volatile_access(const void *pc, const void *at,
                                   uint32_t size, bool writes)
{
    scheduler_access(pc, at, size,
                     writes ? PLUMB_EVENT_WRITE : PLUMB_EVENT_READ);
    if (RARELY(target_trace != NULL))
        hooks_trace_volatile(pc, at, size, writes);
    hooks_weak_order_note(pc, memory_order_relaxed);
    hooks_races_after_atomic(pc, at, size, !writes, writes,
                             memory_order_relaxed);
}

#define VOLATILE(name, size, writes)                                           \
    HOOK(void, __tsan_##name, void *at)                                        \
    {                                                                          \
        volatile_access(HERE, at, size, writes);                               \
    }

#define EACH_WORD(form, kind, writes)                                          \
    form(kind##1, 1, writes) form(kind##2, 2, writes) form(kind##4, 4, writes) \
        form(kind##8, 8, writes)

#define EACH_SIZE(form, kind, writes)                                          \
    EACH_WORD(form, kind, writes) form(kind##16, 16, writes)

EACH_WORD(PLAIN, read, false)
EACH_WORD(PLAIN, write, true)
EACH_SIZE(PLAIN, unaligned_read, false)
EACH_SIZE(PLAIN, unaligned_write, true)

/* Both halves in one step: whatever meets the read meets the write. */
EACH_SIZE(PLAIN, read_write, true)
EACH_SIZE(PLAIN, unaligned_read_write, true)

EACH_SIZE(VOLATILE, volatile_read, false)
EACH_SIZE(VOLATILE, volatile_write, true)
EACH_SIZE(VOLATILE, unaligned_volatile_read, false)
EACH_SIZE(VOLATILE, unaligned_volatile_write, true)

/* ---- accesses that gcc copies by ---- */

HOOK(void, __tsan_read_range, void *at, size_t size)
{
    hooks_copy_half(HERE, at, size, false, true);
}

HOOK(void, __tsan_write_range, void *at, size_t size)
{
    hooks_copy_half(HERE, at, size, true, true);
}

HOOK(void, __tsan_read16, void *at)
{
    hooks_copy_half(HERE, at, 16, false, false);
}

HOOK(void, __tsan_write16, void *at)
{
    hooks_copy_half(HERE, at, 16, true, false);
}

/* ---- the table of virtual functions that an object points to ---- */

HOOK(void, __tsan_vptr_read, void **at)
{
    hooks_plain(HERE, at, sizeof *at, false);
}

/* Destructors write again what is there already, to objects that others may
 * still look at: that is no write. */
HOOK(void, __tsan_vptr_update, void **at, void *table)
{
    hooks_plain(HERE, at, sizeof *at, false);
    if (*at != table)
        hooks_plain(HERE, at, sizeof *at, true);
}

#endif
