// explore: -- -DHEADER
// expect: assertion failed
// says: store ring#1\+24 ← 7
// explore: -- -DLOOP
// expect: assertion failed
// says: store slot#1\[2\].value ← 7
// explore: -- -DCALLOC
// expect: assertion failed
// says: store slot#1\[1\].value ← 7
// explore: -- -DOPEN_END
// expect: assertion failed
// says: store tower#1.level\[1\].value ← 7
// explore: -- -DPOOL
// expect: assertion failed
// says: store slot#1\+24 ← 7
// explore: -- -DUNION
// expect: assertion failed
// says: store heap#1\+8 ← 7
// explore: -- -DUNION
// expect: assertion failed
// says: store either ← heap#1
// explore: -- -DBYTES
// expect: assertion failed
// says: store heap#1\+8 ← 7
// explore: -- -DFIRST
// expect: assertion failed
// says: store item#1.value ← 7
// explore: -- -DBASE
// expect: assertion failed
// says: store ring#1\+24 ← 7
// explore: -- -DREUSED
// expect: assertion failed
// says: store heap#1\+8 ← 7
// explore: -- -DREUSED -DSAME
// expect: assertion failed
// says: store slot#2.value ← 7
// explore: -- -DSTACK
// expect: assertion failed
// says: store here@T0.tail ← 7
// explore: -- -DSTACK -DSAME
// expect: assertion failed
// says: store here@T0.value ← 7

// What is stored is in a block, or on a stack, that has a name only as far as it
// must be right.  All structures are of the same size.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct slot {
    atomic_long turn, value;
};
struct ring {
    atomic_long head, tail;
};
struct item {
    struct slot slot;
    atomic_long value;
};
struct tower {
    atomic_long height, width;
    struct slot level[];
};

_Atomic(struct slot *) slots, others;
_Atomic(struct ring *) ring;
_Atomic(struct item *) items;
_Atomic(struct tower *) tower;
_Atomic(void *) any;
union {
    _Atomic(struct slot *) slot;
    _Atomic(struct ring *) ring;
} either;

/* Where it is allocated it is for nothing in particular. */
__attribute__((noinline)) static void *new_block(size_t size)
{
    return malloc(size);
}

void *allocate(size_t size);
void *allocate(size_t size)
{
    void *const block = new_block(size);
    any = block;
    return block;
}

#if defined(HEADER)
static void store(void)
{
    ring = allocate(sizeof *ring + 2 * sizeof(struct slot));
    ring->head = 1;
    struct slot *const behind = (struct slot *)(ring + 1);
    for (int i = 0; i < 2; i++)
        behind[i].value = 7;
}
#elif defined(LOOP)
static void store(void)
{
    slots = allocate(3 * sizeof *slots);
    for (int i = 0; i < 3; i++)
        slots[i].value = 7;
}
#elif defined(CALLOC)
static void store(void)
{
    slots = calloc(3, sizeof(struct slot));
    slots[1].value = 7;
}
#elif defined(OPEN_END)
static void store(void)
{
    tower = allocate(sizeof *tower + 2 * sizeof(struct slot));
    tower->level[1].value = 7;
}
#elif defined(POOL)
static void store(void)
{
    char *const pool = allocate(4 * sizeof(struct slot));
    slots = (struct slot *)pool;
    ring = (struct ring *)(pool + sizeof *slots);
    ring->tail = 7;
}
#elif defined(UNION)
static void store(void)
{
    either.ring = allocate(sizeof *either.ring);
    either.ring->tail = 7;
}
#elif defined(BYTES)
static void store(void)
{
    atomic_long *const words = allocate(sizeof(struct slot));
    words[1] = 7;
}
#elif defined(FIRST)
static void store(void)
{
    items = allocate(sizeof *items);
    slots = &items->slot;
    items->value = 7;
}
#elif defined(BASE) /* as large as two of what it begins with */
struct large {
    struct ring ring;
    atomic_long more, value;
};
static void store(void)
{
    struct large *const large = allocate(sizeof *large);
    ring = &large->ring;
    large->value = 7;
}
#elif defined(REUSED)
static void store(void)
{
    slots = allocate(sizeof *slots);
    others = slots;
    free(slots);
#if defined(SAME)
    struct slot *const s = new_block(sizeof *s);
    slots = s;
    s->value = 7;
#else
    struct ring *const r = allocate(sizeof *r);
    slots = others; /* which is left */
    r->tail = 7;
#endif
}
#else
__attribute__((noinline)) static void lay_slot(void)
{
    struct slot here;
    slots = &here;
    here.value = 7;
}
__attribute__((noinline)) static void lay_ring(void)
{
#if !defined(SAME)
    struct ring here;
    ring = &here;
    here.tail = 7;
#endif
}
static void store(void)
{
    lay_slot();
    lay_ring();
}
#endif

int main(void)
{
    store();
    assert(!"the end");
    return 0;
}
