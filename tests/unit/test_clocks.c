/* test_clocks.c - happens-before and races, against their definitions.
 *
 * Random executions of random programs; what happens before what is computed
 * by closing the order of neighbours, pair by pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_program.h"
#include "strategies/clocks.h"
#include "strategies/explore.h"

enum { MOST = 64 };

struct order {
    const struct plumb_strategies_step *step;
    uint32_t length;
    uint64_t before[MOST]; /* bit j: j happens before this, or is it */
};

static enum plumb_strategies_event_kind kind_at(const struct order *o,
                                                uint32_t i)
{
    return o->step[i].event.kind;
}

static bool comes_by_thread(const struct order *o, uint32_t i, uint32_t j)
{
    const struct plumb_strategies_step *const a = o->step + i, *const b =
                                                                   o->step + j;
    return a->thread == b->thread ||
           (kind_at(o, i) == PLUMB_EVENT_SPAWN && a->event.at == b->thread) ||
           (kind_at(o, j) == PLUMB_EVENT_JOIN && b->event.at == a->thread);
}

static void close_order(struct order *o)
{
    for (uint32_t j = 0; j < o->length; j++) {
        o->before[j] = (uint64_t)1 << j;
        for (uint32_t i = 0; i < j; i++)
            if (comes_by_thread(o, i, j) ||
                plumb_strategies_events_depend(&o->step[i].event,
                                               &o->step[j].event))
                o->before[j] |= o->before[i];
    }
}

static bool happens_before(const struct order *o, uint32_t i, uint32_t j)
{
    return o->before[j] >> i & 1;
}

static bool something_is_between(const struct order *o, uint32_t i, uint32_t j)
{
    for (uint32_t k = i + 1; k < j; k++)
        if (happens_before(o, i, k) && happens_before(o, k, j))
            return true;
    return false;
}

/* The thread of j had seen i before it came to the lock. */
static bool was_known(const struct order *o, uint32_t i, uint32_t j)
{
    for (uint32_t k = i + 1; k < j; k++)
        if (comes_by_thread(o, k, j) && happens_before(o, i, k))
            return true;
    return comes_by_thread(o, i, j);
}

static bool a_lock_is_between(const struct order *o, uint32_t i, uint32_t j)
{
    for (uint32_t k = i + 1; k < j; k++)
        if (kind_at(o, k) == PLUMB_EVENT_LOCK &&
            o->step[k].event.at == o->step[j].event.at)
            return true;
    return false;
}

static bool is_race(const struct order *o, uint32_t i, uint32_t j)
{
    if (comes_by_thread(o, i, j) || kind_at(o, i) == PLUMB_EVENT_UNLOCK ||
        kind_at(o, j) == PLUMB_EVENT_UNLOCK ||
        !plumb_strategies_events_depend(&o->step[i].event, &o->step[j].event))
        return false;
    if (kind_at(o, j) == PLUMB_EVENT_LOCK)
        return !was_known(o, i, j) && !a_lock_is_between(o, i, j);
    return !something_is_between(o, i, j);
}

/* ---- objects with SYNC ---- */

static bool is_of_object(const struct order *o, uint32_t i)
{
    return kind_at(o, i) == PLUMB_EVENT_LOCK ||
           kind_at(o, i) == PLUMB_EVENT_UNLOCK ||
           kind_at(o, i) == PLUMB_EVENT_SYNC;
}

static bool are_of_one_object(const struct order *o, uint32_t i, uint32_t j)
{
    return is_of_object(o, i) && is_of_object(o, j) &&
           o->step[i].event.at == o->step[j].event.at;
}

static bool syncs_until(const struct order *o, uint32_t j)
{
    for (uint32_t i = 0; i <= j; i++)
        if (are_of_one_object(o, i, j) && kind_at(o, i) == PLUMB_EVENT_SYNC)
            return true;
    return false;
}

