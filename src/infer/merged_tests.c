/* merged_tests.c - see merged_tests.h.
 *
 * The positions of every test become moments; a hidden step leads from the
 * first moment of all to the beginning of each test.  The subset construction
 * of automaton.c does the rest. */
#include "merged_tests.h"

#include "base/fail.h"
#include <assert.h>
#include <string.h>

#define NO_ROOM UINT32_MAX

/* ---- calls and answers ---- */

static uint64_t hash_of(const void *context, uint32_t number)
{
    const struct plumb_infer_entries *const e = context;
    return plumb_infer_hash_answer(&e->entry.at[number]);
}

/* The number of `e`. */
static uint32_t put(struct plumb_infer_merged *m, struct plumb_infer_entries *s,
                    const struct plumb_record_entry *e)
{
    if (!plumb_base_index_room(&s->index, hash_of, s))
        return NO_ROOM;
    struct plumb_base_probe p =
        plumb_base_index_probe(&s->index, plumb_infer_hash_answer(e));
    PLUMB_FOR_CANDIDATES(&s->index, &p, n)
        if (plumb_infer_same_answer(&s->entry.at[n], e))
            return n;
    if (!PLUMB_RESERVE(m->budget, &s->entry, s->entry.count + 1))
        return NO_ROOM;
    memcpy(&s->entry.at[s->entry.count], e, sizeof *e);
    plumb_base_index_put(&s->index, &p, (uint32_t)s->entry.count);
    return (uint32_t)s->entry.count++;
}

static uint32_t put_answer(struct plumb_infer_merged *m,
                           const struct plumb_infer_store *s, uint32_t answer)
{
    return put(m, &m->answers, &s->answer[answer]);
}

/* With what it may answer anywhere, which is the same in all tests. */
static uint32_t put_call(struct plumb_infer_merged *m,
                         const struct plumb_infer_store *s, uint32_t op)
{
    const size_t before = m->calls.entry.count;
    const uint32_t call = put(m, &m->calls, &s->call[op]);
    if (call == NO_ROOM || call < before)
        return call;
    const bool has = s->allowed[op] < s->answers;
    const uint32_t allowed =
        has ? put_answer(m, s, s->allowed[op]) : UINT32_MAX;
    if ((has && allowed == NO_ROOM) ||
        !PLUMB_PUSH(m->budget, &m->allowed, allowed))
        return NO_ROOM;
    return call;
}

/* ---- tests ---- */

void plumb_infer_merged_init(struct plumb_infer_merged *m,
                             struct plumb_budget *budget)
{
    *m = (struct plumb_infer_merged){ .budget = budget, .moments = 1 };
    plumb_base_index_init(&m->calls.index, budget);
    plumb_base_index_init(&m->answers.index, budget);
}

static void release(struct plumb_infer_merged *m, struct plumb_infer_entries *e)
{
    PLUMB_VECTOR_RELEASE(m->budget, &e->entry);
    plumb_base_index_release(&e->index);
}

void plumb_infer_merged_release(struct plumb_infer_merged *m)
{
    release(m, &m->calls);
    release(m, &m->answers);
    PLUMB_VECTOR_RELEASE(m->budget, &m->allowed);
    PLUMB_VECTOR_RELEASE(m->budget, &m->seen);
}

static bool add_edge(struct plumb_infer_merged *m,
                     const struct plumb_infer_store *s, uint32_t from,
                     const struct plumb_infer_edge *e)
{
    const bool stuck = e->next == PLUMB_INFER_STUCK;
    const struct plumb_infer_seen seen = {
        .from = m->moments + from,
        .to = stuck ? e->next : m->moments + e->next,
        .op = put_call(m, s, e->op),
        .answer = stuck ? 0 : put_answer(m, s, e->answer),
    };
    return seen.op != NO_ROOM && seen.answer != NO_ROOM &&
           PLUMB_PUSH(m->budget, &m->seen, seen);
}

bool plumb_infer_merged_add(struct plumb_infer_merged *m,
                            const struct plumb_infer_store *s)
{
    assert(s->end == PLUMB_INFER_DETERMINISTIC && s->positions);
    if (s->positions >= PLUMB_INFER_STUCK - m->moments ||
        !PLUMB_PUSH(m->budget, &m->seen,
                    (struct plumb_infer_seen){ .to = m->moments,
                                               .op = PLUMB_INFER_HIDDEN }))
        return false;
    for (uint32_t p = 0; p < s->positions; p++)
        for (uint32_t i = s->first[p]; i < s->first[p + 1]; i++)
            if (!add_edge(m, s, p, &s->edge[i]))
                return false;
    m->moments += s->positions;
    m->tests++;
    m->longest = s->operations > m->longest ? s->operations : m->longest;
    return true;
}

enum plumb_status plumb_infer_merged_build(struct plumb_infer_merged *m,
                                           struct plumb_infer_automaton *a,
                                           struct plumb_infer_conflict *c,
                                           struct plumb_error *err)
{
    if (m->seen.count >= UINT32_MAX)
        return plumb_base_fail_memory(err);
    return plumb_infer_build(m->seen.at, m->seen.count, m->moments,
                             m->allowed.at, m->budget, a, c, err);
}
