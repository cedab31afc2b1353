/* spec_sets.h - where a specification can be after a trace.
 *
 * A set of states that is closed under tau; equal sets, equal numbers.  What a
 * set becomes by an event is worked out when it is asked for the first time,
 * and kept: for each set a little table from its visible events to sets.  The
 * specification's graph is made as far as that needs. */
#ifndef PLUMB_REFINE_ENGINES_SPEC_SETS_H
#define PLUMB_REFINE_ENGINES_SPEC_SETS_H

#include "base/index.h"
#include "csp/states/graph.h"
#include <assert.h>

#define PLUMB_NO_SET UINT32_MAX

/* Of a set's table.  Event 0, tau, is a free row; a next set that is not made
 * yet is PLUMB_NO_SET. */
struct plumb_refine_spec_row {
    uint32_t event, next;
};

struct plumb_refine_spec_set {
    uint64_t hash; /* of the set, whatever the order */
    uint64_t signature;
    size_t first; /* of its members */
    uint32_t count;
    uint8_t bits;   /* of the table's size     */
    bool has_table; /* else it is not made yet */
    size_t table;
};

struct plumb_refine_spec_sets {
    struct plumb_budget *budget;
    struct plumb_csp_graph *graph;
    struct plumb_refine_spec_set *set;
    size_t set_room;
    uint32_t count;
    struct plumb_base_index index;
    uint32_t *member; /* of all sets, each sorted */
    size_t members, member_room;
    struct plumb_refine_spec_row *row; /* of all tables */
    size_t rows, row_room;
    uint32_t *mark; /* of states: == stamp while they are in the set made */
    size_t marks;
    uint32_t stamp;
    uint32_t *scratch; /* the set that is being made */
    size_t scratch_room;
    uint32_t scratch_count;
    uint64_t work; /* members gathered so far, for who watches the clock */
};

void plumb_refine_spec_sets_init(struct plumb_refine_spec_sets *s,
                                 struct plumb_csp_graph *spec,
                                 struct plumb_budget *budget);
void plumb_refine_spec_sets_release(struct plumb_refine_spec_sets *s);

/* Before any event. */
enum plumb_status plumb_refine_spec_sets_initial(
    struct plumb_refine_spec_sets *s, uint32_t *set, struct plumb_error *err);

/* The slow way: make what is not there yet. */
enum plumb_status plumb_refine_spec_sets_make(struct plumb_refine_spec_sets *s,
                                              uint32_t set, uint32_t event,
                                              uint32_t *next,
                                              struct plumb_error *err);

/* Each set has a small table of events in row[], filled once: not base/index.h,
 * of which there would be one per set, and this is asked at every pair. */
static inline uint32_t plumb_refine_spec_slot(uint32_t event, uint8_t bits)
{
    return (uint32_t)((event * 0x9e3779b97f4a7c15u) >> (64 - bits));
}

/* After a visible event, PLUMB_NO_SET if it is not possible. */
static inline enum plumb_status plumb_refine_spec_sets_after(
    struct plumb_refine_spec_sets *s, uint32_t set, uint32_t event,
    uint32_t *next, struct plumb_error *err)
{
    assert(set < s->count && event != PLUMB_TAU);
    const struct plumb_refine_spec_set *const from = s->set + set;
    if (from->has_table) {
        const struct plumb_refine_spec_row *const row = s->row + from->table;
        uint32_t i = plumb_refine_spec_slot(event, from->bits);
        while (row[i].event && row[i].event != event)
            i = (i + 1) & ((1u << from->bits) - 1);
        if (!row[i].event) {
            *next = PLUMB_NO_SET;
            return PLUMB_OK;
        }
        if (row[i].next != PLUMB_NO_SET) {
            *next = row[i].next;
            return PLUMB_OK;
        }
    }
    return plumb_refine_spec_sets_make(s, set, event, next, err);
}

static inline const uint32_t *plumb_refine_spec_sets_members(
    const struct plumb_refine_spec_sets *s, uint32_t set, uint32_t *count)
{
    assert(set < s->count);
    *count = s->set[set].count;
    return s->member + s->set[set].first;
}

/* Are all members of `a` members of `b`? */
bool plumb_refine_spec_sets_within(const struct plumb_refine_spec_sets *s,
                                   uint32_t a, uint32_t b);

#endif
