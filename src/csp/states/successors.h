/* successors.h - the successors of a state, as far as edges need them.
 *
 * plumb_csp_system_steps() tells everything about a step.  Of an edge only the
 * event and where it leads are kept; and most steps are a move of one
 * component, which changes its term and the few slots that the effect of the
 * move writes.  So here no vector is copied: an effect runs in place, the root
 * (vectors.h) is found from the slots it may have written, and those are put
 * back.
 *
 * What is not so simple is left to plumb_csp_system_steps(): a state in which
 * components take a step together, or all terminate, or one is in atomic { },
 * or something goes wrong.  The order is the same as there. */
#ifndef PLUMB_CSP_STATES_SUCCESSORS_H
#define PLUMB_CSP_STATES_SUCCESSORS_H

#include "csp/terms/compiled_moves.h"
#include "system.h"
#include "vectors.h"

struct plumb_csp_successor {
    uint64_t root;
    uint32_t event;
    union {
        uint32_t move;   /* of the moves of its component's term; then */
        uint32_t number; /* of the state, if it was looked up and had one;
                            else UINT32_MAX                            */
    };
};

struct plumb_csp_successors {
    struct plumb_csp_successor *at;
    size_t capacity;
    uint32_t count;
};

struct plumb_csp_quick;

/* NULL when memory is refused. */
struct plumb_csp_quick *plumb_csp_quick_new(struct plumb_csp_system *s,
                                            struct plumb_csp_cursor *cursor,
                                            struct plumb_budget *budget);
/* Another one, for another thread, that knows what `from` knows.  It works out
 * nothing: what is not known cannot be done there.  Not while `from` learns. */
struct plumb_csp_quick *plumb_csp_quick_fork(const struct plumb_csp_quick *from,
                                             struct plumb_csp_cursor *cursor);
void plumb_csp_quick_free(struct plumb_csp_quick *q);

/* The state that is looked at from now on: as the cursor gave it last. */
void plumb_csp_quick_state(struct plumb_csp_quick *q, const uint32_t *vector);

/* The acting term of a component, if its moves are all that it can do; else
 * PLUMB_NO_TERM.  False if that cannot be told here. */
bool plumb_csp_quick_term(struct plumb_csp_quick *q, uint32_t component,
                          uint32_t *acting);

/* Add the successors by one component; of all.  False if that cannot be done
 * here; then some may have been added. */
bool plumb_csp_quick_component(struct plumb_csp_quick *q, uint32_t component,
                               struct plumb_csp_successors *out);
bool plumb_csp_quick_all(struct plumb_csp_quick *q,
                         struct plumb_csp_successors *out);

/* Is it because memory was refused? */
bool plumb_csp_quick_was_refused(const struct plumb_csp_quick *q);

/* For writing moves as C: the moves of a term as it stands in a state, false if
 * none was asked for yet or there is more to it; the slots that the effect of a
 * move may write, false when memory is refused. */
bool plumb_csp_quick_moves(const struct plumb_csp_quick *q, uint32_t term,
                           uint32_t *first, uint32_t *count);
bool plumb_csp_quick_writes(struct plumb_csp_quick *q, uint32_t move,
                            const uint32_t **slot, uint32_t *count);
/* Use what was compiled of that. */
void plumb_csp_quick_bind(struct plumb_csp_quick *q,
                          const struct plumb_csp_native_entry *table);

void plumb_csp_successors_release(struct plumb_csp_successors *s,
                                  struct plumb_budget *budget);

#endif
