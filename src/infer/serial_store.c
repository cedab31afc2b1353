/* serial_store.c - see serial_store.h. */
#include "serial_store.h"

#include "base/fail.h"
#include "base/hash.h"
#include <string.h>

struct plumb_infer_automaton plumb_infer_store_automaton(
    const struct plumb_infer_store *s)
{
    return (struct plumb_infer_automaton){ .positions = s->positions,
                                           .edges = s->edges,
                                           .first = s->first,
                                           .edge = s->edge };
}

void plumb_infer_store_test(const struct plumb_infer_store *s,
                            const char *const *name,
                            struct plumb_infer_test *test)
{
    test->operations = s->operations;
    for (unsigned op = 0; op < s->operations; op++)
        test->operation[op] = (struct plumb_infer_operation){
            .name = name[s->call[op].operation],
            .process = s->process[op],
            .call = &s->call[op],
        };
}

bool plumb_infer_is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; *at; at += *at == ',') {
        const size_t word = strcspn(at, ",");
        if (word == length && memcmp(at, name, length) == 0)
            return true;
        at += word;
    }
    return false;
}

/* ---- answers ---- */

uint64_t plumb_infer_hash_answer(const struct plumb_record_entry *e)
{
    const size_t from = offsetof(struct plumb_record_entry, operation);
    const size_t size = offsetof(struct plumb_record_entry, value) - from +
                        ((size_t)e->nargs + e->nres) * sizeof e->value[0];
    return plumb_base_mix(plumb_base_hash_bytes((const char *)e + from, size),
                          plumb_base_hash_bytes(e->text, e->text_used));
}

bool plumb_infer_same_answer(const struct plumb_record_entry *a,
                             const struct plumb_record_entry *b)
{
    const size_t from = offsetof(struct plumb_record_entry, operation);
    const size_t head = offsetof(struct plumb_record_entry, value) - from;
    return memcmp((const char *)a + from, (const char *)b + from, head) == 0 &&
           memcmp(a->value, b->value,
                  ((size_t)a->nargs + a->nres) * sizeof *a->value) == 0 &&
           memcmp(a->text, b->text, a->text_used) == 0;
}

static uint64_t hash_of(const void *context, uint32_t number)
{
    const struct plumb_infer_answers *const a = context;
    return plumb_infer_hash_answer(&a->store->answer[number]);
}

void plumb_infer_answers_open(struct plumb_infer_answers *a,
                              struct plumb_infer_store *store,
                              struct plumb_budget *budget)
{
    a->store = store;
    store->answers = 0;
    plumb_base_index_init(&a->index, budget);
}

void plumb_infer_answers_close(struct plumb_infer_answers *a)
{
    plumb_base_index_release(&a->index);
}

uint32_t plumb_infer_answer(struct plumb_infer_answers *a,
                            const struct plumb_record_entry *e)
{
    struct plumb_infer_store *const s = a->store;
    if (!plumb_base_index_room(&a->index, hash_of, a))
        return UINT32_MAX;
    struct plumb_base_probe p =
        plumb_base_index_probe(&a->index, plumb_infer_hash_answer(e));
    PLUMB_FOR_CANDIDATES(&a->index, &p, n)
        if (plumb_infer_same_answer(&s->answer[n], e))
            return n;
    if (s->answers == PLUMB_INFER_ANSWERS)
        return PLUMB_INFER_ANSWERS;
    memcpy(&s->answer[s->answers], e, sizeof *e);
    plumb_base_index_put(&a->index, &p, s->answers);
    return s->answers++;
}

/* ---- the automaton ---- */

static bool keep(struct plumb_infer_store *s,
                 const struct plumb_infer_automaton *a)
{
    if (a->positions > PLUMB_INFER_POSITIONS || a->edges > PLUMB_INFER_EDGES)
        return false;
    s->positions = a->positions;
    s->edges = a->edges;
    memcpy(s->first, a->first, ((size_t)a->positions + 1) * sizeof *a->first);
    memcpy(s->edge, a->edge, a->edges * sizeof *a->edge);
    return true;
}

