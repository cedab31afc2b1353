/* stroll.c - a whole execution by chance, of which only its end is wanted.
 *
 * It is a walk (theatre.c) that takes any thread that is ready.  Nobody looks
 * at its events, so they are not written down; and a thread that ends passes
 * control on as one that stands does.  Most random executions are strolls: what
 * is done here is what a step costs. */
#include "stage_state.h"

#include "strategies/chance.h"
#include <string.h>

static inline unsigned draw_option(struct plumb_stroll *s,
                                   const struct plumb_event *event)
{
    return event->kind == PLUMB_EVENT_CHOICE
               ? plumb_rng_below(&s->rng, event->size)
               : 0;
}

static inline void begin_step(unsigned t, unsigned option)
{
    const uint64_t others = ~thread_bit(t);
    stage.runnable &= others;
    stage.waiting &= others;
    stage.yielding &= others;
    stage.option = option;
    stage.plain = 0;
}

/* A thread that can go on, and the beginning of its step.  None of the threads
 * is pruned here, and nobody follows tails. */
static inline unsigned draw(struct plumb_stroll *s)
{
    const uint64_t set =
        stage.waiting || stage.over ? theatre_ready() : stage.runnable;
    const uint32_t length = s->length;
    if (!set || length == s->most)
        return PLUMB_NOBODY;
    const unsigned t = plumb_any_of(&s->rng, set);
    const unsigned option = draw_option(s, &stage.thread[t].next);
    const uint8_t step[2] = { (uint8_t)t, (uint8_t)option };
    s->length = length + 1;
    memcpy(s->written[length], step, sizeof step);
    atomic_store_explicit(s->writing, length + 1, memory_order_relaxed);
    begin_step(t, option);
    return t;
}

static void tell_outside(void)
{
    stage_inside = false;
    theatre_tell_history();
    stage_inside = true;
}

void stroll_on(void)
{
    struct thread *const t = running();
    if (stage.threads > stage.walkers) {
        stage_leave(); /* new threads run up to their first event */
        return;
    }
    if (stage.told)
        tell_outside();
    stage.step++;
    const unsigned next = draw(stage.stroll);
    if (next == stage_running)
        return;
    if (next == PLUMB_NOBODY) {
        stage.walked = true;
        stage_leave();
        return;
    }
    note_depth(t);
    stage_running = next;
    fiber_switch(&t->fiber, &stage.thread[next].fiber);
}

static bool have_all_ended(void)
{
    for (unsigned t = 0; t < stage.threads && !stage.over; t++)
        if (!stage.thread[t].ended)
            return false;
    return true;
}

/* New threads run up to their first event, and back. */
static void end_step(struct plumb_stroll *s)
{
    stage.stroll = NULL;
    theatre_end_step(stage.walkers);
    stage.stroll = s;
}

bool stroll(void *context, struct plumb_stroll *s)
{
    (void)context;
    stage.raced = stage.walked = false;
    stage.strolls = true;
    stage.stroll = s;
    while (!stage.walked) {
        const unsigned t = draw(s);
        if (t == PLUMB_NOBODY)
            break;
        stage.walkers = stage.threads;
        theatre_run(t);
        if (!stage.walked)
            end_step(s);
    }
    stage.stroll = NULL;
    if (races_on)
        races_settle();
    stage.strolls = false;
    return stage.finding.fault == FAULT_NONE && !stage.raced &&
           have_all_ended();
}
