/* race_path.h - races along executions that begin as the one before did. */
#ifndef PLUMB_RUNTIME_EXPLORE_RACES_RACE_PATH_H
#define PLUMB_RUNTIME_EXPLORE_RACES_RACE_PATH_H

#include <stdbool.h>
#include <stdint.h>

/* A new execution.  What is noted before its first step is in the log. */
void race_path_begin(void);

/* Steps that are known, from the one that comes next on.  None is: both are the
 * same. */
struct race_path {
    const uint16_t *next, *end;
};
extern struct race_path race_path;

static inline uint16_t race_path_name(unsigned thread, unsigned option)
{
    return (uint16_t)(thread << 8 | option);
}

static inline bool race_path_is_next(uint16_t name)
{
    return race_path.next != race_path.end && *race_path.next == name;
}

bool race_path_new_step(uint16_t name);

/* The thread is about to take a step, by this option of a choice.  False: what
 * it does is known, and does not race.  True: it is to be noted. */
static inline bool race_path_step(unsigned thread, unsigned option)
{
    const uint16_t name = race_path_name(thread, option);
    if (!race_path_is_next(name))
        return race_path_new_step(name);
    race_path.next++;
    return false;
}

/* What is noted is looked at by the prefilter, when the step is done; that is to
 * be said.  Look closely at all that was, and so at what comes. */
bool race_path_is_open(void);
void race_path_settle(void);
void race_path_look(void);

/* Between steps: can an execution come back to here?  Not if what comes is
 * looked at closely. */
bool race_path_can_pass(void);
struct memory_tape;
void race_path_pass(struct memory_tape *tape);

/* The same steps will not be the same. */
void race_path_forget(void);

#endif
