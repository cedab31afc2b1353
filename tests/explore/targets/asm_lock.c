// explore: --test 'inc() | inc() get()'
// expect: no violation
// machine: x86_64
// explore: --test 'inc() | inc() get()' --strategy dpor --no-fairness
// expect: no violation
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DHIDDEN
// expect: undecided
// says: inline assembly is not seen: asm_lock.c:[0-9]+
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DTORN
// expect: not linearizable
// machine: x86_64
// explore: --test 'get() | get()' -- -DUNUSED
// expect: no violation
// machine: x86_64
/* A lock of inline assembly orders what it protects: there is no race.  If that
 * is not followed, there is no saying that there is none; what its answers show
 * is still shown. */
#include <plumb/object.h>
#include <stdint.h>

static int word;
static int64_t count;

static int exchange(int *p, int value)
{
#if defined(HIDDEN) || defined(TORN) /* xchg %eax, (%rdx) */
    __asm__ volatile(".byte 0x87, 0x02" : "+a"(value) : "d"(p) : "memory");
#else
    __asm__ volatile("xchg %0, %1" : "+r"(value), "+m"(*p) : : "memory");
#endif
    return value;
}

static void inc(plumb_invocation *i)
{
    (void)i;
#if defined(TORN)
    const int64_t seen = __atomic_load_n(&count, __ATOMIC_RELAXED);
    __atomic_store_n(&count, seen + 1, __ATOMIC_RELAXED);
#endif
    while (exchange(&word, 1))
        ;
#if !defined(TORN)
    count++;
#endif
    exchange(&word, 0);
}

static void get(plumb_invocation *i)
{
#if defined(UNUSED)
    int64_t sum = 0;
    __asm__ volatile("lock xaddq %0, %1" : "+r"(sum), "+m"(count));
    plumb_return(i, sum);
#else
    while (exchange(&word, 1))
        ;
    const int64_t seen = count;
    exchange(&word, 0);
    plumb_return(i, seen);
#endif
}

PLUMB_OBJECT(.spec = "counter",
             .operations = { { "inc", inc }, { "get", get } });
