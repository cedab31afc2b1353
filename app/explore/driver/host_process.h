/* host_process.h - the process that runs a target: started, watched, ended.
 *
 * It shares a `struct job` with us (runtime/explore/job/job.h) and ends by itself when the
 * job is done; a target may end it earlier.  The job outlives it. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_HOST_PROCESS_H
#define PLUMB_APP_EXPLORE_DRIVER_HOST_PROCESS_H

#include "runtime/explore/job/job.h"
#include <sys/types.h>

struct explore_host_process {
    struct job *job; /* mapped, or NULL                        */
    int file;        /* the memory behind it                   */
    pid_t pid;       /* 0: it does not run                     */
    int how;         /* ... since waitpid() said this of it    */
    bool killed;     /* by us: it did not end when it was told */
    bool stalled;    /* ... or nothing happened any more       */
};

/* Where plumb-host is: $PLUMB_HOST, else beside the program, else where it is
 * installed.  False after saying that there is none. */
bool explore_host_find(char path[PATH_MAX]);

/* A new job, all zero but for the request's version.  False after saying that
 * there is no memory. */
bool explore_host_open(struct explore_host_process *h);

/* Run the job.  False after saying why it cannot be. */
bool explore_host_start(struct explore_host_process *h);

/* Has it ended?  From then on the job may be read: counts, indexes and texts
 * in it are as runtime/explore/job/job.h has them, whatever the target did. */
bool explore_host_has_ended(struct explore_host_process *h);

/* Ask it to end; and make it. */
void explore_host_stop(struct explore_host_process *h);
void explore_host_kill(struct explore_host_process *h);

/* How it died, in words, in `text`: "Segmentation fault", "exit status 3". */
enum { HOST_DEATH = 80 };
const char *explore_host_death(const struct explore_host_process *h,
                               char text[HOST_DEATH]);

void explore_host_close(struct explore_host_process *h);

#endif
