/* gdb_session.c - one schedule in gdb. */
#include "gdb_session.h"

#include "app/console/say.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Commands of gdb.  A thread that is about to do a step stands below functions
 * of ours: what is shown is the line that these were called from.  `next`,
 * `step` and `finish` do the step first. */
static const char gdb_commands[] =
    "break target_trace_goes_on if pc != 0 && step >= $plumb_step\n"
    "commands\nsilent\nend\n"
    "set $plumb_break = $bpnum\n"
    "define plumb-show\n"
    "disable $plumb_break\n"
    "set $plumb_step = step\n"
    "set $plumb_pc = (unsigned long)pc\n"
    "while (unsigned long)$pc != $plumb_pc\n"
    "up-silently\n"
    "end\n"
    "set $plumb_stands = 1\n"
    "printf \"step %u is about to be done\\n\", $plumb_step\n"
    "frame\n"
    "end\n"
    "define plumb-next\n"
    "enable $plumb_break\n"
    "continue\n"
    "if $_thread\n"
    "plumb-show\n"
    "else\n"
    "echo that was the last step\\n\n"
    "end\n"
    "end\n"
    "document plumb-next\n"
    "Go to the next step of the schedule that is in the target.\n"
    "end\n"
    "define plumb-leave\n"
    "if $plumb_stands\n"
    "set $plumb_stands = 0\n"
    "advance *$plumb_pc\n"
    "end\n"
    "end\n"
    "document plumb-leave\n"
    "Do the step, up to where the target goes on.\n"
    "end\n"
    "define hook-next\nplumb-leave\nend\n"
    "define hook-step\nplumb-leave\nend\n"
    "define hook-finish\nplumb-leave\nend\n"
    "skip -gfi */runtime/explore/*/*.c\n";

/* The host as we would run it, up to where a thread goes on with the step, or
 * with the first one from there on that is in the target.  The file is removed
 * by gdb's own shell, once it was read. */
static bool write_commands(unsigned step, char path[], int job)
{
    const int fd = mkstemp(path);
    FILE *const file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file)
        return console_fails("%s: cannot write commands for gdb: %s", path,
                             console_reason());
    fprintf(file,
            "shell rm -f %s\n"
            "set breakpoint pending on\n"
            "set $plumb_step = %u\n"
            "set args %d\n"
            "%s"
            "run\n"
            "plumb-show\n",
            path, step, job, gdb_commands);
    return fclose(file) == 0;
}

enum console_status explore_gdb_run(const struct explore_host_process *h,
                                    unsigned step)
{
    char host[PATH_MAX], path[] = "/tmp/plumb-gdb-XXXXXX";
    if (!explore_host_find(host) || !write_commands(step, path, h->file))
        return STATUS_ERROR;
    fcntl(h->file, F_SETFD, 0); /* gdb's child has it, too */
    execlp("gdb", "gdb", "-q", "-x", path, host, (char *)NULL);
    console_say("gdb: cannot be run: %s", console_reason());
    unlink(path);
    return STATUS_ERROR;
}
