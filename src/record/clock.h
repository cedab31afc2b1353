/* clock.h - which clock to stamp with. */
#ifndef PLUMB_RECORD_CLOCK_H
#define PLUMB_RECORD_CLOCK_H

#include <stdint.h>

struct plumb_recorder_clock {
    uint32_t clock; /* enum recording_clock */
    uint64_t ticks_per_second;
    uint64_t uncertainty; /* ticks */
};

/* The fastest one that can be trusted here.  Takes some milliseconds. */
struct plumb_recorder_clock plumb_record_clock_choose(void);

#endif
