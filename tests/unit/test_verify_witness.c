/* Witnesses: right ones are accepted, and every kind of wrong one is not. */
#include "story.h"

#include "base/memory.h"
#include "base/rng.h"

static enum plumb_status verify(const struct plumb_history *h, const char *spec,
                                const uint32_t *order, uint32_t count,
                                struct plumb_error *err)
{
    return plumb_verify_witness(h, (struct plumb_spec_ref){ spec, NULL }, order,
                                count, NULL, err);
}

struct row {
    const char *spec, *story;
    uint32_t count, order[8];
    const char *message; /* NULL: accepted */
};

static void judge_rows(const struct row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct plumb_history h = story(row[i].story);
        struct plumb_error err = { .message = "accepted" };
        const enum plumb_status status =
            verify(&h, row[i].spec, row[i].order, row[i].count, &err);
        plumb_history_release(&h);
        const bool right = row[i].message
                               ? status == PLUMB_EINPUT &&
                                     strstr(err.message, row[i].message) != NULL
                               : status == PLUMB_OK;
        if (!right)
            fail_msg("%s, row %zu: %s", row[i].story, i, err.message);
    }
}

#define JUDGE(rows) judge_rows(rows, sizeof(rows) / sizeof *(rows))

/* 0: enq 1   1: enq 2 (overlaps 0)   2: deq = 2 (after both) */
#define OVERLAP "A enq 1; B enq 2; A ok; B ok; C deq; C ok 2"

static void right_witnesses_are_accepted(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "queue", "", 0, { 0 }, NULL },
        { "queue", OVERLAP, 3, { 1, 0, 2 }, NULL },
        /* A pending operation took effect, or did not. */
        { "queue", "A enq 1; B deq; B ok 1", 2, { 0, 1 }, NULL },
        { "queue", "A enq 1; B deq; B empty", 1, { 1 }, NULL },
        { "queue", "A enq 1; A !info; B deq; B ok 1", 2, { 0, 1 }, NULL },
        /* A pending one may take effect last, though it was called first. */
        { "queue", "A enq 1; B deq; B empty", 2, { 1, 0 }, NULL },
        /* FAIL did not happen. */
        { "queue", "A enq 1; A !fail; B deq; B empty", 1, { 1 }, NULL },
        /* Each object has its own state. */
        { "queue",
          "A enq 1; A ok; B @y deq; B @y empty; A deq; A ok 1",
          3,
          { 0, 1, 2 },
          NULL },
        { "queue",
          "A enq 1; B @y enq 2; A ok; B @y ok; A @y deq; A @y ok 2",
          3,
          { 1, 0, 2 },
          NULL },
        /* What a pending operation answered is not known. */
        { "queue",
          "A enq 1; A ok; A enq 2; A ok; B deq; C deq; C ok 2",
          4,
          { 0, 1, 2, 3 },
          NULL },
    };
    JUDGE(rows);
}

static void wrong_operations_are_rejected(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "queue",
          OVERLAP,
          2,
          { 1, 2 },
          "enq(1)=ok by A returned, but is not in the witness" },
        { "queue", OVERLAP, 0, { 0 }, "is not in the witness" },
        { "queue",
          OVERLAP,
          4,
          { 1, 0, 2, 2 },
          "place 4 of the witness: deq()=2 by C takes effect twice" },
        { "queue",
          OVERLAP,
          4,
          { 1, 0, 2, 3 },
          "place 4 of the witness: there is no operation number 3" },
        { "queue", OVERLAP, 1, { UINT32_MAX }, "there is no operation" },
        { "queue", "A enq 1; A !fail", 1, { 0 }, "failed" },
        { "queue",
          "A enq 1",
          2,
          { 0, 0 },
          "enq(1) (pending) by A takes effect twice" },
        { "queue", "A push 1; A ok", 1, { 0 }, "no such operation" },
        { "heap", OVERLAP, 3, { 1, 0, 2 }, "no such specification" },
    };
    JUDGE(rows);
}

static void wrong_orders_are_rejected(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "queue",
          OVERLAP,
          3,
          { 0, 1, 2 },
          "place 3 of the witness: deq()=2 by C cannot take effect here: it "
          "would return ok(1)" },
        { "queue",
          OVERLAP,
          3,
          { 1, 2, 0 },
          "place 3 of the witness: enq(1)=ok by A returned before deq()=2 by C "
          "was called" },
        { "counter",
          "A inc; A ok; A inc; A ok",
          2,
          { 1, 0 },
          "returned before" },
        /* Real time holds between objects, too. */
        { "counter",
          "A inc; A ok; B @y inc; B @y ok",
          2,
          { 1, 0 },
          "returned before" },
        /* Nothing takes effect before it is called. */
        { "queue", "A deq; A ok 1; B enq 1", 2, { 1, 0 }, "returned before" },
        { "mutex",
          "A lock; A ok; B lock; B ok",
          2,
          { 0, 1 },
          "lock()=ok by B cannot take effect here: it blocks" },
        { "queue",
          "A enq 1; A ok; B @y deq; B @y ok 1",
          2,
          { 0, 1 },
          "it would return empty()" },
        { "queue", "A take", 1, { 0 }, "it blocks" },
    };
    JUDGE(rows);
}

