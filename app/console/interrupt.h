/* interrupt.h - Ctrl-C ends a run in order: what was found so far is told. */
#ifndef PLUMB_APP_CONSOLE_INTERRUPT_H
#define PLUMB_APP_CONSOLE_INTERRUPT_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <sys/types.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP stops `budget`, the next one kills.
 * NULL: as it was before. */
void console_interrupts_stop(struct plumb_budget *budget);

/* ---- while files are made that must not be left behind ----
 *
 * Between hold and release a signal is kept, and passed on to the process that
 * makes them.  Released, it has the effect that it would have had. */
void console_interrupts_hold(void);
bool console_interrupts_held_one(void);
void console_interrupts_pass_to(pid_t process); /* 0: to nobody */
void console_interrupts_release(void);

#endif
