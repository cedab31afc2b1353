/* program_text.c - names, expressions and programs of a model as text. */
#include "model_writer.h"

#include "csp/formulas/collections.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

/* A dot is ours, and cannot be read. */
void plumb_csp_write_name(struct plumb_csp_writer *w, const char *name)
{
    for (; *name; name++)
        plumb_base_text_bytes(w->out, *name == '.' ? "_" : name, 1);
}

static bool is_global(const struct plumb_csp_model *m, const char *name)
{
    for (uint32_t i = 0; i < m->variables; i++)
        if (strcmp(m->variable[i].name, name) == 0)
            return true;
    for (uint32_t i = 0; i < m->channels; i++)
        if (strcmp(m->channel[i].name, name) == 0)
            return true;
    for (uint32_t i = 0; i < m->propositions; i++)
        if (strcmp(m->proposition[i].name, name) == 0)
            return true;
    return false;
}

/* Is a name that of no global, and of no local but this one? */
static bool is_free(const struct plumb_csp_writer *w, const char *name,
                    uint32_t number)
{
    if (is_global(w->m, name))
        return false;
    for (uint32_t i = 0; w->d && i < w->d->locals; i++)
        if (i != number && strcmp(w->d->local[i], name) == 0)
            return false;
    return true;
}

/* local_3, with as many _ as it takes. */
static void add_made_up(struct plumb_csp_writer *w, const char *word,
                        uint32_t number)
{
    char name[80];
    int length = snprintf(name, sizeof name, "%s_%u", word, number);
    while ((size_t)length + 1 < sizeof name && !is_free(w, name, UINT32_MAX)) {
        name[length++] = '_';
        name[length] = 0;
    }
    plumb_csp_write(w, name);
}

void plumb_csp_write_local(struct plumb_csp_writer *w, uint32_t number)
{
    const char *const name =
        w->d && number < w->d->locals ? w->d->local[number] : NULL;
    if (name && !strchr(name, '.') && is_free(w, name, number))
        plumb_csp_write(w, name);
    else
        add_made_up(w, "local", number);
}

static void add_temp(struct plumb_csp_writer *w, uint32_t number)
{
    add_made_up(w, "temp", number);
}

static void add_variable(struct plumb_csp_writer *w, uint32_t number)
{
    plumb_csp_write_name(w, w->m->variable[number].name);
}

/* ---- expressions ---- */

static const char *const operator_text[] = {
    [PLUMB_OP_NOT] = "!",      [PLUMB_OP_MINUS] = "-",
    [PLUMB_OP_OR] = "||",      [PLUMB_OP_AND] = "&&",
    [PLUMB_OP_XOR] = "xor",    [PLUMB_OP_BITAND] = "&",
    [PLUMB_OP_BITOR] = "|",    [PLUMB_OP_BITXOR] = "^",
    [PLUMB_OP_EQUAL] = "==",   [PLUMB_OP_UNEQUAL] = "!=",
    [PLUMB_OP_LESS] = "<",     [PLUMB_OP_GREATER] = ">",
    [PLUMB_OP_AT_MOST] = "<=", [PLUMB_OP_AT_LEAST] = ">=",
    [PLUMB_OP_ADD] = "+",      [PLUMB_OP_SUBTRACT] = "-",
    [PLUMB_OP_MULTIPLY] = "*", [PLUMB_OP_DIVIDE] = "/",
    [PLUMB_OP_MODULO] = "%",
};

static const char *const query_text[] = {
    [PLUMB_CHANNEL_FULL] = "cfull",   [PLUMB_CHANNEL_EMPTY] = "cempty",
    [PLUMB_CHANNEL_COUNT] = "ccount", [PLUMB_CHANNEL_SIZE] = "csize",
    [PLUMB_CHANNEL_PEEK] = "cpeek",
};

void plumb_csp_write_operand(struct plumb_csp_writer *w,
                             const struct plumb_csp_expr *e)
{
    const bool bracket = e->kind == PLUMB_EXPR_UNARY ||
                         e->kind == PLUMB_EXPR_BINARY ||
                         (e->kind == PLUMB_EXPR_CONSTANT && e->value < 0);
    plumb_csp_write(w, bracket ? "(" : "");
    plumb_csp_write_expr(w, e);
    plumb_csp_write(w, bracket ? ")" : "");
}

