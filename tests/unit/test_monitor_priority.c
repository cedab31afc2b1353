/* test_monitor_priority.c - the monitor of priority queues against all orders.
 *
 * Every answer is checked: the verdict, the order, that what is blamed is wrong
 * by itself, and the earliest event.  PLUMB_SOAK=N makes N random histories
 * instead of some thousands, PLUMB_SEED=N other ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "brute_priority.h"
#include "check/bit_tree.h"
#include "check/input/monitor.h"
#include "effort.h"
#include <stdlib.h>

/* ---- inputs by hand ---- */

enum { WORDS = 32 };

struct bench {
    struct plumb_spec *smallest, *largest;
    struct brute b, part;
    struct plumb_check_input_op op[BRUTE_OPS];
    uint32_t event[2 * BRUTE_OPS];
    struct plumb_check_input input;
    struct plumb_base_arena arena, scratch;
    struct plumb_check_monitoring m;
    unsigned long verdicts[3], repeats, loose;
};

static struct plumb_check_input_op tape_op(const struct brute_op *o)
{
    const bool pending = o->ret < 0, adds = o->role == BRUTE_ADD;
    struct plumb_check_input_op t = {
        .call = 3 * (uint32_t)o->call, /* other objects have events, too */
        .ret = pending ? PLUMB_NEVER : 3 * (uint32_t)o->ret,
        .word = { PLUMB_NO_WORD, PLUMB_NO_WORD, PLUMB_NO_WORD },
        .role = (uint8_t)(adds                      ? PLUMB_ROLE_ADD
                          : o->role == BRUTE_REMOVE ? PLUMB_ROLE_REMOVE
                                                    : PLUMB_ROLE_PEEK),
        .term = pending ? PLUMB_TERM_ANY : PLUMB_TERM_OK,
    };
    const uint8_t words = o->item == BRUTE_NONE ? 1 : 2;
    if (adds)
        t.nargs = words;
    if (pending && !adds)
        return t;
    if (o->priority == BRUTE_EMPTY) {
        t.term = PLUMB_TERM_EMPTY;
        return t;
    }
    if (!adds)
        t.nres = words;
    t.word[0] = o->priority == 0 ? PLUMB_NIL_WORD : (uint32_t)o->priority;
    if (words == 2)
        t.word[1] = o->item == 0 ? PLUMB_NIL_WORD : (uint32_t)o->item;
    return t;
}

/* Operations are in the order of calls. */
static void make_tape(struct bench *x)
{
    const struct brute *const b = &x->b;
    const int ranks = 2 * BRUTE_OPS;
    x->input = (struct plumb_check_input){ .op = x->op,
                                           .count = (uint32_t)b->count,
                                           .event = x->event,
                                           .values = WORDS,
                                           .initial = PLUMB_NIL_WORD,
                                           .ordered = true };
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < b->count; i++)
            if (b->op[i].call == r || b->op[i].ret == r)
                x->event[x->input.events++] =
                    2 * (uint32_t)i + (b->op[i].ret == r);
    for (uint32_t i = 0; i < x->input.count; i++)
        x->op[i] = tape_op(b->op + i);
}

static void monitor(struct bench *x)
{
    make_tape(x);
    plumb_base_arena_init(&x->arena, NULL);
    plumb_base_arena_init(&x->scratch, NULL);
    x->m = (struct plumb_check_monitoring){ .input = &x->input,
                                            .spec = x->b.largest_first
                                                        ? x->largest
                                                        : x->smallest,
                                            .arena = &x->arena,
                                            .scratch = &x->scratch };
    assert_true(plumb_check_monitor_priority_queue(&x->m));
    plumb_base_arena_release(&x->scratch);
}

static void done(struct bench *x)
{
    plumb_base_arena_release(&x->arena);
}

/* ---- what it says is checked ---- */

#define EXPECT(x, condition)                                                   \
    do {                                                                       \
        if (!(condition)) {                                                    \
            brute_print(&(x)->b);                                              \
            fail_msg("%s does not hold (verdict %d)", #condition,              \
                     (int)(x)->m.verdict);                                     \
        }                                                                      \
    } while (0)

