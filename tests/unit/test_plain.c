/* The plain specifications say what docs/specifications.md says.
 *
 * Each row is a sequential history and whether it is legal; the verifier is
 * given the witness that is the history's own order. */
#include "story.h"

#include "base/memory.h"
#include "proof/plain.h"

struct row {
    const char *spec, *ops;
    bool legal;
};

static enum plumb_status judge(const char *spec, const char *ops,
                               struct plumb_budget *budget,
                               struct plumb_error *err)
{
    struct plumb_history h = story_of_one(ops);
    uint32_t order[64], count = 0;
    assert_true(h.count <= 64);
    for (uint32_t i = 0; i < h.count; i++)
        if (h.op[i].outcome != PLUMB_OUTCOME_FAIL)
            order[count++] = i;
    const enum plumb_status status = plumb_verify_witness(
        &h, (struct plumb_spec_ref){ spec, NULL }, order, count, budget, err);
    plumb_history_release(&h);
    return status;
}

static void judge_rows(const struct row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct plumb_error err = { .message = "" };
        const enum plumb_status status =
            judge(row[i].spec, row[i].ops, NULL, &err);
        if ((status == PLUMB_OK) != row[i].legal)
            fail_msg("%s: %s: expected %s: %s", row[i].spec, row[i].ops,
                     row[i].legal ? "legal" : "illegal", err.message);
        if (status != PLUMB_OK && !strstr(err.message, "cannot take effect"))
            fail_msg("%s: %s: rejected for another reason: %s", row[i].spec,
                     row[i].ops, err.message);
    }
}

#define JUDGE(rows) judge_rows(rows, sizeof(rows) / sizeof *(rows))

static void queues_are_first_in_first_out(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "queue",
          "deq; empty; enq 1; ok; enq 2; ok; peek; ok 1; deq; ok 1; "
          "deq; ok 2; poll; empty",
          true },
        { "queue", "enq 1; ok; enq 2; ok; deq; ok 2", false },
        { "queue", "enq 1; ok; deq; empty", false },
        { "queue", "enq 1; ok; peek; ok 1; peek; ok 1; deq; ok 1; peek; empty",
          true },
        { "queue", "peek; ok 1", false },
        { "queue", "Enqueue 1; OK; DE_QUEUE; ok 1; try-deq; EMPTY", true },
        { "queue",
          "offer 1; ok; add 2; ok; send 3; ok; remove; ok 1; recv; "
          "ok 2; receive; ok 3",
          true },
        { "queue", "enq 1; full", false },
        { "queue", "take; ok 1", false },
        { "queue", "take; empty", false },
        { "queue", "put 1; ok; take; ok 1", true },
        { "queue", "enq 1; ok; deq; ok true", false },
        { "queue", "enq a; ok; deq; ok a", true },
        { "queue", "enq a; ok; deq; ok b", false },
        { "queue:cap=2",
          "enq 1; ok; enq 2; ok; enq 3; full; deq; ok 1; enq 3; "
          "ok; deq; ok 2; deq; ok 3",
          true },
        { "queue:cap=2", "enq 1; ok; enq 2; full", false },
        { "queue:cap=1", "enq 1; ok; enq 2; ok", false },
        { "queue:cap=1", "put 1; ok; put 2; ok", false },
        { "queue:cap=1", "put 1; ok; deq; ok 1; put 2; ok", true },
        { "queue:blocking", "deq; empty", false },
        { "queue:blocking", "poll; empty; peek; empty", true },
        { "queue:blocking,cap=1", "enq 1; ok; enq 1; full; deq; ok 1", true },
    };
    JUDGE(rows);
}

static void semiqueues_give_any_item(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "semiqueue",
          "enq 1; ok; enq 2; ok; deq; ok 2; peek; ok 1; deq; ok 1; "
          "deq; empty",
          true },
        { "semiqueue", "enq 1; ok; enq 2; ok; deq; ok 2; deq; ok 2", false },
        { "semiqueue", "enq 1; ok; enq 1; ok; deq; ok 1; deq; ok 1", true },
        { "semiqueue", "enq 1; ok; deq; empty", false },
        { "semiqueue",
          "enq 1; ok; enq 2; ok; deq; !info; deq; ok 2; deq; "
          "empty",
          true },
        { "semiqueue", "enq 1; ok; enq 2; ok; deq; !info; deq; ok 2; deq; ok 1",
          false },
        { "semiqueue:cap=1", "enq 1; ok; enq 2; full; deq; ok 1; enq 2; ok",
          true },
        { "semiqueue:blocking", "deq; empty", false },
    };
    JUDGE(rows);
}

