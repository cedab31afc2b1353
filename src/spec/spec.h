/* spec.h - the waist between sequential types and everything that uses them.
 *
 * A type describes itself in a struct plumb_spec_type: its operations as a table,
 * and how a state steps.  A struct plumb_spec is a type with its parameters.
 * plumb_spec_bind() looks at a history through a spec: names, terms and values
 * become small numbers (struct plumb_spec_action), once, with errors at the source
 * position.  A struct plumb_spec_space holds the states met so far, each once, so
 * that a state is a number and two states are equal iff their numbers are.
 *
 *     history --bind--> actions --step(space, state, action)--> states     */
#ifndef PLUMB_SPEC_SPEC_H
#define PLUMB_SPEC_SPEC_H

#include "base/arena.h"
#include "base/index.h"
#include "base/text.h"
#include <plumb/history.h>
#include <plumb/spec.h>
#include <string.h>

typedef uint32_t plumb_spec_state; /* a number in a space */
typedef uint32_t plumb_spec_vid;   /* a number of a value in a bound history */

#define PLUMB_NO_VALUE UINT32_MAX
#define PLUMB_NO_STATE UINT32_MAX

/* Result terms of the built-in types.  ANY is a pending operation: whatever it
 * would answer is allowed.  NEVER goes with a call alone: it is not to return. */
enum plumb_spec_term {
    PLUMB_TERM_OK,
    PLUMB_TERM_EMPTY,
    PLUMB_TERM_FULL,
    PLUMB_TERM_NONE,
    PLUMB_TERM_CANCELED,
    PLUMB_TERM_INVALID,
    PLUMB_TERM_TIMEOUT,
    PLUMB_TERM_NEVER = 0xfe,
    PLUMB_TERM_ANY = 0xff
};

/* Where a type is told of calls and returns, these are actions, too. */
enum plumb_spec_moment {
    PLUMB_MOMENT_EFFECT,
    PLUMB_MOMENT_CALL,
    PLUMB_MOMENT_RETURN
};

/* An operation as its type sees it, or, where operations take effect in several
 * steps, one step of it.  The last step gives the answer; the others know it as
 * well if it is known, so that they lead nowhere where it cannot be given. */
struct plumb_spec_action {
    uint16_t kind; /* row of the type's operation table        */
    uint8_t term;  /* enum plumb_spec_term, or the user spec's own  */
    uint8_t nargs, nres;
    bool skip;      /* FAIL: not part of the history            */
    uint8_t more;   /* steps of the operation that are to follow */
    uint8_t moment; /* enum plumb_spec_moment: what of the operation it is */
    /* A step of several: whose it is.  No two that are open have the same. */
    uint32_t thread;
    uint32_t call, ret;
    uint32_t whose; /* the same for types that are told of calls and returns */
    const plumb_spec_vid *arg, *res;
};

/* Successors of one step: distinct, in no order.  A step adds to what is there
 * already, so after several steps there may be duplicates. */
struct plumb_spec_states {
    struct plumb_budget *budget;
    plumb_spec_state *state;
    size_t count, capacity;
};
bool plumb_spec_states_add(struct plumb_spec_states *out, plumb_spec_state s);
void plumb_spec_states_release(struct plumb_spec_states *out);

/* Add a state that was just made: false if it could not be. */
static inline bool plumb_spec_states_made(struct plumb_spec_states *out,
                                          plumb_spec_state s)
{
    return s != PLUMB_NO_STATE && plumb_spec_states_add(out, s);
}

struct plumb_spec;
struct plumb_spec_bound;
struct plumb_spec_space;

