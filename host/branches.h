/* branches.h - hands for dpor: workers that are given pieces of branches.
 *
 * What came of a branch is kept until it is joined to another or dropped. */
#ifndef PLUMB_HOST_BRANCHES_H
#define PLUMB_HOST_BRANCHES_H

#include "sharing.h"

/* Their context is a struct host_sharing. */
extern const struct plumb_strategies_hands host_branches;

#endif
