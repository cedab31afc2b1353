/* plain.h - sequential specifications, as plain as docs/specifications.md.
 *
 * These are the verifier's own: written from that page alone, with no thought
 * of speed beyond "one operation costs about as much as it says".  A type is a
 * table of operations and one function that performs an operation on a state,
 * in place.  Where the specification leaves a choice, that function asks
 * call->choose; trying every answer of `choose` tries every outcome.
 *
 * To run an object by hand (a generator, an explanation):
 *
 *     plumb_proof_plain_new(ref, symbols, budget, &p, err);
 *     struct plumb_proof_plain_state *s = plumb_proof_plain_initial(p);
 *     struct plumb_proof_plain_call c = { .operation = plumb_proof_plain_operation(p, "deq", 3),
 *                             .choose = pick_at_random, .chooser = &rng };
 *     switch (plumb_proof_plain_perform(p, s, &c, &reply)) ...   the state has moved
 *     plumb_proof_plain_outcomes(p, s, &c, &list);    or: all it could have answered
 */
#ifndef PLUMB_PROOF_PLAIN_H
#define PLUMB_PROOF_PLAIN_H

#include "history/symbols.h"
#include "plain_state.h"
#include <plumb/verify.h>

/* With which answers does an operation leave every state as it is? */
enum plumb_proof_plain_reads {
    PLAIN_WRITES,        /* with none                                 */
    PLAIN_READS,         /* with all                                  */
    PLAIN_READS_REFUSED, /* with terms other than ok: empty, full ... */
    PLAIN_READS_FALSE    /* with ok(false)                            */
};

/* Which value does it belong to? */
enum plumb_proof_plain_belongs {
    PLAIN_TO_NONE,
    PLAIN_TO_FIRST_ARGUMENT,
    PLAIN_TO_LAST_ARGUMENT,
    PLAIN_TO_RESULT, /* the last one of ok(...) */
    PLAIN_TO_SMALLER /* of argument and result, by tag and bits */
};

struct plumb_proof_plain_operation {
    const char *names;   /* separated by blanks; "/..." ends a name     */
    unsigned kind;       /* for the type's own use                      */
    uint8_t least, most; /* arguments                                   */
    const char *answers; /* "ok/1 empty/0", or NULL: any                */
    enum plumb_proof_plain_reads reads;
    enum plumb_proof_plain_belongs belongs;
    bool breaks_closure; /* the type is not closed where this is used   */
    bool integers;       /* its arguments are integers                  */
};

enum plumb_proof_relaxation {
    PLAIN_K,
    PLAIN_EARLY,
    PLAIN_LATE,
    PLAIN_SEGMENT,
    PLAIN_ENQ,
    PLAIN_DEQ,
    PLAIN_EMPTY,
    PLAIN_RELAXATIONS
};

/* Who may account for `empty` and `full` (docs/weak-answers.md). */
enum plumb_proof_plain_weak {
    PLAIN_STRICT,
    PLAIN_GAP,
    PLAIN_CLAIM,
    PLAIN_POOL,
    PLAIN_SCAN
};

/* The parameters of a specification; a type takes those it names. */
struct plumb_proof_plain_parameters {
    bool blocking, max;
    enum plumb_proof_plain_weak weak;
    bool has_cap, has_n, has_init;
    uint64_t cap, j, n;
    struct plumb_value init;
    /* How it is relaxed: those that are given have a bit in `relaxed`. */
    unsigned relaxed; /* 1 << enum plumb_proof_relaxation */
    uint64_t relaxation[PLAIN_RELAXATIONS];
};

enum plumb_proof_plain_result {
    PLAIN_RETURNS,
    PLAIN_BLOCKS,
    PLAIN_NO_MEMORY /* the state may be damaged: only free it */
};

/* What an operation answered in the history. */
struct plumb_proof_plain_seen {
    const char *term;
    unsigned nres;
    const struct plumb_value *res;
};

