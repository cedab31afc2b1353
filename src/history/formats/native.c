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
 * express every history. */
#include "base/spelling.h"
#include "native_scan.h"

#include "base/fail.h"
#include "history/symbols.h"
#include "lines.h"

enum { NAMES = 64 };

/* A word before the parenthesis: the name of an operation, or a term. */
struct name {
    struct plumb_history_key key;
    const char *text; /* NULL if it was quoted */
    size_t length;
    uint32_t symbol, term; /* UINT32_MAX until asked for */
    uint8_t outcome;
    bool is_term; /* a word that is never an operation        */
    bool called;  /* in this history, in upper or lower case  */
};

/* Of the history so far. */
struct known {
    bool any;                    /* there was an event               */
    struct plumb_symbols called; /* lower-case names of calls so far */
};

struct scan {
    struct plumb_history_scan in;
    struct known *known;
    struct name name[NAMES]; /* a cache, by key                     */
    struct name odd;         /* the current name, if no key fits it */
    struct plumb_value value[UINT8_MAX];
};

/* ---- names of operations and terms ---- */

bool plumb_history_native_fold(struct plumb_base_text *scratch,
                               const char *text, size_t length)
{
    plumb_base_text_clear(scratch);
    plumb_base_text_bytes(scratch, text, length);
    if (scratch->broken)
        return false;
    for (size_t i = 0; i < length; i++)
        scratch->data[i] = plumb_base_lower(scratch->data[i]);
    return true;
}

bool plumb_history_native_term(const char *text, size_t length,
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
        if (plumb_base_is_word(text, length, term[i].text)) {
            if (outcome)
                *outcome = term[i].outcome;
            return true;
        }
    return false;
}

static bool learn_name(struct scan *s, struct name *n,
                       struct plumb_history_key key, const char *text,
                       size_t length)
{
    enum plumb_outcome outcome = PLUMB_OUTCOME_OK;
    if (!plumb_history_native_fold(&s->in.scratch, text, length))
        return plumb_history_fail_memory(s->in.err);
    const char *const folded = s->in.scratch.data;
    *n = (struct name){
        .key = key,
        .text = text,
        .length = length,
        .symbol = UINT32_MAX,
        .term = UINT32_MAX,
        .is_term = plumb_history_native_term(folded, length, &outcome),
        .called =
            plumb_symbol_find(&s->known->called, folded, length) != UINT32_MAX,
    };
    n->outcome = (uint8_t)outcome;
    return true;
}

/* A quoted name means itself, as a call and as a term. */
static bool read_quoted_name(struct scan *s, struct name **name)
{
    uint32_t symbol;
    if (!plumb_history_scan_string(&s->in, &symbol))
        return false;
    s->odd = (struct name){ .symbol = symbol, .term = symbol };
    *name = &s->odd;
    return true;
}

static inline bool read_name(struct scan *s, struct name **name)
{
    const char *const text = s->in.at;
    if (text < s->in.end && *text == '"')
        return read_quoted_name(s, name);
    s->in.at = plumb_history_word_end(text, s->in.end);
    const size_t length = (size_t)(s->in.at - text);
    if (length == 0)
        return plumb_history_scan_fail(
            &s->in, text, "operation or term expected after the object");
    *name = &s->odd;
    if (length > PLUMB_KEY_MAX)
        return learn_name(s, &s->odd, (struct plumb_history_key){ 0, 0 }, text,
                          length);
    const struct plumb_history_key key =
        plumb_history_word_key(text, length, s->in.end);
    *name = s->name + plumb_history_key_hash(key) % NAMES;
    return plumb_history_key_equal((*name)->key, key) ||
           learn_name(s, *name, key, text, length);
}

static inline bool name_symbol(struct scan *s, struct name *n)
{
    return n->symbol != UINT32_MAX ||
           plumb_history_scan_intern(&s->in, n->text, n->length, &n->symbol);
}

static inline bool term_symbol(struct scan *s, struct name *n)
{
    if (n->term != UINT32_MAX)
        return true;
    return (plumb_history_native_fold(&s->in.scratch, n->text, n->length) ||
            plumb_history_fail_memory(s->in.err)) &&
           plumb_history_scan_intern(&s->in, s->in.scratch.data, n->length,
                                     &n->term);
}

/* Remember that a name was called.  What the cache knows about its other
 * spellings is out of date then, so all of it goes. */
