/* marks.c - marks as a list that is sorted when it is stored. */
#include "marks.h"

#include "base/memory.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

enum { ITEMS, SEEKERS, HEADER };

void plumb_spec_marks_release(struct plumb_spec_space *space,
                              struct plumb_spec_marks *m)
{
    struct plumb_budget *const budget = space->arena.budget;
    PLUMB_RELEASE(budget, m->mark, m->capacity);
    PLUMB_RELEASE(budget, m->bytes, m->bytes_capacity);
    *m = (struct plumb_spec_marks){ .items = 0 };
}

/* ---- bytes ---- */

static const size_t mark_words =
    sizeof(struct plumb_spec_mark) / sizeof(uint32_t);

bool plumb_spec_marks_load(struct plumb_spec_space *space,
                           struct plumb_spec_marks *m, plumb_spec_state s)
{
    const uint32_t *const word = space->data[s];
    const size_t size = space->size[s] - HEADER * sizeof *word;
    m->count = (uint32_t)(size / sizeof *m->mark);
    if (!PLUMB_GROW(space->arena.budget, m->mark, m->capacity, m->count))
        return false;
    m->items = word[ITEMS];
    m->seekers = word[SEEKERS];
    if (size)
        memcpy(m->mark, word + HEADER, size);
    return true;
}

uint32_t plumb_spec_marks_items(const struct plumb_spec_space *space,
                                plumb_spec_state s)
{
    const uint32_t *const word = space->data[s];
    return word[ITEMS];
}

static int compare(const void *x, const void *y)
{
    const struct plumb_spec_mark *const a = x, *const b = y;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->whose != b->whose)
        return a->whose < b->whose ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

plumb_spec_state plumb_spec_marks_store(struct plumb_spec_space *space,
                                        struct plumb_spec_marks *m)
{
    const size_t words = HEADER + m->count * mark_words;
    if (m->items == PLUMB_NO_STATE ||
        !PLUMB_GROW(space->arena.budget, m->bytes, m->bytes_capacity, words))
        return PLUMB_NO_STATE;
    if (m->count > 1)
        qsort(m->mark, m->count, sizeof *m->mark, compare);
    m->bytes[ITEMS] = m->items;
    m->bytes[SEEKERS] = m->seekers;
    if (m->count)
        memcpy(m->bytes + HEADER, m->mark, m->count * sizeof *m->mark);
    return plumb_spec_space_intern(space, m->bytes,
                                   (uint32_t)(words * sizeof *m->bytes));
}

/* ---- the list ---- */

bool plumb_spec_marks_add(struct plumb_spec_space *space,
                          struct plumb_spec_marks *m,
                          enum plumb_spec_mark_kind kind, uint32_t whose,
                          uint32_t at, uint32_t deficit)
{
    return PLUMB_APPEND(space->arena.budget, m->mark, m->count, m->capacity,
                        (struct plumb_spec_mark){ kind, whose, at, deficit });
}

void plumb_spec_marks_drop(struct plumb_spec_marks *m, uint32_t i)
{
    assert(i < m->count);
    m->mark[i] = m->mark[--m->count];
}

uint32_t plumb_spec_marks_find(const struct plumb_spec_marks *m,
                               enum plumb_spec_mark_kind kind, uint32_t whose)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->mark[i].kind == kind && m->mark[i].whose == whose)
            return i;
    return UINT32_MAX;
}

uint32_t plumb_spec_marks_count(const struct plumb_spec_marks *m,
                                enum plumb_spec_mark_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->count; i++)
        count += m->mark[i].kind == kind;
    return count;
}

bool plumb_spec_marks_has(const struct plumb_spec_marks *m,
                          enum plumb_spec_mark_kind kind, uint32_t at)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->mark[i].kind == kind && m->mark[i].at == at)
            return true;
    return false;
}

void plumb_spec_marks_shift(struct plumb_spec_marks *m,
                            enum plumb_spec_mark_kind kind)
{
    for (uint32_t i = m->count; i-- > 0;) {
        if (m->mark[i].kind != kind)
            continue;
        if (m->mark[i].at == 0)
            plumb_spec_marks_drop(m, i);
        else
            m->mark[i].at--;
    }
}

/* ---- scan ---- */