static void stuttering_queues_repeat_at_most_j_times(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "stuttering-queue", "enq 1; ok; deq; ok 1; deq; ok 1; deq; empty",
          true },
        { "stuttering-queue", "enq 1; ok; deq; ok 1; deq; ok 1; deq; ok 1",
          false },
        { "stuttering-queue", "enq 1; ok; deq; ok 1; deq; empty", true },
        { "stuttering-queue:j=0", "enq 1; ok; deq; ok 1; deq; ok 1", false },
        { "stuttering-queue:j=2",
          "enq 1; ok; deq; ok 1; deq; ok 1; deq; ok 1; deq; empty", true },
        { "stuttering-queue:j=2",
          "enq 1; ok; deq; ok 1; deq; ok 1; deq; ok 1; deq; ok 1", false },
        /* Two equal items: each may be repeated. */
        { "stuttering-queue",
          "enq 1; ok; enq 1; ok; deq; ok 1; deq; ok 1; "
          "deq; ok 1; deq; ok 1; deq; empty",
          true },
        { "stuttering-queue",
          "enq 1; ok; deq; ok 1; peek; ok 1; peek; ok 1; "
          "deq; ok 1",
          true },
        { "stuttering-queue",
          "enq 1; ok; enq 2; ok; deq; ok 1; deq; ok 2; "
          "deq; ok 1",
          false },
        { "stuttering-queue", "deq; empty; enq 1; ok; deq; empty", false },
    };
    JUDGE(rows);
}

/* v - (t+1) <= K, and v = o or t+1 - o < K. */
static void quasi_queues_are_at_most_k_out_of_order(void **state)
{
    (void)state;
#define FOUR "enq 1; ok; enq 2; ok; enq 3; ok; enq 4; ok; "
    static const struct row rows[] = {
        { "queue:k=0", FOUR "deq; ok 2", false },
        { "queue:k=0", FOUR "deq; ok 1; deq; ok 2", true },
        { "queue:k=1", FOUR "deq; ok 2; deq; ok 1; deq; ok 4; deq; ok 3",
          true },
        { "queue:k=1", FOUR "deq; ok 3", false },
        { "queue:k=1", FOUR "deq; ok 2; deq; ok 3", false }, /* 1 is overdue */
        { "queue:k=2", FOUR "deq; ok 3; deq; ok 4; deq; ok 1", true },
        { "queue:k=2", FOUR "deq; ok 3; deq; ok 4; deq; ok 2", false },
        { "queue:k=2", FOUR "deq; ok 4", false },
        { "queue:k=2", FOUR "deq; ok 2; deq; ok 3; deq; ok 4", false },
        { "queue:k=2", FOUR "peek; ok 3; peek; ok 2; deq; ok 1", true },
        { "queue:k=2", FOUR "peek; ok 4", false },
        { "queue:k=1", "enq 1; ok; enq 2; ok; deq; ok 2; deq; ok 1; deq; empty",
          true },
        { "queue:k=1", "enq 1; ok; deq; empty", false },
        /* Holes at the end still count: item 3 is third. */
        { "queue:k=1", "enq 1; ok; enq 2; ok; deq; ok 2; enq 3; ok; deq; ok 3",
          false },
        { "queue:k=2", "enq 1; ok; enq 2; ok; deq; ok 2; enq 3; ok; deq; ok 3",
          true },
        /* Of equal items the oldest goes. */
        { "queue:k=1",
          "enq 1; ok; enq 2; ok; enq 2; ok; deq; ok 2; deq; ok 1; "
          "deq; ok 2",
          true },
        { "queue:k=1,cap=2",
          "enq 1; ok; enq 2; ok; deq; ok 2; enq 3; ok; "
          "enq 4; full",
          true },
        { "queue:k=1,blocking", "deq; empty", false },
        { "queue:k=2", FOUR "deq; !info; deq; ok 4; deq; ok 1", true },
        { "queue:k=1", FOUR "deq; !info; deq; ok 4", false },
    };
    JUDGE(rows);
#undef FOUR
}

