/* test_heap.c - see test_heap.h.
 *
 * Blocks are cut off a region one after the other, in granules of 16 bytes; a
 * list per number of granules has the freed ones.  A map with a byte per
 * granule knows which are in use.  A header in front of each block has its
 * size, and while it is free the next free one; it counts as not in use, so
 * writing before a block is noticed like writing behind it. */
#include "test_heap.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GRANULE = 16,
    GRANULES = 1 << 18,
    LISTS = 1 << 10, /* larger blocks are not given out again */
    RUBBISH = 0xA5
};

enum { UNUSED, HEAD, USED }; /* of a granule */

struct head {
    uint32_t granules, next; /* next: index of a head, 0 if none */
    uint64_t size;           /* as asked for; 0: free            */
};

static char *region;
static unsigned char use[GRANULES];
static uint32_t top, list[LISTS];
static size_t used;

static struct head *head_at(uint32_t granule)
{
    return (struct head *)(void *)(region + (size_t)granule * GRANULE);
}

bool test_heap_init(void)
{
    region = mmap(NULL, (size_t)GRANULES * GRANULE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    top = 1; /* 0 is the end of a list */
    return region != MAP_FAILED;
}

void test_heap_reset(void)
{
    memset(use, UNUSED, top);
    memset(list, 0, sizeof list);
    top = 1;
    used = 0;
}

static uint32_t cut_off(uint32_t granules, size_t alignment)
{
    const uint32_t step = (uint32_t)(alignment / GRANULE);
    const uint32_t body = (top + 1 + step - 1) / step * step;
    if (body + granules > GRANULES)
        return 0;
    top = body + granules;
    head_at(body - 1)->granules = granules;
    return body - 1;
}

static uint32_t take_from_list(uint32_t granules, size_t alignment)
{
    if (granules >= LISTS || !list[granules])
        return 0;
    const uint32_t at = list[granules];
    if ((at + 1) * (size_t)GRANULE % alignment)
        return 0;
    list[granules] = head_at(at)->next;
    return at;
}

void *test_heap_take(size_t size, size_t alignment)
{
    if (size > (size_t)GRANULES * GRANULE || alignment > 4096)
        return NULL;
    if (alignment < GRANULE)
        alignment = GRANULE;
    const size_t needed = size / GRANULE + 1; /* also for size 0 */
    const uint32_t granules = (uint32_t)needed;
    uint32_t at = take_from_list(granules, alignment);
    if (!at)
        at = cut_off(granules, alignment);
    if (!at)
        return NULL;
    head_at(at)->size = size ? size : 1;
    use[at] = HEAD;
    used++;
    memset(use + at + 1, USED, granules);
    char *const block = region + ((size_t)at + 1) * GRANULE;
    return memset(block, RUBBISH, size);
}

static bool in_region(const void *address)
{
    const char *const at = address;
    return at >= region && at < region + (size_t)GRANULES * GRANULE;
}

static uint32_t granule_of(const void *address)
{
    return (uint32_t)(((const char *)address - region) / GRANULE);
}

size_t test_heap_size(const void *block)
{
    if (!in_region(block) || (uintptr_t)block % GRANULE)
        return 0;
    const uint32_t body = granule_of(block);
    return body && use[body - 1] == HEAD ? head_at(body - 1)->size : 0;
}

bool test_heap_give(void *block)
{
    if (!test_heap_size(block))
        return false;
    const uint32_t at = granule_of(block) - 1;
    struct head *const head = head_at(at);
    memset(use + at, UNUSED, head->granules + 1);
    used--;
    if (head->granules < LISTS) {
        head->next = list[head->granules];
        list[head->granules] = at;
    }
    return true;
}

size_t test_heap_used(void)
{
    return used;
}

bool test_heap_is_dead(const void *address, size_t size)
{
    if (!in_region(address))
        return false;
    const uint32_t last = granule_of((const char *)address + size - 1);
    for (uint32_t g = granule_of(address); g <= last && g < GRANULES; g++)
        if (use[g] != USED)
            return true;
    return false;
}
