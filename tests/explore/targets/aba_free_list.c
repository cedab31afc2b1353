// explore:
// expect: assertion
// explore: -- -DTAGGED
// expect: no violation

/* A stack of numbered cells, three on it.  One thread pops; the other pops two
 * and pushes the first of them back: the top is what it was, and what lies
 * below it is not.  A cell is then on the stack and in use at the same time.
 * TAGGED: the top carries a count of its changes. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

enum { CELLS = 3, NONE = 0 };

static atomic_uint below[CELLS + 1];
static atomic_uint used[CELLS + 1];
static _Atomic uint64_t top;

static uint64_t topped(uint64_t before, unsigned c)
{
#ifdef TAGGED
    return ((before >> 32) + 1) << 32 | c;
#else
    (void)before;
    return c;
#endif
}

static unsigned pop(void)
{
    for (;;) {
        uint64_t seen = atomic_load(&top);
        const unsigned c = (unsigned)seen;
        if (c == NONE)
            return NONE;
        const unsigned next = atomic_load(&below[c]);
        if (atomic_compare_exchange_strong(&top, &seen, topped(seen, next))) {
            assert(atomic_fetch_add(&used[c], 1) == 0);
            return c;
        }
    }
}

static void push(unsigned c)
{
    atomic_fetch_sub(&used[c], 1);
    for (;;) {
        uint64_t seen = atomic_load(&top);
        atomic_store(&below[c], (unsigned)seen);
        if (atomic_compare_exchange_strong(&top, &seen, topped(seen, c)))
            return;
    }
}

static void *pops_twice(void *unused)
{
    pop();
    pop();
    return unused;
}

static void *puts_one_back(void *unused)
{
    const unsigned first = pop();
    pop();
    if (first != NONE)
        push(first);
    return unused;
}

int main(void)
{
    for (unsigned c = 1; c <= CELLS; c++) {
        atomic_store(&used[c], 1);
        push(c);
    }
    RUN_TWO(pops_twice, puts_one_back);
    return 0;
}
