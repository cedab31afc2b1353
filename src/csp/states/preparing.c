/* preparing.c - see preparing.h. */
#include "preparing.h"

#include "base/memory.h"
#include "csp/terms/terms.h"

bool plumb_preparer_fork(struct plumb_preparer *p,
                         const struct plumb_preparer *from,
                         struct plumb_vectors *vectors)
{
    *p = (struct plumb_preparer){ .reducer = from->reducer,
                                  .components = from->components };
    p->cursor = plumb_cursor_new(vectors);
    if (p->cursor)
        p->quick = plumb_quick_fork(from->quick, p->cursor);
    return p->quick;
}

void plumb_preparer_close_fork(struct plumb_preparer *p)
{
    plumb_quick_free(p->quick);
    plumb_cursor_free(p->cursor);
    *p = (struct plumb_preparer){ .quick = NULL };
}

/* Are all successors by moves in the mask? */
static bool are_in(uint64_t mask, const struct plumb_successors *s,
                   uint32_t first)
{
    for (uint32_t k = first; k < s->count; k++)
        if (!(mask >> s->at[k].move & 1))
            return false;
    return s->count > first;
}

/* Which of its moves may go alone? */
static uint64_t mask_of(struct plumb_preparer *p, uint32_t component,
                        uint32_t term, struct plumb_prepared *state)
{
    struct plumb_error err;
    uint64_t mask = 0;
    if (plumb_reducer_knows(p->reducer, component, term, &mask))
        return mask;
    if (!p->learns)
        state->slow = true;
    else
        state->refused = plumb_reducer_mask(p->reducer, component, term, &mask,
                                            &err) != PLUMB_OK;
    return state->refused ? 0 : mask;
}

/* May this component go alone?  Then these are its successors. */
static bool prepare_alone(struct plumb_preparer *p, uint32_t component,
                          struct plumb_prepared *state,
                          struct plumb_successors *out)
{
    uint32_t term;
    state->slow = !plumb_quick_term(p->quick, component, &term);
    if (state->slow || term == PLUMB_NO_TERM)
        return false;
    const uint64_t mask = mask_of(p, component, term, state);
    if (!mask)
        return false;
    out->count = state->first;
    state->component = component;
    state->slow = !plumb_quick_component(p->quick, component, out);
    return !state->slow && are_in(mask, out, state->first);
}

void plumb_prepare(struct plumb_preparer *p, uint64_t root, uint32_t from,
                   struct plumb_prepared *state, struct plumb_successors *out)
{
    *state = (struct plumb_prepared){ .first = out->count };
    plumb_quick_state(p->quick, plumb_cursor_go(p->cursor, root));
    for (uint32_t c = from; p->reducer && c < p->components; c++) {
        state->alone = prepare_alone(p, c, state, out);
        if (state->alone || state->slow || state->refused)
            break;
    }
    if (!state->alone && !state->slow && !state->refused) {
        out->count = state->first;
        state->slow = !plumb_quick_all(p->quick, out);
    }
    state->refused |= state->slow && plumb_quick_was_refused(p->quick);
    if (state->slow || state->refused)
        out->count = state->first;
    state->count = out->count - state->first;
}