/* ---- against the definition ---- */

static struct plumb_history random_increments(struct plumb_base_rng *rng)
{
    char text[600] = "";
    bool open[3] = { false };
    for (int events = 0; events < 14; events++) {
        const uint32_t t = plumb_base_rng_below(rng, 3);
        char event[32];
        const char *const what = !open[t]                         ? "inc"
                                 : plumb_base_rng_chance(rng, 15) ? "!info"
                                                                  : "ok";
        open[t] = !open[t];
        snprintf(event, sizeof event, "P%u %s; ", (unsigned)t, what);
        strcat(text, event);
    }
    return story(text);
}

static bool respects_real_time(const struct plumb_history *h,
                               const uint32_t *order)
{
    for (uint32_t b = 0; b < h->count; b++)
        for (uint32_t a = 0; a < b; a++)
            if (plumb_op_ret(h->op + order[b]) < h->op[order[a]].call)
                return false;
    return true;
}

static void real_time_is_checked_as_it_is_defined(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    unsigned right = 0, wrong = 0;
    plumb_base_rng_seed(&rng, 7);
    for (int round = 0; round < 2000; round++) {
        struct plumb_history h = random_increments(&rng);
        uint32_t order[16];
        for (uint32_t i = 0; i < h.count; i++)
            order[i] = i;
        /* A few exchanges near each other, so that both happen often. */
        for (int n = 0; n < 3; n++) {
            const uint32_t i = plumb_base_rng_below(&rng, h.count - 1);
            const uint32_t swap = order[i];
            order[i] = order[i + 1];
            order[i + 1] = swap;
        }
        struct plumb_error err;
        const bool expected = respects_real_time(&h, order);
        const bool accepted =
            verify(&h, "counter", order, h.count, &err) == PLUMB_OK;
        assert_int_equal(accepted, expected);
        *(expected ? &right : &wrong) += 1;
        plumb_history_release(&h);
    }
    assert_true(right > 200 && wrong > 200);
}

/* ---- long ones ---- */

/* `depth` enqueues ahead of the dequeues; one thread. */
static struct plumb_history long_queue(uint32_t count, uint32_t depth)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    struct plumb_history h;
    const uint32_t a = plumb_builder_symbol(b, "A", 1);
    const uint32_t enq = plumb_builder_symbol(b, "enq", 3);
    const uint32_t deq = plumb_builder_symbol(b, "deq", 3);
    const uint32_t ok = plumb_builder_symbol(b, "ok", 2);
    for (uint32_t i = 0; i < count + depth; i++) {
        const struct plumb_value in = plumb_int(i), out = plumb_int(i - depth);
        if (i < count) {
            plumb_builder_call(b, a, a, enq, &in, 1, NULL, &err);
            plumb_builder_respond(b, a, a, PLUMB_OUTCOME_OK, ok, NULL, 0, NULL,
                                  &err);
        }
        if (i >= depth) {
            plumb_builder_call(b, a, a, deq, NULL, 0, NULL, &err);
            plumb_builder_respond(b, a, a, PLUMB_OUTCOME_OK, ok, &out, 1, NULL,
                                  &err);
        }
    }
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     PLUMB_OK);
    plumb_builder_free(b);
    return h;
}

static uint32_t *identity(uint32_t count)
{
    uint32_t *const order = malloc(count * sizeof *order);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    return order;
}

/* Would take hours if a step cost as much as the queue is long. */
static void long_witnesses_are_accepted(void **state)
{
    (void)state;
    static const uint32_t depths[] = { 1, 100, 100000 };
    for (size_t i = 0; i < 3; i++) {
        struct plumb_history h = long_queue(100000, depths[i]);
        struct plumb_error err;
        uint32_t *const order = identity(h.count);
        assert_int_equal(verify(&h, "queue", order, h.count, &err), PLUMB_OK);
        assert_int_equal(verify(&h, "semiqueue", order, h.count, &err),
                         PLUMB_OK);
        assert_int_equal(verify(&h, "priority-queue", order, h.count, &err),
                         PLUMB_OK);
        free(order);
        plumb_history_release(&h);
    }
}

static void a_stopped_budget_stops_the_verifier(void **state)
{
    (void)state;
    struct plumb_history h = long_queue(10000, 1);
    struct plumb_budget *const b = plumb_budget_new(0, 0);
    struct plumb_error err;
    uint32_t *const order = identity(h.count);
    const struct plumb_spec_ref ref = { "queue", NULL };
    plumb_budget_stop(b);
    assert_int_equal(plumb_verify_witness(&h, ref, order, h.count, b, &err),
                     PLUMB_ESTOP);
    assert_int_equal(err.status, PLUMB_ESTOP);
    assert_int_equal(plumb_budget_used(b), 0);
    plumb_budget_free(b);
    free(order);
    plumb_history_release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_witnesses_are_accepted),
        cmocka_unit_test(wrong_operations_are_rejected),
        cmocka_unit_test(wrong_orders_are_rejected),
        cmocka_unit_test(real_time_is_checked_as_it_is_defined),
        cmocka_unit_test(long_witnesses_are_accepted),
        cmocka_unit_test(a_stopped_budget_stops_the_verifier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
