/* read_method.c - collections: var<List> l; and what is called on them.
 *
 * A method that only answers is an expression.  One that changes its collection
 * is two (formulas/collections.h): the variable gets the collection after it,
 * and before that a variable of the program gets the answer.  So it can stand
 * where statements can: by itself, or as all of what is assigned.
 *
 * So can a method of a struct in C, which may change it; elsewhere it may not,
 * and that is seen when it is called. */
#include "model_reader.h"

#include "csp/formulas/collections.h"
#include <stdio.h>

/* ---- types ---- */

uint8_t plumb_csp_type_collection(enum plumb_csp_type type)
{
    return type > PLUMB_TYPE_COLLECTION
               ? (uint8_t)(type - PLUMB_TYPE_COLLECTION)
               : PLUMB_COLLECTION_NONE;
}

static enum plumb_csp_type type_of_kind(unsigned kind)
{
    return (enum plumb_csp_type)(PLUMB_TYPE_COLLECTION + kind);
}

static const char *name_of_kind(const struct plumb_csp_read *r, uint8_t kind)
{
    return kind == PLUMB_COLLECTION_NONE ? "number"
           : kind < PLUMB_COLLECTION_KINDS
               ? plumb_csp_collection_name[kind]
               : r->classes.at[kind - PLUMB_COLLECTION_KINDS].name;
}

static const char *name_of_type(const struct plumb_csp_read *r,
                                enum plumb_csp_type type)
{
    return name_of_kind(r, plumb_csp_type_collection(type));
}

bool plumb_csp_expr_fits(struct plumb_csp_read *r,
                         const struct plumb_csp_expr *e,
                         enum plumb_csp_type type)
{
    const enum plumb_csp_type has = plumb_csp_expr_type(e);
    if (plumb_csp_type_collection(has) == plumb_csp_type_collection(type))
        return true;
    return plumb_csp_read_fail(r, e->place, "this is a %s, not a %s",
                               name_of_type(r, has), name_of_type(r, type));
}

bool plumb_csp_read_refuse_collections(struct plumb_csp_read *r,
                                       struct plumb_csp_place place,
                                       uint32_t variable)
{
    return !plumb_csp_type_collection(r->variable_type.at[variable]) ||
           plumb_csp_read_fail(
               r, place, "%.60s cannot be used as a whole: it has collections",
               r->variable.at[variable].name);
}

/* ---- var<List> l = new List(); ---- */

/* Is anything imported but what is built in? */
static bool imports_code(const struct plumb_csp_read *r)
{
    for (uint32_t i = 0; i < r->import.count; i++)
        if (strncmp(r->import.at[i], "PAT.", 4) != 0)
            return true;
    return false;
}

/* A struct of an import; 0 after an error. */
static uint8_t find_class(struct plumb_csp_read *r,
                          const struct plumb_csp_token *name)
{
    uint32_t i = 0;
    while (i < r->classes.count &&
           !plumb_csp_token_is(name, r->classes.at[i].name))
        i++;
    if (i == r->classes.count) {
        struct plumb_csp_class *const c =
            i < PLUMB_MOST_CLASSES ? PLUMB_LIST_NEW(r, &r->classes) : NULL;
        if (!c) {
            plumb_csp_read_fail(r, name->place, "too many classes");
            return PLUMB_COLLECTION_NONE;
        }
        c->name = plumb_csp_read_token_text(r, name);
        c->place = name->place;
        if (!c->name)
            return PLUMB_COLLECTION_NONE;
    }
    return (uint8_t)(PLUMB_COLLECTION_KINDS + i);
}

static uint8_t read_kind(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const name =
        plumb_csp_read_name(r, "a collection");
    if (!name)
        return PLUMB_COLLECTION_NONE;
    const uint8_t kind =
        (uint8_t)plumb_csp_collection_named(name->text, name->length);
    if (kind || imports_code(r))
        return kind ? kind : find_class(r, name);
    plumb_csp_read_fail(
        r, name->place,
        "class %.*s is not supported; List, Set, Stack, Queue and HashTable "
        "are, and structs and functions in C through #import",
        PLUMB_TOKEN_ARGS(name));
    return PLUMB_COLLECTION_NONE;
}

