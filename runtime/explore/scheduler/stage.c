/* stage.c - threads that stand before events, and go on when they are told.
 *
 * This is what threads themselves do: hooks and shims call it on their fibers.
 * theatre.c is the other side, who goes on.
 *
 * Invariant: while nobody runs, every thread of the execution has ended, or
 * stands in stand(), or has not begun; `runnable` and `waiting` say which.
 * Control passes from the strategy to one thread (theatre.c), and back, in
 * stage_leave(). */
#include "stage_state.h"

#include "awaiting.h"
#include "runtime/explore/memory/heap.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/races/race_log.h"
#include "runtime/explore/job/trace.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PLAIN_LIMIT = 20000, ALONE_LIMIT = 1000000 };

struct stage stage;
bool stage_inside, stage_tidy;
unsigned stage_running;

void stage_leave(void)
{
    stage_inside = false;
    fiber_switch(&running()->fiber, &stage.home);
}

/* ---- standing before an event ---- */

static void stand(const void *pc, struct plumb_event event,
                  stage_condition *ready, const void *what)
{
    struct thread *const t = running();
    t->next = event;
    t->pc = pc;
    t->ready = ready;
    t->what = what;
    if (ready)
        stage.waiting |= thread_bit(stage_running);
    else
        stage.runnable |= thread_bit(stage_running);
    if (stage.stroll)
        stroll_on();
    else if (stage.walker)
        theatre_walk_on();
    else
        stage_leave();
    if (__builtin_expect(stage_trace != NULL, 0))
        trace_goes_on(stage.step, pc);
}

static struct plumb_event event_at(enum plumb_event_kind kind,
                                   const volatile void *at, uint32_t size)
{
    return (
        struct plumb_event){ .kind = kind, .at = (uintptr_t)at, .size = size };
}

/* The first event of an operation is one with its call. */
static bool goes_on_from_call(const void *pc, const struct plumb_event *event)
{
    struct thread *const t = running();
    if (!t->called)
        return false;
    t->called = false;
    stage.event = *event;
    if (stage_trace)
        trace_goes_on(stage.step, pc);
    return true;
}

/* Before all executions there is nobody to wait for, by reading again and again
 * neither. */
static bool is_alone(bool goes_on)
{
    if (!stage.alone)
        return false;
    if (!goes_on || ++stage.step > ALONE_LIMIT) {
        stage.often = stage.over = true;
        stage_leave();
    }
    return true;
}

static void pass(const void *pc, struct plumb_event event)
{
    if (!is_alone(true) && !goes_on_from_call(pc, &event))
        stand(pc, event, NULL, NULL);
}

/* ---- memory ---- */

static void check_heap(const void *pc, const void *at, size_t size)
{
    const enum heap_access access = heap_access(at, size);
    if (__builtin_expect(access != HEAP_GOOD, 0))
        stage_fail(access == HEAP_FREED ? FAULT_FREED : FAULT_OVERFLOW, pc, at,
                   access == HEAP_FREED ? "memory is used after it was freed"
                                        : "memory outside of a block is used");
}

/* Others than its owner are on a stack. */
static void note_visit(const void *at)
{
    for (unsigned t = 0; t < stage.threads; t++)
        if (t != stage_running && fiber_owns(&stage.thread[t].fiber, at))
            stage.visited |= thread_bit(t);
}

static void note_access(const void *at, uint32_t size,
                        enum plumb_event_kind kind)
{
    if (kind == PLUMB_EVENT_READ)
        awaiting_read(at, size);
    else
        awaiting_write(at, size);
    if (stage.play->prune == PRUNE_LEAVE)
        note_visit(at);
}

__attribute__((flatten)) void stage_access(const void *pc,
                                           const volatile void *at,
                                           uint32_t size,
                                           enum plumb_event_kind kind)
{
    const void *const memory = (const void *)(uintptr_t)at;
    stage.hooks++;
    if (!stage_inside)
        return;
    pass(pc, event_at(kind, at, size));
    check_heap(pc, memory, size);
    if (tails_on)
        tails_event(stage_running, pc, memory, size, kind != PLUMB_EVENT_READ);
    if (awaiting_on && !stage.alone)
        note_access(memory, size, kind);
}

