/* coverage.h - what was tried, for telling how good a pass is. */
#ifndef PLUMB_HOST_COVERAGE_H
#define PLUMB_HOST_COVERAGE_H

#include "play.h"
#include "strategies/explore.h"

/* A thread is about to do its event. */
void coverage_step(const struct play *p, unsigned thread);

/* What others have seen. */
void coverage_add_place(struct job_coverage *c, uint64_t offset,
                        bool concurrent);

/* Places that are new, or have become concurrent, since they were forgotten:
 * each at most twice. */
void coverage_forget_news(void);
/* No place is known any more. */
void coverage_forget_places(struct job_coverage *c);
uint32_t coverage_news(const uint32_t **places);

/* An execution has ended. */
void coverage_end(const struct play *p, const struct plumb_execution *x);

/* Its operations: which returned, also where it is not gone on with; and which
 * overlapped. */
void coverage_returned(const struct play *p);
void coverage_overlaps(const struct play *p);

#endif
