/* test_state_sets.c - sets of states, against stepping every state by itself. */
#include "cases.h"

#include "check/search/state_sets.h"

static size_t size_of(const struct plumb_check_state_sets *f,
                      plumb_check_state_set set)
{
    size_t count;
    plumb_base_lists_get(&f->set, set, &count);
    return count;
}

static void open_fronts(struct plumb_check_state_sets *f, struct ready *r,
                        const char *spec, const char *text)
{
    make_ready(r, spec, story(text), true);
    assert_true(
        plumb_check_state_sets_open(f, &r->bound, r->bound.branches, NULL));
}

static void close_fronts(struct plumb_check_state_sets *f, struct ready *r)
{
    plumb_check_state_sets_close(f);
    release_ready(r);
}

/* After operation `op` of the history. */
static plumb_check_state_set after(struct plumb_check_state_sets *f,
                                   const struct ready *r,
                                   plumb_check_state_set from, uint32_t op)
{
    plumb_check_state_set next = 0;
    assert_true(
        plumb_check_state_sets_step(f, from, r->bound.action + op, &next));
    return next;
}

/* Either 1 has left or it stutters, until it is told. */
static void a_stuttering_dequeue_leaves_two_states(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_check_state_sets f;
    open_fronts(&f, &r, "stuttering-queue",
                "A enq 1; A ok; A enq 2; A ok; A deq; A ok 1; A deq; A ok 1;"
                "A deq; A ok 2; A deq; A empty");
    assert_true(f.sets);
    const plumb_check_state_set full =
        after(&f, &r, after(&f, &r, plumb_check_state_sets_initial(&f), 0), 1);
    assert_int_equal(size_of(&f, full), 1);
    const plumb_check_state_set once = after(&f, &r, full, 2);
    assert_int_equal(size_of(&f, once), 2);
    const plumb_check_state_set twice = after(&f, &r, once, 3);
    assert_int_equal(size_of(&f, twice), 1);
    assert_int_equal(after(&f, &r, twice, 3), PLUMB_NO_STATE_SET);
    assert_true(plumb_check_state_sets_within(&f, twice, once));
    assert_false(plumb_check_state_sets_within(&f, once, twice));
    assert_false(plumb_check_state_sets_within(&f, full, once));
    const plumb_check_state_set two = after(&f, &r, twice, 4);
    assert_int_equal(size_of(&f, two), 2);
    assert_int_equal(after(&f, &r, once, 4), two);
    assert_int_equal(after(&f, &r, two, 5), plumb_check_state_sets_initial(&f));
    close_fronts(&f, &r);
}

static void a_pending_dequeue_may_have_taken_any_item(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_check_state_sets f;
    open_fronts(&f, &r, "semiqueue",
                "A enq 1; A ok; A enq 2; A ok; A enq 1; A ok; B deq;"
                "A deq; A ok 1; A deq; A ok 2; A deq; A empty");
    assert_true(f.sets);
    const plumb_check_state_set full = after(
        &f, &r,
        after(&f, &r, after(&f, &r, plumb_check_state_sets_initial(&f), 0), 1),
        2);
    const plumb_check_state_set one_less = after(&f, &r, full, 3);
    assert_int_equal(size_of(&f, one_less), 2); /* {1, 1} or {1, 2} */
    const plumb_check_state_set two_less = after(&f, &r, one_less, 4);
    assert_int_equal(size_of(&f, two_less), 2); /* {1} or {2} */
    const plumb_check_state_set one = after(&f, &r, two_less, 5);
    assert_int_equal(one, plumb_check_state_sets_initial(&f));
    assert_int_equal(after(&f, &r, two_less, 6), PLUMB_NO_STATE_SET);
    /* Nothing to take leaves the queue as it is. */
    assert_int_equal(after(&f, &r, plumb_check_state_sets_initial(&f), 3), one);
    close_fronts(&f, &r);
}

static void a_type_that_does_not_branch_has_states_for_sets(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_check_state_sets f;
    open_fronts(&f, &r, "queue", "A enq 1; A ok; A deq; A ok 1; B deq");
    assert_false(f.sets);
    const plumb_check_state_set empty = plumb_check_state_sets_initial(&f);
    const plumb_check_state_set one = after(&f, &r, empty, 0);
    assert_int_not_equal(one, empty);
    assert_int_equal(after(&f, &r, one, 1), empty);
    assert_int_equal(after(&f, &r, empty, 1), PLUMB_NO_STATE_SET);
    assert_int_equal(after(&f, &r, one, 2), empty);
    assert_true(plumb_check_state_sets_within(&f, one, one));
    assert_false(plumb_check_state_sets_within(&f, one, empty));
    assert_false(plumb_check_state_sets_within(&f, empty, one));
    assert_int_equal(f.steps, 4);
    close_fronts(&f, &r);
}

