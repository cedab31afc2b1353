/* step_races.h - what each thread has touched since its last event.
 *
 * The *tail* of a thread is the plain accesses that it did after the event of
 * its last step.  Nothing of the thread comes after them yet, so they happen
 * before nothing that another thread does until the thread's next step: if that
 * touches the same memory and one of the two writes, it is a race, and the two
 * can come either way round.  docs/how-exploration-works.md tells why every
 * race that memory as seen here can show is found like this, if tails are part
 * of the state.
 *
 * A step that begins an operation has plain accesses before its event, too: its
 * *front*, with that event.  Two steps that can be taken in the same state, one
 * after the other, race by their fronts. */
#ifndef PLUMB_RUNTIME_EXPLORE_RACES_STEP_RACES_H
#define PLUMB_RUNTIME_EXPLORE_RACES_STEP_RACES_H

#include "races.h"

/* Are they kept?  Then those who know of an access tell. */
extern bool races_step_on;

void races_step_begin(void); /* a new execution */
void races_step_born(unsigned thread);

/* The thread begins a step; `born`: within that of another, who starts it. */
void races_step_step(unsigned thread, bool born);

/* Of the thread that runs.  An event is an atomic access, or else something
 * that orders; one that a compare-and-swap did not do has only read. */
void races_step_plain(unsigned thread, const void *pc, const void *at,
                      size_t size, bool writes);
void races_step_event(unsigned thread, const void *pc, const void *at,
                      size_t size, bool writes);
void races_step_failed(unsigned thread);
void races_step_sync(unsigned thread);

/* Memory is freed: whoever takes it next is ordered behind this. */
void races_step_free(unsigned thread, const void *pc, const void *at,
                     size_t size);

/* The thread has ended, and somebody has waited for that. */
void races_step_joined(unsigned thread);

/* Of its tail, for the fingerprint of the state. */
uint64_t races_step_hash(unsigned thread);

/* The step that was just done, number `depth`, was not done in this state
 * before; states are visited depth first.  Each of its accesses that races is
 * told: `shown` if this execution is one in which it does, else another is.
 * NULL is told if what was compared so far has to be explored again. */
void races_step_compare(uint32_t depth,
                        void tell(void *context, const struct race *race,
                                  bool shown),
                        void *context);

/* Between steps: tails, and who is there.  Fronts belong to the search. */
struct memory_tape;
void races_step_pass(struct memory_tape *tape);

/* There was no room: races may have been missed since the program began. */
extern bool races_step_incomplete;

#endif
