/* abstraction.c - looking for |||{..} in the text of a process.
 *
 * Depth first through definitions, each once, whatever its arguments are.
 * Processes nest no deeper than the reader allows. */
#include "base/fail.h"
#include "base/memory.h"
#include "model.h"

struct look {
    const struct plumb_csp_model *model;
    bool *seen; /* definitions that were looked at, or are waiting */
    uint32_t *waiting;
    uint32_t count;
};

static bool counts_many(struct look *l, const struct plumb_csp_process *p)
{
    if (p->kind == PLUMB_COPIES && !p->copies)
        return true;
    if (p->kind == PLUMB_REFERENCE && !l->seen[p->definition]) {
        l->seen[p->definition] = true;
        l->waiting[l->count++] = p->definition;
    }
    for (uint32_t i = 0; i < p->children; i++)
        if (counts_many(l, p->child[i]))
            return true;
    return false;
}

enum plumb_status plumb_csp_process_counts_many(
    const struct plumb_csp_model *model,
    const struct plumb_csp_process *process, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err)
{
    const size_t room = (size_t)model->definitions + 1;
    struct look l = {
        .model = model,
        .seen = plumb_base_alloc_zeroed(budget, room * sizeof *l.seen),
        .waiting = plumb_base_alloc(budget, room * sizeof *l.waiting)
    };
    const bool well = l.seen && l.waiting;
    if (well) {
        *yes = counts_many(&l, process);
        while (!*yes && l.count > 0)
            *yes =
                counts_many(&l, model->definition[l.waiting[--l.count]].body);
    }
    PLUMB_RELEASE(budget, l.seen, room);
    PLUMB_RELEASE(budget, l.waiting, room);
    return well ? PLUMB_OK : plumb_base_fail_memory(err);
}
