/* text.c - growing strings. */
#include "text.h"

#include "memory.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

void plumb_base_text_init(struct plumb_base_text *t,
                          struct plumb_budget *budget)
{
    *t = (struct plumb_base_text){ .budget = budget };
}

void plumb_base_text_release(struct plumb_base_text *t)
{
    plumb_base_release(t->budget, t->data, t->capacity);
    plumb_base_text_init(t, t->budget);
}

void plumb_base_text_clear(struct plumb_base_text *t)
{
    t->size = 0;
    t->broken = false;
    if (t->data)
        t->data[0] = '\0';
}

static char *room(struct plumb_base_text *t, size_t size)
{
    if (t->broken ||
        !PLUMB_GROW(t->budget, t->data, t->capacity, t->size + size + 1)) {
        t->broken = true;
        return NULL;
    }
    return t->data + t->size;
}

void plumb_base_text_bytes(struct plumb_base_text *t, const void *data,
                           size_t size)
{
    assert(data || !size);
    char *const to = room(t, size);
    if (!to)
        return;
    memcpy(to, data, size);
    to[size] = '\0';
    t->size += size;
}

void plumb_base_text_add(struct plumb_base_text *t, const char *string)
{
    plumb_base_text_bytes(t, string, strlen(string));
}

void plumb_base_text_xml(struct plumb_base_text *t, const char *data,
                         size_t size)
{
    for (size_t i = 0; i < size; i++)
        switch (data[i]) {
        case '&':
            plumb_base_text_add(t, "&amp;");
            break;
        case '<':
            plumb_base_text_add(t, "&lt;");
            break;
        case '>':
            plumb_base_text_add(t, "&gt;");
            break;
        case '"':
            plumb_base_text_add(t, "&quot;");
            break;
        default:
            plumb_base_text_bytes(t, data + i, 1);
        }
}

void plumb_base_text_fill(struct plumb_base_text *t, char c, size_t count)
{
    char *const to = room(t, count);
    if (!to)
        return;
    memset(to, c, count);
    to[count] = '\0';
    t->size += count;
}

void plumb_base_text_printf(struct plumb_base_text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int size = vsnprintf(NULL, 0, format, args);
    char *const to = size < 0 ? NULL : room(t, (size_t)size);
    if (to) {
        vsnprintf(to, (size_t)size + 1, format, again);
        t->size += (size_t)size;
    }
    va_end(again);
    va_end(args);
}

const char *plumb_base_text_string(const struct plumb_base_text *t)
{
    return t->data && !t->broken ? t->data : "";
}
