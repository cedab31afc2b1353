/* automaton.c - see automaton.h.
 *
 * First the subset construction: the moments that the same operations, with the
 * same answers, may have led to.  It goes from the beginning on, one operation
 * deeper at a time, so that the first conflict is a shortest one, and what an
 * edge leads to comes later than where it is from.  Then the sets are gone
 * through backwards, and those with the same edges become one. */
#include "automaton.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/number_lists.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE_WORDS = 3 };

struct numbers {
    uint32_t *at;
    size_t count, capacity;
};

struct edges {
    struct plumb_infer_edge *at;
    size_t count, capacity;
};

struct build {
    struct plumb_budget *budget;
    const struct plumb_infer_seen *seen;
    size_t count;
    uint32_t moments;
    const uint32_t *allowed; /* or NULL */
    uint32_t *leaving; /* what was seen of moment m: from leaving[m] ... */
    uint32_t *order;   /* ... numbers of seen[] */
    struct plumb_base_lists sets;
    struct edges edge;      /* of the sets, one after the other */
    struct numbers first;   /* of each set, and one behind      */
    struct numbers parent;  /* of each set: the edge it was found by */
    struct numbers members; /* scratch: a set in the making     */
    struct edges leads;     /* scratch: from one set to moments */
    bool *is_member;
    bool repeats; /* an operation led to where its own history had been */
};

/* ---- what was seen, by where it is from ---- */

static bool sort_seen(struct build *b)
{
    const size_t size = ((size_t)b->moments + 1) * sizeof *b->leaving;
    b->leaving = plumb_base_alloc_zeroed(b->budget, size);
    b->order = plumb_base_alloc(b->budget, (b->count + 1) * sizeof *b->order);
    b->is_member = plumb_base_alloc_zeroed(b->budget, b->moments + (size_t)1);
    if (!b->leaving || !b->order || !b->is_member)
        return false;
    for (size_t i = 0; i < b->count; i++)
        b->leaving[b->seen[i].from + 1]++;
    for (uint32_t m = 0; m < b->moments; m++)
        b->leaving[m + 1] += b->leaving[m];
    /* Backwards, and each start moves to where it belongs. */
    for (size_t i = b->count; i-- > 0;)
        b->order[--b->leaving[b->seen[i].from + 1]] = (uint32_t)i;
    for (uint32_t m = 0; m < b->moments; m++)
        b->leaving[m] = b->leaving[m + 1];
    b->leaving[b->moments] = (uint32_t)b->count;
    return true;
}

/* ---- sets of moments ---- */

static bool add_member(struct build *b, uint32_t moment)
{
    if (b->is_member[moment])
        return true;
    b->is_member[moment] = true;
    return PLUMB_APPEND(b->budget, b->members.at, b->members.count,
                        b->members.capacity, moment);
}

/* With those that hidden steps lead to. */
static bool close_members(struct build *b)
{
    for (size_t i = 0; i < b->members.count; i++) {
        const uint32_t m = b->members.at[i];
        for (uint32_t k = b->leaving[m]; k < b->leaving[m + 1]; k++) {
            const struct plumb_infer_seen *const s = b->seen + b->order[k];
            if (s->op == PLUMB_INFER_HIDDEN && !add_member(b, s->to))
                return false;
        }
    }
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The number of the set in the making, which is empty after that. */
static uint32_t number_set(struct build *b)
{
    if (!close_members(b))
        return PLUMB_ABSENT;
    qsort(b->members.at, b->members.count, sizeof *b->members.at,
          compare_numbers);
    const uint32_t set =
        plumb_base_lists_put(&b->sets, b->members.at, b->members.count);
    for (size_t i = 0; i < b->members.count; i++)
        b->is_member[b->members.at[i]] = false;
    b->members.count = 0;
    return set;
}

/* ---- the edges of a set ---- */

static int compare_edges(const void *a, const void *b)
{
    const struct plumb_infer_edge *const x = a, *const y = b;
    const bool stuck[] = { x->next == PLUMB_INFER_STUCK,
                           y->next == PLUMB_INFER_STUCK };
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (stuck[0] != stuck[1])
        return stuck[0] ? 1 : -1;
    return (x->answer > y->answer) - (x->answer < y->answer);
}

/* All that its moments lead to, in b->leads. */
static bool gather(struct build *b, uint32_t set)
{
    size_t count;
    const uint32_t *const member = plumb_base_lists_get(&b->sets, set, &count);
    b->leads.count = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = b->leaving[member[i]]; k < b->leaving[member[i] + 1];
             k++) {
            const struct plumb_infer_seen *const s = b->seen + b->order[k];
            const bool stuck = s->to == PLUMB_INFER_STUCK;
            if (s->op != PLUMB_INFER_HIDDEN &&
                !PLUMB_APPEND(b->budget, b->leads.at, b->leads.count,
                              b->leads.capacity,
                              (struct plumb_infer_edge){
                                  s->op, stuck ? 0 : s->answer, s->to }))
                return false;
        }
    if (b->leads.count)
        qsort(b->leads.at, b->leads.count, sizeof *b->leads.at, compare_edges);
    return true;
}