/* Thieves may take any that is first: all that is known is that they take one;
 * the order tells which, if the rest is to be right. */
static bool order_is_legal(const struct brute *b, const uint32_t *order,
                           uint32_t count, uint32_t at, uint32_t in)
{
    if (at == count)
        return true;
    uint32_t out;
    for (int i = 0; brute_step(b, (int)order[at], in, &i, &out);)
        if (order_is_legal(b, order, count, at + 1, out))
            return true;
    return false;
}

static void check_order(struct bench *x)
{
    uint32_t seen = 0;
    for (uint32_t k = 0; k < x->m.order_count; k++) {
        const uint32_t o = x->m.order[k];
        EXPECT(x, o < x->input.count);
        EXPECT(x, !(seen >> o & 1));
        EXPECT(x, brute_may_be_next(&x->b, seen, (int)o));
        seen |= 1u << o;
    }
    for (int i = 0; i < x->b.count; i++)
        EXPECT(x, x->b.op[i].ret < 0 || seen >> i & 1);
    EXPECT(x, order_is_legal(&x->b, x->m.order, x->m.order_count, 0, 0));
}

static bool is_same(const struct brute_op *a, const struct brute_op *b)
{
    return a->priority == b->priority && a->item == b->item;
}

/* What adds or removes an item is blamed with all that does, or not at all. */
static void check_whole(struct bench *x, const bool *blamed)
{
    for (int i = 0; i < x->b.count; i++)
        for (int j = 0; j < x->b.count; j++) {
            const struct brute_op *const o = x->b.op + i, *const p =
                                                              x->b.op + j;
            if (!blamed[i] || p->role == BRUTE_PEEK || !is_same(o, p) ||
                o->priority == BRUTE_EMPTY)
                continue;
            if ((o->ret < 0 && o->role != BRUTE_ADD) ||
                (p->ret < 0 && p->role != BRUTE_ADD))
                continue;
            EXPECT(x, blamed[j]);
        }
}

/* Pending removals belong to no item: what is blamed has to be wrong with all
 * of them. */
static void add_thieves(struct bench *x, const bool *blamed)
{
    x->part.count = 0;
    for (int i = 0; i < x->b.count; i++)
        if (blamed[i] ||
            (x->b.op[i].ret < 0 && x->b.op[i].role == BRUTE_REMOVE))
            x->part.op[x->part.count++] = x->b.op[i];
}

static void check_blame(struct bench *x)
{
    bool blamed[BRUTE_OPS] = { false };
    x->part.count = 0;
    x->part.largest_first = x->b.largest_first;
    for (uint32_t k = 0; k < x->m.blames; k++) {
        EXPECT(x, x->m.blame[k] < x->input.count);
        EXPECT(x, k == 0 || x->m.blame[k - 1] < x->m.blame[k]);
        blamed[x->m.blame[k]] = true;
        x->part.op[x->part.count++] = x->b.op[x->m.blame[k]];
    }
    EXPECT(x, !brute_is_linearizable(&x->part));
    check_whole(x, blamed);
    add_thieves(x, blamed);
    EXPECT(x, !brute_is_linearizable(&x->part));
}

/* The smallest number of ranks that are a violation. */
static void check_earliest(struct bench *x)
{
    int cut = 1;
    for (;; cut++) {
        EXPECT(x, cut <= 2 * BRUTE_OPS);
        brute_prefix(&x->b, cut, &x->part);
        if (!brute_is_linearizable(&x->part))
            break;
    }
    const uint32_t rank = 3 * (uint32_t)(cut - 1);
    EXPECT(x, x->m.maybe <= rank && rank <= x->m.sure);
    x->loose += x->m.maybe != x->m.sure;
}

static bool repeats(const struct brute *b)
{
    for (int i = 0; i < b->count; i++)
        for (int j = 0; j < i; j++)
            if (b->op[i].role == BRUTE_ADD && b->op[j].role == BRUTE_ADD &&
                is_same(b->op + i, b->op + j))
                return true;
    return false;
}

