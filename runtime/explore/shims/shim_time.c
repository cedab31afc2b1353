/* shim_time.c - pauses, and a clock that goes on when somebody looks.
 *
 * All clocks are one: nanoseconds, in the world.  To read it is an event,
 * because each reading is later than the last.  Who sleeps gives way, as long
 * as it takes the others.  How long it slept it keeps to itself until it reads
 * the clock, so that loops which only sleep come back to the same state: one
 * that never read it keeps the longest sleep, one that did, the sum. */
#include "real.h"
#include "shims.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/select.h>
#include <sys/time.h>
#include <threads.h>
#include <unistd.h>

enum { SECOND = 1000000000, TICK = 1000 };
static const uint64_t BEGINNING = UINT64_C(1000000000) * SECOND;
static const uint64_t END = UINT64_C(14000000000) * SECOND;

static struct {
    uint64_t time; /* the last that was read, less BEGINNING */
} now;

void shims_time_init(void)
{
    memory_world_keep(&now, sizeof now);
}

/* ---- what each thread knows of it ---- */

static uint64_t nanoseconds(const struct timespec *time)
{
    if (time->tv_sec < 0)
        return 0;
    if ((uint64_t)time->tv_sec >= END / SECOND)
        return END;
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

bool shims_time_is_valid(const struct timespec *time)
{
    return time->tv_nsec >= 0 && time->tv_nsec < SECOND;
}

bool shims_clock_is_known(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

void shims_time_reached(const struct timespec *time)
{
    uintptr_t *const until = shims_own_slot(SLOT_UNTIL);
    const uint64_t then = nanoseconds(time);
    if (then > *until)
        *until = then;
}

/* SLOT_SLEPT: twice the time, and 1 if the thread has read the clock. */
void shims_time_passed(const struct timespec *duration)
{
    uintptr_t *const slot = shims_own_slot(SLOT_SLEPT);
    const uint64_t length = nanoseconds(duration), before = *slot / 2;
    const bool has_read = *slot & 1;
    uint64_t slept = length > before ? length : before;
    if (has_read)
        slept = length < END - before ? before + length : END;
    *slot = slept * 2 | has_read;
}

static uint64_t read_clock(struct shims_place from)
{
    uintptr_t *const until = shims_own_slot(SLOT_UNTIL);
    uintptr_t *const slept = shims_own_slot(SLOT_SLEPT);
    scheduler_sync(from.pc, &now, PLUMB_EVENT_SYNC, NULL, NULL);
    uint64_t time = BEGINNING + now.time;
    if (time < *until)
        time = *until;
    time += *slept / 2 < END - time ? *slept / 2 : END - time;
    time += TICK;
    *until = 0;
    *slept = 1;
    now.time = time - BEGINNING;
    answer(from, NULL, 0);
    return time;
}

static struct timespec timespec_of(uint64_t time)
{
    return (struct timespec){ .tv_sec = (time_t)(time / SECOND),
                              .tv_nsec = (long)(time % SECOND) };
}

/* ---- reading it ---- */

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!scheduler_inside)
        return REAL(clock_gettime)(clock, time);
    *time = timespec_of(read_clock(PLACE));
    return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution)
{
    if (!scheduler_inside)
        return REAL(clock_getres)(clock, resolution);
    if (resolution)
        *resolution = timespec_of(1);
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    if (!scheduler_inside)
        return REAL(gettimeofday)(time, zone);
    const struct timespec t = timespec_of(read_clock(PLACE));
    *time = (struct timeval){ .tv_sec = t.tv_sec, .tv_usec = t.tv_nsec / 1000 };
    return 0;
}

time_t time(time_t *result)
{
    if (!scheduler_inside)
        return REAL(time)(result);
    const time_t t = timespec_of(read_clock(PLACE)).tv_sec;
    if (result)
        *result = t;
    return t;
}

