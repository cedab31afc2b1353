/* test_queue_deadlines.c - the deadlines against their definition, written out. */
#include "cases.h"

#include "agendas.h"
#include "base/memory.h"
#include "check/search/state_sets.h"
#include "generate.h"

enum { MOST = 64 };

/* ---- the definition ---- */

struct seen {
    struct ready r;
    const struct plumb_check_part *part;
    struct plumb_check_deadlines o;
    uint32_t lane[MOST]; /* by item */
    uint32_t in[MOST];   /* items that were enqueued, in order */
    uint32_t ins;
};

static enum plumb_spec_fifo role(const struct seen *s, uint32_t i)
{
    return s->r.spec->type->fifo(s->r.spec, s->part->item[i].action);
}

static bool adds(const struct seen *s, uint32_t i, plumb_spec_vid v)
{
    return role(s, i) == PLUMB_FIFO_ADDS &&
           s->part->item[i].action->arg[0] == v;
}

static bool is_pending_removal(const struct seen *s, uint32_t i)
{
    return role(s, i) == PLUMB_FIFO_REMOVES &&
           s->part->item[i].ret == PLUMB_NEVER;
}

static bool answered(const struct seen *s, uint32_t i, plumb_spec_vid v)
{
    return role(s, i) == PLUMB_FIFO_REMOVES && !is_pending_removal(s, i) &&
           s->part->item[i].action->res[0] == v;
}

static uint32_t nth_smallest(const uint32_t *rank, uint32_t count, uint32_t n)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t smaller = 0;
        for (uint32_t j = 0; j < count; j++)
            smaller += rank[j] < rank[i];
        if (smaller == n - 1)
            return rank[i];
    }
    return PLUMB_NEVER;
}

/* The j-th smallest return of the dequeues that answered w. */
static uint32_t r_of(const struct seen *s, plumb_spec_vid w, uint32_t j)
{
    uint32_t rank[MOST], count = 0;
    for (uint32_t i = 0; i < s->part->count; i++)
        if (answered(s, i, w))
            rank[count++] = s->part->item[i].ret;
    return nth_smallest(rank, count, j);
}

/* The i-th smallest call of those that answered v or are pending. */
static uint32_t c_of(const struct seen *s, plumb_spec_vid v, uint32_t n)
{
    uint32_t rank[MOST], count = 0;
    for (uint32_t i = 0; i < s->part->count; i++)
        if (answered(s, i, v) || is_pending_removal(s, i))
            rank[count++] = s->part->item[i].call;
    return nth_smallest(rank, count, n);
}

static plumb_spec_vid value_of(const struct seen *s, uint32_t i)
{
    return s->part->item[i].action->arg[0];
}

static uint32_t times_in(const struct seen *s, uint32_t first, plumb_spec_vid v)
{
    uint32_t times = 0;
    for (uint32_t k = 0; k < first; k++)
        times += value_of(s, s->in[k]) == v;
    return times;
}

/* Every item that is in leaves before the one that item i would be. */
static bool may_be_next(const struct seen *s, uint32_t i)
{
    const plumb_spec_vid w = value_of(s, i);
    const uint32_t r = r_of(s, w, times_in(s, s->ins, w) + 1);
    for (uint32_t k = 0; k < s->ins && r != PLUMB_NEVER; k++) {
        const plumb_spec_vid v = value_of(s, s->in[k]);
        if (c_of(s, v, times_in(s, k + 1, v)) >= r)
            return false;
    }
    return true;
}

static uint32_t latest_call(const struct seen *s)
{
    uint32_t latest = 0;
    for (uint32_t k = 0; k < s->ins; k++) {
        const plumb_spec_vid v = value_of(s, s->in[k]);
        const uint32_t c = c_of(s, v, times_in(s, k + 1, v));
        latest = c > latest ? c : latest;
    }
    return latest;
}

/* ---- claims ---- */

static void load(struct seen *s, const char *spec, struct plumb_history h)
{
    make_ready(&s->r, spec, h, false);
    assert_int_equal(s->r.c.parts.count, 1);
    s->part = s->r.c.parts.part;
    s->ins = 0;
    assert_true(plumb_check_deadlines_load(&s->o, &s->r.bound, s->part, false,
                                           s->lane));
}

