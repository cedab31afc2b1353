/* machine_adapter.c - the scheduler as a machine: who goes on, and what came of it.
 *
 * Strategies let one thread do one step, or have many done at once; between
 * steps nobody runs. */
#include "scheduler_state.h"

#include "runtime/explore/hooks/weak_orders.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/races/race_path.h"
#include "waiting_loops.h"
#include <assert.h>

static void take_place(unsigned t, const struct scheduler_adapter_role *role)
{
    scheduler_make_thread(t, role->body, role->argument);
    struct scheduler_thread *const thread = &scheduler.thread[t];
    thread->next = role->first;
    thread->ready = role->ready;
    thread->what = role->what;
    thread->begun =
        scheduler.play->serial && role->first.kind != PLUMB_EVENT_CALL;
    if (role->ready)
        scheduler.waiting |= scheduler_thread_bit(t);
    else
        scheduler.runnable |= scheduler_thread_bit(t);
    if (role->first.kind == PLUMB_EVENT_CALL)
        scheduler.calling |= scheduler_thread_bit(t);
    if (races_on && t > 0)
        races_spawn(0, t);
    if (races_step_on)
        races_step_born(t);
}

static void reset(void)
{
    scheduler.threads = scheduler.told = 0;
    scheduler_running = 0;
    scheduler.runnable = scheduler.waiting = scheduler.yielding =
        scheduler.repeating = scheduler.calling = scheduler.operating = 0;
    scheduler.step = scheduler.plain = scheduler.at_once = 0;
    scheduler.failed_here = 0;
    scheduler.over = scheduler.exited = scheduler.often = false;
    scheduler.finding.fault = FAULT_NONE;
    races_on = races_wanted;
    if (races_on)
        races_begin();
    if (races_step_on)
        races_step_begin();
}

static void begin(void *context)
{
    const struct scheduler_adapter_play *const play = context;
    reset();
    if (scheduler_points_begin())
        race_path_forget();
    memory_world_restore();
    scheduler_awaiting_on = play->prune != PRUNE_NOT;
    scheduler_awaiting_begin();
    scheduler.light =
        !scheduler_awaiting_on && !races_step_on && !scheduler_points_count;
    for (unsigned t = 0; t < play->roles; t++)
        take_place(t, &play->role[t]);
    scheduler.threads = play->roles;
    if (play->begun)
        play->begun(play->context);
}

static unsigned threads(void *context)
{
    (void)context;
    return scheduler.threads;
}

static uint64_t would_repeat(void)
{
    uint64_t set = 0;
    for (uint64_t left = scheduler.repeating; left; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        if (scheduler_awaiting_would_repeat(t))
            set |= scheduler_thread_bit(t);
    }
    return set;
}

/* Threads that must not go on because of what they have done. */
static uint64_t pruned(void)
{
    switch (scheduler.play->prune) {
    case PRUNE_WAIT:
        return would_repeat();
    case PRUNE_LEAVE:
        return scheduler.repeating;
    default:
        return 0;
    }
}

/* Who is in an atomic block, if it can go on; else all of them. */
static uint64_t alone_in_atomic(uint64_t set)
{
    const unsigned atomic = scheduler_atomic;
    const uint64_t one = atomic ? set & scheduler_thread_bit(atomic - 1) : 0;
    return one ? one : set;
}

uint64_t scheduler_adapter_ready(void)
{
    uint64_t set = scheduler.runnable;
    if (scheduler.over)
        return 0;
    if (scheduler.repeating)
        set &= ~pruned();
    for (uint64_t left = scheduler.waiting; left; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        if (scheduler.thread[t].ready(scheduler.thread[t].what))
            set |= scheduler_thread_bit(t);
    }
    return alone_in_atomic(set);
}

static uint64_t ready(void *context)
{
    (void)context;
    return scheduler_adapter_ready();
}

static uint64_t yields(void *context)
{
    (void)context;
    return scheduler.yielding;
}

static enum plumb_strategies_standing standing(
    void *context, unsigned t, struct plumb_strategies_event *event)
{
    (void)context;
    const struct scheduler_thread *const thread = &scheduler.thread[t];
    *event = thread->next;
    if (scheduler.over || thread->ended)
        return PLUMB_ENDED;
    if (scheduler.repeating & pruned() & scheduler_thread_bit(t))
        return scheduler_awaiting_would_repeat(t) ? PLUMB_WAITING : PLUMB_LEFT;
    return !thread->ready || thread->ready(thread->what) ? PLUMB_READY
                                                         : PLUMB_WAITING;
}

