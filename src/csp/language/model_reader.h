/* model_reader.h - what the parts of the reader share (model_read.c).
 *
 * Reading is by hand, one function per construct, because what a reader of a
 * modelling language is judged by is what it says about wrong models: each
 * function knows what it was reading, where it began and what names are near.
 *
 * Two passes over the tokens.  The first finds what is declared, so that names
 * may be used before; the second reads the bodies and resolves names at once.
 *
 * After an error everything returns NULL or false at once; the first error is
 * the one that is reported.  Temporary things are in `scratch`. */
#ifndef PLUMB_CSP_LANGUAGE_MODEL_READER_H
#define PLUMB_CSP_LANGUAGE_MODEL_READER_H

#include "model.h"
#include "scan.h"
#include <string.h>

enum {
    PLUMB_DEEPEST_READING = 1000, /* brackets in brackets, as read          */
    PLUMB_DEEPEST_TREE = 1000,    /* operands below operands, as resolved   */
    PLUMB_MOST_NODES = 1 << 20,   /* of expressions, #defines put in        */
    PLUMB_MOST_SLOTS = 1 << 22,   /* of all variables                       */
    PLUMB_MOST_PASSED = 1024,     /* elements of an array that is passed    */
    PLUMB_MOST_SHAPES = 256,      /* in which a definition is called        */
    PLUMB_MOST_WARNINGS = 100
};

/* An array of a type that grows in the scratch arena.  PLUMB_LIST_ADD appends a
 * value, PLUMB_LIST_NEW a zeroed element, whose address it gives: false, and
 * NULL, after an error if memory is refused.  PLUMB_LIST_TAKE copies the
 * elements to the model's arena; NULL if there are none.  `list` points to a
 * list and is evaluated more than once. */
#define PLUMB_LIST_OF(tag, type)                                               \
    struct tag {                                                               \
        type *at;                                                              \
        uint32_t count, capacity;                                              \
    }
#define PLUMB_LIST(type) PLUMB_LIST_OF(, type)
#define PLUMB_LIST_ROOM(r, list)                                               \
    ((list)->count < (list)->capacity ||                                       \
     ((list)->at = plumb_csp_list_grown(r, (list)->at, &(list)->capacity,      \
                                        sizeof *(list)->at),                   \
      (list)->count < (list)->capacity))
#define PLUMB_LIST_ADD(r, list, ...)                                           \
    (PLUMB_LIST_ROOM(r, list) &&                                               \
     ((list)->at[(list)->count++] = (__VA_ARGS__), true))
#define PLUMB_LIST_NEW(r, list)                                                \
    (PLUMB_LIST_ROOM(r, list)                                                  \
         ? memset((list)->at + (list)->count++, 0, sizeof *(list)->at)         \
         : NULL)
#define PLUMB_LIST_TAKE(r, list)                                               \
    plumb_csp_list_taken(r, (list)->at, (list)->count * sizeof *(list)->at)

PLUMB_LIST_OF(plumb_csp_exprs, const struct plumb_csp_expr *);
PLUMB_LIST_OF(plumb_csp_processes, const struct plumb_csp_process *);
PLUMB_LIST_OF(plumb_csp_statements, struct plumb_csp_statement);
PLUMB_LIST_OF(plumb_csp_tokens, const struct plumb_csp_token *);
PLUMB_LIST_OF(plumb_csp_values, int32_t);
PLUMB_LIST_OF(plumb_csp_ranges, struct plumb_csp_range);

/* Names to numbers. */
struct plumb_csp_entry {
    const char *text;
    uint32_t length, value;
};
struct plumb_csp_table {
    uint32_t *bucket; /* number + 1 */
    uint32_t buckets;
    PLUMB_LIST(struct plumb_csp_entry) entry;
};

/* Behind COLLECTION the kinds of formulas/collections.h. */
enum plumb_csp_type {
    PLUMB_TYPE_ANY,
    PLUMB_TYPE_NUMBER,
    PLUMB_TYPE_TRUTH,
    PLUMB_TYPE_COLLECTION = PLUMB_TYPE_TRUTH
};

/* Every expression is made as one of these. */
struct plumb_csp_syntax_node {
    struct plumb_csp_expr expr;
    enum plumb_csp_type type;
    uint32_t depth, weight;
};

/* And every process as one of these. */
struct plumb_csp_branch {
    struct plumb_csp_process process;
    uint32_t depth;
};

