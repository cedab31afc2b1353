/* read_local.c - var in a program: { var t = x; var a[3]; var b = [x, 0(2)]; }
 *
 * A plain one is a variable of the program (PLUMB_EXPR_TEMP).  An array is a
 * variable like those that are declared, but for two things: its name is known
 * in its block only, and at the end of the block it is all 0 again.  So it is 0
 * in every state, and tells none apart; and since a program is one step, all
 * who run it can have the same array. */
#include "model_reader.h"

/* ---- the variable ---- */

/* What a #define declares is read for each use, an operation even twice. */
static bool find_array(struct plumb_csp_read *r,
                       const struct plumb_csp_token *name,
                       const struct plumb_csp_variable *like, uint32_t *number)
{
    for (uint32_t i = 0; i < r->program_array.count; i++) {
        *number = r->program_array.at[i].number;
        const struct plumb_csp_variable *const v = r->variable.at + *number;
        if (r->program_array.at[i].name == name &&
            v->dimensions == like->dimensions &&
            memcmp(v->dimension, like->dimension, sizeof v->dimension) == 0)
            return true;
    }
    return false;
}

static uint64_t slots_of(const struct plumb_csp_read *r)
{
    uint64_t slots = 0;
    for (uint32_t i = 0; i < r->variable.count; i++)
        slots += r->variable.at[i].size;
    return slots;
}

static bool add_array(struct plumb_csp_read *r,
                      const struct plumb_csp_token *name,
                      const struct plumb_csp_variable *like, uint32_t *number)
{
    if (slots_of(r) + like->size > PLUMB_MOST_SLOTS)
        return plumb_csp_read_fail(r, name->place,
                                   "the variables are too large");
    struct plumb_csp_variable *const v = plumb_csp_variable_add(
        r, plumb_csp_read_token_text(r, name), name->place, number);
    int32_t *const initial =
        plumb_csp_read_new(r, like->size * sizeof *initial);
    if (!v || !initial)
        return false;
    v->size = like->size;
    v->passing = true;
    v->dimensions = like->dimensions;
    memcpy(v->dimension, like->dimension, sizeof v->dimension);
    v->initial = initial;
    return PLUMB_LIST_ADD(r, &r->program_array,
                          (struct plumb_csp_program_array){ name, *number });
}

/* ---- declarations ---- */

/* PAT looks at these before anything has happened. */
static void warn_of_values(struct plumb_csp_read *r,
                           const struct plumb_csp_exprs *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i]->kind != PLUMB_EXPR_CONSTANT) {
            plumb_csp_read_warn(
                r, list->at[i]->place,
                "PAT uses the initial value here unless the size is omitted");
            return;
        }
}

static bool read_initial(struct plumb_csp_read *r,
                         struct plumb_csp_variable *like,
                         struct plumb_csp_exprs *list)
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

static void read_array(struct plumb_csp_read *r,
                       struct plumb_csp_statements *out,
                       const struct plumb_csp_token *name)
{
    struct plumb_csp_variable like = { 0 };
    struct plumb_csp_exprs list = { 0 };
    uint32_t number;
    if (!plumb_csp_read_dimensions(r, &like) ||
        (plumb_csp_read_accept(r, "=") && !read_initial(r, &like, &list)))
        return;
    if ((find_array(r, name, &like, &number) ||
         add_array(r, name, &like, &number)) &&
        plumb_csp_read_bind_array(r, name, number))
        plumb_csp_array_assign(r, out, name->place, number, &list);
}

void plumb_csp_read_local(struct plumb_csp_read *r,
                          struct plumb_csp_statements *out)
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
            r, out, plumb_csp_expr_temp(r, name->place, number), value);
}

/* ---- the end of a block ---- */

static void clear(struct plumb_csp_read *r, struct plumb_csp_statements *out,
                  uint32_t number)
{
    const struct plumb_csp_variable *const v = r->variable.at + number;
    for (uint32_t i = 0; i < v->size; i++)
        if (!plumb_csp_read_assign(
                r, out, plumb_csp_array_element(r, v->place, number, i),
                plumb_csp_expr_constant(r, v->place, 0, false)))
            return;
}

void plumb_csp_read_unbind(struct plumb_csp_read *r,
                           struct plumb_csp_statements *out, uint32_t bound)
{
    for (uint32_t i = bound; !r->failed && i < r->bound.count; i++)
        if (r->bound.at[i].kind == PLUMB_BOUND_ARRAY)
            clear(r, out, r->bound.at[i].number);
    r->bound.count = bound;
}
