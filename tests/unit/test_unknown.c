/* test_unknown.c - specifications that do not know everything
 * (plumb_reply_unknown), compared with the definition.
 *
 * A random object is a table; of some rows the specification does not know the
 * outcome.  A *completion* is a deterministic object that agrees with all other
 * rows.  A history is linearizable for all completions, for none, or for some:
 * then nobody can decide it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../effort.h"
#include "base/rng.h"
#include "check/search/live_configurations.h"
#include "check/search/stuck.h"
#include "story.h"
#include <limits.h>

enum { STATES = 4, OPS = 3, ANSWERS = 2, THREADS = 3, MOST_OPS = 6 };
enum { WAITS = ANSWERS, UNKNOWN };

/* ---- objects ---- */

struct row {
    unsigned answer, next;
    bool unknown;
};

static struct row table[STATES][OPS];
static bool knows_all; /* the object itself */

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    unsigned *const at = state;
    const struct row *const r = &table[*at][call->op];
    *at = (*at + 1) % STATES; /* what does not return may leave anything */
    if (r->unknown && !knows_all)
        return plumb_reply_unknown(reply);
    if (r->answer == WAITS)
        return false;
    plumb_reply_value(reply, plumb_int(r->answer));
    *at = r->next;
    return true;
}

static const char *const ops[] = { "f/0", "g/0", "h/0", NULL };
static const struct plumb_user_spec user = { .version = PLUMB_SPEC_VERSION,
                                             .name = "table",
                                             .state_size = sizeof(unsigned),
                                             .ops = ops,
                                             .step = step };

static void draw_object(struct plumb_base_rng *rng)
{
    const unsigned unknown = plumb_base_rng_below(rng, 60);
    const unsigned waits = plumb_base_rng_below(rng, 30);
    for (unsigned s = 0; s < STATES; s++)
        for (unsigned op = 0; op < OPS; op++)
            table[s][op] =
                (struct row){ .answer =
                                  plumb_base_rng_chance(rng, waits)
                                      ? WAITS
                                      : plumb_base_rng_below(rng, ANSWERS),
                              .next = plumb_base_rng_below(rng, STATES),
                              .unknown = plumb_base_rng_chance(rng, unknown) };
}

/* ---- histories ---- */

struct drawn_op {
    unsigned op, thread, answer, call, ret; /* ret: UINT_MAX, if it is open */
};

struct drawn {
    struct drawn_op op[MOST_OPS];
    unsigned count;
    char text[512];
    unsigned event[2 * MOST_OPS]; /* operation, call and return */
    unsigned events;
};

static void tell(struct drawn *d, unsigned i, bool returns)
{
    struct drawn_op *const o = &d->op[i];
    char event[32];
    if (returns)
        snprintf(event, sizeof event, "%c ok %u; ", 'A' + o->thread, o->answer);
    else
        snprintf(event, sizeof event, "%c %c; ", 'A' + o->thread, 'f' + o->op);
    strcat(d->text, event);
    *(returns ? &o->ret : &o->call) = d->events;
    d->event[d->events++] = i;
}

/* Answers are those of the object, as often as not. */
static void draw_history(struct plumb_base_rng *rng, struct drawn *d)
{
    int open[THREADS];
    unsigned now = 0;
    *d = (struct drawn){ .count = 0 };
    for (unsigned t = 0; t < THREADS; t++)
        open[t] = -1;
    for (unsigned k = 2 + plumb_base_rng_below(rng, 12); k > 0; k--) {
        const unsigned t = plumb_base_rng_below(rng, THREADS);
        if (open[t] < 0 && d->count < MOST_OPS) {
            open[t] = (int)d->count++;
            d->op[open[t]] =
                (struct drawn_op){ .op = plumb_base_rng_below(rng, OPS),
                                   .thread = t,
                                   .ret = UINT_MAX };
            tell(d, (unsigned)open[t], false);
        } else if (open[t] >= 0) {
            const struct row *const r = &table[now][d->op[open[t]].op];
            const bool own =
                r->answer != WAITS && plumb_base_rng_chance(rng, 80);
            d->op[open[t]].answer =
                own ? r->answer : plumb_base_rng_below(rng, ANSWERS);
            now = own ? r->next : now;
            tell(d, (unsigned)open[t], true);
            open[t] = -1;
        }
    }
}

/* ---- by the definition ---- */

enum reading { NONE_DOES, SOME_DOES }; /* of what is unknown */

/* May operation i be next, after those that are placed? */
static bool may_be_next(const struct drawn *d, unsigned placed, unsigned i)
{
    if (placed >> i & 1)
        return false;
    for (unsigned k = 0; k < d->count; k++)
        if (!(placed >> k & 1) && d->op[k].ret < d->op[i].call)
            return false;
    return true;
}

static bool is_open(const struct drawn *d, unsigned i)
{
    return d->op[i].ret == UINT_MAX;
}

