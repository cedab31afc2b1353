/* host_process.c - the process that runs a target. */
#include "host_process.h"

#include "app/console/install_paths.h"
#include "app/console/say.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool explore_host_find(char path[PATH_MAX])
{
    const char *const given = getenv("PLUMB_HOST");
    if (given && *given)
        snprintf(path, PATH_MAX, "%s", given);
    else
        console_install_paths_host(path);
    if (access(path, X_OK) == 0)
        return true;
    console_say("%s: plumb-host not found: %s", path, console_reason());
    return false;
}

/* ---- starting ---- */

bool explore_host_open(struct explore_host_process *h)
{
    *h = (struct explore_host_process){ .file = -1 };
    h->file = memfd_create("plumb-job", MFD_CLOEXEC);
    if (h->file >= 0 && ftruncate(h->file, (off_t)sizeof *h->job) == 0) {
        void *const map = mmap(NULL, sizeof *h->job, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_NORESERVE, h->file, 0);
        h->job = map == MAP_FAILED ? NULL : map;
    }
    if (h->job) {
        madvise(h->job, sizeof *h->job, MADV_DONTDUMP);
        h->job->request.version = JOB_VERSION;
        return true;
    }
    console_say("plumb: no memory for a job of %zu bytes: %s", sizeof *h->job,
                console_reason());
    explore_host_close(h);
    return false;
}

/* In the child.  Addresses are to be the same every time, as far as the system
 * lets us, and so is what calls leave on stacks: the linker must not look up a
 * function when it is first called.  The target's process must not read our
 * terminal, mix its words with our results, or outlive us. */
static _Noreturn void become_host(const struct explore_host_process *h,
                                  const char *path)
{
    char name[] = "plumb-host", number[16];
    char *const words[] = { name, number, NULL };
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int persona = personality(0xffffffff);
    if (persona != -1)
        personality((unsigned long)persona | ADDR_NO_RANDOMIZE);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    fcntl(h->file, F_SETFD, 0);
    setenv("LD_BIND_NOW", "1", 1);
    snprintf(number, sizeof number, "%d", h->file);
    execv(path, words);
    _exit(127);
}

bool explore_host_start(struct explore_host_process *h)
{
    char path[PATH_MAX];
    if (!explore_host_find(path))
        return false;
    h->killed = h->stalled = false;
    h->how = 0;
    fflush(NULL);
    h->pid = fork();
    if (h->pid == 0)
        become_host(h, path);
    if (h->pid > 0)
        return true;
    h->pid = 0;
    console_say("plumb: cannot start a process: %s", console_reason());
    return false;
}

/* ---- what came back ---- */

static void end_text(char *text, size_t size)
{
    text[size - 1] = '\0';
}
#define END_TEXT(text) end_text(text, sizeof(text))

/* What counts is no more than there is room for. */
#define LIMIT(count, most) ((count) = (count) < (most) ? (count) : (most))

static void mend_description(struct job_description *d)
{
    END_TEXT(d->name);
    END_TEXT(d->spec);
    END_TEXT(d->init);
    END_TEXT(d->final);
    END_TEXT(d->build_id);
    END_TEXT(d->unseen);
    LIMIT(d->operations, PLUMB_MAX_OPERATIONS);
    for (unsigned i = 0; i < d->operations; i++) {
        END_TEXT(d->operation[i].name);
        for (unsigned n = 0; n < PLUMB_MAX_ARGUMENTS; n++)
            END_TEXT(d->operation[i].words[n]);
        LIMIT(d->operation[i].arity, PLUMB_MAX_ARGUMENTS);
    }
    LIMIT(d->scenario, JOB_OPERATIONS);
    LIMIT(d->processes, JOB_PROCESSES);
    LIMIT(d->own_processes, JOB_OWN_PROCESSES);
    LIMIT(d->init_count, d->scenario);
    LIMIT(d->final_count, d->scenario - d->init_count);
    for (unsigned i = 0; i < d->scenario; i++) {
        LIMIT(d->process[i], JOB_PROCESSES - 1);
        LIMIT(d->own[i], JOB_OWN_PROCESSES - 1);
    }
}

static void mend_finding(struct job_finding *f)
{
    END_TEXT(f->what.text);
    if (f->what.fault > FAULT_LEAK)
        f->what.fault = FAULT_NONE;
    LIMIT(f->first, JOB_STEPS);
    LIMIT(f->length, JOB_STEPS - f->first);
    LIMIT(f->points, JOB_POINTS);
}

/* The target shares the process that wrote it. */
static void mend(struct job *job)
{
    END_TEXT(job->message);
    END_TEXT(job->unfollowed);
    mend_description(&job->target);
    LIMIT(job->findings, JOB_FINDINGS);
    for (uint32_t i = 0; i < job->findings; i++)
        mend_finding(&job->finding[i]);
    LIMIT(job->coverage.places, JOB_PLACES);
    LIMIT(job->request.points, JOB_POINTS);
    LIMIT(job->now.length, sizeof job->now.step / sizeof *job->now.step);
    LIMIT(job->steps, JOB_STEPS);
    LIMIT(job->trace.count, JOB_TRACE);
    LIMIT(job->output, JOB_OUTPUT);
    job->trace.record = NULL;
}

static bool has_ended(struct explore_host_process *h, int options)
{
    pid_t got;
    if (h->pid == 0)
        return true;
    while ((got = waitpid(h->pid, &h->how, options)) < 0 && errno == EINTR)
        ;
    if (got == 0)
        return false;
    kill(-h->pid, SIGKILL); /* what the target forked */
    h->pid = 0;
    mend(h->job);
    return true;
}

bool explore_host_has_ended(struct explore_host_process *h)
{
    return has_ended(h, WNOHANG);
}

/* ---- ending ---- */

void explore_host_stop(struct explore_host_process *h)
{
    atomic_store_explicit(&h->job->stop, 1, memory_order_relaxed);
}

void explore_host_kill(struct explore_host_process *h)
{
    if (h->pid == 0)
        return;
    kill(h->pid, SIGKILL);
    has_ended(h, 0);
    h->killed = WIFSIGNALED(h->how) && WTERMSIG(h->how) == SIGKILL;
}

const char *explore_host_death(const struct explore_host_process *h,
                               char text[HOST_DEATH])
{
    if (WIFSIGNALED(h->how))
        snprintf(text, HOST_DEATH, "%s", strsignal(WTERMSIG(h->how)));
    else
        snprintf(text, HOST_DEATH, "exit status %d", WEXITSTATUS(h->how));
    return text;
}

void explore_host_close(struct explore_host_process *h)
{
    explore_host_kill(h);
    if (h->job)
        munmap(h->job, sizeof *h->job);
    if (h->file >= 0)
        close(h->file);
    h->job = NULL;
    h->file = -1;
}
