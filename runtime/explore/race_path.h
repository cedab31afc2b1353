/* race_path.h - races along executions that begin as the one before did. */
#ifndef PLUMB_EXPLORE_RACE_PATH_H
#define PLUMB_EXPLORE_RACE_PATH_H

#include <stdbool.h>

/* A new execution.  What is noted before its first step is in the log. */
void race_path_begin(void);

/* The thread is about to take a step, by this option of a choice.  False: what
 * it does is known, and does not race.  True: it is to be noted, and is looked
 * at at once. */
bool race_path_step(unsigned thread, unsigned option);

/* The step that runs is known. */
bool race_path_is_known(void);

/* Look closely at all that was noted, and write no more down. */
void race_path_look(void);

/* The same steps will not be the same. */
void race_path_forget(void);

#endif
