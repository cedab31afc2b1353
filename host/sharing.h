/* sharing.h - one exploration, shared by a worker pool, with the result of one.
 *
 * A worker counts what it sees in a portion and tells the leader, who adds it
 * to what it has counted itself.  That is all it tells: where there is news, as
 * a violation or a race, or anything that would end the exploration, the leader
 * runs the portion itself, as if it were alone. */
#ifndef PLUMB_HOST_SHARING_H
#define PLUMB_HOST_SHARING_H

#include "hash_set.h"
#include "worker_pool.h"

/* What a portion, or a piece of a branch, has counted. */
struct host_counts {
    uint64_t executions, time;
    struct plumb_strategies_explore_stats stats;
    uint64_t overlaps[PLUMB_MAX_OPERATIONS][PLUMB_MAX_OPERATIONS];
    uint64_t returned[PLUMB_MAX_OPERATIONS];
    uint64_t preempted, interruptible, hooks, failed_swaps, stuck, unknown,
        leaking, failed, assumed;
    uint32_t histories, answers, places; /* that follow: words           */
    uint32_t piece;                      /* ... and bytes of the piece   */
    bool news;
    bool waits;  /* operations may wait for others: see exploring.c */
    bool leaves; /* the worker will do no more */
};

/* In the order in which they were first seen. */
struct host_counted_words {
    const uint64_t *history, *answer, *place;
};

static inline uint64_t host_counts_words(const struct host_counts *n)
{
    return (uint64_t)n->histories + n->answers + n->places;
}

/* Those that stand behind the counts. */
static inline struct host_counted_words host_counted_words_of(
    const struct host_counts *n)
{
    const uint64_t *const word = (const uint64_t *)(n + 1);
    return (struct host_counted_words){ .history = word,
                                        .answer = word + n->histories,
                                        .place =
                                            word + n->histories + n->answers };
}

struct host_sharing {
    struct job *job;
    struct plumb_budget *budget;
    struct host_hash_set *histories, *answers;

    /* Of the exploration, which may begin anew. */
    uint64_t before;      /* executions until then                     */
    uint64_t began;       /* the clock; of a worker: at a portion      */
    bool alone;           /* there will be no workers                     */
    uint64_t portions;    /* that were asked for, with workers          */
    uint64_t most;        /* random, pct: executions of a portion      */
    uint64_t time, taken; /* portions, and the time they took           */
    uint64_t together;    /* executions until there were workers         */
    bool waits;           /* of the leader: others saw that operations may */

    /* Of a worker. */
    bool given;     /* it is given pieces of branches                    */
    bool ours;      /* it is in a portion of its own, ...                */
    bool news;      /* ... in which something is new                     */
    uint64_t first; /* executions before it                              */
    uint64_t room;  /* more than these the leader does not take          */
    uint64_t run;   /* executions of all its portions                    */
    uint64_t hooks, failed_swaps; /* before it; of the leader: of others  */
};

/* An exploration begins, or begins anew.  Anew there are no workers. */
void host_sharing_begin(struct host_sharing *s);
/* It was stopped: whatever was run counts, also what the leader did not come
 * to take.  All of it was judged. */
void host_sharing_count_all(struct host_sharing *s);
/* It has ended; a worker does not come back.  The workers are sent home. */
void host_sharing_end(struct host_sharing *s);

/* For plumb_strategies_explore_options, whose context is a struct host_sharing. */
enum plumb_strategies_share host_sharing_portion(
    void *sharing, struct plumb_strategies_portion *p);
void host_sharing_portion_ended(void *sharing);

/* For branches.c.  A worker begins to count, when there were so many
 * executions; and says what came of it. */
void host_sharing_begin_counting(struct host_sharing *s, uint64_t first);
void host_sharing_send_piece(struct host_sharing *s, const void *piece,
                             size_t size);
/* The leader adds this to what it has counted itself; or it cannot. */
bool host_sharing_take(struct host_sharing *s, const struct host_counts *n,
                       const struct host_counted_words *w);
/* Of two counts. */
void host_sharing_add_counts(struct host_counts *to,
                             const struct host_counts *n);
/* For host_pool_wait(). */
bool host_sharing_waits_on(void *sharing, uint64_t executions);
bool host_sharing_has_pool(struct host_sharing *s, uint64_t executions);

/* What plumb is told of the histories that were seen. */
void host_sharing_tell_histories(const struct host_sharing *s);

/* A worker has seen this for the first time. */
void host_sharing_note_history(uint64_t hash);
void host_sharing_note_answers(uint64_t hash);

/* A worker has counted an execution.  False: it is for the leader. */
bool host_sharing_count(struct host_sharing *s);

/* There is no time for more: has anybody found something? */
void host_sharing_adopt_finding(struct host_sharing *s);

/* Does plumb ask for the end? */
bool host_sharing_is_stopped(const struct host_sharing *s);

/* After a race that was found when there had been so many executions, so many
 * more are run at most. */
enum { AFTER_A_RACE = 50000 };

#endif
