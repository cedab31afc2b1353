/* formula_nodes.c - nodes that are equal are one; what is known is worked out.
 *
 * Node 0 is the effect that does nothing.  Folding never hides an error: a
 * node is replaced by a value only if reaching it cannot fail, and the right
 * side of && and || is dropped only where it would not be looked at. */
#include "formula_nodes.h"

#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

/* ---- the table ---- */

struct plumb_csp_formulas *plumb_csp_formulas_new(
    const struct plumb_csp_model *model, struct plumb_csp_sequences *sequences,
    struct plumb_budget *budget)
{
    static const struct plumb_csp_formula_node nothing = {
        .kind = PLUMB_NODE_NOTHING
    };
    struct plumb_csp_formulas *const f =
        plumb_base_alloc_zeroed(budget, sizeof *f);
    if (!f)
        return NULL;
    f->model = model;
    f->sequences = sequences;
    f->budget = budget;
    plumb_base_index_init(&f->index, budget);
    f->collections = plumb_csp_collections_new(budget);
    if (!f->collections ||
        plumb_csp_node_intern(f, &nothing, NULL) == PLUMB_NO_FORMULA) {
        plumb_csp_formulas_free(f);
        return NULL;
    }
    return f;
}

void plumb_csp_formulas_guard(struct plumb_csp_formulas *f,
                              struct plumb_base_gate *gate)
{
    f->gate = gate;
}

size_t plumb_csp_formulas_registers(const struct plumb_csp_formulas *f)
{
    return f->registers;
}

void plumb_csp_formulas_free(struct plumb_csp_formulas *f)
{
    if (!f)
        return;
    struct plumb_budget *const b = f->budget;
    plumb_csp_collections_free(f->collections);
    PLUMB_RELEASE(b, f->node, f->node_capacity);
    PLUMB_RELEASE(b, f->operand, f->operand_capacity);
    plumb_base_index_release(&f->index);
    PLUMB_RELEASE(b, f->code, f->code_capacity);
    PLUMB_RELEASE(b, f->origin, f->origin_capacity);
    PLUMB_RELEASE(b, f->reg, f->registers);
    plumb_base_release(b, f, sizeof *f);
}

static uint64_t hash_of(const struct plumb_csp_formula_node *n,
                        const uint32_t *operand)
{
    uint64_t h = plumb_base_mix((uint64_t)n->kind << 8 | n->op,
                                (uint64_t)n->number << 32 | (uint32_t)n->value);
    for (uint32_t i = 0; i < n->operands; i++)
        h = plumb_base_mix(h, operand[i]);
    return h;
}

static uint64_t hash_of_node(const void *context, uint32_t number)
{
    const struct plumb_csp_formulas *const f = context;
    return hash_of(f->node + number, f->operand + f->node[number].first);
}

static bool is_same(const struct plumb_csp_formulas *f,
                    const struct plumb_csp_formula_node *a,
                    const struct plumb_csp_formula_node *b,
                    const uint32_t *operand)
{
    return a->kind == b->kind && a->op == b->op && a->number == b->number &&
           a->value == b->value && a->operands == b->operands &&
           (!a->operands || !memcmp(f->operand + a->first, operand,
                                    a->operands * sizeof *operand));
}

/* The node, or PLUMB_NO_FORMULA and *p is where it belongs. */
static uint32_t find(const struct plumb_csp_formulas *f,
                     const struct plumb_csp_formula_node *like,
                     const uint32_t *operand, struct plumb_base_probe *p)
{
    *p = plumb_base_index_probe(&f->index, hash_of(like, operand));
    PLUMB_FOR_CANDIDATES(&f->index, p, n)
        if (is_same(f, f->node + n, like, operand))
            return n;
    return PLUMB_NO_FORMULA;
}

