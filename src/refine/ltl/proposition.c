/* proposition.c - asking a state, and an edge, what a formula wants to know.
 *
 * An atom that is the name of a #define is a proposition about globals; any
 * other is an event by its text.  Events get their numbers while states are
 * made, so an atom is compared with each number once, when it first comes. */
#include "proposition.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/terms/participants.h"
#include <assert.h>
#include <string.h>

enum plumb_status plumb_refine_propositions_open(
    struct plumb_refine_propositions *p, struct plumb_csp_world *world,
    const struct plumb_csp_system *system,
    struct plumb_csp_numbering *numbering, struct plumb_error *err)
{
    *p = (struct plumb_refine_propositions){ .world = world,
                                             .system = system,
                                             .numbering = numbering,
                                             .slots =
                                                 plumb_csp_system_slots(system),
                                             .state = UINT32_MAX,
                                             .stepped = UINT32_MAX };
    p->vector = plumb_base_alloc(world->budget, p->slots * sizeof *p->vector);
    return p->vector ? PLUMB_OK : plumb_base_fail_memory(err);
}

void plumb_refine_propositions_close(struct plumb_refine_propositions *p)
{
    plumb_csp_steps_release(&p->steps, p->world->budget);
    PLUMB_RELEASE(p->world->budget, p->vector, p->slots);
}

/* The globals come first in a vector; as values they are signed. */
static enum plumb_status value_in(struct plumb_refine_propositions *p,
                                  uint32_t formula, uint32_t state,
                                  int32_t *value, struct plumb_error *err)
{
    if (state != p->state)
        plumb_csp_numbering_vector(p->numbering, state, p->vector);
    p->state = state;
    return plumb_csp_formula_value(p->world->formulas, formula,
                                   (const int32_t *)p->vector, value, err);
}

static enum plumb_status goal_holds(void *context, uint32_t state, bool *yes,
                                    int64_t *value, struct plumb_error *err)
{
    struct plumb_refine_propositions *const p = context;
    int32_t truth, amount = 0;
    enum plumb_status status = value_in(p, p->goal, state, &truth, err);
    if (status == PLUMB_OK && truth && p->optimised != PLUMB_NO_FORMULA)
        status = value_in(p, p->optimised, state, &amount, err);
    *yes = status == PLUMB_OK && truth;
    *value = amount;
    return status;
}

enum plumb_status plumb_refine_propositions_goal(
    struct plumb_refine_propositions *p, const struct plumb_csp_assertion *a,
    struct plumb_refine_goal *goal, struct plumb_error *err)
{
    p->goal = plumb_csp_formula(p->world->formulas, a->goal, NULL);
    p->optimised =
        a->optimised ? plumb_csp_formula(p->world->formulas, a->optimised, NULL)
                     : PLUMB_NO_FORMULA;
    if (p->goal == PLUMB_NO_FORMULA ||
        (a->optimised && p->optimised == PLUMB_NO_FORMULA))
        return plumb_base_fail_memory(err);
    goal->holds = goal_holds;
    goal->context = p;
    return PLUMB_OK;
}

/* ---- formulas ---- */

/* A text that memory did not last for is none to compare with. */
enum plumb_status plumb_refine_propositions_is_event(
    struct plumb_refine_propositions *p, uint32_t atom, uint32_t event,
    bool *yes, struct plumb_error *err)
{
    assert(atom < p->formula->atoms && !p->meaning[atom].proposition);
    struct plumb_refine_atom_meaning *const m = &p->meaning[atom];
    struct plumb_base_text text;
    bool broken = false;
    plumb_base_text_init(&text, p->world->budget);
    while (m->looked <= event && !broken) {
        plumb_base_text_clear(&text);
        plumb_csp_event_numbers_text(p->world->events, m->looked, &text);
        broken = text.broken;
        if (!broken && strcmp(plumb_base_text_string(&text), m->text) == 0)
            m->number = m->looked;
        m->looked += !broken;
    }
    plumb_base_text_release(&text);
    *yes = m->number == event;
    return broken ? plumb_base_fail_memory(err) : PLUMB_OK;
}

static enum plumb_status atom_holds(void *context, uint32_t atom,
                                    uint32_t event, uint32_t state, bool *yes,
                                    struct plumb_error *err)
{
    struct plumb_refine_propositions *const p = context;
    const struct plumb_refine_atom_meaning *const m = &p->meaning[atom];
    int32_t truth = 0;
    if (m->proposition) {
        const enum plumb_status status =
            value_in(p, m->number, state, &truth, err);
        *yes = truth != 0;
        return status;
    }
    *yes = false;
    return event == UINT32_MAX
               ? PLUMB_OK
               : plumb_refine_propositions_is_event(p, atom, event, yes, err);
}

