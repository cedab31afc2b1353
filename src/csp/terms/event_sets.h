/* event_sets.h - sets of events, to hide and to synchronise on.
 *
 * A set as written is a list of names with data; what the data are may not be
 * known before the process is run (a received value).  So a set is first a
 * text, with a number of its own, and is turned into bits when it is used. */
#ifndef PLUMB_CSP_TERMS_EVENT_SETS_H
#define PLUMB_CSP_TERMS_EVENT_SETS_H

#include "base/arena.h"
#include "csp/formulas/formulas.h"
#include "event_numbers.h"

/* All that a channel does; the index is UINT32_MAX for all of an array. */
struct plumb_csp_event_channel {
    uint32_t channel, index;
};

struct plumb_csp_event_bits {
    const uint32_t *key; /* what it was made from */
    uint32_t count;
    bool ready;
    struct plumb_csp_event_channel
        *channel; /* events without a bit of their own */
    uint32_t channels;
    uint64_t *bit;
    size_t words;
    struct plumb_csp_place place;
};

struct plumb_csp_event_sets {
    struct plumb_base_arena arena;
    const struct plumb_csp_event_numbers *events; /* of sets that are ready */
    struct plumb_csp_event_bits *set;
    uint32_t sets;
    size_t capacity;
    uint32_t *key; /* of a set in the making */
    size_t keys, key_capacity;
};

#define PLUMB_NO_SET UINT32_MAX /* memory was refused */

void plumb_csp_event_sets_init(struct plumb_csp_event_sets *s,
                               struct plumb_budget *budget);
void plumb_csp_event_sets_release(struct plumb_csp_event_sets *s);

/* The set that is written; `binding` is changed and put back. */
uint32_t plumb_csp_event_sets_text(struct plumb_csp_event_sets *s,
                                   struct plumb_csp_formulas *f,
                                   const struct plumb_csp_event_set *text,
                                   plumb_csp_binding *binding);
/* An empty set to which events are added. */
uint32_t plumb_csp_event_sets_new(struct plumb_csp_event_sets *s);
bool plumb_csp_event_sets_add(struct plumb_csp_event_sets *s, uint32_t set,
                              uint32_t event);
/* All of `from`, but not what is in `except` (PLUMB_NO_SET: nothing). */
bool plumb_csp_event_sets_join(struct plumb_csp_event_sets *s, uint32_t set,
                               uint32_t from, uint32_t except);

/* Before a set from a text is asked for members: its data have to be known. */
enum plumb_status plumb_csp_event_sets_ready(
    struct plumb_csp_event_sets *s, struct plumb_csp_event_numbers *events,
    struct plumb_csp_formulas *f, uint32_t set, struct plumb_error *err);
/* The set with these events, the number of an equal one if there is one. */
uint32_t plumb_csp_event_sets_same(struct plumb_csp_event_sets *s,
                                   uint32_t set);

/* Is it an event of a channel of which the set has all? */
bool plumb_csp_event_sets_has_channel(const struct plumb_csp_event_sets *s,
                                      uint32_t set, uint32_t event);

static inline bool plumb_csp_event_sets_has(
    const struct plumb_csp_event_sets *s, uint32_t set, uint32_t event)
{
    const struct plumb_csp_event_bits *const b = &s->set[set];
    return (event / 64 < b->words && (b->bit[event / 64] >> event % 64 & 1)) ||
           (b->channels && plumb_csp_event_sets_has_channel(s, set, event));
}

/* Is every event of `set` in `other`?  Both are ready. */
bool plumb_csp_event_sets_within(const struct plumb_csp_event_sets *s,
                                 uint32_t set, uint32_t other);

/* The text of a set: kind and name, data count, data formulas, and so on; a
 * range that is not known has no name, its local, and its bounds. */
#define PLUMB_NO_NAME UINT32_MAX
static inline uint32_t plumb_csp_event_sets_name(uint32_t word)
{
    return word & ((1u << 29) - 1);
}
static inline enum plumb_csp_event_kind plumb_csp_event_sets_kind(uint32_t word)
{
    return (enum plumb_csp_event_kind)(word >> 29);
}
const uint32_t *plumb_csp_event_sets_key(const struct plumb_csp_event_sets *s,
                                         uint32_t set, uint32_t *count);

#endif
