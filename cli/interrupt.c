/* interrupt.c - Ctrl-C ends a run in order. */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>

static _Atomic(struct plumb_budget *) to_stop;

/* Installed with SA_RESETHAND: the second signal has its usual effect. */
static void on_interrupt(int number)
{
    (void)number;
    struct plumb_budget *const budget =
        atomic_load_explicit(&to_stop, memory_order_relaxed);
    if (budget)
        plumb_budget_stop(budget);
}

void interrupts_stop(struct plumb_budget *budget)
{
    struct sigaction action = { .sa_flags = (int)SA_RESETHAND };
    action.sa_handler = budget ? on_interrupt : SIG_DFL;
    atomic_store_explicit(&to_stop, budget, memory_order_relaxed);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}
