/* system.h - a process of a model, as a machine that goes from state to state.
 *
 * A state is a vector of 32-bit slots: the globals as model.h lays them out,
 * then one *term* for each component of the process at the top.  A term is the
 * number of a process expression in which everything that can be known is put
 * in: equal expressions, equal numbers (terms.h).
 *
 * Counting.  PAT 3 counts a reference P(3) and what it stands for as one
 * state, PAT 2 did not; nothing else depends on it. */
#ifndef PLUMB_CSP_STATES_SYSTEM_H
#define PLUMB_CSP_STATES_SYSTEM_H

#include "base/text.h"
#include "csp/formulas/formulas.h"
#include "csp/language/model.h"
#include "csp/terms/compiled_moves.h"
#include "csp/terms/event_numbers.h"
#include "graph.h"

enum plumb_csp_counting { PLUMB_COUNT_PAT3, PLUMB_COUNT_PAT2 };

/* Who makes states; all zeros: the thread that asks for them. */
struct plumb_csp_threading {
    unsigned threads; /* with the one that asks     */
    uint32_t after;   /* so many states             */
    uint32_t block;   /* states at a time; 0: as many as are good */
};

/* What both sides of a refinement share. */
struct plumb_csp_world {
    const struct plumb_csp_model *model;
    struct plumb_csp_event_numbers *events;
    struct plumb_csp_sequences *sequences;
    struct plumb_csp_formulas *formulas;
    struct plumb_csp_terms *terms;
    struct plumb_budget *budget;
    enum plumb_csp_counting counting;
    const struct plumb_csp_native *native; /* NULL: nothing is compiled */
    struct plumb_csp_threading threading;
    struct plumb_base_gate gate; /* of all the above that grows */
    bool unhurried; /* steps are made though time is up: to tell what was found
                       before */
};
enum plumb_status plumb_csp_world_open(struct plumb_csp_world *w,
                                       const struct plumb_csp_model *model,
                                       enum plumb_csp_counting counting,
                                       struct plumb_budget *budget,
                                       struct plumb_error *err);
void plumb_csp_world_close(struct plumb_csp_world *w);

struct plumb_csp_step {
    uint32_t event;     /* PLUMB_TAU, PLUMB_TICK, or a visible one            */
    uint32_t inside;    /* of a tau: the event that was hidden, or PLUMB_TAU  */
    uint64_t actors;    /* the components that take part, a bit each (those
                        beyond 64 share the last bit)                      */
    uint64_t processes; /* those of them that fairness is about, a bit each,
                           if they are counted (participants.h)            */
    uint32_t target;    /* index into the vectors of the steps, in vectors    */
    uint32_t effect[2]; /* what it runs: where two meet, the sender's first   */
    /* What the system itself uses. */
    uint32_t owner; /* the operand that makes it, while steps are joined   */
    bool atomic;    /* inside atomic { }                                   */
    bool program;   /* an event with a program, which does not synchronise */
    bool half;      /* a message to a channel of capacity 0: the event is
                       the meeting, if somebody receives; never in the end */
    struct plumb_csp_place
        place; /* of what was written in the model          */
};

/* All steps of a state: targets are vectors of `slots` numbers each. */
struct plumb_csp_steps {
    struct plumb_csp_step *step;
    size_t capacity;
    uint32_t count;
    uint32_t *vector;
    size_t vectors;         /* as many as steps, or more */
    size_t vector_capacity; /* in words                  */
};

struct plumb_csp_system;

/* `process` is closed: its locals are bound by no definition (assertions). */
enum plumb_status plumb_csp_system_open(struct plumb_csp_system **s,
                                        struct plumb_csp_world *world,
                                        const struct plumb_csp_process *process,
                                        struct plumb_error *err);
void plumb_csp_system_free(struct plumb_csp_system *s);

