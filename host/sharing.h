/* sharing.h - one exploration, shared by a crew, with the result of one.
 *
 * A worker counts what it sees in a portion and tells the leader, who adds it
 * to what it has counted itself.  That is all it tells: where there is news, as
 * a violation or a race, or anything that would end the exploration, the leader
 * runs the portion itself, as if it were alone. */
#ifndef PLUMB_HOST_SHARING_H
#define PLUMB_HOST_SHARING_H

#include "crew.h"
#include "hash_set.h"

/* What a portion, or a piece of a branch, has counted. */
struct counts {
    uint64_t executions, time;
    struct plumb_explore_stats stats;
    uint64_t overlaps[PLUMB_MAX_OPERATIONS][PLUMB_MAX_OPERATIONS];
    uint64_t returned[PLUMB_MAX_OPERATIONS];
    uint64_t preempted, interruptible, hooks, failed_swaps, stuck, leaking,
        failed;
    uint32_t histories, answers, places; /* that follow: words           */
    uint32_t piece;                      /* ... and bytes of the piece   */
    bool news;
    bool leaves; /* the worker will do no more */
};

/* In the order in which they were first seen. */
struct counted_words {
    const uint64_t *history, *answer, *place;
};

struct sharing {
    struct job *job;
    struct plumb_budget *budget;
    struct hash_set *histories, *answers;

    /* Of the exploration, which may begin anew. */
    uint64_t before;      /* executions until then                     */
    uint64_t began;       /* the clock; of a worker: at a portion      */
    bool alone;           /* there will be no crew                     */
    uint64_t portions;    /* that were asked for, with a crew          */
    uint64_t most;        /* random, pct: executions of a portion      */
    uint64_t time, taken; /* portions, and the time they took           */
    uint64_t together;    /* executions until there was a crew         */

    /* Of a worker. */
    bool given;     /* it is given pieces of branches                    */
    bool ours;      /* it is in a portion of its own, ...                */
    bool news;      /* ... in which something is new                     */
    uint64_t first; /* executions before it                              */
    uint64_t room;  /* more than these the leader does not take          */
    uint64_t run;   /* executions of all its portions                    */
    uint64_t hooks, failed_swaps; /* before it; of the leader: of others  */
};

/* An exploration begins, or begins anew.  Anew there is no crew. */
void sharing_begin(struct sharing *s);
/* It was stopped: whatever was run counts, also what the leader did not come
 * to take.  All of it was judged. */
void sharing_count_all(struct sharing *s);
/* It has ended; a worker does not come back.  The crew is sent home. */
void sharing_end(struct sharing *s);

/* For plumb_explore_options. */
enum plumb_share sharing_portion(struct sharing *s, struct plumb_portion *p);
void sharing_portion_ended(struct sharing *s);

/* For branches.c.  A worker begins to count, when there were so many
 * executions; and says what came of it. */
void sharing_begin_counting(struct sharing *s, uint64_t first);
void sharing_send_piece(struct sharing *s, const void *piece, size_t size);
/* The leader adds this to what it has counted itself; or it cannot. */
bool sharing_take(struct sharing *s, const struct counts *n,
                  const struct counted_words *w);
/* Of two counts. */
void sharing_add_counts(struct counts *to, const struct counts *n);
/* For crew_wait(). */
bool sharing_waits_on(void *sharing, uint64_t executions);
bool sharing_has_crew(struct sharing *s, uint64_t executions);

/* A worker has seen this for the first time. */
void sharing_note_history(uint64_t hash);
void sharing_note_answers(uint64_t hash);

/* A worker has counted an execution.  False: it is for the leader. */
bool sharing_count(struct sharing *s);

/* There is no time for more: has anybody found something? */
void sharing_adopt_finding(struct sharing *s);

/* Does plumb ask for the end? */
bool sharing_is_stopped(const struct sharing *s);

/* After a race that was found when there had been so many executions, so many
 * more are run at most. */
enum { AFTER_A_RACE = 20000 };

#endif
