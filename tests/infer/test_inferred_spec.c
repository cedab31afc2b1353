/* test_inferred_spec.c - what an inferred specification decides, against the
 * list of all serial histories.
 *
 * A random object has a few states and, for each operation and state, an answer
 * and the state after it, or none; some operations may also answer something
 * anywhere.  Random concurrent histories of its test are decided by search, by
 * live configurations event by event, and as stuck ones, each with the minimal
 * automaton and with one in which nothing is merged.  What is right is told by
 * Definitions 1 and 2 of Line-Up: some history of the list is a witness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "check/search/live_configurations.h"
#include "check/search/stuck.h"
#include "effort.h"
#include "infer/inferred_spec.h"
#include "infer/unfold.h"
#include "unit/serial_histories.h"
#include <plumb/check.h>

enum {
    MOST_STATES = 3,
    MOST_CALLERS = 3,
    MOST_OPS = 6,
    ANSWERS = 3,
    MOST_SEEN = 4000,
    NEVER = 1000
};

static void claim(bool holds, uint64_t seed, const char *what)
{
    if (!holds)
        fail_msg("seed %llu: %s", (unsigned long long)seed, what);
}

/* ---- a random object, and its serial histories ---- */

struct outcome {
    uint32_t answer, state;
    bool stuck;
};

struct object {
    struct plumb_base_rng rng;
    unsigned threads, calls, operations, states;
    struct outcome table[MOST_OPS][MOST_STATES];
    uint32_t allowed[MOST_OPS];
    struct plumb_infer_seen seen[MOST_SEEN];
    size_t count;
    uint32_t moments;
    struct plumb_record_entry call[MOST_OPS], answer[ANSWERS];
    struct plumb_infer_test test;
};

static unsigned draw(struct object *o, unsigned n)
{
    return plumb_base_rng_below(&o->rng, n);
}

static void see(struct object *o, uint32_t from, uint32_t to, unsigned op,
                uint32_t answer)
{
    assert_true(o->count < MOST_SEEN);
    o->seen[o->count++] = (struct plumb_infer_seen){
        .from = from, .to = to, .op = op, .answer = answer
    };
}

/* A moment: so many calls of each thread are done, and the state. */
static uint32_t moment_of(const struct object *o, const unsigned *done,
                          unsigned state)
{
    uint32_t number = 0;
    for (unsigned t = 0; t < o->threads; t++)
        number = number * (o->calls + 1) + done[t];
    return number * o->states + state;
}

static void leave(struct object *o, unsigned *done, unsigned state)
{
    const uint32_t from = moment_of(o, done, state);
    for (unsigned t = 0; t < o->threads; t++) {
        if (done[t] == o->calls)
            continue;
        const unsigned op = t * o->calls + done[t]++;
        const struct outcome *const r = &o->table[op][state];
        see(o, from,
            r->stuck ? PLUMB_INFER_STUCK : moment_of(o, done, r->state), op,
            r->stuck ? 0 : r->answer);
        if (o->allowed[op] != UINT32_MAX)
            see(o, from, moment_of(o, done, state), op, o->allowed[op]);
        done[t]--;
    }
}

static void leave_all(struct object *o, unsigned *done, unsigned thread)
{
    if (thread == o->threads) {
        for (unsigned state = 0; state < o->states; state++)
            leave(o, done, state);
        return;
    }
    for (done[thread] = 0; done[thread] <= o->calls; done[thread]++)
        leave_all(o, done, thread + 1);
}

static void describe(struct object *o)
{
    o->test.operations = o->operations;
    for (unsigned op = 0; op < o->operations; op++) {
        plumb_record_entry_begin(&o->call[op], 0);
        plumb_record_entry_number(&o->call[op], draw(o, 2));
        o->test.operation[op] = (struct plumb_infer_operation){
            .name = "do", .process = op / o->calls, .call = &o->call[op]
        };
    }
    for (unsigned i = 0; i < ANSWERS; i++) {
        plumb_record_entry_begin(&o->answer[i], 0);
        o->answer[i].nres = 1;
        o->answer[i].value[0] = plumb_int(i);
    }
}

