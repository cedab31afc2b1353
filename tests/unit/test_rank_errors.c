/* test_rank_errors.c - rank errors against all linearizations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "check/ranks/rank_errors.h"
#include "check/ranks/rank_search.h"
#include "effort.h"
#include <plumb/format.h>
#include <string.h>

enum { MOST = 8, SEED = 19, MANY = 60000 };

/* ---- by definition ---- */

struct brute {
    const struct plumb_check_rank_search *s;
    bool found;
    uint32_t max, sum;
};

static bool leaves_before(const struct plumb_check_rank_search *s,
                          const uint32_t *item, unsigned a, unsigned b)
{
    switch (s->order) {
    case PLUMB_RANK_OLDEST_FIRST:
        return a < b;
    case PLUMB_RANK_NEWEST_FIRST:
        return a > b;
    default:
        return s->priority[item[a]] < s->priority[item[b]];
    }
}

/* Items are in the order in which they were added. */
static uint32_t error_of(const struct plumb_check_rank_search *s,
                         const uint32_t *item, unsigned count, unsigned at)
{
    uint32_t error = 0;
    for (unsigned i = 0; i < count; i++)
        error += i != at && leaves_before(s, item, i, at);
    return error;
}

static void go_on(struct brute *b, uint32_t placed, const uint32_t *item,
                  unsigned count, uint32_t max, uint32_t sum);

static void without(struct brute *b, uint32_t placed, const uint32_t *item,
                    unsigned count, unsigned at, uint32_t max, uint32_t sum)
{
    uint32_t left[MOST];
    memcpy(left, item, at * sizeof *left);
    memcpy(left + at, item + at + 1, (count - at - 1) * sizeof *left);
    go_on(b, placed, left, count - 1, max, sum);
}

static void place(struct brute *b, uint32_t placed, const uint32_t *item,
                  unsigned count, uint32_t max, uint32_t sum, unsigned op)
{
    const struct plumb_check_rank_op *const o = &b->s->op[op];
    uint32_t more[MOST + 1];
    placed |= 1U << op;
    memcpy(more, item, count * sizeof *more);
    if (o->kind == PLUMB_RANK_ADD) {
        more[count] = o->item;
        go_on(b, placed, more, count + 1, max, sum);
    } else if (o->kind == PLUMB_RANK_EMPTY) {
        if (count == 0)
            go_on(b, placed, item, count, max, sum);
    } else if (o->kind == PLUMB_RANK_FRONT) {
        for (unsigned i = 0; i < count; i++)
            if (item[i] == o->item && error_of(b->s, item, count, i) == 0) {
                go_on(b, placed, item, count, max, sum);
                return;
            }
    } else {
        for (unsigned i = 0; i < count; i++) {
            const uint32_t error =
                o->pending ? 0 : error_of(b->s, item, count, i);
            if (o->item == UINT32_MAX || item[i] == o->item)
                without(b, placed, item, count, i, error > max ? error : max,
                        sum + error);
        }
    }
}

static void go_on(struct brute *b, uint32_t placed, const uint32_t *item,
                  unsigned count, uint32_t max, uint32_t sum)
{
    const struct plumb_check_rank_search *const s = b->s;
    uint32_t limit = UINT32_MAX;
    bool whole = true;
    for (unsigned i = 0; i < s->count; i++)
        if (!(placed >> i & 1) && !s->op[i].pending) {
            whole = false;
            limit = s->op[i].ret < limit ? s->op[i].ret : limit;
        }
    if (whole &&
        (!b->found || max < b->max || (max == b->max && sum < b->sum))) {
        b->found = true;
        b->max = max;
        b->sum = sum;
    }
    for (unsigned i = 0; i < s->count; i++)
        if (!(placed >> i & 1) && s->op[i].call < limit)
            place(b, placed, item, count, max, sum, i);
}

/* ---- against it ---- */

static void random_ops(struct plumb_base_rng *r, unsigned count,
                       struct plumb_check_rank_op *op)
{
    unsigned open[3] = { MOST, MOST, MOST }, called = 0;
    uint32_t clock = 0;
    while (called < count || clock < 2 * count + 4) {
        const unsigned t = (unsigned)(plumb_base_rng_next(r) % 3);
        clock++;
        if (open[t] < MOST) {
            op[open[t]].ret = clock;
            op[open[t]].pending = plumb_base_rng_next(r) % 16 == 0;
            if (op[open[t]].pending)
                op[open[t]].ret = UINT32_MAX;
            open[t] = op[open[t]].pending ? MOST + 1 : MOST;
        } else if (open[t] == MOST && called < count) {
            const unsigned kind = (unsigned)(plumb_base_rng_next(r) % 16);
            op[called] = (struct plumb_check_rank_op){
                .kind = kind < 8    ? PLUMB_RANK_ADD
                        : kind < 14 ? PLUMB_RANK_REMOVE
                        : kind < 15 ? PLUMB_RANK_EMPTY
                                    : PLUMB_RANK_FRONT,
                .call = clock,
                .ret = UINT32_MAX,
                .pending = true,
                .item = (uint32_t)(plumb_base_rng_next(r) % 3),
            };
            open[t] = called++;
        } else if (open[0] > MOST && open[1] > MOST && open[2] > MOST) {
            open[0] = MOST; /* threads that hang are replaced */
        }
    }
    for (unsigned i = 0; i < count; i++)
        if (op[i].pending && op[i].kind == PLUMB_RANK_REMOVE)
            op[i].item = UINT32_MAX;
        else if (op[i].pending && op[i].kind != PLUMB_RANK_ADD)
            op[i].kind = PLUMB_RANK_ADD;
}

