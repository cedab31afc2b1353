// explore:
// expect: assertion
// explore: -- -DPLAIN
// expect: assertion
// says: also: data race

/* One writes a word, another writes half of it.  Nobody wrote a word of both.
 * PLAIN: and no access is atomic. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static union {
    uint64_t whole;
    uint32_t half[2];
} word;

static void *writes_whole(void *unused)
{
#ifdef PLAIN
    word.whole = 0x0000000100000001;
#else
    __atomic_store_n(&word.whole, 0x0000000100000001, __ATOMIC_SEQ_CST);
#endif
    return unused;
}

static void *writes_half(void *unused)
{
#ifdef PLAIN
    word.half[1] = 2;
#else
    __atomic_store_n(&word.half[1], 2, __ATOMIC_SEQ_CST);
#endif
    return unused;
}

int main(void)
{
    RUN_TWO(writes_whole, writes_half);
    assert(word.half[0] == word.half[1]);
    return 0;
}
