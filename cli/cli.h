/* cli.h - the commands.
 *
 * Results go to stdout, everything else to stderr. */
#ifndef PLUMB_CLI_CLI_H
#define PLUMB_CLI_CLI_H

#include "app/console/options.h"
#include <stdio.h>

extern const struct console_command cli_check, cli_monitor, cli_simulate,
    cli_explore, cli_replay, cli_verify, cli_new, cli_convert, cli_generate,
    cli_list, cli_view, cli_doctor, cli_init, cli_cc, cli_cxx, cli_help;

extern const struct console_command *const cli_commands[]; /* then NULL */
const struct console_command *cli_find_command(const char *name);

/* Every command on a line. */
void cli_print_commands(FILE *to);

/* There is no such command; which one may be meant. */
enum console_status cli_unknown_command(const char *name);

/* Show the objects of the library, or those of a family (NULL: every one);
 * everything that is known of some.  False after saying what is wrong. */
bool cli_list_objects(const char *family);
bool cli_show_objects(const char *const *names, size_t count);

/* What the last of the words after `plumb` may become, one on a line, with a
 * tab and a description behind it; ":files" stands for the names of files. */
enum console_status cli_complete(int argc, const char **argv);

#endif
