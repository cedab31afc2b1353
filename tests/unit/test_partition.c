/* test_partition.c - splitting a history, and merging orders of its parts. */
#include "cases.h"

#include "check/merge.h"

/* Part p holds exactly these operations. */
static void assert_part(const struct ready *r, uint32_t p, uint32_t object,
                        const uint32_t *op, uint32_t count)
{
    assert_true(p < r->c.parts.count);
    const struct plumb_check_part *const part = r->c.parts.part + p;
    assert_int_equal(part->object, object);
    assert_int_equal(part->count, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct plumb_check_part_item *const x = part->item + i;
        assert_int_equal(x->op, op[i]);
        assert_int_equal(x->call, r->h.op[op[i]].call);
        assert_int_equal(x->ret, plumb_op_ret(r->h.op + op[i]));
        assert_ptr_equal(x->action, r->bound.action + op[i]);
    }
}

#define OPS(...)                                                               \
    (const uint32_t[]){ __VA_ARGS__ },                                         \
        sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

static const char two_objects[] =
    "A @y put k 1; A @y ok; A @x put k 2; B @x get j; A @x ok; B @x none;"
    "A @y get k; A @y ok 1; B @x put j 3; B @x !info";

static void objects_and_keys_are_parts(void **state)
{
    (void)state;
    struct ready r;
    make_ready(&r, "map", story(two_objects), false);
    assert_int_equal(r.c.parts.count, 3); /* by first call: y.k, x.k, x.j */
    assert_part(&r, 0, 0, OPS(0, 3));
    assert_part(&r, 1, 1, OPS(1));
    assert_part(&r, 2, 1, OPS(2, 4));
    release_ready(&r);
}

static void a_whole_object_is_one_part(void **state)
{
    (void)state;
    struct ready r;
    make_ready(&r, "map", story(two_objects), true);
    assert_int_equal(r.c.parts.count, 2);
    assert_part(&r, 0, 0, OPS(0, 3));
    assert_part(&r, 1, 1, OPS(1, 2, 4));
    release_ready(&r);
}

static void a_type_without_keys_is_split_by_object_alone(void **state)
{
    (void)state;
    struct ready r;
    make_ready(&r, "bag",
               story("A @x insert 1; A @x ok; A @y insert 1; A @y ok;"
                     "A @x insert 2; A @x ok; A @x take; A @x ok 1"),
               false);
    assert_int_equal(r.c.parts.count, 2);
    assert_part(&r, 0, 0, OPS(0, 2, 3));
    assert_part(&r, 1, 1, OPS(1));
    release_ready(&r);
}

/* The same values of different types are different keys. */
static void keys_are_values_not_texts(void **state)
{
    (void)state;
    struct ready r;
    make_ready(&r, "set",
               story("A insert 1; A ok true; A insert true; A ok true;"
                     "A insert a; A ok true; A delete 1; A ok true"),
               false);
    assert_int_equal(r.c.parts.count, 3);
    assert_part(&r, 0, 0, OPS(0, 3));
    release_ready(&r);
}

static void failed_operations_are_in_no_part(void **state)
{
    (void)state;
    struct ready r;
    make_ready(&r, "set",
               story("A insert 1; A !fail; A insert 2; A ok true;"
                     "A delete 2; A !fail; A member 2; A !info"),
               false);
    assert_int_equal(r.c.parts.count, 1);
    assert_part(&r, 0, 0, OPS(1, 3));
    release_ready(&r);
}

static void no_operations_make_no_parts(void **state)
{
    (void)state;
    struct ready r;
    make_ready(&r, "set", story("A insert 1; A !fail"), false);
    assert_int_equal(r.c.parts.count, 0);
    release_ready(&r);
    make_ready(&r, "set", story(""), true);
    assert_int_equal(r.c.parts.count, 0);
    release_ready(&r);
}

/* ---- random histories ---- */

enum { MOST = 200 };

static struct plumb_history babbled_map(struct plumb_base_rng *rng,
                                        unsigned ops)
{
    static const char *const calls[] = { "put 1 1", "put 2 1", "get 3",
                                         "get 4",   "put 5 1", "get 6",
                                         "get 7",   "put 8 1", NULL };
    static const char *const done[] = { "ok", NULL };
    static const char *const got[] = { "ok 1", "none", NULL };
    static const char *const *const answers[] = { done, done, got, got,
                                                  done, got,  got, done };
    const struct babble b = { calls, answers, ops,
                              1 + plumb_base_rng_below(rng, 10) };
    return babbled(rng, &b);
}

static bool same_key(const struct plumb_history *h, uint32_t i, uint32_t j)
{
    return plumb_value_equal(plumb_op_args(h, h->op + i)[0],
                             plumb_op_args(h, h->op + j)[0]);
}

static void find_parts(const struct ready *r, uint32_t part_of[MOST])
{
    for (uint32_t i = 0; i < r->h.count; i++)
        part_of[i] = UINT32_MAX;
    for (uint32_t p = 0; p < r->c.parts.count; p++) {
        const struct plumb_check_part *const part = r->c.parts.part + p;
        assert_true(part->count > 0);
        assert_true(p == 0 || part[-1].item[0].call < part->item[0].call);
        for (uint32_t i = 0; i < part->count; i++) {
            assert_true(i == 0 || part->item[i - 1].call < part->item[i].call);
            assert_int_equal(part_of[part->item[i].op], UINT32_MAX);
            part_of[part->item[i].op] = p;
        }
    }
}

