/* invocation.h - one call of an operation, as the runtime sees it. */
#ifndef PLUMB_RUNTIME_COMMON_INVOCATION_H
#define PLUMB_RUNTIME_COMMON_INVOCATION_H

#include "record/log.h"

struct plumb_invocation {
    struct plumb_record_entry *entry;
    unsigned process;
};

#endif
