/* clock.c - which clock to stamp with, and how far it can be trusted.
 *
 * The counter of the processor, where it runs at one speed for ever and the
 * kernel keeps its own time by it; else the kernel's clock, which never goes
 * back, whatever the processor that asks.
 *
 * Counters of two processors may be apart.  That does harm only where it can be
 * noticed: if what happens on the one and is then seen on the other has the
 * later stamp first.  To be seen takes time, some 50 ns, so counters that are
 * less than that apart are as good as one.  Whether they are is found out by
 * asking: two threads, on two processors, hand each other their stamps to and
 * fro, and the uncertainty is the furthest that a stamp was ever before the one
 * it answers.  None is, where the kernel has done its work. */

#include "stamp.h"
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#if defined __x86_64__
#include <cpuid.h>
#endif

enum { ROUNDS = 500, MOST_PROCESSORS = 32 };

#define SECOND       UINT64_C(1000000000)
#define SAMPLE       UINT64_C(2000000)  /* for finding out its speed  */
#define MOST_PATIENT UINT64_C(20000000) /* for finding out one offset */
#define MOST_APART   UINT64_C(2000)     /* ticks: worse is no clock   */

/* ---- is there a counter? ---- */

#if defined __x86_64__

static bool runs_at_one_speed(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
}

/* It has compared the counters of all processors when it started them, and
 * goes on looking. */
static bool is_trusted_by_the_kernel(void)
{
    char name[32] = "";
    FILE *const file = fopen(
        "/sys/devices/system/clocksource/clocksource0/current_clocksource",
        "re");
    if (!file)
        return false;
    const bool read = fgets(name, sizeof name, file) != NULL;
    fclose(file);
    return read && strcmp(name, "tsc\n") == 0;
}

static bool has_counter(void)
{
    return runs_at_one_speed() && is_trusted_by_the_kernel();
}

#elif defined __aarch64__

static bool has_counter(void)
{
    return true; /* one for all, by definition */
}

#else

static bool has_counter(void)
{
    return false;
}

#endif

/* What both clocks say at one moment: of some readings, the one in which the
 * least time passed, as the thread may be interrupted in any. */
static uint64_t read_both(uint64_t *counter)
{
    enum { READINGS = 8 };
    uint64_t least = UINT64_MAX, moment = 0;
    for (unsigned i = 0; i < READINGS; i++) {
        const uint64_t before = plumb_record_stamp_monotonic(),
                       count = plumb_record_stamp_counter();
        const uint64_t passed = plumb_record_stamp_monotonic() - before;
        if (passed >= least)
            continue;
        least = passed;
        moment = before + passed / 2;
        *counter = count;
    }
    return moment;
}

static uint64_t speed(void)
{
    uint64_t first, last;
    const uint64_t began = read_both(&first);
    while (plumb_record_stamp_monotonic() - began < SAMPLE)
        continue;
    const uint64_t ended = read_both(&last);
    return (uint64_t)((double)(last - first) / (double)(ended - began) *
                      (double)SECOND);
}

/* ---- how far are they apart? ---- */

/* Two threads take turns: the one whose turn it is has the number of the round
 * and the stamp of the other. */
struct exchange {
    _Atomic uint64_t turn;
    uint64_t stamp;
    uint64_t apart; /* how far a stamp was before the one it answers */
    uint64_t until; /* by the kernel's clock */
    int processor[2];
};

struct party {
    struct exchange *x;
    unsigned number; /* 0 or 1 */
};

static void go_to(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)processor, &set);
    sched_setaffinity(0, sizeof set, &set); /* no harm if it fails */
}

/* False when there is no time left. */
static bool await_turn(struct exchange *x, uint64_t turn)
{
    unsigned tries = 0;
    /* acquire: pairs with the release in pass() */
    while (atomic_load_explicit(&x->turn, memory_order_acquire) != turn)
        if (++tries % 256 == 0 && plumb_record_stamp_monotonic() > x->until)
            return false;
    return true;
}

static void answer(struct exchange *x, uint64_t turn)
{
    const uint64_t said = x->stamp;
    plumb_record_stamp_let_all_be_seen();
    const uint64_t now = plumb_record_stamp_counter();
    plumb_record_stamp_stop_running_ahead();
    if (turn > 0 && now < said && said - now > x->apart)
        x->apart = said - now;
    x->stamp = now;
    /* release: pairs with the acquire in await_turn() */
    atomic_store_explicit(&x->turn, turn + 1, memory_order_release);
}

static void *take_part(void *context)
{
    const struct party *const p = context;
    go_to(p->x->processor[p->number]);
    for (uint64_t turn = p->number; turn < ROUNDS; turn += 2) {
        if (!await_turn(p->x, turn))
            break;
        answer(p->x, turn);
    }
    return NULL;
}

static uint64_t compare(int one, int other)
{
    struct exchange x = { .until =
                              plumb_record_stamp_monotonic() + MOST_PATIENT,
                          .processor = { one, other } };
    struct party party[2] = { { &x, 0 }, { &x, 1 } };
    pthread_t thread[2];
    unsigned made = 0;
    while (made < 2 &&
           pthread_create(&thread[made], NULL, take_part, &party[made]) == 0)
        made++;
    for (unsigned i = 0; i < made; i++)
        pthread_join(thread[i], NULL);
    return x.apart;
}

/* Each processor that may be used, with the first one. */
static uint64_t compare_all(void)
{
    cpu_set_t set;
    int first = -1;
    unsigned compared = 0;
    uint64_t apart = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 0;
    for (int p = 0; p < CPU_SETSIZE && compared < MOST_PROCESSORS; p++) {
        if (!CPU_ISSET((size_t)p, &set))
            continue;
        if (first < 0) {
            first = p;
            continue;
        }
        const uint64_t those = compare(first, p);
        apart = those > apart ? those : apart;
        compared++;
    }
    return apart;
}

struct plumb_recorder_clock plumb_record_clock_choose(void)
{
    const struct plumb_recorder_clock kernels = { RECORDING_MONOTONIC, SECOND,
                                                  0 };
    if (!has_counter())
        return kernels;
    /* Two that were compared with a third may be apart by twice as much. */
    const uint64_t apart = 2 * compare_all();
    if (apart > MOST_APART)
        return kernels;
    return (struct plumb_recorder_clock){ STAMP_COUNTER, speed(), apart };
}
