/* text.h - a growing string.
 *
 * A failed allocation marks the text as broken and later calls do nothing, so
 * a caller can write a whole report and ask once at the end.  A new one has
 * nothing but its budget: { .budget = budget }. */
#ifndef PLUMB_BASE_TEXT_H
#define PLUMB_BASE_TEXT_H

#include <plumb/budget.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct plumb_base_text {
    struct plumb_budget *budget;
    char *data; /* NUL-terminated once anything was added; else NULL */
    size_t size, capacity;
    bool broken;
};

void plumb_base_text_init(struct plumb_base_text *t,
                          struct plumb_budget *budget);
void plumb_base_text_release(struct plumb_base_text *t);
void plumb_base_text_clear(struct plumb_base_text *t);
void plumb_base_text_add(struct plumb_base_text *t, const char *string);
void plumb_base_text_bytes(struct plumb_base_text *t, const void *data,
                           size_t size);
/* What means something to XML, in text and in attributes, as entities. */
void plumb_base_text_xml(struct plumb_base_text *t, const char *data,
                         size_t size);
void plumb_base_text_fill(struct plumb_base_text *t, char c, size_t count);
void plumb_base_text_printf(struct plumb_base_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What was written, "" if nothing or if broken. */
const char *plumb_base_text_string(const struct plumb_base_text *t);

#endif
