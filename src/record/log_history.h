/* log_history.h - from the logs of the processes to one history. */
#ifndef PLUMB_RECORD_LOG_HISTORY_H
#define PLUMB_RECORD_LOG_HISTORY_H

#include "log.h"
#include <plumb/history.h>

/* What one process did, in its order.  Only its last entry may be open.
 * `unknown`: what it was answered does not tell what came of it, so that its
 * operations have the outcome PLUMB_OUTCOME_INFO. */
struct plumb_record_process_log {
    const struct plumb_record_entry *entry;
    uint32_t count;
    bool unknown;
};

struct plumb_record_recording {
    const char *object;           /* its name in the history */
    const char *const *operation; /* their names, by number  */
    unsigned operations;
    const struct plumb_record_process_log *process; /* named P1, P2, ... */
    unsigned processes;
};

/* PLUMB_EINPUT, and says so: for what is seen to be wrong before that. */
enum plumb_status plumb_record_log_is_damaged(struct plumb_error *err);

/* Entries may lie in memory that a faulty object has overwritten: what is not
 * as log.h promises is PLUMB_EINPUT, as is an answer that found no room. */
enum plumb_status plumb_record_log_history(
    const struct plumb_record_recording *r, struct plumb_builder *b,
    struct plumb_history *h, struct plumb_error *err);

#endif
