/* scan.c - the text of a model as tokens.
 *
 * Symbols are taken as long as they can be, so `|||` is never `||` and `|`;
 * `[]` and `[*]` are symbols, and no brackets. */
#include "scan.h"
#include "model_reader.h"

enum { DEEPEST_INCLUDE = 16, MOST_TOKENS = 1 << 26 };

struct scan {
    struct plumb_csp_read *r;
    const char *at, *end, *line_start;
    uint32_t file, line;
    bool gap;
    PLUMB_LIST(struct plumb_csp_token) token; /* of all files */
    PLUMB_LIST(uint32_t) bracket; /* numbers of the tokens that are open */
    unsigned depth;
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct plumb_csp_place here(const struct scan *s)
{
    return (struct plumb_csp_place){ s->file, s->line,
                                     (uint32_t)(s->at - s->line_start) + 1 };
}

static bool begins(const struct scan *s, const char *what)
{
    const size_t length = strlen(what);
    return (size_t)(s->end - s->at) >= length &&
           memcmp(s->at, what, length) == 0;
}

static void step(struct scan *s)
{
    if (*s->at++ == '\n') {
        s->line++;
        s->line_start = s->at;
    }
}

/* ---- blanks and comments ---- */

static bool skip_comment(struct scan *s)
{
    const struct plumb_csp_place place = here(s);
    s->at += 2;
    while (s->at < s->end && !begins(s, "*/"))
        step(s);
    if (s->at == s->end)
        return plumb_csp_read_fail(s->r, place, "unterminated comment");
    s->at += 2;
    return true;
}

static bool skip_blanks(struct scan *s)
{
    const char *const first = s->at;
    while (s->at < s->end) {
        if (begins(s, "//")) {
            while (s->at < s->end && *s->at != '\n')
                s->at++;
        } else if (begins(s, "/*")) {
            if (!skip_comment(s))
                return false;
        } else if (*s->at == ' ' || (*s->at >= '\t' && *s->at <= '\r')) {
            step(s);
        } else {
            break;
        }
    }
    s->gap = s->at != first;
    return true;
}

/* ---- one token ---- */

static size_t length_of_name(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && (is_letter(at[n]) || is_digit(at[n])))
        n++;
    return n;
}

static size_t length_of_symbol(const struct scan *s)
{
    static const char *const long_one[] = { "|||", "[*]", "||", "|=", "&&",
                                            "[]",  "<>",  "<<", ">>", "->",
                                            "==",  "!=",  "<=", ">=", "++",
                                            "--",  ".." };
    for (size_t i = 0; i < sizeof long_one / sizeof *long_one; i++)
        if (begins(s, long_one[i]))
            return strlen(long_one[i]);
    return *s->at && strchr("+-*/%&|^!<>=(){}[];:,.@?\\$", *s->at) ? 1 : 0;
}

static bool fail_character(struct scan *s)
{
    const unsigned char c = (unsigned char)*s->at;
    if (c > ' ' && c < 127)
        return plumb_csp_read_fail(s->r, here(s), "unexpected character '%c'",
                                   c);
    return plumb_csp_read_fail(s->r, here(s), "unexpected byte 0x%02x", c);
}

static bool scan_string(struct scan *s, struct plumb_csp_token *t)
{
    const char *p = s->at + 1;
    while (p < s->end && *p != '"' && *p != '\n' && *p)
        p++;
    if (p == s->end || *p != '"')
        return plumb_csp_read_fail(s->r, t->place, "unterminated string");
    t->kind = PLUMB_TOKEN_STRING;
    t->length = (uint32_t)(p + 1 - s->at);
    return true;
}

static bool scan_number(struct scan *s, struct plumb_csp_token *t)
{
    t->kind = PLUMB_TOKEN_NUMBER;
    t->length = (uint32_t)length_of_name(s->at, s->end);
    for (uint32_t i = 0; i < t->length; i++)
        if (!is_digit(s->at[i]))
            return plumb_csp_read_fail(s->r, t->place,
                                       "a name cannot begin with a digit: %.*s",
                                       PLUMB_TOKEN_ARGS(t));
    return true;
}

/* #P( is no declaration: PAT had such variables, for the number of P()s. */
static bool is_counter(const struct scan *s, const struct plumb_csp_token *t,
                       const char *behind)
{
    return behind < s->end && *behind == '(' &&
           !plumb_csp_token_is(t, "#assert");
}