static void assert_is_best(const struct plumb_check_rank_search *s,
                           unsigned met[2])
{
    uint32_t error[MOST], max = 0, sum = 0;
    struct brute b = { .s = s };
    bool found;
    go_on(&b, 0, (const uint32_t[]){ 0 }, 0, 0, 0);
    assert_int_equal(plumb_check_rank_search(s, error, &found), PLUMB_OK);
    assert_int_equal(found, b.found);
    met[found]++;
    if (!found)
        return;
    for (unsigned i = 0; i < s->count; i++) {
        const bool counts =
            s->op[i].kind == PLUMB_RANK_REMOVE && !s->op[i].pending;
        assert_true(counts == (error[i] != UINT32_MAX));
        if (!counts)
            continue;
        max = error[i] > max ? error[i] : max;
        sum += error[i];
    }
    assert_int_equal(max, b.max);
    assert_int_equal(sum, b.sum);
}

static void errors_are_those_of_the_best_linearization(void **state)
{
    static const uint32_t priority[] = { 0, 1, 1 };
    struct plumb_check_rank_op op[MOST];
    struct plumb_base_rng r;
    unsigned met[2] = { 0 };
    (void)state;
    plumb_base_rng_seed(&r, SEED);
    for (unsigned n = 0; n < SOME_OF(MANY); n++) {
        struct plumb_check_rank_search s = { .op = op,
                                             .count = n % MOST,
                                             .priority = priority };
        random_ops(&r, s.count, op);
        for (unsigned order = 0; order < 3; order++) {
            s.order = (enum plumb_check_rank_order)order;
            assert_is_best(&s, met);
        }
    }
    assert_true(met[0] && met[1]);
}

/* ---- of histories ---- */

static void count(struct plumb_check_rank_errors *r, const char *spec_name,
                  const char *text)
{
    struct plumb_reader *reader;
    struct plumb_spec *spec = NULL;
    struct plumb_history h;
    struct plumb_error err = { 0 };
    assert_int_equal(plumb_spec_parse(spec_name, &spec, &err), PLUMB_OK);
    assert_int_equal(plumb_reader_open(&reader, text, strlen(text),
                                       PLUMB_FORMAT_NATIVE, PLUMB_TIES_CALL,
                                       NULL, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_reader_next(reader, &h, &err), PLUMB_OK);
    assert_int_equal(plumb_check_rank_errors_add(r, &h, spec, NULL, &err),
                     PLUMB_OK);
    plumb_history_release(&h);
    plumb_reader_close(reader);
    plumb_spec_free(spec);
}

static const char queue_history[] = "Q enq(1) A\nQ ok() A\n"
                                    "Q enq(2) A\nQ ok() A\n"
                                    "Q enq(3) A\nQ ok() A\n"
                                    "Q deq() A\nQ ok(3) A\n"
                                    "Q deq() A\nQ ok(1) A\n"
                                    "Q deq() A\nQ ok(2) A\n";

static void histories_are_counted_by_their_types(void **state)
{
    static const char stack[] = "S push(1) A\nS ok() A\n"
                                "S push(2) A\nS ok() A\n"
                                "S pop() A\nS ok(1) A\n";
    static const char priority[] = "P insert(1) A\nP ok() A\n"
                                   "P insert(2) A\nP ok() A\n"
                                   "P delmin() A\nP ok(2) A\n";
    struct plumb_check_rank_errors r = { 0 };
    (void)state;
    count(&r, "queue:k=2", queue_history);
    assert_int_equal(r.errors, 3);
    assert_int_equal(r.count[0], 2);
    assert_int_equal(r.count[1], 0);
    assert_int_equal(r.count[2], 1);
    count(&r, "stack", stack);
    count(&r, "priority-queue", priority);
    assert_int_equal(r.count[1], 2);
    count(&r, "priority-queue:max", priority);
    assert_int_equal(r.count[0], 3);
    assert_int_equal(r.removals, 6);
    assert_int_equal(r.sum, 4);
    assert_int_equal(r.histories, 4);
    count(&r, "queue", "Q deq() A\nQ ok(1) A\n");
    assert_int_equal(r.unordered, 1);
    assert_int_equal(r.histories, 4);
    plumb_check_rank_errors_release(&r);
}

static void other_types_have_none(void **state)
{
    static const char *const name[] = { "set", "bag", "deque", "counter" };
    (void)state;
    for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
        struct plumb_spec *spec = NULL;
        struct plumb_error err;
        assert_int_equal(plumb_spec_parse(name[i], &spec, &err), PLUMB_OK);
        assert_false(plumb_check_has_ranks(spec));
        plumb_spec_free(spec);
    }
}

static void memory_may_be_refused_anywhere(void **state)
{
    struct plumb_check_rank_op op[6];
    (void)state;
    for (unsigned i = 0; i < 6; i++)
        op[i] = (struct plumb_check_rank_op){
            .kind = i < 3 ? PLUMB_RANK_ADD : PLUMB_RANK_REMOVE,
            .call = 2 * (i - i % 3),
            .ret = 2 * (i - i % 3) + 1 + i % 3,
            .item = i % 3,
        };
    for (size_t nth = 1;; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        const struct plumb_check_rank_search s = { .op = op,
                                                   .count = 6,
                                                   .budget = budget };
        uint32_t error[6];
        bool found;
        plumb_base_budget_fail_at(budget, nth);
        const enum plumb_status status =
            plumb_check_rank_search(&s, error, &found);
        const bool failed = plumb_base_budget_has_failed(budget);
        plumb_budget_free(budget);
        assert_true(failed == (status == PLUMB_EMEMORY));
        if (!failed) {
            assert_true(found && error[3] == 0 && error[5] == 0);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_those_of_the_best_linearization),
        cmocka_unit_test(histories_are_counted_by_their_types),
        cmocka_unit_test(other_types_have_none),
        cmocka_unit_test(memory_may_be_refused_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
