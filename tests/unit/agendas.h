/* agendas.h - an agenda as tests look at it. */
#ifndef TESTS_AGENDAS_H
#define TESTS_AGENDAS_H

#include "check/search/unplaced_operations.h"

/* The smallest return on the list; PLUMB_NEVER when it is empty. */
static inline uint32_t horizon_of(const struct plumb_check_agenda *a)
{
    uint32_t horizon = PLUMB_NEVER;
    for (uint32_t i = a->entry[0].next; i && a->entry[i].call < horizon;
         i = a->entry[i].next)
        if (a->entry[i].ret < horizon)
            horizon = a->entry[i].ret;
    return horizon;
}

#endif
