/* test_cuts.c - deciding in pieces makes no difference, nor do threads. */
#include "../../bench/long_history.h"
#include "cases.h"
#include "effort.h"

#include "check/input/cuts.h"
#include "check/input/monitor.h"

static const char *const types[] = { "queue", "stack",    "priority-queue",
                                     "set",   "multiset", "register",
                                     "map" };
enum { TYPES = sizeof types / sizeof *types };

static struct plumb_spec *spec_of(const char *text)
{
    struct plumb_spec *spec;
    struct plumb_error err;
    if (plumb_spec_parse(text, &spec, &err) != PLUMB_OK)
        fail_msg("%s: %s", text, err.message);
    return spec;
}

static struct plumb_history made(const struct long_history_plan *plan)
{
    struct plumb_history h;
    if (!long_history(plan, &h))
        fail_msg("no history of a %s", plan->type);
    return h;
}

/* ---- by monitors ---- */

struct decided {
    struct plumb_base_arena arena;
    struct plumb_check_monitored m;
};

static void decide(const struct plumb_history *h, const struct plumb_spec *spec,
                   unsigned jobs, uint32_t least, struct decided *d)
{
    plumb_base_arena_init(&d->arena, NULL);
    assert_true(
        plumb_check_monitor_history(h, spec, jobs, least, &d->arena, &d->m));
}

static void assert_same_list(const uint32_t *a, uint32_t as, const uint32_t *b,
                             uint32_t bs)
{
    assert_int_equal(as, bs);
    for (uint32_t i = 0; i < as; i++)
        assert_int_equal(a[i], b[i]);
}

static void assert_same(const struct plumb_check_monitored *a,
                        const struct plumb_check_monitored *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->nothing, b->nothing);
    assert_int_equal(a->parts, b->parts);
    assert_same_list(a->order, a->order_count, b->order, b->order_count);
    assert_same_list(a->cut, a->cuts, b->cut, b->cuts);
    assert_same_list(a->blame, a->blames, b->blame, b->blames);
    if (a->verdict != PLUMB_NOT_LINEARIZABLE)
        return;
    assert_int_equal(a->maybe, b->maybe);
    assert_int_equal(a->sure, b->sure);
}

/* The order is one, by one thread and by several, whatever they are told. */
static void verify(const struct plumb_history *h, const struct plumb_spec *spec,
                   const struct plumb_check_monitored *m)
{
    const struct plumb_spec_ref ref = { plumb_spec_text(spec), NULL };
    struct plumb_error err;
    if (plumb_verify_witness(h, ref, m->order, m->order_count, NULL, &err) !=
        PLUMB_OK)
        fail_msg("%s", err.message);
    if (plumb_verify_witness_shared(h, ref, m->order, m->order_count, m->cut,
                                    m->cuts, 3, NULL, &err) != PLUMB_OK)
        fail_msg("shared: %s", err.message);
}

struct tally {
    unsigned pieces, good, bad, left;
};

static void count(struct tally *t, const struct plumb_check_monitored *m)
{
    t->pieces += m->cuts;
    t->good += m->verdict == PLUMB_LINEARIZABLE;
    t->bad += m->verdict == PLUMB_NOT_LINEARIZABLE;
    t->left += m->verdict == PLUMB_UNDECIDED;
}

static void compare(const struct plumb_history *h,
                    const struct plumb_spec *spec, struct tally *t)
{
    static const unsigned jobs[] = { 2, 3, 7 };
    struct decided whole, one, several;
    decide(h, spec, 1, UINT32_MAX, &whole);
    assert_int_equal(whole.m.cuts, 0);
    for (uint32_t least = 1; least <= 64; least *= 8) {
        decide(h, spec, 1, least, &one);
        count(t, &one.m);
        /* A violation may be found before what would be declined. */
        if (whole.m.verdict != PLUMB_UNDECIDED)
            assert_int_equal(one.m.verdict, whole.m.verdict);
        assert_int_not_equal(one.m.verdict == PLUMB_LINEARIZABLE &&
                                 whole.m.verdict != PLUMB_LINEARIZABLE,
                             1);
        if (one.m.verdict == PLUMB_NOT_LINEARIZABLE &&
            whole.m.verdict == PLUMB_NOT_LINEARIZABLE) {
            assert_int_equal(one.m.maybe, whole.m.maybe);
            assert_int_equal(one.m.sure, whole.m.sure);
        }
        if (one.m.verdict == PLUMB_LINEARIZABLE)
            verify(h, spec, &one.m);
        for (unsigned j = 0; j < 3; j++) {
            decide(h, spec, jobs[j], least, &several);
            assert_same(&one.m, &several.m);
            plumb_base_arena_release(&several.arena);
        }
        plumb_base_arena_release(&one.arena);
    }
    plumb_base_arena_release(&whole.arena);
}