enum plumb_csp_symbol_kind {
    PLUMB_SYMBOL_DEFINE,
    PLUMB_SYMBOL_ENUM,
    PLUMB_SYMBOL_VARIABLE,
    PLUMB_SYMBOL_CHANNEL,
    PLUMB_SYMBOL_OBJECT
};
struct plumb_csp_symbol {
    enum plumb_csp_symbol_kind kind;
    struct plumb_csp_place place;
    int32_t value;   /* ENUM */
    uint32_t number; /* of the #define, variable, channel, object */
};

/* #define: its tokens, and its value once somebody wanted it. */
struct plumb_csp_define {
    const struct plumb_csp_token *name;
    uint32_t first, end; /* tokens of what it stands for */
    bool macro, busy, set;
    bool block; /* it stands for { statements } or an assignment */
    struct plumb_csp_tokens parameter;
    const struct plumb_csp_expr *value;
};

/* What a name inside a definition or a macro stands for. */
enum plumb_csp_bound_kind {
    PLUMB_BOUND_LOCAL,
    PLUMB_BOUND_TEMP,
    PLUMB_BOUND_VALUE,
    PLUMB_BOUND_ARRAY /* of a program; a variable, to plumb_csp_read_global */
};
/* What is passed to a process or in a message: a value if it has no dimension,
 * else an array. */
struct plumb_csp_array_shape {
    uint32_t dimension[PLUMB_MOST_DIMENSIONS], dimensions;
    uint32_t size;                /* so many values */
    bool open;                    /* it is not known yet (read_shapes.c) */
    struct plumb_csp_place place; /* where it is passed */
};
PLUMB_LIST_OF(plumb_csp_shapes, struct plumb_csp_array_shape);

struct plumb_csp_bound {
    enum plumb_csp_bound_kind kind;
    const struct plumb_csp_token *name;
    uint32_t number;
    const struct plumb_csp_expr *value; /* VALUE */
    const struct plumb_csp_array_shape
        *shape; /* LOCAL: NULL if it is a value */
};

/* Something that is passed: its values. */
struct plumb_csp_whole {
    struct plumb_csp_array_shape shape;
    struct plumb_csp_exprs element;
};

/* A declaration: where its tokens begin. */
enum plumb_csp_item_kind {
    PLUMB_ITEM_VARIABLE,
    PLUMB_ITEM_CHANNEL,
    PLUMB_ITEM_DEFINITION,
    PLUMB_ITEM_ALPHABET,
    PLUMB_ITEM_ASSERTION
};
struct plumb_csp_item {
    enum plumb_csp_item_kind kind;
    uint32_t first, end; /* end: of the ; or } that ends it */
    uint32_t number;     /* of the variable, channel, ... */
};

struct plumb_csp_declared_operation {
    const struct plumb_csp_token *name;
    uint32_t parameters; /* the first of its tokens */
    uint32_t body;       /* its { */
};
struct plumb_csp_generated {
    uint32_t clients, definition;
    bool points;
};
struct plumb_csp_object {
    const struct plumb_csp_token *name;
    uint32_t variables, variables_end; /* it has these */
    PLUMB_LIST(struct plumb_csp_declared_operation) operation;
    uint32_t result, busy; /* variables, UINT32_MAX before there is one */
    uint32_t client[2];    /* definitions; [1]: at points */
    PLUMB_LIST(struct plumb_csp_generated) generated;
};

/* An array that a program declares (read_local.c). */
struct plumb_csp_program_array {
    const struct plumb_csp_token *name; /* where it is declared */
    uint32_t number;                    /* the variable */
};

/* One way in which a definition is called, or a message is sent. */
struct plumb_csp_passing {
    const struct plumb_csp_array_shape *shape;
    uint32_t parts;
    uint32_t number; /* of the definition that is called in this way */
};
PLUMB_LIST_OF(plumb_csp_passings, struct plumb_csp_passing);

struct plumb_csp_read {
    const struct plumb_csp_reading *reading;
    struct plumb_csp_model *model;
    struct plumb_base_arena *arena;
    struct plumb_base_arena scratch;
    struct plumb_error *err;
    bool failed;

    struct plumb_csp_token *token;
    uint32_t tokens;
    PLUMB_LIST(struct plumb_csp_text_source) source;
    uint32_t at; /* the next token */
    unsigned depth;
    uint32_t nodes;

