// explore:
// expect: no violation

/* errno is everybody's own, whatever the others fail with in between. */
#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static atomic_int turn;

static void *fails(void *argument)
{
    errno = number_of(argument) == 0 ? ERANGE : EINVAL;
    atomic_fetch_add(&turn, 1);
    assert(errno == (number_of(argument) == 0 ? ERANGE : EINVAL));
    errno = 0;
    const long huge = strtol("99999999999999999999", NULL, 10);
    atomic_fetch_add(&turn, 1);
    assert(huge > 0 && errno == ERANGE);
    return NULL;
}

int main(void)
{
    errno = 0;
    run_same(2, fails);
    assert(errno == 0);
    return 0;
}
