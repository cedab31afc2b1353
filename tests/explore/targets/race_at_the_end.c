// explore: --strategy dpor --preemptions all
// expect: data race
// explore: --strategy dpor --preemptions all -j 2
// expect: data race
// explore: --strategy dpor --preemptions 4
// expect: data race
// explore: --strategy dpor --no-pruning --preemptions all
// expect: data race
// explore: --strategy dfs --preemptions all
// expect: data race
// explore: --strategy states --preemptions all
// expect: data race
// explore: --strategy random --executions 5000
// expect: data race
// explore: --strategy pct --changes 5 --executions 20000
// expect: data race
// explore: --strategy dpor --preemptions all --keep-going -- -DTWICE
// expect: data race
// says: also: data race
// explore: --strategy dpor --preemptions all -- -DORDERED
// expect: no violation
// explore: --strategy dfs --preemptions all -- -DORDERED -DTWICE
// expect: no violation

/* The writer writes before its first event, in every execution; the reader reads
 * it only where it has seen one value of `turn` after the other, so that the two
 * accesses meet in few executions, and the first of them is in what these have in
 * common with many that do not race.  TWICE: in two ways, in different
 * executions.  ORDERED: what is read was released. */
#include <stdatomic.h>

#include "threads.h"

#ifdef ORDERED
enum { WRITES = memory_order_release, READS = memory_order_acquire };
#else
enum { WRITES = memory_order_relaxed, READS = memory_order_relaxed };
#endif

enum { TURNS = 3 };

static atomic_int turn, sum;
int data;

static void *writes(void *unused)
{
    data = 1;
    for (int i = 0; i < TURNS; i++)
        atomic_fetch_add_explicit(&turn, 1, WRITES);
    return unused;
}

static void *reads(void *unused)
{
    int seen = 0;
    for (int i = 0; i < TURNS; i++)
        seen = 10 * seen + atomic_load_explicit(&turn, READS);
    if (seen == 123)
        atomic_fetch_add(&sum, data);
#ifdef TWICE
    if (seen == 12)
        atomic_fetch_add(&sum, data + 1);
#endif
    return unused;
}

int main(void)
{
    RUN_TWO(writes, reads);
    return 0;
}
