/* race_path.h - races along executions that begin as the one before did. */
#ifndef PLUMB_EXPLORE_RACE_PATH_H
#define PLUMB_EXPLORE_RACE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* A new execution.  What is noted before its first step is in the log. */
void race_path_begin(void);

/* The thread is about to take a step, by this option of a choice.  False: what
 * it does is known, and does not race. */
bool race_path_step(unsigned thread, unsigned option);

/* True: it does not race.  False: look closely, races_now(). */
bool race_path_note(unsigned kind, unsigned thread, const void *pc,
                    const void *at, size_t size, int order);

/* Is it still at a glance that this execution is looked at?  Look closely at all
 * there was so far, and no more at a glance. */
bool race_path_is_open(void);
void race_path_look(void);

/* The same steps will not be the same. */
void race_path_forget(void);

#endif
