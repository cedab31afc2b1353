/* system.c - a process as a machine that goes from state to state. */
#include "system.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/terms/participants.h"
#include "csp/terms/term_build.h"
#include "system_shape.h"
#include <assert.h>
#include <string.h>

/* ---- opening ---- */

static void put_initial_globals(struct plumb_csp_system *s)
{
    const struct plumb_csp_model *const m = s->world->model;
    memset(s->initial, 0, s->slots * sizeof *s->initial);
    for (uint32_t i = 0; i < m->variables; i++) {
        const struct plumb_csp_variable *const v = &m->variable[i];
        for (uint32_t e = 0; e < v->size; e++)
            s->initial[v->slot + e] = (uint32_t)v->initial[e];
    }
}

static enum plumb_status put_initial_terms(struct plumb_csp_system *s,
                                           struct plumb_error *err)
{
    for (uint32_t i = 0; i < s->components; i++) {
        const uint32_t term = plumb_csp_term_normal(
            s->world->terms, s->component[i].written, err);
        if (term == PLUMB_NO_TERM)
            return err->status;
        s->initial[s->globals + i] = term;
    }
    return PLUMB_OK;
}

static enum plumb_status set_up(struct plumb_csp_system *s, uint32_t written,
                                struct plumb_error *err)
{
    PLUMB_TRY(plumb_csp_system_find_shape(s, written, err));
    s->slots = s->globals + s->components;
    s->initial =
        plumb_base_arena_alloc(&s->arena, s->slots * sizeof *s->initial);
    if (!s->initial)
        return plumb_base_fail_memory(err);
    put_initial_globals(s);
    const enum plumb_status status = put_initial_terms(s, err);
    if (s->top->kind != PLUMB_SHAPE_COMPONENT &&
        s->world->counting == PLUMB_COUNT_PAT2 &&
        plumb_csp_term_node(s->world->terms, written)->operation ==
            PLUMB_TERM_REFERENCE)
        s->whole = written;
    return status;
}

enum plumb_status plumb_csp_system_open(struct plumb_csp_system **out,
                                        struct plumb_csp_world *world,
                                        const struct plumb_csp_process *process,
                                        struct plumb_error *err)
{
    assert(process->kind == PLUMB_REFERENCE); /* so it has no locals */
    struct plumb_csp_system *const s =
        plumb_base_alloc_zeroed(world->budget, sizeof *s);
    if (!s)
        return plumb_base_fail_memory(err);
    s->world = world;
    s->globals = world->model->slots;
    s->whole = PLUMB_NO_TERM;
    plumb_base_arena_init(&s->arena, world->budget);
    world->terms->nesting = 0;
    const uint32_t written =
        plumb_csp_term_build(world->terms, process, NULL, 0, err);
    enum plumb_status status =
        written == PLUMB_NO_TERM ? err->status : set_up(s, written, err);
    if (!status)
        status = plumb_csp_process_counts_many(
            world->model, process, world->budget, &s->abstract, err);
    if (status)
        plumb_csp_system_free(s);
    else
        *out = s;
    return status;
}

void plumb_csp_system_free(struct plumb_csp_system *s)
{
    if (!s)
        return;
    struct plumb_budget *const budget = s->world->budget;
    plumb_csp_steps_release(&s->own, budget);
    PLUMB_RELEASE(budget, s->component, s->component_capacity);
    plumb_base_arena_release(&s->arena);
    plumb_base_release(budget, s, sizeof *s);
}

/* ---- what it is ---- */

uint32_t plumb_csp_system_slots(const struct plumb_csp_system *s)
{
    return s->slots;
}

uint32_t plumb_csp_system_globals(const struct plumb_csp_system *s)
{
    return s->globals;
}

uint32_t plumb_csp_system_components(const struct plumb_csp_system *s)
{
    return s->components;
}

bool plumb_csp_system_is_abstract(const struct plumb_csp_system *s)
{
    return s->abstract;
}

/* A process that is one component may become a composition later. */
enum plumb_status plumb_csp_system_count_processes(struct plumb_csp_system *s,
                                                   uint32_t *places,
                                                   struct plumb_error *err)
{
    struct plumb_csp_terms *const t = s->world->terms;
    s->who = plumb_base_arena_zeroed(&s->arena, sizeof *s->who);
    if (!s->who)
        return plumb_base_fail_memory(err);
    t->one_by_one = true;
    t->nesting = 0;
    *places = 0;
    for (uint32_t i = 0; i < s->components; i++) {
        struct plumb_csp_component *const c = &s->component[i];
        const uint32_t term = s->initial[s->globals + i];
        const uint32_t here = plumb_csp_participants_places(t, term, err);
        if (!here)
            return err->status;
        bool failed;
        c->place = *places;
        c->several = plumb_csp_participants_are_in(t, term, &failed, err) ||
                     s->components == 1;
        if (failed)
            return err->status;
        *places += here;
    }
    return PLUMB_OK;
}

bool plumb_csp_system_has_split(const struct plumb_csp_system *s)
{
    return s->world->terms->split;
}

const struct plumb_csp_participants *plumb_csp_system_participants(
    const struct plumb_csp_system *s)
{
    return s->who;
}

/* The reference to the whole, as a state: it is nowhere else, because no
 * component is finished while another is not. */
static bool is_whole(const struct plumb_csp_system *s, const uint32_t *state)
{
    if (s->whole == PLUMB_NO_TERM || state[s->globals] != s->whole)
        return false;
    for (uint32_t i = 1; i < s->components; i++)
        if (state[s->globals + i] != PLUMB_FINISHED)
            return false;
    return true;
}

