/* test_monitor_stack.c - the monitor of stacks against the definition.
 *
 * Every answer is checked: the verdict, the order, what is blamed, and the
 * earliest event.  PLUMB_STACK_RANDOM: how many random histories (50000), from
 * PLUMB_STACK_SEED on; PLUMB_STACK_OPS: operations of the largest ones that are
 * all tried (5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "brute_stack.h"
#include "check/input/monitor.h"
#include "effort.h"
#include <stdio.h>
#include <stdlib.h>

static uint32_t from_environment(const char *name, uint32_t otherwise)
{
    const char *const text = getenv(name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

/* ---- histories, event by event ---- */

static void begin(struct small *s)
{
    memset(s, 0, sizeof *s);
    s->input = (struct plumb_check_input){ .op = s->op,
                                           .event = s->event,
                                           .initial = PLUMB_NIL_WORD,
                                           .roles = UINT64_MAX };
}

/* The call of something whose result is not known yet. */
static uint32_t call(struct small *s, enum plumb_spec_role role, uint32_t word)
{
    const uint32_t i = s->input.count++;
    assert_true(i < BRUTE_OPS);
    s->op[i] =
        (struct plumb_check_input_op){ .call = s->input.events,
                                       .ret = PLUMB_NEVER,
                                       .word = { PLUMB_NO_WORD, PLUMB_NO_WORD,
                                                 PLUMB_NO_WORD },
                                       .role = (uint8_t)role,
                                       .term = PLUMB_TERM_ANY };
    if (role == PLUMB_ROLE_ADD)
        s->op[i].word[0] = word;
    if (role == PLUMB_ROLE_ADD && word < PLUMB_NIL_WORD &&
        word >= s->input.values)
        s->input.values = word + 1;
    s->event[s->input.events++] = 2 * i;
    return i;
}

/* `word` is what a pop or peek found, or PLUMB_NO_WORD if it was empty. */
static void finish(struct small *s, uint32_t i, uint32_t word)
{
    struct plumb_check_input_op *const o = &s->op[i];
    o->ret = s->input.events;
    o->term = PLUMB_TERM_OK;
    s->event[s->input.events++] = 2 * i + 1;
    if (o->role == PLUMB_ROLE_ADD)
        return;
    if (word == PLUMB_NO_WORD)
        o->term = PLUMB_TERM_EMPTY;
    o->word[0] = word;
    if (word < PLUMB_NIL_WORD && word >= s->input.values)
        s->input.values = word + 1;
}

static void print(const struct plumb_check_input *input)
{
    static const char *const name[] = { "?", "push", "pop", "peek" };
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_input_op *const o = &input->op[i];
        printf("  %s %d term %u [%u, %d]\n", name[o->role], (int)o->word[0],
               o->term, o->call, (int)o->ret);
    }
}

/* ---- one answer ---- */

struct answer {
    struct plumb_base_arena arena, scratch;
    struct plumb_check_monitoring m;
};

static const struct plumb_spec plain;

static void ask(struct answer *a, const struct plumb_check_input *input,
                struct plumb_budget *budget)
{
    plumb_base_arena_init(&a->arena, budget);
    plumb_base_arena_init(&a->scratch, budget);
    a->m = (struct plumb_check_monitoring){ .input = input,
                                            .spec = &plain,
                                            .budget = budget,
                                            .arena = &a->arena,
                                            .scratch = &a->scratch };
    const bool done = plumb_check_monitor_stack(&a->m);
    assert_int_equal(done, a->m.why == PLUMB_OK);
}

static void release(struct answer *a)
{
    plumb_base_arena_release(&a->arena);
    plumb_base_arena_release(&a->scratch);
}

static uint32_t earliest(const struct plumb_check_input *input)
{
    struct small part;
    uint32_t rank = 0;
    for (;; rank++) {
        small_part(&part, input, UINT32_MAX, rank + 1);
        if (!brute_is_linearizable(&part.input))
            return rank;
    }
}

/* All of a value that is not blamed is left out, or it only reads; pending pops
 * stay if they were called before the last of the rest returned. */
