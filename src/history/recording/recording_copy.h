/* recording_copy.h - events of a recording, handed to a builder. */
#ifndef PLUMB_HISTORY_RECORDING_RECORDING_COPY_H
#define PLUMB_HISTORY_RECORDING_RECORDING_COPY_H

#include "recording.h"

/* Symbols of the recording, or processes, as the builder numbers them. */
struct plumb_history_renumbering {
    uint32_t *symbol; /* number + 1, or 0 */
    size_t count;
};

/* The first three are set by whoever makes one. */
struct plumb_history_recording_copy {
    struct plumb_history_recording *recording;
    struct plumb_builder *builder;
    struct plumb_budget *budget;
    struct plumb_history_renumbering symbols, processes;
    uint32_t renamed; /* how often the builder was, when they were made */
};

void plumb_history_recording_copy_release(
    struct plumb_history_recording_copy *c);

/* Hand over the next event, if there is one.  Of an ERROR `err` has the status.
 */
enum plumb_history_recorded plumb_history_recording_copy_event(
    struct plumb_history_recording_copy *c, struct plumb_error *err);

/* Name the specification that the recording names, if it does. */
enum plumb_status plumb_history_recording_copy_spec(
    struct plumb_history_recording_copy *c, struct plumb_error *err);

#endif