void stage_touch(const void *pc, const void *at, uint32_t size)
{
    stage.hooks++;
    pass(pc, event_at(PLUMB_EVENT_WRITE, at, size));
    if (tails_on)
        tails_sync(stage_running);
}

void stage_failed(void)
{
    stage.event.kind = PLUMB_EVENT_FAILED;
    stage.failed_swaps++;
    if (tails_on)
        tails_failed(stage_running);
}

/* Blocks of one size come from one list: that is what is written. */
void stage_allocation(const void *pc, size_t size)
{
    static const char list[1 << 10];
    const size_t class = size / 16 < sizeof list ? size / 16 : sizeof list - 1;
    if (stage_inside && stage.play && stage.play->split)
        pass(pc, event_at(PLUMB_EVENT_WRITE, &list[class], 1));
}

static bool are_frees_events(void)
{
    return stage_inside && stage.play && stage.play->frees;
}

void stage_free(const void *pc, const void *block, size_t size)
{
    stage_allocation(pc, size);
    if (are_frees_events())
        pass(pc, event_at(PLUMB_EVENT_WRITE, block, (uint32_t)size));
    stage_plain(pc, block, size, true);
}

void stage_use(const void *pc, const void *object)
{
    if (are_frees_events() && heap_has(object))
        pass(pc, event_at(PLUMB_EVENT_READ, object, 1));
}

static bool waits_for_plain_memory(void)
{
    return ++stage.plain > PLAIN_LIMIT;
}

static __attribute__((noinline)) void look_for_race(const void *pc,
                                                    const void *at, size_t size,
                                                    bool writes)
{
    struct race race;
    if (races_plain(stage_running, pc, at, size, writes, &race))
        stage_race(&race);
}

static inline void check_race(const void *pc, const void *at, size_t size,
                              bool writes)
{
    if (!race_note_plain(stage_running, pc, at, size, writes))
        look_for_race(pc, at, size, writes);
}

/* What a thread does to its own stack is seen when it stands. */
static void note_plain(const void *at, size_t size, bool writes)
{
    if (fiber_owns(&running()->fiber, at))
        return;
    if (writes)
        awaiting_progress();
    else
        awaiting_read(at, size);
    if (stage.play->prune == PRUNE_LEAVE)
        note_visit(at);
}

static inline void pass_plain(const void *pc, const void *at, size_t size,
                              bool writes, bool is_point)
{
    if (stage.play && (waits_for_plain_memory() || is_point))
        pass(pc, event_at(writes ? PLUMB_EVENT_WRITE : PLUMB_EVENT_READ, at,
                          (uint32_t)size));
}

static inline void tell_plain(const void *pc, const void *at, size_t size,
                              bool writes)
{
    check_heap(pc, at, size);
    if (stage.alone)
        return;
    if (awaiting_on)
        note_plain(at, size, writes);
    if (races_on)
        check_race(pc, at, size, writes);
    if (tails_on)
        tails_plain(stage_running, pc, at, size, writes);
}

static __attribute__((noinline)) void follow_plain(const void *pc,
                                                   const void *at, size_t size,
                                                   bool writes)
{
    pass_plain(pc, at, size, writes, points_count && points_have(pc));
    tell_plain(pc, at, size, writes);
}

/* Most accesses are plain, and nobody follows them but who looks for races. */
void stage_plain(const void *pc, const void *at, size_t size, bool writes)
{
    stage.hooks++;
    if (!stage_inside)
        return;
    if (!stage.light || stage.plain >= PLAIN_LIMIT || heap_has(at)) {
        follow_plain(pc, at, size, writes);
        return;
    }
    stage.plain++;
    if (races_on)
        check_race(pc, at, size, writes);
}

void stage_copy_to(const void *pc, const void *at, size_t size)
{
    stage.hooks++;
    if (!stage_inside)
        return;
    pass_plain(pc, at, size, true, points_count && points_have_copy(pc));
    tell_plain(pc, at, size, true);
    stage.copy.pc = pc;
    stage.copy.at = at;
    stage.copy.size = size;
    stage.copy.hook = stage.hooks;
    stage.copy.step = stage.step;
    stage.copy.stood = points_count && points_have_copy(pc);
}

