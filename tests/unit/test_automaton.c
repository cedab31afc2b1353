/* test_automaton.c - inferred automata, against all histories written out.
 *
 * A random object has a few states, and for each operation and state an answer
 * and the state after it, or none.  A moment is a state of it and which
 * operations are done.  Some outcomes are added that no deterministic object
 * has, and steps that nobody sees.  What the automaton should be is told by the
 * definitions, from the histories alone: which there are, whether two differ
 * first in an answer (Line-Up, section 2.4), and how many different futures
 * they have. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "effort.h"
#include "infer/automaton.h"
#include "serial_histories.h"

enum {
    MOST_STATES = 3,
    MOST_CALLERS = 3,
    MOST_CALLS = 3, /* of a thread */
    MOST_SEEN = 4000,
    MOST_COMPARED = 300 /* histories, each with each */
};

static void claim(bool holds, uint64_t seed, const char *what)
{
    if (!holds)
        fail_msg("random moments of seed %llu: %s", (unsigned long long)seed,
                 what);
}

/* ---- random moments ---- */

struct outcome {
    uint32_t answer, state;
    bool stuck;
};

struct random_moments {
    struct plumb_base_rng *rng;
    unsigned threads, calls[MOST_CALLERS], states, answers, operations;
    unsigned stuck, forks, hidden; /* percent */
    uint32_t moments;
    uint32_t name[MOST_MOMENTS]; /* moments are numbered by chance */
    struct outcome table[MOST_CALLERS * MOST_CALLS][MOST_STATES];
    struct plumb_infer_seen seen[MOST_SEEN];
    size_t count;
    uint32_t allowed[MOST_CALLERS * MOST_CALLS]; /* answers; UINT32_MAX */
};

static unsigned draw(struct random_moments *r, unsigned n)
{
    return plumb_base_rng_below(r->rng, n);
}

static struct outcome draw_outcome(struct random_moments *r)
{
    return (struct outcome){ .answer = draw(r, r->answers),
                             .state = draw(r, r->states),
                             .stuck = plumb_base_rng_chance(r->rng, r->stuck) };
}

static unsigned op_of(unsigned thread, unsigned call)
{
    return thread * MOST_CALLS + call;
}

/* Some outcomes are what the operation does whatever the state is. */
static void draw_object(struct random_moments *r)
{
    r->threads = 1 + draw(r, MOST_CALLERS);
    for (unsigned t = 0; t < MOST_CALLERS; t++)
        r->calls[t] = t < r->threads ? 1 + draw(r, r->threads < 3 ? 3 : 2) : 0;
    r->states = 1 + draw(r, MOST_STATES);
    r->answers = 1 + draw(r, 3);
    r->operations = MOST_CALLERS * MOST_CALLS;
    r->stuck = draw(r, 2) * draw(r, 30);
    r->forks = draw(r, 3) / 2 * draw(r, 20);
    r->hidden = draw(r, 3) / 2 * draw(r, 20);
    const unsigned allows = draw(r, 3) / 2 * draw(r, 100); /* percent */
    for (unsigned op = 0; op < r->operations; op++)
        r->allowed[op] = draw(r, 100) < allows ? draw(r, 3) : UINT32_MAX;
    for (unsigned op = 0; op < r->operations; op++)
        for (unsigned s = 0; s < r->states; s++)
            r->table[op][s] =
                s && draw(r, 3) == 0 ? r->table[op][0] : draw_outcome(r);
}

/* The number of a state after so many calls of each thread. */
static uint32_t moment_of(const struct random_moments *r,
                          const unsigned done[MOST_CALLERS], unsigned state)
{
    uint32_t number = 0;
    for (unsigned t = 0; t < MOST_CALLERS; t++)
        number = number * (r->calls[t] + 1) + done[t];
    return r->name[number * r->states + state];
}

static void draw_names(struct random_moments *r)
{
    r->moments = r->states;
    for (unsigned t = 0; t < MOST_CALLERS; t++)
        r->moments *= r->calls[t] + 1;
    for (uint32_t i = 0; i < r->moments; i++)
        r->name[i] = i;
    for (uint32_t i = r->moments - 1; i > 1; i--) {
        const uint32_t k = 1 + draw(r, i); /* 0 remains the beginning */
        const uint32_t swapped = r->name[i];
        r->name[i] = r->name[k];
        r->name[k] = swapped;
    }
}

