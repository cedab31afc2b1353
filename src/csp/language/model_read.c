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
    struct plumb_csp_model *const m = r->model;
    const uint32_t names = r->names.entry.count, files = r->source.count;
    const char **const name =
        plumb_csp_read_new(r, (names + 1u) * sizeof *name);
    const char **const file = plumb_csp_read_new(r, files * sizeof *file);
    if (!name || !file)
        return false;
    for (uint32_t i = 0; i < names; i++)
        name[i] = r->names.entry.at[i].text;
    for (uint32_t i = 0; i < files; i++) {
        const char *const text = r->source.at[i].name;
        if (!(file[i] = plumb_csp_read_text(r, text, strlen(text))))
            return false;
    }
    m->name = name;
    m->names = names;
    m->file = file;
    m->files = files;
    return true;
}

static void lay_out(struct plumb_csp_read *r)
{
    uint32_t slot = 0;
    for (uint32_t i = 0; i < r->variable.count; i++) {
        r->variable.at[i].slot = slot;
        slot += r->variable.at[i].size;
    }
    for (uint32_t i = 0; i < r->channel.count; i++) {
        r->channel.at[i].slot = slot;
        slot += r->channel.at[i].size;
    }
    r->model->slots = slot;
}

#define TAKE(field, counter)                                                   \
    (r->model->field = PLUMB_LIST_TAKE(r, &r->field),                          \
     r->model->counter = r->field.count)

static bool finish(struct plumb_csp_read *r)
{
    lay_out(r);
    TAKE(variable, variables);
    TAKE(channel, channels);
    TAKE(definition, definitions);
    TAKE(proposition, propositions);
    TAKE(function, functions);
    TAKE(classes, class_count);
    TAKE(class_method, class_methods);
    TAKE(assertion, assertions);
    TAKE(import, imports);
    TAKE(import_place, imports);
    TAKE(warning, warnings);
    return !r->failed && take_names(r);
}

static bool read_all(struct plumb_csp_read *r)
{
    return plumb_csp_scan_model(r) && plumb_csp_read_declarations(r) &&
           plumb_csp_read_settings(r) && plumb_csp_read_variables(r) &&
           plumb_csp_read_bodies(r) && plumb_csp_read_propositions(r) &&
           plumb_csp_resolve_recursion(r) &&
           plumb_csp_resolve_synchronisation(r) && plumb_csp_resolve_names(r) &&
           !r->failed && finish(r);
}

/* Why a text cannot be read, if it is in another language as a whole. */
static void explain(const struct plumb_csp_read *r)
{
    struct plumb_csp_place place = { 0 };
    const char *const language = r->err->status == PLUMB_EINPUT
                                     ? plumb_csp_read_other_language(r, &place)
                                     : NULL;
    if (language)
        plumb_base_fail(r->err, PLUMB_EINPUT, place.line, place.column,
                        "this is %s; plumb reads CSP# "
                        "(docs/modelling-language.md)",
                        language);
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
    if (!well)
        explain(&r);
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

const struct plumb_csp_variable *plumb_csp_model_variable_at(
    const struct plumb_csp_model *model, uint32_t slot)
{
    assert(slot < model->slots);
    for (uint32_t i = 0; i < model->variables; i++) {
        const struct plumb_csp_variable *const v = &model->variable[i];
        if (slot >= v->slot && slot < v->slot + v->size)
            return v;
    }
    return NULL;
}
