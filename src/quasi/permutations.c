/* permutations.c - see permutations.h.
 *
 * As printed, with what has to be read otherwise: an event that is passed on
 * becomes one later (l. 60), which are passed on depends on what this run
 * selected (l. 59), and what was tried in a state stays tried (l. 36).
 * Restriction 2 speaks of the first K + 1 removals. */
#include "permutations.h"

#include "base/bits.h"
#include <stddef.h>

struct event {
    uint8_t number;
    int lateness; /* how many states later than it was in the sequence */
};

struct events {
    struct event at[PLUMB_QUASI_CALLS];
    unsigned count;
};

struct state {
    struct events enabled, newly_enabled;
    uint64_t done; /* events that were tried here */
    unsigned select;
};

struct stack {
    struct state state[PLUMB_QUASI_CALLS];
    unsigned count;
    int k;
};

static void add(struct events *to, unsigned number, int lateness)
{
    to->at[to->count++] = (struct event){ (uint8_t)number, lateness };
}

/* An event of the sequence is enabled in its own state and in the K before. */
static void enable(struct stack *s, unsigned event)
{
    int lateness = 0;
    for (unsigned i = event;; i--, lateness--) {
        add(&s->state[i].enabled, event, lateness);
        if (lateness == -s->k || i == 0) {
            add(&s->state[i].newly_enabled, event, lateness);
            return;
        }
    }
}

static void first_run(struct stack *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        struct state *const state = &s->state[i];
        state->enabled.count = state->newly_enabled.count = 0;
        state->select = i;
        state->done = plumb_base_bit(i);
        enable(s, i);
    }
}

static bool has_been_tried(const struct state *state, const struct event *e)
{
    return state->done >> e->number & 1;
}

/* NULL: nothing is left to be tried.  At most one event has to come now, for
 * each was in a state of its own. */
static const struct event *pick(const struct state *state, int k)
{
    const struct event *found = NULL;
    for (unsigned i = 0; i < state->enabled.count; i++) {
        const struct event *const e = &state->enabled.at[i];
        if (e->lateness == k)
            return has_been_tried(state, e) ? NULL : e;
        if (!found && !has_been_tried(state, e))
            found = e;
    }
    return found;
}

/* What the state before did not select, one later; and what is new. */
static void update(struct state *state, const struct state *before)
{
    state->enabled.count = 0;
    state->done = 0;
    for (unsigned i = 0; i < before->enabled.count; i++) {
        const struct event *const e = &before->enabled.at[i];
        if (e->number != before->select)
            add(&state->enabled, e->number, e->lateness + 1);
    }
    for (unsigned i = 0; i < state->newly_enabled.count; i++)
        add(&state->enabled, state->newly_enabled.at[i].number,
            state->newly_enabled.at[i].lateness);
}

/* False: there is no other order. */
static bool backtrack_run(struct stack *s)
{
    unsigned at = s->count;
    while (at > 0 && !pick(&s->state[at - 1], s->k))
        at--;
    if (at == 0)
        return false;
    for (at--;; update(&s->state[at], &s->state[at - 1])) {
        struct state *const state = &s->state[at];
        state->select = pick(state, s->k)->number;
        state->done |= plumb_base_bit(state->select);
        if (++at == s->count)
            return true;
    }
}

static bool visit_run(const struct stack *s, plumb_quasi_visit *visit,
                      void *context)
{
    uint8_t order[PLUMB_QUASI_CALLS];
    for (unsigned i = 0; i < s->count; i++)
        order[i] = (uint8_t)s->state[i].select;
    return visit(context, order, s->count);
}

bool plumb_quasi_permute(unsigned count, unsigned k, plumb_quasi_visit *visit,
                         void *context)
{
    struct stack s;
    assert(count <= PLUMB_QUASI_CALLS);
    s.count = count;
    s.k = (int)(k < PLUMB_QUASI_CALLS ? k : PLUMB_QUASI_CALLS);
    first_run(&s);
    do
        if (!visit_run(&s, visit, context))
            return false;
    while (backtrack_run(&s));
    return true;
}
