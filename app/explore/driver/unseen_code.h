/* unseen_code.h - code of a target that no hook tells of. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_UNSEEN_CODE_H
#define PLUMB_APP_EXPLORE_DRIVER_UNSEEN_CODE_H

#include "exploration.h"

/* Fills in e->unseen: such code makes a pass undecided, and hides what orders
 * plain accesses, so that races cannot be told either. */
void explore_unseen_code_find(struct exploration *e);

#endif
