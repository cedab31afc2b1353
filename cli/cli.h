/* cli.h - the table of commands.
 *
 * Results go to stdout, everything else to stderr. */
#ifndef PLUMB_CLI_CLI_H
#define PLUMB_CLI_CLI_H

#include "app/console/exit_status.h"

/* argv[0] is the command's name. */
typedef enum exit_status command_main(int argc, const char **argv);

struct command {
    const char *name;
    const char *what; /* one line for `plumb help` */
    command_main *run;
    void (*help)(void); /* the long help, to stdout; NULL if `what` says all */
};

extern const struct command commands[]; /* ends with a NULL name */
const struct command *find_command(const char *name);

command_main check_command, convert_command, generate_command, list_command;
command_main new_command, monitor_command, simulate_command, explore_command,
    replay_command, verify_command;
command_main cc_command, cxx_command, help_command;
void cc_help(void);
void check_help(void);
void convert_help(void);
void explore_help(void);
void generate_help(void);
void list_help(void);
void monitor_help(void);
void new_help(void);
void replay_help(void);
void simulate_help(void);
void verify_help(void);

#endif
