/* participants.c - see participants.h. */
#include "participants.h"

uint64_t plumb_csp_participants_bit(struct plumb_csp_participants *who,
                                    uint32_t place, uint32_t copy)
{
    uint32_t i = 0;
    while (i < who->count &&
           (who->known[i].place != place || who->known[i].copy != copy))
        i++;
    if (i == PLUMB_MOST_PARTICIPANTS) {
        who->too_many = true;
        i--;
    } else if (i == who->count) {
        who->known[who->count++] =
            (struct plumb_csp_participant){ place, copy };
    }
    who->copies |= copy != PLUMB_NO_TERM;
    return (uint64_t)1 << i;
}

void plumb_csp_participants_mark(struct plumb_csp_steps *steps, uint32_t from,
                                 uint64_t bit)
{
    for (uint32_t k = from; k < steps->count; k++)
        steps->step[k].processes = bit;
}

/* ---- compositions ---- */

uint32_t plumb_csp_participants_settled_test(const struct plumb_csp_terms *t,
                                             uint32_t term)
{
    const struct plumb_csp_term_node *const n = &t->node[term];
    int32_t holds;
    if ((n->operation != PLUMB_TERM_GUARD && n->operation != PLUMB_TERM_IFA) ||
        !plumb_csp_formula_is_constant(t->world->formulas, n->operand[0],
                                       &holds))
        return PLUMB_NO_TERM;
    if (n->operation == PLUMB_TERM_IFA)
        return n->operand[holds ? 1 : 2];
    return holds ? n->operand[1] : PLUMB_NO_TERM;
}

static bool is_several(const struct plumb_csp_term_node *n)
{
    return n->operation == PLUMB_TERM_SYNCHRONY ||
           (n->operation == PLUMB_TERM_INTERLEAVE && n->count > 1);
}

/* What decides whether it is a composition; PLUMB_NO_TERM on an error.  What
 * has no end is an error elsewhere, when it is to take a step. */
static uint32_t look_through(struct plumb_csp_terms *t, uint32_t term,
                             struct plumb_error *err)
{
    uint32_t next = term;
    for (uint32_t i = 0; next != PLUMB_NO_TERM && i < PLUMB_DEEPEST; i++) {
        term = plumb_csp_term_acting(t, next, err);
        if (term == PLUMB_NO_TERM)
            return term;
        next = t->node[term].operation == PLUMB_TERM_HIDE
                   ? t->node[term].operand[0]
                   : plumb_csp_participants_settled_test(t, term);
    }
    return term;
}

bool plumb_csp_participants_are_in(struct plumb_csp_terms *t, uint32_t term,
                                   bool *failed, struct plumb_error *err)
{
    term = look_through(t, term, err);
    *failed = term == PLUMB_NO_TERM;
    return term != PLUMB_NO_TERM &&
           (is_several(&t->node[term]) ||
            t->node[term].operation == PLUMB_TERM_MULTISET);
}

static uint32_t sum_of_places(struct plumb_csp_terms *t, uint32_t several,
                              struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[several];
    const uint32_t operands = plumb_csp_term_children(&n).count;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < operands; i++) {
        const uint32_t here =
            plumb_csp_participants_places(t, n.operand[i], err);
        if (!here)
            return 0;
        sum += here;
    }
    return sum;
}

uint32_t plumb_csp_participants_places(struct plumb_csp_terms *t, uint32_t term,
                                       struct plumb_error *err)
{
    if (!plumb_csp_term_enter(t, term, err))
        return 0;
    const uint32_t seen = look_through(t, term, err);
    uint32_t places = seen != PLUMB_NO_TERM;
    if (places && is_several(&t->node[seen]))
        places = sum_of_places(t, seen, err);
    plumb_csp_term_leave(t);
    return places;
}

/* ---- operands ---- */

enum plumb_status plumb_csp_participant_go(struct plumb_csp_stepping *g,
                                           uint32_t term, uint32_t place)
{
    struct plumb_csp_stepping own = *g;
    const uint32_t from = g->steps->count;
    bool failed;
    own.place = place;
    if (plumb_csp_participants_are_in(g->t, term, &failed, g->err))
        return plumb_csp_term_go(&own, term);
    if (failed)
        return g->err->status;
    own.who = NULL;
    const enum plumb_status status = plumb_csp_term_go(&own, term);
    plumb_csp_participants_mark(
        g->steps, from,
        plumb_csp_participants_bit(g->who, place, PLUMB_NO_TERM));
    return status;
}

uint32_t plumb_csp_participant_put(struct plumb_csp_terms *t, uint32_t before,
                                   uint32_t after, struct plumb_error *err)
{
    bool failed;
    if (!plumb_csp_participants_are_in(t, after, &failed, err) ||
        plumb_csp_participants_are_in(t, before, &failed, err) || failed)
        return failed ? PLUMB_NO_TERM : after;
    t->split = true;
    const uint32_t one =
        plumb_csp_term_make(t, PLUMB_TERM_INTERLEAVE, &after, 1, NULL, err);
    if (one != PLUMB_NO_TERM)
        t->node[one].normal = one;
    return one;
}
