/* explore_assembly.c - instructions of inline assembly, for the explorer.
 *
 * Each is a step, like an atomic access; the instruction itself follows.  One
 * that reads and writes without `lock` is two steps: when the second comes, the
 * value that the first has read is put back, and the instruction then works on
 * that.  The value is on the stack of the thread, and so part of its state.
 *
 * To the race detector loads acquire and stores release, as they do on this
 * processor. */
#include "atomic_hook.h"
#include "runtime/common/assembly_thunks.h"
#include "runtime/explore/shims/shims.h"
#include "unfollowed.h"

#include <stdatomic.h>

#if PLUMB_HOOKS && defined(__x86_64__)

enum { DIRECTION = 1 << 10, WIDEST = 16, SOURCE = 6 /* rsi */ };

static char nowhere[UNFOLLOWED_PLACE];
static char *unfollowed = nowhere;

void hooks_unfollowed_tell(char place[UNFOLLOWED_PLACE])
{
    unfollowed = place;
}

static void *memory_at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* ---- one place ---- */

static void announce(const void *pc, const void *at, uint32_t size, bool writes)
{
    scheduler_access(pc, at, size,
                     writes ? PLUMB_EVENT_WRITE : PLUMB_EVENT_READ);
}

static void read_memory(const void *pc, const void *at, uint32_t size)
{
    announce(pc, at, size, false);
    if (RARELY(target_trace != NULL))
        hooks_trace_volatile(pc, at, size, false);
    hooks_races_after_atomic(pc, at, size, true, false, memory_order_acquire);
}

static void write_memory(const void *pc, const void *at, uint32_t size)
{
    announce(pc, at, size, true);
    if (RARELY(target_trace != NULL))
        hooks_trace_volatile(pc, at, size, true);
    hooks_races_after_atomic(pc, at, size, false, true, memory_order_release);
}

static void modify_memory(const void *pc, void *at, uint32_t size)
{
    unsigned char was[WIDEST] = { 0 };
    read_memory(pc, at, size);
    memcpy(was, at, size);
    write_memory(pc, at, size);
    memcpy(at, was, size);
}

static uint64_t register_of(const struct runtime_assembly_frame *f,
                            unsigned number)
{
    return number == REGISTER_ADDRESS ? f->rdi : f->reg[number];
}

/* Will a compare-and-exchange find what it expects? */
static bool is_expected(const struct runtime_assembly_frame *f, const void *at,
                        uint32_t size)
{
    const uint32_t half = f->code & STEP_PAIR ? size / 2 : size;
    const char *const memory = at;
    return memcmp(memory, &f->reg[REGISTER_A], half) == 0 &&
           (half == size ||
            memcmp(memory + half, &f->reg[REGISTER_D], half) == 0);
}

static uint64_t cut(uint64_t value, uint32_t size)
{
    return size < 8 ? value & ((UINT64_C(1) << 8 * size) - 1) : value;
}

/* Of two registers, each half of what is in memory. */
static job_trace_value pair(uint64_t low, uint64_t high, uint32_t size)
{
    return cut(low, size / 2) | (job_trace_value)cut(high, size / 2)
                                    << (4 * size);
}

/* What others than a compare-and-exchange write is not known yet. */
static void trace_exchange(const struct runtime_assembly_frame *f,
                           const void *at, uint32_t size)
{
    const unsigned code = (unsigned)f->code;
    const unsigned number = assembler_step_register(code);
    const uint64_t *const reg = f->reg;
    job_trace_value before = 0;
    memcpy(&before, at, size);
    if (code & STEP_PAIR)
        hooks_trace_atomic(f->pc, at, size, memory_order_seq_cst, TRACE_CAS,
                           before, pair(reg[REGISTER_B], reg[REGISTER_C], size),
                           pair(reg[REGISTER_A], reg[REGISTER_D], size));
    else if (code & STEP_COMPARES && code & STEP_SOURCE)
        hooks_trace_atomic(f->pc, at, size, memory_order_seq_cst, TRACE_CAS,
                           before, cut(register_of(f, number), size),
                           cut(reg[REGISTER_A], size));
    else
        hooks_trace_change(f->pc, at, size, before);
}

static void exchange_memory(const struct runtime_assembly_frame *f, void *at,
                            uint32_t size)
{
    announce(f->pc, at, size, true);
    const bool writes = !(f->code & STEP_COMPARES) || is_expected(f, at, size);
    if (!writes)
        scheduler_failed();
    if (RARELY(target_trace != NULL))
        trace_exchange(f, at, size);
    hooks_races_after_atomic(f->pc, at, size, true, writes,
                             memory_order_seq_cst);
}

/* "btsq %rax, (%rdi)": rax may have the number of a bit far from there. */
static uint64_t address_of(const struct runtime_assembly_frame *f,
                           uint32_t size)
{
    const unsigned number = assembler_step_register((unsigned)f->code);
    const uint64_t at = f->reg[REGISTER_ADDRESS];
    if (!(f->code & STEP_BITS))
        return at;
    const uint64_t all = register_of(f, number);
    const int64_t bit = size == 2   ? (int16_t)all
                        : size == 4 ? (int32_t)all
                                    : (int64_t)all;
    return at + (uint64_t)(bit >> (size == 2 ? 4 : size == 4 ? 5 : 6)) * size;
}

/* ---- strings ---- */

