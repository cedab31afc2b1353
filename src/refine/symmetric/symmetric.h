/* symmetric.h - an assertion decided for states up to who is who.
 *
 * Where it applies (process_ids.h, symmetry.h, orbits.h) there are other graphs
 * for the two sides of a judgement, with one state for many.  What is found
 * there is told again in the graph of the model: every step undoes the
 * renamings before it. */
#ifndef PLUMB_REFINE_SYMMETRIC_SYMMETRIC_H
#define PLUMB_REFINE_SYMMETRIC_SYMMETRIC_H

#include "csp/symmetry/orbits.h"
#include "refine/engines/refine.h"

enum plumb_refine_symmetry_use {
    PLUMB_SYMMETRY_AUTO, /* where it pays */
    PLUMB_SYMMETRY_ON,   /* where it is sound */
    PLUMB_SYMMETRY_OFF
};

struct plumb_refine_symmetric_side {
    struct plumb_csp_symmetry *symmetry;
    struct plumb_csp_orbits *orbits;
    struct plumb_csp_renamed_object *object;
    struct plumb_csp_graph *graph;
};

struct plumb_refine_symmetric {
    struct plumb_csp_world *world;
    struct plumb_base_arena arena;
    struct plumb_csp_renames renaming;
    struct plumb_refine_symmetric_side impl, spec;
    bool applies;
    uint32_t renamed; /* so many processes are renamed; 0: none            */
    uint64_t order;   /* as many states can become one                     */
    struct plumb_csp_process_ids_refusal
        why; /* if none are renamed            */
};

/* What there is of an assertion: systems of both sides, or a built-in
 * specification, or no specification. */
struct plumb_refine_symmetric_request {
    const struct plumb_csp_assertion *assertion;
    struct plumb_csp_system *impl, *spec;
    struct plumb_csp_object_source *object;
    bool renames; /* process ids may be renamed: traces, or no specification */
    bool quiet;
    enum plumb_csp_reduction reduction;
};

/* `y` is to be closed in any case.  If it `applies` there are graphs. */
enum plumb_status plumb_refine_symmetric_open(
    struct plumb_refine_symmetric *y, struct plumb_csp_world *world,
    const struct plumb_refine_symmetric_request *request,
    struct plumb_error *err);
void plumb_refine_symmetric_close(struct plumb_refine_symmetric *y);

/* A path of the implementation's graph here, as one in a graph of the model
 * that has all steps (`numbering` has its vectors).  path[cycle..] goes round,
 * if cycle < length; then it may have to do so several times. */
struct plumb_refine_retelling {
    const struct plumb_refine_hop *path;
    uint32_t length, cycle;
    uint32_t final; /* where it ends, filled in */
};
enum plumb_status plumb_refine_symmetric_retell(
    struct plumb_refine_symmetric *y, struct plumb_csp_graph *graph,
    struct plumb_csp_numbering *numbering, bool quiet,
    struct plumb_base_arena *arena, struct plumb_refine_retelling *path,
    struct plumb_error *err);

#endif