static bool may_leave_out(const struct plumb_check_input *input,
                          uint32_t blamed)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < input->count; i++)
        if (blamed >> i & 1 && input->op[i].ret != PLUMB_NEVER &&
            input->op[i].ret > end)
            end = input->op[i].ret;
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_input_op *const o = &input->op[i];
        if (blamed >> i & 1 || o->role == PLUMB_ROLE_PEEK ||
            o->term == PLUMB_TERM_EMPTY || o->call > end)
            continue;
        if (o->role == PLUMB_ROLE_REMOVE && o->term == PLUMB_TERM_ANY)
            return false;
        for (uint32_t j = 0; j < input->count; j++)
            if (blamed >> j & 1 && input->op[j].word[0] == o->word[0])
                return false;
    }
    return true;
}

static bool blame_is_right(const struct plumb_check_monitoring *m)
{
    struct small part;
    uint32_t blamed = 0;
    for (uint32_t k = 0; k < m->blames; k++) {
        if (m->blame[k] >= m->input->count ||
            (k && m->blame[k] <= m->blame[k - 1]))
            return false;
        blamed |= (uint32_t)1 << m->blame[k];
    }
    small_part(&part, m->input, blamed, PLUMB_NEVER);
    return may_leave_out(m->input, blamed) &&
           !brute_is_linearizable(&part.input);
}

/* NULL, or what is wrong with it. */
static const char *fault(const struct plumb_check_monitoring *m)
{
    const bool expected = brute_is_linearizable(m->input);
    if (m->verdict == PLUMB_UNDECIDED)
        return "undecided";
    if ((m->verdict == PLUMB_LINEARIZABLE) != expected)
        return "wrong verdict";
    if (expected)
        return brute_accepts(m->input, m->order, m->order_count)
                   ? NULL
                   : "wrong order";
    if (!blame_is_right(m))
        return "wrong blame";
    const uint32_t rank = earliest(m->input);
    return m->maybe == rank && m->sure == rank ? NULL : "wrong event";
}

static void is_decided_rightly(const struct plumb_check_input *input)
{
    struct answer a;
    ask(&a, input, NULL);
    const char *const wrong = fault(&a.m);
    if (wrong) {
        print(input);
        fail_msg("%s: verdict %d, events %u ... %u", wrong, a.m.verdict,
                 a.m.maybe, a.m.sure);
    }
    release(&a);
}

/* ---- all histories of some operations ---- */

/* What an operation will be: a letter and a digit, as in "+0 -0 ?1 !": push,
 * pop and peek of a value, pop that finds nothing. */
struct plan {
    enum plumb_spec_role role;
    uint32_t word;
};

struct every {
    struct plan plan[8];
    unsigned count;
    bool pending; /* operations may stay open */
    uint32_t at[8];
    unsigned called, returned;
    unsigned long tried;
};

static void read_plan(struct every *w, const char *text)
{
    for (const char *c = text; *c; c++) {
        struct plan *const p = &w->plan[w->count];
        if (*c == ' ')
            continue;
        p->role = *c == '+'   ? PLUMB_ROLE_ADD
                  : *c == '?' ? PLUMB_ROLE_PEEK
                              : PLUMB_ROLE_REMOVE;
        p->word = *c == '!' ? PLUMB_NO_WORD : (uint32_t)(*++c - '0');
        w->count++;
    }
}

static void try_every(struct every *w, const struct small *s)
{
    struct small next;
    if (w->called + 1 == 1u << w->count &&
        (w->pending || w->returned == w->called)) {
        w->tried++;
        next = *s;
        next.input.op = next.op;
        next.input.event = next.event;
        is_decided_rightly(&next.input);
    }
    for (unsigned i = 0; i < w->count; i++) {
        next = *s;
        if (!(w->called >> i & 1)) {
            w->at[i] = call(&next, w->plan[i].role, w->plan[i].word);
            w->called |= 1u << i;
            try_every(w, &next);
            w->called &= ~(1u << i);
        } else if (!(w->returned >> i & 1)) {
            finish(&next, w->at[i], w->plan[i].word);
            w->returned |= 1u << i;
            try_every(w, &next);
            w->returned &= ~(1u << i);
        }
    }
}

