/* test_model_progress.c - progress of small objects, by definition.
 *
 * Two clients and a server, on graphs at random: the search is compared with
 * reachability, all that it claims is accepted, and a claim that is bent is
 * accepted exactly if it still is true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/rng.h"
#include "effort.h"
#include "refine/accept/accept.h"
#include "refine/progress/progress_search.h"
#include <string.h>

enum {
    CLIENTS = 2,
    CORES = 4, /* what a state is besides who waits        */
    STATES = CORES << CLIENTS,
    DEGREE = 5,
    SERVER = 4, /* a process; those of the clients are 1, 2 */
    KINDS = 3
};

/* Events: client i calls, responds, or does something else that is seen. */
enum {
    CALL = PLUMB_FIRST_EVENT,
    RESPOND = CALL + CLIENTS,
    OTHER = RESPOND + CLIENTS
};

struct toy {
    struct plumb_csp_lts lts;
    uint64_t first[STATES + 1];
    struct plumb_csp_edge edge[STATES * DEGREE];
    uint64_t who[STATES * DEGREE];
    bool atomic[STATES];
};

static bool waits(uint32_t state, uint32_t client)
{
    return state >> client & 1;
}

/* A step of a client that calls, responds, or goes on, sometimes with others.
 */
static void add_step(struct toy *t, struct plumb_base_rng *rng, uint32_t from,
                     uint32_t client, uint64_t at)
{
    const uint32_t core = plumb_base_rng_below(rng, CORES) << CLIENTS;
    const uint32_t open = from & ((1u << CLIENTS) - 1), me = 1u << client;
    const bool goes_on = waits(from, client) ? plumb_base_rng_below(rng, 3)
                                             : !plumb_base_rng_below(rng, 4);
    t->who[at] = me | (plumb_base_rng_below(rng, 8) ? 0 : SERVER) |
                 (plumb_base_rng_below(rng, 20) || !goes_on ? 0 : 3);
    t->edge[at] =
        (struct plumb_csp_edge){ waits(from, client) ? RESPOND + client
                                                     : CALL + client,
                                 core | (open ^ me) };
    if (goes_on)
        t->edge[at] = (struct plumb_csp_edge){
            plumb_base_rng_below(rng, 4) ? PLUMB_TAU : OTHER, core | open
        };
}

/* Mostly upwards, so that there are not too many rounds. */
static void aim(struct toy *t, struct plumb_base_rng *rng, uint32_t from,
                uint64_t at)
{
    struct plumb_csp_edge *const e = t->edge + at;
    const uint32_t core = from >> CLIENTS;
    if ((e->event == PLUMB_TAU || e->event == OTHER) &&
        plumb_base_rng_below(rng, 8) && core + 1 < CORES)
        e->target = (core + 1) << CLIENTS | (e->target % (1u << CLIENTS));
}

static void draw_state(struct toy *t, struct plumb_base_rng *rng, uint32_t s,
                       bool live, uint64_t *at)
{
    t->first[s] = *at;
    t->atomic[s] = plumb_base_rng_below(rng, 8) == 0;
    for (uint32_t i = 0; i < CLIENTS; i++)
        if (live ? waits(s, i) : plumb_base_rng_below(rng, 3))
            add_step(t, rng, s, i, (*at)++);
    for (uint32_t n = plumb_base_rng_below(rng, 3); n; n--)
        add_step(t, rng, s, plumb_base_rng_below(rng, CLIENTS), (*at)++);
    if (plumb_base_rng_below(rng, 6) == 0) {
        t->who[*at] = SERVER;
        t->edge[(*at)++] =
            (struct plumb_csp_edge){ PLUMB_TAU, plumb_base_rng_below(rng, CORES)
                                                        << CLIENTS |
                                                    (s % (1u << CLIENTS)) };
    }
    for (uint64_t e = t->first[s]; live && e < *at; e++)
        aim(t, rng, s, e);
}

static void draw(struct toy *t, uint64_t seed)
{
    struct plumb_base_rng rng;
    uint64_t at = 0;
    plumb_base_rng_seed(&rng, seed);
    const bool live = plumb_base_rng_below(&rng, 4) != 0;
    t->lts = (struct plumb_csp_lts){ STATES, t->first, t->edge };
    for (uint32_t s = 0; s < STATES; s++)
        draw_state(t, &rng, s, live, &at);
    t->first[STATES] = at;
}

/* ---- labels ---- */

