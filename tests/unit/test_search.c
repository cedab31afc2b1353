/* test_search.c - what the search finds, and how little it looks at. */
#include "samples.h"

#include "base/memory.h"
#include "check/search/search.h"

static void open_search(struct plumb_check_searcher *s, const struct ready *r)
{
    assert_true(
        plumb_check_searcher_open(s, &r->bound, &r->c.traits, false, NULL));
}

/* ---- findings on random histories ---- */

static struct plumb_spec_ref reference(const struct sample *s)
{
    return (struct plumb_spec_ref){ s->spec, NULL };
}

/* All parts of a history are linearizable iff it is. */
static void finds_what_brute_force_finds(struct sample *s)
{
    struct ready r;
    struct plumb_check_searcher search;
    struct plumb_check_finding found;
    bool linearizable = true;
    ready_sample(&r, s, false);
    open_search(&search, &r);
    for (uint32_t p = 0; p < r.c.parts.count; p++) {
        plumb_check_search(&search, r.c.parts.part + p, 0, false, &found);
        assert_int_not_equal(found.verdict, PLUMB_UNDECIDED);
        linearizable &= found.verdict == PLUMB_LINEARIZABLE;
    }
    assert_int_equal(linearizable, oracle_linearizable(&s->h, s->spec));
    plumb_check_searcher_close(&search);
    forget_sample(&r);
}

static void verdicts_are_those_of_brute_force(void **state)
{
    (void)state;
    claim_of_samples(60, 9, finds_what_brute_force_finds, NULL);
}

/* One object, so that its order is one of the history. */
static void order_is_accepted(struct sample *s)
{
    unsigned *const orders = s->context;
    struct ready r;
    struct plumb_check_searcher search;
    struct plumb_check_finding found;
    struct plumb_error err;
    ready_sample(&r, s, true);
    open_search(&search, &r);
    if (r.c.parts.count == 1) {
        plumb_check_search(&search, r.c.parts.part, 0, false, &found);
        if (found.verdict == PLUMB_LINEARIZABLE) {
            assert_int_equal(
                plumb_verify_witness(&s->h, reference(s), found.order,
                                     found.order_count, NULL, &err),
                PLUMB_OK);
            ++*orders;
        }
    }
    plumb_check_searcher_close(&search);
    forget_sample(&r);
}

static void orders_are_accepted_by_the_verifier(void **state)
{
    (void)state;
    unsigned orders = 0;
    claim_of_samples(60, 14, order_is_accepted, &orders);
    assert_true(orders > 500);
}

/* The whole part as a core, so that its certificate is all there is. */
static void assert_certified(const struct plumb_history *h,
                             struct plumb_spec_ref spec,
                             const struct plumb_check_part *part,
                             const struct plumb_check_finding *found)
{
    enum { MOST = 32 };
    uint32_t op[MOST];
    const uint8_t forgotten[MOST] = { 0 };
    struct plumb_error err;
    const struct plumb_core core = { .object = part->object,
                                     .cut = h->events,
                                     .count = part->count,
                                     .op = op,
                                     .forgotten = forgotten };
    assert_true(part->count <= MOST);
    for (uint32_t i = 0; i < part->count; i++)
        op[i] = part->item[i].op;
    if (plumb_verify_violation(h, spec, &core, found->certificate,
                               found->certificate_count, NULL,
                               &err) != PLUMB_OK)
        fail_msg("%s: %s", spec.text, err.message);
}

static void violation_is_certified(struct sample *s)
{
    unsigned *const certified = s->context;
    for (unsigned whole = 0; whole < 2; whole++) {
        struct ready r;
        struct plumb_check_searcher search;
        struct plumb_check_finding found;
        ready_sample(&r, s, whole);
        open_search(&search, &r);
        for (uint32_t p = 0; p < r.c.parts.count; p++) {
            plumb_check_search(&search, r.c.parts.part + p, 0, true, &found);
            if (found.verdict != PLUMB_NOT_LINEARIZABLE)
                continue;
            assert_certified(&s->h, reference(s), r.c.parts.part + p, &found);
            ++*certified;
        }
        plumb_check_searcher_close(&search);
        forget_sample(&r);
    }
}

