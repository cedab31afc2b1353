/* term_several.c - ||| and || inside a term: the target is the term with the
 * operands that took part replaced. */
#include "term_steps.h"

#include "joint.h"
#include "participants.h"

struct several {
    struct plumb_csp_terms *t;
    uint32_t term;
    size_t globals;
};

static uint32_t operand_of(const struct several *s, uint32_t operand)
{
    return s->t->node[s->term].operand[operand];
}

static enum plumb_status go_participant(const struct several *s,
                                        uint32_t operand,
                                        struct plumb_csp_stepping *g)
{
    uint32_t place = g->place;
    for (uint32_t i = 0; i < operand; i++) {
        const uint32_t before =
            plumb_csp_participants_places(g->t, operand_of(s, i), g->err);
        if (!before)
            return g->err->status;
        place += before;
    }
    return plumb_csp_participant_go(g, operand_of(s, operand), place);
}

/* An INTERLEAVE of one is no composition. */
static enum plumb_status go(void *context, uint32_t operand,
                            struct plumb_csp_stepping *g)
{
    const struct several *const s = context;
    if (g->who)
        return go_participant(s, operand, g);
    return plumb_csp_term_go(g, operand_of(s, operand));
}

static enum plumb_status put(const struct several *s, uint32_t into,
                             uint32_t operand, uint32_t term, uint32_t *to,
                             struct plumb_error *err)
{
    if (s->t->one_by_one)
        term =
            plumb_csp_participant_put(s->t, operand_of(s, operand), term, err);
    const uint32_t made =
        term == PLUMB_NO_TERM
            ? term
            : plumb_csp_term_replace(s->t, into, operand, term, err);
    if (made == PLUMB_NO_TERM)
        return err->status;
    to[s->globals] = made;
    s->t->node[made].normal = made;
    return PLUMB_OK;
}

static enum plumb_status place(void *context, uint32_t operand, uint32_t *to,
                               struct plumb_error *err)
{
    const struct several *const s = context;
    return put(s, s->term, operand, to[s->globals], to, err);
}

static enum plumb_status merge(void *context, uint32_t operand,
                               const uint32_t *from, uint32_t *to,
                               struct plumb_error *err)
{
    const struct several *const s = context;
    return put(s, to[s->globals], operand, from[s->globals], to, err);
}

static void finish(void *context, uint32_t *to)
{
    const struct several *const s = context;
    to[s->globals] = PLUMB_STOPPED;
}

enum plumb_status plumb_csp_several_go(struct plumb_csp_stepping *g,
                                       uint32_t term)
{
    const struct plumb_csp_term_node n = g->t->node[term];
    struct several s = { g->t, term, g->t->world->model->slots };
    const bool shares = n.operation == PLUMB_TERM_SYNCHRONY;
    const struct plumb_csp_joint j = {
        .operands = plumb_csp_term_children(&n).count,
        .alphabet = shares ? n.operand + n.count / 2 : NULL,
        .stride = s.globals + 1,
        .globals = s.globals,
        .context = &s,
        .go = go,
        .place = place,
        .merge = merge,
        .finish = finish,
    };
    return plumb_csp_joint_go(&j, g);
}
