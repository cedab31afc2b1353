/* standstill.h - how long a process has done nothing, though it could have.
 *
 * Whoever waits for a processor is not stuck: others are busy.  So the clock on
 * the wall does not tell whether a process hangs, and what it says would depend
 * on what else the machine does. */
#ifndef PLUMB_APP_OBJECTS_STANDSTILL_H
#define PLUMB_APP_OBJECTS_STANDSTILL_H

#include <stdint.h>
#include <sys/types.h>

enum { STANDSTILL_THREADS = 128 }; /* more are not looked at */

struct objects_standstill {
    pid_t pid;
    uint64_t since; /* nanoseconds; 0: it has not begun */
    unsigned threads;
    struct objects_standstill_thread {
        pid_t id;
        uint64_t ran, waited; /* for a processor; nanoseconds */
        uint64_t turns;       /* how often it was given one   */
    } thread[STANDSTILL_THREADS];
};

/* Look at the process, whose standstill begins now. */
void objects_standstill_begin(struct objects_standstill *s, pid_t pid);

/* The time since then in which every thread of the process had a processor, or
 * wanted none, or gave it away again and again; or less.  Nanoseconds. */
uint64_t objects_standstill_length(const struct objects_standstill *s);

#endif
