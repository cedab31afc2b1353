/* step_journal.c - see step_journal.h. */
#include "step_journal.h"

#include "coverage.h"
#include "runtime/explore/memory/heap.h"
#include "runtime/explore/memory/leaks.h"
#include <assert.h>

enum { NOW = sizeof((struct job *)0)->now.step / sizeof(struct job_step) };

static struct journal {
    struct host_driver *play;
    struct job *job;
    struct plumb_strategies_machine machine; /* the target's */
    uint32_t at;                             /* of job->now */
    uint32_t last; /* dfs, dpor: length of the execution before, ... */
    bool same;     /* ... with which it has been the same so far */
    uint32_t kept[PLUMB_MOST_MOMENTS]; /* steps before each moment */
    bool sample;                       /* this execution counts for coverage */
    enum scheduler_fault found;        /* by a random run, which is repeated */
} journal;

static const void *place[NOW]; /* of the steps, if somebody wants to know */

/* Executions begin as the one before did. */
static bool goes_through_all(enum plumb_strategy strategy)
{
    return strategy == PLUMB_DFS || strategy == PLUMB_DPOR ||
           strategy == PLUMB_STATES;
}

static void begin(void *context)
{
    struct journal *const n = &journal;
    const uint64_t executions = atomic_load_explicit(
        &n->job->progress.executions, memory_order_relaxed);
    n->same = goes_through_all(n->job->request.strategy);
    n->last = n->at;
    n->at = 0;
    n->sample = n->same || executions < 1000 || executions % 1024 == 0;
    n->job->output = n->job->output_before;
    atomic_store_explicit(&n->job->now.length, 0, memory_order_relaxed);
    n->machine.begin(context);
}

static bool keep(void *context, unsigned n)
{
    journal.kept[n] = journal.at;
    return journal.machine.keep(context, n);
}

static void restore(void *context, unsigned n)
{
    struct journal *const j = &journal;
    j->same = false; /* what follows is new */
    j->at = j->kept[n];
    atomic_store_explicit(&j->job->now.length, j->at, memory_order_relaxed);
    j->machine.restore(context, n);
}

static bool is_again(const struct journal *n, unsigned thread, unsigned option)
{
    const struct job_step *const before = &n->job->now.step[n->at];
    return n->same && n->at < n->last && before->thread == thread &&
           before->option == option;
}

/* Coverage costs as much as a step: so it is of some executions only, and with
 * dfs, dpor and states of the steps that are not those of the execution before. */
static void note(struct journal *n, unsigned thread, unsigned option)
{
    if (n->at < NOW) {
        if (n->job->request.cycles)
            place[n->at] = scheduler_adapter_place(thread);
        n->same = is_again(n, thread, option);
        n->job->now.step[n->at++] =
            (struct job_step){ (uint8_t)thread, (uint8_t)option };
        atomic_store_explicit(&n->job->now.length, n->at, memory_order_relaxed);
    }
    if (n->sample && !n->play->serial && !n->play->shortened && !n->same)
        host_coverage_step(n->play, thread);
}

static void step(void *context, unsigned thread, unsigned option,
                 struct plumb_strategies_event *event)
{
    note(&journal, thread, option);
    journal.machine.step(context, thread, option, event);
}

static unsigned noted_next(void *walker,
                           const struct plumb_strategies_event *done,
                           uint64_t ready, uint64_t yields, unsigned *option)
{
    const struct plumb_strategies_walker *const w = walker;
    const unsigned thread = w->next(w->context, done, ready, yields, option);
    if (thread != PLUMB_NOBODY)
        note(&journal, thread, *option);
    return thread;
}

static void walk(void *context, const struct plumb_strategies_walker *walker)
{
    union {
        const struct plumb_strategies_walker *walker;
        void *context;
    } u = { .walker = walker };
    const struct plumb_strategies_walker noted = { .context = u.context,
                                                   .next = noted_next,
                                                   .blind = walker->blind };
    journal.machine.walk(context, &noted);
}

/* Not where steps are to be looked at. */
static bool random_run(void *context, struct plumb_strategies_random_run *s)
{
    struct journal *const n = &journal;
    struct memory_heap_block lost;
    int status;
    if (n->sample)
        return false;
    s->written = (uint8_t(*)[2])n->job->now.step;
    s->writing = &n->job->now.length;
    s->most = s->most < NOW ? s->most : NOW;
    const bool done = n->machine.random_run(context, s) &&
                      !(n->play->object && scheduler_adapter_exited(&status)) &&
                      !(n->job->request.leaks && memory_leaks_find(&lost));
    n->found = scheduler_adapter_finding()->fault;
    return done;
}

bool host_step_journal_does_the_same_again(void)
{
    struct journal *const n = &journal;
    const bool same = n->found == FAULT_NONE ||
                      n->found == scheduler_adapter_finding()->fault;
    n->found = FAULT_NONE;
    return same;
}

const void *host_step_journal_place(uint32_t step)
{
    assert(step < journal.at);
    return place[step];
}

bool host_step_journal_is_sample(void)
{
    return journal.sample;
}

void host_step_journal_forget(void)
{
    journal.at = 0;
}

struct plumb_strategies_machine host_step_journal_machine(struct host_driver *p)
{
    journal =
        (struct journal){ .play = p,
                          .job = p->job,
                          .machine = scheduler_adapter_machine(&p->adapter) };
    struct plumb_strategies_machine machine = journal.machine;
    machine.begin = begin;
    machine.step = step;
    if (machine.keep) {
        machine.keep = keep;
        machine.restore = restore;
    }
    if (machine.walk)
        machine.walk = walk;
    if (machine.random_run)
        machine.random_run = random_run;
    return machine;
}