uint32_t plumb_csp_system_slots(const struct plumb_csp_system *s);
uint32_t plumb_csp_system_globals(const struct plumb_csp_system *s);
uint32_t plumb_csp_system_components(const struct plumb_csp_system *s);
/* Does it have |||{..}?  Then there are more behaviours in its graph than it
 * has: what holds for all of them holds, nothing else is known. */
bool plumb_csp_system_is_abstract(const struct plumb_csp_system *s);

/* From now on steps say which processes take part (participants.h); before any
 * is made.  `*places`: so many operands are there in the beginning, 1 if it is
 * no composition then. */
struct plumb_csp_participants;
enum plumb_status plumb_csp_system_count_processes(struct plumb_csp_system *s,
                                                   uint32_t *places,
                                                   struct plumb_error *err);
/* Has one of them become a composition somewhere?  It is still one. */
bool plumb_csp_system_has_split(const struct plumb_csp_system *s);
/* NULL: they are not counted. */
const struct plumb_csp_participants *plumb_csp_system_participants(
    const struct plumb_csp_system *s);
void plumb_csp_system_initial(const struct plumb_csp_system *s,
                              uint32_t *state);

/* In a fixed order, the same each time. */
enum plumb_status plumb_csp_system_steps(struct plumb_csp_system *s,
                                         const uint32_t *state,
                                         struct plumb_csp_steps *steps,
                                         struct plumb_error *err);
void plumb_csp_steps_release(struct plumb_csp_steps *steps,
                             struct plumb_budget *budget);

/* What a component is called (the name of its definition and arguments), and
 * what it is about to do; a variable and its value. */
void plumb_csp_system_component_text(const struct plumb_csp_system *s,
                                     uint32_t component,
                                     struct plumb_base_text *out);
void plumb_csp_system_term_text(const struct plumb_csp_system *s, uint32_t term,
                                struct plumb_base_text *out);
void plumb_csp_system_slot_text(const struct plumb_csp_system *s, uint32_t slot,
                                uint32_t value, struct plumb_base_text *out);
/* "x", "a[2][1]", "c"; of a component what it is called. */
void plumb_csp_system_slot_name(const struct plumb_csp_system *s, uint32_t slot,
                                struct plumb_base_text *out);
/* How much it is: a number as it is, how many elements or messages there are; of
 * a component a number that is larger for a process that was met later. */
int64_t plumb_csp_system_slot_size(const struct plumb_csp_system *s,
                                   uint32_t slot, uint32_t value);
/* Is it of an array of a program, and 0 in every state? */
bool plumb_csp_system_slot_passes(const struct plumb_csp_system *s,
                                  uint32_t slot);

/* ---- a system as a graph ---- */

/* How many steps a state has to take: all, or fewer that say as much. */
enum plumb_csp_reduction {
    PLUMB_REDUCE_NOTHING,
    PLUMB_REDUCE_LOCAL,  /* a component's invisible step on what is its own
                            goes first: decided once, statically           */
    PLUMB_REDUCE_DYNAMIC /* the paper's rules, state by state              */
};

/* The states of a system, numbered as they are met (a source: graph.h). */
struct plumb_csp_numbering;

enum plumb_status plumb_csp_numbering_open(struct plumb_csp_numbering **states,
                                           struct plumb_csp_system *s,
                                           enum plumb_csp_reduction reduction,
                                           struct plumb_error *err);
void plumb_csp_numbering_free(struct plumb_csp_numbering *states);
struct plumb_csp_graph_source plumb_csp_numbering_source(
    struct plumb_csp_numbering *states);
/* The vector of a state; the steps as edges are numbered (after reduction). */
void plumb_csp_numbering_vector(const struct plumb_csp_numbering *states,
                                uint32_t state, uint32_t *vector);
enum plumb_status plumb_csp_numbering_steps(struct plumb_csp_numbering *states,
                                            uint32_t state,
                                            struct plumb_csp_steps *steps,
                                            struct plumb_error *err);

#endif
