/* model_text.c - a resolved model as text that can be read again.
 *
 * Every operand that is not a single thing is put in brackets: what was read
 * is then seen at once, whatever the precedence.  Negative constants are
 * written so that they are folded again when read. */
#include "model/model_text.h"

#include <stdio.h>
#include <string.h>

struct writer {
    const struct plumb_model *m;
    const struct plumb_definition *d;
    struct plumb_text *out;
    uint32_t temps; /* of the program, declared so far */
};

static void add(struct writer *w, const char *text)
{
    plumb_text_add(w->out, text);
}

/* ---- names ---- */

/* A dot is ours, and cannot be read. */
static void add_name(struct writer *w, const char *name)
{
    for (; *name; name++)
        plumb_text_bytes(w->out, *name == '.' ? "_" : name, 1);
}

static bool is_global(const struct plumb_model *m, const char *name)
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
static bool is_free(const struct writer *w, const char *name, uint32_t number)
{
    if (is_global(w->m, name))
        return false;
    for (uint32_t i = 0; w->d && i < w->d->locals; i++)
        if (i != number && strcmp(w->d->local[i], name) == 0)
            return false;
    return true;
}

/* local_3, with as many _ as it takes. */
static void add_made_up(struct writer *w, const char *word, uint32_t number)
{
    char name[80];
    int length = snprintf(name, sizeof name, "%s_%u", word, number);
    while ((size_t)length + 1 < sizeof name && !is_free(w, name, UINT32_MAX)) {
        name[length++] = '_';
        name[length] = 0;
    }
    add(w, name);
}

static void add_local(struct writer *w, uint32_t number)
{
    const char *const name =
        w->d && number < w->d->locals ? w->d->local[number] : NULL;
    if (name && is_free(w, name, number))
        add(w, name);
    else
        add_made_up(w, "local", number);
}

static void add_temp(struct writer *w, uint32_t number)
{
    add_made_up(w, "temp", number);
}

static void add_variable(struct writer *w, uint32_t number)
{
    add_name(w, w->m->variable[number].name);
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

static void add_expr(struct writer *w, const struct plumb_expr *e);

/* In brackets, if it is more than one thing. */
static void add_operand(struct writer *w, const struct plumb_expr *e)
{
    const bool bracket = e->kind == PLUMB_EXPR_UNARY ||
                         e->kind == PLUMB_EXPR_BINARY ||
                         (e->kind == PLUMB_EXPR_CONSTANT && e->value < 0);
    add(w, bracket ? "(" : "");
    add_expr(w, e);
    add(w, bracket ? ")" : "");
}

static void add_indices(struct writer *w, const struct plumb_expr *const *index,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        add(w, "[");
        add_expr(w, index[i]);
        add(w, "]");
    }
}

static void add_constant(struct writer *w, const struct plumb_expr *e)
{
    if (e->boolean && (e->value == 0 || e->value == 1))
        add(w, e->value ? "true" : "false");
    else
        plumb_text_printf(w->out, "%d", e->value);
}

static void add_expr(struct writer *w, const struct plumb_expr *e)
{
    switch (e->kind) {
    case PLUMB_EXPR_CONSTANT:
        add_constant(w, e);
        break;
    case PLUMB_EXPR_LOCAL:
        add_local(w, e->number);
        break;
    case PLUMB_EXPR_TEMP:
        add_temp(w, e->number);
        break;
    case PLUMB_EXPR_GLOBAL:
        add_variable(w, e->number);
        add_indices(w, e->operand, e->operands);
        break;
    case PLUMB_EXPR_UNARY:
        add(w, operator_text[e->op]);
        add(w, "(");
        add_expr(w, e->operand[0]);
        add(w, ")");
        break;
    case PLUMB_EXPR_BINARY:
        add_operand(w, e->operand[0]);
        plumb_text_printf(w->out, " %s ", operator_text[e->op]);
        add_operand(w, e->operand[1]);
        break;
    case PLUMB_EXPR_CALL:
        plumb_text_printf(w->out, "call(%s", w->m->function[e->number].name);
        for (uint32_t i = 0; i < e->operands; i++) {
            add(w, ", ");
            add_expr(w, e->operand[i]);
        }
        add(w, ")");
        break;
    case PLUMB_EXPR_CHANNEL:
        plumb_text_printf(w->out, "call(%s, %s", query_text[e->query],
                          w->m->channel[e->number].name);
        add_indices(w, e->operand, e->operands);
        add(w, ")");
        break;
    }
}

