/* coverage.c - what was tried, for telling how good a pass is.
 *
 * Places in the code are looked up at every step, by their address: once one is
 * known to have run while another operation was open, there is no more to learn
 * of it. */
#include "coverage.h"

#include "base/hash.h"
#include "runtime/explore/image.h"

enum { PLACE_SLOTS = 2 * JOB_PLACES };

static struct {
    const void *pc;
    uint32_t place;
} slot[PLACE_SLOTS];

/* Its number in job->coverage.place[]; JOB_PLACES if there is no room. */
static uint32_t place_of(struct job_coverage *c, const void *pc)
{
    uint64_t at = plumb_mix1((uint64_t)(uintptr_t)pc) % PLACE_SLOTS;
    while (slot[at].pc && slot[at].pc != pc)
        at = (at + 1) % PLACE_SLOTS;
    if (slot[at].pc)
        return slot[at].place;
    if (c->places == JOB_PLACES)
        return JOB_PLACES;
    slot[at].pc = pc;
    slot[at].place = c->places;
    c->place[c->places].offset = image_offset(pc);
    return c->places++;
}

static bool is_open(const struct plumb_entry *e)
{
    return e->call && !atomic_load_explicit(&e->ret, memory_order_relaxed);
}

/* Is an operation of another thread open? */
static bool is_concurrent(const struct play *p, unsigned thread)
{
    for (unsigned i = 0; i < p->operations; i++)
        if (p->operation[i].process + p->leader != thread &&
            is_open(&p->entry[i]))
            return true;
    return false;
}

void coverage_step(const struct play *p, unsigned thread)
{
    struct job_coverage *const c = &p->job->coverage;
    const void *const pc = theatre_place(thread);
    if (!p->object || !pc || !image_has_code(pc) || thread < p->leader)
        return; /* setup and teardown are meant to be alone */
    const uint32_t i = place_of(c, pc);
    if (i < JOB_PLACES && !c->place[i].concurrent)
        c->place[i].concurrent = is_concurrent(p, thread);
}

/* Some operation took more than one step. */
static bool is_interruptible(const struct play *p,
                             const struct plumb_execution *x)
{
    return x->length > p->operations - p->init + 2;
}

void coverage_end(const struct play *p, const struct plumb_execution *x)
{
    p->job->coverage.interruptible += is_interruptible(p, x);
    if (x->length && x->step && x->step[x->length - 1].preemptions)
        p->job->coverage.preempted++;
}
