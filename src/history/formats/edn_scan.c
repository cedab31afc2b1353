/* edn_scan.c - EDN as tokens, and its forms as values. */
#include "edn_scan.h"

#include "base/text.h"
#include "json_scan.h"
#include "lines.h"
#include <assert.h>
#include <string.h>

enum { DEEPEST = 200 };

static bool is_space(char c)
{
    return c == '\n' || c == ',' || plumb_history_is_blank(c);
}

static bool ends_word(char c)
{
    return is_space(c) || (c && strchr("()[]{}\";", c));
}

static struct plumb_origin origin_of(const struct plumb_history_edn *e,
                                     const char *at)
{
    return plumb_history_origin(e->line,
                                e->before + (size_t)(at - e->line_start) + 1);
}

static void step_over(struct plumb_history_edn *e)
{
    if (*e->at++ != '\n')
        return;
    e->line++;
    e->line_start = e->at;
    e->before = 0;
}

static void skip_space(struct plumb_history_edn *e)
{
    while (e->at < e->end) {
        if (*e->at == ';')
            while (e->at < e->end && *e->at != '\n')
                e->at++;
        else if (is_space(*e->at))
            step_over(e);
        else
            return;
    }
}

static bool scan_string(struct plumb_history_edn *e,
                        struct plumb_history_edn_token *t)
{
    t->kind = PLUMB_EDN_STRING;
    t->text = ++e->at;
    while (e->at < e->end && *e->at != '"') {
        if (*e->at == '\\') {
            t->escaped = true;
            e->at++;
            if (e->at == e->end)
                break;
        }
        step_over(e);
    }
    if (e->at == e->end)
        return plumb_history_fail(e->err, t->origin, "unterminated string");
    t->length = (size_t)(e->at++ - t->text);
    return true;
}

static void scan_word(struct plumb_history_edn *e,
                      struct plumb_history_edn_token *t,
                      enum plumb_history_edn_kind kind)
{
    t->kind = kind;
    t->text = e->at;
    if (*e->at == '\\' && e->at + 1 < e->end) { /* a character: \( is one */
        e->at++;
        step_over(e);
    }
    while (e->at < e->end && !ends_word(*e->at))
        e->at++;
    t->length = (size_t)(e->at - t->text);
}

static void scan_bracket(struct plumb_history_edn *e,
                         struct plumb_history_edn_token *t)
{
    t->bracket = *e->at++;
    t->kind = strchr("([{", t->bracket) ? PLUMB_EDN_OPEN : PLUMB_EDN_CLOSE;
}

/* What begins with #: a set, a regular expression, ##Inf, or a tag. */
static bool scan_hash(struct plumb_history_edn *e,
                      struct plumb_history_edn_token *t)
{
    const char next = e->at + 1 < e->end ? e->at[1] : '\0';
    if (next == '{') {
        *t = (struct plumb_history_edn_token){ .kind = PLUMB_EDN_OPEN,
                                               .bracket = '#',
                                               .begin = t->begin,
                                               .origin = t->origin };
        e->at += 2;
        return true;
    }
    if (next == '#') {
        scan_word(e, t, PLUMB_EDN_WORD);
        return true;
    }
    e->at++;
    if (next == '"')
        return scan_string(e, t);
    if (!next || ends_word(next))
        return plumb_history_fail(e->err, t->origin, "# without a tag");
    scan_word(e, t, PLUMB_EDN_TAG);
    return true;
}

static bool scan(struct plumb_history_edn *e, struct plumb_history_edn_token *t)
{
    *t = (struct plumb_history_edn_token){ .kind = PLUMB_EDN_END,
                                           .text = e->at,
                                           .begin = e->at,
                                           .origin = origin_of(e, e->at) };
    if (e->at == e->end)
        return true;
    switch (*e->at) {
    case '"':
        return scan_string(e, t);
    case '#':
        return scan_hash(e, t);
    case '(':
    case '[':
    case '{':
    case ')':
    case ']':
    case '}':
        scan_bracket(e, t);
        return true;
    case ':':
        e->at++;
        if (e->at == e->end || ends_word(*e->at))
            return plumb_history_fail(e->err, t->origin, ": without a keyword");
        scan_word(e, t, PLUMB_EDN_KEYWORD);
        return true;
    default:
        scan_word(e, t, PLUMB_EDN_WORD);
        return true;
    }
}

