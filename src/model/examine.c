/* examine.c - one graph, breadth first.
 *
 * A deadlock is a state without edges that something other than termination
 * leads to.  The same state may be the end of one run and the deadlock of
 * another, so for that question a state that a PLUMB_TICK leads to is a place
 * of its own: places are states, or pairs of a state and how it was reached.
 *
 * A cycle of taus is looked for when all states are known: Tarjan's algorithm
 * over taus alone, with its stack in memory; of the states on cycles the one
 * that is nearest is taken, and from there the shortest way round. */
#include "model/examine.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* The edge by which a place was met first. */
struct origin {
    uint32_t place, index;
};

struct examiner {
    struct plumb_graph *g;
    struct plumb_budget *budget;
    struct plumb_examination *x;
    struct plumb_error *err;
    bool by_tick; /* places are pairs */
    bool *met;
    struct origin *from;
    uint32_t *queue; /* all places that were met, nearest first */
    size_t met_room, from_room, queue_room, met_size;
    size_t head, count;
    /* Of determinism: the state that had an edge with this event last, and
     * that edge. */
    uint32_t *user, *first;
    size_t user_room, first_room, events;
};

static uint32_t state_of(const struct examiner *e, uint32_t place)
{
    return e->by_tick ? place / 2 : place;
}

/* ---- the search ---- */

static bool make_room(struct examiner *e, size_t places)
{
    if (places <= e->met_size)
        return true;
    if (!plumb_grow(e->budget, (void **)&e->met, &e->met_room, places,
                    sizeof *e->met) ||
        !plumb_grow(e->budget, (void **)&e->from, &e->from_room, places,
                    sizeof *e->from) ||
        !plumb_grow(e->budget, (void **)&e->queue, &e->queue_room, places,
                    sizeof *e->queue))
        return false;
    memset(e->met + e->met_size, 0, e->met_room - e->met_size);
    e->met_size = e->met_room;
    if (e->from_room < e->met_size)
        e->met_size = e->from_room;
    if (e->queue_room < e->met_size)
        e->met_size = e->queue_room;
    return true;
}

static bool meet(struct examiner *e, uint32_t place, uint32_t from,
                 uint32_t index)
{
    if (!make_room(e, (size_t)place + 1))
        return false;
    if (e->met[place])
        return true;
    e->met[place] = true;
    e->from[place] = (struct origin){ from, index };
    e->queue[e->count++] = place;
    return true;
}

static enum plumb_status meet_all(struct examiner *e, uint32_t place,
                                  const struct plumb_edge *edge, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = edge[i].target;
        if (e->by_tick)
            to = 2 * to + (edge[i].event == PLUMB_TICK);
        if (!meet(e, to, place, i))
            return plumb_fail_memory(e->err);
    }
    e->x->transitions += count;
    return PLUMB_OK;
}

/* ---- the way there ---- */

static uint32_t distance(const struct examiner *e, uint32_t place)
{
    uint32_t n = 0;
    for (; e->from[place].place != NOWHERE; place = e->from[place].place)
        n++;
    return n;
}

/* The way to `place`, with room for `more` hops after it. */
static struct plumb_hop *way_to(struct examiner *e, uint32_t place,
                                uint32_t more, struct plumb_arena *arena)
{
    const uint32_t length = distance(e, place);
    struct plumb_hop *const path =
        plumb_arena_alloc(arena, ((size_t)length + more + 1) * sizeof *path);
    if (!path)
        return NULL;
    e->x->final = state_of(e, place);
    e->x->path = path;
    e->x->length = e->x->cycle = length;
    for (uint32_t i = length; i > 0; place = e->from[place].place)
        path[--i] = (struct plumb_hop){ state_of(e, e->from[place].place),
                                        e->from[place].index };
    return path;
}

static enum plumb_status found(struct examiner *e, uint32_t place,
                               struct plumb_arena *arena)
{
    if (!way_to(e, place, 0, arena))
        return plumb_fail_memory(e->err);
    return PLUMB_END;
}

/* ---- determinism ---- */

