/* priority_cut.c - the gaps of operations, and whose results are not known. */
#include "base/pace.h"
#include "base/sort.h"
#include "priority.h"
#include <assert.h>

/* ---- gaps ---- */

static bool make_gaps(struct plumb_check_priority *p, uint32_t events,
                      const uint32_t *slot)
{
    const uint32_t *const event = p->input->event;
    uint32_t gap = 0;
    bool called = false;
    for (uint32_t i = 0; i < events; i++) {
        const bool returns = plumb_check_input_is_return(event[i]);
        struct plumb_check_priority_span *const s =
            p->span + slot[event[i] / 2];
        if (!plumb_base_in_time(p->m->budget, i))
            return false;
        gap += called && returns;
        called = !returns;
        if (returns)
            s->last = gap - 1;
        else
            s->first = gap;
    }
    p->gaps = gap + 1;
    assert(p->gaps <= events + 1);
    return true;
}

/* ---- thieves ---- */

static int compare_thieves(const void *x, const void *y)
{
    const struct plumb_check_thief *const a = x, *const b = y;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Removals that have not returned; where it is made use of what they return
 * later, those that never do.  In the order of calls. */
static bool find_thieves(struct plumb_check_priority *p)
{
    plumb_check_priority_forget_thefts(p);
    p->thieves = 0;
    for (uint32_t i = p->known ? p->start[p->pending] : 0; i < p->input->count;
         i++) {
        const struct plumb_check_priority_span s = p->span[i];
        if (!plumb_base_in_time(p->m->budget, i))
            return false;
        if (s.last == PLUMB_NEVER && s.first != PLUMB_NEVER &&
            plumb_check_step_at(p, i) == PLUMB_STEP_REMOVE)
            p->thief[p->thieves++] =
                (struct plumb_check_thief){ i, s.first, PLUMB_NO_SLOT };
    }
    return plumb_base_sort(p->m->budget, p->thief, p->thieves, sizeof *p->thief,
                           compare_thieves);
}

static bool cut(struct plumb_check_priority *p, uint32_t events)
{
    const uint32_t count = p->input->count;
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(p->m->budget, i))
            return false;
        p->place[p->sorted[i]] = i;
    }
    return plumb_base_paced_set(p->m->budget, p->span, 0xff,
                                count * sizeof *p->span) &&
           make_gaps(p, events, p->place) && find_thieves(p);
}

/* The room of p->place serves for the slots of operations. */
bool plumb_check_priority_cut(struct plumb_check_priority *p, uint32_t events)
{
    if (cut(p, events))
        return true;
    p->stop = PLUMB_EMEMORY;
    return false;
}
