/* model_text.c - a resolved model as text that can be read again.
 *
 * Every operand that is not a single thing is put in brackets: what was read
 * is then seen at once, whatever the precedence. */
#include "model_text.h"
#include "model_writer.h"

#include "csp/formulas/collections.h"

#include <string.h>

/* ---- events ---- */

static void add_data(struct plumb_csp_writer *w,
                     const struct plumb_csp_expr *const *data, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        plumb_csp_write(w, i ? "." : "");
        plumb_csp_write_operand(w, data[i]);
    }
}

/* c, c!5, d[1] or d[1].5, of a set. */
static void add_channel_event(struct plumb_csp_writer *w,
                              const struct plumb_csp_event_text *e)
{
    static const char *const mark[] = { ".", "!", "?", ".", "" };
    const struct plumb_csp_channel *const c = w->m->channel + e->name;
    const uint32_t index = c->array && e->count ? 1 : 0;
    plumb_csp_write(w, c->name);
    if (index) {
        plumb_csp_write(w, "[");
        plumb_csp_write_operand(w, e->data[0]);
        plumb_csp_write(w, "]");
    }
    plumb_csp_write(w, mark[e->kind]);
    add_data(w, e->data + index, e->count - index);
}

static void add_event(struct plumb_csp_writer *w,
                      const struct plumb_csp_event_text *e)
{
    if (e->kind != PLUMB_EVENT_PLAIN) {
        add_channel_event(w, e);
        return;
    }
    plumb_csp_write(w, e->tau ? "tau" : w->m->name[e->name]);
    plumb_csp_write(w, e->count ? "." : "");
    add_data(w, e->data, e->count);
}

static void add_span(struct plumb_csp_writer *w, const struct plumb_csp_span *s)
{
    plumb_csp_write_operand(w, s->low);
    if (s->high != s->low) {
        plumb_csp_write(w, "..");
        plumb_csp_write_operand(w, s->high);
    }
}

static void add_ranges(struct plumb_csp_writer *w,
                       const struct plumb_csp_range *range, uint32_t ranges)
{
    for (uint32_t i = 0; i < ranges; i++) {
        plumb_csp_write(w, i ? "; " : "");
        plumb_csp_write_local(w, range[i].local);
        plumb_csp_write(w, ":{");
        for (uint32_t j = 0; j < range[i].count; j++)
            plumb_base_text_printf(w->out, "%s%d", j ? "," : "",
                                   range[i].value[j]);
        for (uint32_t j = 0; j < range[i].spans; j++) {
            plumb_csp_write(w, j ? "," : "");
            add_span(w, range[i].span + j);
        }
        plumb_csp_write(w, "}");
    }
    plumb_csp_write(w, ranges ? "@" : "");
}

static void add_set(struct plumb_csp_writer *w,
                    const struct plumb_csp_event_set *set)
{
    plumb_csp_write(w, "{");
    for (uint32_t i = 0; i < set->count; i++) {
        plumb_csp_write(w, i ? ", " : "");
        add_ranges(w, set->range[i], set->ranges[i]);
        add_event(w, set->event + i);
    }
    plumb_csp_write(w, "}");
}

/* ---- processes ---- */

static void add_process(struct plumb_csp_writer *w,
                        const struct plumb_csp_process *p);

static void add_bracketed(struct plumb_csp_writer *w,
                          const struct plumb_csp_process *p)
{
    const bool single = p->kind <= PLUMB_SKIP || p->kind == PLUMB_REFERENCE;
    plumb_csp_write(w, single ? "" : "(");
    add_process(w, p);
    plumb_csp_write(w, single ? "" : ")");
}

static void add_joined(struct plumb_csp_writer *w,
                       const struct plumb_csp_process *p, const char *text)
{
    if (p->ranges) {
        plumb_base_text_printf(w->out, "%s ", text);
        add_ranges(w, p->range, p->ranges);
        add_bracketed(w, p->child[0]);
        return;
    }
    for (uint32_t i = 0; i < p->children; i++) {
        if (i)
            plumb_base_text_printf(w->out, " %s ", text);
        add_bracketed(w, p->child[i]);
    }
}

static void add_channel(struct plumb_csp_writer *w,
                        const struct plumb_csp_process *p)
{
    plumb_csp_write(w, w->m->channel[p->channel].name);
    if (p->channel_index)
        plumb_csp_write_indices(w, &p->channel_index, 1);
}