static bool all_returned_are(const struct drawn *d, unsigned placed)
{
    for (unsigned i = 0; i < d->count; i++)
        if (!is_open(d, i) && !(placed >> i & 1))
            return false;
    return true;
}

/* Where the operation leads; WAITS + 1 .. : nowhere. */
static bool leads(const struct drawn *d, unsigned state, unsigned i,
                  enum reading reading, unsigned *next)
{
    const struct drawn_op *const o = &d->op[i];
    const struct row *const r = &table[state][o->op];
    *next = STATES; /* where everything is possible */
    if (state == STATES)
        return true;
    if (r->unknown)
        return reading == SOME_DOES;
    *next = r->next;
    return r->answer != WAITS && (is_open(d, i) || r->answer == o->answer);
}

/* waits: an open operation that is not placed, and waits at the end; or -1. */
static bool has_order(const struct drawn *d, unsigned state, unsigned placed,
                      enum reading reading, int waits)
{
    unsigned next;
    if (all_returned_are(d, placed)) {
        if (waits < 0)
            return true;
        const bool unknown =
            state == STATES || table[state][d->op[waits].op].unknown;
        return unknown ? reading == SOME_DOES
                       : table[state][d->op[waits].op].answer == WAITS;
    }
    for (unsigned i = 0; i < d->count; i++)
        if (may_be_next(d, placed, i) && (waits < 0 || !is_open(d, i)) &&
            leads(d, state, i, reading, &next) &&
            has_order(d, next, placed | 1u << i, reading, waits))
            return true;
    return false;
}

static enum plumb_verdict by_definition(const struct drawn *d)
{
    return has_order(d, 0, 0, NONE_DOES, -1)   ? PLUMB_LINEARIZABLE
           : has_order(d, 0, 0, SOME_DOES, -1) ? PLUMB_UNDECIDED
                                               : PLUMB_NOT_LINEARIZABLE;
}

/* ---- comparing ---- */

struct trial {
    uint64_t seed;
    struct drawn d;
    struct plumb_history h;
    struct plumb_spec *spec;
    unsigned count[3];
};

static void check(struct trial *t, enum plumb_algorithm algorithm, bool no_core)
{
    const struct plumb_check_options options = { .algorithm = algorithm,
                                                 .no_core = no_core };
    const enum plumb_verdict wanted = by_definition(&t->d);
    struct plumb_answer answer;
    struct plumb_error err;
    if (plumb_check(&t->h, t->spec, &options, &answer, &err) != PLUMB_OK)
        fail_msg("seed %llu: %s: %s", (unsigned long long)t->seed, t->d.text,
                 err.message);
    if (answer.verdict != wanted ||
        answer.unknown != (wanted == PLUMB_UNDECIDED))
        fail_msg("seed %llu: %s: %d, not %d", (unsigned long long)t->seed,
                 t->d.text, (int)answer.verdict, (int)wanted);
    assert_int_equal(answer.why, PLUMB_OK);
    t->count[wanted]++;
    plumb_answer_release(&answer);
}

/* What is certain of the specification is so of the object itself. */
static void compare_with_object(struct trial *t)
{
    const struct plumb_check_options options = { .no_core = true };
    const enum plumb_verdict known = by_definition(&t->d);
    struct plumb_answer answer;
    struct plumb_error err;
    knows_all = true;
    assert_int_equal(plumb_check(&t->h, t->spec, &options, &answer, &err),
                     PLUMB_OK);
    knows_all = false;
    if (known != PLUMB_UNDECIDED)
        assert_int_equal(answer.verdict, known);
    plumb_answer_release(&answer);
}

/* While it unfolds: nothing is left iff no completion explains it, and what is
 * left is known iff all do. */
static void follow(struct trial *t)
{
    static const char *const name[] = { "f", "g", "h" };
    const struct drawn *const d = &t->d;
    const enum plumb_verdict wanted = by_definition(d);
    struct plumb_check_configurations *const f =
        plumb_check_configurations_open(t->spec, NULL);
    plumb_check_configuration_set set = plumb_check_configurations_start(f);
    bool returned[MOST_OPS] = { false }, called[MOST_OPS] = { false };
    for (unsigned e = 0; e < d->events; e++) {
        const struct drawn_op *const o = &d->op[d->event[e]];
        const uint32_t op = plumb_check_configurations_operation(
            f, o->thread, name[o->op], NULL, 0);
        const struct plumb_check_configurations_word result = {
            plumb_int(o->answer), NULL
        };
        returned[d->event[e]] = called[d->event[e]];
        called[d->event[e]] = true;
        set = returned[d->event[e]]
                  ? plumb_check_configurations_return(
                        f, set, op,
                        plumb_check_configurations_answer(f, op, "ok", &result,
                                                          1))
                  : plumb_check_configurations_call(f, set, op);
        assert_int_not_equal(set, PLUMB_CONFIGURATIONS_FAILED);
    }
    assert_int_equal(set == PLUMB_CONFIGURATIONS_NONE,
                     wanted == PLUMB_NOT_LINEARIZABLE);
    if (set != PLUMB_CONFIGURATIONS_NONE)
        assert_int_equal(plumb_check_configurations_know(f, set),
                         wanted == PLUMB_LINEARIZABLE);
    plumb_check_configurations_free(f);
}

