/* other_language.c - is a text that cannot be read a model of another tool?
 *
 * FDR's files end in .csp as well.  One sign is enough, because the text was
 * refused already, and each of these is no part of a model here. */
#include "model_reader.h"

struct other {
    const char *at, *end;
    struct plumb_csp_place place;
    const char *line;
};

static bool begins(const struct other *o, const char *what)
{
    const size_t length = strlen(what);
    return (size_t)(o->end - o->at) >= length &&
           memcmp(o->at, what, length) == 0;
}

static void step(struct other *o, size_t by)
{
    for (; by && o->at < o->end; by--)
        if (*o->at++ == '\n') {
            o->place.line++;
            o->line = o->at;
        }
    o->place.column = (uint32_t)(o->at - o->line) + 1;
}

/* Behind `close`, or at the end. */
static void skip_to(struct other *o, const char *close)
{
    while (o->at < o->end && !begins(o, close))
        step(o, 1);
    step(o, strlen(close));
}

/* Comments of all three languages, and strings. */
static bool skip(struct other *o)
{
    static const char *const pair[][2] = {
        { "//", "\n" }, { "/*", "*/" }, { "--", "\n" },
        { "{-", "-}" }, { "\"", "\"" },
    };
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        if (begins(o, pair[i][0])) {
            step(o, strlen(pair[i][0]));
            skip_to(o, pair[i][1]);
            return true;
        }
    return false;
}

static bool is_in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

static size_t blanks_at(const struct other *o, size_t from)
{
    size_t n = from;
    while (o->at + n < o->end && strchr(" \t\r\n", o->at[n]) && o->at[n])
        n++;
    return n;
}

static size_t name_at(const struct other *o, size_t from)
{
    size_t n = from;
    while (o->at + n < o->end && is_in_name(o->at[n]))
        n++;
    return n;
}

/* The word, and if `name` a name, and then one of `then`, unless it is NULL. */
static bool is_phrase(const struct other *o, const char *word, bool name,
                      const char *then)
{
    size_t n = name_at(o, 0);
    if (n != strlen(word) || !begins(o, word))
        return false;
    n = blanks_at(o, n);
    if (name) {
        const size_t behind = name_at(o, n);
        if (behind == n)
            return false;
        n = blanks_at(o, behind);
    }
    return !then || (o->at + n < o->end && o->at[n] && strchr(then, o->at[n]));
}

/* "[T=", but not of a[T==1]. */
static bool is_sign(const struct other *o, const char *sign, char but)
{
    const size_t length = strlen(sign);
    return begins(o, sign) &&
           (o->at + length == o->end || o->at[length] != but);
}

static bool is_promela(const struct other *o)
{
    return begins(o, "::") || is_phrase(o, "proctype", true, "(") ||
           is_phrase(o, "mtype", false, "={:") ||
           is_phrase(o, "chan", true, "=[") || is_phrase(o, "init", false, "{");
}

static bool is_cspm(const struct other *o)
{
    return begins(o, "|~|") || begins(o, ":[") || is_sign(o, "[|", '|') ||
           is_sign(o, "[T=", '=') || is_sign(o, "[F=", '=') ||
           is_sign(o, "[FD=", '=') || is_phrase(o, "datatype", true, "=") ||
           is_phrase(o, "nametype", true, "=") ||
           is_phrase(o, "channel", true, ",:");
}

static const char *language_at(const struct other *o)
{
    return is_promela(o) ? "Promela, the language of SPIN"
           : is_cspm(o)  ? "CSPM, the language of FDR"
                         : NULL;
}

const char *plumb_csp_read_other_language(const struct plumb_csp_read *r,
                                          struct plumb_csp_place *place)
{
    const struct plumb_csp_reading *const reading = r->reading;
    struct other o = { .at = reading->text,
                       .end = reading->text + reading->size,
                       .place = { .line = 1, .column = 1 },
                       .line = reading->text };
    while (o.at < o.end) {
        const char *const language = language_at(&o);
        if (language) {
            *place = o.place;
            return language;
        }
        if (!skip(&o)) {
            const size_t name = name_at(&o, 0);
            step(&o, name ? name : 1);
        }
    }
    return NULL;
}