static struct long_history_plan any_plan(struct plumb_base_rng *rng,
                                         const char *type)
{
    return (struct long_history_plan){
        .type = type,
        .operations = 1 + plumb_base_rng_below(rng, 400),
        .threads = 1 + plumb_base_rng_below(rng, 5),
        .seed = plumb_base_rng_next(rng),
        .wrong_at = plumb_base_rng_chance(rng, 50)
                        ? 0
                        : 1 + plumb_base_rng_below(rng, 300),
        .rest = plumb_base_rng_below(rng, 40),
        .resident = 1 + plumb_base_rng_below(rng, 8),
        .keys = 1 + plumb_base_rng_below(rng, 40),
    };
}

static void pieces_and_threads_make_no_difference(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 20);
    for (unsigned k = 0; k < TYPES; k++) {
        struct plumb_spec *const spec = spec_of(types[k]);
        struct tally t = { 0 };
        for (unsigned i = 0; i < SOME_OF(300); i++) {
            const struct long_history_plan plan = any_plan(&rng, types[k]);
            struct plumb_history h = made(&plan);
            compare(&h, spec, &t);
            plumb_history_release(&h);
        }
        printf("%s: %u cuts, %u good, %u bad, %u left\n", types[k], t.pieces,
               t.good, t.bad, t.left);
        assert_true(t.good && t.bad);
        assert_int_equal(t.pieces > 0, k < 5);
        plumb_spec_free(spec);
    }
}

/* With values that come back, operations that fail and that never return. */
static void nor_for_what_is_made_up(void **state)
{
    (void)state;
    struct plumb_spec *const spec = spec_of("queue");
    struct plumb_base_rng rng;
    struct tally t = { 0 };
    plumb_base_rng_seed(&rng, 21);
    for (unsigned i = 0; i < SOME_OF(20000); i++) {
        struct plumb_history h =
            babbled_queue(&rng, 1 + plumb_base_rng_below(&rng, 12),
                          1 + plumb_base_rng_below(&rng, 3));
        compare(&h, spec, &t);
        plumb_history_release(&h);
    }
    printf("made up: %u cuts, %u good, %u bad, %u left\n", t.pieces, t.good,
           t.bad, t.left);
    assert_true(t.pieces && t.good && t.bad && t.left);
    plumb_spec_free(spec);
}

/* ---- keys that are shared among threads ---- */

static const char *const changes[] = { "insert 1", "insert 2", "insert 3",
                                       "delete 1", "delete 2", "delete 3",
                                       "member 1", "member 2", NULL };
static const char *const yes_or_no[] = { "ok true", "ok false", "ok true",
                                         NULL };

static struct plumb_history babbled_set(struct plumb_base_rng *rng,
                                        unsigned ops, unsigned threads)
{
    static const char *const *const answers[] = { yes_or_no, yes_or_no,
                                                  yes_or_no, yes_or_no,
                                                  yes_or_no, yes_or_no,
                                                  yes_or_no, yes_or_no };
    const struct babble b = { changes, answers, ops, threads };
    return babbled(rng, &b);
}

static struct plumb_history babbled_multiset(struct plumb_base_rng *rng,
                                             unsigned ops, unsigned threads)
{
    static const char *const done[] = { "ok", NULL };
    static const char *const *const answers[] = {
        done, done, done, yes_or_no, yes_or_no, yes_or_no, yes_or_no, yes_or_no
    };
    const struct babble b = { changes, answers, ops, threads };
    return babbled(rng, &b);
}

