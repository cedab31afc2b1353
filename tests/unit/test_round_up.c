/* test_round_up.c - Algorithms 1 and 2 of Round-Up against brute force.
 *
 * Brute force goes through all orders there are and keeps those that the
 * definitions allow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "effort.h"
#include "quasi/permutations.h"
#include "quasi/round_up.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 7, ORDERS = 5040, SEED = 19, MANY = 3000 };

/* ---- orders as sets ---- */

/* By the number that its places are, read as digits. */
struct orders {
    uint32_t number[ORDERS];
    unsigned count;
};

static uint32_t number_of(const uint8_t *order, unsigned count)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < count; i++)
        number = number * MOST + order[i];
    return number;
}

static bool keep(void *context, const uint8_t *order, unsigned count)
{
    struct orders *const o = context;
    assert_true(o->count < ORDERS);
    o->number[o->count++] = number_of(order, count);
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void assert_same_orders(struct orders *a, struct orders *b)
{
    assert_int_equal(a->count, b->count);
    qsort(a->number, a->count, sizeof *a->number, compare);
    qsort(b->number, b->count, sizeof *b->number, compare);
    assert_memory_equal(a->number, b->number, a->count * sizeof *a->number);
    for (unsigned i = 1; i < a->count; i++)
        assert_true(a->number[i - 1] < a->number[i]); /* each once */
}

/* All orders of `count`, by exchanging. */
static void all_orders(uint8_t *order, unsigned done, unsigned count,
                       plumb_quasi_visit *visit, void *context)
{
    if (done == count)
        visit(context, order, count);
    for (unsigned i = done; i < count; i++) {
        const uint8_t first = order[done];
        order[done] = order[i];
        order[i] = first;
        all_orders(order, done + 1, count, visit, context);
        order[i] = order[done];
        order[done] = first;
    }
}

static void every_order(unsigned count, plumb_quasi_visit *visit, void *context)
{
    uint8_t order[MOST];
    for (unsigned i = 0; i < count; i++)
        order[i] = (uint8_t)i;
    all_orders(order, 0, count, visit, context);
}

/* ---- Algorithm 2 ---- */

struct near_orders {
    struct orders orders;
    unsigned k;
};

static bool is_near(const uint8_t *order, unsigned count, unsigned k)
{
    for (unsigned i = 0; i < count; i++)
        if ((unsigned)abs((int)order[i] - (int)i) > k)
            return false;
    return true;
}

static bool keep_near(void *context, const uint8_t *order, unsigned count)
{
    struct near_orders *const n = context;
    if (is_near(order, count, n->k))
        keep(&n->orders, order, count);
    return true;
}

static void permutations_are_all_that_are_near(void **state)
{
    static struct orders found;
    static struct near_orders wanted;
    (void)state;
    for (unsigned count = 0; count <= MOST; count++)
        for (unsigned k = 0; k <= MOST; k++) {
            found.count = wanted.orders.count = 0;
            wanted.k = k;
            assert_true(plumb_quasi_permute(count, k, keep, &found));
            every_order(count, keep_near, &wanted);
            assert_same_orders(&found, &wanted.orders);
        }
}

static bool count_one(void *context, const uint8_t *order, unsigned count)
{
    (void)order;
    (void)count;
    ++*(unsigned *)context;
    return true;
}

static void permutations_are_as_many_as_in_the_paper(void **state)
{
    static const unsigned of_four[] = { 1, 5, 14, 24 };
    static const unsigned with_two[] = { 14, 31, 73, 172 };
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        unsigned count = 0;
        plumb_quasi_permute(4, k, count_one, &count);
        assert_int_equal(count, of_four[k]);
    }
    for (unsigned d = 4; d < 8; d++) {
        unsigned count = 0;
        plumb_quasi_permute(d, 2, count_one, &count);
        assert_int_equal(count, with_two[d - 4]);
    }
}

static bool stop_at_third(void *context, const uint8_t *order, unsigned count)
{
    count_one(context, order, count);
    return *(unsigned *)context < 3;
}

static void a_visitor_may_have_enough(void **state)
{
    const struct plumb_quasi_history h = { .count = 5 };
    unsigned count = 0;
    (void)state;
    assert_false(plumb_quasi_permute(5, 2, stop_at_third, &count));
    assert_int_equal(count, 3);
    count = 0;
    assert_false(plumb_quasi_sequentialize(&h, stop_at_third, &count));
    assert_int_equal(count, 3);
}

/* ---- Algorithm 1 ---- */

/* Calls of up to three threads, in the order of their calls. */
static void random_history(struct plumb_base_rng *r, unsigned count,
                           struct plumb_quasi_history *h)
{
    unsigned open[3];
    uint64_t returned = 0;
    *h = (struct plumb_quasi_history){ .count = count };
    for (unsigned t = 0; t < 3; t++)
        open[t] = MOST;
    for (unsigned i = 0; i < count;) {
        const unsigned t = (unsigned)(plumb_base_rng_next(r) % 3);
        if (open[t] == MOST) {
            h->before[i] = returned;
            open[t] = i++;
        } else {
            returned |= (uint64_t)1 << open[t];
            open[t] = MOST;
        }
    }
}