static enum plumb_status call_of(void *context, uint32_t event,
                                 struct plumb_refine_call *call,
                                 struct plumb_error *err)
{
    (void)context, (void)err;
    *call = (struct plumb_refine_call){ PLUMB_NO_CALL, 0, 7 };
    if (event >= CALL && event < OTHER)
        *call = (struct plumb_refine_call){ event < RESPOND ? PLUMB_CALL
                                                            : PLUMB_RESPONSE,
                                            (event - CALL) % CLIENTS, 7 };
    return PLUMB_OK;
}

static enum plumb_status actors_of(void *context, uint32_t state,
                                   uint32_t index, uint64_t *processes,
                                   bool *atomic, struct plumb_error *err)
{
    const struct toy *const t = context;
    (void)err;
    *processes = t->who[t->first[state] + index];
    *atomic = t->atomic[state];
    return PLUMB_OK;
}

static enum plumb_status misuse(void *context, uint32_t event,
                                const struct plumb_refine_call *call,
                                uint32_t open, struct plumb_error *err)
{
    (void)context, (void)call;
    return plumb_base_fail(err, PLUMB_EINPUT, event, open, "misuse");
}

static struct plumb_refine_progress_labels labels_of(struct toy *t)
{
    return (struct plumb_refine_progress_labels){ t, CLIENTS, call_of,
                                                  actors_of, misuse };
}

/* ---- by definition ---- */

struct truth {
    const struct toy *t;
    bool seen[STATES];          /* can be reached */
    uint64_t own[CLIENTS], any; /* processes      */
};

static bool steps(const struct truth *h, uint64_t e, uint32_t client)
{
    return h->t->who[e] & h->own[client];
}

static bool alone(const struct truth *h, uint64_t e, uint32_t client)
{
    return steps(h, e, client) && !steps(h, e, 1 - client);
}

static bool is_stuck(const struct truth *h, uint32_t s, uint32_t client)
{
    bool stuck = waits(s, client);
    for (uint64_t e = h->t->first[s]; e < h->t->first[s + 1]; e++)
        stuck = stuck && !alone(h, e, client);
    return stuck;
}

static bool is_preempted(const struct truth *h, uint32_t s, uint32_t client)
{
    return is_stuck(h, s, client) && h->t->atomic[s] &&
           h->t->first[s] < h->t->first[s + 1];
}

enum rule { EVERY, SILENT, OPEN, ALONE, PREEMPTED };

static bool is_allowed(const struct truth *h, enum rule rule, uint32_t client,
                       uint32_t s, uint64_t e)
{
    const uint32_t event = h->t->edge[e].event, to = h->t->edge[e].target;
    const bool open = waits(s, client) && waits(to, client);
    switch (rule) {
    case SILENT:
        return event < RESPOND || event >= OTHER;
    case OPEN:
        return open;
    case ALONE:
        return open && alone(h, e, client);
    case PREEMPTED:
        return is_preempted(h, s, client) && is_preempted(h, to, client);
    default:
        return true;
    }
}

static bool must_end(const struct truth *h, enum rule rule, uint32_t client,
                     uint32_t s, uint64_t e)
{
    bool step = rule != SILENT && (rule != OPEN || steps(h, e, client));
    for (uint32_t i = 0; rule == SILENT && i < CLIENTS; i++)
        step |= waits(s, i) && steps(h, e, i);
    return step;
}

static void reach(const struct truth *h, enum rule rule, uint32_t client,
                  uint32_t from, bool seen[STATES])
{
    bool more = true;
    memset(seen, 0, STATES);
    seen[from] = true;
    while (more) {
        more = false;
        for (uint32_t s = 0; s < STATES; s++)
            for (uint64_t e = h->t->first[s]; e < h->t->first[s + 1]; e++) {
                bool *const to = &seen[h->t->edge[e].target];
                if (!seen[s] || *to || !is_allowed(h, rule, client, s, e))
                    continue;
                *to = more = true;
            }
    }
}

static bool repeats(const struct truth *h, enum rule rule, uint32_t client)
{
    bool back[STATES];
    for (uint32_t s = 0; s < STATES; s++)
        for (uint64_t e = h->t->first[s]; e < h->t->first[s + 1]; e++) {
            if (!h->seen[s] || !is_allowed(h, rule, client, s, e) ||
                !must_end(h, rule, client, s, e))
                continue;
            reach(h, rule, client, h->t->edge[e].target, back);
            if (back[s])
                return true;
        }
    return false;
}

