// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// setjmp() and longjmp() within a thread are libc's own.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static void *jump(void *unused)
{
    jmp_buf back;
    volatile int times = 0;
    if (setjmp(back) < 3)
        longjmp(back, ++times);
    assert(times == 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, jump, NULL);
    jump(NULL);
    pthread_join(t, NULL);
    return 0;
}
