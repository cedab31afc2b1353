/* simulate_statistics.c - how long operations took, and what they met. */
#include "simulate_statistics.h"

#include "runtime/counts.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t bucket_count(const struct shared *s, unsigned operation,
                             unsigned bucket)
{
    uint64_t count = 0;
    for (unsigned p = 0; p < s->with.processes; p++)
        count += s->tally[p].latency[operation][bucket];
    return count;
}

/* The least latency that `percent` of the calls did not exceed. */
static uint64_t percentile(const struct shared *s, unsigned operation,
                           uint64_t calls, unsigned percent)
{
    const uint64_t wanted = (calls * percent + 99) / 100;
    uint64_t seen = 0;
    unsigned b = 0;
    while (b < LATENCY_BUCKETS - 1 &&
           (seen += bucket_count(s, operation, b)) < wanted)
        b++;
    return latency_of_bucket(b);
}

struct latencies latencies_of(const struct shared *s, unsigned operation)
{
    struct latencies l = { 0 };
    uint64_t timed = 0;
    for (unsigned p = 0; p < s->with.processes; p++) {
        const struct tally *const t = &s->tally[p];
        l.calls += t->calls[operation];
        l.retries += t->retries[operation];
        l.contended += t->contended[operation];
        if (t->longest[operation] > l.longest)
            l.longest = t->longest[operation];
    }
    for (unsigned b = 0; b < LATENCY_BUCKETS; b++)
        timed += bucket_count(s, operation, b);
    l.median = percentile(s, operation, timed, 50);
    l.ninety = percentile(s, operation, timed, 90);
    l.ninety_nine = percentile(s, operation, timed, 99);
    return l;
}

void print_duration(char text[16], uint64_t nanoseconds)
{
    const double n = (double)nanoseconds;
    if (nanoseconds < 1000)
        snprintf(text, 16, "%u ns", (unsigned)nanoseconds);
    else if (nanoseconds < 1000000)
        snprintf(text, 16, "%.3g us", n / 1e3);
    else if (nanoseconds < 1000000000)
        snprintf(text, 16, "%.3g ms", n / 1e6);
    else
        snprintf(text, 16, "%.3g s", n / 1e9);
}

static void print_row(const char *name, const struct latencies *l,
                      double seconds)
{
    char median[16], ninety[16], ninety_nine[16], longest[16];
    print_duration(median, l->median);
    print_duration(ninety, l->ninety);
    print_duration(ninety_nine, l->ninety_nine);
    print_duration(longest, l->longest);
    fprintf(stderr,
            "%-12.12s %9.0f %8s %8s %8s %8s %8" PRIu64 " %9" PRIu64 "\n", name,
            seconds > 0 ? (double)l->calls / seconds : 0.0, median, ninety,
            ninety_nine, longest, l->retries, l->contended);
}

void simulate_statistics(const struct shared *s,
                         const struct simulate_outcome *o)
{
    const double seconds = (double)(o->ended - o->began) / 1e9;
    fprintf(stderr, "%-12s %9s %8s %8s %8s %8s %8s %9s\n", "operation",
            "calls/s", "median", "90%", "99%", "maximum", "retries",
            "contended");
    for (unsigned i = 0; i < s->object.operations; i++) {
        const struct latencies l = latencies_of(s, i);
        print_row(s->object.operation[i], &l, seconds);
    }
}