static bool enter(struct plumb_history_edn *e, struct plumb_origin at)
{
    if (e->depth == DEEPEST)
        return plumb_history_fail(e->err, at, "forms are nested too deeply");
    e->depth++;
    return true;
}

static bool ends_form(const struct plumb_history_edn_token *t)
{
    return t->kind == PLUMB_EDN_END || t->kind == PLUMB_EDN_CLOSE;
}

static bool discard(struct plumb_history_edn *e, struct plumb_origin origin)
{
    struct plumb_history_edn_token t;
    if (!plumb_history_edn_next(e, &t))
        return false;
    if (ends_form(&t))
        return plumb_history_fail(e->err, origin, "#_ has nothing to discard");
    return plumb_history_edn_skip(e, &t);
}

bool plumb_history_edn_next(struct plumb_history_edn *e,
                            struct plumb_history_edn_token *t)
{
    assert(e->at <= e->end && e->depth <= DEEPEST);
    for (;;) {
        skip_space(e);
        if (e->end - e->at < 2 || e->at[0] != '#' || e->at[1] != '_')
            return scan(e, t);
        const struct plumb_origin mark = origin_of(e, e->at);
        e->at += 2;
        if (!enter(e, mark) || !discard(e, mark))
            return false;
        e->depth--;
    }
}

static bool closes(char open, char close)
{
    return close == (open == '(' ? ')' : open == '[' ? ']' : '}');
}

bool plumb_history_edn_unexpected(const struct plumb_history_edn *e,
                                  const struct plumb_history_edn_token *t,
                                  const char *wanted)
{
    static const char *const kinds[] = {
        "the end of the text", "", "",        "the string ",
        "the keyword ",        "", "the tag "
    };
    const size_t length = t->bracket ? 1 : t->length;
    const char *const text = t->bracket ? t->begin : t->text;
    return plumb_history_fail(e->err, t->origin, "expected %s, found %s%s",
                              wanted, kinds[t->kind],
                              plumb_history_quote(text, length).text);
}

/* Read the next element of the collection that `open` began; *more is false
 * once it is closed. */
static bool next_element(struct plumb_history_edn *e,
                         const struct plumb_history_edn_token *open,
                         struct plumb_history_edn_token *t, bool *more)
{
    const struct plumb_origin from = open->origin;
    *more = false;
    if (!plumb_history_edn_next(e, t))
        return false;
    *more = !ends_form(t);
    if (*more || closes(open->bracket, t->bracket))
        return true;
    if (t->kind == PLUMB_EDN_END)
        return plumb_history_fail(e->err, from, "%.*s is never closed",
                                  open->bracket == '#' ? 2 : 1, open->begin);
    return plumb_history_fail(e->err, t->origin,
                              "%c does not close the %c of line %u", t->bracket,
                              *open->begin, (unsigned)from.line);
}

static bool skip_collection(struct plumb_history_edn *e,
                            const struct plumb_history_edn_token *open)
{
    struct plumb_history_edn_token t;
    bool more = false;
    if (!enter(e, open->origin))
        return false;
    do {
        if (!next_element(e, open, &t, &more) ||
            (more && !plumb_history_edn_skip(e, &t)))
            return false;
    } while (more);
    e->depth--;
    return true;
}

bool plumb_history_edn_untag(struct plumb_history_edn *e,
                             struct plumb_history_edn_token *t)
{
    const struct plumb_history_edn_token tag = *t;
    while (t->kind == PLUMB_EDN_TAG)
        if (!plumb_history_edn_next(e, t))
            return false;
    if (tag.kind != PLUMB_EDN_TAG || !ends_form(t))
        return true;
    return plumb_history_fail(e->err, tag.origin, "the tag #%s has no form",
                              plumb_history_quote(tag.text, tag.length).text);
}

bool plumb_history_edn_skip(struct plumb_history_edn *e,
                            const struct plumb_history_edn_token *t)
{
    struct plumb_history_edn_token form = *t;
    if (!plumb_history_edn_untag(e, &form))
        return false;
    if (ends_form(&form))
        return plumb_history_edn_unexpected(e, &form, "a value");
    return form.kind != PLUMB_EDN_OPEN || skip_collection(e, &form);
}