/* ---- programs ---- */

/* The first assignment to a variable of the program declares it: they are
 * numbered in that order. */
static void add_target(struct writer *w, const struct plumb_expr *target)
{
    if (target->kind == PLUMB_EXPR_TEMP && target->number == w->temps) {
        add(w, "var ");
        w->temps++;
    }
    add_expr(w, target);
}

static void add_statements(struct writer *w, const struct plumb_statement *s)
{
    for (; s; s = s->next) {
        switch (s->kind) {
        case PLUMB_STATEMENT_ASSIGN:
            add_target(w, s->target);
            add(w, " = ");
            add_expr(w, s->value);
            break;
        case PLUMB_STATEMENT_CALL:
            add_expr(w, s->value);
            break;
        case PLUMB_STATEMENT_IF:
        case PLUMB_STATEMENT_WHILE:
            add(w, s->kind == PLUMB_STATEMENT_IF ? "if (" : "while (");
            add_expr(w, s->value);
            add(w, ") { ");
            add_statements(w, s->body);
            add(w, "}");
            if (s->otherwise) {
                add(w, " else { ");
                add_statements(w, s->otherwise);
                add(w, "}");
            }
            break;
        }
        add(w, "; ");
    }
}

static void add_program(struct writer *w, const struct plumb_program *p)
{
    w->temps = 0;
    add(w, "{ ");
    add_statements(w, p->first);
    add(w, "}");
}

/* ---- events ---- */

static void add_data(struct writer *w, const struct plumb_expr *const *data,
                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        add(w, i ? "." : "");
        add_operand(w, data[i]);
    }
}

static void add_event(struct writer *w, const struct plumb_event_text *e)
{
    add(w, e->tau ? "tau" : w->m->name[e->name]);
    add(w, e->count ? "." : "");
    add_data(w, e->data, e->count);
}

static void add_ranges(struct writer *w, const struct plumb_range *range,
                       uint32_t ranges)
{
    for (uint32_t i = 0; i < ranges; i++) {
        add(w, i ? "; " : "");
        add_local(w, range[i].local);
        for (uint32_t j = 0; j < range[i].count; j++)
            plumb_text_printf(w->out, "%s%d", j ? "," : ":{",
                              range[i].value[j]);
        add(w, "}");
    }
    add(w, ranges ? "@" : "");
}

static void add_set(struct writer *w, const struct plumb_event_set *set)
{
    add(w, "{");
    for (uint32_t i = 0; i < set->count; i++) {
        add(w, i ? ", " : "");
        add_ranges(w, set->range[i], set->ranges[i]);
        add_event(w, set->event + i);
    }
    add(w, "}");
}

/* ---- processes ---- */

static void add_process(struct writer *w, const struct plumb_process *p);

static void add_bracketed(struct writer *w, const struct plumb_process *p)
{
    const bool single = p->kind <= PLUMB_SKIP || p->kind == PLUMB_REFERENCE;
    add(w, single ? "" : "(");
    add_process(w, p);
    add(w, single ? "" : ")");
}

static void add_joined(struct writer *w, const struct plumb_process *p,
                       const char *text)
{
    if (p->ranges) {
        plumb_text_printf(w->out, "%s ", text);
        add_ranges(w, p->range, p->ranges);
        add_bracketed(w, p->child[0]);
        return;
    }
    for (uint32_t i = 0; i < p->children; i++) {
        if (i)
            plumb_text_printf(w->out, " %s ", text);
        add_bracketed(w, p->child[i]);
    }
}

