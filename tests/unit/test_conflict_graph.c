/* test_conflict_graph.c - conflict graphs against changing places.
 *
 * By definition an execution is conflict-serializable if steps next to each
 * other that do not depend on each other can change places until each operation
 * is in one piece.  Here that is tried: every order that can be reached is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "effort.h"
#include "outcomes.h"
#include "own_dependence.h"
#include "random_program.h"
#include "strategies/conflict_graph.h"

enum { PROGRAMS = SOME_OF(1000), MOST_ITEMS = 8, SLOTS = 1 << 17, NOBODY = 99 };

/* ---- changing places ---- */

/* The steps of operations, in the order of the execution. */
struct items {
    struct plumb_strategies_step step[MOST_ITEMS];
    unsigned transaction[MOST_ITEMS];
    unsigned count;
};

static uint32_t known[SLOTS], stack[SLOTS / 2];
static uint32_t slots; /* of them, by how many orders there can be */
static unsigned knowns, waiting;

static bool get_to_know(uint32_t code)
{
    uint32_t at = (uint32_t)(plumb_base_mix1(code) % slots);
    while (known[at] && known[at] != code)
        at = (at + 1) % slots;
    if (known[at])
        return false;
    known[at] = code;
    assert_true(++knowns < slots / 2);
    stack[waiting++] = code;
    return true;
}

static unsigned item_of(uint32_t code, unsigned place)
{
    return code >> 3 * place & 7;
}

static uint32_t with_swapped(uint32_t code, unsigned place)
{
    const uint32_t differ = item_of(code, place) ^ item_of(code, place + 1);
    return code ^ differ << 3 * place ^ differ << 3 * (place + 1);
}

/* Each transaction is in one piece. */
static bool is_serial(const struct items *t, uint32_t code)
{
    uint64_t over = 0;
    for (unsigned i = 1; i < t->count; i++) {
        const unsigned before = t->transaction[item_of(code, i - 1)],
                       now = t->transaction[item_of(code, i)];
        if (now != before)
            over |= UINT64_C(1) << before;
        if (over >> now & 1)
            return false;
    }
    return true;
}

/* The code of an order that has more than one item is not 0. */
static bool can_be_made_serial(const struct items *t)
{
    uint32_t code = 0;
    for (unsigned i = 0; i < t->count; i++)
        code |= (uint32_t)i << 3 * i;
    if (t->count < 3)
        return true;
    slots = t->count <= 5 ? 512 : SLOTS;
    memset(known, 0, slots * sizeof *known);
    knowns = waiting = 0;
    get_to_know(code);
    while (waiting) {
        code = stack[--waiting];
        if (is_serial(t, code))
            return true;
        for (unsigned i = 0; i + 1 < t->count; i++)
            if (!have_an_order(&t->step[item_of(code, i)],
                               &t->step[item_of(code, i + 1)], false))
                get_to_know(with_swapped(code, i));
    }
    return false;
}

/* False: there are too many. */
static bool take_items(struct items *t,
                       const struct plumb_strategies_execution *x)
{
    unsigned now[MOST_THREADS], calls = 0;
    for (unsigned i = 0; i < MOST_THREADS; i++)
        now[i] = NOBODY;
    t->count = 0;
    for (uint32_t i = 0; i < x->length; i++) {
        const struct plumb_strategies_step *const s = &x->step[i];
        if (s->event.kind == PLUMB_EVENT_SPAWN)
            now[s->event.at] = now[s->thread];
        if (s->event.kind == PLUMB_EVENT_CALL)
            now[s->thread] = calls++;
        else if (s->event.kind == PLUMB_EVENT_RETURN)
            now[s->thread] = NOBODY;
        else if (now[s->thread] != NOBODY) {
            if (t->count == MOST_ITEMS)
                return false;
            t->transaction[t->count] = now[s->thread];
            t->step[t->count++] = *s;
        }
    }
    return true;
}

/* ---- the claims ---- */

struct collection {
    struct plumb_strategies_conflict_graph graph;
    struct list cycles; /* what is on them, per execution */
    unsigned compared, cyclic;
    uint64_t seed;
};

static void compare(struct collection *c,
                    const struct plumb_strategies_execution *x)
{
    struct items items;
    const bool cyclic = plumb_strategies_conflict_graph_is_cyclic(&c->graph);
    if (!take_items(&items, x))
        return;
    if (cyclic == can_be_made_serial(&items))
        fail_msg("seed %llu: %s, but", (unsigned long long)c->seed,
                 cyclic ? "cyclic" : "acyclic");
    c->compared++;
    c->cyclic += cyclic;
}

