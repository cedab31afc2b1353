/* late_fault.c - what goes wrong only in few executions, and in which way.
 *
 * The order of the steps is folded into a number; where it is the right one of
 * RARE, something happens: -DFAULT=NAME.  For shared.sh: the faults come when
 * several processes are at it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef RARE
#define RARE 211
#endif
#ifndef STEPS
#define STEPS 4
#endif
#ifndef THREADS
#define THREADS 3
#endif

enum fault {
    NONE,
    ASSERT,
    CRASH,
    DIE,  /* the process ends, and nobody can catch it           */
    HANG, /* ... waits for ever, and takes no time of a processor */
    LOOP,
    ABORT,
    EXIT,
    DEADLOCK,
    SPIN, /* for ever, but with steps                            */
    RACE,
    FREED
};

#ifndef FAULT
#define FAULT NONE
#endif

static atomic_uint order = 1;
static int plain;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *_Atomic block;

static void call_system(long number, long argument)
{
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(argument)
                     : "rcx", "r11", "memory");
#else
    (void)number, (void)argument;
    abort();
#endif
}

static void go_wrong(void)
{
    switch (FAULT) {
    case ASSERT:
        assert(!"the order is a wrong one");
        break;
    case CRASH:
        *(volatile int *)8 = 1;
        break;
    case DIE:
        call_system(231, 7); /* exit_group */
        break;
    case HANG:
        call_system(34, 0); /* pause */
        break;
    case LOOP:
        for (volatile int i = 0;; i = i)
            ;
    case ABORT:
        abort();
    case EXIT:
        exit(3);
    case DEADLOCK:
        pthread_mutex_lock(&lock);
        pthread_mutex_lock(&lock);
        break;
    case SPIN:
        while (atomic_load(&order))
            ;
        break;
    case RACE:
        plain++;
        break;
    case FREED:
        free(atomic_load(&block));
        break;
    default:
        break;
    }
}

static void step(unsigned who)
{
    const unsigned before = atomic_load(&order);
    const unsigned now = (before + 2 * who + 1) * 2654435761u;
    atomic_store(&order, now);
    if ((now >> 8) % RARE == 5)
        go_wrong();
}

#ifdef PLUMB_OBJECT_TEST
#include <plumb/object.h>

static void add(plumb_invocation *i)
{
    for (int k = 0; k < STEPS; k++)
        step((unsigned)plumb_process(i) + 1);
    if (FAULT == NONE)
        plumb_return(i, atomic_load(&order) % RARE == 2);
    else
        plumb_return(i, 0);
}

PLUMB_OBJECT(.name = "late", .spec = "register:initial=0",
             .operations = { { "read", add } });
#else

static void *run(void *who)
{
    for (int k = 0; k < STEPS; k++)
        step((unsigned)(size_t)who);
    if (FAULT == RACE && (atomic_load(&order) >> 8) % 101 == 3)
        plain++;
    if (FAULT == FREED && atomic_load(&order) % 3 == 0)
        *atomic_load(&block) = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    atomic_store(&block, malloc(sizeof *block));
    for (size_t t = 0; t < THREADS; t++)
        pthread_create(&thread[t], NULL, run, (void *)(t + 1));
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    printf("%u\n", atomic_load(&order));
    return 0;
}
#endif
