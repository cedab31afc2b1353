/* jsonl_record.c - reading one JSON object, and judging its keys.
 *
 * The keys that a kind of line must and may have are a table. */
#include "jsonl_record.h"

#include "base/spelling.h"
#include "lines.h"
#include <assert.h>

static const char *const key_names[KEYS] = {
    [KEY_PLUMB] = "plumb",     [KEY_SPEC] = "spec",
    [KEY_TYPE] = "type",       [KEY_PROCESS] = "process",
    [KEY_OBJECT] = "object",   [KEY_F] = "f",
    [KEY_ARGS] = "args",       [KEY_TERM] = "term",
    [KEY_RESULTS] = "results", [KEY_TIME] = "time",
    [KEY_CALL] = "call",       [KEY_RETURN] = "return",
};

/* The keys that a line of a kind must have, and those it may have. */
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

static const char *const type_names[TYPES] = { "invoke", "ok", "fail", "info" };

static bool fail(struct plumb_history_jsonl_line *l, const char *at,
                 const char *message)
{
    return plumb_history_json_fail(&l->json, at, message);
}

static bool fail_key(struct plumb_history_jsonl_line *l, const char *at,
                     const char *format, enum plumb_history_jsonl_key key,
                     const char *what)
{
    return plumb_history_fail(l->json.err,
                              plumb_history_json_origin(&l->json, at), format,
                              key_names[key], what);
}

/* ---- the values of keys ---- */

static bool read_symbol(struct plumb_history_jsonl_line *l, uint32_t *symbol)
{
    const char *text;
    size_t length;
    return plumb_history_json_scan_string(&l->json, &text, &length) &&
           plumb_history_intern(l->builder, text, length, symbol, l->json.err);
}

/* Processes and objects may be numbers; they are called by their digits. */
static bool read_name(struct plumb_history_jsonl_line *l, uint32_t *symbol)
{
    int64_t number;
    const char c = plumb_history_json_peek(&l->json);
    if (c == '"')
        return read_symbol(l, symbol);
    const char *const text = l->json.at;
    if (c != '-' && (c < '0' || c > '9'))
        return fail(l, text, "string or integer expected");
    return plumb_history_json_integer(&l->json, &number) &&
           plumb_history_intern(l->builder, text, (size_t)(l->json.at - text),
                                symbol, l->json.err);
}

static bool read_type(struct plumb_history_jsonl_line *l,
                      enum plumb_history_jsonl_type *type)
{
    const char *const at = l->json.at;
    const char *text;
    size_t length;
    if (!plumb_history_json_scan_string(&l->json, &text, &length))
        return false;
    for (int t = 0; t < TYPES; t++)
        if (plumb_base_is_word(text, length, type_names[t])) {
            *type = (enum plumb_history_jsonl_type)t;
            return true;
        }
    return fail(l, at, "the type must be invoke, ok, fail or info");
}

static bool read_value(struct plumb_history_jsonl_line *l,
                       struct plumb_value *v)
{
    struct plumb_history_json *const j = &l->json;
    uint32_t symbol;
    int64_t number;
    const char c = plumb_history_json_peek(j);
    if (c == '"') {
        if (!read_symbol(l, &symbol))
            return false;
        *v = plumb_str(symbol);
    } else if (c == '[' || c == '{') {
        return fail(l, j->at, "arrays and objects are not supported as values");
    } else if (plumb_history_json_word(j, "null")) {
        *v = plumb_nil();
    } else if (plumb_history_json_word(j, "true")) {
        *v = plumb_bool(true);
    } else if (plumb_history_json_word(j, "false")) {
        *v = plumb_bool(false);
    } else {
        if (c != '-' && (c < '0' || c > '9'))
            return fail(l, j->at, "value expected");
        if (!plumb_history_json_integer(j, &number))
            return false;
        *v = plumb_int(number);
    }
    return true;
}

static bool read_values(struct plumb_history_jsonl_line *l,
                        struct plumb_history_jsonl_values *v)
{
    struct plumb_history_json *const j = &l->json;
    v->count = 0;
    if (!plumb_history_json_expect(j, '[', "'[' expected"))
        return false;
    if (plumb_history_json_eat(j, ']'))
        return true;
    do {
        plumb_history_json_peek(j);
        if (v->count == UINT8_MAX)
            return fail(l, j->at, "more than 255 values");
        if (!read_value(l, v->value + v->count++))
            return false;
    } while (plumb_history_json_eat(j, ','));
    return plumb_history_json_expect(j, ']', "',' or ']' expected");
}

