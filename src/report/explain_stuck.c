/* explain_stuck.c - a longest order that the specification allows.
 *
 * Depth-first over sequences that respect real time.  Operations that returned
 * are tried before pending ones, in the order of their calls, so the first of
 * the longest orders is also a natural one to read. */
#include "explain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 12, FOLLOWERS = 3 };

struct search {
    const struct plumb_report_scene *scene;
    const struct plumb_report_replay *replay;
    uint32_t *candidate; /* the operations of the scene, as they are tried */
    uint32_t *order;     /* operations of the scene                        */
    uint32_t *next;      /* by depth: the candidate to try                 */
    bool *placed;
    struct plumb_report_replay_step *step;
    uint32_t *best;
    uint32_t count, depth, returned, best_depth, best_returned, to_return;
    unsigned steps;
};

static bool open_search(struct search *s, struct plumb_base_arena *arena)
{
    const size_t n = (size_t)s->scene->count + 1;
    s->candidate = plumb_base_arena_alloc(arena, n * sizeof *s->candidate);
    s->order = plumb_base_arena_alloc(arena, n * sizeof *s->order);
    s->next = plumb_base_arena_zeroed(arena, n * sizeof *s->next);
    s->placed = plumb_base_arena_zeroed(arena, n * sizeof *s->placed);
    s->step = plumb_base_arena_alloc(arena, n * sizeof *s->step);
    s->best = plumb_base_arena_alloc(arena, n * sizeof *s->best);
    if (!s->candidate || !s->order || !s->next || !s->placed || !s->step ||
        !s->best)
        return false;
    for (int pending = 0; pending < 2; pending++)
        for (uint32_t i = 0; i < s->scene->count; i++)
            if (plumb_report_scene_is_pending(s->scene, i) == pending)
                s->candidate[s->count++] = i;
            else
                s->to_return += pending ? 1 : 0;
    return true;
}

/* Operations called after this may not be placed yet. */
static uint32_t first_return(const struct search *s)
{
    uint32_t first = PLUMB_NEVER;
    for (uint32_t i = 0; i < s->count; i++)
        if (!s->placed[i] && plumb_report_scene_ret(s->scene, i) < first)
            first = plumb_report_scene_ret(s->scene, i);
    return first;
}

static bool may_follow(const struct search *s, uint32_t i, uint32_t horizon)
{
    return !s->placed[i] && plumb_report_scene_op(s->scene, i)->call < horizon;
}

static void append(struct search *s, uint32_t i)
{
    assert(s->depth < s->count && !s->placed[i]);
    const bool pending = plumb_report_scene_is_pending(s->scene, i);
    s->step[s->depth] =
        (struct plumb_report_replay_step){ s->scene->op[i], pending };
    s->order[s->depth++] = i;
    s->placed[i] = true;
    s->returned += pending ? 0 : 1;
    s->next[s->depth] = 0;
}

static void take_back(struct search *s)
{
    assert(s->depth > 0);
    const uint32_t i = s->order[--s->depth];
    s->placed[i] = false;
    s->returned -= plumb_report_scene_is_pending(s->scene, i) ? 0 : 1;
}

/* Go one deeper, if any candidate that was not tried here allows it. */
static bool deepen(struct search *s)
{
    const uint32_t horizon = first_return(s);
    for (uint32_t *const c = s->next + s->depth; *c < s->count;) {
        const uint32_t i = s->candidate[(*c)++];
        if (!may_follow(s, i, horizon))
            continue;
        if (s->steps++ == PLUMB_STUCK_STEPS)
            return false;
        append(s, i);
        if (s->replay->allows(s->replay->context, s->step, s->depth))
            return true;
        take_back(s);
    }
    return false;
}

static void keep_if_longest(struct search *s)
{
    if (s->returned <= s->best_returned)
        return;
    s->best_returned = s->returned;
    s->best_depth = s->depth;
    memcpy(s->best, s->order, s->depth * sizeof *s->best);
}

static void find_longest(struct search *s)
{
    while (s->steps < PLUMB_STUCK_STEPS && s->best_returned < s->to_return) {
        if (deepen(s))
            keep_if_longest(s);
        else if (s->depth)
            take_back(s);
        else
            return;
    }
}

/* Set the search to its best order again. */
static void return_to_best(struct search *s)
{
    while (s->depth)
        take_back(s);
    for (uint32_t d = 0; d < s->best_depth; d++)
        append(s, s->best[d]);
}

