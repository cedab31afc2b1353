/* test_stack_trees.c - what the stack monitor is made of, against arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "check/bit_tree.h"
#include "check/stack/cover_tree.h"
#include "check/stack/reach_tree.h"
#include <string.h>

enum { MOST = 5000 };

static const uint32_t sizes[] = { 1,   2,   15,  16,  17,   63,   64,   65,
                                  255, 256, 257, 300, 4095, 4096, 4097, MOST };
enum { SIZES = sizeof sizes / sizeof *sizes };

/* ---- cover_tree ---- */

static uint32_t plain_next(const int32_t *count, uint32_t first, uint32_t last,
                           int32_t most)
{
    for (uint32_t p = first; p <= last; p++)
        if (count[p] <= most)
            return p;
    return PLUMB_NO_POINT;
}

static void fill_cover(struct plumb_check_cover *c, int32_t *count,
                       uint32_t size, struct plumb_base_rng *rng)
{
    for (uint32_t p = 0; p < size; p++)
        c->least[0][p] = count[p] = (int32_t)plumb_base_rng_below(rng, 40);
    assert_true(plumb_check_cover_build(c, NULL));
}

static void counts_are_as_in_an_array(void **state)
{
    static int32_t count[MOST];
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 1);
    for (unsigned k = 0; k < SIZES; k++) {
        struct plumb_base_arena arena;
        struct plumb_check_cover c;
        plumb_base_arena_init(&arena, NULL);
        assert_true(plumb_check_cover_init(&c, &arena, sizes[k]));
        fill_cover(&c, count, sizes[k], &rng);
        for (int turn = 0; turn < 600; turn++) {
            const uint32_t first = plumb_base_rng_below(&rng, sizes[k]);
            const uint32_t last =
                first + plumb_base_rng_below(&rng, sizes[k] - first);
            const int32_t most = (int32_t)plumb_base_rng_below(&rng, 30) - 10;
            if (turn % 3 == 0) {
                plumb_check_cover_lower(&c, first, last);
                for (uint32_t p = first; p <= last; p++)
                    count[p]--;
            }
            assert_int_equal(plumb_check_cover_next(&c, first, last, most),
                             plain_next(count, first, last, most));
        }
        plumb_base_arena_release(&arena);
    }
}

/* ---- reach_tree ---- */

static uint32_t plain_last(const int32_t *end, uint32_t first, uint32_t limit,
                           int32_t p)
{
    for (uint32_t i = limit; i > first; i--)
        if (end[i - 1] >= p)
            return i - 1;
    return PLUMB_NO_REACH;
}

/* None before `first` may reach p: the largest such. */
static uint32_t first_reaching(const int32_t *end, uint32_t limit, int32_t p)
{
    uint32_t first = 0;
    while (first < limit && end[first] < p)
        first++;
    return first;
}

static void ends_are_as_in_an_array(void **state)
{
    static int32_t end[MOST];
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 2);
    for (unsigned k = 0; k < SIZES; k++) {
        struct plumb_base_arena arena;
        struct plumb_check_reach r;
        plumb_base_arena_init(&arena, NULL);
        assert_true(plumb_check_reach_init(&r, &arena, sizes[k]));
        for (uint32_t i = 0; i < sizes[k]; i++)
            r.level[0][i] = end[i] =
                (int32_t)plumb_base_rng_below(&rng, sizes[k]);
        assert_true(plumb_check_reach_build(&r, NULL));
        for (int turn = 0; turn < 600; turn++) {
            const uint32_t i = plumb_base_rng_below(&rng, sizes[k]);
            const uint32_t limit = plumb_base_rng_below(&rng, sizes[k] + 1);
            const int32_t p =
                end[plumb_base_rng_below(&rng, sizes[k])] + turn % 2;
            const uint32_t first = first_reaching(end, limit, p);
            assert_int_equal(plumb_check_reach_last(&r, 0, limit, p),
                             plain_last(end, 0, limit, p));
            assert_int_equal(plumb_check_reach_last(&r, first, limit, p),
                             plain_last(end, 0, limit, p));
            end[i] = turn % 3 ? ~end[i] : PLUMB_REACHES_NONE;
            if (end[i] < 0)
                plumb_check_reach_set(&r, i, end[i]);
            else
                end[i] = r.level[0][i];
        }
        plumb_base_arena_release(&arena);
    }
}

/* ---- bit_tree ---- */

static void neighbours_are_as_in_an_array(void **state)
{
    static bool has[MOST];
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 3);
    for (unsigned k = 0; k < SIZES; k++) {
        struct plumb_base_arena arena;
        struct plumb_check_bits s;
        plumb_base_arena_init(&arena, NULL);
        assert_true(plumb_check_bits_init(&s, &arena, sizes[k]));
        memset(has, false, sizeof has);
        for (int turn = 0; turn < 300; turn++) {
            const uint32_t p = plumb_base_rng_below(&rng, sizes[k]);
            uint32_t next = p, last = p + 1;
            while (next < sizes[k] && !has[next])
                next++;
            while (last > 0 && !has[last - 1])
                last--;
            assert_int_equal(plumb_check_bits_next(&s, p),
                             next < sizes[k] ? next : UINT32_MAX);
            assert_int_equal(plumb_check_bits_previous(&s, p), last - 1);
            if (turn % 4 == 0) {
                plumb_check_bits_add(&s, p);
                has[p] = true;
            }
        }
        plumb_base_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_as_in_an_array),
        cmocka_unit_test(ends_are_as_in_an_array),
        cmocka_unit_test(neighbours_are_as_in_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
