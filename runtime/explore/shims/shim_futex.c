/* shim_futex.c - system calls that are made without libc's names: futexes.
 *
 * To compare the word and to begin to wait is one step, and so is to look for
 * those who wait: both are events that write the word, because they depend on
 * its value and on each other.  The wait itself is for another event, in which
 * those who were found are let go:
 *
 *     wait:  WRITE, compares and enters   wake:  WRITE, takes some out
 *            SYNC, until let go                  SYNC, lets them go
 *
 * Only who begins to wait reads the word, as in the kernel.  The others have its
 * address and nothing more: who unlocks wakes at a lock that may be freed by
 * then.
 *
 * Who waits for what is in the slots of the threads. */
#include "real.h"
#include "shims.h"

#include "runtime/explore/hooks/scheduler_hook.h"
#include "runtime/explore/job/trace.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* SLOT_FUTEX of a thread: the address, which is a multiple of 4, and ... */
enum { ENTERED = 1, TAKEN = 2, HOW = 3 };

static struct {
    uint64_t waiting; /* bit t: SLOT_FUTEX of thread t is not 0 */
} futexes;

void shims_futex_init(void)
{
    memory_world_keep(&futexes, sizeof futexes);
}

struct call {
    struct shims_place from;
    uint32_t *word;
    uint32_t value, bits;
    const struct timespec *limit, *duration; /* NULL: none */
};

static uintptr_t *slot_of(unsigned thread)
{
    return scheduler_slot(thread, (enum scheduler_slot)SLOT_FUTEX);
}

/* The bits it waits for: the upper half of SLOT_STATE. */
static uint32_t bits_of(unsigned thread)
{
    return (uint32_t)(*scheduler_slot(thread, SLOT_STATE) >> 32);
}

static void set_bits(unsigned thread, uint32_t bits)
{
    uintptr_t *const state = scheduler_slot(thread, SLOT_STATE);
    *state = (*state & UINT32_MAX) | (uintptr_t)bits << 32;
}

static uint32_t read_word(const struct call *c)
{
    scheduler_access(c->from.pc, c->word, sizeof *c->word, PLUMB_EVENT_WRITE);
    hooks_races_after_atomic(c->from.pc, c->word, sizeof *c->word, true, false,
                             memory_order_relaxed);
    struct job_trace_record *const r =
        target_trace_add(TRACE_LOAD, c->from.pc, c->word, sizeof *c->word);
    if (r) {
        snprintf(r->name, sizeof r->name, "%s", c->from.name);
        r->before = r->after = *c->word;
        r->known = true;
    }
    return *c->word;
}

static void look_at_waiters(const struct call *c)
{
    scheduler_touch(c->from.pc, c->word, sizeof *c->word);
}

/* ---- waiting ---- */

static bool was_let_go(const void *slot)
{
    return *(const uintptr_t *)slot == 0;
}

static bool wait_in_time(const struct call *c)
{
    const uintptr_t *const slot = slot_of(scheduler_self());
    if (!c->limit && !c->duration) {
        scheduler_sync(c->from.pc, c->word, PLUMB_EVENT_SYNC, was_let_go, slot);
        return true;
    }
    if (scheduler_sync_timed(c->from.pc, c->word, was_let_go, slot))
        return true;
    if (c->limit)
        shims_time_reached(c->limit);
    else
        shims_time_passed(c->duration);
    return false;
}

static void forget(unsigned thread)
{
    *slot_of(thread) = 0;
    futexes.waiting &= ~(UINT64_C(1) << thread);
    set_bits(thread, 0);
}

/* Its time is up, unless somebody took it out before. */
static int give_up(const struct call *c)
{
    look_at_waiters(c);
    scheduler_changed();
    const bool taken = (*slot_of(scheduler_self()) & HOW) == TAKEN;
    forget(scheduler_self());
    return taken ? 0 : ETIMEDOUT;
}

static int wait_for(const struct call *c)
{
    const unsigned self = scheduler_self();
    if (!c->bits)
        return EINVAL;
    if (read_word(c) != c->value)
        return EAGAIN;
    scheduler_changed();
    *slot_of(self) = (uintptr_t)c->word | ENTERED;
    futexes.waiting |= UINT64_C(1) << self;
    set_bits(self, c->bits);
    if (!wait_in_time(c)) {
        const int error = give_up(c);
        if (error)
            return error;
    }
    shims_acquired(c->word);
    return 0;
}

/* ---- waking ---- */

static uint64_t find(const struct call *c)
{
    uint64_t found = 0;
    for (uint64_t left = futexes.waiting; left; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        if (*slot_of(t) == ((uintptr_t)c->word | ENTERED) &&
            bits_of(t) & c->bits)
            found |= UINT64_C(1) << t;
    }
    return found;
}

/* So many of them; whom, if there are more, is a choice for each.  Others may
 * come and go meanwhile: then it is as if we had come later. */
static uint64_t take(const struct call *c, unsigned most)
{
    uint64_t taken = 0;
    look_at_waiters(c);
    scheduler_changed();
    uint64_t found = find(c);
    while (found && shims_count_bits(taken) < most) {
        unsigned k = 0;
        if (shims_count_bits(found) > most - shims_count_bits(taken)) {
            k = scheduler_choose(c->from.pc, shims_count_bits(found),
                                 "thread to wake");
            look_at_waiters(c);
            found = find(c);
            if (!found)
                break;
        }
        const uint64_t bit = shims_bit_of(found, k % shims_count_bits(found));
        *slot_of((unsigned)__builtin_ctzll(bit)) = (uintptr_t)c->word | TAKEN;
        taken |= bit;
        found &= ~bit;
    }
    return taken;
}

