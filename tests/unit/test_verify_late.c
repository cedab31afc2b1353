/* The rule *late*: compared with its definition, written out here, and with
 * what all orders of small histories say.  The definition itself is put to the
 * test by leaving out what it takes into account: then some legal order goes on
 * with a step that was called late. */
#include "effort.h"
#include "story.h"

#include "base/memory.h"
#include "base/rng.h"
#include "proof/deadline_rule.h"

enum { MOST_OPS = 60 };

/* ---- random histories of a queue ---- */

struct scene {
    struct plumb_base_rng *rng;
    struct plumb_builder *b;
    unsigned left, values;
    unsigned lost; /* percent of the responses that are */
    unsigned held[MOST_OPS], first, count; /* a queue that ran somehow */
};

static bool is_open(const struct scene *s, uint32_t thread)
{
    return plumb_builder_open_call(s->b, thread, NULL) != NULL;
}

static void call(struct scene *s, uint32_t thread)
{
    static const char *const name[] = { "enq",  "put",  "deq",
                                        "poll", "take", "peek" };
    struct plumb_error err;
    const uint32_t which = plumb_base_rng_below(s->rng, 6);
    const bool adds = which < 2 || plumb_base_rng_chance(s->rng, 20);
    const char *const text = name[adds ? which % 2 : which];
    const struct plumb_value v =
        plumb_int(1 + plumb_base_rng_below(s->rng, s->values));
    if (adds)
        s->held[s->count++] = (unsigned)v.bits;
    plumb_builder_call(s->b, thread, story_symbol(s->b, "x", 1),
                       story_symbol(s->b, text, strlen(text)), &v, adds, NULL,
                       &err);
    s->left--;
}

/* Mostly what the queue would answer; else anything. */
static void respond(struct scene *s, uint32_t thread)
{
    struct plumb_error err;
    const struct plumb_op *const o =
        plumb_builder_open_call(s->b, thread, NULL);
    const bool adds = o->nargs;
    const bool peeks = o->name == story_symbol(s->b, "peek", 4);
    const bool right = plumb_base_rng_chance(s->rng, 80);
    const bool info = plumb_base_rng_chance(s->rng, s->lost);
    const bool empty = !adds && right && s->first == s->count;
    const bool shows = !adds && !empty;
    struct plumb_value v =
        plumb_int(1 + plumb_base_rng_below(s->rng, s->values));
    if (shows && right)
        v = plumb_int((int)s->held[s->first]);
    s->first += shows && right && !peeks;
    plumb_builder_respond(s->b, thread, UINT32_MAX,
                          info ? PLUMB_OUTCOME_INFO : PLUMB_OUTCOME_OK,
                          info    ? 0
                          : empty ? story_symbol(s->b, "empty", 5)
                                  : story_symbol(s->b, "ok", 2),
                          &v, shows && !info, NULL, &err);
}

