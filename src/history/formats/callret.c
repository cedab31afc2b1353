/* callret.c - reading the call and return lines of LiMo and Violin.
 *
 *     # @object atomic-stack
 *     [1] call push(2)
 *     [1] return
 *
 * An id is a thread or a single operation; either way it has at most one open
 * call.  Operations that take an item out tell it at the return, or at the
 * call already: "call pop(3)" and a bare "return" is a pop that gave 3.  A
 * bare return of one that told nothing is empty.  What was told at the call
 * the builder keeps until the return.
 *
 * An id that repeats its open call word for word tries again: the first try
 * stays pending.  Any other call in its place is an error. */
#include "base/fail.h"
#include "history/builder.h"
#include "lines.h"
#include "roles.h"
#include <string.h>

enum { LOOK_AT = 4096, MOST_VALUES = 256 };

/* Of the history so far. */
struct known {
    bool any;   /* anything at all was read                  */
    bool keyed; /* a set or a map: remove(x) has an argument */
    bool has_hint;
};

struct history {
    struct plumb_reader *reader;
    struct known *known;
    struct plumb_history_lines lines;
    uint32_t object; /* symbol */
};

/* One event: what stands behind its id. */
struct event {
    struct plumb_history_field id;
    bool is_call;
    const char *rest;
};

static const char *skip_blanks(const char *at, const char *stop)
{
    while (at < stop && plumb_history_is_blank(*at))
        at++;
    return at;
}

/* "[id] call" or "[id] return"; false if the line is neither. */
static bool find_event(const struct plumb_history_lines *l, struct event *e)
{
    const char *const open = skip_blanks(l->start, l->stop);
    if (open == l->stop || *open != '[')
        return false;
    const char *const close = memchr(open, ']', (size_t)(l->stop - open));
    if (!close || close == open + 1)
        return false;
    e->id = (struct plumb_history_field){ open + 1, (size_t)(close - open - 1),
                                          plumb_history_lines_origin(l, open) };
    struct plumb_history_field what;
    e->rest = close + 1;
    plumb_history_lines_field(l, &e->rest, &what);
    e->is_call = plumb_history_field_is(&what, "call");
    return e->is_call || plumb_history_field_is(&what, "return");
}

/* ---- values ---- */

static bool is_separator(char c, bool commas)
{
    return plumb_history_is_blank(c) || (commas && c == ',');
}

/* A quoted string; *at is behind its first quote. */
static bool scan_string(const char **at, const char *stop)
{
    const char *const quote = memchr(*at, '"', (size_t)(stop - *at));
    if (!quote)
        return false;
    *at = quote + 1;
    return true;
}

/* Move *at behind a word, in which blanks and commas inside brackets belong
 * to it: ?<1,1> is one. */
static void scan_word(const char **at, const char *stop, bool commas)
{
    int depth = 0;
    for (; *at < stop; ++*at) {
        const char c = **at;
        if (depth <= 0 && is_separator(c, commas))
            return;
        if (c && strchr("(<[{", c))
            depth++;
        else if (c && strchr(")>]}", c))
            depth--;
    }
}

static enum plumb_status read_value(struct history *h, const char **at,
                                    const char *stop, struct plumb_value *value,
                                    struct plumb_error *err)
{
    struct plumb_history_field f = {
        *at, 0, plumb_history_lines_origin(&h->lines, *at)
    };
    if (**at != '"') {
        scan_word(at, stop, true);
        f.length = (size_t)(*at - f.text);
        return plumb_history_field_value(&f, h->reader->builder, value, err);
    }
    ++*at;
    if (!scan_string(at, stop))
        return plumb_history_field_fail(err, &f, "unterminated string");
    const uint32_t symbol = plumb_builder_symbol(h->reader->builder, f.text + 1,
                                                 (size_t)(*at - f.text) - 2);
    *value = plumb_str(symbol);
    return symbol == UINT32_MAX ? plumb_base_fail_memory(err) : PLUMB_OK;
}