/* What stands beside an outcome that is stuck, or hidden, means nothing. */
static void see(struct random_moments *r, struct plumb_infer_seen s)
{
    assert_true(r->count + 2 < MOST_SEEN);
    if (s.to == PLUMB_INFER_STUCK || s.op == PLUMB_INFER_HIDDEN)
        s.answer = draw(r, 4);
    r->seen[r->count++] = s;
    if (draw(r, 10) == 0)
        r->seen[r->count++] = s; /* twice */
}

static void see_call(struct random_moments *r,
                     const unsigned done[MOST_CALLERS], unsigned state,
                     unsigned thread, const struct outcome *o)
{
    unsigned after[MOST_CALLERS];
    memcpy(after, done, sizeof after);
    after[thread]++;
    see(r, (struct plumb_infer_seen){ .from = moment_of(r, done, state),
                                      .to = o->stuck
                                                ? PLUMB_INFER_STUCK
                                                : moment_of(r, after, o->state),
                                      .op = op_of(thread, done[thread]),
                                      .answer = o->answer });
}

static void leave(struct random_moments *r, const unsigned done[MOST_CALLERS],
                  unsigned state)
{
    for (unsigned t = 0; t < r->threads; t++) {
        if (done[t] == r->calls[t])
            continue;
        see_call(r, done, state, t, &r->table[op_of(t, done[t])][state]);
        while (plumb_base_rng_chance(r->rng, r->forks)) {
            const struct outcome other = draw_outcome(r);
            see_call(r, done, state, t, &other);
        }
    }
    if (plumb_base_rng_chance(r->rng, r->hidden))
        see(r, (struct plumb_infer_seen){
                   .from = moment_of(r, done, state),
                   .to = moment_of(r, done, draw(r, r->states)),
                   .op = PLUMB_INFER_HIDDEN });
}

static void mix_seen(struct random_moments *r)
{
    for (size_t i = r->count; i > 1; i--) {
        const size_t k = draw(r, (unsigned)i);
        const struct plumb_infer_seen swapped = r->seen[i - 1];
        r->seen[i - 1] = r->seen[k];
        r->seen[k] = swapped;
    }
}

static void draw_moments(struct random_moments *r, struct plumb_base_rng *rng)
{
    *r = (struct random_moments){ .rng = rng };
    draw_object(r);
    draw_names(r);
    unsigned done[MOST_CALLERS];
    for (done[0] = 0; done[0] <= r->calls[0]; done[0]++)
        for (done[1] = 0; done[1] <= r->calls[1]; done[1]++)
            for (done[2] = 0; done[2] <= r->calls[2]; done[2]++)
                for (unsigned state = 0; state < r->states; state++)
                    leave(r, done, state);
    mix_seen(r);
}

/* ---- the definitions ---- */

/* Do two histories differ first in what came of the n-th call?  That one of
 * the two may be answered anywhere is no contradiction. */
static bool contradict(const struct random_moments *r,
                       const struct serial_history *a,
                       const struct serial_history *b, unsigned *n)
{
    const unsigned common = common_events(a, b);
    if (common % 2 == 0)
        return false;
    const uint32_t allowed = r->allowed[a->event[common - 1]];
    *n = common / 2;
    return allowed == UINT32_MAX ||
           (a->event[common] != allowed && b->event[common] != allowed);
}

/* How many operations come before?  UINT_MAX: no two contradict each other. */
static unsigned shortest_disagreement(const struct random_moments *r,
                                      const struct histories *h)
{
    unsigned least = UINT_MAX, n;
    for (size_t i = 0; i < h->count; i++)
        for (size_t k = 0; k < i; k++)
            if (contradict(r, &h->item[i], &h->item[k], &n) && n < least)
                least = n;
    return least;
}

/* The histories that begin as one does with so many events. */
struct futures {
    size_t from, to;
    unsigned events;
};

