/* tell.h - short histories for tests, told as "A enq(1); A ok(); B deq(); ...".
 *
 * A thread that has an open call responds; otherwise it calls.  The terms
 * !fail and !info are the outcomes.  Values are integers, true, false, nil,
 * words, or 'any bytes'. */
#ifndef PLUMB_TEST_TELL_H
#define PLUMB_TEST_TELL_H

#include <ctype.h>
#include <plumb/history.h>
#include <stdlib.h>
#include <string.h>

static struct plumb_value told_value(struct plumb_builder *b, const char *text,
                                     size_t size)
{
    char word[64] = { 0 };
    memcpy(word, text, size < 63 ? size : 63);
    if (strcmp(word, "nil") == 0)
        return plumb_nil();
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        return plumb_bool(word[0] == 't');
    if (isdigit((unsigned char)word[0]) || word[0] == '-')
        return plumb_int(strtoll(word, NULL, 10));
    if (word[0] == '\'')
        return plumb_str(plumb_builder_symbol(b, text + 1, size - 2));
    return plumb_str(plumb_builder_symbol(b, text, size));
}

static size_t told_values(struct plumb_builder *b, const char *text,
                          struct plumb_value *v)
{
    size_t count = 0;
    while (*text && *text != ')') {
        const size_t size =
            *text == '\'' ? strcspn(text + 1, "'") + 2 : strcspn(text, ",)");
        v[count++] = told_value(b, text, size);
        text += size;
        text += *text == ',';
    }
    return count;
}

/* One event. */
static enum plumb_status tell_event(struct plumb_builder *b, const char *at,
                                    uint32_t line)
{
    struct plumb_error err;
    struct plumb_value v[8];
    const struct plumb_origin origin = { line, 1 };
    const size_t thread_size = strcspn(at, " ");
    const uint32_t thread = plumb_builder_symbol(b, at, thread_size);
    const char *word = at + thread_size + 1;
    const char *const dot = memchr(word, '.', strcspn(word, "("));
    const uint32_t object =
        dot ? plumb_builder_symbol(b, word, (size_t)(dot - word))
            : plumb_builder_symbol(b, "q", 1);
    word = dot ? dot + 1 : word;
    const size_t size = strcspn(word, "(");
    const size_t count = told_values(b, word + size + 1, v);
    const uint32_t name = plumb_builder_symbol(b, word, size);
    if (!plumb_builder_open_call(b, thread, NULL))
        return plumb_builder_call(b, thread, object, name, v, count, &origin,
                                  &err);
    const enum plumb_outcome outcome =
        strncmp(word, "!fail", 5) == 0   ? PLUMB_OUTCOME_FAIL
        : strncmp(word, "!info", 5) == 0 ? PLUMB_OUTCOME_INFO
                                         : PLUMB_OUTCOME_OK;
    return plumb_builder_respond(b, thread, object, outcome,
                                 outcome == PLUMB_OUTCOME_OK ? name : 0, v,
                                 count, &origin, &err);
}

static struct plumb_history tell(const char *story)
{
    struct plumb_history h;
    struct plumb_error err;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    for (uint32_t line = 1; *story; line++) {
        if (tell_event(b, story, line) != PLUMB_OK)
            abort();
        story += strcspn(story, ";");
        story += strspn(story, "; ");
    }
    if (plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err) != PLUMB_OK)
        abort();
    plumb_builder_free(b);
    return h;
}

#endif
