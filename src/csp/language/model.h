/* model.h - a model that was read: names are resolved, constants are folded.
 *
 * The language is CSP with shared variables as PAT's CSP module reads it
 * (docs/modelling-language.md).  The reader turns text into this; what it means
 * is in terms.c.  Everything lives in the model's arena and is immutable.
 *
 * Numbers.  Values are 32-bit integers; true is 1, false is 0.  A *local* is a
 * name bound inside a definition: a parameter, an index (x:{0..2}@), what a
 * channel input binds.  Each binding has a number of its own within its
 * definition, so there is no shadowing left.  An array is bound element by
 * element; a process that is given arrays of different shapes is a definition
 * of its own for each of them.  Variables declared inside a
 * program ({ var t = x; ... }) are numbered within that program, separately.
 *
 * Globals are laid out in *slots*: a variable has one, an array one for each
 * element, row by row; a channel has one per channel of its array. */
#ifndef PLUMB_CSP_LANGUAGE_MODEL_H
#define PLUMB_CSP_LANGUAGE_MODEL_H

#include "base/arena.h"
#include <assert.h>
#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where something was written.  file 0 is the model, others were included. */
struct plumb_csp_place {
    uint32_t file, line, column;
};

/* ---- expressions ---- */

enum plumb_csp_expr_kind {
    PLUMB_EXPR_CONSTANT, /* value; `boolean` if written or computed as one  */
    PLUMB_EXPR_LOCAL,    /* number: a parameter, an index, an input         */
    PLUMB_EXPR_TEMP,     /* number: a variable of the program it stands in  */
    PLUMB_EXPR_GLOBAL,   /* variable, and an index expression per dimension */
    PLUMB_EXPR_UNARY,
    PLUMB_EXPR_BINARY,
    PLUMB_EXPR_CALL,    /* function: a built-in or imported one; operands    */
    PLUMB_EXPR_CHANNEL, /* ask: of channel, its index if it is an array     */
    PLUMB_EXPR_PICK,    /* operand[0] says which of the others, from 0      */
    PLUMB_EXPR_METHOD   /* number: formulas/collections.h; operand[0] is the
                           collection, then the arguments                   */
};

/* Operators: the name, how it is written, how tightly it binds, and the value
 * of a and b in 64 bits.  Those of the first list have no instruction of their
 * own (formula_code.h). */
#define PLUMB_OTHER_OPERATORS(X)                                               \
    X(NOT, "!", 9, !a)                                                         \
    X(MINUS, "-", 9, -a)                                                       \
    X(OR, "||", 1, a || b) /* the right side is not evaluated needlessly */    \
    X(AND, "&&", 2, a &&b)
#define PLUMB_OPERATORS(X)                                                     \
    X(XOR, "xor", 3, !a != !b) /* of truth values */                           \
    X(BITAND, "&", 4, a &b)                                                    \
    X(BITOR, "|", 4, a | b)                                                    \
    X(BITXOR, "^", 4, a ^ b)                                                   \
    X(EQUAL, "==", 5, a == b)                                                  \
    X(UNEQUAL, "!=", 5, a != b)                                                \
    X(LESS, "<", 6, a < b)                                                     \
    X(GREATER, ">", 6, a > b)                                                  \
    X(AT_MOST, "<=", 6, a <= b)                                                \
    X(AT_LEAST, ">=", 6, a >= b)                                               \
    X(ADD, "+", 7, a + b) /* from here on, it has to fit in 32 bits */         \
    X(SUBTRACT, "-", 7, a - b)                                                 \
    X(MULTIPLY, "*", 8, a *b)                                                  \
    X(DIVIDE, "/", 8, a / b) /* towards zero; from here on, b is not 0 */      \
    X(MODULO, "%", 8, plumb_csp_modulo(a, b))

enum plumb_csp_operator {
#define X(name, ...) PLUMB_OP_##name,
    PLUMB_OTHER_OPERATORS(X) PLUMB_OPERATORS(X)
#undef X
        PLUMB_OPERATOR_COUNT
};