static struct futures futures_of(const struct histories *h, size_t one,
                                 unsigned events)
{
    struct futures f = { one, one, events };
    while (f.from > 0 &&
           common_events(&h->item[one], &h->item[f.from - 1]) >= events)
        f.from--;
    while (f.to < h->count &&
           common_events(&h->item[one], &h->item[f.to]) >= events)
        f.to++;
    return f;
}

static bool are_same_futures(const struct histories *h, struct futures a,
                             struct futures b)
{
    if (a.to - a.from != b.to - b.from)
        return false;
    for (size_t i = 0; i < a.to - a.from; i++) {
        const struct serial_history *const x = &h->item[a.from + i],
                                           *const y = &h->item[b.from + i];
        if (x->length - a.events != y->length - b.events ||
            memcmp(x->event + a.events, y->event + b.events,
                   (x->length - a.events) * sizeof *x->event) != 0)
            return false;
    }
    return true;
}

/* After all beginnings that end in an answer. */
static uint32_t count_different_futures(const struct histories *h)
{
    struct futures *const known =
        malloc(h->count * MOST_EVENTS * sizeof *known);
    uint32_t count = 0;
    assert_non_null(known);
    for (size_t i = 0; i < h->count; i++)
        for (unsigned n = 0; n + is_stuck(&h->item[i]) <= h->item[i].length;
             n += 2) {
            const struct futures f = futures_of(h, i, n);
            uint32_t k = 0;
            while (k < count && !are_same_futures(h, known[k], f))
                k++;
            if (k == count)
                known[count++] = f;
        }
    free(known);
    return count;
}

/* ---- what the automaton says ---- */

static void spell_position(const struct plumb_infer_automaton *a, uint32_t p,
                           struct serial_history so_far, struct histories *into)
{
    if (a->first[p] == a->first[p + 1])
        add_history(into, &so_far);
    for (uint32_t i = a->first[p]; i < a->first[p + 1]; i++) {
        const struct plumb_infer_edge *const e = a->edge + i;
        const bool stuck = e->next == PLUMB_INFER_STUCK;
        const struct serial_history longer = followed_by(
            followed_by(so_far, e->op), stuck ? STUCK_EVENT : e->answer);
        if (stuck)
            add_history(into, &longer);
        else
            spell_position(a, e->next, longer, into);
    }
}

static bool is_sorted(const struct plumb_infer_automaton *a)
{
    for (uint32_t p = 0; p < a->positions; p++)
        for (uint32_t i = a->first[p] + 1; i < a->first[p + 1]; i++)
            if (a->edge[i - 1].op > a->edge[i].op)
                return false;
    return true;
}

static bool some_history_begins(const struct histories *h,
                                const struct serial_history *with)
{
    for (size_t i = 0; i < h->count; i++)
        if (common_events(&h->item[i], with) == with->length)
            return true;
    return false;
}

/* Both of its histories begin some that there are. */
static bool is_real(const struct random_moments *r,
                    const struct plumb_infer_conflict *c,
                    const struct histories *h)
{
    struct serial_history before = { .length = 0 };
    for (uint32_t i = 0; i < c->length; i++)
        before = followed_by(followed_by(before, c->before[i].op),
                             c->before[i].answer);
    before = followed_by(before, c->outcome[0].op);
    for (unsigned i = 0; i < 2; i++) {
        const struct plumb_infer_edge *const o = &c->outcome[i];
        const struct serial_history whole = followed_by(
            before, o->next == PLUMB_INFER_STUCK ? STUCK_EVENT : o->answer);
        if (o->op != c->outcome[0].op || !some_history_begins(h, &whole) ||
            (o->next != PLUMB_INFER_STUCK && o->answer == r->allowed[o->op]))
            return false;
    }
    return plumb_infer_is_conflict(c);
}

static void compare_counts(const struct plumb_infer_automaton *a,
                           const struct histories *h, uint64_t seed)
{
    uint64_t full, stuck, waiting = 0;
    for (size_t i = 0; i < h->count; i++)
        waiting += is_stuck(&h->item[i]);
    claim(plumb_infer_count(a, NULL, &full, &stuck), seed, "not counted");
    claim(stuck == waiting, seed, "miscounted stuck histories");
    claim(full == h->count - waiting, seed, "miscounted full histories");
}

