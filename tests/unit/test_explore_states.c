/* test_explore_states.c - every state once, against all schedules and against
 * a search that keeps whole machines.
 *
 * The interpreter can be copied, so its states can be found and compared
 * without fingerprints and without repeating steps; which of them lie on a
 * common cycle is then told by closing the relation of steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "effort.h"
#include "outcomes.h"
#include "random_program.h"
#include "strategies/explore.h"
#include "structures.h"

static void claim(bool holds, uint64_t seed, const char *what)
{
    if (!holds)
        fail_msg("random program of seed %llu: %s", (unsigned long long)seed,
                 what);
}

/* ---- against all schedules ---- */

struct collection {
    const struct interpreter *machine;
    struct list state, history;
};

static bool collect(void *context, const struct plumb_strategies_execution *e)
{
    struct collection *const c = context;
    if (e->outcome != PLUMB_COMPLETE && e->outcome != PLUMB_DEADLOCK)
        return true;
    if (c->state.count == MOST_SCHEDULES)
        return false;
    add_item(&c->state, state_of(c->machine, e->outcome));
    add_item(&c->history, history_of(c->machine, e));
    return true;
}

static struct plumb_strategies_explore_stats run(
    const struct program *p, struct plumb_strategies_explore_options o,
    bool histories, struct collection *into)
{
    struct interpreter interpreter;
    const struct plumb_strategies_machine m =
        interpreter_machine(&interpreter, p);
    struct plumb_strategies_explore_stats stats;
    struct plumb_error err;
    interpreter.tells_histories = histories;
    into->machine = &interpreter;
    into->state.count = into->history.count = 0;
    o.ended = collect;
    o.context = into;
    assert_int_equal(plumb_strategies_explore(&m, &o, &stats, &err), PLUMB_OK);
    sort_and_drop_doubles(&into->state);
    sort_and_drop_doubles(&into->history);
    return stats;
}

static struct plumb_strategies_explore_options bounded_by(unsigned bound)
{
    return (struct plumb_strategies_explore_options){ .bounded = bound > 0,
                                                      .preemptions =
                                                          bound - 1 };
}

/* False: too many schedules. */
static bool compare(const struct program *p, uint64_t seed, unsigned bound,
                    struct collection *all, struct collection *some)
{
    struct plumb_strategies_explore_options o = bounded_by(bound);
    o.strategy = PLUMB_DFS;
    if (!run(p, o, false, all).exhausted)
        return false;
    o.strategy = PLUMB_STATES;
    const struct plumb_strategies_explore_stats s = run(p, o, false, some);
    claim(s.exhausted, seed, "not exhausted");
    claim(are_equal(&all->state, &some->state), seed, "other final states");
    claim(o.bounded || s.complete == some->state.count, seed, "one twice");
    claim(s.edges == s.steps, seed, "miscounted edges");
    claim(s.edges == s.states - 1 + s.seen, seed, "miscounted states");
    claim(!s.endless, seed, "a program that ends was said to be endless");
    const struct plumb_strategies_explore_stats h = run(p, o, true, some);
    claim(h.exhausted && h.states >= s.states, seed, "lost states");
    claim(are_equal(&all->history, &some->history), seed, "other histories");
    return true;
}

static void final_states_and_histories_are_those_of_all_schedules(void **state)
{
    (void)state;
    struct collection all, some;
    unsigned compared = 0, programs = 0;
    open_list(&all.state);
    open_list(&all.history);
    open_list(&some.state);
    open_list(&some.history);
    for (uint64_t seed = 0; seed < SOME_OF(3000); seed++) {
        struct random_program r;
        if (seed % 2)
            make_sync_program(&r, seed, false);
        else
            make_random_program(&r, seed);
        for (unsigned bound = 0; bound < 4; bound++, programs++)
            compared += compare(&r.program, seed, bound, &all, &some);
    }
    assert_true(compared > programs * 9 / 10);
    free(all.state.item);
    free(all.history.item);
    free(some.state.item);
    free(some.history.item);
}

/* ---- against a search that keeps machines ---- */

enum { MOST_MACHINES = 400 };

/* A machine, and with a bound what else its future depends on. */
struct place {
    struct interpreter m;
    unsigned spent, last; /* thread + 1, if to leave it costs one */
};