static void check(struct bench *x)
{
    const bool right = brute_is_linearizable(&x->b);
    monitor(x);
    x->verdicts[x->m.verdict]++;
    switch (x->m.verdict) {
    case PLUMB_LINEARIZABLE:
        EXPECT(x, right);
        check_order(x);
        break;
    case PLUMB_NOT_LINEARIZABLE:
        EXPECT(x, !right);
        check_blame(x);
        check_earliest(x);
        break;
    default:
        EXPECT(x, x->m.declined && repeats(&x->b));
        x->repeats++;
    }
    done(x);
}

/* ---- all small histories ---- */

/* What an operation may be: adds a value that is new, removes or peeks at one
 * or finds none. */
struct choice {
    int values;
    bool peeks, pending;
};

static void check_all_pending(struct bench *x, const struct choice *c)
{
    if (!c->pending) {
        check(x);
        return;
    }
    struct brute_op kept[BRUTE_OPS];
    memcpy(kept, x->b.op, sizeof kept);
    for (unsigned subset = 0; subset < 1u << x->b.count; subset++) {
        for (int i = 0; i < x->b.count; i++)
            x->b.op[i].ret = subset >> i & 1 ? -1 : kept[i].ret;
        check(x);
    }
    memcpy(x->b.op, kept, sizeof kept);
}

static bool is_added(const struct brute *b, int count, int value)
{
    for (int i = 0; i < count; i++)
        if (b->op[i].role == BRUTE_ADD && b->op[i].priority == value)
            return true;
    return false;
}

static void choose_roles(struct bench *x, const struct choice *c, int i)
{
    if (i == x->b.count) {
        check_all_pending(x, c);
        return;
    }
    const int last = c->peeks ? BRUTE_PEEK : BRUTE_REMOVE;
    for (int role = BRUTE_ADD; role <= last; role++)
        for (int v = role == BRUTE_ADD ? 0 : BRUTE_EMPTY; v < c->values; v++) {
            if (role == BRUTE_ADD && is_added(&x->b, i, v))
                continue;
            x->b.op[i].role = role;
            x->b.op[i].priority = v;
            x->b.op[i].item = BRUTE_NONE;
            choose_roles(x, c, i + 1);
        }
}

/* All ways to let the operations overlap. */
static void choose_events(struct bench *x, const struct choice *c, int rank,
                          int called, int count)
{
    if (rank == 2 * count) {
        x->b.count = count;
        choose_roles(x, c, 0);
        return;
    }
    if (called < count) {
        x->b.op[called].call = rank;
        x->b.op[called].ret = -1;
        choose_events(x, c, rank + 1, called + 1, count);
    }
    for (int i = 0; i < called; i++) {
        if (x->b.op[i].ret >= 0)
            continue;
        x->b.op[i].ret = rank;
        choose_events(x, c, rank + 1, called, count);
        x->b.op[i].ret = -1;
    }
}

static void small_histories_are_decided(void **state)
{
    struct bench *const x = *state;
    const bool more = getenv("PLUMB_SOAK");
    x->b.largest_first = false;
    x->repeats = x->loose = 0;
    for (int count = 1; count <= (TEST_EFFORT > 1 ? 3 : 4); count++)
        choose_events(x, &(struct choice){ 2, true, count < 4 || more }, 0, 0,
                      count);
    choose_events(x, &(struct choice){ 3, true, true }, 0, 0, 3);
    choose_events(x, &(struct choice){ 2, false, TEST_EFFORT == 1 }, 0, 0, 4);
    if (TEST_EFFORT == 1)
        choose_events(x, &(struct choice){ more ? 3 : 2, false, false }, 0, 0,
                      5);
    assert_int_equal(x->repeats, 0);
    assert_int_equal(x->loose, 0);
}

/* ---- random histories ---- */