/* By thread and by how many operations it had before: the same in executions of
 * one trace. */
static uint64_t name_of(const struct plumb_strategies_conflict_graph *g,
                        unsigned transaction)
{
    unsigned before = 0;
    for (unsigned i = 0; i < transaction; i++)
        before += g->thread[i] == g->thread[transaction];
    return (uint64_t)g->thread[transaction] << 32 | before;
}

static uint64_t pairs_on_cycles(const struct plumb_strategies_conflict_graph *g)
{
    uint64_t sum = plumb_strategies_conflict_graph_is_cyclic(g);
    for (unsigned a = 0; a < g->transactions; a++)
        for (unsigned b = 0; b < g->transactions; b++)
            if (plumb_strategies_conflict_graph_on_cycle(g, a, b))
                sum += plumb_base_mix(name_of(g, a), name_of(g, b));
    return sum;
}

static bool ended(void *context, const struct plumb_strategies_execution *x)
{
    struct collection *const c = context;
    if (x->outcome == PLUMB_ASLEEP)
        return true;
    if (c->cycles.count == MOST_SCHEDULES)
        return false;
    assert_true(plumb_strategies_conflict_graph_make(&c->graph, x));
    add_item(&c->cycles, pairs_on_cycles(&c->graph));
    compare(c, x);
    return true;
}

static bool explore(struct collection *c, const struct program *program,
                    struct plumb_strategies_explore_options o)
{
    static struct interpreter interpreter;
    const struct plumb_strategies_machine machine =
        interpreter_machine(&interpreter, program);
    struct plumb_strategies_explore_stats stats;
    struct plumb_error err;
    o.ended = ended;
    o.context = c;
    c->cycles.count = 0;
    assert_int_equal(plumb_strategies_explore(&machine, &o, &stats, &err),
                     PLUMB_OK);
    sort_and_drop_doubles(&c->cycles);
    return stats.exhausted;
}

static void open_collection(struct collection *c)
{
    *c = (struct collection){ .seed = 0 };
    open_list(&c->cycles);
}

static void close_collection(struct collection *c)
{
    plumb_strategies_conflict_graph_release(&c->graph);
    free(c->cycles.item);
}

static void write_access_of(struct instruction *i, unsigned dice)
{
    *i = (struct instruction){
        .op = dice & 1 ? STORE : LOAD, .at = dice & 2 ? 8 : 0, .size = 8, .r = 1
    };
}

/* An access of each `x`, taken from `dice`; operations as a text has them:
 * "x xx" are two. */
static void write_thread(struct instruction *code, const char *shape,
                         unsigned *dice)
{
    *code++ = (struct instruction){ .op = CALL };
    for (; *shape; shape++) {
        if (*shape == ' ') {
            *code++ = (struct instruction){ .op = RETURN };
            *code++ = (struct instruction){ .op = CALL };
            continue;
        }
        write_access_of(code++, *dice & 3);
        *dice >>= 2;
    }
    *code++ = (struct instruction){ .op = RETURN };
    *code = (struct instruction){ .op = END };
}

/* Every assignment of reads and writes of two variables to the accesses.  Of
 * larger ones one execution of each trace: others have the same graph. */
static void try_shape(struct collection *c, const char *const shape[3])
{
    static struct instruction code[3][16];
    struct program program = { .code = { code[0], code[1], code[2] } };
    unsigned accesses = 0, breaks = 0;
    for (; program.codes < 3 && shape[program.codes]; program.codes++)
        for (const char *at = shape[program.codes]; *at; at++)
            accesses += *at == 'x', breaks += *at == ' ';
    program.threads = program.codes;
    const struct plumb_strategies_explore_options o = {
        .strategy = accesses < 5 && 2 * program.threads + breaks < 6
                        ? PLUMB_DFS
                        : PLUMB_DPOR
    };
    for (unsigned all = 0; all < 1u << 2 * accesses; all++) {
        unsigned dice = all;
        for (unsigned t = 0; t < program.threads; t++)
            write_thread(code[t], shape[t], &dice);
        c->seed = all;
        assert_true(explore(c, &program, o));
    }
}

