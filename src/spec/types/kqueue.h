/* kqueue.h - the states of a quasi queue, queue:k=K. */
#ifndef PLUMB_SPEC_TYPES_KQUEUE_H
#define PLUMB_SPEC_TYPES_KQUEUE_H

#include "spec/spec.h"

bool plumb_spec_kqueue_open(struct plumb_spec_space *space);
void plumb_spec_kqueue_close(struct plumb_spec_space *space);
plumb_spec_state plumb_spec_kqueue_initial(struct plumb_spec_space *space);
bool plumb_spec_kqueue_step(struct plumb_spec_space *space, plumb_spec_state s,
                            const struct plumb_spec_action *a,
                            struct plumb_spec_states *out);
void plumb_spec_kqueue_show(const struct plumb_spec_space *space,
                            plumb_spec_state s, struct plumb_base_text *out);

#endif