static void try_plan(const char *text, bool pending)
{
    struct every w = { .pending = pending };
    struct small s;
    read_plan(&w, text);
    begin(&s);
    try_every(&w, &s);
    printf("%s%s: %lu histories\n", text, pending ? ", pending too" : "",
           w.tried);
}

static void all_small_histories_are_decided_rightly(void **state)
{
    static const char *const plans[] = {
        "!",           "+0 !",        "+0 -0 !",        "+0 ?0 -0",
        "+0 +1 -0",    "+0 +1 -0 -1", "+0 -0 ! !",      "+0 +1 -0 !",
        "+0 +1 -1 ?0", "+0 ?0 ?0 -0", "+0 -0 -0",       "+0 +1 ?0 ?1",
        "+0 -1 +1",    "+0 -0 ?0 !",  "+0 +1 -0 -1 ?0", "+0 +1 -0 -1 !",
    };
    const uint32_t most =
        from_environment("PLUMB_STACK_OPS", TEST_EFFORT > 1 ? 4 : 5);
    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        struct every w = { 0 };
        read_plan(&w, plans[i]);
        if (w.count < 5)
            try_plan(plans[i], true);
        if (w.count <= most)
            try_plan(plans[i], false);
    }
    if (most < 6)
        return;
    try_plan("+0 +1 -0 -1 ?0", true);
    try_plan("+0 +1 -0 -1 !", true);
    try_plan("+0 +1 +2 -0 -1 -2", false);
    try_plan("+0 +1 -0 -1 ?0 ?1", false);
}

/* ---- random ones ---- */

/* A stack that threads use, rightly until something is done to it: an answer
 * is another one, or what is popped is not the top. */
struct world {
    struct small s;
    struct plumb_base_rng *rng;
    uint32_t item[BRUTE_OPS], items, pushed;
    uint32_t open[8], opens;
    bool done[BRUTE_OPS]; /* it has taken effect */
    uint32_t found[BRUTE_OPS];
    uint32_t percent_wrong, percent_pending, percent_peek, percent_push;
};

static void start_one(struct world *w)
{
    const uint32_t dice = plumb_base_rng_below(w->rng, 100);
    uint32_t i;
    if (dice < w->percent_peek) {
        i = call(&w->s, PLUMB_ROLE_PEEK, 0);
    } else if (plumb_base_rng_chance(w->rng, w->percent_push)) {
        i = call(&w->s, PLUMB_ROLE_ADD,
                 w->pushed == 2 ? PLUMB_NIL_WORD : w->pushed);
        w->pushed++;
    } else {
        i = call(&w->s, PLUMB_ROLE_REMOVE, 0);
    }
    w->open[w->opens++] = i;
}

static void take_effect(struct world *w, uint32_t i)
{
    const struct plumb_check_input_op *const o = &w->s.op[i];
    w->done[i] = true;
    w->found[i] = PLUMB_NO_WORD;
    if (o->role == PLUMB_ROLE_ADD) {
        w->item[w->items++] = o->word[0];
    } else if (w->items) {
        uint32_t at = w->items - 1;
        if (plumb_base_rng_chance(w->rng, w->percent_wrong))
            at = plumb_base_rng_below(w->rng, w->items);
        w->found[i] = w->item[at];
        if (o->role == PLUMB_ROLE_PEEK)
            return;
        w->items--;
        memmove(w->item + at, w->item + at + 1,
                (w->items - at) * sizeof *w->item);
    }
    if (o->role != PLUMB_ROLE_ADD && w->pushed &&
        plumb_base_rng_chance(w->rng, w->percent_wrong / 4))
        w->found[i] = plumb_base_rng_below(w->rng, w->pushed);
}

static void end_one(struct world *w, uint32_t k)
{
    const uint32_t i = w->open[k];
    w->open[k] = w->open[--w->opens];
    if (plumb_base_rng_chance(w->rng, w->percent_pending))
        return;
    if (!w->done[i])
        take_effect(w, i);
    if (plumb_base_rng_chance(w->rng, w->percent_wrong / 4))
        w->found[i] = PLUMB_NO_WORD;
    finish(&w->s, i, w->found[i]);
}

