/* rank_histogram.h - `--rank-errors`: how far out of order items left, in all
 * histories of a run. */
#ifndef PLUMB_APP_CHECK_RANK_HISTOGRAM_H
#define PLUMB_APP_CHECK_RANK_HISTOGRAM_H

#include "app/console/options.h"
#include "app/console/output.h"
#include "check/ranks/rank_errors.h"

#define OPTION_RANK_ERRORS                                                     \
    {                                                                          \
        "rank-errors", 0, IN_FILE(rank_errors), "OUT.svg",                     \
            .help = "print a histogram of rank errors and draw it in OUT.svg " \
                    "(-: only print it)",                                      \
            .more = "The rank error of a removal is how many items should "    \
                    "have left before its own, in the linearization with the " \
                    "smallest maximum; for queues, stacks and priority "       \
                    "queues.  OUT.svg must not exist."                         \
    }

struct check_ranks {
    const char *path; /* as of --rank-errors; NULL: nothing is counted */
    bool prints;
    struct console_output svg;
    struct plumb_check_rank_errors errors;
    size_t memory; /* bytes; 0 is no limit */
    bool refused;  /* of another type; this was said */
};

/* Create the picture's file.  False after saying why not. */
bool check_ranks_open(struct check_ranks *r, const char *path, bool prints,
                      size_t memory);

/* One more history, as of the plain type: whatever the specification is. */
void check_ranks_add(struct check_ranks *r, const struct plumb_history *h,
                     const struct plumb_spec *spec);

/* Print it and draw it.  False after saying what went wrong. */
bool check_ranks_close(struct check_ranks *r);

#endif