static void add_channel(struct writer *w, const struct plumb_process *p)
{
    add(w, w->m->channel[p->channel].name);
    if (p->channel_index)
        add_indices(w, &p->channel_index, 1);
}

static void add_pattern(struct writer *w, const struct plumb_process *p)
{
    if (p->accepts) {
        add(w, "[");
        add_expr(w, p->accepts);
        add(w, "]");
    }
    for (uint32_t i = 0; i < p->count; i++) {
        add(w, i ? "." : "");
        if (p->binds[i] != UINT32_MAX)
            add_local(w, p->binds[i]);
        else
            add_operand(w, p->data[i]);
    }
}

static bool is_prefix(const struct plumb_process *p)
{
    return p->kind == PLUMB_PREFIX || p->kind == PLUMB_SEND ||
           p->kind == PLUMB_RECEIVE;
}

static void add_prefix(struct writer *w, const struct plumb_process *p)
{
    if (p->kind == PLUMB_PREFIX)
        add_event(w, &p->event);
    else
        add_channel(w, p);
    if (p->kind == PLUMB_SEND) {
        add(w, "!");
        add_data(w, p->data, p->count);
    } else if (p->kind == PLUMB_RECEIVE) {
        add(w, "?");
        add_pattern(w, p);
    }
    if (p->program)
        add_program(w, p->program);
    add(w, " -> ");
    if (is_prefix(p->child[0]))
        add_process(w, p->child[0]);
    else
        add_bracketed(w, p->child[0]);
}

static void add_reference(struct writer *w, const struct plumb_process *p)
{
    add_name(w, w->m->definition[p->definition].name);
    add(w, "(");
    for (uint32_t i = 0; i < p->count; i++) {
        add(w, i ? ", " : "");
        add_expr(w, p->data[i]);
    }
    add(w, ")");
}

static void add_braced(struct writer *w, const struct plumb_process *p)
{
    add(w, "{ ");
    add_process(w, p);
    add(w, " }");
}

static void add_if(struct writer *w, const struct plumb_process *p,
                   const char *word)
{
    plumb_text_printf(w->out, "%s (", word);
    add_expr(w, p->condition);
    add(w, ") ");
    add_braced(w, p->child[0]);
    if (p->children > 1) {
        add(w, " else ");
        add_braced(w, p->child[1]);
    }
}

static void add_case(struct writer *w, const struct plumb_process *p)
{
    add(w, "case { ");
    for (uint32_t i = 0; i < p->children; i++) {
        if (p->conditions[i])
            add_expr(w, p->conditions[i]);
        else
            add(w, "default");
        add(w, ": ");
        add_bracketed(w, p->child[i]);
        add(w, " ");
    }
    add(w, "}");
}

static void add_copies(struct writer *w, const struct plumb_process *p)
{
    add(w, "|||{");
    if (p->copies)
        add_expr(w, p->copies);
    else
        add(w, "..");
    add(w, "}@");
    add_bracketed(w, p->child[0]);
}

static void add_other(struct writer *w, const struct plumb_process *p)
{
    switch (p->kind) {
    case PLUMB_HIDE:
        add_bracketed(w, p->child[0]);
        add(w, " \\ ");
        add_set(w, &p->hidden);
        break;
    case PLUMB_GUARD:
        add(w, "[");
        add_expr(w, p->condition);
        add(w, "] ");
        add_bracketed(w, p->child[0]);
        break;
    case PLUMB_ATOMIC:
        add(w, "atomic ");
        add_braced(w, p->child[0]);
        break;
    case PLUMB_ASSERT:
        add(w, "assert(");
        add_expr(w, p->condition);
        add(w, ")");
        break;
    case PLUMB_CASE:
        add_case(w, p);
        break;
    case PLUMB_COPIES:
        add_copies(w, p);
        break;
    default:
        break;
    }
}

