/* test_traits.c - twins and reads, against a look at the history itself. */
#include "cases.h"

#include "check/search/traits.h"

static void assert_twins_are_alike(const struct ready *r, uint32_t i,
                                   uint32_t j)
{
    const struct plumb_check_trait *const t = r->c.traits.trait;
    const struct plumb_op *const a = r->h.op + i, *const b = r->h.op + j;
    const bool alike = same_call(&r->h, a, b);
    assert_int_equal(t[i].pending_twins == t[j].pending_twins, alike);
    assert_int_not_equal(t[i].pending_twins, UINT32_MAX);
    if (!plumb_op_is_pending(a) && !plumb_op_is_pending(b))
        assert_int_equal(t[i].twins == t[j].twins,
                         alike && same_answer(&r->h, a, b));
    if (!plumb_op_is_pending(a)) /* a twin of what it would be pending? */
        assert_int_not_equal(t[i].twins, t[j].pending_twins);
}

static void twins_have_the_same_call_and_answer(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 1);
    for (unsigned round = 0; round < 100; round++) {
        struct ready r;
        make_ready(&r, "queue", babbled_queue(&rng, 30, 6), true);
        for (uint32_t i = 0; i < r.h.count; i++)
            for (uint32_t j = 0; j < r.h.count; j++)
                if (r.h.op[i].outcome != PLUMB_OUTCOME_FAIL &&
                    r.h.op[j].outcome != PLUMB_OUTCOME_FAIL)
                    assert_twins_are_alike(&r, i, j);
        for (uint32_t i = 0; i < r.h.count; i++)
            assert_true(r.c.traits.trait[i].pending_twins < r.c.traits.classes);
        release_ready(&r);
    }
}

/* By operation: as it is, and with its response forgotten. */
static void assert_reads(const char *spec, const char *text, const char *as_is,
                         const char *pending)
{
    struct ready r;
    make_ready(&r, spec, story(text), true);
    assert_int_equal(strlen(as_is), r.h.count);
    for (uint32_t i = 0; i < r.h.count; i++) {
        assert_int_equal(r.c.traits.trait[i].reads, as_is[i] == 'r');
        assert_int_equal(r.c.traits.trait[i].pending_reads, pending[i] == 'r');
    }
    release_ready(&r);
}

static void reading_depends_on_the_answer(void **state)
{
    (void)state;
    assert_reads("queue",
                 "A enq 1; A ok; A deq; A ok 1; A deq; A empty; A peek;"
                 "A empty; B deq; C peek",
                 "--rr-r", "---r-r");
    assert_reads("set",
                 "A insert 1; A ok true; A insert 1; A ok false; A member 1;"
                 "A ok true",
                 "-rr", "--r");
    assert_reads("register", "A cas 1 1; A ok true; A cas 1 2; A ok false",
                 "rr", "r-");
}

/* A dequeue with its answer has no choice, a forgotten one has. */
static void what_would_branch_is_known(void **state)
{
    (void)state;
    struct ready r;
    make_ready(&r, "semiqueue",
               story("A enq 1; A ok; A deq; A ok 1; A enq 2; A ok"), true);
    assert_false(r.bound.branches);
    assert_true(r.c.traits.pending_branches);
    release_ready(&r);
    make_ready(&r, "semiqueue", story("A enq 1; A ok; A enq 2; A ok"), true);
    assert_false(r.c.traits.pending_branches);
    release_ready(&r);
    make_ready(&r, "queue", story("A enq 1; A ok; A deq; A ok 1"), true);
    assert_false(r.c.traits.pending_branches);
    release_ready(&r);
}

/* ---- a specification that looks at the thread ---- */

static const char *const owner_ops[] = { "enter/0", NULL };

static bool enter(void *state, const struct plumb_call *call,
                  struct plumb_reply *reply)
{
    (void)reply;
    *(unsigned *)state = call->thread;
    return true;
}

static const struct plumb_user_spec owner = {
    .version = PLUMB_SPEC_VERSION,
    .name = "owner",
    .state_size = sizeof(unsigned),
    .ops = owner_ops,
    .step = enter,
};

static void twins_of_a_users_specification_share_their_thread(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_error err;
    r.h = story("A enter; A ok; B enter; B ok; A enter; A ok; B enter");
    assert_int_equal(plumb_spec_from_user(&owner, &r.spec, &err), PLUMB_OK);
    prepare(&r, true);
    const struct plumb_check_trait *const t = r.c.traits.trait;
    assert_int_equal(t[0].twins, t[2].twins);
    assert_int_not_equal(t[0].twins, t[1].twins);
    assert_int_equal(t[0].pending_twins, t[2].pending_twins);
    assert_int_equal(t[1].pending_twins, t[3].pending_twins);
    assert_int_not_equal(t[2].pending_twins, t[3].pending_twins);
    release_ready(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_have_the_same_call_and_answer),
        cmocka_unit_test(reading_depends_on_the_answer),
        cmocka_unit_test(what_would_branch_is_known),
        cmocka_unit_test(twins_of_a_users_specification_share_their_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
