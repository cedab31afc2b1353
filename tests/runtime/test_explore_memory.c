/* test_explore_memory.c - what stands in for libc's copying and comparing does
 * the same, and reads and writes only what it has told, when it has told it.
 *
 * The stage here writes down each byte it is told of, and lets another thread
 * change memory while ours stands. */
#include "runtime/explore/job/trace.h"
#include "runtime/explore/races/race_log.h"
#include "runtime/explore/races/races.h"
#include "runtime/explore/scheduler/scheduler.h"
#include "runtime/explore/shims/wrapped.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memset(void *to, int byte, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size);
int __wrap_bcmp(const void *a, const void *b, size_t size);
void *__wrap_memchr(const void *at, int byte, size_t size);
size_t __wrap_strlen(const char *text);
int __wrap_strcmp(const char *a, const char *b);
int __wrap_strncmp(const char *a, const char *b, size_t size);
char *__wrap_strcpy(char *to, const char *from);
char *__wrap_strncpy(char *to, const char *from, size_t size);
char *__wrap_strcat(char *to, const char *from);
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int byte, size_t size);

bool scheduler_inside = true, races_on;
struct job_trace *target_trace;

/* ---- a stage that knows what may be accessed ---- */

enum { ARENA = 2048 };
static char arena[ARENA];
static bool was_read[ARENA], was_written[ARENA];

/* What another thread does while ours stands: at step `meddle_at`. */
static void (*meddle)(void);
static unsigned meddle_at, step;

static void mark(bool *mask, const void *at, size_t size)
{
    const size_t offset = (size_t)((const char *)at - arena);
    assert_true(offset <= ARENA && size <= ARENA - offset && size > 0);
    memset(mask + offset, true, size);
}

void scheduler_plain(const void *pc, const void *at, size_t size, bool writes)
{
    assert_non_null(pc);
    if (meddle && step == meddle_at)
        meddle();
    step++;
    mark(writes ? was_written : was_read, at, size);
}

/* A copy is a write and a read, as far as hooks go. */
void scheduler_copy_to(const void *pc, const void *at, size_t size)
{
    scheduler_plain(pc, at, size, true);
}

void scheduler_copy_from(const void *pc, const void *at, size_t size,
                         bool surely)
{
    (void)surely;
    scheduler_plain(pc, at, size, false);
}

unsigned scheduler_running;
uintptr_t scheduler_caller_stack;
struct race_log race_log;

struct job_trace_record *target_trace_add(enum job_trace_kind kind,
                                          const void *pc,
                                          const volatile void *at,
                                          uint32_t size)
{
    (void)kind, (void)pc, (void)at, (void)size;
    return NULL;
}

bool races_atomic(unsigned thread, const void *pc, const void *at, size_t size,
                  bool reads, bool writes, int order, struct race *race)
{
    (void)thread, (void)pc, (void)at, (void)size;
    (void)reads, (void)writes, (void)order, (void)race;
    return false;
}

void scheduler_race(const struct race *race)
{
    (void)race;
}

static int begin(void **state)
{
    (void)state;
    memset(was_read, false, sizeof was_read);
    memset(was_written, false, sizeof was_written);
    meddle = NULL;
    step = meddle_at = 0;
    return 0;
}

/* Exactly [first, last) of the mask, and nothing else. */
static void exactly(const bool *mask, size_t first, size_t last)
{
    for (size_t i = 0; i < ARENA; i++)
        assert_int_equal(mask[i], i >= first && i < last);
}

static uint32_t seed = 1;

