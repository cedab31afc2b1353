/* help_command.c - plumb help: the commands, and what each is for. */
#include "app/console/say.h"
#include "app/console/suggest.h"
#include "cli.h"
#include <ctype.h>
#include <string.h>

const struct console_command *const cli_commands[] = {
    &cli_explore, &cli_check,  &cli_simulate, &cli_monitor,
    &cli_verify,  &cli_replay, &cli_view,     &cli_new,
    &cli_list,    &cli_doctor, &cli_convert,  &cli_generate,
    &cli_cc,      &cli_cxx,    &cli_help,     NULL,
};

const struct console_command *cli_find_command(const char *name)
{
    const struct console_command *const *c = cli_commands;
    while (*c && strcmp((*c)->name, name) != 0)
        c++;
    return *c;
}

void cli_print_commands(FILE *to)
{
    fputs("Usage: plumb COMMAND [ARGUMENT...] [options]\n\n", to);
    for (const struct console_command *const *c = cli_commands; *c; c++)
        fprintf(to, "  %-10s %s\n", (*c)->name, (*c)->summary);
    fputs("\nStart with:  plumb explore michael-scott\n"
          "Then:        plumb help COMMAND\n",
          to);
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
        printf("*%s*\n\t%c%s%s%s%s.\n\n", (*c)->name,
               toupper((unsigned char)(*c)->summary[0]), (*c)->summary + 1,
               *c == &cli_help ? "" : ": *plumb-",
               *c == &cli_help  ? ""
               : *c == &cli_cxx ? cli_cc.name
                                : (*c)->name,
               *c == &cli_help ? "" : "*(1)");
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
