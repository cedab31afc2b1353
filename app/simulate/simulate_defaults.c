/* simulate_defaults.c - the conditions of -d: .init, then the paper's own.
 *
 * A line of .init is a word and a value; # begins a comment:
 *
 *     processes 4
 *     operations 10
 *     seconds 10        # -1: without end; or `histories 1000`
 *     input tests.hist
 *     output out.hist                                                    */
#include "app/console/quantity.h"
#include "app/console/say.h"
#include "record/log.h"
#include "simulate_settings.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char file_name[] = ".init";

enum { LINE = 1024 };

static bool number_is_between(const char *text, uint64_t most, unsigned *n)
{
    uint64_t number;
    if (!console_read_count(text, &number) || number < 1 || number > most)
        return false;
    if (*n == 0)
        *n = (unsigned)number;
    return true;
}

static bool take_span(struct simulate_settings *s, bool seconds,
                      const char *value)
{
    uint64_t milliseconds = 0, histories = 0;
    const bool forever = console_means_no_end(value);
    if (!forever &&
        !(seconds ? console_read_duration(value, &milliseconds)
                  : console_read_count(value, &histories) && histories))
        return false;
    if (s->span != SPAN_UNKNOWN)
        return true;
    s->span = forever ? SPAN_FOREVER : seconds ? SPAN_TIME : SPAN_HISTORIES;
    s->milliseconds = milliseconds;
    s->histories = histories;
    return true;
}

/* Kept for as long as the program runs. */
static char input_name[LINE], output_name[LINE];

static void take_name(const char **name, char room[LINE], const char *value)
{
    if (*name)
        return;
    snprintf(room, LINE, "%s", value);
    *name = room;
}

/* Who names an object wants it to run, whatever .init says. */
static void take_input(struct simulate_settings *s, const char *value)
{
    if (!s->object)
        take_name(&s->input, input_name, value);
}

/* What is wrong with the line, or NULL. */
static const char *take_line(struct simulate_settings *s, const char *word,
                             const char *value)
{
    if (!value[0])
        return "a value is missing";
    if (!strcmp(word, "processes"))
        return number_is_between(value, PLUMB_MAX_PROCESSES, &s->processes)
                   ? NULL
                   : "processes: must be a number from 1 to 64";
    if (!strcmp(word, "operations"))
        return number_is_between(value, MOST_OPERATIONS, &s->operations)
                   ? NULL
                   : "operations: must be a number from 1 to 100000";
    if (!strcmp(word, "seconds"))
        return take_span(s, true, value)
                   ? NULL
                   : "seconds: must be a time, or -1 for no limit";
    if (!strcmp(word, "histories"))
        return take_span(s, false, value)
                   ? NULL
                   : "histories: must be a number, or -1 for no limit";
    if (!strcmp(word, "input"))
        take_input(s, value);
    else if (!strcmp(word, "output"))
        take_name(&s->output, output_name, value);
    else
        return "unknown word; expected processes, operations, seconds, "
               "histories, input or output";
    return NULL;
}

/* Cut a line into its two words; false for one without any. */
static bool cut_line(char *line, char **word, char **value)
{
    static const char blank[] = " \t\r\n";
    line[strcspn(line, "#")] = '\0';
    *word = line + strspn(line, blank);
    *value = *word + strcspn(*word, blank);
    if (**value)
        *(*value)++ = '\0';
    *value += strspn(*value, blank);
    size_t end = strlen(*value);
    while (end > 0 && strchr(blank, (*value)[end - 1]))
        (*value)[--end] = '\0';
    return **word != '\0';
}

static bool cannot_read(void)
{
    return console_fails("%s: cannot read it: %s", file_name, console_reason());
}

static bool read_lines(struct simulate_settings *s, FILE *file)
{
    char line[LINE], *word, *value;
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        const bool whole = strlen(line) < sizeof line - 1;
        if (!cut_line(line, &word, &value) && whole)
            continue;
        const char *const wrong =
            whole ? take_line(s, word, value) : "the line is too long";
        if (wrong)
            return console_fails("%s:%u:%u: %s", file_name, number,
                                 (unsigned)(word - line) + 1, wrong);
    }
    return !ferror(file) || cannot_read();
}

bool simulate_read_defaults(struct simulate_settings *s)
{
    FILE *const file = fopen(file_name, "r");
    if (!file && errno != ENOENT)
        return cannot_read();
    const bool good = !file || read_lines(s, file);
    if (file)
        fclose(file);
    if (!s->processes)
        s->processes = DEFAULT_PROCESSES;
    if (!s->operations)
        s->operations = DEFAULT_OPERATIONS;
    if (s->span == SPAN_UNKNOWN) {
        s->span = SPAN_TIME;
        s->milliseconds = 1000 * DEFAULT_SECONDS;
    }
    return good;
}
