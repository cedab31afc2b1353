/* verify_way.c - the way to what was found, a step at a time. */
#include "verify_way.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

static size_t vector_size(const struct verify_way *w)
{
    return plumb_csp_system_slots(plumb_refine_judgement_side(w->j)->system) *
           sizeof *w->before;
}

void verify_way_begin(struct verify_way *w, struct plumb_refine_judgement *j)
{
    *w = (struct verify_way){ .j = j };
}

void verify_way_end(struct verify_way *w)
{
    plumb_csp_steps_release(&w->steps, w->j->world.budget);
    if (w->before)
        plumb_base_release(NULL, w->before, vector_size(w));
}

enum plumb_status verify_way_look(struct verify_way *w, uint32_t state,
                                  struct plumb_error *err)
{
    if (!w->before && !(w->before = plumb_base_alloc(NULL, vector_size(w))))
        return plumb_base_fail_memory(err);
    plumb_csp_numbering_vector(plumb_refine_judgement_side(w->j)->numbering,
                               state, w->before);
    return plumb_csp_numbering_steps(
        plumb_refine_judgement_side(w->j)->numbering, state, &w->steps, err);
}

void verify_way_take(struct verify_way *w, uint32_t index)
{
    assert(index < w->steps.count);
    w->step = &w->steps.step[index];
    w->after =
        w->steps.vector +
        (size_t)w->step->target *
            plumb_csp_system_slots(plumb_refine_judgement_side(w->j)->system);
    w->actor = w->step->actors ? (unsigned)__builtin_ctzll(w->step->actors) : 0;
}

bool verify_way_next(struct verify_way *w)
{
    struct plumb_error err;
    if (w->number == w->j->length)
        return false;
    const struct plumb_refine_hop *const hop = &w->j->path[w->number++];
    if (verify_way_look(w, hop->state, &err) != PLUMB_OK)
        return false;
    verify_way_take(w, hop->index);
    return true;
}

bool verify_way_changes(const struct verify_way *w)
{
    return memcmp(w->before, w->after,
                  plumb_csp_system_globals(
                      plumb_refine_judgement_side(w->j)->system) *
                      sizeof *w->before) != 0;
}