void stage_copy_from(const void *pc, const void *at, size_t size, bool surely)
{
    const bool is_copy = stage.copy.hook == stage.hooks &&
                         stage.copy.step == stage.step &&
                         stage.copy.size == size;
    const void *const to = stage.copy.at, *const written = stage.copy.pc;
    stage.hooks++;
    if (!stage_inside)
        return;
    if (is_copy && surely)
        points_pair(written, pc);
    if (is_copy && surely && stage.copy.stood) {
        tell_plain(pc, at, size, false);
        return;
    }
    const uint32_t step = stage.step;
    pass_plain(pc, at, size, false, points_count && points_have(pc));
    if (is_copy && stage.step != step)
        tell_plain(written, to, size, true);
    tell_plain(pc, at, size, false);
}

void stage_race(const struct race *race)
{
    stage.raced = true;
    if (stage.strolls)
        return;
    stage_inside = false;
    if (stage.play && stage.play->raced)
        stage.play->raced(stage.play->context, race);
    stage_inside = true;
}

/* ---- what orders and waits ---- */

void stage_sync(const void *pc, const void *at, enum plumb_event_kind kind,
                stage_condition *ready, const void *what)
{
    const struct plumb_event event = event_at(kind, at, 0);
    stage.hooks++;
    const bool goes_on = !ready || ready(what);
    if (is_alone(goes_on))
        return;
    if (!(goes_on && goes_on_from_call(pc, &event))) {
        running()->called = false;
        stand(pc, event, ready, what);
    }
    if (tails_on)
        tails_sync(stage_running);
    if (awaiting_on)
        awaiting_try();
}

void stage_looked(const volatile void *at, size_t size)
{
    if (awaiting_on && !stage.alone)
        awaiting_look((const void *)(uintptr_t)at, size);
}

void stage_changed(void)
{
    if (awaiting_on && stage_inside && !stage.alone)
        awaiting_progress();
}

bool stage_sync_timed(const void *pc, const void *at, stage_condition *ready,
                      const void *what)
{
    if (is_alone(ready(what)))
        return true;
    /* It gives way here, so it is never one with the call before it: a bound
     * on preemptions must mean the same whether calls are events or not. */
    running()->called = false;
    stage.yielding |= thread_bit(stage_running);
    stand(pc, event_at(PLUMB_EVENT_SYNC, at, 0), NULL, NULL);
    if (tails_on)
        tails_sync(stage_running);
    if (awaiting_on)
        awaiting_try();
    return ready(what);
}

unsigned stage_choose(const void *pc, unsigned n, const char *what)
{
    if (n < 2 || is_alone(false))
        return 0;
    running()->name = what;
    running()->called = false;
    stand(pc, event_at(PLUMB_EVENT_CHOICE, NULL, n), NULL, NULL);
    stage_changed();
    struct trace_record *const r = trace_add(TRACE_CHOICE, pc, NULL, 0);
    if (r) {
        r->before = n;
        r->after = stage.option;
        snprintf(r->name, sizeof r->name, "%s", what);
    }
    return stage.option;
}

void stage_yield(const void *pc)
{
    if (is_alone(true))
        return;
    running()->called = false;
    stage.yielding |= thread_bit(stage_running);
    stand(pc, event_at(PLUMB_EVENT_LOCAL, NULL, 0), NULL, NULL);
    trace_add(TRACE_YIELD, pc, NULL, 0);
}

/* ---- threads ---- */

static void be_thread(void)
{
    struct thread *const t = running();
    t->body(t->argument);
    stage_end_thread();
}

static void find_own_memory(struct fiber *f)
{
    f->locals = image_thread_locals();
    f->exceptions = image_exceptions();
}

bool stage_has_fiber(unsigned t)
{
    while (stage.fibers <= t) {
        if (!fiber_make(&stage.thread[stage.fibers].fiber, stage.fibers,
                        find_own_memory))
            return false;
        world_keep_thread(stage.fibers);
        stage.fibers++;
    }
    return true;
}

void stage_make_thread(unsigned number, void (*body)(void *), void *argument)
{
    struct thread *const t = &stage.thread[number];
    memset(&t->next, 0, sizeof *t - offsetof(struct thread, next));
    t->body = body;
    t->argument = argument;
    fiber_start(&t->fiber, be_thread);
}

static bool make_next(void (*body)(void *), void *argument)
{
    const unsigned number = stage.threads;
    if (number == PLUMB_MAX_THREADS || !stage_has_fiber(number))
        return false;
    stage_make_thread(number, body, argument);
    return true;
}

