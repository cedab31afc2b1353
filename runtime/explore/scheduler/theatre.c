/* theatre.c - the stage as a machine: who goes on, and what came of it.
 *
 * Strategies let one thread do one step, or have many done at once; between
 * steps nobody runs. */
#include "stage_state.h"

#include "awaiting.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/races/race_path.h"
#include "runtime/explore/job/trace.h"

static void take_place(unsigned t, const struct theatre_role *role)
{
    stage_make_thread(t, role->body, role->argument);
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
    stage.threads = stage.told = 0;
    stage_running = 0;
    stage.runnable = stage.waiting = stage.yielding = stage.repeating = 0;
    stage.step = stage.plain = 0;
    stage.over = stage.exited = stage.often = false;
    stage.finding.fault = FAULT_NONE;
    races_on = races_wanted;
    if (races_on)
        races_begin();
    if (tails_on)
        tails_begin();
}

static void begin(void *context)
{
    const struct theatre_play *const play = context;
    reset();
    if (points_begin())
        race_path_forget();
    world_restore();
    awaiting_on = play->prune != PRUNE_NOT;
    awaiting_begin();
    stage.light = !awaiting_on && !tails_on && !points_count;
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

uint64_t theatre_ready(void)
{
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

static uint64_t ready(void *context)
{
    (void)context;
    return theatre_ready();
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

void theatre_run(unsigned t)
{
    stage_running = t;
    stage_inside = true;
    fiber_switch(&stage.home, &stage.thread[t].fiber);
    while (stage.wanted.body) {
        stage_make_wanted();
        fiber_switch(&stage.home, &running()->fiber);
    }
    stage_inside = false;
    struct thread *const thread = &stage.thread[stage_running];
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
        theatre_run(t);
    }
}

void theatre_tell_history(void)
{
    const struct theatre_play *const play = stage.play;
    for (unsigned i = 0; i < stage.told && play->told; i++) {
        const struct told *const told = &stage.tell[i];
        if (play->told(play->context, told->op, told->returned) ||
            stage.finding.fault != FAULT_NONE)
            continue;
        stage.finding = (struct stage_finding){ .fault = FAULT_HISTORY,
                                                .thread = stage_running };
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

/* What the race detector leaves on stacks that are compared must not depend on
 * which executions came before. */
static inline bool are_races_heard(unsigned t, unsigned option)
{
    if (!races_wiped)
        return race_path_step(t, option);
    races_now();
    return true;
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
    stage.repeating &= others;
    if (races_wanted)
        races_on = are_races_heard(t, option);
    if (tails_on)
        tails_step(t, false);
}

/* `before`: so many threads there were. */
void theatre_end_step(unsigned before)
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
        theatre_tell_history();
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
    theatre_run(t);
    theatre_end_step(before);
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
    return w->blind ? w->next(w->context, done, 0, 0, option)
                    : w->next(w->context, done, theatre_ready(), stage.yielding,
                              option);
}

void theatre_walk_on(void)
{
    struct thread *const t = running();
    unsigned option;
    if (stage.threads > stage.walkers) {
        stage_leave(); /* new threads run up to their first event */
        return;
    }
    stage_inside = false;
    if (stage.told)
        theatre_tell_history();
    stage.step++;
    const unsigned next = ask(&stage.event, &option);
    if (next == PLUMB_NOBODY || !can_step(next)) {
        stage.walked = true;
        stage_leave();
        return;
    }
    begin_step(next, option);
    stage_inside = true;
    if (next == stage_running)
        return;
    note_depth(t);
    stage_running = next;
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
        theatre_run(t);
        if (stage.walked)
            break;
        theatre_end_step(stage.walkers);
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
    race_path_forget();
    races_wiped = stage_tidy = play->tidy;
    const bool walks = !play->tidy && !play->prune;
    return (struct plumb_machine){ .context = u.context,
                                   .begin = begin,
                                   .threads = threads,
                                   .ready = ready,
                                   .stand = standing,
                                   .step = step,
                                   .walk = walks ? walk : NULL,
                                   .stroll = walks && !tails_on ? stroll : NULL,
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
    return stage_has_fiber(0) && faults_catch() && races_init();
}

bool theatre_cast(unsigned count)
{
    return count <= PLUMB_MAX_THREADS && stage_has_fiber(count - 1);
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
    stage.light = false;
    stage_make_thread(0, body, argument);
    theatre_run(0);
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