/* One whose time was up may have gone, and even wait again. */
static void let_go(const struct call *c, uint64_t taken)
{
    scheduler_sync(c->from.pc, c->word, PLUMB_EVENT_SYNC, NULL, NULL);
    shims_released(c->word);
    for (; taken; taken &= taken - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(taken);
        if (*slot_of(t) == ((uintptr_t)c->word | TAKEN))
            forget(t);
    }
}

static int wake(const struct call *c)
{
    const unsigned most = (int)c->value < 1 ? 1 : c->value;
    if (!c->bits)
        return shims_answer_errno(c->from, c->word, EINVAL);
    const uint64_t taken = take(c, most);
    if (taken)
        let_go(c, taken);
    return shims_answer_woken(c->from, c->word, (int)shims_count_bits(taken));
}

/* ---- the system call ---- */

static int wait_call(struct call c, const struct timespec *time, bool absolute)
{
    if (time && (!shims_time_is_valid(time) || time->tv_sec < 0))
        return shims_answer_errno(c.from, c.word, EINVAL);
    *(absolute ? &c.limit : &c.duration) = time;
    return shims_answer_errno(c.from, c.word, wait_for(&c));
}

_Noreturn static void fail_futex(struct shims_place from, const uint32_t *word,
                                 int command)
{
    static const char *const name[] = {
        [FUTEX_FD] = "FUTEX_FD",
        [FUTEX_REQUEUE] = "FUTEX_REQUEUE",
        [FUTEX_CMP_REQUEUE] = "FUTEX_CMP_REQUEUE",
        [FUTEX_WAKE_OP] = "FUTEX_WAKE_OP",
        [FUTEX_LOCK_PI] = "FUTEX_LOCK_PI",
        [FUTEX_UNLOCK_PI] = "FUTEX_UNLOCK_PI",
        [FUTEX_TRYLOCK_PI] = "FUTEX_TRYLOCK_PI",
        [FUTEX_WAIT_REQUEUE_PI] = "FUTEX_WAIT_REQUEUE_PI",
        [FUTEX_CMP_REQUEUE_PI] = "FUTEX_CMP_REQUEUE_PI",
    };
    if ((size_t)command < sizeof name / sizeof *name && name[command])
        scheduler_fail(FAULT_UNMODELLED, from.pc, word, "%s", name[command]);
    scheduler_fail(FAULT_UNMODELLED, from.pc, word, "futex operation %d",
                   command);
}

/* What the trace calls it. */
static const char *name_of_command(int command)
{
    switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return "futex_wait";
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return "futex_wake";
    default:
        return "futex";
    }
}

static int futex(const void *pc, const long argument[6])
{
    const int command = (int)argument[1] & FUTEX_CMD_MASK;
    const struct shims_place from = { pc, name_of_command(command) };
    struct call c = { .from = from,
                      .word = (uint32_t *)argument[0],
                      .value = (uint32_t)argument[2],
                      .bits = FUTEX_BITSET_MATCH_ANY };
    const struct timespec *const time = (const struct timespec *)argument[3];
    if (command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET)
        c.bits = (uint32_t)argument[5];
    if (argument[0] % 4)
        return shims_answer_errno(from, c.word, EINVAL);
    switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return wait_call(c, time, command == FUTEX_WAIT_BITSET);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return wake(&c);
    default:
        fail_futex(from, c.word, command);
    }
}

/* Those that programs call without libc's names for them. */
static const char *name_of_call(long number)
{
    switch (number) {
#if defined(SYS_futex_waitv)
    case SYS_futex_waitv:
        return "futex_waitv";
#endif
    case SYS_clock_gettime:
        return "clock_gettime";
    case SYS_exit:
        return "exit";
    case SYS_exit_group:
        return "exit_group";
    case SYS_getcpu:
        return "getcpu";
    case SYS_getrandom:
        return "getrandom";
    case SYS_mmap:
        return "mmap";
    case SYS_nanosleep:
        return "nanosleep";
    case SYS_rt_sigprocmask:
        return "rt_sigprocmask";
    case SYS_tgkill:
        return "tgkill";
    case SYS_write:
        return "write";
    default:
        return NULL;
    }
}

_Noreturn static void fail_call(struct shims_place from, long number)
{
    const char *const name = name_of_call(number);
    if (name)
        scheduler_fail(FAULT_UNMODELLED, from.pc, NULL, "system call %s", name);
    scheduler_fail(FAULT_UNMODELLED, from.pc, NULL, "system call %ld", number);
}

static long call_system(struct shims_place from, long number,
                        const long argument[6])
{
    switch (number) {
    case SYS_futex:
        return futex(from.pc, argument);
    case SYS_sched_yield:
        scheduler_yield(from.pc);
        return 0;
    case SYS_gettid:
        return shims_self_mark();
    case SYS_getpid:
        return 1;
    case SYS_membarrier:
        if (races_on)
            races_fence(scheduler_self(), memory_order_seq_cst);
        return 0;
    default:
        fail_call(from, number);
    }
}

long syscall(long number, ...)
{
    long argument[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        argument[i] = va_arg(list, long);
    va_end(list);
    if (!scheduler_inside)
        return REAL(syscall)(number, argument[0], argument[1], argument[2],
                             argument[3], argument[4], argument[5]);
    return call_system(PLACE, number, argument);
}
