/* native.c - Wing & Gong's text, their Appendix A, read liberally.
 *
 *     Q enq(1) P1        object operation(arguments) process
 *     Q ok() P1          object term(results) process
 *
 * Nothing in a line says whether it is a call or a response: it is a response
 * iff its process has an open call.  Hence two mistakes can only be guessed
 * from the name.  A response without a call: the name is one that only terms
 * have.  A second call: the name was called before in this history.  A quoted
 * name is taken as it stands and never guessed about, so that the writer can
 * express every history.
 *
 * Bulk reading is bound by finding out which symbol a word is.  Words of up to
 * 15 bytes are looked up by value, as two integers, in a small direct-mapped
 * cache in front of the builder's table; numbers never become symbols. */
#include "history/native.h"

#include "base/fail.h"
#include "history/reader.h"
#include "history/symbols.h"

const unsigned char plumb_native_kind[256] = {
    [' '] = PLUMB_NATIVE_BLANK,       ['\t'] = PLUMB_NATIVE_BLANK,
    ['\r'] = PLUMB_NATIVE_BLANK,      ['\v'] = PLUMB_NATIVE_BLANK,
    ['\f'] = PLUMB_NATIVE_BLANK,      ['\n'] = PLUMB_NATIVE_NEWLINE,
    ['('] = PLUMB_NATIVE_PUNCTUATION, [')'] = PLUMB_NATIVE_PUNCTUATION,
    [','] = PLUMB_NATIVE_PUNCTUATION, ['"'] = PLUMB_NATIVE_QUOTE,
    ['/'] = PLUMB_NATIVE_SLASH,
};

static inline bool is_blank(char c)
{
    return plumb_native_kind[(unsigned char)c] == PLUMB_NATIVE_BLANK;
}

static inline bool is_word_byte(char c)
{
    return plumb_native_kind[(unsigned char)c] == PLUMB_NATIVE_WORD;
}

enum { KEY_MAX = 15, IDS = 256, NAMES = 64, UNSET = -1 };

/* A short word as a number: its bytes, zeros, and its length on top. */
struct key {
    uint64_t low, high;
};

struct id {
    struct key key;
    uint32_t symbol;
};

/* A word before the parenthesis: the name of an operation, or a term. */
struct name {
    struct key key;
    const char *text; /* NULL if it was quoted */
    size_t length;
    uint32_t symbol, term; /* UINT32_MAX until asked for */
    uint8_t outcome;
    bool is_term; /* a word that is never an operation        */
    bool called;  /* in this history, in upper or lower case  */
};

struct scan {
    const char *at, *end, *line_start;
    uint32_t line;
    bool comment; /* the current line has one */
    struct plumb_builder *builder;
    struct plumb_error *err;
    struct plumb_text scratch;   /* unescaped or lower-case text        */
    struct plumb_symbols called; /* lower-case names of calls so far    */
    struct id id[IDS];
    struct name name[NAMES];
    struct name odd; /* the current name, if no key fits it */
    struct plumb_value value[UINT8_MAX];
};

/* ---- errors ---- */

static struct plumb_origin origin_of(const struct scan *s, const char *at)
{
    const size_t column = (size_t)(at - s->line_start) + 1;
    return (struct plumb_origin){ s->line, column < UINT32_MAX
                                               ? (uint32_t)column
                                               : UINT32_MAX };
}

static bool fail(struct scan *s, const char *at, const char *message)
{
    plumb_fail(s->err, PLUMB_EINPUT, s->line,
               (uint64_t)(at - s->line_start) + 1, "%s", message);
    return false;
}

static bool fail_memory(struct scan *s)
{
    plumb_fail_memory(s->err);
    return false;
}

/* ---- white space ---- */

static inline bool comment_begins(const char *at, const char *end)
{
    return end - at >= 2 && at[0] == '/' && at[1] == '*';
}