bool plumb_csp_read_class(struct plumb_csp_read *r, enum plumb_csp_type *type)
{
    *type = PLUMB_TYPE_ANY;
    if (!plumb_csp_read_accept(r, "<"))
        return true;
    const uint8_t kind = read_kind(r);
    *type = type_of_kind(kind);
    return kind && plumb_csp_read_expect(r, ">", "after the collection");
}

const struct plumb_csp_expr *plumb_csp_read_new_collection(
    struct plumb_csp_read *r, const struct plumb_csp_token *word)
{
    const uint8_t kind = read_kind(r);
    return kind && plumb_csp_read_expect(r, "(", "after the collection") &&
                   plumb_csp_read_expect(r, ")", ": a new collection is empty")
               ? plumb_csp_expr_leaf(r, word->place, PLUMB_EXPR_CONSTANT, 0,
                                     NULL, 0, type_of_kind(kind))
               : NULL;
}

bool plumb_csp_read_new_empty(struct plumb_csp_read *r,
                              enum plumb_csp_type type)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (!plumb_csp_read_accept(r, "new"))
        return plumb_csp_read_unexpected(r, "'new'");
    const struct plumb_csp_expr *const e = plumb_csp_read_new_collection(r, t);
    return e && plumb_csp_expr_fits(r, e, type);
}

/* ---- which method ---- */

bool plumb_csp_read_at_method(const struct plumb_csp_read *r, uint32_t at)
{
    return plumb_csp_token_is(r->token + at, ".") &&
           r->token[at + 1].kind == PLUMB_TOKEN_NAME &&
           plumb_csp_token_is(r->token + at + 2, "(");
}

static bool is_of(const struct plumb_csp_method *m, uint8_t kind,
                  const struct plumb_csp_token *name)
{
    return (m->kinds >> kind & 1) && plumb_csp_token_is(name, m->name);
}

static bool fail_method(struct plumb_csp_read *r, uint8_t kind,
                        const struct plumb_csp_token *name, uint32_t given)
{
    struct plumb_csp_table among = { 0 };
    const struct plumb_csp_method *m;
    for (uint32_t i = 0; (m = plumb_csp_method_at(i)); i++) {
        if (is_of(m, kind, name))
            return plumb_csp_read_fail_count(
                r, name, (uint32_t)strlen(m->arguments), given);
        if ((m->kinds >> kind & 1) &&
            !plumb_csp_table_put(r, &among, m->name, strlen(m->name), 0))
            return false;
    }
    char what[40];
    snprintf(what, sizeof what, "%s method", name_of_kind(r, kind));
    return plumb_csp_read_undefined(r, name, what, &among, false);
}

/* A method of a class: what it is, the import will say. */
static uint32_t method_of_class(struct plumb_csp_read *r, uint32_t of,
                                const struct plumb_csp_token *name,
                                uint32_t given)
{
    uint32_t i = 0;
    while (i < r->class_method.count &&
           (r->class_method.at[i].of != of ||
            !plumb_csp_token_is(name, r->class_method.at[i].name)))
        i++;
    if (i < r->class_method.count && r->class_method.at[i].arguments != given) {
        plumb_csp_read_fail_count(r, name, r->class_method.at[i].arguments,
                                  given);
        return UINT32_MAX;
    }
    const struct plumb_csp_class_method m = { .name = plumb_csp_read_token_text(
                                                  r, name),
                                              .place = name->place,
                                              .of = of,
                                              .arguments = given };
    return i < r->class_method.count ||
                   (m.name && PLUMB_LIST_ADD(r, &r->class_method, m))
               ? PLUMB_FIRST_OF_CLASSES + i
               : UINT32_MAX;
}

/* Its number; UINT32_MAX after an error. */
static uint32_t choose(struct plumb_csp_read *r, uint8_t kind,
                       const struct plumb_csp_token *name, uint32_t given)
{
    const struct plumb_csp_method *m;
    if (kind >= PLUMB_COLLECTION_KINDS)
        return method_of_class(r, kind - (uint32_t)PLUMB_COLLECTION_KINDS, name,
                               given);
    for (uint32_t i = 0; (m = plumb_csp_method_at(i)); i++)
        if (is_of(m, kind, name) && strlen(m->arguments) == given)
            return i;
    fail_method(r, kind, name, given);
    return UINT32_MAX;
}

/* ---- where a collection may change ---- */

