/* test_shrink.c - cores are what they claim to be, also of a run cut short. */
#include "samples.h"

#include "base/memory.h"

static struct plumb_spec *parse(const char *text)
{
    struct plumb_spec *spec;
    struct plumb_error err;
    assert_int_equal(plumb_spec_parse(text, &spec, &err), PLUMB_OK);
    return spec;
}

static struct plumb_answer answer_to(const struct plumb_history *h,
                                     const struct plumb_spec *spec,
                                     const struct plumb_check_options *options)
{
    struct plumb_answer a;
    struct plumb_error err;
    if (plumb_check(h, spec, options, &a, &err) != PLUMB_OK)
        fail_msg("%s", err.message);
    return a;
}

/* ---- known cores ----
 *
 * Written as "0 1? 3": the operations, '?' for a response that is forgotten. */

static void write_core(const struct plumb_core *core, char *to, size_t size)
{
    size_t n = 0;
    *to = '\0';
    for (uint32_t i = 0; i < core->count; i++)
        n += (size_t)snprintf(to + n, size - n, "%s%u%s", i ? " " : "",
                              core->op[i], core->forgotten[i] ? "?" : "");
}

static void assert_core(const char *spec_text, const char *text,
                        const char *expected, uint32_t cut)
{
    const struct plumb_check_options options = { .jobs = 1 };
    struct plumb_history h = story(text);
    struct plumb_spec *const spec = parse(spec_text);
    char core[200];
    struct plumb_answer a = answer_to(&h, spec, &options);
    assert_int_equal(a.verdict, PLUMB_NOT_LINEARIZABLE);
    assert_true(a.minimal);
    write_core(&a.core, core, sizeof core);
    assert_string_equal(core, expected);
    assert_int_equal(a.core.cut, cut);
    plumb_answer_release(&a);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

/* That 2 was enqueued behind 1 is enough: it need not have returned. */
static void core_is_without_other_values_and_reads(void **state)
{
    (void)state;
    assert_core("queue",
                "A enq 3; A ok; A enq 1; A ok; B peek; A enq 2; B ok 3; A ok;"
                "A deq; A ok 3; A peek; A ok 1; A deq; A ok 2; A deq; A ok 1",
                "1 3? 6", 14);
}

static void core_is_without_what_comes_after(void **state)
{
    (void)state;
    assert_core("stack",
                "A push 1; A ok; A push 2; A ok; A pop; A ok 1; A pop; A ok 2;"
                "A push 3; A ok; A pop; A ok 4",
                "0 1 2", 6);
}

static void core_may_be_one_operation(void **state)
{
    (void)state;
    assert_core("register",
                "A write 1; A ok; B write 2; A read; A ok 5; B ok; A read;"
                "A ok 1",
                "2", 5);
}

/* A counter cannot do without values: an increment stays, as pending.  What
 * returns behind the cut is pending without being marked. */
static void core_keeps_what_might_have_mattered(void **state)
{
    (void)state;
    assert_core("counter", "A inc; A ok; A inc; A ok; A get; A ok 0", "0 1? 2",
                6);
    assert_core("counter", "A inc; A ok; B inc; A get; A ok 3; B ok", "0? 1 2",
                5);
}

/* With cas a register is not closed under deleting values.  The first write
 * must not come behind the second. */
static void core_keeps_values_that_are_exchanged(void **state)
{
    (void)state;
    assert_core("register",
                "A write 1; A ok; A cas 1 2; A ok true; A write 3; A ok;"
                "A read; A ok 2",
                "0 1? 2 3", 8);
}

static void core_is_of_one_key(void **state)
{
    (void)state;
    assert_core("set",
                "A insert 1; A ok true; A insert 2; A ok true; A member 1;"
                "A ok true; A delete 2; A ok true; A member 2; A ok true",
                "1? 3 4", 10);
}

/* Without the first lock the unlock might come between the other two. */
static void core_of_a_lock_taken_twice(void **state)
{
    (void)state;
    assert_core("mutex",
                "A lock; A ok; A unlock; A ok; A lock; A ok; B lock; B ok;"
                "A unlock; A ok",
                "0 1? 2 3", 8);
}

static void without_a_core_all_of_the_part_is_it(void **state)
{
    (void)state;
    const struct plumb_check_options options = { .no_core = true,
                                                 .algorithm =
                                                     PLUMB_ALGORITHM_SEARCH };
    struct plumb_history h =
        story("A enq 1; A ok; B peek; C deq; A enq 2; A ok; A deq; A ok 3;"
              "A peek; A empty; A enq 5; A !fail; D enq 4");
    struct plumb_spec *const spec = parse("queue");
    char core[200];
    struct plumb_answer a = answer_to(&h, spec, &options);
    assert_int_equal(a.verdict, PLUMB_NOT_LINEARIZABLE);
    assert_false(a.minimal);
    write_core(&a.core, core, sizeof core);
    assert_string_equal(core, "0 2 3 4 5 7"); /* a pending peek is nothing */
    assert_int_equal(a.core.cut, h.events);
    plumb_answer_release(&a);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

/* ---- random violations ---- */

struct tally {
    unsigned cores, minimal, certified;
};

static void core_holds(struct sample *s)
{
    struct tally *const tally = s->context;
    struct plumb_spec *const spec = parse(s->spec);
    const struct plumb_check_options options = { .jobs = 1 };
    struct plumb_answer a = answer_to(&s->h, spec, &options);
    if (a.verdict == PLUMB_NOT_LINEARIZABLE) {
        const char *const fault =
            core_fault(&s->h, s->spec, false, &a.core, a.minimal, s->builder);
        if (fault)
            fail_msg("%s: %s", s->spec, fault);
        tally->cores++;
        tally->minimal += a.minimal;
        tally->certified += a.certificate_count > 0;
    }
    plumb_answer_release(&a);
    plumb_spec_free(spec);
}

/* By trying every single weakening with brute force. */
static void cores_said_to_be_minimal_are(void **state)
{
    (void)state;
    struct tally tally = { 0 };
    claim_of_samples(60, 12, core_holds, &tally);
    assert_true(tally.cores > 700);
    assert_int_equal(tally.minimal, tally.cores);
    assert_true(tally.certified > 5);
}

/* ---- cut short ---- */

/* Undecided, for `why`, or a core that holds. */
static void assert_undecided_or_right(struct sample *s, const char *like,
                                      bool user, const struct plumb_answer *a,
                                      enum plumb_status why)
{
    if (a->verdict == PLUMB_UNDECIDED) {
        assert_int_equal(a->why, why);
        if (a->order_count || a->core.count) /* it was decided before that */
            assert_true(a->unverified);
        return;
    }
    assert_int_equal(a->verdict, oracle_linearizable(&s->h, like)
                                     ? PLUMB_LINEARIZABLE
                                     : PLUMB_NOT_LINEARIZABLE);
    if (a->verdict == PLUMB_LINEARIZABLE)
        return;
    const char *const fault =
        core_fault(&s->h, like, user, &a->core, a->minimal, s->builder);
    if (fault)
        fail_msg("%s: %s", like, fault);
}

/* Whichever allocation fails; all is given back. */
static void survives_lack_of_memory(struct sample *s)
{
    struct tally *const tally = s->context;
    struct plumb_spec *const spec = parse(s->spec);
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const struct plumb_check_options options = { .budget = budget, .jobs = 1 };
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        plumb_base_budget_fail_at(budget, n);
        struct plumb_answer a = answer_to(&s->h, spec, &options);
        failed = plumb_base_budget_has_failed(budget);
        assert_undecided_or_right(s, s->spec, false, &a, PLUMB_EMEMORY);
        assert_true(failed || a.verdict != PLUMB_UNDECIDED);
        if (a.verdict == PLUMB_UNDECIDED && !a.unverified && a.prefix &&
            a.prefix <= s->h.events)
            assert_true(prefix_is_linearizable(s, a.prefix));
        tally->cores += failed && a.verdict == PLUMB_NOT_LINEARIZABLE;
        tally->certified += a.unverified;
        plumb_answer_release(&a);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    plumb_budget_free(budget);
    plumb_spec_free(spec);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    struct tally tally = { 0 };
    claim_of_samples(3, 10, survives_lack_of_memory, &tally);
    assert_true(tally.cores > 10);     /* shrinking went on */
    assert_true(tally.certified > 10); /* no memory for a proof */
}

static void keeps_to_any_memory(struct sample *s)
{
    struct plumb_spec *const spec = parse(s->spec);
    for (size_t limit = 256; limit < 64 * 1024; limit += limit / 2) {
        struct plumb_budget *const budget = plumb_budget_new(0, limit);
        const struct plumb_check_options options = { .budget = budget };
        struct plumb_answer a = answer_to(&s->h, spec, &options);
        assert_undecided_or_right(s, s->spec, false, &a, PLUMB_EMEMORY);
        assert_true(plumb_budget_peak(budget) <= limit);
        plumb_answer_release(&a);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
    }
    plumb_spec_free(spec);
}

static void any_memory_is_kept_to(void **state)
{
    (void)state;
    claim_of_samples(4, 11, keeps_to_any_memory, NULL);
}

/* A counter of one's own, which asks for a stop at a certain step. */
enum { INC, ADD, GET };
static const char *const counter_ops[] = { "inc/0", "add/1", "get/0", NULL };
static struct plumb_budget *to_stop;
static unsigned steps_until_stop, steps_after_stop;

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    int64_t *const count = state;
    steps_after_stop += steps_until_stop == 0;
    if (steps_until_stop && --steps_until_stop == 0)
        plumb_budget_stop(to_stop);
    if (call->op == INC)
        ++*count;
    else if (call->op == ADD)
        *count += (int64_t)call->args[0].bits;
    else
        plumb_reply_value(reply, plumb_int(*count));
    return true;
}

static const struct plumb_user_spec stopping_counter = {
    .version = PLUMB_SPEC_VERSION,
    .name = "stopping-counter",
    .state_size = sizeof(int64_t),
    .ops = counter_ops,
    .step = step,
};

struct ends {
    unsigned undecided, unverified, decided, minimal;
    unsigned steps_after_stop; /* at most */
};

/* Stop at step 1, then at later ones, each `factor` eighths later, until there
 * is nothing left to stop. */
static struct ends stop_here_and_there(const char *text, unsigned factor)
{
    struct plumb_spec *spec;
    struct plumb_error err;
    struct sample s = { .builder = plumb_builder_new(NULL) };
    struct ends ends = { 0 };
    s.h = story(text);
    assert_int_equal(plumb_spec_from_user(&stopping_counter, &spec, &err),
                     PLUMB_OK);
    for (unsigned n = 1; steps_until_stop == 0 || n == 1;
         n += 1 + n * factor / 8) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        const struct plumb_check_options options = { .budget = budget };
        to_stop = budget;
        steps_until_stop = n;
        steps_after_stop = 0;
        struct plumb_answer a = answer_to(&s.h, spec, &options);
        if (steps_after_stop > ends.steps_after_stop)
            ends.steps_after_stop = steps_after_stop;
        assert_undecided_or_right(&s, "counter", true, &a, PLUMB_ESTOP);
        ends.undecided += a.verdict == PLUMB_UNDECIDED;
        ends.unverified += a.unverified;
        ends.decided += a.verdict != PLUMB_UNDECIDED;
        ends.minimal += a.minimal;
        plumb_answer_release(&a);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
    }
    plumb_spec_free(spec);
    plumb_history_release(&s.h);
    plumb_builder_free(s.builder);
    return ends;
}