static void look(struct truth *h, const struct toy *t)
{
    uint64_t callers[CLIENTS] = { 0 };
    *h = (struct truth){ .t = t };
    reach(h, EVERY, 0, 0, h->seen);
    for (uint32_t s = 0; s < STATES; s++)
        for (uint64_t e = t->first[s]; h->seen[s] && e < t->first[s + 1]; e++)
            if (t->edge[e].event >= CALL && t->edge[e].event < OTHER)
                callers[(t->edge[e].event - CALL) % CLIENTS] |= t->who[e];
    for (uint32_t i = 0; i < CLIENTS; i++)
        h->own[i] = callers[i] & ~callers[1 - i];
}

static bool is_blocked(const struct truth *h)
{
    for (uint32_t i = 0; i < CLIENTS; i++) {
        if (repeats(h, PREEMPTED, i))
            return true;
        for (uint32_t s = 0; s < STATES; s++)
            if (h->seen[s] && is_stuck(h, s, i) && !is_preempted(h, s, i))
                return true;
    }
    return false;
}

static bool has_progress(const struct truth *h,
                         enum plumb_refine_progress_kind kind)
{
    if (is_blocked(h))
        return false;
    if (kind == PLUMB_LOCKFREE)
        return !repeats(h, SILENT, 0);
    const enum rule rule = kind == PLUMB_WAITFREE ? OPEN : ALONE;
    return !repeats(h, rule, 0) && !repeats(h, rule, 1);
}

/* ---- asking ---- */

struct asked {
    struct toy t;
    struct plumb_csp_graph_source source;
    struct plumb_csp_graph *g;
    struct plumb_refine_progress_labels labels;
    struct plumb_refine_call_places places;
    struct plumb_base_arena arena;
    struct plumb_refine_progress found;
    struct plumb_error err;
};

static enum plumb_status ask(struct asked *a, uint64_t seed,
                             enum plumb_refine_progress_kind kind,
                             struct plumb_budget *budget)
{
    memset(a, 0, sizeof *a);
    draw(&a->t, seed);
    a->labels = labels_of(&a->t);
    a->source = plumb_csp_lts_source(&a->t.lts);
    plumb_base_arena_init(&a->arena, budget);
    PLUMB_TRY(plumb_csp_graph_open(&a->g, &a->source, budget, &a->err));
    PLUMB_TRY(plumb_refine_call_places_open(&a->places, a->g, &a->labels,
                                            budget, &a->err));
    return plumb_refine_progress_search(&a->places, kind, &a->arena, &a->found,
                                        &a->err);
}

static void release(struct asked *a)
{
    plumb_refine_call_places_release(&a->places);
    plumb_csp_graph_free(a->g);
    plumb_base_arena_release(&a->arena);
}

static bool accepts(struct asked *a, enum plumb_refine_progress_kind kind,
                    const struct plumb_refine_progress *claim)
{
    bool yes = false;
    assert_int_equal(plumb_refine_accept_progress(a->g, &a->labels, kind, claim,
                                                  NULL, &yes, &a->err),
                     PLUMB_OK);
    return yes;
}

static void answers_are_as_defined_and_accepted(void **state)
{
    uint32_t holds[KINDS] = { 0 }, blocked = 0, preempted = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SOME_OF(20000); seed++)
        for (int k = 0; k < KINDS; k++) {
            const enum plumb_refine_progress_kind kind =
                (enum plumb_refine_progress_kind)k;
            struct asked a;
            struct truth h;
            assert_int_equal(ask(&a, seed, kind, NULL), PLUMB_OK);
            look(&h, &a.t);
            if (a.found.holds != has_progress(&h, kind) ||
                !accepts(&a, kind, &a.found))
                fail_msg("seed %ju, kind %d", (uintmax_t)seed, k);
            holds[k] += a.found.holds;
            blocked += a.found.offence == PLUMB_PROGRESS_BLOCKED;
            preempted += a.found.offence == PLUMB_PROGRESS_BLOCKED &&
                         a.found.cycle < a.found.length;
            release(&a);
        }
    for (int k = 0; k < KINDS; k++)
        assert_in_range(holds[k], SOME_OF(2000), SOME_OF(18000));
    assert_true(holds[PLUMB_WAITFREE] < holds[PLUMB_LOCKFREE]);
    assert_true(holds[PLUMB_LOCKFREE] < holds[PLUMB_OBSTRUCTIONFREE]);
    assert_true(blocked > SOME_OF(1000) && preempted > SOME_OF(100));
}

