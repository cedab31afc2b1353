/* scheduler.c - threads that stand before events, and go on when they are told.
 *
 * This is what threads themselves do: hooks and shims call it on their fibers.
 * machine_adapter.c is the other side, who goes on.
 *
 * Invariant: while nobody runs, every thread of the execution has ended, or
 * stands in stand(), or has not begun; `runnable` and `waiting` say which.
 * Control passes from the strategy to one thread (machine_adapter.c), and back, in
 * scheduler_leave(). */
#include "scheduler_state.h"

#include "base/range.h"

#include "runtime/explore/job/trace.h"
#include "runtime/explore/memory/heap.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/races/race_log.h"
#include "waiting_loops.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PLAIN_LIMIT = 20000, ALONE_LIMIT = 1000000, AT_ONCE_LIMIT = 32 };

struct scheduler scheduler;
bool scheduler_inside, scheduler_tidy;
unsigned scheduler_running;
uintptr_t scheduler_caller_stack;
unsigned scheduler_atomic;

void scheduler_leave(void)
{
    scheduler_inside = false;
    scheduler_fiber_switch(&scheduler_running_thread()->fiber, &scheduler.home);
}

/* ---- standing before an event ---- */

static void stand(const void *pc, struct plumb_strategies_event event,
                  scheduler_condition *ready, const void *what)
{
    struct scheduler_thread *const t = scheduler_running_thread();
    assert(!((scheduler.runnable | scheduler.waiting) &
             scheduler_thread_bit(scheduler_running)));
    t->next = event;
    t->pc = pc;
    t->bottom = scheduler_caller_stack;
    scheduler_caller_stack = 0;
    t->ready = ready;
    t->what = what;
    if (ready)
        scheduler.waiting |= scheduler_thread_bit(scheduler_running);
    else
        scheduler.runnable |= scheduler_thread_bit(scheduler_running);
    if (scheduler.random_run)
        scheduler_random_run_on();
    else if (scheduler.walker)
        scheduler_adapter_walk_on();
    else
        scheduler_leave();
    if (__builtin_expect(target_trace != NULL, 0))
        target_trace_goes_on(scheduler.step, pc);
}

static struct plumb_strategies_event event_at(
    enum plumb_strategies_event_kind kind, const volatile void *at,
    uint32_t size)
{
    return (struct plumb_strategies_event){ .kind = kind,
                                            .at = (uintptr_t)at,
                                            .size = size };
}

/* In a serial execution all others stand before calls, unless an operation has
 * started threads.  So there is nothing to choose; but who goes on for long may
 * go round, which only steps tell. */
static bool is_without_choice(const struct plumb_strategies_event *event)
{
    const bool accesses =
        event->kind >= PLUMB_EVENT_READ && event->kind <= PLUMB_EVENT_SYNC;
    return accesses && scheduler.play->serial &&
           scheduler.threads == scheduler.play->roles &&
           scheduler.at_once < AT_ONCE_LIMIT;
}

/* Then an operation that did nothing else than that since its call returns in
 * the step of the call, which is told to be a return. */
static bool returns_at_once(void)
{
    return scheduler.play->serial && scheduler.event.kind == PLUMB_EVENT_CALL &&
           scheduler.threads == scheduler.play->roles;
}

/* The first event of an operation is one with its call. */
static bool goes_on_from_call(const void *pc,
                              const struct plumb_strategies_event *event)
{
    struct scheduler_thread *const t = scheduler_running_thread();
    if (is_without_choice(event)) {
        scheduler.at_once++;
        return true;
    }
    if (!t->called)
        return false;
    t->called = false;
    scheduler.event = *event;
    if (target_trace)
        target_trace_goes_on(scheduler.step, pc);
    return true;
}

/* Before all executions there is nobody to wait for, by reading again and again
 * neither. */
static bool is_alone(bool goes_on)
{
    if (!scheduler.alone)
        return false;
    if (!goes_on || ++scheduler.step > ALONE_LIMIT) {
        scheduler.often = scheduler.over = true;
        scheduler_leave();
    }
    return true;
}