struct making {
    struct bench *x;
    struct plumb_base_rng rng;
    uint32_t in;            /* what is in the queue: bits of adds */
    bool took[BRUTE_OPS];   /* has taken effect */
    int thread[4], threads; /* the open operation of each, or -1 */
    int rank, most, adds;
    unsigned pairs, again, peeks, crash, fault;
};

static int below(struct making *k, int n)
{
    return (int)plumb_base_rng_below(&k->rng, (uint32_t)n);
}

static void take_effect(struct making *k, int o)
{
    struct brute *const b = &k->x->b;
    struct brute_op *const op = b->op + o;
    if (k->took[o])
        return;
    k->took[o] = true;
    if (op->role == BRUTE_ADD) {
        k->in |= 1u << o;
        return;
    }
    op->priority = BRUTE_EMPTY;
    op->item = BRUTE_NONE;
    for (int i = 0; i < b->count; i++)
        if (k->in >> i & 1 && brute_is_first(b, k->in, i)) {
            op->priority = b->op[i].priority;
            op->item = b->op[i].item;
            if (op->role == BRUTE_REMOVE)
                k->in &= ~(1u << i);
            return;
        }
}

static void begin(struct making *k, int t)
{
    struct brute *const b = &k->x->b;
    const int o = b->count++;
    const bool adds = k->adds < 8 && plumb_base_rng_chance(&k->rng, 50);
    k->thread[t] = o;
    k->took[o] = false;
    k->adds += adds;
    b->op[o] = (struct brute_op){
        .role = adds                                       ? BRUTE_ADD
                : plumb_base_rng_chance(&k->rng, k->peeks) ? BRUTE_PEEK
                                                           : BRUTE_REMOVE,
        .priority = BRUTE_EMPTY,
        .item = BRUTE_NONE,
        .call = k->rank++,
        .ret = -1,
    };
    for (bool fresh = false; adds && !fresh;) {
        const bool pair = plumb_base_rng_chance(&k->rng, k->pairs);
        b->op[o].priority = below(k, pair ? 4 : 12);
        b->op[o].item = pair ? below(k, 8) : BRUTE_NONE;
        fresh = !repeats(b) || plumb_base_rng_chance(&k->rng, k->again);
    }
}

static void turn(struct making *k)
{
    struct brute *const b = &k->x->b;
    const int t = below(k, k->threads);
    const int o = k->thread[t];
    if (o < 0) {
        if (b->count < k->most)
            begin(k, t);
    } else if (below(k, 3) == 0) {
        take_effect(k, o);
    } else if (plumb_base_rng_chance(&k->rng, k->crash)) {
        k->thread[t] = -1;
    } else {
        take_effect(k, o);
        b->op[o].ret = k->rank++;
        k->thread[t] = -1;
    }
}

/* Another result for one operation. */
static void make_fault(struct making *k)
{
    struct brute *const b = &k->x->b;
    struct brute_op *const o = b->op + below(k, b->count);
    const struct brute_op *const from = b->op + below(k, b->count);
    if (o->role == BRUTE_ADD)
        return;
    o->priority = below(k, 5) == 0 ? BRUTE_EMPTY : from->priority;
    o->item = o->priority == BRUTE_EMPTY ? BRUTE_NONE : from->item;
}

static void random_history(struct making *k)
{
    struct brute *const b = &k->x->b;
    b->count = 0;
    b->largest_first = below(k, 4) == 0;
    k->in = 0;
    k->rank = k->adds = 0;
    k->threads = 1 + below(k, 4);
    k->most = 2 + below(k, 9);
    k->pairs = below(k, 3) == 0 ? 60 : 0;
    k->again = below(k, 4) == 0 ? 50 : 0;
    k->peeks = below(k, 2) ? 35 : 0;
    k->crash = below(k, 2) ? 15 : 0;
    for (int t = 0; t < k->threads; t++)
        k->thread[t] = -1;
    for (int i = 0; i < 6 * k->most; i++)
        turn(k);
    for (int faults = below(k, 4); faults > 0; faults--)
        make_fault(k);
}

