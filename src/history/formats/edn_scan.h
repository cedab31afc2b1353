/* edn_scan.h - EDN as tokens, and its forms as values.
 *
 * A form is a scalar or a collection.  White space, commas, comments and
 * discarded forms (#_) never show up as tokens.  Nesting is bounded, so that
 * no input can exhaust the stack. */
#ifndef PLUMB_HISTORY_FORMATS_EDN_SCAN_H
#define PLUMB_HISTORY_FORMATS_EDN_SCAN_H

#include <plumb/history.h>

enum plumb_history_edn_kind {
    PLUMB_EDN_END,
    PLUMB_EDN_OPEN,    /* bracket is one of ( [ { and # for a set        */
    PLUMB_EDN_CLOSE,   /* bracket is one of ) ] }                        */
    PLUMB_EDN_STRING,  /* text is what stands between the quotes         */
    PLUMB_EDN_KEYWORD, /* text is what follows the colon                 */
    PLUMB_EDN_WORD,    /* number, nil, true, false, symbol, character    */
    PLUMB_EDN_TAG      /* text is what follows the #; its form is next   */
};

struct plumb_history_edn_token {
    enum plumb_history_edn_kind kind;
    char bracket;
    bool escaped; /* a string with backslashes in it */
    const char *text;
    size_t length;
    const char *begin; /* its first byte */
    struct plumb_origin origin;
};

/* A cursor.  It may be copied, to come back to a place later. */
struct plumb_history_edn {
    const char *at, *end;
    const char *line_start; /* of the line that `at` is on */
    uint32_t line;
    unsigned depth;
    size_t before; /* bytes of that line before `line_start` */
    struct plumb_error *err;
    struct plumb_builder *builder; /* of values; so is the budget */
    struct plumb_budget *budget;
};

/* All return false after an error, which is then in e->err. */
bool plumb_history_edn_next(struct plumb_history_edn *e,
                            struct plumb_history_edn_token *t);

/* If `t` is a tag, replace it by the token that begins the tagged form. */
bool plumb_history_edn_untag(struct plumb_history_edn *e,
                             struct plumb_history_edn_token *t);

/* Move behind the form that begins with `t`. */
bool plumb_history_edn_skip(struct plumb_history_edn *e,
                            const struct plumb_history_edn_token *t);

/* Does a vector or a list begin? */
static inline bool plumb_history_edn_is_list(
    const struct plumb_history_edn_token *t)
{
    return t->bracket == '[' || t->bracket == '(';
}

/* The error for a token that cannot stand where it does. */
bool plumb_history_edn_unexpected(const struct plumb_history_edn *e,
                                  const struct plumb_history_edn_token *t,
                                  const char *wanted);

/* Values of a form.  More than 255 are counted as 256: the builder refuses
 * those by the name of their operation. */
struct plumb_history_edn_values {
    struct plumb_value v[256];
    size_t count;
};

/* The form that begins with `t` as one value: a scalar as itself, keywords
 * and strings alike as text; a collection as its text. */
bool plumb_history_edn_value(struct plumb_history_edn *e,
                             const struct plumb_history_edn_token *t,
                             struct plumb_value *value);

/* The same, but a vector or list is as many values as it has elements. */
bool plumb_history_edn_list(struct plumb_history_edn *e,
                            const struct plumb_history_edn_token *t,
                            struct plumb_history_edn_values *values);

#endif
