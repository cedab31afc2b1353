/* counts.c - what an object counts and draws while an operation runs.
 *
 * Threads that run no operation, and objects that run elsewhere, count for
 * nobody.
 *
 * Latencies are kept in buckets, eight to a power of two, so that a percentile
 * is right to within an eighth whatever the range. */
#include "counts.h"

#include "runtime/common/invocation.h"
#include "runtime/common/wait.h"
#include <plumb/object.h>
#include <unistd.h>

static _Thread_local struct {
    struct worker_tally *tally;
    struct plumb_base_rng *rng;
    unsigned operation;
} current;

void worker_counts_begin(struct worker_tally *tally, unsigned operation,
                         struct plumb_base_rng *rng)
{
    current.tally = tally;
    current.operation = operation;
    current.rng = rng;
}

void plumb_retry(void)
{
    if (current.tally)
        current.tally->retries[current.operation]++;
}

void plumb_contend(void)
{
    if (current.tally)
        current.tally->contended[current.operation]++;
}

unsigned plumb_choose(unsigned n)
{
    return current.rng && n ? plumb_base_rng_below(current.rng, n) : 0;
}

/* Then what it does is nobody's concern: it waits, as an operation may. */
void plumb_assume(bool condition)
{
    while (!condition)
        pause();
}

unsigned worker_latency_bucket(uint64_t nanoseconds)
{
    if (nanoseconds < 8)
        return (unsigned)nanoseconds;
    const unsigned power = 63 - (unsigned)__builtin_clzll(nanoseconds);
    const unsigned eighth = (unsigned)(nanoseconds >> (power - 3)) & 7;
    const unsigned bucket = (power - 2) * 8 + eighth;
    return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1;
}

uint64_t worker_latency_of_bucket(unsigned bucket)
{
    if (bucket < 8)
        return bucket;
    return (uint64_t)(8 + bucket % 8) << (bucket / 8 - 1);
}

void worker_counts_latency(struct worker_tally *tally, unsigned operation,
                           uint64_t nanoseconds)
{
    tally->latency[operation][worker_latency_bucket(nanoseconds)]++;
    if (nanoseconds > tally->longest[operation])
        tally->longest[operation] = nanoseconds;
}

void worker_counts_run(const struct plumb_operation *o, plumb_invocation *i,
                       struct worker_tally *tally)
{
    const uint64_t begin = runtime_nanoseconds_now();
    o->run(i);
    worker_counts_latency(tally, i->entry->operation,
                          runtime_nanoseconds_now() - begin);
}