/* How many enqueues are forbidden here. */
static unsigned assert_as_defined(const struct seen *s)
{
    unsigned forbidden = 0;
    assert_int_equal(s->o.latest, latest_call(s));
    assert_int_equal(s->o.depth, s->ins);
    for (uint32_t i = 0; i < s->part->count; i++) {
        const bool enqueues = role(s, i) == PLUMB_FIFO_ADDS;
        assert_int_equal(s->lane[i] != PLUMB_NO_LANE, enqueues);
        if (!enqueues)
            continue;
        const bool allowed = may_be_next(s, i);
        assert_int_equal(plumb_check_deadlines_allows(&s->o, s->lane[i]),
                         allowed);
        forbidden += !allowed;
    }
    return forbidden;
}

static bool is_in(const struct seen *s, uint32_t i)
{
    for (uint32_t k = 0; k < s->ins; k++)
        if (s->in[k] == i)
            return true;
    return false;
}

static void add_or_undo(struct seen *s, struct plumb_base_rng *rng)
{
    const uint32_t i = plumb_base_rng_below(rng, s->part->count);
    if (s->ins && plumb_base_rng_chance(rng, 25))
        plumb_check_deadlines_undo(&s->o, s->lane[s->in[--s->ins]]);
    else if (s->lane[i] != PLUMB_NO_LANE && !is_in(s, i))
        plumb_check_deadlines_add(&s->o, s->lane[s->in[s->ins++] = i]);
}

static void allows_what_the_definition_allows(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    struct seen s;
    uint64_t forbidden = 0;
    plumb_check_deadlines_init(&s.o, NULL);
    plumb_base_rng_seed(&rng, 1);
    for (unsigned round = 0; round < 300; round++) {
        load(&s, "queue",
             babbled_queue(&rng, 3 + plumb_base_rng_below(&rng, 30),
                           1 + plumb_base_rng_below(&rng, 10)));
        forbidden += assert_as_defined(&s);
        for (unsigned step = 0; step < 30; step++) {
            add_or_undo(&s, &rng);
            forbidden += assert_as_defined(&s);
        }
        release_ready(&s.r);
    }
    assert_true(forbidden > 1000);
    plumb_check_deadlines_release(&s.o);
}

static void lanes_are_one_per_value(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    struct seen s;
    plumb_check_deadlines_init(&s.o, NULL);
    plumb_base_rng_seed(&rng, 2);
    for (unsigned round = 0; round < 50; round++) {
        load(&s, "queue:blocking", babbled_queue(&rng, 20, 4));
        for (uint32_t i = 0; i < s.part->count; i++)
            for (uint32_t j = 0; j < i; j++)
                if (s.lane[i] != PLUMB_NO_LANE && s.lane[j] != PLUMB_NO_LANE)
                    assert_int_equal(s.lane[i] == s.lane[j],
                                     adds(&s, j, value_of(&s, i)));
        for (size_t i = 0; i < s.o.lane_of_capacity; i++)
            assert_int_equal(s.o.lane_of[i], 0);
        release_ready(&s.r);
    }
    plumb_check_deadlines_release(&s.o);
}

/* A full queue might refuse an item and not tell, a quasi queue and the other
 * kinds of queue hand items out in another order. */
static void only_plain_queues_have_an_outlook(void **state)
{
    (void)state;
    static const char *const others[] = { "queue:cap=3", "queue:k=1",
                                          "semiqueue", "stuttering-queue:cap=3",
                                          "priority-queue" };
    const char *const text =
        "A enq 1; B enq 2; A ok; B ok; A deq; A ok 1; B deq; A enq 3;";
    for (size_t t = 0; t < sizeof others / sizeof *others; t++) {
        struct seen s;
        plumb_check_deadlines_init(&s.o, NULL);
        load(&s, others[t], story(text));
        for (uint32_t i = 0; i < s.part->count; i++)
            assert_int_equal(s.lane[i], PLUMB_NO_LANE);
        plumb_check_deadlines_release(&s.o);
        release_ready(&s.r);
    }
}

/* One item after the other: legal if the first 1 may answer twice. */
static bool allows_all(const char *spec)
{
    struct seen s;
    bool all = true;
    plumb_check_deadlines_init(&s.o, NULL);
    load(&s, spec,
         story("A enq 1; A ok; A deq; A ok 1; A deq; A ok 1; A enq 2; A ok;"
               "A enq 1; A ok; A deq; A ok 2; A deq; A ok 1"));
    for (uint32_t i = 0; i < s.part->count; i++)
        if (s.lane[i] != PLUMB_NO_LANE) {
            all = all && plumb_check_deadlines_allows(&s.o, s.lane[i]);
            plumb_check_deadlines_add(&s.o, s.lane[i]);
        }
    plumb_check_deadlines_release(&s.o);
    release_ready(&s.r);
    return all;
}

