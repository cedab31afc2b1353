/* scheduler_faults.c - what goes wrong in a thread ends the execution, not us.
 *
 * A signal is handled on a stack of its own, from which control goes back to
 * the strategy as from any event; the target's memory is put back anyway. */
#include "scheduler_state.h"

#include "runtime/explore/memory/pages.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum {
    SIGNAL_STACK = 64 * 1024,
    TICK = 250000, /* microseconds of processor time */
    TICKS = 8      /* without a hook: the step does not end */
};

static void note(enum scheduler_fault fault, const void *pc, const void *at,
                 int64_t detail)
{
    scheduler.finding = (struct scheduler_finding){ .fault = fault,
                                                    .thread = scheduler_running,
                                                    .pc = pc,
                                                    .at = at,
                                                    .detail = detail };
    scheduler.over = true;
}

void scheduler_fail(enum scheduler_fault fault, const void *pc, const void *at,
                    const char *format, ...)
{
    va_list list;
    scheduler_inside = false;
    note(fault, pc, at, 0);
    va_start(list, format);
    vsnprintf(scheduler.finding.text, sizeof scheduler.finding.text, format,
              list);
    va_end(list);
    scheduler_leave();
    __builtin_unreachable();
}

static void *place_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (void *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (void *)(uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

static void crashed(int number, siginfo_t *info, void *context)
{
    if (number == SIGSEGV && memory_pages_fault(info->si_addr))
        return;
    if (!scheduler_inside) {
        signal(number, SIG_DFL); /* our own: let it be seen */
        return;
    }
    const bool overflow =
        number == SIGSEGV &&
        scheduler_fiber_guards(&scheduler.thread[scheduler_running].fiber,
                               info->si_addr);
    note(overflow ? FAULT_STACK : FAULT_CRASH, place_of(context), info->si_addr,
         number);
    snprintf(scheduler.finding.text, sizeof scheduler.finding.text, "%s",
             overflow ? "the thread used up its stack" : strsignal(number));
    scheduler_leave();
}

/* Every now and then: is the same step still running without any hook? */
static void ticked(int number, siginfo_t *info, void *context)
{
    static uint64_t hooks;
    static unsigned same;
    (void)number, (void)info;
    same = scheduler_inside && scheduler.hooks == hooks ? same + 1 : 0;
    hooks = scheduler.hooks;
    if (same < TICKS)
        return;
    same = 0;
    note(FAULT_ENDLESS, place_of(context), NULL, 0);
    snprintf(scheduler.finding.text, sizeof scheduler.finding.text,
             "a thread loops without touching memory");
    scheduler_leave();
}

static bool handle(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = { .sa_flags =
                                    SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
    action.sa_sigaction = handler;
    return !sigaction(number, &action, NULL);
}

static bool tick(void)
{
    const struct itimerval every = { .it_interval = { .tv_usec = TICK },
                                     .it_value = { .tv_usec = TICK } };
    return handle(SIGVTALRM, ticked) &&
           !setitimer(ITIMER_VIRTUAL, &every, NULL);
}

bool scheduler_faults_catch(void)
{
    static const int numbers[] = { SIGSEGV, SIGBUS,  SIGFPE,
                                   SIGILL,  SIGTRAP, SIGABRT };
    const stack_t stack = { .ss_sp = malloc(SIGNAL_STACK),
                            .ss_size = SIGNAL_STACK };
    if (!stack.ss_sp || sigaltstack(&stack, NULL))
        return false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!handle(numbers[i], crashed))
            return false;
    memory_pages_watch();
    return tick();
}