struct brute {
    struct place *place;
    unsigned places, edges, finals, bound; /* bound + 1; 0 is none */
    bool calls_are_left;                   /* nobody has to make one */
    uint64_t goes[MOST_MACHINES];          /* within the component */
    bool reaches[MOST_MACHINES][MOST_MACHINES];
    uint64_t step[MOST_MACHINES][MOST_MACHINES]; /* threads that take it */
};

static struct interpreter without_noise(const struct interpreter *m)
{
    struct interpreter copy;
    memcpy(&copy, m, sizeof copy);
    copy.yielding = 0;
    memset(copy.returns, 0, sizeof copy.returns);
    memset(copy.history, 0, sizeof copy.history);
    return copy;
}

static bool are_same(const struct interpreter *a, const struct interpreter *b)
{
    const struct interpreter x = without_noise(a), y = without_noise(b);
    return x.threads == y.threads && x.ready == y.ready &&
           !memcmp(x.thread, y.thread, x.threads * sizeof *x.thread) &&
           !memcmp(x.memory, y.memory, sizeof x.memory) &&
           !memcmp(x.owner, y.owner, sizeof x.owner) &&
           !memcmp(x.count, y.count, sizeof x.count) &&
           !memcmp(x.enlisted, y.enlisted, sizeof x.enlisted);
}

static unsigned number_of(struct brute *b, const struct place *p)
{
    unsigned n = 0;
    while (n < b->places &&
           !(b->place[n].spent == p->spent && b->place[n].last == p->last &&
             are_same(&b->place[n].m, &p->m)))
        n++;
    if (n == b->places && n < MOST_MACHINES)
        b->place[b->places++] = *p;
    return n;
}

/* False: too many. */
static bool go_on(struct brute *b, unsigned from, unsigned thread,
                  unsigned option)
{
    struct place next = b->place[from];
    struct plumb_strategies_event event;
    const bool preempts = next.last && next.last != thread + 1;
    if (b->bound && preempts && ++next.spent >= b->bound)
        return true;
    interpreter_step(&next.m, thread, option, &event);
    next.last = next.m.ready & ~next.m.yielding & (uint64_t)1 << thread
                    ? thread + 1
                    : 0;
    if (!b->bound)
        next.last = 0;
    const unsigned to = number_of(b, &next);
    if (to == MOST_MACHINES)
        return false;
    b->step[from][to] |= (uint64_t)1 << thread;
    b->reaches[from][to] = true;
    b->edges++;
    return true;
}

static unsigned options_of(const struct interpreter *m, unsigned thread)
{
    const struct instruction *const i = m->thread[thread].at;
    return i->op == CHOOSE ? i->size : 1;
}

static bool find_all(struct brute *b, const struct program *p)
{
    struct place first = { .last = 0 };
    interpreter_machine(&first.m, p);
    interpreter_begin(&first.m);
    number_of(b, &first);
    for (unsigned n = 0; n < b->places; n++) {
        const struct interpreter *const m = &b->place[n].m;
        b->finals += !m->ready;
        for (unsigned t = 0; t < m->threads; t++)
            for (unsigned o = 0; m->ready >> t & 1 && o < options_of(m, t); o++)
                if (!go_on(b, n, t, o))
                    return false;
    }
    return true;
}

static void close_relation(struct brute *b)
{
    for (unsigned k = 0; k < b->places; k++)
        for (unsigned i = 0; i < b->places; i++)
            for (unsigned j = 0; b->reaches[i][k] && j < b->places; j++)
                b->reaches[i][j] |= b->reaches[k][j];
}

static uint64_t has_to_go_on(struct interpreter *m, bool calls_are_left)
{
    return m->ready & ~(calls_are_left ? interpreter_calling(m) : 0);
}

/* The component that this is the first of. */
static bool is_fair_component(struct brute *b, unsigned first)
{
    uint64_t ready = 0, goes = 0;
    for (unsigned i = 0; i < b->places; i++) {
        if (!(b->reaches[first][i] && b->reaches[i][first]))
            continue;
        if (i < first)
            return false;
        ready |= has_to_go_on(&b->place[i].m, b->calls_are_left);
        for (unsigned j = 0; j < b->places; j++)
            if (b->reaches[first][j] && b->reaches[j][first])
                goes |= b->step[i][j];
    }
    return goes && !(ready & ~goes);
}