static void pass(const void *pc, struct plumb_strategies_event event)
{
    if (!is_alone(true) && !goes_on_from_call(pc, &event))
        stand(pc, event, NULL, NULL);
}

/* ---- memory ---- */

static void check_heap(const void *pc, const void *at, size_t size)
{
    const enum memory_heap_access access = memory_heap_access(at, size);
    if (__builtin_expect(access != HEAP_GOOD, 0))
        scheduler_fail(
            access == HEAP_FREED ? FAULT_FREED : FAULT_OVERFLOW, pc, at,
            access == HEAP_FREED ? "memory is used after it was freed"
                                 : "memory outside of a block is used");
}

/* Where the functions of a thread that stands end, below which are our own. */
static uintptr_t bottom_of_stack(const struct scheduler_thread *t)
{
    const uintptr_t sp = (uintptr_t)t->fiber.sp;
    return t->bottom - sp < (uintptr_t)t->fiber.stack_end - sp ? t->bottom : sp;
}

/* A thread's own stack is its own affair; compilers look at that. */
static __attribute__((noinline)) void check_stack(const void *pc,
                                                  const void *at)
{
    for (unsigned i = 0; i < scheduler.threads; i++) {
        const struct scheduler_thread *const t = &scheduler.thread[i];
        if (!scheduler_fiber_owns(&t->fiber, at))
            continue;
        if (t->ended)
            scheduler_fail(FAULT_RETURNED, pc, at,
                           "memory is used that was on the stack of a thread "
                           "that has ended");
        if ((uintptr_t)at < bottom_of_stack(t))
            scheduler_fail(FAULT_RETURNED, pc, at,
                           "memory is used that was on the stack of another "
                           "thread, in a function that has returned");
    }
}

static inline bool is_on_another_stack(const void *at)
{
    return __builtin_expect(scheduler_fiber_any_owns(at), 0) &&
           !scheduler_fiber_owns(&scheduler_running_thread()->fiber, at);
}

static inline void check_memory(const void *pc, const void *at, size_t size)
{
    check_heap(pc, at, size);
    if (is_on_another_stack(at))
        check_stack(pc, at);
}

/* Others than its owner are on a stack. */
static void note_visit(const void *at)
{
    for (unsigned t = 0; t < scheduler.threads; t++)
        if (t != scheduler_running &&
            scheduler_fiber_owns(&scheduler.thread[t].fiber, at))
            scheduler.visited |= scheduler_thread_bit(t);
}

static void note_access(const void *at, uint32_t size,
                        enum plumb_strategies_event_kind kind)
{
    if (kind == PLUMB_EVENT_READ)
        scheduler_awaiting_read(at, size);
    else
        scheduler_awaiting_write(at, size);
    if (scheduler.play->prune == PRUNE_LEAVE)
        note_visit(at);
}

__attribute__((flatten)) void scheduler_access(
    const void *pc, const volatile void *at, uint32_t size,
    enum plumb_strategies_event_kind kind)
{
    const void *const memory = (const void *)(uintptr_t)at;
    scheduler.hooks++;
    if (!scheduler_inside)
        return;
    pass(pc, event_at(kind, at, size));
    check_memory(pc, memory, size);
    if (races_step_on)
        races_step_event(scheduler_running, pc, memory, size,
                         kind != PLUMB_EVENT_READ);
    if (scheduler_awaiting_on && !scheduler.alone)
        note_access(memory, size, kind);
}

void scheduler_touch(const void *pc, const void *at, uint32_t size)
{
    scheduler.hooks++;
    scheduler_caller_stack = 0;
    pass(pc, event_at(PLUMB_EVENT_WRITE, at, size));
    if (races_step_on)
        races_step_sync(scheduler_running);
}

/* The step may be that of the call, of which it is a part. */
void scheduler_failed(void)
{
    if (scheduler.event.kind == PLUMB_EVENT_WRITE)
        scheduler.event.kind = PLUMB_EVENT_FAILED;
    scheduler.failed_swaps++;
    scheduler.failed_here++;
    if (races_step_on)
        races_step_failed(scheduler_running);
}

/* Blocks of one size come from one list: that is what is written. */
static const char block_list[1 << 10];

