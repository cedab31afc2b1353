/* check.h - is this history linearizable?
 *
 * plumb_check() decides, and has every answer accepted by the independent
 * verifier (plumb/verify.h) before it returns it. */
#ifndef PLUMB_CHECK_H
#define PLUMB_CHECK_H

#include <plumb/history.h>
#include <plumb/spec.h>
#include <plumb/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

enum plumb_verdict {
    PLUMB_LINEARIZABLE,
    PLUMB_NOT_LINEARIZABLE,
    PLUMB_UNDECIDED
};

enum plumb_algorithm {
    PLUMB_ALGORITHM_AUTO,      /* monitors, and search for what they leave */
    PLUMB_ALGORITHM_SEARCH,    /* memoised search                          */
    PLUMB_ALGORITHM_WING_GONG, /* the algorithm of 1990, as printed        */
    PLUMB_ALGORITHM_MONITOR    /* monitors alone: near-linear              */
};

struct plumb_check_options {
    enum plumb_algorithm algorithm;
    bool whole;    /* do not split by key                       */
    bool no_core;  /* do not shrink a violation                 */
    unsigned jobs; /* threads; 0 is 1                           */
    /* Give up when a part has taken so many steps of the specification, and its
     * certificate a few times as many; 0 is never.  What is decided within them
     * does not depend on the machine. */
    uint64_t most_steps;
    struct plumb_budget *budget;
};

struct plumb_answer {
    enum plumb_verdict verdict;
    enum plumb_status why; /* undecided: PLUMB_ETIME, _EMEMORY, _ESTOP  */
    bool unverified;       /* undecided: decided, but not certified in time */
    bool interrupted;      /* undecided: most_steps were not enough       */
    bool unknown; /* undecided: it depends on what the specification does not
                     know (plumb_reply_unknown); `prefix` does not        */
    enum plumb_algorithm algorithm; /* by which it was decided; AUTO: by
                                       monitors and search             */
    const char *declined; /* why monitors did not decide all of it, or NULL */
    uint32_t parts;       /* decided independently                     */
    uint32_t monitored;   /* ... of these by monitors                  */
    uint64_t configurations; /* distinct ones visited                     */
    uint64_t steps;          /* of the specification                      */

    /* Linearizable: the operations in an order in which they may have taken
     * effect; pending ones that are not listed did not. */
    const uint32_t *order;
    uint32_t order_count;

    /* Not linearizable: a part that is a violation by itself, and its proof. */
    struct plumb_core core;
    bool minimal; /* no single weakening step keeps it one     */
    /* The events of ranks 0 ... `sure` are a violation, those before rank
     * `maybe` are not: equal if it is known when it became one. */
    uint32_t maybe, sure;
    const struct plumb_certificate_step *certificate;
    uint32_t certificate_count;

    /* Undecided: the events before this rank were linearized. */
    uint32_t prefix;

    void *owner; /* what plumb_answer_release() frees         */
};

/* `err` is set for a history the specification cannot read (PLUMB_EINPUT: an
 * unknown operation, a wrong argument) and for an answer that the verifier
 * rejects, which is a bug of ours (PLUMB_EBUG).  Running out of budget is an
 * answer, PLUMB_UNDECIDED. */
enum plumb_status plumb_check(const struct plumb_history *h,
                              const struct plumb_spec *spec,
                              const struct plumb_check_options *options,
                              struct plumb_answer *answer,
                              struct plumb_error *err);
void plumb_answer_release(struct plumb_answer *answer);

#ifdef __cplusplus
}
#endif
#endif
