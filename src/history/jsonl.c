/* jsonl.c - one JSON object a line: docs/FORMATS.md has the grammar.
 *
 *     {"plumb":1,"spec":"queue"}                       begins a history
 *     {"type":"invoke","process":"P1","object":"Q","f":"enq","args":[1]}
 *     {"type":"ok","process":"P1"}
 *     {"process":"P1","f":"deq","results":[1],"call":5,"return":9}
 *
 * A line is first read as a whole into a record, because its keys come in any
 * order; which keys are there then tells what it is.  The keys that a kind of
 * line may have are a table. */
#include "history/jsonl.h"

#include "base/fail.h"
#include "history/json_scan.h"
#include "history/reader.h"

enum key {
    KEY_PLUMB,
    KEY_SPEC,
    KEY_TYPE,
    KEY_PROCESS,
    KEY_OBJECT,
    KEY_F,
    KEY_ARGS,
    KEY_TERM,
    KEY_RESULTS,
    KEY_TIME,
    KEY_CALL,
    KEY_RETURN,
    KEYS
};

static const char *const key_names[KEYS] = {
    [KEY_PLUMB] = "plumb",     [KEY_SPEC] = "spec",
    [KEY_TYPE] = "type",       [KEY_PROCESS] = "process",
    [KEY_OBJECT] = "object",   [KEY_F] = "f",
    [KEY_ARGS] = "args",       [KEY_TERM] = "term",
    [KEY_RESULTS] = "results", [KEY_TIME] = "time",
    [KEY_CALL] = "call",       [KEY_RETURN] = "return",
};

#define BIT(key) (1u << (key))

/* What a line can be, the keys it must have, and those it may have. */
enum kind { HEADER, INVOKE, RETURN, NO_RETURN, WHOLE, KINDS };

static const struct {
    const char *name;
    unsigned must, may;
} kinds[KINDS] = {
    [HEADER] = { "a header", BIT(KEY_PLUMB), BIT(KEY_SPEC) },
    [INVOKE] = { "an invocation", BIT(KEY_TYPE) | BIT(KEY_PROCESS) | BIT(KEY_F),
                 BIT(KEY_OBJECT) | BIT(KEY_ARGS) | BIT(KEY_TIME) },
    [RETURN] = { "a response", BIT(KEY_TYPE) | BIT(KEY_PROCESS),
                 BIT(KEY_OBJECT) | BIT(KEY_F) | BIT(KEY_TERM) |
                     BIT(KEY_RESULTS) | BIT(KEY_TIME) },
    [NO_RETURN] = { "a response that is not ok",
                    BIT(KEY_TYPE) | BIT(KEY_PROCESS),
                    BIT(KEY_OBJECT) | BIT(KEY_F) | BIT(KEY_TIME) },
    [WHOLE] = { "a whole operation", BIT(KEY_F) | BIT(KEY_CALL),
                BIT(KEY_TYPE) | BIT(KEY_PROCESS) | BIT(KEY_OBJECT) |
                    BIT(KEY_ARGS) | BIT(KEY_TERM) | BIT(KEY_RESULTS) |
                    BIT(KEY_RETURN) },
};

enum type { TYPE_INVOKE, TYPE_OK, TYPE_FAIL, TYPE_INFO, TYPES };

static const char *const type_names[TYPES] = { "invoke", "ok", "fail", "info" };

struct values {
    size_t count;
    struct plumb_value value[UINT8_MAX];
};

struct record {
    unsigned has;            /* a bit per key       */
    const char *place[KEYS]; /* where its value is  */
    uint32_t symbol[KEYS];   /* of those with names */
    int64_t number[KEYS];    /* of those with times */
    enum type type;
    bool returns; /* "return" is not null */
    struct values args, results;
    struct plumb_origin origin;
};

struct scan {
    struct plumb_json json;
    struct plumb_builder *builder;
    uint32_t ok, object; /* the default term and object; 0 until needed */
    bool began, events, whole;
    bool named, nameless; /* whole operations with a process, and without */
    int64_t time;         /* of the last event that had one */
    bool timed;
    struct record record;
};

