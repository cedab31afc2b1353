/* formula_run.c - the machine that runs formulas and effects.
 *
 * A switch in a loop.  The accumulator and the program counter stay in
 * registers of the processor; errors leave the loop and are put into words
 * afterwards. */
#include "formula_code.h"

#include "base/fail.h"
#include <stdio.h>

enum fault {
    FAULT_SIZE,
    FAULT_DIVISION,
    FAULT_INDEX,
    FAULT_RANGE,
    FAULT_LOOP,
    FAULT_FUNCTION,
    FAULT_IMPURE,
    FAULT_PEEK,
    FAULT_EMPTY,
    FAULT_ELEMENT,
    FAULT_KEY,
    FAULT_CHANGE,
    FAULT_UNBOUND
};

/* ---- what went wrong, in words ---- */

static const char *name_in(const struct plumb_csp_formulas *f,
                           const struct plumb_csp_formula_node *n)
{
    switch (n->kind) {
    case PLUMB_NODE_METHOD:
        return name_in(f, f->node + f->operand[n->first]);
    case PLUMB_NODE_CHANNEL:
        return f->model->channel[n->number].name;
    case PLUMB_NODE_CALL:
        return f->model->function[n->number].name;
    case PLUMB_NODE_SLOT:
    case PLUMB_NODE_ELEMENT:
    case PLUMB_NODE_ARRAY:
        return f->model->variable[n->number].name;
    case PLUMB_NODE_PICK:
        return "the array";
    default:
        return "";
    }
}

static void describe_method(const struct plumb_csp_formulas *f,
                            const struct plumb_csp_formula_node *n,
                            const char *name, enum fault fault, int64_t acc,
                            char *words, size_t size)
{
    const char *const method = plumb_csp_method_name(f, n);
    if (fault == FAULT_CHANGE)
        snprintf(words, size,
                 "%s changes %s, so it must be a statement, or all of what is "
                 "assigned",
                 method, name);
    else if (fault == FAULT_EMPTY)
        snprintf(words, size, "%s: %s is empty", method, name);
    else
        snprintf(words, size, "%s: %s has no %s %lld", method, name,
                 fault == FAULT_KEY ? "key" : "element", (long long)acc);
}

static void describe(const struct plumb_csp_formulas *f,
                     const struct plumb_csp_instruction *i,
                     const struct plumb_csp_formula_node *n, enum fault fault,
                     int64_t acc, char *words, size_t size)
{
    const char *const name = name_in(f, n);
    const int64_t last = n->kind == PLUMB_NODE_CHANNEL
                             ? (int64_t)f->model->channel[n->number].size - 1
                             : (int64_t)i->b - 1;
    switch (fault) {
    case FAULT_SIZE:
        snprintf(words, size, "%lld does not fit in 32 bits", (long long)acc);
        break;
    case FAULT_DIVISION:
        snprintf(words, size, "division by zero");
        break;
    case FAULT_INDEX:
        snprintf(words, size, "index %lld of %s is outside 0..%lld",
                 (long long)acc, name, (long long)last);
        break;
    case FAULT_RANGE:
        snprintf(words, size, "%lld is outside the range %d..%d of %s",
                 (long long)acc, i->a, i->b, name);
        break;
    case FAULT_LOOP:
        snprintf(words, size, "a loop did not end after %d rounds",
                 PLUMB_MOST_ROUNDS);
        break;
    case FAULT_FUNCTION:
        snprintf(words, size,
                 "cannot call function %s: it is not bound or has more than %d "
                 "arguments",
                 name, PLUMB_MOST_ARGUMENTS);
        break;
    case FAULT_IMPURE:
        snprintf(words, size,
                 "function %s answers %lld, but something else when asked "
                 "again",
                 n->kind == PLUMB_NODE_METHOD ? plumb_csp_method_name(f, n)
                                              : name,
                 (long long)acc);
        break;
    case FAULT_PEEK:
        snprintf(words, size, "channel %s is empty", name);
        break;
    case FAULT_EMPTY:
    case FAULT_ELEMENT:
    case FAULT_KEY:
    case FAULT_CHANGE:
        describe_method(f, n, name, fault, acc, words, size);
        break;
    case FAULT_UNBOUND:
        snprintf(words, size, "%s",
                 n->kind == PLUMB_NODE_ARRAY ? "an array is not a value"
                                             : "a name has no value here");
        break;
    }
}

