/* test_model_chains.c - sets of states, and the smallest of them, against
 * plain bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "refine/engines/chains.h"
#include <stdlib.h>
#include <string.h>

/* A graph from whose state 0 each event leads to a set of its own: the sets of
 * the graph are any we like.  They have up to 200 members, so that signatures
 * of 64 bits say little, and many are parts of others. */
enum { SETS = 120, MEMBERS = 200, STATES = MEMBERS + 1 };

struct fan {
    bool in[SETS][STATES];
    uint64_t first[STATES + 1];
    struct plumb_csp_edge edge[SETS * MEMBERS];
    struct plumb_csp_lts lts;
    struct plumb_csp_graph *graph;
    struct plumb_refine_spec_sets sets;
    uint32_t number[SETS];
};

static void draw_set(struct fan *f, uint32_t set, struct plumb_base_rng *rng)
{
    const uint32_t like = set ? plumb_base_rng_below(rng, set) : 0;
    const bool copy = set && plumb_base_rng_chance(rng, 70);
    const uint32_t most = plumb_base_rng_chance(rng, 50) ? MEMBERS : 8;
    for (uint32_t s = 1; s < STATES; s++)
        f->in[set][s] =
            copy ? f->in[like][s] : s <= most && plumb_base_rng_chance(rng, 60);
    for (uint32_t i = plumb_base_rng_below(rng, 4); i--;)
        f->in[set][1 + plumb_base_rng_below(rng, most)] ^= 1;
    f->in[set][1 + plumb_base_rng_below(rng, 3)] = true; /* not empty */
}

static void open_fan(struct fan *f, struct plumb_base_rng *rng)
{
    struct plumb_error err;
    uint64_t n = 0;
    uint32_t begin;
    for (uint32_t i = 0; i < SETS; i++) {
        draw_set(f, i, rng);
        for (uint32_t s = STATES; s--;)
            if (f->in[i][s])
                f->edge[n++] = (struct plumb_csp_edge){ 2 + i, s };
    }
    f->first[0] = 0;
    for (uint32_t s = 1; s <= STATES; s++)
        f->first[s] = n;
    f->lts = (struct plumb_csp_lts){ STATES, f->first, f->edge };
    const struct plumb_csp_graph_source source = plumb_csp_lts_source(&f->lts);
    assert_int_equal(plumb_csp_graph_open(&f->graph, &source, NULL, &err),
                     PLUMB_OK);
    plumb_refine_spec_sets_init(&f->sets, f->graph, NULL);
    assert_int_equal(plumb_refine_spec_sets_initial(&f->sets, &begin, &err),
                     PLUMB_OK);
    for (uint32_t i = 0; i < SETS; i++)
        assert_int_equal(plumb_refine_spec_sets_after(&f->sets, begin, 2 + i,
                                                      f->number + i, &err),
                         PLUMB_OK);
}

static void close_fan(struct fan *f)
{
    plumb_refine_spec_sets_release(&f->sets);
    plumb_csp_graph_free(f->graph);
}

static bool is_part(const struct fan *f, uint32_t a, uint32_t b)
{
    for (uint32_t s = 0; s < STATES; s++)
        if (f->in[a][s] && !f->in[b][s])
            return false;
    return true;
}

static void sets_have_numbers_and_parts(void **state)
{
    (void)state;
    struct fan *const f = calloc(1, sizeof *f);
    uint32_t parts = 0, count;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct plumb_base_rng rng;
        plumb_base_rng_seed(&rng, seed);
        open_fan(f, &rng);
        for (uint32_t a = 0; a < SETS; a++) {
            const uint32_t *const member =
                plumb_refine_spec_sets_members(&f->sets, f->number[a], &count);
            for (uint32_t s = 0, n = 0; s < STATES; s++)
                if (f->in[a][s])
                    assert_int_equal(member[n++], s);
            for (uint32_t b = 0; b < SETS; b++) {
                const bool part = is_part(f, a, b);
                assert_int_equal(plumb_refine_spec_sets_within(
                                     &f->sets, f->number[a], f->number[b]),
                                 part);
                assert_int_equal(f->number[a] == f->number[b],
                                 part && is_part(f, b, a));
                parts += part && a != b;
            }
        }
        close_fan(f);
    }
    assert_true(parts > 5000);
    free(f);
}

/* The same chains, as lists of all that was put in. */
struct lists {
    uint32_t set[16][4000], count[16];
};

static bool list_put(const struct fan *f, struct lists *l, uint32_t state,
                     uint32_t set)
{
    uint32_t *const list = l->set[state], kept = 0;
    for (uint32_t i = 0; i < l->count[state]; i++)
        if (is_part(f, list[i], set))
            return false;
    for (uint32_t i = 0; i < l->count[state]; i++)
        if (!is_part(f, set, list[i]))
            list[kept++] = list[i];
    list[kept++] = set;
    l->count[state] = kept;
    return true;
}

static void chains_keep_the_smallest_sets(void **state)
{
    (void)state;
    struct fan *const f = calloc(1, sizeof *f);
    struct lists *const l = calloc(1, sizeof *l);
    uint32_t killed = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct plumb_base_rng rng;
        struct plumb_refine_chains c;
        uint64_t alive = 0;
        plumb_base_rng_seed(&rng, seed);
        open_fan(f, &rng);
        memset(l->count, 0, sizeof l->count);
        assert_true(plumb_refine_chains_init(&c, &f->sets, NULL));
        for (uint32_t i = 0; i < 3000; i++) {
            const uint32_t s = plumb_base_rng_below(&rng, 16);
            const uint32_t set = plumb_base_rng_below(&rng, SETS);
            assert_int_equal(
                plumb_refine_chains_put(&c, s, f->number[set], 100),
                list_put(f, l, s, set) ? PLUMB_CHAINED : PLUMB_COVERED);
        }
        for (uint32_t s = 0; s < 16; s++)
            alive += l->count[s];
        assert_int_equal(c.alive, alive);
        for (uint32_t i = 0, dead = 0; i < c.pairs.count; i++) {
            dead += plumb_refine_pair_right(
                        plumb_refine_pairs_at(&c.pairs, i)) == PLUMB_NO_SET;
            assert_true(i >= 100 || !dead);
            killed += i + 1 == c.pairs.count ? dead : 0;
        }
        plumb_refine_chains_release(&c);
        close_fan(f);
    }
    assert_true(killed > 100);
    free(f);
    free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_have_numbers_and_parts),
        cmocka_unit_test(chains_keep_the_smallest_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