static bool fail(struct scan *s, const char *at, const char *message)
{
    return plumb_json_fail(&s->json, at, message);
}

static bool fail_key(struct scan *s, const char *at, const char *format,
                     enum key key, const char *what)
{
    plumb_fail(s->json.err, PLUMB_EINPUT, s->json.line,
               (uint64_t)(at - s->json.line_start) + 1, format, key_names[key],
               what);
    return false;
}

static bool intern(struct scan *s, const char *text, size_t length,
                   uint32_t *symbol)
{
    *symbol = plumb_builder_symbol(s->builder, text, length);
    if (*symbol != UINT32_MAX)
        return true;
    plumb_fail_memory(s->json.err);
    return false;
}

/* ---- the values of keys ---- */

static bool read_symbol(struct scan *s, uint32_t *symbol)
{
    const char *text;
    size_t length;
    return plumb_json_scan_string(&s->json, &text, &length) &&
           intern(s, text, length, symbol);
}

/* Processes and objects may be numbers; they are called by their digits. */
static bool read_name(struct scan *s, uint32_t *symbol)
{
    int64_t number;
    const char c = plumb_json_peek(&s->json);
    if (c == '"')
        return read_symbol(s, symbol);
    const char *const text = s->json.at;
    if (c != '-' && (c < '0' || c > '9'))
        return fail(s, text, "string or integer expected");
    return plumb_json_integer(&s->json, &number) &&
           intern(s, text, (size_t)(s->json.at - text), symbol);
}

static bool read_type(struct scan *s, enum type *type)
{
    const char *const at = s->json.at;
    const char *text;
    size_t length;
    if (!plumb_json_scan_string(&s->json, &text, &length))
        return false;
    for (int t = 0; t < TYPES; t++)
        if (length == strlen(type_names[t]) &&
            memcmp(text, type_names[t], length) == 0) {
            *type = (enum type)t;
            return true;
        }
    return fail(s, at, "type is none of invoke, ok, fail, info");
}

static bool read_value(struct scan *s, struct plumb_value *v)
{
    struct plumb_json *const j = &s->json;
    uint32_t symbol;
    int64_t number;
    const char c = plumb_json_peek(j);
    if (c == '"') {
        if (!read_symbol(s, &symbol))
            return false;
        *v = plumb_str(symbol);
    } else if (c == '[' || c == '{') {
        return fail(s, j->at, "arrays and objects are not values");
    } else if (plumb_json_word(j, "null")) {
        *v = plumb_nil();
    } else if (plumb_json_word(j, "true")) {
        *v = plumb_bool(true);
    } else if (plumb_json_word(j, "false")) {
        *v = plumb_bool(false);
    } else {
        if (c != '-' && (c < '0' || c > '9'))
            return fail(s, j->at, "value expected");
        if (!plumb_json_integer(j, &number))
            return false;
        *v = plumb_int(number);
    }
    return true;
}

static bool read_values(struct scan *s, struct values *v)
{
    struct plumb_json *const j = &s->json;
    v->count = 0;
    if (!plumb_json_expect(j, '[', "'[' expected"))
        return false;
    if (plumb_json_eat(j, ']'))
        return true;
    do {
        plumb_json_peek(j);
        if (v->count == UINT8_MAX)
            return fail(s, j->at, "more than 255 values");
        if (!read_value(s, v->value + v->count++))
            return false;
    } while (plumb_json_eat(j, ','));
    return plumb_json_expect(j, ']', "',' or ']' expected");
}

static bool read_return(struct scan *s, struct record *r)
{
    r->returns = !plumb_json_word(&s->json, "null");
    return !r->returns || plumb_json_integer(&s->json, &r->number[KEY_RETURN]);
}

