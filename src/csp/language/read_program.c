/* read_program.c - programs: what an event does.
 *
 * Operations of an object return: what follows a statement that may have
 * returned is read into an `if (!returned)`, so programs themselves need no
 * return.  An operation is read twice if it needs that. */
#include "model_reader.h"

enum flow { GOES_ON, MAY_RETURN, RETURNS };

static enum flow read_statement(struct plumb_csp_read *r,
                                struct plumb_csp_statements *out);

/* ---- lists of statements ---- */

static const struct plumb_csp_statement *chain(
    struct plumb_csp_read *r, const struct plumb_csp_statements *list)
{
    struct plumb_csp_statement *const s = PLUMB_LIST_TAKE(r, list);
    for (uint32_t i = 0; s && i + 1 < list->count; i++)
        s[i].next = s + i + 1;
    return s;
}

static bool add(struct plumb_csp_read *r, struct plumb_csp_statements *out,
                struct plumb_csp_statement statement)
{
    return plumb_csp_read_charge(r, statement.place, 1) &&
           PLUMB_LIST_ADD(r, out, statement);
}

bool plumb_csp_read_assign(struct plumb_csp_read *r,
                           struct plumb_csp_statements *out,
                           const struct plumb_csp_expr *target,
                           const struct plumb_csp_expr *value)
{
    return target && value &&
           add(r, out,
               (struct plumb_csp_statement){ .kind = PLUMB_STATEMENT_ASSIGN,
                                             .place = target->place,
                                             .target = target,
                                             .value = value });
}

static const struct plumb_csp_expr *not_returned(struct plumb_csp_read *r,
                                                 struct plumb_csp_place place)
{
    r->needs_flag = true;
    return plumb_csp_expr_unary(r, place, PLUMB_OP_NOT,
                                plumb_csp_expr_temp(r, place, r->flag));
}

static enum flow read_list(struct plumb_csp_read *r,
                           struct plumb_csp_statements *out);

/* What follows a statement that may have returned. */
static enum flow read_rest(struct plumb_csp_read *r,
                           struct plumb_csp_statements *out)
{
    struct plumb_csp_statements rest = { 0 };
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    const struct plumb_csp_expr *const condition = not_returned(r, place);
    if (!plumb_csp_read_enter(r))
        return GOES_ON;
    const enum flow flow = read_list(r, &rest);
    plumb_csp_read_leave(r);
    if (rest.count && condition && !r->failed)
        add(r, out,
            (struct plumb_csp_statement){ .kind = PLUMB_STATEMENT_IF,
                                          .place = place,
                                          .value = condition,
                                          .body = chain(r, &rest) });
    return flow == RETURNS ? RETURNS : MAY_RETURN;
}

/* Up to the } that ends it. */
static enum flow read_list(struct plumb_csp_read *r,
                           struct plumb_csp_statements *out)
{
    while (!r->failed && !plumb_csp_read_at(r, "}")) {
        if (plumb_csp_read_accept(r, ";"))
            continue;
        const enum flow flow = read_statement(r, out);
        while (plumb_csp_read_accept(r, ";"))
            ;
        if (r->failed || flow == GOES_ON || plumb_csp_read_at(r, "}")) {
            if (flow != GOES_ON)
                return flow;
            continue;
        }
        if (flow == MAY_RETURN)
            return read_rest(r, out);
        plumb_csp_read_fail(
            r, plumb_csp_read_token(r)->place,
            "this statement is unreachable: it follows a return");
    }
    return GOES_ON;
}

static enum flow read_block(struct plumb_csp_read *r,
                            struct plumb_csp_statements *out)
{
    const uint32_t bound = r->bound.count;
    if (!plumb_csp_read_expect(r, "{", "") || !plumb_csp_read_enter(r))
        return GOES_ON;
    const enum flow flow = read_list(r, out);
    plumb_csp_read_expect(r, "}", "");
    plumb_csp_read_leave(r);
    plumb_csp_read_unbind(r, out, bound);
    return flow;
}

/* A block, or one statement. */
static enum flow read_body(struct plumb_csp_read *r,
                           struct plumb_csp_statements *out)
{
    if (plumb_csp_read_at(r, "{"))
        return read_block(r, out);
    const uint32_t bound = r->bound.count;
    if (plumb_csp_read_accept(r, ";") || !plumb_csp_read_enter(r))
        return GOES_ON;
    const enum flow flow = read_statement(r, out);
    plumb_csp_read_leave(r);
    plumb_csp_read_unbind(r, out, bound);
    return flow;
}

/* ---- if, while, return ---- */

static enum flow both(enum flow a, enum flow b)
{
    return a == b ? a : MAY_RETURN;
}

