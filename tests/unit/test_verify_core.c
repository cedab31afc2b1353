/* Cores: only weakenings are accepted, and only if no order of them is legal.
 */
#include "story.h"

#include "base/memory.h"

struct row {
    const char *spec, *story;
    const char *ops;     /* "0 2 3": a number; "2?": its response forgotten */
    uint32_t cut;        /* 0: none */
    const char *message; /* NULL: accepted */
};

static uint32_t read_ops(const char *text, uint32_t *op, uint8_t *forgotten)
{
    uint32_t count = 0;
    while (*text) {
        char *end;
        op[count] = (uint32_t)strtoul(text, &end, 10);
        forgotten[count++] = *end == '?';
        text = end + strspn(end, "? ");
    }
    return count;
}

static enum plumb_status judge(const struct row *row,
                               struct plumb_budget *budget,
                               struct plumb_error *err)
{
    struct plumb_history h = story(row->story);
    uint32_t op[16];
    uint8_t forgotten[16];
    const struct plumb_core core = {
        .object = 0,
        .cut = row->cut ? row->cut : PLUMB_NEVER,
        .count = read_ops(row->ops, op, forgotten),
        .op = op,
        .forgotten = forgotten,
    };
    const enum plumb_status status =
        plumb_verify_violation(&h, (struct plumb_spec_ref){ row->spec, NULL },
                               &core, NULL, 0, budget, err);
    plumb_history_release(&h);
    return status;
}

static void judge_rows(const struct row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct plumb_error err = { .message = "accepted" };
        const enum plumb_status status = judge(row + i, NULL, &err);
        const bool right = row[i].message
                               ? status == PLUMB_EINPUT &&
                                     strstr(err.message, row[i].message) != NULL
                               : status == PLUMB_OK;
        if (!right)
            fail_msg("%s [%s], row %zu: %s", row[i].story, row[i].ops, i,
                     err.message);
    }
}

#define JUDGE(rows) judge_rows(rows, sizeof(rows) / sizeof *(rows))

/* 0: enq 1   1: enq 2   2: deq = 2   3: deq = 1, one after another */
#define SWAPPED "A enq 1; A ok; A enq 2; A ok; B deq; B ok 2; B deq; B ok 1"
#define LEGAL   "A enq 1; A ok; B deq; B ok 1"

static void violations_are_accepted(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "queue", SWAPPED, "0 1 2 3", 0, NULL },
        { "queue", SWAPPED, "0 1 2", 6, NULL },
        { "queue", SWAPPED, "0 1 2 3?", 0, NULL },
        { "queue", "A deq; A ok 1", "0", 0, NULL },
        { "mutex", "A lock; A ok; B lock; B ok", "0 1", 0, NULL },
        { "register", "A write 1; A ok; A read; A ok nil", "0 1", 0, NULL },
        /* A pending operation cannot help. */
        { "queue", "A enq 2; B deq; B ok 1", "0 1", 0, NULL },
        /* Any answer of a pending operation is tried. */
        { "queue",
          "A enq 1; A ok; A enq 2; A ok; B deq; C deq; C ok 2; C deq; C ok 1",
          "0 1 2 3 4", 0, NULL },
    };
    JUDGE(rows);
}

static void cores_with_a_legal_order_are_rejected(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "queue", LEGAL, "0 1", 0, "have a legal order" },
        { "queue", "", "", 0, "there is no object" },
        { "queue", LEGAL, "", 1, "have a legal order" },
        { "queue", LEGAL, "0", 2, "have a legal order" },
        { "queue", SWAPPED, "0? 1? 2 3?", 0, "have a legal order" },
        { "queue", "A deq; B enq 1; A ok 1", "0 1", 0, "have a legal order" },
        { "queue", "A deq; B deq; A ok 1; C enq 1", "0 1", 3,
          NULL }, /* enq came after the cut: not linearizable */
        { "queue", "A deq; B deq; C enq 1; A ok 1", "0 1 2", 0,
          "have a legal order" },
        { "semiqueue", SWAPPED, "0 1 2 3", 0, "have a legal order" },
        { "queue", "A deq; B enq 1; B ok; A ok 2", "0 1", 0, NULL },
        { "queue", "A deq; B enq 1; B ok; A ok 2", "0 1", 3,
          "have a legal order" },
        { "stuttering-queue", "A enq 1; A ok; A deq; A ok 1; A deq; A ok 1",
          "0 1 2", 0, "have a legal order" },
        { "bag",
          "A insert 1; A ok; A insert 2; A ok; B take; C member 1; C ok 0",
          "0 1 2 3", 0, "have a legal order" },
    };
    JUDGE(rows);
}