/* Behind the comment that begins at `at`; NULL if it does not end. */
static const char *comment_end(const char *at, const char *end)
{
    for (at += 2; at < end; at++) {
        at = memchr(at, '*', (size_t)(end - at));
        if (!at)
            return NULL;
        if (at + 1 < end && at[1] == '/')
            return at + 2;
    }
    return NULL;
}

static void count_lines(struct scan *s, const char *to)
{
    const char *at = s->at;
    while ((at = memchr(at, '\n', (size_t)(to - at)))) {
        s->line_start = ++at;
        s->line++;
    }
    s->at = to;
}

static bool skip_comment(struct scan *s)
{
    const char *const behind = comment_end(s->at, s->end);
    if (!behind)
        return fail(s, s->at, "unterminated comment");
    s->comment = true;
    count_lines(s, behind);
    return true;
}

static inline bool skip_blanks(struct scan *s)
{
    for (;;) {
        const char *at = s->at;
        while (at < s->end && is_blank(*at))
            at++;
        s->at = at;
        if (!comment_begins(at, s->end))
            return true;
        if (!skip_comment(s))
            return false;
    }
}

/* ---- words ---- */

static inline const char *word_end(const char *at, const char *end)
{
    for (;; at++) {
        while (at < end && is_word_byte(*at))
            at++;
        if (at == end || *at != '/' || comment_begins(at, end))
            return at;
    }
}

/* Bytes [0, length) of `text`, which has 16 readable ones if `fast`. */
static inline struct key key_of(const char *text, size_t length, bool fast)
{
    struct key k = { 0, 0 };
    memcpy(&k, text, fast ? sizeof k : length);
    if (length < 8) {
        k.low &= ((uint64_t)1 << 8 * length) - 1;
        k.high = 0;
    } else {
        k.high &= ((uint64_t)1 << 8 * (length - 8)) - 1;
    }
    k.high |= (uint64_t)length << 56;
    return k;
}

static inline bool same_key(struct key a, struct key b)
{
    return a.low == b.low && a.high == b.high;
}

static inline uint32_t key_hash(struct key k)
{
    return (uint32_t)((k.low ^ k.high * 31) * 0x9e3779b97f4a7c15u >> 40);
}

static inline struct key word_key(const struct scan *s, const char *text,
                                  size_t length)
{
    return key_of(text, length, s->end - text >= (ptrdiff_t)sizeof(struct key));
}

static bool intern(struct scan *s, const char *text, size_t length,
                   uint32_t *symbol)
{
    *symbol = plumb_builder_symbol(s->builder, text, length);
    return *symbol != UINT32_MAX || fail_memory(s);
}

static inline bool word_symbol(struct scan *s, const char *text, size_t length,
                               uint32_t *symbol)
{
    if (length > KEY_MAX)
        return intern(s, text, length, symbol);
    const struct key key = word_key(s, text, length);
    struct id *const id = s->id + key_hash(key) % IDS;
    if (same_key(id->key, key)) {
        *symbol = id->symbol;
        return true;
    }
    if (!intern(s, text, length, symbol))
        return false;
    *id = (struct id){ key, *symbol };
    return true;
}

/* ---- quoted strings ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 'a' ^ 'A';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : UNSET;
}

/* The character that the escape at `at` (behind the backslash) stands for. */
static int unescape(const char *at, const char *end, size_t *length)
{
    *length = 1;
    if (at == end)
        return UNSET;
    switch (*at) {
    case '"':
    case '\\':
        return *at;
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'x':
        *length = 3;
        if (end - at < 3 || hex_digit(at[1]) < 0 || hex_digit(at[2]) < 0)
            return UNSET;
        return hex_digit(at[1]) * 16 + hex_digit(at[2]);
    default:
        return UNSET;
    }
}

