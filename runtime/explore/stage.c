/* stage.c - threads that stand before events, and go on when they are told.
 *
 * Invariant: while nobody runs, every thread of the execution has ended, or
 * stands in stand(), or has not begun; `runnable` and `waiting` say which.
 * Control passes from the strategy to one thread, in step(), and back, in
 * stage_leave(). */
#include "stage_state.h"

#include "awaiting.h"
#include "heap.h"
#include "image.h"
#include "trace.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PLAIN_LIMIT = 20000, ALONE_LIMIT = 1000000 };

struct stage stage;
bool stage_inside;

static struct thread *self(void)
{
    return &stage.thread[stage.self];
}

unsigned stage_self(void)
{
    return stage.self;
}

void stage_leave(void)
{
    stage_inside = false;
    fiber_switch(&self()->fiber, &stage.home);
}

static void walk_on(void);

/* ---- standing before an event ---- */

static void stand(const void *pc, struct plumb_event event,
                  stage_condition *ready, const void *what)
{
    struct thread *const t = self();
    t->next = event;
    t->pc = pc;
    t->ready = ready;
    t->what = what;
    if (ready)
        stage.waiting |= thread_bit(stage.self);
    else
        stage.runnable |= thread_bit(stage.self);
    if (stage.walker)
        walk_on();
    else
        stage_leave();
}

static struct plumb_event event_at(enum plumb_event_kind kind,
                                   const volatile void *at, uint32_t size)
{
    return (
        struct plumb_event){ .kind = kind, .at = (uintptr_t)at, .size = size };
}