static void stacks_are_last_in_first_out(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "stack",
          "pop; empty; push 1; ok; push 2; ok; top; ok 2; pop; ok 2; "
          "try_pop; ok 1; take; ok 5",
          false },
        { "stack",
          "pop; empty; push 1; ok; add 2; ok; top; ok 2; remove; "
          "ok 2; poll; ok 1; peek; empty",
          true },
        { "stack", "push 1; ok; push 2; ok; pop; ok 1", false },
        { "stack", "push 1; ok; pop; empty", false },
        { "stack:cap=1", "push 1; ok; push 2; full; pop; ok 1", true },
        { "stack:cap=1", "push 1; full", false },
        { "stack:cap=1", "put 1; ok; put 1; ok", false },
        { "stack:blocking", "try_pop; empty; peek; empty", true },
        { "stack:blocking", "pop; empty", false },
        { "stack", "take; empty", false },
    };
    JUDGE(rows);
}

static void deques_have_two_ends(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "deque",
          "push_front 1; ok; push_back 2; ok; push_front 0; ok; "
          "peek_front; ok 0; peek_back; ok 2; pop_back; ok 2; "
          "pop_front; ok 0; pop_left; ok 1; steal; empty",
          true },
        { "deque", "push_front 1; ok; push_front 2; ok; pop_front; ok 1",
          false },
        { "deque", "push_back 1; ok; push_back 2; ok; pop_back; ok 1", false },
        { "deque",
          "addFirst 1; ok; offer-last 2; ok; pollLast; ok 2; "
          "removeFirst; ok 1",
          true },
        { "deque:cap=1", "push_back 1; ok; push_front 2; full", true },
        { "deque:cap=1", "push_back 1; ok; push_front 2; ok", false },
        { "deque:blocking", "pop_front; empty", false },
        { "deque:blocking", "pop_back; empty", false },
        { "deque:blocking", "peek_back; empty", true },
    };
    JUDGE(rows);
}

static void priority_queues_answer_the_least(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "priority-queue",
          "insert 3; ok; insert 1; ok; insert 2; ok; min; "
          "ok 1; delmin; ok 1; delmin; ok 2; delmin; ok 3; "
          "delmin; empty",
          true },
        { "priority-queue", "insert 3; ok; insert 1; ok; delmin; ok 3", false },
        { "priority-queue:max",
          "insert 3; ok; insert 1; ok; max; ok 3; "
          "delmax; ok 3; delmax; ok 1",
          true },
        { "priority-queue:max", "insert 3; ok; insert 1; ok; delmin; ok 1",
          false },
        /* Among equal priorities any. */
        { "priority-queue",
          "insert 1 a; ok; insert 1 b; ok; delmin; ok 1 b; "
          "delmin; ok 1 a",
          true },
        { "priority-queue",
          "insert 1 a; ok; insert 1 b; ok; delmin; ok 1 b; "
          "delmin; ok 1 b",
          false },
        { "priority-queue", "insert 1 a; ok; delmin; ok 1", false },
        { "priority-queue", "insert 1; ok; delmin; ok 1 1", false },
        { "priority-queue",
          "insert 1; ok; insert 1 7; ok; delmin; ok 1; "
          "delmin; ok 1 7",
          true },
        { "priority-queue", "insert 2 a; ok; insert 1 b; ok; min; ok 2 a",
          false },
        /* nil < false < true < integers < strings */
        { "priority-queue",
          "insert b; ok; insert a; ok; insert -5; ok; "
          "insert true; ok; insert false; ok; insert nil; "
          "ok; insert aa; ok; delmin; ok nil; delmin; ok "
          "false; delmin; ok true; delmin; ok -5; delmin; "
          "ok a; delmin; ok aa; delmin; ok b",
          true },
        { "priority-queue",
          "insert 1; ok; insert 2; ok; insert 1; ok; delmin; "
          "ok 1; delmin; ok 1; delmin; ok 2",
          true },
        { "priority-queue",
          "insert 1 a; ok; insert 1 b; ok; delmin; !info; "
          "delmin; ok 1 a; delmin; empty",
          true },
        { "priority-queue",
          "insert 1 a; ok; insert 2 b; ok; delmin; !info; "
          "delmin; ok 1 a",
          false },
        { "priority-queue:cap=1", "insert 1; ok; insert 2; full", true },
        { "priority-queue:cap=2", "insert 1; ok; insert 2; full", false },
        { "priority-queue:blocking", "delmin; empty", false },
        { "priority-queue:blocking", "min; empty", true },
        { "priority-queue", "take; empty", false },
    };
    JUDGE(rows);
}

