/* progress.h - a line on the terminal that says how a long run is doing. */
#ifndef PLUMB_APP_CONSOLE_PROGRESS_H
#define PLUMB_APP_CONSOLE_PROGRESS_H

#include "base/text.h"
#include <plumb/budget.h>

/* Show progress from the second second on, if stderr is a terminal. */
void console_progress_start(const struct plumb_budget *budget);
void console_progress_stop(void);

/* One more history was decided; or whatever is counted instead, "decided". */
void console_progress_count(void);
void console_progress_unit(const char *what);

/* Instead of how many were: how it is doing.  Cut to a line. */
void console_progress_line(const char *text);

/* So much of it is done; what is left is estimated from that.  Both may change;
 * 0 of 0: nobody knows. */
void console_progress_share(uint64_t done, uint64_t all);

/* Around anything written to the terminal: take the line away, and allow it
 * again.  The two nest with nothing. */
void console_progress_hide(void);
void console_progress_show(void);

/* Print a result to stdout, at once. */
void console_progress_print(const struct plumb_base_text *result);

#endif