/* Read the quoted string at s->at into the scratch text. */
static bool read_quoted(struct scan *s)
{
    const char *const open = s->at;
    const char *at = open + 1;
    plumb_text_clear(&s->scratch);
    for (;;) {
        const char *const from = at;
        while (at < s->end && *at != '"' && *at != '\\' && *at != '\n')
            at++;
        plumb_text_bytes(&s->scratch, from, (size_t)(at - from));
        if (at == s->end || *at == '\n')
            return fail(s, open, "unterminated string");
        if (*at == '"')
            break;
        size_t length;
        const int c = unescape(at + 1, s->end, &length);
        if (c == UNSET)
            return fail(s, at,
                        "unknown escape: only \\\" \\\\ \\n \\t \\r \\xHH "
                        "are known");
        plumb_text_fill(&s->scratch, (char)c, 1);
        at += 1 + length;
    }
    s->at = at + 1;
    return !s->scratch.broken || fail_memory(s);
}

static bool quoted_symbol(struct scan *s, uint32_t *symbol)
{
    return read_quoted(s) &&
           intern(s, s->scratch.data, s->scratch.size, symbol);
}

/* The name of an object or a process. */
static inline bool read_id(struct scan *s, const char *missing,
                           uint32_t *symbol)
{
    const char *const text = s->at;
    if (text < s->end && *text == '"')
        return quoted_symbol(s, symbol);
    s->at = word_end(text, s->end);
    if (s->at == text)
        return fail(s, text, missing);
    return word_symbol(s, text, (size_t)(s->at - text), symbol);
}

/* ---- values ---- */

static bool fail_number(struct scan *s, const char *text)
{
    const size_t length = (size_t)(word_end(text, s->end) - text);
    plumb_fail(s->err, PLUMB_EINPUT, s->line,
               (uint64_t)(text - s->line_start) + 1,
               "number %.*s%s does not fit in 64 bits",
               length > 40 ? 40 : (int)length, text, length > 40 ? "..." : "");
    return false;
}

/* The digits at `at`; where they end, NULL if the number is out of range. */
static inline const char *read_digits(const char *at, const char *end,
                                      uint64_t limit, uint64_t *number)
{
    uint64_t n = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (n > (limit - digit) / 10)
            return NULL;
        n = n * 10 + digit;
    }
    *number = n;
    return at;
}

static inline bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static inline bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* Is the word an integer: digits, perhaps a minus before them? */
static inline bool is_number(const char *text, const char *end)
{
    text += *text == '-';
    if (text == end)
        return false;
    while (is_digit(text, end))
        text++;
    return text == end;
}

static bool read_word_value(struct scan *s, struct plumb_value *v)
{
    const char *const text = s->at;
    uint32_t symbol;
    s->at = word_end(text, s->end);
    const size_t length = (size_t)(s->at - text);
    if (length == 0)
        return fail(s, text, "value expected");
    if (is_number(text, s->at))
        return fail_number(s, text); /* or read_value() had taken it */
    if (is_word(text, length, "nil")) {
        *v = plumb_nil();
    } else if (is_word(text, length, "true")) {
        *v = plumb_bool(true);
    } else if (is_word(text, length, "false")) {
        *v = plumb_bool(false);
    } else {
        if (!word_symbol(s, text, length, &symbol))
            return false;
        *v = plumb_str(symbol);
    }
    return true;
}

static inline bool read_value(struct scan *s, struct plumb_value *v)
{
    const char *const text = s->at;
    uint32_t symbol;
    if (text < s->end && *text == '"') {
        if (!quoted_symbol(s, &symbol))
            return false;
        *v = plumb_str(symbol);
        return true;
    }
    const bool minus = text < s->end && *text == '-';
    if (!is_digit(text + minus, s->end))
        return read_word_value(s, v);
    uint64_t n;
    const uint64_t limit = (uint64_t)INT64_MAX + minus;
    const char *const behind = read_digits(text + minus, s->end, limit, &n);
    if (!behind || behind != word_end(behind, s->end))
        return read_word_value(s, v); /* too large, or a word like 7up */
    s->at = behind;
    *v = (struct plumb_value){ minus ? 0 - n : n, PLUMB_INT, 0 };
    return true;
}

