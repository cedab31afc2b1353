/* log.c - filling in an entry of the log.
 *
 * Some of this runs inside operations, on the process's own entry: no lock, no
 * allocation, nothing that another process could notice. */
#include "log.h"

#include <assert.h>
#include <string.h>

void plumb_record_entry_begin(struct plumb_record_entry *e, unsigned operation)
{
    e->operation = (uint8_t)operation;
    e->nargs = e->nres = e->flaws = 0;
    e->text_used = 0;
    e->text[sizeof e->text - 1] = '\0';
    e->blocked = false;
    memset(e->term, 0, sizeof e->term);
    atomic_store_explicit(&e->ret, 0, memory_order_relaxed);
}

void plumb_record_entry_number(struct plumb_record_entry *e, int64_t number)
{
    assert(e->nargs < PLUMB_MAX_ARGUMENTS);
    e->value[e->nargs++] = plumb_int(number);
}

uint16_t plumb_record_entry_keep(struct plumb_record_entry *e, const char *text,
                                 size_t length)
{
    const uint16_t at = e->text_used;
    if (length >= (size_t)PLUMB_ENTRY_TEXT - at) {
        e->flaws |= PLUMB_FLAW_TEXT;
        return 0;
    }
    memcpy(e->text + at, text, length);
    e->text[at + length] = '\0';
    e->text_used = (uint16_t)(at + length + 1);
    return at;
}

void plumb_record_entry_text(struct plumb_record_entry *e, const char *text,
                             size_t length)
{
    e->value[e->nargs++] = plumb_str(plumb_record_entry_keep(e, text, length));
}
