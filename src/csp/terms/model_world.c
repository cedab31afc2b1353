/* model_world.c - what both sides of a refinement share. */
#include "base/fail.h"
#include "csp/states/system.h"
#include "terms.h"

enum plumb_status plumb_csp_world_open(struct plumb_csp_world *w,
                                       const struct plumb_csp_model *model,
                                       enum plumb_csp_counting counting,
                                       struct plumb_budget *budget,
                                       struct plumb_error *err)
{
    *w = (struct plumb_csp_world){ .model = model,
                                   .budget = budget,
                                   .counting = counting };
    w->events = plumb_csp_event_numbers_new(model, budget);
    w->sequences = plumb_csp_sequences_new(budget);
    if (w->sequences)
        w->formulas = plumb_csp_formulas_new(model, w->sequences, budget);
    if (w->events && w->formulas)
        w->terms = plumb_csp_terms_new(w);
    if (w->terms) {
        plumb_csp_event_numbers_guard(w->events, &w->gate);
        plumb_csp_formulas_guard(w->formulas, &w->gate);
        return PLUMB_OK;
    }
    plumb_csp_world_close(w);
    return plumb_base_fail_memory(err);
}

void plumb_csp_world_close(struct plumb_csp_world *w)
{
    plumb_csp_terms_free(w->terms);
    plumb_csp_formulas_free(w->formulas);
    plumb_csp_sequences_free(w->sequences);
    plumb_csp_event_numbers_free(w->events);
    *w = (struct plumb_csp_world){ 0 };
}
