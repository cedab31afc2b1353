/* worker_pool_state.h - what the parts of a worker pool know of each other.
 *
 * worker_pool.c has its processes, worker_pool_board.c what they read and write in memory that
 * all share, worker_pool_messages.c what they send each other, worker_pool_work.c the work that is
 * given rather than claimed. */
#ifndef PLUMB_HOST_WORKER_POOL_STATE_H
#define PLUMB_HOST_WORKER_POOL_STATE_H

#include "worker_pool.h"

#include <sys/types.h>

enum {
    POOL_CLAIMS = 1024,
    POOL_WORKER_BITS = 8, /* of a slot */
    POOL_MEETINGS = 64,
    POOL_EPOCHS = 1 << 16,
    POOL_PATIENCE = 20,  /* milliseconds until a waiting leader looks around */
    POOL_STALLED = 3000, /* ... until it does itself what a worker does not   */
};

/* Memory that all share. */
struct host_pool_board {
    _Atomic uint64_t reached; /* portions that the leader has come to   */
    _Atomic uint64_t executions;
    _Atomic uint64_t last; /* portion, as it seems; or UINT64_MAX        */
    uint32_t said[POOL_MEETINGS];
    uint64_t most[POOL_EPOCHS];
    _Atomic uint64_t slot[POOL_CLAIMS];
    struct {
        _Alignas(64) _Atomic uint64_t executions, claimed;
    } of[POOL_MOST];
};

struct host_pool_worker {
    pid_t pid; /* 0: it is no more, or not wanted any more  */
    bool ended;
    bool busy; /* with what was given to it, under this number */
    unsigned number;
    int pipe, work;
    struct job *job;
    /* For noticing that nothing happens any more. */
    uint64_t last_executions, last_change;
    uint32_t last_length;
};

struct host_pool {
    struct host_pool_board *board;
    struct job *leaders;
    struct host_pool_worker worker[POOL_MOST];
    unsigned workers;
    unsigned self; /* of a worker, plus 1 */
    unsigned met;
    int to_leader, from_leader;
    struct host_pool_worker *waited_for;
    struct job *kept; /* of a worker that is no more and had a finding */
    char *received;
    size_t room;
};
extern struct host_pool host_pool;

/* ---- processes ---- */

/* False, in the leader: there is no such worker. */
bool host_pool_start_one(unsigned i, struct job *job);
/* It is killed, or forgotten if it has ended. */
void host_pool_dismiss(struct host_pool_worker *w);
/* What it has found is for who has no time to find it again. */
void host_pool_keep_finding(struct host_pool_worker *w);
/* Has nothing happened in it for long? */
bool host_pool_has_stalled(struct host_pool_worker *w);
bool host_pool_is_anybody_there(void);
/* What those that have ended sent before can still be received. */
void host_pool_look_who_is_there(void);

/* ---- talking ---- */

/* What a worker sends begins with it. */
struct host_pool_head {
    uint64_t portion, size;
};

struct host_pool_waiting {
    bool (*goes_on)(void *, uint64_t);
    void *context;
    bool stopped;
};

/* It shall not go on, or not any more. */
bool host_pool_is_over(struct host_pool_waiting *wait);
/* False: there was an error, or it is no more. */
bool host_pool_read_some(int file, char **at, size_t *size);
bool host_pool_make_room(size_t size); /* in host_pool.received */
/* Portions that were run by the leader are not asked for. */
bool host_pool_receive_portion(struct host_pool_worker *w, uint64_t portion,
                               struct host_pool_head *head,
                               struct host_pool_waiting *wait);

#endif
