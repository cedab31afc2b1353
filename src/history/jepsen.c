/* jepsen.c - reading Jepsen's log lines.
 *
 *     INFO  jepsen.util - 4<tab>:invoke<tab>:cas<tab>[2 4]
 *
 * A line is an operation line if a process number is followed by one of
 * :invoke, :ok, :fail, :info and a function; all other lines are the chatter
 * of the test.  In these logs a failed cas that repeats its pair is one whose
 * comparison failed: it has the result false.  Every other failure did not
 * happen. */
#include "base/fail.h"
#include "history/jepsenop.h"
#include "history/lines.h"
#include "history/roles.h"

enum { LOOK_AT = 4096 }; /* bytes that detecting looks at */

struct log_line {
    struct plumb_field process, type, function;
    const char *value; /* what follows the function */
};

static enum plumb_jepsen_type type_of(const struct plumb_field *f)
{
    return f->length && *f->text == ':'
               ? plumb_jepsen_type_of(f->text + 1, f->length - 1)
               : PLUMB_JEPSEN_NO_TYPE;
}

static bool is_process(const struct plumb_field *f)
{
    int64_t number;
    return plumb_read_integer(f->text, f->length, &number) == PLUMB_NUMBER;
}

/* Does the current line hold an operation?  One that ends behind its type
 * does, with an empty function. */
static bool find_operation(const struct plumb_lines *l, struct log_line *o)
{
    const char *at = l->start;
    o->process = (struct plumb_field){ at, 0, { 0, 0 } };
    while (plumb_lines_field(l, &at, &o->type)) {
        if (type_of(&o->type) == PLUMB_JEPSEN_NO_TYPE ||
            !is_process(&o->process)) {
            o->process = o->type;
            continue;
        }
        const bool more = plumb_lines_field(l, &at, &o->function);
        o->value = at;
        return !more || (*o->function.text == ':' && o->function.length > 1);
    }
    return false;
}

static int detect(const char *data, size_t size)
{
    struct plumb_lines l;
    struct log_line o;
    plumb_lines_init(&l, data, size < LOOK_AT ? size : LOOK_AT);
    while (plumb_lines_next(&l))
        if (find_operation(&l, &o) && o.function.length)
            return 90;
    return 0;
}

/* The first form behind the function; nil if there is none.  Only calls and
 * ok lines are asked: behind the others stands anything. */
static enum plumb_status read_value(struct plumb_reader *r,
                                    const struct plumb_lines *l,
                                    const struct log_line *o,
                                    struct plumb_edn_values *values,
                                    struct plumb_jepsen_op *op,
                                    struct plumb_error *err)
{
    struct plumb_edn e = { o->value, l->stop, l->start, l->line, 0 };
    struct plumb_edn_token t;
    const enum plumb_status status = plumb_edn_next(&e, &t, err);
    if (status != PLUMB_OK || t.kind == PLUMB_EDN_END)
        return status;
    op->is_empty =
        t.kind == PLUMB_EDN_KEYWORD && plumb_text_is(t.text, t.length, "empty");
    return plumb_edn_list(&e, &t, r->builder, r->budget, values, err);
}

/* A failed cas gives its pair again, or nothing; a word is a reason. */
static bool is_refused(const struct plumb_lines *l, const struct log_line *o)
{
    const char *at = o->value;
    struct plumb_field value;
    const bool more = plumb_lines_field(l, &at, &value);
    return plumb_role_of(o->function.text + 1, o->function.length - 1) ==
               PLUMB_ROLE_CAS &&
           (!more || *value.text == '[' || plumb_field_is(&value, "nil"));
}

static enum plumb_status read_operation(struct plumb_reader *r,
                                        struct plumb_jepsen *j,
                                        const struct plumb_lines *l,
                                        const struct log_line *o,
                                        struct plumb_error *err)
{
    struct plumb_edn_values values; /* large: only its start is set */
    values.v[0] = plumb_nil();
    values.count = 1;
    if (!o->function.length)
        return plumb_field_fail(err, &o->type,
                                "the operation line ends after %s");
    struct plumb_jepsen_op op = {
        .type = type_of(&o->type),
        .origin = o->process.origin,
        .process = o->process.text,
        .process_length = o->process.length,
        .function = o->function.text + 1,
        .function_length = o->function.length - 1,
        .values = &values,
    };
    op.refused = op.type == PLUMB_JEPSEN_FAIL && is_refused(l, o);
    if (op.type == PLUMB_JEPSEN_INVOKE || op.type == PLUMB_JEPSEN_OK) {
        const enum plumb_status status = read_value(r, l, o, &values, &op, err);
        if (status != PLUMB_OK)
            return status;
    }
    return plumb_jepsen_add(j, &op, err);
}

static enum plumb_status read_log(struct plumb_reader *r,
                                  struct plumb_jepsen *j, struct plumb_lines *l,
                                  struct plumb_error *err)
{
    struct log_line o;
    enum plumb_status status = PLUMB_OK;
    while (status == PLUMB_OK && plumb_lines_next(l))
        if (find_operation(l, &o))
            status = read_operation(r, j, l, &o, err);
    if (status == PLUMB_OK && !j->seen)
        return plumb_fail(err, PLUMB_EINPUT, 1, 1, "no Jepsen operation lines");
    return status == PLUMB_OK ? plumb_jepsen_hint(j, err) : status;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    struct plumb_jepsen j;
    struct plumb_lines l;
    if (r->at >= r->size)
        return PLUMB_END;
    plumb_lines_init(&l, r->data, r->size);
    enum plumb_status status =
        plumb_jepsen_begin(&j, r->builder, r->budget, err);
    if (status == PLUMB_OK)
        status = read_log(r, &j, &l, err);
    plumb_jepsen_end(&j);
    r->at = r->size;
    r->line = l.line;
    return status;
}

const struct plumb_format_class plumb_format_jepsen = {
    .format = PLUMB_FORMAT_JEPSEN,
    .name = "jepsen",
    .what = "log lines of Jepsen: 4 :invoke :cas [2 4]",
    .ties = PLUMB_TIES_CALL_FIRST,
    .detect = detect,
    .next = next,
};