/* Keys that are appended to are left to the search. */
static struct plumb_history babbled_map(struct plumb_base_rng *rng,
                                        unsigned ops, unsigned threads)
{
    static const char *const calls[] = { "put 1 7",  "put 2 8", "put 3 9",
                                         "get 1",    "get 2",   "get 3",
                                         "remove 1", "get 4",   NULL };
    static const char *const more[] = { "put 1 7",  "put 2 8",    "put 3 9",
                                        "get 1",    "get 2",      "get 3",
                                        "remove 1", "append 4 7", NULL };
    static const char *const done[] = { "ok", NULL };
    static const char *const seven[] = { "ok 7", "none", NULL };
    static const char *const eight[] = { "ok 8", "none", NULL };
    static const char *const nine[] = { "ok 9", "none", NULL };
    static const char *const none[] = { "none", NULL };
    static const char *const *const answers[] = { done,  done, done,  seven,
                                                  eight, nine, seven, none };
    static const char *const *const answers_of_more[] = { done,  done,  done,
                                                          seven, eight, nine,
                                                          seven, done };
    const bool appends = plumb_base_rng_chance(rng, 30);
    const struct babble b = { appends ? more : calls,
                              appends ? answers_of_more : answers, ops,
                              threads };
    return babbled(rng, &b);
}

typedef struct plumb_history babbler(struct plumb_base_rng *rng, unsigned ops,
                                     unsigned threads);

static void compare_keys(const char *type, babbler *babble, struct tally *t)
{
    struct plumb_spec *const spec = spec_of(type);
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 22);
    for (unsigned i = 0; i < SOME_OF(5000); i++) {
        struct plumb_history h =
            babble(&rng, 1 + plumb_base_rng_below(&rng, 30),
                   1 + plumb_base_rng_below(&rng, 5));
        compare(&h, spec, t);
        plumb_history_release(&h);
    }
    printf("%s, made up: %u good, %u bad, %u left\n", type, t->good, t->bad,
           t->left);
    plumb_spec_free(spec);
}

static void keys_and_threads_make_no_difference(void **state)
{
    (void)state;
    struct tally set = { 0 }, multiset = { 0 }, map = { 0 };
    compare_keys("set", babbled_set, &set);
    compare_keys("multiset", babbled_multiset, &multiset);
    compare_keys("map", babbled_map, &map);
    assert_true(set.good && set.bad && !set.left);
    assert_true(multiset.good && multiset.bad && !multiset.left);
    assert_true(map.good && map.bad && map.left);
}

/* ---- where there is a cut ---- */

static uint32_t pieces_of(const char *type, const char *text)
{
    struct plumb_history h = story(text);
    struct plumb_spec *const spec = spec_of(type);
    struct plumb_base_arena arena;
    struct plumb_check_cuts cuts;
    plumb_base_arena_init(&arena, NULL);
    assert_true(plumb_check_cuts_find(&h, spec, 1, &arena, &cuts));
    assert_int_equal(cuts.from[0], 0);
    assert_int_equal(cuts.from[cuts.pieces], h.count);
    plumb_base_arena_release(&arena);
    plumb_spec_free(spec);
    plumb_history_release(&h);
    return cuts.pieces;
}

static void a_container_is_cut_where_it_is_empty(void **state)
{
    (void)state;
    assert_int_equal(pieces_of("queue", "A enq 1; A ok; A deq; A ok 1;"
                                        "A enq 2; A ok;"),
                     2);
    assert_int_equal(pieces_of("queue", "A enq 1; A ok; A enq 2; A ok;"), 1);
    assert_int_equal(pieces_of("queue", "A deq; A empty; A enq 2; A ok;"), 2);
    assert_int_equal(pieces_of("set", "A insert 1; A ok true; A insert 1;"
                                      "A ok false; A delete 1; A ok true;"
                                      "A insert 1; A ok true;"),
                     2);
    assert_int_equal(pieces_of("map", "A put 1 2; A ok; A remove 1; A ok 2;"
                                      "A get 1; A none;"),
                     1);
}

static void nothing_is_cut_while_something_is_open(void **state)
{
    (void)state;
    assert_int_equal(pieces_of("queue", "B deq; A enq 1; A ok; A deq; A ok 1;"
                                        "A enq 2; A ok; B empty;"),
                     1);
    assert_int_equal(pieces_of("queue", "B deq; A enq 1; A ok; A deq; A ok 1;"
                                        "A enq 2; A ok;"),
                     1);
}

/* ---- verifying ---- */

enum { LONG = 20000 };

