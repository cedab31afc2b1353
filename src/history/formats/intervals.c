/* intervals.c - what the interval formats have in common. */
#include "intervals.h"

#include "base/spelling.h"
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

static bool read_comment(struct plumb_history_intervals *v)
{
    struct plumb_builder *const b = v->reader->builder;
    const struct type *const type =
        v->kind == PLUMB_KIND_NONE ? type_of_comment(&v->lines) : NULL;
    uint32_t symbol;
    if (!type)
        return true;
    if (!plumb_history_intern(b, type->spec, strlen(type->spec), &symbol,
                              v->err))
        return false;
    plumb_builder_spec(b, symbol);
    v->kind = type->kind;
    return true;
}

static bool read_line(struct plumb_history_intervals *v,
                      plumb_history_read_op *read_op)
{
    split(v);
    if (!v->fields)
        return true;
    if (*v->field[0].text == '#')
        return read_comment(v);
    if (v->kind == PLUMB_KIND_NONE)
        return plumb_history_field_fail(
            v->err, v->field,
            "%s comes before a header with a known type, such as '# queue'");
    if (v->after.length)
        return plumb_history_field_fail(v->err, &v->after,
                                        "unexpected extra field %s");
    return read_op(v);
}

static bool read_lines(struct plumb_history_intervals *v,
                       plumb_history_read_op *read_op)
{
    struct plumb_builder *const b = v->reader->builder;
    if (!plumb_history_intern(b, "object", 6, &v->object, v->err) ||
        !plumb_history_intern(b, "ok", 2, &v->ok, v->err) ||
        !plumb_history_intern(b, "empty", 5, &v->empty, v->err))
        return false;
    while (plumb_history_lines_next(&v->lines))
        if (!read_line(v, read_op))
            return false;
    return true;
}

enum plumb_status plumb_history_intervals_read(struct plumb_reader *r,
                                               plumb_history_read_op *read_op,
                                               struct plumb_error *err)
{
    struct plumb_history_intervals v = { .reader = r, .err = err };
    if (r->at >= r->size)
        return PLUMB_END;
    plumb_history_lines_open(&v.lines, r);
    const bool good = read_lines(&v, read_op);
    plumb_history_lines_close(&v.lines, r);
    if (!good)
        return err->status;
    return v.kind == PLUMB_KIND_NONE ? PLUMB_END : PLUMB_OK;
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

static void set_name(struct plumb_history_interval_op *op,
                     const struct plumb_history_field *method)
{
    op->name = method->text;
    op->name_length = method->length;
}

bool plumb_history_intervals_item(struct plumb_history_intervals *v,
                                  const struct plumb_history_field *method,
                                  const struct plumb_history_field *value,
                                  struct plumb_history_interval_op *op)
{
    const enum plumb_history_role role =
        plumb_history_role_of(method->text, method->length);
    const bool adds = role == PLUMB_ROLE_ADD;
    int64_t number;
    if (!adds && role != PLUMB_ROLE_TAKE)
        return plumb_history_field_fail(v->err, method, "unknown method %s");
    if (!plumb_history_field_integer(value, "expected a value", &number,
                                     v->err))
        return false;
    if (number == -1 && adds)
        return plumb_history_field_fail(v->err, method,
                                        "%s adds -1, but -1 means empty");
    set_name(op, method);
    op->value[0] = plumb_int(number);
    op->is_empty = number == -1;
    op->nargs = adds;
    op->nres = !adds && !op->is_empty;
    return true;
}

bool plumb_history_intervals_bool(struct plumb_history_intervals *v,
                                  const struct plumb_history_field *f, bool *b)
{
    *b = plumb_history_field_is(f, "1") || plumb_history_field_is(f, "true");
    return *b || plumb_history_field_is(f, "0") ||
           plumb_history_field_is(f, "false") ||
           plumb_history_field_fail(v->err, f,
                                    "expected the result 0 or 1, found '%s'");
}

bool plumb_history_intervals_is(const struct plumb_history_field *method,
                                const char *name)
{
    return plumb_history_name_is(method->text, method->length, name);
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
    return plumb_history_intervals_is(method, "insert") ||
           plumb_history_intervals_is(method, "add") ||
           plumb_history_intervals_is(method, "remove") ||
           plumb_history_intervals_is(method, "delete");
}

bool plumb_history_intervals_set(struct plumb_history_intervals *v,
                                 const struct plumb_history_field *method,
                                 const struct plumb_history_field *value,
                                 const struct plumb_history_field *result,
                                 struct plumb_history_interval_op *op)
{
    bool known = is_update(method), has_result = known, answer = true;
    int64_t number = 0;
    set_name(op, method);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        if (!plumb_history_intervals_is(method, queries[i].method))
            continue;
        known = true;
        has_result = queries[i].has_result;
        answer = queries[i].result;
        op->name_length = strlen(queries[i].name);
    }
    if (!known)
        return plumb_history_field_fail(v->err, method,
                                        "unknown method %s of a set");
    if (!result && !has_result)
        return plumb_history_field_fail(v->err, method, "%s has no result");
    if (!plumb_history_field_integer(value, "expected a value", &number,
                                     v->err) ||
        (result && !plumb_history_intervals_bool(v, result, &answer)))
        return false;
    op->value[0] = plumb_int(number);
    op->value[1] = plumb_bool(answer);
    op->nargs = op->nres = 1;
    return true;
}

bool plumb_history_intervals_process(struct plumb_history_intervals *v,
                                     struct plumb_history_interval_op *op)
{
    return plumb_history_intern(v->reader->builder, v->field->text,
                                v->field->length, &op->thread, v->err);
}

bool plumb_history_intervals_times(struct plumb_history_intervals *v,
                                   const struct plumb_history_field *start,
                                   struct plumb_history_interval_op *op)
{
    return plumb_history_field_time(start, "expected a start time", &op->start,
                                    v->err) &&
           plumb_history_field_time(start + 1, "expected an end time", &op->end,
                                    v->err);
}

/* Methods in lower case: fptlin shouts them, the specifications do not. */
static uint32_t name_symbol(struct plumb_builder *b,
                            const struct plumb_history_interval_op *op)
{
    char name[32];
    if (op->name_length > sizeof name)
        return plumb_builder_symbol(b, op->name, op->name_length);
    for (size_t i = 0; i < op->name_length; i++)
        name[i] = plumb_base_lower(op->name[i]);
    return plumb_builder_symbol(b, name, op->name_length);
}

bool plumb_history_intervals_add(struct plumb_history_intervals *v,
                                 const struct plumb_history_interval_op *op)
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
        return plumb_history_fail_memory(v->err);
    return plumb_builder_interval(b, &in, v->err) == PLUMB_OK;
}

int plumb_history_intervals_sureness(const struct plumb_history_intervals *v,
                                     size_t method)
{
    const char first = *v->field[method].text | ' ';
    if (first < 'a' || first > 'z')
        return 0;
    return v->kind != PLUMB_KIND_NONE ? 90 : 40;
}