static void certificates_are_accepted_by_the_verifier(void **state)
{
    (void)state;
    unsigned certified = 0;
    claim_of_samples(150, 14, violation_is_certified, &certified);
    assert_true(certified > 2000);
}

/* With any limit of steps: undecided, and the events before the prefix were
 * linearized; with all the steps it takes, decided as without a limit. */
static void limit_is_kept(struct sample *s)
{
    unsigned *const cuts = s->context;
    struct ready r;
    struct plumb_check_searcher search;
    struct plumb_check_finding all, found;
    uint32_t last = UINT32_MAX;
    ready_sample(&r, s, true);
    open_search(&search, &r);
    for (uint32_t p = 0; p < r.c.parts.count && r.c.parts.count == 1; p++) {
        plumb_check_search(&search, r.c.parts.part, 0, false, &all);
        for (uint64_t limit = 1; limit <= all.steps; limit++) {
            plumb_check_search(&search, r.c.parts.part, limit, false, &found);
            assert_int_equal(found.verdict,
                             limit < all.steps ? PLUMB_UNDECIDED : all.verdict);
            assert_int_equal(found.why, PLUMB_OK);
            assert_true(found.steps <= limit + 1);
            assert_true(found.configurations <= all.configurations);
            if (found.verdict == PLUMB_LINEARIZABLE || found.prefix == last)
                continue;
            last = found.prefix;
            assert_true(last < s->h.events);
            assert_true(prefix_is_linearizable(s, last));
            ++*cuts;
        }
    }
    plumb_check_searcher_close(&search);
    forget_sample(&r);
}

static void prefix_within_any_limit_is_linearizable(void **state)
{
    (void)state;
    unsigned cuts = 0;
    claim_of_samples(60, 10, limit_is_kept, &cuts);
    assert_true(cuts > 3000);
}

/* The first try gets as far as the last read, the next one not so far. */
static void prefix_is_the_farthest_that_was_reached(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_check_searcher search;
    struct plumb_check_finding found;
    make_ready(&r, "register",
               story("A write 1; B write 2; A ok; B ok; A read; A ok 2;"
                     "A read; A ok 7"),
               true);
    open_search(&search, &r);
    plumb_check_search(&search, r.c.parts.part, 0, false, &found);
    assert_int_equal(found.verdict, PLUMB_NOT_LINEARIZABLE);
    assert_int_equal(found.prefix, 7);
    plumb_check_searcher_close(&search);
    release_ready(&r);
}

/* Each half of a fingerprint depends on the operations and on the states: the
 * same two writes leave either value. */
static void fingerprints_differ_in_both_halves(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_check_searcher search;
    struct plumb_check_finding found;
    make_ready(&r, "register",
               story("A write 1; B write 2; C write 3; A ok; B ok; C ok;"
                     "A read; A ok 7"),
               true);
    open_search(&search, &r);
    plumb_check_search(&search, r.c.parts.part, 0, false, &found);
    assert_int_equal(found.configurations, 1 + 3 + 6 + 3);
    const struct plumb_check_visited *const v = &search.visited;
    for (size_t i = 0; i < v->slots; i++)
        for (size_t j = 0; j < i; j++) {
            assert_true(!v->slot[i].lo || v->slot[i].lo != v->slot[j].lo);
            assert_true(!v->slot[i].hi || v->slot[i].hi != v->slot[j].hi);
        }
    plumb_check_searcher_close(&search);
    release_ready(&r);
}

/* The clock is read every 1024 steps. */
static void a_stop_is_heard(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_check_searcher search;
    struct plumb_check_finding found;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    make_ready(&r, "counter",
               story("A add 1; B add 2; C add 4; D add 8; E add 16; F add 32;"
                     "G add 64; H add 128; A ok; B ok; C ok; D ok; E ok; F ok;"
                     "G ok; H ok; A get; A ok 3"),
               true);
    assert_true(plumb_check_searcher_open(&search, &r.bound, &r.c.traits, false,
                                          budget));
    plumb_budget_stop(budget);
    plumb_check_search(&search, r.c.parts.part, 0, false, &found);
    assert_int_equal(found.verdict, PLUMB_UNDECIDED);
    assert_int_equal(found.why, PLUMB_ESTOP);
    assert_int_equal(found.steps, 1024);
    plumb_check_searcher_close(&search);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
    release_ready(&r);
}

