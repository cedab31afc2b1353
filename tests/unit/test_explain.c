/* test_explain.c - sentences are told when they are true, and only then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "report/explain.h"
#include "story.h"
#include <stdio.h>

static const struct plumb_report_style style;

/* What is told about the whole history. */
static void check_why(const char *spec, const char *text, const char *expected)
{
    struct plumb_history h = story(text);
    struct plumb_base_arena arena;
    struct plumb_report_scene scene;
    struct plumb_base_text t;
    plumb_base_arena_init(&arena, NULL);
    plumb_base_text_init(&t, NULL);
    assert_true(plumb_report_scene_of_history(&h, &arena, &scene));
    const bool told = plumb_report_explain_why(&scene, spec, &style, &t);
    assert_string_equal(plumb_base_text_string(&t), expected);
    assert_int_equal(told, *expected != '\0');
    plumb_base_text_release(&t);
    plumb_base_arena_release(&arena);
    plumb_history_release(&h);
}

struct example {
    const char *spec, *text, *expected;
};

static void check_all(const struct example *e, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_why(e[i].spec, e[i].text, e[i].expected);
}
#define CHECK_ALL(examples)                                                    \
    check_all(examples, sizeof examples / sizeof *examples)

static void queues_are_explained(void **state)
{
    (void)state;
    static const struct example examples[] = {
        { "queue",
          "A enq(1); A ok(); A enq(2); B deq(); A ok(); B ok(2); B deq(); "
          "B ok(1)",
          "a returned before b was called, so 1 entered the queue before 2\n"
          "c returned before d was called, so 2 left the queue before 1\n" },
        { "queue",
          "A enq(1); A ok(); A enq(2); B peek(); A ok(); B ok(2); B deq(); "
          "B ok(1)",
          "a returned before b was called, so 1 entered the queue before 2\n"
          "c returned before d was called, so 2 was at the front while "
          "1 was in the queue\n" },
        { "queue",
          "A enq(1); A ok(); A enq(2); B deq(); A ok(); B ok(2); B peek(); "
          "B ok(1)",
          "a returned before b was called, so 1 entered the queue before 2\n"
          "c returned before d was called, so 2 left the queue while 1 "
          "was in it\n" },
        { "queue", "A enq(1); A ok(); A enq(2); B deq(); A ok(); B ok(2)",
          "a returned before b was called, so 1 entered the queue before 2\n"
          "c returned 2, although 1 was ahead of it and still in the queue\n" },
        { "queue", "A enq(1); A ok(); B Try-Deq(); B ok(3)",
          "b returned 3, which was never enqueued\n" },
        { "stuttering-queue", "B deq(); B ok(1); A enq(1); A ok()",
          "a returned 1 before it was enqueued: b was called later\n" },
        { "queue", "A enq(1); B deq(); C deq(); A ok(); B ok(1); C ok(1)",
          "b and c both dequeued 1, but only a enqueued it, and only once\n" },
        { "semiqueue:cap=9",
          "A enq(1); A ok(); A enq(1); A ok(); B deq(); B ok(1); B deq(); B "
          "ok(1); B deq(); B ok(1)",
          "1 was removed 3 times, but enqueued only 2 times\n" },
        { "queue", "A enq(1); A ok(); B deq(); B empty()",
          "1 was present from the return of a on\n"
          "b ran entirely in that time, yet returned empty\n" },
        { "queue",
          "A enq(1); A ok(); C deq(); B enq(2); B ok(); B deq(); C empty(); "
          "B ok(1)",
          "1 was present from the return of a until d was called\n"
          "2 was present from the return of c on\n"
          "b ran entirely in that time, yet returned empty\n" },
    };
    CHECK_ALL(examples);
}