/* True: they are deterministic. */
static bool compare(const struct random_moments *r, uint64_t seed,
                    const struct histories *all, struct histories *some)
{
    struct plumb_infer_automaton a;
    struct plumb_infer_conflict c;
    struct plumb_error err;
    claim(plumb_infer_build(r->seen, r->count, r->moments, r->allowed, NULL, &a,
                            &c, &err) == PLUMB_OK,
          seed, "not built");
    some->count = 0;
    spell_position(&a, 0, (struct serial_history){ .length = 0 }, some);
    sort_histories(some);
    claim(drop_equals(some) == 0, seed, "one history in two ways");
    claim(are_same_histories(all, some), seed, "other histories");
    claim(is_sorted(&a), seed, "unsorted edges");
    const unsigned least = shortest_disagreement(r, all);
    claim(plumb_infer_is_conflict(&c) == (least != UINT_MAX), seed,
          "determinism");
    claim(least == UINT_MAX || c.length == least, seed, "a longer conflict");
    claim(least == UINT_MAX || is_real(r, &c, all), seed, "an unreal conflict");
    claim(a.positions == count_different_futures(all), seed, "not minimal");
    claim(plumb_infer_is_sound(&a, r->operations, r->answers), seed, "unsound");
    compare_counts(&a, all, seed);
    plumb_infer_release(&a, NULL);
    return least == UINT_MAX;
}

static void the_automaton_has_the_histories_of_the_moments(void **state)
{
    (void)state;
    static struct random_moments r;
    struct histories all, some;
    unsigned compared = 0, deterministic = 0, cases = SOME_OF(3000);
    open_histories(&all);
    open_histories(&some);
    for (uint64_t seed = 0; seed < cases; seed++) {
        struct plumb_base_rng rng;
        plumb_base_rng_seed(&rng, seed);
        draw_moments(&r, &rng);
        spell_graph(&(struct moments){ r.seen, r.count }, &all);
        if (all.too_many || all.count > MOST_COMPARED)
            continue;
        compared++;
        deterministic += compare(&r, seed, &all, &some);
    }
    assert_true(compared > cases / 2);
    assert_in_range(deterministic, compared / 8, compared * 7 / 8);
    free(all.item);
    free(some.item);
}

/* ---- damaged ones ---- */

struct damaged {
    struct plumb_infer_automaton a;
    uint32_t first[MOST_MOMENTS];
    struct plumb_infer_edge edge[MOST_SEEN];
};

static void copy_automaton(const struct plumb_infer_automaton *a,
                           struct damaged *d)
{
    memcpy(d->first, a->first, (a->positions + 1) * sizeof *a->first);
    memcpy(d->edge, a->edge, a->edges * sizeof *a->edge);
    d->a = (struct plumb_infer_automaton){ a->positions, a->edges, d->first,
                                           d->edge };
}

static uint32_t position_of(const struct plumb_infer_automaton *a,
                            uint32_t edge)
{
    uint32_t p = 0;
    while (a->first[p + 1] <= edge)
        p++;
    return p;
}

/* Two neighbours that are of different operations change places. */
static bool swap_neighbours(struct damaged *d, uint32_t at)
{
    const struct plumb_infer_edge e = d->edge[at];
    if (at + 1 == d->a.edges ||
        position_of(&d->a, at) != position_of(&d->a, at + 1) ||
        d->edge[at + 1].op == e.op)
        return false;
    d->edge[at] = d->edge[at + 1];
    d->edge[at + 1] = e;
    return true;
}

static bool damage_edge(struct damaged *d, unsigned how, uint32_t at,
                        const struct random_moments *r)
{
    struct plumb_infer_edge *const e = d->edge + at;
    const bool stuck = e->next == PLUMB_INFER_STUCK;
    switch (how) {
    case 0:
        e->op = r->operations;
        return true;
    case 1:
        e->answer = stuck ? 1 : r->answers;
        return true;
    case 2:
        e->next = d->a.positions;
        e->answer = 0;
        return true;
    case 3:
        e->next = position_of(&d->a, at);
        e->answer = 0;
        return true;
    case 4:
        e->next = 0;
        e->answer = 0;
        return true;
    default:
        return swap_neighbours(d, at);
    }
}

