/* options.h - commands, and their options, one row each.
 *
 * A row says what an option is called, where in the command's settings its
 * value goes, and what it is for.  The command line is read by the rows; help,
 * the OPTIONS of the man page and completion are printed from them.  Texts are
 * plain: `help` is a sentence without its capital and full stop, `more` is
 * whole sentences, and `commands` are in backquotes. */
#ifndef PLUMB_APP_CONSOLE_OPTIONS_H
#define PLUMB_APP_CONSOLE_OPTIONS_H

#include "exit_status.h"
#include "wordlist.h"
#include <popt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct console_options;
struct console_option;

/* Take a value for `row`; false after console_option_fails(). */
typedef bool console_option_take(const struct console_options *o,
                                 const struct console_option *row,
                                 const char *value, void *settings);

enum console_option_kind {              /* and the type of its setting */
                           OPTION_FLAG, /* bool                                        */
                           OPTION_QUIET, /* bool; turns notes off, too                  */
                           OPTION_COLOR, /* bool, one of `words`                        */
                           OPTION_TEXT, /* const char *, valid until the command ends  */
                           OPTION_FILE, /* ... the name of a file                      */
                           OPTION_SPEC, /* ... of a specification                      */
                           OPTION_OBJECT, /* ... of an object                            */
                           OPTION_WORD, /* an enum; `words` begin with its value `least` */
                           OPTION_FORMAT, /* enum plumb_format, one of `words`           */
                           OPTION_UNSIGNED, /* unsigned, from `least` to `most`            */
                           OPTION_COUNT, /* uint64_t, likewise                          */
                           OPTION_JOBS, /* unsigned; 0 means one per processor         */
                           OPTION_DURATION, /* uint64_t: milliseconds                      */
                           OPTION_SIZE, /* size_t: bytes                               */
                           OPTION_OWN, /* whatever take() does                        */
                           OPTION_REST /* const char *const *, and a size_t at `most`:
                              the words up to the next option of this kind */
};

/* A row that does not read plumb.toml (config_file.h). */
#define OPTION_NO_CONFIG                                                       \
    {                                                                          \
        "no-config", 0, IN_OWN(console_config_take, 0, 0, NULL),               \
            .help = "do not read plumb.toml (docs/projects.md)"                \
    }
console_option_take console_config_take;

struct console_place {
    enum console_option_kind kind;
    size_t at; /* in the settings */
    uint64_t least, most;
    const char *const *words; /* ends with NULL */
    console_option_take *take;
};

struct console_option {
    const char *name; /* "" for --; NULL after the last row */
    char letter;
    struct console_place to;
    const char *argument; /* "N"; NULL for flags; "[N]" if optional */
    const char *usual;    /* the value unless the option is given, or NULL */
    const char *help, *more;
    const char *group; /* that begins with this row, or NULL */
};

/* ---- places; SETTINGS is the type of the command's settings ----
 *
 * A member of another type than the kind's does not compile. */

#define PLACE_AT(type, member)                                                 \
    (offsetof(SETTINGS, member) +                                              \
     0 * sizeof((type *)0 == &((SETTINGS *)0)->member))
#define PLACE(kind_, type, member, ...)                                        \
    {                                                                          \
        .kind = OPTION_##kind_, .at = PLACE_AT(type, member), __VA_ARGS__      \
    }
#define IN_FLAG(m)     PLACE(FLAG, bool, m, )
#define IN_TEXT(m)     PLACE(TEXT, const char *, m, )
#define IN_FILE(m)     PLACE(FILE, const char *, m, )
#define IN_SPEC(m)     PLACE(SPEC, const char *, m, )
#define IN_OBJECT(m)   PLACE(OBJECT, const char *, m, )
#define IN_JOBS(m)     PLACE(JOBS, unsigned, m, .most = CONSOLE_MOST_JOBS)
#define IN_DURATION(m) PLACE(DURATION, uint64_t, m, )
#define IN_COUNT(m, least_, most_)                                             \
    PLACE(COUNT, uint64_t, m, .least = (least_), .most = (most_))
#define IN_UNSIGNED(m, least_, most_)                                          \
    PLACE(UNSIGNED, unsigned, m, .least = (least_), .most = (most_))
#define IN_FORMAT(m, words_)                                                   \
    PLACE(FORMAT, enum plumb_format, m, .words = (words_))
#define IN_WORD(m, first, words_)                                              \
    PLACE(WORD, unsigned, m, .least = (first), .words = (words_))
#define IN_OWN(take_, least_, most_, words_)                                   \
    {                                                                          \
        .kind = OPTION_OWN, .take = (take_), .least = (least_),                \
        .most = (most_), .words = (words_)                                     \
    }
#define IN_REST(word, count)                                                   \
    PLACE(REST, const char *const *, word, .most = PLACE_AT(size_t, count))