static void make_random(struct world *w, struct plumb_base_rng *rng,
                        uint32_t count)
{
    const uint32_t threads = 1 + plumb_base_rng_below(rng, 5);
    *w = (struct world){ .rng = rng,
                         .percent_wrong = 20 * plumb_base_rng_below(rng, 3),
                         .percent_pending = 8 * plumb_base_rng_below(rng, 3),
                         .percent_peek = 15 * plumb_base_rng_below(rng, 3),
                         .percent_push = 40 + plumb_base_rng_below(rng, 30) };
    begin(&w->s);
    while (w->s.input.count < count || w->opens) {
        if (w->s.input.count < count && w->opens < threads &&
            plumb_base_rng_chance(rng, 60)) {
            start_one(w);
            continue;
        }
        if (!w->opens)
            continue;
        const uint32_t k = plumb_base_rng_below(rng, w->opens);
        if (!w->done[w->open[k]] && plumb_base_rng_chance(rng, 50))
            take_effect(w, w->open[k]);
        else
            end_one(w, k);
    }
}

static void random_histories_are_decided_rightly(void **state)
{
    const uint32_t count =
        from_environment("PLUMB_STACK_RANDOM", SOME_OF(50000));
    const uint32_t seed = from_environment("PLUMB_STACK_SEED", 1);
    const uint32_t largest = from_environment("PLUMB_STACK_LARGEST", 9);
    (void)state;
    printf("seeds %u ... %u\n", seed, seed + count - 1);
    for (uint32_t i = 0; i < count; i++) {
        struct plumb_base_rng rng;
        struct world w;
        plumb_base_rng_seed(&rng, seed + i);
        make_random(&w, &rng, 1 + plumb_base_rng_below(&rng, largest));
        w.s.input.op = w.s.op;
        w.s.input.event = w.s.event;
        is_decided_rightly(&w.s.input);
    }
}

/* ---- long ones ---- */

struct long_tape {
    struct plumb_check_input input;
    struct plumb_check_input_op *op;
    uint32_t *event, *item;
    uint32_t items;
};

static void forget(struct plumb_check_input_op *o)
{
    o->ret = PLUMB_NEVER;
    o->term = PLUMB_TERM_ANY;
    if (o->role != PLUMB_ROLE_ADD)
        o->word[0] = PLUMB_NO_WORD;
}

/* Of a thousand operations `lost` never return, and may have taken effect. */
static void make_long(struct long_tape *l, struct plumb_base_rng *rng,
                      uint32_t count, uint32_t percent_push, uint32_t lost)
{
    enum { THREADS = 6 };
    uint32_t now[THREADS], opens = 0;
    bool done[THREADS];
    struct plumb_check_input *const t = &l->input;
    *t = (struct plumb_check_input){ .initial = PLUMB_NIL_WORD,
                                     .roles = UINT64_MAX };
    t->op = l->op = calloc(count, sizeof *l->op);
    t->event = l->event = calloc(count, 2 * sizeof *l->event);
    l->item = calloc(count, sizeof *l->item);
    l->items = 0;
    memset(now, 0xff, sizeof now);
    while (t->count < count || opens) {
        const uint32_t k = plumb_base_rng_below(rng, THREADS);
        if (now[k] == UINT32_MAX) {
            if (t->count == count)
                continue;
            struct plumb_check_input_op *const o = &l->op[now[k] = t->count++];
            *o = (struct plumb_check_input_op){ .call = t->events,
                                                .role = PLUMB_ROLE_PEEK };
            if (plumb_base_rng_chance(rng, 90))
                o->role = plumb_base_rng_chance(rng, percent_push)
                              ? PLUMB_ROLE_ADD
                              : PLUMB_ROLE_REMOVE;
            if (o->role == PLUMB_ROLE_ADD)
                o->word[0] = t->values++;
            l->event[t->events++] = 2 * now[k];
            opens++;
            done[k] = false;
            continue;
        }
        struct plumb_check_input_op *const o = &l->op[now[k]];
        if (plumb_base_rng_below(rng, 2000) < lost) {
            forget(o);
            now[k] = UINT32_MAX;
            opens--;
            continue;
        }
        if (done[k]) {
            o->ret = t->events;
            l->event[t->events++] = 2 * now[k] + 1;
            now[k] = UINT32_MAX;
            opens--;
            continue;
        }
        done[k] = true;
        if (o->role == PLUMB_ROLE_ADD)
            l->item[l->items++] = o->word[0];
        else if (!l->items)
            o->term = PLUMB_TERM_EMPTY;
        else
            o->word[0] = l->item[l->items - 1];
        if (o->role == PLUMB_ROLE_REMOVE && l->items)
            l->items--;
    }
}

