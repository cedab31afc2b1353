/* verify_record.h - a counterexample written down as a history. */
#ifndef PLUMB_APP_VERIFY_VERIFY_RECORD_H
#define PLUMB_APP_VERIFY_VERIFY_RECORD_H

#include "base/text.h"
#include "verify_settings.h"

enum verify_recorded {
    VERIFY_RECORDED,
    VERIFY_NO_RECORD,
    VERIFY_RECORD_FAILED
};

/* Write the way to what was found to --history.  VERIFY_NO_RECORD after saying
 * why it makes no history that is wrong; VERIFY_RECORD_FAILED after saying why
 * the file could not be written. */
enum verify_recorded verify_record(const struct verify_settings *s,
                                   struct plumb_refine_judgement *j,
                                   struct plumb_budget *budget);

/* A line if the calls and responses on the way to a violation are linearizable
 * all the same (clients or values are missing in the assertion), or are none
 * that the built-in specification knows. */
void verify_excuse(struct plumb_refine_judgement *j,
                   struct plumb_budget *budget, struct plumb_base_text *out);

#endif