static struct plumb_history invent(struct plumb_base_rng *rng, unsigned ops,
                                   unsigned values, unsigned lost)
{
    struct scene s = {
        .rng = rng,
        .b = plumb_builder_new(NULL),
        .left = ops,
        .values = values,
        .lost = lost,
    };
    struct plumb_history h;
    struct plumb_error err;
    uint32_t thread[3];
    for (int i = 0; i < 3; i++)
        thread[i] = story_symbol(s.b, &"ABC"[i], 1);
    for (unsigned events = 0; events < 2 * ops; events++) {
        const uint32_t t = thread[plumb_base_rng_below(rng, 3)];
        if (is_open(&s, t))
            respond(&s, t);
        else if (s.left)
            call(&s, t);
    }
    assert_int_equal(plumb_builder_finish(s.b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     PLUMB_OK);
    plumb_builder_free(s.b);
    return h;
}

/* All of a history, in which some responses are forgotten. */
struct subject {
    struct plumb_history h;
    struct plumb_proof_core core;
    struct plumb_proof_core_op op[MOST_OPS];
    struct plumb_error err;
    struct plumb_proof_deadline *late;
};

static void open_subject(struct subject *s, struct plumb_base_rng *rng,
                         const char *spec, unsigned ops, unsigned values)
{
    const unsigned lost = 4 * plumb_base_rng_below(rng, 4);
    *s = (struct subject){ .h = invent(rng, ops, values, lost) };
    struct plumb_proof_plain *p;
    assert_int_equal(
        plumb_proof_plain_new((struct plumb_spec_ref){ spec, NULL },
                              s->h.symbols, NULL, &p, &s->err),
        PLUMB_OK);
    s->core = (struct plumb_proof_core){
        .h = &s->h, .p = p, .op = s->op, .count = s->h.count, .err = &s->err
    };
    for (uint32_t i = 0; i < s->h.count; i++) {
        struct plumb_proof_core_op *const o = s->op + i;
        o->index = i;
        o->called = s->h.op[i].call;
        o->ret = plumb_base_rng_chance(rng, 10) ? PLUMB_NEVER
                                                : plumb_op_ret(s->h.op + i);
        assert_int_equal(plumb_proof_plain_read(
                             p, &s->h, i, plumb_proof_core_op_is_pending(o),
                             &o->call, &o->seen, &s->err),
                         PLUMB_OK);
    }
    assert_true(plumb_proof_deadline_new(&s->core, &s->late));
}

static void close_subject(struct subject *s)
{
    plumb_proof_deadline_free(s->late);
    plumb_proof_plain_free(s->core.p);
    plumb_history_release(&s->h);
}

/* ---- the rule, as it is defined ---- */

enum rule {
    RIGHT,
    PENDING_FORGOTTEN, /* pending dequeues do not count      */
    ONE_V_TOO_MANY,    /* i is one more than it should be    */
    ONE_W_TOO_FEW,     /* j is one less                      */
    RETURNS_FOR_CALLS  /* c is made of returns, not of calls */
};

/* How many dequeues an item may answer. */
static uint32_t answers(const struct plumb_proof_core *c)
{
    return c->p->type == &plumb_proof_plain_stuttering_queue
               ? (uint32_t)c->p->with.j + 1
               : 1;
}

static bool is_enqueue(const struct plumb_proof_core_op *o)
{
    return o->call.nargs == 1;
}

static bool is_dequeue(const struct plumb_proof_core_op *o)
{
    return !is_enqueue(o) && o->call.operation->reads != PLAIN_READS;
}

static bool answered(const struct plumb_proof_core_op *o, struct plumb_value v)
{
    return is_dequeue(o) && !plumb_proof_core_op_is_pending(o) &&
           o->seen.nres == 1 && plumb_value_equal(o->seen.res[0], v);
}

static uint32_t count_enqueues(const struct plumb_proof_core *c, uint64_t taken,
                               struct plumb_value v)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        count += (taken >> i & 1) && is_enqueue(c->op + i) &&
                 plumb_value_equal(c->op[i].call.args[0], v);
    return count;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t nth(uint32_t *rank, uint32_t count, uint32_t n)
{
    qsort(rank, count, sizeof *rank, compare);
    return n <= count ? rank[n - 1] : PLUMB_NEVER;
}

static uint32_t rank_r(const struct plumb_proof_core *c, struct plumb_value w,
                       uint32_t j)
{
    uint32_t rank[MOST_OPS], count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (answered(c->op + i, w))
            rank[count++] = c->op[i].ret;
    return nth(rank, count, j);
}

static uint32_t rank_c(const struct plumb_proof_core *c, struct plumb_value v,
                       uint32_t i, enum rule rule)
{
    uint32_t rank[MOST_OPS], count = 0;
    for (uint32_t n = 0; n < c->count; n++) {
        const struct plumb_proof_core_op *const o = c->op + n;
        const bool might = plumb_proof_core_op_is_pending(o) && is_dequeue(o) &&
                           rule != PENDING_FORGOTTEN;
        if (answered(o, v) || might)
            rank[count++] = rule == RETURNS_FOR_CALLS ? o->ret : o->called;
    }
    return nth(rank, count, i);
}

static bool is_late(const struct plumb_proof_core *c, uint64_t taken,
                    uint32_t o, unsigned values, enum rule rule)
{
    if (!is_enqueue(c->op + o))
        return false;
    const struct plumb_value w = c->op[o].call.args[0];
    const uint32_t j = 1 + count_enqueues(c, taken, w);
    const uint32_t earlier = j - 1 - (j > 1 && rule == ONE_W_TOO_FEW);
    const uint32_t r = rank_r(c, w, answers(c) * earlier + 1);
    for (unsigned n = 1; n <= values && r != PLUMB_NEVER; n++) {
        const struct plumb_value v = plumb_int((int)n);
        const uint32_t i = count_enqueues(c, taken, v);
        if (i && rank_c(c, v, i + (rule == ONE_V_TOO_MANY), rule) > r)
            return true;
    }
    return false;
}

/* The same question in the words of deadline_rule.h. */
static bool ask(struct subject *s, uint64_t taken, uint32_t o)
{
    uint32_t upto = s->core.count, missing[MOST_OPS], count = 0;
    while (upto && !(taken >> (upto - 1) & 1))
        upto--;
    for (uint32_t i = 0; i < upto; i++)
        if (!(taken >> i & 1))
            missing[count++] = i;
    return plumb_proof_deadline_is(s->late, o, upto, missing, count);
}

/* ---- every order ---- */

struct census {
    enum rule rule;
    const char *spec; /* NULL: queue and queue:blocking in turn */
    unsigned late, wrong;
    unsigned linearizable, late_there; /* histories, and late steps of those */
};

static bool is_enabled(const struct plumb_proof_core *c, uint64_t taken,
                       uint32_t j)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (!(taken >> i & 1) && c->op[i].ret < c->op[j].called)
            return false;
    return !(taken >> j & 1);
}