static enum plumb_status read_values(struct history *h, const char *at,
                                     const char *stop,
                                     struct plumb_value *value, size_t *count,
                                     struct plumb_error *err)
{
    *count = 0;
    for (;;) {
        while (at < stop && is_separator(*at, true))
            at++;
        if (at == stop)
            return PLUMB_OK;
        struct plumb_value v;
        const enum plumb_status status = read_value(h, &at, stop, &v, err);
        if (status != PLUMB_OK)
            return status;
        if (*count < MOST_VALUES) /* the builder refuses as many */
            value[(*count)++] = v;
    }
}

/* ---- events ---- */

static bool takes_items(const struct history *h,
                        const struct plumb_history_field *name, size_t nargs)
{
    if (plumb_history_role_of(name->text, name->length) != PLUMB_ROLE_TAKE)
        return false;
    /* remove(x) of a set, or of we know not what, removes its argument */
    return !nargs ||
           !plumb_history_name_is(name->text, name->length, "remove") ||
           (h->known->has_hint && !h->known->keyed);
}

/* The name of the operation, and its arguments: name, name(a, b), name a b. */
static enum plumb_status split_call(struct history *h, const struct event *e,
                                    struct plumb_history_field *name,
                                    const char **args, const char **stop,
                                    struct plumb_error *err)
{
    const struct plumb_history_lines *const l = &h->lines;
    const char *const start = skip_blanks(e->rest, l->stop);
    const char *at = start;
    while (at < l->stop && !plumb_history_is_blank(*at) && *at != '(')
        at++;
    *name =
        (struct plumb_history_field){ start, (size_t)(at - start),
                                      plumb_history_lines_origin(l, start) };
    if (!name->length)
        return plumb_history_field_fail(err, name,
                                        "this call names no operation");
    *args = skip_blanks(at, l->stop);
    *stop = l->stop;
    if (*args == l->stop || **args != '(')
        return PLUMB_OK;
    ++*args;
    while (*stop > *args && plumb_history_is_blank((*stop)[-1]))
        --*stop;
    if (*stop == *args || *--*stop != ')')
        return plumb_history_field_fail(err, name,
                                        "the ( after %s is never closed");
    return PLUMB_OK;
}

static enum plumb_status fail_many(const struct plumb_history_field *name,
                                   struct plumb_error *err)
{
    return plumb_history_field_fail(
        err, name, "%s removes more than one item; only one is supported");
}

/* Is the open call of `thread` the same as this one? */
static bool is_repeated(const struct history *h, uint32_t thread, uint32_t name,
                        const struct plumb_value *value, size_t nargs)
{
    const struct plumb_value *args;
    const struct plumb_op *const open =
        plumb_builder_open_call(h->reader->builder, thread, &args);
    if (!open || open->name != name || open->nargs != nargs)
        return false;
    for (size_t i = 0; i < nargs; i++)
        if (!plumb_value_equal(args[i], value[i]))
            return false;
    return true;
}

static enum plumb_status add_call(struct history *h, const struct event *e,
                                  uint32_t thread, uint32_t name,
                                  const struct plumb_value *value, size_t nargs,
                                  struct plumb_error *err)
{
    struct plumb_builder *const b = h->reader->builder;
    const enum plumb_status status =
        is_repeated(h, thread, name, value, nargs)
            ? plumb_builder_respond(b, thread, h->object, PLUMB_OUTCOME_INFO, 0,
                                    NULL, 0, &e->id.origin, err)
            : PLUMB_OK;
    if (status != PLUMB_OK)
        return status;
    return plumb_builder_call(b, thread, h->object, name, value, nargs,
                              &e->id.origin, err);
}