/* What an operation is to the monitors of its type (check/monitor.h). */
enum plumb_spec_role {
    PLUMB_ROLE_OTHER,
    /* of containers that hand out items: word 0 is the item */
    PLUMB_ROLE_ADD,
    PLUMB_ROLE_REMOVE,
    PLUMB_ROLE_PEEK,
    /* of what has keys: word 0 is the key */
    PLUMB_ROLE_INSERT, /* if it is absent, unless it is of a multiset */
    PLUMB_ROLE_DELETE,
    PLUMB_ROLE_MEMBER,
    PLUMB_ROLE_COUNT,
    /* of registers, and of each key of a map */
    PLUMB_ROLE_WRITE,
    PLUMB_ROLE_READ,
    PLUMB_ROLE_CAS,
    PLUMB_ROLE_SWAP,
    PLUMB_ROLE_APPEND
};

/* One operation of a type.  `names`, with blanks between: the first is the
 * proper one, the rest are synonyms that are right for this type; compared
 * without regard to case, '-' or '_'.  `args` and `results` are shapes: a
 * letter per value, v any, b boolean, i integer, o optional any; results are
 * alternatives, one per term, as in "ok(v)|empty()"; NULL: any term with any
 * results.  Several rows may share names with different shapes of args: they
 * stand together. */
struct plumb_spec_opdef {
    const char *names;
    const char *args;
    const char *results;
    bool partial; /* blocks where it has no answer */
    bool waits;   /* so it does if the type's `blocking` is given */
    int key; /* argument that names the part of the state it touches, or -1 */
    enum plumb_spec_role role;
    uint8_t steps; /* of a `stepwise` type: see there; 0 is one */
};

/* A parameter, as in "queue:cap=4,blocking". */
enum plumb_spec_param_kind {
    PLUMB_PARAM_FLAG,
    PLUMB_PARAM_COUNT,
    PLUMB_PARAM_INTEGER, /* may be negative */
    PLUMB_PARAM_VALUE,
    PLUMB_PARAM_WORD /* one of `words`; without a value it is `initial` */
};
struct plumb_spec_param {
    const char *name;
    enum plumb_spec_param_kind kind;
    const char *what; /* one line for `plumb list specs` */
    uint64_t initial; /* of a COUNT or INTEGER that is not given */
    uint64_t least;   /* of a COUNT */
    /* Those before it that do not go with it, with blanks between; or NULL. */
    const char *excludes;
    /* Of a WORD, by its number; NULL is no word of this type.  Where `initial`
     * is none, a value has to be given. */
    const char *const *words;
    unsigned nwords;
};
#define PLUMB_MAX_PARAMS 12

/* What an operation is to an object that hands out items in the order they came
 * in: it adds arg[0], or removes an item, res[0] if it returned. */
enum plumb_spec_fifo {
    PLUMB_FIFO_NEITHER,
    PLUMB_FIFO_ADDS,
    PLUMB_FIFO_REMOVES
};

/* What an operation is to an object that holds a sequence of items and shows
 * them at its ends: it adds arg[0] at an end, takes an item off it or looks at
 * it, res[0] if it returned, or answered that there is none. */
struct plumb_spec_end {
    enum {
        PLUMB_END_NEITHER,
        PLUMB_END_ADDS,
        PLUMB_END_TAKES,
        PLUMB_END_SHOWS,
        PLUMB_END_FINDS_NOTHING
    } does;
    int end; /* 0: the front, 1: the back */
};

/* A value may be left out with all its operations unless, of those that remain,
 * one answered `full`, or one that answered `empty` ... */
enum plumb_spec_bar {
    PLUMB_BARRED,            /* it may not at all */
    PLUMB_BARRED_BY_FULL,    /* (`empty` is never in the way)             */
    PLUMB_BARRED_BY_ADDING,  /* ... overlaps an addition of the value     */
    PLUMB_BARRED_BY_REMOVING /* ... overlaps a removal of the value       */
};

