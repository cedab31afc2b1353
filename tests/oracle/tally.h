/* tally.h - what kinds of histories were there? */
#ifndef TALLY_H
#define TALLY_H

#include "generate.h"

struct tally {
    const struct alphabet *alphabet;
    uint64_t histories, linearizable;
    uint64_t other; /* linearizable, but neither by call nor by return */
    uint64_t instance[MAX_INSTANCES]; /* operations that answered so */
    uint64_t pending[MAX_CALLS];
};

void tally_add(struct tally *t, const struct draft *d, bool linearizable);
void tally_add_other(struct tally *t);

/* Percent of the histories, and of the linearizable ones. */
double tally_linearizable(const struct tally *t);
double tally_other(const struct tally *t);

/* Has every call been pending, and been given every answer?  Names the first
 * that was not on stderr. */
bool tally_covers(const struct tally *t);

#endif
