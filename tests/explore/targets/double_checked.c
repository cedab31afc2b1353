// explore:
// expect: data race
// explore: -- -DATOMIC
// expect: no violation

/* Made once, by who comes first; those who find it made take no lock. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

struct thing {
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thing the_thing;
#ifdef ATOMIC
static struct thing *_Atomic made;
#else
static struct thing *made;
#endif

static struct thing *get(void)
{
    if (!made) {
        pthread_mutex_lock(&lock);
        if (!made) {
            the_thing.value = 42;
            made = &the_thing;
        }
        pthread_mutex_unlock(&lock);
    }
    return made;
}

static void *uses(void *unused)
{
    assert(get()->value == 42);
    return unused;
}

int main(void)
{
    RUN_TWO(uses, uses);
    return 0;
}
