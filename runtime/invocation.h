/* invocation.h - one call of an operation, as the runtime sees it. */
#ifndef PLUMB_RUNTIME_INVOCATION_H
#define PLUMB_RUNTIME_INVOCATION_H

#include "record/log.h"

struct plumb_invocation {
    struct plumb_entry *entry;
    unsigned process;
};

/* A text for entry->text: its offset; sets PLUMB_FLAW_TEXT if it has no room.
 */
uint16_t invocation_keep_text(struct plumb_entry *e, const char *text);

#endif
