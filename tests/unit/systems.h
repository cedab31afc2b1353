/* systems.h - a model as text, and the graph of one of its processes as text.
 *
 * The graph is written one edge per line, "0 a.1 2", states in the order they
 * are met, edges as the system gives them. */
#ifndef TESTS_SYSTEMS_H
#define TESTS_SYSTEMS_H

#include "cases.h"

#include "base/text.h"
#include "csp/states/graph.h"
#include "csp/states/system.h"
#include "csp/terms/term_store.h"
#include <string.h>

struct lab {
    struct plumb_csp_model *model;
    struct plumb_csp_world world;
    struct plumb_csp_system *system;
    struct plumb_csp_numbering *states;
    struct plumb_csp_graph *graph;
    uint32_t processes; /* in the beginning, if they are counted */
    struct plumb_error err;
};

struct lab_options {
    enum plumb_csp_counting counting;
    enum plumb_csp_reduction reduction;
    uint32_t farthest; /* 0: as it is; else how far moves are looked for */
    uint32_t assertion;
    bool specification; /* the right side of the assertion */
    bool legacy;
    const struct plumb_csp_setting *setting;
    size_t settings;
    struct plumb_budget *budget; /* of all but the reading */
    uint32_t most;               /* states; PLUMB_END if there are more */
    const struct plumb_csp_native *native; /* who compiles, or NULL */
    struct plumb_csp_threading threading;
    bool processes; /* are counted, for fairness */
};

/* The event a text stands for; UINT32_MAX if none like it was ever numbered. */
static inline uint32_t event_called(
    const struct plumb_csp_event_numbers *events, const char *text)
{
    struct plumb_base_text name;
    uint32_t found = UINT32_MAX;
    plumb_base_text_init(&name, NULL);
    const uint32_t count = plumb_csp_event_numbers_count(events);
    for (uint32_t e = 0; e < count && found == UINT32_MAX; e++) {
        plumb_base_text_clear(&name);
        plumb_csp_event_numbers_text(events, e, &name);
        if (strcmp(plumb_base_text_string(&name), text) == 0)
            found = e;
    }
    plumb_base_text_release(&name);
    return found;
}

/* Up to the whole graph; what went wrong is in lab->err. */
static inline enum plumb_status lab_open(struct lab *lab, const char *text,
                                         const struct lab_options *o)
{
    *lab = (struct lab){ 0 };
    const struct plumb_csp_reading reading = { .name = "model.csp",
                                               .text = text,
                                               .size = strlen(text),
                                               .setting = o->setting,
                                               .settings = o->settings,
                                               .legacy = o->legacy };
    enum plumb_status status =
        plumb_csp_model_read(&reading, &lab->model, &lab->err);
    if (status)
        return status;
    const struct plumb_csp_assertion *const a =
        &lab->model->assertion[o->assertion];
    status = plumb_csp_world_open(&lab->world, lab->model, o->counting,
                                  o->budget, &lab->err);
    lab->world.native = o->native;
    lab->world.threading = o->threading;
    if (!status && o->farthest)
        lab->world.terms->farthest = o->farthest;
    if (!status)
        status = plumb_csp_system_open(
            &lab->system, &lab->world,
            o->specification ? a->specification : a->process, &lab->err);
    if (!status && o->processes)
        status = plumb_csp_system_count_processes(lab->system, &lab->processes,
                                                  &lab->err);
    if (!status)
        status = plumb_csp_numbering_open(&lab->states, lab->system,
                                          o->reduction, &lab->err);
    if (status)
        return status;
    const struct plumb_csp_graph_source source =
        plumb_csp_numbering_source(lab->states);
    status = plumb_csp_graph_open(&lab->graph, &source, o->budget, &lab->err);
    if (!status)
        status = plumb_csp_graph_complete(lab->graph, o->most, &lab->err);
    return status;
}

static inline void lab_close(struct lab *lab)
{
    plumb_csp_graph_free(lab->graph);
    plumb_csp_numbering_free(lab->states);
    plumb_csp_system_free(lab->system);
    plumb_csp_world_close(&lab->world);
    plumb_csp_model_free(lab->model);
}

static inline void write_graph(struct lab *lab, struct plumb_base_text *out)
{
    for (uint32_t s = 0; s < plumb_csp_graph_states(lab->graph); s++) {
        const struct plumb_csp_outgoing edges =
            plumb_csp_graph_edges(lab->graph, s, &lab->err);
        assert_int_equal(edges.status, PLUMB_OK);
        for (uint32_t i = 0; i < edges.count; i++) {
            const struct plumb_csp_edge edge = edges.edge[i];
            plumb_base_text_printf(out, "%u ", (unsigned)s);
            plumb_csp_event_numbers_text(lab->world.events, edge.event, out);
            plumb_base_text_printf(out, " %u\n", (unsigned)edge.target);
        }
    }
}

/* The graph of the first assertion's process is exactly this. */
static inline void expect_graph_by(const char *text, const char *wanted,
                                   const struct lab_options *o)
{
    struct lab lab;
    struct plumb_base_text got;
    if (lab_open(&lab, text, o))
        fail_msg("%s: %lu:%lu: %s", text, (unsigned long)lab.err.line,
                 (unsigned long)lab.err.column, lab.err.message);
    plumb_base_text_init(&got, NULL);
    write_graph(&lab, &got);
    assert_string_equal(plumb_base_text_string(&got), wanted);
    plumb_base_text_release(&got);
    lab_close(&lab);
}

static inline void expect_graph(const char *text, const char *wanted)
{
    expect_graph_by(text, wanted, &(struct lab_options){ 0 });
}

/* 0 edges: any number of them. */
static inline void expect_counts(const char *text, const struct lab_options *o,
                                 uint32_t states, uint64_t edges)
{
    struct lab lab;
    if (lab_open(&lab, text, o))
        fail_msg("%s: %lu:%lu: %s", text, (unsigned long)lab.err.line,
                 (unsigned long)lab.err.column, lab.err.message);
    assert_int_equal(plumb_csp_graph_states(lab.graph), states);
    if (edges)
        assert_int_equal(plumb_csp_graph_edge_count(lab.graph), edges);
    lab_close(&lab);
}

#endif
