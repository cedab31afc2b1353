/* judge_progress.c - an assertion about progress, decided. */
#include "judge_progress.h"

#include "base/fail.h"
#include "client_calls.h"
#include "progress_search.h"
#include "refine/accept/accept.h"
#include "refine/judge_steps.h"

bool plumb_refine_judge_is_progress(enum plumb_csp_assertion_kind kind)
{
    return kind == PLUMB_ASSERT_LOCKFREE || kind == PLUMB_ASSERT_WAITFREE ||
           kind == PLUMB_ASSERT_OBSTRUCTIONFREE;
}

static enum plumb_refine_progress_kind kind_of(
    const struct plumb_refine_judgement *j)
{
    const enum plumb_csp_assertion_kind kind = j->assertion->kind;
    return kind == PLUMB_ASSERT_LOCKFREE   ? PLUMB_LOCKFREE
           : kind == PLUMB_ASSERT_WAITFREE ? PLUMB_WAITFREE
                                           : PLUMB_OBSTRUCTIONFREE;
}

/* ---- whose steps? ---- */

static enum plumb_status refuse_clients(
    struct plumb_refine_judgement *j, const struct plumb_refine_call_places *p,
    uint32_t client)
{
    const struct plumb_csp_place place = j->assertion->place;
    uint32_t other = 0;
    while (other == client || !(p->callers[client] & p->callers[other]))
        other++;
    return plumb_base_fail(j->err, PLUMB_EINPUT, place.line, place.column,
                           "clients %u and %u call from the same process; "
                           "each client needs a process of its own, as in "
                           "||| i:{0..N-1} @ Client(i)",
                           (unsigned)(client < other ? client : other),
                           (unsigned)(client < other ? other : client));
}

static enum plumb_status check_clients(struct plumb_refine_judgement *j,
                                       const struct plumb_refine_call_places *p)
{
    const struct plumb_csp_place place = j->assertion->place;
    for (uint32_t i = 0; i < j->assertion->clients; i++)
        if (p->called >> i & 1 && !p->own[i])
            return refuse_clients(j, p, i);
    return p->called ? PLUMB_OK
                     : plumb_base_fail(
                           j->err, PLUMB_EINPUT, place.line, place.column,
                           "no client calls; a call of push by client i is a "
                           "visible event push_inv.i, the response push_res.i");
}

/* Calls and responses do not pair: how it comes to that. */
static void show_misuse(struct plumb_refine_judgement *j,
                        const struct plumb_refine_call_places *p)
{
    uint32_t length;
    if (!p->place.count)
        return;
    struct plumb_refine_hop *const way =
        plumb_refine_call_places_way(p, p->wrong_place, &j->arena, &length);
    struct plumb_refine_hop *const path =
        way ? plumb_base_arena_alloc(&j->arena,
                                     (length + (size_t)1) * sizeof *path)
            : NULL;
    if (!path)
        return;
    if (length)
        memcpy(path, way, length * sizeof *path);
    path[length] = (struct plumb_refine_hop){
        plumb_base_pairs_at(&p->place, p->wrong_place).left, p->wrong_edge
    };
    j->path = path;
    j->length = j->cycle = length + 1;
}

/* ---- deciding ---- */

static enum plumb_status search(struct plumb_refine_judgement *j,
                                struct plumb_refine_call_places *p,
                                const struct plumb_refine_progress_labels *l)
{
    struct plumb_refine_progress *const x = &j->progress;
    bool yes = false;
    const enum plumb_status opened = plumb_refine_call_places_open(
        p, j->impl.graph, l, j->world.budget, j->err);
    plumb_refine_judge_note_size(j);
    if (opened == PLUMB_EINPUT)
        show_misuse(j, p);
    PLUMB_TRY(opened);
    PLUMB_TRY(check_clients(j, p));
    PLUMB_TRY(
        plumb_refine_progress_search(p, kind_of(j), &j->arena, x, j->err));
    const enum plumb_status status = plumb_refine_accept_progress(
        j->impl.graph, l, kind_of(j), x, j->world.budget, &yes, j->err);
    return plumb_refine_judge_accepted(j, x->holds, status, yes,
                                       x->holds ? "the proof"
                                                : "the counterexample");
}

enum plumb_status plumb_refine_judge_progress(struct plumb_refine_judgement *j)
{
    struct plumb_refine_client_calls calls;
    struct plumb_refine_call_places places = { .budget = j->world.budget };
    enum plumb_status status = plumb_refine_client_calls_open(
        &calls, &j->world, j->impl.system, j->impl.numbering, j->assertion,
        &j->arena, j->err);
    if (status == PLUMB_OK)
        status = search(j, &places, &calls.labels);
    plumb_refine_call_places_release(&places);
    plumb_refine_client_calls_close(&calls);
    j->progress.places = (struct plumb_refine_place_list){ NULL, NULL };
    if (status != PLUMB_OK)
        return status;
    j->holds = j->progress.holds;
    j->path = j->progress.path;
    j->length = j->progress.length;
    j->cycle = j->progress.cycle;
    return PLUMB_OK;
}