static void small_executions_have_cycles_iff_they_cannot_be_serial(void **state)
{
    static const char *const shape[][3] = {
        { "xx", "xx" },       { "xx", "x x" },      { "x x", "x x" },
        { "xxx", "x x" },     { "xxx", "xx" },      { "xx", "x", "x" },
        { "xx", "x x", "x" }, { "x x", "xx", "x" },
    };
    struct collection c;
    (void)state;
    open_collection(&c);
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        try_shape(&c, shape[i]);
    printf("%u executions, %u with cycles\n", c.compared, c.cyclic);
    assert_true(c.cyclic > c.compared / 100 && c.cyclic < c.compared);
    close_collection(&c);
}

/* Two or three threads with an operation or two each. */
static void make_operations(struct random_program *p, uint64_t seed)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, seed);
    const unsigned threads = 2 + plumb_base_rng_below(&rng, 2),
                   locks = plumb_base_rng_below(&rng, 2);
    *p = (struct random_program){ .program = { .codes = threads,
                                               .threads = threads },
                                  .mixed = plumb_base_rng_chance(&rng, 40) };
    for (unsigned t = 0; t < threads; t++) {
        struct writer w = { .rng = &rng,
                            .code = p->code[t],
                            .mixed = p->mixed };
        const unsigned most = threads == 2 ? 2 : 1;
        p->program.code[t] = p->code[t];
        for (unsigned i = plumb_base_rng_below(&rng, most); i < most; i++) {
            write_call(&w);
            for (unsigned n = plumb_base_rng_below(&rng, 2); n < 3;)
                n += write_event(&w, locks);
            write_call(&w);
        }
        write_op(&w, END);
    }
}

static void make_program(struct random_program *p, uint64_t seed)
{
    if (seed % 4 == 0)
        make_sync_program(p, seed, false);
    else if (seed % 4 == 1)
        make_random_program(p, seed);
    else
        make_operations(p, seed);
}

static bool has(const struct list *l, uint64_t item)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->item[i] == item)
            return true;
    return false;
}

/* With a bound dpor may run more than dfs. */
static bool compare_strategies(struct collection *all, struct collection *some,
                               uint64_t seed, bool bounded)
{
    struct random_program p;
    struct plumb_strategies_explore_options o = { .strategy = PLUMB_DFS,
                                                  .bounded = bounded,
                                                  .preemptions =
                                                      (unsigned)(seed % 3) };
    make_program(&p, seed);
    all->seed = some->seed = seed;
    if (!explore(all, &p.program, o))
        return false;
    o.strategy = PLUMB_DPOR;
    assert_true(explore(some, &p.program, o));
    bool same = bounded || all->cycles.count == some->cycles.count;
    for (size_t i = 0; i < all->cycles.count; i++)
        same &= has(&some->cycles, all->cycles.item[i]);
    if (!same)
        fail_msg("seed %llu: dpor sees other cycles than dfs",
                 (unsigned long long)seed);
    return true;
}

static void dpor_sees_the_cycles_that_dfs_sees(void **state)
{
    struct collection all, some;
    unsigned programs = 0;
    (void)state;
    open_collection(&all);
    open_collection(&some);
    for (uint64_t seed = 0; seed < PROGRAMS; seed++)
        for (unsigned bounded = 0; bounded < 2; bounded++)
            programs += compare_strategies(&all, &some, seed, bounded);
    printf("%u programs: %u executions, %u with cycles; by dpor %u, %u\n",
           programs, all.compared, all.cyclic, some.compared, some.cyclic);
    assert_true(programs > PROGRAMS && some.cyclic > PROGRAMS / 10);
    close_collection(&all);
    close_collection(&some);
}

static void refused_memory_is_told(void **state)
{
    const struct plumb_strategies_step step[] = {
        { .event = { .kind = PLUMB_EVENT_CALL } },
        { .event = { .kind = PLUMB_EVENT_READ, .size = 8 } },
    };
    const struct plumb_strategies_execution x = { .step = step, .length = 2 };
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_strategies_conflict_graph graph = { .budget = budget };
    (void)state;
    assert_non_null(budget);
    plumb_base_budget_fail_at(budget, 1);
    assert_false(plumb_strategies_conflict_graph_make(&graph, &x));
    plumb_base_budget_fail_at(budget, 0);
    assert_true(plumb_strategies_conflict_graph_make(&graph, &x));
    plumb_strategies_conflict_graph_release(&graph);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            small_executions_have_cycles_iff_they_cannot_be_serial),
        cmocka_unit_test(refused_memory_is_told),
        cmocka_unit_test(dpor_sees_the_cycles_that_dfs_sees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
