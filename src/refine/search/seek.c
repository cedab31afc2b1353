/* seek.c - two searches in turn.
 *
 * A place is a state, or for deadlocks a state and how it was reached
 * (examine.c).  It is *met* breadth first when an edge of a place that breadth
 * first has visited leads there, and *entered* depth first.  Whoever visits a
 * place first asks whether it is what is looked for; then it is *done*, and all
 * its edges lead to *known* places.  If all known places are done, no other can
 * be reached: the search ends, however few each of them has visited.
 *
 * What depth first finds may be far.  Breadth first then goes on for as many
 * places as were visited; and then without making a state, which shows the
 * shortest way there is in what is known. */
#include "seek.h"

#include "base/fail.h"
#include "base/vector.h"
#include "refine/properties/breadth.h"
#include <assert.h>

/* Beside PLUMB_REFINE_MET. */
enum { KNOWN = 2, ENTERED = 4, DONE = 8 };

enum { TURN = 4096 };    /* places */
enum { PORTION = 1024 }; /* of them between looks at the clock */

/* A place that is entered, and the edge to be looked at next. */
struct level {
    uint32_t place, next;
};

struct seeker {
    struct plumb_csp_graph *g;
    enum plumb_refine_question question;
    const struct plumb_refine_goal *goal;
    struct plumb_base_arena *arena;
    struct plumb_budget *budget;
    struct plumb_refine_examination *x;
    struct plumb_error *err;
    uint32_t stride; /* places of a state */
    struct plumb_refine_breadth b;
    PLUMB_VECTOR(struct level) stack;
    uint32_t known, done;
    uint32_t skipped; /* the nearest place that was met and not visited */
};

static enum plumb_status no_memory(const struct seeker *s)
{
    return plumb_base_fail_budget(s->budget, s->err);
}

/* ---- places ---- */

static uint32_t target_of(const struct seeker *s, struct plumb_csp_edge edge)
{
    return s->stride == 1 ? edge.target
                          : 2 * edge.target + (edge.event == PLUMB_TICK);
}

static bool know(struct seeker *s, uint32_t place)
{
    if (!plumb_refine_breadth_reserve(&s->b, (size_t)place + 1))
        return false;
    s->known += !(s->b.met[place] & KNOWN);
    s->b.met[place] |= KNOWN;
    return true;
}

static bool know_all(struct seeker *s, struct plumb_csp_outgoing out)
{
    for (uint32_t i = 0; i < out.count; i++)
        if (!know(s, target_of(s, out.edge[i])))
            return false;
    return true;
}

static bool is_deadlock(const struct seeker *s, uint32_t place,
                        struct plumb_csp_outgoing out)
{
    return s->question == PLUMB_DEADLOCKFREE && !out.count && place % 2 == 0;
}

/* PLUMB_END if the goal holds there. */
static enum plumb_status ask_goal(const struct seeker *s, uint32_t place)
{
    int64_t value = 0;
    bool yes = false;
    if (s->question != PLUMB_REACHES || s->b.met[place] & DONE)
        return PLUMB_OK;
    PLUMB_TRY(s->goal->holds(s->goal->context, place, &yes, &value, s->err));
    return yes ? PLUMB_END : PLUMB_OK;
}

/* What leads out of a place; PLUMB_END if it is what is looked for. */
static enum plumb_status visit(struct seeker *s, uint32_t place,
                               struct plumb_csp_outgoing *out)
{
    PLUMB_TRY(ask_goal(s, place));
    *out = plumb_csp_graph_edges(s->g, place / s->stride, s->err);
    PLUMB_TRY(out->status);
    if (s->b.met[place] & DONE)
        return PLUMB_OK;
    if (is_deadlock(s, place, *out))
        return PLUMB_END;
    s->b.met[place] |= DONE;
    s->done++;
    return know_all(s, *out) ? PLUMB_OK : no_memory(s);
}

static bool is_closed(const struct seeker *s)
{
    return s->done == s->known;
}

/* ---- breadth first ---- */

static enum plumb_status meet_all(struct seeker *s, uint32_t place)
{
    struct plumb_csp_outgoing out;
    PLUMB_TRY(visit(s, place, &out));
    for (uint32_t i = 0; i < out.count; i++)
        if (!plumb_refine_breadth_meet(&s->b, target_of(s, out.edge[i]), place,
                                       i))
            return no_memory(s);
    return PLUMB_OK;
}

/* What is known of the places after the next may be far apart in memory: the
 * processor fetches it meanwhile. */