static void free_long(struct long_tape *l)
{
    free(l->op);
    free(l->event);
    free(l->item);
}

/* Can `o` follow in a sequential history? */
static bool replays_one(const struct long_tape *l, uint32_t *items,
                        const struct plumb_check_input_op *o)
{
    if (o->role == PLUMB_ROLE_ADD) {
        l->item[(*items)++] = o->word[0];
        return true;
    }
    if (o->term == PLUMB_TERM_EMPTY)
        return *items == 0;
    if (*items == 0)
        return false;
    const uint32_t top = l->item[*items - 1];
    *items -= o->role == PLUMB_ROLE_REMOVE;
    return o->term == PLUMB_TERM_ANY || top == o->word[0];
}

/* Each once, none behind one that was called after it returned, and legal. */
static bool replays(const struct long_tape *l, const uint32_t *order,
                    uint32_t count)
{
    uint32_t latest_call = 0, items = 0;
    bool *const seen = calloc(l->input.count, 1);
    bool right = true;
    for (uint32_t k = 0; k < count && right; k++) {
        const struct plumb_check_input_op *const o = &l->op[order[k]];
        right = !seen[order[k]] && o->ret > latest_call &&
                replays_one(l, &items, o);
        seen[order[k]] = true;
        if (o->call > latest_call)
            latest_call = o->call;
    }
    for (uint32_t i = 0; i < l->input.count; i++)
        right &= seen[i] || l->op[i].ret == PLUMB_NEVER;
    free(seen);
    return right;
}

static void long_histories_are_linearizable(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        struct plumb_base_rng rng;
        struct long_tape l;
        struct answer a;
        plumb_base_rng_seed(&rng, seed);
        make_long(&l, &rng, 20000 / seed, 46 + seed % 10, 0);
        ask(&a, &l.input, NULL);
        assert_int_equal(a.m.verdict, PLUMB_LINEARIZABLE);
        assert_true(replays(&l, a.m.order, a.m.order_count));
        release(&a);
        free_long(&l);
    }
}

/* They may be declined, but not often. */
static void lost_operations_are_no_violations(void **state)
{
    uint32_t decided = 0;
    (void)state;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        struct plumb_base_rng rng;
        struct long_tape l;
        struct answer a;
        plumb_base_rng_seed(&rng, seed);
        make_long(&l, &rng, 2000, 45 + seed % 10, 3);
        ask(&a, &l.input, NULL);
        assert_true(a.m.verdict != PLUMB_NOT_LINEARIZABLE);
        if (a.m.verdict == PLUMB_LINEARIZABLE) {
            assert_true(replays(&l, a.m.order, a.m.order_count));
            decided++;
        }
        release(&a);
        free_long(&l);
    }
    printf("%u of 100 histories with lost operations decided\n", decided);
    assert_true(decided > 50);
}

/* Two pops far apart that exchange what they took. */
static void exchange(struct long_tape *l, struct plumb_base_rng *rng)
{
    struct plumb_check_input_op *a, *b;
    do {
        a = &l->op[plumb_base_rng_below(rng, l->input.count)];
        b = &l->op[plumb_base_rng_below(rng, l->input.count)];
    } while (a->role != PLUMB_ROLE_REMOVE || b->role != PLUMB_ROLE_REMOVE ||
             a->term != PLUMB_TERM_OK || b->term != PLUMB_TERM_OK || a == b);
    const uint32_t word = a->word[0];
    a->word[0] = b->word[0];
    b->word[0] = word;
}

