/* instructions.c - see instructions.h. */
#include "instructions.h"

#include <stdio.h>
#include <string.h>

void instruction_split(const char *text, struct instruction *i)
{
    const size_t length = strcspn(text, " \t");
    snprintf(i->name, sizeof i->name, "%.*s", (int)length, text);
    i->operands = text + length + strspn(text + length, " \t");
}

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
