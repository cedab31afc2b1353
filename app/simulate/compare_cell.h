/* compare_cell.h - measure one object with one number of processes. */
#ifndef PLUMB_APP_SIMULATE_COMPARE_CELL_H
#define PLUMB_APP_SIMULATE_COMPARE_CELL_H

#include "compare.h"

/* Fill in the cell for `processes`; what is learned of waiting operations
 * stays in `o`.  False after saying why nothing can be measured; an interrupt,
 * seen in `budget`, leaves the cell unknown. */
bool simulate_measure_cell(const struct simulate_settings *s,
                           const struct plumb_budget *budget,
                           struct simulate_compared *o, unsigned processes);

/* False after saying why not. */
bool simulate_measure_cost(const struct simulate_settings *s,
                           struct simulate_measuring_cost *cost);

#endif
