/* intervals.c - what the interval formats have in common. */
#include "intervals.h"

#include "base/fail.h"
#include "roles.h"
#include <string.h>

enum { LOOK_AT = 4096 };

static const struct type {
    const char *name; /* normalised */
    const char *spec;
    enum plumb_history_interval_kind kind;
} types[] = {
    { "stack", "stack", PLUMB_KIND_ITEMS },
    { "queue", "queue", PLUMB_KIND_ITEMS },
    { "deque", "deque", PLUMB_KIND_ITEMS },
    { "priorityqueue", "priority-queue:max", PLUMB_KIND_ITEMS },
    { "set", "set", PLUMB_KIND_SET },
    { "rmw", "register:init=0", PLUMB_KIND_RMW },
    { "semaphore", "semaphore:n=0", PLUMB_KIND_SEMAPHORE },
};

/* ---- lines ---- */

static void split(struct plumb_history_intervals *v)
{
    const char *at = v->lines.start;
    v->fields = 0;
    while (v->fields < PLUMB_MOST_FIELDS &&
           plumb_history_lines_field(&v->lines, &at, v->field + v->fields))
        v->fields++;
    plumb_history_lines_field(&v->lines, &at, &v->after);
}

/* A comment that is one word names a type, if we know it. */
static const struct type *type_of_comment(const struct plumb_history_lines *l)
{
    const char *at = l->start;
    struct plumb_history_field word, more;
    while (at < l->stop && (plumb_history_is_blank(*at) || *at == '#'))
        at++;
    if (!plumb_history_lines_field(l, &at, &word) ||
        plumb_history_lines_field(l, &at, &more))
        return NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (plumb_history_name_is(word.text, word.length, types[i].name))
            return types + i;
    return NULL;
}

static enum plumb_status read_comment(struct plumb_history_intervals *v,
                                      struct plumb_error *err)
{
    struct plumb_builder *const b = v->reader->builder;
    const struct type *const type =
        v->kind == PLUMB_KIND_NONE ? type_of_comment(&v->lines) : NULL;
    if (!type)
        return PLUMB_OK;
    const uint32_t symbol =
        plumb_builder_symbol(b, type->spec, strlen(type->spec));
    if (symbol == UINT32_MAX)
        return plumb_base_fail_memory(err);
    plumb_builder_spec(b, symbol);
    v->kind = type->kind;
    return PLUMB_OK;
}

static enum plumb_status read_line(struct plumb_history_intervals *v,
                                   plumb_history_read_op *read_op,
                                   struct plumb_error *err)
{
    split(v);
    if (!v->fields)
        return PLUMB_OK;
    if (*v->field[0].text == '#')
        return read_comment(v, err);
    if (v->kind == PLUMB_KIND_NONE)
        return plumb_history_field_fail(
            err, v->field,
            "%s comes before a header with a known type, such as '# queue'");
    if (v->after.length)
        return plumb_history_field_fail(err, &v->after,
                                        "unexpected extra field %s");
    return read_op(v, err);
}

static enum plumb_status read_lines(struct plumb_history_intervals *v,
                                    plumb_history_read_op *read_op,
                                    struct plumb_error *err)
{
    struct plumb_builder *const b = v->reader->builder;
    enum plumb_status status = PLUMB_OK;
    v->object = plumb_builder_symbol(b, "object", 6);
    v->ok = plumb_builder_symbol(b, "ok", 2);
    v->empty = plumb_builder_symbol(b, "empty", 5);
    if (v->object == UINT32_MAX || v->ok == UINT32_MAX ||
        v->empty == UINT32_MAX)
        return plumb_base_fail_memory(err);
    while (status == PLUMB_OK && plumb_history_lines_next(&v->lines))
        status = read_line(v, read_op, err);
    return status == PLUMB_OK && v->kind == PLUMB_KIND_NONE ? PLUMB_END
                                                            : status;
}

enum plumb_status plumb_history_intervals_read(struct plumb_reader *r,
                                               plumb_history_read_op *read_op,
                                               struct plumb_error *err)
{
    struct plumb_history_intervals v = { .reader = r };
    if (r->at >= r->size)
        return PLUMB_END;
    plumb_history_lines_open(&v.lines, r);
    const enum plumb_status status = read_lines(&v, read_op, err);
    plumb_history_lines_close(&v.lines, r);
    return status;
}

bool plumb_history_intervals_peek(const char *data, size_t size,
                                  struct plumb_history_intervals *v)
{
    *v = (struct plumb_history_intervals){ .kind = PLUMB_KIND_NONE };
    plumb_history_lines_init(&v->lines, data, size < LOOK_AT ? size : LOOK_AT);
    while (plumb_history_lines_next(&v->lines)) {
        split(v);
        if (v->fields && *v->field[0].text != '#')
            return true;
        const struct type *const type =
            v->fields ? type_of_comment(&v->lines) : NULL;
        if (type && v->kind == PLUMB_KIND_NONE)
            v->kind = type->kind;
    }
    v->fields = 0;
    return v->kind != PLUMB_KIND_NONE;
}

/* ---- operations ---- */

