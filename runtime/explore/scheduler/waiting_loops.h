/* waiting_loops.h - threads that go round in a loop until somebody else changes
 * something.
 *
 * A thread that stands where it stood before, with the same stack and the same
 * registers, and since then has changed nothing, has done a *round*.  Without
 * it everything else would have happened all the same; so no result is lost if
 * a thread does no second round: it would read the same values again, and do
 * the same again, until one of the places it has read is changed.
 *
 * What a thread has done is told by itself: these functions are about the
 * thread that runs, unless they name one. */
#ifndef PLUMB_RUNTIME_EXPLORE_SCHEDULER_WAITING_LOOPS_H
#define PLUMB_RUNTIME_EXPLORE_SCHEDULER_WAITING_LOOPS_H

#include "strategies/machine.h"
#include <stdbool.h>
#include <stddef.h>

enum { AWAITING_READS = 64 };

/* Is anything told at all? */
extern bool scheduler_awaiting_on;

/* An execution begins. */
void scheduler_awaiting_begin(void);

/* Where threads have been, to which they could come back.  To read it, begin
 * first, and have the threads. */
struct memory_tape;
void scheduler_awaiting_pass(struct memory_tape *tape);

/* It reads; it does what may write, and may leave what is there. */
void scheduler_awaiting_read(const void *at, size_t size);
void scheduler_awaiting_write(const void *at, size_t size);

/* It does anything else that may make a difference to anybody. */
void scheduler_awaiting_progress(void);

/* It tried something with an object of synchronisation: progress, unless it is
 * said in the same step that it has only looked at its memory. */
void scheduler_awaiting_try(void);
void scheduler_awaiting_look(const void *at, size_t size);

/* The step is done: thread `t` stands before its next event. */
void scheduler_awaiting_stands(unsigned t);

/* Has it just done a round?  And would it do the same again? */
bool scheduler_awaiting_has_repeated(unsigned t);
bool scheduler_awaiting_would_repeat(unsigned t);

/* What it has read in that round; so many. */
unsigned scheduler_awaiting_reads(unsigned t,
                                  struct plumb_strategies_event *read,
                                  unsigned most);

#endif