struct plumb_spec_type {
    const char *name;
    const char *what; /* one line for `plumb list specs` */
    const struct plumb_spec_opdef *ops;
    unsigned nops;
    const struct plumb_spec_param *params;
    unsigned nparams;
    /* The operation names alone suggest this type (`--spec` left out). */
    bool guessable;
    /* Synonyms that it shares with a more usual type and that do not suggest
     * this one by themselves; or NULL. */
    const char *borrowed;
    /* The order of values matters: bind fills in bound->rank. */
    bool ordered;
    /* Some operations take effect in several steps, one after another between
     * call and return, and what others do in between matters: an operation
     * arrives, is joined by others, and leaves.  That is how several operations
     * take effect at once (docs/specifications.md, set-linearizability).  A
     * step is not allowed before the one ahead of it: the state knows. */
    bool stepwise;
    /* It matters which thread calls (action->thread). */
    bool by_thread;

    /* With these parameters it steps otherwise: the type of the same name,
     * operations and parameters that does.  NULL: never. */
    const struct plumb_spec_type *(*variant)(const struct plumb_spec *spec);
    /* Why parameters that were given make no sense together, for a message;
     * NULL if they do. */
    const char *(*refuses)(const struct plumb_spec *spec);

    /* Prepare space->extra of the space, if the type needs any.  NULL: nothing.
     */
    bool (*open)(struct plumb_spec_space *space);
    void (*close)(struct plumb_spec_space *space);

    /* PLUMB_NO_STATE when memory is used up. */
    plumb_spec_state (*initial)(struct plumb_spec_space *space);

    /* Add every state that `s` may become by `a` with a's result, or with any
     * result if the term is ANY; none if it cannot return that here.  False
     * when memory is used up. */
    bool (*step)(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out);

    /* Answers may depend on who is in the middle of an operation
     * (docs/weak-answers.md).  Add every state that `s` becomes when the
     * operation of `a` is called (its result may not be known yet: ANY), or
     * when it returns, which it does after it has taken effect.  a->whose names
     * it.  A state names operations that are open and no others: `returned`
     * forgets the name, so that equal states stay equal.  NULL: the state stays
     * as it is. */
    bool (*called)(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out);
    bool (*returned)(struct plumb_spec_space *space, plumb_spec_state s,
                     const struct plumb_spec_action *a,
                     struct plumb_spec_states *out);
    /* A call or return that leaves a state as it is leaves all those that can
     * follow as they are, too.  And what is possible before a call of another
     * operation is possible after it, with the same effect. */
    bool settles;
    /* Others may be allowed an answer by the call or the return of `a`,
     * although `a` only reads: it may not be left out.  NULL: never. */
    bool (*missed)(const struct plumb_spec *spec,
                   const struct plumb_spec_action *a);

    /* May one step of `a` give several states?  NULL: never. */
    bool (*branches)(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a);

    /* Does `a`, with its result (any, if ANY), leave every state that allows it
     * as it is? */
    bool (*reads)(const struct plumb_spec *spec,
                  const struct plumb_spec_action *a);

    /* The value whose deletion takes `a` along; PLUMB_NO_VALUE if none does.
     * NULL: the type is not closed under deleting all operations of a value.
     * Closed: a legal sequence stays legal when all of them are left out. */
    plumb_spec_vid (*owner)(const struct plumb_spec_space *space,
                            const struct plumb_spec_action *a);
    /* With these parameters, and the operations of this object?  NULL: always,
     * if owner is given. */
    bool (*closed)(const struct plumb_spec_bound *bound, uint32_t object);
    /* Where it is not closed: which answers that remain are in the way?  NULL:
     * PLUMB_BARRED. */
    enum plumb_spec_bar (*bar)(const struct plumb_spec *spec);

    /* Its part in first in, first out.  Every item that is added goes in (a
     * pending addition, where there is a `cap`, perhaps not), and every state
     * hands out the oldest: otherwise NEITHER.  NULL: never. */
    enum plumb_spec_fifo (*fifo)(const struct plumb_spec *spec,
                                 const struct plumb_spec_action *a);
    /* Its part in a sequence: the same, at two ends. */
    struct plumb_spec_end (*ends)(const struct plumb_spec *spec,
                                  const struct plumb_spec_action *a);
    /* How many removals an item may answer before it is gone; at least one
     * does.  NULL: 1. */
    uint32_t (*answers)(const struct plumb_spec *spec);

