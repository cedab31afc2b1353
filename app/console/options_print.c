/* options_print.c - help and manual, printed from the rows of a command. */
#include "options.h"
#include "paragraph.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1024, WIDEST = 30 };

void console_join_words(const char *const *words, const char *usual,
                        char text[], size_t size)
{
    size_t used = 0;
    for (size_t i = 0; words[i] && used < size; i++)
        used += (size_t)snprintf(
            text + used, size - used, "%s%s%s",
            i == 0         ? ""
            : words[i + 1] ? ", "
                           : " or ",
            words[i],
            usual && strcmp(usual, words[i]) == 0 ? " (default)" : "");
}

static bool is_word(const struct console_option *row)
{
    return row->to.kind == OPTION_WORD || row->to.kind == OPTION_FORMAT ||
           row->to.kind == OPTION_COLOR;
}

void console_describe_option(const struct console_option *row, char text[],
                             size_t size)
{
    const size_t used = (size_t)snprintf(text, size, "%s%s", row->help,
                                         is_word(row) ? ": " : "");
    if (is_word(row))
        console_join_words(row->to.words, row->usual, text + used, size - used);
}

/* "(default 3)", unless it is marked among the words; or "". */
static void describe_default(const struct console_option *row, char text[TEXT])
{
    text[0] = '\0';
    if (row->usual && !is_word(row))
        snprintf(text, TEXT, "(default %s)", row->usual);
}

/* ---- help ---- */

/* "-s, --spec NAME"; also "--gdb[=STEP]". */
static void label(const struct console_option *row, char text[TEXT])
{
    const char *const argument = row->argument;
    char letter[] = { '-', row->letter, ',', ' ', '\0' };
    snprintf(text, TEXT, "%s--%s%s%s", row->letter ? letter : "    ", row->name,
             !argument            ? ""
             : argument[0] == '[' ? "[="
                                  : " ",
             !argument ? "" : argument + (argument[0] == '['));
}

/* Lines that begin with a blank stay as they are. */
static void print_about(const char *text)
{
    for (; *text; text += *text == '\n') {
        struct console_paragraph p = { .indent = 0 };
        char line[TEXT];
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (*text != ' ')
            console_paragraph_text(&p, line);
        puts(*text == ' ' ? line : "");
        text += length;
    }
}

static void print_row(const struct console_option *row, size_t indent)
{
    struct console_paragraph p = { .indent = indent };
    char text[TEXT];
    label(row, text);
    p.column = (size_t)printf("  %-*s", (int)indent - 2, text);
    if (p.column > indent) {
        putchar('\n');
        p.column = 0;
    }
    console_describe_option(row, text, sizeof text);
    console_paragraph_text(&p, text);
    describe_default(row, text);
    if (text[0])
        console_paragraph_word(&p, text);
    console_paragraph_end(&p);
}

static size_t widest_label(const struct console_option *row)
{
    char text[TEXT];
    size_t widest = 0;
    for (; row->name; row++) {
        label(row, text);
        const size_t width = strlen(text) + 4;
        if (width > widest && width <= WIDEST)
            widest = width;
    }
    return widest;
}

static void print_rows(const struct console_option *row)
{
    const size_t indent = widest_label(row);
    printf("\n%s:\n", row->group ? row->group : "Options");
    for (const struct console_option *r = row; r->name; r++) {
        if (r->group && r != row)
            printf("\n%s:\n", r->group);
        print_row(r, indent);
    }
}

enum console_status console_print_help(const struct console_command *c)
{
    printf("Usage: plumb %s %s\n\n", c->name, c->arguments);
    print_about(c->about);
    if (c->options)
        print_rows(c->options);
    printf("\nExamples:\n%s\nExit status:\n%s", c->examples, c->status);
    return STATUS_HOLDS;
}

/* ---- the manual, in the language of scdoc ---- */

static bool is_among(const char *const *words, const char *text, size_t length)
{
    for (; words && *words; words++)
        if (strlen(*words) == length && strncmp(*words, text, length) == 0)
            return true;
    return false;
}

/* '*' for words that are to be typed, '_' for the name of the argument. */
static char emphasis(const struct console_option *row, const char *word,
                     size_t length)
{
    const bool is_option =
        word[0] == '-' && length > 1 &&
        (isalpha((unsigned char)word[1]) ? length == 2 : length > 2);
    if (is_option || is_among(row->to.words, word, length))
        return '*';
    return row->argument && is_among(WORDS(row->argument), word, length) ? '_'
                                                                         : 0;
}

static void print_emphasised(char mark, const char *text, size_t length)
{
    if (mark)
        putchar(mark);
    for (size_t i = 0; i < length; i++) {
        if (strchr("\\*_", text[i]))
            putchar('\\');
        putchar(text[i]);
    }
    if (mark)
        putchar(mark);
}

/* What is between backquotes is to be typed as a whole. */
static void print_manual_text(const struct console_option *row,
                              const char *text)
{
    static const char ends[] = " ()`,;:";
    while (*text) {
        const bool quoted = *text == '`';
        size_t length = quoted ? strcspn(text + 1, "`") : strcspn(text, ends);
        while (length > 1 && text[length - 1] == '.')
            length--;
        if (quoted) {
            print_emphasised('*', text + 1, length);
            length += 2;
        } else if (length > 0) {
            print_emphasised(emphasis(row, text, length), text, length);
        } else {
            length = 1;
            putchar(*text);
        }
        text += length;
    }
}

static void print_range(const struct console_place *p)
{
    const bool number = p->kind == OPTION_UNSIGNED || p->kind == OPTION_COUNT ||
                        p->kind == OPTION_JOBS;
    if (number && p->most < UINT32_MAX)
        printf("  The range is %" PRIu64 " to %" PRIu64 ".", p->least, p->most);
}

static void print_manual_row(const struct console_option *row)
{
    char text[TEXT];
    if (row->group)
        printf("## %s\n\n", row->group);
    if (row->letter)
        printf("*-%c*, ", row->letter);
    printf("*--%s*", row->name);
    if (row->argument && row->argument[0] == '[')
        printf("[=_%.*s_]", (int)strcspn(row->argument + 1, "]"),
               row->argument + 1);
    else if (row->argument)
        printf(" _%s_", row->argument);
    fputs("\n\t", stdout);
    console_describe_option(row, text, sizeof text);
    text[0] = (char)toupper((unsigned char)text[0]);
    print_manual_text(row, text);
    describe_default(row, text);
    printf(text[0] ? " %s." : ".", text);
    if (row->more) {
        fputs("  ", stdout);
        print_manual_text(row, row->more);
    }
    print_range(&row->to);
    fputs("\n\n", stdout);
}

void console_print_manual(const struct console_command *c)
{
    for (const struct console_option *r = c->options; r->name; r++)
        print_manual_row(r);
}
