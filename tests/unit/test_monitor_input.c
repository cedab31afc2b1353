/* test_monitor_input.c - a history as monitors read it, against the same history bound
 * to its specification. */
#include "cases.h"

#include "check/input/monitor_input.h"

/* Values of all kinds, near to each other or `far` apart. */
static struct plumb_history any_history(struct plumb_base_rng *rng, bool far)
{
    static const char *const near_calls[] = { "put 1 -3",   "put 2 a",
                                              "get 2",      "get b",
                                              "member 1",   "insert 3 nil",
                                              "insert a 7", NULL };
    static const char *const far_calls[] = { "put 1 -9000000000000000000",
                                             "put 77777777777 a",
                                             "get 77777777777",
                                             "get -5",
                                             "member true",
                                             "insert -9000000000000000000 nil",
                                             "insert a 8000000000000000000",
                                             NULL };
    static const char *const done[] = { "ok", NULL };
    static const char *const things[] = { "ok 7",   "ok a",           "ok -3",
                                          "ok nil", "ok 77777777777", "none",
                                          NULL };
    static const char *const near_things[] = { "ok 7", "ok a", "ok true",
                                               "none", NULL };
    static const char *const truths[] = { "ok true", "ok f", "ok 1", NULL };
    static const char *const *const far_answers[] = { done,   done,   things,
                                                      things, truths, truths,
                                                      truths };
    static const char *const *const near_answers[] = {
        done, done, near_things, near_things, truths, truths, truths
    };
    const struct babble b = { far ? far_calls : near_calls,
                              far ? far_answers : near_answers, 40, 4 };
    return babbled(rng, &b);
}

static plumb_spec_vid vid_of(const struct plumb_spec_action *a, unsigned word)
{
    return word < a->nargs ? a->arg[word] : a->res[word - a->nargs];
}

static bool is_boolean(const struct plumb_check_input_op *t, unsigned word)
{
    return word >= t->nargs &&
           (t->role == PLUMB_ROLE_MEMBER || t->role == PLUMB_ROLE_INSERT);
}

/* Words are equal iff the values are. */
static void assert_same_values(const struct ready *r,
                               const struct plumb_check_input *input)
{
    static uint32_t word_of[4096], vids;
    vids = r->bound.values;
    assert_true(vids < 4096);
    for (uint32_t v = 0; v < vids; v++)
        word_of[v] = PLUMB_NO_WORD;
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_input_op *const t = input->op + i;
        const struct plumb_spec_action *const a =
            r->bound.action + plumb_check_input_origin(input, i);
        assert_int_equal(t->nargs, a->nargs);
        assert_int_equal(t->nres, a->nres);
        for (unsigned w = 0; w < PLUMB_INPUT_WORDS; w++) {
            if (w >= (unsigned)t->nargs + t->nres) {
                assert_int_equal(t->word[w], PLUMB_NO_WORD);
                continue;
            }
            const plumb_spec_vid v = vid_of(a, w);
            if (is_boolean(t, w)) {
                assert_int_equal(t->word[w], v == PLUMB_VID_TRUE);
                continue;
            }
            assert_true(t->word[w] < input->values ||
                        (t->word[w] == PLUMB_NIL_WORD && v == PLUMB_VID_NIL));
            if (word_of[v] == PLUMB_NO_WORD)
                word_of[v] = t->word[w];
            assert_int_equal(t->word[w], word_of[v]);
        }
    }
    for (uint32_t v = 0; v < vids; v++)
        for (uint32_t u = 0; u < v; u++)
            assert_true(word_of[v] == PLUMB_NO_WORD ||
                        word_of[v] != word_of[u]);
}

static void assert_same_times(const struct ready *r,
                              const struct plumb_check_input *input)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_input_op *const t = input->op + i;
        const struct plumb_op *const o =
            r->h.op + plumb_check_input_origin(input, i);
        assert_int_equal(t->call, o->call);
        assert_int_equal(t->ret, plumb_op_ret(o));
        assert_int_equal(o->object, input->object);
        assert_true(input->roles >> t->role & 1);
    }
    for (uint32_t i = 0; i < input->events; i++) {
        const struct plumb_check_input_op *const t =
            input->op + input->event[i] / 2;
        const uint32_t rank =
            plumb_check_input_is_return(input->event[i]) ? t->ret : t->call;
        assert_true(rank != PLUMB_NEVER && (i == 0 || rank > last));
        last = rank;
    }
}

static void assert_complete(const struct ready *r,
                            const struct plumb_check_inputs *inputs)
{
    uint32_t operations = 0, events = 0;
    for (uint32_t i = 0; i < r->h.count; i++)
        if (r->h.op[i].outcome != PLUMB_OUTCOME_FAIL) {
            operations++;
            events += 1u + (plumb_op_ret(r->h.op + i) != PLUMB_NEVER);
        }
    for (uint32_t i = 0; i < inputs->count; i++) {
        operations -= inputs->input[i].count;
        events -= inputs->input[i].events;
    }
    assert_int_equal(operations, 0);
    assert_int_equal(events, 0);
}

