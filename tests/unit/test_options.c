/* The rows of options: what is read, told, documented and completed is one. */
#include "app/console/files.h"
#include "cli/cli.h"
#include "history/reader.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- what is printed ---- */

static struct {
    FILE *real, *memory;
    char *text;
    size_t size;
} output;

static void begin_output(void)
{
    free(output.text);
    output.text = NULL;
    fflush(stdout);
    output.real = stdout;
    output.memory = open_memstream(&output.text, &output.size);
    assert_non_null(output.memory);
    stdout = output.memory;
}

static const char *end_output(void)
{
    stdout = output.real;
    assert_int_equal(fclose(output.memory), 0);
    return output.text;
}

static const char *help_of(const struct console_command *c)
{
    const char *argv[] = { c->name, "--help", NULL };
    begin_output();
    if (c->options)
        assert_int_equal(console_run(c, 2, argv), STATUS_HOLDS);
    else
        console_print_help(c);
    return end_output();
}

static const char *manual_of(const struct console_command *c)
{
    begin_output();
    console_print_manual(c);
    return end_output();
}

static const char *completions(const struct console_command *c,
                               const char *word)
{
    const char *argv[] = { c->name, word, NULL };
    begin_output();
    cli_complete(2, argv);
    return end_output();
}

/* Does the text have "NAME" with neither a letter nor a dash behind it? */
static bool names(const char *text, const char *name)
{
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char next = at[strlen(name)];
        if (next != '-' && !isalpha((unsigned char)next))
            return true;
    }
    return false;
}

/* ---- every row of every command ---- */

#define FOR_COMMANDS(c)                                                        \
    for (const struct console_command *const *c = cli_commands; *c; c++)
#define FOR_ROWS(c, r)                                                         \
    for (const struct console_option *r = (c)->options; r && r->name; r++)

static void every_row_is_in_the_help(void **state)
{
    (void)state;
    FOR_COMMANDS(c)
    {
        const char *const help = help_of(*c);
        FOR_ROWS(*c, r)
        {
            char name[64];
            snprintf(name, sizeof name, " --%s", r->name);
            assert_true(names(help, name));
        }
    }
}

static void help_fits_80_columns(void **state)
{
    (void)state;
    FOR_COMMANDS(c)
    {
        const char *line = help_of(*c);
        for (; *line; line += strcspn(line, "\n") + 1)
            assert_in_range(strcspn(line, "\n"), 0, 80);
    }
}

static void every_row_is_in_the_manual(void **state)
{
    (void)state;
    FOR_COMMANDS(c)
    {
        if (!(*c)->options)
            continue;
        const char *const manual = manual_of(*c);
        FOR_ROWS(*c, r)
        {
            char name[64];
            snprintf(name, sizeof name, "*--%s*", r->name);
            assert_non_null(strstr(manual, name));
        }
    }
}

static void every_row_is_completed(void **state)
{
    (void)state;
    FOR_COMMANDS(c)
    FOR_ROWS(*c, r)
    {
        char word[64], line[128];
        snprintf(word, sizeof word, "--%s", r->name);
        snprintf(line, sizeof line, "%s\t", word);
        assert_non_null(strstr(completions(*c, word), line));
    }
}

static void every_word_is_completed(void **state)
{
    (void)state;
    FOR_COMMANDS(c)
    FOR_ROWS(*c, r)
    for (const char *const *w = r->to.words; w && *w; w++) {
        char word[64], line[128];
        snprintf(word, sizeof word, "--%s=%s", r->name, *w);
        snprintf(line, sizeof line, "%s\t", word);
        assert_non_null(strstr(completions(*c, word), line));
    }
}

/* A sentence without its capital and its full stop; sentences with them. */
static void texts_are_sentences(void **state)
{
    (void)state;
    FOR_COMMANDS(c)
    FOR_ROWS(*c, r)
    {
        assert_non_null(r->help);
        assert_false(isupper((unsigned char)r->help[0]));
        assert_int_not_equal(r->help[strlen(r->help) - 1], '.');
        if (r->more)
            assert_int_equal(r->more[strlen(r->more) - 1], '.');
    }
}

static bool has_a_place(const struct console_option *r)
{
    return r->to.kind != OPTION_OWN && strcmp(r->name, "help") != 0;
}

static void no_two_rows_are_the_same(void **state)
{
    (void)state;
    FOR_COMMANDS(c)
    FOR_ROWS(*c, r)
    {
        assert_in_range(r - (*c)->options, 0, 63); /* bits of `given` */
        for (const struct console_option *s = (*c)->options; s != r; s++) {
            assert_string_not_equal(r->name, s->name);
            assert_true(!r->letter || r->letter != s->letter);
            if (has_a_place(r) && has_a_place(s))
                assert_int_not_equal(r->to.at, s->to.at);
        }
    }
}

static void words_are_there_where_they_are_needed(void **state)
{
    (void)state;
    FOR_COMMANDS(c)
    FOR_ROWS(*c, r)
    {
        const enum console_option_kind kind = r->to.kind;
        const bool needs = kind == OPTION_WORD || kind == OPTION_FORMAT ||
                           kind == OPTION_COLOR;
        const bool flag = kind == OPTION_FLAG || kind == OPTION_QUIET;
        assert_true(!needs || r->to.words);
        assert_true(!flag || !r->argument);
        assert_true(flag || kind == OPTION_OWN || r->argument);
    }
}

