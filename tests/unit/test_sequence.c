/* test_sequence.c - sequences against plain arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "spec/stores/sequence.h"
#include <string.h>

enum { LONGEST = 40, KEPT = 64, VALUES = 2 };

struct plain {
    plumb_spec_state s;
    uint32_t length;
    plumb_spec_vid item[LONGEST];
};

static bool is_same(const struct plain *a, const struct plain *b)
{
    return a->length == b->length &&
           memcmp(a->item, b->item, a->length * sizeof *a->item) == 0;
}

/* One random step on both; the plain one is the judge. */
static void random_step(struct plumb_spec_sequences *q,
                        struct plumb_base_rng *rng, struct plain *p)
{
    const plumb_spec_vid x = plumb_base_rng_below(rng, VALUES);
    const uint32_t kind = plumb_base_rng_below(rng, 4);
    if (kind < 2 ? p->length == LONGEST : p->length == 0)
        return;
    if (kind == 0) {
        p->s = plumb_spec_sequence_push_back(q, p->s, x);
        p->item[p->length++] = x;
    } else if (kind == 1) {
        p->s = plumb_spec_sequence_push_front(q, p->s, x);
        memmove(p->item + 1, p->item, p->length++ * sizeof *p->item);
        p->item[0] = x;
    } else if (kind == 2) {
        p->s = plumb_spec_sequence_pop_back(q, p->s);
        p->length--;
    } else {
        p->s = plumb_spec_sequence_pop_front(q, p->s);
        memmove(p->item, p->item + 1, --p->length * sizeof *p->item);
    }
}

/* All items, by popping; from the front or from the back. */
static void has_items(struct plumb_spec_sequences *q, const struct plain *p)
{
    plumb_spec_state s = p->s;
    assert_int_equal(plumb_spec_sequence_length(q, s), p->length);
    for (uint32_t i = 0; i < p->length; i++) {
        assert_int_equal(plumb_spec_sequence_front(q, s), p->item[i]);
        s = plumb_spec_sequence_pop_front(q, s);
    }
    assert_int_equal(s, PLUMB_EMPTY_SEQUENCE);
    s = p->s;
    for (uint32_t i = p->length; i-- > 0;) {
        assert_int_equal(plumb_spec_sequence_back(q, s), p->item[i]);
        s = plumb_spec_sequence_pop_back(q, s);
    }
    assert_int_equal(s, PLUMB_EMPTY_SEQUENCE);
}

static void random_sequences_are_as_arrays(void **state)
{
    struct plumb_spec_sequences q;
    struct plumb_base_rng rng;
    static struct plain kept[KEPT];
    (void)state;
    plumb_base_rng_seed(&rng, 2);
    memset(kept, 0, sizeof kept);
    assert_true(plumb_spec_sequences_init(&q, NULL));
    for (int i = 0; i < 200000; i++) {
        struct plain *const to = kept + plumb_base_rng_below(&rng, KEPT);
        *to = kept[plumb_base_rng_below(&rng, KEPT)]; /* branch off */
        random_step(&q, &rng, to);
        const struct plain *const other =
            kept + plumb_base_rng_below(&rng, KEPT);
        assert_int_equal(to->s == other->s, is_same(to, other));
        if (i % 100 == 0)
            has_items(&q, to);
    }
    plumb_spec_sequences_release(&q);
}

static void a_deep_queue_costs_no_more_than_a_shallow_one(void **state)
{
    enum { DEPTH = 100000 };
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_spec_sequences q;
    plumb_spec_state s = PLUMB_EMPTY_SEQUENCE;
    (void)state;
    assert_true(plumb_spec_sequences_init(&q, budget));
    for (plumb_spec_vid i = 0; i < DEPTH; i++)
        s = plumb_spec_sequence_push_back(&q, s, i);
    for (plumb_spec_vid i = 0; i < DEPTH; i++) {
        assert_int_equal(plumb_spec_sequence_front(&q, s), i);
        s = plumb_spec_sequence_push_back(&q, s, i);
        s = plumb_spec_sequence_pop_front(&q, s);
    }
    assert_int_equal(plumb_spec_sequence_length(&q, s), DEPTH);
    for (plumb_spec_vid i = 0; i < DEPTH; i++) {
        assert_int_equal(plumb_spec_sequence_front(&q, s), i);
        s = plumb_spec_sequence_pop_front(&q, s);
    }
    assert_int_equal(s, PLUMB_EMPTY_SEQUENCE);
    assert_true(plumb_budget_peak(budget) / q.count < 300);
    plumb_spec_sequences_release(&q);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

static void modular_arithmetic_is_that_of_a_field(void **state)
{
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 3);
    for (int i = 0; i < 10000; i++) {
        const uint64_t a = plumb_base_rng_next(&rng) % PLUMB_PRIME;
        const uint64_t b = 1 + plumb_base_rng_next(&rng) % (PLUMB_PRIME - 1);
        const plumb_u128 product = (plumb_u128)a * b;
        assert_true(plumb_spec_mod_mul(a, b) ==
                    (uint64_t)(product % PLUMB_PRIME));
        assert_true(plumb_spec_mod_sub(plumb_spec_mod_add(a, b), b) == a);
        const uint64_t inverse = plumb_spec_mod_power(b, PLUMB_PRIME - 2);
        assert_true(plumb_spec_mod_mul(b, inverse) == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modular_arithmetic_is_that_of_a_field),
        cmocka_unit_test(random_sequences_are_as_arrays),
        cmocka_unit_test(a_deep_queue_costs_no_more_than_a_shallow_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
