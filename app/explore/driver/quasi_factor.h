/* quasi_factor.h - `--quasi`: a specification that is relaxed by K, and the
 * search for the smallest K without a violation.
 *
 *     K = 0; tests one by one --violation--> is there a larger K that accepts
 *     this history?  --the smallest one--> the same test again
 *
 * What k=K accepts k=K+1 accepts, so the tests before need not be run again; and
 * a test of n operations that k=n does not accept no K does. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_QUASI_FACTOR_H
#define PLUMB_APP_EXPLORE_DRIVER_QUASI_FACTOR_H

#include "exploration.h"

/* Judge by the specification of e->strict_name with k=K from now on.  False
 * after saying why it cannot be. */
bool exploration_relax(struct exploration *e, unsigned k);

enum explore_factor { FACTOR_RAISED, FACTOR_NONE, FACTOR_UNKNOWN };

/* The smallest K above e->factor that accepts what finding `f` shows becomes
 * that of `e`.  NONE: no K does, and `e` has the largest that matters.  UNKNOWN:
 * that cannot be told, or not by a specification; `e` is as it was. */
enum explore_factor exploration_raise_factor(struct exploration *e,
                                             const struct job *job,
                                             const struct job_finding *f);

#endif
