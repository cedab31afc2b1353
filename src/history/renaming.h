/* renaming.h - the symbols of a stream, without those that are settled. */
#ifndef PLUMB_HISTORY_RENAMING_H
#define PLUMB_HISTORY_RENAMING_H

#include "builder.h"

struct plumb_history_renaming {
    struct plumb_budget *budget;
    uint32_t symbols, threads, objects; /* so many there were */
    bool *needed;     /* by symbol: whoever needs one says so */
    bool *kept;       /* by object: the same */
    uint32_t *symbol; /* by symbol: the new one, or UINT32_MAX */
    uint32_t *thread; /* by thread: its new index, or UINT32_MAX */
    uint32_t *object; /* by object: the same */
};

/* False when memory is used up; to be closed in any case. */
bool plumb_history_renaming_open(struct plumb_history_renaming *r,
                                 const struct plumb_builder *b);
void plumb_history_renaming_close(struct plumb_history_renaming *r);

/* The builder, just settled, forgets symbols that are not needed, and threads
 * and objects without an open operation, unless they are to be kept.  False when memory is used up: nothing changed. */
bool plumb_history_builder_rename(struct plumb_builder *b,
                                  struct plumb_history_renaming *r);

/* A value that was said to be needed. */
void plumb_history_rename_value(const struct plumb_history_renaming *r,
                                struct plumb_value *v);

#endif