/* ---- the same again ---- */

static void assert_same_answer(const struct plumb_answer *a,
                               const struct plumb_answer *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->configurations, b->configurations);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->parts, b->parts);
    assert_int_equal(a->order_count, b->order_count);
    for (uint32_t i = 0; i < a->order_count; i++)
        assert_int_equal(a->order[i], b->order[i]);
    assert_int_equal(a->core.object, b->core.object);
    assert_int_equal(a->core.cut, b->core.cut);
    assert_int_equal(a->core.count, b->core.count);
    for (uint32_t i = 0; i < a->core.count; i++) {
        assert_int_equal(a->core.op[i], b->core.op[i]);
        assert_int_equal(a->core.forgotten[i], b->core.forgotten[i]);
    }
    assert_int_equal(a->minimal, b->minimal);
    assert_int_equal(a->certificate_count, b->certificate_count);
}

static void answer_is_the_same_for_any_jobs(struct sample *s)
{
    static const unsigned jobs[] = { 1, 1, 2, 3, 8 };
    struct plumb_spec *spec;
    struct plumb_error err;
    struct plumb_answer first = { .owner = NULL };
    assert_int_equal(plumb_spec_parse(s->spec, &spec, &err), PLUMB_OK);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        const struct plumb_check_options options = { .jobs = jobs[i] };
        struct plumb_answer a;
        assert_int_equal(plumb_check(&s->h, spec, &options, &a, &err),
                         PLUMB_OK);
        if (i == 0) {
            first = a;
            continue;
        }
        assert_same_answer(&first, &a);
        plumb_answer_release(&a);
    }
    plumb_answer_release(&first);
    plumb_spec_free(spec);
}

static void answers_do_not_depend_on_jobs(void **state)
{
    (void)state;
    claim_of_samples(15, 14, answer_is_the_same_for_any_jobs, NULL);
}

/* The searcher keeps its states from run to run; what it finds stays. */
static void finding_is_the_same_again(struct sample *s)
{
    struct ready r;
    struct plumb_check_searcher search;
    struct plumb_check_finding once[ORACLE_OPS], again;
    ready_sample(&r, s, false);
    open_search(&search, &r);
    for (unsigned round = 0; round < 3; round++)
        for (uint32_t p = 0; p < r.c.parts.count; p++) {
            plumb_check_search(&search, r.c.parts.part + p, 0, round == 1,
                               &again);
            if (round == 0)
                once[p] = again;
            assert_int_equal(again.verdict, once[p].verdict);
            if (round == 1 && (r.spec->type->ends || r.spec->type->fifo))
                continue; /* a rule is left out where configurations are listed */
            assert_int_equal(again.steps, once[p].steps);
            assert_int_equal(again.configurations, once[p].configurations);
            assert_int_equal(again.order_count, once[p].order_count);
            assert_int_equal(again.prefix, once[p].prefix);
        }
    plumb_check_searcher_close(&search);
    forget_sample(&r);
}

static void a_searcher_can_be_used_again(void **state)
{
    (void)state;
    claim_of_samples(60, 12, finding_is_the_same_again, NULL);
}

/* ---- the rules, each with a violation that shows what it is worth ---- */

struct cost {
    uint64_t configurations, steps, listed;
};

static struct cost cost_of_ready(const struct ready *r)
{
    struct plumb_check_searcher search;
    struct plumb_check_finding found;
    assert_int_equal(r->c.parts.count, 1);
    open_search(&search, r);
    plumb_check_search(&search, r->c.parts.part, 0, true, &found);
    assert_int_equal(found.verdict, PLUMB_NOT_LINEARIZABLE);
    assert_certified(&r->h,
                     (struct plumb_spec_ref){ plumb_spec_text(r->spec),
                                              plumb_spec_user(r->spec) },
                     r->c.parts.part, &found);
    plumb_check_searcher_close(&search);
    return (struct cost){ found.configurations, found.steps,
                          found.certificate_count };
}

static struct cost cost_of(const char *spec, const char *text)
{
    struct ready r;
    make_ready(&r, spec, story(text), true);
    const struct cost cost = cost_of_ready(&r);
    release_ready(&r);
    return cost;
}

