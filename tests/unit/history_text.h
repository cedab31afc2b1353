/* history_text.h - histories for tests, written on one line.
 *
 * "A enq(1) B deq() A:ok() B:ok(1)": a call is THREAD name(args), a response
 * THREAD:term(results); THREAD:! is FAIL, THREAD:? is INFO.  Values are
 * integers, nil, #t, #f, or words.  Events stand at line 1 and their column. */
#ifndef PLUMB_TESTS_HISTORY_TEXT_H
#define PLUMB_TESTS_HISTORY_TEXT_H

#include <ctype.h>
#include <plumb/history.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline struct plumb_value text_value(struct plumb_builder *b,
                                            const char *at, size_t length)
{
    if (isdigit((unsigned char)at[0]) || at[0] == '-')
        return plumb_int(strtoll(at, NULL, 10));
    if (length == 3 && memcmp(at, "nil", 3) == 0)
        return plumb_nil();
    if (length == 2 && at[0] == '#')
        return plumb_bool(at[1] == 't');
    return plumb_str(plumb_builder_symbol(b, at, length));
}

/* The values in "(1,a)"; returns what is behind the parenthesis. */
static inline const char *text_values(struct plumb_builder *b, const char *at,
                                      struct plumb_value *v, size_t *count)
{
    *count = 0;
    for (at++; *at != ')';) {
        const size_t length = strcspn(at, ",)");
        v[(*count)++] = text_value(b, at, length);
        at += length;
        at += *at == ',';
    }
    return at + 1;
}

/* False: the builder refused, and `err` says why. */
static inline bool history_of(const char *text, struct plumb_budget *budget,
                              struct plumb_history *h, struct plumb_error *err)
{
    struct plumb_builder *const b = plumb_builder_new(budget);
    struct plumb_value v[8];
    enum plumb_status status = b ? PLUMB_OK : PLUMB_EMEMORY;
    const char *at = text;
    while (status == PLUMB_OK && *at) {
        const struct plumb_origin origin = { 1, (uint32_t)(at - text) + 1 };
        const size_t tlen = strcspn(at, " :");
        const uint32_t thread = plumb_builder_symbol(b, at, tlen);
        const uint32_t object = plumb_builder_symbol(b, "x", 1);
        const bool call = at[tlen] == ' ';
        enum plumb_outcome outcome = PLUMB_OUTCOME_OK;
        uint32_t name = 0;
        size_t n = 0;
        at += tlen + 1;
        if (!call && (*at == '!' || *at == '?')) {
            outcome = *at++ == '!' ? PLUMB_OUTCOME_FAIL : PLUMB_OUTCOME_INFO;
        } else {
            const size_t nlen = strcspn(at, "(");
            name = plumb_builder_symbol(b, at, nlen);
            at = text_values(b, at + nlen, v, &n);
        }
        status = call ? plumb_builder_call(b, thread, object, name, v, n,
                                           &origin, err)
                      : plumb_builder_respond(b, thread, object, outcome, name,
                                              v, n, &origin, err);
        at += *at == ' ';
    }
    if (status == PLUMB_OK)
        status = plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, h, err);
    plumb_builder_free(b);
    return status == PLUMB_OK;
}

#endif