static void look_ahead(const struct seeker *s)
{
    enum { FAR = 16, NEAR = 8 };
    const struct plumb_refine_breadth *const b = &s->b;
    if (b->head + FAR >= b->count)
        return;
    plumb_csp_graph_fetch(s->g, b->queue[b->head + FAR] / s->stride);
    plumb_csp_graph_fetch_edges(s->g, b->queue[b->head + NEAR] / s->stride);
}

/* PLUMB_END if the place at the head of the queue is it. */
static enum plumb_status go_broad(struct seeker *s, uint64_t most)
{
    struct plumb_refine_breadth *const b = &s->b;
    for (; most && b->head < b->count && !is_closed(s); most--) {
        look_ahead(s);
        s->x->visited_broad++;
        PLUMB_TRY(meet_all(s, b->queue[b->head]));
        b->head++;
    }
    return PLUMB_OK;
}

/* The way to the place at the head of the queue. */
static enum plumb_status show_met(struct seeker *s)
{
    struct plumb_refine_examination *const x = s->x;
    const uint32_t place = s->b.queue[s->b.head];
    uint32_t length;
    const struct plumb_refine_hop *const path =
        plumb_refine_breadth_way(&s->b, place, s->stride, s->arena, &length);
    if (!path)
        return no_memory(s);
    x->path = path;
    x->length = x->cycle = length;
    x->final = place / s->stride;
    return PLUMB_END;
}

/* ---- depth first ---- */

/* PLUMB_END if it is what is looked for; then it is on top. */
static enum plumb_status enter(struct seeker *s, uint32_t place)
{
    struct plumb_csp_outgoing out;
    if (!PLUMB_PUSH(s->budget, &s->stack, (struct level){ place, 0 }))
        return no_memory(s);
    s->b.met[place] |= ENTERED;
    s->x->visited_deep++;
    return visit(s, place, &out);
}

/* The next place that the one on top leads to; or it is done with. */
static enum plumb_status step_down(struct seeker *s, bool *entered)
{
    struct level *const top = &s->stack.at[s->stack.count - 1];
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(s->g, top->place / s->stride, s->err);
    PLUMB_TRY(out.status);
    while (top->next < out.count) {
        const uint32_t to = target_of(s, out.edge[top->next++]);
        *entered = !(s->b.met[to] & ENTERED);
        if (*entered)
            return enter(s, to);
    }
    s->stack.count--;
    return PLUMB_OK;
}

static enum plumb_status go_deep(struct seeker *s, uint64_t most)
{
    bool entered = !(s->b.met[0] & ENTERED);
    if (entered)
        PLUMB_TRY(enter(s, 0));
    while (most && s->stack.count && !is_closed(s)) {
        entered = false;
        PLUMB_TRY(step_down(s, &entered));
        most -= entered;
    }
    return PLUMB_OK;
}

/* The way to the place on top. */
static enum plumb_status show_entered(struct seeker *s)
{
    struct plumb_refine_examination *const x = s->x;
    const size_t hops = s->stack.count - 1;
    struct plumb_refine_hop *const path =
        plumb_base_arena_alloc(s->arena, (hops + 1) * sizeof *path);
    if (!path)
        return no_memory(s);
    for (size_t i = 0; i < hops; i++)
        path[i] = (struct plumb_refine_hop){ s->stack.at[i].place / s->stride,
                                             s->stack.at[i].next - 1 };
    x->path = path;
    x->length = x->cycle = (uint32_t)hops;
    x->final = s->stack.at[hops].place / s->stride;
    return PLUMB_END;
}

/* ---- making it shorter ---- */

/* Breadth first where the states are made already. */
static enum plumb_status go_where_known(struct seeker *s)
{
    struct plumb_refine_breadth *const b = &s->b;
    for (; b->head < b->count; b->head++) {
        const uint32_t place = b->queue[b->head];
        if (b->head % PORTION == 0 && plumb_base_budget_is_tight(s->budget))
            return PLUMB_OK;
        if (plumb_csp_graph_is_made(s->g, place / s->stride)) {
            PLUMB_TRY(meet_all(s, place));
            continue;
        }
        PLUMB_TRY(ask_goal(s, place));
        if (s->skipped == PLUMB_NOWHERE)
            s->skipped = place;
    }
    return PLUMB_OK;
}

/* Nothing shorter leads through a place that was skipped: all of them are as
 * far as the nearest, and a goal was not there. */
static bool is_shortest(const struct seeker *s)
{
    if (s->skipped == PLUMB_NOWHERE)
        return true;
    const uint32_t far = plumb_refine_breadth_distance(&s->b, s->skipped);
    return s->x->length <= far + (s->question == PLUMB_REACHES);
}

