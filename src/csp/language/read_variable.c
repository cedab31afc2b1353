/* read_variable.c - variables and channels: how large, which range, and what
 * is in them first. */
#include "model_reader.h"

/* ---- declared ---- */

struct plumb_csp_variable *plumb_csp_variable_add(struct plumb_csp_read *r,
                                                  const char *name,
                                                  struct plumb_csp_place place,
                                                  uint32_t *number)
{
    const struct plumb_csp_variable v = {
        .name = name, .place = place, .low = INT32_MIN, .high = INT32_MAX
    };
    *number = r->variable.count;
    return name && PLUMB_LIST_ADD(r, &r->variable, v) &&
                   PLUMB_LIST_ADD(r, &r->variable_type, PLUMB_TYPE_ANY)
               ? r->variable.at + *number
               : NULL;
}

static const char *owned_name(struct plumb_csp_read *r,
                              const struct plumb_csp_object *owner,
                              const struct plumb_csp_token *name)
{
    if (!owner)
        return plumb_csp_read_token_text(r, name);
    return plumb_csp_read_words(r, "%.*s.%.*s", (int)owner->name->length,
                                owner->name->text, (int)name->length,
                                name->text);
}

static bool check_own(struct plumb_csp_read *r,
                      const struct plumb_csp_object *owner,
                      const struct plumb_csp_token *name)
{
    const struct plumb_csp_variable *const v = r->variable.at;
    for (uint32_t i = owner->variables; i < r->variable.count; i++)
        if (plumb_csp_token_is(name, v[i].name + owner->name->length + 1))
            return plumb_csp_read_fail_again(r, name, v[i].place);
    return true;
}

bool plumb_csp_read_variable_item(struct plumb_csp_read *r,
                                  const struct plumb_csp_object *owner)
{
    const bool unseen = plumb_csp_read_at(r, "hvar");
    struct plumb_csp_item item = { .kind = PLUMB_ITEM_VARIABLE };
    r->at++;
    enum plumb_csp_type type;
    if (!plumb_csp_read_class(r, &type))
        return false;
    const struct plumb_csp_token *const name =
        plumb_csp_read_new_name(r, "a variable");
    if (!name)
        return false;
    item.first = r->at;
    if (owner) {
        if (!check_own(r, owner, name))
            return false;
    } else {
        struct plumb_csp_symbol *const s =
            plumb_csp_read_declare(r, name, PLUMB_SYMBOL_VARIABLE);
        if (!s)
            return false;
        s->number = r->variable.count;
    }
    struct plumb_csp_variable *const v = plumb_csp_variable_add(
        r, owned_name(r, owner, name), name->place, &item.number);
    if (!v || !PLUMB_LIST_ADD(r, &r->item, item) ||
        !plumb_csp_read_skip(r, "the variable"))
        return false;
    v->unseen = unseen;
    v->collection = plumb_csp_type_collection(type);
    r->variable_type.at[item.number] = type;
    r->at++;
    return true;
}

/* ---- dimensions and range ---- */

bool plumb_csp_read_dimensions(struct plumb_csp_read *r,
                               struct plumb_csp_variable *v)
{
    uint64_t size = 1;
    while (plumb_csp_read_accept(r, "[")) {
        const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
        int32_t length;
        if (v->dimensions == PLUMB_MOST_DIMENSIONS)
            return plumb_csp_read_fail(
                r, place, "an array cannot have more than %d dimensions",
                PLUMB_MOST_DIMENSIONS);
        if (!plumb_csp_read_constant(r, "the size of an array", &length) ||
            !plumb_csp_read_expect(r, "]", "after the size"))
            return false;
        if (length < 1)
            return plumb_csp_read_fail(r, place, "an array cannot have size %d",
                                       length);
        size *= (uint32_t)length;
        if (size > PLUMB_MOST_SLOTS)
            return plumb_csp_read_fail(r, place, "the array is too large");
        v->dimension[v->dimensions++] = (uint32_t)length;
    }
    v->size = (uint32_t)size;
    return true;
}