static unsigned draw(unsigned n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* ---- copying and filling ---- */

typedef void *copier(void *to, const void *from, size_t size);

/* Any lengths and overlaps give what libc gives, and all of it is told. */
static void copies(copier *ours, bool may_overlap)
{
    static char expected[ARENA];
    for (unsigned round = 0; round < 3000; round++) {
        begin(NULL);
        const size_t size = draw(round % 2 ? 40 : 900);
        const size_t from = draw((unsigned)(ARENA - size));
        const size_t to = draw((unsigned)(ARENA - size));
        const size_t apart = to > from ? to - from : from - to;
        if (!may_overlap && apart < size)
            continue;
        for (size_t i = 0; i < ARENA; i++)
            arena[i] = (char)draw(256);
        memcpy(expected, arena, ARENA);
        memmove(expected + to, expected + from, size);
        assert_ptr_equal(ours(arena + to, arena + from, size), arena + to);
        assert_memory_equal(arena, expected, ARENA);
        exactly(was_read, from, from + size);
        exactly(was_written, to, to + size);
    }
}

static void copying_is_libcs_and_told(void **state)
{
    (void)state;
    copies(__wrap_memcpy, false);
    copies(__wrap_memmove, true);
    copies(__tsan_memcpy, false);
    copies(__tsan_memmove, true);
}

static void filling_is_libcs_and_told(void **state)
{
    (void)state;
    memset(arena, 1, ARENA);
    assert_ptr_equal(__wrap_memset(arena + 3, 256 + 7, 500), arena + 3);
    exactly(was_written, 3, 503);
    begin(NULL);
    assert_ptr_equal(__tsan_memset(arena + 600, 7, 5), arena + 600);
    exactly(was_written, 600, 605);
    for (size_t i = 0; i < ARENA; i++)
        assert_int_equal(arena[i],
                         (i >= 3 && i < 503) || (i >= 600 && i < 605) ? 7 : 1);
    begin(NULL);
    assert_null(__wrap_memset(NULL, 0, 0));
    exactly(was_written, 0, 0);
}

static void change_source(void)
{
    arena[0] = 'X';
}

/* What is read is what was there in the step of the read. */
static void a_copy_keeps_what_it_has_read(void **state)
{
    (void)state;
    memcpy(arena, "abc", 4);
    meddle = change_source;
    meddle_at = 1; /* before the write */
    __wrap_memcpy(arena + 100, arena, 4);
    assert_string_equal(arena + 100, "abc");
    assert_string_equal(arena, "Xbc");
    meddle_at = 0;
    step = 0;
    memcpy(arena, "abc", 4);
    __wrap_memcpy(arena + 100, arena, 4); /* before the read */
    assert_string_equal(arena + 100, "Xbc");
}

/* ---- looking ---- */

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

/* Two texts over few letters, so that most have a common beginning. */
static void draw_texts(size_t *a, size_t *b)
{
    const unsigned most = draw(2) ? 6 : 600;
    *a = 0, *b = 1000;
    for (size_t i = 0; i < ARENA; i++)
        arena[i] = 'a';
    for (unsigned i = 0; i < 3; i++) {
        arena[*a + draw(most)] = (char)(draw(2) ? 0 : 'b' + draw(200));
        arena[*b + draw(most)] = (char)(draw(2) ? 0 : 'b' + draw(200));
    }
    arena[*a + 700] = arena[*b + 700] = 0;
}

/* How many bytes of the two decide. */
static size_t needed(const char *a, const char *b, size_t size, bool text)
{
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i] || (text && a[i] == 0))
            return i + 1;
    return size;
}

static void comparison_is_told(size_t a, size_t b, size_t size)
{
    for (size_t i = 0; i < ARENA; i++)
        assert_int_equal(was_read[i],
                         (i >= a && i < a + size) || (i >= b && i < b + size));
    begin(NULL);
}

static void comparing_is_libcs_and_told(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        size_t a, b;
        draw_texts(&a, &b);
        const char *const left = arena + a, *const right = arena + b;
        const size_t size = draw(draw(2) ? 8 : 650);
        assert_int_equal(sign(__wrap_strcmp(left, right)),
                         sign(strcmp(left, right)));
        comparison_is_told(a, b, needed(left, right, ARENA, true));
        assert_int_equal(sign(__wrap_strncmp(left, right, size)),
                         sign(strncmp(left, right, size)));
        comparison_is_told(a, b, needed(left, right, size, true));
        assert_int_equal(sign(__wrap_memcmp(left, right, size)),
                         sign(memcmp(left, right, size)));
        comparison_is_told(a, b, needed(left, right, size, false));
        assert_int_equal(__wrap_bcmp(left, right, size) == 0,
                         memcmp(left, right, size) == 0);
        comparison_is_told(a, b, needed(left, right, size, false));
    }
}

