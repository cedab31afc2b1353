/* test_fibers.c - fibers keep what is theirs.
 *
 * Without a test library, so that it can be compiled for other processors
 * and run by an emulator (fibers.sh).  It prints what is wrong. */
#include "runtime/explore/scheduler/fiber.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

enum { FIBERS = 3, ROUNDS = 1000 };

static struct scheduler_fiber home, fiber[FIBERS];
static unsigned self;
static int wrong;

static _Thread_local int local;
static int *published[FIBERS];
static pthread_t name[FIBERS];
static double result[FIBERS];
static unsigned ended;

#define IS(condition)                                                          \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);             \
            wrong++;                                                           \
        }                                                                      \
    } while (0)

static void go_home(void)
{
    scheduler_fiber_switch(&fiber[self], &home);
}

static void let_run(unsigned which)
{
    self = which;
    scheduler_fiber_switch(&home, &fiber[which]);
}

static _Noreturn void end(void)
{
    ended++;
    for (;;)
        go_home();
}

/* More values than there are registers to keep them in, whole and broken; with
 * a switch after each step, or none. */
static double churn(unsigned n, bool switches)
{
    long a = n, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5,
         g = a + 6, h = a + 7, i = a + 8, j = a + 9, k = a + 10, l = a + 11;
    double p = 1.5 + n, q = p + 1, r = p + 2, s = p + 3, t = p + 4, u = p + 5,
           v = p + 6, w = p + 7, x = p + 8, y = p + 9;
    for (int round = 0; round < ROUNDS; round++) {
        a += b, b ^= c, c += d, d ^= e, e += f, f ^= g;
        g += h, h ^= i, i += j, j ^= k, k += l, l ^= a;
        p = q / 2 + 1, q = r / 3 + 1, r = s / 4 + 1, s = t / 5 + 1;
        t = u / 6 + 1, u = v / 7 + 1, v = w / 8 + 1, w = x / 9 + 1;
        x = y / 3 + (double)round, y = p + q;
        if (switches)
            go_home();
        a &= 0xffff, c &= 0xffff, e &= 0xffff, g &= 0xffff, i &= 0xffff;
        k &= 0xffff;
    }
    return (double)(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h +
                    9 * i + 10 * j + 11 * k + 12 * l) +
           p + 2 * q + 3 * r + 4 * s + 5 * t + 6 * u + 7 * v + 8 * w + 9 * x +
           10 * y;
}

static void work(void)
{
    const unsigned me = self;
    _Alignas(16) volatile char aligned[16] = { 0 };
    volatile uintptr_t where = (uintptr_t)aligned; /* or it is taken as read */
    IS(where % 16 == 0);
    IS(scheduler_fiber_owns(&fiber[me], (const void *)(uintptr_t)aligned));
    IS(local == 0);
    local = 100 + (int)me;
    errno = 200 + (int)me;
    published[me] = &local;
    name[me] = pthread_self();
    IS(name[me] == (pthread_t)fiber[me].name);
    result[me] = churn(me, true);
    IS(self == me);
    IS(local == 100 + (int)me && published[me] == &local);
    IS(errno == 200 + (int)me);
    local = 0;
    end();
}

static void run_all(void)
{
    ended = 0;
    for (unsigned i = 0; i < FIBERS; i++)
        scheduler_fiber_start(&fiber[i], work);
    for (unsigned turn = 0; ended < FIBERS; turn++) {
        let_run(turn % FIBERS);
        scheduler_fiber_tidy(&fiber[turn % FIBERS]);
    }
    for (unsigned i = 0; i < FIBERS; i++)
        IS(result[i] == churn(i, false));
    for (unsigned i = 0; i < FIBERS; i++)
        for (unsigned j = 0; j < i; j++)
            IS(published[i] != published[j] &&
               !pthread_equal(name[i], name[j]));
}

/* ---- stacks ---- */

static int depth_reached;

static int sink(int depth)
{
    volatile char rubbish[200];
    for (unsigned i = 0; i < sizeof rubbish; i++)
        rubbish[i] = (char)depth;
    depth_reached = depth;
    if (depth < 200)
        depth_reached += sink(depth + 1) & 1;
    else
        go_home();
    return rubbish[depth % 200];
}

