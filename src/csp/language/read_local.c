/* read_local.c - var in a program: { var t = x; var a[3]; var b = [x, 0(2)]; }
 *
 * A plain one is a variable of the program (PLUMB_EXPR_TEMP).  An array is a
 * variable like those that are declared, but for two things: its name is known
 * in its block only, and at the end of the block it is all 0 again.  So it is 0
 * in every state, and tells none apart; and since a program is one step, all
 * who run it can have the same array. */
#include "model_reader.h"

#include <string.h>

struct program_array {
    const struct plumb_csp_token *name; /* where it is declared */
    uint32_t number;                    /* the variable */
};

/* ---- the variable ---- */

/* What a #define declares is read for each use, an operation even twice. */
static bool find_array(struct plumb_csp_read *r,
                       const struct plumb_csp_token *name,
                       const struct plumb_csp_variable *like, uint32_t *number)
{
    const struct program_array *const known = r->program_array.data;
    const struct plumb_csp_variable *const v = r->variable.data;
    for (uint32_t i = 0; i < r->program_array.count; i++) {
        *number = known[i].number;
        if (known[i].name == name &&
            v[*number].dimensions == like->dimensions &&
            memcmp(v[*number].dimension, like->dimension,
                   sizeof like->dimension) == 0)
            return true;
    }
    return false;
}

static uint64_t slots_of(const struct plumb_csp_read *r)
{
    const struct plumb_csp_variable *const v = r->variable.data;
    uint64_t slots = 0;
    for (uint32_t i = 0; i < r->variable.count; i++)
        slots += v[i].size;
    return slots;
}

static bool add_array(struct plumb_csp_read *r,
                      const struct plumb_csp_token *name,
                      const struct plumb_csp_variable *like, uint32_t *number)
{
    if (slots_of(r) + like->size > PLUMB_MOST_SLOTS)
        return plumb_csp_read_fail(r, name->place,
                                   "the variables are too large");
    struct program_array *const kept =
        plumb_csp_list_add(r, &r->program_array, sizeof *kept);
    struct plumb_csp_variable *const v =
        kept ? plumb_csp_variable_add(
                   r, plumb_csp_read_text(r, name->text, name->length),
                   name->place, number)
             : NULL;
    int32_t *const initial =
        plumb_csp_read_new(r, like->size * sizeof *initial);
    if (!v || !v->name || !initial)
        return false;
    v->size = like->size;
    v->passing = true;
    v->dimensions = like->dimensions;
    memcpy(v->dimension, like->dimension, sizeof v->dimension);
    v->initial = initial;
    *kept = (struct program_array){ name, *number };
    return true;
}

/* ---- declarations ---- */

/* PAT looks at these before anything has happened. */
static void warn_of_values(struct plumb_csp_read *r,
                           const struct plumb_csp_list *list)
{
    const struct plumb_csp_expr *const *const value = list->data;
    for (uint32_t i = 0; i < list->count; i++)
        if (value[i]->kind != PLUMB_EXPR_CONSTANT) {
            plumb_csp_read_warn(
                r, value[i]->place,
                "PAT uses the initial value here unless the size is omitted");
            return;
        }
}

static bool read_initial(struct plumb_csp_read *r,
                         struct plumb_csp_variable *like,
                         struct plumb_csp_list *list)
{
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    if (!plumb_csp_read_at(r, "["))
        return plumb_csp_read_fail(
            r, place, "an array needs an initial value of the form [...]");
    if (!plumb_csp_read_elements(r, list))
        return false;
    if (list->count == 0)
        return plumb_csp_read_fail(r, place, "an array cannot have size 0");
    if (like->dimensions)
        warn_of_values(r, list);
    else
        like->dimension[like->dimensions++] = like->size = list->count;
    return list->count == like->size ||
           plumb_csp_read_fail(r, place,
                               "%u elements are given; the array has %u",
                               list->count, like->size);
}

static void read_array(struct plumb_csp_read *r, struct plumb_csp_list *out,
                       const struct plumb_csp_token *name)
{
    struct plumb_csp_variable like = { 0 };
    struct plumb_csp_list list = { 0 };
    uint32_t number;
    if (!plumb_csp_read_dimensions(r, &like) ||
        (plumb_csp_read_accept(r, "=") && !read_initial(r, &like, &list)))
        return;
    if ((!find_array(r, name, &like, &number) &&
         !add_array(r, name, &like, &number)) ||
        !plumb_csp_read_bind_array(r, name, number))
        return;
    const struct plumb_csp_expr *const *const value = list.data;
    for (uint32_t i = 0; i < list.count; i++)
        if (!plumb_csp_read_assign(
                r, out, plumb_csp_array_element(r, name->place, number, i),
                value[i]))
            return;
}

void plumb_csp_read_local(struct plumb_csp_read *r, struct plumb_csp_list *out)
{
    uint32_t number;
    const struct plumb_csp_token *const name =
        plumb_csp_read_new_name(r, "a variable");
    if (!name)
        return;
    if (plumb_csp_read_at(r, ":")) {
        plumb_csp_read_fail(r, name->place,
                            "a local variable cannot have a range");
        return;
    }
    if (plumb_csp_read_at(r, "[") ||
        (plumb_csp_read_at(r, "=") &&
         plumb_csp_token_is(plumb_csp_read_ahead(r, 1), "["))) {
        read_array(r, out, name);
        return;
    }
    const struct plumb_csp_expr *const value =
        plumb_csp_read_accept(r, "=")
            ? plumb_csp_read_value(r, out)
            : plumb_csp_expr_constant(r, name->place, 0, false);
    if (value && plumb_csp_read_bind_temp(r, name, &number))
        plumb_csp_read_assign(
            r, out, plumb_csp_read_temp(r, name->place, number), value);
}

/* ---- the end of a block ---- */

static bool clear(struct plumb_csp_read *r, struct plumb_csp_list *out,
                  uint32_t number)
{
    const struct plumb_csp_variable *const v =
        (const struct plumb_csp_variable *)r->variable.data + number;
    const struct plumb_csp_place place = v->place;
    const uint32_t size = v->size;
    for (uint32_t i = 0; i < size; i++)
        if (!plumb_csp_read_assign(r, out,
                                   plumb_csp_array_element(r, place, number, i),
                                   plumb_csp_expr_constant(r, place, 0, false)))
            return false;
    return true;
}

void plumb_csp_read_unbind(struct plumb_csp_read *r, struct plumb_csp_list *out,
                           uint32_t bound)
{
    const struct plumb_csp_bound *const b = r->bound.data;
    for (uint32_t i = bound; !r->failed && i < r->bound.count; i++)
        if (b[i].kind == PLUMB_BOUND_ARRAY)
            clear(r, out, b[i].number);
    r->bound.count = bound;
}
