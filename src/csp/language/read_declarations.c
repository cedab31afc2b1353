/* read_declarations.c - the first pass: what is declared, and where.
 *
 * A definition ends at the ; behind which another declaration begins, since a
 * ; can also join two processes. */
#include "model_reader.h"

static bool is_declaration_word(const struct plumb_csp_read *r, uint32_t at)
{
    const struct plumb_csp_token *const t = r->token + at;
    if (t->kind != PLUMB_TOKEN_NAME)
        return false;
    const struct plumb_csp_token *const next = t + 1; /* the end is behind it */
    if (plumb_csp_token_is(t, "enum"))
        return plumb_csp_token_is(next, "{");
    if (plumb_csp_token_is(t, "var") || plumb_csp_token_is(t, "hvar"))
        return next->kind == PLUMB_TOKEN_NAME || plumb_csp_token_is(next, "<");
    return plumb_csp_token_is(t, "channel") && next->kind == PLUMB_TOKEN_NAME;
}

bool plumb_csp_read_item_begins(const struct plumb_csp_read *r, uint32_t at)
{
    const struct plumb_csp_token *const t = r->token + at;
    if (t->kind == PLUMB_TOKEN_END || t->kind == PLUMB_TOKEN_DIRECTIVE ||
        is_declaration_word(r, at))
        return true;
    if (t->kind != PLUMB_TOKEN_NAME)
        return false;
    const uint32_t behind = plumb_csp_token_is(t + 1, "(")
                                ? plumb_csp_read_behind(r, at + 1)
                                : at + 1;
    return plumb_csp_token_is(r->token + behind, "=");
}

static bool add_item(struct plumb_csp_read *r, enum plumb_csp_item_kind kind,
                     uint32_t first, uint32_t number)
{
    return PLUMB_LIST_ADD(
        r, &r->item,
        (struct plumb_csp_item){
            .kind = kind, .first = first, .end = r->at++, .number = number });
}

static bool declare_item(struct plumb_csp_read *r,
                         enum plumb_csp_item_kind kind, const char *what)
{
    const uint32_t first = r->at;
    return plumb_csp_read_skip(r, what) && add_item(r, kind, first, UINT32_MAX);
}

/* ---- #import, enum ---- */

static bool read_import(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (t->kind != PLUMB_TOKEN_STRING)
        return plumb_csp_read_unexpected(r, "a \"library\" after #import");
    const char *const name = plumb_csp_read_text(r, t->text + 1, t->length - 2);
    r->at++;
    return name && PLUMB_LIST_ADD(r, &r->import, name) &&
           PLUMB_LIST_ADD(r, &r->import_place, t->place) &&
           plumb_csp_read_semicolon(r, "#import");
}

static bool read_enum(struct plumb_csp_read *r)
{
    int32_t value = 0;
    r->at++; /* { */
    do {
        const struct plumb_csp_token *const name =
            plumb_csp_read_new_name(r, "a name");
        struct plumb_csp_symbol *const s =
            name ? plumb_csp_read_declare(r, name, PLUMB_SYMBOL_ENUM) : NULL;
        if (!s)
            return false;
        s->value = value++;
    } while (plumb_csp_read_accept(r, ","));
    return plumb_csp_read_expect(r, "}", "after the names") &&
           plumb_csp_read_semicolon(r, "enum");
}

/* ---- channels ---- */

static bool declare_channel(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const name =
        plumb_csp_read_new_name(r, "a channel");
    struct plumb_csp_symbol *const s =
        name ? plumb_csp_read_declare(r, name, PLUMB_SYMBOL_CHANNEL) : NULL;
    if (!s)
        return false;
    s->number = r->channel.count;
    const struct plumb_csp_channel c = {
        .name = plumb_csp_read_token_text(r, name),
        .place = name->place,
        .size = 1,
        .array = plumb_csp_read_at(r, "["),
    };
    return c.name && PLUMB_LIST_ADD(r, &r->channel, c) &&
           declare_item(r, PLUMB_ITEM_CHANNEL, "the channel");
}

/* ---- definitions ---- */

bool plumb_csp_definition_add(struct plumb_csp_read *r, const char *name,
                              struct plumb_csp_place place, uint32_t *number)
{
    *number = r->definition.count;
    return PLUMB_LIST_ADD(
               r, &r->definition,
               (struct plumb_csp_definition){ .name = name, .place = place }) &&
           PLUMB_LIST_NEW(r, &r->parameter);
}

