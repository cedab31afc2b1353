/* options.h - reading a command's options with popt.
 *
 * A command has a table of popt options; each entry has a code, and the
 * command's `take` is called with the code and the option's argument.  What
 * take() is given stays valid until console_release_options(). */
#ifndef PLUMB_APP_CONSOLE_OPTIONS_H
#define PLUMB_APP_CONSOLE_OPTIONS_H

#include <popt.h>
#include <stdbool.h>
#include <stddef.h>

#define OPTION_HELP 1 /* codes of commands begin above */

/* The last lines of every table. */
#define OPTIONS_END                                                            \
    { "help", 'h', POPT_ARG_NONE, NULL, OPTION_HELP, "show this help", NULL }, \
        POPT_TABLEEND

struct console_options {
    const char *command; /* "plumb check" */
    const struct poptOption *table;
    poptContext context;
    char **kept;
    size_t kept_count;
    const char **args; /* what is not an option */
    size_t nargs;
    bool help; /* asked for: print it, do nothing else */
};

/* False after saying what is wrong and where help is.  take() says what is
 * wrong by console_option_fails(). */
bool console_read_options(struct console_options *o, int argc,
                          const char **argv,
                          bool (*take)(struct console_options *o,
                                       void *settings, int code,
                                       const char *value),
                          void *settings);
void console_release_options(struct console_options *o);

/* Says "COMMAND: --NAME VALUE: message"; always false. */
bool console_option_fails(const struct console_options *o, int code,
                          const char *value, const char *message);

/* Says "COMMAND: message" and where help is; always false. */
bool console_usage_fails(const struct console_options *o, const char *format,
                         ...) __attribute__((format(printf, 2, 3)));

/* Which of `words` (NULL at the end) is `value`?  Its index, or -1 after
 * saying what there is. */
int console_option_word(const struct console_options *o, int code,
                        const char *value, const char *const *words);

/* A whole number from `least` to `most`, or false after saying so. */
bool console_option_number(const struct console_options *o, int code,
                           const char *value, unsigned long least,
                           unsigned long most, unsigned long *number);

bool console_option_unsigned(const struct console_options *o, int code,
                             const char *value, unsigned least, unsigned most,
                             unsigned *number);

/* Threads or processes, up to MAX_JOBS; 0 is one per processor. */
enum { MAX_JOBS = 256 };
bool console_option_jobs(const struct console_options *o, int code,
                         const char *value, unsigned *jobs);

/* "Usage: COMMAND ARGUMENTS" and the table, to stdout. */
void console_print_options(const char *command, const char *arguments,
                           const struct poptOption *table);

#endif