static bool is_complete(const struct plumb_proof_core *c, uint64_t taken)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (!(taken >> i & 1) && !plumb_proof_core_op_is_pending(c->op + i))
            return false;
    return true;
}

static bool is_hopeful(struct subject *s, uint64_t taken,
                       const struct plumb_proof_plain_set *states,
                       struct census *census);

/* Does a legal order go on with j?  Was j called late? */
static bool goes_on(struct subject *s, uint64_t taken,
                    const struct plumb_proof_plain_set *states, uint32_t j,
                    struct census *census)
{
    const struct plumb_proof_core *const c = &s->core;
    const bool late = is_late(c, taken, j, 2, census->rule);
    struct plumb_proof_plain_set next;
    assert_int_equal(plumb_proof_plain_set_copy(c->p, &next, states), PLUMB_OK);
    assert_int_equal(
        plumb_proof_plain_set_step(c->p, &next, &c->op[j].call, NULL),
        PLUMB_OK);
    if (census->rule == RIGHT)
        assert_int_equal(ask(s, taken, j), late);
    const bool hopeful =
        next.count && is_hopeful(s, taken | UINT64_C(1) << j, &next, census);
    census->late += late;
    census->wrong += late && hopeful;
    plumb_proof_plain_set_release(c->p, &next);
    return hopeful;
}

/* Goes through all orders, even where one has been found. */
static bool is_hopeful(struct subject *s, uint64_t taken,
                       const struct plumb_proof_plain_set *states,
                       struct census *census)
{
    bool hopeful = is_complete(&s->core, taken);
    for (uint32_t j = 0; j < s->core.count; j++)
        if (is_enabled(&s->core, taken, j))
            hopeful |= goes_on(s, taken, states, j, census);
    return hopeful;
}

static void take_census(struct census *census, unsigned rounds)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 17);
    for (unsigned round = 0; round < rounds; round++) {
        struct subject s;
        struct plumb_proof_plain_set states;
        const char *const spec = census->spec ? census->spec
                                 : round % 2  ? "queue"
                                              : "queue:blocking";
        open_subject(&s, &rng, spec, 4 + round % 4, 2);
        assert_int_equal(plumb_proof_plain_set_init(s.core.p, &states),
                         PLUMB_OK);
        const unsigned before = census->late;
        if (is_hopeful(&s, 0, &states, census)) {
            census->linearizable++;
            census->late_there += census->late - before;
        }
        plumb_proof_plain_set_release(s.core.p, &states);
        close_subject(&s);
    }
}

/* ---- claims ---- */

