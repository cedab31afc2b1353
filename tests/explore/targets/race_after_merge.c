// explore: --preemptions all
// expect: assertion
// says: also: data race
// explore: --races interleave --preemptions all
// expect: assertion
// explore: --preemptions all -- -DORDERED
// expect: no violation

/* The reader looks at `detail` only if it was not told to hurry, and keeps
 * nothing of what it saw: whether it looked or not, the program is in the same
 * state afterwards.  Who comes to that state first by the way without the look
 * sees nothing wrong there; the write that comes next races with the other.
 * ORDERED: the writer waits until the reader is done. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int hurry, done;
int detail, other;

static void *tells(void *unused)
{
    atomic_store(&hurry, 1);
#ifdef ORDERED
    if (!atomic_load(&done))
        return unused;
#else
    atomic_load(&done);
#endif
    detail = 1;
    return unused;
}

static void *looks(void *unused)
{
    if (!atomic_load(&hurry)) {
        const int seen = detail;
        assert(seen == 0);
    }
    assert(other == 0); /* stacks are left alike */
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    RUN_TWO(tells, looks);
    return 0;
}
