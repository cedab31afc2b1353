/* findings.h - what went wrong, each once, with the schedule that shows it. */
#ifndef PLUMB_HOST_FINDINGS_H
#define PLUMB_HOST_FINDINGS_H

#include "strategies/explore.h"
#include "test_driver.h"

/* Add one, unless there is one like it: the same fault at the same place, and a
 * history that is wrong in the same way (wrong_answer.h).  NULL if so, or if
 * there is no room, which job->more_findings tells. */
struct job_finding *host_findings_add(struct host_driver *p,
                                      const struct scheduler_finding *f,
                                      const struct plumb_strategies_step *step,
                                      uint32_t length);

/* A race, while the execution goes on; its schedule is job->now. */
void host_findings_race(void *play, const struct race *race);

/* Races are found on the way, where only threads are known: the execution has
 * ended, and tells the preemptions of those from number *counted on. */
void host_findings_count_preemptions(struct job *job,
                                     const struct plumb_strategies_execution *x,
                                     uint32_t *counted);

/* The points of the request. */
void host_findings_add_points(const struct job *job);

/* One that no execution shows yet: both places become events, no more.
 * NULL: what was explored before is not all. */
void host_findings_suspect(void *play, const struct race *race);

/* Places of races were made events: what was explored before is not all. */
bool host_findings_new_points(void);
bool host_findings_has_new_points(void); /* and it will be told again */

/* What is like one of these is no news, either. */
void host_findings_know(const struct job *others);

#endif