void scheduler_allocation(const void *pc, size_t size)
{
    const size_t most = sizeof block_list - 1;
    const size_t class = size / 16 < most ? size / 16 : most;
    scheduler_caller_stack = 0;
    if (scheduler_inside && scheduler.play && scheduler.play->split &&
        !scheduler.play->serial) /* where one thread has no choice */
        pass(pc, event_at(PLUMB_EVENT_WRITE, &block_list[class], 1));
}

bool scheduler_is_allocation(const struct plumb_strategies_event *event)
{
    return event->kind == PLUMB_EVENT_WRITE &&
           plumb_base_ranges_meet(event->at, 1, (uintptr_t)block_list,
                                  sizeof block_list);
}

static bool are_frees_events(void)
{
    return scheduler_inside && scheduler.play && scheduler.play->frees;
}

void scheduler_free(const void *pc, const void *block, size_t size)
{
    scheduler_allocation(pc, size);
    if (are_frees_events())
        pass(pc, event_at(PLUMB_EVENT_WRITE, block, (uint32_t)size));
    scheduler_plain(pc, block, size, true);
}

void scheduler_use(const void *pc, const void *object)
{
    scheduler_caller_stack = 0;
    if (are_frees_events() && memory_heap_has(object))
        pass(pc, event_at(PLUMB_EVENT_READ, object, 1));
}

static bool waits_for_plain_memory(void)
{
    return ++scheduler.plain > PLAIN_LIMIT;
}

static __attribute__((noinline)) void look_for_race(const void *pc,
                                                    const void *at, size_t size,
                                                    bool writes)
{
    struct race race;
    if (races_plain(scheduler_running, pc, at, size, writes, &race))
        scheduler_race(&race);
}

static inline void check_race(const void *pc, const void *at, size_t size,
                              bool writes)
{
    if (!race_note_plain(scheduler_running, pc, at, size, writes))
        look_for_race(pc, at, size, writes);
}

/* What a thread does to its own stack is seen when it stands. */
static void note_plain(const void *at, size_t size, bool writes)
{
    if (scheduler_fiber_owns(&scheduler_running_thread()->fiber, at))
        return;
    if (writes)
        scheduler_awaiting_progress();
    else
        scheduler_awaiting_read(at, size);
    if (scheduler.play->prune == PRUNE_LEAVE)
        note_visit(at);
}

static inline void pass_plain(const void *pc, const void *at, size_t size,
                              bool writes, bool is_point)
{
    if (scheduler.play && (waits_for_plain_memory() || is_point))
        pass(pc, event_at(writes ? PLUMB_EVENT_WRITE : PLUMB_EVENT_READ, at,
                          (uint32_t)size));
}

static inline void tell_plain(const void *pc, const void *at, size_t size,
                              bool writes)
{
    check_memory(pc, at, size);
    if (scheduler.alone)
        return;
    if (scheduler_awaiting_on)
        note_plain(at, size, writes);
    if (races_on)
        check_race(pc, at, size, writes);
    if (races_step_on)
        races_step_plain(scheduler_running, pc, at, size, writes);
}

static __attribute__((noinline)) void follow_plain(const void *pc,
                                                   const void *at, size_t size,
                                                   bool writes)
{
    pass_plain(pc, at, size, writes,
               scheduler_points_count && scheduler_points_have(pc));
    tell_plain(pc, at, size, writes);
}

/* Most accesses are plain, and nobody follows them but who looks for races. */
void scheduler_plain(const void *pc, const void *at, size_t size, bool writes)
{
    scheduler.hooks++;
    if (!scheduler_inside)
        return;
    if (!scheduler.light || scheduler.plain >= PLAIN_LIMIT ||
        memory_heap_has(at)) {
        follow_plain(pc, at, size, writes);
        return;
    }
    scheduler.plain++;
    if (is_on_another_stack(at))
        check_stack(pc, at);
    if (races_on)
        check_race(pc, at, size, writes);
}