static bool add_edge(struct build *b, uint32_t from, struct plumb_infer_edge e)
{
    const uint32_t sets = b->sets.count;
    if (e.next != PLUMB_INFER_STUCK) {
        e.next = number_set(b);
        b->repeats |= e.next <= from;
        if (e.next == PLUMB_ABSENT || b->repeats)
            return false;
        if (e.next == sets &&
            !PLUMB_APPEND(b->budget, b->parent.at, b->parent.count,
                          b->parent.capacity, (uint32_t)b->edge.count))
            return false;
    }
    return PLUMB_APPEND(b->budget, b->edge.at, b->edge.count, b->edge.capacity,
                        e);
}

/* Equal ones stand together: to all that they lead to leads one edge. */
static bool leave_set(struct build *b, uint32_t set)
{
    if (!gather(b, set) ||
        !PLUMB_APPEND(b->budget, b->first.at, b->first.count, b->first.capacity,
                      (uint32_t)b->edge.count))
        return false;
    for (size_t i = 0, end; i < b->leads.count; i = end) {
        const struct plumb_infer_edge e = b->leads.at[i];
        for (end = i;
             end < b->leads.count && !compare_edges(&b->leads.at[end], &e);
             end++)
            if (e.next != PLUMB_INFER_STUCK &&
                !add_member(b, b->leads.at[end].next))
                return false;
        if (!add_edge(b, set, e))
            return false;
    }
    return true;
}

static bool make_sets(struct build *b)
{
    if (!add_member(b, 0) || number_set(b) != 0 ||
        !PLUMB_APPEND(b->budget, b->parent.at, b->parent.count,
                      b->parent.capacity, UINT32_MAX))
        return false;
    for (uint32_t set = 0; set < b->sets.count; set++)
        if (!leave_set(b, set))
            return false;
    return PLUMB_APPEND(b->budget, b->first.at, b->first.count,
                        b->first.capacity, (uint32_t)b->edge.count);
}

/* ---- conflicts ---- */

static uint32_t set_of_edge(const struct build *b, uint32_t edge)
{
    uint32_t set = 0;
    while (b->first.at[set + 1] <= edge)
        set++;
    return set;
}

static void trace_back(const struct build *b, uint32_t edge,
                       struct plumb_infer_conflict *c)
{
    uint32_t way[PLUMB_INFER_OPERATIONS], length = 0;
    for (uint32_t at = b->parent.at[set_of_edge(b, edge)];
         at != UINT32_MAX && length < PLUMB_INFER_OPERATIONS;
         at = b->parent.at[set_of_edge(b, at)])
        way[length++] = at;
    c->length = length;
    for (uint32_t i = 0; i < length; i++)
        c->before[i] = b->edge.at[way[length - 1 - i]];
}

/* An answer that may be given anywhere. */
static bool is_allowed(const struct build *b, const struct plumb_infer_edge *e)
{
    return b->allowed && e->next != PLUMB_INFER_STUCK &&
           b->allowed[e->op] == e->answer;
}

/* The first two edges of a set that contradict each other; false: none do. */
static bool contradicts(const struct build *b, uint32_t set, uint32_t pair[2])
{
    uint32_t last = UINT32_MAX;
    for (uint32_t i = b->first.at[set]; i < b->first.at[set + 1]; i++) {
        if (is_allowed(b, &b->edge.at[i]))
            continue;
        if (last != UINT32_MAX && b->edge.at[last].op == b->edge.at[i].op) {
            pair[0] = last;
            pair[1] = i;
            return true;
        }
        last = i;
    }
    return false;
}