static unsigned fair_components(struct brute *b)
{
    unsigned count = 0;
    close_relation(b);
    for (unsigned n = 0; n < b->places; n++)
        count += b->reaches[n][n] && is_fair_component(b, n);
    return count;
}

/* ---- what is told of one without end ---- */

struct witness {
    const struct interpreter *machine;
    const struct program *program;
    bool bounded, calls_are_left;
    unsigned told, seen, finals;
};

static bool check(void *context, const struct plumb_strategies_execution *e)
{
    struct witness *const w = context;
    struct interpreter m;
    struct plumb_strategies_event event;
    w->seen += e->outcome == PLUMB_SEEN;
    w->finals += e->outcome == PLUMB_COMPLETE || e->outcome == PLUMB_DEADLOCK;
    if (e->outcome != PLUMB_ENDLESS)
        return true;
    const uint32_t stem = e->length - e->cycle;
    assert_true(e->cycle > 0 && e->cycle <= e->length);
    interpreter_machine(&m, w->program);
    interpreter_begin(&m);
    for (uint32_t i = 0; i < stem; i++)
        interpreter_step(&m, e->step[i].thread, e->step[i].option, &event);
    const struct interpreter start = m;
    uint64_t ready = has_to_go_on(&m, w->calls_are_left), goes = 0;
    for (uint32_t i = stem; i < e->length; i++) {
        assert_true(m.ready >> e->step[i].thread & 1);
        interpreter_step(&m, e->step[i].thread, e->step[i].option, &event);
        goes |= (uint64_t)1 << e->step[i].thread;
        ready |= has_to_go_on(&m, w->calls_are_left);
    }
    assert_true(are_same(&start, &m));
    assert_true(are_same(&m, w->machine));
    assert_int_equal(ready & ~goes, 0);
    if (w->bounded)
        assert_int_equal(e->step[e->length - 1].preemptions,
                         stem ? e->step[stem - 1].preemptions : 0);
    w->told++;
    return true;
}

static struct plumb_strategies_explore_stats explore_calls(
    const struct program *p, struct plumb_strategies_explore_options o,
    bool calls_are_left, struct witness *w)
{
    struct interpreter interpreter;
    struct plumb_strategies_machine m = interpreter_machine(&interpreter, p);
    struct plumb_strategies_explore_stats stats;
    struct plumb_error err;
    *w = (struct witness){ .machine = &interpreter,
                           .program = p,
                           .bounded = o.bounded,
                           .calls_are_left = calls_are_left };
    m.calling = calls_are_left ? interpreter_calling : NULL;
    o.strategy = PLUMB_STATES;
    o.ended = check;
    o.context = w;
    assert_int_equal(plumb_strategies_explore(&m, &o, &stats, &err), PLUMB_OK);
    assert_int_equal(stats.seen, w->seen);
    assert_int_equal(stats.complete, w->finals);
    assert_int_equal(stats.endless, w->told);
    return stats;
}

static struct plumb_strategies_explore_stats explore(
    const struct program *p, struct plumb_strategies_explore_options o,
    struct witness *w)
{
    return explore_calls(p, o, false, w);
}

/* How many components are fair; -1 if there are too many states. */
static int compare_with_brute(const struct program *p, uint64_t seed,
                              unsigned bound, bool calls_are_left,
                              struct brute *b)
{
    struct place *const place = b->place;
    struct witness w;
    *b = (struct brute){ .place = place,
                         .bound = bound,
                         .calls_are_left = calls_are_left };
    if (!find_all(b, p))
        return -1;
    const struct plumb_strategies_explore_stats s =
        explore_calls(p, bounded_by(bound), calls_are_left, &w);
    const unsigned fair = fair_components(b);
    claim(s.exhausted, seed, "not exhausted");
    claim(s.states == b->places, seed, "other states");
    claim(s.edges == b->edges, seed, "other edges");
    claim(s.complete == b->finals, seed, "other final states");
    claim(s.endless == fair, seed, "other endless ones");
    return (int)fair;
}

