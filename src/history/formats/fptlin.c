/* fptlin.c - reading the intervals of fptlin.
 *
 *     # set
 *     2 0 2 CONTAINS 2 0       process start end METHOD values
 *
 * The values of a set's operation are argument and result, of the others one
 * value as in fastlin's files; a read-modify-write tells the old value and the
 * new one, a semaphore's INCR and DECR whether they went through.  At equal
 * time stamps the return comes first. */
#include "intervals.h"
#include "roles.h"

enum { BEFORE_VALUES = 4 }; /* process, start, end, method */

static void set_name(struct plumb_history_interval_op *op, const char *name,
                     size_t length)
{
    op->name = name;
    op->name_length = length;
}

/* It writes `new` and answers `old`: a swap. */
static enum plumb_status read_rmw(const struct plumb_history_field *method,
                                  const struct plumb_history_field *value,
                                  struct plumb_history_interval_op *op,
                                  struct plumb_error *err)
{
    int64_t old_value = 0, new_value = 0;
    if (!plumb_history_name_is(method->text, method->length,
                               "readmodifywrite") &&
        !plumb_history_name_is(method->text, method->length, "rmw"))
        return plumb_history_field_fail(err, method,
                                        "unknown method %s of a register");
    enum plumb_status status = plumb_history_field_integer(
        value, "expected the value that was read", &old_value, err);
    if (status == PLUMB_OK)
        status = plumb_history_field_integer(
            value + 1, "expected the value that was written", &new_value, err);
    set_name(op, "swap", 4);
    op->value[0] = plumb_int(new_value);
    op->value[1] = plumb_int(old_value);
    op->nargs = op->nres = 1;
    return status;
}

static enum plumb_status read_semaphore(
    const struct plumb_history_field *method,
    const struct plumb_history_field *value,
    struct plumb_history_interval_op *op, struct plumb_error *err)
{
    const bool up = plumb_history_name_is(method->text, method->length, "incr");
    bool done;
    if (!up && !plumb_history_name_is(method->text, method->length, "decr"))
        return plumb_history_field_fail(err, method,
                                        "unknown method %s of a semaphore");
    const enum plumb_status status =
        plumb_history_intervals_bool(value, &done, err);
    if (status != PLUMB_OK)
        return status;
    if (up && !done)
        return plumb_history_field_fail(
            err, value, "INCR cannot fail, but has the result %s");
    set_name(op, up ? "release" : "try_acquire", up ? 7 : 11);
    op->value[0] = plumb_bool(done);
    op->nres = up ? 0 : 1;
    return PLUMB_OK;
}

static enum plumb_status read_values(const struct plumb_history_intervals *v,
                                     struct plumb_history_interval_op *op,
                                     struct plumb_error *err)
{
    const struct plumb_history_field *const method = v->field + 3;
    const struct plumb_history_field *const value = v->field + BEFORE_VALUES;
    switch (v->kind) {
    case PLUMB_KIND_SET:
        return plumb_history_intervals_set(method, value, value + 1, op, err);
    case PLUMB_KIND_RMW:
        return read_rmw(method, value, op, err);
    case PLUMB_KIND_SEMAPHORE:
        return read_semaphore(method, value, op, err);
    default:
        return plumb_history_intervals_item(method, value, op, err);
    }
}

static enum plumb_status check_fields(const struct plumb_history_intervals *v,
                                      struct plumb_error *err)
{
    const bool two = v->kind == PLUMB_KIND_SET || v->kind == PLUMB_KIND_RMW;
    const size_t want = BEFORE_VALUES + (two ? 2 : 1);
    if (v->fields < want)
        return plumb_history_field_fail(
            err, &v->after,
            two ? "expected process, start, end, method and two values"
                : "expected process, start, end, method and a value");
    if (v->fields > want)
        return plumb_history_field_fail(err, v->field + want,
                                        "unexpected extra field %s");
    return PLUMB_OK;
}

static enum plumb_status read_process(const struct plumb_history_intervals *v,
                                      struct plumb_history_interval_op *op,
                                      struct plumb_error *err)
{
    uint64_t number;
    const enum plumb_status status =
        plumb_history_field_time(v->field, "expected a process", &number, err);
    if (status != PLUMB_OK)
        return status;
    return plumb_history_intervals_process(v, op, err);
}

static enum plumb_status read_op(struct plumb_history_intervals *v,
                                 struct plumb_error *err)
{
    struct plumb_history_interval_op op = { .origin = v->field[0].origin };
    enum plumb_status status = check_fields(v, err);
    if (status == PLUMB_OK)
        status = read_process(v, &op, err);
    if (status == PLUMB_OK)
        status =
            plumb_history_intervals_times(v->field + 1, v->field + 2, &op, err);
    if (status == PLUMB_OK)
        status = read_values(v, &op, err);
    return status == PLUMB_OK ? plumb_history_intervals_add(v, &op, err)
                              : status;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    return plumb_history_intervals_read(r, read_op, err);
}

static int detect(const char *data, size_t size)
{
    struct plumb_history_intervals v;
    struct plumb_error err;
    uint64_t number;
    if (!plumb_history_intervals_peek(data, size, &v))
        return 0;
    if (!v.fields) /* a header and nothing else */
        return 30;
    if (v.fields <= BEFORE_VALUES)
        return 0;
    for (size_t i = 0; i < 3; i++)
        if (plumb_history_field_time(v.field + i, "", &number, &err) !=
            PLUMB_OK)
            return 0;
    return plumb_history_intervals_sureness(&v, 3);
}

const struct plumb_history_format_class plumb_history_format_fptlin = {
    .format = PLUMB_FORMAT_FPTLIN,
    .name = "fptlin",
    .what = "intervals of fptlin: 0 1 5 PUSH 1",
    .ties = PLUMB_TIES_RETURN_FIRST,
    .detect = detect,
    .next = next,
};