static bool read_values(struct scan *s, size_t *count)
{
    size_t n = 0;
    s->at++;
    if (!skip_blanks(s))
        return false;
    if (s->at < s->end && *s->at == ')') {
        s->at++;
        *count = 0;
        return true;
    }
    for (;;) {
        if (n == UINT8_MAX)
            return fail(s, s->at, "more than 255 values");
        if (!read_value(s, s->value + n++) || !skip_blanks(s))
            return false;
        const char c = s->at < s->end ? *s->at : '\n';
        if (c != ',' && c != ')')
            return fail(s, s->at, "',' or ')' expected after a value");
        s->at++;
        if (c == ')')
            break;
        if (!skip_blanks(s))
            return false;
    }
    *count = n;
    return true;
}

/* ---- names of operations and terms ---- */

static inline char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | ('a' ^ 'A')) : c;
}

bool plumb_native_fold(struct plumb_text *scratch, const char *text,
                       size_t length)
{
    plumb_text_clear(scratch);
    plumb_text_bytes(scratch, text, length);
    if (scratch->broken)
        return false;
    for (size_t i = 0; i < length; i++)
        scratch->data[i] = lower(scratch->data[i]);
    return true;
}

bool plumb_native_term(const char *text, size_t length,
                       enum plumb_outcome *outcome)
{
    static const struct {
        const char *text;
        enum plumb_outcome outcome;
    } term[] = {
        { "ok", PLUMB_OUTCOME_OK },     { "empty", PLUMB_OUTCOME_OK },
        { "full", PLUMB_OUTCOME_OK },   { "none", PLUMB_OUTCOME_OK },
        { "fail", PLUMB_OUTCOME_FAIL }, { "info", PLUMB_OUTCOME_INFO },
    };
    for (size_t i = 0; i < sizeof term / sizeof *term; i++)
        if (is_word(text, length, term[i].text)) {
            if (outcome)
                *outcome = term[i].outcome;
            return true;
        }
    return false;
}

static bool learn_name(struct scan *s, struct name *n, struct key key,
                       const char *text, size_t length)
{
    enum plumb_outcome outcome = PLUMB_OUTCOME_OK;
    if (!plumb_native_fold(&s->scratch, text, length))
        return fail_memory(s);
    const char *const folded = s->scratch.data;
    *n = (struct name){
        .key = key,
        .text = text,
        .length = length,
        .symbol = UINT32_MAX,
        .term = UINT32_MAX,
        .is_term = plumb_native_term(folded, length, &outcome),
        .called = plumb_symbol_find(&s->called, folded, length) != UINT32_MAX,
    };
    n->outcome = (uint8_t)outcome;
    return true;
}

/* A quoted name means itself, as a call and as a term. */
static bool read_quoted_name(struct scan *s, struct name **name)
{
    uint32_t symbol;
    if (!quoted_symbol(s, &symbol))
        return false;
    s->odd = (struct name){ .symbol = symbol, .term = symbol };
    *name = &s->odd;
    return true;
}

static inline bool read_name(struct scan *s, struct name **name)
{
    const char *const text = s->at;
    if (text < s->end && *text == '"')
        return read_quoted_name(s, name);
    s->at = word_end(text, s->end);
    const size_t length = (size_t)(s->at - text);
    if (length == 0)
        return fail(s, text, "operation or term expected after the object");
    *name = &s->odd;
    if (length > KEY_MAX)
        return learn_name(s, &s->odd, (struct key){ 0, 0 }, text, length);
    const struct key key = word_key(s, text, length);
    *name = s->name + key_hash(key) % NAMES;
    return same_key((*name)->key, key) ||
           learn_name(s, *name, key, text, length);
}

static inline bool name_symbol(struct scan *s, struct name *n)
{
    return n->symbol != UINT32_MAX || intern(s, n->text, n->length, &n->symbol);
}

