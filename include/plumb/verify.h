/* verify.h - accepting an answer without trusting whoever gave it.
 *
 * The verifier has its own plain specifications and shares no code with the
 * deciders.  It accepts (PLUMB_OK), rejects (PLUMB_EINPUT, the message says
 * why), or gives up on the budget's terms.
 *
 * A configuration is a set of operations that have taken effect and the set
 * of states the object may then be in.  A step adds one operation that is not
 * in the set, all of whose predecessors in real time are (predecessors that
 * are pending need not be), and that some of the states allow. */
#ifndef PLUMB_VERIFY_H
#define PLUMB_VERIFY_H

#include <plumb/history.h>
#include <plumb/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A built-in specification by its text, or the user's own. */
struct plumb_spec_ref {
    const char *text;
    const struct plumb_user_spec *user; /* NULL for built-in ones */
};

/* order[]: indexes of operations, in the order they took effect.  It must hold
 * every OK operation once, no FAIL one, any of the pending ones at most once,
 * respect real time, and be legal for each object.  An operation that takes
 * effect in several steps (setlin:NAME) is there once for each of them, here and
 * in certificates: what is said of operations below holds for steps.
 *
 * Where the specification is told of calls and returns (weak answers) these are
 * steps, too: an operation is there for its call, if those are told, then where
 * it takes effect, and then for its return, if it returned.  A call is there
 * even if the operation is pending.  Calls and returns stand in the order of
 * their ranks, and operations between those that they happened between. */
enum plumb_status plumb_verify_witness(const struct plumb_history *h,
                                       struct plumb_spec_ref spec,
                                       const uint32_t *order, uint32_t count,
                                       struct plumb_budget *budget,
                                       struct plumb_error *err);

/* The same by up to `jobs` threads.  cut[]: places in the order, ascending,
 * before which every object is said to be as it was at first; that is not
 * believed, but makes it easier to share. */
enum plumb_status plumb_verify_witness_shared(
    const struct plumb_history *h, struct plumb_spec_ref spec,
    const uint32_t *order, uint32_t count, const uint32_t *cut, uint32_t cuts,
    unsigned jobs, struct plumb_budget *budget, struct plumb_error *err);

/* A weakening of a history: whatever makes the history linearizable makes the
 * core linearizable, so a core that is not proves that the history is not.
 * Only operations of one object remain; events of rank `cut` and later are
 * gone, so responses there are forgotten and operations called there are gone.
 * op[] are the remaining operations, ascending; `forgotten[i]` says that the
 * response of op[i] is to be ignored: it is pending in the core.
 * Other operations may be missing only if
 *   - they are FAIL, or called at `cut` or later, or of another object; or
 *   - they are read-only: with the result they have in the history they change
 *     no state (a pending one: with any result); or
 *   - with the result they have in the history they belong to a value that no
 *     remaining operation belongs to (as the core has it: a pending dequeue
 *     belongs to none), and the specification is closed under deleting a value,
 *     or would be but for answers of which none remains: `full` of containers
 *     with `cap`; with `weak=gap` an `empty` that overlaps an addition of the
 *     value; with `weak=scan` one that overlaps a removal of it.
 * With `weak=scan` a removal that answered `empty` may not be missing. */
struct plumb_core {
    uint32_t object;
    uint32_t cut;
    uint32_t count;
    const uint32_t *op;
    const uint8_t *forgotten;
};

/* A certificate: configurations 1, 2, ... of the core, each made from an
 * earlier one (0 is the initial one) by one step.  It proves the violation if
 * no configuration is complete (has every operation that returned in the core)
 * and every step from each of them either leads to one of them, or is made
 * superfluous by one of these:
 *   - *read*: a read-only operation that leaves the set of states as it is may
 *     be taken first; then only that step counts (it leads to a configuration
 *     of the certificate, or is itself superfluous by *spare*);
 *   - *idle*: a pending operation that adds no state need not be taken;
 *   - *twin*: of two operations with the same name, arguments, outcome and
 *     results that can both be taken, the one that returns first may be taken
 *     in place of the other;
 *   - *spare*: the certificate has a configuration with the same states and
 *     operations as the one the step leads to, but for pending operations that
 *     are not read-only and that it does without;
 *   - *late*, of a queue without `cap` and `k`: no legal order goes on with the
 *     enqueue.  Say it would be the j-th of its value w, and v has been
 * enqueued i times.  The i-th v is ahead of the j-th w, so it leaves first. But
 * at least j of the dequeues that answered w return by rank r, the j-th
 *     smallest of their returns, and not before rank c, the i-th smallest call
 *     among the dequeues that answered v and the pending ones, can i of the v
 *     have left.  (A rank that does not exist is infinite.)  So c < r, or the
 *     step need not be taken.
 * A core of at most PLUMB_ENUMERATE operations needs no certificate: without
 * one, all its orders are tried. */
#define PLUMB_ENUMERATE 10

struct plumb_certificate_step {
    uint32_t parent; /* configuration */
    uint32_t op;     /* index of the operation in the history */
};

enum plumb_status plumb_verify_violation(
    const struct plumb_history *h, struct plumb_spec_ref spec,
    const struct plumb_core *core, const struct plumb_certificate_step *c,
    uint32_t count, struct plumb_budget *budget, struct plumb_error *err);

/* The same; PLUMB_END if it takes much more than so many steps of the plain
 * specification (0: any number), whatever the machine. */
enum plumb_status plumb_verify_violation_within(
    const struct plumb_history *h, struct plumb_spec_ref spec,
    const struct plumb_core *core, const struct plumb_certificate_step *c,
    uint32_t count, uint64_t effort, struct plumb_budget *budget,
    struct plumb_error *err);

#ifdef __cplusplus
}
#endif
#endif
