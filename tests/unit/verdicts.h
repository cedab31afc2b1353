/* verdicts.h - writing histories and asserting verdicts in tests.
 *
 * A history is native text; a check of it is one call. */
#ifndef TESTS_UNIT_VERDICTS_H
#define TESTS_UNIT_VERDICTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <plumb/plumb.h>
#include <string.h>

static inline struct plumb_history read_history(const char *text)
{
    struct plumb_reader *reader;
    struct plumb_history h;
    struct plumb_error err;
    assert_int_equal(plumb_reader_open(&reader, text, strlen(text),
                                       PLUMB_FORMAT_NATIVE,
                                       PLUMB_TIES_OF_FORMAT, NULL, &err),
                     PLUMB_OK);
    if (plumb_reader_next(reader, &h, &err) != PLUMB_OK)
        fail_msg("line %u: %s", (unsigned)err.line, err.message);
    plumb_reader_close(reader);
    return h;
}

static inline struct plumb_spec *parse_spec(const char *text)
{
    struct plumb_spec *spec;
    struct plumb_error err;
    if (plumb_spec_parse(text, &spec, &err) != PLUMB_OK)
        fail_msg("%s: %s", text, err.message);
    return spec;
}

/* Check `text` against `spec_text`; the caller releases the answer. */
static inline struct plumb_answer check_text(
    const char *spec_text, const char *text,
    const struct plumb_check_options *options)
{
    struct plumb_history h = read_history(text);
    struct plumb_spec *const spec = parse_spec(spec_text);
    struct plumb_answer answer;
    struct plumb_error err;
    if (plumb_check(&h, spec, options, &answer, &err) != PLUMB_OK)
        fail_msg("%s", err.message);
    plumb_spec_free(spec);
    plumb_history_release(&h);
    return answer;
}

/* The verdict, the same for every algorithm and way to split. */
static inline enum plumb_verdict verdict_of(const char *spec, const char *text)
{
    const struct plumb_check_options options[] = {
        { .algorithm = PLUMB_ALGORITHM_SEARCH },
        { .algorithm = PLUMB_ALGORITHM_SEARCH, .whole = true },
        { .algorithm = PLUMB_ALGORITHM_SEARCH, .jobs = 3, .no_core = true },
        { .algorithm = PLUMB_ALGORITHM_WING_GONG },
    };
    enum plumb_verdict verdict = PLUMB_UNDECIDED;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct plumb_answer a = check_text(spec, text, options + i);
        if (i > 0)
            assert_int_equal(a.verdict, verdict);
        verdict = a.verdict;
        plumb_answer_release(&a);
    }
    return verdict;
}

#define assert_linearizable(spec, text)                                        \
    assert_int_equal(verdict_of(spec, text), PLUMB_LINEARIZABLE)
#define assert_violation(spec, text)                                           \
    assert_int_equal(verdict_of(spec, text), PLUMB_NOT_LINEARIZABLE)

#endif
