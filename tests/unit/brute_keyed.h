/* brute_keyed.h - small histories of sets, multisets, registers and maps, and
 * what is true of them by definition.
 *
 * A toy is an input that grows event by event.  Every order is tried; nothing
 * here knows the monitors. */
#ifndef PLUMB_TESTS_BRUTE_KEYED_H
#define PLUMB_TESTS_BRUTE_KEYED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/rng.h"
#include "check/input/monitor.h"
#include "effort.h"

enum { TOY_OPS = 16, TOY_STATES = 64 };
#define TOY_REFUSES UINT32_MAX /* the answer cannot be given here */

struct toy {
    const struct toy_type *type;
    struct plumb_check_input_op op[TOY_OPS];
    uint32_t event[2 * TOY_OPS];
    uint32_t count, events, values, initial;
    uint32_t written; /* values so far, of those that write fresh ones */
};

struct toy_type {
    const char *name;
    plumb_check_monitor *monitor;
    bool keyed;
    bool inexact; /* some keys are left: the first violation may be of those */
    bool wordy;   /* blames may have reads that are not needed */
    uint32_t values, initial;
    uint32_t start; /* state */
    /* The state behind it; pending ones may answer anything. */
    uint32_t (*step)(uint32_t state, const struct plumb_check_input_op *o);
    /* Does it leave every state as it is? */
    bool (*reads)(const struct plumb_check_input_op *o);
    /* Set role, nargs and words of a call, or term, nres and words of an
     * answer; false if there is no such variant. */
    bool (*call)(struct toy *t, struct plumb_check_input_op *o,
                 uint32_t variant);
    bool (*answer)(const struct toy *t, struct plumb_check_input_op *o,
                   uint32_t variant);
};

static inline void toy_init(struct toy *t, const struct toy_type *type)
{
    *t = (struct toy){ .type = type,
                       .values = type->values,
                       .initial = type->initial };
}

static inline bool toy_call(struct toy *t, uint32_t variant)
{
    struct plumb_check_input_op o = { .call = t->events,
                                      .ret = PLUMB_NEVER,
                                      .word = { PLUMB_NO_WORD, PLUMB_NO_WORD,
                                                PLUMB_NO_WORD },
                                      .term = PLUMB_TERM_ANY };
    if (t->count == TOY_OPS || !t->type->call(t, &o, variant))
        return false;
    t->event[t->events++] = 2 * t->count;
    t->op[t->count++] = o;
    return true;
}

static inline bool toy_return(struct toy *t, uint32_t i, uint32_t variant)
{
    struct plumb_check_input_op o = t->op[i];
    o.term = PLUMB_TERM_OK;
    if (!t->type->answer(t, &o, variant))
        return false;
    o.ret = t->events;
    t->event[t->events++] = 2 * i + 1;
    t->op[i] = o;
    return true;
}

static inline bool toy_is_open(const struct toy *t, uint32_t i)
{
    return t->op[i].ret == PLUMB_NEVER;
}

/* What is left of it before an event. */
static inline struct toy toy_prefix(const struct toy *t, uint32_t events)
{
    struct toy p = *t;
    p.events = events;
    for (p.count = 0; p.count < t->count && t->op[p.count].call < events;
         p.count++) {
        struct plumb_check_input_op *const o = p.op + p.count;
        if (o->ret == PLUMB_NEVER || o->ret < events)
            continue;
        o->ret = PLUMB_NEVER;
        o->term = PLUMB_TERM_ANY;
        for (unsigned w = o->nargs; w < PLUMB_INPUT_WORDS; w++)
            o->word[w] = PLUMB_NO_WORD;
        o->nres = 0;
    }
    return p;
}

/* Only some of its operations. */
static inline struct toy toy_part(const struct toy *t, const bool *keep)
{
    struct toy p = *t;
    uint32_t number[TOY_OPS];
    p.count = p.events = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        number[i] = p.count;
        if (keep[i])
            p.op[p.count++] = t->op[i];
    }
    for (uint32_t i = 0; i < t->events; i++)
        if (keep[t->event[i] / 2])
            p.event[p.events++] =
                2 * number[t->event[i] / 2] + (t->event[i] & 1);
    return p;
}

/* ---- the definition ---- */

struct toy_search {
    const struct toy *t;
    uint8_t seen[1 << TOY_OPS][TOY_STATES / 8];
    uint32_t needed;
};

static inline bool toy_may_be_next(const struct toy *t, uint32_t done,
                                   uint32_t i)
{
    for (uint32_t j = 0; j < t->count; j++)
        if (!(done & 1u << j) && t->op[j].ret < t->op[i].call)
            return false;
    return !(done & 1u << i);
}