struct extensions {
    struct orders orders;
    const struct plumb_quasi_history *h;
};

static bool is_extension(const struct plumb_quasi_history *h,
                         const uint8_t *order)
{
    uint64_t placed = 0;
    for (unsigned i = 0; i < h->count; i++) {
        if (h->before[order[i]] & ~placed)
            return false;
        placed |= (uint64_t)1 << order[i];
    }
    return true;
}

static bool keep_extension(void *context, const uint8_t *order, unsigned count)
{
    struct extensions *const e = context;
    if (is_extension(e->h, order))
        keep(&e->orders, order, count);
    return true;
}

static void sequentializations_are_all_that_keep_the_order(void **state)
{
    static struct orders found;
    static struct extensions wanted;
    struct plumb_base_rng r;
    (void)state;
    plumb_base_rng_seed(&r, SEED);
    for (unsigned n = 0; n < SOME_OF(MANY); n++) {
        struct plumb_quasi_history h;
        random_history(&r, n % 7, &h);
        found.count = wanted.orders.count = 0;
        wanted.h = &h;
        assert_true(plumb_quasi_sequentialize(&h, keep, &found));
        every_order(h.count, keep_extension, &wanted);
        assert_same_orders(&found, &wanted.orders);
    }
}

/* ---- Definition 4, with a class that is permuted ---- */

struct definition {
    const struct plumb_quasi_history *h;
    const struct plumb_quasi_call *call;
    uint32_t (*legal)[MOST];
    unsigned legals, k;
    const uint8_t *order; /* a sequentialization */
    enum plumb_quasi_verdict verdict;
};

static bool is_legal(const struct definition *d, const uint8_t *order)
{
    for (unsigned l = 0; l < d->legals; l++) {
        unsigned same = 0;
        while (same < d->h->count &&
               d->call[order[same]].symbol == d->legal[l][same])
            same++;
        if (same == d->h->count)
            return true;
    }
    return false;
}

/* The class by itself is within k, and nothing else is elsewhere. */
static bool is_within(const struct definition *d, const uint8_t *order)
{
    uint8_t place[MOST], moved[MOST];
    unsigned in_class = 0, seen = 0;
    for (unsigned i = 0; i < d->h->count; i++)
        if (d->call[d->order[i]].permuted)
            place[d->order[i]] = (uint8_t)in_class++;
    for (unsigned i = 0; i < d->h->count; i++) {
        const bool permuted = d->call[order[i]].permuted;
        if (!permuted && order[i] != d->order[i])
            return false;
        if (permuted)
            moved[seen++] = place[order[i]];
    }
    return is_near(moved, seen, d->k);
}

static bool try_permutation(void *context, const uint8_t *order, unsigned count)
{
    struct definition *const d = context;
    (void)count;
    if (d->verdict == PLUMB_QUASI_NO && is_within(d, order) &&
        is_legal(d, order))
        d->verdict = PLUMB_QUASI_PERMUTED;
    return true;
}

static bool try_order(void *context, const uint8_t *order, unsigned count)
{
    struct definition *const d = context;
    uint8_t sequentialization[MOST];
    if (!is_extension(d->h, order))
        return true;
    memcpy(sequentialization, order, count);
    d->order = sequentialization;
    if (is_legal(d, order))
        d->verdict = PLUMB_QUASI_LINEARIZABLE;
    else
        every_order(count, try_permutation, d);
    return true;
}

/* Symbol 2v adds value v, 2v + 1 removes it: a queue, values in their order. */
static unsigned fifo(unsigned count, uint32_t (*legal)[MOST])
{
    unsigned legals = 0;
    for (unsigned bits = 0; bits < 1U << count; bits++) {
        unsigned added = 0, removed = 0, i = 0;
        for (; i < count && removed <= added && added <= count / 2; i++)
            legal[legals][i] = bits >> i & 1 ? 2 * removed++ + 1 : 2 * added++;
        legals += i == count && removed == added;
    }
    return legals;
}

static void random_calls(struct plumb_base_rng *r, unsigned count, bool all,
                         struct plumb_quasi_call *call)
{
    for (unsigned i = 0; i < count; i++)
        call[i].symbol = i;
    for (unsigned i = count; i-- > 1;) {
        const unsigned k = (unsigned)(plumb_base_rng_next(r) % (i + 1));
        const uint32_t symbol = call[i].symbol;
        call[i].symbol = call[k].symbol;
        call[k].symbol = symbol;
    }
    for (unsigned i = 0; i < count; i++)
        call[i].permuted = all || call[i].symbol % 2;
}

