/* faults.h - what went wrong in an execution, in plain words.
 *
 *   deadlock: no thread can continue
 *     T0 holds a (bank.c:12) and waits for b, held by T1 (bank.c:13)
 *     T1 holds b (bank.c:22) and waits for a, held by T0 (bank.c:23)
 *
 *   race on counter: nothing orders these two accesses
 *     T0 writes it at step 5 (tally.c:10)
 *     T1 reads it at step 8 (tally.c:17)
 *
 * Texts are given, "" where nothing is known; they may be arbitrary bytes. */
#ifndef PLUMB_REPORT_FAULTS_H
#define PLUMB_REPORT_FAULTS_H

#include "base/text.h"
#include "label.h"
#include <stdint.h>

/* Something that a thread did: where, and when. */
struct plumb_report_deed {
    const char *thread;    /* NULL: nobody did, as far as is known */
    const char *operation; /* in which; "" or NULL: not told  */
    const char *verb;      /* "writes", "freed"        */
    const char *place;     /* "tally.c:10"             */
    uint32_t step;         /* PLUMB_NO_STEP: not known */
};

/* A thread that waits when nobody can go on. */
struct plumb_report_waiter {
    const char *thread;
    const char *holds, *held_since;  /* a lock, and where it was taken       */
    const char *waits_for, *at;      /* and where                            */
    const char *holder;              /* who holds it; "" for no lock         */
    bool condition;                  /* it is one: told are its signals      */
    uint32_t signals;                /* before the thread waited             */
    uint32_t for_others;             /* signals since then: others woke      */
    const char *woke;                /* whom the only one before did; or NULL */
    struct plumb_report_deed signal; /* the last of all                      */
};

void plumb_report_fault_deadlock(const struct plumb_report_waiter *waiter,
                                 size_t count,
                                 const struct plumb_report_style *style,
                                 struct plumb_base_text *out);
void plumb_report_fault_race(const char *what,
                             const struct plumb_report_deed access[2],
                             struct plumb_base_text *out);

/* `what`: "use of node#1 after it was freed"; then who did what to it. */
void plumb_report_fault_block(const char *what,
                              const struct plumb_report_deed *deed,
                              size_t count, struct plumb_base_text *out);

#endif
