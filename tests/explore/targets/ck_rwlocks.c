// explore: -- -DLOCK=rwlock
// expect: no violation
// needs: ck_rwlock.h
// explore: -- -DLOCK=pflock
// expect: no violation
// needs: ck_pflock.h
// explore: -- -DLOCK=tflock_ticket
// expect: no violation
// needs: ck_tflock.h
// explore: -- -DLOCK=swlock
// expect: no violation
// needs: ck_swlock.h
// explore: -- -DLOCK=bytelock -DSLOTTED
// expect: no violation
// needs: ck_bytelock.h
// explore: -- -DLOCK=rwlock -DCK_ASSEMBLY
// expect: no violation
// needs: ck_rwlock.h
// machine: x86_64
// label: full
// explore: -- -DLOCK=bytelock -DSLOTTED -DCK_ASSEMBLY
// expect: no violation
// needs: ck_rwlock.h
// machine: x86_64
// label: full

/* Concurrency Kit's locks for readers and writers: two readers and a writer,
 * of a plain pair. */
#include <assert.h>

#include "ck.h"
#include "threads.h"

#include <ck_bytelock.h>
#include <ck_pflock.h>
#include <ck_rwlock.h>
#include <ck_swlock.h>
#include <ck_tflock.h>

#ifndef LOCK
#define LOCK rwlock
#endif
#define JOIN(a, b, c)    a##b##c
#define OF(prefix, l, n) JOIN(prefix, l, n)
#ifdef SLOTTED
#define SELF(self) , (self) + 1
#else
#define SELF(self)
#endif

static OF(ck_, LOCK, _t) lock;
static int left, right;

static void *reads(void *argument)
{
    const unsigned self = number_of(argument);
    OF(ck_, LOCK, _read_lock)(&lock SELF(self));
    assert(left == right);
    OF(ck_, LOCK, _read_unlock)(&lock SELF(self));
    (void)self;
    return NULL;
}

static void *writes(void *argument)
{
    const unsigned self = number_of(argument);
    OF(ck_, LOCK, _write_lock)(&lock SELF(self));
    left++;
    right++;
    OF(ck_, LOCK, _write_unlock)(&lock);
    (void)self;
    return NULL;
}

int main(void)
{
    OF(ck_, LOCK, _init)(&lock);
    RUN_THREE(reads, writes, reads);
    return 0;
}
