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
void *plumb_csp_read_fail(struct plumb_csp_read *r,
                          struct plumb_csp_place place, const char *format, ...)
{
    char message[sizeof r->err->message];
    va_list args;
    if (r->failed)
        return NULL;
    r->failed = true;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    const struct plumb_csp_text_source *const s = r->source.at + place.file;
    if (place.file == 0)
        plumb_base_fail(r->err, PLUMB_EINPUT, place.line, place.column, "%s",
                        message);
    else
        plumb_base_fail(r->err, PLUMB_EINPUT, s->included.line,
                        s->included.column, "%.60s:%u:%u: %s", s->name,
                        place.line, place.column, message);
    return NULL;
}

void *plumb_csp_read_fail_memory(struct plumb_csp_read *r)
{
    if (!r->failed)
        plumb_base_fail_memory(r->err);
    r->failed = true;
    return NULL;
}

void *plumb_csp_read_fail_again(struct plumb_csp_read *r,
                                const struct plumb_csp_token *name,
                                struct plumb_csp_place first)
{
    return plumb_csp_read_fail(
        r, name->place, "%.*s is already declared at %u:%u",
        PLUMB_TOKEN_ARGS(name), first.line, first.column);
}

void *plumb_csp_read_fail_count(struct plumb_csp_read *r,
                                const struct plumb_csp_token *name,
                                uint32_t wanted, uint32_t given)
{
    return plumb_csp_read_fail(
        r, name->place, "%.*s takes %u argument%s, not %u",
        PLUMB_TOKEN_ARGS(name), wanted, plumb_base_plural(wanted), given);
}

void *plumb_csp_read_fail_class(struct plumb_csp_read *r,
                                struct plumb_csp_place place)
{
    return plumb_csp_read_fail(
        r, place,
        "objects of C# classes are not supported; use variables, "
        "or functions in C through #import and call(...)");
}

static bool is_known_warning(const struct plumb_csp_read *r, const char *line)
{
    for (uint32_t i = 0; i < r->warning.count; i++)
        if (strcmp(r->warning.at[i], line) == 0)
            return true;
    return false;
}

void plumb_csp_read_warn(struct plumb_csp_read *r, struct plumb_csp_place place,
                         const char *format, ...)
{
    char message[256], line[512];
    va_list args;
    if (r->failed || r->warning.count == PLUMB_MOST_WARNINGS)
        return;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%.200s:%u:%u: warning: %s",
             r->source.at[place.file].name, place.line, place.column, message);
    if (is_known_warning(r, line))
        return;
    const char *const kept = plumb_csp_read_text(r, line, strlen(line));
    if (kept)
        (void)PLUMB_LIST_ADD(r, &r->warning, kept);
}

/* ---- memory ---- */

void *plumb_csp_read_new(struct plumb_csp_read *r, size_t size)
{
    void *const p = plumb_base_arena_zeroed(r->arena, size);
    return p ? p : plumb_csp_read_fail_memory(r);
}

void *plumb_csp_read_scratch(struct plumb_csp_read *r, size_t size)
{
    void *const p = plumb_base_arena_zeroed(&r->scratch, size);
    return p ? p : plumb_csp_read_fail_memory(r);
}

void *plumb_csp_list_grown(struct plumb_csp_read *r, void *at,
                           uint32_t *capacity, size_t size)
{
    const uint32_t more = *capacity ? 2 * *capacity : 8;
    void *const moved = plumb_csp_read_scratch(r, more * size);
    if (!moved)
        return at;
    if (*capacity)
        memcpy(moved, at, *capacity * size);
    *capacity = more;
    return moved;
}

void *plumb_csp_list_taken(struct plumb_csp_read *r, const void *at,
                           size_t size)
{
    if (size == 0)
        return NULL;
    void *const p = plumb_base_arena_copy(r->arena, at, size);
    return p ? p : plumb_csp_read_fail_memory(r);
}

bool plumb_csp_exprs_add(struct plumb_csp_read *r, struct plumb_csp_exprs *list,
                         const struct plumb_csp_expr *e)
{
    return e && PLUMB_LIST_ADD(r, list, e);
}

bool plumb_csp_processes_add(struct plumb_csp_read *r,
                             struct plumb_csp_processes *list,
                             const struct plumb_csp_process *p)
{
    return p && PLUMB_LIST_ADD(r, list, p);
}

const char *plumb_csp_read_text(struct plumb_csp_read *r, const char *text,
                                size_t length)
{
    char *const copy = plumb_csp_read_new(r, length + 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

const char *plumb_csp_read_words(struct plumb_csp_read *r, const char *format,
                                 ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const size_t size = (size_t)vsnprintf(NULL, 0, format, args) + 1;
    char *const words = plumb_csp_read_new(r, size);
    if (words)
        vsnprintf(words, size, format, again);
    va_end(again);
    va_end(args);
    return words;
}

const char *plumb_csp_read_token_text(struct plumb_csp_read *r,
                                      const struct plumb_csp_token *t)
{
    return plumb_csp_read_text(r, t->text, t->length);
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

bool plumb_csp_token_is_one(const struct plumb_csp_token *t, const char *words)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (length == t->length && memcmp(words, t->text, length) == 0)
            return true;
    }
    return false;
}

bool plumb_csp_token_same(const struct plumb_csp_token *a,
                          const struct plumb_csp_token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
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

void *plumb_csp_read_unexpected(struct plumb_csp_read *r, const char *wanted)
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
    return plumb_csp_token_is_one(
        t, "Skip Stop assert atomic call case channel else enum false hvar if "
           "ifa ifb new tau true interrupt while var xor");
}

const struct plumb_csp_token *plumb_csp_read_new_name(struct plumb_csp_read *r,
                                                      const char *what)
{
    const struct plumb_csp_token *const t = plumb_csp_read_name(r, what);
    if (!t || !is_reserved(t))
        return t;
    return plumb_csp_read_fail(r, t->place, "'%.*s' is a reserved word",
                               PLUMB_TOKEN_ARGS(t));
}

const struct plumb_csp_token *plumb_csp_read_name(struct plumb_csp_read *r,
                                                  const char *what)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (t->kind != PLUMB_TOKEN_NAME)
        return plumb_csp_read_unexpected(r, what);
    r->at++;
    return t;
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

/* A } ends only a block that was begun before `what`. */
bool plumb_csp_read_skip(struct plumb_csp_read *r, const char *what)
{
    while (!plumb_csp_read_at(r, ";")) {
        const struct plumb_csp_token *const t = plumb_csp_read_token(r);
        if (t->kind == PLUMB_TOKEN_END || t->kind == PLUMB_TOKEN_DIRECTIVE ||
            plumb_csp_token_is(t, "}"))
            return plumb_csp_read_semicolon(r, what);
        r->at = plumb_csp_read_behind(r, r->at);
    }
    return true;
}

uint32_t plumb_csp_read_behind(const struct plumb_csp_read *r, uint32_t at)
{
    uint32_t open = 0;
    for (; at < r->tokens; at++) {
        const struct plumb_csp_token *const t = r->token + at;
        if (t->kind == PLUMB_TOKEN_SYMBOL && t->length == 1) {
            open += strchr("([{", *t->text) != NULL;
            open -= open && strchr(")]}", *t->text);
        }
        if (!open)
            return at + 1;
    }
    return r->tokens - 1;
}
