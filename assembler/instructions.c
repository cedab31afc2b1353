/* instructions.c - see instructions.h. */
#include "instructions.h"

#include <stdio.h>
#include <string.h>

void assembler_instruction_split(const char *text,
                                 struct assembler_instruction *i)
{
    const size_t length = strcspn(text, " \t");
    snprintf(i->name, sizeof i->name, "%.*s", (int)length, text);
    i->operands = text + length + strspn(text + length, " \t");
}

bool assembler_is_word_of(const char *words, const char *text)
{
    const size_t length = strlen(text);
    for (const char *at = words; length && (at = strstr(at, text)); at++)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

bool assembler_instruction_is(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

bool assembler_instruction_starts(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (assembler_starts_with(text, *list))
            return true;
    return false;
}
