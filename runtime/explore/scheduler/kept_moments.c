/* kept_moments.c - moments to which an execution goes back without repeating it.
 *
 * They lie one after the other in one piece of memory, the later the further
 * behind, so the n-th and all after it are forgotten together.  A moment that
 * would be large is refused: to repeat is cheaper.
 *
 * Beside the world three remember how it came to be: loops that wait, and those
 * who look for races.  They pass what they know, too. */
#include "scheduler_state.h"

#include "runtime/explore/memory/pages.h"
#include "runtime/explore/races/race_path.h"
#include "runtime/explore/races/step_races.h"
#include "waiting_loops.h"
#include <assert.h>

enum { ALL = 1 << 25, LARGE = 1 << 16 };

static struct {
    char *bytes; /* of ALL of them, or NULL */
    char *end[PLUMB_MOST_MOMENTS];
} moments;

static bool can_be_kept(void)
{
    return scheduler.play->tidy && !scheduler.over && !scheduler.told &&
           (!races_wanted || race_path_can_pass());
}

static void pass_scheduler(struct memory_tape *tape)
{
    struct scheduler *const s = &scheduler;
    memory_tape_pass(tape, &s->threads, sizeof s->threads);
    memory_tape_pass(tape, &s->runnable, sizeof s->runnable);
    memory_tape_pass(tape, &s->waiting, sizeof s->waiting);
    memory_tape_pass(tape, &s->yielding, sizeof s->yielding);
    memory_tape_pass(tape, &s->repeating, sizeof s->repeating);
    memory_tape_pass(tape, &s->calling, sizeof s->calling);
    memory_tape_pass(tape, &s->operating, sizeof s->operating);
    memory_tape_pass(tape, &s->step, sizeof s->step);
    memory_tape_pass(tape, &s->at_once, sizeof s->at_once);
    memory_tape_pass(tape, &s->failed_here, sizeof s->failed_here);
}

/* Of one that has ended nobody looks at the stack. */
static void pass_thread(struct scheduler_thread *t, struct memory_tape *tape)
{
    const size_t own = sizeof *t - offsetof(struct scheduler_thread, next);
    memory_tape_pass(tape, &t->next, own);
    if (!t->ended)
        scheduler_fiber_pass(&t->fiber, tape);
}

static void pass(struct memory_tape *tape)
{
    pass_scheduler(tape);
    for (unsigned t = 0; t < scheduler.threads; t++)
        pass_thread(&scheduler.thread[t], tape);
    memory_world_pass(tape);
    if (scheduler_awaiting_on)
        scheduler_awaiting_pass(tape);
    if (races_wanted)
        race_path_pass(tape);
    if (races_step_on)
        races_step_pass(tape);
    scheduler.play->pass(scheduler.play->context, tape);
}

static char *begin_of(unsigned n)
{
    return n ? moments.end[n - 1] : moments.bytes;
}

bool scheduler_moments_keep(void *context, unsigned n)
{
    (void)context;
    assert(n < PLUMB_MOST_MOMENTS);
    if (!moments.bytes)
        moments.bytes = memory_map(ALL);
    if (!moments.bytes || !can_be_kept())
        return false;
    char *const at = begin_of(n);
    const size_t left = (size_t)(moments.bytes + ALL - at);
    struct memory_tape tape = { .at = at,
                                .end = at + (left < LARGE ? left : LARGE) };
    pass(&tape);
    moments.end[n] = tape.at;
    return !tape.refused;
}

void scheduler_moments_restore(void *context, unsigned n)
{
    struct memory_tape tape = { .at = begin_of(n),
                                .end = moments.end[n],
                                .reads = true };
    (void)context;
    scheduler.over = scheduler.exited = false;
    scheduler.finding.fault = FAULT_NONE;
    scheduler.told = 0;
    scheduler_awaiting_begin();
    pass(&tape);
    assert(tape.at == tape.end);
    scheduler.failed_swaps += scheduler.failed_here; /* as if repeated */
}
