/* color.h - is the output to be coloured? */
#ifndef PLUMB_APP_CONSOLE_COLOR_H
#define PLUMB_APP_CONSOLE_COLOR_H

#include <stdbool.h>

/* NO_COLOR before CLICOLOR_FORCE before the terminal. */
bool console_terminal_has_color(void);

#endif
