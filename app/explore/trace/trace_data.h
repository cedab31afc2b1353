/* trace_data.h - a line of an execution as data, for programs. */
#ifndef PLUMB_APP_EXPLORE_TRACE_TRACE_DATA_H
#define PLUMB_APP_EXPLORE_TRACE_TRACE_DATA_H

#include "trace_rows.h"

/* Where in the code it is, and what an access does.  NULL for lines that stand
 * for no step, and when memory is used up. */
const struct plumb_report_step_data *explore_trace_data(
    const struct explore_trace_names *n, const struct explore_trace_row *row,
    struct plumb_base_arena *arena);

#endif