static void no_legal_order_goes_on_with_a_late_enqueue(void **state)
{
    (void)state;
    enum { ROUNDS = SOME_OF(30000) };
    struct census census = { .rule = RIGHT };
    take_census(&census, ROUNDS);
    assert_int_equal(census.wrong, 0);
    assert_true(census.late_there > ROUNDS / 10);
    assert_in_range(census.linearizable, ROUNDS / 10, ROUNDS - ROUNDS / 10);
}

static void nor_does_one_of_a_stuttering_queue(void **state)
{
    (void)state;
    enum { ROUNDS = SOME_OF(10000) };
    static const char *const spec[] = { "stuttering-queue",
                                        "stuttering-queue:j=2",
                                        "stuttering-queue:j=0" };
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        struct census census = { .rule = RIGHT, .spec = spec[i] };
        take_census(&census, ROUNDS);
        assert_int_equal(census.wrong, 0);
        assert_true(census.late_there > ROUNDS / 10);
        census = (struct census){ .rule = ONE_W_TOO_FEW, .spec = spec[i] };
        take_census(&census, ROUNDS);
        assert_true(census.wrong > 0);
    }
}

static void every_part_of_the_definition_matters(void **state)
{
    (void)state;
    for (enum rule rule = PENDING_FORGOTTEN; rule <= RETURNS_FOR_CALLS;
         rule++) {
        struct census census = { .rule = rule };
        take_census(&census, 1000);
        if (!census.wrong)
            fail_msg("rule %d is never wrong: this is no test", (int)rule);
    }
}

/* Sets of operations that no order need have: a prefix with holes in it. */
static uint64_t random_set(struct plumb_base_rng *rng, uint32_t count)
{
    const uint32_t upto = plumb_base_rng_below(rng, count + 1);
    uint64_t taken = (UINT64_C(1) << upto) - 1;
    const uint32_t holes = plumb_base_rng_below(rng, 8);
    for (uint32_t n = 0; n < holes; n++)
        taken &= ~(UINT64_C(1) << plumb_base_rng_below(rng, count));
    return taken;
}

static void large_sets_are_judged_by_the_definition(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    unsigned late = 0, asked = 0;
    plumb_base_rng_seed(&rng, 4);
    for (unsigned round = 0; round < 1000; round++) {
        struct subject s;
        const unsigned values = 2 + round % 12;
        open_subject(&s, &rng, "queue", MOST_OPS - 2, values);
        for (int n = 0; n < 60; n++) {
            const uint64_t taken = random_set(&rng, s.core.count);
            const uint32_t o = plumb_base_rng_below(&rng, s.core.count);
            if (taken >> o & 1 || !is_enqueue(s.op + o))
                continue;
            const bool expected = is_late(&s.core, taken, o, values, RIGHT);
            assert_int_equal(ask(&s, taken, o), expected);
            late += expected;
            asked++;
        }
        close_subject(&s);
    }
    assert_in_range(late, asked / 20, asked - asked / 20);
}

/* ---- certificates ---- */

/* Eight reads, then 8: enq(1) and 9: enq(2) overlap.  10 dequeues 2, and then
 * 11 dequeues 1, so 9 came first; nothing explains 12. */
#define EIGHT                                                                  \
    "A peek; A empty; A peek; A empty; A peek; A empty; A peek; A empty; "     \
    "A peek; A empty; A peek; A empty; A peek; A empty; A peek; A empty; "
#define BOTH "B enq 1; C enq 2; B ok; C ok; "
#define LAST "; A deq; A ok 3"

static const char right[] = EIGHT BOTH "D deq; D ok 2; D deq; D ok 1" LAST;

/* Configuration 9 has 8 but not 9; the step by 9 leads out. */
static const struct plumb_certificate_step step[13] = {
    { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 },  { 4, 4 },   { 5, 5 },   { 6, 6 },
    { 7, 7 }, { 8, 8 }, { 8, 9 }, { 10, 8 }, { 11, 10 }, { 12, 11 },
};

