/* exit_status.h - how a command ends. */
#ifndef PLUMB_APP_CONSOLE_EXIT_STATUS_H
#define PLUMB_APP_CONSOLE_EXIT_STATUS_H

/* The same for every command; of several subjects the worst counts, in the
 * order ERROR, VIOLATED, UNDECIDED, HOLDS. */
enum console_status {
    STATUS_HOLDS = 0,
    STATUS_VIOLATED = 1,
    STATUS_ERROR = 2,
    STATUS_UNDECIDED = 3
};

enum console_status console_worse_status(enum console_status a,
                                         enum console_status b);

#endif
