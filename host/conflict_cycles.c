/* conflict_cycles.c - see conflict_cycles.h. */
#include "conflict_cycles.h"

#include "runtime/explore/memory/image.h"
#include "step_journal.h"
#include "strategies/conflict_graph.h"
#include <assert.h>

static uint64_t place_of(uint32_t step)
{
    const void *const pc = host_step_journal_place(step);
    return memory_image_has_code(pc) ? memory_image_offset(pc) : 0;
}

/* Of two operations of the test that conflict, the first before the second. */
static void count_pair(const struct host_driver *p,
                       const struct plumb_strategies_conflict_graph *g,
                       unsigned a, unsigned b)
{
    const unsigned first = p->operation[g->call[a]].call.operation,
                   second = p->operation[g->call[b]].call.operation;
    assert(g->call[a] < p->operations && g->call[b] < p->operations);
    struct job_conflict *const c = &p->job->cycles.conflict[first][second];
    if (!c->count++) {
        c->place[0] = place_of(g->step[a][b][0]);
        c->place[1] = place_of(g->step[a][b][1]);
    }
}

bool host_conflict_cycles_count(const struct host_driver *p,
                                const struct plumb_strategies_execution *x,
                                struct plumb_budget *budget)
{
    static struct plumb_strategies_conflict_graph graph;
    graph.budget = budget;
    graph.leaves_out = scheduler_is_allocation;
    if (!plumb_strategies_conflict_graph_make(&graph, x))
        return false;
    p->job->cycles.executions++;
    if (!plumb_strategies_conflict_graph_is_cyclic(&graph))
        return true;
    p->job->cycles.cyclic++;
    for (unsigned a = 0; a < graph.transactions; a++)
        for (unsigned b = 0; b < graph.transactions; b++)
            if (plumb_strategies_conflict_graph_on_cycle(&graph, a, b))
                count_pair(p, &graph, a, b);
    return true;
}
