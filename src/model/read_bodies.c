/* read_bodies.c - the second pass: definitions, alphabets, assertions. */
#include "model/model_reader.h"

#include <string.h>

static struct plumb_definition *definition_at(const struct plumb_read *r,
                                              uint32_t n)
{
    return (struct plumb_definition *)r->definition.data + n;
}

/* ---- definitions ---- */

static bool bind_parameters(struct plumb_read *r, uint32_t number)
{
    const struct plumb_list *const list =
        (const struct plumb_list *)r->parameter.data + number;
    const struct plumb_token *const *const name = list->data;
    uint32_t local;
    for (uint32_t i = 0; i < list->count; i++) {
        if (plumb_read_bound(r, name[i]))
            return plumb_read_fail(r, name[i]->place,
                                   "there are two parameters %.*s",
                                   PLUMB_TOKEN_ARGS(name[i]));
        if (!plumb_read_bind_local(r, name[i], &local))
            return false;
    }
    return true;
}

/* P(i:{0..3}, j): the range stands behind the name. */
static bool read_bounds(struct plumb_read *r, uint32_t number,
                        struct plumb_definition *d)
{
    const struct plumb_list *const list =
        (const struct plumb_list *)r->parameter.data + number;
    const struct plumb_token *const *const name = list->data;
    struct plumb_bounds *const bounds =
        plumb_read_new(r, (list->count + 1) * sizeof *bounds);
    if (!bounds)
        return false;
    for (uint32_t i = 0; i < list->count; i++) {
        bounds[i] = (struct plumb_bounds){ INT32_MIN, INT32_MAX };
        r->at = (uint32_t)(name[i] - r->token) + 1;
        if (plumb_read_at(r, ":"))
            d->bounds = bounds;
        if (!plumb_read_bounds(r, &bounds[i].low, &bounds[i].high))
            return false;
    }
    return true;
}

static const struct plumb_item *alphabet_of(const struct plumb_read *r,
                                            uint32_t number)
{
    const uint32_t n = r->alphabet[number];
    return n ? (const struct plumb_item *)r->item.data + n - 1 : NULL;
}

static bool read_alphabet(struct plumb_read *r, const struct plumb_item *item,
                          struct plumb_definition *d)
{
    struct plumb_event_set *const set = plumb_read_new(r, sizeof *set);
    r->at = item->first + 1;
    if (!set || !plumb_read_event_set(r, set))
        return false;
    d->alphabet = set;
    return plumb_read_semicolon(r, "#alphabet");
}

static bool read_body(struct plumb_read *r, const struct plumb_item *item)
{
    const struct plumb_item *const alphabet = alphabet_of(r, item->number);
    struct plumb_definition d = *definition_at(r, item->number);
    r->bound.count = r->local.count = 0;
    if (!read_bounds(r, item->number, &d) || !bind_parameters(r, item->number))
        return false;
    d.parameters = r->local.count;
    if (alphabet && !read_alphabet(r, alphabet, &d))
        return false;
    r->at = item->first;
    d.body = plumb_read_process(r);
    if (!d.body)
        return false;
    if (r->at != item->end)
        return plumb_read_unexpected(r, "an operator or ';'");
    d.locals = r->local.count;
    d.local = plumb_list_take(r, &r->local, sizeof *d.local);
    d.parameter = d.local;
    *definition_at(r, item->number) = d;
    r->bound.count = 0;
    return !r->failed;
}

/* Of which definition is it? */
static bool find_owner(struct plumb_read *r, uint32_t item)
{
    r->at = ((const struct plumb_item *)r->item.data)[item].first;
    const struct plumb_token *const name = plumb_read_name(r, "a process");
    if (!name)
        return false;
    const uint32_t n =
        plumb_table_find(&r->definitions, name->text, name->length);
    if (n == UINT32_MAX)
        return plumb_read_undefined(r, name, "process", &r->definitions, false);
    const struct plumb_item *const other = alphabet_of(r, n);
    if (other)
        return plumb_read_fail(
            r, name->place, "%.*s has an alphabet already, at %u:%u",
            PLUMB_TOKEN_ARGS(name), r->token[other->first].place.line,
            r->token[other->first].place.column);
    r->alphabet[n] = item + 1;
    return true;
}

static bool find_alphabets(struct plumb_read *r)
{
    r->alphabet = plumb_arena_zeroed(&r->scratch, (r->definition.count + 1u) *
                                                      sizeof *r->alphabet);
    if (!r->alphabet)
        return plumb_read_fail_memory(r);
    for (uint32_t i = 0; i < r->item.count; i++)
        if (((const struct plumb_item *)r->item.data)[i].kind ==
                PLUMB_ITEM_ALPHABET &&
            !find_owner(r, i))
            return false;
    return true;
}

static bool read_items(struct plumb_read *r, enum plumb_item_kind kind)
{
    for (uint32_t i = 0; i < r->item.count; i++) {
        const struct plumb_item item =
            ((const struct plumb_item *)r->item.data)[i];
        if (item.kind != kind)
            continue;
        r->at = item.first;
        if (kind == PLUMB_ITEM_DEFINITION ? !read_body(r, &item)
                                          : !plumb_read_assertion(r))
            return false;
    }
    return true;
}

static bool check_objects(struct plumb_read *r)
{
    for (uint32_t i = 0; i < r->object.count; i++)
        if (!plumb_object_check(r, (struct plumb_object *)r->object.data + i))
            return false;
    return true;
}

bool plumb_read_bodies(struct plumb_read *r)
{
    return find_alphabets(r) && read_items(r, PLUMB_ITEM_DEFINITION) &&
           read_items(r, PLUMB_ITEM_ASSERTION) && check_objects(r);
}
