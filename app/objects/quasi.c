/* quasi.c - see quasi.h. */
#include "quasi.h"

#include "base/fail.h"
#include "base/text.h"
#include "spec/names.h"
#include "spec/spec.h"
#include <string.h>

static const char PARAMETER[] = "k";

bool objects_quasi_take(const struct console_options *o,
                        const struct console_option *row, const char *value,
                        void *settings)
{
    struct objects_quasi *const q =
        (struct objects_quasi *)(void *)((char *)settings + row->to.at);
    uint64_t k = 0;
    q->given = true;
    q->automatic = row->to.words && strcmp(row->to.words[0], value) == 0;
    if (!q->automatic && !console_option_number(o, row, value, &k))
        return false;
    q->k = (unsigned)k;
    return true;
}

static bool find_parameter(const struct plumb_spec *spec, unsigned *i)
{
    for (*i = 0; *i < spec->type->nparams; ++*i)
        if (strcmp(spec->type->params[*i].name, PARAMETER) == 0)
            return true;
    return false;
}

static bool has_parameters(const struct plumb_spec *spec)
{
    for (unsigned i = 0; i < spec->type->nparams; i++)
        if (spec->given[i])
            return true;
    return false;
}

/* *spec becomes what the text says, which is released. */
static enum plumb_status replace(struct plumb_spec **spec,
                                 struct plumb_base_text *text,
                                 struct plumb_error *err)
{
    struct plumb_spec *other = NULL;
    const enum plumb_status status =
        text->broken
            ? plumb_base_fail_memory(err)
            : plumb_spec_parse(plumb_base_text_string(text), &other, err);
    plumb_base_text_release(text);
    if (status != PLUMB_OK)
        return status;
    plumb_spec_free(*spec);
    *spec = other;
    return PLUMB_OK;
}

enum plumb_status objects_relax_spec(struct plumb_spec **spec, unsigned k,
                                     struct plumb_error *err)
{
    struct plumb_base_text text;
    unsigned i;
    if (plumb_spec_user(*spec))
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "--quasi relaxes built-in specifications only");
    if (!find_parameter(*spec, &i))
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "--quasi relaxes queue, stack and "
                               "priority-queue; %.100s has no parameter %s",
                               plumb_spec_text(*spec), PARAMETER);
    if ((*spec)->given[i])
        return plumb_base_fail(
            err, PLUMB_EINPUT, 0, 0,
            "give --quasi or %s: the specification is %.100s", PARAMETER,
            plumb_spec_text(*spec));
    plumb_base_text_init(&text, NULL);
    plumb_base_text_printf(&text, "%s%s%s=%u", plumb_spec_text(*spec),
                           has_parameters(*spec) ? "," : ":", PARAMETER, k);
    return replace(spec, &text, err);
}

/* Types that have a k have no parameter whose value could have a comma. */
enum plumb_status objects_strict_spec(struct plumb_spec **spec,
                                      struct plumb_error *err)
{
    struct plumb_base_text text;
    const char *at = plumb_spec_text(*spec);
    size_t length = strcspn(at, ":");
    char before = ':';
    unsigned i;
    if (plumb_spec_user(*spec) || !find_parameter(*spec, &i) ||
        !(*spec)->given[i])
        return PLUMB_OK;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_bytes(&text, at, length);
    for (at += length; *at; at += length) {
        at++;
        length = strcspn(at, ",");
        if (strncmp(at, "k=", 2) == 0)
            continue;
        plumb_base_text_bytes(&text, &before, 1);
        plumb_base_text_bytes(&text, at, length);
        before = ',';
    }
    return replace(spec, &text, err);
}

enum objects_part objects_part_of(const struct plumb_spec *spec,
                                  const char *operation)
{
    const struct plumb_spec_type *const type = spec->type;
    for (unsigned i = 0; i < type->nops; i++)
        if (plumb_spec_names_have(type->ops[i].names, operation,
                                  strlen(operation)))
            return type->ops[i].role == PLUMB_ROLE_ADD      ? OBJECTS_ADDS
                   : type->ops[i].role == PLUMB_ROLE_REMOVE ? OBJECTS_REMOVES
                                                            : OBJECTS_NEITHER;
    return OBJECTS_NEITHER;
}
