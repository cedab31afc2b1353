/* test_unplaced_operations.c - walks over the agenda, against a model that only knows which
 * operations have been lifted. */
#include "cases.h"

#include "agendas.h"
#include "base/memory.h"

enum { MOST = 64 };

struct model {
    struct ready r;
    const struct plumb_check_part *part;
    struct plumb_check_agenda a;
    bool out[MOST]; /* by operation of the history */
    struct plumb_base_hash128
        word[MOST]; /* of an operation, once it was lifted */
    bool known[MOST];
};

/* ---- what the model says ---- */

static const struct plumb_check_trait *trait_of(const struct model *m,
                                                uint32_t op)
{
    return m->r.c.traits.trait + op;
}

static bool is_pending(const struct plumb_check_part_item *x)
{
    return x->ret == PLUMB_NEVER;
}

/* Pending operations that only read are never on the agenda. */
static bool is_loaded(const struct model *m,
                      const struct plumb_check_part_item *x)
{
    return !is_pending(x) || !trait_of(m, x->op)->pending_reads;
}

static bool are_twins(const struct plumb_history *h, uint32_t i, uint32_t j)
{
    const struct plumb_op *const a = h->op + i, *const b = h->op + j;
    return same_call(h, a, b) &&
           plumb_op_is_pending(a) == plumb_op_is_pending(b) &&
           (plumb_op_is_pending(a) || same_answer(h, a, b));
}

static void assert_list_is_by_call(const struct model *m)
{
    const struct plumb_check_agenda *const a = &m->a;
    uint32_t at = plumb_check_agenda_first(a), last = 0;
    for (uint32_t i = 0; i < m->part->count; i++) {
        const struct plumb_check_part_item *const x = m->part->item + i;
        if (is_pending(x) || m->out[x->op])
            continue;
        assert_int_not_equal(at, 0);
        assert_int_equal(a->entry[at].op, x->op);
        assert_int_equal(a->entry[at].call, x->call);
        assert_int_equal(a->entry[at].ret, x->ret);
        assert_int_equal(a->entry[at].prev, last);
        last = at;
        at = a->entry[at].next;
    }
    assert_int_equal(at, 0);
    assert_int_equal(a->entry[0].prev, last);
    assert_int_equal(plumb_check_agenda_is_done(a), last == 0);
}

static void assert_horizon_is_smallest_return(const struct model *m)
{
    uint32_t smallest = PLUMB_NEVER;
    for (uint32_t i = 0; i < m->part->count; i++) {
        const struct plumb_check_part_item *const x = m->part->item + i;
        if (!m->out[x->op] && x->ret < smallest)
            smallest = x->ret;
    }
    assert_int_equal(horizon_of(&m->a), smallest);
}

static void assert_groups_are_of_twins(const struct model *m)
{
    const struct plumb_check_agenda *const a = &m->a;
    uint32_t members = 0, taken = 0;
    for (uint32_t g = 0; g < a->groups; g++) {
        const struct plumb_check_group *const group = a->group + g;
        const struct plumb_check_member *const first = a->member + group->first;
        assert_true(group->count > 0);
        for (uint32_t i = 0; i < group->count; i++) {
            assert_true(are_twins(&m->r.h, first->op, first[i].op));
            assert_int_equal(first[i].call, m->r.h.op[first[i].op].call);
            assert_int_equal(m->out[first[i].op], i < group->taken);
            assert_true(i == 0 || first[i - 1].call < first[i].call);
        }
        assert_true(g == 0 || a->member[group[-1].first].call < first->call);
        for (uint32_t f = 0; f < g; f++)
            assert_false(
                are_twins(&m->r.h, a->member[a->group[f].first].op, first->op));
        members += group->count;
        taken += group->taken;
    }
    for (uint32_t i = 0; i < m->part->count; i++) {
        const struct plumb_check_part_item *const x = m->part->item + i;
        members -= is_pending(x) && is_loaded(m, x);
    }
    assert_int_equal(members, 0);
    assert_int_equal(taken, a->takens);
}