/* ---- claims that are bent ---- */

static uint64_t hop_edge(const struct toy *t, const struct plumb_refine_hop *h)
{
    return t->first[h->state] + h->index;
}

/* Along edges, to where `*end` is; if it goes round, back. */
static bool is_way(const struct toy *t, const struct plumb_refine_progress *x,
                   uint32_t *end)
{
    uint32_t back = STATES;
    *end = 0;
    for (uint32_t i = 0; i < x->length; i++) {
        const struct plumb_refine_hop *const h = x->path + i;
        if (h->state != *end || hop_edge(t, h) >= t->first[*end + 1])
            return false;
        back = i == x->cycle ? *end : back;
        *end = t->edge[hop_edge(t, h)].target;
    }
    return x->cycle == x->length || (x->cycle < x->length && back == *end);
}

static bool is_true(const struct truth *h, enum plumb_refine_progress_kind kind,
                    const struct plumb_refine_progress *x)
{
    const bool blocked = x->offence == PLUMB_PROGRESS_BLOCKED;
    const enum rule rule = blocked                  ? PREEMPTED
                           : kind == PLUMB_LOCKFREE ? SILENT
                           : kind == PLUMB_WAITFREE ? OPEN
                                                    : ALONE;
    bool counts = false;
    uint32_t end;
    if (x->client >= CLIENTS || x->operation != 7 || !is_way(h->t, x, &end))
        return false;
    if (x->cycle == x->length)
        return blocked && is_stuck(h, end, x->client) &&
               !is_preempted(h, end, x->client);
    for (uint32_t i = x->cycle; i < x->length; i++) {
        const uint32_t s = x->path[i].state;
        const uint64_t e = hop_edge(h->t, x->path + i);
        if (!is_allowed(h, rule, x->client, s, e))
            return false;
        counts |= rule == SILENT ? waits(s, x->client) && steps(h, e, x->client)
                                 : must_end(h, rule, x->client, s, e);
    }
    return counts;
}

static void bend(struct plumb_refine_progress *x, struct plumb_refine_hop *path,
                 struct plumb_base_rng *rng)
{
    if (x->length)
        memcpy(path, x->path, x->length * sizeof *path);
    x->path = path;
    struct plumb_refine_hop *const hop =
        path + (x->length ? plumb_base_rng_below(rng, x->length) : 0);
    switch (plumb_base_rng_below(rng, 8)) {
    case 0:
        x->client = plumb_base_rng_below(rng, CLIENTS + 1);
        break;
    case 1:
        x->cycle = plumb_base_rng_below(rng, x->length + 2);
        break;
    case 2:
        x->length -= x->length > 0;
        x->cycle = x->cycle < x->length ? x->cycle : x->length;
        break;
    case 3:
        hop->index = plumb_base_rng_below(rng, DEGREE);
        break;
    case 4:
        hop->state = plumb_base_rng_below(rng, STATES);
        break;
    case 5:
        x->operation ^= plumb_base_rng_below(rng, 2);
        break;
    case 6:
        x->offence = x->offence == PLUMB_PROGRESS_BLOCKED
                         ? PLUMB_PROGRESS_LIVELOCK
                         : PLUMB_PROGRESS_BLOCKED;
        break;
    default:
        x->own[plumb_base_rng_below(rng, CLIENTS)] ^=
            (uint64_t)1 << plumb_base_rng_below(rng, 3);
    }
}

static bool same_own(const struct truth *h,
                     const struct plumb_refine_progress *x)
{
    return x->own[0] == h->own[0] && x->own[1] == h->own[1];
}

static void a_bent_violation_is_accepted_if_it_is_one(void **state)
{
    struct plumb_base_rng rng;
    uint32_t right = 0, wrong = 0;
    (void)state;
    plumb_base_rng_seed(&rng, 11);
    for (uint64_t seed = 1; seed <= SOME_OF(60000); seed++) {
        const enum plumb_refine_progress_kind kind =
            (enum plumb_refine_progress_kind)(seed % KINDS);
        struct plumb_refine_hop path[4 * STATES] = { { 0, 0 } };
        struct asked a;
        struct truth h;
        assert_int_equal(ask(&a, seed, kind, NULL), PLUMB_OK);
        look(&h, &a.t);
        struct plumb_refine_progress x = a.found;
        if (!x.holds) {
            assert_in_range(x.length, 0, 4 * STATES);
            bend(&x, path, &rng);
            const bool good = same_own(&h, &x) && is_true(&h, kind, &x);
            if (accepts(&a, kind, &x) != good)
                fail_msg("seed %ju", (uintmax_t)seed);
            right += good;
            wrong += !good;
        }
        release(&a);
    }
    assert_true(right > SOME_OF(1000) && wrong > SOME_OF(1000));
}

