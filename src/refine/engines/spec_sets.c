/* spec_sets.c - the subset construction, as far as it is asked for.
 *
 * A new set is gathered in `scratch`, its members marked with a stamp.  Its
 * hash is a sum over members, so it can be looked up before it is sorted: a
 * set of the same hash and size all of whose members carry the mark is the
 * same.  Only sets never seen before are sorted.
 *
 * The table of a set has its visible events from the beginning; the set an
 * event leads to is made when it is asked for. */
#include "spec_sets.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort_numbers.h"
#include <assert.h>
#include <string.h>

void plumb_refine_spec_sets_init(struct plumb_refine_spec_sets *s,
                                 struct plumb_csp_graph *spec,
                                 struct plumb_budget *budget)
{
    *s = (struct plumb_refine_spec_sets){ .budget = budget, .graph = spec };
    plumb_base_index_init(&s->index, budget);
}

void plumb_refine_spec_sets_release(struct plumb_refine_spec_sets *s)
{
    plumb_base_index_release(&s->index);
    PLUMB_RELEASE(s->budget, s->set, s->set_room);
    PLUMB_RELEASE(s->budget, s->member, s->member_room);
    PLUMB_RELEASE(s->budget, s->row, s->row_room);
    PLUMB_RELEASE(s->budget, s->mark, s->marks);
    PLUMB_RELEASE(s->budget, s->scratch, s->scratch_room);
    plumb_refine_spec_sets_init(s, s->graph, s->budget);
}

/* ---- gathering a set ---- */

static void begin_set(struct plumb_refine_spec_sets *s)
{
    if (++s->stamp == 0) {
        memset(s->mark, 0, s->marks * sizeof *s->mark);
        s->stamp = 1;
    }
    s->scratch_count = 0;
}

static bool gather(struct plumb_refine_spec_sets *s, uint32_t state)
{
    if (!PLUMB_GROW_ZEROED(s->budget, s->mark, s->marks, (size_t)state + 1))
        return false;
    if (s->mark[state] == s->stamp)
        return true;
    s->mark[state] = s->stamp;
    return PLUMB_APPEND(s->budget, s->scratch, s->scratch_count,
                        s->scratch_room, state);
}

/* All targets of edges of `state` with this event. */
static enum plumb_status gather_targets(struct plumb_refine_spec_sets *s,
                                        uint32_t state, uint32_t event,
                                        struct plumb_error *err)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(s->graph, state, err);
    PLUMB_TRY(out.status);
    for (uint32_t i = 0; i < out.count; i++)
        if (out.edge[i].event == event && !gather(s, out.edge[i].target))
            return plumb_base_fail_budget(s->budget, err);
    return PLUMB_OK;
}

static enum plumb_status close_under_tau(struct plumb_refine_spec_sets *s,
                                         struct plumb_error *err)
{
    for (uint32_t i = 0; i < s->scratch_count; i++)
        PLUMB_TRY(gather_targets(s, s->scratch[i], PLUMB_TAU, err));
    return PLUMB_OK;
}

/* ---- giving it a number ---- */

static uint64_t hash_of_set(const void *context, uint32_t number)
{
    const struct plumb_refine_spec_sets *const s = context;
    return plumb_base_mix1(s->set[number].hash);
}

static uint64_t hash_of_scratch(const struct plumb_refine_spec_sets *s)
{
    uint64_t sum = s->scratch_count;
    for (uint32_t i = 0; i < s->scratch_count; i++)
        sum += plumb_base_mix(s->scratch[i], 0x8ebc6af09c88c6e3u);
    return sum;
}

static bool is_scratch(const struct plumb_refine_spec_sets *s, uint32_t number,
                       uint64_t hash)
{
    const struct plumb_refine_spec_set *const set = s->set + number;
    if (set->hash != hash || set->count != s->scratch_count)
        return false;
    for (uint32_t i = 0; i < set->count; i++)
        if (s->mark[s->member[set->first + i]] != s->stamp)
            return false;
    return true;
}

static uint64_t signature_of(const uint32_t *member, uint32_t count)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++)
        bits |= (uint64_t)1 << (plumb_base_mix1(member[i]) & 63);
    return bits;
}

static bool store_scratch(struct plumb_refine_spec_sets *s, uint64_t hash)
{
    const uint32_t count = s->scratch_count;
    if (s->count == PLUMB_NO_SET - 1 ||
        !PLUMB_GROW(s->budget, s->set, s->set_room, (size_t)s->count + 1) ||
        !PLUMB_GROW(s->budget, s->member, s->member_room, s->members + count))
        return false;
    uint32_t *const member = s->member + s->members;
    if (!plumb_base_sort_numbers(s->budget, s->scratch, member, count))
        return false;
    memcpy(member, s->scratch, count * sizeof *member);
    s->set[s->count++] =
        (struct plumb_refine_spec_set){ .hash = hash,
                                        .signature =
                                            signature_of(member, count),
                                        .first = s->members,
                                        .count = count };
    s->members += count;
    return true;
}

static enum plumb_status number_scratch(struct plumb_refine_spec_sets *s,
                                        uint32_t *number,
                                        struct plumb_error *err)
{
    assert(s->scratch_count); /* it can be somewhere */
    const uint64_t hash = hash_of_scratch(s);
    s->work += s->scratch_count;
    if (!plumb_base_index_room(&s->index, hash_of_set, s))
        return plumb_base_fail_budget(s->budget, err);
    struct plumb_base_probe p =
        plumb_base_index_probe(&s->index, plumb_base_mix1(hash));
    while ((*number = plumb_base_probe_next(&s->index, &p)) != PLUMB_ABSENT)
        if (is_scratch(s, *number, hash))
            return PLUMB_OK;
    if (!store_scratch(s, hash))
        return plumb_base_fail_budget(s->budget, err);
    *number = s->count - 1;
    plumb_base_index_put(&s->index, &p, *number);
    return PLUMB_OK;
}

