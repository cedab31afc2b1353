/* noise.c - when a thread pauses, and how.
 *
 * When: the distances between two pauses are drawn so that every hook is as
 * likely as any other (they are exponential, so the past tells nothing) and
 * that `level` pauses fall into a history of the usual length.  What is usual
 * each thread learns from the histories before; if one gets longer than that,
 * its pauses become rarer in proportion, lest a thread that spins for a lock
 * pauses a thousand times.
 *
 * How: most violations need one process to stand still between two accesses
 * while others complete a few operations.  If there are more threads than
 * processors, giving up the processor does that, and is cheap.  If not, it does
 * nothing, so some pauses wait until the clock of returns has advanced, and
 * give up soon if it does not: the others may be pausing as well, or be waiting
 * for us.  The rest just idle, for what needs two accesses to meet. */
#include "noise.h"

#include "base/rng.h"
#include "runtime/common/hook.h"
#include <sched.h>

enum {
    FIRST_GUESS = 256, /* hooks of a history, before there was one       */
    MAX_RETURNS = 8,   /* to wait for in one pause                       */
    MAX_YIELDS = 24,   /* ... and how often to look for them             */
    MAX_IN_VAIN = 2,   /* ... in a row without anything new              */
    IDLE_BITS = 11,    /* an idle pause makes fewer than 2^this rounds   */
    OUTLIER = 4,       /* longer than the usual by this factor           */
    MEMORY = 8         /* histories that the usual length looks back on  */
};

#define FAST_TLS __attribute__((tls_model("initial-exec")))

FAST_TLS _Thread_local int64_t worker_hooks_left = INT64_MAX;

static FAST_TLS _Thread_local struct {
    const _Atomic uint64_t *clock;
    uint64_t random;
    uint64_t passed; /* hooks of this history, up to the last pause */
    int64_t drawn;   /* what the hooks count down from since then   */
    double usual;    /* hooks of a history; 0 if there was none yet */
    unsigned level;
} noise = { .drawn = INT64_MAX };

/* What the first history of any thread had: a new thread begins with that. */
static _Atomic uint64_t first_seen;

/* ---- when ---- */

/* Roughly exponential, of mean 1, from 64 random bits: -ln(bits / 2^64). */
static double exponential(uint64_t bits)
{
    const double ln2 = 0.6931471805599453;
    bits |= 1;
    const int zeros = __builtin_clzll(bits);
    const double f = (double)(bits << zeros) * 0x1p-63 - 1; /* 0 .. 1 */
    const double log2_mantissa = f + 0.344 * f * (1 - f);   /* within 1% */
    return ln2 * (zeros + 1 - log2_mantissa);
}

static double usual_hooks(void)
{
    if (noise.usual > 0)
        return noise.usual;
    /* relaxed: any guess will do */
    const uint64_t seen =
        atomic_load_explicit(&first_seen, memory_order_relaxed);
    return seen ? (double)seen : FIRST_GUESS;
}

/* Hooks from here to the next pause. */
static int64_t draw_distance(void)
{
    if (noise.level == 0)
        return INT64_MAX;
    double hooks = usual_hooks();
    if (hooks < (double)noise.passed)
        hooks = (double)noise.passed;
    const double mean = hooks / noise.level - 0.5; /* rounding down, then 1 */
    if (mean <= 0)
        return 1;
    return 1 +
           (int64_t)(mean * exponential(plumb_base_splitmix(&noise.random)));
}

static void count_from(int64_t distance)
{
    noise.drawn = distance;
    worker_hooks_left = distance;
}

/* ---- how ---- */

static uint64_t clock_now(void)
{
    /* relaxed: we only want to see it move */
    return atomic_load_explicit(noise.clock, memory_order_relaxed);
}

static void wait_for_returns(uint64_t count)
{
    uint64_t seen = clock_now();
    const uint64_t enough = seen + count;
    int in_vain = 0;
    for (int i = 0; i < MAX_YIELDS && in_vain < MAX_IN_VAIN; i++) {
        sched_yield();
        const uint64_t now = clock_now();
        if (now >= enough)
            return;
        in_vain = now == seen ? in_vain + 1 : 0;
        seen = now;
    }
}

static void idle(uint64_t rounds)
{
    for (uint64_t i = 0; i < rounds; i++)
        atomic_signal_fence(memory_order_seq_cst); /* is not optimized away */
}

void worker_hook_pause(void)
{
    noise.passed += (uint64_t)(noise.drawn - worker_hooks_left);
    const uint64_t bits = plumb_base_splitmix(&noise.random);
    const unsigned kind = bits & 7;
    if (kind < 3)
        sched_yield();
    else if (kind < 5)
        wait_for_returns(1 + (bits >> 32) % MAX_RETURNS);
    else
        idle(bits >> (64 - IDLE_BITS));
    count_from(draw_distance());
}

/* ---- a history ---- */

/* Weak: programs that only link the hooks may have such names of their own. */
__attribute__((weak)) void worker_noise_begin(uint64_t seed, unsigned level,
                                              const _Atomic uint64_t *clock)
{
    noise.clock = clock;
    noise.random = seed;
    noise.level = level;
    noise.passed = 0;
    count_from(draw_distance());
}

/* One history that is much longer than others does not become the measure,
 * but many of them do. */
static void learn(double hooks)
{
    if (noise.usual <= 0) {
        noise.usual = hooks;
        atomic_store_explicit(&first_seen, (uint64_t)hooks,
                              memory_order_relaxed);
        return;
    }
    if (hooks > noise.usual * OUTLIER)
        hooks = noise.usual * OUTLIER;
    noise.usual += (hooks - noise.usual) / MEMORY;
}

__attribute__((weak)) uint64_t worker_noise_end(void)
{
    const uint64_t hooks =
        noise.passed + (uint64_t)(noise.drawn - worker_hooks_left);
    if (hooks > 0)
        learn((double)hooks);
    noise.level = 0;
    count_from(INT64_MAX);
    return hooks;
}
