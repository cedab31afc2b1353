/* options.c - reading a command's options with popt. */
#include "options.h"

#include "quantity.h"
#include "say.h"
#include "suggest.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct poptOption *by_code(const struct console_options *o,
                                        int code)
{
    const struct poptOption *t = o->table;
    while (t->val != code)
        t++;
    return t;
}

bool console_option_fails(const struct console_options *o, int code,
                          const char *value, const char *message)
{
    console_say("%s: --%s %s: %s", o->command, by_code(o, code)->longName,
                value, message);
    return false;
}

bool console_usage_fails(const struct console_options *o, const char *format,
                         ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    console_say("%s: %s (see `%s --help`)", o->command, message, o->command);
    return false;
}

int console_option_word(const struct console_options *o, int code,
                        const char *value, const char *const *words)
{
    char message[256] = "must be one of";
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], value) == 0)
            return i;
        const size_t used = strlen(message);
        snprintf(message + used, sizeof message - used, "%s %s", i ? "," : "",
                 words[i]);
    }
    console_option_fails(o, code, value, message);
    return -1;
}

bool console_option_number(const struct console_options *o, int code,
                           const char *value, unsigned long least,
                           unsigned long most, unsigned long *number)
{
    char message[96];
    uint64_t n;
    if (console_read_count(value, &n) && n >= least && n <= most) {
        *number = (unsigned long)n;
        return true;
    }
    snprintf(message, sizeof message, "must be a whole number from %lu to %lu",
             least, most);
    return console_option_fails(o, code, value, message);
}

bool console_option_unsigned(const struct console_options *o, int code,
                             const char *value, unsigned least, unsigned most,
                             unsigned *number)
{
    unsigned long n;
    if (!console_option_number(o, code, value, least, most, &n))
        return false;
    *number = (unsigned)n;
    return true;
}

bool console_option_jobs(const struct console_options *o, int code,
                         const char *value, unsigned *jobs)
{
    unsigned long n;
    if (!console_option_number(o, code, value, 0, MAX_JOBS, &n))
        return false;
    const long processors = n ? (long)n : sysconf(_SC_NPROCESSORS_ONLN);
    *jobs = processors < 1          ? 1
            : processors > MAX_JOBS ? MAX_JOBS
                                    : (unsigned)processors;
    return true;
}

/* The name in `table` that is closest to what the user wrote. */
static const char *nearest_option(const struct poptOption *table,
                                  const char *given)
{
    struct console_suggestion s;
    console_suggestion_begin(&s, given + strspn(given, "-"));
    for (const struct poptOption *t = table; t->longName; t++)
        console_suggestion_offer(&s, t->longName);
    return console_suggestion_end(&s);
}

static bool fails_on(const struct console_options *o, int code)
{
    const char *const given = poptBadOption(o->context, POPT_BADOPTION_NOALIAS);
    const char *const near =
        code == POPT_ERROR_BADOPT ? nearest_option(o->table, given) : NULL;
    if (near)
        return console_usage_fails(o, "%s: unknown option; did you mean --%s?",
                                   given, near);
    return console_usage_fails(o, "%s: %s", given, poptStrerror(code));
}

/* Take over popt's copy of an argument, until the end. */
static const char *keep(struct console_options *o, char *text)
{
    char **const more =
        text ? realloc(o->kept, (o->kept_count + 1) * sizeof *more) : NULL;
    if (!more) {
        free(text);
        return "";
    }
    o->kept = more;
    o->kept[o->kept_count++] = text;
    return text;
}

bool console_read_options(struct console_options *o, int argc,
                          const char **argv,
                          bool (*take)(struct console_options *o,
                                       void *settings, int code,
                                       const char *value),
                          void *settings)
{
    int code;
    o->context = poptGetContext(o->command, argc, argv, o->table, 0);
    if (!o->context) {
        console_say("%s: out of memory", o->command);
        return false;
    }
    while ((code = poptGetNextOpt(o->context)) > 0) {
        if (code == OPTION_HELP)
            o->help = true;
        else if (!take(o, settings, code, keep(o, poptGetOptArg(o->context))))
            return false;
    }
    if (code < -1)
        return fails_on(o, code);
    o->args = poptGetArgs(o->context);
    while (o->args && o->args[o->nargs])
        o->nargs++;
    return true;
}

void console_release_options(struct console_options *o)
{
    for (size_t i = 0; i < o->kept_count; i++)
        free(o->kept[i]);
    free(o->kept);
    if (o->context)
        poptFreeContext(o->context);
}

void console_print_options(const char *command, const char *arguments,
                           const struct poptOption *table)
{
    const char *argv[] = { command, NULL };
    poptContext context = poptGetContext(command, 1, argv, table, 0);
    if (!context)
        return;
    poptSetOtherOptionHelp(context, arguments);
    poptPrintHelp(context, stdout, 0);
    poptFreeContext(context);
}
