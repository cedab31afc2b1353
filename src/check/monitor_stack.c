#include "check/monitor.h"
#include "check/stack_peel.h"

bool plumb_monitor_stack(struct plumb_monitoring *m)
{
    struct plumb_stack s;
    m->verdict = PLUMB_UNDECIDED;
    if (!plumb_stack_peel(&s, m->tape, m->budget)) {
        m->declined = s.declined;
        m->why = s.why;
    } else if (plumb_stack_is_peeled(&s)) {
        m->verdict = PLUMB_LINEARIZABLE;
        if (!plumb_stack_order(&s, m->arena, &m->order, &m->order_count))
            m->why = PLUMB_EMEMORY;
    } else {
        m->verdict = PLUMB_NOT_LINEARIZABLE;
    }
    plumb_stack_release(&s);
    return m->why == PLUMB_OK;
}
