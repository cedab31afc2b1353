/* term_reach.h - what a term can ever do, found by walking over its text and
 * the definitions it refers to.  Nothing is run: it is what may happen. */
#ifndef PLUMB_CSP_TERMS_TERM_REACH_H
#define PLUMB_CSP_TERMS_TERM_REACH_H

#include "term_store.h"

/* The alphabet of an operand of ||: what #alphabet says of the definition it
 * refers to, or the events without a program in its text whose data are known.
 * PLUMB_NO_SET on an error. */
uint32_t plumb_csp_term_alphabet(struct plumb_csp_terms *t, uint32_t term,
                                 struct plumb_error *err);

struct plumb_csp_reach {
    uint64_t *reads, *writes; /* a bit per global slot */
    bool complete; /* else the walk was too long: anything may happen */
    bool atomic;   /* there is an atomic { }                          */
    bool meets;    /* ... a channel of capacity 0                     */
    bool several;  /* ... processes side by side                      */
};

/* Adds to reads and writes; sets the others. */
enum plumb_status plumb_csp_term_reach(struct plumb_csp_terms *t, uint32_t term,
                                       struct plumb_csp_reach *r,
                                       struct plumb_error *err);

#endif
