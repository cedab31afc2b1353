/* compare_cell.c - measure one object with one number of processes.
 *
 * A cell is measured by one worker from beginning to end.  If it gets stuck,
 * the operations that were open are such as may wait for ever; the next worker
 * knows and invokes them with care, and the measurement begins anew.  An
 * object that gets stuck all the same is left alone. */
#include "compare.h"

#include "app/console/say.h"
#include "runtime/simulate/worker.h"
#include "worker_process.h"
#include <assert.h>

enum { ATTEMPTS = 4, EMPTY_CALLS = 20000 };

/* ---- one worker ---- */

static struct worker_conditions conditions_for(
    const struct simulate_settings *s, unsigned processes)
{
    return (struct worker_conditions){
        .processes = processes,
        .operations = s->operations,
        .most = MEASURE_ENTRIES,
        .slots = 1,
        .measures = true,
        .seed = s->seed,
        .warm_up = s->milliseconds * 1000000 / 4,
    };
}

/* Until then rounds follow each other; then the last one is cut short. */
static bool is_time_up(void *deadline)
{
    return runtime_nanoseconds_now() >= *(const uint64_t *)deadline;
}

/* ---- what it found ---- */

/* Care is of no use if every operation may wait. */
static void forget_if_all_wait(struct simulate_compared *o)
{
    if (o->waiting == (UINT32_C(1) << o->about.operations) - 1)
        o->waiting = 0;
}

/* Of the shared memory only numbers are believed: an object may have written
 * anywhere. */
static void fill_in(struct simulate_cell *c,
                    const struct worker_description *about,
                    const struct worker_shared *s)
{
    *c = (struct simulate_cell){ .seconds = (double)s->measured / 1e9 };
    for (unsigned i = 0; i < about->operations; i++) {
        c->operation[i] = simulate_latencies_of(s, i);
        c->calls += c->operation[i].calls;
    }
    c->outcome = c->calls && s->measured ? CELL_MEASURED : CELL_NOTHING;
}

static enum simulate_worker_news attempt(const struct simulate_settings *s,
                                         const struct plumb_budget *budget,
                                         struct simulate_compared *o,
                                         unsigned processes)
{
    const struct worker_conditions with = conditions_for(s, processes);
    struct simulate_worker_process w;
    enum simulate_worker_news news = WORKER_UNUSABLE;
    if (!simulate_worker_prepare(&w, &o->target, &with))
        return WORKER_UNUSABLE;
    w.s->waiting = o->waiting;
    if (simulate_worker_start(&w, 0)) {
        uint64_t deadline =
            runtime_nanoseconds_now() + s->milliseconds * 1000000;
        news = simulate_worker_await(&w, budget, is_time_up, &deadline);
    }
    simulate_worker_end(&w);
    if (news == WORKER_OVER)
        fill_in(&o->cell[processes - 1], &o->about, w.s);
    else if (news == WORKER_STUCK)
        o->waiting |= simulate_worker_open_operations(&w);
    simulate_worker_release(&w);
    return news;
}

bool simulate_measure_cell(const struct simulate_settings *s,
                           const struct plumb_budget *budget,
                           struct simulate_compared *o, unsigned processes)
{
    assert(processes > 0 && processes <= s->processes);
    struct simulate_cell *const c = &o->cell[processes - 1];
    enum simulate_worker_news news = WORKER_STUCK;
    bool learned = true;
    for (unsigned n = 0; news == WORKER_STUCK && learned && n < ATTEMPTS; n++) {
        const uint32_t before = o->waiting;
        news = attempt(s, budget, o, processes);
        learned = o->waiting != before;
    }
    forget_if_all_wait(o);
    if (news == WORKER_STUCK)
        c->outcome = CELL_STUCK;
    else if (news == WORKER_DIED)
        c->outcome = CELL_CRASHED;
    return news <= WORKER_DIED || news == WORKER_OVER;
}

/* ---- what measuring costs ---- */

bool simulate_measure_cost(const struct simulate_settings *s,
                           struct simulate_measuring_cost *cost)
{
    struct worker_conditions with = conditions_for(s, 1);
    struct simulate_worker_process w;
    with.operations = EMPTY_CALLS;
    if (!simulate_worker_prepare(&w, NULL, &with))
        return false;
    worker_measure_nothing(w.s);
    const struct simulate_latencies l = simulate_latencies_of(w.s, 0);
    cost->loop = (double)w.s->measured / (double)l.calls;
    cost->clock = l.median;
    simulate_worker_release(&w);
    return true;
}
