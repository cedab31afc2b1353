/* oracle_types.h - the sequential types of docs/specifications.md, as plainly
 * as can be.
 *
 * A state is a struct that is copied; a type lists, for a state and a call,
 * *every* answer it may give and the state it leaves.  Nothing is looked up by
 * the answer a history has: whoever asks compares.  Only small histories are
 * meant, so everything has a fixed size. */
#ifndef ORACLE_TYPES_H
#define ORACLE_TYPES_H

#include <plumb/value.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_OPS 16 /* operations of a history, hence items of a state */

/* A value is its type and its text: integers as decimal digits, booleans as
 * "true" and "false".  The rest of text[] is zeros. */
struct oracle_value {
    uint8_t tag; /* enum plumb_tag */
    uint8_t length;
    char text[22];
};

enum oracle_type {
    ORACLE_QUEUE,
    ORACLE_SEMIQUEUE,
    ORACLE_STUTTERING_QUEUE,
    ORACLE_STACK,
    ORACLE_DEQUE,
    ORACLE_PRIORITY_QUEUE,
    ORACLE_SET,
    ORACLE_MULTISET,
    ORACLE_BAG,
    ORACLE_MAP,
    ORACLE_REGISTER,
    ORACLE_COUNTER,
    ORACLE_SEMAPHORE,
    ORACLE_MUTEX
};

#define ORACLE_UNBOUNDED 1000u

/* A type with its parameters; 0 is "not given" for cap and segment. */
struct oracle_spec {
    enum oracle_type type;
    unsigned cap, j;
    bool relaxed; /* then these count (docs/relaxed-objects.md) */
    unsigned early, late, segment, empty;
    int64_t n;
    bool blocking, max, has_init;
    struct oracle_value init;
};

enum oracle_op {
    OP_ENQ,
    OP_PUT,
    OP_DEQ,
    OP_POLL,
    OP_TAKE,
    OP_PEEK,
    OP_PUSH,
    OP_POP,
    OP_TRY_POP,
    OP_PUSH_FRONT,
    OP_PUSH_BACK,
    OP_POP_FRONT,
    OP_POP_BACK,
    OP_PEEK_FRONT,
    OP_PEEK_BACK,
    OP_INSERT,
    OP_DELMIN,
    OP_MIN,
    OP_DELETE,
    OP_MEMBER,
    OP_COUNT,
    OP_GET,
    OP_REMOVE,
    OP_APPEND,
    OP_WRITE,
    OP_READ,
    OP_CAS,
    OP_SWAP,
    OP_INC,
    OP_DEC,
    OP_ADD,
    OP_FETCH_INC,
    OP_FETCH_ADD,
    OP_ACQUIRE,
    OP_TRY_ACQUIRE,
    OP_RELEASE,
    OP_LOCK,
    OP_TRY_LOCK,
    OP_UNLOCK
};

struct oracle_call {
    enum oracle_op op;
    unsigned nargs;
    struct oracle_value arg[2];
};

enum oracle_term { TERM_OK, TERM_EMPTY, TERM_FULL, TERM_NONE };

struct oracle_answer {
    enum oracle_term term;
    unsigned nres;
    struct oracle_value res[2];
};

/* `key` is the priority of a priority queue's item and the key of a map's;
 * `pair` tells insert(p,x) from insert(x), and a map's key that has a value
 * from one that has none any more. */
struct oracle_item {
    struct oracle_value key, value;
    bool pair;
    unsigned number;    /* the how manieth that was added */
    unsigned overtaken; /* by how many that should have left later */
};

/* Items stand in the order they were added.  A register has one item. */
struct oracle_state {
    int64_t number; /* counter, semaphore; mutex: 1 is locked            */
    unsigned left;  /* stuttering-queue: times the first was left in place */
    unsigned added; /* items so far                                       */
    unsigned count;
    struct oracle_item item[ORACLE_OPS]; /* only `count` of them are set */
};

struct oracle_outcome {
    struct oracle_answer answer;
    struct oracle_state state;
};

struct oracle_outcomes {
    unsigned count; /* 0: it blocks, it cannot return in this state */
    struct oracle_outcome at[ORACLE_OPS + 1];
};

/* "queue:cap=4,blocking"; false if it is not understood. */
bool oracle_spec_parse(const char *text, struct oracle_spec *spec);
bool oracle_op_parse(const char *name, enum oracle_op *op);
bool oracle_term_parse(const char *name, enum oracle_term *term);
const char *oracle_term_name(enum oracle_term term);

void oracle_initial(const struct oracle_spec *spec, struct oracle_state *s);

/* All answers of `call` in state `s`, each with the state that follows. */
void oracle_outcomes(const struct oracle_spec *spec,
                     const struct oracle_state *s,
                     const struct oracle_call *call,
                     struct oracle_outcomes *out);

/* Does the operation answer a boolean?  Sources write 1, 0, t and f for it. */
bool oracle_answers_boolean(const struct oracle_spec *spec, enum oracle_op op);

struct oracle_value oracle_text(enum plumb_tag tag, const char *text,
                                size_t length);
struct oracle_value oracle_int(int64_t i);
struct oracle_value oracle_bool(bool b);
struct oracle_value oracle_nil(void);
/* As in a parameter: 7, -7, nil, true, word. */
struct oracle_value oracle_value_parse(const char *text, size_t length);
bool oracle_same(const struct oracle_value *a, const struct oracle_value *b);
bool oracle_same_answer(const struct oracle_answer *a,
                        const struct oracle_answer *b);
bool oracle_same_state(const struct oracle_state *a,
                       const struct oracle_state *b);

/* ---- what docs/specifications.md claims of the types (oracle_claims.c) ----
 * `answer` is NULL for a pending operation. */

/* Does it leave every state as it is? */
bool oracle_reads(const struct oracle_spec *spec,
                  const struct oracle_call *call,
                  const struct oracle_answer *answer);

/* The value whose deletion takes the operation along; false if there is none.
 */
bool oracle_owner(const struct oracle_spec *spec,
                  const struct oracle_call *call,
                  const struct oracle_answer *answer,
                  struct oracle_value *value);

/* Closed under deleting a value?  `exchanges`: the history has cas or swap. */
bool oracle_closed(const struct oracle_spec *spec, bool exchanges);

/* Closed as long as nobody answers `full`? */
bool oracle_closed_but_full(const struct oracle_spec *spec);

bool oracle_by_key(const struct oracle_spec *spec);

#endif
