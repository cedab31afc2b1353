/* crew_state.h - what the parts of a crew know of each other.
 *
 * crew.c has its processes, crew_board.c what they read and write in memory that
 * all share, crew_talk.c what they send each other, crew_given.c the work that is
 * given rather than claimed. */
#ifndef PLUMB_HOST_CREW_STATE_H
#define PLUMB_HOST_CREW_STATE_H

#include "crew.h"

#include <sys/types.h>

enum {
    CREW_CLAIMS = 1024,
    CREW_WORKER_BITS = 8, /* of a slot */
    CREW_MEETINGS = 64,
    CREW_EPOCHS = 1 << 16,
    CREW_PATIENCE = 20,  /* milliseconds until a waiting leader looks around */
    CREW_STALLED = 3000, /* ... until it does itself what a worker does not   */
};

/* Memory that all share. */
struct crew_board {
    _Atomic uint64_t reached; /* portions that the leader has come to   */
    _Atomic uint64_t executions;
    _Atomic uint64_t last; /* portion, as it seems; or UINT64_MAX        */
    uint32_t said[CREW_MEETINGS];
    uint64_t most[CREW_EPOCHS];
    _Atomic uint64_t slot[CREW_CLAIMS];
    struct {
        _Alignas(64) _Atomic uint64_t executions, claimed;
    } of[CREW_MOST];
};

struct crew_worker {
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

struct crew {
    struct crew_board *board;
    const struct job *leaders;
    struct crew_worker worker[CREW_MOST];
    unsigned workers;
    unsigned self; /* of a worker, plus 1 */
    unsigned met;
    int to_leader, from_leader;
    struct crew_worker *waited_for;
    struct job *kept; /* of a worker that is no more and had a finding */
    char *received;
    size_t room;
};
extern struct crew crew;

/* ---- processes ---- */

/* False, in the leader: there is no such worker. */
bool crew_start_one(unsigned i, struct job *job);
/* It is killed, or forgotten if it has ended. */
void crew_dismiss(struct crew_worker *w);
/* What it has found is for who has no time to find it again. */
void crew_keep_finding(struct crew_worker *w);
/* Has nothing happened in it for long? */
bool crew_has_stalled(struct crew_worker *w);
bool crew_is_anybody_there(void);
/* What those that have ended sent before can still be received. */
void crew_look_who_is_there(void);

uint64_t crew_milliseconds(void);
void crew_nap(void);

/* ---- talking ---- */

/* What a worker sends begins with it. */
struct crew_head {
    uint64_t portion, size;
};

struct crew_waiting {
    bool (*goes_on)(void *, uint64_t);
    void *context;
    bool stopped;
};

/* It shall not go on, or not any more. */
bool crew_is_over(struct crew_waiting *wait);
/* False: there was an error, or it is no more. */
bool crew_read_some(int file, char **at, size_t *size);
bool crew_make_room(size_t size); /* in crew.received */
/* Portions that were run by the leader are not asked for. */
bool crew_receive_portion(struct crew_worker *w, uint64_t portion,
                          struct crew_head *head, struct crew_waiting *wait);

#endif