static void damage_firsts(struct damaged *d, unsigned how, uint32_t at)
{
    if (how == 0)
        d->a.positions = 0;
    else if (how == 1)
        d->first[0] = 1;
    else if (how == 2)
        d->first[d->a.positions]++;
    else if (how == 3)
        d->a.edges++;
    else
        d->first[at] = UINT32_MAX;
}

static void refuse_damaged(const struct random_moments *r,
                           struct plumb_base_rng *rng,
                           const struct plumb_infer_automaton *a, uint64_t seed)
{
    static struct damaged d;
    for (unsigned how = 0; how < 5; how++) {
        copy_automaton(a, &d);
        damage_firsts(&d, how, plumb_base_rng_below(rng, a->positions + 1));
        claim(!plumb_infer_is_sound(&d.a, r->operations, r->answers), seed,
              "damaged positions are sound");
    }
    for (unsigned how = 0; how < 6 && a->edges; how++) {
        copy_automaton(a, &d);
        if (damage_edge(&d, how, plumb_base_rng_below(rng, a->edges), r))
            claim(!plumb_infer_is_sound(&d.a, r->operations, r->answers), seed,
                  "a damaged edge is sound");
    }
}

static void damaged_automata_are_not_sound(void **state)
{
    (void)state;
    static struct random_moments r;
    for (uint64_t seed = 0; seed < SOME_OF(1000); seed++) {
        struct plumb_base_rng rng;
        struct plumb_infer_automaton a;
        struct plumb_infer_conflict c;
        struct plumb_error err;
        plumb_base_rng_seed(&rng, seed);
        draw_moments(&r, &rng);
        assert_int_equal(plumb_infer_build(r.seen, r.count, r.moments, NULL,
                                           NULL, &a, &c, &err),
                         PLUMB_OK);
        refuse_damaged(&r, &rng, &a, seed);
        plumb_infer_release(&a, NULL);
    }
}

/* ---- single ones ---- */

static void no_operation_is_one_full_history(void **state)
{
    (void)state;
    struct plumb_infer_automaton a;
    struct plumb_infer_conflict c;
    struct plumb_error err;
    uint64_t full, stuck;
    assert_int_equal(plumb_infer_build(NULL, 0, 1, NULL, NULL, &a, &c, &err),
                     PLUMB_OK);
    assert_int_equal(a.positions, 1);
    assert_int_equal(a.edges, 0);
    assert_false(plumb_infer_is_conflict(&c));
    assert_true(plumb_infer_is_sound(&a, 0, 0));
    assert_true(plumb_infer_count(&a, NULL, &full, &stuck));
    assert_int_equal(full, 1);
    assert_int_equal(stuck, 0);
    plumb_infer_release(&a, NULL);
}

static void an_operation_that_answers_or_waits_is_a_conflict(void **state)
{
    (void)state;
    const struct plumb_infer_seen seen[] = {
        { 0, 1, .op = 3, .answer = 0 },
        { 1, 2, .op = 5, .answer = 0 },
        { 1, PLUMB_INFER_STUCK, .op = 5, .answer = 0 },
    };
    struct plumb_infer_automaton a;
    struct plumb_infer_conflict c;
    struct plumb_error err;
    assert_int_equal(plumb_infer_build(seen, 3, 3, NULL, NULL, &a, &c, &err),
                     PLUMB_OK);
    assert_true(plumb_infer_is_conflict(&c));
    assert_int_equal(c.length, 1);
    assert_int_equal(c.before[0].op, 3);
    assert_int_equal(c.outcome[0].op, 5);
    assert_int_equal(c.outcome[1].op, 5);
    plumb_infer_release(&a, NULL);
}