static void assert_cost(struct cost c, uint64_t configurations, uint64_t steps,
                        uint64_t listed)
{
    assert_int_equal(c.configurations, configurations);
    assert_int_equal(c.steps, steps);
    assert_int_equal(c.listed, listed);
}

/* Any of 2^4 sets of the reads could be in; they are placed at once, a step
 * each.  Then the wrong answer is tried: as a read, and as an operation. */
static void reads_are_placed_without_a_choice(void **state)
{
    (void)state;
    assert_cost(cost_of("set", "A member 1; B member 2; C member 3; D member 4;"
                               "A ok false; B ok false; C ok false; D ok false;"
                               "A member 1; A ok true"),
                1, 6, 4);
}

/* A read that cannot be placed yet waits for the write. */
static void a_read_waits_for_its_state(void **state)
{
    (void)state;
    assert_cost(cost_of("register", "A write 1; B read; C read; A ok; B ok 1;"
                                    "C ok nil; A read; A ok 2"),
                2, 7, 3);
}

/* 6 of 2^5 sets of increments are tried. */
static void twins_are_taken_in_one_order(void **state)
{
    (void)state;
    assert_cost(cost_of("counter", "A inc; B inc; C inc; D inc; E inc; A ok;"
                                   "B ok; C ok; D ok; E ok; A get; A ok 9"),
                6, 7, 5);
}

/* The one called last returns first, so it goes first.  (In the other order
 * there are as many configurations, but four steps.) */
static void the_twin_that_returns_first_goes_first(void **state)
{
    (void)state;
    assert_cost(cost_of("counter", "A inc; B inc; B ok; B get; B ok 5; A ok"),
                3, 6, 2);
}

/* Different calls are no twins: all 2^3 sets, and all 12 ways from one to the
 * next.  The full one is reached three times; each time the get is tried. */
static void others_are_taken_in_every_order(void **state)
{
    (void)state;
    assert_cost(cost_of("counter", "A inc; B add 2; C add 4; A ok; B ok; C ok;"
                                   "A get; A ok 9"),
                8, 16, 12);
}

/* Of pending twins the first is taken first: as many sets as members. */
static void pending_twins_are_taken_in_one_order(void **state)
{
    (void)state;
    assert_cost(cost_of("counter", "A inc; B inc; C inc; D get; D ok 9"), 4, 13,
                3);
}

/* ---- a specification that branches ---- */

enum { TOSS, CLEAR, SET, GET };
static const char *const coin_ops[] = { "toss/0", "clear/0", "set/1", "get/0",
                                        NULL };

static bool coin_step(void *state, const struct plumb_call *call,
                      struct plumb_reply *reply)
{
    unsigned char *const coin = state;
    if (call->op == TOSS)
        *coin = (unsigned char)plumb_call_choose(call, 2);
    else if (call->op == CLEAR)
        *coin = 0;
    else if (call->op == SET)
        *coin = (unsigned char)call->args[0].bits;
    else
        plumb_reply_value(reply, plumb_int(*coin));
    return true;
}

static const struct plumb_user_spec coin = {
    .version = PLUMB_SPEC_VERSION,
    .name = "coin",
    .state_size = 1,
    .ops = coin_ops,
    .step = coin_step,
};

static struct cost cost_of_coin(const char *text)
{
    struct ready r;
    struct plumb_error err;
    r.h = story(text);
    assert_int_equal(plumb_spec_from_user(&coin, &r.spec, &err), PLUMB_OK);
    prepare(&r, true);
    const struct cost cost = cost_of_ready(&r);
    release_ready(&r);
    return cost;
}

/* Clearing a tossed coin leaves one of the two states it may be in. */
static void what_adds_no_state_is_not_taken(void **state)
{
    (void)state;
    assert_cost(cost_of_coin("A toss; A ok; B clear; C get; C ok 7"), 2, 3, 1);
}

/* Clearing makes the same with and without the set, but without it is not
 * tried, as it adds no state: so it has to be tried behind the set. */
static void what_is_not_taken_spares_nothing(void **state)
{
    (void)state;
    assert_cost(cost_of_coin("A toss; A ok; P set 5; Q clear; C get; C ok 7"),
                4, 8, 3);
}