/* ---- values ---- */

static struct taken {
    bool flag;
    unsigned small, word;
    uint64_t count;
    const char *text;
    const char *const *rest, *const *args;
    size_t nrest, nargs;
} taken;
#define SETTINGS struct taken

static const struct console_option test_rows[] = {
    { "flag", 'f', IN_FLAG(flag), .help = "flag" },
    { "small", 0, IN_UNSIGNED(small, 1, 9), "N", "3", .help = "small" },
    { "count", 0, IN_COUNT(count, 0, UINT64_MAX), "N", .help = "count" },
    { "word", 0, IN_WORD(word, 5, WORDS("five", "six")), "W", "six",
      .help = "word" },
    { "text", 't', IN_TEXT(text), "T", .help = "text" },
    { "", 0, IN_REST(rest, nrest), "WORD...", .help = "rest" },
    { "args", 0, IN_REST(args, nargs), "WORD...", .help = "args" },
    OPTIONS_END
};

static size_t arguments;
static bool small_was_given;

static enum console_status take_all(const struct console_options *o,
                                    void *settings)
{
    taken = *(struct taken *)settings;
    arguments = o->nargs;
    small_was_given = console_given(o, "small");
    if (taken.text)
        assert_string_equal(taken.text, "x y");
    return STATUS_HOLDS;
}

static enum console_status run_with(const char **argv)
{
    const struct console_command c = { .name = "test",
                                       .options = test_rows,
                                       .settings = sizeof(SETTINGS),
                                       .run = take_all };
    int argc = 0;
    while (argv[argc])
        argc++;
    return console_run(&c, argc, argv);
}

static void defaults_are_read_like_values(void **state)
{
    const char *argv[] = { "test", NULL };
    (void)state;
    assert_int_equal(run_with(argv), STATUS_HOLDS);
    assert_false(taken.flag);
    assert_int_equal(taken.small, 3);
    assert_int_equal(taken.word, 6);
    assert_null(taken.text);
    assert_int_equal(arguments, 0);
    assert_false(small_was_given);
}

static void values_go_to_their_places(void **state)
{
    const char *argv[] = { "test",    "a",    "-f", "--small=7",
                           "--count", "0x10", "-t", "x y",
                           "--word",  "five", "b",  NULL };
    (void)state;
    assert_int_equal(run_with(argv), STATUS_HOLDS);
    assert_true(taken.flag);
    assert_int_equal(taken.small, 7);
    assert_true(small_was_given);
    assert_int_equal(taken.count, 16);
    assert_int_equal(taken.word, 5);
    assert_int_equal(arguments, 2);
}

static void lists_end_where_the_other_begins(void **state)
{
    const char *first[] = { "test", "a", "--", "1", "2", "--args", "--", NULL };
    const char *second[] = { "test", "--args", "1", "--", "--args", NULL };
    (void)state;
    assert_int_equal(run_with(first), STATUS_HOLDS);
    assert_int_equal(arguments, 1);
    assert_int_equal(taken.nrest, 2);
    assert_int_equal(taken.nargs, 1);
    assert_ptr_equal(taken.rest, first + 3);
    assert_int_equal(run_with(second), STATUS_HOLDS);
    assert_int_equal(taken.nargs, 1);
    assert_int_equal(taken.nrest, 1);
    assert_ptr_equal(taken.args, second + 2);
}

static void wrong_values_are_errors(void **state)
{
    const char *const wrong[] = { "--small=0",  "--small=10",   "--small=x",
                                  "--count=-1", "--word=seven", "--flag=1",
                                  "--nosuch",   "--text" };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *argv[] = { "test", wrong[i], NULL };
        assert_int_equal(run_with(argv), STATUS_ERROR);
    }
}

static void formats_are_those_that_there_are(void **state)
{
    size_t count = 0, written = 0;
    (void)state;
    for (; console_file_formats[count]; count++) {
        const char *const name = console_file_formats[count]->name;
        assert_string_equal(console_formats[count], name);
        if (console_file_formats[count]->write)
            assert_string_equal(console_written_formats[written++], name);
    }
    assert_null(console_formats[count]);
    assert_null(console_written_formats[written]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_in_the_help),
        cmocka_unit_test(help_fits_80_columns),
        cmocka_unit_test(every_row_is_in_the_manual),
        cmocka_unit_test(every_row_is_completed),
        cmocka_unit_test(every_word_is_completed),
        cmocka_unit_test(texts_are_sentences),
        cmocka_unit_test(no_two_rows_are_the_same),
        cmocka_unit_test(words_are_there_where_they_are_needed),
        cmocka_unit_test(defaults_are_read_like_values),
        cmocka_unit_test(values_go_to_their_places),
        cmocka_unit_test(lists_end_where_the_other_begins),
        cmocka_unit_test(wrong_values_are_errors),
        cmocka_unit_test(formats_are_those_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
