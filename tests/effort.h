/* effort.h - how many cases a random test tries: `make test` a part of what
 * `make test-full` does. */
#ifndef PLUMB_TESTS_EFFORT_H
#define PLUMB_TESTS_EFFORT_H

#ifndef TEST_EFFORT
#define TEST_EFFORT 1 /* divides */
#endif

#define SOME_OF(n) ((n) / TEST_EFFORT + ((n) % TEST_EFFORT != 0))

#endif
