/* test_user_specs.c - specifications in C, written as a user would, give the
 * verdicts of the built-in ones that they imitate. */
#include "compare.h"
#include "generate.h"
#include "oracle.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka needs the four above */
#include <cmocka.h>

#define HISTORIES 150

/* ---- queue:cap=2 and semiqueue: the same operations, another choice ---- */

enum { ENQ, PUT, DEQ, POLL, TAKE, PEEK };
static const char *const queue_ops[] = { "enq/1",  "put/1",  "deq/0", "poll/0",
                                         "take/0", "peek/0", NULL };

struct items {
    unsigned count;
    struct plumb_value item[ORACLE_OPS];
};

static bool add(struct items *s, const struct plumb_call *call, unsigned cap,
                struct plumb_reply *reply)
{
    if (s->count < cap)
        s->item[s->count++] = call->args[0];
    else if (call->op == PUT)
        return false;
    else
        reply->term = "full";
    return true;
}

static bool answer(struct items *s, const struct plumb_call *call, unsigned at,
                   struct plumb_reply *reply)
{
    plumb_reply_value(reply, s->item[at]);
    if (call->op == PEEK)
        return true;
    s->count--;
    memmove(&s->item[at], &s->item[at + 1], (s->count - at) * sizeof *s->item);
    memset(&s->item[s->count], 0, sizeof *s->item);
    return true;
}

static bool is_empty(const struct plumb_call *call, struct plumb_reply *reply)
{
    reply->term = "empty";
    return call->op != TAKE;
}

static bool bounded_queue_step(void *state, const struct plumb_call *call,
                               struct plumb_reply *reply)
{
    struct items *const s = state;
    if (call->op <= PUT)
        return add(s, call, 2, reply);
    return s->count ? answer(s, call, 0, reply) : is_empty(call, reply);
}

static bool semiqueue_step(void *state, const struct plumb_call *call,
                           struct plumb_reply *reply)
{
    struct items *const s = state;
    if (call->op <= PUT)
        return add(s, call, ORACLE_OPS, reply);
    return s->count ? answer(s, call, plumb_call_choose(call, s->count), reply)
                    : is_empty(call, reply);
}

/* ---- cas-register:init=1 ---- */

enum { WRITE, READ, CAS, SWAP };
static const char *const register_ops[] = { "write/1", "read/0", "cas/2",
                                            "swap/1", NULL };

static void register_init(void *state)
{
    struct plumb_value *const value = state;
    *value = plumb_int(1);
}

static bool register_step(void *state, const struct plumb_call *call,
                          struct plumb_reply *reply)
{
    struct plumb_value *const value = state;
    const struct plumb_value old = *value;
    const bool same = call->op == CAS && plumb_value_equal(old, call->args[0]);
    if (call->op == CAS)
        plumb_reply_value(reply, plumb_bool(same));
    else if (call->op != WRITE)
        plumb_reply_value(reply, old);
    if (call->op == WRITE || call->op == SWAP)
        *value = call->args[0];
    else if (same)
        *value = call->args[1];
    return true;
}

/* ---- mutex ---- */

enum { LOCK, TRY_LOCK, UNLOCK };
static const char *const mutex_ops[] = { "lock/0", "try_lock/0", "unlock/0",
                                         NULL };

static bool mutex_step(void *state, const struct plumb_call *call,
                       struct plumb_reply *reply)
{
    unsigned char *const locked = state;
    const bool was_locked = *locked;
    *locked = call->op != UNLOCK;
    if (call->op == TRY_LOCK)
        plumb_reply_value(reply, plumb_bool(!was_locked));
    return call->op == TRY_LOCK || was_locked == (call->op == UNLOCK);
}

/* ---- comparing ---- */

static void compare_one(struct comparison *c, const struct alphabet *a,
                        struct plumb_builder *b, uint64_t seed)
{
    struct draft d;
    struct plumb_history h;
    char why[512];
    random_draft(a, seed, &d);
    draft_build(a, &d, b, &h);
    const bool with_core = seed % 4 == 0;
    if (!compare(c, &h, oracle_linearizable(&h, c->spec_text), with_core,
                 why)) {
        print_smallest_difference(c, &h, with_core, stderr);
        fail_msg("user's %s, seed %llu: %s", c->spec_text,
                 (unsigned long long)seed, why);
    }
    plumb_history_release(&h);
}

static void imitates(const struct plumb_user_spec *user, const char *spec_text)
{
    static struct alphabet a;
    struct comparison c = { .spec_text = spec_text };
    struct plumb_error err;
    unsigned i = 0;
    while (strcmp(domains[i].spec, spec_text) != 0)
        i++;
    alphabet_init(&a, &domains[i]);
    assert_int_equal(plumb_spec_from_user(user, &c.spec, &err), PLUMB_OK);
    c.builder = plumb_builder_new(NULL);
    struct plumb_builder *const b = plumb_builder_new(NULL);
    for (uint64_t seed = 0; seed < HISTORIES; seed++)
        compare_one(&c, &a, b, seed);
    plumb_builder_free(b);
    plumb_builder_free(c.builder);
    plumb_spec_free(c.spec);
}

