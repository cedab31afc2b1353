/* test_space.c - bytes, cells and indices: the same content, the same number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "spec/spec.h"
#include "spec/stores/cells.h"
#include "story.h"

static void opened(void (*use)(struct plumb_spec_space *space),
                   struct plumb_budget *budget)
{
    struct plumb_history h;
    struct plumb_error err;
    struct plumb_spec *spec;
    struct plumb_spec_bound bound;
    struct plumb_spec_space space;
    h = story("");
    assert_int_equal(plumb_spec_parse("counter", &spec, &err), PLUMB_OK);
    assert_int_equal(plumb_spec_bind(&h, spec, NULL, &bound, &err), PLUMB_OK);
    assert_true(plumb_spec_space_open(&space, &bound, budget));
    use(&space);
    plumb_spec_space_close(&space);
    plumb_spec_bound_release(&bound);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

static void intern_many(struct plumb_spec_space *space)
{
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 10000; i++)
            assert_int_equal(plumb_spec_space_intern(space, &i, sizeof i), i);
    assert_int_equal(space->count, 10000);
    for (uint32_t i = 0; i < 10000; i++) {
        assert_int_equal(space->size[i], sizeof i);
        assert_memory_equal(space->data[i], &i, sizeof i);
    }
}

static void equal_bytes_are_one_state(void **state)
{
    (void)state;
    opened(intern_many, NULL);
}

static void intern_prefixes(struct plumb_spec_space *space)
{
    const char zeros[8] = { 0 };
    for (uint32_t n = 0; n <= 8; n++)
        assert_int_equal(plumb_spec_space_intern(space, zeros, n), n);
    for (uint32_t n = 0; n <= 8; n++)
        assert_int_equal(plumb_spec_space_intern(space, zeros, n), n);
}

static void bytes_of_other_lengths_are_other_states(void **state)
{
    (void)state;
    opened(intern_prefixes, NULL);
}

static void intern_until_refused(struct plumb_spec_space *space)
{
    uint32_t i = 0;
    while (plumb_spec_space_intern(space, &i, sizeof i) != PLUMB_NO_STATE)
        i++;
    assert_true(i > 100);
    assert_int_equal(space->count, i);
    for (uint32_t k = 0; k < i; k++)
        assert_memory_equal(space->data[k], &k, sizeof k);
}

static void a_used_up_budget_keeps_what_is_there(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 100000);
    (void)state;
    opened(intern_until_refused, budget);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

static void equal_words_are_one_cell(void **state)
{
    struct plumb_spec_cells cells;
    struct plumb_base_rng rng;
    uint32_t number[8][8][8];
    bool known[8][8][8] = { 0 };
    uint32_t distinct = 0;
    (void)state;
    plumb_base_rng_seed(&rng, 1);
    plumb_spec_cells_init(&cells, NULL, 3);
    for (int i = 0; i < 3000; i++) {
        const uint32_t w[3] = { plumb_base_rng_below(&rng, 8),
                                plumb_base_rng_below(&rng, 8),
                                plumb_base_rng_below(&rng, 8) };
        const uint32_t n = plumb_spec_cells_intern(&cells, w);
        if (known[w[0]][w[1]][w[2]])
            assert_int_equal(n, number[w[0]][w[1]][w[2]]);
        else
            assert_int_equal(n, distinct++);
        known[w[0]][w[1]][w[2]] = true;
        number[w[0]][w[1]][w[2]] = n;
        assert_memory_equal(plumb_spec_cell(&cells, n), w, sizeof w);
    }
    assert_int_equal(cells.count, distinct);
    plumb_spec_cells_release(&cells);
}

static uint64_t seven(const void *context, uint32_t number)
{
    (void)context, (void)number;
    return 7;
}

static void equal_hashes_are_told_apart(void **state)
{
    struct plumb_base_index index;
    (void)state;
    plumb_base_index_init(&index, NULL);
    for (uint32_t i = 0; i < 500; i++) {
        uint32_t seen = 0;
        assert_true(plumb_base_index_room(&index, seven, NULL));
        struct plumb_base_probe p = plumb_base_index_probe(&index, 7);
        PLUMB_FOR_CANDIDATES(&index, &p, n)
            assert_int_equal(n, seen++); /* the first that was put in first */
        assert_int_equal(seen, i);
        plumb_base_index_put(&index, &p, i);
    }
    plumb_base_index_release(&index);
}

static void nothing_is_in_an_empty_index(void **state)
{
    struct plumb_base_index index;
    (void)state;
    plumb_base_index_init(&index, NULL);
    for (int i = 0; i < 2; i++) {
        struct plumb_base_probe p = plumb_base_index_probe(&index, ~0ull / 3);
        assert_int_equal(plumb_base_probe_next(&index, &p), PLUMB_ABSENT);
        assert_true(plumb_base_index_room(&index, seven, NULL));
        p = plumb_base_index_probe(&index, 7);
        assert_int_equal(plumb_base_probe_next(&index, &p), PLUMB_ABSENT);
        plumb_base_index_put(&index, &p, 0);
        plumb_base_index_clear(&index);
    }
    plumb_base_index_release(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_bytes_are_one_state),
        cmocka_unit_test(bytes_of_other_lengths_are_other_states),
        cmocka_unit_test(a_used_up_budget_keeps_what_is_there),
        cmocka_unit_test(equal_words_are_one_cell),
        cmocka_unit_test(equal_hashes_are_told_apart),
        cmocka_unit_test(nothing_is_in_an_empty_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
