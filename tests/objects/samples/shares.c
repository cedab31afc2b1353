/* shares.c - a counter that is the sum of what each process counted.
 *
 * The shares are thread-local and hang in a list; a process adds to its own,
 * in two steps that nobody else can disturb.  get() adds up. */
#include <plumb/object.h>
#include <stdatomic.h>

struct share {
    _Atomic long count;
    struct share *next;
};

static _Atomic(struct share *) first;
static _Thread_local struct share mine = { .count = 0 };
static _Thread_local bool listed;

/* A process that comes again is still in the list. */
static void setup(void)
{
    for (struct share *s = atomic_load(&first); s; s = s->next)
        atomic_store(&s->count, 0);
}

static void list_share(void)
{
    struct share *const s = &mine;
    s->next = atomic_load(&first);
    while (!atomic_compare_exchange_weak(&first, &s->next, s))
        ;
}

static void inc(plumb_invocation *i)
{
    (void)i;
    if (!listed)
        list_share();
    listed = true;
    const long old = atomic_load(&mine.count);
    atomic_store(&mine.count, old + 1);
}

static void get(plumb_invocation *i)
{
    long sum = 0;
    for (struct share *s = atomic_load(&first); s; s = s->next)
        sum += atomic_load(&s->count);
    plumb_return(i, sum);
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