struct plumb_csp_sign {
    const char *text;
    int level; /* 1 is the loosest */
};
extern const struct plumb_csp_sign plumb_csp_sign[PLUMB_OPERATOR_COUNT];

/* Never negative: -1 % 3 is 2. */
static inline int64_t plumb_csp_modulo(int64_t a, int64_t b)
{
    assert(b);
    const int64_t rest = a % b;
    return rest >= 0 ? rest : rest + (b < 0 ? -b : b);
}

/* a op b; of an operator of one side, `b` does not matter.  False if it has no
 * value, or none of 32 bits. */
bool plumb_csp_operator_value(enum plumb_csp_operator op, int64_t a, int64_t b,
                              int32_t *value);

enum plumb_csp_channel_query {
    PLUMB_CHANNEL_FULL,
    PLUMB_CHANNEL_EMPTY,
    PLUMB_CHANNEL_COUNT,
    PLUMB_CHANNEL_SIZE,
    PLUMB_CHANNEL_PEEK /* the first value of the first message */
};

struct plumb_csp_expr {
    enum plumb_csp_expr_kind kind;
    struct plumb_csp_place place;
    bool boolean; /* its value is a truth value, as far as can be seen       */
    uint8_t part; /* METHOD: enum plumb_csp_method_part                      */
    enum plumb_csp_operator op; /* UNARY, BINARY                         */
    enum plumb_csp_channel_query
        query;       /* CHANNEL                               */
    int32_t value;   /* CONSTANT                              */
    uint32_t number; /* of the local, temporary, variable, channel, function */
    /* UNARY: 1, BINARY: 2, GLOBAL and CHANNEL: indices, CALL: arguments.  An
     * argument that is the name of a whole array is a GLOBAL without operands,
     * and is passed to a function as its address.  An array that a process is
     * given or receives is as many locals as it has elements. */
    const struct plumb_csp_expr *const *operand;
    uint32_t operands;
};

/* What a method is called for: its answer, where it may not change anything;
 * the collection after it; its answer, where it may change something. */
enum plumb_csp_method_part { PLUMB_ANSWER, PLUMB_AFTER, PLUMB_ANSWER_BEFORE };

/* ---- programs: what an event does, atomically ---- */

enum plumb_csp_statement_kind {
    PLUMB_STATEMENT_ASSIGN, /* target (a GLOBAL or TEMP) = value             */
    PLUMB_STATEMENT_IF,     /* value; body, otherwise                        */
    PLUMB_STATEMENT_WHILE,  /* value; body                                   */
    PLUMB_STATEMENT_CALL    /* value is evaluated for what it does           */
};

/* A sequence: `next` follows. */
struct plumb_csp_statement {
    enum plumb_csp_statement_kind kind;
    struct plumb_csp_place place;
    const struct plumb_csp_expr *target, *value;
    const struct plumb_csp_statement *body, *otherwise, *next;
};

struct plumb_csp_program {
    const struct plumb_csp_statement *first; /* NULL: does nothing */
    uint32_t temps;
    struct plumb_csp_place place;
};

/* ---- processes ---- */

/* What a channel does is an event too: c!5.3, c?5.3, and c.5.3 where sender
 * and receiver meet. */
enum plumb_csp_event_kind {
    PLUMB_EVENT_PLAIN, /* name is an index into the model's names    */
    PLUMB_EVENT_SEND,  /* name is a channel, data[0] its index if it
                          belongs to an array                        */
    PLUMB_EVENT_RECEIVE,
    PLUMB_EVENT_MEET,
    PLUMB_EVENT_ANY /* in sets: all that a channel does; data: its index, or
                       none for all channels of an array */
};

/* An event as written: a name and data, e.x.(i+1).  A tau has no name: `tau`.
 * Only in a set can it be an event of a channel. */
struct plumb_csp_event_text {
    struct plumb_csp_place place;
    bool tau;
    enum plumb_csp_event_kind kind;
    uint32_t name;
    const struct plumb_csp_expr *const *data;
    uint32_t count;
};