static void other_containers_are_explained(void **state)
{
    (void)state;
    static const struct example examples[] = {
        { "stack",
          "A push(1); A ok(); A push(2); A ok(); B pop(); B ok(1); B pop(); B "
          "ok(2)",
          "a returned before b was called, so 2 was pushed on top of 1\n"
          "2 was present from the return of b until d was called\n"
          "c ran entirely in that time, yet returned 1\n" },
        { "deque", "A push_front(1); A ok(); A pop_back(); A empty()",
          "1 was present from the return of a on\n"
          "b ran entirely in that time, yet returned empty\n" },
        { "priority-queue",
          "A insert(1); A ok(); A insert(5,x); A ok(); B delmin(); B ok(5,x)",
          "1 was present from the return of a on\n"
          "c ran entirely in that time, yet returned (5,x), which is larger "
          "than 1\n" },
        { "priority-queue:max",
          "A insert(1); A ok(); A insert(b); A ok(); B delmax(); B ok(1)",
          "b was present from the return of b on\n"
          "c ran entirely in that time, yet returned 1, which is smaller "
          "than b\n" },
        { "multiset", "A insert(1); A ok(); A delete(1); A ok(false)",
          "1 was present from the return of a on\n"
          "b ran entirely in that time, yet did not find the item\n" },
        { "bag", "A insert(1); A ok(); A take(); A ok(1); A delete(1); A ok(t)",
          "b and c both took 1, but only a inserted it, and only once\n" },
    };
    CHECK_ALL(examples);
}

static void cells_are_explained(void **state)
{
    (void)state;
    static const struct example examples[] = {
        { "register",
          "A write(1); A ok(); A write(2); A ok(); B read(); B ok(1)",
          "after b, the value was 2; b returned before c was called\n"
          "no operation wrote 1 in between, yet c behaved as if the value was "
          "1\n" },
        { "register:init=0", "A write(2); A ok(); B read(); B ok(1)",
          "after a, the value was 2; a returned before b was called\n"
          "no operation wrote 1 in between, yet b behaved as if the value was "
          "1\n" },
        { "cas-register", "A write(2); B read(); B ok(3); A ok()",
          "initially the value was nil\n"
          "no operation wrote 3 before b returned, yet b behaved as if the "
          "value was 3\n" },
        { "cas-register",
          "A write(1); A ok(); A cas(1,2); A ok(true); B swap(5); B ok(1)",
          "after b, the value was 2; b returned before c was called\n"
          "no operation wrote 1 in between, yet c behaved as if the value was "
          "1\n" },
        { "set", "A insert(3); A ok(true); B insert(3); B ok(true)",
          "after a, 3 was in the set; a returned before b was called\n"
          "no operation deleted 3 in between, yet b behaved as if 3 was not in "
          "the "
          "set\n" },
        { "set", "B member(3); B ok(true); A insert(3); A ok(true)",
          "initially 3 was not in the set\n"
          "no operation inserted 3 before a returned, yet a behaved as if 3 "
          "was in the set\n" },
        { "map", "A put(k,1); A ok(); B get(k); B none()",
          "after a, k had the value 1; a returned before b was called\n"
          "no operation removed k in between, yet b behaved as if k had no "
          "value\n" },
        { "map", "A insert(k,1); A ok(true); B get(k); B ok(2)",
          "initially k had no value\n"
          "no operation gave k the value 2 before b returned, yet b behaved as "
          "if k had "
          "the value 2\n" },
        { "mutex", "A lock(); A ok(); B lock(); B ok()",
          "after a, the mutex was locked; a returned before b was called\n"
          "no operation unlocked the mutex in between, yet b behaved as if the "
          "mutex was "
          "free\n" },
    };
    CHECK_ALL(examples);
}