static enum plumb_status read_call(struct history *h, const struct event *e,
                                   uint32_t thread, struct plumb_error *err)
{
    struct plumb_builder *const b = h->reader->builder;
    struct plumb_value value[MOST_VALUES];
    struct plumb_history_field name;
    const char *args = NULL, *stop = NULL;
    size_t count = 0;
    enum plumb_status status = split_call(h, e, &name, &args, &stop, err);
    if (status == PLUMB_OK)
        status = read_values(h, args, stop, value, &count, err);
    if (status != PLUMB_OK)
        return status;
    const uint32_t symbol = plumb_builder_symbol(b, name.text, name.length);
    if (symbol == UINT32_MAX)
        return plumb_base_fail_memory(err);
    const bool takes = takes_items(h, &name, count);
    if (takes && count > 1)
        return fail_many(&name, err);
    status = add_call(h, e, thread, symbol, value, takes ? 0 : count, err);
    if (status == PLUMB_OK && takes && count &&
        !plumb_history_builder_promise(b, thread, value[0]))
        return plumb_base_fail_memory(err);
    return status;
}

/* What is known of a call when it returns. */
struct told {
    bool takes; /* items out */
    bool given; /* it told which */
    struct plumb_value value;
};

/* An operation that takes items out is the only one of its names that has no
 * argument, see takes_items(). */
static struct told told_by(const struct history *h, uint32_t thread)
{
    const struct plumb_builder *const b = h->reader->builder;
    const struct plumb_op *const open =
        plumb_builder_open_call(b, thread, NULL);
    struct told told = { .takes = false, .value = plumb_nil() };
    if (!open)
        return told;
    size_t length;
    const char *const name = plumb_history_builder_text(b, open->name, &length);
    told.takes =
        !open->nargs && plumb_history_role_of(name, length) == PLUMB_ROLE_TAKE;
    told.given = plumb_history_builder_promised(b, thread, &told.value);
    return told;
}

/* A return of nothing but a term: empty, or full where items are added. */
static bool is_term(const struct plumb_history_field *rest,
                    const struct told *told)
{
    return plumb_history_field_is(rest, "empty") ||
           (!told->takes && plumb_history_field_is(rest, "full"));
}

static enum plumb_status respond(struct history *h, const struct event *e,
                                 uint32_t thread, const char *term,
                                 const struct plumb_value *value, size_t count,
                                 struct plumb_error *err)
{
    struct plumb_builder *const b = h->reader->builder;
    const uint32_t symbol = plumb_builder_symbol(b, term, strlen(term));
    if (symbol == UINT32_MAX)
        return plumb_base_fail_memory(err);
    return plumb_builder_respond(b, thread, h->object, PLUMB_OUTCOME_OK, symbol,
                                 value, count, &e->id.origin, err);
}

static enum plumb_status read_return(struct history *h, const struct event *e,
                                     uint32_t thread, struct plumb_error *err)
{
    struct plumb_value value[MOST_VALUES];
    struct plumb_history_field rest;
    const char *at = e->rest;
    size_t count = 0;
    plumb_history_lines_field(&h->lines, &at, &rest);
    const bool alone = skip_blanks(at, h->lines.stop) == h->lines.stop;
    const struct told told = told_by(h, thread);
    if (alone && is_term(&rest, &told))
        return respond(h, e, thread, *rest.text == 'e' ? "empty" : "full", NULL,
                       0, err);
    const enum plumb_status status =
        read_values(h, rest.text, h->lines.stop, value, &count, err);
    if (status != PLUMB_OK)
        return status;
    if (!told.takes)
        return respond(h, e, thread, "ok", value, count, err);
    if (!count)
        return respond(h, e, thread, told.given ? "ok" : "empty", &told.value,
                       told.given ? 1 : 0, err);
    if (told.given && !plumb_value_equal(told.value, value[0]))
        return plumb_history_field_fail(
            err, &rest,
            "the return gives %s, but the call names another value");
    return respond(h, e, thread, "ok", value, count, err);
}

static enum plumb_status read_event(struct history *h, const struct event *e,
                                    struct plumb_error *err)
{
    const uint32_t thread =
        plumb_builder_symbol(h->reader->builder, e->id.text, e->id.length);
    if (thread == UINT32_MAX)
        return plumb_base_fail_memory(err);
    return e->is_call ? read_call(h, e, thread, err)
                      : read_return(h, e, thread, err);
}

/* ---- the header ---- */

