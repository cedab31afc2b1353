// explore:
// expect: no violation
// explore: --strategy dfs
// expect: no violation
// explore: -- -DPLAIN
// expect: no violation
// explore: -- -DLOCKS
// expect: no violation
// explore: -- -DAPART
// expect: assertion failed
// explore: --strategy dpor
// expect: undecided \(not modelled: __VERIFIER_atomic_begin: an atomic block
/* Nothing comes in between a block, whatever it accesses; LOCKS: a lock made of
 * an assumption in a block. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifdef PLAIN
static int value;
#else
static _Atomic int value, lock;
#endif

static void *adder(void *argument)
{
#ifdef LOCKS
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!lock);
    lock = 1;
    __VERIFIER_atomic_end();
    const int was = value;
    value = was + 1;
    lock = 0;
#else
    __VERIFIER_atomic_begin();
    const int was = value;
#ifdef APART
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
#endif
    value = was + 1;
    __VERIFIER_atomic_end();
#endif
    return argument;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, adder, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(value == 2);
    return 0;
}