static bool read_known(struct scan *s, enum key key)
{
    struct record *const r = &s->record;
    plumb_json_peek(&s->json);
    r->place[key] = s->json.at;
    switch (key) {
    case KEY_PLUMB:
    case KEY_TIME:
    case KEY_CALL:
        return plumb_json_integer(&s->json, &r->number[key]);
    case KEY_RETURN:
        return read_return(s, r);
    case KEY_PROCESS:
    case KEY_OBJECT:
        return read_name(s, &r->symbol[key]);
    case KEY_TYPE:
        return read_type(s, &r->type);
    case KEY_ARGS:
        return read_values(s, &r->args);
    case KEY_RESULTS:
        return read_values(s, &r->results);
    default:
        return read_symbol(s, &r->symbol[key]);
    }
}

/* ---- lines ---- */

static enum key find_key(const char *text, size_t length)
{
    int k = 0;
    while (k < KEYS && (strlen(key_names[k]) != length ||
                        memcmp(key_names[k], text, length) != 0))
        k++;
    return (enum key)k;
}

static bool read_member(struct scan *s)
{
    const char *text;
    size_t length;
    plumb_json_peek(&s->json);
    const char *const at = s->json.at;
    if (!plumb_json_scan_string(&s->json, &text, &length))
        return false;
    const enum key key = find_key(text, length);
    if (!plumb_json_expect(&s->json, ':', "':' expected after a key"))
        return false;
    if (key == KEYS)
        return plumb_json_skip(&s->json);
    if (s->record.has & BIT(key))
        return fail_key(s, at, "key \"%s\" is there twice%s", key, "");
    s->record.has |= BIT(key);
    return read_known(s, key);
}

/* Read the line's object into the record. */
static bool read_record(struct scan *s)
{
    struct plumb_json *const j = &s->json;
    struct record *const r = &s->record;
    plumb_json_peek(j);
    const size_t column = (size_t)(j->at - j->line_start) + 1;
    r->origin =
        (struct plumb_origin){ j->line, column < UINT32_MAX ? (uint32_t)column
                                                            : UINT32_MAX };
    r->has = 0;
    r->args.count = r->results.count = 0;
    if (!plumb_json_expect(j, '{', "'{' expected"))
        return false;
    if (!plumb_json_eat(j, '}')) {
        do
            if (!read_member(s))
                return false;
        while (plumb_json_eat(j, ','));
        if (!plumb_json_expect(j, '}', "',' or '}' expected"))
            return false;
    }
    plumb_json_peek(j);
    return j->at == j->end || fail(s, j->at, "text after the object");
}

static enum kind kind_of(const struct record *r)
{
    if (r->has & BIT(KEY_PLUMB))
        return HEADER;
    if (r->has & (BIT(KEY_CALL) | BIT(KEY_RETURN)) || !(r->has & BIT(KEY_TYPE)))
        return WHOLE;
    if (r->type == TYPE_INVOKE)
        return INVOKE;
    return r->type == TYPE_OK ? RETURN : NO_RETURN;
}

static bool check_keys(struct scan *s, enum kind kind)
{
    const struct record *const r = &s->record;
    const unsigned good = kinds[kind].must | kinds[kind].may;
    for (int k = 0; k < KEYS; k++) {
        if (r->has & ~good & BIT(k))
            return fail_key(s, r->place[k], "key \"%s\" does not belong in %s",
                            (enum key)k, kinds[kind].name);
        if (kinds[kind].must & ~r->has & BIT(k))
            return fail_key(s, s->json.line_start + r->origin.column - 1,
                            "key \"%s\" is missing in %s", (enum key)k,
                            kinds[kind].name);
    }
    return true;
}

/* ---- what lines do ---- */

static bool add_header(struct scan *s)
{
    const struct record *const r = &s->record;
    if (r->number[KEY_PLUMB] != 1)
        return fail(s, r->place[KEY_PLUMB],
                    "only version 1 of this format is known");
    if (r->has & BIT(KEY_SPEC))
        plumb_builder_spec(s->builder, r->symbol[KEY_SPEC]);
    return true;
}

/* The symbol of a key, or that of a text if the line does not have the key. */
static bool symbol_or(struct scan *s, enum key key, const char *text,
                      uint32_t *known, uint32_t *symbol)
{
    if (s->record.has & BIT(key)) {
        *symbol = s->record.symbol[key];
        return true;
    }
    if (!*known && !intern(s, text, strlen(text), known))
        return false;
    *symbol = *known;
    return true;
}

