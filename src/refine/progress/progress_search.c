/* progress_search.c - blocked clients, and runs in which nothing comes to an
 * end.
 *
 * Each kind of progress forbids cycles of some steps, its *view* of the places.
 * A cycle is in a strongly connected component.  So a component is wrong if a
 * step inside it must not be repeated for ever; if none is, the numbers of the
 * components are ranks (refine/object_progress.h). */
#include "progress_search.h"

#include "base/components.h"
#include "base/fail.h"
#include "refine/properties/breadth.h"

/* What a step is in a view. */
enum weight { NO_STEP, MAY_REPEAT, MUST_END };

struct view {
    enum plumb_refine_progress_view kind;
    uint32_t client;
    const struct plumb_refine_call_places *p;
    const bool *preempted; /* of each place: PLUMB_VIEW_PREEMPTED */
};

struct search {
    const struct plumb_refine_call_places *p;
    enum plumb_refine_progress_kind kind;
    struct plumb_base_arena *arena;
    struct plumb_refine_progress *found;
    struct plumb_refine_progress_ranks *ranks;
    uint64_t preempted; /* clients that are somewhere, a bit each */
    struct plumb_base_pace pace;
    struct plumb_error *err;
};

static uint32_t edge_count(const struct plumb_refine_call_places *p,
                           uint32_t place)
{
    return (uint32_t)(p->first.at[place + 1] - p->first.at[place]);
}

static const struct plumb_refine_place_edge *edges_of(
    const struct plumb_refine_call_places *p, uint32_t place, uint32_t *count)
{
    *count = edge_count(p, place);
    return p->edge.at + p->first.at[place];
}

/* ---- blocked ---- */

static bool is_stuck(const struct plumb_refine_call_places *p, uint32_t place,
                     uint32_t client)
{
    uint32_t count;
    const struct plumb_refine_place_edge *const e = edges_of(p, place, &count);
    for (uint32_t i = 0; i < count; i++)
        if (plumb_refine_place_alone(p, e + i, client))
            return false;
    return true;
}

static bool is_atomic(const struct plumb_refine_call_places *p, uint32_t place)
{
    uint32_t count;
    const struct plumb_refine_place_edge *const e = edges_of(p, place, &count);
    return count && e->atomic;
}

/* The client's operation, which is open there. */
static void accuse(struct search *s, uint32_t place, uint32_t client)
{
    size_t clients;
    const struct plumb_base_pair at = plumb_base_pairs_at(&s->p->place, place);
    const uint32_t *const open =
        plumb_base_lists_get(&s->p->open, at.right, &clients);
    assert(open[client]);
    s->found->client = client;
    s->found->operation = open[client] - 1;
}

/* PLUMB_END if a client is blocked at the place. */
static enum plumb_status look_at(struct search *s, uint32_t place)
{
    struct plumb_refine_progress *const x = s->found;
    uint64_t waiting = plumb_refine_place_waiting(s->p, place);
    for (; waiting; waiting &= waiting - 1) {
        const uint32_t client = (uint32_t)__builtin_ctzll(waiting);
        plumb_base_pace_spend(&s->pace, edge_count(s->p, place));
        if (!is_stuck(s->p, place, client))
            continue;
        if (is_atomic(s->p, place)) {
            s->preempted |= (uint64_t)1 << client;
            continue;
        }
        accuse(s, place, client);
        x->offence = PLUMB_PROGRESS_BLOCKED;
        x->path =
            plumb_refine_call_places_way(s->p, place, s->arena, &x->length);
        x->cycle = x->length;
        return x->path ? PLUMB_END
                       : plumb_base_fail_budget(s->p->budget, s->err);
    }
    return PLUMB_OK;
}

static enum plumb_status look_for_blocked(struct search *s)
{
    for (uint32_t place = 0; place < s->p->place.count; place++) {
        if (!plumb_base_pace_allows(&s->pace, 1))
            return plumb_base_fail_budget(s->p->budget, s->err);
        PLUMB_TRY(look_at(s, place));
    }
    return PLUMB_OK;
}

