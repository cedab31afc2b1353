/* read_wild.c - var x:{0..3} = *: variables that begin as any value.
 *
 * A process P() of which something is asserted becomes one that chooses first,
 * in one hidden step, what they are: tau{x = 0} -> P() [] tau{x = 1} -> P() ...
 * All that P() can do comes behind exactly one such step.  So a formula f that
 * is asserted of P() is X f of that; deadlocks, endless hidden steps and goals
 * are where they were.  Other things would be changed by the choice. */
#include "model_reader.h"

static const struct plumb_csp_variable *wild_at(const struct plumb_csp_read *r,
                                                uint32_t i)
{
    return r->variable.at + r->wild.at[i];
}

bool plumb_csp_read_is_wild(const struct plumb_csp_read *r, uint32_t variable)
{
    for (uint32_t i = 0; i < r->wild.count; i++)
        if (r->wild.at[i] == variable)
            return true;
    return false;
}

/* ---- the choice ---- */

/* How many combinations there are; 0 after an error. */
static uint32_t combinations(struct plumb_csp_read *r)
{
    uint64_t all = 1;
    for (uint32_t i = 0; i < r->wild.count; i++) {
        const struct plumb_csp_variable *const v = wild_at(r, i);
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
static bool assign(struct plumb_csp_read *r, struct plumb_csp_statements *out,
                   uint32_t which)
{
    for (uint32_t i = 0; i < r->wild.count; i++) {
        const struct plumb_csp_variable v = *wild_at(r, i);
        const uint32_t values = (uint32_t)(v.high - v.low) + 1;
        for (uint32_t k = 0; k < v.size; k++, which /= values)
            if (!plumb_csp_read_assign(
                    r, out,
                    plumb_csp_array_element(r, v.place, r->wild.at[i], k),
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
    const struct plumb_csp_place place = wild_at(r, 0)->place;
    struct plumb_csp_statements statements = { 0 };
    r->temps = 0;
    if (!assign(r, &statements, which))
        return NULL;
    const struct plumb_csp_process node = {
        .kind = PLUMB_PREFIX,
        .place = place,
        .event = { .place = place, .tau = true },
        .program = plumb_csp_program_new(r, &statements, place),
    };
    return plumb_csp_process_above(r, node, p, NULL);
}

static const struct plumb_csp_process *choose(struct plumb_csp_read *r,
                                              const struct plumb_csp_process *p)
{
    struct plumb_csp_processes list = { 0 };
    const uint32_t count = combinations(r);
    for (uint32_t i = 0; i < count; i++)
        if (!plumb_csp_processes_add(r, &list, begin(r, p, i)))
            return NULL;
    const struct plumb_csp_process node = { .kind = PLUMB_CHOICE,
                                            .place = p->place,
                                            .child = list.at,
                                            .children = list.count };
    return count > 1    ? plumb_csp_process_new(r, &node)
           : count == 1 ? list.at[0]
                        : NULL;
}

/* ---- the assertion ---- */

/* It is called P, too. */
static const struct plumb_csp_process *wrap(struct plumb_csp_read *r,
                                            const struct plumb_csp_process *p)
{
    uint32_t number;
    const char *const name = r->definition.at[p->definition].name;
    const struct plumb_csp_process *const body = choose(r, p);
    if (!body || !plumb_csp_definition_add(r, name, p->place, &number))
        return NULL;
    r->definition.at[number].body = body;
    return plumb_csp_process_new(
        r, &(struct plumb_csp_process){ .kind = PLUMB_REFERENCE,
                                        .place = p->place,
                                        .definition = number });
}

bool plumb_csp_read_wild(struct plumb_csp_read *r,
                         struct plumb_csp_assertion *a)
{
    switch (a->kind) {
    case PLUMB_ASSERT_DEADLOCKFREE:
    case PLUMB_ASSERT_NONTERMINATING:
    case PLUMB_ASSERT_DIVERGENCEFREE:
    case PLUMB_ASSERT_REACHES:
    case PLUMB_ASSERT_LOCKFREE:
    case PLUMB_ASSERT_WAITFREE:
    case PLUMB_ASSERT_OBSTRUCTIONFREE:
        break;
    case PLUMB_ASSERT_LTL:
        a->formula = plumb_csp_read_words(r, "X(%s)", a->formula);
        a->formula_place.column -= a->formula_place.column > 2 ? 2 : 0;
        break;
    default:
        return plumb_csp_read_fail(r, a->place,
                                   "this kind of assertion does not support a "
                                   "variable that starts with any value: %.60s",
                                   wild_at(r, 0)->name);
    }
    a->process = wrap(r, a->process);
    return a->process && !r->failed;
}
