/* test_model_stores.c - what `plumb verify` keeps things in: vectors, edges,
 * the contents of channels; each against a plain array. */
#include "cases.h"

#include "base/memory.h"
#include "base/pair_index.h"
#include "base/rng.h"
#include "csp/states/graph.h"
#include "csp/states/vectors.h"
#include "csp/terms/sequences.h"
#include <string.h>

enum { VECTORS = 3000, SLOTS = 600 };

static uint32_t find(uint32_t (*kept)[SLOTS], uint32_t count,
                     const uint32_t *vector, uint32_t slots)
{
    uint32_t i = 0;
    while (i < count && memcmp(kept[i], vector, slots * sizeof *vector) != 0)
        i++;
    return i;
}

/* Slots in any order, of which only some are said to change. */
static void arrange(struct plumb_csp_vectors *v, uint32_t slots,
                    struct plumb_base_rng *rng)
{
    uint32_t order[SLOTS];
    for (uint32_t i = 0; i < slots; i++) {
        const uint32_t k = plumb_base_rng_below(rng, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    plumb_csp_vectors_arrange(v, order, plumb_base_rng_below(rng, slots + 1));
}

/* The root of a kept vector is that of another with some slots changed. */
static void check_roots(struct plumb_csp_vectors *v, uint32_t from, uint32_t to,
                        const uint32_t *kept, uint32_t slots)
{
    struct plumb_csp_cursor *const c = plumb_csp_vectors_cursor(v);
    const uint32_t *const vector =
        plumb_csp_cursor_go(c, plumb_csp_vectors_root(v, from));
    uint64_t root;
    assert_memory_equal(plumb_csp_cursor_work(c), vector,
                        slots * sizeof *vector);
    for (uint32_t i = 0; i < slots; i++)
        if (kept[i] != vector[i] || i % 5 == 0)
            plumb_csp_cursor_set(c, i, kept[i]);
    assert_true(plumb_csp_cursor_root(c, &root));
    assert_true(root == plumb_csp_vectors_root(v, to));
    assert_int_equal(plumb_csp_vectors_find(v, root), to);
    const uint32_t guess = plumb_csp_vectors_guess(v, root);
    assert_true(guess != UINT32_MAX);
    assert_int_equal(plumb_csp_vectors_is(v, guess, root), guess == to);
}

/* Walk at random through few values, so that vectors come again. */
static void check_vectors(uint32_t slots, struct plumb_base_rng *rng)
{
    static uint32_t kept[VECTORS][SLOTS];
    struct plumb_csp_vectors *const v = plumb_csp_vectors_new(slots, NULL);
    uint32_t vector[SLOTS] = { 0 }, count = 0;
    assert_non_null(v);
    for (int step = 0; step < VECTORS; step++) {
        if (count && plumb_base_rng_below(rng, 3)) {
            const uint32_t parent = plumb_base_rng_below(rng, count);
            plumb_csp_vectors_get(v, parent, vector);
            assert_memory_equal(vector, kept[parent], slots * sizeof *vector);
        }
        for (uint32_t n = plumb_base_rng_below(rng, 3); n > 0; n--)
            vector[plumb_base_rng_below(rng, slots)] =
                plumb_base_rng_below(rng, 4);
        const uint32_t wanted = find(kept, count, vector, slots);
        assert_int_equal(plumb_csp_vectors_put(v, vector), wanted);
        const bool fresh = plumb_csp_vectors_count(v) > count;
        assert_int_equal(fresh, wanted == count);
        if (fresh)
            memcpy(kept[count++], vector, slots * sizeof *vector);
        assert_int_equal(plumb_csp_vectors_count(v), count);
        if (step % 1000 == 500)
            arrange(v, slots, rng);
        if (step % 10 == 0)
            check_roots(v, plumb_base_rng_below(rng, count), wanted,
                        kept[wanted], slots);
    }
    for (uint32_t i = 0; i < count; i++) {
        plumb_csp_vectors_get(v, i, vector);
        assert_memory_equal(vector, kept[i], slots * sizeof *vector);
    }
    plumb_csp_vectors_free(v);
}

static void equal_vectors_have_equal_numbers(void **state)
{
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 7);
    for (uint32_t slots = 1; slots <= 40; slots++)
        check_vectors(slots, &rng);
    for (uint32_t slots = 100; slots <= SLOTS; slots += 125)
        check_vectors(slots, &rng);
}

static void channels_are_first_in_first_out(void **state)
{
    struct plumb_csp_sequences *const s = plumb_csp_sequences_new(NULL);
    struct plumb_base_rng rng;
    int32_t queue[64][2];
    uint32_t begin = 0, end = 0, now = 0;
    (void)state;
    plumb_base_rng_seed(&rng, 3);
    for (int step = 0; step < 5000; step++) {
        assert_int_equal(plumb_csp_sequence_length(s, now), end - begin);
        if (begin == end)
            assert_int_equal(now, 0);
        if (end - begin < 5 && plumb_base_rng_below(&rng, 2)) {
            int32_t *const message = queue[end++ % 64];
            message[0] = (int32_t)plumb_base_rng_below(&rng, 2);
            message[1] = -1;
            now = plumb_csp_sequence_append(s, now, message,
                                            1 + (uint32_t)message[0]);
        } else if (begin < end) {
            uint32_t count;
            const int32_t *const first =
                plumb_csp_sequence_message(s, now, 0, &count);
            assert_int_equal(first[0], queue[begin % 64][0]);
            assert_int_equal(count, 1 + first[0]);
            begin++;
            now = plumb_csp_sequence_rest(s, now);
        }
    }
    plumb_csp_sequences_free(s);
}

/* A graph of random size: state s has edges to later and earlier states. */
enum { STATES = 200 };

static enum plumb_status some_edges(void *context, uint32_t state,
                                    struct plumb_csp_edges *out,
                                    struct plumb_error *err)
{
    uint32_t *const known = context;
    (void)err;
    for (uint32_t i = 0; i < (state * 7) % 4 + 1; i++) {
        const uint32_t target =
            state + i + 1 < STATES ? state + i + 1 : state / 2;
        if (*known <= target)
            *known = target + 1;
        if (!plumb_csp_edges_add(out, i, target))
            return PLUMB_EMEMORY;
    }
    return PLUMB_OK;
}

static uint32_t known_states(const void *context)
{
    return *(const uint32_t *)context;
}

static void assert_edges(const struct plumb_csp_edge *edge, uint32_t count,
                         uint32_t state)
{
    assert_int_equal(count, (state * 7) % 4 + 1);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(edge[i].event, i);
        assert_int_equal(edge[i].target,
                         state + i + 1 < STATES ? state + i + 1 : state / 2);
    }
}