static void find_conflict(const struct build *b, struct plumb_infer_conflict *c)
{
    uint32_t pair[2];
    *c = (struct plumb_infer_conflict){ .length = 0 };
    for (uint32_t set = 0; set < b->sets.count; set++)
        if (contradicts(b, set, pair)) {
            trace_back(b, pair[0], c);
            c->outcome[0] = b->edge.at[pair[0]];
            c->outcome[1] = b->edge.at[pair[1]];
            return;
        }
}

bool plumb_infer_is_conflict(const struct plumb_infer_conflict *c)
{
    const struct plumb_infer_edge *const o = c->outcome;
    return o[0].answer != o[1].answer ||
           (o[0].next == PLUMB_INFER_STUCK) != (o[1].next == PLUMB_INFER_STUCK);
}

/* ---- equal ones become one ---- */

/* class[set], numbers of `classes`: its edges as words, to classes. */
static bool classify(struct build *b, struct plumb_base_lists *classes,
                     uint32_t *class)
{
    struct numbers *const words = &b->members;
    for (uint32_t set = b->sets.count; set-- > 0;) {
        words->count = 0;
        for (uint32_t i = b->first.at[set]; i < b->first.at[set + 1]; i++) {
            const struct plumb_infer_edge *const e = b->edge.at + i;
            assert(e->next == PLUMB_INFER_STUCK || e->next > set);
            if (!PLUMB_GROW(b->budget, words->at, words->capacity,
                            words->count + EDGE_WORDS))
                return false;
            words->at[words->count++] = e->op;
            words->at[words->count++] = e->answer;
            words->at[words->count++] =
                e->next == PLUMB_INFER_STUCK ? e->next : class[e->next];
        }
        class[set] = plumb_base_lists_put(classes, words->at, words->count);
        if (class[set] == PLUMB_ABSENT)
            return false;
    }
    return true;
}

/* Classes are numbered from the end on: positions the other way round. */
static bool write_out(const struct build *b,
                      const struct plumb_base_lists *classes,
                      struct plumb_infer_automaton *a)
{
    const uint32_t last = classes->count - 1;
    const size_t edges = classes->first[classes->count] / EDGE_WORDS;
    const uint32_t positions = classes->count;
    uint32_t *const first =
        plumb_base_alloc(b->budget, ((size_t)positions + 1) * sizeof *first);
    struct plumb_infer_edge *const edge =
        plumb_base_alloc(b->budget, edges * sizeof *edge + 1);
    uint32_t made = 0;
    *a = (struct plumb_infer_automaton){ positions, (uint32_t)edges, first,
                                         edge };
    if (!first || !edge) {
        plumb_infer_release(a, b->budget);
        return false;
    }
    for (uint32_t p = 0; p < positions; p++) {
        size_t count;
        const uint32_t *w = plumb_base_lists_get(classes, last - p, &count);
        first[p] = made;
        for (size_t i = 0; i < count; i += EDGE_WORDS, w += EDGE_WORDS)
            edge[made++] = (struct plumb_infer_edge){
                w[0], w[1], w[2] == PLUMB_INFER_STUCK ? w[2] : last - w[2]
            };
    }
    first[positions] = made;
    return true;
}

static bool merge_equals(struct build *b, struct plumb_infer_automaton *a)
{
    struct plumb_base_lists classes;
    const size_t size = b->sets.count * sizeof(uint32_t);
    uint32_t *const class = plumb_base_alloc(b->budget, size);
    plumb_base_lists_init(&classes, b->budget);
    const bool done =
        class && classify(b, &classes, class) && write_out(b, &classes, a);
    plumb_base_lists_release(&classes);
    plumb_base_release(b->budget, class, size);
    return done;
}

/* ---- the whole ---- */

