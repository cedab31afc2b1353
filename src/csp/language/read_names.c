/* read_names.c - what names stand for, and which ones are near. */
#include "base/edit_distance.h"
#include "base/fnv.h"

#include "model_reader.h"

#include <stdio.h>

/* ---- tables ---- */

static uint64_t hash_of(const char *text, size_t length)
{
    const uint64_t h = plumb_base_fnv(PLUMB_FNV, text, length);
    return h ^ h >> 32;
}

/* Where it is, or the free bucket where it belongs.  Tables live in an arena and
 * are dropped with it, some half made: so not base/index.h. */
static uint32_t *bucket_of(const struct plumb_csp_table *t, const char *text,
                           size_t length)
{
    uint32_t at = (uint32_t)hash_of(text, length) & (t->buckets - 1);
    while (t->bucket[at]) {
        const struct plumb_csp_entry *const e = t->entry.at + t->bucket[at] - 1;
        if (e->length == length && memcmp(e->text, text, length) == 0)
            break;
        at = (at + 1) & (t->buckets - 1);
    }
    return t->bucket + at;
}

uint32_t plumb_csp_table_find(const struct plumb_csp_table *t, const char *text,
                              size_t length)
{
    if (!t->buckets)
        return UINT32_MAX;
    const uint32_t found = *bucket_of(t, text, length);
    return found ? t->entry.at[found - 1].value : UINT32_MAX;
}

static bool make_room(struct plumb_csp_read *r, struct plumb_csp_table *t)
{
    if (2 * t->entry.count < t->buckets)
        return true;
    const uint32_t buckets = t->buckets ? 2 * t->buckets : 16;
    uint32_t *const bucket =
        plumb_csp_read_scratch(r, buckets * sizeof *bucket);
    if (!bucket)
        return false;
    t->bucket = bucket;
    t->buckets = buckets;
    for (uint32_t i = 0; i < t->entry.count; i++) {
        const struct plumb_csp_entry *const e = t->entry.at + i;
        *bucket_of(t, e->text, e->length) = i + 1;
    }
    return true;
}

bool plumb_csp_table_put(struct plumb_csp_read *r, struct plumb_csp_table *t,
                         const char *text, size_t length, uint32_t value)
{
    const struct plumb_csp_entry e = { text, (uint32_t)length, value };
    if (!make_room(r, t) || !PLUMB_LIST_ADD(r, &t->entry, e))
        return false;
    *bucket_of(t, text, length) = t->entry.count;
    return true;
}

/* ---- symbols ---- */

const struct plumb_csp_symbol *plumb_csp_read_symbol(
    const struct plumb_csp_read *r, const struct plumb_csp_token *t)
{
    const uint32_t n = plumb_csp_table_find(&r->symbols, t->text, t->length);
    return n == UINT32_MAX ? NULL : r->symbol.at + n;
}

struct plumb_csp_symbol *plumb_csp_read_declare(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    enum plumb_csp_symbol_kind kind)
{
    const struct plumb_csp_symbol *const known = plumb_csp_read_symbol(r, name);
    if (known)
        return plumb_csp_read_fail_again(r, name, known->place);
    const struct plumb_csp_symbol s = { .kind = kind, .place = name->place };
    return plumb_csp_table_put(r, &r->symbols, name->text, name->length,
                               r->symbol.count) &&
                   PLUMB_LIST_ADD(r, &r->symbol, s)
               ? r->symbol.at + r->symbol.count - 1
               : NULL;
}

/* ---- names inside a definition ---- */

static const struct plumb_csp_bound *innermost(const struct plumb_csp_read *r,
                                               const struct plumb_csp_token *t)
{
    for (uint32_t i = r->bound.count; i-- > r->floor;)
        if (plumb_csp_token_same(r->bound.at[i].name, t))
            return r->bound.at + i;
    return NULL;
}

const struct plumb_csp_bound *plumb_csp_read_bound(
    const struct plumb_csp_read *r, const struct plumb_csp_token *t)
{
    const struct plumb_csp_bound *const b = innermost(r, t);
    return b && b->kind != PLUMB_BOUND_ARRAY ? b : NULL;
}

/* A variable of the object whose operation is being read. */
static uint32_t own_variable(const struct plumb_csp_read *r,
                             const struct plumb_csp_token *t)
{
    const struct plumb_csp_variable *const v = r->variable.at;
    if (!r->own)
        return UINT32_MAX;
    for (uint32_t i = r->own->variables; i < r->own->variables_end; i++)
        if (plumb_csp_token_is(t, v[i].name + r->own->name->length + 1))
            return i;
    return UINT32_MAX;
}

uint32_t plumb_csp_read_global(const struct plumb_csp_read *r,
                               const struct plumb_csp_token *t)
{
    const struct plumb_csp_bound *const b = innermost(r, t);
    if (b && b->kind == PLUMB_BOUND_ARRAY)
        return b->number;
    const uint32_t own = own_variable(r, t);
    const struct plumb_csp_symbol *const s = plumb_csp_read_symbol(r, t);
    return own != UINT32_MAX || !s || s->kind != PLUMB_SYMBOL_VARIABLE
               ? own
               : s->number;
}