/* ---- values ---- */

/* The escape behind the backslash at *at, which moves behind it. */
static bool add_escape(struct plumb_base_text *text, const char **at,
                       const char *end)
{
    static const char from[] = "ntrbf\"\\/", to[] = "\n\t\r\b\f\"\\/";
    const char c = *(*at)++;
    const char *const plain = c ? strchr(from, c) : NULL;
    uint32_t code;
    if (plain) {
        plumb_base_text_bytes(text, to + (plain - from), 1);
        return true;
    }
    if (c != 'u' || !plumb_history_read_hex4(*at, end, &code))
        return false;
    *at += 4;
    plumb_history_add_utf8(text, code);
    return true;
}

static bool text_value(struct plumb_history_edn *e, const char *text,
                       size_t length, struct plumb_value *value)
{
    return plumb_history_intern_value(e->builder, text, length, value, e->err);
}

static bool string_value(struct plumb_history_edn *e,
                         const struct plumb_history_edn_token *t,
                         struct plumb_value *value)
{
    if (!t->escaped)
        return text_value(e, t->text, t->length, value);
    struct plumb_base_text text = { .budget = e->budget };
    bool good = true;
    const char *const end = t->text + t->length;
    for (const char *at = t->text; good && at < end;) {
        if (*at++ != '\\')
            plumb_base_text_bytes(&text, at - 1, 1);
        else if (!add_escape(&text, &at, end))
            good = plumb_history_fail(e->err, t->origin,
                                      "unknown escape in a string");
    }
    if (good && text.broken)
        good = plumb_history_fail_memory(e->err);
    good =
        good && text_value(e, plumb_base_text_string(&text), text.size, value);
    plumb_base_text_release(&text);
    return good;
}

static bool word_value(struct plumb_history_edn *e,
                       const struct plumb_history_edn_token *t,
                       struct plumb_value *value)
{
    int64_t number;
    struct plumb_history_field f = { t->text, t->length, t->origin };
    /* 12N is Clojure's arbitrary precision; the N says nothing here */
    if (f.length > 1 && f.text[f.length - 1] == 'N' &&
        plumb_history_read_integer(f.text, f.length - 1, &number) !=
            PLUMB_NO_NUMBER)
        f.length--;
    return plumb_history_field_value(&f, e->builder, value, e->err);
}

bool plumb_history_edn_value(struct plumb_history_edn *e,
                             const struct plumb_history_edn_token *t,
                             struct plumb_value *value)
{
    struct plumb_history_edn_token form = *t;
    if (!plumb_history_edn_untag(e, &form))
        return false;
    switch (form.kind) {
    case PLUMB_EDN_STRING:
        return string_value(e, &form, value);
    case PLUMB_EDN_KEYWORD:
        return text_value(e, form.text, form.length, value);
    case PLUMB_EDN_WORD:
        return word_value(e, &form, value);
    case PLUMB_EDN_OPEN:
        return skip_collection(e, &form) &&
               text_value(e, form.begin, (size_t)(e->at - form.begin), value);
    default:
        return plumb_history_edn_unexpected(e, &form, "a value");
    }
}

static bool list_values(struct plumb_history_edn *e,
                        const struct plumb_history_edn_token *open,
                        struct plumb_history_edn_values *values)
{
    enum { ROOM = sizeof values->v / sizeof *values->v };
    struct plumb_history_edn_token t;
    bool more;
    while (next_element(e, open, &t, &more)) {
        struct plumb_value v;
        if (!more)
            return true;
        if (!plumb_history_edn_value(e, &t, &v))
            return false;
        if (values->count < ROOM)
            values->v[values->count++] = v;
    }
    return false;
}

bool plumb_history_edn_list(struct plumb_history_edn *e,
                            const struct plumb_history_edn_token *t,
                            struct plumb_history_edn_values *values)
{
    struct plumb_history_edn_token form = *t;
    if (!plumb_history_edn_untag(e, &form))
        return false;
    values->count = 0;
    if (plumb_history_edn_is_list(&form))
        return list_values(e, &form, values);
    values->count = 1;
    return plumb_history_edn_value(e, &form, values->v);
}