/* A part of a range: low .. high, or one value, which is both. */
struct plumb_csp_span {
    struct plumb_csp_place place;
    const struct plumb_csp_expr *low, *high;
};

enum { PLUMB_MOST_VALUES = 1 << 16 }; /* of a range */

/* x:{0..N-1} or x:{1,3,5}.  The values, if they are constants; else there are
 * spans, whose bounds are made of constants and locals (spans.h). */
struct plumb_csp_range {
    uint32_t local;
    const int32_t *value;
    uint32_t count;
    const struct plumb_csp_span *span;
    uint32_t spans;
};

/* A set of events, to hide or as an alphabet: e.0, or x:{0..2}@e.x.  A bare
 * name is exactly the event of that name without data, unless it is a channel's:
 * that is everything the channel does. */
struct plumb_csp_event_set {
    const struct plumb_csp_event_text *event;
    const struct plumb_csp_range *const
        *range; /* of each event, NULL if none */
    const uint32_t *ranges;
    uint32_t count;
};

enum plumb_csp_process_kind {
    PLUMB_STOP,
    PLUMB_SKIP,
    PLUMB_PREFIX,     /* event { program } -> child[0]                      */
    PLUMB_SEND,       /* channel ! data { program } -> child[0]             */
    PLUMB_RECEIVE,    /* channel ? pattern { program } -> child[0]          */
    PLUMB_REFERENCE,  /* definition(data)                                   */
    PLUMB_SEQUENCE,   /* child[0] ; child[1]                                */
    PLUMB_EXTERNAL,   /* [*]  resolved by visible events only               */
    PLUMB_CHOICE,     /* []   resolved by any event                         */
    PLUMB_INTERNAL,   /* <>   resolved by a tau                             */
    PLUMB_INTERLEAVE, /* |||  n of them                                     */
    PLUMB_PARALLEL,   /* ||   n of them, synchronising on shared alphabets  */
    PLUMB_COPIES,     /* |||{n} child[0]; `many` without end                */
    PLUMB_HIDE,       /* child[0] \ { hidden }                              */
    PLUMB_INTERRUPT,  /* child[0] interrupt child[1]                        */
    PLUMB_GUARD,      /* [condition] child[0]                               */
    PLUMB_IF,         /* a tau to child[0] or child[1], as condition says   */
    PLUMB_IFA,        /* the test is part of the first step of the child    */
    PLUMB_IFB,        /* waits until condition holds, then a tau            */
    PLUMB_CASE,       /* children with conditions: a tau to the first that
                         holds; Skip if none does and there is no default   */
    PLUMB_ATOMIC,     /* child[0] goes before everybody else                */
    PLUMB_ASSERT      /* a tau if condition holds, else an error            */
};

struct plumb_csp_process {
    enum plumb_csp_process_kind kind;
    struct plumb_csp_place place;
    struct plumb_csp_event_text event; /* PREFIX */
    const struct plumb_csp_program
        *program; /* PREFIX, SEND, RECEIVE; or NULL */
    const struct plumb_csp_expr
        *condition; /* GUARD, IF, IFA, IFB, ASSERT     */
    const struct plumb_csp_expr *const
        *conditions;     /* CASE: one per child, NULL is
                                                   the default              */
    uint32_t definition; /* REFERENCE                                       */
    uint32_t channel;    /* SEND, RECEIVE                                   */
    const struct plumb_csp_expr
        *channel_index; /* NULL unless an array         */
    /* REFERENCE: arguments.  SEND: the values.  RECEIVE: what must be
     * received; where `binds` is a local number the value is bound to it and
     * the expression is NULL. */
    const struct plumb_csp_expr *const *data;
    const uint32_t *binds; /* RECEIVE: UINT32_MAX where data is compared    */
    const struct plumb_csp_expr
        *accepts;   /* RECEIVE: c?[x<9]x, or NULL          */
    uint32_t count; /* of data                            */
    const struct plumb_csp_process *const *child;
    uint32_t children;
    /* EXTERNAL .. PARALLEL have two children or more, unless written with
     * indices: then child[0] for every combination of values, first range
     * slowest. */
    const struct plumb_csp_range *range;
    uint32_t ranges;
    const struct plumb_csp_expr *copies; /* COPIES: how many, made of constants
                                        and locals; NULL: many */
    struct plumb_csp_event_set hidden;
    bool legacy; /* IF, CASE: written as P <<b>> Q */
};

