/* endings.c - see endings.h. */
#include "endings.h"

#include "findings.h"
#include "runtime/explore/memory/leaks.h"
#include "stuck_prefix.h"
#include <stdio.h>

struct ending {
    struct host_driver *play;
    struct plumb_budget *budget;
    const struct plumb_strategies_execution *x;
};

static struct job_finding *add(const struct ending *e,
                               const struct scheduler_finding *f)
{
    return host_findings_add(e->play, f, e->x->step, e->x->length);
}

/* Told by a place: the same, whichever thread it is that stands there, and
 * whether or not who goes round is kept from going on.  Of a cycle every step is
 * a place. */
struct scheduler_finding host_ending_waits(bool endless)
{
    const uint64_t round = endless ? 0 : scheduler_adapter_awaits();
    struct scheduler_finding f = { .fault = endless || round ? FAULT_LIVELOCK
                                                             : FAULT_DEADLOCK };
    for (unsigned t = 0; t < scheduler_adapter_threads(); t++) {
        const void *const place = scheduler_adapter_place(t);
        const bool stays = scheduler_adapter_waits(t) || round >> t & 1;
        if (!stays || !place || (f.pc && (uintptr_t)f.pc <= (uintptr_t)place))
            continue;
        f.thread = t;
        f.pc = place;
    }
    return f;
}

/* Where calls are left, that nobody is in an operation is no end. */
static bool is_stuck_wrongly(const struct ending *e)
{
    struct job *const job = e->play->job;
    const uint64_t unknown = job->unknown;
    const bool goes_on = host_stuck_prefix_has_calls_left(e->play);
    if (scheduler_has_given_up())
        return false;
    if (goes_on && !host_stuck_prefix_is_here(e->play))
        return false;
    if (host_driver_is_justified(e->play, e->budget)) {
        job->stuck += job->unknown == unknown && !goes_on;
        return false;
    }
    const struct scheduler_finding f =
        host_ending_waits(e->x->outcome == PLUMB_ENDLESS);
    struct job_finding *const added = add(e, &f);
    if (added)
        added->cycle = e->x->cycle;
    return true;
}

/* An object has no business ending its process. */
static bool has_exited(const struct ending *e)
{
    struct scheduler_finding f = { .fault = FAULT_ABORT };
    int status;
    if (!e->play->object || !scheduler_adapter_exited(&status))
        return false;
    snprintf(f.text, sizeof f.text, "the object ended its process: exit(%d)",
             status);
    add(e, &f);
    return true;
}

/* Told by where it was allocated. */
static bool has_lost_memory(const struct ending *e)
{
    struct memory_heap_block lost;
    const uint32_t count =
        e->play->job->request.leaks ? memory_leaks_find(&lost) : 0;
    if (!count)
        return false;
    const struct scheduler_finding f = { .fault = FAULT_LEAK,
                                         .pc = lost.allocated_by,
                                         .at = lost.at,
                                         .detail = count };
    add(e, &f);
    return true;
}

/* All exits are one state: one that was seen is an end, too. */
static bool is_the_end(const struct plumb_strategies_execution *x)
{
    int status;
    return x->outcome == PLUMB_COMPLETE ||
           (x->outcome == PLUMB_SEEN && scheduler_adapter_exited(&status));
}

bool host_ending_is_wrong(struct host_driver *p, struct plumb_budget *budget,
                          const struct plumb_strategies_execution *x)
{
    const struct ending e = { p, budget, x };
    const struct scheduler_finding *const f = scheduler_adapter_finding();
    if (f->fault != FAULT_NONE) {
        add(&e, f);
        return true;
    }
    if (has_exited(&e))
        return true;
    if (x->outcome == PLUMB_DEADLOCK || x->outcome == PLUMB_ENDLESS)
        return is_stuck_wrongly(&e);
    if (!is_the_end(x))
        return false;
    if (p->configurations &&
        !plumb_check_configurations_know(p->configurations, p->live))
        p->job->unknown++;
    return has_lost_memory(&e);
}
