/* search.h - the general decision procedure, memoised.
 *
 * A searcher keeps its memory and the states it has met between runs, so that
 * shrinking can decide thousands of small weakenings quickly.  It remembers
 * steps by the address of the action, so an action must stay as it is until the
 * searcher is closed.  One thread. */
#ifndef PLUMB_CHECK_SEARCH_SEARCH_H
#define PLUMB_CHECK_SEARCH_SEARCH_H

#include "state_sets.h"
#include "unplaced_operations.h"
#include "visited.h"
#include <plumb/check.h>

struct plumb_check_frame;
struct plumb_check_past_step;

struct plumb_check_searcher {
    struct plumb_budget *budget;
    const struct plumb_check_traits *traits;
    struct plumb_check_state_sets sets;
    struct plumb_check_agenda agenda;
    struct plumb_check_visited visited;
    struct plumb_check_frame *frame;
    uint32_t frames;
    size_t frame_capacity;
    uint32_t *order;
    size_t order_capacity;
    struct plumb_check_past_step *past; /* NULL until there have been many */
    /* the configurations as a certificate, if they are to be listed */
    bool list;
    bool optional; /* stop when the budget is tight: the run is a luxury */
    struct plumb_certificate_step *step;
    uint32_t steps;
    size_t step_capacity;
    uint64_t clock;    /* specification steps of this run, for the polls */
    uint64_t deadline; /* give up after that many; 0 is never */
    bool ended;        /* by the budget or the deadline */
    uint32_t prefix;
    /* between turns */
    const struct plumb_check_part *part;
    uint64_t until; /* interrupt the run after that many steps; 0 is never */
    bool begun;
    plumb_check_state_set first; /* to be entered, or PLUMB_NO_STATE_SET */
};

/* What a run found.  Pointers are good until the next run. */
struct plumb_check_finding {
    enum plumb_verdict verdict;
    enum plumb_status
        why; /* undecided; PLUMB_OK: the limit of steps, or tight */
    const uint32_t *order; /* operations of the history */
    uint32_t order_count;
    bool interrupted; /* undecided: it can go on */
    uint64_t configurations, steps;
    uint32_t prefix; /* events before this rank were linearized */
    const struct plumb_certificate_step *certificate;
    uint32_t certificate_count;
    /* a violation that was found without the rest: operations of the history */
    const uint32_t *blame;
    uint32_t blames;
};

/* `forgetting`: parts may have operations whose response is forgotten, so that
 * they branch although those of the history do not. */
bool plumb_check_searcher_open(struct plumb_check_searcher *s,
                               const struct plumb_spec_bound *bound,
                               const struct plumb_check_traits *traits,
                               bool forgetting, struct plumb_budget *budget);
void plumb_check_searcher_close(struct plumb_check_searcher *s);

/* Decide `part` in at most `limit` steps of the specification (0: any number).
 * `list` keeps every configuration for the certificate of a violation. */
void plumb_check_search(struct plumb_check_searcher *s,
                        const struct plumb_check_part *part, uint64_t limit,
                        bool list, struct plumb_check_finding *found);

/* The same in turns.  Go on until the run has taken so many steps in all (0: to
 * its end): it is then interrupted, within a visit, and the next turn goes on
 * where it stopped.  What it finds, and after how many steps, is the same
 * however often it is interrupted. */
void plumb_check_search_begin(struct plumb_check_searcher *s,
                              const struct plumb_check_part *part, bool list);
void plumb_check_search_go_on(struct plumb_check_searcher *s, uint64_t until,
                              struct plumb_check_finding *found);

/* ---- the algorithm of 1990, as printed: the readable reference ---- */

/* Decide `part`; the finding's order lives in `arena`.  `f` supplies states. */
void plumb_check_wing_gong(struct plumb_check_state_sets *f,
                           const struct plumb_check_part *part,
                           struct plumb_base_arena *arena,
                           struct plumb_check_finding *found);

#endif
