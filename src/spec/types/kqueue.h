/* kqueue.h - the states of a quasi queue, queue:k=K. */
#ifndef PLUMB_SPEC_KQUEUE_H
#define PLUMB_SPEC_KQUEUE_H

#include "spec/spec.h"

bool plumb_kqueue_open(struct plumb_space *space);
void plumb_kqueue_close(struct plumb_space *space);
plumb_state plumb_kqueue_initial(struct plumb_space *space);
bool plumb_kqueue_step(struct plumb_space *space, plumb_state s,
                       const struct plumb_action *a, struct plumb_states *out);
void plumb_kqueue_show(const struct plumb_space *space, plumb_state s,
                       struct plumb_text *out);

#endif
