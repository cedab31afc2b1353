// explore:
// expect: assertion
// says: also: data race
// explore: -- -DWORDS=2
// expect: assertion
// says: also: data race
// explore: --races interleave
// expect: assertion
// explore: --races interleave -- -DWORDS=2
// expect: assertion
// explore: -- -DLOCKED
// expect: no violation

/* Who copies a record reads it: another thread may be in the middle of changing
 * it.  The memory it is copied to is its own.  LOCKED: under a lock. */
#include <assert.h>
#include <stdlib.h>

#include "threads.h"

#ifndef WORDS
#define WORDS 3
#endif

struct record {
    long word[WORDS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record shared;

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
    shared.word[0] = 1;
    shared.word[1] = 1;
    leave();
    return unused;
}

static void *copies(void *unused)
{
    struct record *const own = malloc(sizeof *own);
    enter();
    *own = shared;
    leave();
    assert(own->word[0] == own->word[1]);
    free(own);
    return unused;
}

int main(void)
{
    RUN_TWO(writes, copies);
    return 0;
}