static bool check_time(struct scan *s)
{
    const struct record *const r = &s->record;
    if (!(r->has & BIT(KEY_TIME)))
        return true;
    if (s->timed && r->number[KEY_TIME] < s->time)
        return fail(s, r->place[KEY_TIME], "time runs backwards");
    s->timed = true;
    s->time = r->number[KEY_TIME];
    return true;
}

static bool add_call(struct scan *s)
{
    const struct record *const r = &s->record;
    uint32_t object;
    return check_time(s) &&
           symbol_or(s, KEY_OBJECT, "object", &s->object, &object) &&
           plumb_builder_call(s->builder, r->symbol[KEY_PROCESS], object,
                              r->symbol[KEY_F], r->args.value, r->args.count,
                              &r->origin, s->json.err) == PLUMB_OK;
}

static enum plumb_outcome outcome_of(enum type type)
{
    return type == TYPE_OK     ? PLUMB_OUTCOME_OK
           : type == TYPE_FAIL ? PLUMB_OUTCOME_FAIL
                               : PLUMB_OUTCOME_INFO;
}

static bool add_response(struct scan *s)
{
    const struct record *const r = &s->record;
    const struct plumb_op *const open =
        plumb_builder_open_call(s->builder, r->symbol[KEY_PROCESS], NULL);
    uint32_t term = 0;
    if (!check_time(s))
        return false;
    if (r->type == TYPE_OK && !symbol_or(s, KEY_TERM, "ok", &s->ok, &term))
        return false;
    if (open && r->has & BIT(KEY_F) && r->symbol[KEY_F] != open->name)
        return fail(s, r->place[KEY_F],
                    "response to another operation than was called");
    const uint32_t object =
        r->has & BIT(KEY_OBJECT) ? r->symbol[KEY_OBJECT] : UINT32_MAX;
    return plumb_builder_respond(s->builder, r->symbol[KEY_PROCESS], object,
                                 outcome_of(r->type), term, r->results.value,
                                 r->results.count, &r->origin,
                                 s->json.err) == PLUMB_OK;
}

/* Times may be negative; the builder's count from 0. */
static uint64_t builder_time(int64_t time)
{
    return (uint64_t)time ^ (uint64_t)1 << 63;
}

static bool check_whole(struct scan *s)
{
    const struct record *const r = &s->record;
    const unsigned answer = BIT(KEY_TERM) | BIT(KEY_RESULTS);
    const bool returns = r->has & BIT(KEY_RETURN) && r->returns;
    const bool typed = r->has & BIT(KEY_TYPE);
    const char *const start = s->json.line_start + r->origin.column - 1;
    if (typed && r->type == TYPE_INVOKE)
        return fail(s, r->place[KEY_TYPE],
                    "type of a whole operation is none of ok, fail, info");
    if (typed && !returns)
        return fail(s, start, "an operation with a type has a time of return");
    if (r->has & answer && (!returns || (typed && r->type != TYPE_OK)))
        return fail(s, start, "only an operation that is ok has results");
    if (r->has & BIT(KEY_PROCESS))
        s->named = true;
    else
        s->nameless = true;
    /* Else a process that is made up might be one that is named. */
    return !(s->named && s->nameless) ||
           fail(s, start, "some operations have a process, some have none");
}

