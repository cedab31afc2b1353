/* complaint.c - messages about operations that cannot be bound.
 *
 * They name what the history has, cut where it is long, and what the type has
 * instead. */
#include "complaint.h"

#include "base/fail.h"
#include "base/spelling.h"
#include "history/symbols.h"
#include "names.h"
#include <string.h>

static struct plumb_origin origin_of(const struct plumb_spec_complaint *c,
                                     bool response)
{
    if (!c->h->origin)
        return (struct plumb_origin){ 0, 0 };
    return c->h->origin[2 * (size_t)c->op + response];
}

static enum plumb_status fail_text(const struct plumb_spec_complaint *c,
                                   bool response,
                                   struct plumb_base_text *message)
{
    const struct plumb_origin at = origin_of(c, response);
    const enum plumb_status status =
        message->broken
            ? plumb_base_fail_memory(c->err)
            : plumb_base_fail(c->err, PLUMB_EINPUT, at.line, at.column, "%s",
                              plumb_base_text_string(message));
    plumb_base_text_release(message);
    return status;
}

/* A name of the history, cut so that the message around it is readable. */
static void show_name(const struct plumb_spec_complaint *c, uint32_t symbol,
                      struct plumb_base_text *out)
{
    size_t length;
    const char *const text = plumb_symbol_text(c->h->symbols, symbol, &length);
    plumb_base_text_bytes(out, text, length < 40 ? length : 40);
}

static void show_proper_name(const struct plumb_spec_opdef *def,
                             struct plumb_base_text *out)
{
    plumb_base_text_bytes(out, def->names, plumb_spec_names_first(def->names));
}

enum plumb_status plumb_spec_complain_operation(
    const struct plumb_spec_complaint *c)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, c->budget);
    plumb_base_text_add(&text, "unknown operation \"");
    show_name(c, c->h->op[c->op].name, &text);
    plumb_base_text_printf(&text, "\" for %s (it has ", c->type->name);
    for (unsigned i = 0; i < c->type->nops; i++) {
        const struct plumb_spec_opdef *const def = c->type->ops + i;
        if (i && strcmp(def[0].names, def[-1].names) == 0)
            continue;
        plumb_base_text_add(&text, i ? ", " : "");
        show_proper_name(def, &text);
    }
    plumb_base_text_add(&text, ")");
    return fail_text(c, false, &text);
}

enum plumb_status plumb_spec_complain_arity(
    const struct plumb_spec_complaint *c, unsigned row)
{
    const char *const names = c->type->ops[row].names;
    unsigned nargs = c->row[row].nargs;
    struct plumb_base_text text;
    plumb_base_text_init(&text, c->budget);
    show_name(c, c->h->op[c->op].name, &text);
    plumb_base_text_printf(&text, " takes %u", nargs);
    while (++row < c->type->nops &&
           strcmp(c->type->ops[row].names, names) == 0) {
        nargs = c->row[row].nargs;
        plumb_base_text_printf(&text, " or %u", nargs);
    }
    plumb_base_text_printf(&text, " argument%s, not %u",
                           plumb_base_plural(nargs), c->h->op[c->op].nargs);
    return fail_text(c, false, &text);
}

enum plumb_status plumb_spec_complain_term(const struct plumb_spec_complaint *c)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, c->budget);
    plumb_base_text_printf(&text, "%s has no result \"", c->type->name);
    show_name(c, c->h->op[c->op].term, &text);
    plumb_base_text_add(&text, "\" for ");
    show_name(c, c->h->op[c->op].name, &text);
    return fail_text(c, true, &text);
}

/* A value in a message: strings are quoted, and cut where they are long. */
static void show_value(const struct plumb_spec_complaint *c,
                       struct plumb_value v, struct plumb_base_text *out)
{
    if (v.tag != PLUMB_STR) {
        plumb_spec_value_show(c->h, v, out);
        return;
    }
    plumb_base_text_add(out, "\"");
    show_name(c, (uint32_t)v.bits, out);
    plumb_base_text_add(out, "\"");
}

enum plumb_status plumb_spec_complain_results(
    const struct plumb_spec_complaint *c, unsigned row)
{
    const struct plumb_op *const o = c->h->op + c->op;
    const struct plumb_value *const result = plumb_op_results(c->h, o);
    struct plumb_base_text text;
    plumb_base_text_init(&text, c->budget);
    show_name(c, o->name, &text);
    plumb_base_text_add(&text, " returns ");
    plumb_spec_row_show_answers(c->row + row, &text);
    plumb_base_text_add(&text, ", not ");
    show_name(c, o->term, &text);
    plumb_base_text_add(&text, "(");
    for (unsigned i = 0; i < o->nres; i++) {
        plumb_base_text_add(&text, i ? ", " : "");
        plumb_spec_value_show(c->h, result[i], &text);
    }
    plumb_base_text_add(&text, ")");
    return fail_text(c, true, &text);
}

enum plumb_status plumb_spec_complain_value(
    const struct plumb_spec_complaint *c, bool response, struct plumb_value v,
    const char *wanted)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, c->budget);
    show_value(c, v, &text);
    plumb_base_text_printf(&text, " is not %s", wanted);
    return fail_text(c, response, &text);
}
