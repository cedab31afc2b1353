/* json_tree.c - a JSON text, read into a tree.
 *
 * By recursive descent, at most MOST_DEPTH deep: the text may be anybody's. */
#include "json_tree.h"

#include "base/fail.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

struct reading {
    const char *start, *at, *end;
    struct plumb_base_arena *arena;
    struct plumb_error *err;
    unsigned depth;
};

static void *complain(struct reading *r, const char *message)
{
    plumb_base_fail(r->err, PLUMB_EINPUT, 0, (uint64_t)(r->at - r->start) + 1,
                    "%s", message);
    return NULL;
}

static void *out_of_memory(struct reading *r)
{
    plumb_base_fail_memory(r->err);
    return NULL;
}

static char peek(struct reading *r)
{
    while (r->at < r->end && memchr(" \t\r\n", *r->at, 4))
        r->at++;
    return r->at < r->end ? *r->at : '\0';
}

static bool eat(struct reading *r, char c)
{
    const bool is = peek(r) == c && r->at < r->end;
    r->at += is;
    return is;
}

/* ---- strings ---- */

static int hex_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Behind \u. */
static bool read_hex4(struct reading *r, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        const int digit = r->at < r->end ? hex_of(*r->at) : -1;
        if (digit < 0)
            return false;
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

static char *put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c >= 0x10000) {
        *to++ = (char)(0xf0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3f));
    } else if (c >= 0x800) {
        *to++ = (char)(0xe0 | c >> 12);
    }
    if (c >= 0x800)
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    else
        *to++ = (char)(0xc0 | c >> 6);
    *to++ = (char)(0x80 | (c & 0x3f));
    return to;
}

/* A surrogate that is alone becomes U+FFFD. */
static bool read_code(struct reading *r, uint32_t *code)
{
    uint32_t low;
    if (!read_hex4(r, code))
        return false;
    if (*code < 0xd800 || *code > 0xdfff)
        return true;
    const char *const behind = r->at;
    if (*code < 0xdc00 && r->end - r->at >= 6 && r->at[0] == '\\' &&
        r->at[1] == 'u') {
        r->at += 2;
        if (read_hex4(r, &low) && low >= 0xdc00 && low <= 0xdfff) {
            *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
            return true;
        }
        r->at = behind;
    }
    *code = 0xfffd;
    return true;
}

/* Control characters but tabs and newlines. */
static bool has_picture(uint32_t code)
{
    return code < 0x20 && code != '\t' && code != '\n';
}

/* Behind a backslash. */
static char *read_escape(struct reading *r, char *to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    uint32_t code;
    if (r->at == r->end)
        return NULL;
    const char c = *r->at++;
    if (c == 'u') {
        if (!read_code(r, &code))
            return NULL;
        return put_utf8(to, has_picture(code) ? 0x2400 + code : code);
    }
    const char *const found = c ? strchr(from, c) : NULL;
    if (!found)
        return NULL;
    *to++ = into[found - from];
    return to;
}

/* Behind its first quote.  What it becomes is never longer than it was. */
static const char *read_string(struct reading *r, size_t *size)
{
    const char *close = r->at;
    while (close < r->end && *close != '"')
        close += *close == '\\' && close + 1 < r->end ? 2 : 1;
    if (close >= r->end)
        return complain(r, "a string does not end");
    char *const text =
        plumb_base_arena_alloc(r->arena, (size_t)(close - r->at) + 1);
    char *to = text;
    if (!text)
        return out_of_memory(r);
    while (to && r->at < close) {
        if (*r->at != '\\') {
            *to++ = *r->at++;
            continue;
        }
        r->at++;
        to = read_escape(r, to);
    }
    if (!to)
        return complain(r, "an escape sequence is wrong");
    r->at = close + 1;
    *to = '\0';
    *size = (size_t)(to - text);
    return text;
}

/* ---- values ---- */

static struct publish_json *read_value(struct reading *r);

static struct publish_json *new_value(struct reading *r,
                                      enum publish_json_type type)
{
    struct publish_json *const v = plumb_base_arena_zeroed(r->arena, sizeof *v);
    if (!v)
        return out_of_memory(r);
    v->type = type;
    v->text = "";
    return v;
}

static struct publish_json *read_member(struct reading *r, bool keyed)
{
    size_t size;
    const char *key = NULL;
    if (keyed) {
        if (!eat(r, '"'))
            return complain(r, "a member has no name");
        key = read_string(r, &size);
        if (!key)
            return NULL;
        if (!eat(r, ':'))
            return complain(r, "a colon is missing");
    }
    struct publish_json *const v = read_value(r);
    if (v)
        v->key = key;
    return v;
}

