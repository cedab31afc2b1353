/* described_object.h - an object as the host saw it, as if it were loaded. */
#ifndef PLUMB_APP_OBJECTS_DESCRIBED_OBJECT_H
#define PLUMB_APP_OBJECTS_DESCRIBED_OBJECT_H

#include "runtime/explore/job/job.h"

/* Names, arguments and weights; nothing that could be run.  Points into `d`.
 * False if it cannot be the description of an object: no operation, domains
 * that are empty. */
bool objects_described_object(const struct job_description *d,
                              struct plumb_object *object);

#endif