static void add_pattern(struct plumb_csp_writer *w,
                        const struct plumb_csp_process *p)
{
    if (p->accepts) {
        plumb_csp_write(w, "[");
        plumb_csp_write_expr(w, p->accepts);
        plumb_csp_write(w, "]");
    }
    for (uint32_t i = 0; i < p->count; i++) {
        plumb_csp_write(w, i ? "." : "");
        if (p->binds[i] != UINT32_MAX)
            plumb_csp_write_local(w, p->binds[i]);
        else
            plumb_csp_write_operand(w, p->data[i]);
    }
}

static bool is_prefix(const struct plumb_csp_process *p)
{
    return p->kind == PLUMB_PREFIX || p->kind == PLUMB_SEND ||
           p->kind == PLUMB_RECEIVE;
}

static void add_prefix(struct plumb_csp_writer *w,
                       const struct plumb_csp_process *p)
{
    if (p->kind == PLUMB_PREFIX)
        add_event(w, &p->event);
    else
        add_channel(w, p);
    if (p->kind == PLUMB_SEND) {
        plumb_csp_write(w, "!");
        add_data(w, p->data, p->count);
    } else if (p->kind == PLUMB_RECEIVE) {
        plumb_csp_write(w, "?");
        add_pattern(w, p);
    }
    if (p->program)
        plumb_csp_write_program(w, p->program);
    plumb_csp_write(w, " -> ");
    if (is_prefix(p->child[0]))
        add_process(w, p->child[0]);
    else
        add_bracketed(w, p->child[0]);
}

/* Those that are given arrays of other shapes have the same name. */
static void add_definition_name(struct plumb_csp_writer *w, uint32_t number)
{
    const struct plumb_csp_definition *const d = w->m->definition;
    uint32_t others = 0;
    for (uint32_t i = 0; i < number; i++)
        others += strcmp(d[i].name, d[number].name) == 0;
    plumb_csp_write_name(w, d[number].name);
    if (others)
        plumb_base_text_printf(w->out, "_%u", others);
}

static void add_reference(struct plumb_csp_writer *w,
                          const struct plumb_csp_process *p)
{
    add_definition_name(w, p->definition);
    plumb_csp_write(w, "(");
    for (uint32_t i = 0; i < p->count; i++) {
        plumb_csp_write(w, i ? ", " : "");
        plumb_csp_write_expr(w, p->data[i]);
    }
    plumb_csp_write(w, ")");
}

static void add_braced(struct plumb_csp_writer *w,
                       const struct plumb_csp_process *p)
{
    plumb_csp_write(w, "{ ");
    add_process(w, p);
    plumb_csp_write(w, " }");
}

static void add_if(struct plumb_csp_writer *w,
                   const struct plumb_csp_process *p, const char *word)
{
    plumb_base_text_printf(w->out, "%s (", word);
    plumb_csp_write_expr(w, p->condition);
    plumb_csp_write(w, ") ");
    add_braced(w, p->child[0]);
    if (p->children > 1) {
        plumb_csp_write(w, " else ");
        add_braced(w, p->child[1]);
    }
}

static void add_case(struct plumb_csp_writer *w,
                     const struct plumb_csp_process *p)
{
    plumb_csp_write(w, "case { ");
    for (uint32_t i = 0; i < p->children; i++) {
        if (p->conditions[i])
            plumb_csp_write_expr(w, p->conditions[i]);
        else
            plumb_csp_write(w, "default");
        plumb_csp_write(w, ": ");
        add_bracketed(w, p->child[i]);
        plumb_csp_write(w, " ");
    }
    plumb_csp_write(w, "}");
}

static void add_copies(struct plumb_csp_writer *w,
                       const struct plumb_csp_process *p)
{
    plumb_csp_write(w, "|||{");
    if (p->copies)
        plumb_csp_write_expr(w, p->copies);
    else
        plumb_csp_write(w, "..");
    plumb_csp_write(w, "}@");
    add_bracketed(w, p->child[0]);
}

