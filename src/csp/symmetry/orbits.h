/* orbits.h - the states of a system, one of those that differ in who is who.
 *
 * A source (graph.h).  Where components are identical and nothing is renamed,
 * its graph is that of the system with bisimilar states merged.
 *
 * Where process ids are renamed, a step may lead to a state that another one
 * stands for: its image by a permutation p.  A renaming is an *event* here: the
 * implementation does the step and then the event [p]; the specification, of
 * which all states are there, can do [p] in every state u, which leads to the
 * image of u.  So everything that decides or verifies refinement of traces does
 * so for states up to renaming, without knowing of it.  A hidden step and its
 * renaming are one step.  Only shifts (permutation.h) are events; another
 * permutation is several, one after the other. */
#ifndef PLUMB_CSP_SYMMETRY_ORBITS_H
#define PLUMB_CSP_SYMMETRY_ORBITS_H

#include "csp/states/object_source.h"
#include "symmetry.h"

enum plumb_csp_orbits_kind {
    PLUMB_ORBITS_MERGED,  /* one state for all, renamings are not told      */
    PLUMB_ORBITS_RENAMED, /* one for all, renamings are events              */
    PLUMB_ORBITS_ALL      /* all of them, and all renamings are possible    */
};

struct plumb_csp_orbits_request {
    enum plumb_csp_orbits_kind kind;
    enum plumb_csp_reduction reduction;
    bool quiet; /* termination is hidden */
};

struct plumb_csp_orbits;

enum plumb_status plumb_csp_orbits_open(
    struct plumb_csp_orbits **o, struct plumb_csp_system *s,
    struct plumb_csp_symmetry *symmetry, struct plumb_csp_renames *renaming,
    const struct plumb_csp_orbits_request *request, struct plumb_error *err);
void plumb_csp_orbits_free(struct plumb_csp_orbits *o);
struct plumb_csp_graph_source plumb_csp_orbits_source(
    struct plumb_csp_orbits *o);

/* How many states stand for all of them, so far. */
uint32_t plumb_csp_orbits_count(const struct plumb_csp_orbits *o);
uint32_t plumb_csp_orbits_slots(const struct plumb_csp_orbits *o);

/* The index-th edge of a state: the event that happens, where it leads before
 * anything is renamed, and the renaming that follows.  PLUMB_END if nothing
 * happens but renaming. */
struct plumb_csp_orbit_step {
    uint32_t event;
    const uint32_t *target; /* until the next call */
    uint32_t permutation;
};
enum plumb_status plumb_csp_orbits_step(struct plumb_csp_orbits *o,
                                        uint32_t state, uint32_t index,
                                        struct plumb_csp_orbit_step *step,
                                        struct plumb_error *err);

/* ---- a built-in specification ---- */

/* Its states, and all renamings: another source around it. */
struct plumb_csp_renamed_object;
enum plumb_status plumb_csp_renamed_object_open(
    struct plumb_csp_renamed_object **r, struct plumb_csp_object_source *object,
    struct plumb_csp_renames *renaming, struct plumb_error *err);
void plumb_csp_renamed_object_free(struct plumb_csp_renamed_object *r);
struct plumb_csp_graph_source plumb_csp_renamed_object_source(
    struct plumb_csp_renamed_object *r);

#endif
