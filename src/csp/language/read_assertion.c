/* read_assertion.c - what is asserted of a process. */
#include "model_reader.h"

#include "base/text.h"
#include <ctype.h>

/* ---- text ---- */

/* Tokens first .. end - 1 as written, with one blank for all that is between
 * them. */
static const char *text_of(struct plumb_csp_read *r, uint32_t first,
                           uint32_t end)
{
    size_t length = 0;
    for (uint32_t i = first; i < end; i++)
        length += r->token[i].length + 1u;
    char *const text = plumb_csp_read_new(r, length + 1);
    char *at = text;
    for (uint32_t i = first; text && i < end; i++) {
        const struct plumb_csp_token *const t = r->token + i;
        if (t->gap && i > first)
            *at++ = ' ';
        memcpy(at, t->text, t->length);
        at += t->length;
    }
    return text;
}

/* The ; that ends it. */
static uint32_t end_of(const struct plumb_csp_read *r)
{
    uint32_t at = r->at;
    while (!plumb_csp_token_is(r->token + at, ";") &&
           r->token[at].kind != PLUMB_TOKEN_END)
        at = plumb_csp_read_behind(r, at);
    return at;
}

/* ---- kinds ---- */

static bool read_refines(struct plumb_csp_read *r,
                         struct plumb_csp_assertion *a)
{
    a->kind = PLUMB_ASSERT_REFINES;
    if (plumb_csp_read_accept(r, "<")) {
        if (plumb_csp_read_accept(r, "F"))
            a->kind = PLUMB_ASSERT_REFINES_F;
        else if (plumb_csp_read_accept(r, "FD"))
            a->kind = PLUMB_ASSERT_REFINES_FD;
        else if (!plumb_csp_read_accept(r, "T"))
            return plumb_csp_read_unexpected(r, "T, F or FD");
        if (!plumb_csp_read_expect(r, ">", ""))
            return false;
    }
    return (a->specification = plumb_csp_read_reference(r)) != NULL;
}

static bool read_reaches(struct plumb_csp_read *r,
                         struct plumb_csp_assertion *a)
{
    a->kind = PLUMB_ASSERT_REACHES;
    if (!(a->goal = plumb_csp_read_condition(r)))
        return false;
    if (!plumb_csp_read_accept(r, "with"))
        return true;
    if (plumb_csp_read_accept(r, "min"))
        a->optimise = -1;
    else if (plumb_csp_read_accept(r, "max"))
        a->optimise = 1;
    else
        return plumb_csp_read_unexpected(r, "min or max");
    return plumb_csp_read_expect(r, "(", "and an expression") &&
           (a->optimised = plumb_csp_read_expression(r)) &&
           plumb_csp_read_expect(r, ")", "after the expression");
}

/* The rank of a binary operator of formulas, from the loosest; 0: none. */
enum { NO_RANK, IFF, IMPLIES, OR, AND, UNTIL };

static int rank_of(const struct plumb_csp_token *t)
{
    if (plumb_csp_token_is(t, "->"))
        return plumb_csp_token_is(t - 1, "<") ? IFF : IMPLIES;
    if (plumb_csp_token_is(t, "||") ||
        (plumb_csp_token_is(t, "/") && plumb_csp_token_is(t - 1, "\\")))
        return OR;
    if (plumb_csp_token_is(t, "&&") ||
        (plumb_csp_token_is(t, "\\") && plumb_csp_token_is(t - 1, "/")))
        return AND;
    return plumb_csp_token_is_one(t, "U V R") ? UNTIL : NO_RANK;
}

/* PAT gives the operators above U one rank and reads from the left, and so
 * a -> b && c and a U b U c as (a -> b) && c and (a U b) U c. */
static void warn_of_ranks(struct plumb_csp_read *r, uint32_t at, uint32_t end)
{
    enum { DEEP = 64 };
    int loosest[DEEP] = { NO_RANK }, last[DEEP] = { NO_RANK };
    uint32_t depth = 0;
    for (; at < end; at++) {
        const struct plumb_csp_token *const t = r->token + at;
        const int rank = rank_of(t);
        if (plumb_csp_token_is(t, "(") && ++depth < DEEP)
            loosest[depth] = last[depth] = NO_RANK;
        else if (plumb_csp_token_is(t, ")") && depth)
            depth--;
        if (!rank || depth >= DEEP)
            continue;
        const bool late =
            rank < UNTIL && loosest[depth] && rank > loosest[depth];
        const bool again =
            rank == last[depth] && (rank == IMPLIES || rank == UNTIL);
        if (late || again) {
            plumb_csp_read_warn(r, t->place,
                                "PAT reads this from the left, but here %.*s "
                                "%s; add parentheses",
                                PLUMB_TOKEN_ARGS(t),
                                late ? "binds tighter" : "groups to the right");
            return;
        }
        last[depth] = rank;
        if (rank < UNTIL && (!loosest[depth] || rank < loosest[depth]))
            loosest[depth] = rank;
    }
}

