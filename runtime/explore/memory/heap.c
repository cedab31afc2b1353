/* heap.c - see heap.h.
 *
 * Blocks are cut off a region one after the other, in granules of 16 bytes,
 * with at least one granule between two of them:
 *
 *     | gap | block 1     |red| block 2 |red| gap | block 3 ... |red|  top
 *
 * A block that was cut off stays where it is; freed, it waits in the list of
 * its number of granules.  owner[] has for each granule the block it is in, or
 * the one before, so that one look decides an access to the byte.
 *
 * What is known of the blocks lies apart from them, behind pages that nobody
 * may touch.  It is in two parts: struct block is what future addresses depend
 * on, and belongs to the world; struct story is for reports.  The first block
 * of each list is the one that no other points to, so the world need not have
 * the lists themselves.
 *
 * All bytes that are not in a block in use hold the same rubbish: then the
 * region up to `top` belongs to the world as a whole, if need be.
 *
 * memory_heap_restore() does what the execution made necessary.  Blocks that are newer
 * than the snapshot vanish with `top`.  Older ones are written down when they
 * first change hands (changed[]), lists likewise; their contents may have been
 * written at any time and are compared. */
#include "heap.h"

#include "pages.h"
#include "runtime/explore/job/trace.h"
#include "runtime/explore/scheduler/scheduler.h"
#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum {
    GRANULE = 16,
    GRANULES = HEAP_BYTES / GRANULE,
    BLOCKS = GRANULES / 2 + 1, /* at most: a granule each, and red ones */
    LISTS = 1 << 10,           /* the last one has all larger blocks     */
    RUBBISH = 0xA5,
    GUARD = 1 << 16 /* bytes on both sides of a mapping */
};

static const uint32_t USED = UINT32_MAX; /* a block's `next` */

struct block {
    uint32_t at, granules;
    uint32_t size; /* as asked for; 0 if it is free    */
    uint32_t next; /* free one of its list; 0: it is the last */
};

struct story {
    const void *allocated_by, *freed_by;
    uint32_t size, number;
    bool changed; /* it is in changed[] */
};

uintptr_t memory_heap_base = UINTPTR_MAX - HEAP_BYTES;

static char *region;
static enum memory_heap_reuse policy;

/* Block 0 is none: it is where the region begins, and ends the lists. */
static struct {
    uint32_t *owner;
    struct block *block;
    struct story *story;
    uint32_t *changed;
    uint32_t list[LISTS];
} heap;

/* What changes with every block. */
struct counts {
    uint32_t blocks, top, numbers, used;
};
static struct counts now;
static uint32_t changes;

static struct {
    uint16_t list[LISTS];
    bool is_touched[LISTS];
    uint32_t count;
} touched;

static struct {
    bool taken;
    struct counts counts;
    struct memory_pages contents;
    struct block *block;
    struct story *story;
    uint32_t list[LISTS];
} kept;

/* ---- memory ---- */

/* Between two guards; NULL if there is none, or `wanted` is taken. */
static void *map(uintptr_t wanted, size_t size)
{
    void *hint;
    memcpy(&hint, &wanted, sizeof hint);
    const size_t whole = size + (size_t)2 * GUARD;
    const int fixed = wanted ? MAP_FIXED_NOREPLACE : 0;
    char *const at =
        mmap(hint, whole, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    if ((wanted && at != hint) ||
        mprotect(at + GUARD, size, PROT_READ | PROT_WRITE)) {
        munmap(at, whole);
        return NULL;
    }
    return at + GUARD;
}

/* The first that is free: addresses in reports and in the order of pointers
 * are then the same in every process. */
static char *map_region(void)
{
    static const uint64_t wanted[] = { 0x200000000000, 0x100000000000,
                                       0x300000000000, 0x400000000000,
                                       0x2000000000,   0x3000000000 };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char *const at = map((uintptr_t)wanted[i] - GUARD, HEAP_BYTES);
        if (at)
            return at;
    }
    return NULL;
}

static bool map_all(void)
{
    heap.owner = map(0, GRANULES * sizeof *heap.owner);
    heap.block = map(0, BLOCKS * sizeof *heap.block);
    heap.story = map(0, BLOCKS * sizeof *heap.story);
    heap.changed = map(0, BLOCKS * sizeof *heap.changed);
    kept.block = map(0, BLOCKS * sizeof *kept.block);
    kept.story = map(0, BLOCKS * sizeof *kept.story);
    region = map_region();
    return heap.owner && heap.block && heap.story && heap.changed &&
           kept.block && kept.story && region;
}