static unsigned long number(const char *name, unsigned long otherwise)
{
    const char *const text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

static void random_histories_are_decided(void **state)
{
    struct bench *const x = *state;
    struct making k = { .x = x };
    const unsigned long seed = number("PLUMB_SEED", 1);
    const unsigned long count = number("PLUMB_SOAK", SOME_OF(60000));
    memset(x->verdicts, 0, sizeof x->verdicts);
    x->repeats = x->loose = 0;
    print_message("PLUMB_SEED=%lu\n", seed);
    plumb_base_rng_seed(&k.rng, seed);
    for (unsigned long i = 0; i < count; i++) {
        random_history(&k);
        check(x);
    }
    print_message("%lu right, %lu wrong, %lu declined; %lu loose\n",
                  x->verdicts[PLUMB_LINEARIZABLE],
                  x->verdicts[PLUMB_NOT_LINEARIZABLE],
                  x->verdicts[PLUMB_UNDECIDED], x->loose);
    assert_true(x->verdicts[PLUMB_LINEARIZABLE] > count / 10);
    assert_true(x->verdicts[PLUMB_NOT_LINEARIZABLE] > count / 10);
}

/* ---- what it leaves to others ---- */

static const char *declined(struct bench *x, const char *spec, bool ordered)
{
    struct plumb_error err;
    struct plumb_spec *parsed;
    assert_int_equal(plumb_spec_parse(spec, &parsed, &err), PLUMB_OK);
    x->b.count = 1;
    x->b.op[0] =
        (struct brute_op){ BRUTE_REMOVE, BRUTE_EMPTY, BRUTE_NONE, 0, 1 };
    make_tape(x);
    x->input.ordered = ordered;
    plumb_base_arena_init(&x->arena, NULL);
    plumb_base_arena_init(&x->scratch, NULL);
    x->m = (struct plumb_check_monitoring){ .input = &x->input,
                                            .spec = parsed,
                                            .arena = &x->arena,
                                            .scratch = &x->scratch };
    assert_true(plumb_check_monitor_priority_queue(&x->m));
    assert_int_equal(x->m.verdict,
                     x->m.declined ? PLUMB_UNDECIDED : PLUMB_LINEARIZABLE);
    plumb_base_arena_release(&x->arena);
    plumb_base_arena_release(&x->scratch);
    plumb_spec_free(parsed);
    return x->m.declined;
}

static void what_it_cannot_decide_is_declined(void **state)
{
    assert_null(declined(*state, "priority-queue", true));
    assert_non_null(declined(*state, "priority-queue", false));
    assert_non_null(declined(*state, "priority-queue:cap=2", true));
    assert_non_null(declined(*state, "priority-queue:blocking", true));
}

/* ---- budgets ---- */

/* With the nth allocation failing.  True if it never came to that. */
static bool survives(struct bench *x, size_t nth)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    assert_non_null(budget);
    plumb_base_arena_init(&x->arena, budget);
    plumb_base_arena_init(&x->scratch, budget);
    x->m = (struct plumb_check_monitoring){ .input = &x->input,
                                            .spec = x->smallest,
                                            .budget = budget,
                                            .arena = &x->arena,
                                            .scratch = &x->scratch };
    plumb_base_budget_fail_at(budget, nth);
    const bool decided = plumb_check_monitor_priority_queue(&x->m);
    const bool failed = plumb_base_budget_has_failed(budget);
    EXPECT(x, decided == !failed);
    if (failed)
        EXPECT(x, x->m.verdict == PLUMB_UNDECIDED && x->m.why == PLUMB_EMEMORY);
    plumb_base_arena_release(&x->arena);
    plumb_base_arena_release(&x->scratch);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
    return !failed;
}

static void used_up_memory_is_told(void **state)
{
    struct bench *const x = *state;
    struct making k = { .x = x };
    plumb_base_rng_seed(&k.rng, 3);
    for (int i = 0; i < 300; i++) {
        random_history(&k);
        x->b.largest_first = false;
        make_tape(x);
        size_t nth = 1;
        while (!survives(x, nth))
            nth++;
        assert_true(nth > 1);
    }
}