static void every_operation_is_in_the_part_of_its_key(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    uint32_t part_of[MOST];
    plumb_base_rng_seed(&rng, 1);
    for (unsigned round = 0; round < 200; round++) {
        struct ready r;
        const bool whole = plumb_base_rng_chance(&rng, 30);
        make_ready(&r, "map",
                   babbled_map(&rng, plumb_base_rng_below(&rng, MOST)), whole);
        find_parts(&r, part_of);
        for (uint32_t i = 0; i < r.h.count; i++) {
            const bool fails = r.h.op[i].outcome == PLUMB_OUTCOME_FAIL;
            assert_int_equal(part_of[i] == UINT32_MAX, fails);
            for (uint32_t j = 0; j < i && !fails; j++)
                if (part_of[j] != UINT32_MAX)
                    assert_int_equal(part_of[i] == part_of[j],
                                     whole || same_key(&r.h, i, j));
        }
        release_ready(&r);
    }
}

/* Many parts of one or two operations, so that their places in the table meet.
 */
static void many_objects_and_keys_are_kept_apart(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    struct plumb_base_text t;
    struct ready r;
    uint32_t part_of[MOST];
    plumb_base_rng_seed(&rng, 3);
    plumb_base_text_init(&t, NULL);
    for (unsigned i = 0; i < MOST; i++) {
        const unsigned object = plumb_base_rng_below(&rng, 2);
        plumb_base_text_printf(&t, "A @x%u get %u; A @x%u none;", object,
                               plumb_base_rng_below(&rng, 100), object);
    }
    make_ready(&r, "map", story(plumb_base_text_string(&t)), false);
    find_parts(&r, part_of);
    for (uint32_t i = 0; i < r.h.count; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_int_equal(part_of[i] == part_of[j],
                             r.h.op[i].object == r.h.op[j].object &&
                                 same_key(&r.h, i, j));
    assert_true(r.c.parts.count > 80);
    release_ready(&r);
    plumb_base_text_release(&t);
}

/* ---- merging ---- */

/* Any order of the part that respects real time, without some of the pending
 * operations. */
static uint32_t random_order(const struct plumb_check_part *part,
                             struct plumb_base_rng *rng, uint32_t *order)
{
    bool placed[MOST] = { false };
    uint32_t count = 0;
    for (;;) {
        uint32_t horizon = PLUMB_NEVER, choices = 0, chosen = 0;
        bool done = true;
        for (uint32_t i = 0; i < part->count; i++)
            if (!placed[i] && part->item[i].ret < horizon)
                horizon = part->item[i].ret;
        for (uint32_t i = 0; i < part->count; i++) {
            if (placed[i] || part->item[i].call >= horizon)
                continue;
            done &= part->item[i].ret == PLUMB_NEVER;
            if (plumb_base_rng_below(rng, ++choices) == 0)
                chosen = i;
        }
        if (!choices || (done && plumb_base_rng_chance(rng, 40)))
            return count;
        placed[chosen] = true;
        order[count++] = part->item[chosen].op;
    }
}

static void assert_respects_real_time(const struct plumb_history *h,
                                      const uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_false(plumb_op_ret(h->op + order[i]) < h->op[order[j]].call);
}

static void assert_has_in_order(const uint32_t *merged, uint32_t count,
                                const uint32_t *order, uint32_t wanted)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found < wanted; i++)
        found += merged[i] == order[found];
    assert_int_equal(found, wanted);
}

static void assert_merges(struct ready *r, struct plumb_base_rng *rng)
{
    static uint32_t order[MOST][MOST];
    struct plumb_check_order of[MOST];
    uint32_t *merged = NULL, count = 0, total = 0;
    for (uint32_t p = 0; p < r->c.parts.count; p++) {
        of[p].op = order[p];
        of[p].count = random_order(r->c.parts.part + p, rng, order[p]);
        total += of[p].count;
    }
    assert_true(plumb_check_merge_orders(&r->h, of, r->c.parts.count, &r->arena,
                                         &merged, &count));
    assert_int_equal(count, total);
    assert_respects_real_time(&r->h, merged, count);
    for (uint32_t p = 0; p < r->c.parts.count; p++)
        assert_has_in_order(merged, count, order[p], of[p].count);
}

static void merging_keeps_real_time_and_the_order_of_each_part(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 2);
    for (unsigned round = 0; round < 400; round++) {
        struct ready r;
        make_ready(&r, "map", babbled_map(&rng, plumb_base_rng_below(&rng, 60)),
                   plumb_base_rng_chance(&rng, 10));
        assert_merges(&r, &rng);
        release_ready(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_and_keys_are_parts),
        cmocka_unit_test(a_whole_object_is_one_part),
        cmocka_unit_test(a_type_without_keys_is_split_by_object_alone),
        cmocka_unit_test(keys_are_values_not_texts),
        cmocka_unit_test(failed_operations_are_in_no_part),
        cmocka_unit_test(no_operations_make_no_parts),
        cmocka_unit_test(every_operation_is_in_the_part_of_its_key),
        cmocka_unit_test(many_objects_and_keys_are_kept_apart),
        cmocka_unit_test(merging_keeps_real_time_and_the_order_of_each_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
