/* instructions.c - see instructions.h. */
#include "instructions.h"

#include <string.h>

bool instruction_is(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

bool instruction_starts(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strncmp(text, *list, strlen(*list)) == 0)
            return true;
    return false;
}
