/* exit_status.c - see exit_status.h. */
#include "exit_status.h"

enum exit_status worse_status(enum exit_status a, enum exit_status b)
{
    static const int badness[] = { [STATUS_HOLDS] = 0,
                                   [STATUS_UNDECIDED] = 1,
                                   [STATUS_VIOLATED] = 2,
                                   [STATUS_ERROR] = 3 };
    return badness[a] > badness[b] ? a : b;
}