static void sets_know_their_members(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "set",
          "member 1; ok false; insert 1; ok true; insert 1; ok false; "
          "contains 1; ok true; delete 1; ok true; remove 1; ok false",
          true },
        { "set",
          "insert 1; ok t; insert 1; ok f; member 1; ok 1; member 2; "
          "ok 0",
          true },
        { "set", "insert 1; ok false", false },
        { "set", "insert 1; ok true; insert 1; ok true", false },
        { "set", "delete 1; ok true", false },
        { "set", "member 1; ok true", false },
        { "set", "insert 1; ok nil", false },
        { "set", "insert 1; ok T", false },
        { "set", "insert 1; ok 2", false },
        { "set", "insert 1; ok true; member true; ok true", false },
    };
    JUDGE(rows);
}

static void multisets_count(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "multiset",
          "insert 1; ok; add 1; ok; count 1; ok 2; delete 1; ok "
          "true; count 1; ok 1; member 1; ok 1; erase 1; ok true; "
          "delete 1; ok false; has 1; ok false; count 1; ok 0",
          true },
        { "multiset", "insert 1; ok; count 1; ok 2", false },
        { "multiset", "insert 1; ok; count 1; ok true", false },
        { "multiset", "delete 1; ok true", false },
        { "bag",
          "insert 1; ok; insert 2; ok; take; ok 2; take; ok 1; take; "
          "empty",
          true },
        { "bag", "insert 1; ok; take; ok 2", false },
        { "bag", "insert 1; ok; take; empty", false },
        { "bag", "put 1; ok; poll; ok 1; poll; ok 1", false },
        { "bag:blocking", "take; empty", false },
        { "bag",
          "insert 1; ok; insert 2; ok; take; !info; member 1; ok true; "
          "member 2; ok true",
          false },
        { "bag",
          "insert 1; ok; insert 2; ok; take; !info; member 1; ok true; "
          "member 2; ok false",
          true },
    };
    JUDGE(rows);
}

static void maps_map(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "map",
          "get 1; none; put 1 a; ok; get 1; ok a; put 1 b; ok; read 1; "
          "ok b; get 2; none; remove 1; ok b; remove 1; none; get 1; "
          "none",
          true },
        { "map", "put 1 a; ok; get 1; ok b", false },
        { "map", "put 1 a; ok; get 1; none", false },
        { "map", "insert 1 a; ok true; insert 1 b; ok false; get 1; ok a",
          true },
        { "map", "insert 1 a; ok true; insert 1 b; ok false; get 1; ok b",
          false },
        { "map",
          "member 1; ok false; put 1 nil; ok; member 1; ok true; get 1; "
          "ok nil",
          true },
        { "map",
          "append 1 ab; ok; append 1 c; ok; get 1; ok abc; append 1 7; "
          "ok; get 1; ok abc7",
          true },
        { "map", "append 1 ab; ok; append 1 c; ok; get 1; ok ab", false },
        { "map",
          "append 1 ab; ok; append 1 c; ok; put 2 abc; ok; remove 1; "
          "ok abc; get 1; none",
          true },
        { "map", "put 1 nil; ok; append 1 x; ok; get 1; ok x", true },
        { "map", "put 1 false; ok; append 1 -3; ok; get 1; ok false-3", true },
        { "map", "append 1 nil; ok; member 1; ok true; get 1; none", false },
        { "map", "append 1 a; ok; put 1 b; ok; get 1; ok b", true },
        { "map:init=0",
          "get 5; ok 0; insert 5 1; ok false; remove 5; ok 0; "
          "get 5; none; insert 5 1; ok true; get 5; ok 1",
          true },
        { "map:init=0", "get 5; none", false },
        { "map:init=a", "append 5 b; ok; get 5; ok ab; get 6; ok a", true },
        { "map:init=\"a b\"", "get 5; ok a", false },
        { "map:init=nil", "get 5; ok nil; member 5; ok true", true },
        { "map:init=true", "get 5; ok true", true },
        { "map:init=true", "get 5; ok t", false }, /* a value, not a boolean */
    };
    JUDGE(rows);
}

