/* jsonl.c - one JSON object a line: docs/history-formats.md has the grammar.
 *
 *     {"plumb":1,"spec":"queue"}                       begins a history
 *     {"type":"invoke","process":"P1","object":"Q","f":"enq","args":[1]}
 *     {"type":"ok","process":"P1"}
 *     {"process":"P1","f":"deq","results":[1],"call":5,"return":9}
 *
 * A line is first read into a record (jsonl_record.c).  Here is what each kind
 * of record does to the history. */
#include "jsonl_record.h"
#include "lines.h"
#include <string.h>

/* Of the history so far. */
struct known {
    bool began, events, whole;
    bool named, nameless; /* whole operations with a process, and without */
    int64_t time;         /* of the last event that had one */
    bool timed;
};

struct scan {
    struct plumb_history_jsonl_line line;
    struct known *known;
    uint32_t ok, object; /* the default term and object; 0 until needed */
};

static bool fail(struct scan *s, const char *at, const char *message)
{
    return plumb_history_json_fail(&s->line.json, at, message);
}

/* ---- what records do ---- */

static bool add_header(struct scan *s)
{
    const struct plumb_history_jsonl_record *const r = &s->line.record;
    if (r->number[KEY_PLUMB] != 1)
        return fail(s, r->place[KEY_PLUMB],
                    "only version 1 of this format is supported");
    if (r->has & BIT(KEY_SPEC))
        plumb_builder_spec(s->line.builder, r->symbol[KEY_SPEC]);
    return true;
}

/* The symbol of a key, or that of a text if the line does not have the key. */
static bool symbol_or(struct scan *s, enum plumb_history_jsonl_key key,
                      const char *text, uint32_t *known, uint32_t *symbol)
{
    if (s->line.record.has & BIT(key)) {
        *symbol = s->line.record.symbol[key];
        return true;
    }
    if (!*known && !plumb_history_intern(s->line.builder, text, strlen(text),
                                         known, s->line.json.err))
        return false;
    *symbol = *known;
    return true;
}

static bool check_time(struct scan *s)
{
    const struct plumb_history_jsonl_record *const r = &s->line.record;
    if (!(r->has & BIT(KEY_TIME)))
        return true;
    if (s->known->timed && r->number[KEY_TIME] < s->known->time)
        return fail(s, r->place[KEY_TIME], "time runs backwards");
    s->known->timed = true;
    s->known->time = r->number[KEY_TIME];
    plumb_history_builder_time(s->line.builder,
                               plumb_history_signed_time(s->known->time));
    return true;
}

static bool add_call(struct scan *s)
{
    const struct plumb_history_jsonl_record *const r = &s->line.record;
    uint32_t object;
    return check_time(s) &&
           symbol_or(s, KEY_OBJECT, "object", &s->object, &object) &&
           plumb_builder_call(s->line.builder, r->symbol[KEY_PROCESS], object,
                              r->symbol[KEY_F], r->args.value, r->args.count,
                              &r->origin, s->line.json.err) == PLUMB_OK;
}

static enum plumb_outcome outcome_of(enum plumb_history_jsonl_type type)
{
    return type == TYPE_OK     ? PLUMB_OUTCOME_OK
           : type == TYPE_FAIL ? PLUMB_OUTCOME_FAIL
                               : PLUMB_OUTCOME_INFO;
}

static bool add_response(struct scan *s)
{
    const struct plumb_history_jsonl_record *const r = &s->line.record;
    const struct plumb_op *const open =
        plumb_builder_open_call(s->line.builder, r->symbol[KEY_PROCESS], NULL);
    uint32_t term = 0;
    if (!check_time(s))
        return false;
    if (r->type == TYPE_OK && !symbol_or(s, KEY_TERM, "ok", &s->ok, &term))
        return false;
    if (open && r->has & BIT(KEY_F) && r->symbol[KEY_F] != open->name)
        return fail(s, r->place[KEY_F],
                    "this response names another operation than its call");
    const uint32_t object =
        r->has & BIT(KEY_OBJECT) ? r->symbol[KEY_OBJECT] : UINT32_MAX;
    return plumb_builder_respond(s->line.builder, r->symbol[KEY_PROCESS],
                                 object, outcome_of(r->type), term,
                                 r->results.value, r->results.count, &r->origin,
                                 s->line.json.err) == PLUMB_OK;
}

