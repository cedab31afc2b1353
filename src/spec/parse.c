/* parse.c - "queue:cap=4,blocking" to a specification and back.
 *
 * Grammar: NAME [':' PARAM (',' PARAM)*], PARAM a flag's name or NAME=VALUE;
 * a NAME may be "setlin:" or "local:" and a word; a PARAM that is a choice of
 * words may have one that it means without a VALUE.
 * A VALUE ends at the next comma unless it is "quoted".  The normalised text
 * has the proper names, in the order of the type's table. */
#include "base/fail.h"
#include "base/memory.h"
#include "builtin.h"
#include "history/formats/scalar.h"
#include "names.h"
#include "values.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

const struct plumb_spec_type *const plumb_spec_types[] = {
    &plumb_spec_type_queue,
    &plumb_spec_type_semiqueue,
    &plumb_spec_type_stuttering_queue,
    &plumb_spec_type_stack,
    &plumb_spec_type_deque,
    &plumb_spec_type_priority_queue,
    &plumb_spec_type_set,
    &plumb_spec_type_multiset,
    &plumb_spec_type_bag,
    &plumb_spec_type_map,
    &plumb_spec_type_register,
    &plumb_spec_type_cas_register,
    &plumb_spec_type_counter,
    &plumb_spec_type_semaphore,
    &plumb_spec_type_mutex,
    &plumb_spec_type_barrier,
    &plumb_spec_type_exchanger,
    &plumb_spec_type_local_queue,
    &plumb_spec_type_local_stack,
    NULL,
};

struct parser {
    const char *text;
    size_t at, size;
    struct plumb_spec *spec;
    struct plumb_error *err;
};

static enum plumb_status fail_at(const struct parser *p, size_t at,
                                 const char *message)
{
    return plumb_base_fail(p->err, PLUMB_EINPUT, 1, at + 1, "%s", message);
}

/* ---- numbers and values ---- */

bool plumb_spec_value_constant(const char *text, size_t length,
                               struct plumb_value *v)
{
    int64_t number;
    if (plumb_history_scalar_word(text, length, v))
        return true;
    if (plumb_history_read_integer(text, length, &number) != PLUMB_NUMBER)
        return false;
    *v = plumb_int(number);
    return true;
}

/* ---- parameters ---- */

static enum plumb_status set_flag(struct parser *p, unsigned i, bool has_value)
{
    if (has_value)
        return fail_at(p, p->at, "this parameter takes no value");
    p->spec->param[i] = 1;
    return PLUMB_OK;
}

static enum plumb_status set_number(struct parser *p, unsigned i)
{
    const struct plumb_spec_param *const param = p->spec->type->params + i;
    const char *const text = p->text + p->at;
    const size_t length = strcspn(text, ",");
    const bool is_count = param->kind == PLUMB_PARAM_COUNT;
    int64_t number = 0;
    if (plumb_history_read_integer(text, length, &number) != PLUMB_NUMBER ||
        (is_count && number < 0))
        return plumb_base_fail(p->err, PLUMB_EINPUT, 1, p->at + 1,
                               "\"%.*s\" is not a number for %s",
                               (int)(length < 80 ? length : 80), text,
                               param->name);
    if (is_count && (uint64_t)number < param->least)
        return plumb_base_fail(p->err, PLUMB_EINPUT, 1, p->at + 1,
                               "%s must be at least %" PRIu64, param->name,
                               param->least);
    p->spec->param[i] = (uint64_t)number;
    p->at += length;
    return PLUMB_OK;
}

static enum plumb_status set_quoted(struct parser *p, unsigned i)
{
    char *const to = plumb_base_alloc(NULL, p->size - p->at + 1);
    const size_t start = p->at++;
    size_t n = 0;
    if (!to)
        return plumb_base_fail_memory(p->err);
    p->spec->param_text[i] = to;
    while (p->at < p->size && p->text[p->at] != '"') {
        p->at += p->text[p->at] == '\\' && p->at + 1 < p->size;
        to[n++] = p->text[p->at++];
    }
    to[n] = '\0';
    if (p->at == p->size)
        return fail_at(p, start, "the closing \" is missing");
    p->at++;
    return PLUMB_OK;
}