/* The first event of an operation is one with its call. */
static bool goes_on_from_call(const struct plumb_event *event)
{
    struct thread *const t = self();
    if (!t->called)
        return false;
    t->called = false;
    stage.event = *event;
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
    if (!is_alone(true) && !goes_on_from_call(&event))
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
        if (t != stage.self && fiber_owns(&stage.thread[t].fiber, at))
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

void stage_access(const void *pc, const volatile void *at, uint32_t size,
                  enum plumb_event_kind kind)
{
    const void *const memory = (const void *)(uintptr_t)at;
    stage.hooks++;
    if (!stage_inside)
        return;
    pass(pc, event_at(kind, at, size));
    check_heap(pc, memory, size);
    if (tails_on)
        tails_event(stage.self, pc, memory, size, kind != PLUMB_EVENT_READ);
    if (awaiting_on && !stage.alone)
        note_access(memory, size, kind);
}

void stage_failed(void)
{
    stage.event.kind = PLUMB_EVENT_FAILED;
    stage.failed_swaps++;
    if (tails_on)
        tails_failed(stage.self);
}

/* Blocks of one size come from one list: that is what is written. */
void stage_allocation(const void *pc, size_t size)
{
    static const char list[1 << 10];
    const size_t class = size / 16 < sizeof list ? size / 16 : sizeof list - 1;
    if (stage_inside && stage.play && stage.play->split)
        pass(pc, event_at(PLUMB_EVENT_WRITE, &list[class], 1));
}

static bool waits_for_plain_memory(void)
{
    return ++stage.plain > PLAIN_LIMIT;
}

static void check_race(const void *pc, const void *at, size_t size, bool writes)
{
    struct race race;
    if (races_plain(stage.self, pc, at, size, writes, &race))
        stage_race(&race);
}

/* What a thread does to its own stack is seen when it stands. */
static void note_plain(const void *at, size_t size, bool writes)
{
    if (fiber_owns(&self()->fiber, at))
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
        tails_plain(stage.self, pc, at, size, writes);
}

void stage_plain(const void *pc, const void *at, size_t size, bool writes)
{
    stage.hooks++;
    if (!stage_inside)
        return;
    pass_plain(pc, at, size, writes, points_count && points_have(pc));
    tell_plain(pc, at, size, writes);
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
    if (!(goes_on && goes_on_from_call(&event))) {
        self()->called = false;
        stand(pc, event, ready, what);
    }
    if (tails_on)
        tails_sync(stage.self);
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
    self()->called = false;
    stage.yielding |= thread_bit(stage.self);
    stand(pc, event_at(PLUMB_EVENT_SYNC, at, 0), NULL, NULL);
    if (tails_on)
        tails_sync(stage.self);
    if (awaiting_on)
        awaiting_try();
    return ready(what);
}

unsigned stage_choose(const void *pc, unsigned n, const char *what)
{
    if (n < 2 || is_alone(false))
        return 0;
    self()->name = what;
    self()->called = false;
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
    self()->called = false;
    stage.yielding |= thread_bit(stage.self);
    stand(pc, event_at(PLUMB_EVENT_LOCAL, NULL, 0), NULL, NULL);
    trace_add(TRACE_YIELD, pc, NULL, 0);
}

/* ---- threads ---- */

static void be_thread(void)
{
    struct thread *const t = self();
    t->body(t->argument);
    stage_end_thread();
}

static void find_own_memory(struct fiber *f)
{
    f->locals = image_thread_locals();
    f->exceptions = image_exceptions();
}

static bool has_fiber(unsigned t)
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

static void make_thread(unsigned number, void (*body)(void *), void *argument)
{
    struct thread *const t = &stage.thread[number];
    const struct fiber fiber = t->fiber;
    *t = (struct thread){ .fiber = fiber, .body = body, .argument = argument };
    fiber_start(&t->fiber, be_thread);
}

unsigned stage_spawn(const void *pc, void (*body)(void *), void *argument)
{
    if (!is_alone(false))
        pass(pc, event_at(PLUMB_EVENT_SPAWN, NULL, 0));
    const unsigned number = stage.threads;
    if (number == PLUMB_MAX_THREADS)
        return UINT32_MAX;
    stage_inside = false;
    const bool made = has_fiber(number);
    stage_inside = true;
    if (!made)
        return UINT32_MAX;
    make_thread(number, body, argument);
    stage.thread[number].begun = true; /* unlike a role, it stands nowhere */
    stage_changed();
    stage.threads++;
    stage.event.at = number;
    if (races_on)
        races_spawn(stage.self, number);
    if (tails_on) {
        tails_sync(stage.self);
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
        races_join(stage.self, thread);
    if (!tails_on)
        return;
    tails_sync(stage.self);
    tails_joined(thread);
}

void stage_join(const void *pc, unsigned thread)
{
    const struct thread *const other = &stage.thread[thread];
    if (!is_alone(other->ended)) {
        const struct plumb_event event = { .kind = PLUMB_EVENT_JOIN,
                                           .at = thread };
        self()->called = false;
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
    self()->ended = true;
    if (stage.alone)
        stage.over = true;
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

uintptr_t stage_thread_pointer(unsigned thread)
{
    return thread < stage.threads ? stage.thread[thread].fiber.thread_pointer
                                  : 0;
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
    struct trace_record *const r =
        trace_add(returned ? TRACE_RETURN : TRACE_CALL, NULL, NULL, 0);
    if (r)
        r->after = op;
}

void stage_call(unsigned op)
{
    struct thread *const t = self();
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
    self()->called = false;
    tell(op, true);
}

/* ---- the machine ---- */

static void take_place(unsigned t, const struct theatre_role *role)
{
    make_thread(t, role->body, role->argument);
    struct thread *const thread = &stage.thread[t];
    thread->next = role->first;
    thread->ready = role->ready;
    thread->what = role->what;
    if (role->ready)
        stage.waiting |= thread_bit(t);
    else
        stage.runnable |= thread_bit(t);
    if (races_on && t > 0)
        races_spawn(0, t);
    if (tails_on)
        tails_born(t);
}

static void reset(void)
{
    stage.threads = stage.self = stage.told = 0;
    stage.runnable = stage.waiting = stage.yielding = stage.repeating = 0;
    stage.step = stage.plain = 0;
    stage.over = stage.exited = stage.often = false;
    stage.finding.fault = FAULT_NONE;
    if (races_on)
        races_begin();
    if (tails_on)
        tails_begin();
}

static void begin(void *context)
{
    const struct theatre_play *const play = context;
    reset();
    points_begin();
    world_restore();
    awaiting_on = play->prune != PRUNE_NOT;
    awaiting_begin();
    for (unsigned t = 0; t < play->roles; t++)
        take_place(t, &play->role[t]);
    stage.threads = play->roles;
    if (play->begun)
        play->begun(play->context);
}

static unsigned threads(void *context)
{
    (void)context;
    return stage.threads;
}

static uint64_t would_repeat(void)
{
    uint64_t set = 0;
    for (uint64_t left = stage.repeating; left; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        if (awaiting_would_repeat(t))
            set |= thread_bit(t);
    }
    return set;
}

/* Threads that must not go on because of what they have done. */
static uint64_t pruned(void)
{
    switch (stage.play->prune) {
    case PRUNE_WAIT:
        return would_repeat();
    case PRUNE_LEAVE:
        return stage.repeating;
    default:
        return 0;
    }
}

static uint64_t ready(void *context)
{
    (void)context;
    uint64_t set = stage.runnable;
    if (stage.over)
        return 0;
    if (stage.repeating)
        set &= ~pruned();
    for (uint64_t left = stage.waiting; left; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        if (stage.thread[t].ready(stage.thread[t].what))
            set |= thread_bit(t);
    }
    return set;
}

static uint64_t yields(void *context)
{
    (void)context;
    return stage.yielding;
}

static enum plumb_standing standing(void *context, unsigned t,
                                    struct plumb_event *event)
{
    (void)context;
    const struct thread *const thread = &stage.thread[t];
    *event = thread->next;
    if (stage.over || thread->ended)
        return PLUMB_ENDED;
    if (stage.repeating & pruned() & thread_bit(t))
        return awaiting_would_repeat(t) ? PLUMB_WAITING : PLUMB_LEFT;
    return !thread->ready || thread->ready(thread->what) ? PLUMB_READY
                                                         : PLUMB_WAITING;
}

/* A breakpoint for debuggers: the step is about to be done. */
__attribute__((noinline)) void stage_reached_step(uint32_t step);
void stage_reached_step(uint32_t step)
{
    __asm__ volatile("" : : "r"(step) : "memory");
}

static void run(unsigned t)
{
    stage.self = t;
    stage_inside = true;
    fiber_switch(&stage.home, &stage.thread[t].fiber);
    stage_inside = false;
    struct thread *const thread = &stage.thread[stage.self];
    if ((char *)thread->fiber.sp < thread->fiber.low &&
        fiber_owns(&thread->fiber, thread->fiber.sp))
        thread->fiber.low = thread->fiber.sp;
    if (stage.play && stage.play->tidy && !stage.over)
        fiber_tidy(&thread->fiber);
    if (awaiting_on && !stage.alone && !stage.over && !thread->ended)
        awaiting_stands(t);
}

static unsigned awaits(void *context, unsigned t, struct plumb_event *read,
                       unsigned most)
{
    (void)context;
    return awaiting_reads(t, read, most);
}

uint64_t theatre_awaits(void)
{
    return stage.over ? 0 : would_repeat();
}

uint64_t theatre_visited_stacks(void)
{
    return stage.visited;
}

/* A new thread runs up to its first event: what it does until then is ordered
 * by its start alone. */
static void run_newborn(unsigned before)
{
    for (unsigned t = before; t < stage.threads && !stage.over; t++) {
        if (tails_on)
            tails_step(t, true);
        run(t);
    }
}

static void tell_history(void)
{
    const struct theatre_play *const play = stage.play;
    for (unsigned i = 0; i < stage.told && play->told; i++) {
        const struct told *const told = &stage.tell[i];
        if (play->told(play->context, told->op, told->returned) ||
            stage.finding.fault != FAULT_NONE)
            continue;
        stage.finding = (struct stage_finding){ .fault = FAULT_HISTORY,
                                                .thread = stage.self };
        stage.over = true;
    }
    stage.told = 0;
}

/* Only what can go on by itself goes round. */
static bool may_prune(unsigned t)
{
    return !stage.over && !stage.thread[t].ended && !stage.thread[t].ready &&
           !(stage.play->prune == PRUNE_LEAVE && stage.visited & thread_bit(t));
}

/* Only a program that does something else when its steps are repeated has a
 * thread that cannot. */
static bool can_step(unsigned t)
{
    const struct thread *const thread = &stage.thread[t];
    return !stage.over && t < stage.threads && !thread->ended &&
           (!thread->ready || thread->ready(thread->what));
}

static void begin_step(unsigned t, unsigned option)
{
    const uint64_t others = ~thread_bit(t);
    stage.runnable &= others;
    stage.waiting &= others;
    stage.yielding &= others;
    stage.option = option;
    stage.event = stage.thread[t].next;
    stage.plain = 0;
    if (stage_trace)
        stage_reached_step(stage.step);
    stage.repeating &= others;
    if (tails_on)
        tails_step(t, false);
}

/* `before`: so many threads there were. */
static void end_step(unsigned before)
{
    if (stage.threads > before) {
        const struct plumb_event done = stage.event;
        const struct plumb_walker *const walker = stage.walker;
        stage.walker = NULL;
        run_newborn(before);
        stage.walker = walker;
        stage.event = done;
    }
    if (stage.told)
        tell_history();
    stage.step++;
}

static void step(void *context, unsigned t, unsigned option,
                 struct plumb_event *event)
{
    (void)context;
    const unsigned before = stage.threads;
    if (!can_step(t)) {
        stage.over = true;
        *event = (struct plumb_event){ .kind = PLUMB_EVENT_EXIT };
        return;
    }
    begin_step(t, option);
    run(t);
    end_step(before);
    if (awaiting_on && awaiting_has_repeated(t) && may_prune(t))
        stage.repeating |= thread_bit(t);
    *event = stage.event;
}

/* ---- many steps ----
 *
 * A thread that comes to its next event asks itself who goes on, and if it is
 * another one passes control directly to that: half the switches, and none if
 * it is itself. */

static unsigned ask(const struct plumb_event *done, unsigned *option)
{
    const struct plumb_walker *const w = stage.walker;
    *option = 0;
    return w->blind
               ? w->next(w->context, done, 0, 0, option)
               : w->next(w->context, done, ready(NULL), stage.yielding, option);
}

/* The stack of who asks must be cleared down to here later. */
static void note_depth(struct thread *t)
{
    char *const here = (char *)__builtin_frame_address(0) - 1024;
    if (here < t->fiber.low)
        t->fiber.low = here > t->fiber.stack ? here : t->fiber.stack;
}

static void walk_on(void)
{
    struct thread *const t = self();
    unsigned option;
    if (stage.threads > stage.walkers) {
        stage_leave(); /* new threads run up to their first event */
        return;
    }
    stage_inside = false;
    if (stage.told)
        tell_history();
    stage.step++;
    const unsigned next = ask(&stage.event, &option);
    if (next == PLUMB_NOBODY || !can_step(next)) {
        stage.walked = true;
        stage_leave();
        return;
    }
    begin_step(next, option);
    stage_inside = true;
    if (next == stage.self)
        return;
    note_depth(t);
    stage.self = next;
    fiber_switch(&t->fiber, &stage.thread[next].fiber);
}

static void walk(void *context, const struct plumb_walker *walker)
{
    const struct plumb_event *done = NULL;
    unsigned option;
    (void)context;
    stage.walker = walker;
    stage.walked = false;
    for (;;) {
        const unsigned t = ask(done, &option);
        if (t == PLUMB_NOBODY || !can_step(t))
            break;
        stage.walkers = stage.threads;
        begin_step(t, option);
        run(t);
        if (stage.walked)
            break;
        end_step(stage.walkers);
        done = &stage.event;
    }
    stage.walker = NULL;
}

static void tell_race(void *context, const struct race *race, bool shown)
{
    const struct theatre_play *const play = context;
    if (shown && play->raced)
        play->raced(play->context, race);
    if (!shown && play->suspected)
        play->suspected(play->context, race);
}

static void taken(void *context)
{
    if (tails_on)
        tails_compare(stage.step - 1, tell_race, context);
}

static uint32_t fingerprint(void *context, uint64_t hash[2])
{
    const struct theatre_play *const play = context;
    world_fingerprint(hash);
    return play->class ? play->class(play->context) : 0;
}

static bool covers(void *context, uint32_t narrow, uint32_t wide)
{
    const struct theatre_play *const play = context;
    return play->covers(play->context, narrow, wide);
}

struct plumb_machine theatre_machine(const struct theatre_play *play)
{
    union {
        const struct theatre_play *play;
        void *context;
    } u = { .play = play };
    stage.play = play;
    races_wiped = play->tidy;
    return (struct plumb_machine){ .context = u.context,
                                   .begin = begin,
                                   .threads = threads,
                                   .ready = ready,
                                   .stand = standing,
                                   .step = step,
                                   .walk =
                                       play->tidy || play->prune ? NULL : walk,
                                   .yields = yields,
                                   .awaits = awaits,
                                   .fingerprint = fingerprint,
                                   .covers = play->covers ? covers : NULL,
                                   .taken = taken };
}

/* ---- before all executions ---- */

bool theatre_open(void)
{
    fiber_adopt(&stage.home);
    return has_fiber(0) && faults_catch() && races_init();
}

bool theatre_cast(unsigned count)
{
    return count <= PLUMB_MAX_THREADS && has_fiber(count - 1);
}

bool theatre_begin_here(void)
{
    return world_snapshot();
}

bool theatre_prepare(void (*body)(void *), void *argument, bool *often)
{
    reset();
    stage.threads = 1;
    stage.alone = true;
    make_thread(0, body, argument);
    run(0);
    stage.alone = false;
    stage.told = 0;
    *often = stage.often;
    return !stage.often && stage.finding.fault == FAULT_NONE && !stage.exited;
}

/* ---- telling ---- */

const struct stage_finding *theatre_finding(void)
{
    return &stage.finding;
}

bool theatre_exited(int *status)
{
    *status = stage.status;
    return stage.exited;
}

unsigned theatre_threads(void)
{
    return stage.threads;
}

uint64_t theatre_hooks(void)
{
    return stage.hooks;
}

uint64_t theatre_failed_swaps(void)
{
    return stage.failed_swaps;
}

const void *theatre_place(unsigned thread)
{
    return stage.thread[thread].pc;
}

bool theatre_stack(unsigned thread, uintptr_t *at, size_t *size)
{
    if (thread >= stage.fibers)
        return false;
    const struct fiber *const f = &stage.thread[thread].fiber;
    *at = (uintptr_t)f->stack;
    *size = (size_t)(f->stack_end - f->stack);
    return true;
}

bool theatre_locals(unsigned thread, uintptr_t *at, size_t *size)
{
    if (thread >= stage.fibers || !stage.thread[thread].fiber.locals)
        return false;
    *at = (uintptr_t)stage.thread[thread].fiber.locals;
    *size = image_thread_locals_size();
    return true;
}
