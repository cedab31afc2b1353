// explore: --preemptions 5
// expect: assertion failed
// explore: --preemptions 4
// expect: no violation
// explore: --preemptions 5 --strategy dpor
// expect: assertion failed
// explore: --preemptions all -- -DRIGHT
// expect: no violation
//
// Two threads take turns: the reader has to be preempted before each of its
// steps, the writer after each of its own.  rising.sh explores it without a
// bound of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int shared;

static void *write_all(void *unused)
{
    for (int i = 1; i <= 3; i++)
        shared = i;
    return unused;
}

int main(void)
{
    pthread_t writer;
    int seen[3];
    pthread_create(&writer, NULL, write_all, NULL);
    for (int i = 0; i < 3; i++)
        seen[i] = shared;
    pthread_join(writer, NULL);
#ifdef RIGHT
    assert(seen[0] <= seen[1] && seen[1] <= seen[2]);
#else
    assert(!(seen[0] == 1 && seen[1] == 2 && seen[2] == 3));
#endif
}
