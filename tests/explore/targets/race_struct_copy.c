// explore:
// expect: assertion
// says: also: data race
// explore: -- -DWORDS=2
// expect: assertion
// says: also: data race
// explore: -- -DWORDS=40
// expect: assertion
// says: also: data race
// explore: --races interleave
// expect: assertion
// explore: --races interleave -- -DWORDS=2
// expect: assertion
// explore: -- -DLOCKED
// expect: no violation
// explore: -- -DLOCKED -DWORDS=40
// expect: no violation

/* A record is copied as a whole, from and to memory of others.  Compilers tell
 * of that in their own ways, which differ by size.  LOCKED: under a lock. */
#include <assert.h>

#include "threads.h"

#ifndef WORDS
#define WORDS 3
#endif

struct record {
    long word[WORDS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record shared, ones = { { 1, 1 } };

static void enter(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#else
    (void)lock;
#endif
}

static void leave(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

static void *writes(void *unused)
{
    enter();
    shared = ones;
    leave();
    return unused;
}

static void *reads(void *unused)
{
    enter();
    const long before = shared.word[0];
    const long after = shared.word[1];
    leave();
    assert(before == after);
    return unused;
}

int main(void)
{
    RUN_TWO(writes, reads);
    return 0;
}