/* Without it the same value has been written: { }, {A}, {A,P} and {P}, but not
 * {P,A}. */
static void pending_operations_that_made_no_difference_are_spared(void **state)
{
    (void)state;
    assert_cost(
        cost_of("register", "P write 1; A write 2; A ok; B read; B ok 7"), 4, 9,
        3);
}

/* Each of the pending writes alone: what comes of two comes of the last. */
static void pending_operations_spare_each_other(void **state)
{
    (void)state;
    assert_cost(
        cost_of("register", "P write 1; Q write 2; R write 3; B read; B ok 7"),
        4, 23, 3);
}

/* Behind P the append makes another state, in either order; the put makes the
 * one that is known without P. */
static void what_is_known_without_a_pending_operation_is_spared(void **state)
{
    (void)state;
    assert_cost(cost_of("map", "P append 1 x; A append 1 y; A ok; A put 1 3;"
                               "A ok; B get 1; B ok 9"),
                7, 15, 6);
}

/* Four times two overlapping enqueues, dequeued in order, and then one item too
 * many.  The wrong one of each two is tried and does not go on: 3 configurations
 * each, 8 of dequeues, and the first.  A capacity changes nothing. */
static void enqueues_that_come_too_late_are_not_tried(void **state)
{
    (void)state;
    static const char enqueues[] =
        "A enq 1; B enq 2; A ok; B ok; A enq 3; B enq 4; A ok; B ok;"
        "A enq 5; B enq 6; A ok; B ok; A enq 7; B enq 8; A ok; B ok;";
    static const char dequeues[] =
        "A deq; A ok 1; A deq; A ok 2; A deq; A ok 3; A deq; A ok 4;"
        "A deq; A ok 5; A deq; A ok 6; A deq; A ok 7; A deq; A ok 8;"
        "A deq; A ok 9;";
    char text[sizeof enqueues + sizeof dequeues];
    snprintf(text, sizeof text, "%s%s", enqueues, dequeues);
    assert_cost(cost_of("queue", text), 21, 21, 20);
    assert_cost(cost_of("queue:cap=99", text), 21, 21, 20);
}

/* The second cannot be ahead of the first; it is tried behind the first, behind
 * the dequeue of that, and by itself.  With a capacity nothing is late here. */
static void pending_enqueues_that_come_too_late_are_not_tried(void **state)
{
    (void)state;
    static const char text[] = "P enq 1; Q enq 2; A deq; A ok 1; A deq; A ok 2;"
                               "A deq; A ok 9";
    assert_cost(cost_of("queue", text), 7, 15, 7);
    assert_cost(cost_of("queue:cap=99", text), 8, 18, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_brute_force),
        cmocka_unit_test(orders_are_accepted_by_the_verifier),
        cmocka_unit_test(certificates_are_accepted_by_the_verifier),
        cmocka_unit_test(prefix_within_any_limit_is_linearizable),
        cmocka_unit_test(prefix_is_the_farthest_that_was_reached),
        cmocka_unit_test(fingerprints_differ_in_both_halves),
        cmocka_unit_test(a_stop_is_heard),
        cmocka_unit_test(answers_do_not_depend_on_jobs),
        cmocka_unit_test(a_searcher_can_be_used_again),
        cmocka_unit_test(reads_are_placed_without_a_choice),
        cmocka_unit_test(a_read_waits_for_its_state),
        cmocka_unit_test(twins_are_taken_in_one_order),
        cmocka_unit_test(the_twin_that_returns_first_goes_first),
        cmocka_unit_test(others_are_taken_in_every_order),
        cmocka_unit_test(pending_twins_are_taken_in_one_order),
        cmocka_unit_test(what_adds_no_state_is_not_taken),
        cmocka_unit_test(what_is_not_taken_spares_nothing),
        cmocka_unit_test(pending_operations_that_made_no_difference_are_spared),
        cmocka_unit_test(pending_operations_spare_each_other),
        cmocka_unit_test(what_is_known_without_a_pending_operation_is_spared),
        cmocka_unit_test(enqueues_that_come_too_late_are_not_tried),
        cmocka_unit_test(pending_enqueues_that_come_too_late_are_not_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
