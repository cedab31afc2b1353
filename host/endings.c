/* endings.c - see endings.h. */
#include "endings.h"

#include "findings.h"
#include "runtime/explore/memory/leaks.h"
#include <stdio.h>

struct ending {
    struct play *play;
    struct plumb_budget *budget;
    const struct plumb_machine *machine;
    const struct plumb_execution *x;
};

static struct job_finding *add(const struct ending *e,
                               const struct stage_finding *f)
{
    return findings_add(e->play, f, e->x->step, e->x->length);
}

/* The same place, whichever thread it is that stands there. */
static void find_place(const struct plumb_machine *m, struct stage_finding *f)
{
    struct plumb_event event;
    for (unsigned t = 0; t < theatre_threads(); t++) {
        const void *const place = theatre_place(t);
        if (m->stand(m->context, t, &event) != PLUMB_WAITING || !place ||
            (f->pc && (uintptr_t)f->pc <= (uintptr_t)place))
            continue;
        f->thread = t;
        f->pc = place;
    }
}

static bool is_stuck_wrongly(const struct ending *e)
{
    const bool spins = e->x->outcome == PLUMB_ENDLESS || theatre_awaits();
    struct stage_finding f = { .fault =
                                   spins ? FAULT_LIVELOCK : FAULT_DEADLOCK };
    if (play_is_justified(e->play, e->budget)) {
        e->play->job->stuck++;
        return false;
    }
    find_place(e->machine, &f);
    struct job_finding *const added = add(e, &f);
    if (added)
        added->cycle = e->x->cycle;
    return true;
}

/* An object has no business ending its process. */
static bool has_exited(const struct ending *e)
{
    struct stage_finding f = { .fault = FAULT_ABORT };
    int status;
    if (!e->play->object || !theatre_exited(&status))
        return false;
    snprintf(f.text, sizeof f.text, "it ends its process: exit(%d)", status);
    add(e, &f);
    return true;
}

/* Told by where it was allocated. */
static bool has_lost_memory(const struct ending *e)
{
    struct heap_block lost;
    const uint32_t count = e->play->job->request.leaks ? leaks_find(&lost) : 0;
    if (!count)
        return false;
    const struct stage_finding f = { .fault = FAULT_LEAK,
                                     .pc = lost.allocated_by,
                                     .at = lost.at,
                                     .detail = count };
    add(e, &f);
    return true;
}

/* All exits are one state: one that was seen is an end, too. */
static bool is_the_end(const struct plumb_execution *x)
{
    int status;
    return x->outcome == PLUMB_COMPLETE ||
           (x->outcome == PLUMB_SEEN && theatre_exited(&status));
}

bool ending_is_wrong(struct play *p, struct plumb_budget *budget,
                     const struct plumb_machine *m,
                     const struct plumb_execution *x)
{
    const struct ending e = { p, budget, m, x };
    const struct stage_finding *const f = theatre_finding();
    if (f->fault != FAULT_NONE) {
        add(&e, f);
        return true;
    }
    if (has_exited(&e))
        return true;
    if (x->outcome == PLUMB_DEADLOCK || x->outcome == PLUMB_ENDLESS)
        return is_stuck_wrongly(&e);
    return is_the_end(x) && has_lost_memory(&e);
}
