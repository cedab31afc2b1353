/* model_read.c - from text to a model: the order of things.
 *
 * What was gathered in lists is copied into the model at the end; a model is
 * whole, or there is none. */
#include "base/fail.h"
#include "base/memory.h"
#include "model_reader.h"

#include <string.h>

/* ---- the model ---- */

static bool take_names(struct plumb_csp_read *r)
{
    const struct plumb_csp_entry *const e = r->names.entry.data;
    const struct plumb_csp_text_source *const s = r->source.data;
    struct plumb_csp_model *const m = r->model;
    const char **const name =
        plumb_csp_read_new(r, (r->names.entry.count + 1u) * sizeof *name);
    const char **const file =
        plumb_csp_read_new(r, r->source.count * sizeof *file);
    if (!name || !file)
        return false;
    for (uint32_t i = 0; i < r->names.entry.count; i++)
        name[i] = e[i].text;
    for (uint32_t i = 0; i < r->source.count; i++)
        if (!(file[i] = plumb_csp_read_text(r, s[i].name, strlen(s[i].name))))
            return false;
    m->name = name;
    m->names = r->names.entry.count;
    m->file = file;
    m->files = r->source.count;
    return true;
}

static void lay_out(struct plumb_csp_read *r)
{
    struct plumb_csp_variable *const v = r->variable.data;
    struct plumb_csp_channel *const c = r->channel.data;
    uint32_t slot = 0;
    for (uint32_t i = 0; i < r->variable.count; i++) {
        v[i].slot = slot;
        slot += v[i].size;
    }
    for (uint32_t i = 0; i < r->channel.count; i++) {
        c[i].slot = slot;
        slot += c[i].size;
    }
    r->model->slots = slot;
}

#define TAKE(field, counter, list)                                             \
    (r->model->field =                                                         \
         plumb_csp_list_take(r, &r->list, sizeof *r->model->field),            \
     r->model->counter = r->list.count)

static bool finish(struct plumb_csp_read *r)
{
    lay_out(r);
    TAKE(variable, variables, variable);
    TAKE(channel, channels, channel);
    TAKE(definition, definitions, definition);
    TAKE(proposition, propositions, proposition);
    TAKE(function, functions, function);
    TAKE(assertion, assertions, assertion);
    TAKE(import, imports, import);
    TAKE(import_place, imports, import_place);
    TAKE(warning, warnings, warning);
    return !r->failed && take_names(r);
}

static bool read_all(struct plumb_csp_read *r)
{
    return plumb_csp_scan_model(r) && plumb_csp_read_declarations(r) &&
           plumb_csp_read_settings(r) && plumb_csp_read_variables(r) &&
           plumb_csp_read_bodies(r) && plumb_csp_read_propositions(r) &&
           plumb_csp_resolve_recursion(r) &&
           plumb_csp_resolve_synchronisation(r) && !r->failed && finish(r);
}

enum plumb_status plumb_csp_model_read(const struct plumb_csp_reading *reading,
                                       struct plumb_csp_model **model,
                                       struct plumb_error *err)
{
    struct plumb_csp_model *const m =
        plumb_base_alloc_zeroed(reading->budget, sizeof *m);
    struct plumb_csp_read r = { .reading = reading, .model = m, .err = err };
    *model = NULL;
    if (!m)
        return plumb_base_fail_memory(err);
    plumb_base_arena_init(&m->arena, reading->budget);
    plumb_base_arena_init(&r.scratch, reading->budget);
    r.arena = &m->arena;
    const bool well = read_all(&r);
    plumb_base_arena_release(&r.scratch);
    if (!well) {
        plumb_csp_model_free(m);
        return err->status;
    }
    *model = m;
    return PLUMB_OK;
}

void plumb_csp_model_free(struct plumb_csp_model *model)
{
    if (!model)
        return;
    struct plumb_budget *const budget = model->arena.budget;
    plumb_base_arena_release(&model->arena);
    plumb_base_release(budget, model, sizeof *model);
}