enum plumb_status plumb_refine_spec_sets_initial(
    struct plumb_refine_spec_sets *s, uint32_t *set, struct plumb_error *err)
{
    begin_set(s);
    if (!gather(s, 0))
        return plumb_base_fail_budget(s->budget, err);
    PLUMB_TRY(close_under_tau(s, err));
    return number_scratch(s, set, err);
}

/* ---- tables ---- */

/* The first `*count` numbers of scratch, each once; there is room for twice as
 * many. */
static bool sort_and_merge(struct plumb_refine_spec_sets *s, uint32_t *count)
{
    uint32_t *const number = s->scratch;
    uint32_t kept = 0;
    if (!plumb_base_sort_numbers(s->budget, number, number + *count, *count))
        return false;
    for (uint32_t i = 0; i < *count; i++)
        if (!kept || number[kept - 1] != number[i])
            number[kept++] = number[i];
    *count = kept;
    return true;
}

/* The visible events of a set, in the front half of scratch, each once. */
static enum plumb_status gather_events(struct plumb_refine_spec_sets *s,
                                       uint32_t set, struct plumb_error *err)
{
    const struct plumb_refine_spec_set *const from = s->set + set;
    uint32_t found = 0;
    for (uint32_t m = 0; m < from->count; m++) {
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(s->graph, s->member[from->first + m], err);
        PLUMB_TRY(out.status);
        if (!PLUMB_GROW(s->budget, s->scratch, s->scratch_room,
                        2 * ((size_t)found + out.count)))
            return plumb_base_fail_budget(s->budget, err);
        for (uint32_t i = 0; i < out.count; i++)
            if (out.edge[i].event != PLUMB_TAU)
                s->scratch[found++] = out.edge[i].event;
    }
    s->scratch_count = found;
    return !found || sort_and_merge(s, &s->scratch_count)
               ? PLUMB_OK
               : plumb_base_fail_budget(s->budget, err);
}

static uint8_t bits_for(uint32_t events)
{
    uint8_t bits = 1; /* a free one must be left */
    while (((size_t)1 << bits) < 2 * (size_t)events)
        bits++;
    return bits;
}

static void enter(struct plumb_refine_spec_row *row, uint8_t bits,
                  uint32_t event)
{
    uint32_t i = plumb_refine_spec_slot(event, bits);
    while (row[i].event)
        i = (i + 1) & ((1u << bits) - 1);
    row[i] = (struct plumb_refine_spec_row){ event, PLUMB_NO_SET };
}

static enum plumb_status make_table(struct plumb_refine_spec_sets *s,
                                    uint32_t set, struct plumb_error *err)
{
    PLUMB_TRY(gather_events(s, set, err));
    assert(!s->set[set].has_table);
    const uint8_t bits = bits_for(s->scratch_count);
    const size_t size = (size_t)1 << bits;
    if (!PLUMB_GROW(s->budget, s->row, s->row_room, s->rows + size))
        return plumb_base_fail_budget(s->budget, err);
    struct plumb_refine_spec_row *const row = s->row + s->rows;
    memset(row, 0, size * sizeof *row);
    for (uint32_t i = 0; i < s->scratch_count; i++)
        enter(row, bits, s->scratch[i]);
    s->set[set].table = s->rows;
    s->set[set].bits = bits;
    s->set[set].has_table = true;
    s->rows += size;
    return PLUMB_OK;
}

static enum plumb_status make_next(struct plumb_refine_spec_sets *s,
                                   uint32_t set, uint32_t event, uint32_t *next,
                                   struct plumb_error *err)
{
    begin_set(s);
    for (uint32_t i = 0; i < s->set[set].count; i++)
        PLUMB_TRY(
            gather_targets(s, s->member[s->set[set].first + i], event, err));
    PLUMB_TRY(close_under_tau(s, err));
    return number_scratch(s, next, err);
}

enum plumb_status plumb_refine_spec_sets_make(struct plumb_refine_spec_sets *s,
                                              uint32_t set, uint32_t event,
                                              uint32_t *next,
                                              struct plumb_error *err)
{
    assert(event != PLUMB_TAU);
    if (!s->set[set].has_table)
        PLUMB_TRY(make_table(s, set, err));
    const uint8_t bits = s->set[set].bits;
    size_t i = plumb_refine_spec_slot(event, bits);
    while (s->row[s->set[set].table + i].event &&
           s->row[s->set[set].table + i].event != event)
        i = (i + 1) & ((1u << bits) - 1);
    i += s->set[set].table;
    if (!s->row[i].event) {
        *next = PLUMB_NO_SET;
        return PLUMB_OK;
    }
    PLUMB_TRY(make_next(s, set, event, next, err));
    s->row[i].next = *next;
    return PLUMB_OK;
}

/* ---- questions ---- */

bool plumb_refine_spec_sets_within(const struct plumb_refine_spec_sets *s,
                                   uint32_t a, uint32_t b)
{
    assert(a < s->count && b < s->count);
    const struct plumb_refine_spec_set *const x = s->set + a, *const y =
                                                                  s->set + b;
    if (x->count > y->count || (x->signature & ~y->signature))
        return false;
    const uint32_t *p = s->member + x->first, *q = s->member + y->first;
    const uint32_t *const p_end = p + x->count, *const q_end = q + y->count;
    while (p < p_end) {
        while (q < q_end && *q < *p)
            q++;
        if (q_end - q < p_end - p || *q != *p)
            return false;
        p++, q++;
    }
    return true;
}
