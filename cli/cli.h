/* cli.h - the table of commands.
 *
 * Results go to stdout, everything else to stderr. */
#ifndef PLUMB_CLI_CLI_H
#define PLUMB_CLI_CLI_H

#include "app/console/exit_status.h"

/* argv[0] is the command's name. */
typedef enum console_status command_main(int argc, const char **argv);

struct cli_command {
    const char *name;
    const char *what; /* one line for `plumb help` */
    command_main *run;
    void (*help)(void); /* the long help, to stdout; NULL if `what` says all */
};

extern const struct cli_command commands[]; /* ends with a NULL name */
const struct cli_command *cli_find_command(const char *name);

command_main cli_check_command, cli_convert_command, cli_generate_command,
    cli_list_command;
command_main cli_new_command, cli_monitor_command, cli_simulate_command,
    cli_explore_command, cli_replay_command, cli_verify_command;
command_main cli_cc_command, cli_cxx_command, cli_help_command;
void cli_cc_help(void);
void cli_check_help(void);
void cli_convert_help(void);
void cli_explore_help(void);
void cli_generate_help(void);
void cli_list_help(void);
void cli_monitor_help(void);
void cli_new_help(void);
void cli_replay_help(void);
void cli_simulate_help(void);
void cli_verify_help(void);

#endif