/* ---- random walks ---- */

static bool has_state(const struct plumb_check_state_sets *f,
                      plumb_check_state_set front, plumb_spec_state s)
{
    for (uint32_t i = 0; i < size_of(f, front); i++)
        if (f->set.number[f->set.first[front] + i] == s)
            return true;
    return false;
}

static bool is_subset(const struct plumb_check_state_sets *f,
                      plumb_check_state_set a, plumb_check_state_set b)
{
    for (uint32_t i = 0; i < size_of(f, a); i++)
        if (!has_state(f, b, f->set.number[f->set.first[a] + i]))
            return false;
    return true;
}

static void assert_ascending(const struct plumb_check_state_sets *f,
                             plumb_check_state_set front)
{
    assert_true(size_of(f, front) > 0);
    for (uint32_t i = 1; i < size_of(f, front); i++)
        assert_true(f->set.number[f->set.first[front] + i - 1] <
                    f->set.number[f->set.first[front] + i]);
}

/* What the states become by `a`, each by itself, is what the set becomes. */
static void assert_steps_like_its_states(struct plumb_check_state_sets *f,
                                         plumb_check_state_set from,
                                         const struct plumb_spec_action *a,
                                         plumb_check_state_set next)
{
    struct plumb_spec_states out = { .budget = NULL };
    for (uint32_t i = 0; i < size_of(f, from); i++)
        assert_true(f->space.spec->type->step(
            &f->space, f->set.number[f->set.first[from] + i], a, &out));
    assert_int_equal(out.count == 0, next == PLUMB_NO_STATE_SET);
    for (size_t i = 0; i < out.count; i++)
        assert_true(has_state(f, next, out.state[i]));
    for (uint32_t i = 0; out.count && i < size_of(f, next); i++) {
        bool reached = false;
        for (size_t j = 0; j < out.count; j++)
            reached |= out.state[j] == f->set.number[f->set.first[next] + i];
        assert_true(reached);
    }
    plumb_spec_states_release(&out);
}

static void assert_numbers_are_sets(const struct plumb_check_state_sets *f)
{
    for (uint32_t a = 0; a < f->set.count; a++) {
        assert_ascending(f, a);
        for (uint32_t b = 0; b < f->set.count; b++) {
            const bool within = is_subset(f, a, b);
            assert_int_equal(plumb_check_state_sets_within(f, a, b), within);
            if (a != b) /* no set has two numbers */
                assert_false(within && is_subset(f, b, a));
        }
    }
}

static size_t walk(struct plumb_base_rng *rng, const char *spec)
{
    struct ready r;
    struct plumb_check_state_sets f;
    make_ready(&r, spec, babbled_queue(rng, 30, 6), true);
    assert_true(plumb_check_state_sets_open(&f, &r.bound, true, NULL));
    for (unsigned round = 0; round < 30; round++) {
        plumb_check_state_set at = plumb_check_state_sets_initial(&f);
        for (unsigned step = 0; step < 12; step++) {
            const struct plumb_spec_action *const a =
                r.bound.action + plumb_base_rng_below(rng, r.h.count);
            plumb_check_state_set next;
            if (a->skip)
                continue;
            assert_true(plumb_check_state_sets_step(&f, at, a, &next));
            assert_steps_like_its_states(&f, at, a, next);
            at = next == PLUMB_NO_STATE_SET ? at : next;
        }
    }
    assert_numbers_are_sets(&f);
    const size_t fronts = f.set.count;
    close_fronts(&f, &r);
    return fronts;
}

static void a_set_steps_like_its_states(void **state)
{
    (void)state;
    static const char *const specs[] = { "semiqueue", "stuttering-queue:j=2",
                                         "queue:k=2", "queue" };
    struct plumb_base_rng rng;
    size_t most = 0;
    plumb_base_rng_seed(&rng, 1);
    for (unsigned i = 0; i < 40; i++) {
        const size_t fronts = walk(&rng, specs[i % 4]);
        most = fronts > most ? fronts : most;
    }
    assert_true(most > 128); /* the table grew twice */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stuttering_dequeue_leaves_two_states),
        cmocka_unit_test(a_pending_dequeue_may_have_taken_any_item),
        cmocka_unit_test(a_type_that_does_not_branch_has_states_for_sets),
        cmocka_unit_test(a_set_steps_like_its_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
