/* world.c - what an execution can change: put back, and told by a fingerprint.
 *
 * Variables and thread-locals of the target are image.c's, its allocations
 * heap.c's.  Stacks are cleared by scheduler_fiber_start(), and so are threads. */
#include "runtime/explore/scheduler/scheduler_state.h"

#include "heap.h"
#include "image.h"
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_KEPT = 32, MOST_RANGES = 256 };

struct kept {
    void *at, *copy;
    size_t size;
};

static struct kept kept[MOST_KEPT];
static unsigned keeps;
static char *locals[PLUMB_MAX_THREADS]; /* of the threads, if there are any */
static unsigned with_locals;
static char *first_locals; /* of thread 0, after what comes before all */

void memory_world_keep(void *at, size_t size)
{
    if (keeps == MOST_KEPT)
        abort();
    struct kept *const k = &kept[keeps++];
    *k = (struct kept){ .at = at, .copy = malloc(size), .size = size };
    if (!k->copy)
        abort();
    memcpy(k->copy, at, size);
}

void memory_world_keep_thread(unsigned t)
{
    if (scheduler.thread[t].fiber.locals)
        locals[with_locals++] = scheduler.thread[t].fiber.locals;
}

bool memory_world_snapshot(void)
{
    const size_t size = memory_image_thread_locals_size();
    for (unsigned i = 0; i < keeps; i++)
        memcpy(kept[i].copy, kept[i].at, kept[i].size);
    if (with_locals && !first_locals)
        first_locals = malloc(size);
    if (with_locals && !first_locals)
        return false;
    if (with_locals)
        memcpy(first_locals, locals[0], size);
    return memory_image_snapshot() && memory_heap_snapshot();
}

void memory_world_restore(void)
{
    memory_image_restore(locals, with_locals);
    if (first_locals)
        memcpy(locals[0], first_locals, memory_image_thread_locals_size());
    memory_heap_restore();
    for (unsigned i = 0; i < keeps; i++)
        memcpy(kept[i].at, kept[i].copy, kept[i].size);
}

/* ---- in the midst of an execution ---- */

/* Threads that do not exist yet have theirs as they are in a new thread. */
static void pass_locals(struct memory_tape *tape)
{
    const size_t size = memory_image_thread_locals_size();
    unsigned t = 0;
    for (; t < with_locals && t < scheduler.threads; t++)
        memory_tape_pass(tape, locals[t], size);
    for (; t < with_locals && tape->reads; t++)
        memory_image_begin_locals(locals[t]);
}

/* Threads are those of the moment already. */
void memory_world_pass(struct memory_tape *tape)
{
    for (unsigned i = 0; i < keeps; i++)
        memory_tape_pass(tape, kept[i].at, kept[i].size);
    memory_image_pass(tape);
    pass_locals(tape);
    memory_heap_pass(tape);
}

/* ---- where pointers are ---- */

static void visit_thread(const struct scheduler_thread *t,
                         void (*visit)(const void *at, size_t size))
{
    visit(t->slot, sizeof t->slot);
    visit(&t->argument, sizeof t->argument);
    visit(t->fiber.sp,
          (size_t)(t->fiber.stack_end - (const char *)t->fiber.sp));
    if (t->fiber.exceptions)
        visit(t->fiber.exceptions, FIBER_EXCEPTIONS);
}

/* Processes of a test end with it and not by themselves: what is local to them
 * is still theirs. */
void memory_world_each_root(void (*visit)(const void *at, size_t size))
{
    for (unsigned i = 0; i < keeps; i++)
        visit(kept[i].at, kept[i].size);
    for (unsigned t = 0; t < scheduler.threads; t++) {
        const bool ended = scheduler.thread[t].ended;
        if (t < with_locals && (!ended || t < scheduler.play->roles))
            visit(locals[t], memory_image_thread_locals_size());
        if (!ended)
            visit_thread(&scheduler.thread[t], visit);
    }
}

/* ---- the fingerprint ---- */

/* Parts are hashed one by one; their order and sizes matter. */
static void add(uint64_t hash[2], const void *at, size_t size)
{
    const XXH128_hash_t h = XXH3_128bits_withSeed(at, size, hash[0]);
    hash[0] = (hash[0] ^ h.low64) * 0x9E3779B97F4A7C15u + size;
    hash[1] = (hash[1] + h.high64) * 0xC2B2AE3D27D4EB4Fu;
    hash[1] ^= hash[1] >> 31;
}

static void add_target(uint64_t hash[2])
{
    struct memory_heap_range range[IMAGE_MOST_RANGES];
    const unsigned count = memory_image_ranges(range, IMAGE_MOST_RANGES);
    for (unsigned i = 0; i < count; i++)
        add(hash, range[i].at, range[i].size);
    for (unsigned i = 0; i < with_locals && i < scheduler.threads; i++)
        add(hash, locals[i], memory_image_thread_locals_size());
}

static void add_heap(uint64_t hash[2])
{
    struct memory_heap_range range[MOST_RANGES];
    const unsigned count = memory_heap_ranges(range, MOST_RANGES);
    for (unsigned i = 0; i < count; i++)
        add(hash, range[i].at, range[i].size);
}

/* Where it stands; its stack, on which the registers that matter were saved. */
static void add_thread(uint64_t hash[2], const struct scheduler_thread *t)
{
    const uint64_t standing[] = {
        t->next.at,
        (uint64_t)t->next.kind << 32 | t->next.size,
        (uint64_t)(uintptr_t)t->ready,
        (uint64_t)(uintptr_t)t->what,
        (uint64_t)t->ended << 1 | (uint64_t)t->called,
        (uint64_t)t->fiber.kept_error,
    };
    if (races_step_on)
        hash[0] =
            (hash[0] ^ races_step_hash((unsigned)(t - scheduler.thread))) *
            0x9E3779B97F4A7C15u;
    if (t->ended) {
        add(hash, t->slot, sizeof t->slot);
        return;
    }
    add(hash, standing, sizeof standing);
    if (t->fiber.exceptions)
        add(hash, t->fiber.exceptions, FIBER_EXCEPTIONS);
    add(hash, t->slot, sizeof t->slot);
    add(hash, t->fiber.sp,
        (size_t)(t->fiber.stack_end - (const char *)t->fiber.sp));
}

void memory_world_fingerprint(uint64_t hash[2])
{
    const struct scheduler_adapter_play *const play = scheduler.play;
    hash[0] = play->history ? play->history(play->context) : 0;
    hash[1] = scheduler.threads | scheduler.yielding << 8 |
              (uint64_t)scheduler.over << 63 | (uint64_t)scheduler.exited << 62;
    if (scheduler.over) { /* stacks may not be what they were left as */
        add(hash, &scheduler.finding, sizeof scheduler.finding);
        return;
    }
    add_target(hash);
    add_heap(hash);
    for (unsigned i = 0; i < keeps; i++)
        add(hash, kept[i].at, kept[i].size);
    for (unsigned t = 0; t < scheduler.threads; t++)
        add_thread(hash, &scheduler.thread[t]);
}