struct plumb_proof_plain_call {
    const struct plumb_proof_plain_operation *operation;
    unsigned nargs, thread;
    const struct plumb_value *args;
    /* NULL: not known.  A type may look at it to skip choices that would end
     * in another answer; it need not. */
    const struct plumb_proof_plain_seen *seen;
    /* How many steps of the operation are to follow this one: then it gives no
     * answer yet, but blocks where it cannot come to what was seen.  Whose step
     * it is, `thread` says. */
    unsigned more;
    /* Of a type that is told of calls and returns: is it one of them?  Whose,
     * `whose` says: no two operations that are open have the same. */
    enum plumb_proof_plain_moment {
        PLAIN_EFFECT,
        PLAIN_CALL,
        PLAIN_RETURN
    } moment;
    unsigned whose;
    unsigned (*choose)(void *chooser, unsigned n); /* one of 0 .. n - 1 */
    void *chooser;
};

struct plumb_proof_plain_reply {
    const char *term;
    unsigned nres;
    struct plumb_value res[PLUMB_MAX_RESULTS];
    bool truth;    /* res[0] is a boolean that histories may write as t or 1 */
    bool anything; /* nobody knows: every answer is right */
};

struct plumb_proof_plain_type {
    const char *names;
    const char *parameters; /* those it takes */
    const struct plumb_proof_plain_operation *operation;
    unsigned operations;
    bool closed; /* under deleting a value, as its parameters allow: see
                    plumb_proof_plain_closure() */
    bool
        by_key; /* what is done to one first argument, and answered, has nothing
                    to do with what is done to others                   */
    bool changes_first; /* may change the state before it asks to choose      */
    bool looks_at_thread;
    const uint8_t *steps; /* by kind: an operation takes so many; NULL: one */
    /* With relaxing parameters it is this one. */
    const struct plumb_proof_plain_type *relaxed;
    /* Its kind with weak answers, or NULL. */
    const struct plumb_proof_plain_type *weak;
    /* What a call and a return do to the state; NULL: nothing.  False when
     * memory is used up. */
    bool (*call)(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
                 const struct plumb_proof_plain_call *c);
    bool (*give_back)(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_state *s,
                      const struct plumb_proof_plain_call *c);
    /* Calls and returns that leave a state as it is leave as they are all that
     * can follow. */
    bool settles;
    /* Others need it, although it is read-only; NULL: never. */
    bool (*missed)(const struct plumb_proof_plain *p,
                   const struct plumb_proof_plain_call *c);
    /* Make the initial state from an empty one; NULL: it is that.  False when
     * memory is used up. */
    bool (*init)(struct plumb_proof_plain *p,
                 struct plumb_proof_plain_state *s);
    /* Perform the operation.  Where it blocks the state stays as it is. */
    enum plumb_proof_plain_result (*perform)(
        struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
        const struct plumb_proof_plain_call *c,
        struct plumb_proof_plain_reply *r);
    /* Read-only for reasons that are not in the table; NULL: there are none. */
    bool (*also_reads)(const struct plumb_proof_plain_call *c);
};

struct plumb_proof_plain {
    const struct plumb_proof_plain_type *type;
    struct plumb_proof_plain_type own_type; /* of a user's specification */
    struct plumb_proof_plain_parameters with;
    struct plumb_budget *budget;
    const struct plumb_symbols *symbols; /* of the history, or NULL */
    /* A copy of `symbols`, with the same numbers, to which texts are added
     * that the history lacks.  Made when the first one is. */
    struct plumb_symbols more;
    bool has_more;
    uint16_t *known; /* by symbol: operation + 1, 0 not looked up yet */
    size_t knowns;
    const struct plumb_user_spec *user;
    struct plumb_proof_plain_operation *own_operations;
    size_t state_size; /* of a user's specification, else 0 */
    /* Of a user's specification: what it does not know counts as possible, and
     * then so does everything after it; else as impossible. */
    bool lenient;
    uint64_t work;  /* since the budget was last asked */
    uint64_t spent; /* before that */
    uint64_t limit; /* of both; 0: there is none */
};

/* ---- a specification ---- */

/* Make one ready for a history with these symbols (NULL: for no history). */
enum plumb_status plumb_proof_plain_new(struct plumb_spec_ref ref,
                                        const struct plumb_symbols *symbols,
                                        struct plumb_budget *budget,
                                        struct plumb_proof_plain **p,
                                        struct plumb_error *err);
void plumb_proof_plain_free(struct plumb_proof_plain *p);