    void (*show)(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out);
};

/* Is the type told of calls, or of returns? */
static inline bool plumb_spec_is_told(const struct plumb_spec_type *type)
{
    return type->called || type->returned;
}

/* Step, call or return, as `a` says. */
static inline bool plumb_spec_happen(struct plumb_spec_space *space,
                                     const struct plumb_spec_type *type,
                                     plumb_spec_state s,
                                     const struct plumb_spec_action *a,
                                     struct plumb_spec_states *out)
{
    if (a->moment == PLUMB_MOMENT_EFFECT)
        return type->step(space, s, a, out);
    return a->moment == PLUMB_MOMENT_CALL ? type->called(space, s, a, out)
                                          : type->returned(space, s, a, out);
}

/* In how many steps does the operation of `a` take effect? */
static inline unsigned plumb_spec_steps(const struct plumb_spec_type *type,
                                        const struct plumb_spec_action *a)
{
    const unsigned steps = type->ops[a->kind].steps;
    return steps ? steps : 1;
}
enum { PLUMB_MOST_STEPS = 4 };

struct plumb_spec {
    const struct plumb_spec_type *type;
    char *text; /* normalised */
    /* By index of type->params.  FLAG: 0 or 1.  COUNT, INTEGER: the number.
     * VALUE: its bits; a string's text is in param_text, and plumb_bound.param
     * has its number in a history. */
    uint64_t param[PLUMB_MAX_PARAMS];
    enum plumb_tag param_tag[PLUMB_MAX_PARAMS]; /* of VALUEs */
    char *param_text[PLUMB_MAX_PARAMS];         /* of VALUEs that are strings */
    bool given[PLUMB_MAX_PARAMS];
    const struct plumb_user_spec *user;
    void *extra; /* the user-spec adapter's tables */
    /* Where a user's specification answers *unknown*: does the call then lead
     * nowhere, or to the unknown state, which allows everything?  What is
     * linearizable with the former is so whatever the answer; what is not with
     * the latter is not, whatever the answer. */
    bool strict;
};

/* The values that every bound history has. */
enum { PLUMB_VID_NIL, PLUMB_VID_FALSE, PLUMB_VID_TRUE, PLUMB_VID_ZERO };

/* A history through a spec; immutable, shared by all threads of a run. */
struct plumb_spec_bound {
    const struct plumb_history *history;
    const struct plumb_spec *spec;
    struct plumb_base_arena arena;
    const struct plumb_spec_action *action; /* one per operation */
    const struct plumb_value *value;        /* by plumb_spec_vid; distinct */
    plumb_spec_vid values;
    plumb_spec_vid
        param[PLUMB_MAX_PARAMS]; /* VALUE parameters, or PLUMB_NO_VALUE */
    /* By object: bit k is set if an action that is not skipped has kind k. */
    const uint64_t *kinds;
    uint64_t all_kinds; /* of all objects */
    /* By plumb_spec_vid, of `ordered` types: a smaller value has a smaller rank. */
    const uint32_t *rank;
    const plumb_spec_vid *ranked; /* by rank */
    /* Of user specs: the result terms of the history; an action's term is an
     * index into them. */
    const char *const *term;
    unsigned terms;
    bool branches; /* some action may branch */
};

enum plumb_status plumb_spec_bind(const struct plumb_history *h,
                                  const struct plumb_spec *spec,
                                  struct plumb_budget *budget,
                                  struct plumb_spec_bound *bound,
                                  struct plumb_error *err);
void plumb_spec_bound_release(struct plumb_spec_bound *bound);

/* The type whose operation table knows all names of `h`, if there is just one
 * guessable; else NULL.  `candidates` (if given) lists those that do, as in
 * "semaphore, mutex", and only if there are none, those not guessable. */