static void registers_hold_a_value(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "register",
          "read; ok nil; write 1; ok; read; ok 1; cas 1 2; ok true; "
          "cas 1 3; ok false; read; ok 2; swap 5; ok 2; get; ok 5",
          true },
        { "register", "read; ok 0", false },
        { "register:init=0", "read; ok 0", true },
        { "register:init=-7", "read; ok -7", true },
        { "cas-register:init=x", "cas x y; ok t; load; ok y", true },
        { "cas-register", "cas nil 1; ok true; read; ok 1", true },
        { "cas-register", "cas 0 1; ok true", false },
        { "cas-register", "write 0; ok; cas 0 1; ok false", false },
        { "register", "write 1; ok; swap 2; ok 2", false },
    };
    JUDGE(rows);
}

static void counters_count_and_wrap(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "counter",
          "get; ok 0; inc; ok; add 5; ok; dec; ok; value; ok 5; "
          "fetch_inc; ok 5; fetch_add -6; ok 6; read; ok 0",
          true },
        { "counter", "inc; ok; get; ok 0", false },
        { "counter:init=-3", "get; ok -3", true },
        { "counter", "fetch_inc; ok 1", false },
        { "counter:init=9223372036854775807",
          "inc; ok; get; ok -9223372036854775808", true },
    };
    JUDGE(rows);
}

static void locks_exclude(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "mutex",
          "lock; ok; try_lock; ok false; unlock; ok; try_lock; ok "
          "true; release; ok; acquire; ok",
          true },
        { "mutex", "lock; ok; lock; ok", false },
        { "mutex", "unlock; ok", false },
        { "mutex", "try_lock; ok false", false },
        { "semaphore", "acquire; ok; acquire; ok", false },
        { "semaphore", "p; ok; try_down; ok 0; v; ok; wait; ok", true },
        { "semaphore:n=2", "acquire; ok; acquire; ok; try_acquire; ok false",
          true },
        { "semaphore:n=0", "try_acquire; ok true", false },
        { "semaphore", "release; ok; acquire; ok; acquire; ok; acquire; ok",
          false },
    };
    JUDGE(rows);
}

/* ---- what cannot be read ---- */

static void unreadable_operations_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *ops, *message;
    } rows[] = {
        { "queue", "push 1; ok", "push(1)=ok by A: the specification has no" },
        { "queue", "enq; ok", "enq()=ok by A: wrong number of arguments" },
        { "queue", "enq 1 2; ok", "enq(1,2)=ok by A: wrong number" },
        { "queue", "deq; none", "deq()=none by A: the operation has no such" },
        { "queue", "deq; ok", "deq()=ok by A: the operation has no such" },
        { "queue", "deq; ok 1 2", "the operation has no such result" },
        { "multiset", "take; ok 1", "the specification has no such operation" },
        { "counter", "add x; ok", "the argument is not an integer" },
        { "register", "write 1; ok 1", "the operation has no such result" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct plumb_error err;
        assert_int_equal(judge(rows[i].spec, rows[i].ops, NULL, &err),
                         PLUMB_EINPUT);
        if (!strstr(err.message, rows[i].message))
            fail_msg("%s: %s", rows[i].ops, err.message);
    }
}