static enum plumb_status set_word(struct parser *p, unsigned i, size_t length)
{
    char *const to = plumb_base_alloc(NULL, length + 1);
    if (!to)
        return plumb_base_fail_memory(p->err);
    memcpy(to, p->text + p->at, length);
    to[length] = '\0';
    p->spec->param_text[i] = to;
    p->at += length;
    return PLUMB_OK;
}

static enum plumb_status set_value(struct parser *p, unsigned i)
{
    const char *const text = p->text + p->at;
    const size_t length = strcspn(text, ",");
    struct plumb_value v;
    p->spec->param_tag[i] = PLUMB_STR;
    if (text[0] == '"')
        return set_quoted(p, i);
    if (length == 0)
        return fail_at(p, p->at, "expected a value");
    if (!plumb_spec_value_constant(text, length, &v))
        return set_word(p, i, length);
    p->spec->param_tag[i] = (enum plumb_tag)v.tag;
    p->spec->param[i] = v.bits;
    p->at += length;
    return PLUMB_OK;
}

/* The words of a parameter, as in "gap, claim". */
static void list_words(const struct plumb_spec_param *param,
                       struct plumb_base_text *list)
{
    const char *before = "";
    for (unsigned i = 0; i < param->nwords; i++)
        if (param->words[i]) {
            plumb_base_text_printf(list, "%s%s", before, param->words[i]);
            before = ", ";
        }
}

static enum plumb_status fail_word(const struct parser *p,
                                   const struct plumb_spec_param *param)
{
    struct plumb_base_text list;
    plumb_base_text_init(&list, NULL);
    list_words(param, &list);
    plumb_base_fail(p->err, PLUMB_EINPUT, 1, p->at + 1,
                    "%s of %s is one of: %s", param->name, p->spec->type->name,
                    plumb_base_text_string(&list));
    plumb_base_text_release(&list);
    return PLUMB_EINPUT;
}

static enum plumb_status set_choice(struct parser *p, unsigned i,
                                    bool has_value)
{
    const struct plumb_spec_param *const param = p->spec->type->params + i;
    const char *const text = p->text + p->at;
    const size_t length = has_value ? strcspn(text, ",") : 0;
    if (!has_value)
        return param->words[param->initial] ? PLUMB_OK : fail_word(p, param);
    for (unsigned w = 0; w < param->nwords; w++)
        if (param->words[w] &&
            plumb_spec_name_equal(param->words[w], strlen(param->words[w]),
                                  text, length)) {
            p->spec->param[i] = w;
            p->at += length;
            return PLUMB_OK;
        }
    return fail_word(p, param);
}

static enum plumb_status fail_parameter(const struct parser *p, size_t length)
{
    const struct plumb_spec_type *const type = p->spec->type;
    struct plumb_base_text list;
    plumb_base_text_init(&list, NULL);
    for (unsigned i = 0; i < type->nparams; i++)
        plumb_base_text_printf(&list, "%s%s", i ? ", " : "",
                               type->params[i].name);
    plumb_base_fail(p->err, PLUMB_EINPUT, 1, p->at + 1,
                    "%s has no parameter \"%.*s\" (it has %s)", type->name,
                    (int)(length < 80 ? length : 80), p->text + p->at,
                    type->nparams ? plumb_base_text_string(&list) : "none");
    plumb_base_text_release(&list);
    return PLUMB_EINPUT;
}

static enum plumb_status parse_parameter(struct parser *p)
{
    const struct plumb_spec_type *const type = p->spec->type;
    const char *const name = p->text + p->at;
    const size_t length = strcspn(name, ",=");
    unsigned i = 0;
    while (i < type->nparams &&
           !plumb_spec_name_equal(type->params[i].name,
                                  strlen(type->params[i].name), name, length))
        i++;
    if (i == type->nparams)
        return fail_parameter(p, length);
    if (p->spec->given[i])
        return fail_at(p, p->at, "this parameter is given twice");
    p->spec->given[i] = true;
    const bool has_value = name[length] == '=';
    const enum plumb_spec_param_kind kind = type->params[i].kind;
    p->at += length + has_value;
    if (kind == PLUMB_PARAM_FLAG)
        return set_flag(p, i, has_value);
    if (kind == PLUMB_PARAM_WORD)
        return set_choice(p, i, has_value);
    if (!has_value)
        return plumb_base_fail(p->err, PLUMB_EINPUT, 1, p->at + 1,
                               "%s needs a value, such as %s=4",
                               type->params[i].name, type->params[i].name);
    return kind == PLUMB_PARAM_VALUE ? set_value(p, i) : set_number(p, i);
}