/* How many enqueues are in is the deadlines's business, so that it is told of
 * each is ours. */
static void assert_outlook_knows_what_is_in(const struct model *m)
{
    uint32_t in = 0;
    for (uint32_t i = 0; i < m->part->count; i++) {
        const struct plumb_check_part_item *const x = m->part->item + i;
        in += m->out[x->op] &&
              m->r.spec->type->fifo(m->r.spec, x->action) == PLUMB_FIFO_ADDS;
    }
    assert_int_equal(m->a.deadlines.depth, in);
    for (uint32_t l = 0; l < m->a.deadlines.lanes; l++)
        in -= m->a.deadlines.lane[l].added;
    assert_int_equal(in, 0);
}

static bool same_hash(struct plumb_base_hash128 a, struct plumb_base_hash128 b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

static struct plumb_base_hash128 with(struct plumb_base_hash128 a,
                                      struct plumb_base_hash128 b)
{
    return (struct plumb_base_hash128){ a.lo ^ b.lo, a.hi ^ b.hi };
}

static void assert_fingerprint_is_of_the_set(const struct model *m)
{
    struct plumb_base_hash128 h = { 0, 0 };
    for (uint32_t i = 0; i < m->r.h.count; i++)
        if (m->out[i])
            h = with(h, m->word[i]);
    assert_true(same_hash(h, m->a.lifted));
}

/* Sparing a pending operation gives the fingerprint without it, and is right
 * if it is the last of its twins. */
static void assert_last_of_twins_can_be_spared(const struct model *m)
{
    for (uint32_t i = 0; i < m->a.takens; i++) {
        const struct plumb_check_member *const x = m->a.member + m->a.taken[i];
        struct plumb_base_hash128 h;
        bool last = true;
        for (uint32_t j = i + 1; j < m->a.takens; j++)
            last &= m->a.member[m->a.taken[j]].group != x->group;
        assert_int_equal(plumb_check_agenda_without(&m->a, i, &h), last);
        assert_true(same_hash(with(h, m->word[x->op]), m->a.lifted));
    }
}

static void assert_is_as_modelled(const struct model *m)
{
    assert_list_is_by_call(m);
    assert_horizon_is_smallest_return(m);
    assert_groups_are_of_twins(m);
    assert_outlook_knows_what_is_in(m);
    assert_fingerprint_is_of_the_set(m);
    assert_last_of_twins_can_be_spared(m);
}

/* ---- walking ---- */

/* The operation lifted last is `op`. */
static void note(struct model *m, struct plumb_base_hash128 before)
{
    const uint32_t op =
        plumb_check_agenda_op(&m->a, m->a.trail[m->a.depth - 1]);
    const struct plumb_base_hash128 word = with(before, m->a.lifted);
    assert_false(m->out[op]);
    m->out[op] = true;
    if (m->known[op])
        assert_true(same_hash(m->word[op], word));
    m->word[op] = word;
    m->known[op] = true;
}

static bool lift_any(struct model *m, struct plumb_base_rng *rng)
{
    const struct plumb_base_hash128 before = m->a.lifted;
    uint32_t at = plumb_check_agenda_first(&m->a);
    for (uint32_t n = plumb_base_rng_below(rng, 5); n && m->a.entry[at].next;
         n--)
        at = m->a.entry[at].next;
    if (!at)
        return false;
    plumb_check_agenda_lift(&m->a, at);
    note(m, before);
    return true;
}

static bool take_any(struct model *m, struct plumb_base_rng *rng)
{
    const struct plumb_base_hash128 before = m->a.lifted;
    if (!m->a.groups)
        return false;
    const uint32_t g = plumb_base_rng_below(rng, m->a.groups);
    if (m->a.group[g].taken == m->a.group[g].count)
        return false;
    plumb_check_agenda_take(&m->a, g);
    note(m, before);
    return true;
}

static void undo_some(struct model *m, struct plumb_base_rng *rng)
{
    const uint32_t depth = plumb_base_rng_below(rng, m->a.depth + 1);
    for (uint32_t i = depth; i < m->a.depth; i++)
        m->out[plumb_check_agenda_op(&m->a, m->a.trail[i])] = false;
    plumb_check_agenda_undo(&m->a, depth);
    assert_int_equal(m->a.depth, depth);
}

static void load(struct model *m, struct plumb_history h)
{
    make_ready(&m->r, "queue", h, false);
    memset(m->out, 0, sizeof m->out);
    memset(m->known, 0, sizeof m->known);
    assert_int_equal(m->r.c.parts.count, 1);
    m->part = m->r.c.parts.part;
    assert_true(plumb_check_agenda_load(&m->a, &m->r.bound, m->part,
                                        &m->r.c.traits, false));
}

/* One agenda for all, as in shrinking. */
static void every_step_and_its_undoing_is_as_modelled(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    struct model m = { .part = NULL };
    uint64_t lifts = 0, takes = 0;
    plumb_check_agenda_init(&m.a, NULL);
    plumb_base_rng_seed(&rng, 1);
    for (unsigned round = 0; round < 200; round++) {
        load(&m, babbled_queue(&rng, 4 + plumb_base_rng_below(&rng, MOST - 4),
                               1 + plumb_base_rng_below(&rng, 12)));
        assert_is_as_modelled(&m);
        for (unsigned step = 0; step < 100; step++) {
            if (plumb_base_rng_chance(&rng, 15))
                undo_some(&m, &rng);
            else if (plumb_base_rng_chance(&rng, 60))
                lifts += lift_any(&m, &rng);
            else
                takes += take_any(&m, &rng);
            assert_is_as_modelled(&m);
        }
        release_ready(&m.r);
    }
    assert_true(lifts > 1000 && takes > 1000);
    plumb_check_agenda_release(&m.a);
}

static size_t snapshot(const struct plumb_check_agenda *a, unsigned char *to)
{
    size_t size = 0;
    const struct {
        const void *data;
        size_t size;
    } parts[] = {
        { a->entry, (a->entries + 1) * sizeof *a->entry },
        { a->group, a->groups * sizeof *a->group },
        { a->member, a->members * sizeof *a->member },
        { &a->lifted, sizeof a->lifted },
        { &a->depth, sizeof a->depth },
        { &a->takens, sizeof a->takens },
        { a->deadlines.lane, a->deadlines.lanes * sizeof *a->deadlines.lane },
        { &a->deadlines.latest, sizeof a->deadlines.latest },
        { &a->deadlines.depth, sizeof a->deadlines.depth },
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].size)
            memcpy(to + size, parts[i].data, parts[i].size);
        size += parts[i].size;
    }
    return size;
}

