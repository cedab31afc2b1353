/* test_explore_branches.c - branches of dpor that are run by others, at any
 * time and in any order, add up to the whole.
 *
 * The hands are explorations of their own with the same program.  Pieces have
 * random sizes, are done in random order, and are sometimes not done at all.
 * What the leader is told and counts is what one alone is told and counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "effort.h"
#include "random_program.h"
#include "strategies/explore.h"
#include "structures.h"

enum { MOST_HANDS = 5 };

/* Executions in order, as numbers that tell them apart. */
struct tale {
    uint64_t *execution;
    size_t count, room;
    struct plumb_strategies_explore_stats stats;
};

struct given {
    unsigned branch;
    void *piece;
    size_t size;
};

/* The leader, or a hand that does one piece. */
struct team {
    const struct program *program;
    struct plumb_strategies_explore_options o;
    uint64_t random;
    struct tale *tale;

    struct given given[MOST_HANDS];
    unsigned hands, busy;
    struct tale pile[PLUMB_MOST_BRANCHES];
    struct tale last; /* what came of the piece that was waited for */
    struct given answer;
    size_t taken;

    bool fragile; /* hands run out of memory */
    bool is_hand, is_working;
    struct given *work;
};

static uint64_t draw(struct team *t, uint64_t below)
{
    t->random = plumb_base_mix(t->random, 1);
    return t->random % below;
}

static uint64_t number_of(const struct plumb_strategies_execution *x)
{
    uint64_t hash = (uint64_t)x->outcome + 1;
    for (uint32_t i = 0; i < x->length; i++)
        hash = plumb_base_mix(hash, (uint64_t)x->step[i].thread << 40 |
                                        (uint64_t)x->step[i].option << 32 |
                                        x->step[i].preemptions);
    return hash;
}

static void note(struct tale *t, uint64_t number)
{
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->execution = realloc(t->execution, t->room * sizeof *t->execution);
        assert_non_null(t->execution);
    }
    t->execution[t->count++] = number;
}

static void append(struct tale *to, const struct tale *from)
{
    for (size_t i = 0; i < from->count; i++)
        note(to, from->execution[i]);
    plumb_strategies_add_stats(&to->stats, &from->stats);
}

static void forget(struct tale *t)
{
    t->count = 0;
    t->stats = (struct plumb_strategies_explore_stats){ 0 };
}

static bool hear(void *context, const struct plumb_strategies_execution *x)
{
    struct team *const t = context;
    if (!t->is_hand || t->is_working)
        note(t->tale, number_of(x));
    return true;
}

/* ---- for all ---- */

static enum plumb_strategies_hand begin(void *context, uint64_t executions)
{
    const struct team *const t = context;
    return t->is_hand        ? PLUMB_HAND_SELF
           : executions >= 3 ? PLUMB_HAND_THERE
                             : PLUMB_HAND_NONE;
}

static bool goes_on(void *context, uint64_t executions)
{
    struct team *const t = context;
    return executions == 0 || draw(t, 8) != 0;
}

/* ---- a hand ---- */

static bool next(void *context, const void **piece, size_t *size)
{
    struct team *const t = context;
    if (t->is_working || !t->work)
        return false;
    forget(t->tale);
    t->is_working = true;
    *piece = t->work->piece;
    *size = t->work->size;
    return true;
}

static void done(void *context, const void *piece, size_t size)
{
    struct team *const t = context;
    t->work->piece = realloc(t->work->piece, size);
    assert_non_null(t->work->piece);
    memcpy(t->work->piece, piece, size);
    t->work->size = size;
    t->work = NULL;
}

static enum plumb_status explore(struct team *t)
{
    struct interpreter interpreter;
    const struct plumb_strategies_machine m =
        interpreter_machine(&interpreter, t->program);
    struct plumb_error err;
    t->o.context = t;
    t->o.ended = hear;
    return plumb_strategies_explore(&m, &t->o, &t->tale->stats, &err);
}

/* False: there was no memory. */
static bool work(struct team *leader, struct given *given)
{
    struct team hand = { .program = leader->program,
                         .o = leader->o,
                         .random = draw(leader, UINT64_MAX),
                         .tale = &leader->last,
                         .is_hand = true,
                         .work = given };
    struct plumb_budget *const budget =
        leader->fragile ? plumb_budget_new(0, 0) : NULL;
    if (budget)
        plumb_base_budget_fail_at(budget, (size_t)draw(leader, 30) + 1);
    hand.o.executions = 0;
    hand.o.budget = budget;
    const enum plumb_status status = explore(&hand);
    assert_true(status == PLUMB_OK || (budget && status == PLUMB_EMEMORY));
    assert_true(!budget || plumb_budget_used(budget) == 0);
    assert_true(status != PLUMB_OK || !hand.work);
    plumb_budget_free(budget);
    return status == PLUMB_OK;
}

/* ---- the leader ---- */

static bool is_idle(void *context)
{
    const struct team *const t = context;
    return t->busy < t->hands;
}

static enum plumb_strategies_hand give(void *context, unsigned branch,
                                       const void *piece, size_t size)
{
    struct team *const t = context;
    struct given *const g = &t->given[t->busy++];
    *g =
        (struct given){ .branch = branch, .piece = malloc(size), .size = size };
    assert_non_null(g->piece);
    memcpy(g->piece, piece, size);
    return PLUMB_HAND_THERE;
}

static enum plumb_strategies_piece_end wait(void *context, unsigned *branch,
                                            const void **piece, size_t *size)
{
    struct team *const t = context;
    const unsigned which = (unsigned)draw(t, t->busy);
    free(t->answer.piece);
    t->answer = t->given[which];
    t->given[which] = t->given[--t->busy];
    *branch = t->answer.branch;
    if (draw(t, 20) == 0 || !work(t, &t->answer))
        return PLUMB_PIECE_NEWS;
    *piece = t->answer.piece;
    *size = t->answer.size;
    return PLUMB_PIECE_DONE;
}