static void counts_are_explained(void **state)
{
    (void)state;
    static const struct example examples[] = {
        { "counter", "A inc(); B get(); A ok(); B ok(2)",
          "during b, the counter was at most 1 (counting every operation that "
          "may have taken effect by then), yet b behaved as if it was 2\n" },
        { "counter:init=-3", "A add(2); A ok(); B get(); B ok(-2)",
          "during b, the counter was at least -1 (counting only operations "
          "that must have taken effect by then), yet b behaved as if it was "
          "-2\n" },
        { "semaphore:n=2",
          "A acquire(); A ok(); A acquire(); A ok(); A acquire(); A ok()",
          "during c, the count was at most 0 (counting every operation that "
          "may have taken effect by then), yet c behaved as if it was at least "
          "1\n" },
        { "semaphore", "A acquire(); B acquire(); A ok(); B ok()",
          "all operations together make the count at most -1, but it cannot be "
          "less than 0\n" },
        { "mutex", "A lock(); B try_lock(); A ok(); B ok(true)",
          "all operations together make the number of locks held at least 2, "
          "but it cannot be more than 1\n" },
        { "queue:cap=1", "A enq(1); A ok(); A enq(2); A ok()",
          "during b, the number of items was at least 1 (counting only "
          "operations that must have taken effect by then), yet b behaved as "
          "if it was at most 0\n" },
        { "stack:cap=2", "A push(1); A ok(); A push(2); A full()",
          "during b, the number of items was at most 1 (counting every "
          "operation that may have taken effect by then), yet b behaved as if "
          "it was at least 2\n" },
    };
    CHECK_ALL(examples);
}

static void nothing_is_told_that_is_not_so(void **state)
{
    (void)state;
    static const struct example examples[] = {
        { "queue", "", "" },
        { "", "A enq(1); A ok()", "" },
        /* a pending dequeue may have taken it */
        { "queue", "A enq(1); C deq(); A ok(); B deq(); B empty()", "" },
        /* the enqueues overlap */
        { "queue",
          "A enq(1); B enq(2); A ok(); B ok(); B deq(); B ok(2); B deq(); B "
          "ok(1)",
          "" },
        /* a semiqueue has no order, nor need a quasi queue keep it */
        { "semiqueue",
          "A enq(1); A ok(); A enq(2); A ok(); B deq(); B ok(2); B deq(); B "
          "ok(1)",
          "" },
        { "queue:k=1",
          "A enq(1); A ok(); A enq(2); A ok(); B deq(); B ok(2); B deq(); B "
          "ok(1)",
          "" },
        /* may stutter */
        { "stuttering-queue",
          "A enq(1); A ok(); B deq(); B ok(1); B deq(); B ok(1)", "" },
        /* an append may have made anything of it */
        { "map", "A append(k,x); A ok(); B get(k); B ok(yx)", "" },
        { "register:init=7", "B read(); B ok(7)", "" },
        { "register", "A write(1); B read(); B ok(1)", "" },
        /* words that are not the type's */
        { "queue", "A frobnicate(1); A ok(); B deq(); B ok(3)", "" },
    };
    CHECK_ALL(examples);
}

/* ---- against brute force ----
 *
 * Small histories of every type, told at random.  Whatever is explained must
 * be a violation. */

struct toy_op {
    int kind, arg, arg2;
    bool pending;
    int answer, answer2; /* -1: nothing, -2: empty, none or full */
    unsigned call, ret;
};

struct toy_state {
    int item[8];
    int count;
    int value;
};

struct toy {
    const char *spec;
    int kinds;
    const char *names[4];
    int args[4]; /* how many */
    /* The `choice`-th thing `op` may do.  False: there are fewer. */
    bool (*step)(struct toy_state *s, const struct toy_op *op, int choice,
                 int *answer);
    int initial;
    int answers[4]; /* 0 none, 1 value or empty, 2 boolean, 3 full or none,
                       4 value */
};

static void drop(struct toy_state *s, int at)
{
    memmove(s->item + at, s->item + at + 1,
            (size_t)(s->count - at - 1) * sizeof *s->item);
    s->count--;
}

/* add, take, look at the item that `at` chooses */
static bool container(struct toy_state *s, const struct toy_op *o, int at,
                      int *answer)
{
    *answer = -1;
    if (o->kind == 0) {
        s->item[s->count++] = o->arg;
        return true;
    }
    *answer = s->count ? s->item[at] : -2;
    if (o->kind == 1 && s->count)
        drop(s, at);
    return true;
}

static bool queue_step(struct toy_state *s, const struct toy_op *o, int choice,
                       int *answer)
{
    return choice == 0 && container(s, o, 0, answer);
}

static bool bounded_step(struct toy_state *s, const struct toy_op *o,
                         int choice, int *answer)
{
    *answer = -2;
    if (o->kind == 0 && s->count == 1)
        return choice == 0;
    return choice == 0 && container(s, o, 0, answer);
}

