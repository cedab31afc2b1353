/* exit_status.c - see exit_status.h. */
#include "exit_status.h"

enum console_status console_worse_status(enum console_status a,
                                         enum console_status b)
{
    static const int badness[] = { [STATUS_HOLDS] = 0,
                                   [STATUS_UNDECIDED] = 1,
                                   [STATUS_VIOLATED] = 2,
                                   [STATUS_ERROR] = 3 };
    return badness[a] > badness[b] ? a : b;
}