/* Behind q or q[i], if a collection of that name is at the cursor and a method
 * is called on it; else 0. */
static uint32_t behind_collection(const struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    uint32_t behind = r->at + 1;
    if (t->kind != PLUMB_TOKEN_NAME || plumb_csp_read_bound(r, t))
        return 0;
    const uint32_t n = plumb_csp_read_global(r, t);
    if (n == UINT32_MAX || !plumb_csp_type_collection(r->variable_type.at[n]))
        return 0;
    while (plumb_csp_token_is(r->token + behind, "["))
        behind = plumb_csp_read_behind(r, behind);
    return plumb_csp_read_at_method(r, behind) ? behind : 0;
}

static const struct plumb_csp_expr *read_method(
    struct plumb_csp_read *r, const struct plumb_csp_expr *self,
    struct plumb_csp_statements *out, bool wanted);

static const struct plumb_csp_expr *read_call_of(
    struct plumb_csp_read *r, struct plumb_csp_statements *out, bool wanted)
{
    const struct plumb_csp_token *const name = plumb_csp_read_token(r);
    r->at++;
    const struct plumb_csp_expr *const self =
        plumb_csp_read_element(r, name, plumb_csp_read_global(r, name));
    return self ? read_method(r, self, out, wanted) : NULL;
}

/* Is that all that stands there, before one of `ends`? */
static bool stands_alone(const struct plumb_csp_read *r, const char *ends)
{
    const uint32_t behind = behind_collection(r);
    return behind && plumb_csp_token_is_one(
                         r->token + plumb_csp_read_behind(r, behind + 2), ends);
}

/* ---- arguments ---- */

/* What comes before something that may change is worked out before it. */
static bool settle(struct plumb_csp_read *r, struct plumb_csp_exprs *list,
                   struct plumb_csp_statements *out)
{
    for (uint32_t i = 1; i < list->count; i++) {
        const struct plumb_csp_expr *const e = list->at[i];
        if (e->kind == PLUMB_EXPR_CONSTANT || e->kind == PLUMB_EXPR_TEMP ||
            plumb_csp_type_collection(plumb_csp_expr_type(e)))
            continue;
        list->at[i] = plumb_csp_expr_temp(r, e->place, r->temps++);
        if (!plumb_csp_read_assign(r, out, list->at[i], e))
            return false;
    }
    return true;
}

static const struct plumb_csp_expr *read_argument(
    struct plumb_csp_read *r, struct plumb_csp_exprs *list,
    struct plumb_csp_statements *out)
{
    if (!out || !stands_alone(r, ", )"))
        return plumb_csp_read_any(r);
    return settle(r, list, out) ? read_call_of(r, out, true) : NULL;
}

static bool read_arguments(struct plumb_csp_read *r,
                           struct plumb_csp_exprs *list,
                           struct plumb_csp_statements *out)
{
    r->at++; /* ( */
    if (plumb_csp_read_accept(r, ")"))
        return true;
    do
        if (!plumb_csp_exprs_add(r, list, read_argument(r, list, out)))
            return false;
    while (plumb_csp_read_accept(r, ","));
    return plumb_csp_read_expect(r, ")", "after the arguments");
}

/* Of a class: numbers in, one out, and the struct may change. */
static const struct plumb_csp_method *traits_of(uint32_t method)
{
    static const struct plumb_csp_method any = { .arguments = "nnnnnnn",
                                                 .answers = 'n',
                                                 .changes = true };
    return method < PLUMB_FIRST_OF_CLASSES ? plumb_csp_method_at(method) : &any;
}

static bool check_arguments(struct plumb_csp_read *r,
                            const struct plumb_csp_method *m, uint8_t kind,
                            const struct plumb_csp_exprs *list)
{
    if (list->count - 1 > strlen(m->arguments))
        return plumb_csp_read_fail(r, list->at[0]->place,
                                   "a method has at most %u arguments",
                                   (unsigned)strlen(m->arguments));
    for (uint32_t i = 0; i + 1 < list->count; i++)
        if (!plumb_csp_expr_fits(r, list->at[1 + i],
                                 m->arguments[i] == 'c' ? type_of_kind(kind)
                                                        : PLUMB_TYPE_NUMBER))
            return false;
    return true;
}

/* ---- a call ---- */