static bool add_whole(struct scan *s)
{
    struct record *const r = &s->record;
    struct plumb_value value[2 * UINT8_MAX];
    uint32_t object, term = 0;
    if (!check_whole(s) ||
        !symbol_or(s, KEY_OBJECT, "object", &s->object, &object))
        return false;
    const bool returns = r->has & BIT(KEY_RETURN) && r->returns;
    const enum plumb_outcome outcome = !returns ? PLUMB_OUTCOME_OPEN
                                       : r->has & BIT(KEY_TYPE)
                                           ? outcome_of(r->type)
                                           : PLUMB_OUTCOME_OK;
    if (outcome == PLUMB_OUTCOME_OK &&
        !symbol_or(s, KEY_TERM, "ok", &s->ok, &term))
        return false;
    memcpy(value, r->args.value, r->args.count * sizeof *value);
    memcpy(value + r->args.count, r->results.value,
           r->results.count * sizeof *value);
    const struct plumb_interval interval = {
        .start = builder_time(r->number[KEY_CALL]),
        .end = returns ? builder_time(r->number[KEY_RETURN]) : UINT64_MAX,
        .thread =
            r->has & BIT(KEY_PROCESS) ? r->symbol[KEY_PROCESS] : UINT32_MAX,
        .op = { .object = object,
                .name = r->symbol[KEY_F],
                .term = term,
                .nargs = (uint8_t)r->args.count,
                .nres = (uint8_t)r->results.count,
                .outcome = (uint8_t)outcome },
        .values = value,
        .origin = r->origin,
    };
    return plumb_builder_interval(s->builder, &interval, s->json.err) ==
           PLUMB_OK;
}

static bool add_record(struct scan *s, enum kind kind)
{
    const bool whole = kind == WHOLE;
    if (!check_keys(s, kind))
        return false;
    if (kind == HEADER)
        return add_header(s);
    if (whole ? s->events : s->whole)
        return fail(s, s->json.line_start + s->record.origin.column - 1,
                    "events and whole operations in one history");
    s->whole |= whole;
    s->events |= !whole;
    if (whole)
        return add_whole(s);
    return kind == INVOKE ? add_call(s) : add_response(s);
}

/* ---- histories ---- */

/* Set up the line at r->at; false if there is none. */
static bool find_line(struct scan *s, const struct plumb_reader *r)
{
    struct plumb_json *const j = &s->json;
    const char *const from = r->data + r->at;
    const size_t left = r->size - r->at;
    if (left == 0)
        return false;
    const char *const newline = memchr(from, '\n', left);
    j->at = j->line_start = from;
    j->end = newline ? newline : from + left;
    j->line = r->line;
    return true;
}

static void next_line(struct plumb_reader *r, const struct scan *s)
{
    const size_t end = (size_t)(s->json.end - r->data);
    r->at = end < r->size ? end + 1 : end;
    r->line++;
}

static bool read_history(struct scan *s, struct plumb_reader *r)
{
    for (; find_line(s, r); next_line(r, s)) {
        plumb_json_peek(&s->json);
        if (s->json.at == s->json.end)
            continue; /* a blank line */
        if (!read_record(s))
            return false;
        const enum kind kind = kind_of(&s->record);
        if (kind == HEADER && s->began)
            return true; /* the next history's */
        if (!add_record(s, kind))
            return false;
        s->began = true;
    }
    return true;
}

static bool has_mark(const char *data, size_t size)
{
    return size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0;
}

/* Reading the next history's header line twice, once to see that this one has
 * ended, leaves its specification's name among this one's symbols: harmless. */
static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    struct scan s = { .builder = r->builder, .json.err = err };
    if (r->at == 0 && has_mark(r->data, r->size))
        r->at = 3;
    plumb_text_init(&s.json.scratch, r->budget);
    const bool good = read_history(&s, r);
    plumb_text_release(&s.json.scratch);
    if (!good) {
        r->at = r->size; /* what an event means depends on those before it */
        return err->status;
    }
    return s.began ? PLUMB_OK : PLUMB_END;
}

static int detect(const char *data, size_t size)
{
    size_t at = has_mark(data, size) ? 3 : 0;
    while (at < size && strchr(" \t\r\n", data[at]) && data[at])
        at++;
    if (at == size || data[at++] != '{')
        return 0;
    while (at < size && (data[at] == ' ' || data[at] == '\t'))
        at++;
    if (at == size || data[at] != '"')
        return 0;
    return size - at >= 7 && memcmp(data + at, "\"plumb\"", 7) == 0 ? 100 : 80;
}

const struct plumb_format_class plumb_format_jsonl = {
    .format = PLUMB_FORMAT_JSONL,
    .name = "jsonl",
    .what = "one JSON object per event or operation",
    .ties = PLUMB_TIES_CALL_FIRST,
    .detect = detect,
    .next = next,
    .write = plumb_jsonl_write,
};