/* Does a list of names with blanks between have this one? */
static bool lists(const char *list, const char *name)
{
    const size_t size = strlen(name);
    for (; list && *list; list += strcspn(list, " "), list += *list == ' ')
        if (strcspn(list, " ") == size && memcmp(list, name, size) == 0)
            return true;
    return false;
}

static enum plumb_status refuse_contradictions(struct parser *p)
{
    const struct plumb_spec_type *const type = p->spec->type;
    for (unsigned i = 0; i < type->nparams; i++)
        for (unsigned k = 0; k < i; k++)
            if (p->spec->given[i] && p->spec->given[k] &&
                lists(type->params[i].excludes, type->params[k].name))
                return plumb_base_fail(
                    p->err, PLUMB_EINPUT, 1, 1, "%s takes %s or %s, not both",
                    type->name, type->params[k].name, type->params[i].name);
    return PLUMB_OK;
}

static enum plumb_status parse_parameters(struct parser *p)
{
    const struct plumb_spec_type *const type = p->spec->type;
    for (unsigned i = 0; i < type->nparams; i++)
        p->spec->param[i] = type->params[i].initial;
    while (p->at < p->size) { /* at the ':' or a ',' */
        p->at++;
        const enum plumb_status status = parse_parameter(p);
        if (status != PLUMB_OK)
            return status;
        if (p->at < p->size && p->text[p->at] != ',')
            return fail_at(p, p->at, "expected a comma after the value");
    }
    return refuse_contradictions(p);
}

/* ---- the whole ---- */

static const struct plumb_spec_type *find_type(const char *name, size_t length)
{
    for (const struct plumb_spec_type *const *t = plumb_spec_types; *t; t++)
        if (plumb_spec_name_equal((*t)->name, strlen((*t)->name), name, length))
            return *t;
    return NULL;
}

static enum plumb_status fail_type(struct parser *p, size_t length)
{
    struct plumb_base_text list;
    plumb_base_text_init(&list, NULL);
    for (const struct plumb_spec_type *const *t = plumb_spec_types; *t; t++)
        plumb_base_text_printf(&list, "%s%s", t == plumb_spec_types ? "" : ", ",
                               (*t)->name);
    plumb_base_fail(p->err, PLUMB_EINPUT, 1, 1,
                    "unknown specification \"%.*s\" (there are %s)",
                    (int)(length < 40 ? length : 40), p->text,
                    plumb_base_text_string(&list));
    plumb_base_text_release(&list);
    return PLUMB_EINPUT;
}

/* Escaped as set_quoted() reads it, and no further. */
static void show_string(const char *text, struct plumb_base_text *out)
{
    if (plumb_spec_string_is_word(text, strlen(text))) {
        plumb_base_text_add(out, text);
        return;
    }
    plumb_base_text_add(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            plumb_base_text_add(out, "\\");
        plumb_base_text_bytes(out, text, 1);
    }
    plumb_base_text_add(out, "\"");
}

static void show_parameter(const struct plumb_spec *spec, unsigned i,
                           struct plumb_base_text *out)
{
    const struct plumb_spec_param *const param = spec->type->params + i;
    const struct plumb_value v = { spec->param[i], spec->param_tag[i], 0 };
    plumb_base_text_add(out, param->name);
    if (param->kind == PLUMB_PARAM_FLAG ||
        (param->kind == PLUMB_PARAM_WORD && v.bits == param->initial &&
         param->words[param->initial]))
        return;
    plumb_base_text_add(out, "=");
    if (param->kind == PLUMB_PARAM_WORD)
        plumb_base_text_add(out, param->words[v.bits]);
    else if (param->kind == PLUMB_PARAM_COUNT)
        plumb_base_text_printf(out, "%" PRIu64, spec->param[i]);
    else if (param->kind == PLUMB_PARAM_INTEGER)
        plumb_base_text_printf(out, "%" PRId64, (int64_t)spec->param[i]);
    else if (v.tag == PLUMB_STR)
        show_string(spec->param_text[i], out);
    else
        plumb_spec_value_show(NULL, v, out);
}

