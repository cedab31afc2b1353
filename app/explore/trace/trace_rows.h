/* trace_rows.h - the records of a trace as lines for people. */
#ifndef PLUMB_APP_EXPLORE_TRACE_TRACE_ROWS_H
#define PLUMB_APP_EXPLORE_TRACE_TRACE_ROWS_H

#include "base/arena.h"
#include "report/interleaving.h"
#include "trace_names.h"

/* A line, and what folding needs to know of it. */
struct explore_trace_row {
    struct plumb_report_line line; /* column: the number of the thread */
    uint32_t record;
    bool keep;       /* calls, answers, switches, faults: never folded      */
    bool writes;     /* it changed something that another thread looks at   */
    bool far, alone; /* for folding, which finds out */
    const char *library; /* the function of one that does it; or NULL */
};

struct explore_trace_rows {
    struct plumb_base_arena arena; /* of the texts */
    struct explore_trace_row *row;
    size_t count, room;
    uint32_t preemptions; /* as far as the trace tells */
    bool broken;          /* memory is used up         */
};

/* `finding`: whose entries name the operations; may be NULL.  `all`: also what
 * nobody else sees. */
void explore_trace_rows_init(struct explore_trace_rows *rows,
                             const struct explore_trace_names *n,
                             const struct job_finding *finding, bool all);
void explore_trace_rows_release(struct explore_trace_rows *rows);

/* Every step keeps its number once. */
void explore_trace_rows_number(struct explore_trace_rows *rows);

/* Leave out what a library does in one call; repetitions; and what is far from
 * where threads change. */
void explore_trace_rows_fold_library(struct explore_trace_rows *rows,
                                     bool ascii);
void explore_trace_rows_fold_loops(struct explore_trace_rows *rows, bool ascii);
void explore_trace_rows_fold_far(struct explore_trace_rows *rows, bool ascii);

/* One more, at the place of `at`; false when memory is used up. */
bool explore_trace_rows_add(struct explore_trace_rows *rows,
                            struct explore_trace_row row, const char *text,
                            const char *place);

/* ---- words ---- */

/* "cas head ∅→node#1 ok". */
void explore_trace_event_text(const struct explore_trace_names *n, uint32_t i,
                              struct plumb_base_text *out);

/* What a plain write or a store wrote, as what comes after it tells; false if
 * nothing does. */
bool explore_trace_find_written(const struct explore_trace_names *n, uint32_t i,
                                job_trace_value *value);

/* "lock", of "pthread_mutex_lock"; `name` is room for it. */
const char *explore_trace_sync_verb(const struct job_trace_record *r,
                                    char name[sizeof r->name + 1]);

/* What a function that synchronises does: "lock", of "pthread_mutex_lock". */
enum explore_trace_sync {
    SYNC_OTHER,
    SYNC_LOCK,
    SYNC_SHARE, /* a read lock */
    SYNC_TRY,
    SYNC_UNLOCK,
    SYNC_WAIT,
    SYNC_SIGNAL
};
enum explore_trace_sync explore_trace_sync_of(const struct job_trace_record *r);

/* "deq()", and with its answer "deq() = 2". */
void explore_trace_entry_text(const char *name,
                              const struct plumb_record_entry *e, bool answer,
                              struct plumb_base_text *out);

/* The same; `op` of the scenario. */
void explore_trace_operation_text(const struct job *job,
                                  const struct job_finding *finding,
                                  uint64_t op, bool answer,
                                  struct plumb_base_text *out);

/* ---- who waits for whom ---- */

enum { TRACE_LOCKS = 256 };

/* Locks as they are held while the records pass by, read locks by each who
 * reads. */
struct explore_trace_locks {
    struct explore_trace_lock {
        uint64_t at;
        uint32_t since; /* the record that took it */
        uint32_t times; /* that it was taken       */
        unsigned holder;
    } lock[TRACE_LOCKS];
    unsigned count;
};
void explore_trace_locks_pass(struct explore_trace_locks *l,
                              const struct explore_trace_names *n, uint32_t i);
/* "T1", "T1 and T2": the threads that hold it.  False: nobody does. */
bool explore_trace_locks_holders(const struct explore_trace_locks *l,
                                 const struct explore_trace_names *n,
                                 uint64_t at, struct plumb_base_text *out);

/* Why the thread of record i does nothing until record `next` of it (TRACE_NONE
 * if there is none), in which others go on.  False: there is nothing to say.
 * `preempted`: it could have gone on. */
bool explore_trace_switch_text(const struct explore_trace_names *n,
                               const struct explore_trace_locks *l, uint32_t i,
                               uint32_t next, struct plumb_base_text *out,
                               bool *preempted);
/* What the thread of record i waits for, that does nothing more, when these
 * locks are held.  False: nothing. */
bool explore_trace_wait_text(const struct explore_trace_names *n,
                             const struct explore_trace_locks *l, uint32_t i,
                             struct plumb_base_text *out);
/* The same of a thread that did nothing at all, at the end of the trace. */
bool explore_trace_end_text(const struct explore_trace_names *n,
                            const struct explore_trace_locks *l,
                            unsigned thread, struct plumb_base_text *out);

#endif