static void release(struct build *b)
{
    struct plumb_budget *const budget = b->budget;
    plumb_base_release(budget, b->leaving,
                       ((size_t)b->moments + 1) * sizeof *b->leaving);
    plumb_base_release(budget, b->order, (b->count + 1) * sizeof *b->order);
    plumb_base_release(budget, b->is_member, b->moments + (size_t)1);
    plumb_base_lists_release(&b->sets);
    PLUMB_RELEASE(budget, b->edge.at, b->edge.capacity);
    PLUMB_RELEASE(budget, b->first.at, b->first.capacity);
    PLUMB_RELEASE(budget, b->parent.at, b->parent.capacity);
    PLUMB_RELEASE(budget, b->members.at, b->members.capacity);
    PLUMB_RELEASE(budget, b->leads.at, b->leads.capacity);
}

enum plumb_status plumb_infer_build(const struct plumb_infer_seen *seen,
                                    size_t count, uint32_t moments,
                                    const uint32_t *allowed,
                                    struct plumb_budget *budget,
                                    struct plumb_infer_automaton *a,
                                    struct plumb_infer_conflict *conflict,
                                    struct plumb_error *err)
{
    assert(moments && count < UINT32_MAX);
    struct build b = { .budget = budget,
                       .seen = seen,
                       .count = count,
                       .moments = moments,
                       .allowed = allowed };
    plumb_base_lists_init(&b.sets, budget);
    bool done = sort_seen(&b) && make_sets(&b);
    if (done) {
        find_conflict(&b, conflict);
        done = merge_equals(&b, a);
    }
    release(&b);
    if (b.repeats)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "an operation led back to where it was called");
    return done ? PLUMB_OK : plumb_base_fail_memory(err);
}

void plumb_infer_release(struct plumb_infer_automaton *a,
                         struct plumb_budget *budget)
{
    union {
        const void *given;
        void *own;
    } first = { a->first }, edge = { a->edge };
    plumb_base_release(budget, first.own,
                       ((size_t)a->positions + 1) * sizeof *a->first);
    plumb_base_release(budget, edge.own, a->edges * sizeof *a->edge + 1);
    *a = (struct plumb_infer_automaton){ .positions = 0 };
}

/* ---- questions ---- */

bool plumb_infer_count(const struct plumb_infer_automaton *a,
                       struct plumb_budget *budget, uint64_t *full,
                       uint64_t *stuck)
{
    enum { FULL, WAITING };
    const size_t size = a->positions * 2 * sizeof(uint64_t);
    uint64_t(*const ways)[2] = plumb_base_alloc_zeroed(budget, size);
    if (!ways)
        return false;
    for (uint32_t p = a->positions; p-- > 0;) {
        ways[p][FULL] = a->first[p] == a->first[p + 1];
        for (uint32_t i = a->first[p]; i < a->first[p + 1]; i++) {
            const uint32_t next = a->edge[i].next;
            const uint64_t alone[2] = { 0, 1 };
            const uint64_t *const after =
                next == PLUMB_INFER_STUCK ? alone : ways[next];
            ways[p][FULL] = plumb_infer_sum(ways[p][FULL], after[FULL]);
            ways[p][WAITING] =
                plumb_infer_sum(ways[p][WAITING], after[WAITING]);
        }
    }
    *full = ways[0][FULL];
    *stuck = ways[0][WAITING];
    plumb_base_release(budget, ways, size);
    return true;
}

static bool is_sound_edge(const struct plumb_infer_automaton *a,
                          uint32_t position, const struct plumb_infer_edge *e,
                          uint32_t answers)
{
    if (e->next == PLUMB_INFER_STUCK)
        return e->answer == 0;
    return e->next > position && e->next < a->positions && e->answer < answers;
}

bool plumb_infer_is_sound(const struct plumb_infer_automaton *a,
                          unsigned operations, uint32_t answers)
{
    if (!a->positions || a->first[0] != 0 || a->first[a->positions] != a->edges)
        return false;
    for (uint32_t p = 0; p < a->positions; p++) {
        if (a->first[p] > a->first[p + 1] || a->first[p + 1] > a->edges)
            return false;
        for (uint32_t i = a->first[p]; i < a->first[p + 1]; i++) {
            const struct plumb_infer_edge *const e = a->edge + i;
            if (e->op >= operations || !is_sound_edge(a, p, e, answers) ||
                (i > a->first[p] && e->op < e[-1].op))
                return false;
        }
    }
    return true;
}