void scheduler_copy_to(const void *pc, const void *at, size_t size)
{
    scheduler.hooks++;
    if (!scheduler_inside)
        return;
    pass_plain(pc, at, size, true,
               scheduler_points_count && scheduler_points_have_copy(pc));
    tell_plain(pc, at, size, true);
    scheduler.copy.pc = pc;
    scheduler.copy.at = at;
    scheduler.copy.size = size;
    scheduler.copy.hook = scheduler.hooks;
    scheduler.copy.step = scheduler.step;
    scheduler.copy.stood =
        scheduler_points_count && scheduler_points_have_copy(pc);
}

void scheduler_copy_from(const void *pc, const void *at, size_t size,
                         bool surely)
{
    const bool is_copy = scheduler.copy.hook == scheduler.hooks &&
                         scheduler.copy.step == scheduler.step &&
                         scheduler.copy.size == size;
    const void *const to = scheduler.copy.at, *const written =
                                                  scheduler.copy.pc;
    scheduler.hooks++;
    if (!scheduler_inside)
        return;
    if (is_copy && surely)
        scheduler_points_pair(written, pc);
    if (is_copy && surely && scheduler.copy.stood) {
        tell_plain(pc, at, size, false);
        return;
    }
    const uint32_t step = scheduler.step;
    pass_plain(pc, at, size, false,
               scheduler_points_count && scheduler_points_have(pc));
    if (is_copy && scheduler.step != step)
        tell_plain(written, to, size, true);
    tell_plain(pc, at, size, false);
}

void scheduler_race(const struct race *race)
{
    scheduler.raced = true;
    const bool inside = scheduler_inside;
    if (scheduler.at_random)
        return;
    scheduler_inside = false;
    if (scheduler.play && scheduler.play->raced)
        scheduler.play->raced(scheduler.play->context, race);
    scheduler_inside = inside;
}

/* ---- what orders and waits ---- */

static void count_locks(enum plumb_strategies_event_kind kind)
{
    struct scheduler_thread *const t = scheduler_running_thread();
    t->locks += (kind == PLUMB_EVENT_LOCK) - (kind == PLUMB_EVENT_UNLOCK);
    scheduler.may_wait |= kind == PLUMB_EVENT_SYNC;
}

void scheduler_sync(const void *pc, const void *at,
                    enum plumb_strategies_event_kind kind,
                    scheduler_condition *ready, const void *what)
{
    const struct plumb_strategies_event event = event_at(kind, at, 0);
    scheduler.hooks++;
    scheduler_caller_stack = 0;
    const bool goes_on = !ready || ready(what);
    count_locks(kind);
    if (is_alone(goes_on))
        return;
    if (!(goes_on && goes_on_from_call(pc, &event))) {
        scheduler_running_thread()->called = false;
        stand(pc, event, ready, what);
    }
    if (races_step_on)
        races_step_sync(scheduler_running);
    if (scheduler_awaiting_on)
        scheduler_awaiting_try();
}

void scheduler_looked(const volatile void *at, size_t size)
{
    if (scheduler_awaiting_on && !scheduler.alone)
        scheduler_awaiting_look((const void *)(uintptr_t)at, size);
}

void scheduler_changed(void)
{
    if (scheduler_awaiting_on && scheduler_inside && !scheduler.alone)
        scheduler_awaiting_progress();
}

bool scheduler_sync_timed(const void *pc, const void *at,
                          scheduler_condition *ready, const void *what)
{
    if (is_alone(ready(what)))
        return true;
    /* It gives way here, so it is never one with the call before it: a bound
     * on preemptions must mean the same whether calls are events or not. */
    scheduler_running_thread()->called = false;
    scheduler.yielding |= scheduler_thread_bit(scheduler_running);
    scheduler_caller_stack = 0;
    stand(pc, event_at(PLUMB_EVENT_SYNC, at, 0), NULL, NULL);
    if (races_step_on)
        races_step_sync(scheduler_running);
    if (scheduler_awaiting_on)
        scheduler_awaiting_try();
    return ready(what);
}

unsigned scheduler_choose(const void *pc, unsigned n, const char *what)
{
    if (n < 2 || is_alone(false))
        return 0;
    scheduler_caller_stack = 0;
    scheduler_running_thread()->name = what;
    scheduler_running_thread()->called = false;
    stand(pc, event_at(PLUMB_EVENT_CHOICE, NULL, n), NULL, NULL);
    scheduler_changed();
    struct job_trace_record *const r =
        target_trace_add(TRACE_CHOICE, pc, NULL, 0);
    if (r) {
        r->before = n;
        r->after = scheduler.option;
        snprintf(r->name, sizeof r->name, "%s", what);
    }
    return scheduler.option;
}