/* ---- views ---- */

static uint64_t steppers(const struct plumb_refine_call_places *p,
                         uint32_t place,
                         const struct plumb_refine_place_edge *e)
{
    return plumb_refine_place_actors(p, e) &
           p->stepping.at[plumb_base_pairs_at(&p->place, place).right];
}

static bool stays_open(const struct view *v, uint32_t place, uint32_t target)
{
    return plumb_refine_place_waits(v->p, place, v->client) &&
           plumb_refine_place_waits(v->p, target, v->client);
}

static enum weight weigh(const struct view *v, uint32_t place,
                         const struct plumb_refine_place_edge *e)
{
    switch (v->kind) {
    case PLUMB_VIEW_SILENT:
        return e->response                ? NO_STEP
               : steppers(v->p, place, e) ? MUST_END
                                          : MAY_REPEAT;
    case PLUMB_VIEW_OPEN:
        if (!stays_open(v, place, e->target))
            return NO_STEP;
        return plumb_refine_place_actors(v->p, e) & v->p->own[v->client]
                   ? MUST_END
                   : MAY_REPEAT;
    case PLUMB_VIEW_ALONE:
        return stays_open(v, place, e->target) &&
                       plumb_refine_place_alone(v->p, e, v->client)
                   ? MUST_END
                   : NO_STEP;
    case PLUMB_VIEW_PREEMPTED:
        break;
    }
    return v->preempted[place] && v->preempted[e->target] ? MUST_END : NO_STEP;
}

static uint32_t next_step(void *context, uint32_t place, uint64_t *at,
                          struct plumb_base_pace *pace)
{
    const struct view *const v = context;
    uint32_t count;
    const struct plumb_refine_place_edge *const e =
        edges_of(v->p, place, &count);
    while (*at < count)
        if (weigh(v, place, e + (*at)++) != NO_STEP)
            return e[*at - 1].target;
    plumb_base_pace_spend(pace, count);
    return UINT32_MAX;
}

/* ---- a round ---- */

/* Breadth first inside the component of `start`: place 2p before a step that
 * must end, 2p + 1 behind one. */
static bool spread(const struct view *v, struct plumb_refine_breadth *b,
                   const uint32_t *component, uint32_t start)
{
    const uint32_t goal = 2 * start + 1;
    bool good = plumb_refine_breadth_meet(b, 2 * start, PLUMB_NOWHERE, 0);
    while (good && (goal >= b->places || !b->met[goal])) {
        assert(b->head < b->count);
        const uint32_t at = b->queue[b->head++], place = at / 2;
        uint32_t count;
        const struct plumb_refine_place_edge *const e =
            edges_of(v->p, place, &count);
        good = plumb_base_in_time(v->p->budget, b->head);
        for (uint32_t i = 0; good && i < count; i++) {
            const enum weight w = weigh(v, place, e + i);
            if (w != NO_STEP && component[e[i].target] == component[place])
                good = plumb_refine_breadth_meet(
                    b, 2 * e[i].target + (at % 2 || w == MUST_END), at, i);
        }
    }
    return good;
}

static struct plumb_refine_hop *round_from(const struct view *v,
                                           const uint32_t *component,
                                           uint32_t start,
                                           struct plumb_base_arena *arena,
                                           uint32_t *length)
{
    struct plumb_refine_breadth b = { .budget = v->p->budget };
    struct plumb_refine_hop *round = NULL;
    if (spread(v, &b, component, start))
        round = plumb_refine_breadth_way(&b, 2 * start + 1, 2, arena, length);
    plumb_refine_breadth_release(&b);
    return round;
}

/* Who takes steps on the way round, which has places for states; then it has
 * states. */
