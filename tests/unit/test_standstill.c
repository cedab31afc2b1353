/* test_standstill.c - whoever waits for a processor does not stand still.
 *
 * No time is asserted: what the clock on the wall says is compared with what
 * the processors gave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "app/objects/standstill.h"
#include "runtime/common/wait.h"
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OTHERS = 4 };

#define MILLISECOND UINT64_C(1000000)

static pid_t start(void (*run)(void))
{
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run();
        _exit(1);
    }
    assert_true(pid > 0);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

/* All who do share one processor. */
static void share_a_processor(void)
{
    cpu_set_t mine, one;
    size_t processor = 0;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    while (!CPU_ISSET(processor, &mine))
        processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static void spin(void)
{
    share_a_processor();
    for (volatile unsigned n = 0;; n++)
        ;
}

static void yield(void)
{
    share_a_processor();
    for (;;)
        sched_yield();
}

static uint64_t time_used(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    assert_int_equal(clock_getcpuclockid(pid, &clock), 0);
    assert_int_equal(clock_gettime(clock, &t), 0);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void who_sleeps_stands_still(void **state)
{
    const pid_t pid = start(sleep_for_ever);
    struct objects_standstill s;
    (void)state;
    objects_standstill_begin(&s, pid);
    while (objects_standstill_length(&s) < 100 * MILLISECOND)
        runtime_take_a_nap();
    end(pid);
}

static void who_runs_and_returns_nothing_stands_still(void **state)
{
    const pid_t pid = start(spin);
    struct objects_standstill s;
    (void)state;
    objects_standstill_begin(&s, pid);
    while (objects_standstill_length(&s) < 100 * MILLISECOND)
        runtime_take_a_nap();
    end(pid);
}

/* ... in which it has hardly run: others take all the time there is. */
static void who_yields_for_ever_stands_still(void **state)
{
    pid_t other[OTHERS];
    struct objects_standstill s;
    (void)state;
    for (int i = 0; i < OTHERS; i++)
        other[i] = start(spin);
    const pid_t pid = start(yield);
    objects_standstill_begin(&s, pid);
    while (objects_standstill_length(&s) < 100 * MILLISECOND)
        runtime_take_a_nap();
    end(pid);
    for (int i = 0; i < OTHERS; i++)
        end(other[i]);
}

/* The wall's clock goes on until it is far ahead of the process's own. */
static void who_waits_for_a_processor_does_not(void **state)
{
    pid_t other[OTHERS];
    struct objects_standstill s;
    (void)state;
    for (int i = 0; i < OTHERS; i++)
        other[i] = start(spin);
    const pid_t pid = start(spin);
    const uint64_t used = time_used(pid), began = runtime_nanoseconds_now();
    objects_standstill_begin(&s, pid);
    while (runtime_nanoseconds_now() - began < 2 * (time_used(pid) - used) ||
           runtime_nanoseconds_now() - began < 300 * MILLISECOND)
        runtime_take_a_nap();
    const uint64_t length = objects_standstill_length(&s);
    assert_true(length <= time_used(pid) - used);
    end(pid);
    for (int i = 0; i < OTHERS; i++)
        end(other[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_sleeps_stands_still),
        cmocka_unit_test(who_runs_and_returns_nothing_stands_still),
        cmocka_unit_test(who_yields_for_ever_stands_still),
        cmocka_unit_test(who_waits_for_a_processor_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