void stage_make_wanted(void)
{
    struct wanted *const w = &stage.wanted;
    w->made = make_next(w->body, w->argument);
    w->body = NULL;
}

/* What making one leaves behind, some of it only the first time, must not be on
 * the stack of who spawns it: where stacks are compared that is done at home. */
static bool have_made(void (*body)(void *), void *argument)
{
    if (!stage_tidy)
        return make_next(body, argument);
    stage.wanted = (struct wanted){ .body = body, .argument = argument };
    stage_leave();
    return stage.wanted.made;
}

unsigned stage_spawn(const void *pc, void (*body)(void *), void *argument)
{
    if (!is_alone(false))
        pass(pc, event_at(PLUMB_EVENT_SPAWN, NULL, 0));
    const unsigned number = stage.threads;
    stage_inside = false;
    const bool made = have_made(body, argument);
    stage_inside = true;
    if (!made)
        return UINT32_MAX;
    stage.thread[number].begun = true; /* unlike a role, it stands nowhere */
    stage_changed();
    stage.threads++;
    stage.event.at = number;
    if (races_on)
        races_spawn(stage_running, number);
    if (tails_on) {
        tails_sync(stage_running);
        tails_born(number);
    }
    struct trace_record *const r = trace_add(TRACE_SPAWN, pc, NULL, 0);
    if (r)
        r->after = number;
    return number;
}

static bool thread_has_ended(const void *thread)
{
    return ((const struct thread *)thread)->ended;
}

bool stage_has_ended(unsigned thread)
{
    return thread < stage.threads && stage.thread[thread].ended;
}

void stage_joined(unsigned thread)
{
    if (races_on)
        races_join(stage_running, thread);
    if (!tails_on)
        return;
    tails_sync(stage_running);
    tails_joined(thread);
}

void stage_join(const void *pc, unsigned thread)
{
    const struct thread *const other = &stage.thread[thread];
    if (!is_alone(other->ended)) {
        const struct plumb_event event = { .kind = PLUMB_EVENT_JOIN,
                                           .at = thread };
        running()->called = false;
        stand(pc, event, thread_has_ended, other);
    }
    stage_changed();
    stage_joined(thread);
    struct trace_record *const r = trace_add(TRACE_JOIN, pc, NULL, 0);
    if (r)
        r->after = thread;
}

void stage_end_thread(void)
{
    trace_add(TRACE_END, NULL, NULL, 0);
    running()->ended = true;
    if (stage.alone)
        stage.over = true;
    if (stage.stroll)
        stroll_on();
    else
        stage_leave();
    __builtin_unreachable();
}

void stage_exit(int status)
{
    if (!is_alone(true))
        stand(NULL, event_at(PLUMB_EVENT_EXIT, NULL, 0), NULL, NULL);
    stage.over = stage.exited = true;
    stage.status = status;
    stage_leave();
    __builtin_unreachable();
}

uintptr_t stage_thread_name(unsigned thread)
{
    return thread < stage.threads ? stage.thread[thread].fiber.name : 0;
}

uintptr_t *stage_slot(unsigned thread, enum stage_slot slot)
{
    return &stage.thread[thread].slot[slot];
}

/* ---- operations ---- */

static void tell(unsigned op, bool returned)
{
    assert(stage.told < MOST_TOLD);
    stage_changed();
    stage.tell[stage.told++] = (struct told){ op, returned };
    if (!stage_trace)
        return;
    struct trace_record *const r =
        trace_add(returned ? TRACE_RETURN : TRACE_CALL, NULL, NULL, 0);
    if (r)
        r->after = op;
}

void stage_call(unsigned op)
{
    struct thread *const t = running();
    const struct plumb_event event = { .kind = PLUMB_EVENT_CALL, .at = op };
    if (!is_alone(true) && t->begun)
        stand(NULL, event, NULL, NULL);
    t->begun = true; /* the first call is what a role stands before */
    t->called = !stage.alone && !stage.play->split;
    tell(op, false);
}

void stage_return(unsigned op)
{
    const struct plumb_event event = { .kind = PLUMB_EVENT_RETURN, .at = op };
    if (!stage.alone && stage.play->split)
        stand(NULL, event, NULL, NULL);
    running()->called = false;
    tell(op, true);
}