/* Line-Up, Definition 2: every open operation waits after some order. */
static bool is_justified(const struct drawn *d, enum reading reading)
{
    bool linearizable = false, all = true;
    linearizable = has_order(d, 0, 0, reading, -1);
    for (unsigned i = 0; i < d->count; i++)
        if (is_open(d, i))
            all &= has_order(d, 0, 0, reading, (int)i);
    return linearizable && all;
}

static void wait_for_ever(struct trial *t)
{
    struct plumb_error err;
    bool justified, unknown;
    uint32_t culprit;
    for (unsigned i = 0; i < t->d.count; i++)
        if (is_open(&t->d, i))
            goto open;
    return;
open:
    assert_int_equal(plumb_check_stuck(&t->h, t->spec, NULL, &justified,
                                       &unknown, &culprit, &err),
                     PLUMB_OK);
    assert_int_equal(justified, is_justified(&t->d, SOME_DOES));
    assert_int_equal(unknown, justified && !is_justified(&t->d, NONE_DOES));
}

/* The verifier by itself: an order must not need what nobody knows, and a
 * violation must be one whatever that is. */
static void verify(struct trial *t)
{
    const struct plumb_spec_ref ref = { "table", &user };
    uint32_t op[MOST_OPS];
    uint8_t forgotten[MOST_OPS] = { 0 };
    struct plumb_error err;
    for (uint32_t i = 0; i < t->d.count; i++)
        op[i] = i;
    const struct plumb_core core = { .cut = t->d.events,
                                     .count = t->d.count,
                                     .op = op,
                                     .forgotten = forgotten };
    const enum plumb_status word =
        plumb_verify_violation(&t->h, ref, &core, NULL, 0, NULL, &err);
    assert_int_equal(word == PLUMB_OK,
                     by_definition(&t->d) == PLUMB_NOT_LINEARIZABLE);
    /* in the order of the calls */
    unsigned state = 0, next;
    bool right = true;
    for (unsigned i = 0; i < t->d.count && right; i++) {
        right = may_be_next(&t->d, (1u << i) - 1, i) &&
                leads(&t->d, state, i, NONE_DOES, &next);
        state = next;
    }
    assert_int_equal(plumb_verify_witness(&t->h, ref, op, t->d.count, NULL,
                                          &err) == PLUMB_OK,
                     right);
}

static void verdicts_are_those_of_all_completions(void **state)
{
    struct trial t = { .seed = 0 };
    struct plumb_error err;
    (void)state;
    assert_int_equal(plumb_spec_from_user(&user, &t.spec, &err), PLUMB_OK);
    for (; t.seed < SOME_OF(20000); t.seed++) {
        struct plumb_base_rng rng;
        plumb_base_rng_seed(&rng, t.seed);
        draw_object(&rng);
        draw_history(&rng, &t.d);
        t.h = story(t.d.text);
        check(&t, PLUMB_ALGORITHM_AUTO, false);
        check(&t, PLUMB_ALGORITHM_WING_GONG, true);
        compare_with_object(&t);
        follow(&t);
        wait_for_ever(&t);
        verify(&t);
        plumb_history_release(&t.h);
    }
    for (unsigned v = 0; v < 3; v++)
        assert_true(t.count[v] > t.seed / 20);
    plumb_spec_free(t.spec);
}

/* What one object does not know does not excuse another. */
static void a_violation_elsewhere_is_one(void **state)
{
    const struct plumb_check_options options = { .jobs = 1 };
    struct plumb_answer answer;
    struct plumb_error err;
    struct plumb_spec *spec;
    (void)state;
    table[0][0] = (struct row){ 0, 0, .unknown = true };
    table[0][1] = (struct row){ 0, 0, false };
    assert_int_equal(plumb_spec_from_user(&user, &spec, &err), PLUMB_OK);
    struct plumb_history h = story("A f; A ok 0; A @y g; A @y ok 1");
    assert_int_equal(plumb_check(&h, spec, &options, &answer, &err), PLUMB_OK);
    assert_int_equal(answer.verdict, PLUMB_NOT_LINEARIZABLE);
    plumb_answer_release(&answer);
    plumb_history_release(&h);
    h = story("A f; A ok 0; A @y g; A @y ok 0");
    assert_int_equal(plumb_check(&h, spec, &options, &answer, &err), PLUMB_OK);
    assert_int_equal(answer.verdict, PLUMB_UNDECIDED);
    assert_true(answer.unknown);
    plumb_answer_release(&answer);
    plumb_history_release(&h);
    plumb_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_all_completions),
        cmocka_unit_test(a_violation_elsewhere_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
