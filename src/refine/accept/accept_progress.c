/* accept_progress.c - is an operation left open for ever, or none?
 *
 * All places are gathered once more: the list that the search hands over has
 * to begin with the initial one, each other one has to be where a step of an
 * earlier one leads, and no step may leave the list.  So the calls and responses
 * that are met on the way are all there are, and say whose process is whose.
 *
 * That nothing is repeated for ever is seen from the ranks: steps that must end
 * lead downwards, and the others of the same kind of run not upwards. */
#include "accept.h"

#include "base/fail.h"
#include "base/pace.h"
#include "base/vector.h"

enum { VIEWS = PLUMB_VIEW_PREEMPTED + 1 };

/* A step from a place. */
struct step {
    uint32_t target; /* a place */
    uint64_t processes;
    bool response, atomic;
};

struct check {
    struct plumb_csp_graph *g;
    const struct plumb_refine_progress_labels *labels;
    enum plumb_refine_progress_kind kind;
    const struct plumb_refine_progress *claim;
    struct plumb_budget *budget;
    struct plumb_error *err;
    bool *led; /* of each place: a step leads there, or it is the first */
    uint64_t callers[PLUMB_MOST_CLIENTS];
    const uint32_t *rank[VIEWS][PLUMB_MOST_CLIENTS];
    PLUMB_VECTOR(struct step) scratch; /* the steps of a place */
    bool rejected;
};

static const uint32_t *open_at(const struct check *c, uint32_t place)
{
    size_t clients;
    return plumb_base_lists_get(
        c->claim->places.open,
        plumb_base_pairs_at(c->claim->places.place, place).right, &clients);
}

static bool waits(const struct check *c, uint32_t place, uint32_t client)
{
    return open_at(c, place)[client] != 0;
}

static bool steps(const struct check *c, const struct step *s, uint32_t client)
{
    return s->processes & c->claim->own[client];
}

static bool steps_alone(const struct check *c, const struct step *s,
                        uint32_t client)
{
    bool alone = steps(c, s, client);
    for (uint32_t i = 0; alone && i < c->labels->clients; i++)
        alone = i == client || !steps(c, s, i);
    return alone;
}

/* ---- steps ---- */

/* What is open after an event, as the list of places has it. */
static enum plumb_status say_call(struct check *c, uint32_t event,
                                  uint64_t processes, uint32_t *open,
                                  bool *response)
{
    struct plumb_refine_call call;
    PLUMB_TRY(c->labels->call(c->labels->context, event, &call, c->err));
    *response = call.kind == PLUMB_RESPONSE;
    if (call.kind == PLUMB_NO_CALL)
        return PLUMB_OK;
    const uint32_t before = open[call.client];
    c->rejected |=
        call.kind == PLUMB_CALL ? before != 0 : before != call.operation + 1;
    open[call.client] = call.kind == PLUMB_CALL ? call.operation + 1 : 0;
    c->callers[call.client] |= processes;
    return PLUMB_OK;
}

/* The place, if it is in the list. */
static uint32_t find_place(const struct check *c, uint32_t state,
                           const uint32_t *open)
{
    const struct plumb_refine_place_list *const l = &c->claim->places;
    const uint32_t list =
        plumb_base_lists_find(l->open, open, c->labels->clients);
    return list == PLUMB_ABSENT
               ? UINT32_MAX
               : plumb_base_pairs_find(l->place,
                                       (struct plumb_base_pair){ state, list });
}

static enum plumb_status take_step(struct check *c, uint32_t place,
                                   uint32_t index, struct plumb_csp_edge edge,
                                   struct step *s)
{
    const uint32_t state =
        plumb_base_pairs_at(c->claim->places.place, place).left;
    uint32_t open[PLUMB_MOST_CLIENTS];
    memcpy(open, open_at(c, place), c->labels->clients * sizeof *open);
    PLUMB_TRY(c->labels->actors(c->labels->context, state, index, &s->processes,
                                &s->atomic, c->err));
    if (!s->processes)
        s->processes = UINT64_MAX;
    PLUMB_TRY(say_call(c, edge.event, s->processes, open, &s->response));
    s->target = find_place(c, edge.target, open);
    c->rejected |= s->target == UINT32_MAX;
    return PLUMB_OK;
}

/* ---- ranks ---- */

/* Is the step downwards, or if it may be repeated not upwards? */
static bool goes_down(const uint32_t *rank, uint32_t place,
                      const struct step *s, bool must_end)
{
    return rank && (must_end ? rank[s->target] < rank[place]
                             : rank[s->target] <= rank[place]);
}