static struct publish_json *read_members(struct reading *r, bool keyed)
{
    const char close = keyed ? '}' : ']';
    struct publish_json *const all =
        new_value(r, keyed ? JSON_OBJECT : JSON_LIST);
    const struct publish_json **last = all ? &all->first : NULL;
    if (!all || eat(r, close))
        return all;
    if (++r->depth > MOST_DEPTH)
        return complain(r, "values are nested too deeply");
    do {
        struct publish_json *const v = read_member(r, keyed);
        if (!v)
            return NULL;
        *last = v;
        last = &v->next;
    } while (eat(r, ','));
    r->depth--;
    return eat(r, close) ? all : complain(r, "a bracket is missing");
}

static struct publish_json *read_word(struct reading *r)
{
    static const struct {
        const char *text;
        enum publish_json_type type;
    } words[] = { { "null", JSON_NULL },
                  { "true", JSON_BOOL },
                  { "false", JSON_BOOL } };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t size = strlen(words[i].text);
        if ((size_t)(r->end - r->at) < size ||
            memcmp(r->at, words[i].text, size) != 0)
            continue;
        struct publish_json *const v = new_value(r, words[i].type);
        r->at += size;
        if (v && v->type == JSON_BOOL)
            v->text = words[i].text;
        return v;
    }
    return complain(r, "this is no JSON");
}

static struct publish_json *read_number(struct reading *r)
{
    const char *const start = r->at;
    while (r->at < r->end && *r->at && strchr("+-.0123456789eE", *r->at))
        r->at++;
    struct publish_json *const v = new_value(r, JSON_NUMBER);
    if (!v)
        return NULL;
    v->size = (size_t)(r->at - start);
    char *const text = plumb_base_arena_alloc(r->arena, v->size + 1);
    if (!text)
        return out_of_memory(r);
    memcpy(text, start, v->size);
    text[v->size] = '\0';
    v->text = text;
    return v;
}

static struct publish_json *read_value(struct reading *r)
{
    const char c = peek(r);
    if (c == '{' || c == '[') {
        r->at++;
        return read_members(r, c == '{');
    }
    if (c == '"') {
        struct publish_json *const v = new_value(r, JSON_STRING);
        r->at++;
        if (v)
            v->text = read_string(r, &v->size);
        return v && v->text ? v : NULL;
    }
    return c == '-' || (c >= '0' && c <= '9') ? read_number(r) : read_word(r);
}

const struct publish_json *publish_json_read(const char *text, size_t size,
                                             struct plumb_base_arena *arena,
                                             struct plumb_error *err)
{
    struct reading r = { .start = text,
                         .at = text,
                         .end = text + size,
                         .arena = arena,
                         .err = err };
    struct publish_json *const v = read_value(&r);
    if (v && peek(&r))
        return complain(&r, "something follows the value");
    return v;
}

/* ---- looking ---- */

const struct publish_json *publish_json_first(const struct publish_json *list)
{
    return list && list->type >= JSON_LIST ? list->first : NULL;
}

const struct publish_json *publish_json_get(const struct publish_json *object,
                                            const char *key)
{
    const struct publish_json *v = publish_json_first(object);
    while (v && (!v->key || strcmp(v->key, key) != 0))
        v = v->next;
    return v;
}

size_t publish_json_count(const struct publish_json *list)
{
    size_t count = 0;
    for (const struct publish_json *v = publish_json_first(list); v;
         v = v->next)
        count++;
    return count;
}

const char *publish_json_text(const struct publish_json *object,
                              const char *key)
{
    const struct publish_json *const v = publish_json_get(object, key);
    return v && v->type >= JSON_BOOL && v->type <= JSON_STRING ? v->text : "";
}

uint64_t publish_json_number(const struct publish_json *object, const char *key,
                             uint64_t otherwise)
{
    const struct publish_json *const v = publish_json_get(object, key);
    return publish_json_is(v, JSON_NUMBER) ? strtoull(v->text, NULL, 10)
                                           : otherwise;
}

bool publish_json_is_true(const struct publish_json *object, const char *key)
{
    const struct publish_json *const v = publish_json_get(object, key);
    return publish_json_is(v, JSON_BOOL) && v->text[0] == 't';
}