static const struct plumb_csp_expr *call(struct plumb_csp_read *r,
                                         struct plumb_csp_place place,
                                         uint32_t method,
                                         enum plumb_csp_method_part part,
                                         const struct plumb_csp_exprs *list)
{
    const struct plumb_csp_method *const m = traits_of(method);
    const uint8_t kind =
        plumb_csp_type_collection(plumb_csp_expr_type(list->at[0]));
    const bool makes = part == PLUMB_AFTER || m->answers == 'c';
    const struct plumb_csp_expr *const e = plumb_csp_expr_leaf(
        r, place, PLUMB_EXPR_METHOD, method, list->at, list->count,
        makes                              ? type_of_kind(kind)
        : method >= PLUMB_FIRST_OF_CLASSES ? PLUMB_TYPE_ANY
        : m->answers == 'b'                ? PLUMB_TYPE_TRUTH
                                           : PLUMB_TYPE_NUMBER);
    if (e) /* just made, and nobody else has seen it */
        ((struct plumb_csp_expr *)(uintptr_t)e)->part = (uint8_t)part;
    return e;
}

/* The collection changes; what it answers is kept if that is wanted. */
static const struct plumb_csp_expr *change(struct plumb_csp_read *r,
                                           struct plumb_csp_place place,
                                           uint32_t method,
                                           const struct plumb_csp_exprs *list,
                                           struct plumb_csp_statements *out,
                                           bool wanted)
{
    const struct plumb_csp_expr *kept = list->at[0];
    if (wanted) {
        kept = plumb_csp_expr_temp(r, place, r->temps++);
        if (!plumb_csp_read_assign(
                r, out, kept,
                call(r, place, method, PLUMB_ANSWER_BEFORE, list)))
            return NULL;
    }
    return plumb_csp_read_assign(r, out, plumb_csp_expr_again(r, list->at[0]),
                                 call(r, place, method, PLUMB_AFTER, list))
               ? kept
               : NULL;
}

/* Behind the collection, at the dot. */
static const struct plumb_csp_expr *read_method(
    struct plumb_csp_read *r, const struct plumb_csp_expr *self,
    struct plumb_csp_statements *out, bool wanted)
{
    const struct plumb_csp_token *const name = plumb_csp_read_ahead(r, 1);
    const uint8_t kind = plumb_csp_type_collection(plumb_csp_expr_type(self));
    struct plumb_csp_exprs list = { 0 };
    r->at += 2;
    if (!plumb_csp_exprs_add(r, &list, self) || !read_arguments(r, &list, out))
        return NULL;
    const uint32_t method = choose(r, kind, name, list.count - 1);
    if (method == UINT32_MAX)
        return NULL;
    const struct plumb_csp_method *const m = traits_of(method);
    if (!check_arguments(r, m, kind, &list))
        return NULL;
    if (m->changes ? wanted && m->answers == ' ' : !wanted)
        return plumb_csp_read_fail(r, name->place,
                                   m->changes ? "%.*s has no value"
                                              : "%.*s changes nothing",
                                   PLUMB_TOKEN_ARGS(name));
    if (!m->changes || (!out && method >= PLUMB_FIRST_OF_CLASSES))
        return call(r, name->place, method, PLUMB_ANSWER, &list);
    if (out)
        return change(r, name->place, method, &list, out, wanted);
    return plumb_csp_read_fail(
        r, name->place,
        "%.*s changes the collection, so it must be a statement, or all of "
        "what is assigned or given to a method",
        PLUMB_TOKEN_ARGS(name));
}

const struct plumb_csp_expr *plumb_csp_read_method(
    struct plumb_csp_read *r, const struct plumb_csp_expr *self)
{
    return read_method(r, self, NULL, true);
}

/* ---- where statements can be ---- */

bool plumb_csp_read_method_statement(struct plumb_csp_read *r,
                                     struct plumb_csp_statements *out)
{
    if (!behind_collection(r))
        return false;
    (void)read_call_of(r, out, false);
    return true;
}

const struct plumb_csp_expr *plumb_csp_read_right_side(
    struct plumb_csp_read *r, struct plumb_csp_statements *out)
{
    if (stands_alone(r, "; }"))
        return read_call_of(r, out, true);
    return plumb_csp_read_any(r);
}