static void draw_object(struct object *o, uint64_t seed)
{
    unsigned done[MOST_CALLERS];
    memset(o, 0, sizeof *o);
    plumb_base_rng_seed(&o->rng, seed);
    o->threads = 1 + draw(o, MOST_CALLERS);
    o->calls = 1 + draw(o, o->threads < 3 ? 3 : 2);
    o->operations = o->threads * o->calls;
    o->states = 1 + draw(o, MOST_STATES);
    o->moments = o->states;
    for (unsigned t = 0; t < o->threads; t++)
        o->moments *= o->calls + 1;
    const unsigned stuck = draw(o, 2) * draw(o, 60);
    const unsigned allows = draw(o, 3) / 2 * draw(o, 60);
    for (unsigned op = 0; op < o->operations; op++) {
        o->allowed[op] = draw(o, 100) < allows ? draw(o, ANSWERS) : UINT32_MAX;
        for (unsigned s = 0; s < o->states; s++)
            o->table[op][s] = (struct outcome){ .answer = draw(o, ANSWERS),
                                                .state = draw(o, o->states),
                                                .stuck = draw(o, 100) < stuck };
    }
    describe(o);
    leave_all(o, done, 0);
}

/* ---- a random concurrent history ---- */

struct event {
    unsigned op, call, ret; /* times; NEVER: it has not returned */
    uint32_t answer;
};

struct concurrent {
    struct event of[MOST_OPS];
    bool called[MOST_OPS];
    unsigned order[2 * MOST_OPS], events; /* operations, at their times */
};

/* Mostly what the object would answer if it took effect now. */
static uint32_t draw_answer(struct object *o, unsigned op, unsigned *state)
{
    const struct outcome *const r = &o->table[op][*state];
    if (r->stuck || draw(o, 8) == 0)
        return o->allowed[op] != UINT32_MAX && draw(o, 2) ? o->allowed[op]
                                                          : draw(o, ANSWERS);
    *state = r->state;
    return r->answer;
}

static void draw_history(struct object *o, struct concurrent *c)
{
    unsigned done[MOST_CALLERS] = { 0 }, state = 0;
    bool open[MOST_CALLERS] = { false };
    const unsigned length = 1 + draw(o, 2 * o->operations);
    *c = (struct concurrent){ .events = 0 };
    for (unsigned tries = 0; c->events < length && tries < 100; tries++) {
        const unsigned t = draw(o, o->threads);
        if (!open[t] && done[t] == o->calls)
            continue;
        const unsigned op = t * o->calls + done[t];
        struct event *const e = &c->of[op];
        if (open[t]) {
            e->ret = c->events;
            e->answer = draw_answer(o, op, &state);
            done[t]++;
        } else {
            *e = (struct event){ .op = op, .call = c->events, .ret = NEVER };
            c->called[op] = true;
        }
        open[t] = !open[t];
        c->order[c->events++] = op;
    }
}

/* Only what happened before that time. */
static struct concurrent cut(const struct concurrent *c, unsigned events)
{
    struct concurrent r = *c;
    r.events = events;
    for (unsigned op = 0; op < MOST_OPS; op++) {
        r.called[op] &= r.of[op].call < events;
        if (r.called[op] && r.of[op].ret >= events)
            r.of[op].ret = NEVER;
    }
    return r;
}