static bool ends_silent(const struct check *c, uint32_t place,
                        const struct step *s)
{
    bool step = false;
    for (uint32_t i = 0; i < c->labels->clients; i++)
        step |= waits(c, place, i) && steps(c, s, i);
    return s->response ||
           goes_down(c->rank[PLUMB_VIEW_SILENT][0], place, s, step);
}

static bool ends_open(const struct check *c, uint32_t place,
                      const struct step *s, uint32_t client)
{
    return !waits(c, place, client) || !waits(c, s->target, client) ||
           goes_down(c->rank[PLUMB_VIEW_OPEN][client], place, s,
                     steps(c, s, client));
}

static bool ends_alone(const struct check *c, uint32_t place,
                       const struct step *s, uint32_t client)
{
    return !waits(c, place, client) || !waits(c, s->target, client) ||
           !steps_alone(c, s, client) ||
           goes_down(c->rank[PLUMB_VIEW_ALONE][client], place, s, true);
}

static bool ends(const struct check *c, uint32_t place, const struct step *s)
{
    bool good = true;
    if (c->kind == PLUMB_LOCKFREE)
        return ends_silent(c, place, s);
    for (uint32_t i = 0; good && i < c->labels->clients; i++)
        good = c->kind == PLUMB_WAITFREE ? ends_open(c, place, s, i)
                                         : ends_alone(c, place, s, i);
    return good;
}

/* Those who wait and take no step: other's atomic steps go first, or they are
 * blocked. */
static bool ends_waiting(const struct check *c, uint32_t place,
                         const struct step *step, uint32_t count,
                         uint64_t stuck)
{
    bool good = !stuck || (count && step[0].atomic);
    for (; good && stuck; stuck &= stuck - 1) {
        const uint32_t client = (uint32_t)__builtin_ctzll(stuck);
        const uint32_t *const rank = c->rank[PLUMB_VIEW_PREEMPTED][client];
        for (uint32_t i = 0; good && i < count; i++)
            good = goes_down(rank, place, step + i, true);
    }
    return good;
}

/* ---- all places ---- */

static uint64_t stuck_clients(const struct check *c, uint32_t place,
                              const struct step *step, uint32_t count)
{
    uint64_t stuck = 0;
    for (uint32_t i = 0; i < c->labels->clients; i++) {
        bool moves = false;
        for (uint32_t k = 0; k < count && !moves; k++)
            moves = steps_alone(c, step + k, i);
        if (waits(c, place, i) && !moves)
            stuck |= (uint64_t)1 << i;
    }
    return stuck;
}

/* The steps of a place, in the scratch memory; their number in `*count`. */
static enum plumb_status take_steps(struct check *c, uint32_t place,
                                    uint32_t *count)
{
    const struct plumb_csp_outgoing out = plumb_csp_graph_edges(
        c->g, plumb_base_pairs_at(c->claim->places.place, place).left, c->err);
    PLUMB_TRY(out.status);
    *count = out.count;
    c->scratch.count = 0;
    for (uint32_t i = 0; i < out.count && !c->rejected; i++) {
        struct step s = { .target = UINT32_MAX };
        PLUMB_TRY(take_step(c, place, i, out.edge[i], &s));
        if (!PLUMB_PUSH(c->budget, &c->scratch, s))
            return plumb_base_fail_memory(c->err);
    }
    return PLUMB_OK;
}

static enum plumb_status check_place(struct check *c, uint32_t place)
{
    uint32_t count;
    c->rejected |= !c->led[place];
    PLUMB_TRY(take_steps(c, place, &count));
    const struct step *const step = c->scratch.at;
    for (uint32_t i = 0; i < count && !c->rejected; i++) {
        c->led[step[i].target] = true;
        c->rejected |= c->claim->holds && !ends(c, place, step + i);
    }
    if (c->claim->holds && !c->rejected)
        c->rejected = !ends_waiting(c, place, step, count,
                                    stuck_clients(c, place, step, count));
    return PLUMB_OK;
}

/* Whose processes are whose, as seen on the way. */
static bool owns(const struct check *c, uint32_t client)
{
    uint64_t own = c->callers[client];
    for (uint32_t i = 0; i < c->labels->clients; i++)
        own &= i == client ? UINT64_MAX : ~c->callers[i];
    return own == c->claim->own[client];
}

static enum plumb_status check_places(struct check *c)
{
    const struct plumb_refine_place_list *const l = &c->claim->places;
    const struct plumb_base_pair begin = plumb_base_pairs_at(l->place, 0);
    for (uint32_t i = 0; i < c->labels->clients; i++)
        c->rejected |= waits(c, 0, i);
    c->rejected |= begin.left != 0;
    c->led[0] = true;
    for (uint32_t place = 0; place < l->place->count && !c->rejected; place++) {
        if (!plumb_base_in_time(c->budget, place))
            return plumb_base_fail_budget(c->budget, c->err);
        PLUMB_TRY(check_place(c, place));
    }
    for (uint32_t i = 0; i < c->labels->clients; i++)
        c->rejected |= !owns(c, i);
    return PLUMB_OK;
}

