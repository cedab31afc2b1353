/* slot_order.c - see slot_order.h. */
#include "slot_order.h"

#include "base/memory.h"
#include "base/pace.h"
#include "csp/states/steps.h"
#include "csp/states/system_shape.h"
#include <string.h>

enum { LOOKED_AT = 512 };

/* Who was seen to write a slot: a component, or one of these. */
#define NOBODY  UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

struct writers {
    struct plumb_csp_system *system;
    uint32_t slots;
    struct plumb_csp_steps steps;
    uint32_t *of, *guess; /* by slot: who was seen; or who may be */
    uint32_t *at;         /* where slots of a writer go: see place_slots() */
};

/* The lowest stands for all who take part. */
static uint32_t actor_of(const struct plumb_csp_step *step)
{
    return step->actors ? (uint32_t)__builtin_ctzll(step->actors) : SEVERAL;
}

static void note_step(struct writers *w, const uint32_t *vector, uint32_t k)
{
    const uint32_t actor = actor_of(&w->steps.step[k]);
    const uint32_t *const target =
        plumb_csp_steps_target(&w->steps, k, w->slots);
    for (uint32_t i = 0; i < w->slots; i++)
        if (target[i] != vector[i])
            w->of[i] =
                w->of[i] == NOBODY || w->of[i] == actor ? actor : SEVERAL;
}

/* False if there is no time for it. */
static bool look_at_states(struct writers *w, struct plumb_csp_vectors *v,
                           uint32_t known)
{
    struct plumb_csp_cursor *const cursor = plumb_csp_vectors_cursor(v);
    struct plumb_base_pace pace = { .budget = w->system->world->budget };
    struct plumb_error err;
    for (uint32_t k = 0; k < LOOKED_AT; k++) {
        const uint32_t number = (uint32_t)((uint64_t)k * known / LOOKED_AT);
        const uint32_t *const vector =
            plumb_csp_cursor_go(cursor, plumb_csp_vectors_root(v, number));
        if (!plumb_base_pace_allows(&pace, w->slots))
            return false;
        if (plumb_csp_system_steps(w->system, vector, &w->steps, &err) !=
            PLUMB_OK)
            continue;
        for (uint32_t i = 0; i < w->steps.count; i++) {
            if (!plumb_base_pace_allows(&pace, w->slots))
                return false;
            note_step(w, vector, i);
        }
    }
    return true;
}

/* An array is filled from the left: what comes later goes with it. */
static void guess_the_rest(struct writers *w)
{
    const struct plumb_csp_model *const m = w->system->world->model;
    for (uint32_t i = 0; i < m->variables; i++) {
        const struct plumb_csp_variable *const v = &m->variable[i];
        for (uint32_t k = v->slot + 1; k < v->slot + v->size; k++)
            if (w->of[k] == NOBODY)
                w->guess[k] =
                    w->of[k - 1] == NOBODY ? w->guess[k - 1] : w->of[k - 1];
    }
}

/* Where slots come in the order: by component, those it was seen to write and
 * then those it may; then what several write; then the others. */
static uint32_t rank_of(const struct writers *w, uint32_t slot,
                        uint32_t components)
{
    const bool guessed = w->of[slot] == NOBODY;
    const uint32_t who = guessed ? w->guess[slot] : w->of[slot];
    if (who == NOBODY)
        return 2 * components + 2;
    return 2 * (who < components ? who : components) + guessed;
}

/* `*used` slots have a writer, and come first.  There are no more components
 * than slots. */
static void place_slots(struct writers *w, uint32_t components, uint32_t *order,
                        uint32_t *used)
{
    const uint32_t last = 2 * components + 2;
    memset(w->at, 0, (last + (size_t)2) * sizeof *w->at);
    for (uint32_t i = 0; i < w->slots; i++)
        w->at[rank_of(w, i, components) + 1]++;
    for (uint32_t r = 0; r <= last; r++)
        w->at[r + 1] += w->at[r];
    *used = w->at[last];
    for (uint32_t i = 0; i < w->slots; i++)
        order[w->at[rank_of(w, i, components)]++] = i;
}

static void arrange(struct writers *w, struct plumb_csp_vectors *v,
                    uint32_t known, uint32_t *order)
{
    const uint32_t globals = w->system->globals;
    uint32_t used;
    for (uint32_t i = 0; i < w->slots; i++) {
        w->of[i] = i < globals ? NOBODY : i - globals;
        w->guess[i] = NOBODY;
    }
    if (!look_at_states(w, v, known))
        return;
    guess_the_rest(w);
    place_slots(w, w->slots - globals, order, &used);
    plumb_csp_vectors_arrange(v, order, used);
}

void plumb_csp_arrange_slots(struct plumb_csp_system *s,
                             struct plumb_csp_vectors *v, uint32_t known)
{
    struct plumb_budget *const budget = s->world->budget;
    const size_t slots = s->slots, room = 3 * slots + (2 * slots + 4);
    uint32_t *const order = plumb_base_alloc(budget, room * sizeof *order);
    if (!order)
        return;
    struct writers w = { .system = s,
                         .slots = s->slots,
                         .of = order + slots,
                         .guess = order + 2 * slots,
                         .at = order + 3 * slots };
    arrange(&w, v, known, order);
    PLUMB_RELEASE(budget, order, room);
    plumb_csp_steps_release(&w.steps, budget);
}
