/* read_cursor.c - errors, memory and tokens, for all parts of the reader.
 *
 * Lists grow in the scratch arena: what they outgrow stays there until the
 * reading is over, at most as much again. */
#include "base/fail.h"
#include "base/spelling.h"
#include "model_reader.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---- */

/* A place in an included file is said in the message; the error points to
 * where the model includes it. */
bool plumb_csp_read_fail(struct plumb_csp_read *r, struct plumb_csp_place place,
                         const char *format, ...)
{
    char message[sizeof r->err->message];
    va_list args;
    if (r->failed)
        return false;
    r->failed = true;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (place.file == 0) {
        plumb_base_fail(r->err, PLUMB_EINPUT, place.line, place.column, "%s",
                        message);
        return false;
    }
    const struct plumb_csp_text_source *const s =
        (const struct plumb_csp_text_source *)r->source.data + place.file;
    plumb_base_fail(r->err, PLUMB_EINPUT, s->included.line, s->included.column,
                    "%.60s:%u:%u: %s", s->name, place.line, place.column,
                    message);
    return false;
}

bool plumb_csp_read_fail_memory(struct plumb_csp_read *r)
{
    if (!r->failed)
        plumb_base_fail_memory(r->err);
    r->failed = true;
    return false;
}

static bool is_known_warning(const struct plumb_csp_read *r, const char *line)
{
    const char *const *const known = r->warning.data;
    for (uint32_t i = 0; i < r->warning.count; i++)
        if (strcmp(known[i], line) == 0)
            return true;
    return false;
}

void plumb_csp_read_warn(struct plumb_csp_read *r, struct plumb_csp_place place,
                         const char *format, ...)
{
    const struct plumb_csp_text_source *const s =
        (const struct plumb_csp_text_source *)r->source.data + place.file;
    char message[256], line[512];
    va_list args;
    if (r->failed || r->warning.count == PLUMB_MOST_WARNINGS)
        return;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%.200s:%u:%u: warning: %s", s->name,
             place.line, place.column, message);
    if (is_known_warning(r, line))
        return;
    const char **const kept = plumb_csp_list_add(r, &r->warning, sizeof *kept);
    if (kept)
        *kept = plumb_csp_read_text(r, line, strlen(line));
}

/* ---- memory ---- */

void *plumb_csp_read_new(struct plumb_csp_read *r, size_t size)
{
    void *const p = plumb_base_arena_zeroed(r->arena, size);
    if (!p)
        plumb_csp_read_fail_memory(r);
    return p;
}

void *plumb_csp_list_add(struct plumb_csp_read *r, struct plumb_csp_list *list,
                         size_t size)
{
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 8;
        char *const data =
            plumb_base_arena_zeroed(&r->scratch, capacity * size);
        if (!data) {
            plumb_csp_read_fail_memory(r);
            return NULL;
        }
        if (list->count)
            memcpy(data, list->data, list->count * size);
        list->data = data;
        list->capacity = capacity;
    }
    char *const element = (char *)list->data + list->count++ * size;
    memset(element, 0, size);
    return element;
}

void *plumb_csp_list_take(struct plumb_csp_read *r,
                          const struct plumb_csp_list *list, size_t size)
{
    if (list->count == 0)
        return NULL;
    void *const p =
        plumb_base_arena_copy(r->arena, list->data, list->count * size);
    if (!p)
        plumb_csp_read_fail_memory(r);
    return p;
}