static enum plumb_status normalise(struct plumb_spec *spec,
                                   struct plumb_error *err)
{
    struct plumb_base_text text;
    bool first = true;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_add(&text, spec->type->name);
    for (unsigned i = 0; i < spec->type->nparams; i++) {
        if (!spec->given[i])
            continue;
        plumb_base_text_add(&text, first ? ":" : ",");
        show_parameter(spec, i, &text);
        first = false;
    }
    if (text.broken) {
        plumb_base_text_release(&text);
        return plumb_base_fail_memory(err);
    }
    spec->text = text.data; /* without a budget there is nothing to settle */
    return PLUMB_OK;
}

/* Up to the first colon that does not belong to the name. */
static size_t name_length(const char *text)
{
    static const char *const family[] = { "setlin:", "local:" };
    const size_t first = strcspn(text, ":");
    for (unsigned i = 0; i < PLUMB_COUNT_OF(family) && text[first]; i++)
        if (plumb_spec_name_equal(family[i], strlen(family[i]), text,
                                  first + 1))
            return first + 1 + strcspn(text + first + 1, ":");
    return first;
}

static enum plumb_status parse(struct parser *p)
{
    const size_t length = name_length(p->text);
    p->spec->type = find_type(p->text, length);
    if (!p->spec->type)
        return fail_type(p, length);
    p->at = length;
    const enum plumb_status status = parse_parameters(p);
    if (status != PLUMB_OK)
        return status;
    const char *const why =
        p->spec->type->refuses ? p->spec->type->refuses(p->spec) : NULL;
    if (why)
        return plumb_base_fail(p->err, PLUMB_EINPUT, 1, 1, "%s: %s", p->text,
                               why);
    if (p->spec->type->variant)
        p->spec->type = p->spec->type->variant(p->spec);
    return normalise(p->spec, p->err);
}

enum plumb_status plumb_spec_parse(const char *text, struct plumb_spec **spec,
                                   struct plumb_error *err)
{
    assert(text && spec && err);
    struct plumb_spec *const fresh =
        plumb_base_alloc_zeroed(NULL, sizeof *fresh);
    if (!fresh)
        return plumb_base_fail_memory(err);
    struct parser p = {
        .text = text, .size = strlen(text), .spec = fresh, .err = err
    };
    const enum plumb_status status = parse(&p);
    if (status == PLUMB_OK)
        *spec = fresh;
    else
        plumb_spec_free(fresh);
    return status;
}

void plumb_spec_free(struct plumb_spec *spec)
{
    if (!spec)
        return;
    for (unsigned i = 0; i < PLUMB_MAX_PARAMS; i++)
        plumb_base_release(NULL, spec->param_text[i], 0);
    plumb_base_release(NULL, spec->text, 0);
    plumb_base_release(NULL, spec->extra, 0);
    plumb_base_release(NULL, spec, sizeof *spec);
}

const char *plumb_spec_text(const struct plumb_spec *spec)
{
    return spec->text;
}

const struct plumb_user_spec *plumb_spec_user(const struct plumb_spec *spec)
{
    return spec->user;
}

bool plumb_spec_value(const struct plumb_spec *spec, struct plumb_value *v,
                      const char **text)
{
    for (unsigned i = 0; i < spec->type->nparams; i++)
        if (spec->type->params[i].kind == PLUMB_PARAM_VALUE && spec->given[i]) {
            *v = (struct plumb_value){ spec->param[i], spec->param_tag[i], 0 };
            *text = v->tag == PLUMB_STR ? spec->param_text[i] : NULL;
            return true;
        }
    return false;
}
