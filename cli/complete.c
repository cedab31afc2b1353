/* complete.c - what a word on the command line may become, for shells.
 *
 * The scripts in completions/ ask for it, so that all they know is how their
 * shell wants to be told. */
#include "app/objects/library.h"
#include "app/verify/list_models.h"
#include "cli.h"
#include "spec/spec.h"
#include <string.h>

/* The word to complete, and what of it stays: "--ties=" of --ties=call. */
struct completion {
    const char *word, *stays;
};

static void offer(const struct completion *c, const char *name,
                  const char *about)
{
    if (strncmp(name, c->word, strlen(c->word)) == 0)
        printf("%s%s\t%s\n", c->stays, name, about);
}

static void offer_words(const struct completion *c, const char *const *words)
{
    for (; words && *words; words++)
        offer(c, *words, "");
}

static void offer_specs(const struct completion *c)
{
    for (const struct plumb_spec_type *const *t = plumb_spec_types; *t; t++)
        offer(c, (*t)->name, (*t)->what);
}

static void offer_objects(const struct completion *c)
{
    struct objects_library l;
    if (!objects_library_open(&l))
        return;
    for (size_t i = 0; i < l.count; i++)
        offer(c, l.object[i].name, l.object[i].about);
    objects_library_close(&l);
}

static void offer_model(void *context, const char *name)
{
    const struct completion *const *const c = context;
    offer(*c, name, "");
}

static void offer_names(const struct completion *c, enum console_names names)
{
    if (names == NAMES_OBJECTS)
        offer_objects(c);
    if (names == NAMES_MODELS)
        verify_each_model(offer_model, &c);
    if (names != NAMES_NONE)
        puts(":files");
}

static void offer_values(const struct completion *c,
                         const struct console_option *row)
{
    offer_words(c, row->to.words);
    if (row->to.kind == OPTION_SPEC)
        offer_specs(c);
    if (row->to.kind == OPTION_SPEC || row->to.kind == OPTION_FILE)
        offer_names(c, NAMES_FILES);
    if (row->to.kind == OPTION_OBJECT)
        offer_names(c, NAMES_OBJECTS);
}

static void offer_options(const struct completion *c,
                          const struct console_option *row)
{
    for (; row && row->name; row++) {
        char name[64], text[1024];
        snprintf(name, sizeof name, "--%s", row->name);
        console_describe_option(row, text, sizeof text);
        offer(c, name, text);
    }
}

/* The row of "--name", "--name=..." or "-n", if it takes a value. */
static const struct console_option *find_option(const struct console_command *c,
                                                const char *word)
{
    const size_t length = strcspn(word, "=");
    for (const struct console_option *r = c->options; r && r->name; r++) {
        const bool is_long = strncmp(word, "--", 2) == 0 &&
                             length == strlen(r->name) + 2 &&
                             strncmp(word + 2, r->name, length - 2) == 0;
        const bool is_short = r->letter && word[0] == '-' &&
                              word[1] == r->letter && word[2] == '\0';
        if ((is_long || is_short) && r->argument && *r->name)
            return r;
    }
    return NULL;
}

static bool is_rest(const char *word)
{
    return strcmp(word, "--") == 0 || strcmp(word, "--args") == 0;
}

static bool any_is_rest(int count, const char **word)
{
    for (int i = 0; i < count; i++)
        if (is_rest(word[i]))
            return true;
    return false;
}

static void offer_commands(const struct completion *c)
{
    for (const struct console_command *const *k = cli_commands; *k; k++)
        offer(c, (*k)->name, (*k)->summary);
}

static void offer_arguments(const struct completion *c,
                            const struct console_command *command, int count,
                            const char **word)
{
    if (command == &cli_help)
        offer_commands(c);
    if (count == 1)
        offer_words(c, command->words);
    else if (command->words && strcmp(word[0], "objects") == 0)
        offer_objects(c);
    if (!command->words)
        offer_names(c, command->names);
}

/* The option whose value the last word is.  Some shells split at "=", which is
 * then a word by itself, and the unfinished value may be missing. */
static const struct console_option *option_before(
    const struct console_command *command, int count, const char **word,
    struct completion *c)
{
    int before = count - 2;
    if (strcmp(c->word, "=") == 0)
        c->word = "";
    else if (before > 0 && strcmp(word[before], "=") == 0)
        before--;
    const struct console_option *const row =
        before < 0 ? NULL : find_option(command, word[before]);
    return row && row->argument[0] != '[' ? row : NULL;
}

/* word[0..count) follow the name of the command; the last is unfinished. */
static void complete(const struct console_command *command, int count,
                     const char **word)
{
    struct completion c = { word[count - 1], "" };
    const char *const sign = strchr(c.word, '=');
    const struct console_option *row = option_before(command, count, word, &c);
    char stays[64];
    if (any_is_rest(count - 1, word)) {
        offer_names(&c, NAMES_FILES);
        return;
    }
    if (!row && sign && (row = find_option(command, c.word))) {
        snprintf(stays, sizeof stays, "--%s=", row->name);
        c = (struct completion){ sign + 1, stays };
    }
    if (row)
        offer_values(&c, row);
    else if (c.word[0] == '-')
        offer_options(&c, command->options);
    else
        offer_arguments(&c, command, count, word);
}

enum console_status cli_complete(int argc, const char **argv)
{
    const struct completion first = { argc ? argv[0] : "", "" };
    const struct console_command *const command =
        argc > 1 ? cli_find_command(argv[0]) : NULL;
    if (command)
        complete(command, argc - 1, argv + 1);
    else if (argc <= 1)
        offer_commands(&first);
    return STATUS_HOLDS;
}
