/* test_pages.c - memory that is put back, against copies of all of it. */
#include "runtime/explore/memory/pages.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#ifndef PAGE_BYTES
#define PAGE_BYTES 4096
#endif

enum { PAGE = PAGE_BYTES, PAGES = 64, SIZE = PAGES * PAGE, SPREAD = 3000 };

/* In place of libc's: as if the system had larger ones. */
int getpagesize(void)
{
    return PAGE;
}

static char *memory;
static char model[SIZE], before[SIZE];
static volatile sig_atomic_t faults;
static uint64_t seed = 1;

static unsigned random_below(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((seed >> 33) % n);
}

static void fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    faults++;
    if (!memory_pages_fault(info->si_addr))
        signal(number, SIG_DFL);
}

static int set_up(void **state)
{
    (void)state;
    memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED;
}

/* In every test, as cmocka has a handler of its own. */
static void handle_faults(void)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO };
    action.sa_sigaction = fault;
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
    faults = 0;
    memory_pages_watch();
}

static void write_some(char *at, char *same, size_t size, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        const size_t from = random_below((unsigned)size);
        const size_t left = size - from;
        const size_t length = 1 + random_below(SPREAD);
        const int byte = (int)random_below(256);
        memset(at + from, byte, length < left ? length : left);
        memset(same + from, byte, length < left ? length : left);
    }
}

/* All that is told, one after the other. */
static size_t tell(struct memory_pages *p, char *text, unsigned most)
{
    struct memory_heap_range range[PAGES + 8];
    const unsigned n = memory_pages_ranges(p, range, most);
    size_t size = 0;
    assert_in_range(n, 1, most);
    for (unsigned i = 0; i < n; i++) {
        memcpy(text + size, range[i].at, range[i].size);
        size += range[i].size;
    }
    return size;
}

static void assert_told_alike(struct memory_pages *p, struct memory_pages *q,
                              bool alike)
{
    static char one[SIZE + 4 * PAGES], other[SIZE + 4 * PAGES];
    for (unsigned most = 4; most <= PAGES + 8; most += PAGES + 4) {
        const size_t size = tell(p, one, most);
        const size_t same = tell(q, other, most);
        assert_int_equal(size == same && memcmp(one, other, size) == 0, alike);
    }
}

/* cmocka's own looks at each byte. */
static void assert_alike(const char *at, const char *same)
{
    assert_int_equal(memcmp(at, same, SIZE), 0);
}

static void try_all(size_t from, size_t size)
{
    static struct memory_pages p;
    char *const at = memory + from;
    write_some(memory, before, SIZE, 20);
    memcpy(before, memory, SIZE);
    memcpy(model, memory, SIZE);
    assert_true(memory_pages_keep(&p, at, size));
    for (unsigned round = 0; round < 20; round++) {
        write_some(at, model + from, size, random_below(6));
        assert_alike(memory, model);
        memory_pages_restore(&p);
        assert_alike(memory, before);
        memcpy(model, before, SIZE);
    }
    assert_true(memory_pages_keep(&p, at, 0)); /* and all can be written */
}

static void everything_is_put_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        const size_t from = random_below(SIZE - 1);
        try_all(from, 1 + random_below((unsigned)(SIZE - from)));
    }
    try_all(0, SIZE);
}

static void it_is_so_without_signals(void **state)
{
    everything_is_put_back(state);
    assert_int_equal(faults, 0);
}

static void it_is_so_with_signals(void **state)
{
    handle_faults();
    everything_is_put_back(state);
    assert_true(faults > 100);
}

static void a_page_is_let_go_for_good(void **state)
{
    static struct memory_pages p;
    volatile char *const at = memory;
    (void)state;
    handle_faults();
    assert_true(memory_pages_keep(&p, memory, SIZE));
    for (unsigned i = 0; i < 10; i++) {
        at[5 * PAGE]++;
        at[9 * PAGE + 7]++;
        memory_pages_restore(&p);
    }
    assert_int_equal(faults, 2);
    assert_true(memory_pages_keep(&p, memory, SIZE));
    at[5 * PAGE]++;
    assert_int_equal(faults, 3);
    assert_false(memory_pages_fault(&p));
    assert_false(memory_pages_fault(memory + 5 * PAGE)); /* that is no reason */
    assert_true(memory_pages_keep(&p, memory, 0));
}

/* Two with the same content tell the same, however they came to it. */
static void what_is_told_depends_on_the_content_alone(void **state)
{
    static struct memory_pages p, q;
    (void)state;
    handle_faults();
    char *const other = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(other, MAP_FAILED);
    for (unsigned round = 0; round < 60; round++) {
        memcpy(other, memory, SIZE);
        assert_true(memory_pages_keep(&p, memory + 100, SIZE - 300));
        assert_true(memory_pages_keep(&q, other + 100, SIZE - 300));
        write_some(memory, model, SIZE, 5); /* p has another past */
        memory_pages_restore(&p);
        memcpy(memory, other, 100);
        memcpy(memory + SIZE - 200, other + SIZE - 200, 200);
        assert_told_alike(&p, &q, true);
        write_some(memory, other, SIZE, random_below(6));
        assert_told_alike(&p, &q, true);
        memory[100 + random_below(SIZE - 300)] ^= 1;
        assert_told_alike(&p, &q, false);
    }
    assert_true(memory_pages_keep(&p, memory, 0));
    assert_true(memory_pages_keep(&q, other, 0));
    munmap(other, SIZE);
}

/* The same bytes on another page are something else. */
static void what_is_told_has_its_place(void **state)
{
    static struct memory_pages p, q;
    (void)state;
    handle_faults();
    memset(memory, 0, SIZE);
    assert_true(memory_pages_keep(&p, memory, SIZE / 2));
    assert_true(memory_pages_keep(&q, memory + SIZE / 2, SIZE / 2));
    assert_told_alike(&p, &q, true);
    memory[3 * PAGE + 5] = memory[SIZE / 2 + 4 * PAGE + 5] = 1;
    assert_told_alike(&p, &q, false);
    assert_true(memory_pages_keep(&p, memory, 0));
    assert_true(memory_pages_keep(&q, memory, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_so_without_signals), /* the first */
        cmocka_unit_test(it_is_so_with_signals),
        cmocka_unit_test(a_page_is_let_go_for_good),
        cmocka_unit_test(what_is_told_depends_on_the_content_alone),
        cmocka_unit_test(what_is_told_has_its_place),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
