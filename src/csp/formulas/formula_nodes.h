/* formula_nodes.h - what formulas.c keeps, for the files that work on it.
 *
 * A node is an expression or a statement whose operands are nodes.  Equal
 * nodes have equal numbers, so a formula or effect is the number of its node.
 * Places are not part of a node's identity: a node has the place at which it
 * was met first. */
#ifndef PLUMB_CSP_FORMULAS_FORMULA_NODES_H
#define PLUMB_CSP_FORMULAS_FORMULA_NODES_H

#include "base/index.h"
#include "collections.h"
#include "formulas.h"
#include <assert.h>

enum plumb_csp_formula_node_kind {
    PLUMB_NODE_NOTHING,  /* the effect that does nothing                    */
    PLUMB_NODE_CONSTANT, /* value                                          */
    PLUMB_NODE_LOCAL,    /* number: a local that nothing was bound to      */
    PLUMB_NODE_TEMP,     /* number                                         */
    PLUMB_NODE_SLOT,     /* number: a variable; value: which element of it */
    PLUMB_NODE_ELEMENT,  /* number: a variable; operands: the indices      */
    PLUMB_NODE_ARRAY,    /* number: a variable, all of it                  */
    PLUMB_NODE_UNARY,    /* op, 1 operand                                  */
    PLUMB_NODE_BINARY,   /* op, 2 operands                                 */
    PLUMB_NODE_CALL,     /* number: a function; operands: arguments        */
    PLUMB_NODE_CHANNEL,  /* op: a query; number: a channel; 1 operand: the
                            index if it is an array                        */
    PLUMB_NODE_PICK,     /* the first operand says which of the others     */
    PLUMB_NODE_METHOD,   /* number: a method; op: which part of it; the first
                            operand is the collection                      */
    PLUMB_NODE_ASSIGN,   /* target (TEMP, SLOT, ELEMENT), value            */
    PLUMB_NODE_IF,       /* condition, then, else                          */
    PLUMB_NODE_WHILE,    /* condition, body                                */
    PLUMB_NODE_EVALUATE, /* an expression, for what it does                */
    PLUMB_NODE_BLOCK     /* statements, two or more                        */
};

#define PLUMB_NO_CODE UINT32_MAX

struct plumb_csp_formula_node {
    uint8_t kind, op; /* plumb_node_kind; operator or query           */
    uint16_t depth;   /* one more than the deepest operand            */
    uint32_t number;
    int32_t value;
    uint32_t first, operands; /* in formulas' operand[]                 */
    uint32_t code;            /* where its bytecode begins, or PLUMB_NO_CODE  */
    struct plumb_csp_place place;
};

/* Deeper expressions are refused, so that walking them may recurse. */
enum { PLUMB_DEEPEST_NODE = 10000 };

/* What is called can have this many arguments. */
enum { PLUMB_MOST_ARGUMENTS = 8 };

/* An instruction: see formula_run.c. */
struct plumb_csp_instruction {
    uint16_t op, reg;
    int32_t a, b;
};

struct plumb_csp_formulas {
    const struct plumb_csp_model *model;
    struct plumb_csp_sequences *sequences;
    struct plumb_csp_collections *collections;
    struct plumb_budget *budget;
    struct plumb_base_gate *gate; /* NULL: nobody else looks */
    struct plumb_csp_formula_node *node;
    size_t nodes, node_capacity;
    uint32_t *operand;
    size_t operand_count, operand_capacity;
    struct plumb_base_index index;
    struct plumb_csp_instruction *code;
    uint32_t *origin; /* of each instruction: the node it stands for */
    size_t code_size, code_capacity, origin_capacity;
    int64_t *reg;
    size_t registers;
};

/* How many elements an index of `v` may choose from: as many indices as
 * dimensions, or one that counts through all of it. */
static inline uint32_t plumb_csp_extent(const struct plumb_csp_variable *v,
                                        uint32_t indices, uint32_t i)
{
    return indices == v->dimensions ? v->dimension[i] : v->size;
}

/* The node with this content; PLUMB_NO_FORMULA if memory is refused. */
uint32_t plumb_csp_node_intern(struct plumb_csp_formulas *f,
                               const struct plumb_csp_formula_node *like,
                               const uint32_t *operand);

/* The same, but worked out as far as its operands are known. */
uint32_t plumb_csp_node_unary(struct plumb_csp_formulas *f,
                              enum plumb_csp_operator op, uint32_t a,
                              struct plumb_csp_place place);
uint32_t plumb_csp_node_binary(struct plumb_csp_formulas *f,
                               enum plumb_csp_operator op, uint32_t a,
                               uint32_t b, struct plumb_csp_place place);
uint32_t plumb_csp_node_element(struct plumb_csp_formulas *f, uint32_t variable,
                                const uint32_t *index, uint32_t indices,
                                struct plumb_csp_place place);
uint32_t plumb_csp_node_call(struct plumb_csp_formulas *f, uint32_t function,
                             const uint32_t *argument, uint32_t arguments,
                             struct plumb_csp_place place);
uint32_t plumb_csp_node_channel(struct plumb_csp_formulas *f,
                                enum plumb_csp_channel_query query,
                                uint32_t channel, const uint32_t *index,
                                uint32_t indices, struct plumb_csp_place place);
uint32_t plumb_csp_node_pick(struct plumb_csp_formulas *f,
                             const uint32_t *operand, uint32_t operands,
                             struct plumb_csp_place place);
uint32_t plumb_csp_node_method(struct plumb_csp_formulas *f, uint32_t method,
                               uint8_t part, const uint32_t *operand,
                               uint32_t operands, struct plumb_csp_place place);
const char *plumb_csp_method_name(const struct plumb_csp_formulas *f,
                                  const struct plumb_csp_formula_node *n);
bool plumb_csp_node_is_truth(const struct plumb_csp_formulas *f,
                             uint32_t number);

/* Make the bytecode of a node; false if memory is refused. */
bool plumb_csp_node_compile(struct plumb_csp_formulas *f, uint32_t number);

/* Call a function that expressions use.  Imported ones are ordinary C:
 *   int32_t f(int32_t, ...)           if no argument is an array
 *   int32_t f(const int32_t *, ...)   if one is: then all come by address
 * `sizes` has the number of elements of an array, 0 for a value.  False if
 * nothing is bound to it. */
bool plumb_csp_function_call(const struct plumb_csp_function_use *use,
                             const union plumb_csp_argument *args,
                             const uint32_t *sizes, uint32_t count,
                             int32_t *value);

#endif
