/* read_call.c - call(f, arguments): macros, channels, built-in and imported
 * functions.
 *
 * A name that a #define gives comes first, then what is asked of channels,
 * then built-in functions.  What is left is imported, if anything is. */
#include "base/spelling.h"
#include "model_reader.h"

#include <string.h>

/* ---- arguments ---- */

static bool is_whole_array(const struct plumb_csp_read *r, uint32_t variable)
{
    return variable != UINT32_MAX &&
           !plumb_csp_read_bound(r, plumb_csp_read_token(r)) &&
           r->variable.at[variable].dimensions &&
           plumb_csp_token_is_one(plumb_csp_read_ahead(r, 1), ", )");
}

static const struct plumb_csp_expr *read_argument(struct plumb_csp_read *r,
                                                  bool arrays)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const uint32_t variable = plumb_csp_read_global(r, t);
    if (!arrays || !is_whole_array(r, variable))
        return plumb_csp_read_expression(r);
    if (!plumb_csp_read_refuse_collections(r, t->place, variable))
        return NULL;
    r->at++;
    return plumb_csp_expr_leaf(r, t->place, PLUMB_EXPR_GLOBAL, variable, NULL,
                               0, PLUMB_TYPE_ANY);
}

bool plumb_csp_read_arguments(struct plumb_csp_read *r,
                              struct plumb_csp_exprs *list, bool arrays)
{
    const bool repeats = r->repeats;
    r->repeats = false;
    if (!plumb_csp_read_accept(r, ")")) {
        do
            if (!plumb_csp_exprs_add(r, list, read_argument(r, arrays)))
                return false;
        while (plumb_csp_read_accept(r, ","));
        if (!plumb_csp_read_expect(r, ")", "after the arguments"))
            return false;
    }
    r->repeats = repeats;
    return true;
}

/* ---- call(cfull, c) ---- */

struct query_text {
    const char *text;
    enum plumb_csp_channel_query query;
    enum plumb_csp_type type;
};

