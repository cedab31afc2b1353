// explore: --test 'inc() | inc() get()'
// expect: undecided
// says: inline assembly is not seen: asm_plain.c:[0-9]+, asm_plain.c:[0-9]+
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DINC -O2
// expect: undecided
// says: inline assembly is not seen: asm_plain.c:[0-9]+
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DINC -O0
// expect: undecided
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DTOP -flto
// expect: undecided
// says: inline assembly is not seen: asm_plain.c
// machine: x86_64
// explore: --test 'inc() | inc() get()' -- -DHARMLESS
// expect: no violation
// machine: x86_64
/* Plain instructions of inline assembly lose an update, and no hook tells of
 * them: a pass is none, unless the assembly cannot touch memory. */
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
static inline void add(int64_t *p)
{
    __asm__ volatile("incq %0" : "+m"(*p) : : "memory");
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
