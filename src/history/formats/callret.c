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
    struct plumb_error *err;
    struct known *known;
    struct plumb_history_lines lines;
    uint32_t object; /* symbol */
};

/* One event: what stands behind its id. */
struct event {
    struct plumb_history_field id;
    uint32_t thread; /* symbol of the id */
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

static bool read_value(struct history *h, const char **at, const char *stop,
                       struct plumb_value *value)
{
    struct plumb_history_field f = {
        *at, 0, plumb_history_lines_origin(&h->lines, *at)
    };
    if (**at != '"') {
        scan_word(at, stop, true);
        f.length = (size_t)(*at - f.text);
        return plumb_history_field_value(&f, h->reader->builder, value, h->err);
    }
    ++*at;
    if (!scan_string(at, stop))
        return plumb_history_field_fail(h->err, &f, "unterminated string");
    return plumb_history_intern_value(h->reader->builder, f.text + 1,
                                      (size_t)(*at - f.text) - 2, value,
                                      h->err);
}

static bool read_values(struct history *h, const char *at, const char *stop,
                        struct plumb_value *value, size_t *count)
{
    for (*count = 0;;) {
        while (at < stop && is_separator(*at, true))
            at++;
        if (at == stop)
            return true;
        struct plumb_value v;
        if (!read_value(h, &at, stop, &v))
            return false;
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
static bool split_call(struct history *h, const struct event *e,
                       struct plumb_history_field *name, const char **args,
                       const char **stop)
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
        return plumb_history_field_fail(h->err, name,
                                        "this call names no operation");
    *args = skip_blanks(at, l->stop);
    *stop = l->stop;
    if (*args == l->stop || **args != '(')
        return true;
    ++*args;
    while (*stop > *args && plumb_history_is_blank((*stop)[-1]))
        --*stop;
    return (*stop != *args && *--*stop == ')') ||
           plumb_history_field_fail(h->err, name,
                                    "the ( after %s is never closed");
}

/* Is the open call of the thread the same as this one? */
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

static bool add_call(struct history *h, const struct event *e, uint32_t name,
                     const struct plumb_value *value, size_t nargs)
{
    struct plumb_builder *const b = h->reader->builder;
    const struct plumb_origin *const origin = &e->id.origin;
    if (is_repeated(h, e->thread, name, value, nargs) &&
        plumb_builder_respond(b, e->thread, h->object, PLUMB_OUTCOME_INFO, 0,
                              NULL, 0, origin, h->err) != PLUMB_OK)
        return false;
    return plumb_builder_call(b, e->thread, h->object, name, value, nargs,
                              origin, h->err) == PLUMB_OK;
}

static bool read_call(struct history *h, const struct event *e)
{
    struct plumb_builder *const b = h->reader->builder;
    struct plumb_value value[MOST_VALUES];
    struct plumb_history_field name;
    const char *args = NULL, *stop = NULL;
    size_t count = 0;
    uint32_t symbol;
    if (!split_call(h, e, &name, &args, &stop) ||
        !read_values(h, args, stop, value, &count) ||
        !plumb_history_intern(b, name.text, name.length, &symbol, h->err))
        return false;
    const bool takes = takes_items(h, &name, count);
    if (takes && count > 1)
        return plumb_history_field_fail(
            h->err, &name,
            "%s removes more than one item; only one is supported");
    if (!add_call(h, e, symbol, value, takes ? 0 : count))
        return false;
    return !takes || !count ||
           plumb_history_builder_promise(b, e->thread, value[0]) ||
           plumb_history_fail_memory(h->err);
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

static bool respond(struct history *h, const struct event *e, const char *term,
                    const struct plumb_value *value, size_t count)
{
    struct plumb_builder *const b = h->reader->builder;
    uint32_t symbol;
    return plumb_history_intern(b, term, strlen(term), &symbol, h->err) &&
           plumb_builder_respond(b, e->thread, h->object, PLUMB_OUTCOME_OK,
                                 symbol, value, count, &e->id.origin,
                                 h->err) == PLUMB_OK;
}

static bool read_return(struct history *h, const struct event *e)
{
    struct plumb_value value[MOST_VALUES];
    struct plumb_history_field rest;
    const char *at = e->rest;
    size_t count = 0;
    plumb_history_lines_field(&h->lines, &at, &rest);
    const bool alone = skip_blanks(at, h->lines.stop) == h->lines.stop;
    const struct told told = told_by(h, e->thread);
    if (alone && is_term(&rest, &told))
        return respond(h, e, *rest.text == 'e' ? "empty" : "full", NULL, 0);
    if (!read_values(h, rest.text, h->lines.stop, value, &count))
        return false;
    if (told.takes && !count)
        return respond(h, e, told.given ? "ok" : "empty", &told.value,
                       told.given);
    if (told.takes && told.given && !plumb_value_equal(told.value, value[0]))
        return plumb_history_field_fail(
            h->err, &rest,
            "the return gives %s, but the call names another value");
    return respond(h, e, "ok", value, count);
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

static bool read_header(struct history *h)
{
    struct plumb_builder *const b = h->reader->builder;
    struct plumb_history_field type;
    if (!find_type(&h->lines, &type))
        return true;
    h->known->any = true;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *const spec = types[i].spec;
        uint32_t symbol;
        if (!plumb_history_name_is(type.text, type.length, types[i].name))
            continue;
        if (!plumb_history_intern(b, spec, strlen(spec), &symbol, h->err))
            return false;
        plumb_builder_spec(b, symbol);
        h->known->has_hint = true;
        h->known->keyed = types[i].keyed;
    }
    return true;
}

static bool read_line(struct history *h)
{
    struct event e;
    const char *at = h->lines.start;
    struct plumb_history_field first;
    if (!plumb_history_lines_field(&h->lines, &at, &first))
        return true;
    if (*first.text == '#')
        return read_header(h);
    h->known->any = true;
    if (!find_event(&h->lines, &e))
        return plumb_history_field_fail(
            h->err, &first, "expected [id] call or [id] return, found %s");
    return plumb_history_intern(h->reader->builder, e.id.text, e.id.length,
                                &e.thread, h->err) &&
           (e.is_call ? read_call(h, &e) : read_return(h, &e));
}

static bool read_lines(struct history *h)
{
    if (!plumb_history_intern(h->reader->builder, "object", 6, &h->object,
                              h->err))
        return false;
    while (plumb_history_lines_next(&h->lines))
        if (!read_line(h))
            return false;
    return true;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    struct history h = { .reader = r, .err = err, .known = r->state };
    plumb_history_lines_open(&h.lines, r);
    const bool good = read_lines(&h);
    plumb_history_lines_close(&h.lines, r);
    if (!good)
        return err->status;
    return h.known->any ? PLUMB_OK : PLUMB_END;
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