static void a_tape_says_what_the_bound_history_says(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 5);
    for (unsigned round = 0; round < 600; round++) {
        struct ready r;
        struct plumb_check_inputs inputs;
        make_ready(&r, "map", any_history(&rng, round % 2), false);
        assert_true(
            plumb_check_inputs_make(&r.h, r.bound.spec, &r.arena, &inputs));
        assert_null(inputs.declined);
        assert_int_equal(inputs.count, r.h.objects);
        assert_complete(&r, &inputs);
        for (uint32_t i = 0; i < inputs.count; i++) {
            assert_same_values(&r, inputs.input + i);
            assert_same_times(&r, inputs.input + i);
        }
        release_ready(&r);
    }
}

static void every_object_has_its_tape(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_check_inputs inputs;
    make_ready(&r, "map",
               story("A @y put k 1; B @x get j; A @y ok; B @x none;"
                     "C @y get k; A @x put k 2; A @x !fail; C @y ok 1;"
                     "B @x put j 3; B @x !info"),
               false);
    assert_true(plumb_check_inputs_make(&r.h, r.bound.spec, &r.arena, &inputs));
    assert_int_equal(inputs.count, 2);
    assert_complete(&r, &inputs);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(inputs.input[i].count, 2);
        assert_same_values(&r, inputs.input + i);
        assert_same_times(&r, inputs.input + i);
    }
    release_ready(&r);
}

/* Smaller integers are smaller words, near or far. */
static void priorities_are_in_order(void **state)
{
    (void)state;
    static const char *const told[] = {
        "A insert 5; A ok; A insert -2; A ok; A insert 3; A ok",
        "A insert 9000000000000; A ok; A insert -9000000000000; A ok;"
        "A insert 7; A ok",
    };
    for (unsigned i = 0; i < 2; i++) {
        struct ready r;
        struct plumb_check_inputs inputs;
        make_ready(&r, "priority-queue", story(told[i]), false);
        assert_true(
            plumb_check_inputs_make(&r.h, r.bound.spec, &r.arena, &inputs));
        const struct plumb_check_input *const t = inputs.input;
        assert_true(t->ordered);
        assert_true(t->op[1].word[0] < t->op[2].word[0]);
        assert_true(t->op[2].word[0] < t->op[0].word[0]);
        release_ready(&r);
    }
}

static void words_without_order_are_said_to_be(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_check_inputs inputs;
    make_ready(&r, "priority-queue", story("A insert b; A ok"), false);
    assert_true(plumb_check_inputs_make(&r.h, r.bound.spec, &r.arena, &inputs));
    assert_false(inputs.input->ordered);
    release_ready(&r);
}

static void the_initial_value_is_a_word(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        bool given;
    } of[] = { { "register", false }, { "register:init=7", true } };
    for (unsigned i = 0; i < 2; i++) {
        struct ready r;
        struct plumb_check_inputs inputs;
        make_ready(&r, of[i].spec, story("A read; A ok 7"), false);
        assert_true(
            plumb_check_inputs_make(&r.h, r.bound.spec, &r.arena, &inputs));
        assert_int_equal(inputs.input->initial,
                         of[i].given ? inputs.input->op[0].word[0]
                                     : PLUMB_NO_WORD);
        release_ready(&r);
    }
}

/* Many objects, each with two values of its own: priorities in order, and an
 * initial value that all have. */
static void values_are_numbered_by_object(void **state)
{
    (void)state;
    enum { OBJECTS = 50 };
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    for (int i = 0; i < OBJECTS; i++)
        plumb_base_text_printf(&t,
                               "A @o%d insert %d; A @o%d ok; A @o%d insert %d;"
                               "A @o%d ok; B @o%d delete-min; B @o%d ok %d;",
                               i, 1000 + i, i, i, -i, i, i, i, -i);
    struct ready r;
    struct plumb_check_inputs inputs;
    make_ready(&r, "priority-queue", story(plumb_base_text_string(&t)), false);
    plumb_base_text_release(&t);
    assert_true(plumb_check_inputs_make(&r.h, r.bound.spec, &r.arena, &inputs));
    assert_int_equal(inputs.count, OBJECTS);
    assert_complete(&r, &inputs);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        const struct plumb_check_input *const own = inputs.input + i;
        assert_int_equal(own->values, 2);
        assert_int_equal(own->op[0].word[0], 1);
        assert_int_equal(own->op[1].word[0], 0);
        assert_int_equal(own->op[2].word[0], 0);
    }
    release_ready(&r);
}

static void the_initial_value_is_numbered_as_well(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_check_inputs inputs;
    make_ready(&r, "register:init=7",
               story("A @y read; A @y ok 7; A @z write 9; A @z ok;"
                     "A @z write 100; A @z ok"),
               false);
    assert_true(plumb_check_inputs_make(&r.h, r.bound.spec, &r.arena, &inputs));
    assert_int_equal(inputs.input[0].op[0].word[0], inputs.input[0].initial);
    assert_true(inputs.input[0].initial < inputs.input[0].values);
    assert_int_not_equal(inputs.input[1].op[0].word[0],
                         inputs.input[1].initial);
    assert_true(inputs.input[1].initial < inputs.input[1].values);
    release_ready(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tape_says_what_the_bound_history_says),
        cmocka_unit_test(every_object_has_its_tape),
        cmocka_unit_test(priorities_are_in_order),
        cmocka_unit_test(words_without_order_are_said_to_be),
        cmocka_unit_test(the_initial_value_is_a_word),
        cmocka_unit_test(values_are_numbered_by_object),
        cmocka_unit_test(the_initial_value_is_numbered_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
