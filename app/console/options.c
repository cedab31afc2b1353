/* options.c - reading a command line by its rows, with popt. */
#include "options.h"

#include "config_file.h"
#include "quantity.h"
#include "say.h"
#include "suggest.h"
#include <assert.h>
#include <inttypes.h>
#include <plumb/format.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const console_colors[] = { "auto", "always", "never", NULL };

bool console_option_fails(const struct console_options *o,
                          const struct console_option *row, const char *value,
                          const char *message)
{
    return console_fails("plumb %s: --%s %s: %s", o->command->name, row->name,
                         *value ? value : "\"\"", message);
}

bool console_usage_fails(const struct console_options *o, const char *format,
                         ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return console_fails("plumb %s: %s (see `plumb %s --help`)",
                         o->command->name, message, o->command->name);
}

bool console_given(const struct console_options *o, const char *name)
{
    const struct console_option *const row = o->command->options;
    unsigned i = 0;
    while (row[i].name && strcmp(row[i].name, name) != 0)
        i++;
    return row[i].name && o->given >> i & 1;
}

/* ---- values ---- */

/* NO_COLOR before CLICOLOR_FORCE before the terminal. */
static bool terminal_has_color(void)
{
    const char *const term = getenv("TERM");
    const char *const no = getenv("NO_COLOR");
    const char *const force = getenv("CLICOLOR_FORCE");
    if (no && *no)
        return false;
    if (force && *force && strcmp(force, "0") != 0)
        return true;
    return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

static bool take_word(const struct console_options *o,
                      const struct console_option *row, const char *value,
                      unsigned *index)
{
    char list[192], message[224];
    assert(row->to.words);
    for (*index = 0; row->to.words[*index]; ++*index)
        if (strcmp(row->to.words[*index], value) == 0)
            return true;
    console_join_words(row->to.words, NULL, list, sizeof list);
    snprintf(message, sizeof message, "must be %s", list);
    return console_option_fails(o, row, value, message);
}

bool console_option_number(const struct console_options *o,
                           const struct console_option *row, const char *value,
                           uint64_t *number)
{
    const uint64_t least = row->to.least, most = row->to.most;
    char message[128];
    uint64_t n = 0;
    if (console_read_count(value, &n) && n >= least && n <= most) {
        *number = n;
        return true;
    }
    size_t used =
        (size_t)snprintf(message, sizeof message, "must be a whole number%s",
                         most == UINT64_MAX && least ? " above 0" : "");
    if (most != UINT64_MAX)
        used += (size_t)snprintf(message + used, sizeof message - used,
                                 " from %" PRIu64 " to %" PRIu64, least, most);
    if (row->to.words)
        snprintf(message + used, sizeof message - used, ", or %s",
                 row->to.words[0]);
    return console_option_fails(o, row, value, message);
}

static bool take_unsigned(const struct console_options *o,
                          const struct console_option *row, const char *value,
                          unsigned *to)
{
    uint64_t n = 0;
    if (!console_option_number(o, row, value, &n))
        return false;
    if (row->to.kind == OPTION_JOBS && n == 0) {
        const long processors = sysconf(_SC_NPROCESSORS_ONLN);
        n = processors < 1                   ? 1
            : processors > CONSOLE_MOST_JOBS ? CONSOLE_MOST_JOBS
                                             : (uint64_t)processors;
    }
    *to = (unsigned)n;
    return true;
}

static bool take(const struct console_options *o,
                 const struct console_option *row, const char *value)
{
    void *const to = (char *)o->settings + row->to.at;
    unsigned index;
    switch (row->to.kind) {
    case OPTION_QUIET:
        console_notes_off();
        return *(bool *)to = true;
    case OPTION_FLAG:
        return *(bool *)to = true;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_SPEC:
    case OPTION_OBJECT:
        *(const char **)to = value;
        return true;
    case OPTION_COLOR:
        if (!take_word(o, row, value, &index))
            return false;
        *(bool *)to = index == 0 ? terminal_has_color() : index == 1;
        return true;
    case OPTION_WORD:
        if (!take_word(o, row, value, &index))
            return false;
        *(unsigned *)to = (unsigned)row->to.least + index;
        return true;
    case OPTION_FORMAT:
        if (!take_word(o, row, value, &index))
            return false;
        *(enum plumb_format *)to = plumb_format_by_name(value);
        return true;
    case OPTION_UNSIGNED:
    case OPTION_JOBS:
        return take_unsigned(o, row, value, to);
    case OPTION_COUNT:
        return console_option_number(o, row, value, to);
    case OPTION_DURATION:
        return console_read_duration(value, to) ||
               console_option_fails(
                   o, row, value,
                   "must be a time above 0, such as 10, 0.5 or 2m");
    case OPTION_SIZE:
        return console_read_size(value, to) ||
               console_option_fails(o, row, value,
                                    "must be a size, such as 512M or 2G");
    case OPTION_OWN:
        return row->to.take(o, row, value, o->settings);
    case OPTION_REST:
        break;
    }
    return true;
}

static bool take_defaults(const struct console_options *o)
{
    bool good = true;
    for (const struct console_option *r = o->command->options; r->name; r++)
        good = good && (!r->usual || take(o, r, r->usual));
    return good;
}

/* ---- words for others: -- WORD..., --args WORD... ---- */

static bool begins(const struct console_option *row, const char *word)
{
    return row->to.kind == OPTION_REST && strncmp(word, "--", 2) == 0 &&
           strcmp(row->name, word + 2) == 0;
}

/* Where the first option of the kind stands that is not the word `but`, or
 * argc. */
static int find_rest(const struct console_option *row, const char *but,
                     int begin, int argc, const char **argv)
{
    for (int i = begin; i < argc; i++)
        for (const struct console_option *r = row; r->name; r++)
            if (strcmp(argv[i], but) != 0 && begins(r, argv[i]))
                return i;
    return argc;
}

/* Each list ends where another begins; the second one may hold words that
 * look like the first.  Where the options end. */
static int cut_off(struct console_options *o, int argc, const char **argv)
{
    const struct console_option *const row = o->command->options;
    const int end = find_rest(row, "", 1, argc, argv);
    int begin = end;
    while (begin < argc) {
        const struct console_option *r = row;
        while (!begins(r, argv[begin]))
            r++;
        const int next =
            begin == end ? find_rest(row, argv[begin], begin + 1, argc, argv)
                         : argc;
        *(const char *const **)((char *)o->settings + r->to.at) =
            argv + begin + 1;
        *(size_t *)((char *)o->settings + r->to.most) =
            (size_t)(next - begin - 1);
        begin = next;
    }
    return end;
}

/* ---- the command line ---- */

static bool make_table(struct console_options *o)
{
    const struct console_option *const row = o->command->options;
    unsigned count = 0;
    while (row[count].name)
        count++;
    assert(count <= 64); /* bits of `given` */
    o->table = calloc(count + 1, sizeof *o->table);
    for (unsigned i = 0, n = 0; o->table && i < count; i++) {
        const char *const argument = row[i].argument;
        if (row[i].to.kind == OPTION_REST)
            continue;
        o->table[n++] = (struct poptOption){
            .longName = row[i].name,
            .shortName = row[i].letter,
            .argInfo = !argument ? POPT_ARG_NONE
                       : argument[0] == '['
                           ? POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL
                           : POPT_ARG_STRING,
            .val = (int)i + 1,
        };
    }
    return o->table;
}

static const char *nearest_option(const struct console_option *row,
                                  const char *given)
{
    struct console_suggestion s;
    console_suggestion_begin(&s, given + strspn(given, "-"));
    for (; row->name; row++)
        console_suggestion_offer(&s, row->name);
    return console_suggestion_end(&s);
}

static bool fails_on(const struct console_options *o, int code)
{
    const char *const given = poptBadOption(o->context, POPT_BADOPTION_NOALIAS);
    const char *const near = code == POPT_ERROR_BADOPT
                                 ? nearest_option(o->command->options, given)
                                 : NULL;
    if (near)
        return console_usage_fails(o, "%s: unknown option; did you mean --%s?",
                                   given, near);
    return console_usage_fails(o, "%s: %s", given, poptStrerror(code));
}

/* Keep popt's copy of an argument. */
static const char *keep(struct console_options *o, char *text)
{
    console_wordlist_add(&o->kept, text ? text : "");
    free(text);
    return o->kept.broken ? NULL : o->kept.word[o->kept.count - 1];
}

static bool take_from_file(struct console_options *o,
                           const struct console_option *row, const char *value)
{
    const char *const kept = keep(o, strdup(value));
    return kept ? take(o, row, kept) : console_usage_fails(o, "out of memory");
}

static bool read_options(struct console_options *o)
{
    int code;
    while ((code = poptGetNextOpt(o->context)) > 0) {
        const struct console_option *const row = o->command->options + code - 1;
        const char *const value = keep(o, poptGetOptArg(o->context));
        if (!value)
            return console_usage_fails(o, "out of memory");
        o->given |= UINT64_C(1) << (code - 1);
        if (strcmp(row->name, "help") == 0)
            o->help = true;
        else if (!take(o, row, value))
            return false;
    }
    if (code < -1)
        return fails_on(o, code);
    o->args = poptGetArgs(o->context);
    while (o->args && o->args[o->nargs])
        o->nargs++;
    if (!o->help && !console_config_read(o, take_from_file))
        return false;
    if (!o->help && console_given(o, "quiet") && console_given(o, "verbose"))
        return console_usage_fails(
            o, "--quiet and --verbose contradict each other; give one");
    return true;
}

static bool begin(struct console_options *o, int argc, const char **argv)
{
    o->settings = calloc(1, o->command->settings + 1);
    if (!o->settings || !make_table(o) || !take_defaults(o))
        return false;
    o->context = poptGetContext(o->command->name, cut_off(o, argc, argv), argv,
                                o->table, 0);
    return o->context;
}

enum console_status console_run(const struct console_command *c, int argc,
                                const char **argv)
{
    struct console_options o = { .command = c, .argc = argc, .argv = argv };
    enum console_status status = STATUS_ERROR;
    if (c->main)
        return c->main(argc, argv);
    if (!begin(&o, argc, argv))
        console_usage_fails(&o, "out of memory");
    else if (read_options(&o))
        status = o.help ? console_print_help(c) : c->run(&o, o.settings);
    poptFreeContext(o.context);
    console_wordlist_release(&o.kept);
    free(o.table);
    free(o.settings);
    return status;
}