static const struct query_text *query_of(const struct plumb_csp_token *t)
{
    static const struct query_text queries[] = {
        { "cfull", PLUMB_CHANNEL_FULL, PLUMB_TYPE_TRUTH },
        { "cempty", PLUMB_CHANNEL_EMPTY, PLUMB_TYPE_TRUTH },
        { "ccount", PLUMB_CHANNEL_COUNT, PLUMB_TYPE_NUMBER },
        { "csize", PLUMB_CHANNEL_SIZE, PLUMB_TYPE_NUMBER },
        { "cpeek", PLUMB_CHANNEL_PEEK, PLUMB_TYPE_ANY },
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (plumb_csp_token_is(t, queries[i].text))
            return queries + i;
    return NULL;
}

static const struct plumb_csp_expr *read_query(
    struct plumb_csp_read *r, const struct plumb_csp_token *call,
    const struct query_text *q)
{
    const struct plumb_csp_expr *index = NULL;
    if (!plumb_csp_read_expect(r, ",", "and a channel"))
        return NULL;
    const struct plumb_csp_token *const name =
        plumb_csp_read_name(r, "a channel");
    if (!name)
        return NULL;
    const struct plumb_csp_symbol *const s = plumb_csp_read_symbol(r, name);
    if (!s || s->kind != PLUMB_SYMBOL_CHANNEL)
        return plumb_csp_read_undefined(r, name, "channel", &r->symbols, false);
    if (!plumb_csp_read_channel_index(r, name, s->number, &index) ||
        !plumb_csp_read_expect(r, ")", "after the channel") ||
        (q->query == PLUMB_CHANNEL_PEEK &&
         !plumb_csp_shapes_peek(r, s->number, name->place)))
        return NULL;
    const struct plumb_csp_expr *const e =
        plumb_csp_expr_leaf(r, call->place, PLUMB_EXPR_CHANNEL, s->number,
                            &index, index ? 1 : 0, q->type);
    if (e) /* just made, and nobody else has seen it */
        ((struct plumb_csp_expr *)(uintptr_t)e)->query = q->query;
    return e;
}

/* ---- functions ---- */

static bool is_array(const struct plumb_csp_read *r,
                     const struct plumb_csp_expr *e)
{
    return e->kind == PLUMB_EXPR_GLOBAL &&
           e->operands < r->variable.at[e->number].dimensions;
}

/* Which of the first 32 arguments are arrays, a bit each. */
static uint32_t arrays_of(const struct plumb_csp_read *r,
                          const struct plumb_csp_exprs *args)
{
    uint32_t arrays = 0;
    for (uint32_t i = 0; i < args->count && i < 32; i++)
        arrays |= (uint32_t)is_array(r, args->at[i]) << i;
    return arrays;
}

static bool check_signature(struct plumb_csp_read *r,
                            const struct plumb_csp_token *f,
                            const struct plumb_csp_built_in *b,
                            const struct plumb_csp_exprs *args)
{
    const uint32_t wanted = (uint32_t)strlen(b->signature);
    if (args->count != wanted)
        return plumb_csp_read_fail_count(r, f, wanted, args->count);
    for (uint32_t i = 0; i < wanted; i++) {
        const bool array = is_array(r, args->at[i]);
        if (array != (b->signature[i] == 'a'))
            return plumb_csp_read_fail(
                r, args->at[i]->place, "%.*s takes %s here",
                PLUMB_TOKEN_ARGS(f),
                array ? "a value, not an array" : "an array, not a value");
    }
    return true;
}

static bool fail_unknown(struct plumb_csp_read *r,
                         const struct plumb_csp_token *f)
{
    struct plumb_csp_table among = { 0 };
    const struct plumb_csp_define *const d = r->define.at;
    for (uint32_t i = 0; i < r->define.count; i++)
        if (d[i].macro && !plumb_csp_table_put(r, &among, d[i].name->text,
                                               d[i].name->length, 0))
            return false;
    const struct plumb_csp_built_in *b;
    for (size_t i = 0; (b = plumb_csp_built_in_at(i)); i++)
        if (!plumb_csp_table_put(r, &among, b->name, strlen(b->name), 0))
            return false;
    return plumb_csp_read_undefined(r, f, "function", &among, false);
}

/* A function in C has one type, so all calls of it have to agree. */
static bool is_called_alike(struct plumb_csp_read *r,
                            const struct plumb_csp_token *f,
                            const struct plumb_csp_exprs *args,
                            const struct plumb_csp_function_use *known)
{
    if (known->arguments != args->count)
        return plumb_csp_read_fail(
            r, f->place, "%.*s has %u argument%s here, but %u at %u:%u",
            PLUMB_TOKEN_ARGS(f), args->count, plumb_base_plural(args->count),
            known->arguments, known->place.line, known->place.column);
    const uint32_t arrays = arrays_of(r, args);
    if (known->arrays == arrays)
        return true;
    const int i = __builtin_ctz(known->arrays ^ arrays);
    const bool array = arrays >> i & 1;
    return plumb_csp_read_fail(
        r, args->at[i]->place, "%.*s is given %s here, but %s at %u:%u",
        PLUMB_TOKEN_ARGS(f), array ? "an array" : "a value",
        array ? "a value" : "an array", known->place.line, known->place.column);
}

static bool add_function(struct plumb_csp_read *r,
                         const struct plumb_csp_token *f,
                         const struct plumb_csp_exprs *args,
                         const struct plumb_csp_built_in *b)
{
    const char *const name = plumb_csp_read_token_text(r, f);
    const struct plumb_csp_function_use use = { .name = name,
                                                .place = f->place,
                                                .arguments = args->count,
                                                .arrays = arrays_of(r, args),
                                                .function =
                                                    b ? b->function : NULL };
    return name &&
           plumb_csp_table_put(r, &r->functions, name, f->length,
                               r->function.count) &&
           PLUMB_LIST_ADD(r, &r->function, use);
}

static bool find_function(struct plumb_csp_read *r,
                          const struct plumb_csp_token *f,
                          const struct plumb_csp_exprs *args, uint32_t *number,
                          enum plumb_csp_type *type)
{
    const struct plumb_csp_built_in *const b =
        plumb_csp_built_in(f->text, f->length);
    *type = b ? b->type : PLUMB_TYPE_ANY;
    if (b && !check_signature(r, f, b, args))
        return false;
    *number = plumb_csp_table_find(&r->functions, f->text, f->length);
    if (*number != UINT32_MAX)
        return is_called_alike(r, f, args, r->function.at + *number);
    if (!b && r->import.count == 0)
        return fail_unknown(r, f);
    *number = r->function.count;
    return add_function(r, f, args, b);
}

const struct plumb_csp_expr *plumb_csp_read_call(
    struct plumb_csp_read *r, const struct plumb_csp_token *call)
{
    struct plumb_csp_exprs args = { 0 };
    uint32_t number;
    enum plumb_csp_type type;
    r->at++; /* ( */
    const struct plumb_csp_token *const f =
        plumb_csp_read_name(r, "a function");
    if (!f)
        return NULL;
    const struct plumb_csp_symbol *const s = plumb_csp_read_symbol(r, f);
    const bool defined = s && s->kind == PLUMB_SYMBOL_DEFINE;
    const struct query_text *const q = defined ? NULL : query_of(f);
    if (q)
        return read_query(r, call, q);
    if (plumb_csp_read_accept(r, ",")
            ? !plumb_csp_read_arguments(r, &args, !defined)
            : !plumb_csp_read_expect(r, ")", "after the function"))
        return NULL;
    if (defined)
        return plumb_csp_define_expand(r, r->define.at + s->number, f, &args);
    if (!find_function(r, f, &args, &number, &type))
        return NULL;
    return plumb_csp_expr_leaf(r, call->place, PLUMB_EXPR_CALL, number, args.at,
                               args.count, type);
}
