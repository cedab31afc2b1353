/* read_gate.c - see read_gate.h. */
#include "read_gate.h"

#include <assert.h>
#include <sched.h>

void plumb_base_gate_add(struct plumb_base_gate *g, struct plumb_base_seat *s)
{
    atomic_init(&s->inside, false);
    s->next = g->seat;
    g->seat = s;
}

void plumb_base_gate_remove(struct plumb_base_gate *g,
                            struct plumb_base_seat *s)
{
    struct plumb_base_seat **at = &g->seat;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
}

/* A moment, then others first: readers come out soon. */
static void wait_while(atomic_bool *flag)
{
    enum { MOMENT = 64 };
    for (unsigned i = 0; atomic_load(flag); i++)
        if (i >= MOMENT)
            sched_yield();
}

void plumb_base_gate_close(struct plumb_base_gate *g)
{
    if (!g || g->depth++)
        return;
    atomic_store(&g->closed, true);
    for (struct plumb_base_seat *s = g->seat; s; s = s->next)
        wait_while(&s->inside);
}

void plumb_base_gate_open(struct plumb_base_gate *g)
{
    if (!g)
        return;
    assert(g->depth);
    if (--g->depth == 0)
        atomic_store(&g->closed, false);
}

void plumb_base_gate_enter(struct plumb_base_gate *g, struct plumb_base_seat *s)
{
    for (;;) {
        atomic_store(&s->inside, true);
        if (!atomic_load(&g->closed))
            return;
        atomic_store(&s->inside, false);
        wait_while(&g->closed);
    }
}

void plumb_base_gate_exit(struct plumb_base_seat *s)
{
    /* release: pairs with the load in plumb_base_gate_close() */
    atomic_store_explicit(&s->inside, false, memory_order_release);
}