static void check_graph(struct plumb_budget *budget, struct plumb_base_rng *rng,
                        unsigned out_of_order)
{
    uint32_t known = 1;
    const struct plumb_csp_graph_source source = { &known, some_edges,
                                                   known_states, 0 };
    struct plumb_csp_graph *g;
    struct plumb_error err;
    struct plumb_csp_lts lts;
    if (plumb_csp_graph_open(&g, &source, budget, &err) != PLUMB_OK)
        return;
    enum plumb_status status = PLUMB_OK;
    for (unsigned i = 0; i < out_of_order && status == PLUMB_OK; i++) {
        const uint32_t s = plumb_base_rng_below(rng, known);
        const struct plumb_csp_outgoing out = plumb_csp_graph_edges(g, s, &err);
        status = out.status;
        if (status == PLUMB_OK)
            assert_edges(out.edge, out.count, s);
    }
    if (status == PLUMB_OK &&
        (status = plumb_csp_graph_complete(g, 0, &err)) == PLUMB_OK &&
        (status = plumb_csp_graph_lts(g, &lts, &err)) == PLUMB_OK) {
        assert_int_equal(lts.states, STATES);
        for (uint32_t s = 0; s < STATES; s++) {
            assert_edges(lts.edge + lts.first[s],
                         (uint32_t)(lts.first[s + 1] - lts.first[s]), s);
            const struct plumb_csp_outgoing out =
                plumb_csp_graph_edges(g, s, &err);
            assert_int_equal(out.status, PLUMB_OK);
            assert_edges(out.edge, out.count, s);
        }
    }
    assert_true(status == PLUMB_OK || status == PLUMB_EMEMORY);
    plumb_csp_graph_free(g);
}

