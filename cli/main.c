/* main.c - plumb: choose the command, and end the way it went. */
#include "app/console/say.h"
#include "cli.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum console_status run(int argc, const char **argv)
{
    const char *const first = argc < 2 ? "" : argv[1];
    if (argc < 2) {
        cli_print_commands(stderr);
        return STATUS_ERROR;
    }
    if (strcmp(first, "--version") == 0) {
        puts("plumb " PLUMB_VERSION);
        return STATUS_HOLDS;
    }
    if (strcmp(first, "--complete") == 0)
        return cli_complete(argc - 2, argv + 2);
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        cli_print_commands(stdout);
        return STATUS_HOLDS;
    }
    if (first[0] == '-')
        return console_error(
            "plumb: the command comes before its options, as in `plumb "
            "check %s ...`",
            first);
    const struct console_command *const c = cli_find_command(first);
    return c ? console_run(c, argc - 1, argv + 1) : cli_unknown_command(first);
}

/* As the left side of a pipe whose right side has left. */
static void end_by_broken_pipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

/* A file we open must not become the standard output.  The wrong direction
 * makes reads and writes fail, as they do on what is closed. */
static void occupy_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    union {
        char **given;
        const char **read_only;
    } args = { argv };
    occupy_standard_descriptors();
    signal(SIGPIPE, SIG_IGN);
    enum console_status status = run(argc, args.read_only);
    if (!console_close_results())
        status = STATUS_ERROR;
    if (console_reader_is_gone())
        end_by_broken_pipe();
    return (int)status;
}
