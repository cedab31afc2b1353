/* color.c - is the output to be coloured? */
#include "color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool console_terminal_has_color(void)
{
    const char *const term = getenv("TERM");
    const char *const no = getenv("NO_COLOR");
    const char *const force = getenv("CLICOLOR_FORCE");
    if (no && *no)
        return false;
    if (force && *force && strcmp(force, "0") != 0)
        return true;
    return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}