void scheduler_adapter_run(unsigned t)
{
    assert(!scheduler_inside && t < scheduler.fibers);
    scheduler_running = t;
    scheduler_inside = true;
    hooks_weak_orders_meeting = 0; /* what is met elsewhere counts nothing */
    scheduler_fiber_switch(&scheduler.home, &scheduler.thread[t].fiber);
    while (scheduler.wanted.body) {
        scheduler_make_wanted();
        scheduler_fiber_switch(&scheduler.home,
                               &scheduler_running_thread()->fiber);
    }
    scheduler_inside = false;
    /* Alone there is nobody who could see another order. */
    if (hooks_weak_orders_meeting && !scheduler.alone && scheduler.threads > 1)
        hooks_weak_orders_take();
    struct scheduler_thread *const thread =
        &scheduler.thread[scheduler_running];
    if ((char *)thread->fiber.sp < thread->fiber.low &&
        scheduler_fiber_owns(&thread->fiber, thread->fiber.sp))
        thread->fiber.low = thread->fiber.sp;
    if (scheduler.play && scheduler.play->tidy && !scheduler.over)
        scheduler_fiber_tidy(&thread->fiber);
    if (scheduler_awaiting_on && !scheduler.alone && !scheduler.over &&
        !thread->ended)
        scheduler_awaiting_stands(t);
}

bool scheduler_adapter_may_wait(void)
{
    return scheduler.may_wait;
}

uint64_t scheduler_adapter_calling(void)
{
    return scheduler.over ? 0 : scheduler.calling;
}

static uint64_t calling(void *context)
{
    (void)context;
    return scheduler_adapter_calling();
}

/* ---- operations that wait, and calls that nobody has to make ---- */

/* Some operation waits, and nobody can go on but with a call, as far as can be
 * seen without asking for conditions. */
static inline bool may_be_stuck(void)
{
    return scheduler.play && scheduler.play->stuck && !scheduler.over &&
           (scheduler.waiting | scheduler.repeating) & scheduler.operating &&
           !(scheduler.runnable & ~scheduler.calling & ~scheduler.repeating);
}

/* Who goes round but would read something else now does not wait; nor, if it has
 * left, is it ready. */
static bool is_stuck(void)
{
    if (scheduler.repeating & ~would_repeat())
        return false;
    const uint64_t set = scheduler_adapter_ready() & ~scheduler.repeating;
    return set && !(set & ~scheduler.calling);
}

static void judge_if_stuck(void)
{
    const struct scheduler_adapter_play *const play = scheduler.play;
    struct scheduler_finding finding = { .fault = FAULT_NONE };
    if (!is_stuck() || play->stuck(play->context, &finding))
        return;
    scheduler.finding = finding;
    scheduler.over = true;
}

static inline void look_whether_stuck(void)
{
    if (may_be_stuck())
        judge_if_stuck();
}

/* In a walk only those at home can look. */
bool scheduler_adapter_has_to_look(void)
{
    return may_be_stuck();
}

static unsigned awaits(void *context, unsigned t,
                       struct plumb_strategies_event *read, unsigned most)
{
    (void)context;
    return scheduler_awaiting_reads(t, read, most);
}

uint64_t scheduler_adapter_awaits(void)
{
    return scheduler.over ? 0 : would_repeat();
}

uint64_t scheduler_adapter_visited_stacks(void)
{
    return scheduler.visited;
}

/* A new thread runs up to its first event: what it does until then is ordered
 * by its start alone. */
static void run_newborn(unsigned before)
{
    for (unsigned t = before; t < scheduler.threads && !scheduler.over; t++) {
        if (races_step_on)
            races_step_step(t, true);
        scheduler_adapter_run(t);
    }
}

void scheduler_adapter_tell_history(void)
{
    const struct scheduler_adapter_play *const play = scheduler.play;
    for (unsigned i = 0; i < scheduler.told && play->told; i++) {
        const struct scheduler_told *const told = &scheduler.tell[i];
        if (play->told(play->context, told->op, told->returned) ||
            scheduler.finding.fault != FAULT_NONE)
            continue;
        scheduler.finding =
            (struct scheduler_finding){ .fault = FAULT_HISTORY,
                                        .thread = scheduler_running };
        scheduler.over = true;
    }
    scheduler.told = 0;
}

/* Only what can go on by itself goes round. */
static bool may_prune(unsigned t)
{
    return !scheduler.over && !scheduler.thread[t].ended &&
           !scheduler.thread[t].ready &&
           !(scheduler.play->prune == PRUNE_LEAVE &&
             scheduler.visited & scheduler_thread_bit(t));
}