static bool declare_parameters(struct plumb_csp_read *r,
                               struct plumb_csp_tokens *list)
{
    if (!plumb_csp_read_accept(r, "(") || plumb_csp_read_accept(r, ")"))
        return true;
    do {
        const struct plumb_csp_token *const name =
            plumb_csp_read_new_name(r, "a parameter");
        if (!name || !PLUMB_LIST_ADD(r, list, name))
            return false;
        if (plumb_csp_read_at(r, ":") &&
            plumb_csp_token_is(plumb_csp_read_ahead(r, 1), "{"))
            r->at = plumb_csp_read_behind(r, r->at + 1); /* read_bodies.c */
    } while (plumb_csp_read_accept(r, ","));
    return plumb_csp_read_expect(r, ")", "after the parameters");
}

/* At an = that is not in brackets: a definition began, and there was no ;. */
static bool fail_in_definition(struct plumb_csp_read *r, uint32_t body)
{
    uint32_t name = r->at - 1;
    if (plumb_csp_token_is(r->token + name, ")"))
        while (name > body && (!plumb_csp_token_is(r->token + name, "(") ||
                               plumb_csp_read_behind(r, name) != r->at))
            name--;
    if (plumb_csp_token_is(r->token + name, "(") && name > body)
        name--;
    if (name <= body || r->token[name].kind != PLUMB_TOKEN_NAME)
        return plumb_csp_read_unexpected(r, "a process");
    r->at = name;
    return plumb_csp_read_semicolon(r, "the definition");
}

static bool skip_definition(struct plumb_csp_read *r)
{
    const uint32_t body = r->at;
    for (;;) {
        const struct plumb_csp_token *const t = plumb_csp_read_token(r);
        if (plumb_csp_token_is(t, ";") &&
            plumb_csp_read_item_begins(r, r->at + 1))
            return true;
        if (t->kind == PLUMB_TOKEN_END || t->kind == PLUMB_TOKEN_DIRECTIVE ||
            is_declaration_word(r, r->at))
            return plumb_csp_read_semicolon(r, "the definition");
        if (plumb_csp_token_is(t, "="))
            return fail_in_definition(r, body);
        r->at = plumb_csp_read_behind(r, r->at);
    }
}

static bool check_new(struct plumb_csp_read *r,
                      const struct plumb_csp_token *name)
{
    const uint32_t n =
        plumb_csp_table_find(&r->definitions, name->text, name->length);
    if (n == UINT32_MAX)
        return true;
    const struct plumb_csp_place first = r->definition.at[n].place;
    return plumb_csp_read_fail(
        r, name->place, "%.*s is already defined at %u:%u",
        PLUMB_TOKEN_ARGS(name), first.line, first.column);
}

static bool declare_definition(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const name =
        plumb_csp_read_new_name(r, "a declaration");
    uint32_t number;
    if (!name)
        return false;
    const char *const text = plumb_csp_read_token_text(r, name);
    if (!text || !check_new(r, name) ||
        !plumb_csp_definition_add(r, text, name->place, &number) ||
        !plumb_csp_table_put(r, &r->definitions, text, name->length, number))
        return false;
    if (!declare_parameters(r, r->parameter.at + number) ||
        !plumb_csp_read_expect(r, "=", "and a process"))
        return false;
    const uint32_t first = r->at;
    return skip_definition(r) &&
           add_item(r, PLUMB_ITEM_DEFINITION, first, number);
}

/* ---- all of them ---- */

static bool declare_directive(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    r->at++;
    if (plumb_csp_token_is(t, "#define"))
        return plumb_csp_read_define(r);
    if (plumb_csp_token_is(t, "#assert"))
        return declare_item(r, PLUMB_ITEM_ASSERTION, "#assert");
    if (plumb_csp_token_is(t, "#alphabet"))
        return declare_item(r, PLUMB_ITEM_ALPHABET, "#alphabet");
    if (plumb_csp_token_is(t, "#import"))
        return read_import(r);
    if (plumb_csp_token_is(t, "#object"))
        return plumb_csp_read_object(r);
    return plumb_csp_read_fail(r, t->place, "unknown directive %.*s",
                               PLUMB_TOKEN_ARGS(t));
}

static bool declare(struct plumb_csp_read *r)
{
    if (plumb_csp_read_token(r)->kind == PLUMB_TOKEN_DIRECTIVE)
        return declare_directive(r);
    if (!is_declaration_word(r, r->at))
        return declare_definition(r);
    if (plumb_csp_read_accept(r, "enum"))
        return read_enum(r);
    if (plumb_csp_read_accept(r, "channel"))
        return declare_channel(r);
    return plumb_csp_read_variable_item(r, NULL);
}

bool plumb_csp_read_declarations(struct plumb_csp_read *r)
{
    while (plumb_csp_read_token(r)->kind != PLUMB_TOKEN_END) {
        if (plumb_csp_read_accept(r, ";"))
            continue;
        if (!declare(r))
            return false;
    }
    return true;
}