static bool bind(struct plumb_csp_read *r, const struct plumb_csp_token *name,
                 enum plumb_csp_bound_kind kind, uint32_t number,
                 const struct plumb_csp_expr *value,
                 const struct plumb_csp_array_shape *shape)
{
    return PLUMB_LIST_ADD(
        r, &r->bound,
        (struct plumb_csp_bound){ kind, name, number, value, shape });
}

bool plumb_csp_read_bind_local(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               uint32_t *number)
{
    return plumb_csp_read_bind_shape(r, t, NULL, number);
}

/* Of the i-th element: a dot is ours, nobody can write it. */
static bool name_element(struct plumb_csp_read *r,
                         const struct plumb_csp_token *t, uint32_t i)
{
    const char *const name =
        plumb_csp_read_words(r, "%.*s.%u", PLUMB_TOKEN_ARGS(t), (unsigned)i);
    return name && PLUMB_LIST_ADD(r, &r->local, name);
}

bool plumb_csp_read_bind_shape(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               const struct plumb_csp_array_shape *shape,
                               uint32_t *number)
{
    *number = r->local.count;
    if (!bind(r, t, PLUMB_BOUND_LOCAL, *number, NULL, shape))
        return false;
    if (!shape || !shape->dimensions) {
        const char *const name = plumb_csp_read_token_text(r, t);
        return name && PLUMB_LIST_ADD(r, &r->local, name);
    }
    for (uint32_t i = 0; i < shape->size; i++)
        if (!name_element(r, t, i))
            return false;
    return true;
}

bool plumb_csp_read_bind_temp(struct plumb_csp_read *r,
                              const struct plumb_csp_token *t, uint32_t *number)
{
    *number = r->temps++;
    return bind(r, t, PLUMB_BOUND_TEMP, *number, NULL, NULL);
}

bool plumb_csp_read_bind_value(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               const struct plumb_csp_expr *value)
{
    return bind(r, t, PLUMB_BOUND_VALUE, 0, value, NULL);
}

bool plumb_csp_read_bind_array(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               uint32_t variable)
{
    return bind(r, t, PLUMB_BOUND_ARRAY, variable, NULL, NULL);
}

bool plumb_csp_read_event_name(struct plumb_csp_read *r, const char *text,
                               size_t length, uint32_t *number)
{
    *number = plumb_csp_table_find(&r->names, text, length);
    if (*number != UINT32_MAX)
        return true;
    *number = r->names.entry.count;
    const char *const kept = plumb_csp_read_text(r, text, length);
    return kept && plumb_csp_table_put(r, &r->names, kept, length, *number);
}

/* ---- near names ---- */

enum { FAR = 3 };

struct near {
    const struct plumb_csp_token *wanted;
    const char *text;
    size_t length, distance;
};

static void consider(struct near *near, const char *text, size_t length)
{
    const size_t d = plumb_base_edit_distance(
        near->wanted->text, near->wanted->length, text, length);
    if (d >= near->distance || 2 * d > near->wanted->length)
        return;
    near->text = text;
    near->length = length;
    near->distance = d;
}

/* "...; did you mean NAME?" */
static void *fail_unknown(struct plumb_csp_read *r, const struct near *near,
                          struct plumb_csp_place place, const char *before,
                          const char *behind)
{
    char suggestion[80] = "";
    if (near->text)
        snprintf(suggestion, sizeof suggestion, "; did you mean %.*s?",
                 (int)near->length, near->text);
    return plumb_csp_read_fail(r, place, "%s %.*s%s%s", before,
                               PLUMB_TOKEN_ARGS(near->wanted), behind,
                               suggestion);
}

void *plumb_csp_read_undefined(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               const char *what,
                               const struct plumb_csp_table *among,
                               bool and_bound)
{
    struct near near = { t, NULL, 0, FAR };
    for (uint32_t i = 0; i < among->entry.count; i++)
        consider(&near, among->entry.at[i].text, among->entry.at[i].length);
    for (uint32_t i = r->floor; and_bound && i < r->bound.count; i++)
        consider(&near, r->bound.at[i].name->text, r->bound.at[i].name->length);
    return fail_unknown(r, &near, t->place, what, " is not defined");
}

void plumb_csp_read_warn_unknown(struct plumb_csp_read *r,
                                 struct plumb_csp_place place, const char *name)
{
    const struct plumb_csp_token wanted = { .text = name,
                                            .length = (uint32_t)strlen(name) };
    struct near near = { &wanted, NULL, 0, FAR };
    for (uint32_t i = 0; i < r->names.entry.count; i++)
        if (strcmp(r->names.entry.at[i].text, name) != 0)
            consider(&near, r->names.entry.at[i].text,
                     r->names.entry.at[i].length);
    plumb_csp_read_warn(r, place, "event %.60s never occurs%s%.*s%s", name,
                        near.text ? "; did you mean " : "", (int)near.length,
                        near.text ? near.text : "", near.text ? "?" : "");
}

void *plumb_csp_read_unknown_setting(struct plumb_csp_read *r,
                                     const struct plumb_csp_token *t)
{
    struct near near = { t, NULL, 0, FAR };
    for (uint32_t i = 0; i < r->define.count; i++)
        consider(&near, r->define.at[i].name->text,
                 r->define.at[i].name->length);
    return fail_unknown(r, &near, (struct plumb_csp_place){ 0, 0, 0 },
                        "setting", ": there is no such #define");
}