static void what_is_missing_needs_a_reason(void **state)
{
    (void)state;
    static const struct row rows[] = {
        /* 2 is read-only, 3 failed, 4 is of another object. */
        { "queue",
          "A enq 1; A ok; B deq; B ok 2; C peek; C ok 1; C enq 2; C !fail; "
          "C @y enq 2; C @y ok",
          "0 1", 0, NULL },
        { "queue", "A deq; A empty; B deq; B ok 2", "1", 0, NULL },
        { "queue", "A peek; B deq; B ok 2", "1", 0, NULL }, /* pending peek */
        { "queue", "A deq; B deq; B ok 2", "1", 0, "belongs to no value" },
        /* By value. */
        { "queue", "A enq 1; A ok; A deq; A ok 1; B deq; B ok 2", "2", 0,
          NULL },
        { "queue", "A enq 2; A ok; B deq; B ok 2; B deq; B ok 2", "1 2", 0,
          "others of its value are not" },
        { "queue", "A enq 1; B deq; B ok 2", "1", 0, NULL },
        { "queue:cap=9", "A enq 1; A ok; B deq; B ok 2", "1", 0, NULL },
        /* Some answers are in the way. */
        { "queue:cap=9", "A enq 1; A ok; A enq 3; A full; B deq; B ok 2", "1 2",
          0, "an answer may depend on it" },
        { "queue:cap=9", "A enq 1; A ok; A enq 3; A full; B deq; B ok 2",
          "1? 2", 0, NULL },
        { "queue:weak", "B deq; A enq 1; B empty; A ok; B deq; B ok 2", "0 2",
          0, "an answer may depend on it" },
        { "queue:weak=claim", "B deq; A enq 1; B empty; A ok; B deq; B ok 2",
          "0 2", 0, NULL },
        { "queue:weak", "A enq 1; A ok; B deq; B empty; B deq; B ok 2", "1 2",
          0, NULL },
        { "queue:weak=scan",
          "A enq 1; A ok; B deq; A deq; A ok 1; B empty; B deq; B ok 2", "1 3",
          0, "an answer may depend on it" },
        { "queue:weak=scan", "B deq; A deq; A empty; B ok 2", "0", 0,
          "belongs to no value" },
        { "queue:k=1", "A enq 1; A ok; B deq; B ok 2", "1", 0, NULL },
        { "queue:segment=2", "A enq 1; A ok; B deq; B ok 2", "1", 0,
          "is missing, but is not read-only" },
        /* A forgotten deq belongs to no value; the deq of 1 it stays for. */
        { "queue", "A enq 1; A ok; A enq 2; A ok; B deq; B ok 1; B deq; B ok 3",
          "2? 3", 0, NULL },
        { "queue", "A enq 1; A ok; B deq; B ok 1; B deq; B ok 3", "1 2", 0,
          "others of its value are not" },
        /* A forgotten enq keeps its value. */
        { "queue", "A enq 1; A ok; A enq 1; A ok; B deq; B ok 3", "0? 2", 0,
          "others of its value are not" },
        /* Sets belong to arguments, whatever the answer. */
        { "set", "A add 1; A ok t; B add 2; B ok t; B add 2; B ok t", "1 2", 0,
          NULL },
        { "set", "B add 2; B ok t; B add 2; B ok t; B has 2; B ok 0", "0 1", 0,
          NULL },
        { "set", "B add 2; B ok f; B has 2; B ok 1", "1", 0, NULL },
        { "set", "B add 2; B ok t; B has 2; B ok 0", "1", 0,
          "others of its value are not" },
        { "priority-queue",
          "A insert 1 x; A ok; A insert 2 y; A ok; B deq; B ok 2 z", "2", 0,
          NULL },
        { "priority-queue", "A insert z x; A ok; B deq; B ok 2 z", "1", 0,
          NULL },
        { "priority-queue", "A insert 1 x; A ok; B deq; B ok 2 x", "1", 0,
          "others of its value are not" },
        { "map", "A put 1 2; A ok; A get 3; A ok 1", "1", 0, NULL },
        { "map", "A put 3 2; A ok; A get 3; A ok 1", "1", 0,
          "others of its value are not" },
        { "bag", "A put 1; A ok; A take; A ok 1; A take; A ok 2", "2", 0,
          NULL },
        /* Registers are closed only without cas and swap. */
        { "register", "A write 1; A ok; A write 2; A ok; A read; A ok 3", "2",
          0, NULL },
        { "register", "A write 3; A ok; A write 2; A ok; A read; A ok 3", "2",
          0, "others of its value are not" },
        { "register", "A write 1; A ok; A read; A ok 3; A cas 1 2; A ok f", "1",
          0, "is missing, but is not read-only" },
        { "register", "A write 1; A ok; A read; A ok 3; A swap 1; A !info", "1",
          0, "is missing, but is not read-only" },
        { "register", "A write 1; A ok; A read; A ok 3; A cas 1 2; A !fail",
          "1", 0, NULL },
        /* cas(a,a), a failed cas, swap of the same, add(0): read-only. */
        { "register",
          "A cas 1 1; A !info; B cas 4 5; B ok f; B swap 6; B ok 6; A read; "
          "A ok 3",
          "3", 0, NULL },
        { "register", "B swap 6; B ok 7; A read; A ok 3", "1", 0,
          "is missing" },
        { "register", "B cas 6 7; B ok t; A read; A ok 3", "1", 0,
          "is missing" },
        { "counter", "A add 0; A ok; B fetch_add 0; B ok 0; A get; A ok 3", "2",
          0, NULL },
        { "counter", "A inc; A ok; A get; A ok 3", "1", 0, "is missing" },
        { "mutex", "A try_lock; A ok f; A unlock; A ok", "1", 0, NULL },
        { "mutex", "A try_lock; A ok t; A unlock; A ok", "1", 0, "is missing" },
        { "mutex", "A try_lock; A !info; A unlock; A ok", "1", 0,
          "is missing" },
    };
    JUDGE(rows);
}

