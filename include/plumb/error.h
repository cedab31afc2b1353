/* error.h - how a call says what went wrong.
 *
 * A violation is a verdict, never an error.  An error names the place in the
 * input where it can: line and column count from 1; line 0 with a column is a
 * byte offset into a binary file; both 0 is no place at all. */
#ifndef PLUMB_ERROR_H
#define PLUMB_ERROR_H

#include <stdint.h>

enum plumb_status {
    PLUMB_OK,
    PLUMB_END,     /* no more histories in this source             */
    PLUMB_EINPUT,  /* the input is malformed; position in the error */
    PLUMB_EIO,     /* the operating system refused; errno's text    */
    PLUMB_EMEMORY, /* memory, or the budget's share of it, is used up */
    PLUMB_ETIME,   /* the deadline has passed                       */
    PLUMB_ESTOP,   /* interrupted from outside                      */
    PLUMB_EBUG     /* an answer of ours was rejected by our verifier */
};

struct plumb_error {
    enum plumb_status status;
    uint64_t line, column;
    char message[256]; /* lower case, no final stop, names the thing */
};

#endif