const char *plumb_csp_read_text(struct plumb_csp_read *r, const char *text,
                                size_t length)
{
    char *const copy = plumb_csp_read_new(r, length + 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

bool plumb_csp_read_charge(struct plumb_csp_read *r,
                           struct plumb_csp_place place, uint32_t nodes)
{
    if (nodes > PLUMB_MOST_NODES || r->nodes > PLUMB_MOST_NODES - nodes)
        return plumb_csp_read_fail(r, place,
                                   "too large after #defines are expanded");
    r->nodes += nodes;
    return true;
}

bool plumb_csp_read_enter(struct plumb_csp_read *r)
{
    if (r->depth == PLUMB_DEEPEST_READING)
        return plumb_csp_read_fail(r, plumb_csp_read_token(r)->place,
                                   "nested too deeply");
    r->depth++;
    return true;
}

void plumb_csp_read_leave(struct plumb_csp_read *r)
{
    assert(r->depth);
    r->depth--;
}

/* ---- tokens ---- */

const struct plumb_csp_token *plumb_csp_read_token(
    const struct plumb_csp_read *r)
{
    return r->token + r->at;
}

const struct plumb_csp_token *plumb_csp_read_ahead(
    const struct plumb_csp_read *r, uint32_t by)
{
    return r->token + (r->tokens - r->at > by ? r->at + by : r->tokens - 1);
}

bool plumb_csp_token_is(const struct plumb_csp_token *t, const char *text)
{
    return plumb_base_is_word(t->text, t->length, text);
}

bool plumb_csp_token_opens(const struct plumb_csp_token *t)
{
    return t->kind == PLUMB_TOKEN_SYMBOL && t->length == 1 &&
           strchr("([{", *t->text);
}

bool plumb_csp_read_at(const struct plumb_csp_read *r, const char *text)
{
    return plumb_csp_token_is(plumb_csp_read_token(r), text);
}

bool plumb_csp_read_accept(struct plumb_csp_read *r, const char *text)
{
    if (!plumb_csp_read_at(r, text))
        return false;
    r->at++;
    return true;
}

bool plumb_csp_read_unexpected(struct plumb_csp_read *r, const char *wanted)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (t->kind == PLUMB_TOKEN_END)
        return plumb_csp_read_fail(
            r, t->place, "expected %s, not the end of the model", wanted);
    return plumb_csp_read_fail(r, t->place, "expected %s, not '%.*s'", wanted,
                               PLUMB_TOKEN_ARGS(t));
}

bool plumb_csp_read_expect(struct plumb_csp_read *r, const char *text,
                           const char *why)
{
    char wanted[80];
    if (r->failed)
        return false;
    if (plumb_csp_read_accept(r, text))
        return true;
    snprintf(wanted, sizeof wanted, "'%s'%s%s", text, *why ? " " : "", why);
    return plumb_csp_read_unexpected(r, wanted);
}

static bool is_reserved(const struct plumb_csp_token *t)
{
    static const char *const word[] = {
        "Skip", "Stop", "assert", "atomic",    "call",  "case", "channel",
        "else", "enum", "false",  "hvar",      "if",    "ifa",  "ifb",
        "new",  "tau",  "true",   "interrupt", "while", "var",  "xor",
    };
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (plumb_csp_token_is(t, word[i]))
            return true;
    return false;
}

const struct plumb_csp_token *plumb_csp_read_new_name(struct plumb_csp_read *r,
                                                      const char *what)
{
    const struct plumb_csp_token *const t = plumb_csp_read_name(r, what);
    if (!t || !is_reserved(t))
        return t;
    plumb_csp_read_fail(r, t->place, "'%.*s' is a reserved word",
                        PLUMB_TOKEN_ARGS(t));
    return NULL;
}

const struct plumb_csp_token *plumb_csp_read_name(struct plumb_csp_read *r,
                                                  const char *what)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (t->kind == PLUMB_TOKEN_NAME) {
        r->at++;
        return t;
    }
    plumb_csp_read_unexpected(r, what);
    return NULL;
}

bool plumb_csp_read_semicolon(struct plumb_csp_read *r, const char *after)
{
    if (r->failed)
        return false;
    if (plumb_csp_read_accept(r, ";"))
        return true;
    assert(r->at);
    const struct plumb_csp_token *const before = r->token + r->at - 1;
    struct plumb_csp_place place = before->place;
    place.column += before->length;
    return plumb_csp_read_fail(r, place, "missing ';' after %s", after);
}

uint32_t plumb_csp_read_behind(const struct plumb_csp_read *r, uint32_t at)
{
    uint32_t open = 0;
    for (; at < r->tokens; at++) {
        const struct plumb_csp_token *const t = r->token + at;
        if (t->kind != PLUMB_TOKEN_SYMBOL || t->length != 1)
            continue;
        if (strchr("([{", *t->text))
            open++;
        else if (strchr(")]}", *t->text) && --open == 0)
            return at + 1;
    }
    return r->tokens - 1;
}
