// explore: --test 'inc() | inc()' --final 'get()'
// expect: not linearizable
// machine: x86_64
// explore: --test 'inc() | inc()' --final 'get()' --strategy dpor -- -O2
// expect: not linearizable
// machine: x86_64
/* An update is lost between two moves of inline assembly. */
#include <plumb/object.h>
#include <stdint.h>

static int64_t value, other;

static inline int64_t load(int64_t *p)
{
    int64_t r;
    __asm__ volatile("movq %1, %0" : "=r"(r) : "m"(*p) : "memory");
    return r;
}

static inline void store(int64_t *p, int64_t v)
{
    __asm__ volatile("movq %1, %0" : "=m"(*p) : "r"(v) : "memory");
}

static void inc(plumb_invocation *i)
{
    (void)i;
    __atomic_fetch_add(&other, 1, __ATOMIC_SEQ_CST);
    store(&value, load(&value) + 1);
    __atomic_fetch_add(&other, 1, __ATOMIC_SEQ_CST);
}

static void get(plumb_invocation *i)
{
    plumb_return(i, load(&value));
}

PLUMB_OBJECT(.spec = "counter",
             .operations = { { "inc", inc }, { "get", get } });