static bool stack_step(struct toy_state *s, const struct toy_op *o, int choice,
                       int *answer)
{
    return choice == 0 && container(s, o, s->count - 1, answer);
}

static bool bag_step(struct toy_state *s, const struct toy_op *o, int choice,
                     int *answer)
{
    const int choices = o->kind == 0 || s->count == 0 ? 1 : s->count;
    return choice < choices && container(s, o, choice, answer);
}

static bool priority_step(struct toy_state *s, const struct toy_op *o,
                          int choice, int *answer)
{
    int least = 0;
    for (int i = 1; i < s->count; i++)
        least = s->item[i] < s->item[least] ? i : least;
    return choice == 0 && container(s, o, least, answer);
}

static bool register_step(struct toy_state *s, const struct toy_op *o,
                          int choice, int *answer)
{
    *answer = -1;
    switch (o->kind) {
    case 0:
        s->value = o->arg;
        break;
    case 1:
        *answer = s->value;
        break;
    case 2:
        *answer = s->value == o->arg;
        s->value = *answer ? o->arg2 : s->value;
        break;
    default:
        *answer = s->value;
        s->value = o->arg;
    }
    return choice == 0;
}

static bool set_step(struct toy_state *s, const struct toy_op *o, int choice,
                     int *answer)
{
    const int bit = 1 << o->arg;
    const bool in = s->value & bit;
    *answer = o->kind == 0 ? !in : in;
    if (o->kind < 2)
        s->value = o->kind == 0 ? s->value | bit : s->value & ~bit;
    return choice == 0;
}

static bool mutex_step(struct toy_state *s, const struct toy_op *o, int choice,
                       int *answer)
{
    *answer = o->kind == 2 ? !s->value : -1;
    if (o->kind == 0 && s->value)
        return false;
    if (o->kind == 1 && !s->value)
        return false;
    s->value = o->kind != 1;
    return choice == 0;
}

static bool counter_step(struct toy_state *s, const struct toy_op *o,
                         int choice, int *answer)
{
    *answer = o->kind >= 2 ? s->value : -1;
    s->value += o->kind == 0 || o->kind == 3;
    s->value -= o->kind == 1;
    return choice == 0;
}

static bool semaphore_step(struct toy_state *s, const struct toy_op *o,
                           int choice, int *answer)
{
    *answer = o->kind == 2 ? s->value > 0 : -1;
    if (o->kind == 0 && s->value == 0)
        return false;
    if (o->kind == 1)
        s->value++;
    else if (s->value)
        s->value--;
    return choice == 0;
}

static const struct toy toys[] = {
    { "queue", 3, { "enq", "deq", "peek" }, { 1 }, queue_step, 0, { 0, 1, 1 } },
    { "queue:cap=1",
      3,
      { "enq", "deq", "peek" },
      { 1 },
      bounded_step,
      0,
      { 3, 1, 1 } },
    { "stack", 3, { "push", "pop", "top" }, { 1 }, stack_step, 0, { 0, 1, 1 } },
    { "semiqueue",
      3,
      { "enq", "deq", "peek" },
      { 1 },
      bag_step,
      0,
      { 0, 1, 1 } },
    { "priority-queue",
      3,
      { "insert", "delmin", "min" },
      { 1 },
      priority_step,
      0,
      { 0, 1, 1 } },
    { "bag", 2, { "insert", "take" }, { 1 }, bag_step, 0, { 0, 1 } },
    { "register",
      4,
      { "write", "read", "cas", "swap" },
      { 1, 0, 2, 1 },
      register_step,
      -3,
      { 0, 4, 2, 4 } },
    { "set",
      3,
      { "insert", "delete", "member" },
      { 1, 1, 1 },
      set_step,
      0,
      { 2, 2, 2 } },
    { "mutex",
      3,
      { "lock", "unlock", "try_lock" },
      { 0 },
      mutex_step,
      0,
      { 0, 0, 2 } },
    { "counter",
      4,
      { "inc", "dec", "get", "fetch_inc" },
      { 0 },
      counter_step,
      0,
      { 0, 0, 4, 4 } },
    { "semaphore",
      3,
      { "acquire", "release", "try_acquire" },
      { 0 },
      semaphore_step,
      1,
      { 0, 0, 2 } },
};