/* What is refused on the way there leaves the way that is known. */
static bool ends_all(enum plumb_status status)
{
    return status == PLUMB_ETIME || status == PLUMB_ESTOP ||
           status == PLUMB_EBUG;
}

static enum plumb_status search_on(struct seeker *s, bool breadth)
{
    uint64_t left =
        breadth ? s->x->visited_broad + s->x->visited_deep : (uint64_t)0;
    enum plumb_status status = PLUMB_OK;
    while (status == PLUMB_OK && left && s->b.head < s->b.count &&
           !plumb_base_budget_is_tight(s->budget)) {
        const uint64_t most = left < PORTION ? left : PORTION;
        status = go_broad(s, most);
        left -= most;
    }
    return status;
}

static enum plumb_status shorten(struct seeker *s, bool breadth)
{
    PLUMB_TRY(show_entered(s) == PLUMB_END ? PLUMB_OK : PLUMB_EMEMORY);
    PLUMB_VECTOR_RELEASE(s->budget, &s->stack);
    enum plumb_status status = search_on(s, breadth);
    if (status != PLUMB_END && !ends_all(status))
        status = go_where_known(s);
    if (status == PLUMB_END)
        status = show_met(s);
    if (ends_all(status))
        return status;
    s->x->shortest = status == PLUMB_END && is_shortest(s);
    return PLUMB_END;
}

/* ---- in turn ---- */

/* What stops depth first far away need not be near. */
static bool goes_on(struct seeker *s, enum plumb_status *status, bool breadth)
{
    if (*status != PLUMB_EINPUT || !breadth)
        return *status == PLUMB_OK;
    PLUMB_VECTOR_RELEASE(s->budget, &s->stack);
    *status = PLUMB_OK;
    return false;
}

static bool has_seen_all(const struct seeker *s, bool breadth, bool depth)
{
    return is_closed(s) || (breadth && s->b.head == s->b.count) ||
           (depth && !s->stack.count);
}

static enum plumb_status search(struct seeker *s,
                                const struct plumb_refine_seeking *how)
{
    const bool breadth = how->how != PLUMB_SEARCH_DEPTH;
    const uint32_t turn = how->turn ? how->turn : TURN;
    bool depth = how->how != PLUMB_SEARCH_BREADTH;
    enum plumb_status status = PLUMB_OK;
    for (;;) {
        if (breadth)
            status = go_broad(s, depth ? turn : UINT64_MAX);
        if (status == PLUMB_END) {
            s->x->shortest = true;
            return show_met(s);
        }
        if (status != PLUMB_OK || has_seen_all(s, breadth, false))
            return status;
        if (!depth)
            continue;
        status = go_deep(s, breadth ? turn : UINT64_MAX);
        if (status == PLUMB_END)
            return shorten(s, breadth);
        depth = goes_on(s, &status, breadth);
        if (status != PLUMB_OK || has_seen_all(s, breadth, depth))
            return status;
    }
}

/* ---- the interface ---- */

static void release(struct seeker *s)
{
    plumb_refine_breadth_release(&s->b);
    PLUMB_VECTOR_RELEASE(s->budget, &s->stack);
}

enum plumb_status plumb_refine_seek(struct plumb_csp_graph *g,
                                    enum plumb_refine_question question,
                                    const struct plumb_refine_goal *goal,
                                    const struct plumb_refine_seeking *how,
                                    struct plumb_base_arena *arena,
                                    struct plumb_refine_examination *x,
                                    struct plumb_error *err)
{
    struct seeker s = { .g = g,
                        .question = question,
                        .goal = goal,
                        .arena = arena,
                        .budget = arena->budget,
                        .x = x,
                        .err = err,
                        .stride = question == PLUMB_DEADLOCKFREE ? 2 : 1,
                        .b = { .budget = arena->budget },
                        .skipped = PLUMB_NOWHERE };
    assert(question == PLUMB_DEADLOCKFREE ||
           (question == PLUMB_REACHES && goal && !goal->optimise));
    *x = (struct plumb_refine_examination){ .holds = false };
    enum plumb_status status =
        plumb_refine_breadth_meet(&s.b, 0, PLUMB_NOWHERE, 0) && know(&s, 0)
            ? search(&s, how)
            : no_memory(&s);
    x->states = plumb_csp_graph_states(g);
    x->transitions = plumb_csp_graph_edge_count(g);
    release(&s);
    if (status != PLUMB_OK && status != PLUMB_END)
        return status;
    x->holds = (status == PLUMB_END) == (question == PLUMB_REACHES);
    return PLUMB_OK;
}
