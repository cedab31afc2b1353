/* config_file.h - options from a file, plumb.toml: a table for each command,
 * and in it the options by their own names.
 *
 *     [explore]
 *     threads = 2
 *     preemptions = "all"
 *     keep-going = true
 *
 * It is beside the object, or above it up to the root of its repository.  It
 * sets options that the command line does not, and can do nothing else. */
#ifndef PLUMB_APP_CONSOLE_CONFIG_FILE_H
#define PLUMB_APP_CONSOLE_CONFIG_FILE_H

#include "options.h"

/* Take a value; what was taken has to stay as long as the options do. */
typedef bool console_config_set(struct console_options *o,
                                const struct console_option *row,
                                const char *value);

/* Of commands with OPTION_NO_CONFIG; false after saying what is wrong. */
bool console_config_read(struct console_options *o, console_config_set *set);

#endif