enum { TOY_OPS = 6 };

struct toy_history {
    const struct toy *toy;
    struct toy_op op[TOY_OPS];
    unsigned count;
};

static bool can_go_on(const struct toy_history *t, unsigned placed,
                      const struct toy_state *s);

static bool can_place(const struct toy_history *t, unsigned placed,
                      const struct toy_state *s, unsigned i)
{
    const struct toy_op *const o = t->op + i;
    int answer;
    for (int choice = 0;; choice++) {
        struct toy_state next = *s;
        if (!t->toy->step(&next, o, choice, &answer))
            return false;
        if ((o->pending || answer == o->answer) &&
            can_go_on(t, placed | 1u << i, &next))
            return true;
    }
}

static bool can_go_on(const struct toy_history *t, unsigned placed,
                      const struct toy_state *s)
{
    unsigned first = UINT32_MAX;
    for (unsigned i = 0; i < t->count; i++)
        if (!(placed >> i & 1) && t->op[i].ret < first)
            first = t->op[i].ret;
    if (first == UINT32_MAX)
        return true;
    for (unsigned i = 0; i < t->count; i++)
        if (!(placed >> i & 1) && t->op[i].call < first &&
            can_place(t, placed, s, i))
            return true;
    return false;
}

static bool is_linearizable(const struct toy_history *t)
{
    const struct toy_state initial = { .value = t->toy->initial };
    return can_go_on(t, 0, &initial);
}

static int random_answer(struct plumb_base_rng *r, int shape)
{
    const int value = (int)plumb_base_rng_below(r, 3);
    switch (shape) {
    case 1:
        return plumb_base_rng_chance(r, 30) ? -2 : value;
    case 2:
        return value & 1;
    case 3:
        return value ? -1 : -2;
    case 4:
        return value;
    default:
        return -1;
    }
}

/* Mostly what is right if operations take effect when they are called: many
 * histories are then linearizable, and the others nearly so. */
static void answer(const struct toy *toy, struct toy_op *o,
                   struct toy_state *now, struct plumb_base_rng *r)
{
    struct toy_state next = *now;
    if (toy->step(&next, o, 0, &o->answer))
        *now = next;
    else
        o->answer = -1;
    const bool shown = o->answer >= -3 && o->answer < 3;
    if (!shown || plumb_base_rng_chance(r, 15))
        o->answer = random_answer(r, toy->answers[o->kind]);
}

static struct plumb_value toy_value(int v)
{
    return v == -3 ? plumb_nil() : plumb_int(v);
}

static uint32_t symbol(struct plumb_builder *b, const char *text)
{
    return plumb_builder_symbol(b, text, strlen(text));
}

static void call(struct plumb_builder *b, const struct toy *toy,
                 const struct toy_op *o, unsigned thread)
{
    char name[2] = { (char)('A' + thread), 0 };
    const struct plumb_value args[] = { toy_value(o->arg), toy_value(o->arg2) };
    struct plumb_error err;
    assert_int_equal(plumb_builder_call(b, symbol(b, name), symbol(b, "x"),
                                        symbol(b, toy->names[o->kind]), args,
                                        (size_t)toy->args[o->kind], NULL, &err),
                     PLUMB_OK);
}

static void respond(struct plumb_builder *b, const struct toy *toy,
                    const struct toy_op *o, unsigned thread)
{
    char name[2] = { (char)('A' + thread), 0 };
    const bool truth = toy->answers[o->kind] == 2;
    const struct plumb_value res =
        truth ? plumb_bool(o->answer) : toy_value(o->answer);
    const char *const term = o->answer != -2              ? "ok"
                             : toy->answers[o->kind] == 3 ? "full"
                                                          : "empty";
    struct plumb_error err;
    assert_int_equal(
        plumb_builder_respond(b, symbol(b, name), symbol(b, "x"),
                              PLUMB_OUTCOME_OK, symbol(b, term), &res,
                              o->answer >= 0 || o->answer == -3, NULL, &err),
        PLUMB_OK);
}

