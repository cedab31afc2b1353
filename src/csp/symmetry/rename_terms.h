/* rename_terms.h - terms and events after processes are renamed.
 *
 * What the term of Client(0) becomes if 0 is called 2 is what the same text
 * gives for Client(2): the same number, since equal terms have equal numbers.
 * Images are kept. */
#ifndef PLUMB_MODEL_RENAME_TERMS_H
#define PLUMB_MODEL_RENAME_TERMS_H

#include "base/couples.h"
#include "identities.h"
#include "csp/states/system.h"

struct plumb_renames {
    struct plumb_world *world;
    struct plumb_identities identities;
    struct plumb_couples asked; /* (term, permutation)                    */
    uint32_t *image;            /* of each                                */
    size_t image_room;
    bool refused; /* a term was met that the rules of identities.c do not
                     let through; what was made so far proves nothing      */
};

void plumb_renames_init(struct plumb_renames *r, struct plumb_world *world,
                        const struct plumb_identities *identities);
void plumb_renames_release(struct plumb_renames *r);

/* PLUMB_NO_TERM on an error. */
uint32_t plumb_term_image(struct plumb_renames *r, uint32_t term,
                          uint32_t permutation, struct plumb_error *err);
/* UINT32_MAX when memory is refused. */
uint32_t plumb_event_image(struct plumb_renames *r, uint32_t event,
                           uint32_t permutation);

#endif