static void a_budget_that_is_stopped_ends_it(void **state)
{
    struct bench *const x = *state;
    struct making k = { .x = x };
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    plumb_base_rng_seed(&k.rng, 4);
    random_history(&k);
    make_tape(x);
    plumb_budget_stop(budget);
    plumb_base_arena_init(&x->arena, budget);
    plumb_base_arena_init(&x->scratch, budget);
    x->m = (struct plumb_check_monitoring){ .input = &x->input,
                                            .spec = x->smallest,
                                            .budget = budget,
                                            .arena = &x->arena,
                                            .scratch = &x->scratch };
    assert_false(plumb_check_monitor_priority_queue(&x->m));
    assert_int_equal(x->m.verdict, PLUMB_UNDECIDED);
    assert_int_equal(x->m.why, PLUMB_ESTOP);
    plumb_base_arena_release(&x->arena);
    plumb_base_arena_release(&x->scratch);
    plumb_budget_free(budget);
}

/* ---- holes ---- */

enum { NUMBERS = 5000 };

static uint32_t next_of(const bool *open, uint32_t at)
{
    for (; at < NUMBERS; at++)
        if (open[at])
            return at;
    return PLUMB_NO_MEMBER;
}

static uint32_t previous_of(const bool *open, uint32_t at)
{
    for (; at != PLUMB_NO_MEMBER; at--)
        if (open[at])
            return at;
    return PLUMB_NO_MEMBER;
}

static void holes_are_what_was_not_closed(void **state)
{
    (void)state;
    static bool open[NUMBERS];
    struct plumb_base_rng rng;
    struct plumb_base_arena arena;
    struct plumb_check_bits h;
    plumb_base_rng_seed(&rng, 5);
    plumb_base_arena_init(&arena, NULL);
    assert_true(plumb_check_bits_init(&h, &arena, NUMBERS));
    for (int round = 0; round < 20; round++) {
        const uint32_t count = plumb_base_rng_below(&rng, NUMBERS) + 1;
        for (uint32_t i = 0; i < NUMBERS; i++)
            open[i] = i < count;
        plumb_check_bits_fill(&h, count);
        for (int i = 0; i < 60; i++) {
            const uint32_t from = plumb_base_rng_below(&rng, NUMBERS);
            const uint32_t most = plumb_base_rng_below(&rng, 2) ? 300 : 5;
            uint32_t to = from + plumb_base_rng_below(&rng, most);
            to = to > NUMBERS ? NUMBERS : to;
            plumb_check_bits_remove(&h, from, to);
            for (uint32_t j = from; j < to; j++)
                open[j] = false;
            for (uint32_t at = (uint32_t)i; at < NUMBERS; at += 17) {
                assert_int_equal(plumb_check_bits_next(&h, at),
                                 next_of(open, at));
                assert_int_equal(plumb_check_bits_previous(&h, at),
                                 previous_of(open, at));
            }
        }
    }
    plumb_base_arena_release(&arena);
}

/* ---- setup ---- */

static int set_up(void **state)
{
    struct bench *const x = calloc(1, sizeof *x);
    struct plumb_error err;
    if (!x ||
        plumb_spec_parse("priority-queue", &x->smallest, &err) != PLUMB_OK ||
        plumb_spec_parse("priority-queue:max", &x->largest, &err) != PLUMB_OK)
        return -1;
    *state = x;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *const x = *state;
    plumb_spec_free(x->smallest);
    plumb_spec_free(x->largest);
    free(x);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holes_are_what_was_not_closed),
        cmocka_unit_test(random_histories_are_decided),
        cmocka_unit_test(small_histories_are_decided),
        cmocka_unit_test(what_it_cannot_decide_is_declined),
        cmocka_unit_test(used_up_memory_is_told),
        cmocka_unit_test(a_budget_that_is_stopped_ends_it),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
