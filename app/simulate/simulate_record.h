/* simulate_record.h - simulate --record: one long run, recorded to a file. */
#ifndef PLUMB_APP_SIMULATE_SIMULATE_RECORD_H
#define PLUMB_APP_SIMULATE_SIMULATE_RECORD_H

#include "simulate_settings.h"

/* Run the object for a time, or a number of operations.  Nothing is decided. */
enum console_status simulate_record(const struct simulate_settings *s,
                                    const struct objects_target *target);

#endif