const struct plumb_spec_type *plumb_spec_guess(
    const struct plumb_history *h, struct plumb_base_text *candidates);

/* Built-in types, in the order of `plumb list specs`; NULL-terminated. */
extern const struct plumb_spec_type *const plumb_spec_types[];

/* ---- states ----
 *
 * A space is used by one thread.  Types with small states keep them as bytes
 * in the store below; the others have structures of their own in `extra`. */
struct plumb_spec_space {
    const struct plumb_spec_bound *bound;
    const struct plumb_spec *spec;
    struct plumb_base_arena arena;
    /* the store: state s is size[s] bytes at data[s] */
    const void **data;
    uint32_t *size;
    size_t count, capacity, size_capacity;
    struct plumb_base_index index;
    void *extra;  /* the type's own */
    bool unknown; /* a step has led to the unknown state */
    /* In the last step of a type written in C: some choice does not return. */
    bool waits;
};

/* Is it that state?  (plumb_spec.strict) */
bool plumb_spec_is_unknown(const struct plumb_spec_space *space,
                           plumb_spec_state s);

bool plumb_spec_space_open(struct plumb_spec_space *space,
                           const struct plumb_spec_bound *bound,
                           struct plumb_budget *budget);
void plumb_spec_space_close(struct plumb_spec_space *space);

/* The state with these bytes: the same number for the same bytes.
 * PLUMB_NO_STATE when memory is used up. */
plumb_spec_state plumb_spec_space_intern(struct plumb_spec_space *space,
                                         const void *data, uint32_t size);

/* The state that is one number, and back. */
static inline plumb_spec_state plumb_spec_number_state(
    struct plumb_spec_space *space, uint64_t n)
{
    return plumb_spec_space_intern(space, &n, sizeof n);
}

static inline uint64_t plumb_spec_number_of(
    const struct plumb_spec_space *space, plumb_spec_state s)
{
    uint64_t n;
    memcpy(&n, space->data[s], sizeof n);
    return n;
}

static inline struct plumb_value plumb_spec_vid_value(
    const struct plumb_spec_space *s, plumb_spec_vid v)
{
    return s->bound->value[v];
}

/* May `a` answer `term` with these results?  True for ANY. */
static inline bool plumb_spec_answers(const struct plumb_spec_action *a,
                                      enum plumb_spec_term term)
{
    return a->term == PLUMB_TERM_ANY || a->term == term;
}
static inline bool plumb_spec_answers_value(const struct plumb_spec_action *a,
                                            enum plumb_spec_term term,
                                            plumb_spec_vid v)
{
    return a->term == PLUMB_TERM_ANY || (a->term == term && a->res[0] == v);
}
/* The budget is asked every so many operations of a history. */
enum { PLUMB_POLL_OPERATIONS = 4096 };

/* Did it answer ok(b) with this boolean?  False for ANY. */
static inline bool plumb_spec_answered(const struct plumb_spec_action *a,
                                       bool b)
{
    return a->term == PLUMB_TERM_OK &&
           a->res[0] == (b ? PLUMB_VID_TRUE : PLUMB_VID_FALSE);
}
static inline bool plumb_spec_answers_bool(const struct plumb_spec_action *a,
                                           bool b)
{
    return a->term == PLUMB_TERM_ANY || plumb_spec_answered(a, b);
}

/* The text of a value as a person writes it: 7, abc, "a b", true, nil. */
void plumb_spec_value_show(const struct plumb_history *h, struct plumb_value v,
                           struct plumb_base_text *out);
void plumb_spec_vid_show(const struct plumb_spec_space *space, plumb_spec_vid v,
                         struct plumb_base_text *out);

/* A string parameter that the history has no symbol for: equal to no value of
 * the history.  Its text is the parameter's. */
#define PLUMB_FOREIGN_SYMBOL UINT32_MAX

#endif
