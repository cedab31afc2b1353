/* verify_resources.c - see verify_resources.h. */
#include "verify_resources.h"

#include "app/console/say.h"
#include "base/memory.h"
#include <unistd.h>

static double since(clockid_t clock, const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)(now.tv_sec - begin->tv_sec) +
           (double)(now.tv_nsec - begin->tv_nsec) / 1e9;
}

void verify_resources_begin(struct verify_resources *r,
                            struct plumb_budget *budget)
{
    r->budget = budget;
    plumb_base_budget_forget_peak(budget);
    clock_gettime(CLOCK_MONOTONIC, &r->begin);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &r->processor);
}

double verify_resources_elapsed(const struct verify_resources *r)
{
    return since(CLOCK_MONOTONIC, &r->begin);
}

void verify_resources_json(const struct verify_resources *r,
                           struct plumb_base_text *out)
{
    plumb_base_text_printf(
        out,
        ",\"resources\":{\"seconds\":%.3f,\"processor_seconds\":%.3f,"
        "\"memory_bytes\":%zu}",
        verify_resources_elapsed(r),
        since(CLOCK_PROCESS_CPUTIME_ID, &r->processor),
        plumb_budget_peak(r->budget));
}

void verify_resources_note(const struct verify_resources *r,
                           const char *subject, bool verbose)
{
    if (!verbose && !isatty(STDERR_FILENO))
        return;
    console_note("%s: %.2f s, %.2f s of processor time, %.0f MiB", subject,
                 verify_resources_elapsed(r),
                 since(CLOCK_PROCESS_CPUTIME_ID, &r->processor),
                 (double)plumb_budget_peak(r->budget) / (1 << 20));
}