static bool know_event(struct examiner *e, uint32_t event)
{
    if (event < e->events)
        return true;
    if (!plumb_grow(e->budget, (void **)&e->user, &e->user_room,
                    (size_t)event + 1, sizeof *e->user) ||
        !plumb_grow(e->budget, (void **)&e->first, &e->first_room,
                    (size_t)event + 1, sizeof *e->first))
        return false;
    for (; e->events <= event; e->events++)
        e->user[e->events] = NOWHERE;
    return true;
}

/* PLUMB_END if two edges of the same event lead to different states. */
static enum plumb_status compare_edges(struct examiner *e, uint32_t state,
                                       const struct plumb_edge *edge,
                                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t event = edge[i].event;
        if (!know_event(e, event))
            return plumb_fail_memory(e->err);
        if (e->user[event] != state) {
            e->user[event] = state;
            e->first[event] = i;
        } else if (edge[e->first[event]].target != edge[i].target) {
            e->x->edge[0] = e->first[event];
            e->x->edge[1] = i;
            return PLUMB_END;
        }
    }
    return PLUMB_OK;
}

/* ---- reaching a goal ---- */

/* PLUMB_END if the search may end here. */
static enum plumb_status look_for_goal(struct examiner *e, uint32_t place,
                                       const struct plumb_goal *goal,
                                       uint32_t *best)
{
    int64_t value = 0;
    bool yes = false;
    const enum plumb_status status =
        goal->holds(goal->context, place, &yes, &value, e->err);
    if (status != PLUMB_OK || !yes)
        return status;
    if (*best != NOWHERE &&
        (goal->optimise < 0 ? value >= e->x->best : value <= e->x->best))
        return PLUMB_OK;
    *best = place;
    e->x->best = value;
    return goal->optimise ? PLUMB_OK : PLUMB_END;
}

/* ---- all states, one after the other ---- */

struct task {
    enum plumb_question question;
    const struct plumb_goal *goal;
    struct plumb_arena *arena;
    uint32_t best; /* place */
};

/* PLUMB_END if what is asked for is here. */
static enum plumb_status look(struct examiner *e, struct task *t,
                              uint32_t place, const struct plumb_edge *edge,
                              uint32_t count)
{
    switch (t->question) {
    case PLUMB_DEADLOCKFREE:
        return !count && place % 2 == 0 ? PLUMB_END : PLUMB_OK;
    case PLUMB_NONTERMINATING:
        return count ? PLUMB_OK : PLUMB_END;
    case PLUMB_DETERMINISTIC:
        return compare_edges(e, place, edge, count);
    default:
        return PLUMB_OK;
    }
}

static enum plumb_status visit(struct examiner *e, struct task *t,
                               uint32_t place)
{
    const struct plumb_edge *edge;
    enum plumb_status status;
    uint32_t count;
    if (t->question == PLUMB_REACHES) {
        status = look_for_goal(e, place, t->goal, &t->best);
        if (status != PLUMB_OK)
            return status;
    }
    status = plumb_graph_edges(e->g, state_of(e, place), &edge, &count, e->err);
    if (status == PLUMB_OK)
        status = look(e, t, place, edge, count);
    if (status != PLUMB_OK)
        return status;
    return meet_all(e, place, edge, count);
}

/* PLUMB_END if it ended at a place, to which the way is shown. */
static enum plumb_status search(struct examiner *e, struct task *t)
{
    enum plumb_status status = PLUMB_OK;
    if (!meet(e, 0, NOWHERE, 0))
        return plumb_fail_memory(e->err);
    while (e->head < e->count) {
        const uint32_t place = e->queue[e->head++];
        if (e->head % 1024 == 0 && plumb_budget_state(e->budget) != PLUMB_OK)
            return plumb_fail_budget(e->budget, e->err);
        status = visit(e, t, place);
        if (status == PLUMB_END)
            return found(e, place, t->arena);
        if (status != PLUMB_OK)
            return status;
    }
    if (t->best == NOWHERE)
        return PLUMB_OK;
    return found(e, t->best, t->arena);
}

/* ---- cycles of taus ---- */

/* Tarjan's numbers: low 0 is unvisited, DONE is in a finished component. */
#define DONE UINT32_MAX