static void sink_to_the_ground(void)
{
    (void)sink(0);
    end();
}

static char *lowest_not_zero(const struct scheduler_fiber *f)
{
    char *at = f->stack;
    while (at < f->stack_end && *at == 0)
        at++;
    return at;
}

/* Begun anew in the midst of something, with a stack as if never used. */
static void begin_anew(void)
{
    ended = 0;
    scheduler_fiber_start(&fiber[0], sink_to_the_ground);
    let_run(0);
    IS(depth_reached == 200 && ended == 0);
    IS((char *)fiber[0].sp < fiber[0].stack_end - 200 * 200);
    IS(scheduler_fiber_owns(&fiber[0], fiber[0].sp));
    fiber[0].low = fiber[0].sp;
    scheduler_fiber_start(&fiber[0], sink_to_the_ground);
    IS(lowest_not_zero(&fiber[0]) >= (char *)fiber[0].sp);
    depth_reached = 0;
    let_run(0);
    IS(depth_reached == 200 && ended == 0);
    let_run(0);
    IS(ended == 1);
}

/* ---- registers ---- */

#if defined(__x86_64__) || defined(__aarch64__)
enum { MARK = 0x5eed };

__attribute__((noinline)) static long mark(long a, long b, long c, long d,
                                           long e, long f)
{
    __asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f));
    return a;
}

__attribute__((noinline)) static double mark_vectors(double a, double b,
                                                     double c, double d)
{
#if defined(__x86_64__)
    __asm__ volatile("" : : "x"(a), "x"(b), "x"(c), "x"(d));
#else
    __asm__ volatile("" : : "w"(a), "w"(b), "w"(c), "w"(d));
#endif
    return a;
}

/* Of the registers that arguments come in, all but the first are what somebody
 * left there: nobody passes any.  Of those for numbers with a fraction, which
 * are kept only if one may be there, one is passed. */
__attribute__((noinline)) static bool has_marks(int last, ...)
{
    bool has = false;
    va_list list;
    va_start(list, last);
    for (int i = 0; i < 5; i++)
        has |= va_arg(list, long) == MARK;
    for (int i = 0; i < 4; i++)
        has |= (long)va_arg(list, double) == MARK;
    va_end(list);
    return has;
}

static bool found_marks;
static volatile double vector_mark = MARK; /* one may be loaded for all */

static void look_for_marks(void)
{
    go_home();
    found_marks = has_marks(0, 0.5);
    end();
}

static void let_run_with_marks(unsigned which)
{
    self = which;
    (void)mark(MARK, MARK, MARK, MARK, MARK, MARK);
    (void)mark_vectors(vector_mark, vector_mark, vector_mark, vector_mark);
    scheduler_fiber_switch(&home, &fiber[which]);
}

/* A function that keeps more arguments than it was given has on its stack what
 * was in registers: that must not be the other side's. */
static void nothing_is_left_in_registers(void)
{
    scheduler_fiber_start(&fiber[0], look_for_marks);
    let_run(0);
    found_marks = true;
    let_run_with_marks(0);
    IS(!found_marks);
}
#else
static void nothing_is_left_in_registers(void)
{
}
#endif

static void keep_errno(void)
{
    IS(errno == 0);
    errno = 5;
    go_home();
    IS(errno == 5);
    end();
}

/* Home runs on the thread of the fiber that it came from. */
static void home_leaves_errno_alone(void)
{
    scheduler_fiber_start(&fiber[0], keep_errno);
    errno = 98;
    let_run(0);
    errno = 99;
    let_run(0);
}

int main(void)
{
    scheduler_fiber_adopt(&home);
    for (unsigned i = 0; i < FIBERS; i++)
        if (!scheduler_fiber_make(&fiber[i], i, NULL)) {
            printf("no thread or memory\n");
            return 1;
        }
    run_all();
    run_all();
    begin_anew();
    nothing_is_left_in_registers();
    home_leaves_errno_alone();
    run_all();
    return wrong != 0;
}