static inline bool term_symbol(struct scan *s, struct name *n)
{
    if (n->term != UINT32_MAX)
        return true;
    return (plumb_native_fold(&s->scratch, n->text, n->length) ||
            fail_memory(s)) &&
           intern(s, s->scratch.data, n->length, &n->term);
}

/* Remember that a name was called.  What the cache knows about its other
 * spellings is out of date then, so all of it goes. */
static bool note_called(struct scan *s, struct name *n)
{
    if (!plumb_native_fold(&s->scratch, n->text, n->length))
        return fail_memory(s);
    const uint32_t before = s->called.count;
    if (plumb_symbols_intern(&s->called, s->scratch.data, s->scratch.size) ==
        UINT32_MAX)
        return fail_memory(s);
    if (s->called.count != before)
        memset(s->name, 0, sizeof s->name);
    return true;
}

/* ---- events ---- */

struct event {
    uint32_t object, process;
    struct name *name;
    size_t values;
    struct plumb_origin origin;
};

static bool call(struct scan *s, const struct event *e)
{
    if (!name_symbol(s, e->name))
        return false;
    const uint32_t symbol = e->name->symbol;
    const bool quoted = !e->name->text;
    if (!quoted && !e->name->called && !note_called(s, e->name))
        return false;
    return plumb_builder_call(s->builder, e->process, e->object, symbol,
                              s->value, e->values, &e->origin,
                              s->err) == PLUMB_OK;
}

static bool respond(struct scan *s, const struct event *e)
{
    return term_symbol(s, e->name) &&
           plumb_builder_respond(s->builder, e->process, e->object,
                                 (enum plumb_outcome)e->name->outcome,
                                 e->name->term, s->value, e->values, &e->origin,
                                 s->err) == PLUMB_OK;
}

/* The builder refuses what is a call and should not be, and the reverse. */
static inline bool add_event(struct scan *s, const struct event *e)
{
    const bool open = plumb_builder_open_call(s->builder, e->process, NULL);
    const bool is_call =
        open ? e->name->called && !e->name->is_term : !e->name->is_term;
    return is_call ? call(s, e) : respond(s, e);
}

/* Read the event that begins at s->at, and its end of line. */
static inline bool read_event(struct scan *s)
{
    struct event e = { .origin = origin_of(s, s->at) };
    if (!read_id(s, "object expected", &e.object) || !skip_blanks(s) ||
        !read_name(s, &e.name) || !skip_blanks(s))
        return false;
    if (s->at == s->end || *s->at != '(')
        return fail(s, s->at, "'(' expected after the operation or term");
    if (!read_values(s, &e.values) || !skip_blanks(s) ||
        !read_id(s, "process expected after ')'", &e.process) ||
        !skip_blanks(s))
        return false;
    if (s->at < s->end && *s->at != '\n')
        return fail(s, s->at, "end of line expected after the process");
    return add_event(s, &e);
}

/* ---- histories ---- */

/* The next event's first byte, or the end of the history: a blank line behind
 * an event, or the end of the data. */
static inline bool find_event(struct scan *s, bool any, bool *found)
{
    for (;;) {
        s->comment = false;
        if (!skip_blanks(s))
            return false;
        if (s->at == s->end || *s->at != '\n') {
            *found = s->at < s->end;
            return true;
        }
        s->line_start = ++s->at;
        s->line++;
        if (any && !s->comment) {
            *found = false;
            return true;
        }
    }
}

static bool read_events(struct scan *s, const char **start)
{
    bool found;
    for (bool any = false;; any = true) {
        *start = s->at;
        if (!find_event(s, any, &found))
            return false;
        if (!found)
            return true;
        *start = s->at;
        if (!read_event(s))
            return false;
        if (s->at < s->end) {
            s->line_start = ++s->at;
            s->line++;
        }
    }
}

/* Behind the quoted string at `at`, or at the end of its line. */
static const char *string_end(const char *at, const char *end)
{
    for (at++; at < end && *at != '\n'; at++) {
        if (*at == '"')
            return at + 1;
        if (*at == '\\' && at + 1 < end && at[1] != '\n')
            at++;
    }
    return at;
}

