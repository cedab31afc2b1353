/* call_places.c - the places of a graph: states with the operations open there.
 */
#include "call_places.h"

#include "base/fail.h"
#include "base/pace.h"
#include "refine/properties/breadth.h"

/* The list, with who waits by it; PLUMB_ABSENT when memory is refused. */
static uint32_t number_open(struct plumb_refine_call_places *p,
                            const uint32_t *open)
{
    uint64_t waiting = 0;
    const uint32_t number =
        plumb_base_lists_put(&p->open, open, p->labels->clients);
    if (number == PLUMB_ABSENT || number < p->waiting.count)
        return number;
    for (uint32_t i = 0; i < p->labels->clients; i++)
        waiting |= (uint64_t)(open[i] != 0) << i;
    return PLUMB_PUSH(p->budget, &p->waiting, waiting) ? number : PLUMB_ABSENT;
}

/* ---- edges ---- */

/* Which operations are open after `call`, in `*open`. */
static enum plumb_status take_call(struct plumb_refine_call_places *p,
                                   uint32_t event,
                                   const struct plumb_refine_call *call,
                                   uint32_t *open, struct plumb_error *err)
{
    uint32_t after[PLUMB_MOST_CLIENTS];
    size_t clients;
    const uint32_t *const before =
        plumb_base_lists_get(&p->open, *open, &clients);
    const bool calls = call->kind == PLUMB_CALL;
    const uint32_t own = call->operation + 1, now = before[call->client];
    if (now != (calls ? 0 : own))
        return p->labels->misuse(p->labels->context, event, call, now, err);
    memcpy(after, before, clients * sizeof *after);
    after[call->client] = calls ? own : 0;
    *open = number_open(p, after);
    return *open == PLUMB_ABSENT ? plumb_base_fail_memory(err) : PLUMB_OK;
}

static enum plumb_status add_edge(struct plumb_refine_call_places *p,
                                  struct plumb_base_pair to, uint64_t processes,
                                  bool response, bool atomic,
                                  struct plumb_error *err)
{
    enum { MOST_SETS = 1 << 30 };
    const struct plumb_base_pair halves = { (uint32_t)(processes >> 32),
                                            (uint32_t)processes };
    const uint32_t actors = plumb_base_pairs_number(&p->actors, halves);
    const uint32_t target = plumb_base_pairs_number(&p->place, to);
    if (actors >= MOST_SETS || target == UINT32_MAX)
        return plumb_base_fail_memory(err);
    const struct plumb_refine_place_edge edge = { target, response, atomic,
                                                  actors % MOST_SETS };
    return PLUMB_PUSH(p->budget, &p->edge, edge) ? PLUMB_OK
                                                 : plumb_base_fail_memory(err);
}

static enum plumb_status follow(struct plumb_refine_call_places *p,
                                struct plumb_base_pair from, uint32_t index,
                                struct plumb_csp_edge edge,
                                struct plumb_error *err)
{
    const struct plumb_refine_progress_labels *const l = p->labels;
    struct plumb_base_pair to = { edge.target, from.right };
    struct plumb_refine_call call;
    uint64_t processes = 0;
    bool atomic = false;
    PLUMB_TRY(l->call(l->context, edge.event, &call, err));
    PLUMB_TRY(
        l->actors(l->context, from.left, index, &processes, &atomic, err));
    if (!processes)
        processes = UINT64_MAX;
    if (call.kind != PLUMB_NO_CALL) {
        PLUMB_TRY(take_call(p, edge.event, &call, &to.right, err));
        p->callers[call.client] |= processes;
        p->called |= (uint64_t)1 << call.client;
    }
    return add_edge(p, to, processes, call.kind == PLUMB_RESPONSE, atomic, err);
}

static enum plumb_status expand(struct plumb_refine_call_places *p,
                                uint32_t place, struct plumb_error *err)
{
    const struct plumb_base_pair from = plumb_base_pairs_at(&p->place, place);
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(p->g, from.left, err);
    PLUMB_TRY(out.status);
    for (uint32_t i = 0; i < out.count; i++) {
        p->wrong_place = place;
        p->wrong_edge = i;
        PLUMB_TRY(follow(p, from, i, out.edge[i], err));
    }
    return PLUMB_PUSH(p->budget, &p->first, p->edge.count)
               ? PLUMB_OK
               : plumb_base_fail_memory(err);
}

/* ---- whose process is whose ---- */

