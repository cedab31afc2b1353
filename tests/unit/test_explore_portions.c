/* test_explore_portions.c - parts of an exploration add up to the whole.
 *
 * Several workers go through the same portions, and each runs those that are
 * its; then a leader takes what came of them, in order, or runs some itself.
 * What it is told and counts is what one alone is told and counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random_program.h"
#include "strategies/explore.h"
#include "structures.h"

enum { MOST_EXECUTIONS = 20000, MOST_PORTIONS = MOST_EXECUTIONS, WORKERS = 3 };

/* Executions in order, as numbers that tell them apart. */
static struct tale {
    uint64_t execution[WORKERS * MOST_EXECUTIONS];
    size_t count;
    struct plumb_strategies_explore_stats stats;
} whole, told, worker;

static struct result {
    size_t from, count; /* in worker.execution */
    struct plumb_strategies_explore_stats stats;
    bool done;
} result[MOST_PORTIONS];

struct share {
    struct tale *tale;
    struct plumb_strategies_explore_options o;
    unsigned self; /* 0: the leader, or alone; 1, ... */
    unsigned salt; /* sizes and what the leader runs itself depend on it */
    size_t portions, taken, heard;
    bool ours;
};

static uint32_t longest[MOST_EXECUTIONS + 1]; /* after so many */

static uint64_t number_of(const struct plumb_strategies_execution *x)
{
    uint64_t hash = (uint64_t)x->outcome + 1;
    for (uint32_t i = 0; i < x->length; i++)
        hash = plumb_base_mix(hash, (uint64_t)x->step[i].thread << 40 |
                                        (uint64_t)x->step[i].option << 32 |
                                        x->step[i].preemptions);
    return hash;
}

/* Before the first portion everybody is told.  A worker does not know that all
 * of them are enough, but when it alone has run so many. */
static bool hear(void *context, const struct plumb_strategies_execution *x)
{
    struct share *const s = context;
    assert_true(s->tale->count < WORKERS * MOST_EXECUTIONS);
    if (!s->self || s->ours)
        s->tale->execution[s->tale->count++] = number_of(x);
    if (s->tale == &whole)
        longest[whole.count] = whole.stats.longest;
    return !s->self || !s->o.executions || ++s->heard < s->o.executions;
}

static uint64_t size_of(const struct share *s, size_t portion)
{
    return 1 + plumb_base_mix(portion / 4, s->salt) % 20;
}

static enum plumb_strategies_share lead(struct share *s, size_t portion)
{
    const struct result *const r = &result[portion];
    struct plumb_strategies_explore_stats *const stats = &s->tale->stats;
    const uint64_t most = s->o.executions;
    if (!r->done || plumb_base_mix(portion, s->salt) % 16 == 0 ||
        (most && stats->complete + stats->cut + r->count > most))
        return PLUMB_SHARE_RUN;
    plumb_strategies_add_stats(stats, &r->stats);
    for (size_t i = 0; i < r->count; i++)
        s->tale->execution[s->tale->count++] = worker.execution[r->from + i];
    s->taken++;
    return PLUMB_SHARE_SKIP;
}

static enum plumb_strategies_share ask(void *context,
                                       struct plumb_strategies_portion *p)
{
    struct share *const s = context;
    const size_t portion = s->portions++;
    if (s->self && s->o.executions && portion >= s->o.executions)
        return PLUMB_SHARE_END; /* there is something in each */
    assert_true(portion < MOST_PORTIONS);
    p->most = size_of(s, portion);
    if (p->meets)
        s->tale->stats.longest = longest[p->first];
    if (!s->self)
        return lead(s, portion);
    s->ours =
        plumb_base_mix(portion, ~(uint64_t)s->salt) % WORKERS == s->self - 1;
    if (!s->ours)
        return PLUMB_SHARE_SKIP;
    s->tale->stats = (struct plumb_strategies_explore_stats){ .longest = 0 };
    if (p->meets)
        s->tale->stats.longest = longest[p->first];
    result[portion].from = s->tale->count;
    return PLUMB_SHARE_RUN;
}

static void end(void *context)
{
    struct share *const s = context;
    struct result *const r = &result[s->portions - 1];
    if (!s->ours)
        return;
    r->stats = s->tale->stats;
    r->count = s->tale->count - r->from;
    r->done = true;
    s->ours = false;
}

static void explore(const struct program *p, struct share *s)
{
    struct interpreter interpreter;
    const struct plumb_strategies_machine m =
        interpreter_machine(&interpreter, p);
    struct plumb_error err;
    s->o.ended = hear;
    s->o.context = s;
    assert_int_equal(plumb_strategies_explore(&m, &s->o, &s->tale->stats, &err),
                     PLUMB_OK);
}

static void assert_same_tale(void)
{
    assert_int_equal(told.count, whole.count);
    assert_memory_equal(told.execution, whole.execution,
                        whole.count * sizeof *whole.execution);
    assert_memory_equal(&told.stats, &whole.stats, sizeof whole.stats);
}