/* The next byte that is not part of a comment or a string. */
static const char *next_plain(const char *at, const char *end)
{
    const char *behind = NULL;
    if (comment_begins(at, end))
        behind = comment_end(at, end);
    else if (*at == '"')
        behind = string_end(at, end);
    return behind ? behind : at + 1;
}

/* After an error: go on behind the next blank line.  `start` is where the bad
 * event began, outside of strings and comments, so both are recognised. */
static void skip_history(struct scan *s, const char *start,
                         struct plumb_reader *r)
{
    const char *at = start;
    bool blank = false; /* nothing but blanks since the last line began */
    while (at < s->end && !(blank && *at == '\n')) {
        blank = *at == '\n' || (blank && is_blank(*at));
        at = next_plain(at, s->end);
    }
    if (at < s->end)
        at++;
    s->at = r->data + r->at;
    s->line = r->line;
    count_lines(s, at);
}

static void scan_begin(struct scan *s, struct plumb_reader *r,
                       struct plumb_error *err)
{
    memset(s->id, 0, sizeof s->id);
    memset(s->name, 0, sizeof s->name);
    s->at = s->line_start = r->data + r->at;
    s->end = r->data + r->size;
    s->line = r->line;
    s->builder = r->builder;
    s->err = err;
    plumb_text_init(&s->scratch, r->budget);
}

static void scan_end(struct scan *s, struct plumb_reader *r)
{
    plumb_text_release(&s->scratch);
    plumb_symbols_release(&s->called);
    r->at = (size_t)(s->at - r->data);
    r->line = s->line;
}

static void skip_byte_order_mark(struct plumb_reader *r)
{
    if (r->at == 0 && r->size >= 3 && memcmp(r->data, "\xef\xbb\xbf", 3) == 0)
        r->at = 3;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    struct scan s;
    const char *start;
    if (r->at == r->size)
        return PLUMB_END;
    skip_byte_order_mark(r);
    scan_begin(&s, r, err);
    if (!plumb_symbols_init(&s.called, r->budget))
        return plumb_fail_memory(err);
    enum plumb_status status = PLUMB_OK;
    if (!read_events(&s, &start)) {
        status = err->status;
        skip_history(&s, start, r);
    } else if (plumb_builder_count(r->builder) == 0) {
        status = PLUMB_END;
    }
    scan_end(&s, r);
    return status;
}

/* ---- detection ---- */

/* Object, name and parenthesis: an event, or a good try at one. */
static bool looks_like_an_event(struct scan *s)
{
    const char *const object = s->at;
    s->at =
        *object == '"' ? string_end(object, s->end) : word_end(object, s->end);
    if (s->at == object || !skip_blanks(s) || s->at == s->end)
        return false;
    const char *const name = s->at;
    s->at = *name == '"' ? string_end(name, s->end) : word_end(name, s->end);
    return s->at != name && skip_blanks(s) && s->at < s->end && *s->at == '(';
}

static int detect(const char *data, size_t size)
{
    struct scan s;
    struct plumb_error err;
    struct plumb_reader r = { .data = data, .size = size, .line = 1 };
    bool found;
    if (size == 0)
        return 1; /* no history at all, in any format */
    skip_byte_order_mark(&r);
    scan_begin(&s, &r, &err);
    if (!find_event(&s, false, &found))
        return 50; /* nothing but the beginning of a long comment */
    if (!found)
        return s.comment ? 50 : 1;
    return looks_like_an_event(&s) ? 60 : 0;
}

const struct plumb_format_class plumb_format_native = {
    .format = PLUMB_FORMAT_NATIVE,
    .name = "native",
    .what = "Wing & Gong's text: Q enq(1) P1",
    .ties = PLUMB_TIES_CALL_FIRST,
    .detect = detect,
    .next = next,
    .write = plumb_native_write,
};
