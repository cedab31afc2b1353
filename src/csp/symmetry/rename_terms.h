/* rename_terms.h - terms and events after processes are renamed.
 *
 * What the term of Client(0) becomes if 0 is called 2 is what the same text
 * gives for Client(2): the same number, since equal terms have equal numbers.
 * Images are kept. */
#ifndef PLUMB_CSP_SYMMETRY_RENAME_TERMS_H
#define PLUMB_CSP_SYMMETRY_RENAME_TERMS_H

#include "base/pair_index.h"
#include "csp/states/system.h"
#include "process_ids.h"

struct plumb_csp_renames {
    struct plumb_csp_world *world;
    struct plumb_csp_process_ids ids;
    struct plumb_base_pairs asked; /* (term, permutation)                    */
    uint32_t *image;               /* of each                                */
    size_t image_room;
    bool refused; /* a term was met that the rules of process_ids.c do not
                     let through; what was made so far proves nothing      */
};

void plumb_csp_renames_init(struct plumb_csp_renames *r,
                            struct plumb_csp_world *world,
                            const struct plumb_csp_process_ids *ids);
void plumb_csp_renames_release(struct plumb_csp_renames *r);

/* PLUMB_NO_TERM on an error. */
uint32_t plumb_csp_term_image(struct plumb_csp_renames *r, uint32_t term,
                              uint32_t permutation, struct plumb_error *err);
/* UINT32_MAX when memory is refused. */
uint32_t plumb_csp_event_image(struct plumb_csp_renames *r, uint32_t event,
                               uint32_t permutation);

#endif