static uint64_t retell_round(const struct view *v,
                             struct plumb_refine_hop *round, uint32_t length)
{
    uint64_t clients = 0;
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t place = round[i].state;
        const uint64_t processes =
            steppers(v->p, place,
                     v->p->edge.at + v->p->first.at[place] + round[i].index);
        for (uint32_t k = 0; k < v->p->labels->clients; k++)
            if (processes & v->p->own[k] &&
                plumb_refine_place_waits(v->p, place, k))
                clients |= (uint64_t)1 << k;
        round[i].state = plumb_base_pairs_at(&v->p->place, place).left;
    }
    return clients;
}

/* The way to `start`, and round.  PLUMB_END: it is told. */
static enum plumb_status show_round(struct search *s, const struct view *v,
                                    const uint32_t *component, uint32_t start)
{
    struct plumb_refine_progress *const x = s->found;
    uint32_t before, around;
    const struct plumb_refine_hop *const stem =
        plumb_refine_call_places_way(s->p, start, s->arena, &before);
    struct plumb_refine_hop *const round =
        stem ? round_from(v, component, start, s->arena, &around) : NULL;
    struct plumb_refine_hop *const path =
        round ? plumb_base_arena_alloc(s->arena,
                                       ((size_t)before + around) * sizeof *path)
              : NULL;
    if (!path)
        return plumb_base_fail_budget(s->p->budget, s->err);
    x->steppers = retell_round(v, round, around);
    if (before)
        memcpy(path, stem, before * sizeof *path);
    memcpy(path + before, round, around * sizeof *path);
    accuse(s, start,
           v->kind == PLUMB_VIEW_SILENT ? (uint32_t)__builtin_ctzll(x->steppers)
                                        : v->client);
    x->offence = v->kind == PLUMB_VIEW_PREEMPTED ? PLUMB_PROGRESS_BLOCKED
                                                 : PLUMB_PROGRESS_LIVELOCK;
    x->path = path;
    x->length = before + around;
    x->cycle = before;
    return PLUMB_END;
}

/* ---- components ---- */

/* Does a step that must end stay in its component? */
static bool repeats(const struct view *v, const uint32_t *component,
                    uint32_t place)
{
    uint32_t count;
    const struct plumb_refine_place_edge *const e =
        edges_of(v->p, place, &count);
    for (uint32_t i = 0; i < count; i++)
        if (component[e[i].target] == component[place] &&
            weigh(v, place, e + i) == MUST_END)
            return true;
    return false;
}

/* The nearest place of a component that is wrong, `*start`; PLUMB_NOWHERE:
 * there is none. */
static enum plumb_status find_wrong(const struct view *v,
                                    const uint32_t *component, uint32_t count,
                                    uint32_t *start, struct plumb_error *err)
{
    struct plumb_budget *const budget = v->p->budget;
    bool *const wrong = plumb_base_alloc_zeroed(budget, count);
    *start = PLUMB_NOWHERE;
    if (!wrong)
        return plumb_base_fail_memory(err);
    struct plumb_base_pace pace = { .budget = budget };
    const uint32_t places = v->p->place.count;
    bool good = true, any = false;
    for (uint32_t p = 0; good && p < places; p++) {
        good = plumb_base_pace_allows(&pace, edge_count(v->p, p) + 1);
        if (good && !wrong[component[p]])
            wrong[component[p]] = repeats(v, component, p);
        any |= wrong[component[p]];
    }
    for (uint32_t p = 0; any && *start == PLUMB_NOWHERE; p++)
        if (wrong[component[p]])
            *start = p;
    plumb_base_release(budget, wrong, count);
    return good ? PLUMB_OK : plumb_base_fail_budget(budget, err);
}

/* Ranks from components; of a view that begins at 1, places outside have 0. */
static void keep_ranks(struct search *s, const struct view *v, uint32_t *rank)
{
    for (uint32_t p = 0; v->preempted && p < s->p->place.count; p++)
        rank[p] = v->preempted[p] ? rank[p] + 1 : 0;
    s->ranks[s->found->rankings++] =
        (struct plumb_refine_progress_ranks){ v->kind, v->client, rank };
}