static void add_process(struct writer *w, const struct plumb_process *p)
{
    static const char *const joined[] = {
        [PLUMB_SEQUENCE] = ";",          [PLUMB_EXTERNAL] = "[*]",
        [PLUMB_CHOICE] = "[]",           [PLUMB_INTERNAL] = "<>",
        [PLUMB_INTERLEAVE] = "|||",      [PLUMB_PARALLEL] = "||",
        [PLUMB_INTERRUPT] = "interrupt",
    };
    switch (p->kind) {
    case PLUMB_STOP:
        add(w, "Stop");
        break;
    case PLUMB_SKIP:
        add(w, "Skip");
        break;
    case PLUMB_PREFIX:
    case PLUMB_SEND:
    case PLUMB_RECEIVE:
        add_prefix(w, p);
        break;
    case PLUMB_REFERENCE:
        add_reference(w, p);
        break;
    case PLUMB_IF:
        add_if(w, p, "if");
        break;
    case PLUMB_IFA:
        add_if(w, p, "ifa");
        break;
    case PLUMB_IFB:
        add_if(w, p, "ifb");
        break;
    case PLUMB_SEQUENCE:
    case PLUMB_EXTERNAL:
    case PLUMB_CHOICE:
    case PLUMB_INTERNAL:
    case PLUMB_INTERLEAVE:
    case PLUMB_PARALLEL:
    case PLUMB_INTERRUPT:
        add_joined(w, p, joined[p->kind]);
        break;
    default:
        add_other(w, p);
        break;
    }
}

/* ---- declarations ---- */

static void add_initial(struct writer *w, const struct plumb_variable *v)
{
    if (v->dimensions == 0) {
        if (v->boolean)
            plumb_text_printf(w->out, " = %s",
                              v->initial[0] ? "true" : "false");
        else
            plumb_text_printf(w->out, " = %d", v->initial[0]);
        return;
    }
    for (uint32_t i = 0; i < v->size;) {
        uint32_t same = 1;
        while (i + same < v->size && v->initial[i + same] == v->initial[i])
            same++;
        plumb_text_printf(w->out, "%s%d", i ? ", " : " = [", v->initial[i]);
        if (same > 1)
            plumb_text_printf(w->out, "(%u)", same);
        i += same;
    }
    add(w, "]");
}

static void add_declaration(struct writer *w, const struct plumb_variable *v)
{
    add(w, v->unseen ? "hvar " : "var ");
    add_name(w, v->name);
    for (uint32_t i = 0; i < v->dimensions; i++)
        plumb_text_printf(w->out, "[%u]", v->dimension[i]);
    if (v->ranged) {
        add(w, ":{");
        if (v->low != INT32_MIN)
            plumb_text_printf(w->out, "%d", v->low);
        add(w, "..");
        if (v->high != INT32_MAX)
            plumb_text_printf(w->out, "%d", v->high);
        add(w, "}");
    }
    add_initial(w, v);
    add(w, ";\n");
}

static void add_channels(struct writer *w)
{
    for (uint32_t i = 0; i < w->m->channels; i++) {
        const struct plumb_channel *const c = w->m->channel + i;
        plumb_text_printf(w->out, "channel %s", c->name);
        if (c->array)
            plumb_text_printf(w->out, "[%u]", c->size);
        plumb_text_printf(w->out, " %u;\n", c->capacity);
    }
}

static void add_definition(struct writer *w, const struct plumb_definition *d)
{
    w->d = d;
    add_name(w, d->name);
    add(w, "(");
    for (uint32_t i = 0; i < d->parameters; i++) {
        add(w, i ? ", " : "");
        add_local(w, i);
    }
    add(w, ") = ");
    add_process(w, d->body);
    add(w, ";\n");
    if (d->alphabet) {
        add(w, "#alphabet ");
        add_name(w, d->name);
        add(w, " ");
        add_set(w, d->alphabet);
        add(w, ";\n");
    }
    w->d = NULL;
}

