/* jepsen.c - reading Jepsen's log lines.
 *
 *     INFO  jepsen.util - 4<tab>:invoke<tab>:cas<tab>[2 4]
 *
 * A line is an operation line if a process is followed by one of :invoke, :ok,
 * :fail, :info and a function; all other lines are the chatter of the test.  A
 * process is a number, or :nemesis, whose lines tell no more than that this is a
 * log.  A failed cas that repeats its pair, and says no more, is one whose
 * comparison failed: it has the result false.  Every other failure did not
 * happen. */
#include "base/fail.h"
#include "base/spelling.h"
#include "jepsen_event.h"
#include "lines.h"

enum { LOOK_AT = 4096 }; /* bytes that detecting looks at */

/* Of the history so far. */
struct known {
    struct plumb_history_jepsen_known jepsen; /* first, see jepsen_event.h */
    bool text; /* there were lines that are not blank */
};

struct log_line {
    struct plumb_history_field process, type, function;
    const char *value; /* what follows the function */
};

static enum plumb_history_jepsen_type type_of(
    const struct plumb_history_field *f)
{
    return f->length && *f->text == ':'
               ? plumb_history_jepsen_type_of(f->text + 1, f->length - 1)
               : PLUMB_JEPSEN_NO_TYPE;
}

static bool is_client(const struct plumb_history_field *f)
{
    int64_t number;
    return plumb_history_read_integer(f->text, f->length, &number) ==
           PLUMB_NUMBER;
}

static bool is_process(const struct plumb_history_field *f)
{
    return is_client(f) || plumb_history_field_is(f, ":nemesis");
}

/* Does the current line hold an operation?  One that ends behind its type
 * does, with an empty function. */
static bool find_operation(const struct plumb_history_lines *l,
                           struct log_line *o)
{
    const char *at = l->start;
    o->process = (struct plumb_history_field){ at, 0, { 0, 0 } };
    while (plumb_history_lines_field(l, &at, &o->type)) {
        if (type_of(&o->type) == PLUMB_JEPSEN_NO_TYPE ||
            !is_process(&o->process)) {
            o->process = o->type;
            continue;
        }
        const bool more = plumb_history_lines_field(l, &at, &o->function);
        o->value = at;
        return !more || (*o->function.text == ':' && o->function.length > 1);
    }
    return false;
}

static int detect(const char *data, size_t size)
{
    struct plumb_history_lines l;
    struct log_line o;
    plumb_history_lines_init(&l, data, size < LOOK_AT ? size : LOOK_AT);
    while (plumb_history_lines_next(&l))
        if (find_operation(&l, &o) && o.function.length)
            return 90;
    return 0;
}

static struct plumb_history_edn value_of(const struct plumb_history_jepsen *j,
                                         const struct plumb_history_lines *l,
                                         const struct log_line *o,
                                         struct plumb_error *err)
{
    return (struct plumb_history_edn){ .at = o->value,
                                       .end = l->stop,
                                       .line_start = l->start,
                                       .line = l->line,
                                       .err = err,
                                       .builder = j->builder,
                                       .budget = j->budget };
}

/* The first form behind the function; nil if there is none.  Only calls and
 * ok lines are asked: behind the others stands anything. */
static bool read_value(struct plumb_history_jepsen *j,
                       const struct plumb_history_lines *l,
                       const struct log_line *o,
                       struct plumb_history_jepsen_op *op)
{
    struct plumb_history_edn e = value_of(j, l, o, j->err);
    struct plumb_history_edn_token t;
    if (!plumb_history_edn_next(&e, &t))
        return false;
    return t.kind == PLUMB_EDN_END ? plumb_history_jepsen_no_value(j, op)
                                   : plumb_history_jepsen_value(j, &e, &t, op);
}

/* A failed cas gives its pair again, or nothing.  A word in its place, or
 * anything behind it, is a reason. */
static bool is_refused(const struct plumb_history_jepsen *j,
                       const struct plumb_history_lines *l,
                       const struct log_line *o)
{
    struct plumb_error err;
    struct plumb_history_edn e = value_of(j, l, o, &err);
    struct plumb_history_edn_token t, more;
    if (!plumb_history_edn_next(&e, &t))
        return false;
    if (t.kind == PLUMB_EDN_END)
        return true;
    const bool said_again =
        t.bracket == '[' || plumb_base_is_word(t.text, t.length, "nil");
    return said_again && plumb_history_edn_skip(&e, &t) &&
           plumb_history_edn_next(&e, &more) && more.kind == PLUMB_EDN_END;
}

static bool read_operation(struct plumb_history_jepsen *j,
                           const struct plumb_history_lines *l,
                           const struct log_line *o)
{
    struct plumb_history_edn_values values; /* large: only its start is set */
    values.v[0] = plumb_nil();
    values.count = 1;
    if (!o->function.length)
        return plumb_history_field_fail(j->err, &o->type,
                                        "the operation line ends after %s");
    struct plumb_history_jepsen_op op = {
        .type = type_of(&o->type),
        .origin = o->process.origin,
        .process = o->process.text,
        .process_length = o->process.length,
        .function = o->function.text + 1,
        .function_length = o->function.length - 1,
        .values = &values,
    };
    op.role = plumb_history_role_of(op.function, op.function_length);
    op.refused = op.type == PLUMB_JEPSEN_FAIL && op.role == PLUMB_ROLE_CAS &&
                 is_refused(j, l, o);
    if ((op.type == PLUMB_JEPSEN_INVOKE || op.type == PLUMB_JEPSEN_OK) &&
        !read_value(j, l, o, &op))
        return false;
    return plumb_history_jepsen_add(j, &op);
}

static bool read_line(struct plumb_history_jepsen *j,
                      const struct plumb_history_lines *l)
{
    struct log_line o;
    if (!find_operation(l, &o))
        return true;
    if (is_client(&o.process))
        return read_operation(j, l, &o);
    j->known->any = true;
    return true;
}

static bool is_blank(const struct plumb_history_lines *l)
{
    const char *at = l->start;
    struct plumb_history_field first;
    return !plumb_history_lines_field(l, &at, &first);
}

static bool read_log(struct plumb_history_jepsen *j, struct known *known,
                     struct plumb_history_lines *l)
{
    bool good = true;
    while (good && plumb_history_lines_next(l)) {
        good = read_line(j, l);
        known->text = known->text || !is_blank(l);
    }
    return plumb_history_jepsen_hint(j, good);
}

static enum plumb_status read_on(struct plumb_reader *r,
                                 struct plumb_error *err)
{
    struct known *const known = r->state;
    struct plumb_history_jepsen j;
    struct plumb_history_lines l;
    plumb_history_lines_open(&l, r);
    const bool good = plumb_history_jepsen_begin(&j, r, &known->jepsen, err) &&
                      read_log(&j, known, &l);
    plumb_history_lines_close(&l, r);
    if (!good || known->jepsen.any)
        return good ? PLUMB_OK : err->status;
    return known->text && !r->more
               ? plumb_base_fail(err, PLUMB_EINPUT, 1, 1,
                                 "no Jepsen operation lines")
               : PLUMB_END;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    return plumb_history_jepsen_next(r, read_on, err);
}

const struct plumb_history_format_class plumb_history_format_jepsen = {
    .format = PLUMB_FORMAT_JEPSEN,
    .name = "jepsen",
    .what = "log lines of Jepsen: 4 :invoke :cas [2 4]",
    .ties = PLUMB_TIES_CALL_FIRST,
    .in_order = true,
    .by_line = true,
    .state = sizeof(struct known),
    .forget = plumb_history_jepsen_forget,
    .detect = detect,
    .next = next,
};