static void malformed_cores_are_rejected(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "queue", SWAPPED, "1 0 2 3", 0, "ascending" },
        { "queue", SWAPPED, "0 0 1 2 3", 0, "ascending" },
        { "queue", SWAPPED, "0 1 2 4", 0, "there is no operation number 4" },
        { "queue", SWAPPED, "0 1 2 3", 6, "called after the cut" },
        { "queue", "A @x deq; A @x ok 1; A @y deq; A @y ok 1", "0 1", 0,
          "is of another object" },
        { "queue", "A deq; A ok 1; A enq 1; A !fail", "0 1", 0, "failed" },
        { "queue", "A push 1; A ok", "0", 0, "no such operation" },
        { "queue", "A push 1; A ok; A deq; A ok 1", "1", 0,
          "no such operation" },
    };
    JUDGE(rows);
}

static void a_core_of_no_object_is_rejected(void **state)
{
    (void)state;
    struct plumb_history h = story(SWAPPED);
    static const uint32_t op[] = { 0, 1, 2, 3 };
    const struct plumb_core core = { 1, PLUMB_NEVER, 4, op, NULL };
    struct plumb_error err;
    assert_int_equal(
        plumb_verify_violation(&h, (struct plumb_spec_ref){ "queue", NULL },
                               &core, NULL, 0, NULL, &err),
        PLUMB_EINPUT);
    plumb_history_release(&h);
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    static const struct row row = { "semiqueue",
                                    SWAPPED "; A deq; B deq; B ok 1",
                                    "0 1 2 3 4 5", 0, NULL };
    enum plumb_status status = PLUMB_EMEMORY;
    for (size_t nth = 1; status != PLUMB_OK; nth++) {
        struct plumb_budget *const b = plumb_budget_new(0, 0);
        struct plumb_error err;
        plumb_base_budget_fail_at(b, nth);
        status = judge(&row, b, &err);
        assert_true(status == PLUMB_OK || status == PLUMB_EMEMORY);
        assert_int_equal(plumb_budget_used(b), 0);
        plumb_budget_free(b);
        assert_true(nth < 100000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(violations_are_accepted),
        cmocka_unit_test(cores_with_a_legal_order_are_rejected),
        cmocka_unit_test(what_is_missing_needs_a_reason),
        cmocka_unit_test(malformed_cores_are_rejected),
        cmocka_unit_test(a_core_of_no_object_is_rejected),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