static void users_bounded_queue_is_a_bounded_queue(void **state)
{
    (void)state;
    const struct plumb_user_spec user = { .version = PLUMB_SPEC_VERSION,
                                          .name = "my-queue",
                                          .state_size = sizeof(struct items),
                                          .ops = queue_ops,
                                          .step = bounded_queue_step };
    imitates(&user, "queue:cap=2");
}

static void users_semiqueue_is_a_semiqueue(void **state)
{
    (void)state;
    const struct plumb_user_spec user = { .version = PLUMB_SPEC_VERSION,
                                          .name = "my-semiqueue",
                                          .state_size = sizeof(struct items),
                                          .ops = queue_ops,
                                          .step = semiqueue_step };
    imitates(&user, "semiqueue");
}

static void users_register_is_a_register(void **state)
{
    (void)state;
    const struct plumb_user_spec user = { .version = PLUMB_SPEC_VERSION,
                                          .name = "my-register",
                                          .state_size =
                                              sizeof(struct plumb_value),
                                          .ops = register_ops,
                                          .init = register_init,
                                          .step = register_step };
    imitates(&user, "cas-register:init=1");
}

static void users_mutex_is_a_mutex(void **state)
{
    (void)state;
    const struct plumb_user_spec user = { .version = PLUMB_SPEC_VERSION,
                                          .name = "my-mutex",
                                          .state_size = 1,
                                          .ops = mutex_ops,
                                          .step = mutex_step };
    imitates(&user, "mutex");
}

/* ---- a specification that looks at the thread ---- */

enum { MARK, WHO };
static const char *const mark_ops[] = { "mark/0", "who/0", NULL };

static bool mark_step(void *state, const struct plumb_call *call,
                      struct plumb_reply *reply)
{
    int64_t *const last = state;
    if (call->op == MARK)
        *last = call->thread;
    else
        plumb_reply_value(reply, plumb_int(*last));
    return true;
}

static uint32_t symbol(struct plumb_builder *b, const char *text)
{
    return plumb_builder_symbol(b, text, strlen(text));
}

/* P1 [--- mark() ---]
 * P2     [mark()]      [who()=last] */
static void build_marks(struct plumb_builder *b, int64_t last,
                        struct plumb_history *h)
{
    const uint32_t x = symbol(b, "X"), mark = symbol(b, "mark"),
                   p1 = symbol(b, "P1"), p2 = symbol(b, "P2"),
                   ok = symbol(b, "ok");
    const struct plumb_value result = plumb_int(last);
    struct plumb_error err;
    plumb_builder_call(b, p1, x, mark, NULL, 0, NULL, &err);
    plumb_builder_call(b, p2, x, mark, NULL, 0, NULL, &err);
    plumb_builder_respond(b, p2, x, PLUMB_OUTCOME_OK, ok, NULL, 0, NULL, &err);
    plumb_builder_respond(b, p1, x, PLUMB_OUTCOME_OK, ok, NULL, 0, NULL, &err);
    plumb_builder_call(b, p2, x, symbol(b, "who"), NULL, 0, NULL, &err);
    plumb_builder_respond(b, p2, x, PLUMB_OUTCOME_OK, ok, &result, 1, NULL,
                          &err);
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, h, &err),
                     PLUMB_OK);
}

/* Either mark may have come last, though the two operations look alike. */
static void threads_are_told_apart(void **state)
{
    (void)state;
    const struct plumb_user_spec user = { .version = PLUMB_SPEC_VERSION,
                                          .name = "marks",
                                          .state_size = sizeof(int64_t),
                                          .ops = mark_ops,
                                          .step = mark_step };
    static const enum plumb_algorithm algorithms[] = {
        PLUMB_ALGORITHM_SEARCH, PLUMB_ALGORITHM_WING_GONG
    };
    struct plumb_spec *spec;
    struct plumb_error err;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    assert_int_equal(plumb_spec_from_user(&user, &spec, &err), PLUMB_OK);
    for (int i = 0; i < 6; i++) {
        const int64_t last = i / 2;
        const struct plumb_check_options options = { .algorithm =
                                                         algorithms[i % 2] };
        struct plumb_answer a;
        struct plumb_history h;
        build_marks(b, last, &h);
        assert_int_equal(plumb_check(&h, spec, &options, &a, &err), PLUMB_OK);
        assert_int_equal(a.verdict, last < 2 ? PLUMB_LINEARIZABLE
                                             : PLUMB_NOT_LINEARIZABLE);
        plumb_answer_release(&a);
        plumb_history_release(&h);
    }
    plumb_builder_free(b);
    plumb_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_bounded_queue_is_a_bounded_queue),
        cmocka_unit_test(users_semiqueue_is_a_semiqueue),
        cmocka_unit_test(users_register_is_a_register),
        cmocka_unit_test(users_mutex_is_a_mutex),
        cmocka_unit_test(threads_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
