/* sample.c - variables and functions whose names the tests look for. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    long value;
};
typedef struct {
    int key;
    double weight;
} item_t;
struct tower {
    long height;
    struct node *level[];
};
struct pair {
    struct node *node;
    uint64_t version;
};
struct small {
    uint32_t index, version;
};
enum state { IDLE, BUSY = 5 };

static struct queue {
    pthread_mutex_t lock;
    _Atomic(struct node *) head, tail;
    struct {
        int a;
        union {
            int b;
            char c[4];
        };
    } inner[2][3];
    _Atomic enum state state;
    bool closed;
} queue;

_Atomic(struct node *) top;
struct pair wide;
struct small narrow;
int table[8];
unsigned char level;
pthread_mutex_t a, b;
pthread_cond_t ready;
double ratio;
uintptr_t word;
_Thread_local long mine[4];
union {
    struct node *node;
    struct pair *pair;
    int half;
    uint64_t words[2];
} either;
void *returned_to, *allocated; /* by allocate(), the last time */

void *where(const char *name);
int count_up(void);
void *allocate(size_t size);
struct node *make(long value);
struct tower *tall(size_t height);
void *fill(size_t size);
void *anything(size_t size);
void push(struct node *n);

__attribute__((noinline)) void *allocate(size_t size)
{
    returned_to = __builtin_return_address(0);
    return allocated = malloc(size);
}

static int *counted(void)
{
    static int counter;
    counter++;
    return &counter;
}

int count_up(void)
{
    return *counted();
}

void *where(const char *name)
{
    return *name == 'q' ? (void *)&queue : (void *)counted();
}

struct node *make(long value)
{
    item_t *other = NULL;
    struct node *n = allocate(sizeof *n);
    if (n)
        n->value = value + (other != NULL);
    mine[2]++;
    return n;
}

struct tower *tall(size_t height)
{
    struct tower *t = allocate(sizeof *t + height * sizeof t->level[0]);
    return t;
}

/* A block as large as what another pointer here points to. */
void *fill(size_t size)
{
    struct tower *t = (struct tower *)&wide;
    t->level[0] = allocate(size);
    return t;
}

void *anything(size_t size)
{
    return allocate(size);
}

void push(struct node *n)
{
    struct node *t = atomic_load(&top);
    do
        atomic_store(&n->next, t);
    while (!atomic_compare_exchange_weak(&top, &t, n));
}
