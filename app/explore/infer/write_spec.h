/* write_spec.h - the serial histories of all tests as a specification in C
 * (--write-spec). */
#ifndef PLUMB_APP_EXPLORE_INFER_WRITE_SPEC_H
#define PLUMB_APP_EXPLORE_INFER_WRITE_SPEC_H

#include "app/explore/driver/exploration.h"

struct explore_written;

/* Create the file, unless none is wanted: *w is NULL then.  False after saying
 * what is wrong. */
bool explore_written_open(const struct exploration *e,
                          struct explore_written **w);

/* The serial histories of a test that has run. */
void explore_written_add(struct explore_written *w, const struct job *job);

/* Write it if all tests `passed`, and release everything.  False after saying
 * what is wrong; what is not written is removed. */
bool explore_written_close(struct explore_written *w,
                           const struct exploration *e, bool passed);

#endif