bool memory_heap_init(enum memory_heap_reuse reuse)
{
    if (!region && !map_all())
        return false;
    memory_pages_keep(&kept.contents, region, 0);
    policy = reuse;
    memory_heap_base = (uintptr_t)region;
    heap.owner[0] = 0;
    heap.block[0] = (struct block){ .granules = 0, .next = USED };
    memset(region, RUBBISH, GRANULE);
    memset(heap.list, 0, sizeof heap.list);
    now = (struct counts){ .blocks = 1, .top = 1 };
    kept.taken = false;
    changes = touched.count = 0;
    memset(touched.is_touched, 0, sizeof touched.is_touched);
    return true;
}

/* ---- the snapshot ---- */

bool memory_heap_snapshot(void)
{
    if (!region)
        return false;
    now.used = 0;
    kept.taken = true;
    kept.counts = now;
    for (uint32_t i = 0; i < changes; i++)
        heap.story[heap.changed[i]].changed = false;
    for (uint32_t i = 0; i < touched.count; i++)
        touched.is_touched[touched.list[i]] = false;
    changes = touched.count = 0;
    memcpy(kept.block, heap.block, now.blocks * sizeof *heap.block);
    memcpy(kept.story, heap.story, now.blocks * sizeof *heap.story);
    memcpy(kept.list, heap.list, sizeof heap.list);
    const size_t size = now.blocks > 1 ? (size_t)now.top * GRANULE : 0;
    return memory_pages_keep(&kept.contents, region, size);
}

/* All but the first that changed since the snapshot are as they were then. */
static void restore_blocks(uint32_t first)
{
    for (uint32_t i = first; i < changes; i++) {
        const uint32_t b = heap.changed[i];
        heap.block[b] = kept.block[b];
        heap.story[b] = kept.story[b];
    }
    changes = first;
}

static void restore_lists(uint32_t first)
{
    for (uint32_t i = first; i < touched.count; i++) {
        const uint32_t l = touched.list[i];
        heap.list[l] = kept.list[l];
        touched.is_touched[l] = false;
    }
    touched.count = first;
}

void memory_heap_restore(void)
{
    if (!kept.taken)
        return;
    restore_blocks(0);
    restore_lists(0);
    now = kept.counts;
    memory_pages_restore(&kept.contents);
}

static void pass_old_blocks(struct memory_tape *tape)
{
    uint32_t count = changes, lists = touched.count;
    memory_tape_pass(tape, &count, sizeof count);
    memory_tape_pass(tape, &lists, sizeof lists);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t b = heap.changed[i];
        memory_tape_pass(tape, &heap.block[b], sizeof heap.block[b]);
        memory_tape_pass(tape, &heap.story[b], sizeof heap.story[b]);
    }
    for (uint32_t i = 0; i < lists; i++) {
        uint32_t *const list = &heap.list[touched.list[i]];
        memory_tape_pass(tape, list, sizeof *list);
    }
    restore_blocks(count);
    restore_lists(lists);
}

/* Since then owner[] has changed only above what was the top: what is cut off
 * there again writes it again. */
static void pass_new_blocks(struct memory_tape *tape)
{
    const uint32_t first = kept.counts.blocks;
    const size_t bottom = (size_t)kept.counts.top * GRANULE;
    memory_tape_pass(tape, &now, sizeof now);
    const size_t blocks = now.blocks - first;
    memory_tape_pass(tape, heap.block + first, blocks * sizeof *heap.block);
    memory_tape_pass(tape, heap.story + first, blocks * sizeof *heap.story);
    memory_tape_pass(tape, region + bottom, (size_t)now.top * GRANULE - bottom);
}

void memory_heap_pass(struct memory_tape *tape)
{
    if (!kept.taken) {
        tape->refused = true;
        return;
    }
    pass_old_blocks(tape);
    pass_new_blocks(tape);
    memory_pages_pass(&kept.contents, tape);
}

/* Block b is about to change. */
static void note_block(uint32_t b)
{
    if (b >= kept.counts.blocks || !kept.taken || heap.story[b].changed)
        return;
    assert(changes < kept.counts.blocks);
    heap.story[b].changed = true;
    heap.changed[changes++] = b;
}

static void set_list(uint32_t l, uint32_t b)
{
    heap.list[l] = b;
    if (touched.is_touched[l])
        return;
    touched.is_touched[l] = true;
    touched.list[touched.count++] = (uint16_t)l;
}

/* ---- taking and giving ---- */

static char *address_of(uint32_t granule)
{
    return region + (size_t)granule * GRANULE;
}

static uint32_t list_of(uint32_t granules)
{
    return granules < LISTS ? granules : LISTS - 1;
}