/* Two outcomes, again and again. */
static void more_histories_than_can_be_counted_are_many(void **state)
{
    (void)state;
    enum { STEPS = PLUMB_INFER_OPERATIONS };
    struct plumb_infer_seen seen[2 * STEPS];
    struct plumb_infer_automaton a;
    struct plumb_infer_conflict c;
    struct plumb_error err;
    uint64_t full, stuck;
    for (uint32_t i = 0; i < STEPS; i++)
        for (uint32_t k = 0; k < 2; k++)
            seen[2 * i + k] = (struct plumb_infer_seen){ i, i + 1, i, k };
    for (uint32_t steps = STEPS - 1; steps <= STEPS; steps++) {
        assert_int_equal(plumb_infer_build(seen, 2 * steps, steps + 1, NULL,
                                           NULL, &a, &c, &err),
                         PLUMB_OK);
        assert_true(plumb_infer_count(&a, NULL, &full, &stuck));
        assert_true(full == (steps < 64 ? (uint64_t)1 << steps : UINT64_MAX));
        assert_int_equal(stuck, 0);
        assert_int_equal(c.length, 0);
        plumb_infer_release(&a, NULL);
    }
}

/* The last of as many operations as there may be. */
static void a_conflict_may_be_late(void **state)
{
    (void)state;
    enum { STEPS = PLUMB_INFER_OPERATIONS };
    struct plumb_infer_seen seen[STEPS + 1];
    struct plumb_infer_automaton a;
    struct plumb_infer_conflict c;
    struct plumb_error err;
    for (uint32_t i = 0; i < STEPS; i++)
        seen[i] = (struct plumb_infer_seen){ i, i + 1, i, i % 3 };
    seen[STEPS] = (struct plumb_infer_seen){ STEPS - 1, STEPS, STEPS - 1, 7 };
    assert_int_equal(
        plumb_infer_build(seen, STEPS + 1, STEPS + 1, NULL, NULL, &a, &c, &err),
        PLUMB_OK);
    assert_true(plumb_infer_is_conflict(&c));
    assert_int_equal(c.length, STEPS - 1);
    for (uint32_t i = 0; i < STEPS - 1; i++) {
        assert_int_equal(c.before[i].op, i);
        assert_int_equal(c.before[i].answer, i % 3);
    }
    plumb_infer_release(&a, NULL);
}

static void an_operation_that_leads_back_is_refused(void **state)
{
    (void)state;
    const struct plumb_infer_seen seen[] = { { 0, 1, .op = 0 },
                                             { 1, 0, .op = 1 } };
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_infer_automaton a;
    struct plumb_infer_conflict c;
    struct plumb_error err;
    assert_int_equal(plumb_infer_build(seen, 2, 2, NULL, budget, &a, &c, &err),
                     PLUMB_EINPUT);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

/* ---- memory ---- */

static bool build_and_count(const struct random_moments *r,
                            struct plumb_budget *budget)
{
    struct plumb_infer_automaton a;
    struct plumb_infer_conflict c;
    struct plumb_error err;
    uint64_t full, stuck;
    const enum plumb_status status = plumb_infer_build(
        r->seen, r->count, r->moments, r->allowed, budget, &a, &c, &err);
    if (status != PLUMB_OK) {
        assert_int_equal(status, PLUMB_EMEMORY);
        assert_int_equal(err.status, PLUMB_EMEMORY);
        return false;
    }
    const bool counted = plumb_infer_count(&a, budget, &full, &stuck);
    plumb_infer_release(&a, budget);
    return counted;
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    static struct random_moments r;
    for (uint64_t seed = 0; seed < SOME_OF(100); seed++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct plumb_base_rng rng;
        size_t nth = 0;
        bool done;
        plumb_base_rng_seed(&rng, seed);
        draw_moments(&r, &rng);
        do {
            plumb_base_budget_fail_at(budget, ++nth);
            done = build_and_count(&r, budget);
            assert_int_equal(done, !plumb_base_budget_has_failed(budget));
            assert_int_equal(plumb_budget_used(budget), 0);
        } while (!done);
        assert_true(nth > 10);
        plumb_budget_free(budget);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_automaton_has_the_histories_of_the_moments),
        cmocka_unit_test(damaged_automata_are_not_sound),
        cmocka_unit_test(no_operation_is_one_full_history),
        cmocka_unit_test(an_operation_that_answers_or_waits_is_a_conflict),
        cmocka_unit_test(more_histories_than_can_be_counted_are_many),
        cmocka_unit_test(a_conflict_may_be_late),
        cmocka_unit_test(an_operation_that_leads_back_is_refused),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