static enum flow read_if(struct plumb_csp_read *r,
                         struct plumb_csp_statements *out,
                         const struct plumb_csp_token *t)
{
    struct plumb_csp_statements body = { 0 }, otherwise = { 0 };
    enum flow other = GOES_ON;
    const struct plumb_csp_expr *const condition = plumb_csp_read_test(r);
    if (!condition)
        return GOES_ON;
    const enum flow flow = read_body(r, &body);
    while (!r->failed && plumb_csp_read_at(r, ";") &&
           plumb_csp_token_is(plumb_csp_read_ahead(r, 1), "else"))
        r->at++;
    if (!r->failed && plumb_csp_read_accept(r, "else"))
        other = read_body(r, &otherwise);
    if (!r->failed)
        add(r, out,
            (struct plumb_csp_statement){ .kind = PLUMB_STATEMENT_IF,
                                          .place = t->place,
                                          .value = condition,
                                          .body = chain(r, &body),
                                          .otherwise = chain(r, &otherwise) });
    return both(flow, other);
}

static enum flow read_while(struct plumb_csp_read *r,
                            struct plumb_csp_statements *out,
                            const struct plumb_csp_token *t)
{
    struct plumb_csp_statements body = { 0 };
    const struct plumb_csp_expr *condition = plumb_csp_read_test(r);
    if (!condition)
        return GOES_ON;
    const enum flow flow = read_body(r, &body);
    if (!r->failed && flow != GOES_ON)
        condition = plumb_csp_expr_binary(r, t->place, PLUMB_OP_AND,
                                          not_returned(r, t->place), condition);
    if (!r->failed)
        add(r, out,
            (struct plumb_csp_statement){ .kind = PLUMB_STATEMENT_WHILE,
                                          .place = t->place,
                                          .value = condition,
                                          .body = chain(r, &body) });
    return flow == GOES_ON ? GOES_ON : MAY_RETURN;
}

static enum flow read_return(struct plumb_csp_read *r,
                             struct plumb_csp_statements *out,
                             const struct plumb_csp_token *t)
{
    const bool nothing = plumb_csp_read_at(r, ";") || plumb_csp_read_at(r, "}");
    if (!r->in_operation) {
        plumb_csp_read_fail(r, t->place,
                            "only an operation of an #object can return");
        return GOES_ON;
    }
    if (nothing ? r->returns_value : r->returns_nothing)
        plumb_csp_read_fail(r, t->place,
                            "an operation must return a value always or never");
    r->returns_nothing = nothing;
    r->returns_value = !nothing;
    if (!nothing)
        plumb_csp_read_assign(r, out, r->result, plumb_csp_read_value(r, out));
    if (r->needs_flag)
        plumb_csp_read_assign(r, out, plumb_csp_expr_temp(r, t->place, r->flag),
                              plumb_csp_expr_constant(r, t->place, 1, true));
    return RETURNS;
}

/* ---- calls and blocks with a name ---- */

static struct plumb_csp_define *block_named(const struct plumb_csp_read *r,
                                            const struct plumb_csp_token *t)
{
    const struct plumb_csp_symbol *const s =
        plumb_csp_read_bound(r, t) ? NULL : plumb_csp_read_symbol(r, t);
    return s && s->kind == PLUMB_SYMBOL_DEFINE && r->define.at[s->number].block
               ? r->define.at + s->number
               : NULL;
}

/* The statements of a #define, as if they stood here.  Its parameters stand
 * for the arguments. */
static enum flow read_named_block(struct plumb_csp_read *r,
                                  struct plumb_csp_statements *out,
                                  struct plumb_csp_define *d,
                                  const struct plumb_csp_token *use,
                                  const struct plumb_csp_exprs *args)
{
    const uint32_t at = r->at, bound = r->bound.count, floor = r->floor;
    if (d->busy || args->count != d->parameter.count) {
        plumb_csp_read_fail(r, use->place,
                            d->busy ? "the definition of %.*s refers to itself"
                                    : "wrong number of arguments for %.*s",
                            PLUMB_TOKEN_ARGS(use));
        return GOES_ON;
    }
    if (!plumb_csp_read_charge(r, use->place, 1))
        return GOES_ON;
    for (uint32_t i = 0; i < args->count; i++)
        if (!plumb_csp_read_bind_value(r, d->parameter.at[i], args->at[i]))
            return GOES_ON;
    r->floor = bound;
    r->at = d->first;
    d->busy = true;
    enum flow flow = GOES_ON;
    const struct plumb_csp_token *const first = plumb_csp_read_token(r);
    if (plumb_csp_read_at(r, "{"))
        flow = read_block(r, out);
    else if (plumb_csp_read_accept(r, "if"))
        flow = read_if(r, out, first);
    else
        plumb_csp_read_assignment(r, out);
    if (!r->failed && r->at != d->end)
        plumb_csp_read_unexpected(r, "';' after the #define");
    d->busy = false;
    r->at = at;
    r->floor = floor;
    r->bound.count = bound;
    return flow;
}

