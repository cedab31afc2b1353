/* shared_slots.c - see shared_slots.h. */
#include "shared_slots.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/terms/term_reach.h"
#include "system_shape.h"
#include <string.h>

/* ---- what is shared ---- */

struct sharing {
    struct plumb_csp_system *s;
    size_t words;
    uint64_t *shared;
    uint64_t *used; /* by the components so far */
    uint64_t *own;  /* by the one that is looked at */
    struct plumb_error *err;
};

static void set_all(uint64_t *bits, size_t words)
{
    memset(bits, 0xff, words * sizeof *bits);
}

/* A component that becomes several processes shares what it uses with
 * itself. */
static enum plumb_status add_component(struct sharing *s, uint32_t component)
{
    struct plumb_csp_reach reach = { .reads = s->own, .writes = s->own };
    memset(s->own, 0, s->words * sizeof *s->own);
    s->s->world->terms->nesting = 0;
    PLUMB_TRY(plumb_csp_term_reach(s->s->world->terms,
                                   s->s->component[component].written, &reach,
                                   s->err));
    if (!reach.complete)
        set_all(s->own, s->words);
    for (size_t i = 0; i < s->words; i++) {
        s->shared[i] |= s->own[i] & (reach.several ? ~(uint64_t)0 : s->used[i]);
        s->used[i] |= s->own[i];
    }
    return PLUMB_OK;
}

enum plumb_status plumb_csp_system_shared_slots(struct plumb_csp_system *s,
                                                uint64_t *shared,
                                                struct plumb_error *err)
{
    enum { MOST_COMPONENTS = 1024 };
    struct plumb_budget *const budget = s->world->budget;
    const size_t words = (size_t)s->globals / 64 + 1;
    struct sharing sharing = {
        .s = s,
        .words = words,
        .shared = shared,
        .used = plumb_base_alloc_zeroed(budget, words * sizeof(uint64_t)),
        .own = plumb_base_alloc(budget, words * sizeof(uint64_t)),
        .err = err
    };
    enum plumb_status status =
        sharing.used && sharing.own ? PLUMB_OK : plumb_base_fail_memory(err);
    memset(shared, 0, words * sizeof *shared);
    if (s->components > MOST_COMPONENTS)
        set_all(shared, words);
    else
        for (uint32_t c = 0; !status && c < s->components; c++)
            status = add_component(&sharing, c);
    PLUMB_RELEASE(budget, sharing.used, words);
    PLUMB_RELEASE(budget, sharing.own, words);
    return status;
}

/* ---- what is written ---- */

/* What is in channels is there before a program runs. */
static void put_channels(const struct plumb_csp_model *m, const uint32_t *from,
                         uint32_t *to)
{
    for (uint32_t i = 0; i < m->channels; i++)
        memcpy(to + m->channel[i].slot, from + m->channel[i].slot,
               m->channel[i].size * sizeof *to);
}

enum plumb_status plumb_csp_system_step_writes(
    struct plumb_csp_system *s, const struct plumb_csp_step *step,
    const uint32_t *before, const uint32_t *after, uint64_t *written,
    struct plumb_error *err)
{
    struct plumb_csp_terms *const t = s->world->terms;
    memcpy(t->scratch, before, s->globals * sizeof *before);
    put_channels(s->world->model, after, t->scratch);
    for (unsigned i = 0; i < 2; i++)
        PLUMB_TRY(plumb_csp_effect_writes(s->world->formulas, step->effect[i],
                                          (int32_t *)t->scratch, written, err));
    return PLUMB_OK;
}