/* Only a program that does something else when its steps are repeated has a
 * thread that cannot. */
static bool can_step(unsigned t)
{
    const struct scheduler_thread *const thread = &scheduler.thread[t];
    return !scheduler.over && t < scheduler.threads && !thread->ended &&
           (!thread->ready || thread->ready(thread->what));
}

/* Who watches an execution step by step has races told where they occur.  Where
 * stacks are compared hooks do the same in each execution. */
static inline bool are_races_heard(unsigned t, unsigned option)
{
    if (scheduler.play->prune != PRUNE_WATCH)
        return race_path_step(t, option) || races_wiped;
    races_now();
    return true;
}

static void begin_step(unsigned t, unsigned option)
{
    const uint64_t others = ~scheduler_thread_bit(t);
    scheduler.runnable &= others;
    scheduler.waiting &= others;
    scheduler.yielding &= others;
    scheduler.calling &= others;
    scheduler.option = option;
    scheduler.event = scheduler.thread[t].next;
    scheduler.plain = 0;
    scheduler.repeating &= others;
    if (races_wanted)
        races_on = are_races_heard(t, option);
    if (races_step_on)
        races_step_step(t, false);
}

/* `before`: so many threads there were. */
void scheduler_adapter_end_step(unsigned before)
{
    if (scheduler.threads > before) {
        const struct plumb_strategies_event done = scheduler.event;
        const struct plumb_strategies_walker *const walker = scheduler.walker;
        scheduler.walker = NULL;
        run_newborn(before);
        scheduler.walker = walker;
        scheduler.event = done;
    }
    race_path_settle();
    if (scheduler.told)
        scheduler_adapter_tell_history();
    scheduler.step++;
    if (!scheduler_awaiting_on) /* else it is not known yet who goes round */
        look_whether_stuck();
}

static void step(void *context, unsigned t, unsigned option,
                 struct plumb_strategies_event *event)
{
    (void)context;
    const unsigned before = scheduler.threads;
    if (!can_step(t)) {
        scheduler.over = true;
        *event = (struct plumb_strategies_event){ .kind = PLUMB_EVENT_EXIT };
        return;
    }
    begin_step(t, option);
    scheduler_adapter_run(t);
    scheduler_adapter_end_step(before);
    if (scheduler_awaiting_on && scheduler_awaiting_has_repeated(t) &&
        may_prune(t)) {
        scheduler.repeating |= scheduler_thread_bit(t);
        scheduler.may_wait = true;
    }
    if (scheduler_awaiting_on)
        look_whether_stuck();
    *event = scheduler.event;
}

/* ---- many steps ----
 *
 * A thread that comes to its next event asks itself who goes on, and if it is
 * another one passes control directly to that: half the switches, and none if
 * it is itself. */

static unsigned ask(const struct plumb_strategies_event *done, unsigned *option)
{
    const struct plumb_strategies_walker *const w = scheduler.walker;
    *option = 0;
    return w->blind ? w->next(w->context, done, 0, 0, option)
                    : w->next(w->context, done, scheduler_adapter_ready(),
                              scheduler.yielding, option);
}

void scheduler_adapter_walk_on(void)
{
    struct scheduler_thread *const t = scheduler_running_thread();
    unsigned option;
    if (scheduler.threads > scheduler.walkers || may_be_stuck()) {
        scheduler_leave(); /* new threads run up to their first event */
        return;
    }
    scheduler_inside = false;
    race_path_settle();
    if (scheduler.told)
        scheduler_adapter_tell_history();
    scheduler.step++;
    const unsigned next = ask(&scheduler.event, &option);
    if (next == PLUMB_NOBODY || !can_step(next)) {
        scheduler.walked = true;
        scheduler_leave();
        return;
    }
    begin_step(next, option);
    scheduler_inside = true;
    if (next == scheduler_running)
        return;
    scheduler_note_depth(t);
    scheduler_running = next;
    scheduler_fiber_switch(&t->fiber, &scheduler.thread[next].fiber);
}

static void walk(void *context, const struct plumb_strategies_walker *walker)
{
    const struct plumb_strategies_event *done = NULL;
    unsigned option;
    (void)context;
    scheduler.walker = walker;
    scheduler.walked = false;
    for (;;) {
        const unsigned t = ask(done, &option);
        if (t == PLUMB_NOBODY || !can_step(t))
            break;
        scheduler.walkers = scheduler.threads;
        begin_step(t, option);
        scheduler_adapter_run(t);
        if (scheduler.walked)
            break;
        scheduler_adapter_end_step(scheduler.walkers);
        done = &scheduler.event;
    }
    scheduler.walker = NULL;
}

