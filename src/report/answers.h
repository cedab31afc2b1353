/* answers.h - a scenario and what its operations answered, as a table.
 *
 *   init   push(1) = ok
 *          ────────────────────────
 *          P1           P2
 *          pop() = 1    pop()
 *                       push(3) = ok
 *          ────────────────────────
 *   final  size() = 1
 *
 * Rows are no moments: what overlapped is for a timeline to tell. */
#ifndef PLUMB_REPORT_ANSWERS_H
#define PLUMB_REPORT_ANSWERS_H

#include "label.h"

enum plumb_report_part {
    PLUMB_PART_INIT,
    PLUMB_PART_PROCESS,
    PLUMB_PART_FINAL
};

struct plumb_report_answered {
    enum plumb_report_part part;
    unsigned process; /* of PART_PROCESS, from 0       */
    const char *text; /* "pop() = 1"; arbitrary bytes  */
};

struct plumb_report_answers {
    const char *const *process; /* names */
    unsigned processes;
    const struct plumb_report_answered *operation; /* in order, of each part */
    size_t count;
};

void plumb_report_answers_text(const struct plumb_report_answers *what,
                               const struct plumb_report_style *style,
                               unsigned indent, struct plumb_base_text *out);

#endif
