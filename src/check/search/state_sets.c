/* state_sets.c - interned sets of states. */
#include "state_sets.h"

#include <assert.h>
#include <stdlib.h>

bool plumb_check_state_sets_open(struct plumb_check_state_sets *f,
                                 const struct plumb_spec_bound *bound,
                                 bool sets, struct plumb_budget *budget)
{
    *f = (struct plumb_check_state_sets){ .sets = sets,
                                          .told = plumb_spec_is_told(
                                              bound->spec->type),
                                          .out = { .budget = budget } };
    plumb_base_lists_init(&f->set, budget);
    return plumb_spec_space_open(&f->space, bound, budget);
}

void plumb_check_state_sets_close(struct plumb_check_state_sets *f)
{
    plumb_spec_space_close(&f->space);
    plumb_spec_states_release(&f->out);
    plumb_base_lists_release(&f->set);
}

static int compare_states(const void *x, const void *y)
{
    const plumb_spec_state a = *(const plumb_spec_state *)x,
                           b = *(const plumb_spec_state *)y;
    return a < b ? -1 : a > b;
}

static void sort_out(struct plumb_spec_states *out)
{
    if (out->count < 2)
        return;
    qsort(out->state, out->count, sizeof *out->state, compare_states);
    size_t kept = 1;
    for (size_t i = 1; i < out->count; i++)
        if (out->state[i] != out->state[kept - 1])
            out->state[kept++] = out->state[i];
    out->count = kept;
}

plumb_check_state_set plumb_check_state_sets_initial(
    struct plumb_check_state_sets *f)
{
    const plumb_spec_state s = f->space.spec->type->initial(&f->space);
    static_assert(PLUMB_NO_STATE_SET == PLUMB_ABSENT, "what lists refuse with");
    return f->sets && s != PLUMB_NO_STATE ? plumb_base_lists_put(&f->set, &s, 1)
                                          : s;
}

static inline bool step(struct plumb_check_state_sets *f, plumb_spec_state s,
                        const struct plumb_spec_action *a)
{
    const struct plumb_spec_type *const type = f->space.spec->type;
    return f->told ? plumb_spec_happen(&f->space, type, s, a, &f->out)
                   : type->step(&f->space, s, a, &f->out);
}

static bool step_set(struct plumb_check_state_sets *f,
                     plumb_check_state_set from,
                     const struct plumb_spec_action *a,
                     plumb_check_state_set *next)
{
    size_t count;
    const plumb_spec_state *const state =
        plumb_base_lists_get(&f->set, from, &count);
    f->steps += count;
    for (size_t i = 0; i < count; i++)
        if (!step(f, state[i], a))
            return false;
    *next = PLUMB_NO_STATE_SET;
    if (!f->out.count)
        return true;
    sort_out(&f->out);
    *next = plumb_base_lists_put(&f->set, f->out.state, f->out.count);
    return *next != PLUMB_NO_STATE_SET;
}

bool plumb_check_state_sets_step(struct plumb_check_state_sets *f,
                                 plumb_check_state_set from,
                                 const struct plumb_spec_action *a,
                                 plumb_check_state_set *next)
{
    assert(from != PLUMB_NO_STATE_SET);
    f->out.count = 0;
    if (f->sets)
        return step_set(f, from, a, next);
    f->steps++;
    if (!step(f, from, a))
        return false;
    *next = f->out.count ? f->out.state[0] : PLUMB_NO_STATE_SET;
    return true;
}

bool plumb_check_state_sets_within(const struct plumb_check_state_sets *f,
                                   plumb_check_state_set a,
                                   plumb_check_state_set b)
{
    if (a == b || !f->sets)
        return a == b;
    size_t few, many, j = 0;
    const plumb_spec_state *const x = plumb_base_lists_get(&f->set, a, &few),
                                  *const y =
                                      plumb_base_lists_get(&f->set, b, &many);
    for (size_t i = 0; i < few; i++) {
        while (j < many && y[j] < x[i])
            j++;
        if (j == many || y[j] != x[i])
            return false;
    }
    return true;
}