static bool add(struct team *t, unsigned to, const struct tale *from)
{
    const uint64_t most = t->o.executions;
    if (to == 0 && most && t->tale->count + from->count > most)
        return false;
    append(to ? &t->pile[to] : t->tale, from);
    t->taken += from->count;
    return true;
}

static bool take(void *context, unsigned branch)
{
    struct team *const t = context;
    return add(t, branch, &t->last);
}

static bool join(void *context, unsigned to, unsigned from)
{
    struct team *const t = context;
    return add(t, to, &t->pile[from]);
}

static void drop(void *context, unsigned branch)
{
    struct team *const t = context;
    forget(&t->pile[branch]);
}

static const struct plumb_strategies_hands hands = {
    .begin = begin,
    .goes_on = goes_on,
    .is_idle = is_idle,
    .give = give,
    .wait = wait,
    .take = take,
    .join = join,
    .drop = drop,
    .next = next,
    .done = done,
};

/* ---- the same ---- */

static void release(struct team *t)
{
    for (unsigned i = 0; i < PLUMB_MOST_BRANCHES; i++)
        free(t->pile[i].execution);
    for (unsigned i = 0; i < t->busy; i++)
        free(t->given[i].piece);
    free(t->answer.piece);
    free(t->last.execution);
}

static struct tale whole, told;
static struct team alone, team;

static void make_team(const struct program *p,
                      const struct plumb_strategies_explore_options *o,
                      uint64_t seed)
{
    forget(&told);
    team = (struct team){ .program = p,
                          .o = *o,
                          .tale = &told,
                          .random = seed,
                          .hands = 1 + (unsigned)seed % MOST_HANDS,
                          .fragile = seed % 4 == 3 };
    team.o.hands = &hands;
}

/* So many executions were run by others. */
static size_t share(const struct program *p,
                    const struct plumb_strategies_explore_options *o,
                    uint64_t seed)
{
    forget(&whole);
    alone = (struct team){ .program = p, .o = *o, .tale = &whole };
    assert_int_equal(explore(&alone), PLUMB_OK);
    make_team(p, o, seed);
    assert_int_equal(explore(&team), PLUMB_OK);
    release(&team);
    assert_int_equal(told.count, whole.count);
    if (whole.count)
        assert_memory_equal(told.execution, whole.execution,
                            whole.count * sizeof *whole.execution);
    assert_memory_equal(&told.stats, &whole.stats, sizeof whole.stats);
    return team.taken;
}

static void branches_are_the_whole(void **state)
{
    (void)state;
    size_t taken = 0;
    for (unsigned seed = 1; seed < SOME_OF(1500); seed++) {
        const struct plumb_strategies_explore_options o = {
            .calls = seed % 2,
            .bounded = seed % 3 == 0,
            .preemptions = seed / 3 % 4,
            .steps = seed % 5 ? 0 : 9,
            .executions = seed % 7 ? 5000 : 50 + seed % 100,
        };
        struct random_program p;
        if (seed % 4 == 1)
            make_crowded_program(&p, seed);
        else if (seed % 4 == 2)
            make_random_program(&p, seed);
        else
            make_sync_program(&p, seed, false);
        taken += share(&p.program, &o, seed);
    }
    assert_true(taken > SOME_OF(20000) / 2);
}

static void branches_of_structures_are_the_whole(void **state)
{
    (void)state;
    struct structure s;
    for (unsigned i = 0; i < 8; i++) {
        const struct plumb_strategies_explore_options o = { .bounded =
                                                                i % 4 == 3,
                                                            .preemptions = 2,
                                                            .calls = i % 4 == 2,
                                                            .executions =
                                                                40000 };
        if (i % 2)
            make_treiber(&s, 3);
        else
            make_queue(&s, 3, true);
        const size_t taken = share(&s.program, &o, i);
        assert_true(taken > whole.count / (team.fragile ? 8 : 2));
    }
}

/* Of the leader. */
static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    struct plumb_strategies_explore_options o = { .budget =
                                                      plumb_budget_new(0, 0),
                                                  .executions = 3000 };
    struct structure s;
    size_t nth = 0;
    bool failed;
    make_treiber(&s, 3);
    do {
        make_team(&s.program, &o, 4);
        plumb_base_budget_fail_at(o.budget, ++nth);
        const enum plumb_status status = explore(&team);
        failed = plumb_base_budget_has_failed(o.budget);
        assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
        assert_int_equal(plumb_budget_used(o.budget), 0);
        release(&team);
    } while (failed);
    assert_true(nth > 30);
    plumb_budget_free(o.budget);
}

static enum plumb_strategies_piece_end stop_soon(void *context,
                                                 unsigned *branch,
                                                 const void **piece,
                                                 size_t *size)
{
    struct team *const t = context;
    return t->tale->count > 500 ? PLUMB_PIECE_STOP
                                : wait(context, branch, piece, size);
}

static void who_waits_may_end_it(void **state)
{
    (void)state;
    struct plumb_strategies_hands impatient = hands;
    const struct plumb_strategies_explore_options o = { .executions = 20000 };
    struct structure s;
    make_treiber(&s, 3);
    impatient.wait = stop_soon;
    make_team(&s.program, &o, 2);
    team.o.hands = &impatient;
    assert_int_equal(explore(&team), PLUMB_OK);
    release(&team);
    assert_true(told.count > 500 && told.count < 20000);
    assert_false(told.stats.exhausted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_are_the_whole),
        cmocka_unit_test(branches_of_structures_are_the_whole),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(who_waits_may_end_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