/* An order that is wrong is rejected in the same words. */
static void reject_alike(const struct plumb_history *h,
                         const struct plumb_spec *spec,
                         const struct plumb_check_monitored *m)
{
    const struct plumb_spec_ref ref = { plumb_spec_text(spec), NULL };
    const uint32_t n = m->order_count;
    struct plumb_error one, several;
    uint32_t *const order = malloc(n * sizeof *order);
    assert_non_null(order);
    for (unsigned i = 1; i < 8; i++) {
        memcpy(order, m->order, n * sizeof *order);
        const uint32_t at = n / 8 * i;
        order[at] = m->order[at + 1];
        order[at + 1] = m->order[at];
        const enum plumb_status a =
            plumb_verify_witness(h, ref, order, n, NULL, &one);
        const enum plumb_status b = plumb_verify_witness_shared(
            h, ref, order, n, m->cut, m->cuts, 3, NULL, &several);
        assert_int_equal(a, b);
        if (a != PLUMB_OK)
            assert_string_equal(one.message, several.message);
    }
    free(order);
}

static void orders_are_verified_by_several_threads(void **state)
{
    (void)state;
    for (unsigned k = 0; k < TYPES; k++) {
        const struct long_history_plan plan = { .type = types[k],
                                                .operations = LONG,
                                                .threads = 4,
                                                .seed = k,
                                                .rest = 1000,
                                                .keys = 50 };
        struct plumb_history h = made(&plan);
        struct plumb_spec *const spec = spec_of(types[k]);
        struct decided d;
        decide(&h, spec, 2, 500, &d);
        assert_int_equal(d.m.verdict, PLUMB_LINEARIZABLE);
        verify(&h, spec, &d.m);
        reject_alike(&h, spec, &d.m);
        plumb_base_arena_release(&d.arena);
        plumb_spec_free(spec);
        plumb_history_release(&h);
    }
}

static void a_place_that_is_no_cut_is_not_believed(void **state)
{
    (void)state;
    const struct long_history_plan plan = {
        .type = "queue", .operations = LONG, .threads = 2, .seed = 1
    };
    struct plumb_history h = made(&plan);
    struct plumb_spec *const spec = spec_of("queue");
    const struct plumb_spec_ref ref = { "queue", NULL };
    struct plumb_error err;
    struct decided d;
    decide(&h, spec, 1, UINT32_MAX, &d);
    const uint32_t cut[][2] = { { LONG / 2, LONG / 3 },
                                { LONG / 3, LONG / 2 },
                                { UINT32_MAX, UINT32_MAX } };
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(plumb_verify_witness_shared(&h, ref, d.m.order,
                                                     d.m.order_count, cut[i], 2,
                                                     2, NULL, &err),
                         PLUMB_OK);
    plumb_base_arena_release(&d.arena);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

/* One after the other: many additions and removals, and at the end one that
 * finds nothing though there is something. */
static struct plumb_history forgetful_queue(uint32_t pairs)
{
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    for (uint32_t i = 0; i < pairs; i++)
        plumb_base_text_add(&t, "A enq 1; A ok; A deq; A ok 1;");
    plumb_base_text_add(&t, "A enq 1; A ok; A deq; A empty");
    struct plumb_history h = story(plumb_base_text_string(&t));
    plumb_base_text_release(&t);
    return h;
}

static void what_a_stretch_leaves_behind_is_noticed(void **state)
{
    (void)state;
    struct plumb_history h = forgetful_queue(LONG / 2);
    const struct plumb_spec_ref ref = { "queue", NULL };
    const uint32_t cut[] = { LONG / 2, h.count - 1 };
    struct plumb_error err;
    uint32_t *const order = malloc(h.count * sizeof *order);
    assert_non_null(order);
    for (uint32_t i = 0; i < h.count; i++)
        order[i] = i;
    for (uint32_t cuts = 0; cuts <= 2; cuts++)
        assert_int_equal(plumb_verify_witness_shared(&h, ref, order, h.count,
                                                     cut, cuts, 2, NULL, &err),
                         PLUMB_EINPUT);
    free(order);
    plumb_history_release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_and_threads_make_no_difference),
        cmocka_unit_test(nor_for_what_is_made_up),
        cmocka_unit_test(keys_and_threads_make_no_difference),
        cmocka_unit_test(a_container_is_cut_where_it_is_empty),
        cmocka_unit_test(nothing_is_cut_while_something_is_open),
        cmocka_unit_test(orders_are_verified_by_several_threads),
        cmocka_unit_test(a_place_that_is_no_cut_is_not_believed),
        cmocka_unit_test(what_a_stretch_leaves_behind_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
