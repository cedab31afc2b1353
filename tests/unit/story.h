/* story.h - histories for tests, told in one line.
 *
 *     "A enq 1; B deq; A ok; B ok 1; C @y inc; C @y !info"
 *     "A enq(1) B deq() A ok() B ok(1); C @y inc() C @y !info"
 *
 * The first word of an event is the thread.  If it has no open call, the event
 * is one: a name and arguments; else a response: a term and results, or !fail
 * or !info.  "@y" in front of a name or term says which object, else it is x.
 * Values in parentheses end with the parenthesis, others with ';' or the story.
 * They are integers, true, false, nil; words and 'any bytes' are strings.
 *
 * Events are at the line of their number, from 1, and at their column in the
 * story. */
#ifndef PLUMB_TESTS_STORY_H
#define PLUMB_TESTS_STORY_H

#include <plumb/plumb.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the headers it depends on */
#include <cmocka.h>

enum { STORY_WORDS = 12 };

struct story_event {
    const char *word[STORY_WORDS];
    size_t length[STORY_WORDS];
    size_t words;
};

static inline uint32_t story_symbol(struct plumb_builder *b, const char *text,
                                    size_t length)
{
    const uint32_t symbol = plumb_builder_symbol(b, text, length);
    assert_int_not_equal(symbol, UINT32_MAX);
    return symbol;
}

static inline bool story_is(const struct story_event *e, size_t i,
                            const char *word)
{
    return i < e->words && e->length[i] == strlen(word) &&
           memcmp(e->word[i], word, e->length[i]) == 0;
}

static inline struct plumb_value story_value(struct plumb_builder *b,
                                             const struct story_event *e,
                                             size_t i)
{
    const char *const w = e->word[i];
    const size_t digits = w[0] == '-' ? 1 : 0;
    if (w[digits] >= '0' && w[digits] <= '9')
        return plumb_int(strtoll(w, NULL, 10));
    if (story_is(e, i, "true") || story_is(e, i, "false"))
        return plumb_bool(w[0] == 't');
    if (story_is(e, i, "nil"))
        return plumb_nil();
    if (w[0] == '\'')
        return plumb_str(story_symbol(b, w + 1, e->length[i] - 2));
    return plumb_str(story_symbol(b, w, e->length[i]));
}

static inline const char *story_word(const char *at, const char *ends,
                                     struct story_event *e)
{
    assert_true(e->words < STORY_WORDS);
    e->word[e->words] = at;
    e->length[e->words] =
        *at == '\'' ? strcspn(at + 1, "'") + 2 : strcspn(at, ends);
    return at + e->length[e->words++];
}

/* The values in parentheses, from behind the first one to behind the last. */
static inline const char *story_values(const char *at, struct story_event *e)
{
    while (*at && *at != ')') {
        at = story_word(at, ",)", e);
        at += *at == ',';
    }
    return *at ? at + 1 : at;
}

/* The next event; returns what is behind it. */
static inline const char *story_split(const char *at, struct story_event *e)
{
    e->words = 0;
    while (*at && *at != ';') {
        at = story_word(at, " ;(", e);
        if (*at == '(')
            return story_values(at + 1, e);
        at += strspn(at, " ");
    }
    return at;
}

static inline void story_tell(struct plumb_builder *b,
                              const struct story_event *e,
                              const struct plumb_origin *origin)
{
    struct plumb_value v[STORY_WORDS];
    struct plumb_error err;
    size_t at = 1, count = 0;
    const uint32_t thread = story_symbol(b, e->word[0], e->length[0]);
    const struct plumb_op *const open =
        plumb_builder_open_call(b, thread, NULL);
    uint32_t object = story_symbol(b, "x", 1);
    assert_true(e->words >= 2);
    if (e->word[at][0] == '@') {
        object = story_symbol(b, e->word[at] + 1, e->length[at] - 1);
        at++;
    }
    const uint32_t name = story_symbol(b, e->word[at], e->length[at]);
    for (size_t i = at + 1; i < e->words; i++)
        v[count++] = story_value(b, e, i);
    if (!open) {
        assert_int_equal(
            plumb_builder_call(b, thread, object, name, v, count, origin, &err),
            PLUMB_OK);
        return;
    }
    const bool fails = story_is(e, at, "!fail"),
               info = story_is(e, at, "!info");
    assert_int_equal(plumb_builder_respond(b, thread, object,
                                           fails  ? PLUMB_OUTCOME_FAIL
                                           : info ? PLUMB_OUTCOME_INFO
                                                  : PLUMB_OUTCOME_OK,
                                           fails || info ? 0 : name, v, count,
                                           origin, &err),
                     PLUMB_OK);
}

static inline struct plumb_history story(const char *text)
{
    struct plumb_history h;
    struct plumb_error err;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_origin origin = { 1, 1 };
    const char *at = text + strspn(text, " ;");
    assert_non_null(b);
    for (; *at; origin.line++) {
        struct story_event e;
        origin.column = (uint32_t)(at - text) + 1;
        at = story_split(at, &e);
        story_tell(b, &e, &origin);
        at += strspn(at, " ;");
    }
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     PLUMB_OK);
    plumb_builder_free(b);
    return h;
}

/* A sequential history of one thread, without its name: "enq 1; ok". */
static inline struct plumb_history story_of_one(const char *text)
{
    char line[1000];
    size_t size = 0;
    while (*text) {
        const size_t length = strcspn(text, ";");
        assert_true(size + length + 5 < sizeof line);
        memcpy(line + size, "A ", 2);
        memcpy(line + size + 2, text, length);
        size += length + 2;
        line[size++] = ';';
        text += length + (text[length] == ';');
        text += strspn(text, " ");
    }
    line[size] = '\0';
    return story(line);
}

#endif
