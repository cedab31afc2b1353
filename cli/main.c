/* main.c - plumb: choose the command, and end the way it went. */
#include "app/console/say.h"
#include "app/console/suggest.h"
#include "cli.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct cli_command commands[] = {
    { "check", "decide whether histories are linearizable", cli_check_command,
      cli_check_help },
    { "monitor", "decide a stream of events as it comes", cli_monitor_command,
      cli_monitor_help },
    { "simulate", "run an object with real threads, decide its histories",
      cli_simulate_command, cli_simulate_help },
    { "explore", "run every schedule of small tests, up to 2 preemptions",
      cli_explore_command, cli_explore_help },
    { "replay", "run one schedule again, told step by step", cli_replay_command,
      cli_replay_help },
    { "verify", "prove a model of an algorithm, or show how it fails",
      cli_verify_command, cli_verify_help },
    { "new", "write a file to begin testing an object with", cli_new_command,
      cli_new_help },
    { "convert", "rewrite histories in another format", cli_convert_command,
      cli_convert_help },
    { "generate", "make random histories, right or wrong", cli_generate_command,
      cli_generate_help },
    { "list", "show the specifications, formats or objects there are",
      cli_list_command, cli_list_help },
    { "cc", "compile C with hooks in it: `make CC='plumb cc'`", cli_cc_command,
      cli_cc_help },
    { "c++", "the same for C++", cli_cxx_command, cli_cc_help },
    { "help", "show help on a command", cli_help_command, NULL },
    { NULL, NULL, NULL, NULL },
};

const struct cli_command *cli_find_command(const char *name)
{
    for (const struct cli_command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static void short_usage(FILE *to)
{
    fputs("usage: plumb COMMAND ...\n\n", to);
    for (const struct cli_command *c = commands; c->name; c++)
        fprintf(to, "  %-10s %s\n", c->name, c->what);
    fputs("\nstart with: plumb check FILE\n"
          "and then:   plumb help COMMAND\n",
          to);
}

static enum console_status unknown_command(const char *name)
{
    struct console_suggestion s;
    console_suggestion_begin(&s, name);
    for (const struct cli_command *c = commands; c->name; c++)
        console_suggestion_offer(&s, c->name);
    const char *const near = console_suggestion_end(&s);
    if (near)
        console_say("plumb: unknown command `%s`; did you mean `plumb %s`?",
                    name, near);
    else
        console_say("plumb: unknown command `%s`; `plumb help` lists them",
                    name);
    return STATUS_ERROR;
}

enum console_status cli_help_command(int argc, const char **argv)
{
    if (argc < 2) {
        short_usage(stdout);
        return STATUS_HOLDS;
    }
    const struct cli_command *const c = cli_find_command(argv[1]);
    if (!c)
        return unknown_command(argv[1]);
    if (c->help)
        c->help();
    else
        printf("usage: plumb %s [COMMAND]\n", c->name);
    return STATUS_HOLDS;
}

static enum console_status run(int argc, const char **argv)
{
    if (argc < 2) {
        short_usage(stderr);
        return STATUS_ERROR;
    }
    const char *const first = argv[1];
    if (strcmp(first, "--version") == 0) {
        puts("plumb " PLUMB_VERSION);
        return STATUS_HOLDS;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return cli_help_command(1, argv);
    if (first[0] == '-') {
        console_say(
            "plumb: the command comes before its options, as in `plumb check "
            "%s ...`",
            first);
        return STATUS_ERROR;
    }
    const struct cli_command *const c = cli_find_command(first);
    return c ? c->run(argc - 1, argv + 1) : unknown_command(first);
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
