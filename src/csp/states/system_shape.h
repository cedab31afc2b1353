/* system_shape.h - the inside of a system: its components and how they stand
 * side by side.
 *
 * The top of a process is ||| and || and hiding, as deep as that goes: it does
 * not change as the process runs.  What is below is a component, with a slot
 * of its own in the state, so that a step writes one slot and no term of the
 * whole is ever made. */
#ifndef PLUMB_CSP_STATES_SYSTEM_SHAPE_H
#define PLUMB_CSP_STATES_SYSTEM_SHAPE_H

#include "csp/terms/term_steps.h"
#include "steps.h"

enum plumb_csp_shape_kind {
    PLUMB_SHAPE_COMPONENT,
    PLUMB_SHAPE_HIDE, /* operand[0], and set                    */
    PLUMB_SHAPE_JOINT /* operands, alphabets if they share some */
};

struct plumb_csp_shape {
    enum plumb_csp_shape_kind kind;
    uint32_t first, components; /* that are below it */
    uint32_t set;
    uint32_t operands;
    struct plumb_csp_shape *const *operand;
    const uint32_t *alphabet;
    struct plumb_csp_shape *above; /* NULL: the top */
};

struct plumb_csp_component {
    struct plumb_csp_shape *shape;
    uint32_t written; /* the term as it was written */
    /* If processes are counted (participants.h): where those of it begin, and
     * whether they are to be looked for in it, or it is one itself. */
    uint32_t place;
    bool several;
};

struct plumb_csp_system {
    struct plumb_csp_world *world;
    struct plumb_base_arena arena;
    struct plumb_csp_shape *top;
    struct plumb_csp_component *component;
    size_t component_capacity;
    uint32_t components, globals, slots;
    uint32_t *initial; /* all components in the beginning               */
    uint32_t whole;    /* by PAT 2's counting the first state is the
                          reference to the whole, else PLUMB_NO_TERM    */
    bool abstract;
    struct plumb_csp_participants *who; /* NULL: they are not counted        */
    struct plumb_csp_steps own; /* of a component whose term is not plain   */
};

/* Find the shape of the written term; fills in top, component, components. */
enum plumb_status plumb_csp_system_find_shape(struct plumb_csp_system *s,
                                              uint32_t written,
                                              struct plumb_error *err);

/* Add the steps of a part of the system in `state`. */
enum plumb_status plumb_csp_shape_go(struct plumb_csp_system *s,
                                     const struct plumb_csp_shape *shape,
                                     struct plumb_csp_stepping *g);

/* The steps of one component alone, with what is hidden above it hidden; the
 * owner of a step is the number of its move.  PLUMB_END if its term is not
 * plain. */
enum plumb_status plumb_csp_component_steps(struct plumb_csp_system *s,
                                            uint32_t component,
                                            const uint32_t *state,
                                            struct plumb_csp_steps *steps,
                                            struct plumb_error *err);

/* Add the steps of a component, whatever its term is; nothing is hidden, and
 * half steps are among them. */
enum plumb_status plumb_csp_component_go(struct plumb_csp_system *s,
                                         uint32_t component,
                                         struct plumb_csp_stepping *g);

#endif