/* So many portions were run by others. */
static size_t share(const struct program *p,
                    const struct plumb_strategies_explore_options *o,
                    unsigned salt)
{
    struct share s = { .tale = &whole, .o = *o };
    memset(result, 0, sizeof result);
    whole.count = told.count = worker.count = 0;
    explore(p, &s);
    for (unsigned i = 1; i <= WORKERS; i++) {
        s = (struct share){ .tale = &worker, .o = *o, .self = i, .salt = salt };
        s.o.portion = ask;
        s.o.portion_ended = end;
        explore(p, &s);
    }
    s = (struct share){ .tale = &told, .o = *o, .salt = salt };
    s.o.portion = ask;
    explore(p, &s);
    assert_same_tale();
    return s.taken;
}

static void parts_of_dfs_are_the_whole(void **state)
{
    (void)state;
    size_t taken = 0;
    for (unsigned seed = 1; seed < 400; seed++) {
        const struct plumb_strategies_explore_options o = {
            .strategy = PLUMB_DFS,
            .bounded = seed % 2,
            .preemptions = seed / 2 % 5,
            .fair = seed % 3 == 0,
            .steps = seed % 5 ? 0 : 9,
            .executions = seed % 7 ? 5000 : 300 + seed,
        };
        struct random_program p;
        if (seed % 4)
            make_sync_program(&p, seed, false);
        else
            make_crowded_program(&p, seed);
        taken += share(&p.program, &o, seed);
    }
    assert_true(taken > 5000);
}

static void parts_of_large_structures_are_the_whole(void **state)
{
    (void)state;
    struct structure s;
    make_treiber(&s, 3);
    for (unsigned i = 1; i < 5; i++) {
        const struct plumb_strategies_explore_options o = { .strategy =
                                                                PLUMB_DFS,
                                                            .bounded = i > 1,
                                                            .preemptions = i,
                                                            .executions =
                                                                10000 };
        assert_true(share(&s.program, &o, i) > 30);
    }
}

static void parts_by_chance_are_the_whole(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed < 200; seed++)
        for (unsigned strategy = PLUMB_RANDOM; strategy <= PLUMB_PCT;
             strategy++) {
            const struct plumb_strategies_explore_options o = {
                .strategy = (enum plumb_strategy)strategy,
                .seed = seed,
                .changes = 3,
                .fair = strategy == PLUMB_PCT,
                .steps = 40,
                .executions = 100 + seed,
            };
            struct random_program p;
            make_sync_program(&p, seed, true);
            assert_true(share(&p.program, &o, seed) > 0);
        }
}

/* ---- each by itself ---- */

static bool say_no(void *context, const struct plumb_strategies_execution *x)
{
    uint64_t *const number = context;
    *number = number_of(x);
    return false;
}

static enum plumb_strategies_share skip_to(void *context,
                                           struct plumb_strategies_portion *p)
{
    const uint64_t *const number = context;
    p->most = 1;
    return p->first == *number ? PLUMB_SHARE_RUN : PLUMB_SHARE_SKIP;
}

/* Where it stops, the number becomes that of the execution. */
static void an_execution_by_chance_needs_none_before_it(void **state)
{
    (void)state;
    struct structure s;
    make_treiber(&s, 3);
    struct share all = {
        .tale = &whole,
        .o = { .strategy = PLUMB_RANDOM, .seed = 7, .executions = 50 }
    };
    whole.count = 0;
    explore(&s.program, &all);
    for (uint64_t k = 0; k < 50; k++) {
        uint64_t number = k;
        struct plumb_strategies_explore_options o = all.o;
        o.ended = say_no;
        o.portion = skip_to;
        o.context = &number;
        struct interpreter interpreter;
        const struct plumb_strategies_machine m =
            interpreter_machine(&interpreter, &s.program);
        struct plumb_strategies_explore_stats stats;
        struct plumb_error err;
        assert_int_equal(plumb_strategies_explore(&m, &o, &stats, &err),
                         PLUMB_OK);
        assert_true(number == whole.execution[k]);
    }
}

static enum plumb_strategies_share end_it(void *context,
                                          struct plumb_strategies_portion *p)
{
    unsigned *const asked = context;
    p->most = 10;
    return ++*asked < 3 ? PLUMB_SHARE_RUN : PLUMB_SHARE_END;
}

static void who_is_asked_may_end_it(void **state)
{
    (void)state;
    struct structure s;
    make_treiber(&s, 3);
    for (unsigned strategy = PLUMB_DFS; strategy <= PLUMB_PCT; strategy++) {
        unsigned asked = 0;
        const struct plumb_strategies_explore_options o = {
            .strategy = (enum plumb_strategy)strategy,
            .portion = end_it,
            .context = &asked
        };
        struct interpreter interpreter;
        const struct plumb_strategies_machine m =
            interpreter_machine(&interpreter, &s.program);
        struct plumb_strategies_explore_stats stats;
        struct plumb_error err;
        assert_int_equal(plumb_strategies_explore(&m, &o, &stats, &err),
                         PLUMB_OK);
        assert_int_equal(asked, 3);
        assert_true(stats.complete > 0 && stats.complete < 1000);
        assert_false(stats.exhausted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_dfs_are_the_whole),
        cmocka_unit_test(parts_of_large_structures_are_the_whole),
        cmocka_unit_test(parts_by_chance_are_the_whole),
        cmocka_unit_test(an_execution_by_chance_needs_none_before_it),
        cmocka_unit_test(who_is_asked_may_end_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