/* The operation of that name, or NULL. */
const struct plumb_proof_plain_operation *plumb_proof_plain_operation(
    const struct plumb_proof_plain *p, const char *name, size_t length);

/* In how many steps does an operation of that name, a symbol of the history,
 * take effect? */
unsigned plumb_proof_plain_steps(struct plumb_proof_plain *p, uint32_t name);

/* Is the specification told of calls and returns?  Then these are things that
 * happen to an object as its operations do, in their order. */
static inline bool plumb_proof_plain_is_told(const struct plumb_proof_plain *p)
{
    return p->type->call || p->type->give_back;
}

/* Fill in `call`, and `seen` unless the answer is to be ignored, from
 * operation number i of the history.  PLUMB_EINPUT names what the
 * specification cannot read. */
enum plumb_status plumb_proof_plain_read(struct plumb_proof_plain *p,
                                         const struct plumb_history *h,
                                         uint32_t i, bool pending,
                                         struct plumb_proof_plain_call *call,
                                         struct plumb_proof_plain_seen *seen,
                                         struct plumb_error *err);

/* Does the operation leave every state as it is, with the answer seen, or, if
 * none was, with any? */
bool plumb_proof_plain_is_read_only(const struct plumb_proof_plain *p,
                                    const struct plumb_proof_plain_call *c);

/* The value it belongs to.  False: to none. */
bool plumb_proof_plain_belongs(const struct plumb_proof_plain_call *c,
                               struct plumb_value *to);

/* May all operations of a value be deleted, operations that break that aside?
 * Not while an operation that remains answered what is in the way. */
enum plumb_proof_plain_closed {
    PLAIN_NOT_CLOSED,
    PLAIN_CLOSED,
    PLAIN_CLOSED_BUT_FULL,    /* `full` is                                    */
    PLAIN_CLOSED_BUT_ADDED,   /* so is a removal's `empty`, if it overlaps an
                                 addition of the value                        */
    PLAIN_CLOSED_BUT_REMOVED, /* ... a removal of the value                   */
};
enum plumb_proof_plain_closed plumb_proof_plain_closure(
    const struct plumb_proof_plain *p);

/* The text of a symbol of the history, or of one made since. */
const char *plumb_proof_plain_symbol(const struct plumb_proof_plain *p,
                                     uint32_t symbol, size_t *size);

/* The number of a text; UINT32_MAX when memory is used up. */
uint32_t plumb_proof_plain_intern(struct plumb_proof_plain *p, const char *text,
                                  size_t size);

/* Are names or terms the same, but for case, '-' and '_'? */
bool plumb_proof_plain_same(const char *a, size_t a_size, const char *b,
                            size_t b_size);

/* ---- running it ---- */

struct plumb_proof_plain_state *plumb_proof_plain_initial(
    struct plumb_proof_plain *p);

enum plumb_proof_plain_result plumb_proof_plain_perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r);

/* Is this the answer that was seen? */
bool plumb_proof_plain_agrees(const struct plumb_proof_plain *p,
                              const struct plumb_proof_plain_reply *r,
                              const struct plumb_proof_plain_seen *seen);

/* Every outcome of an operation in a state; `seen` and `choose` are ignored.
 * Outcomes may repeat. */
struct plumb_proof_plain_outcome {
    struct plumb_proof_plain_reply reply;
    struct plumb_proof_plain_state *state;
};
struct plumb_proof_plain_outcomes {
    struct plumb_proof_plain_outcome *item;
    size_t count, capacity;
};
enum plumb_status plumb_proof_plain_outcomes(
    struct plumb_proof_plain *p, const struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c,
    struct plumb_proof_plain_outcomes *list);
void plumb_proof_plain_outcomes_release(
    struct plumb_proof_plain *p, struct plumb_proof_plain_outcomes *list);

/* ---- sets of states ----
 *
 * Sorted by hash and without duplicates if there are two members or more. */
struct plumb_proof_plain_member {
    uint64_t hash; /* 0 in a set of one */
    struct plumb_proof_plain_state *state;
};
struct plumb_proof_plain_set {
    struct plumb_proof_plain_member *member;
    size_t count, capacity;
};

/* The budget's status, or PLUMB_EMEMORY.  After a failure only release. */
enum plumb_status plumb_proof_plain_set_init(struct plumb_proof_plain *p,
                                             struct plumb_proof_plain_set *set);