void scheduler_yield(const void *pc)
{
    if (is_alone(true))
        return;
    scheduler_running_thread()->called = false;
    scheduler.yielding |= scheduler_thread_bit(scheduler_running);
    scheduler_caller_stack = 0;
    stand(pc, event_at(PLUMB_EVENT_LOCAL, NULL, 0), NULL, NULL);
    target_trace_add(TRACE_YIELD, pc, NULL, 0);
}

static bool never(const void *nothing)
{
    (void)nothing;
    return false;
}

void scheduler_give_up(const void *pc)
{
    static const char nowhere;
    scheduler_sync(pc, &nowhere, PLUMB_EVENT_SYNC, never, NULL);
}

bool scheduler_has_given_up(void)
{
    for (unsigned t = 0; t < scheduler.threads; t++)
        if (scheduler.waiting & scheduler_thread_bit(t) &&
            scheduler.thread[t].ready == never)
            return true;
    return false;
}

/* ---- threads ---- */

static void be_thread(void)
{
    struct scheduler_thread *const t = scheduler_running_thread();
    t->body(t->argument);
    scheduler_end_thread();
}

static void find_own_memory(struct scheduler_fiber *f)
{
    f->locals = memory_image_thread_locals();
    f->exceptions = memory_image_exceptions();
    memory_image_once(f->once);
}

bool scheduler_has_fiber(unsigned t)
{
    while (scheduler.fibers <= t) {
        if (!scheduler_fiber_make(&scheduler.thread[scheduler.fibers].fiber,
                                  scheduler.fibers, find_own_memory))
            return false;
        memory_world_keep_thread(scheduler.fibers);
        scheduler.fibers++;
    }
    return true;
}

void scheduler_make_thread(unsigned number, void (*body)(void *),
                           void *argument)
{
    struct scheduler_thread *const t = &scheduler.thread[number];
    memset(&t->next, 0, sizeof *t - offsetof(struct scheduler_thread, next));
    t->body = body;
    t->argument = argument;
    scheduler_fiber_start(&t->fiber, be_thread);
}

static bool make_next(void (*body)(void *), void *argument)
{
    const unsigned number = scheduler.threads;
    if (number == PLUMB_MAX_THREADS || !scheduler_has_fiber(number))
        return false;
    scheduler_make_thread(number, body, argument);
    return true;
}

void scheduler_make_wanted(void)
{
    struct scheduler_wanted *const w = &scheduler.wanted;
    w->made = make_next(w->body, w->argument);
    w->body = NULL;
}

/* What making one leaves behind, some of it only the first time, must not be on
 * the stack of who spawns it: where stacks are compared that is done at home. */
static bool have_made(void (*body)(void *), void *argument)
{
    if (!scheduler_tidy)
        return make_next(body, argument);
    scheduler.wanted =
        (struct scheduler_wanted){ .body = body, .argument = argument };
    scheduler_leave();
    return scheduler.wanted.made;
}

unsigned scheduler_spawn(const void *pc, void (*body)(void *), void *argument)
{
    scheduler_caller_stack = 0;
    if (!is_alone(false))
        pass(pc, event_at(PLUMB_EVENT_SPAWN, NULL, 0));
    const unsigned number = scheduler.threads;
    scheduler_inside = false;
    const bool made = have_made(body, argument);
    scheduler_inside = true;
    if (!made)
        return UINT32_MAX;
    scheduler.thread[number].begun =
        true; /* unlike a role, it stands nowhere */
    scheduler_changed();
    scheduler.threads++;
    scheduler.event.at = number;
    if (races_on)
        races_spawn(scheduler_running, number);
    if (races_step_on) {
        races_step_sync(scheduler_running);
        races_step_born(number);
    }
    target_trace_number(TRACE_SPAWN, pc, number);
    return number;
}

static bool thread_has_ended(const void *thread)
{
    return ((const struct scheduler_thread *)thread)->ended;
}