static enum plumb_status fail_at(const struct plumb_csp_formulas *f, size_t at,
                                 enum fault fault, int64_t acc,
                                 struct plumb_error *err)
{
    const struct plumb_csp_formula_node *const n = f->node + f->origin[at];
    const struct plumb_csp_place *const p = &n->place;
    char words[160];
    describe(f, f->code + at, n, fault, acc, words, sizeof words);
    if (p->file && p->file < f->model->files)
        return plumb_base_fail(err, PLUMB_EINPUT, p->line, p->column, "%s: %s",
                               f->model->file[p->file], words);
    return plumb_base_fail(err, PLUMB_EINPUT, p->line, p->column, "%s", words);
}

/* ---- calls and channels ---- */

/* A function that is not ours is asked twice: nothing that is said of a model
 * is true if its functions do not keep to what they say. */
static bool call(const struct plumb_csp_formulas *f, uint32_t number,
                 const int64_t *reg, const int32_t *slots, int64_t *acc,
                 enum fault *fault)
{
    const struct plumb_csp_formula_node *const n = f->node + number;
    union plumb_csp_argument args[PLUMB_MOST_ARGUMENTS];
    uint32_t sizes[PLUMB_MOST_ARGUMENTS];
    const struct plumb_csp_function_use *const use =
        f->model->function + n->number;
    int32_t value, again;
    *fault = FAULT_FUNCTION;
    if (n->operands > PLUMB_MOST_ARGUMENTS)
        return false;
    for (uint32_t i = 0; i < n->operands; i++) {
        const struct plumb_csp_formula_node *const o =
            f->node + f->operand[n->first + i];
        const struct plumb_csp_variable *const v =
            f->model->variable + o->number;
        const bool array = o->kind == PLUMB_NODE_ARRAY;
        sizes[i] = array ? v->size : 0;
        if (array)
            args[i].array = slots + v->slot;
        else
            args[i].value = (int32_t)reg[i];
    }
    if (!plumb_csp_function_call(use, args, sizes, n->operands, &value))
        return false;
    *acc = value;
    *fault = FAULT_IMPURE;
    return !use->foreign ||
           (plumb_csp_function_call(use, args, sizes, n->operands, &again) &&
            again == value);
}

/* False if there is no first message. */
static bool ask_channel(const struct plumb_csp_formulas *f,
                        const struct plumb_csp_formula_node *n,
                        const int32_t *slots, int64_t at, int64_t *acc)
{
    const struct plumb_csp_channel *const c = f->model->channel + n->number;
    const uint32_t sequence = (uint32_t)slots[c->slot + at];
    const uint32_t length = plumb_csp_sequence_length(f->sequences, sequence);
    const int32_t *first;
    uint32_t count;
    switch (n->op) {
    case PLUMB_CHANNEL_FULL:
        *acc = length >= c->capacity;
        return true;
    case PLUMB_CHANNEL_EMPTY:
        *acc = length == 0;
        return true;
    case PLUMB_CHANNEL_COUNT:
        *acc = length;
        return true;
    case PLUMB_CHANNEL_SIZE:
        *acc = c->capacity;
        return true;
    default:
        if (!length)
            return false;
        first = plumb_csp_sequence_message(f->sequences, sequence, 0, &count);
        *acc = count ? first[0] : 0;
        return true;
    }
}

/* PLUMB_OK, PLUMB_END if somebody else has to do it, PLUMB_EMEMORY, or else
 * `*fault` is what is wrong. */
static enum plumb_status call_method(const struct plumb_csp_formulas *f,
                                     uint32_t number, const int64_t *reg,
                                     bool make, int64_t *acc, enum fault *fault)
{
    const struct plumb_csp_formula_node *const n = f->node + number;
    int32_t value;
    const struct plumb_csp_class_method *const m =
        n->number < PLUMB_FIRST_OF_CLASSES
            ? NULL
            : f->model->class_method + (n->number - PLUMB_FIRST_OF_CLASSES);
    const enum plumb_csp_method_end end =
        m ? plumb_csp_collections_call_struct(
                f->collections, f->model->classes + m->of, m,
                (enum plumb_csp_method_part)n->op, reg, make, f->gate, &value)
          : plumb_csp_collections_call(f->collections, n->number,
                                       n->op == PLUMB_AFTER, reg, make, f->gate,
                                       &value);
    *acc = value;
    switch (end) {
    case PLUMB_METHOD_DONE:
        return PLUMB_OK;
    case PLUMB_METHOD_UNKNOWN:
        return PLUMB_END;
    case PLUMB_METHOD_MEMORY:
        return PLUMB_EMEMORY;
    default:
        *fault = end == PLUMB_METHOD_EMPTY     ? FAULT_EMPTY
                 : end == PLUMB_METHOD_INDEX   ? FAULT_ELEMENT
                 : end == PLUMB_METHOD_IMPURE  ? FAULT_IMPURE
                 : end == PLUMB_METHOD_CHANGES ? FAULT_CHANGE
                                               : FAULT_KEY;
        return PLUMB_EINPUT;
    }
}

