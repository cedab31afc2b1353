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
#include <string.h>

enum { BEFORE_VALUES = 4 }; /* process, start, end, method */

static void set_name(struct plumb_history_interval_op *op, const char *name)
{
    op->name = name;
    op->name_length = strlen(name);
}

/* It writes `new` and answers `old`: a swap. */
static bool read_rmw(struct plumb_history_intervals *v,
                     const struct plumb_history_field *method,
                     const struct plumb_history_field *value,
                     struct plumb_history_interval_op *op)
{
    int64_t old_value, new_value;
    if (!plumb_history_intervals_is(method, "readmodifywrite") &&
        !plumb_history_intervals_is(method, "rmw"))
        return plumb_history_field_fail(v->err, method,
                                        "unknown method %s of a register");
    if (!plumb_history_field_integer(value, "expected the value that was read",
                                     &old_value, v->err) ||
        !plumb_history_field_integer(value + 1,
                                     "expected the value that was written",
                                     &new_value, v->err))
        return false;
    set_name(op, "swap");
    op->value[0] = plumb_int(new_value);
    op->value[1] = plumb_int(old_value);
    op->nargs = op->nres = 1;
    return true;
}

static bool read_semaphore(struct plumb_history_intervals *v,
                           const struct plumb_history_field *method,
                           const struct plumb_history_field *value,
                           struct plumb_history_interval_op *op)
{
    const bool up = plumb_history_intervals_is(method, "incr");
    bool done;
    if (!up && !plumb_history_intervals_is(method, "decr"))
        return plumb_history_field_fail(v->err, method,
                                        "unknown method %s of a semaphore");
    if (!plumb_history_intervals_bool(v, value, &done))
        return false;
    if (up && !done)
        return plumb_history_field_fail(
            v->err, value, "INCR cannot fail, but has the result %s");
    set_name(op, up ? "release" : "try_acquire");
    op->value[0] = plumb_bool(done);
    op->nres = !up;
    return true;
}

static bool read_values(struct plumb_history_intervals *v,
                        struct plumb_history_interval_op *op)
{
    const struct plumb_history_field *const method = v->field + 3;
    const struct plumb_history_field *const value = v->field + BEFORE_VALUES;
    switch (v->kind) {
    case PLUMB_KIND_SET:
        return plumb_history_intervals_set(v, method, value, value + 1, op);
    case PLUMB_KIND_RMW:
        return read_rmw(v, method, value, op);
    case PLUMB_KIND_SEMAPHORE:
        return read_semaphore(v, method, value, op);
    default:
        return plumb_history_intervals_item(v, method, value, op);
    }
}

static bool check_fields(const struct plumb_history_intervals *v)
{
    const bool two = v->kind == PLUMB_KIND_SET || v->kind == PLUMB_KIND_RMW;
    const size_t want = BEFORE_VALUES + (two ? 2 : 1);
    if (v->fields < want)
        return plumb_history_field_fail(
            v->err, &v->after,
            two ? "expected process, start, end, method and two values"
                : "expected process, start, end, method and a value");
    return v->fields == want ||
           plumb_history_field_fail(v->err, v->field + want,
                                    "unexpected extra field %s");
}

static bool read_op(struct plumb_history_intervals *v)
{
    struct plumb_history_interval_op op = { .origin = v->field[0].origin };
    uint64_t process;
    return check_fields(v) &&
           plumb_history_field_time(v->field, "expected a process", &process,
                                    v->err) &&
           plumb_history_intervals_process(v, &op) &&
           plumb_history_intervals_times(v, v->field + 1, &op) &&
           read_values(v, &op) && plumb_history_intervals_add(v, &op);
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
        if (!plumb_history_field_time(v.field + i, "", &number, &err))
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