static void an_item_may_answer_as_often_as_it_stutters(void **state)
{
    (void)state;
    assert_false(allows_all("queue"));
    assert_false(allows_all("stuttering-queue:j=0"));
    assert_true(allows_all("stuttering-queue"));
    assert_true(allows_all("stuttering-queue:j=2"));
}

/* ---- against all orders ---- */

struct walk {
    struct ready r;
    struct plumb_check_agenda a;
    struct plumb_check_state_sets f;
    uint64_t complete, forbidden;
};

static void walk_all(struct walk *w, plumb_check_state_set front,
                     bool forbidden);

static void walk_on(struct walk *w, plumb_check_state_set front,
                    const struct plumb_spec_action *action, uint32_t lane,
                    uint32_t entry, uint32_t group, bool forbidden)
{
    plumb_check_state_set after;
    const uint32_t depth = w->a.depth;
    const bool allowed = plumb_check_agenda_allows(&w->a, lane);
    assert_true(plumb_check_state_sets_step(&w->f, front, action, &after));
    if (after == PLUMB_NO_STATE_SET)
        return;
    w->forbidden += !allowed;
    if (entry)
        plumb_check_agenda_lift(&w->a, entry);
    else
        plumb_check_agenda_take(&w->a, group);
    walk_all(w, after, forbidden || !allowed);
    plumb_check_agenda_undo(&w->a, depth);
}

/* Whatever can be next, without any rule; `forbidden`: a step on the way here
 * was, so nothing that is complete may be found. */
static void walk_all(struct walk *w, plumb_check_state_set front,
                     bool forbidden)
{
    const uint32_t horizon = horizon_of(&w->a);
    if (plumb_check_agenda_is_done(&w->a)) {
        w->complete++;
        assert_false(forbidden);
        return;
    }
    for (uint32_t i = plumb_check_agenda_first(&w->a); i;
         i = w->a.entry[i].next)
        if (w->a.entry[i].call < horizon)
            walk_on(w, front, w->a.entry[i].action, w->a.entry[i].lane, i, 0,
                    forbidden);
    for (uint32_t g = 0; g < w->a.groups; g++) {
        const struct plumb_check_group *const group = w->a.group + g;
        const struct plumb_check_member *const m =
            w->a.member + group->first + group->taken;
        if (group->taken < group->count && m->call < horizon)
            walk_on(w, front, m->action, m->lane, 0, g, forbidden);
    }
}

static const struct domain *domain_of(const char *spec)
{
    const struct domain *d = domains;
    while (strcmp(d->spec, spec) != 0)
        d++;
    return d;
}

static void try_all_orders(const char *spec)
{
    struct alphabet alphabet;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    uint64_t complete = 0, forbidden = 0;
    alphabet_init(&alphabet, domain_of(spec));
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct walk w = { .complete = 0 };
        struct draft d;
        struct plumb_history h;
        random_draft_of(&alphabet, seed, 9, &d);
        draft_build(&alphabet, &d, b, &h);
        make_ready(&w.r, spec, h, false);
        plumb_check_agenda_init(&w.a, NULL);
        assert_true(plumb_check_state_sets_open(&w.f, &w.r.bound, false, NULL));
        for (uint32_t p = 0; p < w.r.c.parts.count; p++) {
            assert_true(plumb_check_agenda_load(
                &w.a, &w.r.bound, w.r.c.parts.part + p, &w.r.c.traits, false));
            walk_all(&w, plumb_check_state_sets_initial(&w.f), false);
        }
        complete += w.complete;
        forbidden += w.forbidden;
        plumb_check_state_sets_close(&w.f);
        plumb_check_agenda_release(&w.a);
        release_ready(&w.r);
    }
    assert_true(complete > 1000 && forbidden > 400);
    plumb_builder_free(b);
}

static void forbids_nothing_that_could_be_completed(void **state)
{
    (void)state;
    try_all_orders("queue");
    try_all_orders("stuttering-queue");
    try_all_orders("stuttering-queue:j=2");
    try_all_orders("queue:cap=2");
    try_all_orders("deque");
    try_all_orders("deque:blocking");
    try_all_orders("deque:cap=1");
    try_all_orders("stack");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allows_what_the_definition_allows),
        cmocka_unit_test(lanes_are_one_per_value),
        cmocka_unit_test(only_plain_queues_have_an_outlook),
        cmocka_unit_test(an_item_may_answer_as_often_as_it_stutters),
        cmocka_unit_test(forbids_nothing_that_could_be_completed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