static void states_edges_and_fair_cycles_are_those_of_brute_force(void **state)
{
    (void)state;
    struct brute *const b = malloc(sizeof *b);
    unsigned compared = 0, endless = 0, many = 0, stuck = 0;
    assert_non_null(b);
    b->place = malloc(MOST_MACHINES * sizeof *b->place);
    assert_non_null(b->place);
    for (uint64_t seed = 0; seed < SOME_OF(1200); seed++) {
        struct random_program r;
        make_sync_program(&r, seed, true);
        for (unsigned bound = 0; bound < 4; bound++) {
            const int fair =
                compare_with_brute(&r.program, seed, bound, false, b);
            compared += fair >= 0;
            endless += fair > 0;
            many += fair > 1;
            if (fair >= 0)
                stuck +=
                    compare_with_brute(&r.program, seed, bound, true, b) > fair;
        }
    }
    printf("%u compared: %u without end, %u of them in several ways, %u in "
           "more if calls need not be made\n",
           compared, endless, many, stuck);
    assert_true(compared > SOME_OF(3000) && endless > SOME_OF(300) &&
                many > SOME_OF(30) / 2 && stuck > SOME_OF(300) / 2);
    free(b->place);
    free(b);
}

/* ---- programs whose answer is known ---- */

static void a_spin_wait_ends(void **state)
{
    (void)state;
    static const struct instruction
        waits[] = { { .op = LOAD, .size = 8, .r = 1 },
                    { .op = SAME, .r = 1, .to = -1 },
                    { .op = END } },
        sets[] = { { .op = NOTHING },
                   { .op = STORE, .size = 8, .value = 1 },
                   { .op = END } };
    const struct program p = { .code = { waits, sets },
                               .codes = 2,
                               .threads = 2 };
    struct witness w;
    const struct plumb_strategies_explore_stats s =
        explore(&p, (struct plumb_strategies_explore_options){ 0 }, &w);
    /* Before, between and after the steps of the other; then it has read. */
    assert_int_equal(s.states, 4);
    assert_int_equal(s.edges, 5);
    assert_int_equal(s.seen, 2);
    assert_int_equal(s.complete, 1);
    assert_int_equal(s.endless, 0);
    assert_true(s.exhausted);
}

/* Both want it; who has it works on, and the other waits by trying again. */
static void a_spinlock_is_fair_enough(void **state)
{
    (void)state;
    static const struct instruction code[] = {
        { .op = SET, .r = 1 },
        { .op = SWAP, .size = 8, .r = 1, .value = 1, .to = -1 },
        { .op = ADD, .at = 8, .size = 8, .value = 1, .r = 2 },
        { .op = STORE, .size = 8 },
        { .op = END }
    };
    const struct program p = { .code = { code, code, code },
                               .codes = 3,
                               .threads = 3 };
    struct witness w;
    const struct plumb_strategies_explore_stats s =
        explore(&p, (struct plumb_strategies_explore_options){ 0 }, &w);
    assert_int_equal(s.endless, 0);
    assert_int_equal(s.complete, 6); /* who read 0, who read 1 */
    assert_true(s.seen > 0 && s.exhausted);
}

/* Raise my flag; while the other's is up, lower mine and begin again. */
#define POLITE(mine, other)                                                    \
    {                                                                          \
        { .op = STORE, .at = mine, .size = 8, .value = 1 },                    \
            { .op = LOAD, .at = other, .size = 8, .r = 1 },                    \
            { .op = SAME, .r = 1, .to = 3 },                                   \
            { .op = STORE, .at = mine, .size = 8 }, { .op = GOTO, .to = -4 },  \
            { .op = STORE, .at = mine, .size = 8 }, { .op = END },             \
    }

static void giving_way_for_ever_is_endless(void **state)
{
    (void)state;
    static const struct instruction one[] = POLITE(0, 8), two[] = POLITE(8, 0);
    const struct program p = { .code = { one, two }, .codes = 2, .threads = 2 };
    struct witness w;
    struct plumb_strategies_explore_stats s =
        explore(&p, (struct plumb_strategies_explore_options){ 0 }, &w);
    assert_int_equal(s.endless, 1);
    assert_true(s.complete > 0 && s.exhausted);
    /* It takes a preemption in every round. */
    s = explore(&p, bounded_by(3), &w);
    assert_int_equal(s.endless, 0);
    assert_true(s.exhausted);
    /* Unless who waits has given way. */
    struct plumb_strategies_explore_options fair = bounded_by(2);
    fair.fair = true;
    s = explore(&p, fair, &w);
    assert_true(s.endless > 0 && s.exhausted);
    fair.preemptions = 0;
    s = explore(&p, fair, &w);
    assert_true(s.endless == 0 && s.exhausted);
}

