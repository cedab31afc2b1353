/* shim_process.c - the process: ending it, and what only a process of its own
 * could do.
 *
 * exit() ends the execution.  What atexit() was told is not done then; nor are
 * the destructors of C++ variables: an execution is over with its last event,
 * and nothing can be seen of what comes after it. */
#include "real.h"
#include "shims.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* REAL() of functions that do not return. */
static void call_real(const char *name, int status)
{
    void (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, name);
    real(status);
}

/* ---- ends ---- */

#define ENDS(name)                                                             \
    void name(int status)                                                      \
    {                                                                          \
        if (!scheduler_inside)                                                 \
            call_real(#name, status);                                          \
        scheduler_exit(status);                                                \
    }

ENDS(exit)
ENDS(_exit)
ENDS(_Exit)
ENDS(quick_exit)

void abort(void)
{
    if (!scheduler_inside)
        call_real("abort", 0);
    scheduler_fail(FAULT_ABORT, HERE, NULL, "abort() was called");
}

int __cxa_atexit(void (*handler)(void *), void *argument, void *library);
int __cxa_at_quick_exit(void (*handler)(void *), void *library);

/* What atexit() calls, too. */
SHIM(int __cxa_atexit(void (*handler)(void *), void *argument, void *library),
     __cxa_atexit, (handler, argument, library), 0)
SHIM(int __cxa_at_quick_exit(void (*handler)(void *), void *library),
     __cxa_at_quick_exit, (handler, library), 0)

/* ---- assertions ---- */

_Noreturn void __assert_fail(const char *expression, const char *file,
                             unsigned line, const char *function);
_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line,
                                    const char *function);
_Noreturn void __assert(const char *expression, const char *file, int line);
_Noreturn void __stack_chk_fail(void);
_Noreturn void __chk_fail(void);

void __assert_fail(const char *expression, const char *file, unsigned line,
                   const char *function)
{
    if (!scheduler_inside) {
        void (*real)(const char *, const char *, unsigned, const char *);
        *(void **)&real = dlsym(RTLD_NEXT, "__assert_fail");
        real(expression, file, line, function);
    }
    scheduler_fail(FAULT_ASSERTION, HERE, NULL, "assertion failed: %s",
                   expression);
}

void __assert_perror_fail(int error, const char *file, unsigned line,
                          const char *function)
{
    (void)file, (void)line, (void)function;
    if (!scheduler_inside)
        abort();
    scheduler_fail(FAULT_ASSERTION, HERE, NULL, "assertion failed: error %d",
                   error);
}

void __assert(const char *expression, const char *file, int line)
{
    __assert_fail(expression, file, (unsigned)line, "");
}

void __stack_chk_fail(void)
{
    if (!scheduler_inside)
        abort();
    scheduler_fail(FAULT_OVERFLOW, HERE, NULL, "the stack was overwritten");
}

void __chk_fail(void)
{
    if (!scheduler_inside)
        abort();
    scheduler_fail(FAULT_OVERFLOW, HERE, NULL,
                   "a buffer overflow was prevented");
}

/* ---- who one is: the same in every execution ---- */

SHIM(pid_t getpid(void), getpid, (), 1)
SHIM(pid_t gettid(void), gettid, (), (pid_t)shims_self_mark())
SHIM(int sched_getcpu(void), sched_getcpu, (), (int)scheduler_self())

/* ---- signals: none ever comes ---- */

int sigaction(int number, const struct sigaction *action,
              struct sigaction *before)
{
    if (!scheduler_inside)
        return REAL(sigaction)(number, action, before);
    if (action && action->sa_handler != SIG_IGN &&
        action->sa_handler != SIG_DFL)
        shims_unmodelled(PLACE, "signals");
    if (before)
        memset(before, 0, sizeof *before);
    return 0;
}

sighandler_t signal(int number, sighandler_t handler)
{
    if (!scheduler_inside)
        return REAL(signal)(number, handler);
    if (handler != SIG_IGN && handler != SIG_DFL)
        shims_unmodelled(PLACE, "signals");
    return SIG_DFL;
}

static int change_mask(sigset_t *before)
{
    if (before)
        sigemptyset(before);
    return 0;
}

SHIM(int sigprocmask(int how, const sigset_t *set, sigset_t *before),
     sigprocmask, (how, set, before), change_mask(before))
SHIM(int pthread_sigmask(int how, const sigset_t *set, sigset_t *before),
     pthread_sigmask, (how, set, before), change_mask(before))

int raise(int number)
{
    if (!scheduler_inside)
        return REAL(raise)(number);
    if (number == SIGABRT)
        scheduler_fail(FAULT_ABORT, HERE, NULL, "raise(SIGABRT)");
    shims_unmodelled(PLACE, "signals");
}

UNMODELLED(int kill(pid_t who, int number), kill, (who, number), "signals")
UNMODELLED(unsigned alarm(unsigned seconds), alarm, (seconds), "signals")

/* ---- other processes ---- */

UNMODELLED(pid_t fork(void), fork, (), "other processes")

pid_t vfork(void)
{
    if (!scheduler_inside)
        return REAL(fork)();
    shims_unmodelled(PLACE, "other processes");
}

UNMODELLED(int execve(const char *path, char *const argument[],
                      char *const environment[]),
           execve, (path, argument, environment), "other processes")
UNMODELLED(int execv(const char *path, char *const argument[]), execv,
           (path, argument), "other processes")
UNMODELLED(int execvp(const char *path, char *const argument[]), execvp,
           (path, argument), "other processes")
UNMODELLED(int system(const char *command), system, (command),
           "other processes")