static enum plumb_status verify(const char *spec, const char *text,
                                const uint8_t *forgotten,
                                struct plumb_budget *budget,
                                struct plumb_error *err)
{
    static const uint32_t op[] = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    };
    struct plumb_history h = story(text);
    const struct plumb_core core = { 0, PLUMB_NEVER, h.count, op, forgotten };
    const enum plumb_status status =
        plumb_verify_violation(&h, (struct plumb_spec_ref){ spec, NULL }, &core,
                               step, sizeof step / sizeof *step, budget, err);
    plumb_history_release(&h);
    return status;
}

static void accept(const char *spec, const char *text, const uint8_t *forgotten)
{
    struct plumb_error err;
    if (verify(spec, text, forgotten, NULL, &err) != PLUMB_OK)
        fail_msg("%s, %s: %s", spec, text, err.message);
}

static void reject(const char *spec, const char *text, const uint8_t *forgotten)
{
    struct plumb_error err = { .message = "accepted" };
    const enum plumb_status status = verify(spec, text, forgotten, NULL, &err);
    if (status != PLUMB_EINPUT ||
        !strstr(err.message,
                "configuration 9 of the certificate: the step by enq(2)=ok by "
                "C leads to a configuration that is not listed"))
        fail_msg("%s, %s: %s", spec, text, err.message);
}

static void a_late_step_may_lead_out(void **state)
{
    (void)state;
    accept("queue", right, NULL);
    accept("queue:blocking", right, NULL);
}

static void a_step_that_is_not_late_may_not(void **state)
{
    (void)state;
    /* 10 returns after 11 is called. */
    reject("queue", EIGHT BOTH "D deq; E deq; D ok 2; E ok 1" LAST, NULL);
    /* A pending dequeue may have removed 1 before. */
    reject("queue", EIGHT BOTH "D deq; F deq; D ok 2; D deq; D ok 1" LAST,
           NULL);
    /* Nobody is known to have removed 2. */
    reject("queue", EIGHT BOTH "D deq; D !info; D deq; D ok 1" LAST, NULL);
}

static void forgotten_responses_make_dequeues_pending(void **state)
{
    (void)state;
    static const uint8_t forget_10[14] = { [10] = 1 },
                         forget_11[14] = { [11] = 1 };
    accept("queue", right, forget_11);
    reject("queue", right, forget_10);
}

/* A pending enqueue may have been refused.  (Without a limit the certificate
 * fails later, at configuration 10.) */
static void with_a_limit_no_enqueue_may_be_pending(void **state)
{
    (void)state;
    static const uint8_t forget_8[14] = { [8] = 1 };
    accept("queue:cap=5", right, NULL);
    accept("stuttering-queue:cap=5", right, NULL);
    reject("queue:cap=5", right, forget_8);
}

static void other_queues_know_no_late_steps(void **state)
{
    (void)state;
    static const char *const spec[] = { "queue:k=1", "semiqueue" };
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 5);
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        struct subject s;
        open_subject(&s, &rng, spec[i], 7, 2);
        assert_null(s.late);
        assert_false(ask(&s, 0, 0));
        close_subject(&s);
    }
    reject("queue:k=0", right, NULL);
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    enum plumb_status status = PLUMB_EMEMORY;
    size_t nth = 1;
    for (; status == PLUMB_EMEMORY; nth++) {
        struct plumb_error err;
        struct plumb_budget *const b = plumb_budget_new(0, 0);
        plumb_base_budget_fail_at(b, nth);
        status = verify("queue", right, NULL, b, &err);
        assert_int_equal(plumb_base_budget_has_failed(b), status != PLUMB_OK);
        assert_int_equal(plumb_budget_used(b), 0);
        plumb_budget_free(b);
    }
    assert_int_equal(status, PLUMB_OK);
    assert_true(nth > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_legal_order_goes_on_with_a_late_enqueue),
        cmocka_unit_test(nor_does_one_of_a_stuttering_queue),
        cmocka_unit_test(every_part_of_the_definition_matters),
        cmocka_unit_test(large_sets_are_judged_by_the_definition),
        cmocka_unit_test(a_late_step_may_lead_out),
        cmocka_unit_test(a_step_that_is_not_late_may_not),
        cmocka_unit_test(forgotten_responses_make_dequeues_pending),
        cmocka_unit_test(with_a_limit_no_enqueue_may_be_pending),
        cmocka_unit_test(other_queues_know_no_late_steps),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