/* Events at random on three threads; what is open at the end is pending. */
static struct plumb_history random_history(struct toy_history *t,
                                           struct plumb_base_rng *r)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_history h;
    struct plumb_error err;
    unsigned open[3] = { 0 };
    struct toy_state now = { .value = t->toy->initial };
    t->count = 0;
    for (unsigned rank = 0; rank < 10; rank++) {
        const unsigned thread = plumb_base_rng_below(r, 3);
        if (open[thread]) {
            struct toy_op *const o = t->op + open[thread] - 1;
            o->pending = false;
            o->ret = rank;
            respond(b, t->toy, o, thread);
            open[thread] = 0;
        } else if (t->count < TOY_OPS) {
            struct toy_op *const o = t->op + t->count++;
            const uint32_t kinds = (uint32_t)t->toy->kinds;
            *o = (struct toy_op){ .kind = (int)plumb_base_rng_below(r, kinds),
                                  .arg = (int)plumb_base_rng_below(r, 3),
                                  .arg2 = (int)plumb_base_rng_below(r, 3),
                                  .pending = true,
                                  .call = rank,
                                  .ret = UINT32_MAX };
            answer(t->toy, o, &now, r);
            call(b, t->toy, o, thread);
            open[thread] = t->count;
        }
    }
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     PLUMB_OK);
    plumb_builder_free(b);
    return h;
}

static bool is_explained(const struct plumb_history *h, const char *spec,
                         struct plumb_base_text *t)
{
    struct plumb_base_arena arena;
    struct plumb_report_scene scene;
    plumb_base_arena_init(&arena, NULL);
    assert_true(plumb_report_scene_of_history(h, &arena, &scene));
    plumb_base_text_clear(t);
    const bool told = plumb_report_explain_why(&scene, spec, &style, t);
    plumb_base_arena_release(&arena);
    return told;
}

static void what_is_explained_is_a_violation(void **state)
{
    (void)state;
    struct plumb_base_rng r;
    struct plumb_base_text t;
    plumb_base_rng_seed(&r, 1);
    plumb_base_text_init(&t, NULL);
    for (size_t k = 0; k < sizeof toys / sizeof *toys; k++) {
        unsigned violations = 0, explained = 0;
        for (int round = 0; round < 4000; round++) {
            struct toy_history toy = { .toy = toys + k };
            struct plumb_history h = random_history(&toy, &r);
            const bool bad = !is_linearizable(&toy);
            const bool told = is_explained(&h, toys[k].spec, &t);
            violations += bad;
            explained += told;
            if (told && !bad)
                fail_msg("%s round %d: not so: %s", toys[k].spec, round,
                         plumb_base_text_string(&t));
            plumb_history_release(&h);
        }
        print_message("%s: %u of %u violations explained\n", toys[k].spec,
                      explained, violations);
        assert_true(violations > 200 && explained * 2 > violations);
    }
    plumb_base_text_release(&t);
}

/* ---- getting stuck ---- */

struct toy_queue {
    const struct plumb_history *h;
    struct plumb_value item[16];
    size_t first, end;
};

static struct plumb_value toy_answer(const struct toy_queue *q)
{
    return q->first < q->end ? q->item[q->first] : plumb_nil();
}

static bool toy_run(struct toy_queue *q,
                    const struct plumb_report_replay_step *step, uint32_t count)
{
    q->first = q->end = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct plumb_op *const o = q->h->op + step[i].op;
        if (o->nargs) {
            q->item[q->end++] = plumb_op_args(q->h, o)[0];
            continue;
        }
        const struct plumb_value seen =
            o->nres ? plumb_op_results(q->h, o)[0] : plumb_nil();
        if (!step[i].any && !plumb_value_equal(seen, toy_answer(q)))
            return false;
        q->first += q->first < q->end;
    }
    return true;
}

static bool toy_allows(void *context,
                       const struct plumb_report_replay_step *step,
                       uint32_t count)
{
    return toy_run(context, step, count);
}