static void tell_race(void *context, const struct race *race, bool shown)
{
    const struct scheduler_adapter_play *const play = context;
    if (shown && play->raced)
        play->raced(play->context, race);
    if (!shown && play->suspected)
        play->suspected(play->context, race);
}

static void taken(void *context)
{
    if (races_step_on)
        races_step_compare(scheduler.step - 1, tell_race, context);
}

static uint32_t fingerprint(void *context, uint64_t hash[2])
{
    const struct scheduler_adapter_play *const play = context;
    memory_world_fingerprint(hash);
    return play->class ? play->class(play->context) : 0;
}

static bool covers(void *context, uint32_t narrow, uint32_t wide)
{
    const struct scheduler_adapter_play *const play = context;
    return play->covers(play->context, narrow, wide);
}

struct plumb_strategies_machine scheduler_adapter_machine(
    const struct scheduler_adapter_play *play)
{
    union {
        const struct scheduler_adapter_play *play;
        void *context;
    } u = { .play = play };
    assert(play->roles > 0 && play->roles <= PLUMB_MAX_THREADS);
    scheduler.play = play;
    scheduler.may_wait = false;
    race_path_forget();
    races_wiped = scheduler_tidy = play->tidy;
    const bool walks = !play->tidy && !play->prune;
    return (struct plumb_strategies_machine){
        .context = u.context,
        .begin = begin,
        .threads = threads,
        .ready = ready,
        .stand = standing,
        .step = step,
        .walk = walks ? walk : NULL,
        .random_run = walks && !races_step_on ? scheduler_random_run : NULL,
        .yields = yields,
        .awaits = awaits,
        .fingerprint = fingerprint,
        .covers = play->covers ? covers : NULL,
        .keep = play->pass ? scheduler_moments_keep : NULL,
        .restore = play->pass ? scheduler_moments_restore : NULL,
        .taken = taken,
        .calling = play->stuck ? calling : NULL
    };
}

/* ---- before all executions ---- */

bool scheduler_adapter_open(void)
{
    scheduler_fiber_adopt(&scheduler.home);
    return scheduler_has_fiber(0) && scheduler_faults_catch() && races_init();
}

bool scheduler_adapter_cast(unsigned count)
{
    assert(count > 0);
    return count <= PLUMB_MAX_THREADS && scheduler_has_fiber(count - 1);
}

bool scheduler_adapter_begin_here(void)
{
    return memory_world_snapshot();
}

bool scheduler_adapter_prepare(void (*body)(void *), void *argument,
                               bool *often)
{
    reset();
    scheduler.threads = 1;
    scheduler.alone = true;
    scheduler.light = false;
    scheduler_make_thread(0, body, argument);
    scheduler_adapter_run(0);
    scheduler.alone = false;
    scheduler.told = 0;
    *often = scheduler.often;
    return !scheduler.often && scheduler.finding.fault == FAULT_NONE &&
           !scheduler.exited;
}

/* ---- telling ---- */

const struct scheduler_finding *scheduler_adapter_finding(void)
{
    return &scheduler.finding;
}

bool scheduler_adapter_exited(int *status)
{
    *status = scheduler.status;
    return scheduler.exited;
}

unsigned scheduler_adapter_threads(void)
{
    return scheduler.threads;
}

uint64_t scheduler_adapter_hooks(void)
{
    return scheduler.hooks;
}

uint64_t scheduler_adapter_failed_swaps(void)
{
    return scheduler.failed_swaps;
}

bool scheduler_adapter_waits(unsigned thread)
{
    struct plumb_strategies_event ignored;
    return standing(NULL, thread, &ignored) == PLUMB_WAITING;
}

const void *scheduler_adapter_place(unsigned thread)
{
    return scheduler.thread[thread].pc;
}

bool scheduler_adapter_stack(unsigned thread, uintptr_t *at, size_t *size)
{
    if (thread >= scheduler.fibers)
        return false;
    const struct scheduler_fiber *const f = &scheduler.thread[thread].fiber;
    *at = (uintptr_t)f->stack;
    *size = (size_t)(f->stack_end - f->stack);
    return true;
}

bool scheduler_adapter_locals(unsigned thread, uintptr_t *at, size_t *size)
{
    if (thread >= scheduler.fibers || !scheduler.thread[thread].fiber.locals)
        return false;
    *at = (uintptr_t)scheduler.thread[thread].fiber.locals;
    *size = memory_image_thread_locals_size();
    return true;
}
