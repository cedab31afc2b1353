/* fiber.c - see fiber.h. */
#include "fiber.h"

#include "fiber_switch.h"
#include "runtime/explore/memory/tape.h"
#include "runtime/explore/shims/real.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STACK_SIZE = 8 << 20, GUARD_SIZE = FIBER_GUARD, CLEAR = 512 };

uintptr_t scheduler_fiber_running;
bool scheduler_fiber_anonymous;

uintptr_t scheduler_fiber_stacks, scheduler_fiber_stacks_size;

static char *const stacks = (char *)0x210000000000;

void scheduler_fiber_adopt(struct scheduler_fiber *f)
{
    *f = (struct scheduler_fiber){ .thread_pointer = 0 };
}

struct lender {
    struct scheduler_fiber *fiber;
    void (*visit)(struct scheduler_fiber *);
    sem_t ready;
};

/* It sleeps for ever; what it lends is its memory. */
static _Noreturn void *lend(void *argument)
{
    struct lender *const l = argument;
    l->fiber->thread_pointer = scheduler_fiber_thread_pointer();
    l->fiber->name = (uintptr_t)pthread_self();
    if (l->visit)
        l->visit(l->fiber);
    l->fiber->error = &errno;
    REAL(sem_post)(&l->ready);
    for (;;)
        REAL(pause)();
}

/* Signals are for the thread that runs fibers. */
static bool borrow_thread(struct scheduler_fiber *f,
                          void (*visit)(struct scheduler_fiber *))
{
    struct lender l = { .fiber = f, .visit = visit };
    sigset_t all, before;
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    REAL(sem_init)(&l.ready, 0, 0);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = REAL(pthread_create)(&thread, &small, lend, &l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&small);
    while (!failed && REAL(sem_wait)(&l.ready))
        ;
    return !failed;
}

/* From the lowest to the highest. */
static void note_stack(const char *memory, size_t size)
{
    const uintptr_t low = (uintptr_t)memory, high = low + size;
    const uintptr_t end = scheduler_fiber_stacks + scheduler_fiber_stacks_size;
    if (!scheduler_fiber_stacks || low < scheduler_fiber_stacks)
        scheduler_fiber_stacks = low;
    scheduler_fiber_stacks_size =
        (end > high ? end : high) - scheduler_fiber_stacks;
}

static char *map_stack(unsigned n)
{
    const size_t size = GUARD_SIZE + STACK_SIZE;
    char *const memory =
        mmap(stacks + n * size, size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    mprotect(memory, GUARD_SIZE, PROT_NONE);
    note_stack(memory, size);
    return memory + GUARD_SIZE;
}

bool scheduler_fiber_make(struct scheduler_fiber *f, unsigned n,
                          void (*visit)(struct scheduler_fiber *))
{
    *f = (struct scheduler_fiber){ .stack = map_stack(n) };
    if (!f->stack)
        return false;
    f->stack_end = f->low = f->stack + STACK_SIZE;
    return borrow_thread(f, visit);
}

static bool is_clear(const char *from, size_t size)
{
    static const char zeros[CLEAR];
    return !memcmp(from, zeros, size);
}

/* Functions that were called between two switches reached further down: clear
 * until nothing was left for a while. */
static void clear_stack(struct scheduler_fiber *f, char *from, char *to)
{
    char *at = from;
    while (at - f->stack > CLEAR && !is_clear(at - CLEAR, CLEAR))
        at -= CLEAR;
    memset(at, 0, (size_t)(to - at));
}

void scheduler_fiber_tidy(struct scheduler_fiber *f)
{
    clear_stack(f, f->sp, f->sp);
}

/* What came later may have reached further down, and need not be tidy. */
static void clear_below(struct scheduler_fiber *f, char *sp)
{
    if ((char *)f->sp < f->low)
        f->low = f->sp;
    if (sp < f->low)
        f->low = sp;
    clear_stack(f, f->low, sp);
}

void scheduler_fiber_pass(struct scheduler_fiber *f, struct memory_tape *tape)
{
    void *sp = f->sp;
    memory_tape_pass(tape, &sp, sizeof sp);
    memory_tape_pass(tape, &f->kept_error, sizeof f->kept_error);
    if (f->exceptions)
        memory_tape_pass(tape, f->exceptions, FIBER_EXCEPTIONS);
    for (unsigned i = 0; i < FIBER_ONCE && f->once[i]; i++)
        memory_tape_pass(tape, f->once[i], sizeof *f->once[i]);
    if (tape->reads)
        clear_below(f, sp);
    f->sp = sp;
    memory_tape_pass(tape, sp, (size_t)(f->stack_end - (char *)sp));
}

void scheduler_fiber_start(struct scheduler_fiber *f, void (*entry)(void))
{
    clear_stack(f, f->low, f->stack_end);
    f->low = f->stack_end;
    f->sp = scheduler_fiber_first_frame(f->stack_end, entry);
    f->kept_error = 0;
    if (f->exceptions)
        memset(f->exceptions, 0, FIBER_EXCEPTIONS);
    for (unsigned i = 0; i < FIBER_ONCE && f->once[i]; i++)
        *f->once[i] = NULL;
}