static bool make_room(struct plumb_csp_formulas *f, uint32_t operands)
{
    if (f->nodes >= UINT32_MAX - 1 || f->operand_count + operands >= UINT32_MAX)
        return false;
    return plumb_base_index_room(&f->index, hash_of_node, f) &&
           PLUMB_GROW(f->budget, f->node, f->node_capacity, f->nodes + 1) &&
           PLUMB_GROW(f->budget, f->operand, f->operand_capacity,
                      f->operand_count + operands + 1);
}

static uint32_t depth_of(const struct plumb_csp_formulas *f,
                         const struct plumb_csp_formula_node *like,
                         const uint32_t *operand)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < like->operands; i++)
        if (f->node[operand[i]].depth > depth)
            depth = f->node[operand[i]].depth;
    return depth + 1;
}

uint32_t plumb_csp_node_intern(struct plumb_csp_formulas *f,
                               const struct plumb_csp_formula_node *like,
                               const uint32_t *operand)
{
    const uint32_t depth = depth_of(f, like, operand);
    struct plumb_base_probe p;
    if (depth > PLUMB_DEEPEST_NODE || !make_room(f, like->operands))
        return PLUMB_NO_FORMULA;
    const uint32_t found = find(f, like, operand, &p);
    if (found != PLUMB_NO_FORMULA)
        return found;
    struct plumb_csp_formula_node *const n = f->node + f->nodes;
    *n = *like;
    n->depth = (uint16_t)depth;
    n->code = PLUMB_NO_CODE;
    n->first = (uint32_t)f->operand_count;
    if (like->operands)
        memcpy(f->operand + n->first, operand,
               like->operands * sizeof *operand);
    f->operand_count += like->operands;
    plumb_base_index_put(&f->index, &p, (uint32_t)f->nodes);
    return (uint32_t)f->nodes++;
}

/* ---- constants ---- */

uint32_t plumb_csp_formula_constant(struct plumb_csp_formulas *f, int32_t value)
{
    const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_CONSTANT,
                                                 .value = value };
    return plumb_csp_node_intern(f, &like, NULL);
}

uint32_t plumb_csp_formula_find_constant(const struct plumb_csp_formulas *f,
                                         int32_t value)
{
    const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_CONSTANT,
                                                 .value = value };
    struct plumb_base_probe p;
    return find(f, &like, NULL, &p);
}

bool plumb_csp_formula_is_constant(const struct plumb_csp_formulas *f,
                                   uint32_t formula, int32_t *value)
{
    const struct plumb_csp_formula_node *const n = f->node + formula;
    if (n->kind != PLUMB_NODE_CONSTANT)
        return false;
    *value = n->value;
    return true;
}

/* Is its value 0 or 1 whenever it has one? */
bool plumb_csp_node_is_truth(const struct plumb_csp_formulas *f,
                             uint32_t number)
{
    const struct plumb_csp_formula_node *const n = f->node + number;
    switch (n->kind) {
    case PLUMB_NODE_CONSTANT:
        return n->value == 0 || n->value == 1;
    case PLUMB_NODE_UNARY:
        return n->op == PLUMB_OP_NOT;
    case PLUMB_NODE_BINARY:
        return n->op <= PLUMB_OP_XOR ||
               (n->op >= PLUMB_OP_EQUAL && n->op <= PLUMB_OP_AT_LEAST);
    case PLUMB_NODE_CHANNEL:
        return n->op == PLUMB_CHANNEL_FULL || n->op == PLUMB_CHANNEL_EMPTY;
    default:
        return false;
    }
}

/* ---- operators ---- */

/* 1 if it is not 0. */
static uint32_t truth_of(struct plumb_csp_formulas *f, uint32_t a,
                         struct plumb_csp_place place)
{
    const uint32_t zero = plumb_csp_formula_constant(f, 0);
    if (zero == PLUMB_NO_FORMULA || plumb_csp_node_is_truth(f, a))
        return zero == PLUMB_NO_FORMULA ? zero : a;
    return plumb_csp_node_binary(f, PLUMB_OP_UNEQUAL, a, zero, place);
}

