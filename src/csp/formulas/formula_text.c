/* formula_text.c - formulas and effects as they would be written.
 *
 * Parentheses stand where the grammar needs them
 * (docs/modelling-language.md). */
#include "formula_nodes.h"

struct writer {
    const struct plumb_csp_formulas *f;
    struct plumb_base_text *out;
};

static const char *const query[] = {
    [PLUMB_CHANNEL_FULL] = "cfull",   [PLUMB_CHANNEL_EMPTY] = "cempty",
    [PLUMB_CHANNEL_COUNT] = "ccount", [PLUMB_CHANNEL_SIZE] = "csize",
    [PLUMB_CHANNEL_PEEK] = "cpeek",
};

static void write_node(const struct writer *w, uint32_t number, int level);

static void write_operands(const struct writer *w,
                           const struct plumb_csp_formula_node *n,
                           const char *before, const char *after)
{
    for (uint32_t i = 0; i < n->operands; i++) {
        plumb_base_text_add(w->out, before);
        write_node(w, w->f->operand[n->first + i], 0);
        plumb_base_text_add(w->out, after);
    }
}

const char *plumb_csp_method_name(const struct plumb_csp_formulas *f,
                                  const struct plumb_csp_formula_node *n)
{
    return n->number < PLUMB_FIRST_OF_CLASSES
               ? plumb_csp_method_at(n->number)->name
               : f->model->class_method[n->number - PLUMB_FIRST_OF_CLASSES]
                     .name;
}

/* $0 stands for the first operand, and so on. */
static void write_form(const struct writer *w,
                       const struct plumb_csp_formula_node *n, const char *form)
{
    for (; *form; form++)
        if (*form == '$')
            write_node(w, w->f->operand[n->first + (uint32_t)(*++form - '0')],
                       0);
        else
            plumb_base_text_bytes(w->out, form, 1);
}

void plumb_csp_element_text(const struct plumb_csp_variable *v,
                            uint32_t element, struct plumb_base_text *out)
{
    assert(element < v->size);
    uint32_t below = v->size;
    plumb_base_text_add(out, v->name);
    for (uint32_t i = 0; i < v->dimensions; i++) {
        below /= v->dimension[i];
        plumb_base_text_printf(out, "[%u]", (unsigned)(element / below));
        element %= below;
    }
}

void plumb_csp_collection_text(const struct plumb_csp_formulas *f,
                               const struct plumb_csp_variable *v,
                               uint32_t value, struct plumb_base_text *out)
{
    if (v->collection >= PLUMB_COLLECTION_KINDS)
        plumb_csp_collections_struct_text(
            f->collections,
            f->model->classes + (v->collection - PLUMB_COLLECTION_KINDS), value,
            out);
    else
        plumb_csp_collections_text(
            f->collections, (enum plumb_csp_collection_kind)v->collection,
            value, out);
}

uint32_t plumb_csp_collection_size(const struct plumb_csp_formulas *f,
                                   uint32_t value)
{
    return plumb_csp_collections_size(f->collections, value);
}

static void write_binary(const struct writer *w,
                         const struct plumb_csp_formula_node *n, int level)
{
    const int own = plumb_csp_sign[n->op].level;
    if (own < level)
        plumb_base_text_add(w->out, "(");
    write_node(w, w->f->operand[n->first], own);
    plumb_base_text_printf(w->out, " %s ", plumb_csp_sign[n->op].text);
    write_node(w, w->f->operand[n->first + 1], own + 1);
    if (own < level)
        plumb_base_text_add(w->out, ")");
}

static void write_call(const struct writer *w,
                       const struct plumb_csp_formula_node *n)
{
    plumb_base_text_printf(w->out, "call(%s",
                           w->f->model->function[n->number].name);
    write_operands(w, n, ", ", "");
    plumb_base_text_add(w->out, ")");
}

static void write_channel(const struct writer *w,
                          const struct plumb_csp_formula_node *n)
{
    plumb_base_text_printf(w->out, "call(%s, %s", query[n->op],
                           w->f->model->channel[n->number].name);
    write_operands(w, n, "[", "]");
    plumb_base_text_add(w->out, ")");
}

static void write_method(const struct writer *w,
                         const struct plumb_csp_formula_node *n)
{
    write_node(w, w->f->operand[n->first], 10);
    plumb_base_text_printf(w->out, ".%s(", plumb_csp_method_name(w->f, n));
    for (uint32_t i = 1; i < n->operands; i++) {
        plumb_base_text_add(w->out, i == 1 ? "" : ", ");
        write_node(w, w->f->operand[n->first + i], 0);
    }
    plumb_base_text_add(w->out, ")");
}