static inline bool toy_search_from(struct toy_search *s, uint32_t done,
                                   uint32_t state)
{
    if ((done & s->needed) == s->needed)
        return true;
    assert_true(state < TOY_STATES);
    uint8_t *const seen = &s->seen[done][state / 8];
    if (*seen & 1u << state % 8)
        return false;
    *seen |= (uint8_t)(1u << state % 8);
    for (uint32_t i = 0; i < s->t->count; i++) {
        if (!toy_may_be_next(s->t, done, i))
            continue;
        const uint32_t next = s->t->type->step(state, s->t->op + i);
        if (next != TOY_REFUSES && toy_search_from(s, done | 1u << i, next))
            return true;
    }
    return false;
}

static inline bool toy_key_is_linearizable(const struct toy *t)
{
    static struct toy_search s;
    memset(s.seen, 0, sizeof s.seen[0] << t->count);
    s.t = t;
    s.needed = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (!toy_is_open(t, i))
            s.needed |= 1u << i;
    return toy_search_from(&s, 0, t->type->start);
}

/* Keys are objects by themselves. */
static inline bool toy_is_linearizable(const struct toy *t)
{
    if (!t->type->keyed)
        return toy_key_is_linearizable(t);
    bool keep[TOY_OPS];
    for (uint32_t k = 0; k <= t->values; k++) {
        for (uint32_t i = 0; i < t->count; i++)
            keep[i] = t->op[i].word[0] == (k == t->values ? PLUMB_NIL_WORD : k);
        const struct toy part = toy_part(t, keep);
        if (!toy_key_is_linearizable(&part))
            return false;
    }
    return true;
}

static inline uint32_t toy_first_violation(const struct toy *t)
{
    for (uint32_t e = 0; e < t->events; e++) {
        const struct toy p = toy_prefix(t, e + 1);
        if (!toy_is_linearizable(&p))
            return e;
    }
    return PLUMB_NEVER;
}

static inline void toy_show(const struct toy *t)
{
    static const char *const role[] = { "other",  "add",    "remove", "peek",
                                        "insert", "delete", "member", "count",
                                        "write",  "read",   "cas",    "swap",
                                        "append" };
    print_message("%s:\n", t->type->name);
    for (uint32_t i = 0; i < t->count; i++) {
        const struct plumb_check_input_op *const o = t->op + i;
        print_message("  %u: [%u, %d] %s %d %d %d term %u\n", i, o->call,
                      (int)o->ret, role[o->role], (int)o->word[0],
                      (int)o->word[1], (int)o->word[2], o->term);
    }
}

