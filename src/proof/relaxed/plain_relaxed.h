/* plain_relaxed.h - what the plain relaxed objects share: items come, and one
 * that may leave does.
 *
 * The list of a state has the items, each a record of `width` values. */
#ifndef PLUMB_PROOF_RELAXED_PLAIN_RELAXED_H
#define PLUMB_PROOF_RELAXED_PLAIN_RELAXED_H

#include "proof/plain_operations.h"

/* More than any number of items. */
#define PLAIN_UNBOUNDED UINT64_MAX

/* What has an index of at most so many. */
static inline size_t plumb_proof_first(uint64_t index, size_t items)
{
    return index < items ? (size_t)index + 1 : items;
}

struct plumb_proof_container {
    size_t width;
    /* How many, from the front of the list, might leave now?  May item i? */
    size_t (*reach)(const struct plumb_proof_plain *p,
                    const struct plumb_proof_plain_state *s);
    bool (*may_leave)(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i);
    /* It does, and the others take note. */
    void (*leave)(const struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i);
    bool pairs; /* value 1 of a record, unless absent, is answered, too */
};

static inline size_t plumb_proof_items(const struct plumb_proof_plain_state *s,
                                       const struct plumb_proof_container *c)
{
    return s->list.count / c->width;
}

/* Value `which` of item i. */
static inline struct plumb_value *plumb_proof_field(
    const struct plumb_proof_plain_state *s,
    const struct plumb_proof_container *c, size_t i, size_t which)
{
    return plumb_proof_plain_at(&s->list, i * c->width + which);
}

/* The same, where it is a number that is not negative. */
static inline uint64_t plumb_proof_count_in(
    const struct plumb_proof_plain_state *s,
    const struct plumb_proof_container *c, size_t i, size_t which)
{
    return plumb_proof_field(s, c, i, which)->bits;
}

/* Is an equal item among those before item i?  Then that one leaves first. */
bool plumb_proof_has_older_equal(const struct plumb_proof_plain_state *s,
                                 const struct plumb_proof_container *c,
                                 size_t i);

/* Take the record of item i out of the list. */
void plumb_proof_cut(struct plumb_proof_plain_state *s,
                     const struct plumb_proof_container *c, size_t i);

/* Answer a removal, or (`looks`) say what one might answer.  `partial`: blocks
 * where there is nothing. */
enum plumb_proof_plain_result plumb_proof_relaxed_answer(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *call,
    const struct plumb_proof_container *c, bool looks, bool partial,
    struct plumb_proof_plain_reply *r);

/* With so many items, is the answer `empty` all the same? */
bool plumb_proof_says_empty(const struct plumb_proof_plain *p,
                            const struct plumb_proof_plain_call *call,
                            size_t items);

/* Is there no room for another one?  Then what an addition answers. */
bool plumb_proof_relaxed_is_full(const struct plumb_proof_plain *p,
                                 const struct plumb_proof_plain_state *s,
                                 const struct plumb_proof_container *c);
enum plumb_proof_plain_result plumb_proof_relaxed_refuse(
    bool partial, struct plumb_proof_plain_reply *r);

#endif
