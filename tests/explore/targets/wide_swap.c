// explore: -- -mcx16
// expect: no violation
// explore: -- -mcx16 -DNO_COUNT
// expect: assertion

/* A pointer and a count, changed together by a swap of 16 bytes: two pops of a
 * stack whose cells come back.  NO_COUNT never counts. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

__extension__ typedef unsigned __int128 wide;

struct cell {
    struct cell *_Atomic below;
    atomic_int used;
};

static union {
    wide both;
    struct {
        struct cell *top;
        uint64_t count;
    } part;
} stack;
static struct cell cell[3];

static bool change(wide from, struct cell *top)
{
#ifdef NO_COUNT
    const uint64_t count = 0;
#else
    const uint64_t count = (uint64_t)(from >> 64) + 1;
#endif
    const wide to = (wide)count << 64 | (uintptr_t)top;
    return __sync_bool_compare_and_swap(&stack.both, from, to);
}

static wide look(void)
{
    return __sync_val_compare_and_swap(&stack.both, 0, 0);
}

static struct cell *pop(void)
{
    for (;;) {
        const wide seen = look();
        struct cell *const c = (struct cell *)(uintptr_t)(uint64_t)seen;
        if (!c)
            return NULL;
        if (change(seen, atomic_load(&c->below))) {
            assert(atomic_fetch_add(&c->used, 1) == 0);
            return c;
        }
    }
}

static void push(struct cell *c)
{
    wide seen;
    atomic_fetch_sub(&c->used, 1);
    do {
        seen = look();
        atomic_store(&c->below, (struct cell *)(uintptr_t)(uint64_t)seen);
    } while (!change(seen, c));
}

static void *pops_twice(void *unused)
{
    pop();
    pop();
    return unused;
}

static void *puts_one_back(void *unused)
{
    struct cell *const first = pop();
    pop();
    if (first)
        push(first);
    return unused;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        atomic_store(&cell[i].used, 1);
        push(&cell[i]);
    }
    RUN_TWO(pops_twice, puts_one_back);
    return 0;
}