/* ---- declarations ---- */

enum { PLUMB_MOST_DIMENSIONS = 8 };

struct plumb_csp_variable {
    const char *name;
    struct plumb_csp_place place;
    uint32_t slot, size; /* its first slot, and how many it has */
    uint32_t dimension[PLUMB_MOST_DIMENSIONS], dimensions;
    bool ranged, boolean;
    bool unseen;        /* written as hvar, which is no difference here */
    bool passing;       /* an array of a program: all 0 in every state  */
    uint8_t collection; /* its elements are: formulas/collections.h */
    int32_t low, high;
    const int32_t *initial; /* size of them */
};

struct plumb_csp_channel {
    const char *name;
    struct plumb_csp_place place;
    uint32_t slot, size; /* size > 1 or `array`: c[size] */
    bool array;
    uint32_t capacity; /* 0: rendezvous */
};

struct plumb_csp_bounds {
    int32_t low, high;
};

struct plumb_csp_definition {
    const char *name;
    struct plumb_csp_place place;
    const char *const *parameter;
    const struct plumb_csp_bounds *bounds; /* P(i:{0..3}): of each; or NULL */
    uint32_t parameters;
    uint32_t locals; /* parameters first, then what is bound in the body */
    const char *const *local; /* the name of each */
    const struct plumb_csp_process *body;
    const struct plumb_csp_event_set *alphabet; /* #alphabet, or NULL */
};

/* #define name expression; -- a proposition or a constant. */
struct plumb_csp_proposition {
    const char *name;
    struct plumb_csp_place place;
    const struct plumb_csp_expr *value;
};

/* A function that expressions call.  Built-in ones have `built_in` set; an
 * imported one is bound by whoever can load code.  An array argument comes as
 * the address of its elements; `args` has one entry per argument. */
union plumb_csp_argument {
    int32_t value;
    const int32_t *array;
};
typedef int32_t plumb_csp_function(const union plumb_csp_argument *args,
                                   const uint32_t *sizes, uint32_t count);
struct plumb_csp_function_use {
    const char *name;
    struct plumb_csp_place place; /* of the first call */
    uint32_t arguments;
    uint32_t arrays;              /* which of them are, a bit each */
    plumb_csp_function *function; /* NULL until bound */
    /* Of an imported one: int32_t parameters, const int32_t * for arrays. */
    void (*foreign)(void);
};

/* A struct of C that #import brings, and what is called on it: `size` bytes, all
 * 0 or as `begin` leaves them.  Bound as functions are. */
struct plumb_csp_class {
    const char *name;
    struct plumb_csp_place place; /* of the first variable */
    size_t size;                  /* 0 until bound */
    void (*begin)(void *self);    /* or NULL */
};
enum { PLUMB_FIRST_OF_CLASSES = 1000, PLUMB_MOST_CLASSES = 100 };
struct plumb_csp_class_method { /* number PLUMB_FIRST_OF_CLASSES and so on */
    const char *name;
    struct plumb_csp_place place; /* of the first call */
    uint32_t of;                  /* the class */
    uint32_t arguments;
    void (*foreign)(void); /* NULL until bound: int32_t (void *, int32_t ...) */
};

enum plumb_csp_assertion_kind {
    PLUMB_ASSERT_REFINES,
    PLUMB_ASSERT_REFINES_F,
    PLUMB_ASSERT_REFINES_FD,
    PLUMB_ASSERT_DEADLOCKFREE,
    PLUMB_ASSERT_NONTERMINATING,
    PLUMB_ASSERT_DIVERGENCEFREE,
    PLUMB_ASSERT_DETERMINISTIC,
    PLUMB_ASSERT_REACHES,
    PLUMB_ASSERT_LTL,
    PLUMB_ASSERT_LINEARIZABLE, /* P() refines what an object may do: see docs */
    PLUMB_ASSERT_LOCKFREE,     /* of `clients`: refine/object_progress.h */
    PLUMB_ASSERT_WAITFREE,
    PLUMB_ASSERT_OBSTRUCTIONFREE,
    PLUMB_ASSERT_EQUAL /* to `specification`: refine/equivalence.h */
};