/* LATER marks of items that are in the same place become one. */
static void join_later(struct plumb_spec_marks *m)
{
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t k = m->count; k-- > i + 1;)
            if (m->mark[i].kind == PLUMB_MARK_LATER &&
                compare(m->mark + i, m->mark + k) == 0) {
                m->mark[i].deficit += m->mark[k].deficit;
                plumb_spec_marks_drop(m, k);
            }
}

/* The removal of that rank is marked no more: ranks above it move down, and
 * what only those up to it did not count is counted by all that are left. */
static void drop_rank(struct plumb_spec_marks *m, uint32_t rank)
{
    for (uint32_t i = m->count; i-- > 0;) {
        struct plumb_spec_mark *const x = m->mark + i;
        if (x->kind == PLUMB_MARK_SEEKING && x->at == rank)
            plumb_spec_marks_drop(m, i);
        else if (x->kind == PLUMB_MARK_SEEKING)
            x->at -= x->at > rank;
        else if (x->kind == PLUMB_MARK_LATER && rank == 0 && x->whose == 0)
            plumb_spec_marks_drop(m, i);
        else if (x->kind == PLUMB_MARK_LATER)
            x->whose -= x->whose >= rank;
    }
    join_later(m);
}

static void drop_satisfied(struct plumb_spec_marks *m)
{
    for (uint32_t i = m->count; i-- > 0;)
        if (i < m->count && m->mark[i].kind == PLUMB_MARK_SEEKING &&
            m->mark[i].deficit == 0) {
            drop_rank(m, m->mark[i].at);
            i = m->count;
        }
}

/* Those of rank `from` on have one to account for less. */
static void relieve(struct plumb_spec_marks *m, uint32_t from)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->mark[i].kind == PLUMB_MARK_SEEKING && m->mark[i].at >= from)
            m->mark[i].deficit--;
    drop_satisfied(m);
}

bool plumb_spec_marks_seek(struct plumb_spec_space *space,
                           struct plumb_spec_marks *m, uint32_t whose,
                           uint32_t complete)
{
    const uint32_t others = m->seekers++;
    relieve(m, 0);
    return complete <= others ||
           plumb_spec_marks_add(space, m, PLUMB_MARK_SEEKING, whose,
                                plumb_spec_marks_count(m, PLUMB_MARK_SEEKING),
                                complete - others);
}

void plumb_spec_marks_end_seeking(struct plumb_spec_marks *m, uint32_t whose)
{
    const uint32_t i = plumb_spec_marks_find(m, PLUMB_MARK_SEEKING, whose);
    m->seekers--;
    if (i != UINT32_MAX)
        drop_rank(m, m->mark[i].at);
}

void plumb_spec_marks_complete(struct plumb_spec_marks *m, uint32_t adding)
{
    const uint32_t ranks = plumb_spec_marks_count(m, PLUMB_MARK_SEEKING);
    if (ranks == 0) {
        plumb_spec_marks_drop(m, adding);
        return;
    }
    m->mark[adding] = (struct plumb_spec_mark){ PLUMB_MARK_LATER, ranks - 1,
                                                m->mark[adding].at, 1 };
    join_later(m);
}

void plumb_spec_marks_miss(struct plumb_spec_marks *m, uint32_t rank)
{
    relieve(m, rank == PLUMB_SEEN_BY_ALL ? 0 : rank + 1);
}

void plumb_spec_marks_show(const struct plumb_spec_space *space,
                           plumb_spec_state s, struct plumb_base_text *out)
{
    static const char *const what[] = {
        [PLUMB_MARK_ADDING] = "adding",     [PLUMB_MARK_REMOVING] = "removing",
        [PLUMB_MARK_HOLDING] = "holding",   [PLUMB_MARK_SEEKING] = "seeking",
        [PLUMB_MARK_LATER] = "not seen by",
    };
    const uint32_t *const end =
        (const uint32_t *)space->data[s] + space->size[s] / sizeof *end;
    for (const uint32_t *word = (const uint32_t *)space->data[s] + HEADER;
         word < end; word += mark_words) {
        struct plumb_spec_mark mark;
        memcpy(&mark, word, sizeof mark);
        plumb_base_text_printf(out, " %s %" PRIu32 " at %" PRIu32,
                               what[mark.kind], mark.whose, mark.at);
    }
}