static void what_waits_for_nobody_is_endless_within_any_bound(void **state)
{
    (void)state;
    static const struct instruction spins[] = { { .op = LOAD, .size = 8 },
                                                { .op = GOTO, .to = -1 } },
                                    ends[] = { { .op = NOTHING },
                                               { .op = END } };
    const struct program p = { .code = { spins, ends },
                               .codes = 2,
                               .threads = 2 };
    struct witness w;
    for (unsigned bound = 0; bound < 3; bound++) {
        const struct plumb_strategies_explore_stats s =
            explore(&p, bounded_by(bound), &w);
        /* One for each number of preemptions there may have been before. */
        assert_int_equal(s.endless, bound ? bound : 1);
        assert_int_equal(s.complete, 0);
    }
}

/* It may never get the lock, which is free now and then but not all the time;
 * or it gets it, and the other goes on alone. */
static void a_thread_that_can_go_on_only_now_and_then_does_not_starve(
    void **state)
{
    (void)state;
    static const struct instruction again[] = { { .op = LOCK },
                                                { .op = UNLOCK },
                                                { .op = GOTO, .to = -2 } },
                                    once[] = { { .op = LOCK },
                                               { .op = UNLOCK },
                                               { .op = END } };
    const struct program p = { .code = { again, once },
                               .codes = 2,
                               .threads = 2 };
    struct witness w;
    const struct plumb_strategies_explore_stats s =
        explore(&p, (struct plumb_strategies_explore_options){ 0 }, &w);
    assert_int_equal(s.states, 5);
    assert_int_equal(s.endless, 1); /* once it is gone */
}

/* The step that the reader owes is farther away than the one by which it
 * leaves. */
static void the_way_round_does_not_leave_the_cycle(void **state)
{
    (void)state;
    static const struct instruction
        reads[] = { { .op = LOAD, .size = 8, .r = 1 },
                    { .op = SAME, .r = 1, .to = -1 },
                    { .op = END } },
        writes[] = { { .op = STORE, .size = 8, .value = 1 },
                     { .op = NOTHING },
                     { .op = STORE, .size = 8 },
                     { .op = GOTO, .to = -3 } };
    const struct program p = { .code = { reads, writes },
                               .codes = 2,
                               .threads = 2 };
    struct witness w;
    const struct plumb_strategies_explore_stats s =
        explore(&p, (struct plumb_strategies_explore_options){ 0 }, &w);
    assert_int_equal(s.states, 6);
    assert_int_equal(s.endless, 2);
}

/* Six ways not to end are four reports; and they are told although no more
 * executions are wanted. */
static void all_of_them_are_told(void **state)
{
    (void)state;
    static const struct instruction one[] = {
        { .op = CHOOSE, .size = 6, .r = 1 },
        { .op = LOAD, .size = 8, .r = 2 },
        { .op = GOTO, .to = -1 },
    };
    const struct program p = { .code = { one }, .codes = 1, .threads = 1 };
    struct witness w;
    struct plumb_strategies_explore_options o = { .executions = 0 };
    assert_int_equal(explore(&p, o, &w).endless, 6);
    o.executions = 3;
    const struct plumb_strategies_explore_stats s = explore(&p, o, &w);
    assert_int_equal(s.endless, 3);
    assert_int_equal(s.seen, 3);
    assert_false(s.exhausted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(final_states_and_histories_are_those_of_all_schedules),
        cmocka_unit_test(states_edges_and_fair_cycles_are_those_of_brute_force),
        cmocka_unit_test(a_spin_wait_ends),
        cmocka_unit_test(a_spinlock_is_fair_enough),
        cmocka_unit_test(giving_way_for_ever_is_endless),
        cmocka_unit_test(what_waits_for_nobody_is_endless_within_any_bound),
        cmocka_unit_test(
            a_thread_that_can_go_on_only_now_and_then_does_not_starve),
        cmocka_unit_test(the_way_round_does_not_leave_the_cycle),
        cmocka_unit_test(all_of_them_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