static bool read_formula(struct plumb_csp_read *r,
                         struct plumb_csp_assertion *a)
{
    const uint32_t end = end_of(r);
    if (end == r->at)
        return plumb_csp_read_unexpected(r, "a formula");
    a->kind = PLUMB_ASSERT_LTL;
    a->formula_place = plumb_csp_read_token(r)->place;
    warn_of_ranks(r, r->at, end);
    a->formula = plumb_csp_read_formula(r, end);
    return a->formula != NULL;
}

/* ---- linearizable ---- */

static bool read_clients(struct plumb_csp_read *r, uint32_t *clients)
{
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    int32_t value;
    if (!plumb_csp_read_constant(r, "the number of clients", &value))
        return false;
    *clients = (uint32_t)value;
    return (value >= 1 && value <= 64) ||
           plumb_csp_read_fail(r, place,
                               "%d clients; from 1 to 64 are supported", value);
}

static size_t name_length(const char *text, const char *end)
{
    const char *at = text;
    while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
        at++;
    return isdigit((unsigned char)*text) ? 0 : (size_t)(at - text);
}

/* "queue:cap=SIZE" of a token, with the value of SIZE in its place. */
static const char *name_built_in(struct plumb_csp_read *r,
                                 const struct plumb_csp_token *t)
{
    const char *const end = t->text + t->length - 1;
    const char *kept = NULL;
    struct plumb_base_text text;
    plumb_base_text_init(&text, r->reading->budget);
    for (const char *at = t->text + 1; at < end;) {
        plumb_base_text_bytes(&text, at, 1);
        if (*at++ != '=')
            continue;
        const struct plumb_csp_token name = { .kind = t->kind,
                                              .place = t->place,
                                              .text = at,
                                              .length = (uint32_t)name_length(
                                                  at, end) };
        const struct plumb_csp_expr *const e =
            name.length ? plumb_csp_read_constant_named(r, &name) : NULL;
        if (e)
            plumb_base_text_printf(&text, "%d", (int)e->value);
        at += e ? name.length : 0;
    }
    if (!text.broken)
        kept = plumb_csp_read_text(r, plumb_base_text_string(&text), text.size);
    else
        plumb_csp_read_fail_memory(r);
    plumb_base_text_release(&text);
    return kept;
}

static bool read_built_in(struct plumb_csp_read *r,
                          struct plumb_csp_assertion *a)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    struct plumb_csp_values values = { 0 };
    r->at++;
    a->built_in = name_built_in(r, t);
    a->built_in_place = t->place;
    a->built_in_place.column++;
    a->as_written = a->built_in && strlen(a->built_in) == t->length - 2;
    if (!a->built_in || !plumb_csp_read_expect(r, "(", "and clients") ||
        !plumb_csp_read_expect(r, "clients", "and how many") ||
        !read_clients(r, &a->clients))
        return false;
    if (plumb_csp_read_accept(r, ",") &&
        (!plumb_csp_read_expect(r, "values", "and which") ||
         !plumb_csp_read_values(r, &values)))
        return false;
    a->value = PLUMB_LIST_TAKE(r, &values);
    a->values = values.count;
    return !r->failed && plumb_csp_read_expect(r, ")", "");
}

static bool read_points(struct plumb_csp_read *r, struct plumb_csp_assertion *a)
{
    a->points = plumb_csp_read_accept(r, "at");
    return !a->points || plumb_csp_read_expect(r, "points", "after 'at'");
}