static void verdicts_are_those_of_the_definition(void **state)
{
    enum { CALLS = 6 };
    uint32_t legal[64][MOST];
    struct plumb_base_rng r;
    unsigned met[3] = { 0 };
    (void)state;
    const unsigned legals = fifo(CALLS, legal);
    assert_int_equal(legals, 5); /* Catalan: a queue of three items */
    plumb_base_rng_seed(&r, SEED);
    for (unsigned k = 0; k < 4; k++)
        for (unsigned mode = 0; mode < 4; mode++) {
            const bool again = mode / 2 == 1;
            const struct plumb_quasi_options with = {
                .calls = CALLS,
                .k = k,
                .same_serial = again,
                .same_permutations = again,
            };
            struct plumb_quasi_checker c;
            plumb_quasi_open(&c, &with, NULL);
            for (unsigned l = 0; l < legals; l++)
                assert_true(plumb_quasi_add_legal(&c, legal[l]));
            for (unsigned n = 0; n < SOME_OF(MANY / 100); n++) {
                struct plumb_quasi_history h;
                struct plumb_quasi_call call[MOST];
                enum plumb_quasi_verdict verdict;
                random_history(&r, CALLS, &h);
                random_calls(&r, CALLS, mode % 2, call);
                struct definition d = { &h, call, legal,         legals,
                                        k,  NULL, PLUMB_QUASI_NO };
                every_order(CALLS, try_order, &d);
                assert_int_equal(plumb_quasi_decide(&c, &h, call, &verdict),
                                 PLUMB_OK);
                assert_int_equal(verdict, d.verdict);
                met[verdict]++;
            }
            plumb_quasi_close(&c);
        }
    assert_true(met[PLUMB_QUASI_NO] && met[PLUMB_QUASI_PERMUTED]);
}

/* ---- what is counted ---- */

static void counts_are_products(void **state)
{
    static const uint32_t legal[] = { 0, 2, 4, 6, 1, 3, 5, 7 };
    struct plumb_quasi_call call[8];
    struct plumb_quasi_history h = { .count = 8 };
    enum plumb_quasi_verdict verdict;
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        h.before[i] = ((uint64_t)1 << i) - 1;
        call[i] = (struct plumb_quasi_call){ legal[i], legal[i] % 2 };
    }
    h.before[7] &= ~((uint64_t)1 << 6); /* two orders */
    for (unsigned again = 0; again < 2; again++) {
        const struct plumb_quasi_options with = { 8, 2, again, again };
        struct plumb_quasi_checker c;
        plumb_quasi_open(&c, &with, NULL);
        for (unsigned i = 0; i < 2; i++)
            assert_true(plumb_quasi_add_legal(&c, legal));
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(plumb_quasi_decide(&c, &h, call, &verdict),
                             PLUMB_OK);
            assert_int_equal(verdict, PLUMB_QUASI_LINEARIZABLE);
        }
        assert_int_equal(c.counts.serial, 2);
        assert_int_equal(c.counts.serial_again, again ? 0 : 1);
        assert_int_equal(c.counts.histories, 2);
        assert_int_equal(c.counts.wrong, 0);
        assert_int_equal(c.counts.sequentializations, 4);
        assert_int_equal(c.counts.sequentializations_again, again ? 0 : 2);
        assert_int_equal(c.counts.permutations, again ? 4 * 14 : 2 * 14);
        assert_int_equal(c.counts.permutations_again, again ? 0 : 10);
        plumb_quasi_close(&c);
    }
}

static void memory_may_be_refused_anywhere(void **state)
{
    const struct plumb_quasi_options with = { 5, 2, false, false };
    (void)state;
    for (size_t nth = 1;; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct plumb_quasi_history h = { .count = 5 };
        struct plumb_quasi_call call[5];
        struct plumb_quasi_checker c;
        enum plumb_quasi_verdict verdict = PLUMB_QUASI_NO;
        for (unsigned i = 0; i < 5; i++)
            call[i] = (struct plumb_quasi_call){ i, true };
        plumb_base_budget_fail_at(budget, nth);
        plumb_quasi_open(&c, &with, budget);
        const bool added =
            plumb_quasi_add_legal(&c, (const uint32_t[]){ 4, 3, 2, 1, 0 });
        const enum plumb_status status =
            added ? plumb_quasi_decide(&c, &h, call, &verdict) : PLUMB_EMEMORY;
        const bool failed = plumb_base_budget_has_failed(budget);
        plumb_quasi_close(&c);
        plumb_budget_free(budget);
        assert_true(failed == (status != PLUMB_OK));
        if (!failed) {
            assert_int_equal(verdict, PLUMB_QUASI_LINEARIZABLE);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutations_are_all_that_are_near),
        cmocka_unit_test(permutations_are_as_many_as_in_the_paper),
        cmocka_unit_test(a_visitor_may_have_enough),
        cmocka_unit_test(sequentializations_are_all_that_keep_the_order),
        cmocka_unit_test(verdicts_are_those_of_the_definition),
        cmocka_unit_test(counts_are_products),
        cmocka_unit_test(memory_may_be_refused_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