static void toy_state(void *context,
                      const struct plumb_report_replay_step *step,
                      uint32_t count, struct plumb_base_text *out)
{
    struct toy_queue *const q = context;
    toy_run(q, step, count);
    plumb_base_text_add(out, "[");
    for (size_t i = q->first; i < q->end; i++)
        plumb_base_text_printf(out, i > q->first ? " %d" : "%d",
                               (int)q->item[i].bits);
    plumb_base_text_add(out, "]");
}

static void toy_answers(void *context,
                        const struct plumb_report_replay_step *step,
                        uint32_t count, uint32_t op,
                        struct plumb_base_text *out)
{
    struct toy_queue *const q = context;
    toy_run(q, step, count);
    if (q->h->op[op].nargs)
        plumb_base_text_add(out, "ok");
    else if (q->first < q->end)
        plumb_base_text_printf(out, "%d", (int)q->item[q->first].bits);
    else if (!plumb_report_symbol_is(q->h, q->h->op[op].name, "take"))
        plumb_base_text_add(out, "empty");
}

static void check_stuck(const char *text, bool show_state, bool ascii,
                        const char *expected)
{
    struct plumb_history h = story(text);
    struct toy_queue q = { .h = &h };
    const struct plumb_report_replay replay = { &q, toy_allows,
                                                show_state ? toy_state : NULL,
                                                toy_answers };
    const struct plumb_report_style s = { .ascii = ascii };
    struct plumb_base_arena arena;
    struct plumb_report_scene scene;
    struct plumb_base_text t;
    plumb_base_arena_init(&arena, NULL);
    plumb_base_text_init(&t, NULL);
    assert_true(plumb_report_scene_of_history(&h, &arena, &scene));
    const bool told = plumb_report_explain_stuck(&scene, &replay, &s, &t);
    assert_string_equal(plumb_base_text_string(&t), expected);
    assert_int_equal(told, *expected != '\0');
    plumb_base_text_release(&t);
    plumb_base_arena_release(&arena);
    plumb_history_release(&h);
}

static void a_longest_order_is_told(void **state)
{
    (void)state;
    const char *const text =
        "A enq(1); A ok(); A enq(2); B deq(); A ok(); B ok(2); B deq(); B "
        "ok(1)";
    check_stuck(
        text, true, false,
        "a b → state [1 2]; only c can be next, and must return 1, not 2");
    check_stuck(
        text, true, true,
        "a b -> state [1 2]; only c can be next, and must return 1, not 2");
    check_stuck(text, false, false,
                "a b; only c can be next, and must return 1, not 2");
}

static void being_stuck_at_once_is_told(void **state)
{
    (void)state;
    check_stuck(
        "A deq(); A ok(2)", true, false,
        "initially state []; only a can be next, and must return empty, not 2");
    check_stuck(
        "A take(); A ok(2)", true, false,
        "initially state []; only a can be next, and cannot return here");
    check_stuck("A deq(); B deq(); A ok(1); B ok(2)", true, false,
                "initially state []; a must return empty, not 1; b must return "
                "empty, not 2");
}

static void pending_operations_help_to_get_further(void **state)
{
    (void)state;
    check_stuck(
        "C enq(7); A deq(); A ok(7); B deq(); B ok(7)", true, false,
        "a b → state []; only c can be next, and must return empty, not 7");
}

static void an_order_of_all_is_not_being_stuck(void **state)
{
    (void)state;
    check_stuck("A enq(1); A ok(); B deq(); B ok(1)", true, false, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_are_explained),
        cmocka_unit_test(other_containers_are_explained),
        cmocka_unit_test(cells_are_explained),
        cmocka_unit_test(counts_are_explained),
        cmocka_unit_test(nothing_is_told_that_is_not_so),
        cmocka_unit_test(what_is_explained_is_a_violation),
        cmocka_unit_test(a_longest_order_is_told),
        cmocka_unit_test(being_stuck_at_once_is_told),
        cmocka_unit_test(pending_operations_help_to_get_further),
        cmocka_unit_test(an_order_of_all_is_not_being_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