/* #define, or # define, which is the same token. */
static bool scan_directive(struct scan *s, struct plumb_csp_token *t)
{
    const char *word = s->at + 1;
    while (word < s->end && (*word == ' ' || *word == '\t'))
        word++;
    const size_t length = length_of_name(word, s->end);
    char *const text = plumb_csp_read_new(s->r, length + 2);
    if (length == 0 || !text)
        return text && fail_character(s);
    text[0] = '#';
    memcpy(text + 1, word, length);
    t->kind = PLUMB_TOKEN_DIRECTIVE;
    t->text = text;
    t->length = (uint32_t)length + 1;
    if (is_counter(s, t, word + length))
        return plumb_csp_read_fail(s->r, t->place,
                                   "%.*s() counts processes, which is not "
                                   "supported; count them in a variable",
                                   PLUMB_TOKEN_ARGS(t));
    s->at = word - 1; /* so that the token ends where the word does */
    return true;
}

static bool scan_token(struct scan *s, struct plumb_csp_token *t)
{
    *t = (struct plumb_csp_token){ .place = here(s),
                                   .text = s->at,
                                   .gap = s->gap };
    if (s->at == s->end)
        return true;
    if (is_letter(*s->at)) {
        t->kind = PLUMB_TOKEN_NAME;
        t->length = (uint32_t)length_of_name(s->at, s->end);
    } else if (is_digit(*s->at)) {
        return scan_number(s, t);
    } else if (*s->at == '"') {
        return scan_string(s, t);
    } else if (*s->at == '#') {
        return scan_directive(s, t);
    } else {
        t->kind = PLUMB_TOKEN_SYMBOL;
        t->length = (uint32_t)length_of_symbol(s);
        if (t->length == 0)
            return fail_character(s);
    }
    return true;
}

static bool next(struct scan *s, struct plumb_csp_token *t)
{
    if (!skip_blanks(s) || !scan_token(s, t))
        return false;
    s->at += t->length; /* no token has a line end in it */
    return true;
}

/* ---- brackets ---- */

static char partner(char c)
{
    return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : 0;
}

static bool close_bracket(struct scan *s, const struct plumb_csp_token *t)
{
    if (s->bracket.count == 0)
        return plumb_csp_read_fail(s->r, t->place, "'%c' closes nothing",
                                   *t->text);
    const struct plumb_csp_token *const o =
        s->token.at + s->bracket.at[--s->bracket.count];
    if (partner(*o->text) == *t->text)
        return true;
    return plumb_csp_read_fail(s->r, t->place,
                               "'%c' does not close '%c' at %u:%u", *t->text,
                               *o->text, o->place.line, o->place.column);
}

static bool note_bracket(struct scan *s, const struct plumb_csp_token *t)
{
    if (t->kind != PLUMB_TOKEN_SYMBOL || t->length != 1)
        return true;
    if (partner(*t->text))
        return PLUMB_LIST_ADD(s->r, &s->bracket, s->token.count);
    return !strchr(")]}", *t->text) || close_bracket(s, t);
}

/* ---- files ---- */

static bool scan_source(struct scan *s, uint32_t number);

/* The file that was read before under this name, or under another one; UINT32_MAX
 * if none was. */
static uint32_t find_source(const struct scan *s, const char *name,
                            const char *text)
{
    for (uint32_t i = 0; i < s->r->source.count; i++) {
        const struct plumb_csp_text_source *const known = &s->r->source.at[i];
        if (strcmp(known->name, name) == 0 ||
            (text && known->size && known->text == text))
            return i;
    }
    return UINT32_MAX;
}

static void fail_include(struct scan *s, const struct plumb_csp_token *path,
                         const char *name)
{
    const bool foreign =
        strchr(name, '\\') || (is_letter(name[0]) && name[1] == ':');
    plumb_csp_read_fail(s->r, path->place, "cannot include \"%.60s\"%s", name,
                        foreign ? "; put the file beside the model and include "
                                  "it by its name"
                                : "");
}

