/* coverage.h - what was tried, for telling how good a pass is. */
#ifndef PLUMB_HOST_COVERAGE_H
#define PLUMB_HOST_COVERAGE_H

#include "strategies/explore.h"
#include "test_driver.h"

/* A thread is about to do its event. */
void host_coverage_step(const struct host_driver *p, unsigned thread);

/* What others have seen. */
void host_coverage_add_place(struct job_coverage *c, uint64_t offset,
                             bool concurrent);

/* Places that are new, or have become concurrent, since they were forgotten:
 * each at most twice. */
void host_coverage_forget_news(void);
/* No place is known any more. */
void host_coverage_forget_places(struct job_coverage *c);
uint32_t host_coverage_news(const uint32_t **places);

/* An execution has ended. */
void host_coverage_end(const struct host_driver *p,
                       const struct plumb_strategies_execution *x);

/* Its operations: which returned, also where it is not gone on with; and which
 * overlapped. */
void host_coverage_returned(const struct host_driver *p);
void host_coverage_overlaps(const struct host_driver *p);

#endif