static enum flow read_call(struct plumb_csp_read *r,
                           struct plumb_csp_statements *out)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const struct plumb_csp_token *const f = plumb_csp_read_ahead(r, 2);
    struct plumb_csp_define *const d = block_named(r, f);
    struct plumb_csp_exprs args = { 0 };
    if (d) {
        r->at += 3;
        if (plumb_csp_read_accept(r, ",")
                ? plumb_csp_read_arguments(r, &args, false)
                : plumb_csp_read_expect(r, ")", ""))
            return read_named_block(r, out, d, f, &args);
        return GOES_ON;
    }
    const struct plumb_csp_expr *const e = plumb_csp_read_expression(r);
    if (e && e->kind != PLUMB_EXPR_CALL)
        plumb_csp_read_fail(r, t->place, "this statement does nothing");
    if (e)
        add(r, out,
            (struct plumb_csp_statement){
                .kind = PLUMB_STATEMENT_CALL, .place = t->place, .value = e });
    return GOES_ON;
}

/* ---- statements ---- */

/* Of a statement that ends with ; unless a } follows. */
static void end(struct plumb_csp_read *r)
{
    if (!r->failed && !plumb_csp_read_at(r, "}"))
        plumb_csp_read_semicolon(r, "the statement");
}

static enum flow read_statement(struct plumb_csp_read *r,
                                struct plumb_csp_statements *out)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const struct plumb_csp_exprs none = { 0 };
    enum flow flow = GOES_ON;
    if (plumb_csp_token_is(t, "{"))
        return read_block(r, out);
    if (plumb_csp_read_accept(r, "if"))
        return read_if(r, out, t);
    if (plumb_csp_read_accept(r, "while"))
        return read_while(r, out, t);
    if (plumb_csp_read_accept(r, "return"))
        flow = read_return(r, out, t);
    else if (plumb_csp_token_is(t, "var") &&
             plumb_csp_read_ahead(r, 1)->kind == PLUMB_TOKEN_NAME)
        r->at++, plumb_csp_read_local(r, out);
    else if (plumb_csp_token_is(t, "call") &&
             plumb_csp_token_is(plumb_csp_read_ahead(r, 1), "("))
        flow = read_call(r, out);
    else if (block_named(r, t)) {
        r->at++;
        if (plumb_csp_read_accept(r, "("))
            plumb_csp_read_expect(r, ")", "");
        flow = read_named_block(r, out, block_named(r, t), t, &none);
    } else
        plumb_csp_read_assignment(r, out);
    end(r);
    return flow;
}

/* ---- programs ---- */

const struct plumb_csp_program *plumb_csp_program_new(
    struct plumb_csp_read *r, const struct plumb_csp_statements *list,
    struct plumb_csp_place place)
{
    struct plumb_csp_program *const p = plumb_csp_read_new(r, sizeof *p);
    if (!p)
        return NULL;
    p->first = chain(r, list);
    p->temps = r->temps;
    p->place = place;
    return r->failed ? NULL : p;
}

const struct plumb_csp_program *plumb_csp_read_program(struct plumb_csp_read *r)
{
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    struct plumb_csp_statements list = { 0 };
    r->temps = 0;
    read_block(r, &list);
    return r->failed ? NULL : plumb_csp_program_new(r, &list, place);
}

static enum flow read_operation(struct plumb_csp_read *r,
                                struct plumb_csp_statements *list,
                                struct plumb_csp_place place, bool flag)
{
    list->count = 0;
    r->returns_value = r->returns_nothing = false;
    r->needs_flag = flag;
    r->flag = 0;
    r->temps = flag ? 1 : 0;
    if (flag)
        plumb_csp_read_assign(r, list, plumb_csp_expr_temp(r, place, 0),
                              plumb_csp_expr_constant(r, place, 0, true));
    return read_block(r, list);
}

const struct plumb_csp_program *plumb_csp_read_operation_program(
    struct plumb_csp_read *r,
    const struct plumb_csp_declared_operation *operation,
    const struct plumb_csp_expr *result)
{
    struct plumb_csp_statements list = { 0 };
    r->at = operation->body;
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    r->in_operation = true;
    r->result = result;
    enum flow flow = read_operation(r, &list, place, false);
    if (!r->failed && r->needs_flag) {
        r->at = operation->body;
        flow = read_operation(r, &list, place, true);
    }
    r->in_operation = false;
    if (!r->failed && r->returns_value && flow != RETURNS)
        plumb_csp_read_fail(r, operation->name->place,
                            "%.*s returns a value, but not on every path",
                            PLUMB_TOKEN_ARGS(operation->name));
    return r->failed ? NULL : plumb_csp_program_new(r, &list, place);
}