enum plumb_status plumb_proof_plain_set_copy(
    struct plumb_proof_plain *p, struct plumb_proof_plain_set *to,
    const struct plumb_proof_plain_set *from);
void plumb_proof_plain_set_release(struct plumb_proof_plain *p,
                                   struct plumb_proof_plain_set *set);

/* Add a state (NULL: memory is used up) to a set that is to be stepped next;
 * the set takes it over.  A step does not mind order and duplicates. */
enum plumb_status plumb_proof_plain_set_add(struct plumb_proof_plain *p,
                                            struct plumb_proof_plain_set *set,
                                            struct plumb_proof_plain_state *s);

/* Replace the set by the states it may be in after the operation: with the
 * answer seen, or, if none was, with any.  None: it cannot take effect, and
 * *instead, unless NULL, is an answer that it could have given (its term is
 * NULL if it blocks). */
enum plumb_status plumb_proof_plain_set_step(
    struct plumb_proof_plain *p, struct plumb_proof_plain_set *set,
    const struct plumb_proof_plain_call *c,
    struct plumb_proof_plain_reply *instead);

/* ---- for the types ---- */

extern const struct plumb_proof_plain_type plumb_proof_plain_weak_queue,
    plumb_proof_plain_weak_pool_queue, plumb_proof_plain_weak_stack;

extern const struct plumb_proof_plain_type plumb_proof_plain_queue,
    plumb_proof_plain_semiqueue, plumb_proof_plain_stuttering_queue,
    plumb_proof_plain_stack, plumb_proof_plain_deque,
    plumb_proof_plain_priority_queue, plumb_proof_plain_set,
    plumb_proof_plain_multiset, plumb_proof_plain_bag, plumb_proof_plain_map,
    plumb_proof_plain_register, plumb_proof_plain_counter,
    plumb_proof_plain_semaphore, plumb_proof_plain_mutex,
    plumb_proof_plain_barrier, plumb_proof_plain_exchanger;

/* Of the same operations, with the relaxations of docs/relaxed-objects.md. */
extern const struct plumb_proof_plain_type plumb_proof_relaxed_queue,
    plumb_proof_factor_queue, plumb_proof_relaxed_stack,
    plumb_proof_local_queue, plumb_proof_local_stack,
    plumb_proof_relaxed_priority_queue;

/* Make p->type from p->user. */
enum plumb_status plumb_proof_plain_adapt_user(struct plumb_proof_plain *p,
                                               struct plumb_error *err);

#define PLAIN_TABLE(table)                                                     \
    .operation = (table), .operations = sizeof(table) / sizeof *(table)

static inline enum plumb_proof_plain_result plumb_proof_plain_answer(
    struct plumb_proof_plain_reply *r, const char *term)
{
    r->term = term;
    return PLAIN_RETURNS;
}

static inline enum plumb_proof_plain_result plumb_proof_plain_answer_value(
    struct plumb_proof_plain_reply *r, struct plumb_value v)
{
    r->term = "ok";
    r->res[r->nres++] = v;
    return PLAIN_RETURNS;
}

static inline enum plumb_proof_plain_result plumb_proof_plain_answer_truth(
    struct plumb_proof_plain_reply *r, bool b)
{
    r->truth = true;
    return plumb_proof_plain_answer_value(r, plumb_bool(b));
}

/* What the removing operations of a container answer if there is no item. */
static inline enum plumb_proof_plain_result plumb_proof_plain_nothing_there(
    bool partial, struct plumb_proof_plain_reply *r)
{
    return partial ? PLAIN_BLOCKS : plumb_proof_plain_answer(r, "empty");
}

/* What an object with relaxing parameters was given: or else `otherwise`. */
static inline uint64_t plumb_proof_plain_relaxation(
    const struct plumb_proof_plain *p, enum plumb_proof_relaxation which,
    uint64_t otherwise)
{
    return p->with.relaxed & 1u << which ? p->with.relaxation[which]
                                         : otherwise;
}

static inline unsigned plumb_proof_plain_choose(
    const struct plumb_proof_plain_call *c, size_t n)
{
    return n < 2 ? 0 : c->choose(c->chooser, (unsigned)n);
}

#endif
