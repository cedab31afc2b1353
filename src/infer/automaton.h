/* automaton.h - all serial histories of a test, as a minimal automaton.
 *
 * (Line-Up, section 3.3.)  A *position* says which operations are done and what
 * can still come of the others.  From each position an edge leads for every
 * operation that a thread can call next: to its answer and the position after
 * it, or nowhere, because the operation waits for ever.  Positions with the
 * same edges are one, so two orders that no future can tell apart end at the
 * same position.
 *
 * The serial histories are deterministic if no position has two edges of one
 * operation: two histories then differ first in what somebody calls, never in
 * what is answered (section 2.4). */
#ifndef PLUMB_INFER_AUTOMATON_H
#define PLUMB_INFER_AUTOMATON_H

#include <plumb/budget.h>
#include <plumb/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLUMB_INFER_OPERATIONS = 64 }; /* of a test */

#define PLUMB_INFER_HIDDEN UINT32_MAX /* in place of an operation */
#define PLUMB_INFER_STUCK  UINT32_MAX /* in place of what follows */

/* What was seen to happen: between two moments, numbered from 0, an operation
 * answered, or something that nobody sees went on. */
struct plumb_infer_seen {
    uint32_t from, to; /* or PLUMB_INFER_STUCK */
    uint32_t op, answer;
};

struct plumb_infer_edge {
    uint32_t op, answer; /* 0 if it is stuck */
    uint32_t next;       /* or PLUMB_INFER_STUCK */
};

/* Every history begins at position 0.  Edges are sorted by operation. */
struct plumb_infer_automaton {
    uint32_t positions, edges;
    const uint32_t *first; /* edges of p: from first[p] up to first[p + 1] */
    const struct plumb_infer_edge *edge;
};

/* After these operations, with these answers, one has two outcomes. */
struct plumb_infer_conflict {
    uint32_t length; /* of what comes before */
    struct plumb_infer_edge before[PLUMB_INFER_OPERATIONS];
    struct plumb_infer_edge outcome[2];
};

/* The automaton of what was seen.  Where the histories are not deterministic,
 * *conflict is a shortest reason and the automaton has all edges; else its two
 * outcomes are equal.  allowed[op], if it is given: an answer that is no
 * conflict with others, or UINT32_MAX. */
enum plumb_status plumb_infer_build(const struct plumb_infer_seen *seen,
                                    size_t count, uint32_t moments,
                                    const uint32_t *allowed,
                                    struct plumb_budget *budget,
                                    struct plumb_infer_automaton *a,
                                    struct plumb_infer_conflict *conflict,
                                    struct plumb_error *err);
void plumb_infer_release(struct plumb_infer_automaton *a,
                         struct plumb_budget *budget);

bool plumb_infer_is_conflict(const struct plumb_infer_conflict *c);

/* UINT64_MAX if it is more than that. */
static inline uint64_t plumb_infer_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* How many histories there are: all operations done, and stuck.  UINT64_MAX if
 * there are more than that.  False when memory is refused. */
bool plumb_infer_count(const struct plumb_infer_automaton *a,
                       struct plumb_budget *budget, uint64_t *full,
                       uint64_t *stuck);

/* Is this an automaton of so many operations and answers, whoever wrote it? */
bool plumb_infer_is_sound(const struct plumb_infer_automaton *a,
                          unsigned operations, uint32_t answers);

#endif
