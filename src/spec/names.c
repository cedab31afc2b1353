/* names.c - comparing names as people spell them. */
#include "names.h"

#include <string.h>

static bool is_ignored(char c)
{
    return c == '-' || c == '_';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool plumb_spec_name_equal(const char *a, size_t a_length, const char *b,
                           size_t b_length)
{
    const char *const a_end = a + a_length, *const b_end = b + b_length;
    for (;;) {
        while (a != a_end && is_ignored(*a))
            a++;
        while (b != b_end && is_ignored(*b))
            b++;
        if (a == a_end || b == b_end)
            return a == a_end && b == b_end;
        if (lower(*a++) != lower(*b++))
            return false;
    }
}

size_t plumb_spec_names_first(const char *names)
{
    return strcspn(names, " ");
}

bool plumb_spec_names_have(const char *names, const char *name, size_t length)
{
    while (*names) {
        const size_t size = plumb_spec_names_first(names);
        if (plumb_spec_name_equal(names, size, name, length))
            return true;
        names += size;
        names += *names == ' ';
    }
    return false;
}
