/* verify_way.c - the way to what was found, a step at a time. */
#include "verify_way.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/states/shared_slots.h"
#include <assert.h>
#include <string.h>

static struct plumb_csp_system *system_of(const struct verify_way *w)
{
    return plumb_refine_judgement_side(w->j)->system;
}

static size_t vector_size(const struct verify_way *w)
{
    return plumb_csp_system_slots(system_of(w)) * sizeof *w->before;
}

/* A bit for each global. */
static size_t words_of(const struct verify_way *w)
{
    return plumb_csp_system_globals(system_of(w)) / 64 + 1;
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
    if (w->shared)
        plumb_base_release(NULL, w->shared,
                           2 * words_of(w) * sizeof *w->shared);
}

/* Nothing is shared if it cannot be found out: then changes are told alone. */
static bool open_vectors(struct verify_way *w)
{
    const size_t words = words_of(w);
    struct plumb_error ignored;
    w->before = plumb_base_alloc(NULL, vector_size(w));
    w->shared = plumb_base_alloc_zeroed(NULL, 2 * words * sizeof *w->shared);
    if (!w->before || !w->shared)
        return false;
    w->kept = w->shared + words;
    if (plumb_csp_system_shared_slots(system_of(w), w->shared, &ignored) !=
        PLUMB_OK)
        memset(w->shared, 0, words * sizeof *w->shared);
    return true;
}

enum plumb_status verify_way_look(struct verify_way *w, uint32_t state,
                                  struct plumb_error *err)
{
    if (!w->shared && !open_vectors(w))
        return plumb_base_fail_memory(err);
    plumb_csp_numbering_vector(plumb_refine_judgement_side(w->j)->numbering,
                               state, w->before);
    return plumb_csp_numbering_steps(
        plumb_refine_judgement_side(w->j)->numbering, state, &w->steps, err);
}

static void drop_changed(struct verify_way *w, uint32_t slot)
{
    if (verify_way_changes_slot(w, slot) ||
        plumb_csp_system_slot_passes(system_of(w), slot))
        w->kept[slot / 64] &= ~(UINT64_C(1) << slot % 64);
}

static void note_kept(struct verify_way *w)
{
    const size_t words = words_of(w);
    struct plumb_error ignored;
    memset(w->kept, 0, words * sizeof *w->kept);
    if (plumb_csp_system_step_writes(system_of(w), w->step, w->before, w->after,
                                     w->kept, &ignored) != PLUMB_OK)
        memset(w->kept, 0, words * sizeof *w->kept);
    for (size_t i = 0; i < words; i++)
        for (uint64_t left = w->kept[i] &= w->shared[i]; left; left &= left - 1)
            drop_changed(w,
                         (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(left));
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
    note_kept(w);
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

bool verify_way_writes(const struct verify_way *w)
{
    const size_t words = words_of(w);
    bool keeps = false;
    for (size_t i = 0; i < words; i++)
        keeps |= w->kept[i] != 0;
    return keeps || memcmp(w->before, w->after,
                           plumb_csp_system_globals(system_of(w)) *
                               sizeof *w->before) != 0;
}
