/* unseen_code.h - code of a target that no hook tells of. */
#ifndef PLUMB_CLI_UNSEEN_CODE_H
#define PLUMB_CLI_UNSEEN_CODE_H

#include "exploration.h"

/* Fills in e->unseen: such code makes a pass undecided, and hides what orders
 * plain accesses, so that races cannot be told either. */
void unseen_code_find(struct exploration *e);

#endif
