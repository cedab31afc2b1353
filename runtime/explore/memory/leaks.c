/* leaks.c - see leaks.h: mark what can be reached, then look for the rest. */
#include "leaks.h"

#include "image.h"
#include "runtime/explore/scheduler/scheduler_state.h"

#include <stdlib.h>
#include <string.h>

/* By their numbers, which are those of allocations. */
static struct {
    bool *mark;
    struct memory_heap_range
        *todo; /* blocks that were reached, not looked through */
    uint32_t count;
} reached;

static void visit(const void *word)
{
    struct memory_heap_block b;
    if (!memory_heap_has(word) || !memory_heap_block_of(word, &b) || !b.used ||
        (uintptr_t)word - (uintptr_t)b.at > b.size || reached.mark[b.number])
        return;
    reached.mark[b.number] = true;
    reached.todo[reached.count++] = (struct memory_heap_range){ b.at, b.size };
}

static void look_through(const void *at, size_t size)
{
    const uintptr_t end = (uintptr_t)at + size;
    uintptr_t from = ((uintptr_t)at + sizeof from - 1) & ~(sizeof from - 1);
    for (; from < end && end - from >= sizeof from; from += sizeof from) {
        const void *word;
        memcpy(&word, (const void *)from, sizeof word);
        visit(word);
    }
}

static void mark_all(void)
{
    char *at;
    size_t size;
    for (unsigned i = 0; memory_image_range(i, &at, &size); i++)
        look_through(at, size);
    memory_world_each_root(look_through);
    while (reached.count) {
        const struct memory_heap_range r = reached.todo[--reached.count];
        look_through(r.at, r.size);
    }
}

static uint32_t count_lost(struct memory_heap_block *first)
{
    struct memory_heap_block b;
    uint32_t lost = 0;
    for (uint32_t i = 0; memory_heap_next(&i, &b);) {
        if (reached.mark[b.number] ||
            (!memory_heap_is_new(&b) && !memory_image_has_code(b.allocated_by)))
            continue;
        if (!lost++ || b.number < first->number)
            *first = b;
    }
    return lost;
}

uint32_t memory_leaks_find(struct memory_heap_block *first)
{
    const uint32_t numbers = memory_heap_numbers();
    uint32_t lost = 0;
    if (!numbers)
        return 0;
    reached.mark = calloc(numbers, sizeof *reached.mark);
    reached.todo = calloc(numbers, sizeof *reached.todo);
    reached.count = 0;
    if (reached.mark && reached.todo) {
        mark_all();
        lost = count_lost(first);
    }
    free(reached.mark);
    free(reached.todo);
    return lost;
}
