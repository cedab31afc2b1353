/* successor_pass.c - see successor_pass.h. */
#include "successor_pass.h"

#include "csp/terms/terms.h"

bool plumb_csp_successor_pass_fork(struct plumb_csp_successor_pass *p,
                                   const struct plumb_csp_successor_pass *from,
                                   struct plumb_csp_vectors *vectors)
{
    *p = (struct plumb_csp_successor_pass){ .reducer = from->reducer,
                                            .components = from->components };
    p->cursor = plumb_csp_cursor_new(vectors);
    if (p->cursor)
        p->quick = plumb_csp_quick_fork(from->quick, p->cursor);
    return p->quick;
}

void plumb_csp_successor_pass_close_fork(struct plumb_csp_successor_pass *p)
{
    plumb_csp_quick_free(p->quick);
    plumb_csp_cursor_free(p->cursor);
    *p = (struct plumb_csp_successor_pass){ .quick = NULL };
}

/* Are all successors by moves in the mask? */
static bool are_in(uint64_t mask, const struct plumb_csp_successors *s,
                   uint32_t first)
{
    for (uint32_t k = first; k < s->count; k++)
        if (!(mask >> s->at[k].move & 1))
            return false;
    return s->count > first;
}

/* Which of its moves may go alone? */
static uint64_t mask_of(struct plumb_csp_successor_pass *p, uint32_t component,
                        uint32_t term, struct plumb_csp_successors_found *state)
{
    struct plumb_error err;
    uint64_t mask = 0;
    if (plumb_csp_reducer_knows(p->reducer, component, term, &mask))
        return mask;
    if (!p->learns)
        state->slow = true;
    else
        state->refused = plumb_csp_reducer_mask(p->reducer, component, term,
                                                &mask, &err) != PLUMB_OK;
    return state->refused ? 0 : mask;
}

/* May this component go alone?  Then these are its successors. */
static bool prepare_alone(struct plumb_csp_successor_pass *p,
                          uint32_t component,
                          struct plumb_csp_successors_found *state,
                          struct plumb_csp_successors *out)
{
    uint32_t term;
    state->slow = !plumb_csp_quick_term(p->quick, component, &term);
    if (state->slow || term == PLUMB_NO_TERM)
        return false;
    const uint64_t mask = mask_of(p, component, term, state);
    if (!mask)
        return false;
    out->count = state->first;
    state->component = component;
    state->slow = !plumb_csp_quick_component(p->quick, component, out);
    return !state->slow && are_in(mask, out, state->first);
}

void plumb_csp_successor_pass_run(struct plumb_csp_successor_pass *p,
                                  uint64_t root, uint32_t from,
                                  struct plumb_csp_successors_found *state,
                                  struct plumb_csp_successors *out)
{
    *state = (struct plumb_csp_successors_found){ .first = out->count };
    plumb_csp_quick_state(p->quick, plumb_csp_cursor_go(p->cursor, root));
    for (uint32_t c = from; p->reducer && c < p->components; c++) {
        state->alone = prepare_alone(p, c, state, out);
        if (state->alone || state->slow || state->refused)
            break;
    }
    if (!state->alone && !state->slow && !state->refused) {
        out->count = state->first;
        state->slow = !plumb_csp_quick_all(p->quick, out);
    }
    state->refused |= state->slow && plumb_csp_quick_was_refused(p->quick);
    if (state->slow || state->refused)
        out->count = state->first;
    state->count = out->count - state->first;
}
