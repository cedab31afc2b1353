/* fastlin.c - reading the intervals of fastlin and of PolyLin, its ancestor.
 *
 *     # stack
 *     push 1 1 2               method value start end
 *     insert 1 0 3 6           a set may tell the result, too
 *     0 push_front 1 1 2       and old files begin with the process
 *
 * Most files name no process.  At equal time stamps the return comes first:
 * the verdicts of these tools rest on that. */
#include "intervals.h"

/* Number of fields in front of the method. */
static size_t fields_before_method(const struct plumb_history_intervals *v)
{
    int64_t process;
    const struct plumb_history_field *const f = v->field;
    return v->fields && plumb_history_read_integer(f->text, f->length,
                                                   &process) == PLUMB_NUMBER;
}

static bool check_fields(const struct plumb_history_intervals *v, size_t count)
{
    const size_t most = v->kind == PLUMB_KIND_SET ? 5 : 4;
    if (count < 4)
        return plumb_history_field_fail(
            v->err, &v->after, "expected method, value, start and end");
    return count <= most || plumb_history_field_fail(
                                v->err, v->field + v->fields - (count - most),
                                "unexpected extra field %s");
}

static bool read_op(struct plumb_history_intervals *v)
{
    struct plumb_history_interval_op op = { .origin = v->field[0].origin,
                                            .thread = UINT32_MAX };
    const size_t skip = fields_before_method(v);
    const struct plumb_history_field *const method = v->field + skip;
    const bool has_result = v->fields - skip == 5;
    return check_fields(v, v->fields - skip) &&
           (!skip || plumb_history_intervals_process(v, &op)) &&
           (v->kind == PLUMB_KIND_SET
                ? plumb_history_intervals_set(v, method, method + 1,
                                              has_result ? method + 2 : NULL,
                                              &op)
                : plumb_history_intervals_item(v, method, method + 1, &op)) &&
           plumb_history_intervals_times(v, v->field + v->fields - 2, &op) &&
           plumb_history_intervals_add(v, &op);
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    return plumb_history_intervals_read(r, read_op, err);
}

static int detect(const char *data, size_t size)
{
    struct plumb_history_intervals v;
    struct plumb_error err;
    uint64_t time;
    if (!plumb_history_intervals_peek(data, size, &v))
        return 0;
    if (!v.fields) /* a header and nothing else */
        return v.kind <= PLUMB_KIND_SET ? 40 : 0;
    const size_t skip = fields_before_method(&v);
    const size_t count = v.fields - skip;
    if (count < 4 || count > 5)
        return 0;
    for (size_t i = skip + 1; i < v.fields; i++)
        if (*v.field[i].text != '-' &&
            !plumb_history_field_time(v.field + i, "", &time, &err))
            return 0;
    return plumb_history_intervals_sureness(&v, skip);
}

const struct plumb_history_format_class plumb_history_format_fastlin = {
    .format = PLUMB_FORMAT_FASTLIN,
    .name = "fastlin",
    .what = "intervals of fastlin and PolyLin: push 1 1 2",
    .ties = PLUMB_TIES_RETURN_FIRST,
    .detect = detect,
    .next = next,
};
