/* subject.h - one subject of a report: a history and what was found out. */
#ifndef PLUMB_REPORT_SUBJECT_H
#define PLUMB_REPORT_SUBJECT_H

#include "explain.h"
#include "label.h"
#include <plumb/check.h>

struct plumb_report_subject {
    const char *name; /* FILE, or FILE#k                                  */
    const char *file; /* for positions                                    */
    const char *spec; /* text of the specification; NULL: none was found   */
    bool observed;    /* it is what the object did serially                */
    bool user_spec;   /* it is the user's own: we know no words for it     */
    /* An error, or a history and an answer. */
    const struct plumb_error *error;
    const struct plumb_history *history;
    const struct plumb_answer *answer;
    const struct plumb_report_replay
        *replay; /* NULL: nothing about being stuck  */
    /* The limits of the run, for advice; 0: there was none. */
    uint64_t timeout_seconds, memory_bytes;
};

/* The words of the result line: "not linearizable". */
static inline const char *plumb_report_verdict_name(enum plumb_verdict v)
{
    return v == PLUMB_LINEARIZABLE       ? "linearizable"
           : v == PLUMB_NOT_LINEARIZABLE ? "not linearizable"
                                         : "undecided";
}

/* Why undecided: "time", "memory", "interrupted", "unverified". */
const char *plumb_report_undecided_reason(const struct plumb_answer *a);

/* "search", "wing-gong" */
const char *plumb_report_algorithm_name(enum plumb_algorithm a);

#endif