static struct plumb_history build(const struct object *o,
                                  const struct concurrent *c)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    struct plumb_history h;
    const uint32_t name = plumb_builder_symbol(b, "do", 2);
    const uint32_t ok = plumb_builder_symbol(b, "ok", 2);
    for (unsigned i = 0; i < c->events; i++) {
        const struct event *const e = &c->of[c->order[i]];
        const char thread[] = { 'P', (char)('1' + e->op / o->calls), '\0' };
        const uint32_t who = plumb_builder_symbol(b, thread, 2);
        const struct plumb_value answer = plumb_int(e->answer);
        const enum plumb_status status =
            e->call == i
                ? plumb_builder_call(b, who, ok, name, o->call[e->op].value, 1,
                                     NULL, &err)
                : plumb_builder_respond(b, who, ok, PLUMB_OUTCOME_OK, ok,
                                        &answer, 1, NULL, &err);
        assert_int_equal(status, PLUMB_OK);
    }
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     PLUMB_OK);
    plumb_builder_free(b);
    return h;
}

/* ---- the definitions ---- */

static bool is_pending(const struct concurrent *c, unsigned op)
{
    return c->called[op] && c->of[op].ret == NEVER;
}

static bool all_returned_are(const struct concurrent *c, const bool *placed)
{
    for (unsigned op = 0; op < MOST_OPS; op++)
        if (c->called[op] && !is_pending(c, op) && !placed[op])
            return false;
    return true;
}

/* Everything that returned before it was called is placed. */
static bool is_in_order(const struct concurrent *c, const bool *placed,
                        unsigned op)
{
    for (unsigned other = 0; other < MOST_OPS; other++)
        if (c->called[other] && c->of[other].ret < c->of[op].call &&
            !placed[other])
            return false;
    return true;
}

/* Does a beginning of `s` have the operations that returned, some of those that
 * are pending, and the order of `c`?  waiting: all that returned, and then this
 * one waits. */
static bool is_witness(const struct concurrent *c,
                       const struct serial_history *s, unsigned waiting)
{
    bool placed[MOST_OPS] = { false };
    for (unsigned i = 0;; i += 2) {
        const bool all = all_returned_are(c, placed);
        if (all && waiting == NEVER)
            return true;
        if (i == s->length)
            return false;
        const unsigned op = s->event[i];
        const uint32_t came = s->event[i + 1];
        if (all && op == waiting && came == STUCK_EVENT)
            return true;
        if (!c->called[op] || came == STUCK_EVENT ||
            !is_in_order(c, placed, op) ||
            (is_pending(c, op) ? waiting != NEVER : c->of[op].answer != came))
            return false;
        placed[op] = true;
    }
}

static bool has_witness(const struct concurrent *c, const struct histories *all,
                        unsigned waiting)
{
    for (size_t i = 0; i < all->count; i++)
        if (is_witness(c, &all->item[i], waiting))
            return true;
    return false;
}

static bool is_justified(const struct concurrent *c,
                         const struct histories *all)
{
    for (unsigned op = 0; op < MOST_OPS; op++)
        if (is_pending(c, op) && !has_witness(c, all, op))
            return false;
    return true;
}

/* ---- what is decided ---- */

struct decided {
    bool linearizable, justified;
    unsigned events; /* up to the first that is wrong */
};

static void decide_whole(const struct object *o,
                         const struct plumb_infer_automaton *a,
                         const struct concurrent *c, struct decided *d)
{
    struct plumb_history h = build(o, c);
    struct plumb_infer_spec *const inferred =
        plumb_infer_spec_new(a, &o->test, o->answer, &h, NULL);
    const struct plumb_check_options options = { .no_core = true };
    struct plumb_answer answer;
    struct plumb_spec *spec;
    struct plumb_error err;
    uint32_t culprit;
    assert_int_equal(
        plumb_spec_from_user(plumb_infer_spec_user(inferred), &spec, &err),
        PLUMB_OK);
    assert_int_equal(plumb_check(&h, spec, &options, &answer, &err), PLUMB_OK);
    d->linearizable = answer.verdict == PLUMB_LINEARIZABLE;
    plumb_answer_release(&answer);
    assert_int_equal(
        plumb_check_stuck(&h, spec, NULL, &d->justified, NULL, &culprit, &err),
        PLUMB_OK);
    plumb_spec_free(spec);
    plumb_infer_spec_free(inferred);
    plumb_history_release(&h);
}

