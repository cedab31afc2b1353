/* assembled.c - a target with instructions and functions that no hook tells
 * of, for test_assembly.c. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#define NO_HOOKS __attribute__((disable_sanitizer_instrumentation))
#else
#define NO_HOOKS __attribute__((no_sanitize("thread")))
#endif

int add(int a, int b);
int own_array(int i);
int constant_table(int i);
long count(void);
int calls(int (*f)(int));
long added(long *p);
long swapped(long *p, long v);
long long ticks(void);
void waits(void);
int *own_local(void);
long looked(void);
long hidden(const long *p);
int hidden_variable(void);
size_t hidden_call(const char *p);

static _Atomic long number;
static int variable;
static _Thread_local int local;

/* ---- nothing to find ---- */

int add(int a, int b)
{
    return a + b;
}

int own_array(int i)
{
    volatile int a[4] = { 1, 2, 3, 4 };
    return a[i & 3];
}

int constant_table(int i)
{
    static const int table[] = { 5, 7, 6, 9 };
    return table[i & 3];
}

long count(void)
{
    variable++;
    return atomic_fetch_add(&number, 1);
}

int calls(int (*f)(int))
{
    if (!f)
        abort();
    return f(f(1));
}

/* clang leaves a load behind the hook for it. */
long looked(void)
{
    return atomic_load(&number);
}

#if defined(__aarch64__)
__extension__ typedef __int128 two_words;

long looked_wide(const two_words *p);

long looked_wide(const two_words *p)
{
    return (long)__atomic_load_n(p, __ATOMIC_SEQ_CST);
}
#endif

int *own_local(void)
{
    return &local;
}

void waits(void)
{
#if defined(__aarch64__)
    __asm__ volatile("yield");
#else
    __asm__ volatile("pause");
#endif
}

/* ---- instructions ---- */

#if defined(__aarch64__)
long added(long *p)
{
    long v = 1;
    __asm__ volatile(".arch_extension lse\n"
                     "ldaddal %0, %0, [%1]"
                     : "+r"(v)
                     : "r"(p)
                     : "memory");
    return v;
}

long swapped(long *p, long v)
{
    __asm__ volatile(".arch_extension lse\n"
                     "swpal %0, %0, [%1]"
                     : "+r"(v)
                     : "r"(p)
                     : "memory");
    return v;
}

long long ticks(void)
{
    long long t;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
}
#else
long added(long *p)
{
    long v = 1;
    __asm__ volatile("lock xaddq %0,%1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

long swapped(long *p, long v)
{
    __asm__ volatile("xchgq %0,%1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

long long ticks(void)
{
    return (long long)__builtin_ia32_rdtsc();
}
#endif

/* ---- functions ---- */

NO_HOOKS long hidden(const long *p)
{
    return *p;
}

NO_HOOKS int hidden_variable(void)
{
    return variable;
}

NO_HOOKS size_t hidden_call(const char *p)
{
    return strlen(p) + 1;
}
