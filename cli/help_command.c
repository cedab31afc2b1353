/* help_command.c - plumb help: the commands, and what each is for. */
#include "app/console/say.h"
#include "app/console/suggest.h"
#include "cli.h"
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const struct console_command *const cli_commands[] = {
    &cli_explore, &cli_check,   &cli_simulate, &cli_monitor, &cli_verify,
    &cli_replay,  &cli_view,    &cli_new,      &cli_init,    &cli_list,
    &cli_doctor,  &cli_convert, &cli_generate, &cli_cc,      &cli_cxx,
    &cli_help,    NULL,
};

const struct console_command *cli_find_command(const char *name)
{
    const struct console_command *const *c = cli_commands;
    while (*c && strcmp((*c)->name, name) != 0)
        c++;
    return *c;
}

enum { MOST_LINES = 5000 };

/* A source in C or C++ whose name needs no quotes. */
static int is_source(const struct dirent *entry)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const char *const name = entry->d_name, *const end = strrchr(name, '.');
    return name[0] != '-' && !name[strspn(name, plain)] && end &&
           (!strcmp(end, ".c") || !strcmp(end, ".cc") || !strcmp(end, ".cpp"));
}

static bool describes_object(const char *name)
{
    char line[512];
    bool does = false;
    const int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *const file = fd < 0 ? NULL : fdopen(fd, "r");
    for (int i = 0;
         file && !does && i < MOST_LINES && fgets(line, sizeof line, file); i++)
        does = strncmp(line, "PLUMB_OBJECT(", 13) == 0;
    if (file)
        fclose(file);
    return does;
}

/* The first of the working directory that describes an object, if any does. */
static bool find_object(char object[], size_t size)
{
    struct dirent **list;
    const int count = scandir(".", &list, is_source, alphasort);
    bool found = false;
    for (int i = 0; i < count; i++) {
        if (!found && describes_object(list[i]->d_name)) {
            snprintf(object, size, "%s", list[i]->d_name);
            found = true;
        }
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    return found;
}

void cli_print_commands(FILE *to)
{
    fputs("Usage: plumb COMMAND [ARGUMENT...] [options]\n\n", to);
    for (const struct console_command *const *c = cli_commands; *c; c++)
        fprintf(to, "  %-10s %s\n", (*c)->name, (*c)->summary);
    char object[NAME_MAX + 1];
    if (!find_object(object, sizeof object))
        snprintf(object, sizeof object, "michael-scott");
    fprintf(to,
            "\nStart with:  plumb explore %s\n"
            "Then:        plumb help COMMAND\n",
            object);
}

enum console_status cli_unknown_command(const char *name)
{
    struct console_suggestion s;
    console_suggestion_begin(&s, name);
    for (const struct console_command *const *c = cli_commands; *c; c++)
        console_suggestion_offer(&s, (*c)->name);
    const char *const near = console_suggestion_end(&s);
    if (near)
        console_say("plumb: unknown command `%s`; did you mean `plumb %s`?",
                    name, near);
    else
        console_say("plumb: unknown command `%s`; `plumb help` lists them",
                    name);
    return STATUS_ERROR;
}

struct help_settings {
    bool manual;
};
#define SETTINGS struct help_settings

static const struct console_option rows[] = {
    { "man", 0, IN_FLAG(manual),
      .help = "print the commands, or the options of COMMAND, for the man "
              "pages, in the language of scdoc" },
    OPTIONS_END
};

/* C++ is told of with C. */
static void print_manual_commands(void)
{
    for (const struct console_command *const *c = cli_commands; *c; c++)
        printf("*%s*\n\t%c%s: *plumb-%s*(1).\n\n", (*c)->name,
               toupper((unsigned char)(*c)->summary[0]), (*c)->summary + 1,
               *c == &cli_cxx ? cli_cc.name : (*c)->name);
}

static enum console_status help(const struct console_options *o, void *settings)
{
    const struct help_settings *const s = settings;
    if (o->nargs == 0) {
        if (s->manual)
            print_manual_commands();
        else
            cli_print_commands(stdout);
        return STATUS_HOLDS;
    }
    const struct console_command *const c = cli_find_command(o->args[0]);
    if (!c)
        return cli_unknown_command(o->args[0]);
    if (!s->manual)
        return console_print_help(c);
    if (c->options)
        console_print_manual(c);
    return STATUS_HOLDS;
}

const struct console_command cli_help = {
    .name = "help",
    .summary = "show the commands, or the options of one",
    .arguments = "[COMMAND]",
    .about = "Show every command, or what COMMAND does and its options.",
    .examples = "  plumb help explore\n",
    .status = "  0  shown\n"
              "  2  there is no such command\n",
    .options = rows,
    .settings = sizeof(SETTINGS),
    .run = help,
};