static bool read_return(struct plumb_history_jsonl_line *l,
                        struct plumb_history_jsonl_record *r)
{
    r->returns = !plumb_history_json_word(&l->json, "null");
    return !r->returns ||
           plumb_history_json_integer(&l->json, &r->number[KEY_RETURN]);
}

static bool read_known(struct plumb_history_jsonl_line *l,
                       enum plumb_history_jsonl_key key)
{
    struct plumb_history_jsonl_record *const r = &l->record;
    plumb_history_json_peek(&l->json);
    r->place[key] = l->json.at;
    switch (key) {
    case KEY_PLUMB:
    case KEY_TIME:
    case KEY_CALL:
        return plumb_history_json_integer(&l->json, &r->number[key]);
    case KEY_RETURN:
        return read_return(l, r);
    case KEY_PROCESS:
    case KEY_OBJECT:
        return read_name(l, &r->symbol[key]);
    case KEY_TYPE:
        return read_type(l, &r->type);
    case KEY_ARGS:
        return read_values(l, &r->args);
    case KEY_RESULTS:
        return read_values(l, &r->results);
    default:
        return read_symbol(l, &r->symbol[key]);
    }
}

/* ---- lines ---- */

static enum plumb_history_jsonl_key find_key(const char *text, size_t length)
{
    int k = 0;
    while (k < KEYS && !plumb_base_is_word(text, length, key_names[k]))
        k++;
    return (enum plumb_history_jsonl_key)k;
}

static bool read_member(struct plumb_history_jsonl_line *l)
{
    const char *text;
    size_t length;
    plumb_history_json_peek(&l->json);
    const char *const at = l->json.at;
    if (!plumb_history_json_scan_string(&l->json, &text, &length))
        return false;
    const enum plumb_history_jsonl_key key = find_key(text, length);
    if (!plumb_history_json_expect(&l->json, ':', "':' expected after a key"))
        return false;
    if (key == KEYS)
        return plumb_history_json_skip(&l->json);
    if (l->record.has & BIT(key))
        return fail_key(l, at, "duplicate key \"%s\"%s", key, "");
    l->record.has |= BIT(key);
    return read_known(l, key);
}

bool plumb_history_jsonl_read(struct plumb_history_jsonl_line *l)
{
    struct plumb_history_json *const j = &l->json;
    struct plumb_history_jsonl_record *const r = &l->record;
    plumb_history_json_peek(j);
    r->origin = plumb_history_json_origin(j, j->at);
    r->has = 0;
    r->args.count = r->results.count = 0;
    if (!plumb_history_json_expect(j, '{', "'{' expected"))
        return false;
    if (!plumb_history_json_eat(j, '}')) {
        do
            if (!read_member(l))
                return false;
        while (plumb_history_json_eat(j, ','));
        if (!plumb_history_json_expect(j, '}', "',' or '}' expected"))
            return false;
    }
    plumb_history_json_peek(j);
    return j->at == j->end || fail(l, j->at, "text after the object");
}

enum plumb_history_jsonl_kind plumb_history_jsonl_kind(
    const struct plumb_history_jsonl_record *r)
{
    if (r->has & BIT(KEY_PLUMB))
        return HEADER;
    if (r->has & (BIT(KEY_CALL) | BIT(KEY_RETURN)) || !(r->has & BIT(KEY_TYPE)))
        return WHOLE;
    if (r->type == TYPE_INVOKE)
        return INVOKE;
    return r->type == TYPE_OK ? RETURN : NO_RETURN;
}

bool plumb_history_jsonl_check(struct plumb_history_jsonl_line *l,
                               enum plumb_history_jsonl_kind kind)
{
    const struct plumb_history_jsonl_record *const r = &l->record;
    const unsigned good = kinds[kind].must | kinds[kind].may;
    assert(kind < KINDS && !(kinds[kind].must & kinds[kind].may));
    for (int k = 0; k < KEYS; k++) {
        if (r->has & ~good & BIT(k))
            return fail_key(l, r->place[k], "key \"%s\" does not belong in %s",
                            (enum plumb_history_jsonl_key)k, kinds[kind].name);
        if (kinds[kind].must & ~r->has & BIT(k))
            return fail_key(l, l->json.line_start + r->origin.column - 1,
                            "key \"%s\" is missing in %s",
                            (enum plumb_history_jsonl_key)k, kinds[kind].name);
    }
    return true;
}
