/* exit_status.h - how a command ends. */
#ifndef PLUMB_APP_CONSOLE_EXIT_STATUS_H
#define PLUMB_APP_CONSOLE_EXIT_STATUS_H

/* The same for every command; of several subjects the worst counts, in the
 * order ERROR, VIOLATED, UNDECIDED, HOLDS. */
enum exit_status {
    STATUS_HOLDS = 0,
    STATUS_VIOLATED = 1,
    STATUS_ERROR = 2,
    STATUS_UNDECIDED = 3
};

enum exit_status worse_status(enum exit_status a, enum exit_status b);

#endif
