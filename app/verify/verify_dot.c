/* verify_dot.c - the states of a model, for Graphviz. */
#include "verify_settings.h"

#include "app/console/output.h"
#include "app/console/say.h"
#include "base/fail.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdio.h>

enum { MOST_STATES = 5000 }; /* more can be drawn, but not looked at */

struct drawing {
    struct plumb_csp_world world;
    struct plumb_refine_side side;
    FILE *to;
    uint32_t *vector, *first; /* of a state, and of the initial one */
    bool *varies;             /* of each global */
};

static void quote(FILE *to, const char *text)
{
    for (; *text; text++)
        fprintf(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void find_varying(struct drawing *d)
{
    const uint32_t globals = plumb_csp_system_globals(d->side.system);
    const uint32_t states = plumb_csp_graph_states(d->side.graph);
    plumb_csp_numbering_vector(d->side.numbering, 0, d->first);
    for (uint32_t s = 1; s < states; s++) {
        plumb_csp_numbering_vector(d->side.numbering, s, d->vector);
        for (uint32_t i = 0; i < globals; i++)
            d->varies[i] |= d->vector[i] != d->first[i];
    }
}

/* A state by its variables and channels; what is the same in all states is left
 * out, so that pictures stay readable. */
static void draw_state(struct drawing *d, uint32_t state)
{
    const uint32_t globals = plumb_csp_system_globals(d->side.system);
    struct plumb_base_text text;
    plumb_csp_numbering_vector(d->side.numbering, state, d->vector);
    plumb_base_text_init(&text, NULL);
    for (uint32_t i = 0; i < globals; i++) {
        if (!d->varies[i])
            continue;
        plumb_base_text_add(&text, text.size ? ", " : "");
        plumb_csp_system_slot_text(d->side.system, i, d->vector[i], &text);
    }
    fprintf(d->to, "  %" PRIu32 " [label=\"%" PRIu32 "%s", state, state,
            text.size ? "\\n" : "");
    quote(d->to, plumb_base_text_string(&text));
    fputs("\"];\n", d->to);
    plumb_base_text_release(&text);
}

static enum plumb_status draw_edges(struct drawing *d, uint32_t state,
                                    struct plumb_error *err)
{
    struct plumb_csp_steps steps = { 0 };
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(d->side.graph, state, err);
    enum plumb_status status = out.status;
    if (status == PLUMB_OK)
        status =
            plumb_csp_numbering_steps(d->side.numbering, state, &steps, err);
    for (uint32_t i = 0; i < out.count && status == PLUMB_OK; i++) {
        const bool hidden = out.edge[i].event == PLUMB_TAU;
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        plumb_csp_event_numbers_text(
            d->world.events, hidden ? steps.step[i].inside : out.edge[i].event,
            &text);
        fprintf(d->to, "  %" PRIu32 " -> %" PRIu32 " [label=\"", state,
                out.edge[i].target);
        quote(d->to, plumb_base_text_string(&text));
        fprintf(d->to, "\"%s];\n", hidden ? ", style=dashed" : "");
        plumb_base_text_release(&text);
    }
    plumb_csp_steps_release(&steps, d->world.budget);
    return status;
}

static enum plumb_status draw(struct drawing *d, struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    find_varying(d);
    fputs("digraph states {\n  node [shape=box, fontname=monospace];\n", d->to);
    for (uint32_t s = 0; s < plumb_csp_graph_states(d->side.graph) && !status;
         s++) {
        draw_state(d, s);
        status = draw_edges(d, s, err);
    }
    fputs("}\n", d->to);
    return status;
}

/* Room for two states. */
static enum plumb_status reserve(struct drawing *d,
                                 struct plumb_base_arena *arena,
                                 struct plumb_error *err)
{
    const size_t slots = plumb_csp_system_slots(d->side.system) + (size_t)1;
    d->vector = plumb_base_arena_alloc(arena, slots * sizeof *d->vector);
    d->first = plumb_base_arena_alloc(arena, slots * sizeof *d->first);
    d->varies = plumb_base_arena_zeroed(arena, slots * sizeof *d->varies);
    return d->vector && d->first && d->varies ? PLUMB_OK
                                              : plumb_base_fail_memory(err);
}

static enum plumb_status make(struct drawing *d,
                              const struct plumb_csp_model *model,
                              const struct plumb_csp_assertion *a,
                              const struct verify_settings *s,
                              struct plumb_budget *budget,
                              struct plumb_error *err)
{
    PLUMB_TRY(plumb_csp_world_open(&d->world, model, s->counting, budget, err));
    PLUMB_TRY(plumb_refine_side_open(&d->side, &d->world, a->process,
                                     PLUMB_REDUCE_NOTHING, false, err));
    return plumb_csp_graph_complete(d->side.graph, MOST_STATES, err);
}

static enum console_status write_picture(struct drawing *d, const char *path)
{
    struct plumb_error err = { 0 };
    struct plumb_base_arena arena;
    struct console_output out;
    if (!console_output_create(&out, path))
        return STATUS_ERROR;
    plumb_base_arena_init(&arena, d->world.budget);
    d->to = out.file;
    enum plumb_status status = reserve(d, &arena, &err);
    if (status == PLUMB_OK)
        status = draw(d, &err);
    plumb_base_arena_release(&arena);
    if (status != PLUMB_OK)
        console_say_error(path, &err);
    return console_output_finish(&out, status == PLUMB_OK) && status == PLUMB_OK
               ? STATUS_HOLDS
               : STATUS_ERROR;
}

enum console_status verify_dot(const struct verify_settings *s,
                               const struct plumb_csp_model *model,
                               struct plumb_budget *budget)
{
    const unsigned long which = s->assertion ? s->assertion - 1 : 0;
    struct drawing d = { .to = NULL };
    struct plumb_error err = { 0 };
    enum console_status status = STATUS_ERROR;
    if (which >= model->assertions) {
        console_say("%s: there is no assertion %lu; --dot draws the process of "
                    "an assertion",
                    s->file, which + 1);
        return STATUS_ERROR;
    }
    const enum plumb_status made =
        make(&d, model, &model->assertion[which], s, budget, &err);
    if (made == PLUMB_OK)
        status = write_picture(&d, s->dot);
    else if (made == PLUMB_END)
        console_say("%s: more than %d states; too many to draw", s->file,
                    MOST_STATES);
    else
        console_say_error(s->file, &err);
    plumb_refine_side_close(&d.side);
    plumb_csp_world_close(&d.world);
    return status;
}
