/* worker_pool.h - processes that do portions of one exploration.
 *
 * The leader is the process that plumb knows.  Its workers are forks of it:
 * they have the same target at the same addresses, and go through the same
 * portions in the same order.  Each portion is run by the first worker that
 * comes to it, who tells the leader what came of it; the leader takes that in
 * order, and runs itself what no worker has done to the end.  So a worker may
 * die at any place: if the target did it, the leader comes to the same place
 * and dies, too. */
#ifndef PLUMB_HOST_WORKER_POOL_H
#define PLUMB_HOST_WORKER_POOL_H

#include "runtime/explore/job/job.h"

enum { POOL_MOST = 64 };

/* Fork so many.  In a worker `job` is another one from here on, of its own, at
 * the same address; it has the request, the target and the coverage of the
 * leader's.  False if there is none. */
bool host_pool_start(struct job *job, unsigned workers);
/* Kill them; or nothing. */
void host_pool_end(void);

bool host_pool_is_there(void);
bool host_pool_is_worker(void);

/* Of workers: the job of the leader, to be read only. */
const struct job *host_pool_leaders_job(void);
/* ... how many executions were before the portion that it is at. */
uint64_t host_pool_executions(void);
/* ... this portion is ours now, and nobody else's; or somebody else's. */
bool host_pool_claim(uint64_t portion);
/* ... it seems to be the last: the exploration ends in it, or begins anew. */
void host_pool_foresee_end(uint64_t portion);
/* ... so many executions it has run: a sign of life. */
void host_pool_count(uint64_t executions);
/* ... what came of it: one part behind the other. */
void host_pool_send(uint64_t portion, const void *what, size_t size,
                    const void *more, size_t more_size);

/* The leader says where it is. */
void host_pool_reach(uint64_t portion, uint64_t executions);
/* How large portions are, from here on: the same for all, as the leader said
 * when it was an epoch before. */
enum { EPOCH = 32 };
uint64_t host_pool_agree(uint64_t portion, uint64_t most);
/* Everybody meets before this portion, and hears what the leader says. */
uint32_t host_pool_meet(uint64_t portion, uint32_t says);

enum host_pool_answer { POOL_DONE, POOL_NOBODY, POOL_STOPPED };
/* Wait for it.  `size` bytes at *what are valid until the next call.  Asks now
 * and then whether to go on, with the number of executions of all workers. */
enum host_pool_answer host_pool_receive(uint64_t portion, const void **what,
                                        size_t *size,
                                        bool (*goes_on)(void *, uint64_t),
                                        void *context);

/* ---- a worker pool that is given its work ---- */

/* The leader.  Has any worker nothing to do? */
bool host_pool_is_idle(void);
/* Give it this.  One that was lost is replaced before.  False: there is nobody,
 * or this process is the new worker. */
bool host_pool_give(struct job *job, unsigned number, const void *what,
                    size_t size);
/* Wait for anybody; `number` is what it was given.  POOL_NOBODY: it was lost. */
enum host_pool_answer host_pool_wait(unsigned *number, const void **what,
                                     size_t *size,
                                     bool (*goes_on)(void *, uint64_t),
                                     void *context);
/* Who was waited for will do no more. */
void host_pool_let_go(void);
/* A worker: what it is given. */
bool host_pool_take(const void **what, size_t *size);

/* The job of a worker whose last portion was the first of all that ended so, or
 * NULL: for what is told when there is no time to wait for those before. */
const struct job *host_pool_first_finding(void);

#endif
