/* read_define.c - #define: constants, propositions, macros, and settings that
 * stand instead of them.
 *
 * What a #define stands for is read where its value is first wanted, so the
 * order of #defines does not matter; globals are all it can see.  A macro is
 * read anew for each use, with its parameters standing for the arguments. */
#include "model_reader.h"

/* ---- declared ---- */

/* Can no expression go on with that? */
static bool begins_anew(const struct plumb_csp_token *t)
{
    return t->kind == PLUMB_TOKEN_NUMBER ||
           plumb_csp_token_is_one(t, "( { !") ||
           (t->kind == PLUMB_TOKEN_NAME && !plumb_csp_token_is(t, "xor"));
}

/* Is m(i,j) what is behind the name, and something behind that?  With a blank
 * before the bracket it could be #define p (x) && (y). */
static bool has_parameters(const struct plumb_csp_read *r)
{
    uint32_t n = 0;
    if (!plumb_csp_read_at(r, "("))
        return false;
    do {
        if (plumb_csp_read_ahead(r, ++n)->kind != PLUMB_TOKEN_NAME)
            return false;
        n++;
    } while (plumb_csp_token_is(plumb_csp_read_ahead(r, n), ","));
    const struct plumb_csp_token *const behind = plumb_csp_read_ahead(r, n + 1);
    return plumb_csp_token_is(plumb_csp_read_ahead(r, n), ")") &&
           (plumb_csp_read_token(r)->gap ? n > 2 || begins_anew(behind)
                                         : !plumb_csp_token_is(behind, ";"));
}

static bool read_parameters(struct plumb_csp_read *r,
                            struct plumb_csp_define *d)
{
    do {
        r->at++;
        const struct plumb_csp_token *const p =
            plumb_csp_read_new_name(r, "a parameter");
        if (!p || !PLUMB_LIST_ADD(r, &d->parameter, p))
            return false;
    } while (plumb_csp_read_at(r, ","));
    return plumb_csp_read_expect(r, ")", "after the parameters");
}

static bool read_tokens(struct plumb_csp_read *r, struct plumb_csp_define *d)
{
    d->first = r->at;
    d->block = plumb_csp_read_at(r, "{") || plumb_csp_read_at_assignment(r) ||
               (plumb_csp_read_at(r, "if") && !plumb_csp_read_at_choice(r));
    if (!plumb_csp_read_skip(r, "#define"))
        return false;
    d->end = r->at++;
    return true;
}

bool plumb_csp_read_define(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const name =
        plumb_csp_read_new_name(r, "a name");
    if (!name)
        return false;
    struct plumb_csp_symbol *const s =
        plumb_csp_read_declare(r, name, PLUMB_SYMBOL_DEFINE);
    struct plumb_csp_define *const d = s ? PLUMB_LIST_NEW(r, &r->define) : NULL;
    if (!d)
        return false;
    s->number = r->define.count - 1;
    d->name = name;
    d->macro = has_parameters(r);
    if (d->macro && !read_parameters(r, d))
        return false;
    if (plumb_csp_read_at(r, ";"))
        return plumb_csp_read_unexpected(r, "the value of the name");
    return read_tokens(r, d);
}

/* ---- -D NAME=VALUE ---- */

bool plumb_csp_read_settings(struct plumb_csp_read *r)
{
    for (size_t i = 0; i < r->reading->settings; i++) {
        const struct plumb_csp_setting *const set = r->reading->setting + i;
        const struct plumb_csp_token name = { .text = set->name,
                                              .length =
                                                  (uint32_t)strlen(set->name) };
        const struct plumb_csp_symbol *const s =
            plumb_csp_read_symbol(r, &name);
        if (!s || s->kind != PLUMB_SYMBOL_DEFINE)
            return plumb_csp_read_unknown_setting(r, &name);
        struct plumb_csp_define *const d = r->define.at + s->number;
        d->macro = d->block = false;
        d->value =
            plumb_csp_expr_constant(r, d->name->place, set->value, false);
        if (!d->value)
            return false;
    }
    return true;
}