bool scheduler_has_ended(unsigned thread)
{
    return thread < scheduler.threads && scheduler.thread[thread].ended;
}

void scheduler_joined(unsigned thread)
{
    if (races_on)
        races_join(scheduler_running, thread);
    if (!races_step_on)
        return;
    races_step_sync(scheduler_running);
    races_step_joined(thread);
}

void scheduler_join(const void *pc, unsigned thread)
{
    const struct scheduler_thread *const other = &scheduler.thread[thread];
    assert(thread < scheduler.threads);
    if (!is_alone(other->ended)) {
        const struct plumb_strategies_event event = { .kind = PLUMB_EVENT_JOIN,
                                                      .at = thread };
        scheduler_running_thread()->called = false;
        scheduler.may_wait |= scheduler.operating != 0;
        scheduler_caller_stack = 0;
        stand(pc, event, thread_has_ended, other);
    }
    scheduler_changed();
    scheduler_joined(thread);
    target_trace_number(TRACE_JOIN, pc, thread);
}

void scheduler_end_thread(void)
{
    target_trace_add(TRACE_END, NULL, NULL, 0);
    scheduler_running_thread()->ended = true;
    if (scheduler.alone)
        scheduler.over = true;
    if (scheduler.random_run)
        scheduler_random_run_on();
    else
        scheduler_leave();
    __builtin_unreachable();
}

void scheduler_exit(int status)
{
    scheduler_caller_stack = 0;
    if (!is_alone(true))
        stand(NULL, event_at(PLUMB_EVENT_EXIT, NULL, 0), NULL, NULL);
    scheduler.over = scheduler.exited = true;
    scheduler.status = status;
    scheduler_leave();
    __builtin_unreachable();
}

bool scheduler_must_return(void)
{
    return scheduler.operating & scheduler_thread_bit(scheduler_running) ||
           (scheduler.play && !scheduler.play->ends &&
            scheduler_running < scheduler.play->roles);
}

uintptr_t scheduler_thread_name(unsigned thread)
{
    return thread < scheduler.threads ? scheduler.thread[thread].fiber.name : 0;
}

uintptr_t *scheduler_slot(unsigned thread, enum scheduler_slot slot)
{
    assert(thread < PLUMB_MAX_THREADS && (unsigned)slot < SLOTS);
    return &scheduler.thread[thread].slot[slot];
}

/* ---- operations ---- */

static void tell(unsigned op, bool returned)
{
    assert(scheduler.told < MOST_TOLD);
    scheduler_changed();
    scheduler.tell[scheduler.told++] = (struct scheduler_told){ op, returned };
    if (target_trace)
        target_trace_number(returned ? TRACE_RETURN : TRACE_CALL, NULL, op);
}

void scheduler_call(unsigned op)
{
    scheduler_caller_stack = (uintptr_t)__builtin_dwarf_cfa();
    struct scheduler_thread *const t = scheduler_running_thread();
    const struct plumb_strategies_event event = { .kind = PLUMB_EVENT_CALL,
                                                  .at = op };
    if (!is_alone(true) && t->begun) {
        scheduler.calling |= scheduler_thread_bit(scheduler_running);
        stand(NULL, event, NULL, NULL);
    }
    scheduler.operating |= scheduler_thread_bit(scheduler_running);
    scheduler.at_once = 0;
    t->begun = true; /* the first call is what a role stands before */
    t->called = !scheduler.alone && !scheduler.play->split;
    tell(op, false);
}

void scheduler_return(unsigned op)
{
    scheduler_caller_stack = (uintptr_t)__builtin_dwarf_cfa();
    const struct plumb_strategies_event event = { .kind = PLUMB_EVENT_RETURN,
                                                  .at = op };
    if (!scheduler.alone && returns_at_once())
        scheduler.event = event;
    else if (!scheduler.alone && scheduler.play->split)
        stand(NULL, event, NULL, NULL);
    scheduler_running_thread()->called = false;
    scheduler.operating &= ~scheduler_thread_bit(scheduler_running);
    scheduler.may_wait |= scheduler_running_thread()->locks != 0;
    tell(op, true);
}