void plumb_csp_system_initial(const struct plumb_csp_system *s, uint32_t *state)
{
    memcpy(state, s->initial, s->slots * sizeof *state);
    if (s->whole == PLUMB_NO_TERM)
        return;
    for (uint32_t i = 0; i < s->components; i++)
        state[s->globals + i] = PLUMB_FINISHED;
    state[s->globals] = s->whole;
}

/* ---- steps ---- */

/* Half a step is none; what is inside atomic { } goes first. */
static void choose(struct plumb_csp_steps *steps)
{
    bool atomic = false;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < steps->count; k++)
        atomic |= steps->step[k].atomic && !steps->step[k].half;
    for (uint32_t k = 0; k < steps->count; k++)
        if (!steps->step[k].half && (!atomic || steps->step[k].atomic))
            steps->step[kept++] = steps->step[k];
    steps->count = kept;
}

enum plumb_status plumb_csp_system_steps(struct plumb_csp_system *s,
                                         const uint32_t *state,
                                         struct plumb_csp_steps *steps,
                                         struct plumb_error *err)
{
    plumb_csp_steps_clear(steps);
    const uint32_t *const from = is_whole(s, state) ? s->initial : state;
    struct plumb_csp_stepping g = { .t = s->world->terms,
                                    .before = from,
                                    .base = from,
                                    .steps = steps,
                                    .err = err,
                                    .who = s->who };
    g.t->nesting = 0;
    const enum plumb_status status = plumb_csp_shape_go(s, s->top, &g);
    choose(steps);
    return status;
}

/* ---- texts ---- */

void plumb_csp_system_component_text(const struct plumb_csp_system *s,
                                     uint32_t component,
                                     struct plumb_base_text *out)
{
    plumb_csp_term_text(s->world->terms, s->component[component].written, out);
}

void plumb_csp_system_term_text(const struct plumb_csp_system *s, uint32_t term,
                                struct plumb_base_text *out)
{
    plumb_csp_term_text(s->world->terms, term, out);
}

static void write_message(const int32_t *value, uint32_t count,
                          struct plumb_base_text *out)
{
    for (uint32_t i = 0; i < count; i++)
        plumb_base_text_printf(out, "%s%d", i ? "." : "", (int)value[i]);
}

static void write_content(const struct plumb_csp_system *s, uint32_t sequence,
                          struct plumb_base_text *out)
{
    struct plumb_csp_sequences *const q = s->world->sequences;
    const uint32_t length = plumb_csp_sequence_length(q, sequence);
    plumb_base_text_add(out, "<");
    for (uint32_t i = 0; i < length; i++) {
        uint32_t count;
        const int32_t *const value =
            plumb_csp_sequence_message(q, sequence, i, &count);
        plumb_base_text_add(out, i ? ", " : "");
        write_message(value, count, out);
    }
    plumb_base_text_add(out, ">");
}

static void write_channel_name(const struct plumb_csp_system *s, uint32_t slot,
                               struct plumb_base_text *out)
{
    const struct plumb_csp_model *const m = s->world->model;
    for (uint32_t i = 0; i < m->channels; i++) {
        const struct plumb_csp_channel *const c = &m->channel[i];
        if (slot < c->slot || slot >= c->slot + c->size)
            continue;
        plumb_base_text_add(out, c->name);
        if (c->array)
            plumb_base_text_printf(out, "[%u]", (unsigned)(slot - c->slot));
    }
}

void plumb_csp_system_slot_name(const struct plumb_csp_system *s, uint32_t slot,
                                struct plumb_base_text *out)
{
    const struct plumb_csp_variable *const v =
        slot < s->globals ? plumb_csp_model_variable_at(s->world->model, slot)
                          : NULL;
    if (slot >= s->globals)
        plumb_csp_system_component_text(s, slot - s->globals, out);
    else if (v)
        plumb_csp_element_text(v, slot - v->slot, out);
    else
        write_channel_name(s, slot, out);
}

int64_t plumb_csp_system_slot_size(const struct plumb_csp_system *s,
                                   uint32_t slot, uint32_t value)
{
    if (slot >= s->globals)
        return value;
    const struct plumb_csp_variable *const v =
        plumb_csp_model_variable_at(s->world->model, slot);
    if (!v)
        return plumb_csp_sequence_length(s->world->sequences, value);
    if (v->collection)
        return plumb_csp_collection_size(s->world->formulas, value);
    return (int32_t)value;
}

bool plumb_csp_system_slot_passes(const struct plumb_csp_system *s,
                                  uint32_t slot)
{
    const struct plumb_csp_variable *const v =
        plumb_csp_model_variable_at(s->world->model, slot);
    return v && v->passing;
}

/* "x = 3", "a[2][1] = 0", "c = <1.2, 3.4>"; of a component: its term. */
void plumb_csp_system_slot_text(const struct plumb_csp_system *s, uint32_t slot,
                                uint32_t value, struct plumb_base_text *out)
{
    if (slot >= s->globals) {
        plumb_csp_term_text(s->world->terms, value, out);
        return;
    }
    const struct plumb_csp_variable *const v =
        plumb_csp_model_variable_at(s->world->model, slot);
    plumb_csp_system_slot_name(s, slot, out);
    plumb_base_text_add(out, " = ");
    if (!v)
        write_content(s, value, out);
    else if (v->collection)
        plumb_csp_collection_text(s->world->formulas, v, value, out);
    else if (v->boolean)
        plumb_base_text_add(out, value ? "true" : "false");
    else
        plumb_base_text_printf(out, "%d", (int)(int32_t)value);
}