static bool note_called(struct scan *s, struct name *n)
{
    if (!plumb_history_native_fold(&s->in.scratch, n->text, n->length))
        return plumb_history_fail_memory(s->in.err);
    struct plumb_symbols *const called = &s->known->called;
    const uint32_t before = called->count;
    if (plumb_history_symbols_intern(called, s->in.scratch.data,
                                     s->in.scratch.size) == UINT32_MAX)
        return plumb_history_fail_memory(s->in.err);
    if (called->count != before)
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
    return plumb_builder_call(s->in.builder, e->process, e->object, symbol,
                              s->value, e->values, &e->origin,
                              s->in.err) == PLUMB_OK;
}

static bool respond(struct scan *s, const struct event *e)
{
    return term_symbol(s, e->name) &&
           plumb_builder_respond(s->in.builder, e->process, e->object,
                                 (enum plumb_outcome)e->name->outcome,
                                 e->name->term, s->value, e->values, &e->origin,
                                 s->in.err) == PLUMB_OK;
}

/* The builder refuses what is a call and should not be, and the reverse. */
static inline bool add_event(struct scan *s, const struct event *e)
{
    const bool open = plumb_builder_open_call(s->in.builder, e->process, NULL);
    const bool is_call =
        open ? e->name->called && !e->name->is_term : !e->name->is_term;
    return is_call ? call(s, e) : respond(s, e);
}

/* Read the event that begins at s->in.at, and its end of line. */
static inline bool read_event(struct scan *s)
{
    struct event e = { .origin = plumb_history_scan_origin(&s->in, s->in.at) };
    if (!plumb_history_scan_id(&s->in, "object expected", &e.object) ||
        !plumb_history_scan_blanks(&s->in) || !read_name(s, &e.name) ||
        !plumb_history_scan_blanks(&s->in))
        return false;
    if (s->in.at == s->in.end || *s->in.at != '(')
        return plumb_history_scan_fail(
            &s->in, s->in.at, "'(' expected after the operation or term");
    if (!plumb_history_scan_values(&s->in, s->value, &e.values) ||
        !plumb_history_scan_blanks(&s->in) ||
        !plumb_history_scan_id(&s->in, "process expected after ')'",
                               &e.process) ||
        !plumb_history_scan_blanks(&s->in))
        return false;
    if (s->in.at < s->in.end && *s->in.at != '\n')
        return plumb_history_scan_fail(
            &s->in, s->in.at, "end of line expected after the process");
    return add_event(s, &e);
}

/* ---- histories ---- */

/* What comes next, behind blanks and comments. */
enum ahead { EVENT, BLANK_LINE, END_OF_DATA, ERROR };

/* Blank lines before the first event are nothing. */
static inline enum ahead look_ahead(struct scan *s)
{
    for (;;) {
        s->in.comment = false;
        if (!plumb_history_scan_blanks(&s->in))
            return ERROR;
        if (s->in.at == s->in.end || *s->in.at != '\n')
            return s->in.at < s->in.end ? EVENT : END_OF_DATA;
        s->in.line_start = ++s->in.at;
        s->in.line++;
        if (s->known->any && !s->in.comment)
            return BLANK_LINE;
    }
}

/* Where an event begins, and what stands before it. */
struct place {
    const char *line_start;
    uint32_t line;
    const char *event;
};