/* ! of a comparison is the opposite comparison. */
static uint32_t negated(struct plumb_csp_formulas *f, uint32_t a,
                        struct plumb_csp_place place)
{
    static const uint8_t opposite[] = {
        [PLUMB_OP_EQUAL] = PLUMB_OP_UNEQUAL,
        [PLUMB_OP_UNEQUAL] = PLUMB_OP_EQUAL,
        [PLUMB_OP_LESS] = PLUMB_OP_AT_LEAST,
        [PLUMB_OP_GREATER] = PLUMB_OP_AT_MOST,
        [PLUMB_OP_AT_MOST] = PLUMB_OP_GREATER,
        [PLUMB_OP_AT_LEAST] = PLUMB_OP_LESS,
    };
    const struct plumb_csp_formula_node *const n = f->node + a;
    if (n->kind == PLUMB_NODE_UNARY && n->op == PLUMB_OP_NOT)
        return truth_of(f, f->operand[n->first], place);
    if (n->kind == PLUMB_NODE_BINARY && n->op >= PLUMB_OP_EQUAL &&
        n->op <= PLUMB_OP_AT_LEAST)
        return plumb_csp_node_binary(f, opposite[n->op], f->operand[n->first],
                                     f->operand[n->first + 1], n->place);
    return PLUMB_NO_FORMULA;
}

uint32_t plumb_csp_node_unary(struct plumb_csp_formulas *f,
                              enum plumb_csp_operator op, uint32_t a,
                              struct plumb_csp_place place)
{
    const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_UNARY,
                                                 .op = (uint8_t)op,
                                                 .operands = 1,
                                                 .place = place };
    int32_t known;
    if (plumb_csp_formula_is_constant(f, a, &known) &&
        (op == PLUMB_OP_NOT || known != INT32_MIN))
        return plumb_csp_formula_constant(f,
                                          op == PLUMB_OP_NOT ? !known : -known);
    if (op == PLUMB_OP_NOT) {
        const uint32_t opposite = negated(f, a, place);
        if (opposite != PLUMB_NO_FORMULA)
            return opposite;
    }
    return plumb_csp_node_intern(f, &like, &a);
}

/* && or || with a left side that is known. */
static uint32_t short_cut(struct plumb_csp_formulas *f,
                          enum plumb_csp_operator op, int32_t left, uint32_t b,
                          struct plumb_csp_place place)
{
    if (op == PLUMB_OP_AND)
        return left ? truth_of(f, b, place) : plumb_csp_formula_constant(f, 0);
    return left ? plumb_csp_formula_constant(f, 1) : truth_of(f, b, place);
}

uint32_t plumb_csp_node_binary(struct plumb_csp_formulas *f,
                               enum plumb_csp_operator op, uint32_t a,
                               uint32_t b, struct plumb_csp_place place)
{
    const bool shortens = op == PLUMB_OP_AND || op == PLUMB_OP_OR;
    const uint32_t operand[] = { a, b };
    const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_BINARY,
                                                 .op = (uint8_t)op,
                                                 .operands = 2,
                                                 .place = place };
    int32_t left, right, value;
    const bool knows_left = plumb_csp_formula_is_constant(f, a, &left);
    if (knows_left && shortens)
        return short_cut(f, op, left, b, place);
    if (knows_left && plumb_csp_formula_is_constant(f, b, &right) &&
        plumb_csp_operator_value(op, left, right, &value))
        return plumb_csp_formula_constant(f, value);
    if (shortens && a == b)
        return truth_of(f, a, place);
    return plumb_csp_node_intern(f, &like, operand);
}

/* ---- variables, functions, channels ---- */

