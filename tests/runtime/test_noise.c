/* test_noise.c - pauses come as often as asked, anywhere, and end.
 *
 * The linker puts us between the hooks and their pauses (--wrap), and our
 * sched_yield() in place of the system's. */
#include "runtime/common/hook.h"
#include "runtime/simulate/noise.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { HOOKS = 300, HISTORIES = 4000 };

void __tsan_read8(void *at);
void __real_worker_hook_pause(void);
void __wrap_worker_hook_pause(void);

static _Atomic uint64_t clock_of_returns;
static uint64_t place;
static unsigned pauses, yields, most_yields;
static unsigned at_hook;    /* of the history */
static unsigned when[2];    /* pauses in its first and second half */
static unsigned returns_in; /* others return so often in every yield */

int sched_yield(void)
{
    yields++;
    atomic_fetch_add(&clock_of_returns, returns_in);
    return 0;
}

void __wrap_worker_hook_pause(void)
{
    pauses++;
    when[at_hook >= HOOKS / 2]++;
    yields = 0;
    __real_worker_hook_pause();
    most_yields = yields > most_yields ? yields : most_yields;
}

static int forget(void **state)
{
    (void)state;
    pauses = most_yields = when[0] = when[1] = returns_in = 0;
    return 0;
}

static uint64_t history(uint64_t seed, unsigned level, unsigned hooks)
{
    worker_noise_begin(seed, level, &clock_of_returns);
    for (at_hook = 0; at_hook < hooks; at_hook++)
        __tsan_read8(&place);
    return worker_noise_end();
}

static void nobody_pauses_who_did_not_begin(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 1000000; i++)
        __tsan_read8(&place);
    history(1, 0, 1000000);
    history(1, 4, HOOKS);
    const unsigned before = pauses;
    for (unsigned i = 0; i < 1000000; i++)
        __tsan_read8(&place);
    assert_int_equal(pauses, before);
}

static void hooks_are_counted(void **state)
{
    (void)state;
    assert_int_equal(history(1, 0, 0), 0);
    assert_int_equal(history(2, 0, 12345), 12345);
    for (unsigned level = 1; level < 20; level++)
        assert_int_equal(history(level, level, 12345), 12345);
    assert_true(pauses > 0);
}

static void pauses_are_as_many_as_asked(void **state)
{
    (void)state;
    for (unsigned level = 1; level <= 64; level *= 4) {
        for (unsigned i = 0; i < 100; i++) /* learn how long histories are */
            history(i, level, HOOKS);
        forget(NULL);
        for (unsigned i = 0; i < HISTORIES; i++)
            history(0x9e3779b9u * i, level, HOOKS);
        const double average = (double)pauses / HISTORIES;
        assert_true(average > 0.9 * level && average < 1.1 * level);
    }
}

static void pauses_are_anywhere(void **state)
{
    (void)state;
    for (unsigned i = 0; i < HISTORIES; i++)
        history(0x9e3779b9u * i, 3, HOOKS);
    assert_true(when[0] > 0.9 * when[1] && when[1] > 0.9 * when[0]);
}

static void other_lengths_are_learned(void **state)
{
    (void)state;
    for (unsigned hooks = 100; hooks <= 100000; hooks *= 10) {
        for (unsigned i = 0; i < 200; i++)
            history(i, 2, hooks);
        forget(NULL);
        for (unsigned i = 0; i < 400; i++)
            history(i, 2, hooks);
        assert_in_range(pauses, 600, 1000); /* 800 */
    }
    for (unsigned i = 0; i < 200; i++)
        history(i, 2, HOOKS);
    forget(NULL);
    for (unsigned i = 0; i < 400; i++)
        history(i, 2, HOOKS);
    assert_in_range(pauses, 600, 1000);
}

/* One that spins for a million hooks: pauses get rarer as it goes on. */
static void a_long_history_is_not_full_of_pauses(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 100; i++)
        history(i, 4, HOOKS);
    forget(NULL);
    history(7, 4, 1000000);
    assert_in_range(pauses, 4, 150);
    forget(NULL);
    for (unsigned i = 0; i < 200; i++)
        history(i, 4, HOOKS);
    assert_in_range(pauses, 200, 1000); /* and it does not spoil the next */
}

static void a_pause_ends_even_if_nobody_returns(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        history(i, 4, HOOKS);
    assert_in_range(most_yields, 1, 4);
}

static void a_pause_waits_for_several_returns(void **state)
{
    (void)state;
    returns_in = 1;
    for (unsigned i = 0; i < 1000; i++)
        history(i, 4, HOOKS);
    assert_in_range(most_yields, 5, 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nobody_pauses_who_did_not_begin, forget),
        cmocka_unit_test_setup(hooks_are_counted, forget),
        cmocka_unit_test_setup(pauses_are_as_many_as_asked, forget),
        cmocka_unit_test_setup(pauses_are_anywhere, forget),
        cmocka_unit_test_setup(other_lengths_are_learned, forget),
        cmocka_unit_test_setup(a_long_history_is_not_full_of_pauses, forget),
        cmocka_unit_test_setup(a_pause_ends_even_if_nobody_returns, forget),
        cmocka_unit_test_setup(a_pause_waits_for_several_returns, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