/* PLUMB_END if something in the view is repeated that must not be. */
static enum plumb_status look_through(struct search *s, struct view v)
{
    uint32_t count, start;
    const size_t size = s->p->place.count * sizeof(uint32_t);
    uint32_t *const component = plumb_base_arena_alloc(s->arena, size);
    const struct plumb_base_digraph view = { s->p->place.count, &v, next_step };
    v.p = s->p;
    if (!component)
        return plumb_base_fail_memory(s->err);
    if (!plumb_base_components(&view, s->p->budget, component, &count))
        return plumb_base_fail_budget(s->p->budget, s->err);
    PLUMB_TRY(find_wrong(&v, component, count, &start, s->err));
    if (start != PLUMB_NOWHERE)
        return show_round(s, &v, component, start);
    keep_ranks(s, &v, component);
    return PLUMB_OK;
}

/* ---- all ---- */

/* Places where the client waits for atomic steps of others. */
static bool find_preempted(struct search *s, uint32_t client, bool *preempted)
{
    for (uint32_t p = 0; p < s->p->place.count; p++) {
        if (!plumb_base_pace_allows(&s->pace, edge_count(s->p, p) + 1))
            return false;
        preempted[p] = plumb_refine_place_waits(s->p, p, client) &&
                       is_atomic(s->p, p) && is_stuck(s->p, p, client);
    }
    return true;
}

static enum plumb_status look_for_preempted(struct search *s, uint32_t client)
{
    struct view v = { PLUMB_VIEW_PREEMPTED, client, NULL, NULL };
    bool *const preempted = plumb_base_alloc(s->p->budget, s->p->place.count);
    if (!preempted)
        return plumb_base_fail_memory(s->err);
    v.preempted = preempted;
    const enum plumb_status status =
        find_preempted(s, client, preempted)
            ? look_through(s, v)
            : plumb_base_fail_budget(s->p->budget, s->err);
    plumb_base_release(s->p->budget, preempted, s->p->place.count);
    return status;
}

static enum plumb_status look_through_clients(
    struct search *s, enum plumb_refine_progress_view kind)
{
    enum plumb_status status = PLUMB_OK;
    for (uint32_t i = 0; status == PLUMB_OK && i < s->p->labels->clients; i++)
        if (s->p->called >> i & 1)
            status = look_through(s, (struct view){ kind, i, NULL, NULL });
    return status;
}

static enum plumb_status search(struct search *s)
{
    PLUMB_TRY(look_for_blocked(s));
    for (uint32_t i = 0; i < s->p->labels->clients; i++)
        if (s->preempted >> i & 1)
            PLUMB_TRY(look_for_preempted(s, i));
    switch (s->kind) {
    case PLUMB_LOCKFREE:
        return look_through(s,
                            (struct view){ PLUMB_VIEW_SILENT, 0, NULL, NULL });
    case PLUMB_WAITFREE:
        return look_through_clients(s, PLUMB_VIEW_OPEN);
    case PLUMB_OBSTRUCTIONFREE:
        break;
    }
    return look_through_clients(s, PLUMB_VIEW_ALONE);
}

enum plumb_status plumb_refine_progress_search(
    const struct plumb_refine_call_places *p,
    enum plumb_refine_progress_kind kind, struct plumb_base_arena *arena,
    struct plumb_refine_progress *found, struct plumb_error *err)
{
    struct search s = { .p = p,
                        .kind = kind,
                        .arena = arena,
                        .found = found,
                        .pace = { .budget = p->budget },
                        .err = err };
    *found =
        (struct plumb_refine_progress){ .callers = p->called,
                                        .places = { &p->place, &p->open } };
    memcpy(found->own, p->own, sizeof found->own);
    s.ranks =
        plumb_base_arena_alloc(arena, 2 * PLUMB_MOST_CLIENTS * sizeof *s.ranks);
    if (!s.ranks)
        return plumb_base_fail_memory(err);
    found->ranks = s.ranks;
    const enum plumb_status status = search(&s);
    found->holds = status == PLUMB_OK;
    return status == PLUMB_END ? PLUMB_OK : status;
}