/* A process that is left out could pass for another that is not. */
static enum plumb_status refuse_many(const struct plumb_refine_propositions *p,
                                     const struct plumb_csp_participants *who,
                                     struct plumb_error *err)
{
    return plumb_base_fail(
        err, PLUMB_EINPUT, p->asserted.line, p->asserted.column,
        who->copies
            ? "fairness supports at most %d processes, and copies count by "
              "their states; write ||| i:{0..N-1} @ P() instead of |||{N} @ P()"
            : "fairness supports at most %d processes; this model creates more",
        PLUMB_MOST_PARTICIPANTS);
}

static enum plumb_status edge_actors(void *context, uint32_t state,
                                     uint32_t index, uint64_t *mask,
                                     struct plumb_error *err)
{
    struct plumb_refine_propositions *const p = context;
    if (state != p->stepped) {
        PLUMB_TRY(
            plumb_csp_numbering_steps(p->numbering, state, &p->steps, err));
        p->stepped = state;
    }
    *mask = p->steps.step[index].processes;
    const struct plumb_csp_participants *const who =
        plumb_csp_system_participants(p->system);
    return who->too_many ? refuse_many(p, who, err) : PLUMB_OK;
}

static const struct plumb_csp_proposition *find_proposition(
    const struct plumb_csp_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->propositions; i++)
        if (strcmp(model->proposition[i].name, name) == 0)
            return &model->proposition[i];
    return NULL;
}

/* Some event of the model begins so; else the atom is a slip of the pen. */
static bool is_event_name(const struct plumb_csp_model *model, const char *text)
{
    const size_t length = strcspn(text, ".!?[");
    for (uint32_t i = 0; i < model->names; i++)
        if (strlen(model->name[i]) == length &&
            memcmp(model->name[i], text, length) == 0)
            return true;
    for (uint32_t i = 0; i < model->channels; i++)
        if (strlen(model->channel[i].name) == length &&
            memcmp(model->channel[i].name, text, length) == 0)
            return true;
    return strcmp(text, "tau") == 0 || strcmp(text, "terminate") == 0;
}

static enum plumb_status mean(struct plumb_refine_propositions *p,
                              const struct plumb_refine_ltl_atom *atom,
                              struct plumb_refine_atom_meaning *m,
                              struct plumb_error *err)
{
    const struct plumb_csp_proposition *const found =
        atom->quoted ? NULL : find_proposition(p->world->model, atom->text);
    *m = (struct plumb_refine_atom_meaning){ .proposition = found != NULL,
                                             .number = UINT32_MAX,
                                             .text = atom->text };
    if (!found) {
        if (!is_event_name(p->world->model, atom->text))
            return plumb_base_fail(err, PLUMB_EINPUT, atom->line, atom->column,
                                   "%s is neither an event nor a #define",
                                   atom->text);
        return PLUMB_OK;
    }
    m->number = plumb_csp_formula(p->world->formulas, found->value, NULL);
    return m->number == PLUMB_NO_FORMULA ? plumb_base_fail_memory(err)
                                         : PLUMB_OK;
}

enum plumb_status plumb_refine_propositions_formula(
    struct plumb_refine_propositions *p, const struct plumb_csp_assertion *a,
    struct plumb_base_arena *arena, struct plumb_refine_formula *formula,
    struct plumb_refine_labels *labels, struct plumb_error *err)
{
    enum plumb_status status = plumb_refine_ltl_parse(
        a->formula, strlen(a->formula), a->formula_place.line,
        a->formula_place.column, arena, formula, err);
    if (status != PLUMB_OK)
        return status;
    p->formula = formula;
    p->asserted = a->place;
    p->meaning =
        plumb_base_arena_alloc(arena, p->formula->atoms * sizeof *p->meaning);
    if (!p->meaning)
        return plumb_base_fail_memory(err);
    for (uint32_t i = 0; i < p->formula->atoms && status == PLUMB_OK; i++)
        status = mean(p, &p->formula->atom[i], &p->meaning[i], err);
    *labels =
        (struct plumb_refine_labels){ .context = p,
                                      .holds = atom_holds,
                                      .actors = edge_actors,
                                      .processes = PLUMB_MOST_PARTICIPANTS };
    return status;
}