int timespec_get(struct timespec *time, int base)
{
    if (!scheduler_inside)
        return REAL(timespec_get)(time, base);
    if (base != TIME_UTC)
        return 0;
    *time = timespec_of(read_clock(PLACE));
    return base;
}

SHIM(clock_t clock(void), clock, (),
     (clock_t)((read_clock(PLACE) - BEGINNING) / 1000))

uint64_t shims_time_stamp(const void *pc)
{
    struct timespec time;
    if (scheduler_inside)
        return read_clock((struct shims_place){ pc, "rdtsc" });
    REAL(clock_gettime)(CLOCK_MONOTONIC, &time);
    return nanoseconds(&time);
}

/* ---- giving way ---- */

int sched_yield(void)
{
    if (!scheduler_inside)
        return REAL(sched_yield)();
    scheduler_yield(HERE);
    return 0;
}

void thrd_yield(void)
{
    if (scheduler_inside)
        scheduler_yield(HERE);
    else
        REAL(thrd_yield)();
}

/* An error number. */
static int pause_for(const void *pc, const struct timespec *wanted)
{
    if (!shims_time_is_valid(wanted) || wanted->tv_sec < 0)
        return EINVAL;
    shims_time_passed(wanted);
    scheduler_yield(pc);
    return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    if (!scheduler_inside)
        return REAL(nanosleep)(wanted, left);
    const int error = pause_for(HERE, wanted);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                    struct timespec *left)
{
    if (!scheduler_inside)
        return REAL(clock_nanosleep)(clock, flags, wanted, left);
    if (!(flags & TIMER_ABSTIME))
        return pause_for(HERE, wanted);
    if (!shims_time_is_valid(wanted))
        return EINVAL;
    shims_time_reached(wanted);
    scheduler_yield(HERE);
    return 0;
}

int usleep(useconds_t wanted)
{
    if (!scheduler_inside)
        return REAL(usleep)(wanted);
    const struct timespec time = { .tv_sec = wanted / 1000000,
                                   .tv_nsec = wanted % 1000000 * 1000 };
    return pause_for(HERE, &time);
}

unsigned sleep(unsigned wanted)
{
    if (!scheduler_inside)
        return REAL(sleep)(wanted);
    const struct timespec time = { .tv_sec = wanted };
    return (unsigned)pause_for(HERE, &time);
}

SHIM(int thrd_sleep(const struct timespec *wanted, struct timespec *left),
     thrd_sleep, (wanted, left), pause_for(HERE, wanted) ? -2 : 0)

static bool never(const void *what)
{
    (void)what;
    return false;
}

/* For a signal, and there is none. */
static _Noreturn void wait_for_ever(const void *pc)
{
    static const char signals;
    for (;;)
        scheduler_sync(pc, &signals, PLUMB_EVENT_SYNC, never, NULL);
}

int pause(void)
{
    if (!scheduler_inside)
        return REAL(pause)();
    wait_for_ever(HERE);
}

/* To wait for no file is a pause. */
int poll(struct pollfd *file, nfds_t files, int wanted)
{
    if (!scheduler_inside)
        return REAL(poll)(file, files, wanted);
    if (files)
        shims_unmodelled(PLACE, "waiting for files");
    if (wanted < 0)
        wait_for_ever(HERE);
    const struct timespec time = { .tv_sec = wanted / 1000,
                                   .tv_nsec = wanted % 1000 * 1000000L };
    pause_for(HERE, &time);
    return 0;
}

int select(int files, fd_set *in, fd_set *out, fd_set *other,
           struct timeval *wanted)
{
    if (!scheduler_inside)
        return REAL(select)(files, in, out, other, wanted);
    if (files)
        shims_unmodelled(PLACE, "waiting for files");
    if (!wanted)
        wait_for_ever(HERE);
    const struct timespec time = { .tv_sec = wanted->tv_sec,
                                   .tv_nsec = wanted->tv_usec * 1000 };
    const int error = pause_for(HERE, &time);
    if (error)
        errno = error;
    return error ? -1 : 0;
}