static void add_other(struct plumb_csp_writer *w,
                      const struct plumb_csp_process *p)
{
    switch (p->kind) {
    case PLUMB_HIDE:
        add_bracketed(w, p->child[0]);
        plumb_csp_write(w, " \\ ");
        add_set(w, &p->hidden);
        break;
    case PLUMB_GUARD:
        plumb_csp_write(w, "[");
        plumb_csp_write_expr(w, p->condition);
        plumb_csp_write(w, "] ");
        add_bracketed(w, p->child[0]);
        break;
    case PLUMB_ATOMIC:
        plumb_csp_write(w, "atomic ");
        add_braced(w, p->child[0]);
        break;
    case PLUMB_ASSERT:
        plumb_csp_write(w, "assert(");
        plumb_csp_write_expr(w, p->condition);
        plumb_csp_write(w, ")");
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

static void add_process(struct plumb_csp_writer *w,
                        const struct plumb_csp_process *p)
{
    static const char *const joined[] = {
        [PLUMB_SEQUENCE] = ";",          [PLUMB_EXTERNAL] = "[*]",
        [PLUMB_CHOICE] = "[]",           [PLUMB_INTERNAL] = "<>",
        [PLUMB_INTERLEAVE] = "|||",      [PLUMB_PARALLEL] = "||",
        [PLUMB_INTERRUPT] = "interrupt",
    };
    switch (p->kind) {
    case PLUMB_STOP:
        plumb_csp_write(w, "Stop");
        break;
    case PLUMB_SKIP:
        plumb_csp_write(w, "Skip");
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

static void add_initial(struct plumb_csp_writer *w,
                        const struct plumb_csp_variable *v)
{
    if (v->dimensions == 0) {
        if (v->boolean)
            plumb_base_text_printf(w->out, " = %s",
                                   v->initial[0] ? "true" : "false");
        else
            plumb_base_text_printf(w->out, " = %d", v->initial[0]);
        return;
    }
    for (uint32_t i = 0; i < v->size;) {
        uint32_t same = 1;
        while (i + same < v->size && v->initial[i + same] == v->initial[i])
            same++;
        plumb_base_text_printf(w->out, "%s%d", i ? ", " : " = [",
                               v->initial[i]);
        if (same > 1)
            plumb_base_text_printf(w->out, "(%u)", same);
        i += same;
    }
    plumb_csp_write(w, "]");
}

static void add_bounds(struct plumb_csp_writer *w, int32_t low, int32_t high)
{
    plumb_csp_write(w, ":{");
    if (low != INT32_MIN)
        plumb_base_text_printf(w->out, "%d", low);
    plumb_csp_write(w, "..");
    if (high != INT32_MAX)
        plumb_base_text_printf(w->out, "%d", high);
    plumb_csp_write(w, "}");
}

static void add_declaration(struct plumb_csp_writer *w,
                            const struct plumb_csp_variable *v)
{
    plumb_csp_write(w, v->unseen ? "hvar" : "var");
    if (v->collection)
        plumb_base_text_printf(w->out, "<%s>",
                               plumb_csp_kind_text(w->m, v->collection));
    plumb_csp_write(w, " ");
    plumb_csp_write_name(w, v->name);
    for (uint32_t i = 0; i < v->dimensions; i++)
        plumb_base_text_printf(w->out, "[%u]", v->dimension[i]);
    if (v->ranged)
        add_bounds(w, v->low, v->high);
    if (!v->collection)
        add_initial(w, v);
    plumb_csp_write(w, ";\n");
}

static void add_channels(struct plumb_csp_writer *w)
{
    for (uint32_t i = 0; i < w->m->channels; i++) {
        const struct plumb_csp_channel *const c = w->m->channel + i;
        plumb_base_text_printf(w->out, "channel %s", c->name);
        if (c->array)
            plumb_base_text_printf(w->out, "[%u]", c->size);
        plumb_base_text_printf(w->out, " %u;\n", c->capacity);
    }
}

static void add_definition(struct plumb_csp_writer *w,
                           const struct plumb_csp_definition *d)
{
    const uint32_t number = (uint32_t)(d - w->m->definition);
    w->d = d;
    add_definition_name(w, number);
    plumb_csp_write(w, "(");
    for (uint32_t i = 0; i < d->parameters; i++) {
        plumb_csp_write(w, i ? ", " : "");
        plumb_csp_write_local(w, i);
        if (d->bounds &&
            (d->bounds[i].low != INT32_MIN || d->bounds[i].high != INT32_MAX))
            add_bounds(w, d->bounds[i].low, d->bounds[i].high);
    }
    plumb_csp_write(w, ") = ");
    add_process(w, d->body);
    plumb_csp_write(w, ";\n");
    if (d->alphabet) {
        plumb_csp_write(w, "#alphabet ");
        add_definition_name(w, number);
        plumb_csp_write(w, " ");
        add_set(w, d->alphabet);
        plumb_csp_write(w, ";\n");
    }
    w->d = NULL;
}

/* ---- assertions ---- */

static void add_reaches(struct plumb_csp_writer *w,
                        const struct plumb_csp_assertion *a)
{
    plumb_csp_write(w, "reaches ");
    plumb_csp_write_expr(w, a->goal);
    if (a->optimise) {
        plumb_csp_write(w, a->optimise < 0 ? " with min(" : " with max(");
        plumb_csp_write_expr(w, a->optimised);
        plumb_csp_write(w, ")");
    }
}

static void add_built_in(struct plumb_csp_writer *w,
                         const struct plumb_csp_assertion *a)
{
    plumb_base_text_printf(w->out, "linearizable \"%s\" (clients %u",
                           a->built_in, a->clients);
    for (uint32_t i = 0; i < a->values; i++)
        plumb_base_text_printf(w->out, "%s%d", i ? "," : ", values {",
                               a->value[i]);
    plumb_base_text_printf(w->out, "%s)%s", a->values ? "}" : "",
                           a->points ? " at points" : "");
}

/* A formula has blanks instead of what got shorter (read_formula.c). */
static void add_formula(struct plumb_csp_writer *w, const char *text)
{
    bool quoted = false;
    for (; *text; text++) {
        quoted ^= *text == '"';
        if (quoted || *text != ' ' || (text[1] != ' ' && text[1]))
            plumb_base_text_bytes(w->out, text, 1);
    }
}

static void add_assertion(struct plumb_csp_writer *w,
                          const struct plumb_csp_assertion *a)
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
        [PLUMB_ASSERT_LOCKFREE] = "lockfree",
        [PLUMB_ASSERT_WAITFREE] = "waitfree",
        [PLUMB_ASSERT_OBSTRUCTIONFREE] = "obstructionfree",
        [PLUMB_ASSERT_EQUAL] = "= ",
    };
    plumb_csp_write(w, "#assert ");
    add_process(w, a->process);
    plumb_base_text_printf(w->out, " %s", word[a->kind]);
    if (a->kind == PLUMB_ASSERT_REACHES)
        add_reaches(w, a);
    else if (a->kind == PLUMB_ASSERT_LTL)
        add_formula(w, a->formula);
    else if (a->built_in)
        add_built_in(w, a);
    else if (a->clients && !a->specification)
        plumb_base_text_printf(w->out, " (clients %u)", (unsigned)a->clients);
    else if (a->specification) {
        /* The object is in the model as definitions. */
        if (a->kind == PLUMB_ASSERT_LINEARIZABLE)
            plumb_csp_write(w, "refines ");
        add_process(w, a->specification);
    }
    plumb_csp_write(w, ";\n");
}

/* ---- all ---- */

void plumb_csp_expr_text(const struct plumb_csp_model *model,
                         const struct plumb_csp_definition *definition,
                         const struct plumb_csp_expr *e,
                         struct plumb_base_text *out)
{
    plumb_csp_write_expr(
        &(struct plumb_csp_writer){ .m = model, .d = definition, .out = out },
        e);
}

void plumb_csp_process_text(const struct plumb_csp_model *model,
                            const struct plumb_csp_definition *definition,
                            const struct plumb_csp_process *p,
                            struct plumb_base_text *out)
{
    add_process(
        &(struct plumb_csp_writer){ .m = model, .d = definition, .out = out },
        p);
}

void plumb_csp_model_text(const struct plumb_csp_model *model,
                          struct plumb_base_text *out)
{
    struct plumb_csp_writer w = { .m = model, .out = out };
    for (uint32_t i = 0; i < model->imports; i++)
        plumb_base_text_printf(out, "#import \"%s\";\n", model->import[i]);
    for (uint32_t i = 0; i < model->variables; i++)
        add_declaration(&w, model->variable + i);
    add_channels(&w);
    for (uint32_t i = 0; i < model->propositions; i++) {
        plumb_base_text_printf(out, "#define %s ", model->proposition[i].name);
        plumb_csp_write_expr(&w, model->proposition[i].value);
        plumb_csp_write(&w, ";\n");
    }
    for (uint32_t i = 0; i < model->definitions; i++)
        add_definition(&w, model->definition + i);
    for (uint32_t i = 0; i < model->assertions; i++)
        add_assertion(&w, model->assertion + i);
}
