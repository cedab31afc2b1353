/* compare.h - implementations of one type side by side: plumb simulate
 * --compare.
 *
 * A cell is one object with one number of processes, measured for a while
 * (runtime/simulate/measure.c).  Cells of the same number of processes are measured one
 * after the other, so that what disturbs the machine disturbs all objects. */
#ifndef PLUMB_APP_SIMULATE_COMPARE_H
#define PLUMB_APP_SIMULATE_COMPARE_H

#include "app/objects/target.h"
#include "latencies.h"
#include "simulate_settings.h"

enum { MOST_COMPARED = 16 }; /* objects */

enum simulate_cell_outcome {
    CELL_UNKNOWN, /* not measured: interrupted                 */
    CELL_MEASURED,
    CELL_STUCK,   /* its operations wait for ever              */
    CELL_CRASHED, /* or it ended its process                   */
    CELL_NOTHING  /* so few processes may invoke nothing of it */
};

struct simulate_cell {
    enum simulate_cell_outcome outcome;
    double seconds; /* inside rounds */
    uint64_t calls; /* of all operations */
    struct simulate_latencies operation[PLUMB_MAX_OPERATIONS];
};

struct simulate_compared {
    struct objects_target target;
    bool is_built;
    const char *label; /* the target's, unless another has the same */
    struct worker_description about;
    uint32_t waiting;           /* operations seen to wait for ever */
    struct simulate_cell *cell; /* for 1, 2, ... processes */
};

/* What measuring itself costs: an operation that does nothing. */
struct simulate_measuring_cost {
    double loop;    /* nanoseconds per operation, all in all */
    uint64_t clock; /* nanoseconds in a latency              */
};

struct simulate_comparison {
    const struct simulate_settings *with;
    unsigned processes; /* up to so many */
    unsigned objects;
    struct simulate_compared object[MOST_COMPARED];
    struct simulate_measuring_cost cost;
    bool interrupted;
};

/* Fill in the cell for `processes`; what is learned of waiting operations
 * stays in `o`.  False after saying why nothing can be measured; an interrupt,
 * seen in `budget`, leaves the cell unknown. */
bool simulate_measure_cell(const struct simulate_settings *s,
                           const struct plumb_budget *budget,
                           struct simulate_compared *o, unsigned processes);

/* False after saying why not. */
bool simulate_measure_cost(const struct simulate_settings *s,
                           struct simulate_measuring_cost *cost);

/* Operations per second, 0 unless the cell was measured. */
double simulate_cell_rate(const struct simulate_cell *c);

/* To stdout, and to a file; false after saying what is wrong. */
bool simulate_compare_print(const struct simulate_comparison *c);
struct console_output;
bool simulate_compare_plot(const struct simulate_comparison *c,
                           struct console_output *file);

/* Compare the objects of these names. */
enum console_status simulate_compare_objects(const struct simulate_settings *s,
                                             const char *const *name,
                                             size_t count);

#endif
