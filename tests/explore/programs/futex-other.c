// expect: unmodelled
#define _GNU_SOURCE
#include "futex.h"

int main(void)
{
    atomic_uint word = 0;
    syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
    return 0;
}