static bool check_whole(struct scan *s)
{
    const struct plumb_history_jsonl_record *const r = &s->line.record;
    const unsigned answer = BIT(KEY_TERM) | BIT(KEY_RESULTS);
    const bool returns = r->has & BIT(KEY_RETURN) && r->returns;
    const bool typed = r->has & BIT(KEY_TYPE);
    const char *const start = s->line.json.line_start + r->origin.column - 1;
    if (typed && r->type == TYPE_INVOKE)
        return fail(s, r->place[KEY_TYPE],
                    "the type of a whole operation must be ok, fail or info");
    if (typed && !returns)
        return fail(s, start, "an operation with a type needs a return time");
    if (r->has & answer && (!returns || (typed && r->type != TYPE_OK)))
        return fail(s, start,
                    "only an operation that returned ok can have results");
    if (r->has & BIT(KEY_PROCESS))
        s->known->named = true;
    else
        s->known->nameless = true;
    /* Else a process that is made up might be one that is named. */
    return !(s->known->named && s->known->nameless) ||
           fail(s, start,
                "some operations have a process, some have none; give it to "
                "all or to none");
}

static bool add_whole(struct scan *s)
{
    struct plumb_history_jsonl_record *const r = &s->line.record;
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
        .start = plumb_history_signed_time(r->number[KEY_CALL]),
        .end = returns ? plumb_history_signed_time(r->number[KEY_RETURN])
                       : UINT64_MAX,
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
    return plumb_builder_interval(s->line.builder, &interval,
                                  s->line.json.err) == PLUMB_OK;
}

static bool add_record(struct scan *s, enum plumb_history_jsonl_kind kind)
{
    const bool whole = kind == WHOLE;
    if (!plumb_history_jsonl_check(&s->line, kind))
        return false;
    if (kind == HEADER)
        return add_header(s);
    if (whole ? s->known->events : s->known->whole)
        return fail(s,
                    s->line.json.line_start + s->line.record.origin.column - 1,
                    "a history cannot mix events and whole operations");
    s->known->whole |= whole;
    s->known->events |= !whole;
    if (whole)
        return add_whole(s);
    return kind == INVOKE ? add_call(s) : add_response(s);
}

/* ---- histories ---- */

/* Set up the line at r->at; false if there is none. */
static bool find_line(struct scan *s, const struct plumb_reader *r)
{
    struct plumb_history_json *const j = &s->line.json;
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
    const size_t end = (size_t)(s->line.json.end - r->data);
    r->at = end < r->size ? end + 1 : end;
    r->line++;
}

static bool read_history(struct scan *s, struct plumb_reader *r)
{
    for (; find_line(s, r); next_line(r, s)) {
        plumb_history_json_peek(&s->line.json);
        if (s->line.json.at == s->line.json.end)
            continue; /* a blank line */
        if (!plumb_history_jsonl_read(&s->line))
            return false;
        const enum plumb_history_jsonl_kind kind =
            plumb_history_jsonl_kind(&s->line.record);
        r->ended = kind == HEADER && s->known->began; /* the next one's */
        if (r->ended)
            return true;
        if (!s->known->began)
            r->first = s->line.record.origin;
        if (!add_record(s, kind))
            return false;
        s->known->began = true;
    }
    return true;
}

/* Reading the next history's header line twice, once to see that this one has
 * ended, leaves its specification's name among this one's symbols: harmless. */
static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    struct scan s = { .line.builder = r->builder,
                      .line.json.err = err,
                      .known = r->state };
    plumb_base_text_init(&s.line.json.scratch, r->budget);
    const bool good = read_history(&s, r);
    plumb_base_text_release(&s.line.json.scratch);
    if (!good) {
        r->at = r->size; /* what an event means depends on those before it */
        return err->status;
    }
    return s.known->began ? PLUMB_OK : PLUMB_END;
}

static int detect(const char *data, size_t size)
{
    size_t at = 0;
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

const struct plumb_history_format_class plumb_history_format_jsonl = {
    .format = PLUMB_FORMAT_JSONL,
    .name = "jsonl",
    .what = "one JSON object per event or operation",
    .ties = PLUMB_TIES_CALL_FIRST,
    .in_order = true,
    .by_line = true,
    .state = sizeof(struct known),
    .detect = detect,
    .next = next,
    .write = plumb_history_jsonl_write,
};