static bool read_object(struct plumb_csp_read *r, struct plumb_csp_assertion *a)
{
    const struct plumb_csp_token *const name =
        plumb_csp_read_name(r, "an object");
    if (!name)
        return false;
    const struct plumb_csp_symbol *const s = plumb_csp_read_symbol(r, name);
    if (!s || s->kind != PLUMB_SYMBOL_OBJECT)
        return plumb_csp_read_undefined(r, name, "object", &r->symbols, false);
    if (!plumb_csp_read_expect(r, "(", "and the number of clients") ||
        !read_clients(r, &a->clients) ||
        !plumb_csp_read_expect(r, ")", "after the number of clients") ||
        !read_points(r, a))
        return false;
    a->specification = plumb_csp_object_specification(
        r, r->object.at + s->number, name->place, a->clients, a->points);
    return a->specification != NULL;
}

static bool read_linearizable(struct plumb_csp_read *r,
                              struct plumb_csp_assertion *a)
{
    a->kind = PLUMB_ASSERT_LINEARIZABLE;
    if (plumb_csp_read_token(r)->kind == PLUMB_TOKEN_STRING)
        return read_built_in(r, a) && read_points(r, a);
    return read_object(r, a);
}

/* ---- progress ---- */

static bool read_progress(struct plumb_csp_read *r,
                          struct plumb_csp_assertion *a,
                          enum plumb_csp_assertion_kind kind)
{
    a->kind = kind;
    return plumb_csp_read_expect(r, "(", "and clients") &&
           plumb_csp_read_expect(r, "clients", "and how many") &&
           read_clients(r, &a->clients) && plumb_csp_read_expect(r, ")", "");
}

/* ---- all of them ---- */

static bool fail_assertion(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (t->kind != PLUMB_TOKEN_NAME)
        return plumb_csp_read_unexpected(r,
                                         "an assertion such as deadlockfree");
    return plumb_csp_read_fail(
        r, t->place,
        "unknown assertion \"%.*s\"; expected refines, reaches, linearizable, "
        "deadlockfree, nonterminating, divergencefree, deterministic, "
        "lockfree, waitfree, obstructionfree, = or |=",
        PLUMB_TOKEN_ARGS(t));
}

static bool read_property(struct plumb_csp_read *r,
                          struct plumb_csp_assertion *a)
{
    static const struct {
        const char *text;
        enum plumb_csp_assertion_kind kind;
    } plain[] = { { "deadlockfree", PLUMB_ASSERT_DEADLOCKFREE },
                  { "nonterminating", PLUMB_ASSERT_NONTERMINATING },
                  { "divergencefree", PLUMB_ASSERT_DIVERGENCEFREE },
                  { "deterministic", PLUMB_ASSERT_DETERMINISTIC } };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plumb_csp_read_accept(r, plain[i].text)) {
            a->kind = plain[i].kind;
            return true;
        }
    if (plumb_csp_read_accept(r, "refines"))
        return read_refines(r, a);
    if (plumb_csp_read_accept(r, "=")) {
        a->kind = PLUMB_ASSERT_EQUAL;
        a->specification = plumb_csp_read_reference(r);
        return a->specification != NULL;
    }
    if (plumb_csp_read_accept(r, "reaches"))
        return read_reaches(r, a);
    if (plumb_csp_read_accept(r, "|="))
        return read_formula(r, a);
    if (plumb_csp_read_accept(r, "linearizable"))
        return read_linearizable(r, a);
    if (plumb_csp_read_accept(r, "lockfree"))
        return read_progress(r, a, PLUMB_ASSERT_LOCKFREE);
    if (plumb_csp_read_accept(r, "waitfree"))
        return read_progress(r, a, PLUMB_ASSERT_WAITFREE);
    if (plumb_csp_read_accept(r, "obstructionfree"))
        return read_progress(r, a, PLUMB_ASSERT_OBSTRUCTIONFREE);
    return fail_assertion(r);
}

bool plumb_csp_read_assertion(struct plumb_csp_read *r)
{
    const uint32_t first = r->at;
    struct plumb_csp_assertion a = { .place = plumb_csp_read_token(r)->place };
    r->bound.count = r->local.count = 0;
    a.text = text_of(r, first, end_of(r));
    if (!a.text || !(a.process = plumb_csp_read_reference(r)) ||
        !read_property(r, &a))
        return false;
    if (!plumb_csp_read_at(r, ";"))
        return plumb_csp_read_unexpected(r, "';' after the assertion");
    if (r->wild.count && !plumb_csp_read_wild(r, &a))
        return false;
    return PLUMB_LIST_ADD(r, &r->assertion, a);
}