/* All events of the object before, latest first, and no races. */
static void walk_is_right(const struct plumb_strategies_clocks *c,
                          const struct order *o, uint32_t j)
{
    uint32_t walk = c->object;
    for (uint32_t i = j; i-- > 0;)
        if (are_of_one_object(o, i, j)) {
            assert_true(walk);
            assert_int_equal(plumb_strategies_clocks_walk(c, &walk), i);
        }
    assert_int_equal(walk, 0);
    assert_int_equal(c->races, 0);
}

/* ---- the claims ---- */

static void row_is_right(const struct plumb_strategies_clocks *c,
                         const struct order *o, uint32_t j)
{
    const uint32_t *const row = plumb_strategies_clocks_row(c, j);
    uint32_t expected[PLUMB_MAX_THREADS] = { 0 };
    for (uint32_t i = 0; i <= j; i++)
        if (happens_before(o, i, j))
            expected[o->step[i].thread] = i + 1;
    assert_memory_equal(row, expected, c->width * sizeof *row);
}

static void races_are_right(const struct plumb_strategies_clocks *c,
                            const struct order *o, uint32_t j, unsigned *total)
{
    unsigned count = 0;
    for (uint32_t i = j; i-- > 0;)
        if (is_race(o, i, j)) {
            assert_true(count < c->races);
            assert_int_equal(c->race[count++], i);
        }
    assert_int_equal(c->races, count);
    *total += count;
}

static void push(struct plumb_strategies_clocks *c, const struct order *o,
                 unsigned *total)
{
    const uint32_t j = c->length;
    struct plumb_strategies_event event = o->step[j].event;
    assert_true(plumb_strategies_clocks_push(c, o->step[j].thread, &event));
    row_is_right(c, o, j);
    if (syncs_until(o, j)) {
        walk_is_right(c, o, j);
        return;
    }
    assert_int_equal(c->object, 0);
    races_are_right(c, o, j, total);
}

struct checker {
    struct plumb_strategies_clocks clocks;
    struct plumb_base_rng rng;
    unsigned races;
};

/* Forward, and some steps back now and then.  The steps of the execution before
 * are taken back from wherever it stood. */
static bool check(void *context, const struct plumb_strategies_execution *e)
{
    struct checker *const k = context;
    struct plumb_strategies_step step[MOST];
    struct order o = { .step = step, .length = e->length };
    assert_true(e->length < MOST);
    for (uint32_t i = 0; i < e->length; i++) {
        step[i] = e->step[i];
        if (step[i].event.kind == PLUMB_EVENT_FAILED)
            step[i].event.kind = PLUMB_EVENT_READ;
    }
    close_order(&o);
    while (k->clocks.length)
        plumb_strategies_clocks_pop(&k->clocks);
    while (k->clocks.length < e->length) {
        push(&k->clocks, &o, &k->races);
        while (k->clocks.length && plumb_base_rng_chance(&k->rng, 20))
            plumb_strategies_clocks_pop(&k->clocks);
    }
    return true;
}

static void rows_and_races_are_as_defined(void **state)
{
    (void)state;
    struct checker k = { .races = 0 };
    plumb_base_rng_seed(&k.rng, 1);
    for (uint64_t seed = 0; seed < 6000; seed++) {
        struct random_program p;
        struct interpreter interpreter;
        struct plumb_strategies_explore_stats stats;
        struct plumb_error err;
        const struct plumb_strategies_explore_options o = { .strategy =
                                                                PLUMB_RANDOM,
                                                            .seed = seed,
                                                            .executions = 20,
                                                            .ended = check,
                                                            .context = &k };
        if (seed % 2)
            make_sync_program(&p, seed, false);
        else
            make_random_program(&p, seed);
        const struct plumb_strategies_machine m =
            interpreter_machine(&interpreter, &p.program);
        plumb_strategies_clocks_init(&k.clocks, NULL);
        assert_int_equal(plumb_strategies_explore(&m, &o, &stats, &err),
                         PLUMB_OK);
        plumb_strategies_clocks_release(&k.clocks);
    }
    assert_true(k.races > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_races_are_as_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
