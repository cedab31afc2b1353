/* shim_random.c - chance: one of a few numbers, and all of them are tried.
 *
 * Where a program asks for many bytes it gets one choice, in each of them: the
 * number of executions would be beyond all bounds else. */
#include "real.h"
#include "shims.h"

#include <plumb/object.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static unsigned range = 2;

void shims_random_range(unsigned wanted)
{
    range = wanted ? wanted : 2;
}

static unsigned any(struct shims_place from)
{
    return scheduler_choose(from.pc, range, from.name);
}

unsigned shims_random_any(struct shims_place from)
{
    return scheduler_inside ? any(from) : 0;
}

/* ---- libc's ---- */

SHIM(int rand(void), rand, (), (int)any(PLACE))
SHIM(int rand_r(unsigned *seed), rand_r, (seed), (int)any(PLACE))
SHIM(long random(void), random, (), (long)any(PLACE))
SHIM(long lrand48(void), lrand48, (), (long)any(PLACE))
SHIM(long mrand48(void), mrand48, (), (long)any(PLACE))

/* From [0, 1), evenly. */
SHIM(double drand48(void), drand48, (), (double)any(PLACE) / range)
SHIM(uint32_t arc4random(void), arc4random, (), any(PLACE))

/* Those below the bound only: a choice of its own. */
SHIM(uint32_t arc4random_uniform(uint32_t bound), arc4random_uniform, (bound),
     bound < range ? scheduler_choose(HERE, bound, __func__) : any(PLACE))

static void fill(struct shims_place from, void *at, size_t size)
{
    const unsigned chosen = any(from);
    shims_need(from, at, size);
    memset(at, (int)chosen, size);
}

void arc4random_buf(void *at, size_t size)
{
    if (scheduler_inside)
        fill(PLACE, at, size);
    else
        REAL(arc4random_buf)(at, size);
}

ssize_t getrandom(void *at, size_t size, unsigned flags)
{
    if (!scheduler_inside)
        return REAL(getrandom)(at, size, flags);
    fill(PLACE, at, size);
    return (ssize_t)size;
}

int getentropy(void *at, size_t size)
{
    if (!scheduler_inside)
        return REAL(getentropy)(at, size);
    fill(PLACE, at, size);
    return 0;
}

/* ---- std::random_device, which may ask the processor ---- */

#define DEVICE(name) _ZNSt13random_device##name
#define DEVICE_INIT                                                            \
    DEVICE(7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE)
#define DEVICE_FINISH DEVICE(7_M_finiEv)
#define DEVICE_VALUE  DEVICE(9_M_getvalEv)

void DEVICE_INIT(void *device, const void *name);
void DEVICE_FINISH(void *device);
unsigned DEVICE_VALUE(void *device);

void DEVICE_INIT(void *device, const void *name)
{
    (void)device, (void)name;
}

void DEVICE_FINISH(void *device)
{
    (void)device;
}

unsigned DEVICE_VALUE(void *device)
{
    (void)device; /* in a constructor: any */
    return scheduler_inside ? scheduler_choose(HERE, range, "random_device")
                            : 0;
}

/* ---- seeds change nothing ---- */

void srand(unsigned seed)
{
    if (!scheduler_inside)
        REAL(srand)(seed);
}

void srandom(unsigned seed)
{
    if (!scheduler_inside)
        REAL(srandom)(seed);
}

void srand48(long seed)
{
    if (!scheduler_inside)
        REAL(srand48)(seed);
}

/* ---- of <plumb/object.h> ---- */

unsigned plumb_choose(unsigned n)
{
    return scheduler_inside ? scheduler_choose(HERE, n, __func__) : 0;
}

void plumb_retry(void)
{
}

void plumb_contend(void)
{
}
