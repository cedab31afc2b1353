/* coverage.c - what was tried, for telling how good a pass is.
 *
 * Places in the code are looked up at every step, by their address: once one is
 * known to have run while another operation was open, there is no more to learn
 * of it. */
#include "coverage.h"

#include "base/hash.h"
#include "runtime/explore/memory/image.h"
#include <assert.h>
#include <string.h>

enum { PLACE_SLOTS = 2 * JOB_PLACES };

static struct {
    const void *pc;
    uint32_t place;
} slot[PLACE_SLOTS];

/* What was new since host_coverage_forget_news(): places, and that they are
 * concurrent. */
static uint32_t news[2 * JOB_PLACES];
static uint32_t new_ones;

void host_coverage_forget_news(void)
{
    new_ones = 0;
}

void host_coverage_forget_places(struct job_coverage *c)
{
    memset(slot, 0, sizeof slot);
    c->places = 0;
}

uint32_t host_coverage_news(const uint32_t **places)
{
    *places = news;
    return new_ones;
}

/* A worker forgets them at each portion; who does not needs none. */
static void note_news(uint32_t place)
{
    if (new_ones < sizeof news / sizeof *news)
        news[new_ones++] = place;
}

/* Its number in job->coverage.place[]; JOB_PLACES if there is no room. */
static uint32_t place_of(struct job_coverage *c, const void *pc)
{
    uint64_t at = plumb_base_mix1((uint64_t)(uintptr_t)pc) % PLACE_SLOTS;
    while (slot[at].pc && slot[at].pc != pc)
        at = (at + 1) % PLACE_SLOTS;
    if (slot[at].pc)
        return slot[at].place;
    if (c->places == JOB_PLACES)
        return JOB_PLACES;
    assert(c->places < JOB_PLACES);
    slot[at].pc = pc;
    slot[at].place = c->places;
    c->place[c->places].offset = memory_image_offset(pc);
    c->place[c->places].concurrent = false;
    note_news(c->places);
    return c->places++;
}

static bool is_open(const struct plumb_record_entry *e)
{
    return e->call && !atomic_load_explicit(&e->ret, memory_order_relaxed);
}

/* Is an operation of another thread open? */
static bool is_concurrent(const struct host_driver *p, unsigned thread)
{
    for (unsigned i = 0; i < p->operations; i++)
        if (p->operation[i].process + p->leader != thread &&
            is_open(&p->entry[i]))
            return true;
    return false;
}

void host_coverage_step(const struct host_driver *p, unsigned thread)
{
    struct job_coverage *const c = &p->job->coverage;
    if (!p->object || thread < p->leader)
        return; /* setup and teardown are meant to be alone */
    const void *const pc = scheduler_adapter_place(thread);
    if (!pc || !memory_image_has_code(pc))
        return;
    const uint32_t i = place_of(c, pc);
    if (i == JOB_PLACES || c->place[i].concurrent || !is_concurrent(p, thread))
        return;
    c->place[i].concurrent = true;
    note_news(i);
}

void host_coverage_add_place(struct job_coverage *c, uint64_t offset,
                             bool concurrent)
{
    const uint32_t i =
        place_of(c, (const void *)(memory_image_base() + (size_t)offset));
    if (i < JOB_PLACES)
        c->place[i].concurrent |= concurrent;
}

/* Some operation took more than one step. */
static bool is_interruptible(const struct host_driver *p,
                             const struct plumb_strategies_execution *x)
{
    return x->length > p->operations - p->init + 2;
}

void host_coverage_end(const struct host_driver *p,
                       const struct plumb_strategies_execution *x)
{
    p->job->coverage.interruptible += is_interruptible(p, x);
    if (x->length && x->step && x->step[x->length - 1].preemptions)
        p->job->coverage.preempted++;
}

/* ---- operations ---- */

static bool overlap(const struct plumb_record_entry *a,
                    const struct plumb_record_entry *b)
{
    const uint64_t a_ret = atomic_load_explicit(&a->ret, memory_order_relaxed);
    const uint64_t b_ret = atomic_load_explicit(&b->ret, memory_order_relaxed);
    return a->call && b->call && (!a_ret || b->call < a_ret) &&
           (!b_ret || a->call < b_ret);
}

void host_coverage_returned(const struct host_driver *p)
{
    for (unsigned i = 0; i < p->operations; i++)
        if (atomic_load_explicit(&p->entry[i].ret, memory_order_relaxed))
            p->job->coverage.returned[p->entry[i].operation]++;
}

void host_coverage_overlaps(const struct host_driver *p)
{
    struct job_coverage *const c = &p->job->coverage;
    for (unsigned i = 0; i < p->operations; i++) {
        const struct plumb_record_entry *const a = &p->entry[i];
        for (unsigned j = i + 1; j < p->operations; j++)
            if (overlap(a, &p->entry[j])) {
                c->overlaps[a->operation][p->entry[j].operation]++;
                c->overlaps[p->entry[j].operation][a->operation]++;
            }
    }
}