static void write_pick(const struct writer *w,
                       const struct plumb_csp_formula_node *n)
{
    for (uint32_t i = 1; i < n->operands; i++) {
        plumb_base_text_add(w->out, i == 1 ? "[" : ", ");
        write_node(w, w->f->operand[n->first + i], 0);
    }
    write_form(w, n, "][$0]");
}

static void write_block(const struct writer *w,
                        const struct plumb_csp_formula_node *n)
{
    for (uint32_t i = 0; i < n->operands; i++) {
        plumb_base_text_add(w->out, i ? " " : "");
        write_node(w, w->f->operand[n->first + i], 0);
    }
}

/* q = what q is after q.Enqueue(1). */
static bool is_change(const struct writer *w,
                      const struct plumb_csp_formula_node *n)
{
    const struct plumb_csp_formula_node *const value =
        w->f->node + w->f->operand[n->first + 1];
    return value->kind == PLUMB_NODE_METHOD && value->op == PLUMB_AFTER;
}

/* What q is if it is set to a new collection or struct; NULL: that is not so. */
static const char *made_new(const struct writer *w,
                            const struct plumb_csp_formula_node *n)
{
    const uint32_t *const operand = w->f->operand + n->first;
    const struct plumb_csp_formula_node *const to = w->f->node + operand[0];
    const uint8_t kind = to->kind == PLUMB_NODE_TEMP
                             ? PLUMB_COLLECTION_NONE
                             : w->f->model->variable[to->number].collection;
    if (!kind || w->f->node[operand[1]].kind != PLUMB_NODE_CONSTANT)
        return NULL;
    return kind < PLUMB_COLLECTION_KINDS
               ? plumb_csp_collection_name[kind]
               : w->f->model->classes[kind - PLUMB_COLLECTION_KINDS].name;
}

static void write_assignment(const struct writer *w,
                             const struct plumb_csp_formula_node *n)
{
    const char *const kind = made_new(w, n);
    if (!kind) {
        write_form(w, n, is_change(w, n) ? "$1;" : "$0 = $1;");
        return;
    }
    write_form(w, n, "$0 = new ");
    plumb_base_text_printf(w->out, "%s();", kind);
}

static void write_statement(const struct writer *w,
                            const struct plumb_csp_formula_node *n)
{
    switch (n->kind) {
    case PLUMB_NODE_ASSIGN:
        write_assignment(w, n);
        break;
    case PLUMB_NODE_IF:
        write_form(w, n,
                   w->f->operand[n->first + 2] ? "if ($0) { $1 } else { $2 }"
                                               : "if ($0) { $1 }");
        break;
    case PLUMB_NODE_WHILE:
        write_form(w, n, "while ($0) { $1 }");
        break;
    case PLUMB_NODE_EVALUATE:
        write_form(w, n, "$0;");
        break;
    default:
        write_block(w, n);
    }
}

/* `level`: what binds less tightly is put in parentheses. */
static void write_node(const struct writer *w, uint32_t number, int level)
{
    const struct plumb_csp_formula_node *const n = w->f->node + number;
    switch (n->kind) {
    case PLUMB_NODE_CONSTANT:
        plumb_base_text_printf(
            w->out, n->value < 0 && level > 7 ? "(%d)" : "%d", n->value);
        break;
    case PLUMB_NODE_LOCAL:
        plumb_base_text_printf(w->out, "local%u", n->number);
        break;
    case PLUMB_NODE_TEMP:
        plumb_base_text_printf(w->out, "temp%u", n->number);
        break;
    case PLUMB_NODE_SLOT:
        plumb_csp_element_text(w->f->model->variable + n->number,
                               (uint32_t)n->value, w->out);
        break;
    case PLUMB_NODE_ELEMENT:
    case PLUMB_NODE_ARRAY:
        plumb_base_text_add(w->out, w->f->model->variable[n->number].name);
        write_operands(w, n, "[", "]");
        break;
    case PLUMB_NODE_UNARY:
        plumb_base_text_add(w->out, plumb_csp_sign[n->op].text);
        write_node(w, w->f->operand[n->first], 10);
        break;
    case PLUMB_NODE_BINARY:
        write_binary(w, n, level);
        break;
    case PLUMB_NODE_CALL:
        write_call(w, n);
        break;
    case PLUMB_NODE_CHANNEL:
        write_channel(w, n);
        break;
    case PLUMB_NODE_PICK:
        write_pick(w, n);
        break;
    case PLUMB_NODE_METHOD:
        write_method(w, n);
        break;
    default:
        write_statement(w, n);
    }
}

void plumb_csp_formula_text(const struct plumb_csp_formulas *f,
                            uint32_t formula, struct plumb_base_text *out)
{
    const struct writer w = { .f = f, .out = out };
    write_node(&w, formula, 0);
}