/* ---- assertions ---- */

static void add_reaches(struct writer *w, const struct plumb_assertion *a)
{
    add(w, "reaches ");
    add_expr(w, a->goal);
    if (a->optimise) {
        add(w, a->optimise < 0 ? " with min(" : " with max(");
        add_expr(w, a->optimised);
        add(w, ")");
    }
}

static void add_built_in(struct writer *w, const struct plumb_assertion *a)
{
    plumb_text_printf(w->out, "linearizable \"%s\" (clients %u", a->built_in,
                      a->clients);
    for (uint32_t i = 0; i < a->values; i++)
        plumb_text_printf(w->out, "%s%d", i ? "," : ", values {", a->value[i]);
    plumb_text_printf(w->out, "%s)%s", a->values ? "}" : "",
                      a->points ? " at points" : "");
}

static void add_assertion(struct writer *w, const struct plumb_assertion *a)
{
    static const char *const word[] = {
        [PLUMB_ASSERT_REFINES] = "refines ",
        [PLUMB_ASSERT_REFINES_F] = "refines<F> ",
        [PLUMB_ASSERT_REFINES_FD] = "refines<FD> ",
        [PLUMB_ASSERT_DEADLOCKFREE] = "deadlockfree",
        [PLUMB_ASSERT_NONTERMINATING] = "nonterminating",
        [PLUMB_ASSERT_DIVERGENCEFREE] = "divergencefree",
        [PLUMB_ASSERT_DETERMINISTIC] = "deterministic",
        [PLUMB_ASSERT_REACHES] = "",
        [PLUMB_ASSERT_LTL] = "|= ",
        [PLUMB_ASSERT_LINEARIZABLE] = "",
    };
    add(w, "#assert ");
    add_process(w, a->process);
    plumb_text_printf(w->out, " %s", word[a->kind]);
    if (a->kind == PLUMB_ASSERT_REACHES)
        add_reaches(w, a);
    else if (a->kind == PLUMB_ASSERT_LTL)
        add(w, a->formula);
    else if (a->built_in)
        add_built_in(w, a);
    else if (a->specification) {
        /* The object is in the model as definitions. */
        if (a->kind == PLUMB_ASSERT_LINEARIZABLE)
            add(w, "refines ");
        add_process(w, a->specification);
    }
    add(w, ";\n");
}

/* ---- all ---- */

void plumb_expr_text(const struct plumb_model *model,
                     const struct plumb_definition *definition,
                     const struct plumb_expr *e, struct plumb_text *out)
{
    add_expr(&(struct writer){ model, definition, out, 0 }, e);
}

void plumb_process_text(const struct plumb_model *model,
                        const struct plumb_definition *definition,
                        const struct plumb_process *p, struct plumb_text *out)
{
    add_process(&(struct writer){ model, definition, out, 0 }, p);
}

void plumb_model_text(const struct plumb_model *model, struct plumb_text *out)
{
    struct writer w = { model, NULL, out, 0 };
    for (uint32_t i = 0; i < model->imports; i++)
        plumb_text_printf(out, "#import \"%s\";\n", model->import[i]);
    for (uint32_t i = 0; i < model->variables; i++)
        add_declaration(&w, model->variable + i);
    add_channels(&w);
    for (uint32_t i = 0; i < model->propositions; i++) {
        plumb_text_printf(out, "#define %s ", model->proposition[i].name);
        add_expr(&w, model->proposition[i].value);
        add(&w, ";\n");
    }
    for (uint32_t i = 0; i < model->definitions; i++)
        add_definition(&w, model->definition + i);
    for (uint32_t i = 0; i < model->assertions; i++)
        add_assertion(&w, model->assertion + i);
}
