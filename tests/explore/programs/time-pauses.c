// explore: --preemptions all
// expect: deadlock
// explore: --preemptions all --strategy dpor
// expect: deadlock
//
// pause() waits for a signal, and none comes.
#include <pthread.h>
#include <unistd.h>

static int touched;

int main(void)
{
    touched++;
    pause();
    return 0;
}