/* Which element constant indices choose, if there is such. */
static bool known_element(const struct plumb_csp_formulas *f,
                          const struct plumb_csp_variable *v,
                          const uint32_t *index, uint32_t indices, int32_t *at)
{
    int64_t element = 0;
    for (uint32_t i = 0; i < indices; i++) {
        const uint32_t extent = plumb_csp_extent(v, indices, i);
        int32_t known;
        if (!plumb_csp_formula_is_constant(f, index[i], &known) || known < 0 ||
            (uint32_t)known >= extent)
            return false;
        element = element * extent + known;
    }
    *at = (int32_t)element;
    return true;
}

uint32_t plumb_csp_node_element(struct plumb_csp_formulas *f, uint32_t variable,
                                const uint32_t *index, uint32_t indices,
                                struct plumb_csp_place place)
{
    const struct plumb_csp_variable *const v = f->model->variable + variable;
    struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_ELEMENT,
                                           .number = variable,
                                           .operands = indices,
                                           .place = place };
    if (!indices && v->dimensions)
        like.kind = PLUMB_NODE_ARRAY;
    else if (known_element(f, v, index, indices, &like.value)) {
        like.kind = PLUMB_NODE_SLOT;
        like.operands = 0;
    }
    return plumb_csp_node_intern(f, &like, index);
}

uint32_t plumb_csp_node_call(struct plumb_csp_formulas *f, uint32_t function,
                             const uint32_t *argument, uint32_t arguments,
                             struct plumb_csp_place place)
{
    const struct plumb_csp_function_use *const use =
        f->model->function + function;
    const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_CALL,
                                                 .number = function,
                                                 .operands = arguments,
                                                 .place = place };
    const uint32_t sizes[PLUMB_MOST_ARGUMENTS] = { 0 };
    union plumb_csp_argument args[PLUMB_MOST_ARGUMENTS];
    bool known = use->function && arguments <= PLUMB_MOST_ARGUMENTS;
    for (uint32_t i = 0; known && i < arguments; i++)
        known = plumb_csp_formula_is_constant(f, argument[i], &args[i].value);
    if (known)
        return plumb_csp_formula_constant(
            f, use->function(args, sizes, arguments));
    return plumb_csp_node_intern(f, &like, argument);
}

uint32_t plumb_csp_node_channel(struct plumb_csp_formulas *f,
                                enum plumb_csp_channel_query query,
                                uint32_t channel, const uint32_t *index,
                                uint32_t indices, struct plumb_csp_place place)
{
    const struct plumb_csp_channel *const c = f->model->channel + channel;
    const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_CHANNEL,
                                                 .op = (uint8_t)query,
                                                 .number = channel,
                                                 .operands = indices,
                                                 .place = place };
    int32_t at = 0;
    const bool known =
        !indices || plumb_csp_formula_is_constant(f, index[0], &at);
    if (query == PLUMB_CHANNEL_SIZE && known && at >= 0 &&
        (uint32_t)at < c->size)
        return plumb_csp_formula_constant(f, (int32_t)c->capacity);
    return plumb_csp_node_intern(f, &like, index);
}

uint32_t plumb_csp_node_pick(struct plumb_csp_formulas *f,
                             const uint32_t *operand, uint32_t operands,
                             struct plumb_csp_place place)
{
    const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_PICK,
                                                 .operands = operands,
                                                 .place = place };
    int32_t which;
    if (plumb_csp_formula_is_constant(f, operand[0], &which) && which >= 0 &&
        (uint32_t)which + 1 < operands)
        return operand[1 + which];
    return plumb_csp_node_intern(f, &like, operand);
}

uint32_t plumb_csp_node_method(struct plumb_csp_formulas *f, uint32_t method,
                               uint8_t part, const uint32_t *operand,
                               uint32_t operands, struct plumb_csp_place place)
{
    const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_METHOD,
                                                 .op = part,
                                                 .number = method,
                                                 .operands = operands,
                                                 .place = place };
    return plumb_csp_node_intern(f, &like, operand);
}
