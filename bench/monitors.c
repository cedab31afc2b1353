/* monitors.c - how long monitors take, and how much memory.
 *
 *     monitors TYPE OPERATIONS [THREADS [wrong]]
 *
 * prints TYPE OPERATIONS and then seconds of processor time: reading the tape,
 * deciding (the tape included), verifying the answer; bytes per operation that
 * deciding needs beyond the history; and the verdict. */
#include "long_history.h"

#include "check/monitor.h"
#include <plumb/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double time_tape(const struct plumb_history *h,
                        const struct plumb_spec *spec)
{
    struct plumb_arena arena;
    struct plumb_tapes tapes;
    plumb_arena_init(&arena, NULL);
    const double began = now();
    if (!plumb_tapes_make(h, spec, &arena, &tapes) || tapes.declined)
        exit(1);
    const double took = now() - began;
    plumb_arena_release(&arena);
    return took;
}

int main(int argc, char **argv)
{
    struct plumb_history h;
    struct plumb_spec *spec;
    struct plumb_error err;
    struct plumb_monitored m;
    struct plumb_arena arena;
    if (argc < 3 || plumb_spec_parse(argv[1], &spec, &err) != PLUMB_OK)
        return 2;
    const uint32_t n = (uint32_t)strtoul(argv[2], NULL, 10);
    const unsigned threads = argc > 3 ? (unsigned)atoi(argv[3]) : 8;
    const bool wrong = argc > 4 && strcmp(argv[4], "wrong") == 0;
    if (!long_history(argv[1], n, threads, 1, wrong, &h))
        return 2;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const double tape = time_tape(&h, spec);
    plumb_arena_init(&arena, budget);
    const double began = now();
    if (!plumb_monitor_history(&h, spec, 1, &arena, &m))
        return 1;
    const double decided = now() - began;
    double verified = 0;
    if (m.verdict == PLUMB_LINEARIZABLE) {
        const struct plumb_spec_ref ref = { plumb_spec_text(spec), NULL };
        const double verifying = now();
        if (plumb_verify_witness(&h, ref, m.order, m.order_count, NULL, &err) !=
            PLUMB_OK) {
            fprintf(stderr, "the verifier rejects it: %s\n", err.message);
            return 1;
        }
        verified = now() - verifying;
    }
    printf("%s %u  tape %.4f  decided %.4f  verified %.4f  %.1f bytes  %s\n",
           argv[1], n, tape, decided, verified,
           (double)plumb_budget_peak(budget) / n,
           m.verdict == PLUMB_LINEARIZABLE       ? "linearizable"
           : m.verdict == PLUMB_NOT_LINEARIZABLE ? "not linearizable"
                                                 : m.declined);
    plumb_arena_release(&arena);
    plumb_budget_free(budget);
    plumb_history_release(&h);
    plumb_spec_free(spec);
    return 0;
}
