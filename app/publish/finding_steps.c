/* finding_steps.c - the steps of a finding, of an execution or of a model, and
 * what is worth knowing about it. */
#include "finding_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum finding_step_kind kind_of(const char *name)
{
    static const struct {
        const char *name;
        enum finding_step_kind kind;
    } kinds[] = { { "call", FINDING_CALL },
                  { "answer", FINDING_ANSWER },
                  { "switch", FINDING_SWITCH },
                  { "left out", FINDING_FOLD },
                  { "fault", FINDING_FAULT } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    return FINDING_EVENT;
}

/* "queue.c:44": the name is what is before the line. */
static const char *name_of_place(struct finding_reading *r, const char *place)
{
    const char *const colon = strrchr(place, ':');
    if (!colon)
        return place;
    plumb_base_text_bytes(&r->scratch, place, (size_t)(colon - place));
    return finding_take(r);
}

static void read_callers(struct finding_reading *r, struct finding_step *s,
                         const struct publish_json *v)
{
    const struct publish_json *const list = publish_json_get(v, "callers");
    const char **const caller =
        finding_room(r, publish_json_count(list), sizeof *caller);
    if (!caller)
        return;
    for (const struct publish_json *c = publish_json_first(list); c;
         c = c->next)
        caller[s->callers++] = c->text;
    s->caller = caller;
}

static struct finding_step execution_step(struct finding_reading *r,
                                          const struct publish_json *v)
{
    const char *const place = publish_json_text(v, "place");
    const char *const colon = strrchr(place, ':');
    struct finding_step s = {
        .kind = kind_of(publish_json_text(v, "kind")),
        .number = (uint32_t)publish_json_number(v, "step", FINDING_NONE),
        .thread = finding_thread(r, publish_json_text(v, "thread")),
        .depth = (unsigned)publish_json_number(v, "depth", 0),
        .text = publish_json_text(v, "text"),
    };
    s.place = (struct finding_place){
        .name = name_of_place(r, place),
        .absolute = publish_json_text(v, "file"),
        .function = publish_json_text(v, "function"),
        .line = colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0,
    };
    read_callers(r, &s, v);
    return s;
}

static const struct finding_assignment *read_assignments(
    struct finding_reading *r, const struct publish_json *list, bool same,
    const struct finding_assignment *before, size_t *count)
{
    struct finding_assignment *const all =
        finding_room(r, *count + publish_json_count(list), sizeof *all);
    if (!all)
        return NULL;
    for (size_t i = 0; i < *count; i++)
        all[i] = before[i];
    for (const struct publish_json *v = publish_json_first(list); v;
         v = v->next)
        all[(*count)++] =
            (struct finding_assignment){ publish_json_text(v, "name"),
                                         publish_json_text(v, "value"), same };
    return all;
}

/* The name of a process, if no other has it. */
static const char *name_of_process(struct finding_reading *r,
                                   const struct publish_json *names,
                                   uint64_t process)
{
    const char *name = NULL;
    uint64_t number = 0, same = 0;
    for (const struct publish_json *v = publish_json_first(names); v;
         v = v->next, number++)
        if (number == process)
            name = v->text;
    for (const struct publish_json *v = publish_json_first(names); name && v;
         v = v->next)
        same += strcmp(v->text, name) == 0;
    if (same == 1)
        return name;
    plumb_base_text_printf(&r->scratch, "process %u", (unsigned)process);
    return finding_take(r);
}

static struct finding_step model_step(struct finding_reading *r,
                                      const struct publish_json *names,
                                      const struct publish_json *v,
                                      uint32_t number)
{
    const uint64_t process = publish_json_number(v, "process", 0);
    struct finding_step s = {
        .number = number,
        .thread = finding_thread(r, name_of_process(r, names, process)),
        .text = publish_json_text(v, "event"),
        .hidden = publish_json_is_true(v, "hidden"),
        .place = { .name = r->f->file.name,
                   .absolute = r->f->file.absolute,
                   .function = "",
                   .line = (unsigned)publish_json_number(v, "line", 0) },
    };
    s.assignment = read_assignments(r, publish_json_get(v, "assigns"), false,
                                    NULL, &s.assignments);
    return s;
}

/* ---- the state graph of a model ---- */

static void read_graph(struct finding_reading *r,
                       const struct publish_json *graph)
{
    struct finding *const f = r->f;
    const struct publish_json *const states = publish_json_get(graph, "states");
    const struct publish_json *const edges = publish_json_get(graph, "edges");
    const char **const state =
        finding_room(r, publish_json_count(states), sizeof *state);
    struct finding_edge *const edge =
        finding_room(r, publish_json_count(edges), sizeof *edge);
    if (!state || !edge)
        return;
    for (const struct publish_json *v = publish_json_first(states); v;
         v = v->next)
        state[f->states++] = v->text;
    for (const struct publish_json *v = publish_json_first(edges); v;
         v = v->next) {
        const struct finding_edge e = {
            .from = (uint32_t)publish_json_number(v, "from", FINDING_NONE),
            .to = (uint32_t)publish_json_number(v, "to", FINDING_NONE),
            .event = publish_json_text(v, "event"),
            .hidden = publish_json_is_true(v, "hidden"),
        };
        if (e.from < f->states && e.to < f->states)
            edge[f->edges++] = e;
    }
    f->state = state;
    f->edge = edge;
}

/* ---- lines that ran ---- */

static void read_coverage(struct finding_reading *r,
                          const struct publish_json *list)
{
    struct finding_covered *const all =
        finding_room(r, publish_json_count(list), sizeof *all);
    size_t count = 0;
    if (!all)
        return;
    for (const struct publish_json *v = publish_json_first(list); v;
         v = v->next)
        all[count++] = (struct finding_covered){
            .place = { .name = publish_json_text(v, "path"),
                       .absolute = publish_json_text(v, "file"),
                       .function = publish_json_text(v, "function"),
                       .line = (unsigned)publish_json_number(v, "line", 0) },
            .concurrent = publish_json_is_true(v, "concurrent"),
        };
    r->f->covered = all;
    r->f->covereds = count;
}

void finding_read_steps(struct finding_reading *r,
                        const struct publish_json *result)
{
    struct finding *const f = r->f;
    const struct publish_json *const rows =
        publish_json_get(result, "interleaving");
    const struct publish_json *const way = publish_json_get(result, "steps");
    const struct publish_json *const names =
        publish_json_get(result, "components");
    const bool model = !rows && publish_json_is(way, JSON_LIST);
    const struct publish_json *const list = model ? way : rows;
    struct finding_step *const step =
        finding_room(r, publish_json_count(list), sizeof *step);
    if (!step)
        return;
    for (const struct publish_json *v = publish_json_first(list); v;
         v = v->next) {
        step[f->steps] = model ? model_step(r, names, v, (uint32_t)f->steps + 1)
                               : execution_step(r, v);
        f->steps++;
    }
    f->step = step;
    if (model)
        f->cycle = (uint32_t)publish_json_number(result, "cycle", FINDING_NONE);
    f->first = read_assignments(r, publish_json_get(result, "initial"), false,
                                NULL, &f->firsts);
    read_graph(r, publish_json_get(result, "graph"));
    read_coverage(r, publish_json_get(result, "coverage"));
}

/* ---- facts ---- */

/* "a | b" of [["a","b"],...] */
static const char *pairs_text(struct finding_reading *r,
                              const struct publish_json *list)
{
    bool any = false;
    for (const struct publish_json *p = publish_json_first(list); p;
         p = p->next) {
        const struct publish_json *const a = publish_json_first(p);
        if (!a || !a->next)
            continue;
        plumb_base_text_printf(&r->scratch, "%s%s and %s", any ? ", " : "",
                               a->text, a->next->text);
        any = true;
    }
    return finding_take(r);
}

static const char *fact_text(struct finding_reading *r,
                             const struct publish_json *v)
{
    if (!v)
        return "";
    if (v->type == JSON_LIST)
        return pairs_text(r, v);
    return v->type == JSON_OBJECT || v->type == JSON_NULL ? "" : v->text;
}

void finding_read_facts(struct finding_reading *r,
                        const struct publish_json *result)
{
    static const struct {
        const char *key, *name;
    } keys[] = {
        { "spec", "specification" },
        { "algorithm", "decided by" },
        { "init", "operations before" },
        { "test", "test" },
        { "final", "operations after" },
        { "operations", "operations" },
        { "threads", "threads" },
        { "ops", "operations per thread" },
        { "preemptions", "preemptions" },
        { "scenarios", "tests" },
        { "executions", "schedules" },
        { "states", "states" },
        { "transitions", "transitions" },
        { "histories", "histories" },
        { "histories_run_to_the_end", "histories run to the end" },
        { "failed_swaps", "failed compare-and-swaps" },
        { "places", "places in the code" },
        { "places_run_alone", "places only ever run alone" },
        { "overlapped", "overlapped" },
        { "never_overlapped", "never overlapped" },
        { "stuck", "waited for ever" },
        { "complete", "complete" },
        { "ended", "ended early" },
        { "memory", "memory" },
        { "events", "events" },
        { "decided", "events without violation" },
        { "value", "best value" },
        { "formula", "formula" },
        { "never_happens", "never happens" },
        { "seed", "seed" },
    };
    enum { COUNT = sizeof keys / sizeof *keys };
    struct finding_fact *const fact = finding_room(r, COUNT, sizeof *fact);
    if (!fact)
        return;
    for (size_t i = 0; i < COUNT; i++) {
        const char *const text =
            fact_text(r, publish_json_get(result, keys[i].key));
        if (text[0])
            fact[r->f->facts++] = (struct finding_fact){ keys[i].name, text };
    }
    r->f->fact = fact;
}
