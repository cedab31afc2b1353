/* test_frontier.c - fronts, against the definition of linearizability. */
#include "walk.h"

#include <plumb/check.h>

/* ---- all small histories ---- */

struct all {
    const struct alphabet *alphabet;
    struct plumb_builder *builder;
    unsigned ops, threads, calls, instances;
    unsigned long returns, violations, seen;
    unsigned every; /* the how manieth return is asked about */
};

static void compare_with_oracle(struct all *all, const struct walk *w)
{
    all->returns++;
    all->violations += w->front == PLUMB_FRONT_NONE;
    if (all->seen++ % all->every)
        return;
    struct plumb_history h = walked(w, all->builder);
    const bool linearizable =
        oracle_linearizable(&h, w->alphabet->domain->spec);
    if (linearizable != (w->front != PLUMB_FRONT_NONE)) {
        struct plumb_text text;
        plumb_text_init(&text, NULL);
        for (uint32_t i = 0; i < h.count; i++)
            plumb_text_printf(&text, " %u..%u:%s", h.op[i].call, h.op[i].resp,
                              plumb_symbol_text(h.symbols, h.op[i].name, NULL));
        fail_msg("%s is %slinearizable:%s", w->alphabet->domain->spec,
                 linearizable ? "" : "not ", plumb_text_string(&text));
    }
    plumb_history_release(&h);
}

static void extend(struct all *all, const struct walk *w);

static void extend_by_calls(struct all *all, const struct walk *w)
{
    unsigned thread = 0; /* free threads are alike: the first one calls */
    while (thread < all->threads && w->open[thread] >= 0)
        thread++;
    if (thread == all->threads || w->draft.count == all->ops)
        return;
    for (unsigned call = 0; call < all->calls; call++) {
        struct walk next = *w;
        walk_call(&next, thread, call);
        assert_true(next.front < PLUMB_FRONT_FAILED);
        extend(all, &next);
    }
}

static void extend_by_returns(struct all *all, const struct walk *w,
                              unsigned thread)
{
    const struct alphabet *const a = w->alphabet;
    for (unsigned i = 0; i < all->instances; i++) {
        if (a->instance[i].call != w->draft.op[w->open[thread]].call)
            continue;
        struct walk next = *w;
        walk_return(&next, thread, &a->instance[i].answer);
        assert_int_not_equal(next.front, PLUMB_FRONT_FAILED);
        compare_with_oracle(all, &next);
        if (next.front != PLUMB_FRONT_NONE)
            extend(all, &next);
    }
}

/* All events that may come next; what follows a violation is one. */
static void extend(struct all *all, const struct walk *w)
{
    extend_by_calls(all, w);
    for (unsigned t = 0; t < all->threads; t++)
        if (w->open[t] >= 0)
            extend_by_returns(all, w, t);
}

static void follow_all(const struct domain *domain, unsigned ops,
                       unsigned tier, unsigned every)
{
    static struct alphabet a;
    struct plumb_spec *spec;
    struct walk w;
    alphabet_init(&a, domain);
    struct all all = { .alphabet = &a,
                       .builder = plumb_builder_new(NULL),
                       .ops = ops,
                       .threads = 3,
                       .calls = a.tier_calls[tier],
                       .instances = a.tier_instances[tier],
                       .every = every };
    struct plumb_frontier *const f = open_frontier(domain->spec, &spec, NULL);
    begin_walk(&w, &a, f);
    extend(&all, &w);
    assert_true(all.violations && all.violations < all.returns);
    plumb_frontier_free(f);
    plumb_spec_free(spec);
    plumb_builder_free(all.builder);
}

static void all_histories_of_two_operations(void **state)
{
    (void)state;
    for (unsigned d = 0; d < domain_count; d++)
        follow_all(domains + d, 2, TIERS - 1, 1);
}

static void all_histories_of_three_operations(void **state)
{
    (void)state;
    for (unsigned d = 0; d < domain_count; d++)
        follow_all(domains + d, 3, 0, 1);
}

/* Every 211th is compared with the oracle; all are followed. */
static void all_histories_of_four_operations(void **state)
{
    static const char *const some[] = {
        "semaphore", "mutex", "counter", "priority-queue", "stuttering-queue",
    };
    (void)state;
    for (unsigned d = 0; d < domain_count; d++)
        for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
            if (strcmp(domains[d].spec, some[i]) == 0)
                follow_all(domains + d, 4, 0, 211);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_histories_of_two_operations),
        cmocka_unit_test(all_histories_of_three_operations),
        cmocka_unit_test(all_histories_of_four_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