struct frame {
    uint32_t state, index;
};

struct tarjan {
    struct examiner *e;
    uint32_t *low, *number;
    uint32_t *open; /* states of components that are not finished */
    struct frame *frame;
    bool *cyclic;
    uint32_t states, opened, frames, next;
};

static void tarjan_release(struct tarjan *t)
{
    struct plumb_budget *const b = t->e->budget;
    const size_t n = t->states;
    plumb_release(b, t->low, n * sizeof *t->low);
    plumb_release(b, t->number, n * sizeof *t->number);
    plumb_release(b, t->open, n * sizeof *t->open);
    plumb_release(b, t->frame, n * sizeof *t->frame);
    plumb_release(b, t->cyclic, n * sizeof *t->cyclic);
}

static bool tarjan_open(struct tarjan *t, struct examiner *e)
{
    struct plumb_budget *const b = e->budget;
    const size_t n = plumb_graph_states(e->g);
    *t = (struct tarjan){ .e = e, .states = (uint32_t)n };
    t->low = plumb_alloc_zeroed(b, n * sizeof *t->low);
    t->number = plumb_alloc(b, n * sizeof *t->number);
    t->open = plumb_alloc(b, n * sizeof *t->open);
    t->frame = plumb_alloc(b, n * sizeof *t->frame);
    t->cyclic = plumb_alloc_zeroed(b, n * sizeof *t->cyclic);
    return t->low && t->number && t->open && t->frame && t->cyclic;
}

static void enter(struct tarjan *t, uint32_t state)
{
    t->low[state] = t->number[state] = ++t->next;
    t->open[t->opened++] = state;
    t->frame[t->frames++] = (struct frame){ state, 0 };
}

/* All edges of the top frame were seen. */
static void leave(struct tarjan *t)
{
    const uint32_t state = t->frame[--t->frames].state;
    const uint32_t low = t->low[state];
    if (t->frames) {
        const uint32_t above = t->frame[t->frames - 1].state;
        if (low < t->low[above])
            t->low[above] = low;
    }
    if (low != t->number[state])
        return;
    const bool several = t->open[t->opened - 1] != state;
    for (;;) {
        const uint32_t member = t->open[--t->opened];
        t->low[member] = DONE;
        t->cyclic[member] |= several;
        if (member == state)
            return;
    }
}

/* One more tau of the top frame. */
static void advance(struct tarjan *t, const struct plumb_edge *edge,
                    uint32_t count)
{
    struct frame *const top = t->frame + t->frames - 1;
    for (; top->index < count; top->index++) {
        const uint32_t to = edge[top->index].target;
        if (edge[top->index].event != PLUMB_TAU)
            continue;
        if (to == top->state)
            t->cyclic[to] = true;
        if (!t->low[to]) {
            top->index++;
            enter(t, to);
            return;
        }
        if (t->low[to] != DONE && t->number[to] < t->low[top->state])
            t->low[top->state] = t->number[to];
    }
    leave(t);
}

static enum plumb_status components(struct tarjan *t)
{
    struct examiner *const e = t->e;
    for (size_t i = 0; i < e->count; i++) {
        if (!t->low[e->queue[i]])
            enter(t, e->queue[i]);
        while (t->frames) {
            const struct plumb_edge *edge;
            uint32_t count;
            const enum plumb_status status = plumb_graph_edges(
                e->g, t->frame[t->frames - 1].state, &edge, &count, e->err);
            if (status != PLUMB_OK)
                return status;
            advance(t, edge, count);
        }
    }
    return PLUMB_OK;
}

/* Breadth first over taus from `start`, to where one leads back to it. */
static enum plumb_status shortest_round(struct examiner *e, uint32_t start,
                                        uint32_t *last, uint32_t *index)
{
    memset(e->met, 0, e->met_size);
    e->head = e->count = 0;
    (void)meet(e, start, NOWHERE, 0);
    while (e->head < e->count) {
        const uint32_t state = e->queue[e->head++];
        const struct plumb_edge *edge;
        uint32_t count;
        const enum plumb_status status =
            plumb_graph_edges(e->g, state, &edge, &count, e->err);
        if (status != PLUMB_OK)
            return status;
        for (uint32_t i = 0; i < count; i++) {
            if (edge[i].event != PLUMB_TAU)
                continue;
            if (edge[i].target == start) {
                *last = state;
                *index = i;
                return PLUMB_END;
            }
            (void)meet(e, edge[i].target, state, i);
        }
    }
    assert(!"a state on a cycle is reached from itself");
    return PLUMB_OK;
}

