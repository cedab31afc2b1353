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

#define HISTORIES 1500

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_bounded_queue_is_a_bounded_queue),
        cmocka_unit_test(users_semiqueue_is_a_semiqueue),
        cmocka_unit_test(users_register_is_a_register),
        cmocka_unit_test(users_mutex_is_a_mutex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
