/* any_program.c - an object whose operation does what its argument says: each
 * letter is a small thing to do with memory or locks that all threads share,
 * and what comes of it is part of the answer.  So that random programs need no
 * compiler (agree.c).
 *
 * Answers are also kept in memory: states that differ by them are different. */
#define _GNU_SOURCE
#include <plumb/object.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static atomic_int x, y;
static int plain, guarded;
static union {
    _Atomic uint32_t word;
    _Atomic uint16_t half[2];
} wide;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int flag;
static _Atomic(int *) box;
static _Thread_local int own;
/* Of each process; not static, or the compiler would see that nobody reads. */
int64_t answers[16][4];
int answered[16];

struct doing {
    int64_t seen; /* the answer */
    bool has_m, has_n, has_rw;
};

static void see(struct doing *d, int64_t what)
{
    d->seen = d->seen * 7 + what + 1;
}

static void setup(void)
{
    sem_init(&semaphore, 0, 0);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&barrier, NULL, 2);
}

/* ---- memory ---- */

static bool swap(int from, int to)
{
    return atomic_compare_exchange_strong(&x, &from, to);
}

static void double_x(struct doing *d)
{
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &old, 2 * old + 1))
        ;
    see(d, old);
}

static void put_in_box(int value)
{
    int *const new = malloc(sizeof *new);
    *new = value;
    free(atomic_exchange(&box, new));
}

/* May find it freed. */
static void look_into_box(struct doing *d)
{
    const int *const in = atomic_load(&box);
    see(d, in ? *in : -1);
}

static void use_memory(struct doing *d, char what)
{
    switch (what) {
    case 'x':
        see(d, atomic_load(&x));
        break;
    case 'X':
        see(d, atomic_fetch_add(&x, 1));
        break;
    case 'w':
        atomic_store(&x, (int)d->seen % 5 + 2);
        break;
    case 'c':
        see(d, swap(0, 1));
        break;
    case 'C':
        see(d, swap(1, 0));
        break;
    case 'd':
        double_x(d);
        break;
    case 'y':
        see(d, atomic_load_explicit(&y, memory_order_relaxed));
        break;
    case 'Y':
        atomic_store_explicit(&y, 1, memory_order_relaxed);
        break;
    case 'E':
        see(d, atomic_exchange(&y, (int)d->seen % 3));
        break;
    case 'p':
        see(d, plain);
        break;
    case 'P':
        plain = (int)d->seen % 4 + 1;
        break;
    case 'h':
        atomic_store(&wide.half[0], 1);
        break;
    case 'i':
        see(d, atomic_fetch_add(&wide.half[1], 1));
        break;
    case 'H':
        see(d, atomic_load(&wide.word));
        break;
    case 'G': {
        uint32_t old = 0;
        see(d, atomic_compare_exchange_strong(&wide.word, &old, 5));
        break;
    }
    case 'b':
        put_in_box((int)d->seen % 3);
        break;
    case 'B':
        look_into_box(d);
        break;
    case 'o':
        see(d, own++);
        break;
    case 'r':
        see(d, rand() & 1);
        break;
    default:
        break;
    }
}

/* ---- inline assembly ---- */

#ifdef __x86_64__
#define ADD_ASSEMBLY "mMAUKD"

static void use_assembly(struct doing *d, char what)
{
    int *const at = (int *)&x;
    int value = 2;
    switch (what) {
    case 'm':
        __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*at) : "memory");
        see(d, value);
        break;
    case 'M':
        value = (int)d->seen % 3;
        __asm__ volatile("movl %1, %0" : "=m"(*at) : "r"(value) : "memory");
        break;
    case 'A': /* two steps */
        __asm__ volatile("addl $2, %0" : "+m"(*at) : : "memory", "cc");
        break;
    case 'U':
        __asm__ volatile("lock; xaddl %0, %1"
                         : "+r"(value), "+m"(*at)
                         :
                         : "memory", "cc");
        see(d, value);
        break;
    case 'K': {
        int expected = 1;
        __asm__ volatile("lock; cmpxchgl %2, %1"
                         : "+a"(expected), "+m"(*at)
                         : "r"(value)
                         : "memory", "cc");
        see(d, expected);
        break;
    }
    case 'D':
        __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*at) : : "memory");
        see(d, value);
        break;
    default:
        break;
    }
}
#else
#define ADD_ASSEMBLY ""