/* ---- the machine ---- */

#define FAIL(which)                                                            \
    do {                                                                       \
        fault = (which);                                                       \
        goto failed;                                                           \
    } while (0)
/* acc = left op right; what need not be checked is not: names are constants. */
#define OPERATE(name, value, left, right)                                      \
    do {                                                                       \
        const int64_t a = (left), b = (right);                                 \
        if (PLUMB_OP_##name >= PLUMB_OP_DIVIDE && !b)                          \
            FAIL(FAULT_DIVISION);                                              \
        acc = (value);                                                         \
        if (PLUMB_OP_##name >= PLUMB_OP_ADD && acc != (int32_t)acc)            \
            FAIL(FAULT_SIZE);                                                  \
    } while (0)

#define OPERATOR(name, text, level, value)                                     \
    case CODE_##name##_C:                                                      \
        OPERATE(name, value, acc, i->a);                                       \
        break;                                                                 \
    case CODE_##name##_S:                                                      \
        OPERATE(name, value, acc, slots[i->a]);                                \
        break;                                                                 \
    case CODE_##name##_R:                                                      \
        OPERATE(name, value, acc, reg[i->reg]);                                \
        break;                                                                 \
    case CODE_##name##_B:                                                      \
        OPERATE(name, value, reg[i->reg], acc);                                \
        break;                                                                 \
    case CODE_##name##_D:                                                      \
        OPERATE(name, value, slots[i->a], i->b);                               \
        break;                                                                 \
    case CODE_##name##_E:                                                      \
        OPERATE(name, value, slots[i->a], slots[i->b]);                        \
        break;

static inline void note_write(uint64_t *written, int64_t slot)
{
    if (written)
        written[slot / 64] |= UINT64_C(1) << slot % 64;
}

/* `written`: gets a bit for each slot that is written to, unless it is NULL,
 * which is known where this is put in. */
static inline __attribute__((always_inline)) enum plumb_status run_noting(
    const struct plumb_csp_formulas *f, int64_t *reg, uint32_t start,
    int32_t *slots, int32_t *value, uint64_t *written, struct plumb_error *err)
{
    const struct plumb_csp_instruction *const code = f->code;
    const struct plumb_csp_instruction *i = code + start;
    int64_t acc = 0;
    uint32_t rounds = 0;
    enum fault fault;
    for (;; i++) {
        switch (i->op) {
            PLUMB_OPERATORS(OPERATOR)
        case CODE_RETURN:
            *value = (int32_t)acc;
            return PLUMB_OK;
        case CODE_CONSTANT:
            acc = i->a;
            break;
        case CODE_SLOT:
            acc = slots[i->a];
            break;
        case CODE_REGISTER:
            acc = reg[i->reg];
            break;
        case CODE_PUT:
            reg[i->reg] = acc;
            break;
        case CODE_NOT:
            acc = !acc;
            break;
        case CODE_TRUTH:
            acc = acc != 0;
            break;
        case CODE_MINUS:
            acc = -acc;
            if (acc != (int32_t)acc)
                FAIL(FAULT_SIZE);
            break;
        case CODE_JUMP:
            i = code + i->a - 1;
            break;
        case CODE_JUMP_FALSE:
            if (!acc)
                i = code + i->a - 1;
            break;
        case CODE_JUMP_TRUE:
            if (acc) {
                acc = 1;
                i = code + i->a - 1;
            }
            break;
        case CODE_AGAIN:
            if (++rounds > PLUMB_MOST_ROUNDS)
                FAIL(FAULT_LOOP);
            i = code + i->a - 1;
            break;
        case CODE_BOUND:
            if ((uint64_t)acc >= (uint32_t)i->b)
                FAIL(FAULT_INDEX);
            break;
        case CODE_SCALE:
            acc *= i->a;
            break;
        case CODE_ELEMENT:
            if ((uint64_t)acc >= (uint32_t)i->b)
                FAIL(FAULT_INDEX);
            acc = slots[i->a + acc];
            break;
        case CODE_PUT_SLOT:
            slots[i->a] = (int32_t)acc;
            note_write(written, i->a);
            break;
        case CODE_SET_SLOT:
            slots[i->a] = i->b;
            note_write(written, i->a);
            break;
        case CODE_PUT_ELEMENT:
            if ((uint64_t)acc >= (uint32_t)i->b)
                FAIL(FAULT_INDEX);
            slots[i->a + acc] = (int32_t)reg[i->reg];
            note_write(written, i->a + acc);
            break;
        case CODE_RANGE:
            if (acc < i->a || acc > i->b)
                FAIL(FAULT_RANGE);
            break;
        case CODE_CLEAR:
            for (uint32_t r = 0; r < i->reg; r++)
                reg[r] = 0;
            break;
        case CODE_CALL:
            if (!call(f, (uint32_t)i->a, reg + i->reg, slots, &acc, &fault))
                goto failed;
            break;
        case CODE_CHANNEL: {
            const struct plumb_csp_formula_node *const n = f->node + i->a;
            if (acc < 0 || acc >= f->model->channel[n->number].size)
                FAIL(FAULT_INDEX);
            if (!ask_channel(f, n, slots, acc, &acc))
                FAIL(FAULT_PEEK);
            break;
        }
        case CODE_METHOD: {
            const enum plumb_status status = call_method(
                f, (uint32_t)i->a, reg + i->reg, reg == f->reg, &acc, &fault);
            if (status == PLUMB_EINPUT)
                goto failed;
            if (status != PLUMB_OK)
                return status == PLUMB_END ? status
                                           : plumb_base_fail_memory(err);
            break;
        }
        default:
            FAIL(FAULT_UNBOUND);
        }
    }
failed:
    return fail_at(f, (size_t)(i - code), fault, acc, err);
}

static enum plumb_status run(const struct plumb_csp_formulas *f, int64_t *reg,
                             uint32_t start, int32_t *slots, int32_t *value,
                             struct plumb_error *err)
{
    return run_noting(f, reg, start, slots, value, NULL, err);
}

/* ---- the interface ---- */

static bool compile(struct plumb_csp_formulas *f, uint32_t number)
{
    plumb_base_gate_close(f->gate);
    const bool good = plumb_csp_node_compile(f, number);
    plumb_base_gate_open(f->gate);
    return good;
}

enum plumb_status plumb_csp_formula_value(struct plumb_csp_formulas *f,
                                          uint32_t formula,
                                          const int32_t *slots, int32_t *value,
                                          struct plumb_error *err)
{
    const struct plumb_csp_formula_node *const n = f->node + formula;
    if (n->kind == PLUMB_NODE_CONSTANT) {
        *value = n->value;
        return PLUMB_OK;
    }
    if (n->code == PLUMB_NO_CODE && !compile(f, formula))
        return plumb_base_fail_memory(err);
    /* No instruction of a formula writes to slots. */
    return run(f, f->reg, n->code, (int32_t *)(uintptr_t)slots, value, err);
}

enum plumb_status plumb_csp_effect_run(struct plumb_csp_formulas *f,
                                       uint32_t effect, int32_t *slots,
                                       struct plumb_error *err)
{
    const struct plumb_csp_formula_node *const n = f->node + effect;
    int32_t value;
    if (!effect)
        return PLUMB_OK;
    if (n->code == PLUMB_NO_CODE && !compile(f, effect))
        return plumb_base_fail_memory(err);
    return run(f, f->reg, n->code, slots, &value, err);
}

enum plumb_status plumb_csp_effect_writes(struct plumb_csp_formulas *f,
                                          uint32_t effect, int32_t *slots,
                                          uint64_t *written,
                                          struct plumb_error *err)
{
    int32_t value;
    if (!effect)
        return PLUMB_OK;
    if (f->node[effect].code == PLUMB_NO_CODE && !compile(f, effect))
        return plumb_base_fail_memory(err);
    return run_noting(f, f->reg, f->node[effect].code, slots, &value, written,
                      err);
}

enum plumb_status plumb_csp_formula_look(const struct plumb_csp_formulas *f,
                                         const struct plumb_csp_registers *r,
                                         uint32_t formula, const int32_t *slots,
                                         int32_t *value,
                                         struct plumb_error *err)
{
    const struct plumb_csp_formula_node *const n = f->node + formula;
    if (n->kind == PLUMB_NODE_CONSTANT) {
        *value = n->value;
        return PLUMB_OK;
    }
    if (n->code == PLUMB_NO_CODE || r->count < f->registers)
        return PLUMB_END;
    return run(f, r->at, n->code, (int32_t *)(uintptr_t)slots, value, err);
}

enum plumb_status plumb_csp_effect_look(const struct plumb_csp_formulas *f,
                                        const struct plumb_csp_registers *r,
                                        uint32_t effect, int32_t *slots,
                                        struct plumb_error *err)
{
    const uint32_t code = f->node[effect].code;
    int32_t value;
    if (!effect)
        return PLUMB_OK;
    if (code == PLUMB_NO_CODE || r->count < f->registers)
        return PLUMB_END;
    return run(f, r->at, code, slots, &value, err);
}