static void searching_is_libcs_and_told(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        size_t a, b;
        draw_texts(&a, &b);
        const char *const text = arena + a;
        const size_t length = strlen(text), size = draw(900);
        assert_int_equal(__wrap_strlen(text), length);
        exactly(was_read, a, a + length + 1);
        begin(NULL);
        const char *const found = memchr(text, 0, size);
        assert_ptr_equal(__wrap_memchr(text, 0, size), found);
        exactly(was_read, a, found ? a + length + 1 : a + size);
        begin(NULL);
        assert_ptr_equal(__wrap_memchr(text, 0, SIZE_MAX), text + length);
        begin(NULL);
    }
}

static void make_text_longer(void)
{
    arena[2] = 'c';
}

/* A text that grows while we stand is read to its new end, and told. */
static void a_text_may_grow(void **state)
{
    (void)state;
    memset(arena, 0, ARENA);
    memcpy(arena, "ab\0d", 5);
    meddle = make_text_longer;
    assert_int_equal(__wrap_strlen(arena), 4);
    exactly(was_read, 0, 5);
    begin(NULL);
    memcpy(arena, "ab\0d", 5);
    memcpy(arena + 100, "abce", 5);
    meddle = make_text_longer;
    assert_true(__wrap_strcmp(arena, arena + 100) < 0);
    comparison_is_told(0, 100, 4);
    begin(NULL);
    memcpy(arena, "ab\0d", 5);
    meddle = make_text_longer;
    __wrap_strcpy(arena + 200, arena);
    assert_string_equal(arena + 200, "abcd");
    exactly(was_read, 0, 5);
    exactly(was_written, 200, 205);
}

/* ---- texts that are copied ---- */

static void texts_are_copied_and_told(void **state)
{
    (void)state;
    static char expected[ARENA];
    for (unsigned round = 0; round < 3000; round++) {
        size_t a, b;
        draw_texts(&a, &b);
        const size_t length = strlen(arena + a), size = draw(900);
        memcpy(expected, arena, ARENA);
        memcpy(expected + b, expected + a, length + 1);
        assert_ptr_equal(__wrap_strcpy(arena + b, arena + a), arena + b);
        assert_memory_equal(arena, expected, ARENA);
        exactly(was_read, a, a + length + 1);
        exactly(was_written, b, b + length + 1);
        begin(NULL);

        const size_t kept = size < length ? size : length;
        memset(expected + b, 0, size);
        memcpy(expected + b, expected + a, kept);
        assert_ptr_equal(__wrap_strncpy(arena + b, arena + a, size), arena + b);
        assert_memory_equal(arena, expected, ARENA);
        exactly(was_read, a, a + (size <= length ? size : length + 1));
        exactly(was_written, b, b + size);
        begin(NULL);

        arena[b] = arena[b + 1] = 'q';
        arena[b + 2] = 0;
        memcpy(expected, arena, ARENA);
        memcpy(expected + b + 2, expected + a, length + 1);
        assert_ptr_equal(__wrap_strcat(arena + b, arena + a), arena + b);
        assert_memory_equal(arena, expected, ARENA);
        exactly(was_written, b + 2, b + 2 + length + 1);
        begin(NULL);
    }
}

/* ---- the list of them ---- */

#define COUNT(name) +1
static void all_that_are_listed_are_tested(void **state)
{
    (void)state;
    assert_int_equal(0 WRAPPED(COUNT), 12);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
    const struct CMUnitTest tests[] = {
        TEST(copying_is_libcs_and_told),
        TEST(filling_is_libcs_and_told),
        TEST(a_copy_keeps_what_it_has_read),
        TEST(comparing_is_libcs_and_told),
        TEST(searching_is_libcs_and_told),
        TEST(a_text_may_grow),
        TEST(texts_are_copied_and_told),
        TEST(all_that_are_listed_are_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
