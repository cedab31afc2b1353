/* test_heap_blocks.c - the test heap against a plain model of it.
 *
 * The model keeps a list of blocks and asks about every byte.  Random takings
 * and givings, then the same questions to both; and again after a restore. */
#include "runtime/explore/job/trace.h"
#include "runtime/explore/memory/heap.h"
#include "runtime/explore/scheduler/scheduler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- what the stage would do ---- */

bool scheduler_inside;
struct job_trace *target_trace;
static struct job_trace_record last_record;
static unsigned choice, choices;

unsigned scheduler_choose(const void *pc, unsigned n, const char *what)
{
    (void)pc;
    assert_int_equal(n, 2);
    assert_string_equal(what, "reuse freed memory");
    choices++;
    return choice;
}

struct job_trace_record *target_trace_add(enum job_trace_kind kind,
                                          const void *pc,
                                          const volatile void *at,
                                          uint32_t size)
{
    last_record = (struct job_trace_record){ .at = (uintptr_t)at,
                                             .pc = (uintptr_t)pc,
                                             .size = size,
                                             .kind = (uint8_t)kind };
    return &last_record;
}

/* ---- the model ---- */

enum { BLOCKS = 4096, SLACK = 40 };

struct model_block {
    char *at;
    size_t size;
    bool used;
    unsigned char fill;
};

struct model {
    struct model_block block[BLOCKS];
    unsigned blocks;
};

static uint64_t seed;

static unsigned random_below(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((seed >> 33) % n);
}

static const struct model_block *model_owner(const struct model *m,
                                             const char *at)
{
    for (unsigned i = 0; i < m->blocks; i++)
        if (m->block[i].used && at >= m->block[i].at &&
            at < m->block[i].at + m->block[i].size)
            return &m->block[i];
    return NULL;
}

static void check_byte(const struct model *m, const char *at)
{
    const enum memory_heap_access a = memory_heap_access(at, 1);
    assert_int_equal(a == HEAP_GOOD,
                     !memory_heap_has(at) || model_owner(m, at));
}

/* All bytes of a block and around it, alone; and ranges over its ends. */
static void check_around(const struct model *m, const struct model_block *b)
{
    for (ptrdiff_t i = -SLACK; i < (ptrdiff_t)b->size + SLACK; i++)
        check_byte(m, b->at + i);
    if (!b->used)
        return;
    assert_int_equal(memory_heap_access(b->at, b->size), HEAP_GOOD);
    assert_int_equal(memory_heap_access(b->at, b->size + 1), HEAP_OUTSIDE);
    assert_int_equal(memory_heap_access(b->at - 1, 2), HEAP_OUTSIDE);
    assert_int_equal(memory_heap_size(b->at), b->size);
    assert_true(memory_heap_is_block(b->at));
    for (size_t i = 0; i < b->size; i++)
        assert_int_equal((unsigned char)b->at[i], b->fill);
}

static void check_all(const struct model *m)
{
    for (unsigned i = 0; i < m->blocks; i++)
        check_around(m, &m->block[i]);
}

static void check_apart(const struct model *m, const char *at, size_t size)
{
    for (unsigned i = 0; i < m->blocks; i++) {
        const struct model_block *const b = &m->block[i];
        if (b->used && at < b->at + b->size + 16)
            assert_true(at + size + 16 <= b->at);
    }
}

/* One that was freed before may be there. */
static void model_add(struct model *m, char *at, size_t size)
{
    const unsigned char fill = (unsigned char)random_below(256);
    memset(at, fill, size);
    for (unsigned i = 0; i < m->blocks; i++)
        if (!m->block[i].used && m->block[i].at == at) {
            m->block[i] = (struct model_block){ at, size, true, fill };
            return;
        }
    assert_true(m->blocks < BLOCKS);
    m->block[m->blocks++] = (struct model_block){ at, size, true, fill };
}

static void take_one(struct model *m)
{
    const size_t alignment = (size_t)1 << random_below(9);
    const size_t size = random_below(4) ? random_below(70) : random_below(900);
    char *const at = memory_heap_take("by", size, alignment);
    assert_non_null(at);
    assert_int_equal((uintptr_t)at % alignment, 0);
    assert_int_equal((uintptr_t)at % 16, 0);
    check_apart(m, at, size);
    for (size_t i = 0; i < size; i++)
        assert_int_equal((unsigned char)at[i], 0xA5);
    model_add(m, at, size);
}

