/* record.c - what recording an operation costs, beside its two stamps alone.
 *
 *     record FILE [THREADS]
 *
 * Operations that do nothing, in batches, by the time that the thread uses, the
 * kernel's for it included; the fastest batch and the median.  With more threads, how many events they write in a second. */
#include "record/stamp.h"
#include <errno.h>
#include <plumb/record.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BATCHES = 400, BATCH = 20000, MOST_THREADS = 64 };

struct way {
    const char *name;
    void (*run)(plumb_recorder *r, uint32_t clock, int64_t n);
    double nanoseconds[BATCHES];
};

/* What a compiler must not see through. */
static void keep(uint64_t value)
{
    __asm__ volatile("" ::"r"(value) : "memory");
}

static void stamp_only(plumb_recorder *r, uint32_t clock, int64_t n)
{
    (void)r;
    (void)n;
    keep(plumb_record_clock_call(clock));
    plumb_record_stamp_stop_running_ahead();
    keep(plumb_record_clock_return(clock));
}

static void record_nothing(plumb_recorder *r, uint32_t clock, int64_t n)
{
    (void)clock;
    (void)n;
    plumb_record_begin(r, "Q", "deq", NULL, 0);
    plumb_record_end(r, "empty", NULL, 0);
}

static void record_enq(plumb_recorder *r, uint32_t clock, int64_t n)
{
    (void)clock;
    plumb_record_begin(r, "Q", "enq", &n, 1);
    plumb_record_end(r, NULL, NULL, 0);
}

static void record_both(plumb_recorder *r, uint32_t clock, int64_t n)
{
    (void)clock;
    plumb_record_begin(r, "M", "swap", &n, 1);
    plumb_record_end(r, NULL, &n, 1);
}

static int compare(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

/* Nanoseconds of this thread, the kernel's for it included: other work on the
 * machine does not count. */
static double time_used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_batch(const struct way *w, plumb_recorder *r, uint32_t clock)
{
    const double began = time_used();
    for (int64_t n = 0; n < BATCH; n++)
        w->run(r, clock, n);
    return (time_used() - began) / BATCH;
}

static void measure_ways(plumb_recorder *r, uint32_t clock)
{
    static struct way way[] = { { .name = "two stamps", .run = stamp_only },
                                { .name = "no values", .run = record_nothing },
                                { .name = "an argument", .run = record_enq },
                                { .name = "argument, result",
                                  .run = record_both } };
    enum { WAYS = sizeof way / sizeof *way };
    for (int b = 0; b < BATCHES; b++)
        for (int i = 0; i < WAYS; i++)
            way[i].nanoseconds[b] = time_batch(&way[i], r, clock);
    for (int i = 0; i < WAYS; i++) {
        qsort(way[i].nanoseconds, BATCHES, sizeof(double), compare);
        const double least = way[i].nanoseconds[0];
        const double median = way[i].nanoseconds[BATCHES / 2];
        printf("%-18s %6.1f ns, median %6.1f", way[i].name, least, median);
        if (i > 0)
            printf("   beyond the stamps %6.1f, median %6.1f",
                   least - way[0].nanoseconds[0],
                   median - way[0].nanoseconds[BATCHES / 2]);
        printf("\n");
    }
}

/* ---- many threads ---- */

enum { OPERATIONS = 4000000 };

static void *write_many(void *context)
{
    for (int64_t n = 0; n < OPERATIONS; n++)
        record_enq(context, 0, n);
    return NULL;
}

static void measure_threads(plumb_recorder *r, unsigned threads)
{
    pthread_t thread[MOST_THREADS];
    const uint64_t began = plumb_record_stamp_monotonic();
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, write_many, r) != 0)
            exit(2);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    const double seconds =
        (double)(plumb_record_stamp_monotonic() - began) / 1e9;
    printf("%u threads: %.1f million events/s\n", threads,
           2.0 * OPERATIONS * threads / seconds / 1e6);
}

static plumb_recorder *open_file(const char *path)
{
    plumb_recorder *const r = plumb_record_open(path);
    if (r)
        return r;
    fprintf(stderr, "record: %s: %s\n", path, strerror(errno));
    exit(2);
}

int main(int argc, char **argv)
{
    struct stat st = { .st_size = 0 };
    if (argc < 2 || argc > 3) {
        fputs("usage: record FILE [THREADS]\n", stderr);
        return 2;
    }
    plumb_recorder *r = open_file(argv[1]);
    const struct plumb_clock clock = plumb_record_clock(r);
    const bool counter = strcmp(clock.name, "monotonic") != 0;
    printf("clock: %s, %.0f MHz, uncertainty %llu ticks\n", clock.name,
           (double)clock.ticks_per_second / 1e6,
           (unsigned long long)clock.uncertainty);
    measure_ways(r, counter ? STAMP_COUNTER : RECORDING_MONOTONIC);
    plumb_record_close(r);
    r = open_file(argv[1]);
    unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2;
    measure_threads(r, threads > MOST_THREADS ? MOST_THREADS : threads);
    plumb_record_close(r);
    stat(argv[1], &st);
    printf("file: %.1f bytes an operation\n",
           (double)st.st_size / ((double)OPERATIONS * threads));
    return 0;
}
