/* symbols.h - numbered strings of one history.
 *
 * Built by interning, or laid over the string sections of a mapped file:
 * symbol i is text[start[i]] .. text[start[i + 1] - 1], the last byte a NUL.
 * Symbol 0 is the empty string. */
#ifndef PLUMB_HISTORY_SYMBOLS_H
#define PLUMB_HISTORY_SYMBOLS_H

#include "base/index.h"
#include <plumb/history.h>

struct plumb_symbols {
    struct plumb_budget *budget;
    const char *text;
    const uint32_t *start; /* count + 1 entries */
    uint32_t count;
    uint32_t text_size;
    /* Only of tables that were built here; 0 / NULL for mapped ones. */
    size_t text_capacity, start_capacity;
    struct plumb_base_index index;
};

/* False when memory is used up. */
bool plumb_history_symbols_init(struct plumb_symbols *s,
                                struct plumb_budget *budget);
void plumb_history_symbols_release(struct plumb_symbols *s);

/* UINT32_MAX when memory is used up, or at 4 GiB of text. */
uint32_t plumb_history_symbols_intern(struct plumb_symbols *s, const char *text,
                                      size_t length);

/* Is no text there twice?  If not, `*twin` is the later of two symbols with the
 * same text, or UINT32_MAX if the budget refused before that could be told. */
bool plumb_history_symbols_are_distinct(const struct plumb_symbols *s,
                                        uint32_t *twin);

/* A new table of those that are needed; symbol[i] becomes the new number of i.
 * False when memory is used up: then, too, `to` is to be released. */
bool plumb_history_symbols_copy(const struct plumb_symbols *from,
                                const bool *needed, struct plumb_symbols *to,
                                uint32_t *symbol);

#endif
