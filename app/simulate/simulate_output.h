/* simulate_output.h - histories with their status, in the paper's words.
 *
 *     (This is simulation number 3)
 *     Q deq() P1
 *     ...
 *     (This history is not linearizable!)
 *
 * What is written can be read again: the words in parentheses are comments. */
#ifndef PLUMB_APP_SIMULATE_SIMULATE_OUTPUT_H
#define PLUMB_APP_SIMULATE_SIMULATE_OUTPUT_H

#include "app/console/output.h"
#include <plumb/check.h>

struct simulate_output {
    struct console_output file;
    bool wanted;
    uint64_t written; /* histories */
};

/* `path` may be NULL: nothing is wanted.  False after saying what is wrong. */
bool simulate_output_open(struct simulate_output *o, const char *path);

/* False after saying what is wrong. */
bool simulate_output_write(struct simulate_output *o,
                           const struct plumb_history *h, uint64_t number,
                           enum plumb_verdict verdict);
bool simulate_output_close(struct simulate_output *o);

#endif
