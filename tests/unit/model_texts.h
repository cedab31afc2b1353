/* model_texts.h - models from text, for tests of what is read. */
#ifndef PLUMB_TESTS_MODEL_TEXTS_H
#define PLUMB_TESTS_MODEL_TEXTS_H

#include "csp/language/model.h"
#include "model_text.h"

#include <string.h>

static inline struct plumb_csp_reading reading_of(const char *text)
{
    return (struct plumb_csp_reading){ .name = "m.csp",
                                       .text = text,
                                       .size = strlen(text) };
}

static inline struct plumb_csp_model *model_of(
    const struct plumb_csp_reading *reading)
{
    struct plumb_csp_model *model = NULL;
    struct plumb_error err = { .status = PLUMB_OK };
    if (plumb_csp_model_read(reading, &model, &err) != PLUMB_OK)
        fail_msg("%d:%d: %s in\n%s", (int)err.line, (int)err.column,
                 err.message, reading->text);
    return model;
}

/* The text of what was read, which must be read as the same again. */
static inline void check_text(const struct plumb_csp_model *model,
                              const char *wanted)
{
    struct plumb_base_text text, again;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_init(&again, NULL);
    plumb_csp_model_text(model, &text);
    if (wanted)
        assert_string_equal(plumb_base_text_string(&text), wanted);
    const struct plumb_csp_reading r =
        reading_of(plumb_base_text_string(&text));
    struct plumb_csp_model *const back = model_of(&r);
    plumb_csp_model_text(back, &again);
    assert_string_equal(plumb_base_text_string(&again),
                        plumb_base_text_string(&text));
    plumb_csp_model_free(back);
    plumb_base_text_release(&again);
    plumb_base_text_release(&text);
}

static inline void reads_as(const char *source, const char *wanted)
{
    const struct plumb_csp_reading r = reading_of(source);
    struct plumb_csp_model *const model = model_of(&r);
    check_text(model, wanted);
    plumb_csp_model_free(model);
}

static inline void fails_with(const struct plumb_csp_reading *reading, int line,
                              int column, const char *message)
{
    struct plumb_csp_model *model = NULL;
    struct plumb_error err = { .status = PLUMB_OK };
    const enum plumb_status status =
        plumb_csp_model_read(reading, &model, &err);
    if (status == PLUMB_OK)
        fail_msg("no error in\n%s", reading->text);
    assert_null(model);
    assert_int_equal(status, PLUMB_EINPUT);
    assert_int_equal(err.status, PLUMB_EINPUT);
    if (strcmp(err.message, message) != 0 || (int)err.line != line ||
        (int)err.column != column)
        fail_msg("%d:%d: %s\nnot %d:%d: %s\nin %s", (int)err.line,
                 (int)err.column, err.message, line, column, message,
                 reading->text);
}

static inline void fails(const char *source, int line, int column,
                         const char *message)
{
    const struct plumb_csp_reading r = reading_of(source);
    fails_with(&r, line, column, message);
}

#endif
