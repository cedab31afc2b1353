/* random_run.c - a whole execution by chance, of which only its end is wanted.
 *
 * It is a walk (machine_adapter.c) that takes any thread that is ready.  Nobody looks
 * at its events, so they are not written down; and a thread that ends passes
 * control on as one that stands does.  Most random executions are such: what
 * is done here is what a step costs. */
#include "scheduler_state.h"

#include "strategies/chance.h"
#include <string.h>

static inline unsigned draw_option(struct plumb_strategies_random_run *s,
                                   const struct plumb_strategies_event *event)
{
    return event->kind == PLUMB_EVENT_CHOICE
               ? plumb_base_rng_below(&s->rng, event->size)
               : 0;
}

static inline void begin_step(unsigned t, unsigned option)
{
    const uint64_t others = ~scheduler_thread_bit(t);
    scheduler.runnable &= others;
    scheduler.waiting &= others;
    scheduler.yielding &= others;
    scheduler.calling &= others;
    scheduler.option = option;
    scheduler.plain = 0;
}

/* A thread that can go on, and the beginning of its step.  None of the threads
 * is pruned here, and nobody follows step races. */
static inline unsigned draw(struct plumb_strategies_random_run *s)
{
    const uint64_t set = scheduler.waiting || scheduler.over
                             ? scheduler_adapter_ready()
                             : scheduler.runnable;
    const uint32_t length = s->length;
    if (!set || length == s->most)
        return PLUMB_NOBODY;
    const unsigned t = plumb_strategies_any_of(&s->rng, set);
    const unsigned option = draw_option(s, &scheduler.thread[t].next);
    const uint8_t step[2] = { (uint8_t)t, (uint8_t)option };
    s->length = length + 1;
    memcpy(s->written[length], step, sizeof step);
    atomic_store_explicit(s->writing, length + 1, memory_order_relaxed);
    begin_step(t, option);
    return t;
}

static void tell_outside(void)
{
    scheduler_inside = false;
    scheduler_adapter_tell_history();
    scheduler_inside = true;
}

void scheduler_random_run_on(void)
{
    struct scheduler_thread *const t = scheduler_running_thread();
    if (scheduler.threads > scheduler.walkers ||
        scheduler_adapter_has_to_look()) {
        scheduler_leave(); /* new threads run up to their first event */
        return;
    }
    if (scheduler.told)
        tell_outside();
    scheduler.step++;
    const unsigned next = draw(scheduler.random_run);
    if (next == scheduler_running)
        return;
    if (next == PLUMB_NOBODY) {
        scheduler.walked = true;
        scheduler_leave();
        return;
    }
    scheduler_note_depth(t);
    scheduler_running = next;
    scheduler_fiber_switch(&t->fiber, &scheduler.thread[next].fiber);
}

static bool have_all_ended(void)
{
    for (unsigned t = 0; t < scheduler.threads && !scheduler.over; t++)
        if (!scheduler.thread[t].ended)
            return false;
    return true;
}

/* New threads run up to their first event, and back. */
static void end_step(struct plumb_strategies_random_run *s)
{
    scheduler.random_run = NULL;
    scheduler_adapter_end_step(scheduler.walkers);
    scheduler.random_run = s;
}

bool scheduler_random_run(void *context, struct plumb_strategies_random_run *s)
{
    (void)context;
    scheduler.raced = scheduler.walked = false;
    scheduler.at_random = true;
    scheduler.random_run = s;
    while (!scheduler.walked) {
        const unsigned t = draw(s);
        if (t == PLUMB_NOBODY)
            break;
        scheduler.walkers = scheduler.threads;
        scheduler_adapter_run(t);
        if (!scheduler.walked)
            end_step(s);
    }
    scheduler.random_run = NULL;
    if (races_on)
        races_settle();
    scheduler.at_random = false;
    return scheduler.finding.fault == FAULT_NONE && !scheduler.raced &&
           have_all_ended();
}