bool plumb_csp_read_bounds(struct plumb_csp_read *r, int32_t *low,
                           int32_t *high)
{
    if (!plumb_csp_read_accept(r, ":"))
        return true;
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    if (!plumb_csp_read_expect(r, "{", "and a range"))
        return false;
    if (!plumb_csp_read_at(r, "..") &&
        !plumb_csp_read_constant(r, "a range", low))
        return false;
    if (!plumb_csp_read_expect(r, "..", "in the range"))
        return false;
    if (!plumb_csp_read_at(r, "}") &&
        !plumb_csp_read_constant(r, "a range", high))
        return false;
    if (*low > *high)
        return plumb_csp_read_fail(r, place, "the range %d..%d is empty", *low,
                                   *high);
    return plumb_csp_read_expect(r, "}", "after the range");
}

static bool read_range(struct plumb_csp_read *r, struct plumb_csp_variable *v)
{
    v->ranged = plumb_csp_read_at(r, ":");
    if (v->ranged && v->collection)
        return plumb_csp_read_fail(r, plumb_csp_read_token(r)->place,
                                   "a collection cannot have a range");
    return plumb_csp_read_bounds(r, &v->low, &v->high);
}

/* ---- initial values ---- */

static bool add_values(struct plumb_csp_read *r, struct plumb_csp_values *list,
                       struct plumb_csp_place place, int64_t from, int64_t step,
                       int64_t count)
{
    if (count > PLUMB_MOST_SLOTS - (int64_t)list->count)
        return plumb_csp_read_fail(r, place, "too many values");
    for (int64_t i = 0; i < count; i++)
        if (!PLUMB_LIST_ADD(r, list, (int32_t)(from + i * step)))
            return false;
    return true;
}

/* 7, 1(3) or 4..6, which may go down. */
static bool read_values(struct plumb_csp_read *r, struct plumb_csp_values *list)
{
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    int32_t value, other;
    r->repeats = true;
    const bool well = plumb_csp_read_constant(r, "an initial value", &value);
    r->repeats = false;
    if (!well)
        return false;
    if (plumb_csp_read_accept(r, "..")) {
        if (!plumb_csp_read_constant(r, "an initial value", &other))
            return false;
        const int64_t step = other < value ? -1 : 1;
        return add_values(r, list, place, value, step,
                          ((int64_t)other - value) * step + 1);
    }
    if (!plumb_csp_read_accept(r, "("))
        return add_values(r, list, place, value, 0, 1);
    if (!plumb_csp_read_constant(r, "a repeat count", &other))
        return false;
    if (other < 0)
        return plumb_csp_read_fail(r, place, "invalid repeat count %d", other);
    return plumb_csp_read_expect(r, ")", "after the repeat count") &&
           add_values(r, list, place, value, 0, other);
}

static bool read_array_values(struct plumb_csp_read *r,
                              struct plumb_csp_variable *v,
                              struct plumb_csp_values *list)
{
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    r->at++; /* [ */
    do
        if (!read_values(r, list))
            return false;
    while (plumb_csp_read_accept(r, ","));
    if (!plumb_csp_read_expect(r, "]", "after the values"))
        return false;
    if (v->dimensions == 0) {
        if (list->count == 0)
            return plumb_csp_read_fail(r, place, "an array cannot have size 0");
        v->dimensions = 1;
        v->dimension[0] = v->size = list->count;
    }
    return list->count == v->size ||
           plumb_csp_read_fail(r, place,
                               "%.60s has %u elements, but %u are given",
                               v->name, v->size, list->count);
}

static bool read_initial(struct plumb_csp_read *r, struct plumb_csp_variable *v,
                         enum plumb_csp_type *type,
                         struct plumb_csp_values *list)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (v->collection)
        return plumb_csp_read_new_empty(r, *type) &&
               add_values(r, list, t->place, 0, 0, v->size);
    if (plumb_csp_token_is(t, "["))
        return read_array_values(r, v, list);
    const struct plumb_csp_expr *const e = plumb_csp_read_expression(r);
    if (!e)
        return false;
    if (e->kind != PLUMB_EXPR_CONSTANT)
        return plumb_csp_expr_fail_constant(r, t->place, e, "an initial value");
    if (v->dimensions)
        return plumb_csp_read_fail(
            r, t->place, "an array needs an initial value of the form [...]");
    *type = plumb_csp_expr_type(e);
    return add_values(r, list, t->place, e->value, 0, 1);
}