static void follow_events(const struct object *o,
                          const struct plumb_infer_automaton *a,
                          const struct concurrent *c, struct decided *d)
{
    struct plumb_infer_spec *const inferred =
        plumb_infer_spec_new(a, &o->test, o->answer, NULL, NULL);
    struct plumb_spec *spec;
    struct plumb_error err;
    assert_int_equal(
        plumb_spec_from_user(plumb_infer_spec_user(inferred), &spec, &err),
        PLUMB_OK);
    struct plumb_check_configurations *const f =
        plumb_check_configurations_open(spec, NULL);
    plumb_check_configuration_set live = plumb_check_configurations_start(f);
    for (d->events = 0; d->events < c->events; d->events++) {
        const struct event *const e = &c->of[c->order[d->events]];
        const struct plumb_check_configurations_word
            arg = { .value = o->call[e->op].value[0] },
            result = { .value = plumb_int(e->answer) };
        const uint32_t call = plumb_check_configurations_operation(
            f, e->op / o->calls, "do", &arg, 1);
        live = e->call == d->events
                   ? plumb_check_configurations_call(f, live, call)
                   : plumb_check_configurations_return(
                         f, live, call,
                         plumb_check_configurations_answer(f, call, "ok",
                                                           &result, 1));
        assert_int_not_equal(live, PLUMB_CONFIGURATIONS_FAILED);
        if (live == PLUMB_CONFIGURATIONS_NONE)
            break;
    }
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
    plumb_infer_spec_free(inferred);
}

struct counts {
    unsigned compared, wrong, stuck, waiting;
};

static void compare(const struct object *o, const struct concurrent *c,
                    const struct plumb_infer_automaton *a,
                    const struct histories *all, uint64_t seed,
                    struct counts *n)
{
    unsigned events = 0; /* of the longest beginning that has a witness */
    while (events < c->events) {
        const struct concurrent longer = cut(c, events + 1);
        if (!has_witness(&longer, all, NEVER))
            break;
        events++;
    }
    const bool linearizable = events == c->events;
    const bool justified = linearizable && is_justified(c, all);
    struct decided d;
    decide_whole(o, a, c, &d);
    follow_events(o, a, c, &d);
    claim(d.linearizable == linearizable, seed, "search");
    claim(d.events == events, seed, "live configurations");
    claim(!linearizable || d.justified == justified, seed, "stuck");
    n->compared++;
    n->wrong += !linearizable;
    n->stuck += linearizable && !justified;
    n->waiting += justified && is_pending(c, c->order[c->events - 1]);
}

static void it_decides_as_the_list_of_histories_does(void **state)
{
    (void)state;
    static struct object o;
    struct counts n = { 0 };
    struct histories all;
    open_histories(&all);
    for (uint64_t seed = 0; seed < SOME_OF(10000); seed++) {
        struct plumb_infer_automaton a, tree;
        struct plumb_infer_conflict conflict;
        struct plumb_error err;
        draw_object(&o, seed);
        spell_graph(&(struct moments){ o.seen, o.count }, &all);
        claim(!all.too_many, seed, "too many histories");
        claim(plumb_infer_build(o.seen, o.count, o.moments, o.allowed, NULL, &a,
                                &conflict, &err) == PLUMB_OK,
              seed, "not built");
        tree = unfold(&a);
        for (unsigned i = 0; i < 10; i++) {
            struct concurrent c;
            draw_history(&o, &c);
            compare(&o, &c, &a, &all, seed, &n);
            compare(&o, &c, &tree, &all, seed, &n);
        }
        plumb_infer_release(&a, NULL);
    }
    free(all.item);
    assert_true(n.wrong > n.compared / 50);
    assert_true(n.stuck > n.compared / 50);
    assert_true(n.waiting > n.compared / 200);
    print_message("%u histories, %u not linearizable, %u stuck without a "
                  "reason, %u with one\n",
                  n.compared, n.wrong, n.stuck, n.waiting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_decides_as_the_list_of_histories_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
