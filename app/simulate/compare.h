/* compare.h - implementations of one type side by side: plumb simulate
 * --compare.
 *
 * A cell is one object with one number of processes, measured for a while
 * (runtime/measure.h).  Cells of the same number of processes are measured one
 * after the other, so that what disturbs the machine disturbs all objects. */
#ifndef PLUMB_CLI_COMPARE_H
#define PLUMB_CLI_COMPARE_H

#include "latencies.h"
#include "simulate_settings.h"
#include "app/objects/target.h"

enum { MOST_COMPARED = 16 }; /* objects */

enum cell_outcome {
    CELL_UNKNOWN, /* not measured: interrupted                 */
    CELL_MEASURED,
    CELL_STUCK,   /* its operations wait for ever              */
    CELL_CRASHED, /* or it ended its process                   */
    CELL_NOTHING  /* so few processes may invoke nothing of it */
};

struct cell {
    enum cell_outcome outcome;
    double seconds; /* inside rounds */
    uint64_t calls; /* of all operations */
    struct latencies operation[PLUMB_MAX_OPERATIONS];
};

struct compared {
    struct target target;
    bool is_built;
    const char *label; /* the target's, unless another has the same */
    struct description about;
    uint32_t waiting;  /* operations seen to wait for ever */
    struct cell *cell; /* for 1, 2, ... processes */
};

/* What measuring itself costs: an operation that does nothing. */
struct measuring_cost {
    double loop;    /* nanoseconds per operation, all in all */
    uint64_t clock; /* nanoseconds in a latency              */
};

struct comparison {
    const struct simulate_settings *with;
    unsigned processes; /* up to so many */
    unsigned objects;
    struct compared object[MOST_COMPARED];
    struct measuring_cost cost;
    bool interrupted;
};

/* Operations per second, 0 unless the cell was measured. */
double cell_rate(const struct cell *c);

/* To stdout, and to a file; false after saying what is wrong. */
bool compare_print(const struct comparison *c);
struct output;
bool compare_plot(const struct comparison *c, struct output *file);

/* Compare the objects of these names. */
enum exit_status compare_objects(const struct simulate_settings *s,
                                 const char *const *name, size_t count);

#endif
