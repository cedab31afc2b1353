// explore: --preemptions all
// expect: undecided \(not modelled
// explore: --preemptions all --strategy dpor
// expect: undecided \(not modelled
// explore: --strategy dfs
// expect: undecided \(not modelled
#define _GNU_SOURCE
#include "futex.h"

int main(void)
{
    atomic_uint word = 0;
    syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
    return 0;
}