void plumb_csp_write_indices(struct plumb_csp_writer *w,
                             const struct plumb_csp_expr *const *index,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        plumb_csp_write(w, "[");
        plumb_csp_write_expr(w, index[i]);
        plumb_csp_write(w, "]");
    }
}

static void add_constant(struct plumb_csp_writer *w,
                         const struct plumb_csp_expr *e)
{
    if (e->boolean && (e->value == 0 || e->value == 1))
        plumb_csp_write(w, e->value ? "true" : "false");
    else
        plumb_base_text_printf(w->out, "%d", e->value);
}

const char *plumb_csp_kind_text(const struct plumb_csp_model *m, uint8_t kind)
{
    return kind < PLUMB_COLLECTION_KINDS
               ? plumb_csp_collection_name[kind]
               : m->classes[kind - PLUMB_COLLECTION_KINDS].name;
}

/* NULL: it is one of a struct. */
static const struct plumb_csp_method *built_in(const struct plumb_csp_expr *e)
{
    return e->number < PLUMB_FIRST_OF_CLASSES ? plumb_csp_method_at(e->number)
                                              : NULL;
}

/* Which kind of collection it is; 0 if it is none, or an empty one. */
static uint8_t collection_of(const struct plumb_csp_writer *w,
                             const struct plumb_csp_expr *e)
{
    if (e->kind == PLUMB_EXPR_GLOBAL)
        return w->m->variable[e->number].collection;
    const bool makes = e->kind == PLUMB_EXPR_METHOD &&
                       (e->part == PLUMB_AFTER ||
                        (built_in(e) && built_in(e)->answers == 'c'));
    return makes ? collection_of(w, e->operand[0]) : 0;
}

static void add_of_kind(struct plumb_csp_writer *w,
                        const struct plumb_csp_expr *e, uint8_t kind)
{
    if (kind && e->kind == PLUMB_EXPR_CONSTANT)
        plumb_base_text_printf(w->out, "new %s()",
                               plumb_csp_kind_text(w->m, kind));
    else
        plumb_csp_write_operand(w, e);
}

static void add_method(struct plumb_csp_writer *w,
                       const struct plumb_csp_expr *e)
{
    const struct plumb_csp_method *const m = built_in(e);
    plumb_csp_write_expr(w, e->operand[0]);
    plumb_base_text_printf(
        w->out, ".%s(",
        m ? m->name
          : w->m->class_method[e->number - PLUMB_FIRST_OF_CLASSES].name);
    for (uint32_t i = 1; i < e->operands; i++) {
        plumb_csp_write(w, i == 1 ? "" : ", ");
        add_of_kind(w, e->operand[i],
                    m && m->arguments[i - 1] == 'c'
                        ? collection_of(w, e->operand[0])
                        : 0);
    }
    plumb_csp_write(w, ")");
}

static void add_binary(struct plumb_csp_writer *w,
                       const struct plumb_csp_expr *e)
{
    const uint8_t left = collection_of(w, e->operand[0]);
    const uint8_t kind = left ? left : collection_of(w, e->operand[1]);
    add_of_kind(w, e->operand[0], kind);
    plumb_base_text_printf(w->out, " %s ", operator_text[e->op]);
    add_of_kind(w, e->operand[1], kind);
}

static void add_pick(struct plumb_csp_writer *w, const struct plumb_csp_expr *e)
{
    for (uint32_t i = 1; i < e->operands; i++) {
        plumb_csp_write(w, i == 1 ? "[" : ", ");
        plumb_csp_write_expr(w, e->operand[i]);
    }
    plumb_csp_write(w, "]");
    plumb_csp_write_indices(w, e->operand, 1);
}

static bool add_answer(struct plumb_csp_writer *w, uint32_t temp)
{
    for (uint32_t i = 0; i < w->answers; i++)
        if (w->answer[i]->target->number == temp) {
            plumb_csp_write_expr(w, w->answer[i]->value);
            return true;
        }
    return false;
}