static void undoing_restores_every_byte(void **state)
{
    (void)state;
    static unsigned char before[16384], after[16384];
    struct plumb_base_rng rng;
    struct model m = { .part = NULL };
    plumb_check_agenda_init(&m.a, NULL);
    plumb_base_rng_seed(&rng, 2);
    for (unsigned round = 0; round < 300; round++) {
        load(&m, babbled_queue(&rng, 40, 8));
        for (unsigned i = 0; i < 8; i++)
            lift_any(&m, &rng);
        const uint32_t depth = m.a.depth;
        const size_t size = snapshot(&m.a, before);
        assert_true(size < sizeof before);
        for (unsigned i = 0; i < 20; i++)
            (void)(plumb_base_rng_chance(&rng, 50) ? lift_any(&m, &rng)
                                                   : take_any(&m, &rng));
        plumb_check_agenda_undo(&m.a, depth);
        assert_int_equal(snapshot(&m.a, after), size);
        assert_memory_equal(after, before, size);
        release_ready(&m.r);
    }
    plumb_check_agenda_release(&m.a);
}

static int compare_words(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

static void assert_distinct(uint64_t *word, size_t count)
{
    qsort(word, count, sizeof *word, compare_words);
    for (size_t i = 1; i < count; i++)
        assert_true(word[i - 1] < word[i]);
}

/* Fingerprints of sets; each half has to tell them apart by itself. */
struct collection {
    uint64_t lo[12000], hi[12000];
    size_t count;
};

/* All sets of `left` more operations, from `next` on. */
static void collect(const struct model *m, struct collection *c, uint32_t next,
                    unsigned left, struct plumb_base_hash128 set)
{
    if (!left) {
        assert_true(c->count < sizeof c->lo / sizeof *c->lo);
        c->lo[c->count] = set.lo;
        c->hi[c->count++] = set.hi;
        return;
    }
    for (uint32_t i = next; i < m->r.h.count; i++)
        if (m->known[i])
            collect(m, c, i + 1, left - 1, with(set, m->word[i]));
}

static void different_sets_have_different_fingerprints(void **state)
{
    (void)state;
    static struct collection c;
    struct plumb_base_rng rng;
    struct model m = { .part = NULL };
    plumb_check_agenda_init(&m.a, NULL);
    plumb_base_rng_seed(&rng, 3);
    load(&m, babbled_queue(&rng, 40, 5));
    while (lift_any(&m, &rng) || take_any(&m, &rng))
        ;
    for (unsigned size = 0; size <= 3; size++)
        collect(&m, &c, 0, size, (struct plumb_base_hash128){ 0, 0 });
    assert_true(c.count > 5000);
    assert_distinct(c.lo, c.count);
    assert_distinct(c.hi, c.count);
    release_ready(&m.r);
    plumb_check_agenda_release(&m.a);
}

/* An entry has a class iff another one that returned is its twin; equal
 * classes are twins. */
static void entries_know_their_twins(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    struct model m = { .part = NULL };
    unsigned twins = 0, single = 0;
    plumb_check_agenda_init(&m.a, NULL);
    plumb_base_rng_seed(&rng, 4);
    for (unsigned round = 0; round < 100; round++) {
        load(&m, babbled_queue(&rng, 4 + plumb_base_rng_below(&rng, 30), 6));
        for (uint32_t i = 1; i <= m.a.entries; i++) {
            const struct plumb_check_entry *const e = m.a.entry + i;
            bool has = false;
            for (uint32_t j = 1; j <= m.a.entries; j++) {
                const struct plumb_check_entry *const f = m.a.entry + j;
                const bool twin = are_twins(&m.r.h, e->op, f->op);
                has |= twin && i != j;
                if (e->twins != UINT32_MAX)
                    assert_int_equal(e->twins == f->twins, twin);
            }
            assert_int_equal(e->twins != UINT32_MAX, has);
            twins += has;
            single += !has;
        }
        for (size_t i = 0; i < m.a.class_capacity; i++)
            assert_int_equal(m.a.class_table[i], 0);
        release_ready(&m.r);
    }
    assert_true(twins > 100 && single > 100);
    plumb_check_agenda_release(&m.a);
}

static void any_allocation_of_loading_may_fail(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    struct ready r;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    size_t n = 0;
    bool loaded = false;
    plumb_base_rng_seed(&rng, 5);
    make_ready(&r, "queue", babbled_queue(&rng, 40, 6), false);
    while (!loaded) {
        struct plumb_check_agenda a;
        plumb_check_agenda_init(&a, budget);
        plumb_base_budget_fail_at(budget, ++n);
        loaded = plumb_check_agenda_load(&a, &r.bound, r.c.parts.part,
                                         &r.c.traits, false);
        assert_int_equal(loaded, !plumb_base_budget_has_failed(budget));
        plumb_check_agenda_release(&a);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    assert_true(n > 10);
    plumb_budget_free(budget);
    release_ready(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_and_its_undoing_is_as_modelled),
        cmocka_unit_test(undoing_restores_every_byte),
        cmocka_unit_test(different_sets_have_different_fingerprints),
        cmocka_unit_test(entries_know_their_twins),
        cmocka_unit_test(any_allocation_of_loading_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