/* An input that has the blamed operations of `m` alone. */
static void take_blamed(struct small *s, const struct plumb_check_monitoring *m)
{
    const struct plumb_check_input *const input = m->input;
    begin(s);
    s->input.values = input->values;
    assert_true(m->blames <= BRUTE_OPS);
    uint32_t at[BRUTE_OPS];
    for (uint32_t e = 0; e < input->events; e++)
        for (uint32_t k = 0; k < m->blames; k++) {
            const struct plumb_check_input_op *const o =
                &input->op[m->blame[k]];
            if (input->event[e] / 2 != m->blame[k])
                continue;
            if (input->event[e] % 2)
                finish(s, at[k],
                       o->term == PLUMB_TERM_OK ? o->word[0] : PLUMB_NO_WORD);
            else
                at[k] = call(s, o->role, o->word[0]);
        }
}

static void few_are_blamed_for_a_violation_in_a_long_history(void **state)
{
    uint32_t violations = 0;
    (void)state;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        struct plumb_base_rng rng;
        struct long_tape l;
        struct answer a;
        struct small s;
        plumb_base_rng_seed(&rng, seed);
        make_long(&l, &rng, 1500, 46 + seed % 10, 0);
        exchange(&l, &rng);
        ask(&a, &l.input, NULL);
        if (a.m.verdict == PLUMB_NOT_LINEARIZABLE) {
            take_blamed(&s, &a.m);
            assert_false(brute_is_linearizable(&s.input));
            assert_true(a.m.maybe == a.m.sure);
            violations++;
        } else {
            assert_true(replays(&l, a.m.order, a.m.order_count));
        }
        release(&a);
        free_long(&l);
    }
    assert_true(violations > 50);
}

/* ---- what it does not decide ---- */

static void is_declined(const struct plumb_check_input *input, const char *why)
{
    struct answer a;
    ask(&a, input, NULL);
    assert_int_equal(a.m.verdict, PLUMB_UNDECIDED);
    assert_string_equal(a.m.declined, why);
    release(&a);
}

static void repeated_values_are_declined(void **state)
{
    struct small s;
    (void)state;
    begin(&s);
    finish(&s, call(&s, PLUMB_ROLE_ADD, 0), 0);
    finish(&s, call(&s, PLUMB_ROLE_ADD, 0), 0);
    is_declined(&s.input, "values repeat");
}

static void full_stacks_are_declined(void **state)
{
    struct small s;
    (void)state;
    begin(&s);
    finish(&s, call(&s, PLUMB_ROLE_ADD, 0), 0);
    s.op[0].term = PLUMB_TERM_FULL;
    is_declined(&s.input, "a push that returned full");
}

static void an_empty_tape_is_linearizable(void **state)
{
    struct small s;
    (void)state;
    begin(&s);
    is_decided_rightly(&s.input);
}

static void failed_allocations_are_undecided(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    (void)state;
    for (uint32_t seed = 1; seed <= 30; seed++) {
        struct plumb_base_rng rng;
        struct long_tape l;
        bool failed = true;
        plumb_base_rng_seed(&rng, seed);
        make_long(&l, &rng, 600, 52, seed % 2);
        if (seed % 3)
            exchange(&l, &rng);
        for (size_t nth = 1; failed; nth += 1 + nth / 8) {
            struct answer a;
            plumb_base_budget_fail_at(budget, nth);
            ask(&a, &l.input, budget);
            failed = plumb_base_budget_has_failed(budget);
            assert_true(failed || a.m.verdict != PLUMB_UNDECIDED);
            if (a.m.verdict == PLUMB_UNDECIDED)
                assert_int_equal(a.m.why, PLUMB_EMEMORY);
            release(&a);
            assert_int_equal(plumb_budget_used(budget), 0);
        }
        free_long(&l);
    }
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_tape_is_linearizable),
        cmocka_unit_test(all_small_histories_are_decided_rightly),
        cmocka_unit_test(random_histories_are_decided_rightly),
        cmocka_unit_test(long_histories_are_linearizable),
        cmocka_unit_test(lost_operations_are_no_violations),
        cmocka_unit_test(few_are_blamed_for_a_violation_in_a_long_history),
        cmocka_unit_test(repeated_values_are_declined),
        cmocka_unit_test(full_stacks_are_declined),
        cmocka_unit_test(failed_allocations_are_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
