// explore: -- -DLOCK=cas
// expect: no violation
// needs: ck_spinlock.h
// explore: -- -DLOCK=fas
// expect: no violation
// needs: ck_spinlock.h
// explore: -- -DLOCK=dec
// expect: no violation
// needs: ck_spinlock.h
// explore: -- -DLOCK=ticket
// expect: no violation
// needs: ck_spinlock.h
// explore: --races interleave -- -DLOCK=ticket -DCK_AS_ON_X86
// expect: no violation
// needs: ck_spinlock.h
// explore: -- -DLOCK=cas -DTHREADS=3
// expect: no violation
// needs: ck_spinlock.h
// explore: -- -DLOCK=ticket -DTHREADS=3
// expect: no violation
// needs: ck_spinlock.h
// explore: -- -DLOCK=ticket -DCK_ASSEMBLY
// expect: no violation
// needs: ck_spinlock.h
// machine: x86_64
// explore: -- -DLOCK=cas -DCK_ASSEMBLY
// expect: no violation
// needs: ck_spinlock.h
// machine: x86_64
// label: full

/* Concurrency Kit's spin locks that need no memory of the threads: twice each
 * by two threads, or once by more.  What they guard is plain. */
#include <assert.h>

#include "ck.h"
#include "threads.h"

#include <ck_spinlock.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef LOCK
#define LOCK cas
#endif
#define JOIN(a, b, c)    a##b##c
#define OF(prefix, l, n) JOIN(prefix, l, n)

static OF(ck_spinlock_, LOCK, _t) lock;
static int count;

static void *works(void *unused)
{
    for (int i = 0; i < 4 - THREADS; i++) {
        OF(ck_spinlock_, LOCK, _lock)(&lock);
        count++;
        OF(ck_spinlock_, LOCK, _unlock)(&lock);
    }
    return unused;
}

int main(void)
{
    OF(ck_spinlock_, LOCK, _init)(&lock);
    run_same(THREADS, works);
    assert(count == THREADS * (4 - THREADS));
    return 0;
}