/* In the list that has blocks of so many granules: the one that was freed last
 * and is aligned, and the one before it in the list.  0 if there is none. */
static uint32_t find_free(uint32_t granules, size_t alignment, uint32_t *before)
{
    *before = 0;
    uint32_t b = heap.list[list_of(granules)];
    while (b && (heap.block[b].granules != granules ||
                 (uintptr_t)address_of(heap.block[b].at) % alignment)) {
        *before = b;
        b = heap.block[b].next;
    }
    return b;
}

static uint32_t take_free(uint32_t granules, size_t alignment)
{
    uint32_t before;
    const uint32_t b = find_free(granules, alignment, &before);
    if (!b)
        return 0;
    note_block(b);
    if (before) {
        note_block(before);
        heap.block[before].next = heap.block[b].next;
    } else
        set_list(list_of(granules), heap.block[b].next);
    memset(address_of(heap.block[b].at), RUBBISH, (size_t)granules * GRANULE);
    return b;
}

/* The gap before it belongs to the block before. */
static void own(uint32_t from, uint32_t at, uint32_t end, uint32_t b)
{
    for (uint32_t g = from; g < at; g++)
        heap.owner[g] = b - 1;
    for (uint32_t g = at; g < end; g++)
        heap.owner[g] = b;
}

static uint32_t cut_off(uint32_t granules, size_t alignment)
{
    const uint64_t step = alignment / GRANULE;
    const uint64_t at = (now.top + step - 1) / step * step;
    const uint64_t end = at + granules + 1;
    if (end > GRANULES)
        return 0;
    const uint32_t b = now.blocks++;
    assert(b < BLOCKS);
    memset(address_of(now.top), RUBBISH, (size_t)(end - now.top) * GRANULE);
    own(now.top, (uint32_t)at, (uint32_t)end, b);
    heap.block[b] = (struct block){ .at = (uint32_t)at, .granules = granules };
    heap.story[b].changed = false;
    now.top = (uint32_t)end;
    return b;
}

/* A choice is an event: others may take and give before it is made. */
static bool freed_comes_first(const void *pc, uint32_t granules,
                              size_t alignment)
{
    uint32_t before;
    if (policy != HEAP_REUSE_CHOICE)
        return policy == HEAP_REUSE_AT_ONCE;
    if (!scheduler_inside || !find_free(granules, alignment, &before))
        return true;
    return scheduler_choose(pc, 2, "reuse freed memory") == 0;
}

static uint32_t find_block(const void *pc, uint32_t granules, size_t alignment)
{
    if (freed_comes_first(pc, granules, alignment)) {
        const uint32_t b = take_free(granules, alignment);
        return b ? b : cut_off(granules, alignment);
    }
    const uint32_t b = cut_off(granules, alignment);
    return b ? b : take_free(granules, alignment);
}

static void record(enum job_trace_kind kind, const void *pc, uint32_t b)
{
    struct job_trace_record *const r = target_trace_add(
        kind, pc, address_of(heap.block[b].at), heap.story[b].size);
    if (!r)
        return;
    r->after = heap.story[b].number;
    r->known = true;
}

void *memory_heap_take(const void *pc, size_t size, size_t alignment)
{
    assert(alignment && (alignment & (alignment - 1)) == 0);
    if (!region || size > HEAP_BYTES || alignment > HEAP_BYTES)
        return NULL;
    if (alignment < GRANULE)
        alignment = GRANULE;
    const size_t needed = (size + GRANULE - 1) / GRANULE;
    const uint32_t granules = needed ? (uint32_t)needed : 1;
    const uint32_t b = find_block(pc, granules, alignment);
    if (!b)
        return NULL;
    heap.block[b].size = (uint32_t)size;
    heap.block[b].next = USED;
    heap.story[b] = (struct story){ .allocated_by = pc,
                                    .size = (uint32_t)size,
                                    .number = now.numbers++,
                                    .changed = heap.story[b].changed };
    now.used++;
    if (target_trace)
        record(TRACE_ALLOCATE, pc, b);
    return address_of(heap.block[b].at);
}

/* The block that begins there and is in use; 0 if there is none. */
static uint32_t block_at(const void *at)
{
    const uintptr_t offset = (uintptr_t)at - memory_heap_base;
    if (offset >= (size_t)now.top * GRANULE)
        return 0;
    const uint32_t b = heap.owner[offset / GRANULE];
    const struct block *const block = &heap.block[b];
    const bool begins = offset == (size_t)block->at * GRANULE;
    return begins && block->next == USED ? b : 0;
}