static void give_one(struct model *m)
{
    if (m->blocks == 0)
        return;
    struct model_block *const b = &m->block[random_below(m->blocks)];
    assert_int_equal(memory_heap_give("freed", b->at), b->used);
    b->used = false;
}

static void do_some(struct model *m, unsigned steps)
{
    for (unsigned i = 0; i < steps; i++)
        if (random_below(5) < 3)
            take_one(m);
        else
            give_one(m);
}

static enum memory_heap_reuse any_policy(void)
{
    return random_below(2) ? HEAP_REUSE_AT_ONCE : HEAP_REUSE_NEVER;
}

/* ---- the world, copied ---- */

struct world {
    size_t size;
    char bytes[1 << 21];
};

static void take_world(struct world *w)
{
    struct memory_heap_range range[64];
    const unsigned n = memory_heap_ranges(range, 64);
    assert_in_range(n, 1, 64);
    w->size = 0;
    for (unsigned i = 0; i < n; i++) {
        assert_true(w->size + range[i].size <= sizeof w->bytes);
        memcpy(w->bytes + w->size, range[i].at, range[i].size);
        w->size += range[i].size;
    }
}

static void assert_same_world(const struct world *a, const struct world *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

/* ---- claims ---- */

static void random_blocks_are_as_in_the_model(void **state)
{
    (void)state;
    static struct model m;
    for (seed = 1; seed < 60; seed = seed / 1000 + 1) {
        const uint64_t round = seed;
        m.blocks = 0;
        assert_true(memory_heap_init(any_policy()));
        do_some(&m, 1 + random_below(200));
        check_all(&m);
        seed = round * 1000;
    }
}

static void restoring_brings_back_blocks_contents_and_addresses(void **state)
{
    (void)state;
    static struct model before, m, again;
    static struct world at_start, at_end, now;
    for (uint64_t round = 1; round < 40; round++) {
        seed = round;
        before.blocks = 0;
        assert_true(memory_heap_init(any_policy()));
        do_some(&before, random_below(100));
        assert_true(memory_heap_snapshot());
        take_world(&at_start);

        const uint64_t execution = seed;
        m = before;
        do_some(&m, random_below(100));
        check_all(&m);
        take_world(&at_end);

        memory_heap_restore();
        check_all(&before);
        take_world(&now);
        assert_same_world(&at_start, &now);

        /* Something else happens in between. */
        again = before;
        do_some(&again, random_below(100));
        memory_heap_restore();
        check_all(&before);

        seed = execution;
        again = before;
        do_some(&again, random_below(100));
        take_world(&now);
        assert_same_world(&at_end, &now);
        assert_int_equal(again.blocks, m.blocks);
        for (unsigned i = 0; i < m.blocks; i++)
            assert_ptr_equal(again.block[i].at, m.block[i].at);
    }
}

static void the_world_tells_orders_of_freeing_apart(void **state)
{
    (void)state;
    static struct world w[2];
    for (unsigned order = 0; order < 2; order++) {
        assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
        char *block[2];
        block[0] = memory_heap_take("a", 24, 1);
        block[1] = memory_heap_take("b", 24, 1);
        assert_true(memory_heap_give("c", block[order]));
        assert_true(memory_heap_give("d", block[1 - order]));
        take_world(&w[order]);
        assert_ptr_equal(memory_heap_take("e", 32, 1), block[1 - order]);
        assert_ptr_equal(memory_heap_take("f", 17, 1), block[order]);
    }
    assert_int_equal(w[0].size, w[1].size);
    assert_memory_not_equal(w[0].bytes, w[1].bytes, w[0].size);
}

/* What was in freed blocks, and where a number of blocks came from, is no part
 * of it. */
static void the_world_forgets_what_cannot_matter(void **state)
{
    (void)state;
    static struct world a, b;
    assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
    assert_true(
        memory_heap_give("p", strcpy(memory_heap_take("p", 8, 1), "before")));
    take_world(&a);
    for (unsigned i = 0; i < 3; i++)
        assert_true(
            memory_heap_give("r", strcpy(memory_heap_take("q", 9, 1), "else")));
    take_world(&b);
    assert_same_world(&a, &b);
}

static void nor_what_was_written_before_freeing(void **state)
{
    static struct world w[2];
    (void)state;
    assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
    char *const block = memory_heap_take("a", 100, 1);
    assert_true(memory_heap_snapshot());
    for (unsigned i = 0; i < 2; i++) {
        memset(block, (int)i, 100);
        assert_true(memory_heap_give("b", block));
        take_world(&w[i]);
        memory_heap_restore();
    }
    assert_same_world(&w[0], &w[1]);
}

/* Code without hooks may write anywhere. */
static void new_blocks_hold_rubbish_whatever_was_written_there(void **state)
{
    (void)state;
    assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
    char *const block = memory_heap_take("a", 10, 1);
    assert_true(memory_heap_give("b", block));
    memset(block, 1, 10);
    assert_ptr_equal(memory_heap_take("c", 10, 1), block);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal((unsigned char)block[i], 0xA5);
}

/* Large blocks of all sizes are in one list. */
static void lists_are_put_back_from_the_middle(void **state)
{
    (void)state;
    assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
    char *const a = memory_heap_take("a", 20000, 1), *const b =
                                                         memory_heap_take(
                                                             "b", 30000, 1);
    char *const c = memory_heap_take("c", 40000, 1);
    assert_true(memory_heap_give("a", a) && memory_heap_give("b", b) &&
                memory_heap_give("c", c));
    assert_true(memory_heap_snapshot());
    for (unsigned i = 0; i < 3; i++) {
        assert_ptr_equal(memory_heap_take("b", 30000, 1), b);
        memory_heap_restore();
        assert_int_equal(memory_heap_access(b, 1), HEAP_FREED);
    }
}

static void what_is_between_blocks_is_of_the_one_before(void **state)
{
    struct memory_heap_block told;
    (void)state;
    assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
    char *const a = memory_heap_take("a", 8, 1), *const b = memory_heap_take(
                                                     "b", 8, 4096);
    for (char *at = a; at < b; at += 8) {
        assert_true(memory_heap_block_of(at, &told));
        assert_ptr_equal(told.at, a);
    }
    assert_true(memory_heap_block_of(b, &told));
    assert_ptr_equal(told.at, b);
    assert_false(memory_heap_block_of(a - 1, &told));
}

static void few_ranges_are_enough(void **state)
{
    (void)state;
    assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
    char *block[80];
    for (unsigned i = 0; i < 80; i++)
        block[i] = memory_heap_take("a", 32, 1);
    for (unsigned i = 0; i < 80; i += 2)
        assert_true(memory_heap_give("b", block[i]));
    struct memory_heap_range range[16];
    assert_int_equal(memory_heap_ranges(range, 16), 16);
    const char *const from = range[15].at;
    assert_true(from <= block[79]);
    assert_true(from + range[15].size >= block[79] + 32);
}

static void large_blocks_come_back_and_memory_ends(void **state)
{
    (void)state;
    assert_true(memory_heap_init(HEAP_REUSE_NEVER));
    char *const large = memory_heap_take("a", 40 << 20, 4096);
    assert_non_null(large);
    assert_int_equal((uintptr_t)large % 4096, 0);
    assert_null(memory_heap_take("b", 40 << 20, 1));
    assert_null(memory_heap_take("b", SIZE_MAX, 1));
    assert_true(memory_heap_give("c", large));
    assert_ptr_equal(memory_heap_take("d", 40 << 20, 1), large);
    assert_int_equal(memory_heap_access(large + (40 << 20) - 1, 1), HEAP_GOOD);
    assert_int_equal(memory_heap_access(large + (40 << 20), 1), HEAP_OUTSIDE);
    assert_true(memory_heap_give("c", large));
    memory_heap_restore(); /* there is no snapshot: nothing happens */
    assert_int_equal(memory_heap_access(large, 1), HEAP_FREED);
}

static void freed_memory_is_told_from_what_never_was_one(void **state)
{
    (void)state;
    assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
    char *const a = memory_heap_take("taken", 20, 1);
    char *const b = memory_heap_take("other", 0, 1);
    struct memory_heap_block told;
    assert_int_equal(memory_heap_access(b, 1), HEAP_OUTSIDE);
    assert_int_equal(memory_heap_access(b, 0), HEAP_GOOD);
    assert_true(memory_heap_give("freed", a));
    assert_false(memory_heap_give("again", a));
    assert_false(memory_heap_give("inside", b + 1));
    assert_int_equal(memory_heap_access(a + 19, 1), HEAP_FREED);
    assert_int_equal(memory_heap_access(a + 20, 1), HEAP_OUTSIDE);
    assert_true(memory_heap_block_of(a + 19, &told));
    assert_ptr_equal(told.at, a);
    assert_string_equal(told.allocated_by, "taken");
    assert_string_equal(told.freed_by, "freed");
    assert_int_equal(told.size, 20);
    assert_int_equal(told.number, 0);
    assert_false(told.used);
    assert_true(memory_heap_block_of(b + 1000, &told));
    assert_ptr_equal(told.at, b);
    assert_int_equal(told.number, 1);
    assert_true(told.used);
    assert_false(memory_heap_block_of(&told, &told));
    assert_int_equal(memory_heap_access(&told, sizeof told), HEAP_GOOD);
    assert_true(memory_heap_give("freed", b));
    assert_false(memory_heap_give("freed", b));
}

static void blocks_of_an_execution_are_counted(void **state)
{
    (void)state;
    assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
    char *const before = memory_heap_take("a", 8, 1);
    assert_true(memory_heap_snapshot());
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(memory_heap_used(), 0);
        char *const a = memory_heap_take("b", 8, 1);
        assert_non_null(memory_heap_take("c", 8, 1));
        assert_int_equal(memory_heap_used(), 2);
        assert_true(memory_heap_give("d", before));
        assert_int_equal(memory_heap_used(), 2);
        assert_true(memory_heap_give("d", a));
        assert_int_equal(memory_heap_used(), 1);
        memory_heap_restore();
    }
}

