/* symmetry_slots.h - the inside of symmetry.h, for the files symmetry*.c. */
#ifndef PLUMB_CSP_SYMMETRY_SYMMETRY_SLOTS_H
#define PLUMB_CSP_SYMMETRY_SYMMETRY_SLOTS_H

#include "csp/states/system_shape.h"
#include "symmetry.h"

/* Identical components, side by side in `slot`. */
struct plumb_csp_symmetry_group {
    uint32_t first, count;
};

struct plumb_csp_symmetry {
    struct plumb_csp_system *system;
    struct plumb_csp_renames *renaming;
    struct plumb_budget *budget;
    struct plumb_base_arena arena;
    uint32_t slots;
    struct plumb_csp_symmetry_group *group;
    uint32_t groups;
    uint32_t *slot;                /* of identical components                */
    bool *holds_id;                /* by slot */
    struct plumb_base_pairs known; /* permutations, (p, 0)                   */
    uint32_t **map;                /* of each: where a slot goes             */
    size_t map_room;
    uint32_t rows; /* slots that each process id owns          */
    uint32_t *row[PLUMB_MOST_PROCESS_IDS];
    bool linked; /* there are slots that nobody owns       */
    uint32_t *best, *image, *key;
};

#endif
