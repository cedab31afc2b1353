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

/* Many small parts are hashed as one, in a copy; their order and sizes matter. */
enum { LARGE = 2048, ROOM = 4 * LARGE };

static struct {
    _Alignas(16) char bytes[ROOM];
    size_t used;
} parts;

/* Without a seed: to make a secret of one takes as long as a kilobyte. */
static void hash_part(uint64_t hash[2], const void *at, size_t size)
{
    const XXH128_hash_t h = XXH3_128bits(at, size);
    hash[0] = (hash[0] ^ h.low64) * 0x9E3779B97F4A7C15u + size;
    hash[1] = (hash[1] + h.high64) * 0xC2B2AE3D27D4EB4Fu;
    hash[1] ^= hash[1] >> 31;
}

static void hash_parts(uint64_t hash[2])
{
    if (parts.used)
        hash_part(hash, parts.bytes, parts.used);
    parts.used = 0;
}

static void add(uint64_t hash[2], const void *at, size_t size)
{
    if (parts.used + sizeof size + size > ROOM)
        hash_parts(hash);
    memcpy(parts.bytes + parts.used, &size, sizeof size);
    parts.used += sizeof size;
    if (size > LARGE) {
        hash_parts(hash);
        hash_part(hash, at, size);
        return;
    }
    memcpy(parts.bytes + parts.used, at, size);
    parts.used += size;
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

/* What a thread is, in one piece: most threads are as they were when the last
 * fingerprint was taken, and then so is its hash. */
enum { MOST_THREAD = 1008 };

static struct thread_part {
    uint64_t hash[2];
    size_t size;
    char bytes[MOST_THREAD];
} of_thread[PLUMB_MAX_THREADS];

struct piece {
    const void *at;
    size_t size;
};

static bool is_as_before(const struct thread_part *p, const struct piece *piece,
                         unsigned count, size_t size)
{
    const char *at = p->bytes;
    if (p->size != size)
        return false;
    for (unsigned i = 0; i < count; at += piece[i++].size)
        if (memcmp(at, piece[i].at, piece[i].size) != 0)
            return false;
    return true;
}

static void hash_thread(struct thread_part *p, const struct piece *piece,
                        unsigned count, size_t size)
{
    char *at = p->bytes;
    for (unsigned i = 0; i < count; at += piece[i++].size)
        memcpy(at, piece[i].at, piece[i].size);
    p->size = size;
    p->hash[0] = p->hash[1] = 0;
    hash_part(p->hash, p->bytes, size);
}

static void add_pieces(uint64_t hash[2], struct thread_part *p,
                       const struct piece *piece, unsigned count)
{
    size_t size = 0;
    for (unsigned i = 0; i < count; i++)
        size += piece[i].size;
    if (size > MOST_THREAD) {
        for (unsigned i = 0; i < count; i++)
            add(hash, piece[i].at, piece[i].size);
        return;
    }
    if (!is_as_before(p, piece, count, size))
        hash_thread(p, piece, count, size);
    add(hash, p->hash, sizeof p->hash);
}

/* Where it stands; its stack, on which the registers that matter were saved.
 * Only the stack has no fixed size, so that pieces end where they did. */
static void add_thread(uint64_t hash[2], const struct scheduler_thread *t)
{
    const unsigned number = (unsigned)(t - scheduler.thread);
    const uint64_t standing[] = {
        t->next.at,
        (uint64_t)t->next.kind << 32 | t->next.size,
        (uint64_t)(uintptr_t)t->ready,
        (uint64_t)(uintptr_t)t->what,
        (uint64_t)t->ended << 1 | (uint64_t)t->called,
        (uint64_t)t->fiber.kept_error,
        races_step_on ? races_step_hash(number) : 0,
        (uintptr_t)t->fiber.stack_end - (uintptr_t)t->fiber.sp,
    };
    const size_t stack =
        (size_t)(t->fiber.stack_end - (const char *)t->fiber.sp);
    const struct piece piece[] = {
        { t->slot, sizeof t->slot },
        { standing, sizeof standing },
        { t->fiber.sp, stack },
        { t->fiber.exceptions, t->fiber.exceptions ? FIBER_EXCEPTIONS : 0 },
    };
    if (t->ended) {
        add(hash, &standing[6], sizeof standing[6]);
        add(hash, t->slot, sizeof t->slot);
        return;
    }
    add_pieces(hash, &of_thread[number], piece, t->fiber.exceptions ? 4 : 3);
}

void memory_world_fingerprint(uint64_t hash[2])
{
    const struct scheduler_adapter_play *const play = scheduler.play;
    hash[0] = play->history ? play->history(play->context) : 0;
    hash[1] = scheduler.threads | scheduler.yielding << 8 |
              (uint64_t)scheduler.over << 63 | (uint64_t)scheduler.exited << 62;
    if (scheduler.over) { /* stacks may not be what they were left as */
        add(hash, &scheduler.finding, sizeof scheduler.finding);
        hash_parts(hash);
        return;
    }
    add_target(hash);
    add_heap(hash);
    for (unsigned i = 0; i < keeps; i++)
        add(hash, kept[i].at, kept[i].size);
    for (unsigned t = 0; t < scheduler.threads; t++)
        add_thread(hash, &scheduler.thread[t]);
    hash_parts(hash);
}