enum plumb_status plumb_infer_store_infer(struct plumb_infer_store *s,
                                          const struct plumb_infer_seen *seen,
                                          size_t count, uint32_t moments,
                                          struct plumb_budget *budget,
                                          struct plumb_error *err)
{
    struct plumb_infer_automaton a;
    const enum plumb_status status = plumb_infer_build(
        seen, count, moments, s->allowed, budget, &a, &s->conflict, err);
    if (status != PLUMB_OK)
        return status;
    s->end = !keep(s, &a) ? PLUMB_INFER_TOO_MANY
             : plumb_infer_is_conflict(&s->conflict)
                 ? PLUMB_INFER_NONDETERMINISTIC
                 : PLUMB_INFER_DETERMINISTIC;
    const bool counted = plumb_infer_count(&a, budget, &s->full, &s->stuck);
    plumb_infer_release(&a, budget);
    return counted ? PLUMB_OK : plumb_base_fail_memory(err);
}

/* ---- is it sound? ---- */

static bool is_sound_entry(const struct plumb_record_entry *e, unsigned names)
{
    if (e->operation >= names || e->nargs > PLUMB_MAX_ARGUMENTS ||
        e->nres > PLUMB_ENTRY_RESULTS || e->term[sizeof e->term - 1] ||
        e->text[sizeof e->text - 1])
        return false;
    for (unsigned i = 0; i < (unsigned)e->nargs + e->nres; i++)
        if (e->value[i].tag == PLUMB_STR &&
            e->value[i].bits >= PLUMB_ENTRY_TEXT)
            return false;
    return true;
}

static bool is_sound_outcome(const struct plumb_infer_store *s,
                             const struct plumb_infer_edge *e)
{
    return e->op < s->operations &&
           (e->next == PLUMB_INFER_STUCK || e->answer < s->answers);
}

static bool is_sound_conflict(const struct plumb_infer_store *s)
{
    const struct plumb_infer_conflict *const c = &s->conflict;
    if (!plumb_infer_is_conflict(c))
        return true;
    if (c->length > PLUMB_INFER_OPERATIONS)
        return false;
    for (uint32_t i = 0; i < c->length; i++)
        if (!is_sound_outcome(s, &c->before[i]))
            return false;
    return is_sound_outcome(s, &c->outcome[0]) &&
           is_sound_outcome(s, &c->outcome[1]);
}

bool plumb_infer_store_is_sound(const struct plumb_infer_store *s,
                                unsigned names)
{
    if (s->operations > PLUMB_INFER_OPERATIONS || s->init > s->operations ||
        s->final > s->operations - s->init ||
        s->answers > PLUMB_INFER_ANSWERS ||
        s->positions > PLUMB_INFER_POSITIONS || s->edges > PLUMB_INFER_EDGES)
        return false;
    for (uint32_t i = 0; i < s->operations; i++)
        if (s->process[i] >= PLUMB_INFER_PROCESSES ||
            !is_sound_entry(&s->call[i], names))
            return false;
    for (uint32_t i = 0; i < s->answers; i++)
        if (!is_sound_entry(&s->answer[i], names))
            return false;
    const struct plumb_infer_automaton a = plumb_infer_store_automaton(s);
    return is_sound_conflict(s) &&
           plumb_infer_is_sound(&a, s->operations, s->answers);
}

uint64_t plumb_infer_store_histories(const struct plumb_infer_store *s)
{
    return plumb_infer_sum(s->full, s->stuck);
}

void plumb_infer_store_copy(const struct plumb_infer_store *from,
                            struct plumb_infer_store *to)
{
    memcpy(to, from, offsetof(struct plumb_infer_store, answer));
    memcpy(to->answer, from->answer, from->answers * sizeof *from->answer);
    memcpy(to->first, from->first,
           ((size_t)from->positions + 1) * sizeof *from->first);
    memcpy(to->edge, from->edge, from->edges * sizeof *from->edge);
}