/* UINT32_MAX after an error; its number, new or not. */
static uint32_t open_source(struct scan *s, const struct plumb_csp_token *path,
                            struct plumb_csp_place place)
{
    const struct plumb_csp_reading *const reading = s->r->reading;
    const char *const name =
        plumb_csp_read_text(s->r, path->text + 1, path->length - 2);
    size_t size = 0;
    if (!name)
        return UINT32_MAX;
    uint32_t known = find_source(s, name, NULL);
    if (known != UINT32_MAX)
        return known;
    const char *const text =
        reading->include ? reading->include(reading->context, name, &size)
                         : NULL;
    const struct plumb_csp_text_source source = {
        .name = name, .text = text, .size = size, .included = place
    };
    if (!text)
        fail_include(s, path, name);
    known = text ? find_source(s, name, text) : UINT32_MAX;
    if (known != UINT32_MAX)
        return known;
    return text && PLUMB_LIST_ADD(s->r, &s->r->source, source)
               ? s->r->source.count - 1
               : UINT32_MAX;
}

/* `#include` was scanned.  A file is put in once, also if two files include
 * each other. */
static bool include(struct scan *s, struct plumb_csp_place place)
{
    struct plumb_csp_token path, end;
    if (s->bracket.count)
        return plumb_csp_read_fail(s->r, place,
                                   "#include cannot be inside brackets");
    if (!next(s, &path))
        return false;
    if (path.kind != PLUMB_TOKEN_STRING)
        return plumb_csp_read_fail(s->r, path.place,
                                   "expected a \"file\" after #include");
    const struct plumb_csp_place outer =
        place.file ? s->r->source.at[place.file].included : place;
    const uint32_t known = s->r->source.count;
    const uint32_t number = open_source(s, &path, outer);
    if (number == UINT32_MAX || !next(s, &end))
        return false;
    if (!plumb_csp_token_is(&end, ";"))
        return plumb_csp_read_fail(s->r, end.place,
                                   "expected ';' after #include");
    if (number == s->file)
        return plumb_csp_read_fail(s->r, path.place, "%.60s includes itself",
                                   s->r->source.at[number].name);
    return number < known || scan_source(s, number);
}

static bool scan_tokens(struct scan *s)
{
    struct plumb_csp_token t;
    for (;;) {
        if (!next(s, &t))
            return false;
        if (t.kind == PLUMB_TOKEN_END)
            return true;
        if (plumb_csp_token_is(&t, "#include")) {
            if (!include(s, t.place))
                return false;
            continue;
        }
        if (s->token.count == MOST_TOKENS)
            return plumb_csp_read_fail(s->r, t.place, "the model is too long");
        if (!note_bracket(s, &t) || !PLUMB_LIST_ADD(s->r, &s->token, t))
            return false;
    }
}

static bool check_closed(const struct scan *s)
{
    if (s->bracket.count == 0)
        return true;
    const struct plumb_csp_token *const o =
        s->token.at + s->bracket.at[s->bracket.count - 1];
    return plumb_csp_read_fail(s->r, o->place, "'%c' is never closed",
                               *o->text);
}

static bool scan_source(struct scan *s, uint32_t number)
{
    const struct scan outer = *s;
    const struct plumb_csp_text_source source = s->r->source.at[number];
    if (source.size >= UINT32_MAX)
        return plumb_csp_read_fail(s->r, here(s), "the file is too long");
    if (s->depth == DEEPEST_INCLUDE)
        return plumb_csp_read_fail(s->r, here(s),
                                   "#include is nested too deeply");
    s->at = s->line_start = source.text;
    s->end = source.text + source.size;
    s->file = number;
    s->line = 1;
    s->depth++;
    if (begins(s, "\xef\xbb\xbf"))
        s->at = s->line_start = s->at + 3;
    const bool well = scan_tokens(s) && check_closed(s);
    s->depth--;
    if (outer.depth) {
        s->at = outer.at;
        s->end = outer.end;
        s->line_start = outer.line_start;
        s->file = outer.file;
        s->line = outer.line;
    }
    return well;
}

bool plumb_csp_scan_model(struct plumb_csp_read *r)
{
    const struct plumb_csp_reading *const reading = r->reading;
    const struct plumb_csp_text_source source = { .name = reading->name,
                                                  .text = reading->text,
                                                  .size = reading->size };
    struct scan s = { .r = r, .line = 1 };
    s.at = s.end = s.line_start = source.text;
    if (!PLUMB_LIST_ADD(r, &r->source, source) || !scan_source(&s, 0))
        return false;
    const struct plumb_csp_token end = { .place = here(&s),
                                         .text = s.at,
                                         .gap = true };
    if (!PLUMB_LIST_ADD(r, &s.token, end))
        return false;
    r->token = s.token.at;
    r->tokens = s.token.count;
    return true;
}
