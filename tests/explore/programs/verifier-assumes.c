// explore:
// expect: no violation
// says: [1-9][0-9]* schedules ended at an assumption that does not hold
// explore: --strategy dpor --preemptions all
// expect: no violation
// says: 1 schedule ended at an assumption
// explore: -- -DWRONG
// expect: assertion failed
// explore: --strategy dpor -- -DWRONG
// expect: assertion failed
// explore: -- -DIN_VAIN
// expect: undecided \(an assumption failed in every schedule\)
// explore: -- -DANY
// expect: assertion failed
// explore: -- -DANY -DFEW
// expect: no violation
// says: __VERIFIER_nondet_int|returned one of 2 numbers
/* What SV-COMP's programs call, as they declare it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);

static atomic_int data, flag;

static void *writer(void *argument)
{
#ifdef WRONG
    flag = 1;
    data = 42;
#else
    data = 42;
    flag = 1;
#endif
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
#ifdef ANY
    const int any = __VERIFIER_nondet_int();
#ifdef FEW
    __VERIFIER_assume(any == 0);
#endif
    __VERIFIER_assert(any != 1);
#elif defined(IN_VAIN)
    __VERIFIER_assume(flag == 2);
#else
    __VERIFIER_assume(flag == 1);
    __VERIFIER_assert(data == 42);
#endif
    pthread_join(t, NULL);
    return 0;
}