enum plumb_status plumb_history_intervals_item(
    const struct plumb_history_field *method,
    const struct plumb_history_field *value,
    struct plumb_history_interval_op *op, struct plumb_error *err)
{
    const enum plumb_history_role role =
        plumb_history_role_of(method->text, method->length);
    int64_t number;
    if (role != PLUMB_ROLE_ADD && role != PLUMB_ROLE_TAKE)
        return plumb_history_field_fail(err, method, "unknown method %s");
    const enum plumb_status status =
        plumb_history_field_integer(value, "expected a value", &number, err);
    if (status != PLUMB_OK)
        return status;
    if (number == -1 && role == PLUMB_ROLE_ADD)
        return plumb_history_field_fail(err, method,
                                        "%s adds -1, but -1 means empty");
    op->name = method->text;
    op->name_length = method->length;
    op->value[0] = plumb_int(number);
    op->is_empty = number == -1;
    op->nargs = role == PLUMB_ROLE_ADD ? 1 : 0;
    op->nres = role == PLUMB_ROLE_TAKE && !op->is_empty ? 1 : 0;
    return PLUMB_OK;
}

enum plumb_status plumb_history_intervals_bool(
    const struct plumb_history_field *f, bool *b, struct plumb_error *err)
{
    *b = plumb_history_field_is(f, "1") || plumb_history_field_is(f, "true");
    if (*b || plumb_history_field_is(f, "0") ||
        plumb_history_field_is(f, "false"))
        return PLUMB_OK;
    return plumb_history_field_fail(err, f,
                                    "expected the result 0 or 1, found '%s'");
}

/* fastlin writes the result of a query into its name. */
static const struct {
    const char *method, *name;
    bool has_result, result;
} queries[] = {
    { "contains", "contains", false, false },
    { "containstrue", "contains", true, true },
    { "containsfalse", "contains", true, false },
};

static bool is_update(const struct plumb_history_field *method)
{
    return plumb_history_name_is(method->text, method->length, "insert") ||
           plumb_history_name_is(method->text, method->length, "add") ||
           plumb_history_name_is(method->text, method->length, "remove") ||
           plumb_history_name_is(method->text, method->length, "delete");
}

enum plumb_status plumb_history_intervals_set(
    const struct plumb_history_field *method,
    const struct plumb_history_field *value,
    const struct plumb_history_field *result,
    struct plumb_history_interval_op *op, struct plumb_error *err)
{
    bool known = is_update(method), has_result = known, answer = true;
    int64_t number = 0;
    op->name = method->text;
    op->name_length = method->length;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        if (!plumb_history_name_is(method->text, method->length,
                                   queries[i].method))
            continue;
        known = true;
        has_result = queries[i].has_result;
        answer = queries[i].result;
        op->name_length = strlen(queries[i].name);
    }
    if (!known)
        return plumb_history_field_fail(err, method,
                                        "unknown method %s of a set");
    if (!result && !has_result)
        return plumb_history_field_fail(err, method, "%s has no result");
    enum plumb_status status =
        plumb_history_field_integer(value, "expected a value", &number, err);
    if (status == PLUMB_OK && result)
        status = plumb_history_intervals_bool(result, &answer, err);
    op->value[0] = plumb_int(number);
    op->value[1] = plumb_bool(answer);
    op->nargs = op->nres = 1;
    return status;
}

enum plumb_status plumb_history_intervals_process(
    const struct plumb_history_intervals *v,
    struct plumb_history_interval_op *op, struct plumb_error *err)
{
    const struct plumb_history_field *const f = v->field;
    op->thread = plumb_builder_symbol(v->reader->builder, f->text, f->length);
    return op->thread == UINT32_MAX ? plumb_base_fail_memory(err) : PLUMB_OK;
}

enum plumb_status plumb_history_intervals_times(
    const struct plumb_history_field *start,
    const struct plumb_history_field *end, struct plumb_history_interval_op *op,
    struct plumb_error *err)
{
    const enum plumb_status status = plumb_history_field_time(
        start, "expected a start time", &op->start, err);
    if (status != PLUMB_OK)
        return status;
    return plumb_history_field_time(end, "expected an end time", &op->end, err);
}

/* Methods in lower case: fptlin shouts them, the specifications do not. */
static uint32_t name_symbol(struct plumb_builder *b,
                            const struct plumb_history_interval_op *op)
{
    char name[32];
    if (op->name_length > sizeof name)
        return plumb_builder_symbol(b, op->name, op->name_length);
    for (size_t i = 0; i < op->name_length; i++) {
        const char c = op->name[i];
        name[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return plumb_builder_symbol(b, name, op->name_length);
}

enum plumb_status plumb_history_intervals_add(
    struct plumb_history_intervals *v,
    const struct plumb_history_interval_op *op, struct plumb_error *err)
{
    struct plumb_builder *const b = v->reader->builder;
    const struct plumb_interval in = {
        .start = op->start,
        .end = op->end,
        .thread = op->thread,
        .op = { .object = v->object,
                .name = name_symbol(b, op),
                .term = op->is_empty ? v->empty : v->ok,
                .nargs = op->nargs,
                .nres = op->nres,
                .outcome = PLUMB_OUTCOME_OK },
        .values = op->value,
        .origin = op->origin,
    };
    if (in.op.name == UINT32_MAX)
        return plumb_base_fail_memory(err);
    return plumb_builder_interval(b, &in, err);
}

int plumb_history_intervals_sureness(const struct plumb_history_intervals *v,
                                     size_t method)
{
    const char first = *v->field[method].text | ' ';
    if (first < 'a' || first > 'z')
        return 0;
    return v->kind != PLUMB_KIND_NONE ? 90 : 40;
}
