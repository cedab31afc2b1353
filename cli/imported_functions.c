/* imported_functions.c - C functions for models.
 *
 * An import stays loaded: its functions are called until the program ends. */
#include "imported_functions.h"

#include "base/text.h"
#include "plugin.h"
#include "say.h"
#include <dlfcn.h>
#include <string.h>

static bool is_bound(const struct plumb_function_use *f)
{
    return f->function || f->foreign;
}

static bool all_bound(const struct plumb_model *model)
{
    for (uint32_t i = 0; i < model->functions; i++)
        if (!is_bound(&model->function[i]))
            return false;
    return true;
}

/* PAT's own libraries are C#: what models use of them is built in. */
static bool is_pats(const char *import)
{
    return strncmp(import, "PAT.", 4) == 0;
}

static void *load(const char *file)
{
    struct plugin p;
    void *handle = NULL;
    if (!plugin_build(&p, file))
        return NULL;
    handle = dlopen(p.object, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        say("%s: %s", file, dlerror());
    plugin_release(&p);
    return handle;
}

static void bind_from(struct plumb_model *model, void *handle)
{
    for (uint32_t i = 0; i < model->functions; i++) {
        struct plumb_function_use *const f = &model->function[i];
        void *const symbol = is_bound(f) ? NULL : dlsym(handle, f->name);
        if (symbol)
            memcpy(&f->foreign, &symbol, sizeof symbol);
    }
}

static bool import_file(struct plumb_model *model, const char *import,
                        const char *path)
{
    const char *const slash = strrchr(path, '/');
    struct plumb_text beside;
    void *handle = NULL;
    plumb_text_init(&beside, NULL);
    if (slash && *import != '/')
        plumb_text_bytes(&beside, path, (size_t)(slash - path) + 1);
    else if (!strchr(import, '/'))
        plumb_text_add(&beside, "./");
    plumb_text_add(&beside, import);
    if (!beside.broken)
        handle = load(plumb_text_string(&beside));
    plumb_text_release(&beside);
    if (handle)
        bind_from(model, handle);
    return handle != NULL;
}

static bool say_unbound(const struct plumb_model *model)
{
    for (uint32_t i = 0; i < model->functions; i++) {
        const struct plumb_function_use *const f = &model->function[i];
        if (!is_bound(f))
            say("%s:%u:%u: no import has a function %s",
                model->file[f->place.file], (unsigned)f->place.line,
                (unsigned)f->place.column, f->name);
    }
    return false;
}

bool imported_functions_bind(struct plumb_model *model, const char *path)
{
    for (uint32_t i = 0; i < model->imports && !all_bound(model); i++)
        if (!is_pats(model->import[i]) &&
            !import_file(model, model->import[i], path))
            return false;
    return all_bound(model) || say_unbound(model);
}