    struct plumb_csp_table symbols, definitions, names, functions;
    PLUMB_LIST(struct plumb_csp_symbol) symbol;
    PLUMB_LIST(struct plumb_csp_item) item;
    PLUMB_LIST(struct plumb_csp_define) define;
    PLUMB_LIST(struct plumb_csp_object) object;
    PLUMB_LIST(struct plumb_csp_variable) variable;
    PLUMB_LIST(enum plumb_csp_type) variable_type; /* beside variable */
    PLUMB_LIST(uint32_t) wild; /* variables that begin as anything */
    PLUMB_LIST(struct plumb_csp_channel) channel;
    PLUMB_LIST(struct plumb_csp_definition) definition;
    PLUMB_LIST(struct plumb_csp_tokens) parameter; /* of each definition */
    uint32_t *alphabet; /* of each definition: its item + 1, or 0 */
    PLUMB_LIST(struct plumb_csp_proposition) proposition;
    PLUMB_LIST(struct plumb_csp_function_use) function;
    PLUMB_LIST(struct plumb_csp_class) classes;
    PLUMB_LIST(struct plumb_csp_class_method) class_method;
    PLUMB_LIST(struct plumb_csp_assertion) assertion;
    PLUMB_LIST(const char *) import;
    PLUMB_LIST(struct plumb_csp_place) import_place;
    PLUMB_LIST(const char *) warning;
    PLUMB_LIST(struct plumb_csp_event_text) mentioned; /* by formulas */

    /* Of what is passed, see read_shapes.c: to each definition that was
          * declared, over each channel. */
    struct plumb_csp_passings *given, *sent;
    bool learnt;  /* something that arrays make different */
    bool guessed; /* what is not known yet was taken for a value */
    bool certain; /* nothing more will be known */

    /* Of the definition that is being read. */
    PLUMB_LIST(struct plumb_csp_bound) bound; /* in reach, innermost last */
    uint32_t floor;                 /* names below it are out of reach */
    PLUMB_LIST(const char *) local; /* the name of each of the definition */
    /* Of the program. */
    uint32_t temps;
    PLUMB_LIST(struct plumb_csp_program_array) program_array; /* of all */
    /* Of an initialiser: N(3) is three times N. */
    bool repeats;
    bool begins; /* variables are declared: one is what it begins as */
    /* Of an operation of an object. */
    const struct plumb_csp_object *own;  /* whose variables come first */
    const struct plumb_csp_expr *result; /* return e: result = e */
    bool in_operation, needs_flag;
    bool returns_value, returns_nothing;
    uint32_t flag; /* a variable of the program: it has returned */
};

/* ---- read_cursor.c: errors, memory, tokens ---- */

/* Whatever fails returns NULL, which is false as well: whoever reads an
 * expression and whoever asks a question fail in one expression. */
