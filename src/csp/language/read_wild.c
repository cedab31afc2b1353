/* read_wild.c - var x:{0..3} = *: variables that begin as any value.
 *
 * A process P() of which something is asserted becomes one that chooses first,
 * in one hidden step, what they are: tau{x = 0} -> P() [] tau{x = 1} -> P() ...
 * All that P() can do comes behind exactly one such step.  So a formula f that
 * is asserted of P() is X f of that; deadlocks, endless hidden steps and goals
 * are where they were.  Other things would be changed by the choice. */
#include "model_reader.h"

#include <string.h>

static const struct plumb_csp_variable *wild_at(const struct plumb_csp_read *r,
                                                uint32_t i, uint32_t *number)
{
    *number = ((const uint32_t *)r->wild.data)[i];
    return (const struct plumb_csp_variable *)r->variable.data + *number;
}

bool plumb_csp_read_is_wild(const struct plumb_csp_read *r, uint32_t variable)
{
    const uint32_t *const wild = r->wild.data;
    for (uint32_t i = 0; i < r->wild.count; i++)
        if (wild[i] == variable)
            return true;
    return false;
}

/* ---- the choice ---- */

/* How many combinations there are; 0 after an error. */
static uint32_t combinations(struct plumb_csp_read *r)
{
    uint64_t all = 1;
    uint32_t number;
    for (uint32_t i = 0; i < r->wild.count; i++) {
        const struct plumb_csp_variable *const v = wild_at(r, i, &number);
        for (uint32_t k = 0; k < v->size; k++) {
            all *= (uint64_t)((int64_t)v->high - v->low + 1);
            if (all > PLUMB_MOST_VALUES) {
                plumb_csp_read_fail(
                    r, v->place,
                    "more than %d initial states, because of %.60s",
                    PLUMB_MOST_VALUES, v->name);
                return 0;
            }
        }
    }
    return (uint32_t)all;
}

/* x = .., y = .., as the digits of `which` are. */
static bool assign(struct plumb_csp_read *r, struct plumb_csp_list *out,
                   uint32_t which)
{
    uint32_t number;
    for (uint32_t i = 0; i < r->wild.count; i++) {
        const struct plumb_csp_variable v = *wild_at(r, i, &number);
        const uint32_t values = (uint32_t)(v.high - v.low) + 1;
        for (uint32_t k = 0; k < v.size; k++, which /= values)
            if (!plumb_csp_read_assign(
                    r, out, plumb_csp_array_element(r, v.place, number, k),
                    plumb_csp_expr_constant(
                        r, v.place, v.low + (int32_t)(which % values), false)))
                return false;
    }
    return true;
}

static const struct plumb_csp_process *begin(struct plumb_csp_read *r,
                                             const struct plumb_csp_process *p,
                                             uint32_t which)
{
    struct plumb_csp_list statements = { 0 };
    uint32_t number;
    struct plumb_csp_process node = { .kind = PLUMB_PREFIX,
                                      .place = wild_at(r, 0, &number)->place,
                                      .child = &p,
                                      .children = 1 };
    node.event.tau = true;
    node.event.place = node.place;
    r->temps = 0;
    if (!assign(r, &statements, which))
        return NULL;
    node.program = plumb_csp_program_new(r, &statements, node.place);
    return node.program ? plumb_csp_process_new(r, &node) : NULL;
}

static const struct plumb_csp_process *choose(struct plumb_csp_read *r,
                                              const struct plumb_csp_process *p)
{
    struct plumb_csp_process node = { .kind = PLUMB_CHOICE, .place = p->place };
    struct plumb_csp_list list = { 0 };
    const uint32_t count = combinations(r);
    for (uint32_t i = 0; i < count; i++) {
        const struct plumb_csp_process **const one =
            plumb_csp_list_add(r, &list, sizeof *one);
        if (!one || !(*one = begin(r, p, i)))
            return NULL;
    }
    node.child = list.data;
    node.children = list.count;
    return count > 1    ? plumb_csp_process_new(r, &node)
           : count == 1 ? node.child[0]
                        : NULL;
}

/* ---- the assertion ---- */

/* It is called P, too. */
static const char *name_of(const struct plumb_csp_read *r,
                           const struct plumb_csp_process *p)
{
    return ((const struct plumb_csp_definition *)
                r->definition.data)[p->definition]
        .name;
}

static const struct plumb_csp_process *wrap(struct plumb_csp_read *r,
                                            const struct plumb_csp_process *p)
{
    uint32_t number;
    const char *const name = name_of(r, p);
    const struct plumb_csp_process *const body = choose(r, p);
    if (!body || !plumb_csp_definition_add(r, name, p->place, &number))
        return NULL;
    ((struct plumb_csp_definition *)r->definition.data)[number].body = body;
    return plumb_csp_process_new(
        r, &(struct plumb_csp_process){ .kind = PLUMB_REFERENCE,
                                        .place = p->place,
                                        .definition = number });
}

static const char *one_step_later(struct plumb_csp_read *r, const char *formula)
{
    const size_t length = strlen(formula);
    char *const text = plumb_csp_read_new(r, length + 4);
    if (text) {
        memcpy(text, "X(", 2);
        memcpy(text + 2, formula, length);
        text[length + 2] = ')';
    }
    return text;
}

bool plumb_csp_read_wild(struct plumb_csp_read *r,
                         struct plumb_csp_assertion *a)
{
    uint32_t number;
    switch (a->kind) {
    case PLUMB_ASSERT_DEADLOCKFREE:
    case PLUMB_ASSERT_NONTERMINATING:
    case PLUMB_ASSERT_DIVERGENCEFREE:
    case PLUMB_ASSERT_REACHES:
        break;
    case PLUMB_ASSERT_LTL:
        a->formula = one_step_later(r, a->formula);
        a->formula_place.column -= a->formula_place.column > 2 ? 2 : 0;
        break;
    default:
        return plumb_csp_read_fail(r, a->place,
                                   "this kind of assertion does not support a "
                                   "variable that starts with any value: %.60s",
                                   wild_at(r, 0, &number)->name);
    }
    a->process = wrap(r, a->process);
    return a->process && !r->failed;
}