#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* ---- rows that commands share ---- */

enum { CONSOLE_MOST_JOBS = 256 };

#define OPTION_TIMEOUT                                                         \
    {                                                                          \
        "timeout", 't', IN_DURATION(timeout), "SECONDS",                       \
            .help = "stop after this time, such as 10, 0.5, 2m or 1h",         \
            .more = "Whatever is not decided by then is undecided."            \
    }
#define OPTION_MEMORY                                                          \
    {                                                                          \
        "memory", 'm', PLACE(SIZE, size_t, memory, ), "SIZE",                  \
            .help =                                                            \
                "use at most this much memory, such as 512M or 2G (default: "  \
                "most of the free memory)",                                    \
            .more =                                                            \
                "What `plumb` allocates counts; files, which are mapped, do "  \
                "not.  The default is most of the memory that the machine or " \
                "the container has free when the run begins."                  \
    }
#define OPTION_SEED(things, more_)                                             \
    {                                                                          \
        "seed", 0, IN_COUNT(seed, 0, UINT64_MAX), "N", "1",                    \
            .help = "draw " things                                             \
                    " with this seed; the same seed gives the same " things,   \
            .more = more_                                                      \
    }
#define OPTIONS_OUTPUT(verbosely)                                              \
    { "quiet", 'q', PLACE(QUIET, bool, quiet, ),                               \
      .help = "print only the result lines",                                   \
      .more = "Details, notes and progress are left out." },                   \
        { "verbose", 'v', IN_FLAG(verbose), .help = verbosely },               \
        { "color",                                                             \
          0,                                                                   \
          PLACE(COLOR, bool, color, .words = console_colors),                  \
          "WHEN",                                                              \
          "auto",                                                              \
          .help = "colour the output",                                         \
          .more = "auto colours the output if it goes to a terminal; the "     \
                  "variables NO_COLOR and CLICOLOR_FORCE override that." },    \
        OPTION_NO_CONFIG, OPTIONS_END
#define OPTIONS_END                                                            \
    { "help", 'h', .help = "show this help" },                                 \
    {                                                                          \
        .name = NULL                                                           \
    }
#define OPTION_JSON(more_, group_)                                             \
    {                                                                          \
        "json", 0, IN_FLAG(json),                                              \
            .help =                                                            \
                "print each result as one line of JSON (docs/json-output.md)", \
            .more = more_, .group = group_                                     \
    }

extern const char *const console_colors[];

/* ---- commands ---- */

/* What the arguments are, for completion. */
enum console_names { NAMES_NONE, NAMES_FILES, NAMES_OBJECTS, NAMES_MODELS };

struct console_command {
    const char *name;
    const char *summary;   /* one line of `plumb help`             */
    const char *arguments; /* behind the name, in the usage line   */
    const char *about;     /* what it does: paragraphs, a line each */
    const char *examples;  /* a line each                          */
    const char *status;    /* of its exit, in words                */
    const struct console_option *options; /* NULL: main() reads its own */
    const char *const *words; /* one of which is the first argument, or NULL */
    enum console_names names;
    size_t settings; /* their size; all zeros at first */
    enum console_status (*run)(const struct console_options *o, void *settings);
    enum console_status (*main)(int argc, const char **argv);
};

/* A command line that was read. */
struct console_options {
    const struct console_command *command;
    void *settings;
    const char **args; /* what is not an option */
    size_t nargs;
    uint64_t given; /* a bit for each row */
    bool help;      /* was asked for      */
    int argc;       /* all words, the first of which is the command's name */
    const char **argv;
    /* private */
    poptContext context;
    struct poptOption *table;
    struct console_wordlist kept;
};

/* Read the options, and run it, or print its help. */
enum console_status console_run(const struct console_command *c, int argc,
                                const char **argv);

/* Is the option on the command line? */
bool console_given(const struct console_options *o, const char *name);

/* Says "COMMAND: --NAME VALUE: message"; always false. */
bool console_option_fails(const struct console_options *o,
                          const struct console_option *row, const char *value,
                          const char *message);
/* Says "COMMAND: message" and where help is; always false. */
bool console_usage_fails(const struct console_options *o, const char *format,
                         ...) __attribute__((format(printf, 2, 3)));

/* A whole number within the limits of `row`, or false after saying so. */
bool console_option_number(const struct console_options *o,
                           const struct console_option *row, const char *value,
                           uint64_t *number);

/* ---- what is printed from rows, to stdout (options_print.c) ---- */

enum console_status console_print_help(const struct console_command *c);
void console_print_manual(const struct console_command *c);

/* "a, b or c"; the default is marked if `usual` is not NULL. */
void console_join_words(const char *const *words, const char *usual,
                        char text[], size_t size);
/* What the option is for, with its words. */
void console_describe_option(const struct console_option *row, char text[],
                             size_t size);

#endif