void *plumb_csp_read_fail(struct plumb_csp_read *r,
                          struct plumb_csp_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void *plumb_csp_read_fail_memory(struct plumb_csp_read *r);
/* "NAME is already declared at ..." */
void *plumb_csp_read_fail_again(struct plumb_csp_read *r,
                                const struct plumb_csp_token *name,
                                struct plumb_csp_place first);
/* "NAME takes 2 arguments, not 1" */
void *plumb_csp_read_fail_count(struct plumb_csp_read *r,
                                const struct plumb_csp_token *name,
                                uint32_t wanted, uint32_t given);
/* C# is not spoken here. */
void *plumb_csp_read_fail_class(struct plumb_csp_read *r,
                                struct plumb_csp_place place);
void plumb_csp_read_warn(struct plumb_csp_read *r, struct plumb_csp_place place,
                         const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void *plumb_csp_read_new(struct plumb_csp_read *r, size_t size);
/* In the scratch arena. */
void *plumb_csp_read_scratch(struct plumb_csp_read *r, size_t size);
/* Where a list of so many elements is now; if memory is refused, where it was.
 */
void *plumb_csp_list_grown(struct plumb_csp_read *r, void *at,
                           uint32_t *capacity, size_t size);
void *plumb_csp_list_taken(struct plumb_csp_read *r, const void *at,
                           size_t size);
/* Append what was read: false if it is NULL. */
bool plumb_csp_exprs_add(struct plumb_csp_read *r, struct plumb_csp_exprs *list,
                         const struct plumb_csp_expr *e);
bool plumb_csp_processes_add(struct plumb_csp_read *r,
                             struct plumb_csp_processes *list,
                             const struct plumb_csp_process *p);
const char *plumb_csp_read_text(struct plumb_csp_read *r, const char *text,
                                size_t length);
/* As printf would write it. */
const char *plumb_csp_read_words(struct plumb_csp_read *r, const char *format,
                                 ...) __attribute__((format(printf, 2, 3)));
const char *plumb_csp_read_token_text(struct plumb_csp_read *r,
                                      const struct plumb_csp_token *t);
/* So many nodes more, made or shared; false, and an error, if there are too
 * many: #defines can double what they are made of. */
bool plumb_csp_read_charge(struct plumb_csp_read *r,
                           struct plumb_csp_place place, uint32_t nodes);
/* Deeper by one; false, and an error, if that is too deep. */
bool plumb_csp_read_enter(struct plumb_csp_read *r);
void plumb_csp_read_leave(struct plumb_csp_read *r);

const struct plumb_csp_token *plumb_csp_read_token(
    const struct plumb_csp_read *r);
const struct plumb_csp_token *plumb_csp_read_ahead(
    const struct plumb_csp_read *r, uint32_t by);
bool plumb_csp_token_is(const struct plumb_csp_token *t, const char *text);
/* Is it one of these, between which are blanks? */
bool plumb_csp_token_is_one(const struct plumb_csp_token *t, const char *words);
bool plumb_csp_token_same(const struct plumb_csp_token *a,
                          const struct plumb_csp_token *b);
bool plumb_csp_read_at(const struct plumb_csp_read *r, const char *text);
bool plumb_csp_read_accept(struct plumb_csp_read *r, const char *text);
/* `why` ends the sentence "expected '...' ". */
bool plumb_csp_read_expect(struct plumb_csp_read *r, const char *text,
                           const char *why);
const struct plumb_csp_token *plumb_csp_read_name(struct plumb_csp_read *r,
                                                  const char *what);
/* Of something that is declared: not a word of the language. */
const struct plumb_csp_token *plumb_csp_read_new_name(struct plumb_csp_read *r,
                                                      const char *what);
/* A ; that is missing is missed behind the token before. */
bool plumb_csp_read_semicolon(struct plumb_csp_read *r, const char *after);
/* To the ; outside of all brackets, which ends `what`. */
bool plumb_csp_read_skip(struct plumb_csp_read *r, const char *what);
/* Behind the token at `at`, and if it opens a bracket, behind what closes it. */
uint32_t plumb_csp_read_behind(const struct plumb_csp_read *r, uint32_t at);
/* How a token is called in messages: at most 40 characters of it. */
#define PLUMB_TOKEN_ARGS(t)                                                    \
    (int)((t)->length > 40 ? 40 : (t)->length), (t)->text
/* "NAME never occurs" */
void plumb_csp_read_warn_unknown(struct plumb_csp_read *r,
                                 struct plumb_csp_place place,
                                 const char *name);
void *plumb_csp_read_unexpected(struct plumb_csp_read *r, const char *wanted);

/* ---- other_language.c ---- */

/* Which language the model is in, if it is another one, and where that shows. */
const char *plumb_csp_read_other_language(const struct plumb_csp_read *r,
                                          struct plumb_csp_place *place);

/* ---- read_names.c ---- */

uint32_t plumb_csp_table_find(const struct plumb_csp_table *t, const char *text,
                              size_t length);
bool plumb_csp_table_put(struct plumb_csp_read *r, struct plumb_csp_table *t,
                         const char *text, size_t length, uint32_t value);
const struct plumb_csp_symbol *plumb_csp_read_symbol(
    const struct plumb_csp_read *r, const struct plumb_csp_token *t);
/* The symbol, whose name is not taken yet; or an error. */
struct plumb_csp_symbol *plumb_csp_read_declare(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    enum plumb_csp_symbol_kind kind);
const struct plumb_csp_bound *plumb_csp_read_bound(
    const struct plumb_csp_read *r, const struct plumb_csp_token *t);
/* Bind a name to a local of its own, a variable of the program, a value. */
bool plumb_csp_read_bind_local(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               uint32_t *number);
bool plumb_csp_read_bind_temp(struct plumb_csp_read *r,
                              const struct plumb_csp_token *t,
                              uint32_t *number);
bool plumb_csp_read_bind_value(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               const struct plumb_csp_expr *value);
bool plumb_csp_read_bind_array(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               uint32_t variable);
/* The variable of that name, an array of the program first, then the object's
 * own; UINT32_MAX if none. */
uint32_t plumb_csp_read_global(const struct plumb_csp_read *r,
                               const struct plumb_csp_token *t);
/* As many locals as the shape has values; the number of the first. */
bool plumb_csp_read_bind_shape(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               const struct plumb_csp_array_shape *shape,
                               uint32_t *number);
bool plumb_csp_read_event_name(struct plumb_csp_read *r, const char *text,
                               size_t length, uint32_t *number);
/* "undefined NAME, did you mean OTHER?" among what can stand there. */
void *plumb_csp_read_undefined(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               const char *what,
                               const struct plumb_csp_table *among,
                               bool and_bound);

/* -D NAME=VALUE has no place in the model. */
void *plumb_csp_read_unknown_setting(struct plumb_csp_read *r,
                                     const struct plumb_csp_token *name);

/* ---- expressions: fold.c, read_expression.c, read_define.c ---- */

const struct plumb_csp_expr *plumb_csp_expr_constant(
    struct plumb_csp_read *r, struct plumb_csp_place place, int32_t value,
    bool truth);
const struct plumb_csp_expr *plumb_csp_expr_unary(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    enum plumb_csp_operator op, const struct plumb_csp_expr *a);
const struct plumb_csp_expr *plumb_csp_expr_binary(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    enum plumb_csp_operator op, const struct plumb_csp_expr *a,
    const struct plumb_csp_expr *b);
/* LOCAL, TEMP, GLOBAL, CALL, CHANNEL. */
const struct plumb_csp_expr *plumb_csp_expr_leaf(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    enum plumb_csp_expr_kind kind, uint32_t number,
    const struct plumb_csp_expr *const *operand, uint32_t operands,
    enum plumb_csp_type type);
enum plumb_csp_type plumb_csp_expr_type(const struct plumb_csp_expr *e);
/* A parameter, an index, or what is received. */
const struct plumb_csp_expr *plumb_csp_expr_local(struct plumb_csp_read *r,
                                                  struct plumb_csp_place place,
                                                  uint32_t number);
/* A variable of the program. */
const struct plumb_csp_expr *plumb_csp_expr_temp(struct plumb_csp_read *r,
                                                 struct plumb_csp_place place,
                                                 uint32_t number);
bool plumb_csp_expr_looks_at_local(const struct plumb_csp_expr *e);
/* The same expression once more: it counts again. */
const struct plumb_csp_expr *plumb_csp_expr_again(
    struct plumb_csp_read *r, const struct plumb_csp_expr *e);
/* A warning if a truth value is wanted and a number is there, and so on. */
void plumb_csp_expr_wants(struct plumb_csp_read *r,
                          const struct plumb_csp_expr *e,
                          enum plumb_csp_type type);
/* Fails: `e`, which begins at `place`, is not constant though `what` has to be.
 * If a constant in it has no value, that is what is wrong. */
bool plumb_csp_expr_fail_constant(struct plumb_csp_read *r,
                                  struct plumb_csp_place place,
                                  const struct plumb_csp_expr *e,
                                  const char *what);

const struct plumb_csp_expr *plumb_csp_read_expression(
    struct plumb_csp_read *r);
/* The same, and also a collection. */
const struct plumb_csp_expr *plumb_csp_read_any(struct plumb_csp_read *r);
const struct plumb_csp_expr *plumb_csp_read_additive(struct plumb_csp_read *r);
const struct plumb_csp_expr *plumb_csp_read_condition(struct plumb_csp_read *r);
/* (condition) */
const struct plumb_csp_expr *plumb_csp_read_test(struct plumb_csp_read *r);
bool plumb_csp_read_constant(struct plumb_csp_read *r, const char *what,
                             int32_t *value);
/* The constant that a name stands for; NULL if it does not. */
const struct plumb_csp_expr *plumb_csp_read_constant_named(
    struct plumb_csp_read *r, const struct plumb_csp_token *name);
/* ---- read_method.c: collections ---- */

/* Of which kind; 0 if it is none. */
uint8_t plumb_csp_type_collection(enum plumb_csp_type type);
/* False, and an error, if a collection is where none may be, or another one. */
bool plumb_csp_expr_fits(struct plumb_csp_read *r,
                         const struct plumb_csp_expr *e,
                         enum plumb_csp_type type);
/* False, and an error, if the elements of the variable are collections. */
bool plumb_csp_read_refuse_collections(struct plumb_csp_read *r,
                                       struct plumb_csp_place place,
                                       uint32_t variable);
/* <List> or nothing, behind var. */
bool plumb_csp_read_class(struct plumb_csp_read *r, enum plumb_csp_type *type);
/* List(), behind new; new List(), of this type. */
const struct plumb_csp_expr *plumb_csp_read_new_collection(
    struct plumb_csp_read *r, const struct plumb_csp_token *word);
bool plumb_csp_read_new_empty(struct plumb_csp_read *r,
                              enum plumb_csp_type type);
/* Does .Method( stand there? */
bool plumb_csp_read_at_method(const struct plumb_csp_read *r, uint32_t at);
/* .Count(), behind `self`, where nothing may change. */
const struct plumb_csp_expr *plumb_csp_read_method(
    struct plumb_csp_read *r, const struct plumb_csp_expr *self);
/* q.Enqueue(1), if that is what the statement is. */
bool plumb_csp_read_method_statement(struct plumb_csp_read *r,
                                     struct plumb_csp_statements *out);
/* What is assigned: an expression, a collection, q.Dequeue(). */
const struct plumb_csp_expr *plumb_csp_read_right_side(
    struct plumb_csp_read *r, struct plumb_csp_statements *out);

/* ---- calls ---- */

/* Arguments up to and with the ')'. */
bool plumb_csp_read_arguments(struct plumb_csp_read *r,
                              struct plumb_csp_exprs *list, bool arrays);
/* Is an index that is known below `extent`?  `of` is indexed, and was passed
 * there unless that is NULL. */
bool plumb_csp_read_check_index(struct plumb_csp_read *r,
                                const struct plumb_csp_expr *index,
                                const char *of, size_t length, uint32_t extent,
                                const struct plumb_csp_place *passed);
/* a[i][j], behind its name. */
const struct plumb_csp_expr *plumb_csp_read_element(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    uint32_t variable);
/* `call` was read: (name, arguments). */
const struct plumb_csp_expr *plumb_csp_read_call(
    struct plumb_csp_read *r, const struct plumb_csp_token *call);
/* [i] of a channel array, behind its name; NULL if it is none. */
bool plumb_csp_read_channel_index(struct plumb_csp_read *r,
                                  const struct plumb_csp_token *name,
                                  uint32_t channel,
                                  const struct plumb_csp_expr **index);
/* The value of a #define without parameters. */
const struct plumb_csp_expr *plumb_csp_define_value(
    struct plumb_csp_read *r, struct plumb_csp_define *d,
    const struct plumb_csp_token *use);
const struct plumb_csp_expr *plumb_csp_define_expand(
    struct plumb_csp_read *r, struct plumb_csp_define *d,
    const struct plumb_csp_token *use, const struct plumb_csp_exprs *args);
bool plumb_csp_read_define(struct plumb_csp_read *r);
bool plumb_csp_read_settings(struct plumb_csp_read *r);
bool plumb_csp_read_propositions(struct plumb_csp_read *r);

/* ---- read_choice.c ---- */

/* At an if that is a value, not a statement? */
bool plumb_csp_read_at_choice(const struct plumb_csp_read *r);
/* if (c) { a } else { b } at the cursor: a value. */
const struct plumb_csp_expr *plumb_csp_read_choice(struct plumb_csp_read *r);

/* ---- functions ---- */

struct plumb_csp_built_in {
    const char *name;
    const char *signature; /* v: a value, a: an array */
    plumb_csp_function *function;
    enum plumb_csp_type type;
};
const struct plumb_csp_built_in *plumb_csp_built_in(const char *name,
                                                    size_t length);
/* The n-th, NULL behind the last. */
const struct plumb_csp_built_in *plumb_csp_built_in_at(size_t n);

/* ---- read_program.c ---- */

/* Of a list of statements, with r->temps variables. */
const struct plumb_csp_program *plumb_csp_program_new(
    struct plumb_csp_read *r, const struct plumb_csp_statements *list,
    struct plumb_csp_place place);
/* { ... } at the cursor. */
const struct plumb_csp_program *plumb_csp_read_program(
    struct plumb_csp_read *r);
/* The body of an operation: what it returns is put into `result`. */
const struct plumb_csp_program *plumb_csp_read_operation_program(
    struct plumb_csp_read *r,
    const struct plumb_csp_declared_operation *operation,
    const struct plumb_csp_expr *result);
/* Add target = value; false if either is NULL, or memory is refused. */
bool plumb_csp_read_assign(struct plumb_csp_read *r,
                           struct plumb_csp_statements *out,
                           const struct plumb_csp_expr *target,
                           const struct plumb_csp_expr *value);

/* ---- read_assignment.c ---- */

/* At x =, x++ or x--, with indices or without? */
bool plumb_csp_read_at_assignment(const struct plumb_csp_read *r);
bool plumb_csp_read_assigns_at(const struct plumb_csp_read *r, uint32_t at);
/* x = e, a[i] = e, x++, ++x at the cursor. */
void plumb_csp_read_assignment(struct plumb_csp_read *r,
                               struct plumb_csp_statements *out);
/* What stands behind an =: an expression, or an assignment that is made first
 * (y = x++, y = x = e). */
const struct plumb_csp_expr *plumb_csp_read_value(
    struct plumb_csp_read *r, struct plumb_csp_statements *out);
/* ---- read_elements.c ---- */

/* At [x, 0(2), 4..6]: an expression for each element. */
bool plumb_csp_read_elements(struct plumb_csp_read *r,
                             struct plumb_csp_exprs *list);

/* ---- read_local.c ---- */

/* `var` was read, in a program. */
void plumb_csp_read_local(struct plumb_csp_read *r,
                          struct plumb_csp_statements *out);
/* The end of a block before which there were `bound` names. */
void plumb_csp_read_unbind(struct plumb_csp_read *r,
                           struct plumb_csp_statements *out, uint32_t bound);

/* ---- read_arrays.c ---- */

/* a = b, a = [x, 0(3)] at the cursor, of arrays; false if it is not that. */
bool plumb_csp_read_array_assignment(struct plumb_csp_read *r,
                                     struct plumb_csp_statements *out);
/* element[i] = value[i], of as many as the variable has. */
bool plumb_csp_array_assign(struct plumb_csp_read *r,
                            struct plumb_csp_statements *out,
                            struct plumb_csp_place place, uint32_t variable,
                            const struct plumb_csp_exprs *value);
/* The i-th element, in the order in which they are laid out. */
const struct plumb_csp_expr *plumb_csp_array_element(
    struct plumb_csp_read *r, struct plumb_csp_place place, uint32_t variable,
    uint32_t i);

/* ---- read_whole.c, read_shapes.c ---- */

/* x of an array x, [1, x, 0(3)], or else a value. */
bool plumb_csp_read_whole(struct plumb_csp_read *r,
                          struct plumb_csp_whole *whole);
/* The same: its shape and its values are added to what is passed. */
bool plumb_csp_read_passed(struct plumb_csp_read *r,
                           struct plumb_csp_shapes *shapes,
                           struct plumb_csp_exprs *values);
/* x == y or x != y of whole arrays, at the cursor. */
bool plumb_csp_read_compares(const struct plumb_csp_read *r);
const struct plumb_csp_expr *plumb_csp_read_comparison(
    struct plumb_csp_read *r);
/* [i][j] behind the name of a local. */
const struct plumb_csp_expr *plumb_csp_read_picked(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    const struct plumb_csp_bound *b);
/* [1, 2, 3][i] at the cursor. */
const struct plumb_csp_expr *plumb_csp_read_picked_literal(
    struct plumb_csp_read *r);

bool plumb_csp_shapes_begin(struct plumb_csp_read *r);
/* Which definition is called, if the one of that name is given these. */
bool plumb_csp_shapes_call(struct plumb_csp_read *r, uint32_t definition,
                           const struct plumb_csp_shapes *shapes,
                           uint32_t *number);
bool plumb_csp_shapes_send(struct plumb_csp_read *r, uint32_t channel,
                           struct plumb_csp_place place,
                           const struct plumb_csp_shapes *shapes);
/* What a message of so many parts is, NULL if it is not known. */
const struct plumb_csp_array_shape *plumb_csp_shapes_message(
    const struct plumb_csp_read *r, uint32_t channel, uint32_t parts);
/* Is the first value of its messages all of their first part? */
bool plumb_csp_shapes_peek(struct plumb_csp_read *r, uint32_t channel,
                           struct plumb_csp_place place);
/* Is that a pattern for what is sent? */
bool plumb_csp_shapes_receive(struct plumb_csp_read *r, uint32_t channel,
                              struct plumb_csp_place place,
                              const struct plumb_csp_shapes *shapes);

/* ---- events and processes ---- */

/* {0..N-1, 7} at the cursor, of constants. */
bool plumb_csp_read_values(struct plumb_csp_read *r,
                           struct plumb_csp_values *values);
/* Can `e`, which begins at `place`, bound `what`, a range or so?  If it looks
 * at anything but constants and locals: false, and an error. */
bool plumb_csp_read_is_bound(struct plumb_csp_read *r,
                             struct plumb_csp_place place,
                             const struct plumb_csp_expr *e, const char *what);
/* x:{..}; y:{..} @ */
bool plumb_csp_read_ranges(struct plumb_csp_read *r,
                           struct plumb_csp_ranges *ranges);
/* .x.(i+1) behind a name. */
bool plumb_csp_read_event(struct plumb_csp_read *r,
                          struct plumb_csp_event_text *event);
/* { a, x:{0..2}@b.x }, and where `channels` allows them { c, c!1 } */
bool plumb_csp_read_event_set(struct plumb_csp_read *r, bool channels,
                              struct plumb_csp_event_set *set);

/* Everything up to and with the ->, but not what follows it.  Of several
 * events it is a SEQUENCE, without its second child. */
bool plumb_csp_read_prefix_begins(const struct plumb_csp_read *r);
bool plumb_csp_read_prefix(struct plumb_csp_read *r,
                           struct plumb_csp_process *node);
const struct plumb_csp_process *plumb_csp_read_process(
    struct plumb_csp_read *r);
/* P(arguments). */
const struct plumb_csp_process *plumb_csp_read_reference(
    struct plumb_csp_read *r);
/* Copied; checks the depth.  `node->child` need not be in the arena. */
const struct plumb_csp_process *plumb_csp_process_new(
    struct plumb_csp_read *r, const struct plumb_csp_process *node);
/* The same with one or two children; NULL if there is no `first`. */
const struct plumb_csp_process *plumb_csp_process_above(
    struct plumb_csp_read *r, struct plumb_csp_process node,
    const struct plumb_csp_process *first,
    const struct plumb_csp_process *second);
const struct plumb_csp_process *plumb_csp_process_leaf(
    struct plumb_csp_read *r, enum plumb_csp_process_kind kind,
    struct plumb_csp_place place);
/* `left` <<test>> `right`. */
const struct plumb_csp_process *plumb_csp_read_legacy(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    const struct plumb_csp_expr *test, const struct plumb_csp_process *right,
    const struct plumb_csp_process *left);
/* Does a declaration begin there? */
bool plumb_csp_read_item_begins(const struct plumb_csp_read *r, uint32_t at);

/* ---- declarations ---- */

bool plumb_csp_read_declarations(struct plumb_csp_read *r);
bool plumb_csp_read_variables(struct plumb_csp_read *r);
bool plumb_csp_read_bodies(struct plumb_csp_read *r);
bool plumb_csp_read_assertion(struct plumb_csp_read *r);
/* The same of variables that begin as anything (read_wild.c). */
bool plumb_csp_read_wild(struct plumb_csp_read *r,
                         struct plumb_csp_assertion *a);
bool plumb_csp_read_is_wild(const struct plumb_csp_read *r, uint32_t variable);
/* Of the temporal formula that is from the cursor to the token `end`. */
const char *plumb_csp_read_formula(struct plumb_csp_read *r, uint32_t end);
bool plumb_csp_read_object(struct plumb_csp_read *r);
/* The process that does all an object may do, for that many clients. */
const struct plumb_csp_process *plumb_csp_object_specification(
    struct plumb_csp_read *r, struct plumb_csp_object *object,
    struct plumb_csp_place place, uint32_t clients, bool points);
bool plumb_csp_object_check(struct plumb_csp_read *r,
                            struct plumb_csp_object *object);
/* [2][3] behind the name of a variable. */
bool plumb_csp_read_dimensions(struct plumb_csp_read *r,
                               struct plumb_csp_variable *v);
/* :{0..7}, of which either end may be missing, if it is at the cursor. */
bool plumb_csp_read_bounds(struct plumb_csp_read *r, int32_t *low,
                           int32_t *high);
/* `var` or `hvar` was read; `owner` is put before the name. */
bool plumb_csp_read_variable_item(struct plumb_csp_read *r,
                                  const struct plumb_csp_object *owner);
struct plumb_csp_variable *plumb_csp_variable_add(struct plumb_csp_read *r,
                                                  const char *name,
                                                  struct plumb_csp_place place,
                                                  uint32_t *number);
/* A definition of our own making. */
bool plumb_csp_definition_add(struct plumb_csp_read *r, const char *name,
                              struct plumb_csp_place place, uint32_t *number);

/* ---- what is asked of the whole ---- */

bool plumb_csp_resolve_recursion(struct plumb_csp_read *r);
bool plumb_csp_resolve_synchronisation(struct plumb_csp_read *r);
bool plumb_csp_resolve_names(struct plumb_csp_read *r);

#endif