struct plumb_csp_assertion {
    enum plumb_csp_assertion_kind kind;
    struct plumb_csp_place place;
    const char *text; /* as written, blanks folded, without #assert and ; */
    const struct plumb_csp_process *process, *specification;
    const struct plumb_csp_expr *goal, *optimised; /* REACHES */
    int optimise;                                  /* -1 min, 1 max */
    const char *formula;                           /* LTL: its text ... */
    struct plumb_csp_place formula_place;          /* ... and where it is */
    /* LINEARIZABLE: if `specification` is NULL it has to be made from the
     * built-in specification of this text. */
    const char *built_in;
    struct plumb_csp_place built_in_place; /* where that text begins */
    bool as_written; /* it is that text, without constants put in */
    uint32_t clients;
    const int32_t *value; /* arguments of operations; none: not said */
    uint32_t values;
    bool points; /* at marked linearization points: a failure proves nothing */
};

struct plumb_csp_model {
    struct plumb_base_arena arena;
    const char *const *file; /* names, [0] is the model's */
    uint32_t files;
    const char *const *name; /* of events */
    uint32_t names;
    const struct plumb_csp_variable *variable;
    uint32_t variables;
    const struct plumb_csp_channel *channel;
    uint32_t channels;
    uint32_t slots; /* of all variables, then all channels */
    const struct plumb_csp_definition *definition;
    uint32_t definitions;
    const struct plumb_csp_proposition *proposition;
    uint32_t propositions;
    struct plumb_csp_function_use *function;
    uint32_t functions;
    struct plumb_csp_class *classes;
    uint32_t class_count;
    struct plumb_csp_class_method *class_method;
    uint32_t class_methods;
    const struct plumb_csp_assertion *assertion;
    uint32_t assertions;
    const char *const *import; /* what #import names, as written */
    const struct plumb_csp_place *import_place;
    uint32_t imports;
    const char *const *warning; /* whole lines: file:line:column: ... */
    uint32_t warnings;
};

/* ---- reading ---- */

/* -D NAME=VALUE: stands instead of the #define of that name. */
struct plumb_csp_setting {
    const char *name;
    int32_t value;
};

struct plumb_csp_reading {
    const char *name; /* of the file, for messages */
    const char *text;
    size_t size;
    const struct plumb_csp_setting *setting;
    size_t settings;
    bool legacy; /* P <<b>> Q: true goes right */
    /* #include "path": its text, in memory that outlives the reading, the same
     * address for the same file; NULL if there is none.  May itself be NULL. */
    const char *(*include)(void *context, const char *path, size_t *size);
    void *context;
    struct plumb_budget *budget;
};

/* On PLUMB_EINPUT the error has line and column of the model; if the place is
 * in an included file, the message begins with it, and line and column are
 * where the model includes that.  A setting that no #define has is an error
 * without a place.  The model is the caller's to release. */
enum plumb_status plumb_csp_model_read(const struct plumb_csp_reading *reading,
                                       struct plumb_csp_model **model,
                                       struct plumb_error *err);
void plumb_csp_model_free(struct plumb_csp_model *model);

/* The variable that has this slot; NULL if it is a channel's. */
const struct plumb_csp_variable *plumb_csp_model_variable_at(
    const struct plumb_csp_model *model, uint32_t slot);

/* Is |||{..} in `process` or in a definition it refers to?  `*yes` is.  It
 * stands for any number of processes: its states say "many" where there may be
 * any number, and so have more behaviour than is there. */
enum plumb_status plumb_csp_process_counts_many(
    const struct plumb_csp_model *model,
    const struct plumb_csp_process *process, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err);

#endif