/* = *: of which it begins as the least, as far as can be seen here. */
static bool read_wild(struct plumb_csp_read *r,
                      const struct plumb_csp_variable *v, uint32_t number,
                      struct plumb_csp_values *list)
{
    if (!PLUMB_LIST_ADD(r, &r->wild, number))
        return false;
    if (v->low == INT32_MIN || v->high == INT32_MAX)
        return plumb_csp_read_fail(
            r, plumb_csp_read_token(r)->place,
            "%.60s starts with any value; give it a range", v->name);
    r->at++;
    return add_values(r, list, v->place, v->low, 0, v->size);
}

static bool check_range(struct plumb_csp_read *r,
                        const struct plumb_csp_variable *v)
{
    for (uint32_t i = 0; i < v->size; i++)
        if (v->initial[i] < v->low || v->initial[i] > v->high)
            return plumb_csp_read_fail(r, v->place,
                                       "%.60s starts with %d, outside %d..%d",
                                       v->name, v->initial[i], v->low, v->high);
    return true;
}

/* Without an initial value: 0, or what is nearest to it in the range. */
static int32_t zero_of(const struct plumb_csp_variable *v)
{
    return v->low > 0 ? v->low : v->high < 0 ? v->high : 0;
}

static bool read_variable(struct plumb_csp_read *r,
                          const struct plumb_csp_item *item)
{
    struct plumb_csp_variable v = r->variable.at[item->number];
    enum plumb_csp_type type = r->variable_type.at[item->number];
    struct plumb_csp_values list = { 0 };
    r->at = item->first;
    r->begins = true;
    if (!plumb_csp_read_dimensions(r, &v) || !read_range(r, &v))
        return false;
    const bool said = plumb_csp_read_accept(r, "=");
    if (said && plumb_csp_read_at(r, "*")
            ? !read_wild(r, &v, item->number, &list)
        : said ? !read_initial(r, &v, &type, &list)
               : !add_values(r, &list, v.place, zero_of(&v), 0, v.size))
        return false;
    r->begins = false;
    v.initial = PLUMB_LIST_TAKE(r, &list);
    v.boolean = type == PLUMB_TYPE_TRUTH;
    if (!v.initial || !check_range(r, &v))
        return false;
    r->variable.at[item->number] = v;
    r->variable_type.at[item->number] = type;
    return plumb_csp_read_semicolon(r, "the variable");
}

/* ---- channels ---- */

static bool read_channel(struct plumb_csp_read *r, uint32_t number)
{
    int32_t size = 1, capacity;
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    if (plumb_csp_read_accept(r, "[") &&
        (!plumb_csp_read_constant(r, "the number of channels", &size) ||
         !plumb_csp_read_expect(r, "]", "after the number of channels")))
        return false;
    if (size < 1 || size > PLUMB_MOST_VALUES)
        return plumb_csp_read_fail(r, place, "invalid number of channels, %d",
                                   size);
    const struct plumb_csp_place behind = plumb_csp_read_token(r)->place;
    if (!plumb_csp_read_constant(r, "the capacity of a channel", &capacity))
        return false;
    if (capacity < 0 || capacity > PLUMB_MOST_VALUES)
        return plumb_csp_read_fail(r, behind, "invalid channel capacity, %d",
                                   capacity);
    r->channel.at[number].size = (uint32_t)size;
    r->channel.at[number].capacity = (uint32_t)capacity;
    return plumb_csp_read_semicolon(r, "the channel");
}

bool plumb_csp_read_variables(struct plumb_csp_read *r)
{
    uint32_t channel = 0;
    uint64_t slots = 0;
    for (uint32_t i = 0; i < r->item.count; i++) {
        const struct plumb_csp_item *const item = r->item.at + i;
        r->at = item->first;
        if (item->kind == PLUMB_ITEM_VARIABLE) {
            if (!read_variable(r, item))
                return false;
            const struct plumb_csp_variable *const v =
                r->variable.at + item->number;
            slots += v->size;
            if (slots > PLUMB_MOST_SLOTS)
                return plumb_csp_read_fail(r, v->place,
                                           "the variables are too large");
        } else if (item->kind == PLUMB_ITEM_CHANNEL &&
                   !read_channel(r, channel++))
            return false;
    }
    return true;
}
