// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// Every reading is later than the last, of all threads; sleeping takes time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic(long long) last;

static long long read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *look(void *unused)
{
    const long long before = atomic_load(&last);
    const long long now = read_clock(CLOCK_MONOTONIC);
    assert(now > before);
    atomic_store(&last, now);
    return unused;
}

int main(void)
{
    const struct timespec second = { .tv_sec = 1 };
    struct timeval day;
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    look(NULL);
    pthread_join(t, NULL);

    const long long start = read_clock(CLOCK_REALTIME);
    nanosleep(&second, NULL);
    usleep(1000);
    assert(read_clock(CLOCK_REALTIME) - start >= 1001000000);
    gettimeofday(&day, NULL);
    assert(day.tv_sec >= start / 1000000000);
    const struct timespec then = { .tv_sec = day.tv_sec + 1 };
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &then, NULL);
    assert(read_clock(CLOCK_REALTIME) / 1000000000 >= then.tv_sec);
    return 0;
}
