/* cost.c - what a command costs, its children included.
 *
 *     cost FILE COMMAND...
 *
 * Runs the command and adds a line to FILE: the seconds of the clock, the
 * seconds of processor time, the megabytes of the largest process, and how it
 * ended.  Processor time is what counts where a machine has other work. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* The exit status as a shell tells it; -1 if the command could not be run. */
static int run(char **command, struct rusage *usage)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, usage) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: cost FILE COMMAND...\n", stderr);
        return 2;
    }
    struct rusage usage;
    memset(&usage, 0, sizeof usage);
    const double begin = clock_seconds();
    const int status = run(argv + 2, &usage);
    const double end = clock_seconds();
    FILE *const out = fopen(argv[1], "a");
    if (status < 0 || !out) {
        perror(argv[1]);
        return 2;
    }
    fprintf(out, "%.4f %.4f %.1f %d\n", end - begin,
            seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
            (double)usage.ru_maxrss / 1024, status);
    return fclose(out) == 0 ? 0 : 2;
}
