/* wrong_answer.h - which histories are wrong in the same way.
 *
 * A history is wrong from the return of one operation on: no order explains its
 * answer.  Two are alike if it is the same operation, with the same term; or,
 * of values, if they are wrong in the same way:
 *
 *     nobody has ever put that value in
 *     it has come out more often than it was put in
 *     it comes out of turn
 *
 * So an object has a handful of kinds, and each is told once. */
#ifndef PLUMB_HOST_WRONG_ANSWER_H
#define PLUMB_HOST_WRONG_ANSWER_H

#include "test_driver.h"

/* Of the answer of operation `op`, which has just returned.  Never 0. */
uint64_t host_wrong_answer_kind(const struct host_driver *p, unsigned op);

#endif
