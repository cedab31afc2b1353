/* color.h - is the output to be coloured? */
#ifndef PLUMB_CLI_COLOR_H
#define PLUMB_CLI_COLOR_H

#include "options.h"

/* NO_COLOR before CLICOLOR_FORCE before the terminal. */
bool terminal_has_color(void);

/* The value of --color, which comes before them all. */
bool option_color(const struct options *o, int code, const char *value,
                  bool *color);

#endif
