// explore: --test 'inc() | inc()' --final 'get()'
// expect: not linearizable
// machine: x86_64
// explore: --test 'inc() | inc()' --final 'get()' --strategy dpor -- -O2
// expect: not linearizable
// machine: x86_64
/* An update is lost inside of one instruction that is not locked. */
#include <plumb/object.h>
#include <stdint.h>

static int64_t value, other;

static void inc(plumb_invocation *i)
{
    (void)i;
    __atomic_fetch_add(&other, 1, __ATOMIC_SEQ_CST);
    __asm__ volatile("incq %0" : "+m"(value) : : "memory");
    __atomic_fetch_add(&other, 1, __ATOMIC_SEQ_CST);
}

static void get(plumb_invocation *i)
{
    plumb_return(i, __atomic_load_n(&value, __ATOMIC_SEQ_CST));
}

PLUMB_OBJECT(.spec = "counter",
             .operations = { { "inc", inc }, { "get", get } });
