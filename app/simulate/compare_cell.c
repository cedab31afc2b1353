/* compare_cell.c - measure one object with one number of processes.
 *
 * A cell is measured by one worker from beginning to end.  If it gets stuck,
 * the operations that were open are such as may wait for ever; the next worker
 * knows and invokes them with care, and the measurement begins anew.  An
 * object that gets stuck all the same is left alone. */
#include "compare_cell.h"

#include "app/console/say.h"
#include "runtime/simulate/measure.h"
#include "worker_process.h"
#include <time.h>

enum { ATTEMPTS = 4, NAP_NANOSECONDS = 1000000, EMPTY_CALLS = 20000 };

enum progress { GOES_ON, IS_OVER, IS_STUCK, HAS_DIED, HAS_FAILED };

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

static enum progress heed(const struct simulate_worker_process *w,
                          enum simulate_worker_news news)
{
    switch (news) {
    case WORKER_RUNS:
        return GOES_ON;
    case WORKER_STUCK:
        return IS_STUCK;
    case WORKER_DIED:
        return HAS_DIED;
    default:
        break;
    }
    simulate_worker_complain(w, news);
    return HAS_FAILED;
}

static bool is_interrupted(const struct plumb_budget *budget)
{
    return plumb_budget_state(budget) == PLUMB_ESTOP;
}

/* Until `deadline` rounds follow each other; then the last one is cut short. */
static enum progress watch(struct simulate_worker_process *w,
                           const struct plumb_budget *budget, uint64_t deadline)
{
    const struct timespec nap = { .tv_nsec = NAP_NANOSECONDS };
    enum progress progress = GOES_ON;
    while (progress == GOES_ON && !is_interrupted(budget)) {
        int how;
        if (runtime_nanoseconds_now() >= deadline)
            atomic_store_explicit(&w->s->over, true, memory_order_relaxed);
        nanosleep(&nap, NULL);
        /* acquire: pairs with the release in worker_measure_run() */
        if (atomic_load_explicit(&w->s->phase, memory_order_acquire) ==
            PHASE_OVER)
            return IS_OVER;
        progress = heed(w, simulate_worker_look(w, &how));
    }
    return progress;
}

/* ---- what it found ---- */

static void learn_who_waits(struct simulate_compared *o,
                            struct worker_shared *s)
{
    for (unsigned p = 0; p < s->with.processes; p++) {
        const struct plumb_record_entry *const e =
            worker_shared_entries(s, 0, p);
        if (atomic_load_explicit(&e->ret, memory_order_relaxed) == 0 &&
            e->operation < o->about.operations)
            o->waiting |= UINT32_C(1) << e->operation;
    }
}

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

static enum progress attempt(const struct simulate_settings *s,
                             const struct plumb_budget *budget,
                             struct simulate_compared *o, unsigned processes)
{
    const struct worker_conditions with = conditions_for(s, processes);
    struct simulate_worker_process w;
    enum progress progress = HAS_FAILED;
    if (!simulate_worker_prepare(&w, &o->target, &with))
        return HAS_FAILED;
    w.s->waiting = o->waiting;
    if (simulate_worker_start(&w, 0))
        progress = watch(&w, budget,
                         runtime_nanoseconds_now() + s->milliseconds * 1000000);
    simulate_worker_end(&w);
    if (progress == IS_OVER)
        fill_in(&o->cell[processes - 1], &o->about, w.s);
    else if (progress == IS_STUCK)
        learn_who_waits(o, w.s);
    simulate_worker_release(&w);
    return progress;
}

bool simulate_measure_cell(const struct simulate_settings *s,
                           const struct plumb_budget *budget,
                           struct simulate_compared *o, unsigned processes)
{
    struct simulate_cell *const c = &o->cell[processes - 1];
    enum progress progress = IS_STUCK;
    bool learned = true;
    for (unsigned n = 0; progress == IS_STUCK && learned && n < ATTEMPTS; n++) {
        const uint32_t before = o->waiting;
        progress = attempt(s, budget, o, processes);
        learned = o->waiting != before;
    }
    forget_if_all_wait(o);
    if (progress == IS_STUCK)
        c->outcome = CELL_STUCK;
    else if (progress == HAS_DIED)
        c->outcome = CELL_CRASHED;
    return progress != HAS_FAILED;
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
