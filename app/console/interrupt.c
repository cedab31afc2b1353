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

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
enum { NUMBERS = sizeof numbers / sizeof *numbers };

void console_interrupts_stop(struct plumb_budget *budget)
{
    struct sigaction action = { .sa_flags = (int)SA_RESETHAND };
    action.sa_handler = budget ? on_interrupt : SIG_DFL;
    atomic_store_explicit(&to_stop, budget, memory_order_relaxed);
    for (unsigned i = 0; i < NUMBERS; i++)
        sigaction(numbers[i], &action, NULL);
}

/* ---- holding ---- */

static struct sigaction before[NUMBERS];
static volatile sig_atomic_t held, maker;

static void on_held(int number)
{
    held = number;
    if (maker)
        kill((pid_t)maker, number);
}

void console_interrupts_hold(void)
{
    struct sigaction action = { .sa_handler = on_held };
    held = 0;
    for (unsigned i = 0; i < NUMBERS; i++) {
        sigaction(numbers[i], &action, &before[i]);
        if (before[i].sa_handler == SIG_IGN)
            sigaction(numbers[i], &before[i], NULL);
    }
}

bool console_interrupts_held_one(void)
{
    return held != 0;
}

void console_interrupts_pass_to(pid_t process)
{
    maker = (sig_atomic_t)process;
}

void console_interrupts_release(void)
{
    for (unsigned i = 0; i < NUMBERS; i++)
        sigaction(numbers[i], &before[i], NULL);
    if (held)
        raise(held);
}