/* Of what does not hold, whatever the ranks are; and of what holds, if ranks
 * that matter are gone. */
static void a_false_proof_is_rejected(void **state)
{
    struct plumb_base_rng rng;
    uint32_t wrong = 0, fewer = 0;
    (void)state;
    plumb_base_rng_seed(&rng, 12);
    for (uint64_t seed = 1; seed <= SOME_OF(20000); seed++) {
        const enum plumb_refine_progress_kind kind =
            (enum plumb_refine_progress_kind)(seed % KINDS);
        uint32_t rank[STATES];
        struct plumb_refine_progress_ranks ranks[KINDS * CLIENTS + 1];
        struct asked a;
        assert_int_equal(ask(&a, seed, kind, NULL), PLUMB_OK);
        struct plumb_refine_progress x = a.found;
        if (!x.holds) {
            for (uint32_t i = 0; i < STATES; i++)
                rank[i] = plumb_base_rng_below(&rng, STATES);
            x.holds = true;
            x.ranks = ranks;
            x.rankings = KINDS * CLIENTS + 1;
            for (uint32_t i = 0; i < x.rankings; i++)
                ranks[i] = (struct plumb_refine_progress_ranks){
                    (enum plumb_refine_progress_view)((i + 1) / CLIENTS),
                    (i + 1) % CLIENTS, rank
                };
            ranks[0].client = 0;
            assert_false(accepts(&a, kind, &x));
            wrong++;
        } else if (x.rankings) {
            x.rankings--;
            fewer += !accepts(&a, kind, &x);
        }
        release(&a);
    }
    assert_true(wrong > SOME_OF(1000) && fewer > SOME_OF(500));
}

/* ---- the rest ---- */

static void calls_have_to_pair(void **state)
{
    struct toy t = { .first = { 0, 1, 2 },
                     .edge = { { PLUMB_TAU, 1 }, { RESPOND, 0 } },
                     .who = { 1, 1 } };
    const struct plumb_refine_progress_labels labels = labels_of(&t);
    struct plumb_refine_call_places places;
    struct plumb_base_arena arena;
    struct plumb_csp_graph *g;
    struct plumb_error err;
    uint32_t length;
    (void)state;
    t.lts = (struct plumb_csp_lts){ 2, t.first, t.edge };
    const struct plumb_csp_graph_source source = plumb_csp_lts_source(&t.lts);
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(plumb_csp_graph_open(&g, &source, NULL, &err), PLUMB_OK);
    assert_int_equal(
        plumb_refine_call_places_open(&places, g, &labels, NULL, &err),
        PLUMB_EINPUT);
    assert_int_equal(err.line, RESPOND);
    assert_int_equal(places.wrong_place, 1);
    assert_int_equal(places.wrong_edge, 0);
    assert_non_null(plumb_refine_call_places_way(&places, 1, &arena, &length));
    assert_int_equal(length, 1);
    plumb_refine_call_places_release(&places);
    plumb_csp_graph_free(g);
    plumb_base_arena_release(&arena);
}

/* Search and verifier, with the n-th allocation refused. */
static void refused_memory_is_survived(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++)
        for (size_t nth = 1;; nth++) {
            const enum plumb_refine_progress_kind kind =
                (enum plumb_refine_progress_kind)(seed % KINDS);
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            struct asked a;
            bool yes = false;
            plumb_base_budget_fail_at(budget, nth);
            enum plumb_status status = ask(&a, seed, kind, budget);
            if (status == PLUMB_OK)
                status = plumb_refine_accept_progress(
                    a.g, &a.labels, kind, &a.found, budget, &yes, &a.err);
            const bool failed = plumb_base_budget_has_failed(budget);
            assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
            assert_int_equal(yes, !failed);
            release(&a);
            assert_int_equal(plumb_budget_used(budget), 0);
            plumb_budget_free(budget);
            if (!failed)
                break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_as_defined_and_accepted),
        cmocka_unit_test(a_bent_violation_is_accepted_if_it_is_one),
        cmocka_unit_test(a_false_proof_is_rejected),
        cmocka_unit_test(calls_have_to_pair),
        cmocka_unit_test(refused_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