/* The first byte of so many in a row, towards higher or lower addresses. */
static void *range_at(const struct runtime_assembly_frame *f, uint64_t at,
                      uint32_t size, uint64_t bytes)
{
    return memory_at(f->flags & DIRECTION ? at - bytes + size : at);
}

/* So many elements are looked at. */
static uint64_t count_scanned(const struct runtime_assembly_frame *f,
                              enum assembler_effect effect, uint32_t size)
{
    const uint64_t most = f->code & STEP_REPEATS ? f->reg[REGISTER_C] : 1;
    const int64_t way = f->flags & DIRECTION ? -(int64_t)size : (int64_t)size;
    const bool unequal = f->code & STEP_UNEQUAL;
    for (uint64_t n = 0; n < most; n++) {
        const uint64_t moved = n * (uint64_t)way;
        const void *const other = effect == EFFECT_SCAN
                                      ? (const void *)&f->reg[REGISTER_A]
                                      : memory_at(f->reg[SOURCE] + moved);
        const bool same = memcmp(memory_at(f->rdi + moved), other, size) == 0;
        if (same == unequal)
            return n + 1;
    }
    return most;
}

/* How far it reads may change when the thread goes on. */
static void read_string(const struct runtime_assembly_frame *f,
                        enum assembler_effect effect, uint32_t size)
{
    uint64_t bytes = count_scanned(f, effect, size) * size;
    if (bytes == 0 || bytes > UINT32_MAX)
        return;
    read_memory(f->pc, range_at(f, f->rdi, size, bytes), (uint32_t)bytes);
    bytes = count_scanned(f, effect, size) * size;
    hooks_plain(f->pc, range_at(f, f->rdi, size, bytes), bytes, false);
    if (effect == EFFECT_MATCH)
        hooks_plain(f->pc, range_at(f, f->reg[SOURCE], size, bytes), bytes,
                    false);
}

static void use_string(const struct runtime_assembly_frame *f,
                       enum assembler_effect effect, uint32_t size)
{
    const uint64_t count = f->code & STEP_REPEATS ? f->reg[REGISTER_C] : 1;
    const uint64_t bytes = count * size;
    const void *const from = range_at(f, f->reg[SOURCE], size, bytes);
    void *const to = range_at(f, f->rdi, size, bytes);
    if (bytes == 0 || bytes > UINT32_MAX)
        return;
    if (effect == EFFECT_FETCH)
        read_memory(f->pc, from, (uint32_t)bytes);
    else
        write_memory(f->pc, to, (uint32_t)bytes);
    if (effect == EFFECT_COPY)
        hooks_plain(f->pc, from, bytes, false);
}

/* ---- the rest ---- */

static void read_clock(struct runtime_assembly_frame *f, uint32_t size)
{
    const uint64_t time = shims_time_stamp(f->pc);
    f->reg[REGISTER_A] = (uint32_t)time;
    f->reg[REGISTER_D] = time >> 32;
    if (size > 8)
        f->reg[REGISTER_C] = 0; /* the number of the processor */
}

static void fence(const void *pc, int order)
{
    if (RARELY(races_on) && scheduler_inside)
        races_fence(scheduler_self(), order);
    if (RARELY(target_trace != NULL))
        hooks_trace_fence(pc, order);
}

/* What is not followed is about to run.  Of several the first by name is kept:
 * which of them runs first may depend on how many processes explore. */
static void note_unseen(const char *place)
{
    if (!scheduler_inside || (*unfollowed && strcmp(unfollowed, place) <= 0))
        return;
    const size_t length = strnlen(place, UNFOLLOWED_PLACE - 1);
    memcpy(unfollowed, place, length);
    unfollowed[length] = '\0';
}

static __attribute__((noinline)) void step(struct runtime_assembly_frame *f)
{
    const unsigned code = (unsigned)f->code;
    const uint32_t size = assembler_step_size(code);
    const enum assembler_effect effect = assembler_step_effect(code);
    void *const at = memory_at(address_of(f, size));
    switch (effect) {
    case EFFECT_NONE:
    case EFFECT_UNKNOWN:
        return;
    case EFFECT_READ:
        read_memory(f->pc, at, size);
        return;
    case EFFECT_WRITE:
        write_memory(f->pc, at, size);
        return;
    case EFFECT_MODIFY:
        modify_memory(f->pc, at, size);
        return;
    case EFFECT_ATOMIC:
        exchange_memory(f, at, size);
        return;
    case EFFECT_COPY:
    case EFFECT_FILL:
    case EFFECT_FETCH:
        use_string(f, effect, size);
        return;
    case EFFECT_SCAN:
    case EFFECT_MATCH:
        read_string(f, effect, size);
        return;
    case EFFECT_FENCE:
        fence(f->pc, (int)size);
        return;
    case EFFECT_PAUSE:
        if (scheduler_inside)
            scheduler_yield(f->pc);
        return;
    case EFFECT_CLOCK:
        read_clock(f, size);
        return;
    case EFFECT_UNSEEN:
        note_unseen(at);
        return;
    }
}

void hooks_assembly(struct runtime_assembly_frame *f);
void hooks_assembly(struct runtime_assembly_frame *f)
{
    if (RARELY(scheduler_tidy))
        FIBER_CLEAR_STACK();
    scheduler_caller_stack = 0;
    step(f);
}

RUNTIME_ASSEMBLY_VECTORS
RUNTIME_ASSEMBLY_THUNKS("hooks_assembly");

#elif PLUMB_HOOKS

void hooks_unfollowed_tell(char place[UNFOLLOWED_PLACE])
{
    (void)place;
}

#endif
