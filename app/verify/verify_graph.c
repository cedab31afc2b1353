/* verify_graph.c - the states of a small model, for reports.
 *
 * They are made a second time, without reductions, as `--dot` does: what was
 * searched may have been a part of them. */
#include "verify_settings.h"

#include "base/text.h"
#include "report/json.h"

enum { MOST_STATES = 200 };

struct picture {
    struct plumb_csp_world world;
    struct plumb_refine_side side;
    struct plumb_base_arena arena;
    uint32_t *vector, *first;
    bool *varies; /* of each global: it is not the same in all states */
    struct plumb_base_text *out;
};

static bool make(struct picture *p, const struct verify_settings *s,
                 const struct plumb_csp_model *model,
                 const struct plumb_csp_assertion *a,
                 struct plumb_budget *budget)
{
    struct plumb_error err;
    if (plumb_csp_world_open(&p->world, model, s->counting, budget, &err) !=
            PLUMB_OK ||
        plumb_refine_side_open(&p->side, &p->world, a->process,
                               PLUMB_REDUCE_NOTHING, false, &err) != PLUMB_OK ||
        plumb_csp_graph_complete(p->side.graph, MOST_STATES, &err) != PLUMB_OK)
        return false;
    const size_t slots = plumb_csp_system_slots(p->side.system) + (size_t)1;
    p->vector = plumb_base_arena_alloc(&p->arena, slots * sizeof *p->vector);
    p->first = plumb_base_arena_alloc(&p->arena, slots * sizeof *p->first);
    p->varies = plumb_base_arena_zeroed(&p->arena, slots * sizeof *p->varies);
    return p->vector && p->first && p->varies;
}

static void find_varying(struct picture *p)
{
    const uint32_t globals = plumb_csp_system_globals(p->side.system);
    const uint32_t states = plumb_csp_graph_states(p->side.graph);
    plumb_csp_numbering_vector(p->side.numbering, 0, p->first);
    for (uint32_t s = 1; s < states; s++) {
        plumb_csp_numbering_vector(p->side.numbering, s, p->vector);
        for (uint32_t i = 0; i < globals; i++)
            p->varies[i] |= p->vector[i] != p->first[i];
    }
}

/* By its variables, but those that are the same in all states. */
static void add_state(struct picture *p, uint32_t state)
{
    const uint32_t globals = plumb_csp_system_globals(p->side.system);
    struct plumb_base_text text = { 0 };
    plumb_csp_numbering_vector(p->side.numbering, state, p->vector);
    for (uint32_t i = 0; i < globals; i++) {
        if (!p->varies[i])
            continue;
        plumb_base_text_add(&text, text.size ? ", " : "");
        plumb_csp_system_slot_text(p->side.system, i, p->vector[i], &text);
    }
    plumb_base_text_add(p->out, state ? "," : "");
    plumb_report_json_string(plumb_base_text_string(&text), text.size, p->out);
    p->out->broken |= text.broken;
    plumb_base_text_release(&text);
}

static void add_edge(struct picture *p, uint32_t state,
                     const struct plumb_csp_edge *edge, uint32_t event)
{
    struct plumb_base_text text = { 0 };
    plumb_csp_event_numbers_text(p->world.events, event, &text);
    plumb_report_json_open('{', p->out);
    plumb_report_json_number("from", state, p->out);
    plumb_report_json_number("to", edge->target, p->out);
    plumb_report_json_text("event", plumb_base_text_string(&text), p->out);
    plumb_report_json_bool("hidden", edge->event == PLUMB_TAU, p->out);
    plumb_base_text_add(p->out, "}");
    p->out->broken |= text.broken;
    plumb_base_text_release(&text);
}

static bool add_edges(struct picture *p, uint32_t state)
{
    struct plumb_csp_steps steps = { 0 };
    struct plumb_error err;
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(p->side.graph, state, &err);
    const bool known = out.status == PLUMB_OK &&
                       plumb_csp_numbering_steps(p->side.numbering, state,
                                                 &steps, &err) == PLUMB_OK;
    for (uint32_t i = 0; known && i < out.count; i++)
        add_edge(p, state, out.edge + i,
                 out.edge[i].event == PLUMB_TAU ? steps.step[i].inside
                                                : out.edge[i].event);
    plumb_csp_steps_release(&steps, p->world.budget);
    return known;
}

static bool draw(struct picture *p)
{
    const uint32_t states = plumb_csp_graph_states(p->side.graph);
    bool known = true;
    find_varying(p);
    plumb_base_text_add(p->out, ",\"graph\":{\"states\":[");
    for (uint32_t s = 0; s < states; s++)
        add_state(p, s);
    plumb_base_text_add(p->out, "],\"edges\":[");
    for (uint32_t s = 0; s < states && known; s++)
        known = add_edges(p, s);
    plumb_base_text_add(p->out, "]}");
    return known;
}

void verify_graph_json(const struct verify_settings *s,
                       const struct plumb_csp_model *model,
                       const struct plumb_csp_assertion *assertion,
                       struct plumb_base_text *out)
{
    enum { SECONDS = 2, MEMORY = 64 << 20 };
    struct plumb_budget *const budget =
        plumb_budget_new(SECONDS * 1000, MEMORY);
    struct picture p = { .out = out };
    if (!budget)
        return;
    plumb_base_arena_init(&p.arena, budget);
    if (!make(&p, s, model, assertion, budget) || !draw(&p))
        plumb_base_text_clear(out);
    plumb_base_arena_release(&p.arena);
    plumb_refine_side_close(&p.side);
    plumb_csp_world_close(&p.world);
    plumb_budget_free(budget);
}