/* ---- used ---- */

/* Reads the tokens of the #define in place of its use. */
static const struct plumb_csp_expr *read_value(struct plumb_csp_read *r,
                                               struct plumb_csp_define *d)
{
    const uint32_t at = r->at;
    r->at = d->first;
    d->busy = true;
    const struct plumb_csp_expr *e = plumb_csp_read_expression(r);
    if (e && r->at != d->end)
        e = plumb_csp_read_unexpected(r, "';' after the #define");
    d->busy = false;
    r->at = at;
    return e;
}

static bool check_use(struct plumb_csp_read *r,
                      const struct plumb_csp_define *d,
                      const struct plumb_csp_token *use)
{
    if (d->busy)
        return plumb_csp_read_fail(r, use->place,
                                   "the definition of %.*s refers to itself",
                                   PLUMB_TOKEN_ARGS(d->name));
    if (d->block)
        return plumb_csp_read_fail(r, use->place,
                                   "%.*s is a block of statements, not a value",
                                   PLUMB_TOKEN_ARGS(d->name));
    return true;
}

/* A #define sees globals only. */
static const struct plumb_csp_expr *read_alone(struct plumb_csp_read *r,
                                               struct plumb_csp_define *d,
                                               uint32_t floor)
{
    const uint32_t outer = r->floor;
    const struct plumb_csp_object *const own = r->own;
    const bool repeats = r->repeats, begins = r->begins;
    r->floor = floor;
    r->own = NULL;
    r->repeats = r->begins = false;
    const struct plumb_csp_expr *const e = read_value(r, d);
    r->floor = outer;
    r->own = own;
    r->repeats = repeats;
    r->begins = begins;
    return e;
}

const struct plumb_csp_expr *plumb_csp_define_value(
    struct plumb_csp_read *r, struct plumb_csp_define *d,
    const struct plumb_csp_token *use)
{
    if (!check_use(r, d, use))
        return NULL;
    if (d->macro)
        return plumb_csp_read_fail(
            r, use->place, "%.*s has parameters; use call(%.*s, ...)",
            PLUMB_TOKEN_ARGS(use), PLUMB_TOKEN_ARGS(use));
    if (!d->value)
        d->value = read_alone(r, d, r->bound.count);
    return plumb_csp_expr_again(r, d->value);
}

const struct plumb_csp_expr *plumb_csp_define_expand(
    struct plumb_csp_read *r, struct plumb_csp_define *d,
    const struct plumb_csp_token *use, const struct plumb_csp_exprs *args)
{
    const uint32_t bound = r->bound.count;
    if (!check_use(r, d, use))
        return NULL;
    if (args->count != d->parameter.count)
        return plumb_csp_read_fail_count(r, use, d->parameter.count,
                                         args->count);
    if (!d->macro)
        return plumb_csp_define_value(r, d, use);
    for (uint32_t i = 0; i < args->count; i++)
        if (!plumb_csp_read_bind_value(r, d->parameter.at[i], args->at[i]))
            return NULL;
    const struct plumb_csp_expr *const e = read_alone(r, d, bound);
    r->bound.count = bound;
    return e;
}

bool plumb_csp_read_propositions(struct plumb_csp_read *r)
{
    for (uint32_t i = 0; i < r->define.count; i++) {
        struct plumb_csp_define *const d = r->define.at + i;
        if (d->macro || d->block)
            continue;
        const struct plumb_csp_proposition p = {
            .name = plumb_csp_read_token_text(r, d->name),
            .place = d->name->place,
            .value = plumb_csp_define_value(r, d, d->name),
        };
        if (!p.name || !p.value || !PLUMB_LIST_ADD(r, &r->proposition, p))
            return false;
    }
    return true;
}