static void use_assembly(struct doing *d, char what)
{
    (void)d, (void)what;
}
#endif

/* ---- locks ---- */

static void take(pthread_mutex_t *lock, bool *has)
{
    if (!*has)
        pthread_mutex_lock(lock);
    *has = true;
}

static void give(pthread_mutex_t *lock, bool *has)
{
    if (*has)
        pthread_mutex_unlock(lock);
    *has = false;
}

static void try(struct doing *d)
{
    const bool took = !d->has_m && pthread_mutex_trylock(&m) == 0;
    see(d, took);
    d->has_m |= took;
}

static void try_for_a_time(struct doing *d)
{
    const struct timespec soon = { .tv_sec = 1 };
    const bool took = !d->has_n && pthread_mutex_timedlock(&n, &soon) == 0;
    see(d, took);
    d->has_n |= took;
}

static void await_flag(struct doing *d)
{
    take(&m, &d->has_m);
    if (!flag)
        pthread_cond_wait(&changed, &m);
    see(d, flag);
}

static void set_flag(struct doing *d, bool all)
{
    take(&m, &d->has_m);
    flag = !flag;
    if (all)
        pthread_cond_broadcast(&changed);
    else
        pthread_cond_signal(&changed);
    give(&m, &d->has_m);
}

static void begin_once(void)
{
    atomic_fetch_add(&x, 3);
}

static void lock_rw(struct doing *d, int (*how)(pthread_rwlock_t *))
{
    if (!d->has_rw)
        d->has_rw = how(&rw) == 0;
    see(d, d->has_rw);
}

static void hold_spin(struct doing *d)
{
    pthread_spin_lock(&spin);
    see(d, guarded++);
    pthread_spin_unlock(&spin);
}

static void *child(void *nothing)
{
    atomic_fetch_add(&y, 2);
    return nothing;
}

static void have_child(struct doing *d)
{
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    see(d, atomic_load(&y));
    pthread_join(thread, NULL);
}

static void use_locks(struct doing *d, char what)
{
    switch (what) {
    case 'l':
        take(&m, &d->has_m);
        break;
    case 'u':
        give(&m, &d->has_m);
        break;
    case 'n':
        take(&n, &d->has_n);
        break;
    case 'N':
        give(&n, &d->has_n);
        break;
    case 't':
        try(d);
        break;
    case 'T':
        try_for_a_time(d);
        break;
    case 'a':
        await_flag(d);
        break;
    case 's':
        set_flag(d, false);
        break;
    case 'S':
        set_flag(d, true);
        break;
    case 'e':
        sem_post(&semaphore);
        break;
    case 'f':
        sem_wait(&semaphore);
        break;
    case 'F':
        see(d, sem_trywait(&semaphore));
        break;
    case 'O':
        pthread_once(&once, begin_once);
        break;
    case 'R':
        lock_rw(d, pthread_rwlock_rdlock);
        break;
    case 'W':
        lock_rw(d, pthread_rwlock_wrlock);
        break;
    case 'V':
        lock_rw(d, pthread_rwlock_trywrlock);
        break;
    case 'q':
        hold_spin(d);
        break;
    case 'I':
        see(d, pthread_barrier_wait(&barrier) != 0);
        break;
    case 'z':
        sched_yield();
        break;
    case 'k':
        have_child(d);
        break;
    default:
        break;
    }
}

/* ---- the operation ---- */

static void run(plumb_invocation *i)
{
    const unsigned process = plumb_process(i);
    struct doing d = { .seen = 0 };
    for (const char *what = plumb_arg_text(i, 0); *what; what++) {
        use_memory(&d, *what);
        use_assembly(&d, *what);
        use_locks(&d, *what);
    }
    give(&m, &d.has_m);
    give(&n, &d.has_n);
    if (d.has_rw)
        pthread_rwlock_unlock(&rw);
    answers[process][answered[process]++] = d.seen;
    plumb_return(i, d.seen);
}

PLUMB_OBJECT(.name = "any", .spec = "register", .setup = setup,
             .operations = { { "run",
                               run,
                               { PLUMB_ONE_OF("xXwcCdyYEpPhiHGbBorlunNtTasSefFO"
                                              "RWVqIzk" ADD_ASSEMBLY) } } });