bool memory_heap_give(const void *pc, void *at)
{
    const uint32_t b = block_at(at);
    if (!b)
        return false;
    struct block *const block = &heap.block[b];
    note_block(b);
    if (target_trace)
        record(TRACE_FREE, pc, b);
    if (!kept.taken || heap.story[b].number >= kept.counts.numbers)
        now.used--;
    block->size = 0;
    block->next = heap.list[list_of(block->granules)];
    set_list(list_of(block->granules), b);
    heap.story[b].freed_by = pc;
    memset(at, RUBBISH, (size_t)block->granules * GRANULE);
    return true;
}

/* ---- asking ---- */

bool memory_heap_is_block(const void *at)
{
    return block_at(at) != 0;
}

size_t memory_heap_size(const void *at)
{
    return heap.block ? heap.block[block_at(at)].size : 0;
}

size_t memory_heap_used(void)
{
    return now.used;
}

/* Not good: why? */
static enum memory_heap_access why_not(const struct block *block, size_t offset)
{
    const size_t into = offset - (size_t)block->at * GRANULE;
    const bool freed = block->next != USED;
    const size_t size = heap.story[block - heap.block].size;
    return freed && into < size ? HEAP_FREED : HEAP_OUTSIDE;
}

enum memory_heap_access memory_heap_look(const void *at, size_t size)
{
    const size_t offset = (uintptr_t)at - memory_heap_base;
    if (offset >= (size_t)now.top * GRANULE)
        return size ? HEAP_OUTSIDE : HEAP_GOOD;
    const struct block *const block = &heap.block[heap.owner[offset / GRANULE]];
    const size_t into = offset - (size_t)block->at * GRANULE;
    if (into <= block->size && size <= block->size - into)
        return HEAP_GOOD;
    return size ? why_not(block, offset) : HEAP_GOOD;
}

static struct memory_heap_block describe(uint32_t b)
{
    const struct story *const s = &heap.story[b];
    return (struct memory_heap_block){ .at = address_of(heap.block[b].at),
                                       .allocated_by = s->allocated_by,
                                       .freed_by = s->freed_by,
                                       .size = s->size,
                                       .number = s->number,
                                       .used = heap.block[b].next == USED };
}

bool memory_heap_block_of(const void *at, struct memory_heap_block *block)
{
    const uintptr_t offset = (uintptr_t)at - memory_heap_base;
    if (offset >= HEAP_BYTES)
        return false;
    const bool inside = offset < (size_t)now.top * GRANULE;
    const uint32_t b = inside ? heap.owner[offset / GRANULE] : now.blocks - 1;
    if (!b)
        return false;
    *block = describe(b);
    return true;
}

bool memory_heap_next(uint32_t *i, struct memory_heap_block *block)
{
    while (++*i < now.blocks)
        if (heap.block[*i].next == USED) {
            *block = describe(*i);
            return true;
        }
    return false;
}

bool memory_heap_is_new(const struct memory_heap_block *block)
{
    return !kept.taken || block->number >= kept.counts.numbers;
}

uint32_t memory_heap_numbers(void)
{
    return now.numbers;
}

/* ---- the world ---- */

/* Blocks b, ... that are in use and lie together: where that ends, and the
 * first block after it. */
static uint32_t end_of_run(uint32_t b, uint32_t *end)
{
    for (; b < now.blocks && heap.block[b].next == USED; b++)
        *end = heap.block[b].at + heap.block[b].granules;
    return b;
}

/* Of the blocks from `b` on; the last range has all that is left. */
static unsigned add_runs(uint32_t b, struct memory_heap_range *range,
                         unsigned most)
{
    unsigned count = 0;
    while (b < now.blocks) {
        if (heap.block[b].next != USED) {
            b++;
            continue;
        }
        const uint32_t from = heap.block[b].at;
        uint32_t end = from;
        b = end_of_run(b, &end);
        if (count == most - 1) {
            end = now.top;
            b = now.blocks;
        }
        range[count++] =
            (struct memory_heap_range){ address_of(from),
                                        (size_t)(end - from) * GRANULE };
    }
    return count;
}

/* The blocks, then the contents of those of the snapshot, then of others. */
unsigned memory_heap_ranges(struct memory_heap_range *range, unsigned most)
{
    if (!region || most < HEAP_MOST_RANGES)
        return 0;
    range[0] =
        (struct memory_heap_range){ heap.block + 1,
                                    (now.blocks - 1) * sizeof *heap.block };
    const unsigned old =
        1 + memory_pages_ranges(&kept.contents, range + 1, most - most / 4);
    const uint32_t first = kept.taken ? kept.counts.blocks : 1;
    return old + add_runs(first, range + old, most - old);
}