/* A process that takes part in the calls of several clients is nobody's. */
static void find_own_processes(struct plumb_refine_call_places *p)
{
    const uint32_t clients = p->labels->clients;
    for (uint32_t i = 0; i < clients; i++) {
        uint64_t others = 0;
        for (uint32_t k = 0; k < clients; k++)
            others |= k == i ? 0 : p->callers[k];
        p->own[i] = p->callers[i] & ~others;
    }
    for (uint32_t i = 0; i < clients; i++)
        for (uint32_t k = 0; k < clients; k++)
            p->foreign[i] |= k == i ? 0 : p->own[k];
}

static enum plumb_status find_steppers(struct plumb_refine_call_places *p,
                                       struct plumb_error *err)
{
    for (size_t n = 0; n < p->waiting.count; n++) {
        uint64_t processes = 0;
        for (uint32_t i = 0; i < p->labels->clients; i++)
            processes |= p->waiting.at[n] >> i & 1 ? p->own[i] : 0;
        if (!PLUMB_PUSH(p->budget, &p->stepping, processes))
            return plumb_base_fail_memory(err);
    }
    return PLUMB_OK;
}

/* ---- all ---- */

static enum plumb_status gather(struct plumb_refine_call_places *p,
                                struct plumb_error *err)
{
    const uint32_t none[PLUMB_MOST_CLIENTS] = { 0 };
    const struct plumb_base_pair begin = { 0, number_open(p, none) };
    if (begin.right == PLUMB_ABSENT ||
        plumb_base_pairs_number(&p->place, begin) == UINT32_MAX ||
        !PLUMB_PUSH(p->budget, &p->first, 0))
        return plumb_base_fail_memory(err);
    for (uint32_t place = 0; place < p->place.count; place++) {
        if (!plumb_base_in_time(p->budget, place))
            return plumb_base_fail_budget(p->budget, err);
        PLUMB_TRY(expand(p, place, err));
    }
    return PLUMB_OK;
}

enum plumb_status plumb_refine_call_places_open(
    struct plumb_refine_call_places *p, struct plumb_csp_graph *g,
    const struct plumb_refine_progress_labels *labels,
    struct plumb_budget *budget, struct plumb_error *err)
{
    assert(labels->clients >= 1 && labels->clients <= PLUMB_MOST_CLIENTS);
    *p = (struct plumb_refine_call_places){ .g = g,
                                            .labels = labels,
                                            .budget = budget };
    plumb_base_pairs_init(&p->place, budget);
    plumb_base_lists_init(&p->open, budget);
    plumb_base_pairs_init(&p->actors, budget);
    PLUMB_TRY(gather(p, err));
    find_own_processes(p);
    return find_steppers(p, err);
}

void plumb_refine_call_places_release(struct plumb_refine_call_places *p)
{
    plumb_base_pairs_release(&p->place);
    plumb_base_lists_release(&p->open);
    plumb_base_pairs_release(&p->actors);
    PLUMB_VECTOR_RELEASE(p->budget, &p->first);
    PLUMB_VECTOR_RELEASE(p->budget, &p->edge);
    PLUMB_VECTOR_RELEASE(p->budget, &p->waiting);
    PLUMB_VECTOR_RELEASE(p->budget, &p->stepping);
}

/* ---- ways ---- */

/* Until `goal` is met: edges of the last place may be missing. */
static bool search(const struct plumb_refine_call_places *p,
                   struct plumb_refine_breadth *b, uint32_t goal)
{
    bool good = plumb_refine_breadth_meet(b, 0, PLUMB_NOWHERE, 0);
    while (good && (goal >= b->places || !b->met[goal])) {
        assert(b->head < b->count);
        const uint32_t place = b->queue[b->head++];
        const uint64_t first = p->first.at[place];
        good = plumb_base_in_time(p->budget, b->head);
        for (uint64_t e = first; good && e < p->first.at[place + 1]; e++)
            good = plumb_refine_breadth_meet(b, p->edge.at[e].target, place,
                                             (uint32_t)(e - first));
    }
    return good;
}

struct plumb_refine_hop *plumb_refine_call_places_way(
    const struct plumb_refine_call_places *p, uint32_t place,
    struct plumb_base_arena *arena, uint32_t *length)
{
    struct plumb_refine_breadth b = { .budget = p->budget };
    struct plumb_refine_hop *way = NULL;
    if (search(p, &b, place))
        way = plumb_refine_breadth_way(&b, place, 1, arena, length);
    for (uint32_t i = 0; way && i < *length; i++)
        way[i].state = plumb_base_pairs_at(&p->place, way[i].state).left;
    plumb_refine_breadth_release(&b);
    return way;
}
