// explore: --preemptions all
// expect: undecided \(not modelled
// says: FUTEX_LOCK_PI
// explore: -- -DVECTOR
// expect: undecided \(not modelled
// says: system call futex_waitv
// explore: --preemptions all --strategy dpor
// expect: undecided \(not modelled
// explore: --strategy dfs
// expect: undecided \(not modelled
#define _GNU_SOURCE
#include "futex.h"

int main(void)
{
    atomic_uint word = 0;
#if defined(VECTOR)
    syscall(449, &word, 1, 0, NULL, 0);
#endif
    syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
    return 0;
}