static void malformed_specifications_are_rejected(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "heap",
        "queue:",
        "queue:cap",
        "queue:cap=",
        "queue:cap=0",
        "queue:cap=-1",
        "queue:cap=x",
        "queue:j=1",
        "queue:cap=1,",
        "queue:blocking=1",
        "queue:k=1,late=1",
        "queue:early=1,segment=2",
        "queue:enq=1,k=1",
        "queue:segment=0",
        "stack:early=1",
        "set:cap=1",
        "counter:init=x",
        "register:init=",
        "queue:CAP=1",
        "queue:cap=99999999999999999999",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct plumb_proof_plain *p;
        struct plumb_error err;
        const struct plumb_spec_ref ref = { texts[i], NULL };
        if (plumb_proof_plain_new(ref, NULL, NULL, &p, &err) != PLUMB_EINPUT)
            fail_msg("\"%s\" was accepted", texts[i]);
        assert_true(err.column >= 1);
    }
}

/* ---- outcomes, by hand ---- */

static size_t count_outcomes(const char *spec, const int64_t *items,
                             size_t count, const char *operation)
{
    struct plumb_proof_plain *p;
    struct plumb_error err;
    struct plumb_proof_plain_reply r;
    struct plumb_proof_plain_outcomes list;
    const struct plumb_spec_ref ref = { spec, NULL };
    assert_int_equal(plumb_proof_plain_new(ref, NULL, NULL, &p, &err),
                     PLUMB_OK);
    struct plumb_proof_plain_state *const s = plumb_proof_plain_initial(p);
    for (size_t i = 0; i < count; i++) {
        const struct plumb_value v = plumb_int(items[i]);
        const struct plumb_proof_plain_call add = {
            .operation = plumb_proof_plain_operation(p, "add", 3),
            .nargs = 1,
            .args = &v,
        };
        assert_int_equal(plumb_proof_plain_perform(p, s, &add, &r),
                         PLAIN_RETURNS);
    }
    const struct plumb_proof_plain_call c = {
        .operation =
            plumb_proof_plain_operation(p, operation, strlen(operation)),
    };
    assert_int_equal(plumb_proof_plain_outcomes(p, s, &c, &list), PLUMB_OK);
    const size_t outcomes = list.count;
    plumb_proof_plain_outcomes_release(p, &list);
    plumb_proof_plain_state_free(p, s);
    plumb_proof_plain_free(p);
    return outcomes;
}

static void outcomes_are_all_listed(void **state)
{
    (void)state;
    static const int64_t items[] = { 4, 7, 4, 9 };
    assert_int_equal(count_outcomes("queue", items, 4, "deq"), 1);
    assert_int_equal(count_outcomes("queue:k=2", items, 4, "deq"), 2);
    assert_int_equal(count_outcomes("queue:k=3", items, 4, "deq"), 3);
    assert_int_equal(count_outcomes("semiqueue", items, 4, "deq"), 3);
    assert_int_equal(count_outcomes("stuttering-queue", items, 4, "deq"), 2);
    assert_int_equal(count_outcomes("bag", items, 4, "take"), 3);
    assert_int_equal(count_outcomes("bag:blocking", items, 0, "take"), 0);
    assert_int_equal(count_outcomes("priority-queue", items, 4, "min"), 1);
}

/* ---- a user's specification ---- */

struct dice {
    int32_t low, high;
};

enum { ROLL, SUM };

/* roll() chooses twice, changing the state in between. */
static bool dice_step(void *s, const struct plumb_call *call,
                      struct plumb_reply *reply)
{
    struct dice *const d = s;
    if (call->op == SUM) {
        plumb_reply_value(reply, plumb_int(d->low + d->high));
        return d->low != 2; /* blocks after a low 2 */
    }
    d->low = (int32_t)plumb_call_choose(call, 3);
    d->high = 10 * (int32_t)plumb_call_choose(call, 2);
    return true;
}

static const char *const dice_ops[] = { "roll/0", "sum/0", NULL };

static const struct plumb_user_spec dice = {
    .version = PLUMB_SPEC_VERSION,
    .name = "dice",
    .state_size = sizeof(struct dice),
    .ops = dice_ops,
    .step = dice_step,
};

static enum plumb_status judge_dice(const char *ops)
{
    struct plumb_history h = story_of_one(ops);
    struct plumb_error err;
    static const uint32_t order[] = { 0, 1, 2, 3 };
    const enum plumb_status status = plumb_verify_witness(
        &h, (struct plumb_spec_ref){ NULL, &dice }, order, h.count, NULL, &err);
    plumb_history_release(&h);
    return status;
}