/* ---- words ---- */

static void tell_state(const struct search *s,
                       const struct plumb_report_style *style,
                       struct plumb_base_text *out)
{
    if (!s->replay->state)
        return;
    plumb_base_text_add(out, s->depth == 0  ? " state "
                             : style->ascii ? " -> state "
                                            : " → state ");
    s->replay->state(s->replay->context, s->step, s->depth, out);
}

static void tell_order(const struct search *s,
                       const struct plumb_report_style *style,
                       struct plumb_base_text *out)
{
    const uint32_t from = s->depth > SHOWN ? s->depth - SHOWN : 0;
    if (s->depth == 0)
        plumb_base_text_add(out, "initially");
    if (from)
        plumb_base_text_add(out, style->ascii ? "... " : "… ");
    for (uint32_t d = from; d < s->depth; d++) {
        plumb_base_text_add(out, d > from ? " " : "");
        plumb_report_scene_letter(s->order[d], out);
    }
    tell_state(s, style, out);
}

/* "c must answer 1, not 2" */
static void tell_follower(const struct search *s,
                          const struct plumb_report_style *style, uint32_t i,
                          struct plumb_base_text *out)
{
    const struct plumb_history *const h = s->scene->h;
    struct plumb_base_text allowed = { .budget = out->budget };
    s->replay->answers(s->replay->context, s->step, s->depth, s->scene->op[i],
                       &allowed);
    if (allowed.size == 0) {
        plumb_base_text_add(out, "cannot return here");
    } else {
        plumb_base_text_printf(out, "must return %s, not ",
                               plumb_base_text_string(&allowed));
        plumb_report_label_answer(style, h, plumb_report_scene_op(s->scene, i),
                                  out);
    }
    out->broken |= allowed.broken;
    plumb_base_text_release(&allowed);
}

static uint32_t list_followers(const struct search *s, uint32_t *list)
{
    const uint32_t horizon = first_return(s);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (may_follow(s, i, horizon) &&
            !plumb_report_scene_is_pending(s->scene, i))
            list[count++] = i;
    return count;
}

static void tell_followers(struct search *s,
                           const struct plumb_report_style *style,
                           struct plumb_base_text *out)
{
    uint32_t *const list = s->candidate; /* no longer needed */
    const uint32_t count = list_followers(s, list);
    for (uint32_t k = 0; k < count && k < FOLLOWERS; k++) {
        plumb_base_text_add(out, k ? "; " : count == 1 ? "; only " : "; ");
        plumb_report_scene_letter(list[k], out);
        plumb_base_text_add(out, count == 1 ? " can be next, and " : " ");
        tell_follower(s, style, list[k], out);
    }
    if (count > FOLLOWERS)
        plumb_base_text_printf(out, "; none of %u others can be next",
                               (unsigned)(count - FOLLOWERS));
}

/* Find an order that gets stuck, and stand there. */
static bool get_stuck(struct search *s, struct plumb_base_arena *arena)
{
    if (!open_search(s, arena))
        return false;
    find_longest(s);
    if (s->best_returned >= s->to_return)
        return false;
    return_to_best(s);
    return true;
}

bool plumb_report_attempt_find(const struct plumb_report_scene *scene,
                               const struct plumb_report_replay *replay,
                               struct plumb_base_arena *arena,
                               struct plumb_report_attempt *attempt)
{
    struct search s = { .scene = scene, .replay = replay };
    if (!get_stuck(&s, arena))
        return false;
    *attempt = (struct plumb_report_attempt){
        .order = s.order,
        .step = s.step,
        .count = s.depth,
        .refused = s.candidate, /* no longer needed */
        .refusals = list_followers(&s, s.candidate),
    };
    return true;
}

bool plumb_report_explain_stuck(const struct plumb_report_scene *scene,
                                const struct plumb_report_replay *replay,
                                const struct plumb_report_style *style,
                                struct plumb_base_text *out)
{
    struct plumb_base_arena arena = { .budget = out->budget };
    struct search s = { .scene = scene, .replay = replay };
    const bool told = get_stuck(&s, &arena);
    if (told) {
        tell_order(&s, style, out);
        tell_followers(&s, style, out);
    }
    plumb_base_arena_release(&arena);
    return told;
}
