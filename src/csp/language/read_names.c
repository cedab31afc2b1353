/* read_names.c - what names stand for, and which ones are near. */
#include "base/edit_distance.h"
#include "model_reader.h"

#include <stdio.h>
#include <string.h>

/* ---- tables ---- */

static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h ^ h >> 32;
}

static const struct plumb_csp_entry *entry_at(const struct plumb_csp_table *t,
                                              uint32_t n)
{
    return (const struct plumb_csp_entry *)t->entry.data + n;
}

/* Where it is, or the free bucket where it belongs. */
static uint32_t *bucket_of(const struct plumb_csp_table *t, const char *text,
                           size_t length)
{
    uint32_t at = (uint32_t)hash_of(text, length) & (t->buckets - 1);
    while (t->bucket[at]) {
        const struct plumb_csp_entry *const e = entry_at(t, t->bucket[at] - 1);
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
    return found ? entry_at(t, found - 1)->value : UINT32_MAX;
}

static bool make_room(struct plumb_csp_read *r, struct plumb_csp_table *t)
{
    if (2 * t->entry.count < t->buckets)
        return true;
    const uint32_t buckets = t->buckets ? 2 * t->buckets : 16;
    uint32_t *const bucket =
        plumb_base_arena_zeroed(&r->scratch, buckets * sizeof *bucket);
    if (!bucket)
        return plumb_csp_read_fail_memory(r);
    t->bucket = bucket;
    t->buckets = buckets;
    for (uint32_t i = 0; i < t->entry.count; i++) {
        const struct plumb_csp_entry *const e = entry_at(t, i);
        *bucket_of(t, e->text, e->length) = i + 1;
    }
    return true;
}

bool plumb_csp_table_put(struct plumb_csp_read *r, struct plumb_csp_table *t,
                         const char *text, size_t length, uint32_t value)
{
    if (!make_room(r, t))
        return false;
    struct plumb_csp_entry *const e =
        plumb_csp_list_add(r, &t->entry, sizeof *e);
    if (!e)
        return false;
    *e = (struct plumb_csp_entry){ text, (uint32_t)length, value };
    *bucket_of(t, text, length) = t->entry.count;
    return true;
}

/* ---- symbols ---- */

const struct plumb_csp_symbol *plumb_csp_read_symbol(
    const struct plumb_csp_read *r, const struct plumb_csp_token *t)
{
    const uint32_t n = plumb_csp_table_find(&r->symbols, t->text, t->length);
    return n == UINT32_MAX
               ? NULL
               : (const struct plumb_csp_symbol *)r->symbol.data + n;
}

struct plumb_csp_symbol *plumb_csp_read_declare(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    enum plumb_csp_symbol_kind kind)
{
    const struct plumb_csp_symbol *const known = plumb_csp_read_symbol(r, name);
    if (known) {
        plumb_csp_read_fail(r, name->place, "%.*s is already declared at %u:%u",
                            PLUMB_TOKEN_ARGS(name), known->place.line,
                            known->place.column);
        return NULL;
    }
    if (!plumb_csp_table_put(r, &r->symbols, name->text, name->length,
                             r->symbol.count))
        return NULL;
    struct plumb_csp_symbol *const s =
        plumb_csp_list_add(r, &r->symbol, sizeof *s);
    if (s) {
        s->kind = kind;
        s->place = name->place;
    }
    return s;
}

/* ---- names inside a definition ---- */

static const struct plumb_csp_bound *innermost(const struct plumb_csp_read *r,
                                               const struct plumb_csp_token *t)
{
    const struct plumb_csp_bound *const bound = r->bound.data;
    for (uint32_t i = r->bound.count; i-- > r->floor;)
        if (bound[i].length == t->length &&
            memcmp(bound[i].text, t->text, t->length) == 0)
            return bound + i;
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
    const struct plumb_csp_variable *const v = r->variable.data;
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

static struct plumb_csp_bound *bind(struct plumb_csp_read *r,
                                    const struct plumb_csp_token *t,
                                    enum plumb_csp_bound_kind kind)
{
    struct plumb_csp_bound *const b =
        plumb_csp_list_add(r, &r->bound, sizeof *b);
    if (b) {
        b->kind = kind;
        b->text = t->text;
        b->length = t->length;
    }
    return b;
}

bool plumb_csp_read_bind_local(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               uint32_t *number)
{
    struct plumb_csp_bound *const b = bind(r, t, PLUMB_BOUND_LOCAL);
    const char **const name =
        b ? plumb_csp_list_add(r, &r->local, sizeof *name) : NULL;
    if (!name)
        return false;
    *name = plumb_csp_read_text(r, t->text, t->length);
    *number = b->number = r->local.count - 1;
    return *name != NULL;
}

/* Of the i-th element: a dot is ours, nobody can write it. */
static bool name_element(struct plumb_csp_read *r,
                         const struct plumb_csp_token *t, uint32_t i)
{
    char text[80];
    const char **const name = plumb_csp_list_add(r, &r->local, sizeof *name);
    const int length = snprintf(text, sizeof text, "%.*s.%u",
                                PLUMB_TOKEN_ARGS(t), (unsigned)i);
    if (name)
        *name = plumb_csp_read_text(r, text, (size_t)length);
    return name && *name;
}

bool plumb_csp_read_bind_shape(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               const struct plumb_csp_array_shape *shape,
                               uint32_t *number)
{
    if (!shape || !shape->dimensions) {
        if (!plumb_csp_read_bind_local(r, t, number))
            return false;
        ((struct plumb_csp_bound *)r->bound.data)[r->bound.count - 1].shape =
            shape;
        return true;
    }
    struct plumb_csp_bound *const b = bind(r, t, PLUMB_BOUND_LOCAL);
    if (!b)
        return false;
    *number = b->number = r->local.count;
    b->shape = shape;
    for (uint32_t i = 0; i < shape->size; i++)
        if (!name_element(r, t, i))
            return false;
    return true;
}

bool plumb_csp_read_bind_temp(struct plumb_csp_read *r,
                              const struct plumb_csp_token *t, uint32_t *number)
{
    struct plumb_csp_bound *const b = bind(r, t, PLUMB_BOUND_TEMP);
    if (b)
        *number = b->number = r->temps++;
    return b != NULL;
}

bool plumb_csp_read_bind_value(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               const struct plumb_csp_expr *value)
{
    struct plumb_csp_bound *const b = bind(r, t, PLUMB_BOUND_VALUE);
    if (b)
        b->value = value;
    return b != NULL;
}

bool plumb_csp_read_bind_array(struct plumb_csp_read *r,
                               const struct plumb_csp_token *t,
                               uint32_t variable)
{
    struct plumb_csp_bound *const b = bind(r, t, PLUMB_BOUND_ARRAY);
    if (b)
        b->number = variable;
    return b != NULL;
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
    size_t length;
    size_t distance;
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

/* "; did you mean NAME?", or nothing. */
static void suggest(const struct near *near, char *text, size_t size)
{
    *text = 0;
    if (near->text)
        snprintf(text, size, "; did you mean %.*s?", (int)near->length,
                 near->text);
}

static void consider_all(struct near *near, const struct plumb_csp_table *among)
{
    for (uint32_t i = 0; i < among->entry.count; i++)
        consider(near, entry_at(among, i)->text, entry_at(among, i)->length);
}

bool plumb_csp_read_undefined(struct plumb_csp_read *r,
                              const struct plumb_csp_token *t, const char *what,
                              const struct plumb_csp_table *among,
                              bool and_bound)
{
    struct near near = { t, NULL, 0, FAR };
    const struct plumb_csp_bound *const bound = r->bound.data;
    char suggestion[80];
    consider_all(&near, among);
    for (uint32_t i = r->floor; and_bound && i < r->bound.count; i++)
        consider(&near, bound[i].text, bound[i].length);
    suggest(&near, suggestion, sizeof suggestion);
    return plumb_csp_read_fail(r, t->place, "%s %.*s is not defined%s", what,
                               PLUMB_TOKEN_ARGS(t), suggestion);
}

bool plumb_csp_read_unknown_setting(struct plumb_csp_read *r, const char *name)
{
    const struct plumb_csp_token t = { .text = name,
                                       .length = (uint32_t)strlen(name) };
    struct near near = { &t, NULL, 0, FAR };
    const struct plumb_csp_define *const d = r->define.data;
    char suggestion[80];
    for (uint32_t i = 0; i < r->define.count; i++)
        consider(&near, d[i].name->text, d[i].name->length);
    suggest(&near, suggestion, sizeof suggestion);
    return plumb_csp_read_fail(r, (struct plumb_csp_place){ 0, 0, 0 },
                               "setting %.*s: there is no such #define%s",
                               PLUMB_TOKEN_ARGS(&t), suggestion);
}