/* The way to `start` and round: the tree of the search is overwritten by that
 * of the round, so the first part is kept meanwhile. */
static enum plumb_status show_round(struct examiner *e, uint32_t start,
                                    struct plumb_arena *arena)
{
    struct plumb_examination *const x = e->x;
    const struct plumb_hop *stem, *round;
    struct plumb_hop *path;
    uint32_t last = 0, index = 0, stem_length;
    enum plumb_status status;
    stem = way_to(e, start, 0, arena);
    if (!stem)
        return plumb_fail_memory(e->err);
    stem_length = x->length;
    status = shortest_round(e, start, &last, &index);
    if (status != PLUMB_END)
        return status;
    round = way_to(e, last, 0, arena);
    path = plumb_arena_alloc(arena, ((size_t)stem_length + x->length + 1) *
                                        sizeof *path);
    if (!round || !path)
        return plumb_fail_memory(e->err);
    memcpy(path, stem, stem_length * sizeof *path);
    memcpy(path + stem_length, round, x->length * sizeof *path);
    path[stem_length + x->length] = (struct plumb_hop){ last, index };
    x->path = path;
    x->cycle = stem_length;
    x->length += stem_length + 1;
    x->final = start;
    return PLUMB_END;
}

static enum plumb_status look_for_cycle(struct examiner *e,
                                        struct plumb_arena *arena)
{
    struct tarjan t;
    enum plumb_status status = PLUMB_OK;
    if (!tarjan_open(&t, e))
        status = plumb_fail_memory(e->err);
    else
        status = components(&t);
    for (size_t i = 0; status == PLUMB_OK && i < e->count; i++)
        if (t.cyclic[e->queue[i]]) {
            status = show_round(e, e->queue[i], arena);
            break;
        }
    tarjan_release(&t);
    return status;
}

/* ---- the interface ---- */

static void release(struct examiner *e)
{
    struct plumb_budget *const b = e->budget;
    plumb_release(b, e->met, e->met_room * sizeof *e->met);
    plumb_release(b, e->from, e->from_room * sizeof *e->from);
    plumb_release(b, e->queue, e->queue_room * sizeof *e->queue);
    plumb_release(b, e->user, e->user_room * sizeof *e->user);
    plumb_release(b, e->first, e->first_room * sizeof *e->first);
}

static uint64_t states_met(const struct examiner *e)
{
    uint64_t twice = 0;
    for (size_t i = 0; e->by_tick && i + 1 < e->met_size; i += 2)
        twice += e->met[i] && e->met[i + 1];
    return e->count - twice;
}

enum plumb_status plumb_examine(struct plumb_graph *g,
                                enum plumb_question question,
                                const struct plumb_goal *goal,
                                struct plumb_arena *arena,
                                struct plumb_examination *x,
                                struct plumb_error *err)
{
    struct examiner e = { .g = g,
                          .budget = arena->budget,
                          .x = x,
                          .err = err,
                          .by_tick = question == PLUMB_DEADLOCKFREE };
    struct task t = {
        .question = question, .goal = goal, .arena = arena, .best = NOWHERE
    };
    enum plumb_status status;
    assert(question != PLUMB_REACHES || goal);
    *x = (struct plumb_examination){ .holds = false };
    status = search(&e, &t);
    x->states = states_met(&e);
    if (status == PLUMB_OK && question == PLUMB_DIVERGENCEFREE)
        status = look_for_cycle(&e, arena);
    release(&e);
    if (status != PLUMB_OK && status != PLUMB_END)
        return status;
    x->holds = (status == PLUMB_END) == (question == PLUMB_REACHES);
    return PLUMB_OK;
}
