/* serial_phase.h - phase 1 of Line-Up: what the test does serially. */
#ifndef PLUMB_HOST_SERIAL_PHASE_H
#define PLUMB_HOST_SERIAL_PHASE_H

#include "test_driver.h"

/* Which operations may answer what anywhere (--nondet).  False after writing
 * job->message. */
bool host_serial_read_nondet(struct host_driver *p);

/* Run all serial executions of the test and fill in job->serial.  False: there
 * is no more to do; job->end is set. */
bool host_serial_phase(struct host_driver *p, struct plumb_budget *budget);

/* What is in job->serial as the specification of the test: for history `h`, or
 * where threads have the numbers of processes.  NULL after saying why not. */
struct plumb_spec *host_serial_spec(const struct host_driver *p,
                                    const struct plumb_history *h,
                                    struct plumb_budget *budget);
void host_serial_spec_free(struct plumb_spec *spec);

#endif