static void user_specifications_are_tried_in_every_way(void **state)
{
    (void)state;
    assert_int_equal(judge_dice("sum; ok 0; roll; ok; sum; ok 11"), PLUMB_OK);
    assert_int_equal(judge_dice("roll; ok; sum; ok 0"), PLUMB_OK);
    assert_int_equal(judge_dice("roll; ok; sum; ok 1; sum; ok 1"), PLUMB_OK);
    assert_int_equal(judge_dice("roll; ok; sum; ok 1; sum; ok 0"),
                     PLUMB_EINPUT);
    assert_int_equal(judge_dice("roll; ok; sum; ok 12"), PLUMB_EINPUT);
    assert_int_equal(judge_dice("roll; ok; sum; ok 5"), PLUMB_EINPUT);
    assert_int_equal(judge_dice("roll 1; ok"), PLUMB_EINPUT);
    assert_int_equal(judge_dice("toss; ok"), PLUMB_EINPUT);
}

static void malformed_user_specifications_are_rejected(void **state)
{
    (void)state;
    static const char *const bad[][2] = { { "roll", NULL },
                                          { "/1", NULL },
                                          { "roll/", NULL },
                                          { "roll/x", NULL },
                                          { "roll/999", NULL } };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct plumb_user_spec u = dice;
        struct plumb_proof_plain *p;
        struct plumb_error err;
        u.ops = bad[i];
        const struct plumb_spec_ref ref = { NULL, &u };
        assert_int_equal(plumb_proof_plain_new(ref, NULL, NULL, &p, &err),
                         PLUMB_EINPUT);
    }
}

/* ---- memory ---- */

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "queue:k=2", "enq 1; ok; enq 2; ok; deq; !info; deq; ok 1", true },
        { "semiqueue", "enq 1; ok; enq 2; ok; deq; !info; deq; ok 1", true },
        { "stuttering-queue", "enq 1; ok; deq; ok 1; deq; ok 1", true },
        { "priority-queue",
          "insert 1 a; ok; insert 1 b; ok; delmin; !info; "
          "delmin; ok 1 a",
          true },
        { "map:init=x",
          "append 1 a; ok; append 2 b; ok; get 1; ok xa; "
          "remove 2; ok xb; put 3 4; ok",
          true },
        { "set",
          "add 1; ok t; add 2; ok t; add 3; ok t; add 4; ok t; add 5; ok "
          "t; add 6; ok t; add 7; ok t; add 8; ok t; add 9; ok t; "
          "add 10; ok t",
          true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum plumb_status status = PLUMB_EMEMORY;
        for (size_t nth = 1; status != PLUMB_OK; nth++) {
            struct plumb_budget *const b = plumb_budget_new(0, 0);
            struct plumb_error err;
            plumb_base_budget_fail_at(b, nth);
            status = judge(rows[i].spec, rows[i].ops, b, &err);
            assert_true(status == PLUMB_OK || status == PLUMB_EMEMORY);
            assert_int_equal(plumb_budget_used(b), 0);
            plumb_budget_free(b);
            assert_true(nth < 1000);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_are_first_in_first_out),
        cmocka_unit_test(semiqueues_give_any_item),
        cmocka_unit_test(stuttering_queues_repeat_at_most_j_times),
        cmocka_unit_test(quasi_queues_are_at_most_k_out_of_order),
        cmocka_unit_test(stacks_are_last_in_first_out),
        cmocka_unit_test(deques_have_two_ends),
        cmocka_unit_test(priority_queues_answer_the_least),
        cmocka_unit_test(sets_know_their_members),
        cmocka_unit_test(multisets_count),
        cmocka_unit_test(maps_map),
        cmocka_unit_test(registers_hold_a_value),
        cmocka_unit_test(counters_count_and_wrap),
        cmocka_unit_test(locks_exclude),
        cmocka_unit_test(unreadable_operations_are_named),
        cmocka_unit_test(malformed_specifications_are_rejected),
        cmocka_unit_test(outcomes_are_all_listed),
        cmocka_unit_test(user_specifications_are_tried_in_every_way),
        cmocka_unit_test(malformed_user_specifications_are_rejected),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
