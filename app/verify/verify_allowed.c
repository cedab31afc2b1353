/* verify_allowed.c - following a trace in the specification. */
#include "verify_reason.h"

#include "csp/states/object_answers.h"
#include "refine/engines/spec_sets.h"

enum { MOST_TOLD = 8 };

/* Events, each once. */
struct menu {
    uint32_t event[MOST_TOLD], count;
};

static enum plumb_status event_of(struct plumb_refine_judgement *j,
                                  const struct plumb_refine_hop *hop,
                                  uint32_t *event, struct plumb_error *err)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(j->impl.graph, hop->state, err);
    *event = out.status == PLUMB_OK ? out.edge[hop->index].event : PLUMB_TAU;
    return out.status;
}

/* Where the specification can be before the last event. */
static enum plumb_status walk(struct plumb_refine_judgement *j,
                              struct plumb_refine_spec_sets *sets,
                              uint32_t *set, struct plumb_error *err)
{
    enum plumb_status status = plumb_refine_spec_sets_initial(sets, set, err);
    for (uint32_t i = 0; i + 1 < j->length && status == PLUMB_OK; i++) {
        uint32_t event;
        status = event_of(j, &j->path[i], &event, err);
        if (status == PLUMB_OK && event != PLUMB_TAU)
            status = plumb_refine_spec_sets_after(sets, *set, event, set, err);
    }
    return status;
}

static void add_event(struct menu *menu, uint32_t event)
{
    if (event == PLUMB_TAU || menu->count == MOST_TOLD)
        return;
    for (uint32_t i = 0; i < menu->count; i++)
        if (menu->event[i] == event)
            return;
    menu->event[menu->count++] = event;
}

static enum plumb_status gather(struct plumb_refine_spec_sets *sets,
                                uint32_t set, struct menu *menu,
                                struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    uint32_t members;
    const uint32_t *const member =
        plumb_refine_spec_sets_members(sets, set, &members);
    for (uint32_t i = 0; i < members && status == PLUMB_OK; i++) {
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(sets->graph, member[i], err);
        status = out.status;
        for (uint32_t k = 0; k < out.count; k++)
            add_event(menu, out.edge[k].event);
    }
    return status;
}

static void tell(struct plumb_refine_judgement *j, const struct menu *menu,
                 struct plumb_base_text *out)
{
    plumb_base_text_add(out, ";\n  it allows: ");
    for (uint32_t i = 0; i < menu->count; i++) {
        plumb_base_text_add(out, i ? ", " : "");
        plumb_csp_event_numbers_text(j->world.events, menu->event[i], out);
    }
    plumb_base_text_add(out, menu->count == MOST_TOLD ? ", ..."
                             : menu->count            ? ""
                                                      : "nothing");
}

static void add_menu(struct plumb_refine_judgement *j,
                     struct plumb_base_text *out)
{
    struct plumb_refine_spec_sets sets;
    struct plumb_error err;
    struct menu menu = { .count = 0 };
    uint32_t set;
    plumb_refine_spec_sets_init(&sets, j->spec.graph, j->world.budget);
    if (walk(j, &sets, &set, &err) == PLUMB_OK &&
        gather(&sets, set, &menu, &err) == PLUMB_OK)
        tell(j, &menu, out);
    plumb_refine_spec_sets_release(&sets);
}

/* Its answer may have another name. */
static void add_answers(struct plumb_refine_judgement *j, uint32_t event,
                        struct plumb_base_text *out)
{
    struct plumb_base_text answers;
    const int32_t *data;
    uint32_t name, count;
    if (event < PLUMB_FIRST_EVENT ||
        plumb_csp_event_numbers_parts(j->world.events, event, &name, &data,
                                      &count) != PLUMB_EVENT_PLAIN)
        return;
    plumb_base_text_init(&answers, NULL);
    plumb_csp_object_answers(j->model, j->assertion, j->model->name[name],
                             j->world.budget, &answers);
    if (answers.size)
        plumb_base_text_printf(out, "  %s\n", plumb_base_text_string(&answers));
    plumb_base_text_release(&answers);
}

void verify_allowed(struct plumb_refine_judgement *j,
                    struct plumb_base_text *out)
{
    struct plumb_error err;
    uint32_t last;
    if (j->length == 0 ||
        event_of(j, &j->path[j->length - 1], &last, &err) != PLUMB_OK)
        return;
    plumb_base_text_add(out,
                        "  the specification does not allow the last event, ");
    plumb_csp_event_numbers_text(j->world.events, last, out);
    add_menu(j, out);
    plumb_base_text_add(out, "\n");
    add_answers(j, last, out);
}
