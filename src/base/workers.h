/* workers.h - threads that share out a list of tasks.
 *
 * Tasks are handed out in order, and none behind one after which nothing
 * matters any more.  So all before the first such task are done, whatever the
 * timing. */
#ifndef PLUMB_BASE_WORKERS_H
#define PLUMB_BASE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

enum { PLUMB_MOST_WORKERS = 256 };

/* `member`, below plumb_base_workers_size(), is the thread that does the task.  False:
 * what is behind this task does not matter. */
typedef bool plumb_base_task(void *context, unsigned member, uint32_t task);

/* How many threads there will be, if the system has as many. */
unsigned plumb_base_workers_size(unsigned jobs, uint32_t tasks);

/* The calling thread is one of them.  Returns the first task that answered
 * false, or `tasks`. */
uint32_t plumb_base_workers_run(unsigned jobs, uint32_t tasks,
                                plumb_base_task *task, void *context);

#endif