/* ---- a way ---- */

static bool is_open(const struct check *c, uint32_t place)
{
    return open_at(c, place)[c->claim->client] == c->claim->operation + 1;
}

/* Nothing that this client can do alone; `preempted`: but others' atomic steps
 * go first. */
static bool is_stuck(const struct check *c, uint32_t place,
                     const struct step *step, uint32_t count, bool preempted)
{
    return is_open(c, place) &&
           stuck_clients(c, place, step, count) >> c->claim->client & 1 &&
           (count && step[0].atomic) == preempted;
}

/* A step of the round: is it of the kind that it has to be?  `*counts`: it must
 * not be repeated. */
static bool goes_on(const struct check *c, uint32_t place,
                    const struct step *step, uint32_t count, uint32_t index,
                    bool *counts)
{
    const uint32_t client = c->claim->client;
    const struct step *const s = step + index;
    if (c->claim->offence == PLUMB_PROGRESS_BLOCKED) {
        *counts = true;
        return is_stuck(c, place, step, count, true);
    }
    *counts |= is_open(c, place) && steps(c, s, client);
    if (c->kind == PLUMB_LOCKFREE)
        return !s->response;
    return is_open(c, place) && is_open(c, s->target) &&
           (c->kind == PLUMB_WAITFREE || steps_alone(c, s, client));
}

/* Along the path to its end; `*counts` and `*back`, the place where it begins
 * to go round, are for that. */
static enum plumb_status walk(struct check *c, uint32_t *at, uint32_t *back,
                              bool *counts)
{
    const struct plumb_refine_progress *const x = c->claim;
    for (uint32_t i = 0; i < x->length && !c->rejected; i++) {
        uint32_t count;
        if (!plumb_base_in_time(c->budget, i))
            return plumb_base_fail_budget(c->budget, c->err);
        if (i == x->cycle)
            *back = *at;
        PLUMB_TRY(take_steps(c, *at, &count));
        c->rejected |= x->path[i].state !=
                           plumb_base_pairs_at(x->places.place, *at).left ||
                       x->path[i].index >= count;
        if (c->rejected)
            break;
        c->rejected |= i >= x->cycle && !goes_on(c, *at, c->scratch.at, count,
                                                 x->path[i].index, counts);
        *at = c->scratch.at[x->path[i].index].target;
    }
    return PLUMB_OK;
}

static enum plumb_status check_way(struct check *c)
{
    const struct plumb_refine_progress *const x = c->claim;
    uint32_t at = 0, back = UINT32_MAX, count;
    bool counts = false;
    c->rejected |= x->cycle > x->length || x->client >= c->labels->clients;
    if (c->rejected)
        return PLUMB_OK;
    PLUMB_TRY(walk(c, &at, &back, &counts));
    if (c->rejected)
        return PLUMB_OK;
    if (x->cycle < x->length) {
        c->rejected = at != back || !counts;
        return PLUMB_OK;
    }
    PLUMB_TRY(take_steps(c, at, &count));
    c->rejected |= x->offence != PLUMB_PROGRESS_BLOCKED ||
                   !is_stuck(c, at, c->scratch.at, count, false);
    return PLUMB_OK;
}

/* ---- the interface ---- */

static void sort_ranks(struct check *c)
{
    for (uint32_t i = 0; i < c->claim->rankings; i++) {
        const struct plumb_refine_progress_ranks *const r = c->claim->ranks + i;
        c->rank[r->view][r->client] = r->rank;
    }
}

enum plumb_status plumb_refine_accept_progress(
    struct plumb_csp_graph *g,
    const struct plumb_refine_progress_labels *labels,
    enum plumb_refine_progress_kind kind,
    const struct plumb_refine_progress *claim, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err)
{
    struct check c = { .g = g,
                       .labels = labels,
                       .kind = kind,
                       .claim = claim,
                       .budget = budget,
                       .err = err };
    const uint32_t places = claim->places.place->count;
    *yes = false;
    c.led = plumb_base_alloc_zeroed(budget, (size_t)places + 1);
    if (!c.led)
        return plumb_base_fail_memory(err);
    sort_ranks(&c);
    enum plumb_status status = check_places(&c);
    if (status == PLUMB_OK && !claim->holds && !c.rejected)
        status = check_way(&c);
    *yes = status == PLUMB_OK && !c.rejected;
    PLUMB_VECTOR_RELEASE(budget, &c.scratch);
    plumb_base_release(budget, c.led, (size_t)places + 1);
    return status;
}