void plumb_csp_write_expr(struct plumb_csp_writer *w,
                          const struct plumb_csp_expr *e)
{
    switch (e->kind) {
    case PLUMB_EXPR_CONSTANT:
        add_constant(w, e);
        break;
    case PLUMB_EXPR_LOCAL:
        plumb_csp_write_local(w, e->number);
        break;
    case PLUMB_EXPR_TEMP:
        if (!add_answer(w, e->number))
            add_temp(w, e->number);
        break;
    case PLUMB_EXPR_GLOBAL:
        add_variable(w, e->number);
        plumb_csp_write_indices(w, e->operand, e->operands);
        break;
    case PLUMB_EXPR_UNARY:
        plumb_csp_write(w, operator_text[e->op]);
        plumb_csp_write(w, "(");
        plumb_csp_write_expr(w, e->operand[0]);
        plumb_csp_write(w, ")");
        break;
    case PLUMB_EXPR_BINARY:
        add_binary(w, e);
        break;
    case PLUMB_EXPR_CALL:
        plumb_base_text_printf(w->out, "call(%s",
                               w->m->function[e->number].name);
        for (uint32_t i = 0; i < e->operands; i++) {
            plumb_csp_write(w, ", ");
            plumb_csp_write_expr(w, e->operand[i]);
        }
        plumb_csp_write(w, ")");
        break;
    case PLUMB_EXPR_CHANNEL:
        plumb_base_text_printf(w->out, "call(%s, %s", query_text[e->query],
                               w->m->channel[e->number].name);
        plumb_csp_write_indices(w, e->operand, e->operands);
        plumb_csp_write(w, ")");
        break;
    case PLUMB_EXPR_PICK:
        add_pick(w, e);
        break;
    case PLUMB_EXPR_METHOD:
        add_method(w, e);
        break;
    }
}

/* ---- programs ---- */

/* The first assignment to a variable of the program declares it: they are
 * numbered in that order. */
static void add_target(struct plumb_csp_writer *w,
                       const struct plumb_csp_expr *target)
{
    if (target->kind == PLUMB_EXPR_TEMP && target->number == w->temps) {
        plumb_csp_write(w, "var ");
        w->temps++;
    }
    plumb_csp_write_expr(w, target);
}

static bool is_after(const struct plumb_csp_statement *s)
{
    return s->kind == PLUMB_STATEMENT_ASSIGN &&
           s->value->kind == PLUMB_EXPR_METHOD && s->value->part == PLUMB_AFTER;
}

/* t = what q.Dequeue() answers; q = q after it: t is what is used. */
static bool is_kept_answer(const struct plumb_csp_statement *s)
{
    return s->kind == PLUMB_STATEMENT_ASSIGN &&
           s->value->kind == PLUMB_EXPR_METHOD &&
           s->value->part == PLUMB_ANSWER_BEFORE;
}

static void add_assignment(struct plumb_csp_writer *w,
                           const struct plumb_csp_statement *s)
{
    if (!is_after(s)) {
        add_target(w, s->target);
        plumb_csp_write(w, " = ");
    }
    const uint8_t kind = collection_of(w, s->target);
    if (kind)
        add_of_kind(w, s->value, kind);
    else
        plumb_csp_write_expr(w, s->value);
}

static void add_statements(struct plumb_csp_writer *w,
                           const struct plumb_csp_statement *s)
{
    for (; s; s = s->next) {
        if (is_kept_answer(s) && w->answers < 8) {
            w->answer[w->answers++] = s;
            w->temps++;
            s = s->next;
            continue;
        }
        switch (s->kind) {
        case PLUMB_STATEMENT_ASSIGN:
            add_assignment(w, s);
            break;
        case PLUMB_STATEMENT_CALL:
            plumb_csp_write_expr(w, s->value);
            break;
        case PLUMB_STATEMENT_IF:
        case PLUMB_STATEMENT_WHILE:
            plumb_csp_write(w,
                            s->kind == PLUMB_STATEMENT_IF ? "if (" : "while (");
            plumb_csp_write_expr(w, s->value);
            plumb_csp_write(w, ") { ");
            add_statements(w, s->body);
            plumb_csp_write(w, "}");
            if (s->otherwise) {
                plumb_csp_write(w, " else { ");
                add_statements(w, s->otherwise);
                plumb_csp_write(w, "}");
            }
            break;
        }
        plumb_csp_write(w, "; ");
    }
}

void plumb_csp_write_program(struct plumb_csp_writer *w,
                             const struct plumb_csp_program *p)
{
    w->temps = w->answers = 0;
    plumb_csp_write(w, "{ ");
    add_statements(w, p->first);
    plumb_csp_write(w, "}");
}