static void a_stop_ends_the_shrinking(void **state)
{
    (void)state;
    const struct ends ends = stop_here_and_there(
        "A inc; B inc; A ok; C get; C ok 0; D inc; B ok; D ok; E get; E ok 2;"
        "F get; F ok 3; G inc; H get; H ok 9; I get; I ok 1",
        0);
    assert_true(ends.minimal > 0 && ends.decided > ends.minimal + 10);
}

/* The first 1024 steps are not interrupted. */
static void a_stop_of_a_long_search_leaves_it_undecided(void **state)
{
    (void)state;
    const struct ends ends = stop_here_and_there(
        "A add 1; B add 2; C add 4; D add 8; E add 16; F add 32; G add 64;"
        "H add 128; A ok; B ok; C ok; D ok; E ok; F ok; G ok; H ok; A get;"
        "A ok 3",
        4);
    assert_true(ends.decided > 0);
    assert_true(ends.undecided > ends.unverified && ends.unverified > 0);
    assert_true(ends.steps_after_stop < 4 * 1024); /* no more weakenings */
}

/* The smallest object is decided although a stop is asked for in its only step;
 * the others are not begun, and the third is called first. */
static void parts_that_were_not_begun_end_the_prefix(void **state)
{
    (void)state;
    struct plumb_spec *spec;
    struct plumb_error err;
    struct plumb_history h =
        story("A @x inc; A @x ok; B @z inc; C @y inc; C @y ok; B @z ok;"
              "C @y inc; C @y ok; B @z get; B @z ok 1");
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const struct plumb_check_options options = { .budget = budget };
    assert_int_equal(plumb_spec_from_user(&stopping_counter, &spec, &err),
                     PLUMB_OK);
    to_stop = budget;
    steps_until_stop = 1;
    struct plumb_answer a = answer_to(&h, spec, &options);
    assert_int_equal(a.verdict, PLUMB_UNDECIDED);
    assert_int_equal(a.why, PLUMB_ESTOP);
    assert_false(a.unverified);
    assert_int_equal(a.parts, 3);
    assert_int_equal(a.prefix, 2);
    plumb_answer_release(&a);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

/* More sets of additions than any machine visits in a millisecond. */
static void time_that_is_over_leaves_it_undecided(void **state)
{
    (void)state;
    struct plumb_base_text t;
    struct plumb_budget *const budget = plumb_budget_new(1, 0);
    const struct plumb_check_options options = { .budget = budget };
    struct plumb_spec *const spec = parse("counter");
    plumb_base_text_init(&t, NULL);
    for (unsigned i = 0; i < 30; i++)
        plumb_base_text_printf(&t, "T%u add %u;", i, 1u << i);
    for (unsigned i = 0; i < 30; i++)
        plumb_base_text_printf(&t, "T%u ok;", i);
    plumb_base_text_add(&t, "A get; A ok 0");
    struct plumb_history h = story(plumb_base_text_string(&t));
    struct plumb_answer a = answer_to(&h, spec, &options);
    assert_int_equal(a.verdict, PLUMB_UNDECIDED);
    assert_int_equal(a.why, PLUMB_ETIME);
    plumb_answer_release(&a);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_history_release(&h);
    plumb_base_text_release(&t);
    plumb_spec_free(spec);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(core_is_without_other_values_and_reads),
        cmocka_unit_test(core_is_without_what_comes_after),
        cmocka_unit_test(core_may_be_one_operation),
        cmocka_unit_test(core_keeps_what_might_have_mattered),
        cmocka_unit_test(core_keeps_values_that_are_exchanged),
        cmocka_unit_test(core_is_of_one_key),
        cmocka_unit_test(core_of_a_lock_taken_twice),
        cmocka_unit_test(without_a_core_all_of_the_part_is_it),
        cmocka_unit_test(cores_said_to_be_minimal_are),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(any_memory_is_kept_to),
        cmocka_unit_test(a_stop_ends_the_shrinking),
        cmocka_unit_test(a_stop_of_a_long_search_leaves_it_undecided),
        cmocka_unit_test(parts_that_were_not_begun_end_the_prefix),
        cmocka_unit_test(time_that_is_over_leaves_it_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
