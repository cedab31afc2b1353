/* output.h - a file that is created, never overwritten, and whole or gone; or a
 * pipe, a terminal or another device, which has nothing to lose. */
#ifndef PLUMB_APP_CONSOLE_OUTPUT_H
#define PLUMB_APP_CONSOLE_OUTPUT_H

#include <plumb/format.h>
#include <stdbool.h>
#include <stdio.h>

struct console_output {
    const char *name;
    FILE *file;
    bool is_stdout;
    bool is_passing;             /* a pipe or so, which stays there */
    bool failed;                 /* a write failed, and that was said */
    struct plumb_budget *budget; /* no more is written once it is stopped */
};

/* "-" is stdout.  False after saying why, in particular if it exists. */
bool console_output_create(struct console_output *out, const char *path);
struct plumb_sink console_output_sink(struct console_output *out);

/* Close it; unless all is well and `keep`, remove it.  False after saying what
 * went wrong; removing what is not to be kept is not wrong. */
bool console_output_finish(struct console_output *out, bool keep);

#endif