static const struct {
    const char *name; /* normalised, without "atomic" */
    const char *spec;
    bool keyed;
} types[] = {
    { "stack", "stack", false },
    { "queue", "queue", false },
    { "deque", "deque", false },
    { "priorityqueue", "priority-queue", false },
    { "set", "set", true },
    { "multiset", "multiset", true },
    { "bag", "bag", true },
    { "map", "map", true },
    { "register", "register", false },
    { "counter", "counter", false },
    { "semaphore", "semaphore", false },
    { "mutex", "mutex", false },
};

/* "# @object atomic-queue" names the type; "atomic-" may be missing. */
static bool find_type(const struct plumb_history_lines *l,
                      struct plumb_history_field *type)
{
    static const char prefix[] = "atomic-";
    const size_t length = sizeof prefix - 1;
    const char *at = skip_blanks(l->start, l->stop);
    struct plumb_history_field word;
    if (at < l->stop && *at == '#')
        at++;
    if (!plumb_history_lines_field(l, &at, &word) ||
        !plumb_history_field_is(&word, "@object"))
        return false;
    if (!plumb_history_lines_field(l, &at, type))
        return false;
    if (type->length > length && memcmp(type->text, prefix, length) == 0) {
        type->text += length;
        type->length -= length;
    }
    return true;
}

static enum plumb_status read_header(struct history *h, struct plumb_error *err)
{
    struct plumb_history_field type;
    if (!find_type(&h->lines, &type))
        return PLUMB_OK;
    h->known->any = true;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!plumb_history_name_is(type.text, type.length, types[i].name))
            continue;
        const uint32_t symbol = plumb_builder_symbol(
            h->reader->builder, types[i].spec, strlen(types[i].spec));
        if (symbol == UINT32_MAX)
            return plumb_base_fail_memory(err);
        plumb_builder_spec(h->reader->builder, symbol);
        h->known->has_hint = true;
        h->known->keyed = types[i].keyed;
    }
    return PLUMB_OK;
}

static enum plumb_status read_line(struct history *h, struct plumb_error *err)
{
    struct event e;
    const char *at = h->lines.start;
    struct plumb_history_field first;
    if (!plumb_history_lines_field(&h->lines, &at, &first))
        return PLUMB_OK;
    if (*first.text == '#')
        return read_header(h, err);
    h->known->any = true;
    if (!find_event(&h->lines, &e))
        return plumb_history_field_fail(
            err, &first, "expected [id] call or [id] return, found %s");
    return read_event(h, &e, err);
}

static enum plumb_status read_lines(struct history *h, struct plumb_error *err)
{
    struct plumb_builder *const b = h->reader->builder;
    enum plumb_status status = PLUMB_OK;
    h->object = plumb_builder_symbol(b, "object", 6);
    if (h->object == UINT32_MAX)
        return plumb_base_fail_memory(err);
    while (status == PLUMB_OK && plumb_history_lines_next(&h->lines))
        status = read_line(h, err);
    return status == PLUMB_OK && !h->known->any ? PLUMB_END : status;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    struct history h = { .reader = r, .known = r->state };
    plumb_history_lines_open(&h.lines, r);
    const enum plumb_status status = read_lines(&h, err);
    plumb_history_lines_close(&h.lines, r);
    return status;
}

static int detect(const char *data, size_t size)
{
    struct plumb_history_lines l;
    struct event e;
    struct plumb_history_field type, first;
    int sure = 0;
    plumb_history_lines_init(&l, data, size < LOOK_AT ? size : LOOK_AT);
    while (plumb_history_lines_next(&l)) {
        const char *at = l.start;
        if (!plumb_history_lines_field(&l, &at, &first))
            continue;
        if (*first.text != '#')
            return find_event(&l, &e) ? 95 : 0;
        if (find_type(&l, &type))
            sure = 80;
    }
    return sure;
}

const struct plumb_history_format_class plumb_history_format_callret = {
    .format = PLUMB_FORMAT_CALLRET,
    .name = "callret",
    .what = "call and return lines of LiMo and Violin: [1] call push(2)",
    .ties = PLUMB_TIES_CALL_FIRST,
    .in_order = true,
    .by_line = true,
    .state = sizeof(struct known),
    .detect = detect,
    .next = next,
};
