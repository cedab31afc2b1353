/* demangle.c - names of C++ as they were written. */
#include "demangle.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool start_filter(int in, int out, pid_t *pid)
{
    static char name[] = "c++filt";
    char *const argv[] = { name, NULL };
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    const int failed = posix_spawnp(pid, name, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0;
}

static void read_all(int from, struct plumb_base_text *to)
{
    char piece[512];
    ssize_t size;
    while ((size = read(from, piece, sizeof piece)) > 0)
        plumb_base_text_bytes(to, piece, (size_t)size);
}

/* The text fits into the pipe, whose other end we have, too: nobody waits, and
 * nobody is killed by writing. */
static bool filter(const char *text, struct plumb_base_text *out)
{
    int in[2], back[2], status = -1;
    pid_t pid;
    if (strlen(text) > PIPE_BUF || pipe2(in, O_CLOEXEC))
        return false;
    if (pipe2(back, O_CLOEXEC)) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    const bool written =
        write(in[1], text, strlen(text)) == (ssize_t)strlen(text);
    const bool started = written && start_filter(in[0], back[1], &pid);
    close(in[0]);
    close(in[1]);
    close(back[1]);
    if (started)
        read_all(back[0], out);
    close(back[0]);
    return started && waitpid(pid, &status, 0) == pid && status == 0;
}

void binary_demangle(const char *text, struct plumb_base_text *out)
{
    struct plumb_base_text written = { 0 };
    const bool good = strstr(text, "_Z") && filter(text, &written) &&
                      !written.broken && written.size;
    plumb_base_text_add(out, good ? plumb_base_text_string(&written) : text);
    plumb_base_text_release(&written);
}
