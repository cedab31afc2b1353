// explore: --test 'inc() | inc() get()'
// expect: not linearizable
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DINC -O2
// expect: not linearizable
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DINC -O0
// expect: not linearizable
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DINC -DLOCKED
// expect: no violation
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DTOP -flto
// expect: not linearizable
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DINTEL
// expect: undecided
// says: inline assembly is not seen: asm_plain.c:[0-9]+
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DHIDDEN
// expect: undecided
// says: inline assembly is not seen: asm_plain.c:[0-9]+
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DHIDDEN -DNEVER
// expect: no violation
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DHARMLESS
// expect: no violation
// machine: x86_64
/* Plain instructions of inline assembly lose an update.  If they are not
 * followed a pass is none, unless they never run. */
#include <plumb/object.h>
#include <stdint.h>

static int64_t count, steps;

#if defined(HARMLESS)
static void add(int64_t *p)
{
    __asm__ volatile("" : : : "memory");
    __asm__ volatile("rep; nop; mfence");
    __asm__ volatile("lock; addl $0, 0(%%rsp)" : : : "memory");
    __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
    __asm__ volatile("pause");
}
#elif defined(INC)
#if defined(LOCKED)
#define LOCK "lock; "
#else
#define LOCK ""
#endif
static inline void add(int64_t *p)
{
    __asm__ volatile(LOCK "incq %0" : "+m"(*p) : : "memory");
}
#elif defined(INTEL)
static inline void add(int64_t *p)
{
    __asm__ volatile(".intel_syntax noprefix\n\t"
                     "inc qword ptr [rdi]\n\t"
                     ".att_syntax prefix"
                     :
                     : "D"(p)
                     : "memory");
}
#elif defined(HIDDEN)
static inline void add(int64_t *p)
{
#if defined(NEVER)
    __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
    if (*(volatile int64_t *)&steps < 0)
#endif
        /* incq (%rdi) */
        __asm__ volatile(".byte 0x48, 0xff, 0x07" : : "D"(p) : "memory");
}
#elif defined(TOP)
__asm__(".text\n.type add, @function\nadd: incq (%rdi)\nret\n");
void add(int64_t *p);
#else
static inline void add(int64_t *p)
{
    int64_t value;
    __asm__ volatile("movq %1, %0" : "=r"(value) : "m"(*p) : "memory");
    value++;
    __asm__ volatile("movq %1, %0" : "=m"(*p) : "r"(value) : "memory");
}
#endif

static void inc(plumb_invocation *i)
{
    (void)i;
    __atomic_fetch_add(&steps, 1, __ATOMIC_SEQ_CST);
    add(&count);
}

static void get(plumb_invocation *i)
{
    plumb_return(i, __atomic_load_n(&count, __ATOMIC_SEQ_CST));
}

PLUMB_OBJECT(.spec = "counter",
             .operations = { { "inc", inc }, { "get", get } });
