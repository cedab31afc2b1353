/* test_kqueue.c - queue:k=K against its definition, word for word.
 *
 * The definition numbers items for ever and counts removals: item v may leave,
 * t items having left, iff v - (t+1) <= K and, unless v is the oldest, o, also
 * t+1 - o < K.  relaxed_queue.c counts who overtakes whom.  Both are run on all
 * short sequences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "spec/spec.h"
#include "story.h"
#include <stdio.h>

enum { LONGEST = 8, VALUES = 2 };

/* The definition: value[v] is item number v; t items were removed. */
struct model {
    int64_t numbered, t;
    plumb_spec_vid value[LONGEST + 1];
    bool present[LONGEST + 1];
};

static int64_t oldest(const struct model *m)
{
    for (int64_t v = 1; v <= m->numbered; v++)
        if (m->present[v])
            return v;
    return 0;
}

static int64_t oldest_of(const struct model *m, plumb_spec_vid x)
{
    for (int64_t v = 1; v <= m->numbered; v++)
        if (m->present[v] && m->value[v] == x)
            return v;
    return 0;
}

static bool may_remove(const struct model *m, int64_t v, int64_t k)
{
    const int64_t o = oldest(m);
    return v - (m->t + 1) <= k && (v == o || m->t + 1 - o < k);
}

/* False if the model cannot answer so. */
static bool model_step(struct model *m, const struct plumb_spec_action *a,
                       const char *name, int64_t k)
{
    if (name[0] == 'e') {
        m->value[++m->numbered] = a->arg[0];
        m->present[m->numbered] = true;
        return true;
    }
    if (a->term == PLUMB_TERM_EMPTY)
        return oldest(m) == 0;
    const int64_t v = oldest_of(m, a->res[0]);
    if (v == 0 || !may_remove(m, v, k))
        return false;
    if (name[0] == 'd') {
        m->present[v] = false;
        m->t++;
    }
    return true;
}

struct run {
    struct plumb_spec_space space;
    const struct plumb_spec_type *type;
    int64_t k;
    unsigned legal, illegal;
};

static void compare(struct run *r, plumb_spec_state s, const struct model *m,
                    unsigned left)
{
    const struct plumb_spec_bound *const bound = r->space.bound;
    struct plumb_spec_states out = { .budget = NULL };
    for (uint32_t i = 0; left && i < bound->history->count; i++) {
        const struct plumb_spec_action *const a = bound->action + i;
        struct model next = *m;
        const bool legal =
            model_step(&next, a, r->type->ops[a->kind].names, r->k);
        out.count = 0;
        assert_true(r->type->step(&r->space, s, a, &out));
        assert_int_equal(out.count, legal);
        r->legal += legal;
        r->illegal += !legal;
        if (legal)
            compare(r, out.state[0], &next, left - 1);
    }
    plumb_spec_states_release(&out);
}

static void quasi_queues_follow_their_definition(void **state)
{
    (void)state;
    for (int k = 0; k <= 3; k++) {
        struct plumb_error err;
        struct plumb_history h;
        struct plumb_spec *spec;
        struct plumb_spec_bound bound;
        char text[16];
        const struct model empty = { 0 };
        snprintf(text, sizeof text, "queue:k=%d", k);
        h = story("A enq(1) A ok() A enq(2) A ok() A deq() "
                  "A ok(1) A deq() A ok(2) A deq() A empty() A "
                  "peek() A ok(1) A peek() A ok(2)");
        assert_int_equal(plumb_spec_parse(text, &spec, &err), PLUMB_OK);
        assert_int_equal(plumb_spec_bind(&h, spec, NULL, &bound, &err),
                         PLUMB_OK);
        struct run r = { .type = spec->type, .k = k };
        assert_true(plumb_spec_space_open(&r.space, &bound, NULL));
        compare(&r, r.type->initial(&r.space), &empty, LONGEST);
        assert_true(r.legal > 1000 && r.illegal > 1000);
        plumb_spec_space_close(&r.space);
        plumb_spec_bound_release(&bound);
        plumb_spec_free(spec);
        plumb_history_release(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quasi_queues_follow_their_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
