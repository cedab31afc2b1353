/* exchanger.c - two operations that take effect at once swap their arguments.
 *
 * An operation takes effect in two steps.  It arrives: where an item is offered
 * it takes that and gives its own, else its own is offered.  It leaves with what
 * it got, or, if it need not wait, without an exchange and with its offer.
 *
 * A treap has what each operation under way got, as the number of a value
 * + 1.  The answer of an offer is kept as far as it is known, so that only
 * those meet that answer each other. */
#include "spec/stores/container.h"
#include "spec/stores/treap.h"

enum { EXCHANGE, TRY_EXCHANGE };
enum { LEAVE, ARRIVE }; /* how many steps are to follow */

#define NOBODY UINT32_MAX
/* What an offer is to bring: a value, or */
#define ANYTHING PLUMB_NO_VALUE
#define NOTHING  (PLUMB_NO_VALUE - 1)

struct exchanger {
    uint32_t who; /* offers, or NOBODY */
    plumb_spec_vid item, wants;
    uint32_t tree;
};

static const struct plumb_spec_opdef ops[] = {
    [EXCHANGE] = { "exchange", "v", "ok(v)", .partial = true, .key = -1,
                   .steps = ARRIVE + 1 },
    [TRY_EXCHANGE] = { "try_exchange timed_exchange visit", "v",
                       "ok(v)|timeout()", .key = -1, .steps = ARRIVE + 1 },
};

static const struct exchanger nobody_offers = { .who = NOBODY };

static bool become(struct plumb_spec_space *space, const struct exchanger *e,
                   struct plumb_spec_states *out)
{
    return plumb_spec_states_made(out,
                                  plumb_spec_space_intern(space, e, sizeof *e));
}

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    return plumb_spec_space_intern(space, &nobody_offers, sizeof nobody_offers);
}

static bool note(struct plumb_spec_space *space, struct exchanger *e,
                 uint32_t who, uint32_t got)
{
    e->tree = plumb_spec_treap_set(space->extra, e->tree, who, got);
    return e->tree != PLUMB_NO_STATE;
}

static plumb_spec_vid wanted_by(const struct plumb_spec_action *a)
{
    return a->term == PLUMB_TERM_ANY  ? ANYTHING
           : a->term == PLUMB_TERM_OK ? a->res[0]
                                      : NOTHING;
}

static bool suits(plumb_spec_vid wants, plumb_spec_vid item)
{
    return wants == ANYTHING || wants == item;
}

static bool arrive(struct plumb_spec_space *space, const struct exchanger *e,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    const plumb_spec_vid item = a->arg[0], wants = wanted_by(a);
    struct exchanger next = { .tree = e->tree };
    if (e->who == NOBODY) {
        next.who = a->thread;
        next.item = item;
        next.wants = wants;
        return become(space, &next, out);
    }
    if (!suits(wants, e->item) || !suits(e->wants, item))
        return true;
    next.who = NOBODY;
    return note(space, &next, a->thread, e->item + 1) &&
           note(space, &next, e->who, item + 1) && become(space, &next, out);
}

static bool leave(struct plumb_spec_space *space, const struct exchanger *e,
                  const struct plumb_spec_action *a,
                  struct plumb_spec_states *out)
{
    const uint32_t got = plumb_spec_treap_get(space->extra, e->tree, a->thread);
    struct exchanger next = *e;
    if (got)
        return !plumb_spec_answers_value(a, PLUMB_TERM_OK, got - 1) ||
               (note(space, &next, a->thread, 0) && become(space, &next, out));
    if (e->who != a->thread || a->kind == EXCHANGE ||
        !plumb_spec_answers(a, PLUMB_TERM_TIMEOUT))
        return true;
    next = nobody_offers;
    next.tree = e->tree;
    return become(space, &next, out);
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct exchanger e;
    memcpy(&e, space->data[s], sizeof e);
    return a->more == ARRIVE ? arrive(space, &e, a, out)
                             : leave(space, &e, a, out);
}

/* Of two that meet it is the same value: the smaller of the two items. */
static plumb_spec_vid owner(const struct plumb_spec_space *space,
                            const struct plumb_spec_action *a)
{
    if (a->term == PLUMB_TERM_ANY)
        return PLUMB_NO_VALUE;
    const plumb_spec_vid mine = a->arg[0];
    const plumb_spec_vid theirs = a->nres ? a->res[0] : mine;
    const struct plumb_value m = plumb_spec_vid_value(space, mine);
    const struct plumb_value t = plumb_spec_vid_value(space, theirs);
    return t.tag < m.tag || (t.tag == m.tag && t.bits < m.bits) ? theirs : mine;
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    struct exchanger e;
    memcpy(&e, space->data[s], sizeof e);
    if (e.who == NOBODY) {
        plumb_base_text_add(out, "nothing is offered");
        return;
    }
    plumb_spec_vid_show(space, e.item, out);
    plumb_base_text_add(out, " is offered");
}

const struct plumb_spec_type plumb_spec_type_exchanger = {
    .name = "setlin:exchanger",
    .what = "two operations swap their arguments (set-linearizability)",
    .ops = ops,
    .nops = PLUMB_COUNT_OF(ops),
    .stepwise = true,
    .open = plumb_spec_treap_open,
    .close = plumb_spec_treap_close,
    .initial = initial,
    .step = step,
    .owner = owner,
    .show = show,
};
