/* read_bodies.c - the second pass: definitions, alphabets, assertions. */
#include "model_reader.h"

/* ---- definitions ---- */

/* As what they are passed; `shape` is NULL if that is not known. */
static bool bind_parameters(struct plumb_csp_read *r, uint32_t number,
                            const struct plumb_csp_array_shape *shape)
{
    static const struct plumb_csp_array_shape open = { .size = 1,
                                                       .open = true };
    const struct plumb_csp_tokens *const list = r->parameter.at + number;
    uint32_t local;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct plumb_csp_token *const name = list->at[i];
        if (plumb_csp_read_bound(r, name))
            return plumb_csp_read_fail(r, name->place,
                                       "duplicate parameter %.*s",
                                       PLUMB_TOKEN_ARGS(name));
        if (!plumb_csp_read_bind_shape(r, name, shape ? shape + i : &open,
                                       &local))
            return false;
    }
    return true;
}

/* P(i:{0..3}, j): the range stands behind the name.  Of an array it is that
 * of each element. */
static bool read_bounds(struct plumb_csp_read *r, uint32_t number,
                        const struct plumb_csp_array_shape *shape,
                        struct plumb_csp_definition *d)
{
    const struct plumb_csp_tokens *const list = r->parameter.at + number;
    PLUMB_LIST(struct plumb_csp_bounds) all = { 0 };
    bool ranged = false;
    for (uint32_t i = 0; i < list->count; i++) {
        struct plumb_csp_bounds one = { INT32_MIN, INT32_MAX };
        r->at = (uint32_t)(list->at[i] - r->token) + 1;
        ranged |= plumb_csp_read_at(r, ":");
        if (!plumb_csp_read_bounds(r, &one.low, &one.high))
            return false;
        const bool array = shape && shape[i].dimensions;
        for (uint32_t k = 0; k < (array ? shape[i].size : 1); k++)
            if (!PLUMB_LIST_ADD(r, &all, one))
                return false;
    }
    d->bounds = ranged ? PLUMB_LIST_TAKE(r, &all) : NULL;
    return !r->failed;
}

static const struct plumb_csp_item *alphabet_of(const struct plumb_csp_read *r,
                                                uint32_t number)
{
    const uint32_t n = r->alphabet[number];
    return n ? r->item.at + n - 1 : NULL;
}

static bool read_alphabet(struct plumb_csp_read *r,
                          const struct plumb_csp_item *item,
                          struct plumb_csp_definition *d)
{
    struct plumb_csp_event_set *const set = plumb_csp_read_new(r, sizeof *set);
    r->at = item->first + 1;
    if (!set || !plumb_csp_read_event_set(r, false, set))
        return false;
    d->alphabet = set;
    return plumb_csp_read_semicolon(r, "#alphabet");
}

/* As definition `number`, which is given these shapes. */
static bool read_body(struct plumb_csp_read *r,
                      const struct plumb_csp_item *item, uint32_t number,
                      const struct plumb_csp_array_shape *shape)
{
    const struct plumb_csp_item *const alphabet = alphabet_of(r, item->number);
    struct plumb_csp_definition d = r->definition.at[number];
    r->bound.count = r->local.count = 0;
    if (!read_bounds(r, item->number, shape, &d) ||
        !bind_parameters(r, item->number, shape))
        return false;
    d.parameters = r->local.count;
    if (alphabet && !read_alphabet(r, alphabet, &d))
        return false;
    r->at = item->first;
    d.body = plumb_csp_read_process(r);
    if (!d.body)
        return false;
    if (r->at != item->end)
        return plumb_csp_read_unexpected(r, "an operator or ';'");
    d.locals = r->local.count;
    d.parameter = d.local = PLUMB_LIST_TAKE(r, &r->local);
    r->definition.at[number] = d;
    r->bound.count = 0;
    return !r->failed;
}

/* In all the ways in which it is known to be called. */
static bool read_definition(struct plumb_csp_read *r,
                            const struct plumb_csp_item *item)
{
    const struct plumb_csp_passings *const given = r->given + item->number;
    const uint32_t ways = given->count;
    if (!ways)
        return read_body(r, item, item->number, NULL);
    for (uint32_t i = 0; i < ways; i++)
        if (!read_body(r, item, given->at[i].number, given->at[i].shape))
            return false;
    return true;
}

/* Of which definition is it? */
static bool find_owner(struct plumb_csp_read *r, uint32_t item)
{
    r->at = r->item.at[item].first;
    const struct plumb_csp_token *const name =
        plumb_csp_read_name(r, "a process");
    if (!name)
        return false;
    const uint32_t n =
        plumb_csp_table_find(&r->definitions, name->text, name->length);
    if (n == UINT32_MAX)
        return plumb_csp_read_undefined(r, name, "process", &r->definitions,
                                        false);
    const struct plumb_csp_item *const other = alphabet_of(r, n);
    if (other)
        return plumb_csp_read_fail(
            r, name->place, "%.*s already has an alphabet, at %u:%u",
            PLUMB_TOKEN_ARGS(name), r->token[other->first].place.line,
            r->token[other->first].place.column);
    r->alphabet[n] = item + 1;
    return true;
}

static bool find_alphabets(struct plumb_csp_read *r)
{
    r->alphabet = plumb_csp_read_scratch(r, (r->definition.count + 1u) *
                                                sizeof *r->alphabet);
    if (!r->alphabet)
        return false;
    for (uint32_t i = 0; i < r->item.count; i++)
        if (r->item.at[i].kind == PLUMB_ITEM_ALPHABET && !find_owner(r, i))
            return false;
    return true;
}

static bool read_items(struct plumb_csp_read *r, enum plumb_csp_item_kind kind)
{
    for (uint32_t i = 0; i < r->item.count; i++) {
        const struct plumb_csp_item item = r->item.at[i];
        if (item.kind != kind)
            continue;
        r->at = item.first;
        if (kind == PLUMB_ITEM_DEFINITION ? !read_definition(r, &item)
                                          : !plumb_csp_read_assertion(r))
            return false;
    }
    return true;
}

static bool check_objects(struct plumb_csp_read *r)
{
    for (uint32_t i = 0; i < r->object.count; i++)
        if (!plumb_csp_object_check(r, r->object.at + i))
            return false;
    return true;
}

/* Once, unless arrays are passed as a whole: see read_shapes.c. */
static bool read_until_known(struct plumb_csp_read *r)
{
    const uint32_t nodes = r->nodes;
    for (;;) {
        r->learnt = r->guessed = false;
        r->nodes = nodes;
        r->assertion.count = 0;
        if (!read_items(r, PLUMB_ITEM_DEFINITION) ||
            !read_items(r, PLUMB_ITEM_ASSERTION))
            return false;
        if (r->learnt)
            continue;
        if (!r->guessed || r->certain)
            return true;
        r->certain = true;
    }
}

bool plumb_csp_read_bodies(struct plumb_csp_read *r)
{
    return find_alphabets(r) && plumb_csp_shapes_begin(r) &&
           read_until_known(r) && check_objects(r);
}
