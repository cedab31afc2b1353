// explore:
// expect: no violation
// machine: x86_64
// explore: -- -DNO_HOOKS
// expect: undecided
// says: (assembly is not seen: |compiled without hooks: )
// explore: -- -DLOCKED
// expect: no violation

/* Two threads count by an instruction that no hook tells of: a pass is none.
 * Without hooks it is the compiler's, or that of a function of its library. */
#include <assert.h>

#include "threads.h"

static long count;

#if defined(LOCKED)
static long add(long *p)
{
    return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
}
#elif defined(NO_HOOKS)
#if defined(__clang__)
__attribute__((disable_sanitizer_instrumentation, noinline))
#else
__attribute__((no_sanitize("thread"), noinline))
#endif
static long
add(long *p)
{
    return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
}
#elif defined(__x86_64__)
static __attribute__((noinline)) long add(long *p)
{
    long one = 1;
    __asm__ volatile("lock xaddq %0, %1" : "+r"(one), "+m"(*p) : : "memory");
    return one;
}
#elif defined(__aarch64__)
static __attribute__((noinline)) long add(long *p)
{
    long was, sum;
    int failed;
    __asm__ volatile("1: ldaxr %0, [%3]\n"
                     "add %1, %0, #1\n"
                     "stlxr %w2, %1, [%3]\n"
                     "cbnz %w2, 1b"
                     : "=&r"(was), "=&r"(sum), "=&r"(failed)
                     : "r"(p)
                     : "memory");
    return was;
}
#endif

static void *counts(void *unused)
{
    add(&count);
    return unused;
}

int main(void)
{
    RUN_TWO(counts, counts);
    assert(__atomic_load_n(&count, __ATOMIC_SEQ_CST) == 2);
    return 0;
}
