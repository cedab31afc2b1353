/* observation_files.h - serial histories kept in files (--observations).
 *
 * Of one test in the file that is named; of several in a directory of that name,
 * a file each.  A file that is there is read, and phase 1 is skipped; one that
 * is not is written. */
#ifndef PLUMB_APP_EXPLORE_INFER_OBSERVATION_FILES_H
#define PLUMB_APP_EXPLORE_INFER_OBSERVATION_FILES_H

#include "app/explore/driver/exploration.h"

/* Of test `number`, from 0, of `tests`: fill in the job before it runs, if there
 * is a file.  False after saying what is wrong with it. */
bool explore_observations_load(const struct exploration *e, unsigned number,
                               unsigned tests, struct job *job);

/* After it has run: write the file, unless it is there.  Likewise. */
bool explore_observations_save(const struct exploration *e, unsigned number,
                               unsigned tests, const struct job *job);

#endif