static void reuse_may_be_chosen(void **state)
{
    (void)state;
    assert_true(memory_heap_init(HEAP_REUSE_CHOICE));
    scheduler_inside = true;
    choices = 0;
    char *const a = memory_heap_take("a", 8, 1);
    assert_int_equal(choices, 0);
    assert_true(memory_heap_give("b", a));
    choice = 1;
    assert_ptr_not_equal(memory_heap_take("c", 8, 1), a);
    choice = 0;
    assert_ptr_equal(memory_heap_take("d", 8, 1), a);
    assert_int_equal(choices, 2);
    scheduler_inside = false;
}

static void a_trace_has_them(void **state)
{
    (void)state;
    static struct job_trace trace;
    assert_true(memory_heap_init(HEAP_REUSE_AT_ONCE));
    target_trace = &trace;
    assert_non_null(memory_heap_take("a", 8, 1));
    void *const block = memory_heap_take("b", 11, 1);
    assert_int_equal(last_record.kind, TRACE_ALLOCATE);
    assert_int_equal(last_record.at, (uintptr_t)block);
    assert_int_equal(last_record.size, 11);
    assert_int_equal(last_record.after, 1);
    assert_true(memory_heap_give("c", block));
    assert_int_equal(last_record.kind, TRACE_FREE);
    assert_int_equal(last_record.size, 11);
    assert_int_equal(last_record.after, 1);
    target_trace = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_blocks_are_as_in_the_model),
        cmocka_unit_test(restoring_brings_back_blocks_contents_and_addresses),
        cmocka_unit_test(the_world_tells_orders_of_freeing_apart),
        cmocka_unit_test(the_world_forgets_what_cannot_matter),
        cmocka_unit_test(nor_what_was_written_before_freeing),
        cmocka_unit_test(new_blocks_hold_rubbish_whatever_was_written_there),
        cmocka_unit_test(lists_are_put_back_from_the_middle),
        cmocka_unit_test(what_is_between_blocks_is_of_the_one_before),
        cmocka_unit_test(few_ranges_are_enough),
        cmocka_unit_test(large_blocks_come_back_and_memory_ends),
        cmocka_unit_test(freed_memory_is_told_from_what_never_was_one),
        cmocka_unit_test(blocks_of_an_execution_are_counted),
        cmocka_unit_test(reuse_may_be_chosen),
        cmocka_unit_test(a_trace_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
