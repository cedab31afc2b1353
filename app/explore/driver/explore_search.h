/* explore_search.h - what a search knows while it runs. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_EXPLORE_SEARCH_H
#define PLUMB_APP_EXPLORE_DRIVER_EXPLORE_SEARCH_H

#include "app/check/rank_histogram.h"
#include "app/explore/report/explore_report.h"
#include "exploration.h"
#include "rising_bound.h"

struct explore_likeness;
struct explore_round_up;
struct explore_written;

struct explore_search {
    struct exploration *e;
    struct explore_totals totals;
    struct explore_found *found; /* MOST_FOUND of them */
    unsigned founds;
    struct explore_found *needs; /* with --quasi auto: the last history that */
    unsigned too_small;          /* ... this K does not accept                */
    bool has_need, again;        /* ... and its test is to be run again       */
    bool too_many;               /* more than there is room for */
    struct explore_likeness *like; /* or NULL */
    struct explore_written *written;
    struct explore_round_up *round_up; /* or NULL */
    struct check_ranks ranks;
    unsigned tests;      /* all that there are */
    unsigned small;      /* tests that are not drawn, and come first */
    unsigned drawn;      /* tests that were run and are no small ones */
    uint64_t executions; /* of all jobs that were taken */
    uint64_t earlier;    /* ... in earlier rounds        */
    struct explore_rising rising;
    bool raced;     /* something worse is looked for              */
    uint64_t since; /* ... and has taken so many steps            */
    struct explore_races races;
    bool error; /* that was said */
};

static inline enum scheduler_fault explore_search_fault(
    const struct explore_found *f)
{
    return explore_violation_finding(&f->violation)->what.fault;
}

/* False, after saying that it is a bug of ours. */
bool explore_search_bug(const struct explore_search *s, const char *why);

/* Has the search found what it looks for? */
bool explore_search_is_over(const struct explore_search *s);

/* ---- tell_violations.c ---- */

/* Make each violation small, replay it, write its schedule, report it. */
enum console_status explore_tell_violations(struct explore_search *s);

/* With --quasi auto: report why K is no smaller.  That is no violation, but for
 * a smaller K. */
bool explore_tell_need(struct explore_search *s);

#endif