/* Up to a blank line, which ends the history, or to the end of the data. */
static bool read_events(struct scan *s, struct plumb_reader *r,
                        struct place *place)
{
    for (;; s->known->any = true) {
        *place = (struct place){ s->in.at, s->in.line, s->in.at };
        const enum ahead ahead = look_ahead(s);
        r->ended = ahead == BLANK_LINE;
        if (ahead != EVENT)
            return ahead != ERROR;
        place->event = s->in.at;
        if (!s->known->any)
            r->first = plumb_history_scan_origin(&s->in, s->in.at);
        if (!read_event(s))
            return false;
        if (s->in.at < s->in.end) {
            s->in.line_start = ++s->in.at;
            s->in.line++;
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

/* The next byte that is not part of a comment or a string.  A comment that
 * does not end swallows all the rest. */
static const char *next_plain(const char *at, const char *end)
{
    if (*at == '"')
        return string_end(at, end);
    if (!plumb_history_comment_begins(at, end))
        return at + 1;
    const char *const behind = plumb_history_comment_end(at, end);
    return behind ? behind : end;
}

/* After an error: go on behind the next blank line.  `start` is where the bad
 * event began, outside of strings and comments, so both are recognised. */
static void skip_history(struct scan *s, const char *start,
                         struct plumb_reader *r)
{
    const char *const end = s->in.end;
    const char *at = s->in.endless ? end : start;
    bool blank = false; /* nothing but blanks since the last line began */
    while (at < end && !(blank && *at == '\n')) {
        blank = *at == '\n' || (blank && plumb_history_is_native_blank(*at));
        at = next_plain(at, end);
    }
    if (at < end)
        at++;
    s->in.at = r->data + r->at;
    s->in.line = r->line;
    plumb_history_scan_forward(&s->in, at);
}

static void scan_begin(struct scan *s, struct plumb_reader *r,
                       struct plumb_error *err)
{
    memset(s->in.id, 0, sizeof s->in.id);
    memset(s->name, 0, sizeof s->name);
    s->known = r->state;
    s->in.at = s->in.line_start = r->data + r->at;
    s->in.end = r->data + r->size;
    s->in.line = r->line;
    s->in.builder = r->builder;
    s->in.err = err;
    s->in.comment = s->in.endless = false;
    plumb_base_text_init(&s->in.scratch, r->budget);
}

static void scan_end(struct scan *s, struct plumb_reader *r)
{
    plumb_base_text_release(&s->in.scratch);
    r->at = (size_t)(s->in.at - r->data);
    r->line = s->in.line;
}

static void forget(struct plumb_reader *r)
{
    struct known *const known = r->state;
    if (known->called.count)
        plumb_history_symbols_release(&known->called);
}

/* A comment that goes to the end of the data may have its end in the next. */
static bool waits(const struct scan *s, const struct plumb_reader *r,
                  const struct plumb_error *err)
{
    return s->in.endless && r->more && err->status == PLUMB_EINPUT;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    struct known *const known = r->state;
    struct scan s;
    struct place place;
    if (r->at == r->size)
        return known->any ? PLUMB_OK : PLUMB_END;
    if (!known->called.count &&
        !plumb_history_symbols_init(&known->called, r->budget))
        return plumb_base_fail_memory(err);
    scan_begin(&s, r, err);
    enum plumb_status status = PLUMB_OK;
    if (!read_events(&s, r, &place)) {
        status = err->status;
        if (waits(&s, r, err)) {
            s.in.at = place.line_start;
            s.in.line = place.line;
            status = PLUMB_OK;
        } else if (status == PLUMB_EINPUT) {
            skip_history(&s, place.event, r);
        }
    }
    scan_end(&s, r);
    return status == PLUMB_OK && !known->any ? PLUMB_END : status;
}

/* ---- detection ---- */

/* A word or a string, the blanks behind it, and then something. */
static bool skip_word(struct scan *s)
{
    const char *const word = s->in.at;
    s->in.at = *word == '"' ? string_end(word, s->in.end)
                            : plumb_history_word_end(word, s->in.end);
    return s->in.at != word && plumb_history_scan_blanks(&s->in) &&
           s->in.at < s->in.end;
}

/* Object, name and parenthesis: an event, or a good try at one. */
static bool looks_like_an_event(struct scan *s)
{
    return skip_word(s) && skip_word(s) && *s->in.at == '(';
}

/* Behind those: values, a process, and the end of the line. */
static bool is_whole_event(struct scan *s)
{
    while (s->in.at < s->in.end && *s->in.at != ')' && *s->in.at != '\n')
        s->in.at = next_plain(s->in.at, s->in.end);
    if (s->in.at == s->in.end || *s->in.at++ != ')' ||
        !plumb_history_scan_blanks(&s->in) || s->in.at == s->in.end)
        return false;
    return skip_word(s) && *s->in.at == '\n';
}

static int detect(const char *data, size_t size)
{
    struct scan s;
    struct plumb_error err;
    struct known nothing = { .any = false };
    struct plumb_reader r = {
        .data = data, .size = size, .line = 1, .state = &nothing
    };
    if (size == 0)
        return 1; /* no history at all, in any format */
    scan_begin(&s, &r, &err);
    switch (look_ahead(&s)) {
    case EVENT:
        return !looks_like_an_event(&s) ? 0 : is_whole_event(&s) ? 70 : 60;
    case ERROR:
        return 50; /* nothing but the beginning of a long comment */
    default:
        return s.in.comment ? 50 : 1;
    }
}

const struct plumb_history_format_class plumb_history_format_native = {
    .format = PLUMB_FORMAT_NATIVE,
    .name = "native",
    .what = "Wing & Gong's text: Q enq(1) P1",
    .ties = PLUMB_TIES_CALL_FIRST,
    .in_order = true,
    .by_line = true,
    .state = sizeof(struct known),
    .forget = forget,
    .detect = detect,
    .next = next,
    .write = plumb_history_native_write,
};
