/* progress.h - a line on the terminal that says how a long run is doing. */
#ifndef PLUMB_CLI_PROGRESS_H
#define PLUMB_CLI_PROGRESS_H

#include <plumb/budget.h>

/* Show progress from the second second on, if stderr is a terminal. */
void progress_start(const struct plumb_budget *budget);
void progress_stop(void);

/* One more history was decided. */
void progress_count(void);

/* Instead of how many were: how it is doing.  Cut to a line. */
void progress_line(const char *text);

/* Around anything written to the terminal: take the line away, and allow it
 * again.  The two nest with nothing. */
void progress_hide(void);
void progress_show(void);

#endif
