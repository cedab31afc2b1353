/* accept_rounds.c - components of a graph, and what goes on in them.
 *
 * Who goes round for ever stays in a strongly connected *component* in the
 * end, and may as well go everywhere in it.  So a component will do if its arcs
 * together keep all that is wanted and
 *
 *   weak fairness    everybody who could take part at each of its nodes does
 *                    somewhere.  If not, nor does any part of it;
 *   strong fairness  everybody who could take part at one of its nodes does
 *                    somewhere.  If not, nodes where somebody could and never
 *                    does are left out, and the components of the rest are
 *                    looked at.
 *
 * Components by Tarjan's algorithm, in turns: each turn looks at what the one before
 * has left, and leaves less. */
#include "accept_rounds.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include <assert.h>

struct frame {
    uint32_t node;
    uint64_t next; /* arc */
};

struct search {
    const struct plumb_refine_rounds *r;
    struct plumb_budget *budget;
    /* The turn in which a node is looked at; 0: not any more.  The arrays
     * below are behind it in memory. */
    uint32_t *turn, now;
    uint32_t *index, *low; /* Tarjan's; index 0: not met in this turn */
    uint32_t *component;   /* the number of its first node, when it is known */
    uint32_t *stack;
    struct frame *frame;
    uint32_t met, waiting, depth;
    struct plumb_base_pace pace;
    bool found, left; /* a way round; nodes for the next turn */
};

/* ---- what goes on in a component ---- */

struct outline {
    bool goes_round;
    uint32_t kept;
    uint64_t acts, sometimes, always;
};

static void look_at(const struct search *s, uint32_t node, struct outline *o)
{
    const struct plumb_refine_rounds *const r = s->r;
    for (uint64_t i = r->first[node]; i < r->first[node + 1]; i++) {
        const uint32_t to = r->arc[i].target;
        if (s->turn[to] != s->now || s->component[to] != s->component[node])
            continue;
        o->goes_round = true;
        o->kept |= r->arc[i].kept;
        if (r->fairness != PLUMB_UNFAIR)
            o->acts |= r->acts[i];
    }
    if (r->fairness != PLUMB_UNFAIR) {
        o->sometimes |= r->enabled[node];
        o->always &= r->enabled[node];
    }
}

static uint64_t cost_of(const struct search *s, uint32_t node)
{
    return 2 + s->r->first[node + 1] - s->r->first[node];
}

/* The component is stack[from] .. stack[waiting - 1].  False, here and below: there
 * is no time for it. */
static bool judge_component(struct search *s, uint32_t from)
{
    const struct plumb_refine_rounds *const r = s->r;
    struct outline o = { .always = UINT64_MAX };
    uint64_t starved = 0;
    for (uint32_t i = from; i < s->waiting; i++) {
        if (!plumb_base_pace_allows(&s->pace, cost_of(s, s->stack[i])))
            return false;
        look_at(s, s->stack[i], &o);
    }
    const bool good = o.goes_round && !(r->wanted & ~o.kept);
    if (r->fairness == PLUMB_WEAK_FAIRNESS)
        starved = o.always & ~o.acts;
    else if (r->fairness == PLUMB_STRONG_FAIRNESS)
        starved = o.sometimes & ~o.acts;
    s->found |= good && !starved;
    for (uint32_t i = from; i < s->waiting; i++) {
        const uint32_t node = s->stack[i];
        const bool stays = good && r->fairness == PLUMB_STRONG_FAIRNESS &&
                           !(r->enabled[node] & starved);
        if (!plumb_base_pace_allows(&s->pace, 1))
            return false;
        s->turn[node] = stays ? s->now + 1 : 0;
        s->left |= stays;
    }
    s->waiting = from;
    return true;
}

/* ---- components ---- */

static bool enter(struct search *s, uint32_t node)
{
    assert(s->waiting < s->r->nodes && s->depth < s->r->nodes);
    s->index[node] = s->low[node] = ++s->met;
    s->component[node] = UINT32_MAX;
    s->stack[s->waiting++] = node;
    s->frame[s->depth++] = (struct frame){ node, s->r->first[node] };
    return plumb_base_pace_allows(&s->pace, cost_of(s, node));
}

static bool leave(struct search *s, uint32_t node)
{
    assert(s->depth && s->frame[s->depth - 1].node == node);
    uint32_t from = s->waiting;
    if (--s->depth) {
        const uint32_t below = s->frame[s->depth - 1].node;
        if (s->low[node] < s->low[below])
            s->low[below] = s->low[node];
    }
    if (s->low[node] != s->index[node])
        return true;
    do {
        if (!plumb_base_pace_allows(&s->pace, 1))
            return false;
        s->component[s->stack[--from]] = node;
    } while (s->stack[from] != node);
    return judge_component(s, from);
}

/* The arcs of the node on top, until one leads to a new node. */
static bool advance(struct search *s)
{
    struct frame *const top = s->frame + s->depth - 1;
    const uint32_t node = top->node;
    while (top->next < s->r->first[node + 1]) {
        const uint32_t to = s->r->arc[top->next++].target;
        if (s->turn[to] != s->now)
            continue;
        if (!s->index[to])
            return enter(s, to);
        if (s->index[to] < s->low[node])
            s->low[node] = s->index[to];
    }
    return leave(s, node);
}

static bool take_turn(struct search *s)
{
    bool good = plumb_base_paced_set(s->budget, s->index, 0,
                                     s->r->nodes * sizeof *s->index);
    s->met = 0;
    s->left = false;
    for (uint32_t n = 0; good && n < s->r->nodes && !s->found; n++) {
        const bool met = s->turn[n] != s->now || s->index[n];
        good = met ? plumb_base_pace_allows(&s->pace, 1) : enter(s, n);
        while (good && s->depth && !s->found)
            good = advance(s);
    }
    return good;
}

static bool reserve(struct search *s)
{
    const size_t n = (size_t)s->r->nodes + 1;
    s->turn = plumb_base_alloc(s->budget, 5 * n * sizeof *s->turn);
    s->frame = plumb_base_alloc(s->budget, n * sizeof *s->frame);
    if (!s->turn || !s->frame)
        return false;
    s->index = s->turn + n;
    s->low = s->index + n;
    s->component = s->low + n;
    s->stack = s->component + n;
    return true;
}

static void release(struct search *s)
{
    const size_t n = (size_t)s->r->nodes + 1;
    PLUMB_RELEASE(s->budget, s->turn, 5 * n);
    PLUMB_RELEASE(s->budget, s->frame, n);
}

static bool take_turns(struct search *s)
{
    for (uint32_t n = 0; n < s->r->nodes; n++) {
        if (!plumb_base_pace_allows(&s->pace, 1))
            return false;
        s->turn[n] = 1;
    }
    do {
        s->now++;
        if (!take_turn(s))
            return false;
    } while (s->left && !s->found);
    return true;
}

enum plumb_status plumb_refine_rounds_exist(const struct plumb_refine_rounds *r,
                                            struct plumb_budget *budget,
                                            bool *some, struct plumb_error *err)
{
    struct search s = { .r = r,
                        .budget = budget,
                        .pace = { .budget = budget } };
    const bool good = reserve(&s) && take_turns(&s);
    release(&s);
    *some = s.found;
    return good ? PLUMB_OK : plumb_base_fail_budget(budget, err);
}
