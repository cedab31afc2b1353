/* pages.c - see pages.h.
 *
 *     at             first                                        at + size
 *     | start, copied | page | page | ...                   | rest, copied |
 *
 * Invariant: a page that is not in written[] is protected, so it holds what
 * copy[] does. */
#include "pages.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE = 4, LISTED = 64 }; /* pages: fewer are copied */

static size_t page_size; /* 0: nothing is protected */
static struct memory_pages *list[LISTED];
static unsigned listed;

void memory_pages_watch(void)
{
    page_size = (size_t)getpagesize();
}

static void unmap(void *at, size_t size)
{
    if (at)
        munmap(at, size);
}

static bool permit(const struct memory_pages *p, uint32_t page, uint32_t count,
                   int what)
{
    return mprotect(p->first + (size_t)page * page_size,
                    (size_t)count * page_size, what) == 0;
}

/* ---- keeping ---- */

static void let_go(struct memory_pages *p)
{
    if (!p->count)
        return;
    permit(p, 0, p->count, PROT_READ | PROT_WRITE);
    unmap(p->written, p->count * sizeof *p->written);
    unmap(p->differ, p->count * sizeof *p->differ);
    unmap(p->is_written, p->count * sizeof *p->is_written);
    p->count = p->writes = 0;
}

/* If it cannot be done, all is copied. */
static void protect(struct memory_pages *p)
{
    const size_t large = LARGE * page_size;
    if (!page_size || p->size < large || (!p->listed && listed == LISTED))
        return;
    const uintptr_t end = ((uintptr_t)p->at + p->size) & ~(page_size - 1);
    const uintptr_t from =
        ((uintptr_t)p->at + page_size - 1) & ~(page_size - 1);
    if (end - from < large)
        return;
    p->first = p->at + (from - (uintptr_t)p->at);
    p->count = (uint32_t)((end - from) / page_size);
    p->written = memory_map(p->count * sizeof *p->written);
    p->differ = memory_map(p->count * sizeof *p->differ);
    p->is_written = memory_map(p->count * sizeof *p->is_written);
    if (!p->written || !p->differ || !p->is_written ||
        !permit(p, 0, p->count, PROT_READ)) {
        let_go(p);
        return;
    }
    if (!p->listed)
        list[listed++] = p;
    p->listed = true;
}

static bool has_room(struct memory_pages *p, size_t size)
{
    if (size <= p->room)
        return true;
    unmap(p->copy, p->room);
    p->copy = memory_map(size);
    p->room = p->copy ? size : 0;
    return p->copy != NULL;
}

bool memory_pages_keep(struct memory_pages *p, char *at, size_t size)
{
    let_go(p);
    p->at = at;
    p->size = 0;
    if (size == 0)
        return true;
    if (!has_room(p, size))
        return false;
    p->size = size;
    memcpy(p->copy, at, size);
    protect(p);
    return true;
}

/* ---- writing ---- */

static void note_written(struct memory_pages *p, uint32_t page)
{
    assert(p->writes < p->count && !p->is_written[page]);
    p->is_written[page] = true;
    p->written[p->writes++] = page;
}

/* There is a limit to how many pieces a mapping may be in: then all of it is
 * let go. */
static bool release(struct memory_pages *p, uint32_t page)
{
    if (p->is_written[page])
        return false;
    if (permit(p, page, 1, PROT_READ | PROT_WRITE)) {
        note_written(p, page);
        return true;
    }
    if (!permit(p, 0, p->count, PROT_READ | PROT_WRITE))
        return false;
    for (uint32_t i = 0; i < p->count; i++)
        if (!p->is_written[i])
            note_written(p, i);
    return true;
}

bool memory_pages_fault(const void *at)
{
    for (unsigned i = 0; i < listed; i++) {
        struct memory_pages *const p = list[i];
        const size_t offset = (uintptr_t)at - (uintptr_t)p->first;
        if (offset < (size_t)p->count * page_size)
            return release(p, (uint32_t)(offset / page_size));
    }
    return false;
}

/* ---- going back, and looking ---- */

static char *page_at(const struct memory_pages *p, uint32_t page)
{
    return p->first + (size_t)page * page_size;
}

static const char *copy_of(const struct memory_pages *p, const char *at)
{
    return p->copy + (at - p->at);
}

/* What is in front of the pages and behind them; without pages, all. */
static struct memory_heap_range start_of(const struct memory_pages *p)
{
    return (struct memory_heap_range){ p->at, p->count
                                                  ? (size_t)(p->first - p->at)
                                                  : p->size };
}

static struct memory_heap_range rest_of(const struct memory_pages *p)
{
    const char *const from = page_at(p, p->count);
    return (struct memory_heap_range){ from, (size_t)(p->at + p->size - from) };
}

void memory_pages_restore(struct memory_pages *p)
{
    if (!p->count) {
        if (p->size)
            memcpy(p->at, p->copy, p->size);
        return;
    }
    memcpy(p->at, p->copy, start_of(p).size);
    for (uint32_t i = 0; i < p->writes; i++) {
        char *const at = page_at(p, p->written[i]);
        memcpy(at, copy_of(p, at), page_size);
    }
    char *const rest = page_at(p, p->count);
    memcpy(rest, copy_of(p, rest), rest_of(p).size);
}

/* Pages that were written first after the moment were as the copy then. */
void memory_pages_pass(struct memory_pages *p, struct memory_tape *tape)
{
    const struct memory_heap_range start = start_of(p);
    uint32_t writes = p->writes;
    if (!p->size)
        return;
    memory_tape_pass(tape, p->at, start.size);
    if (!p->count)
        return;
    memory_tape_pass(tape, page_at(p, p->count), rest_of(p).size);
    memory_tape_pass(tape, &writes, sizeof writes);
    for (uint32_t i = 0; i < writes && !tape->refused; i++)
        memory_tape_pass(tape, page_at(p, p->written[i]), page_size);
    for (uint32_t i = writes; i < p->writes; i++) {
        char *const at = page_at(p, p->written[i]);
        memcpy(at, copy_of(p, at), page_size);
    }
}

/* Those that differ from the copy, in their order in memory: the order in which
 * they were written first is history.  If there are more than `most`, only that
 * is known. */
static uint32_t find_differences(struct memory_pages *p, uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->writes && n <= most; i++) {
        const uint32_t page = p->written[i];
        const char *const at = page_at(p, page);
        if (memcmp(at, copy_of(p, at), page_size) == 0)
            continue;
        uint32_t k = n++;
        for (; k > 0 && p->differ[k - 1] > page; k--)
            p->differ[k] = p->differ[k - 1];
        p->differ[k] = page;
    }
    return n;
}

unsigned memory_pages_ranges(struct memory_pages *p,
                             struct memory_heap_range *range, unsigned most)
{
    unsigned n = 0;
    assert(most >= 4);
    if (p->size == 0)
        return 0;
    range[n++] = start_of(p);
    if (!p->count)
        return n;
    const uint32_t differ = find_differences(p, most - 3);
    if (differ > most - 3) { /* too many: all there is */
        range[0] = (struct memory_heap_range){ p->at, p->size };
        return n;
    }
    range[n++] =
        (struct memory_heap_range){ p->differ, differ * sizeof *p->differ };
    for (uint32_t i = 0; i < differ; i++)
        range[n++] =
            (struct memory_heap_range){ page_at(p, p->differ[i]), page_size };
    range[n++] = rest_of(p);
    return n;
}