#define toy_claim(t, claim)                                                    \
    do {                                                                       \
        if (!(claim)) {                                                        \
            toy_show(t);                                                       \
            fail_msg("%s", #claim);                                            \
        }                                                                      \
    } while (0)

/* ---- what a monitor says ---- */

struct toy_counts {
    uint64_t linearizable, violations, declined, left, blamed;
};

static inline uint32_t toy_key(const struct toy *t, uint32_t i)
{
    if (!t->type->keyed)
        return 0;
    const uint32_t key = t->op[i].word[0];
    return key == PLUMB_NIL_WORD ? t->values : key;
}

/* Operations of keys that were left stand nowhere: nobody waits for them. */
static inline void toy_check_order(const struct toy *t,
                                   const struct plumb_check_monitoring *m)
{
    uint32_t done = 0, left = 0, lefts = 0;
    uint32_t state[TOY_OPS + 3];
    assert_true(t->values < TOY_OPS + 3);
    for (uint32_t k = 0; k <= t->values; k++) {
        state[k] = t->type->start;
        lefts += m->left && m->left[k];
    }
    toy_claim(t, m->lefts == lefts);
    for (uint32_t i = 0; i < t->count; i++)
        if (m->left && m->left[toy_key(t, i)])
            left |= 1u << i;
    for (uint32_t i = 0; i < m->order_count; i++) {
        const uint32_t x = m->order[i];
        toy_claim(t, x < t->count && toy_may_be_next(t, done | left, x));
        uint32_t *const s = state + toy_key(t, x);
        *s = t->type->step(*s, t->op + x);
        toy_claim(t, *s != TOY_REFUSES);
        done |= 1u << x;
    }
    for (uint32_t i = 0; i < t->count; i++)
        toy_claim(t, toy_is_open(t, i) || (done | left) & 1u << i);
}

static inline void toy_check_blame(const struct toy *t,
                                   const struct plumb_check_monitoring *m,
                                   uint32_t first)
{
    bool keep[TOY_OPS] = { false };
    toy_claim(t, m->maybe <= first && first <= m->sure);
    toy_claim(t, m->maybe == m->sure || t->type->inexact);
    toy_claim(t, m->blames > 0);
    for (uint32_t i = 0; i < m->blames; i++) {
        toy_claim(t, m->blame[i] < t->count);
        toy_claim(t, !i || m->blame[i - 1] < m->blame[i]);
        keep[m->blame[i]] = true;
    }
    const struct toy part = toy_part(t, keep);
    toy_claim(t, !toy_is_linearizable(&part));
    /* One key; and none of the reads can be spared, before what comes next. */
    const struct toy until = toy_prefix(t, m->sure + 1);
    for (uint32_t i = 0; i < m->blames; i++) {
        const struct plumb_check_input_op *const o = t->op + m->blame[i];
        if (t->type->keyed)
            toy_claim(t, o->word[0] == t->op[m->blame[0]].word[0]);
        if (t->type->wordy || toy_is_open(t, m->blame[i]) || !t->type->reads(o))
            continue;
        keep[m->blame[i]] = false;
        const struct toy less = toy_part(&until, keep);
        toy_claim(t, toy_is_linearizable(&less));
        keep[m->blame[i]] = true;
    }
}

static inline struct plumb_check_input toy_tape(const struct toy *t)
{
    struct plumb_check_input input = { .op = t->op,
                                       .count = t->count,
                                       .event = t->event,
                                       .events = t->events,
                                       .values = t->values,
                                       .initial = t->initial };
    for (uint32_t i = 0; i < t->count; i++)
        input.roles |= (uint64_t)1 << t->op[i].role;
    return input;
}

static inline void toy_check_answer(const struct toy *t, uint32_t first,
                                    const struct plumb_check_monitoring *m,
                                    struct toy_counts *counts)
{
    switch (m->verdict) {
    case PLUMB_LINEARIZABLE:
        toy_claim(t, first == PLUMB_NEVER || m->left);
        toy_check_order(t, m);
        counts->linearizable++;
        counts->left += m->left != NULL;
        break;
    case PLUMB_NOT_LINEARIZABLE:
        toy_claim(t, first != PLUMB_NEVER);
        toy_check_blame(t, m, first);
        counts->violations++;
        counts->blamed += m->blames;
        break;
    default:
        toy_claim(t, m->declined != NULL);
        counts->declined++;
    }
}

/* Does the monitor of its type say of `t` what is true?  `first`: its first
 * violation, or PLUMB_NEVER.  False if memory was used up, and it said so. */
static inline bool toy_check_within(const struct toy *t, uint32_t first,
                                    struct plumb_budget *budget,
                                    struct toy_counts *counts)
{
    const struct plumb_check_input input = toy_tape(t);
    struct plumb_base_arena arena, scratch;
    plumb_base_arena_init(&arena, budget);
    plumb_base_arena_init(&scratch, budget);
    struct plumb_check_monitoring m = { .input = &input,
                                        .budget = budget,
                                        .arena = &arena,
                                        .scratch = &scratch,
                                        .verdict = PLUMB_UNDECIDED };
    const bool done = t->type->monitor(&m);
    if (done)
        toy_check_answer(t, first, &m, counts);
    else
        toy_claim(t, m.verdict == PLUMB_UNDECIDED && m.why == PLUMB_EMEMORY);
    plumb_base_arena_release(&arena);
    plumb_base_arena_release(&scratch);
    return done;
}

static inline void toy_check(const struct toy *t, uint32_t first,
                             struct toy_counts *counts)
{
    toy_claim(t, toy_check_within(t, first, NULL, counts));
}

/* ---- all of them ---- */

/* Every history of up to `most` operations that is linearizable, and those with
 * one event more. */
static inline void toy_check_all(const struct toy *t, uint32_t most,
                                 struct toy_counts *counts)
{
    const uint32_t first = toy_is_linearizable(t) ? PLUMB_NEVER : t->events - 1;
    toy_check(t, first, counts);
    if (first != PLUMB_NEVER)
        return;
    for (uint32_t v = 0; t->count < most; v++) {
        struct toy next = *t;
        if (!toy_call(&next, v))
            break;
        toy_check_all(&next, most, counts);
    }
    for (uint32_t i = 0; i < t->count; i++)
        for (uint32_t v = 0; toy_is_open(t, i); v++) {
            struct toy next = *t;
            if (!toy_return(&next, i, v))
                break;
            toy_check_all(&next, most, counts);
        }
}

/* ---- some of them ---- */

static inline uint32_t toy_variants(const struct toy *t, uint32_t i, bool call)
{
    uint32_t n = 0;
    for (;; n++) {
        struct toy next = *t;
        if (call ? !toy_call(&next, n) : !toy_return(&next, i, n))
            return n;
    }
}

/* Answer i so that it is linearizable so far, if there is such an answer; but
 * sometimes anyhow. */
static inline void toy_random_return(struct toy *t, uint32_t i, uint32_t faults,
                                     struct plumb_base_rng *rng)
{
    const uint32_t n = toy_variants(t, i, false);
    const bool any = plumb_base_rng_chance(rng, faults);
    const uint32_t from = plumb_base_rng_below(rng, n);
    for (uint32_t v = 0; v < n; v++) {
        struct toy next = *t;
        toy_return(&next, i, (from + v) % n);
        if (!any && v < n - 1 && !toy_is_linearizable(&next))
            continue;
        *t = next;
        return;
    }
}

static inline void toy_random(struct toy *t, const struct toy_type *type,
                              uint32_t most, uint32_t width,
                              struct plumb_base_rng *rng)
{
    uint32_t open[TOY_OPS], opens = 0, stuck = 0;
    const uint32_t faults = plumb_base_rng_below(rng, 30);
    toy_init(t, type);
    while (t->count < most || opens > stuck) {
        if (t->count < most && opens < width + stuck &&
            (opens == stuck || plumb_base_rng_chance(rng, 55))) {
            open[opens++] = t->count;
            toy_call(t, plumb_base_rng_below(rng, toy_variants(t, 0, true)));
            continue;
        }
        const uint32_t which = stuck + plumb_base_rng_below(rng, opens - stuck);
        const uint32_t i = open[which];
        if (plumb_base_rng_chance(rng, 7)) { /* it never returns */
            open[which] = open[stuck];
            open[stuck++] = i;
            continue;
        }
        open[which] = open[--opens];
        toy_random_return(t, i, faults, rng);
    }
}

/* The number in an environment variable, or `usual`. */
static inline uint32_t toy_number(const char *name, uint32_t usual)
{
    const char *const text = getenv(name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : usual;
}

static inline void toy_report(const struct toy_type *type, const char *which,
                              const struct toy_counts *c)
{
    print_message("%s, %s: %ju linearizable (%ju with keys left), "
                  "%ju violations of %.1f operations, %ju declined\n",
                  type->name, which, (uintmax_t)c->linearizable,
                  (uintmax_t)c->left, (uintmax_t)c->violations,
                  (double)c->blamed / (double)(c->violations + !c->violations),
                  (uintmax_t)c->declined);
}

static inline struct toy_counts toy_check_every(const struct toy_type *type,
                                                uint32_t most)
{
    struct toy_counts counts = { 0 };
    struct toy t;
    toy_init(&t, type);
    toy_check_all(&t, toy_number("TOY_MOST", most - (TEST_EFFORT > 1)),
                  &counts);
    toy_report(type, "all", &counts);
    return counts;
}

static inline struct toy_counts toy_check_random(const struct toy_type *type,
                                                 uint32_t rounds)
{
    struct toy_counts counts = { 0 };
    const uint32_t seed = toy_number("TOY_SEED", 1);
    struct plumb_base_rng rng;
    rounds = toy_number("TOY_ROUNDS", SOME_OF(rounds));
    for (uint32_t r = 0; r < rounds; r++) {
        struct toy t;
        plumb_base_rng_seed(&rng, (uint64_t)seed << 32 | r);
        toy_random(&t, type, 3 + plumb_base_rng_below(&rng, 9),
                   2 + plumb_base_rng_below(&rng, 4), &rng);
        toy_check(&t, toy_first_violation(&t), &counts);
    }
    toy_report(type, "random", &counts);
    return counts;
}

/* Whichever allocation is refused, it says so, or is right all the same, and
 * gives everything back. */
static inline void toy_check_memory(const struct toy_type *type,
                                    uint32_t rounds)
{
    struct toy_type patient = *type;
    struct toy_counts counts = { 0 };
    struct plumb_base_rng rng;
    uint32_t refused = 0;
    patient.inexact = patient.wordy = true;
    for (uint32_t r = 0; r < SOME_OF(rounds); r++) {
        struct toy t;
        plumb_base_rng_seed(&rng, r);
        toy_random(&t, &patient, 3 + plumb_base_rng_below(&rng, 9),
                   2 + plumb_base_rng_below(&rng, 4), &rng);
        const uint32_t first = toy_first_violation(&t);
        for (size_t nth = 1;; nth++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            plumb_base_budget_fail_at(budget, nth);
            refused += !toy_check_within(&t, first, budget, &counts);
            assert_int_equal(plumb_budget_used(budget), 0);
            const bool failed = plumb_base_budget_has_failed(budget);
            plumb_budget_free(budget);
            if (!failed)
                break;
        }
    }
    assert_true(refused > SOME_OF(rounds));
    assert_true(counts.violations > 0 && counts.linearizable > 0);
}

#endif
