/* term_store.h - the inside of terms.h, for the files term_*.c.
 *
 * A term is a *node*: an operator and operands, which are numbers of formulas,
 * effects, sets of events and other terms.  Nodes are interned, so a number
 * stands for the text.  What was worked out about a term is kept with it.
 *
 * Three forms of a term:
 * - as it was built from the text: nothing is unfolded;
 * - *normal*, as it stands in a state: where steps leave an operator in place
 *   (;  |||  ||  \  interrupt  [*]) its operands are normal too, Skip;Q is Q,
 *   and, by PAT 3's counting, references with known arguments are unfolded;
 * - *acting*: normal, and not a reference with known arguments.
 *
 * INDEXED and OUTSIDE are errors where they act, and only there: they may stand
 * in a branch that is never taken, or in a text that is only walked over. */
#ifndef PLUMB_CSP_TERMS_TERM_STORE_H
#define PLUMB_CSP_TERMS_TERM_STORE_H

#include "base/index.h"
#include "event_sets.h"
#include "terms.h"
#include <assert.h>

/* The operators, and their operands. */
enum plumb_csp_term_kind {
    PLUMB_TERM_STOP,
    PLUMB_TERM_SKIP,
    PLUMB_TERM_DONE,       /* Stop, after all of a system has terminated    */
    PLUMB_TERM_PREFIX,     /* name or PLUMB_UNNAMED, effect, child, data... */
    PLUMB_TERM_SEND,       /* channel, index, effect, child, data...        */
    PLUMB_TERM_RECEIVE,    /* channel, index, effect, accepts, child,
                              (local or none, formula or none)...; open     */
    PLUMB_TERM_MESSAGE,    /* a RECEIVE, values...: body is RECEIVED        */
    PLUMB_TERM_RECEIVED,   /* accepts, effect, child, what must be equal... */
    PLUMB_TERM_REFERENCE,  /* definition, arguments...                      */
    PLUMB_TERM_SEQUENCE,   /* first, second                                 */
    PLUMB_TERM_CHOICE,     /* children...                                   */
    PLUMB_TERM_EXTERNAL,   /* children...                                   */
    PLUMB_TERM_INTERNAL,   /* children...                                   */
    PLUMB_TERM_INTERLEAVE, /* children...                                   */
    PLUMB_TERM_PARALLEL,   /* children...: alphabets not known yet          */
    PLUMB_TERM_SYNCHRONY,  /* children..., alphabets...: as many            */
    PLUMB_TERM_COPIES,     /* how many or PLUMB_MANY, child                 */
    PLUMB_TERM_MULTISET,   /* (term, count)..., sorted by term              */
    PLUMB_TERM_HIDE,       /* child, set of events                          */
    PLUMB_TERM_INTERRUPT,  /* child, what interrupts                        */
    PLUMB_TERM_GUARD,      /* condition, child                              */
    PLUMB_TERM_IF,         /* condition, then, else                         */
    PLUMB_TERM_IFA,        /* condition, then, else                         */
    PLUMB_TERM_IFB,        /* condition, child                              */
    PLUMB_TERM_CASE,       /* (condition, child)...                         */
    PLUMB_TERM_ATOMIC,     /* child                                         */
    PLUMB_TERM_ASSERT,     /* condition, child                              */
    PLUMB_TERM_INDEXED,    /* kind of process, local or none, how many bounds,
                              bounds..., children...: an operator whose range
                              or number of copies is not known              */
    PLUMB_TERM_OUTSIDE     /* reference, parameter: what the reference stands
                              for if an argument is outside of its range    */
};

#define PLUMB_UNNAMED UINT32_MAX /* a tau                                  */
#define PLUMB_NONE    UINT32_MAX /* no index, no condition, no local       */
#define PLUMB_MANY    UINT32_MAX /* more copies than are counted           */
#define PLUMB_UNKNOWN UINT32_MAX /* not worked out yet                     */

/* The terms that are there from the beginning. */
enum { PLUMB_STOPPED = 0, PLUMB_SKIPPED = 1, PLUMB_FINISHED = 2 };

/* A deeper term is taken as one that grows for ever; recursion over terms is
 * as deep as they are, at most. */
enum { PLUMB_DEEPEST = 2000, PLUMB_FARTHEST = 32 };

struct plumb_csp_term_node {
    const uint32_t *operand;
    const struct plumb_csp_process
        *origin;                      /* where it was written first, or NULL */
    const plumb_csp_binding *binding; /* RECEIVE: what its locals stand for */
    uint32_t count;
    uint32_t normal, acting; /* PLUMB_UNKNOWN until asked for              */
    uint32_t body; /* REFERENCE, MESSAGE: what it stands for             */
    uint32_t moves, move_count; /* see term_moves.h                        */
    bool hiding; /* a HIDE whose alphabet is being worked out              */
    uint16_t operation, depth;
};

