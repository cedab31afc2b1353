/* interleaving.h - what threads did one after another, a column per thread.
 *
 *   step  T0                          T1
 *     31  b enq(2)
 *     34  │ cas node#1.next ∅→node#2 ok                          msq.c:44
 *         ↳ preempted
 *     35                              d deq()
 *     36                              │ load head → node#1       msq.c:66
 *
 * Time runs down.  At most one thread does something on a line, so a long text
 * may run on below the columns to its right; what does not fit at all goes on
 * in the next line.  With more threads than there is room for, each line begins
 * with the name of its thread instead. */
#ifndef PLUMB_REPORT_INTERLEAVING_H
#define PLUMB_REPORT_INTERLEAVING_H

#include "label.h"

#define PLUMB_NO_STEP UINT32_MAX

enum {
    PLUMB_MOST_COLUMNS = 64,
    PLUMB_MOST_PLACE = 28 /* columns of a place; of longer ones the end */
};

enum plumb_report_line_kind {
    PLUMB_LINE_EVENT,
    PLUMB_LINE_CALL, /* of an operation or a function                   */
    PLUMB_LINE_ANSWER,
    PLUMB_LINE_SWITCH, /* why another thread goes on                    */
    PLUMB_LINE_FOLD,   /* stands for lines that are left out            */
    PLUMB_LINE_FAULT   /* what went wrong                               */
};

/* A step as data, for programs.  NULL: not known, or no such thing. */
struct plumb_report_step_data {
    const char *file; /* from the root */
    unsigned line;
    const char *function;
    const char *callers;        /* the innermost first, a line each */
    const char *does;           /* "load", "cas", "lock"            */
    const char *object;         /* what it does that to             */
    const char *before, *after; /* its value                  */
    const char *result;         /* "ok", "failed"             */
};

struct plumb_report_line {
    enum plumb_report_line_kind kind;
    uint32_t step;            /* or PLUMB_NO_STEP                         */
    unsigned column, depth;   /* depth: of calls                          */
    const char *text, *place; /* arbitrary bytes; place "" if not known */
    const struct plumb_report_step_data *data; /* or NULL               */
};

struct plumb_report_interleaving {
    const char *const *heading; /* the name of each column */
    unsigned columns;           /* at most PLUMB_MOST_COLUMNS */
    const struct plumb_report_line *line;
    size_t count;
    uint32_t from; /* the number of the first step */
};

void plumb_report_interleaving_text(
    const struct plumb_report_interleaving *what,
    const struct plumb_report_style *style, unsigned indent,
    struct plumb_base_text *out);

#endif
