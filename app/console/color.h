/* color.h - is the output to be coloured? */
#ifndef PLUMB_APP_CONSOLE_COLOR_H
#define PLUMB_APP_CONSOLE_COLOR_H

#include "options.h"

/* NO_COLOR before CLICOLOR_FORCE before the terminal. */
bool console_terminal_has_color(void);

/* The value of --color, which comes before them all. */
bool console_option_color(const struct console_options *o, int code,
                          const char *value, bool *color);

#endif