struct plumb_csp_terms {
    struct plumb_csp_world *world;
    struct plumb_base_arena arena; /* operands, bindings */
    struct plumb_csp_term_node *node;
    size_t capacity;
    uint32_t count;
    struct plumb_base_index index;
    struct plumb_csp_event_sets sets;
    struct plumb_csp_move *move;
    size_t moves, move_capacity;
    uint32_t looking, farthest; /* where moves are looked for: term_moves.c */
    bool one_by_one;            /* processes are counted: participants.h  */
    bool split;                 /* ... and one has become a composition   */
    uint32_t nesting;  /* of work in progress, to end what has no end */
    uint32_t *scratch; /* globals that effects start from      */
    uint32_t *list;    /* operands in the making               */
    size_t listed, list_capacity;
};

static inline const struct plumb_csp_term_node *plumb_csp_term_node(
    const struct plumb_csp_terms *t, uint32_t term)
{
    return &t->node[term];
}

/* The number of a node.  Its operands are copied.  PLUMB_NO_TERM: memory was
 * refused or the term is too deep; `err` says so. */
uint32_t plumb_csp_term_make(struct plumb_csp_terms *t,
                             enum plumb_csp_term_kind operation,
                             const uint32_t *operand, uint32_t count,
                             const struct plumb_csp_process *origin,
                             struct plumb_error *err);

/* The same without making it: PLUMB_NO_TERM if it was not made yet. */
uint32_t plumb_csp_term_find(const struct plumb_csp_terms *t,
                             enum plumb_csp_term_kind operation,
                             const uint32_t *operand, uint32_t count);

/* Operands in the making: a stack.  False when memory is refused. */
bool plumb_csp_term_push(struct plumb_csp_terms *t, uint32_t operand);
/* Make a node of what was pushed since `from`, and take that away. */
uint32_t plumb_csp_term_pop(struct plumb_csp_terms *t, size_t from,
                            enum plumb_csp_term_kind operation,
                            const struct plumb_csp_process *origin,
                            struct plumb_error *err);

/* Memory was refused: PLUMB_NO_TERM, and `err` says so. */
uint32_t plumb_csp_term_refuse(struct plumb_error *err);
/* The same, and what was pushed since `from` goes. */
uint32_t plumb_csp_term_drop(struct plumb_csp_terms *t, size_t from,
                             struct plumb_error *err);

/* Is a condition true, or false, in every state?  PLUMB_NONE is true. */
bool plumb_csp_term_always(const struct plumb_csp_terms *t, uint32_t condition);
bool plumb_csp_term_never(const struct plumb_csp_terms *t, uint32_t condition);

/* Which operands are terms: operand[first], and every step-th from there on,
 * `count` of them. */
struct plumb_csp_children {
    uint32_t first, step, count;
};
struct plumb_csp_children plumb_csp_term_children(
    const struct plumb_csp_term_node *n);

/* Term `term` with its child-th child replaced. */
uint32_t plumb_csp_term_replace(struct plumb_csp_terms *t, uint32_t term,
                                uint32_t child, uint32_t by,
                                struct plumb_error *err);

/* Normal and acting forms; the body of a reference whose arguments are known,
 * and of any (unknown arguments left open) for walks. */
uint32_t plumb_csp_term_normal(struct plumb_csp_terms *t, uint32_t term,
                               struct plumb_error *err);
uint32_t plumb_csp_term_acting(struct plumb_csp_terms *t, uint32_t term,
                               struct plumb_error *err);
uint32_t plumb_csp_term_body(struct plumb_csp_terms *t, uint32_t reference,
                             struct plumb_error *err);
bool plumb_csp_term_is_settled(const struct plumb_csp_terms *t,
                               uint32_t reference);
/* The reference with the values its arguments have now. */
uint32_t plumb_csp_term_settle(struct plumb_csp_terms *t, uint32_t reference,
                               const uint32_t *globals,
                               struct plumb_error *err);

struct plumb_csp_place plumb_csp_term_place(const struct plumb_csp_terms *t,
                                            uint32_t term);

/* Deeper work: false, with an error, where it seems to have no end. */
bool plumb_csp_term_enter(struct plumb_csp_terms *t, uint32_t term,
                          struct plumb_error *err);
static inline void plumb_csp_term_leave(struct plumb_csp_terms *t)
{
    assert(t->nesting);
    t->nesting--;
}

#endif
