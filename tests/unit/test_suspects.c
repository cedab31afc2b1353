/* test_suspects.c - what is suspected is a violation, and nothing else is. */
#include "samples.h"

#include "check/search/search.h"
#include "check/shrink.h"
#include "check/turns/suspects.h"
#include <plumb/verify.h>

struct tally {
    unsigned violated, found;
};

static void assert_certified(const struct ready *r, uint32_t part,
                             uint32_t prefix, const uint32_t *op, uint32_t ops)
{
    const struct plumb_check_violation v = { .part = part,
                                             .prefix = prefix,
                                             .sure = PLUMB_NEVER,
                                             .blame = op,
                                             .blames = ops };
    const struct plumb_spec_ref spec = { plumb_spec_text(r->spec), NULL };
    struct plumb_check_shrunk shrunk;
    struct plumb_base_arena arena;
    struct plumb_error err;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(plumb_check_shrink(&r->c, &v, false, &arena, &shrunk),
                     PLUMB_OK);
    if (plumb_verify_violation(&r->h, spec, &shrunk.core, shrunk.certificate,
                               shrunk.certificate_count, NULL,
                               &err) != PLUMB_OK)
        fail_msg("%s: %s", spec.text, err.message);
    plumb_base_arena_release(&arena);
}

/* Whatever event the search might have been stuck at. */
static void suspects_of_part(struct sample *s, struct ready *r, uint32_t p,
                             bool violated)
{
    struct tally *const t = s->context;
    const struct plumb_check_part *const part = r->c.parts.part + p;
    bool any = false;
    for (uint32_t i = 0; i < part->count; i++) {
        const uint32_t *op;
        uint32_t ops;
        if (part->item[i].ret == PLUMB_NEVER)
            continue;
        plumb_check_find_suspects(&r->c, p, part->item[i].ret, &r->arena, &op,
                                  &ops);
        assert_true(violated || !ops);
        if (ops)
            assert_certified(r, p, part->item[0].call, op, ops);
        any |= ops > 0;
    }
    t->violated += violated;
    t->found += any;
}

static void only_violations_are_suspected(struct sample *s)
{
    struct ready r;
    struct plumb_check_searcher search;
    ready_sample(&r, s, false);
    assert_true(
        plumb_check_searcher_open(&search, &r.bound, &r.c.traits, false, NULL));
    for (uint32_t p = 0; p < r.c.parts.count; p++) {
        struct plumb_check_finding found;
        plumb_check_search(&search, r.c.parts.part + p, 0, false, &found);
        suspects_of_part(s, &r, p, found.verdict == PLUMB_NOT_LINEARIZABLE);
    }
    plumb_check_searcher_close(&search);
    forget_sample(&r);
}

static void suspects_are_a_violation(void **state)
{
    (void)state;
    struct tally t = { 0, 0 };
    claim_of_samples(150, 12, only_violations_are_suspected, &t);
    assert_true(t.violated > 1000 && t.found > t.violated / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suspects_are_a_violation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