static void edges_are_the_same_in_any_order(void **state)
{
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 11);
    for (unsigned i = 0; i < 60; i++)
        check_graph(NULL, &rng, i);
}

/* What was put in before memory was refused stays. */
static void put_some(struct plumb_budget *budget, struct plumb_base_rng *rng)
{
    enum { SOME = 120, FEW = 40 };
    static uint32_t kept[SOME][FEW];
    struct plumb_csp_vectors *const v = plumb_csp_vectors_new(FEW, budget);
    uint32_t vector[FEW] = { 0 }, count = 0;
    for (int step = 0; v && step < SOME; step++) {
        vector[plumb_base_rng_below(rng, FEW)] =
            plumb_base_rng_below(rng, 1000);
        const uint32_t number = plumb_csp_vectors_put(v, vector);
        if (number == UINT32_MAX)
            continue;
        assert_true(number <= count);
        memcpy(kept[number], vector, sizeof vector);
        count += number == count;
        if (step == SOME / 2)
            arrange(v, FEW, rng);
    }
    for (uint32_t i = 0; i < count; i++) {
        plumb_csp_vectors_get(v, i, vector);
        assert_memory_equal(vector, kept[i], sizeof vector);
    }
    plumb_csp_vectors_free(v);
}

/* Pairs of small numbers, then of large ones, which are kept in another way. */
static void put_pairs(struct plumb_budget *budget, bool left_first)
{
    enum { SMALL = 3000, ALL = 4000 };
    struct plumb_base_pairs t;
    uint32_t count = 0;
    struct plumb_base_pair kept[ALL];
    plumb_base_pairs_init(&t, budget);
    for (uint32_t i = 0; i < ALL; i++) {
        const uint32_t most = (1 << 24) - 1;
        const struct plumb_base_pair small = { most - i % 7,
                                               i % 11 ? i : most };
        const bool left = (i % 2 == 0) == left_first;
        const struct plumb_base_pair large = { left ? i << 20 : i,
                                               left ? i : i << 20 };
        const struct plumb_base_pair p = i < SMALL ? small : large;
        const uint32_t known = t.count, number = plumb_base_pairs_number(&t, p);
        if (number == UINT32_MAX)
            continue;
        if (number == known)
            kept[count++] = p;
        assert_int_equal(plumb_base_pairs_find(&t, p), number);
    }
    assert_int_equal(t.count, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct plumb_base_pair p = plumb_base_pairs_at(&t, i);
        assert_memory_equal(&p, &kept[i], sizeof p);
        assert_int_equal(plumb_base_pairs_find(&t, p), i);
    }
    plumb_base_pairs_release(&t);
}

static void pairs_may_be_large(void **state)
{
    (void)state;
    put_pairs(NULL, false);
    put_pairs(NULL, true);
}

static void refused_memory_is_survived(void **state)
{
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 12);
    for (size_t nth = 1;; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        plumb_base_budget_fail_at(budget, nth);
        check_graph(budget, &rng, 5);
        put_some(budget, &rng);
        put_pairs(budget, nth % 2 == 0);
        assert_int_equal(plumb_budget_used(budget), 0);
        const bool failed = plumb_base_budget_has_failed(budget);
        plumb_budget_free(budget);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_vectors_have_equal_numbers),
        cmocka_unit_test(channels_are_first_in_first_out),
        cmocka_unit_test(edges_are_the_same_in_any_order),
        cmocka_unit_test(pairs_may_be_large),
        cmocka_unit_test(refused_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
