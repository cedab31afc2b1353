/* explain_items.c - objects that items are put into and taken out of.
 *
 * Nearly every short reason is something that cannot be while an item is surely
 * inside, or that an item was never inside at all. */
#include "items.h"

#include <string.h>

/* ---- sentences that patterns share ---- */

const char *plumb_report_items_text(const struct plumb_report_items *m,
                                    uint32_t i)
{
    const struct plumb_report_item_fact *const f = m->fact + i;
    struct plumb_base_text t = { .budget = m->story->arena->budget };
    plumb_base_text_add(&t, f->size > 1 ? "(" : "");
    plumb_report_label_values(m->story->style, m->scene->h, f->item, f->size,
                              &t);
    plumb_base_text_add(&t, f->size > 1 ? ")" : "");
    const char *const text = plumb_base_text_string(&t);
    const char *const kept =
        plumb_base_arena_copy(m->story->arena, text, strlen(text) + 1);
    plumb_base_text_release(&t);
    return kept ? kept : "?";
}

/* deq() returned its item; delete(x) found the one it was given. */
static const char *answering(const struct plumb_report_items *m, uint32_t i)
{
    return plumb_report_scene_op(m->scene, i)->nargs ? "found" : "returned";
}

static void tell_inside(const struct plumb_report_items *m, uint32_t add)
{
    const uint32_t taker = plumb_report_items_first_taker(m, add);
    const char *const item = plumb_report_items_text(m, add);
    if (taker < m->count)
        plumb_report_story_tell(
            m->story, "~ was present from the return of @ until @ was called",
            item, add, taker);
    else
        plumb_report_story_tell(
            m->story, "~ was present from the return of @ on", item, add);
}

/* ---- patterns ---- */

/* An item came out that had not been put in. */
static bool came_from_nowhere(const struct plumb_report_items *m, uint32_t i)
{
    uint32_t first = m->count;
    if (!plumb_report_items_answers(m, i))
        return false;
    for (uint32_t a = m->count; a-- > 0;)
        if (plumb_report_items_may_add(m, a, m->fact + i))
            first = a;
    const char *const item = plumb_report_items_text(m, i);
    if (first == m->count) {
        plumb_report_story_tell(m->story, "@ ~ ~, which was never ~", i,
                                answering(m, i), item, m->kind->added);
        return true;
    }
    if (plumb_report_scene_op(m->scene, first)->call <
        plumb_report_scene_ret(m->scene, i))
        return false;
    plumb_report_story_tell(m->story,
                            "@ ~ ~ before it was ~: @ was called later", i,
                            answering(m, i), item, m->kind->added, first);
    return true;
}

/* More came out than was put in. */
static bool came_out_too_often(const struct plumb_report_items *m, uint32_t i)
{
    uint32_t takes = 0, earlier = i, add = 0;
    if (m->stutters || !plumb_report_items_surely_takes(m, i))
        return false;
    for (uint32_t j = 0; j <= i; j++)
        if (plumb_report_items_surely_takes(m, j) &&
            plumb_report_items_same(m->fact + j, m->fact + i)) {
            takes++;
            earlier = j < i ? j : earlier;
        }
    const uint32_t adds = plumb_report_items_count_adds(m, m->fact + i, &add);
    if (takes <= adds || adds == 0)
        return false;
    const char *const item = plumb_report_items_text(m, i);
    if (adds == 1)
        plumb_report_story_tell(
            m->story, "@ and @ both ~ ~, but only @ ~ it, and only once",
            earlier, i, m->kind->took, item, add, m->kind->added);
    else
        plumb_report_story_tell(
            m->story, "~ was removed # times, but ~ only # times", item,
            (int64_t)takes, m->kind->added, (int64_t)adds);
    return true;
}

/* "Empty", although at each moment of the operation something was inside: the
 * times of several items may together cover it. */
static bool was_never_empty(const struct plumb_report_items *m, uint32_t i)
{
    const struct plumb_report_item_fact *const f = m->fact + i;
    uint32_t chain[8], links = 0;
    uint32_t rank = plumb_report_scene_op(m->scene, i)->call;
    if (!f->says_empty || m->lenient ||
        plumb_report_scene_is_pending(m->scene, i))
        return false;
    while (rank <= plumb_report_scene_ret(m->scene, i)) {
        const uint32_t a = plumb_report_items_longest_inside(m, rank, f);
        if (a == m->count || links == 8)
            return false;
        chain[links++] = a;
        rank = plumb_report_items_inside_until(m, a);
    }
    for (uint32_t k = 0; k < links; k++)
        tell_inside(m, chain[k]);
    plumb_report_story_tell(
        m->story,
        f->size ? "@ ran entirely in that time, yet did not find the item"
                : "@ ran entirely in that time, yet returned empty",
        i);
    return true;
}

static void tell_overtaking(const struct plumb_report_items *m, uint32_t d,
                            uint32_t e)
{
    const char *const y = plumb_report_items_text(m, d);
    const char *const x = plumb_report_items_text(m, e);
    const char *const format =
        m->fact[d].role == LOOK
            ? "@ returned before @ was called, so ~ was at the front while ~ "
              "was in the queue"
        : m->fact[e].role == LOOK
            ? "@ returned before @ was called, so ~ left the queue while ~ was "
              "in it"
            : "@ returned before @ was called, so ~ left the queue before ~";
    plumb_report_story_tell(m->story, format, d, e, y, x);
}

/* The older item of the queue: d answers y while the x of `a` is inside. */
static bool overtakes(const struct plumb_report_items *m, uint32_t a,
                      uint32_t d)
{
    const uint32_t b = plumb_report_items_only_adder(m, d);
    if (b == m->count || plumb_report_items_only_adder(m, a) != a ||
        !plumb_report_items_surely_adds(m, a) ||
        !plumb_report_scene_precedes(m->scene, a, b))
        return false;
    uint32_t e = 0;
    while (e < m->count &&
           !(plumb_report_items_answers(m, e) &&
             plumb_report_items_same(m->fact + e, m->fact + a) &&
             plumb_report_scene_precedes(m->scene, d, e)))
        e++;
    if (e == m->count && plumb_report_items_inside_until(m, a) <
                             plumb_report_scene_ret(m->scene, d))
        return false;
    const char *const x = plumb_report_items_text(m, a);
    const char *const y = plumb_report_items_text(m, d);
    plumb_report_story_tell(
        m->story,
        "@ returned before @ was called, so ~ entered the queue before ~", a, b,
        x, y);
    if (e < m->count)
        tell_overtaking(m, d, e);
    else
        plumb_report_story_tell(
            m->story,
            "@ returned ~, although ~ was ahead of it and still in the queue",
            d, y, x);
    return true;
}

static bool broke_first_in_first_out(const struct plumb_report_items *m,
                                     uint32_t d)
{
    if (!m->fifo || !plumb_report_items_answers(m, d))
        return false;
    for (uint32_t a = 0; a < m->count; a++)
        if (m->fact[a].role == ADD && overtakes(m, a, d))
            return true;
    return false;
}

/* d answers x, added by a, while the later y of `b` lies on top of it. */
static bool reaches_below(const struct plumb_report_items *m, uint32_t b,
                          uint32_t d)
{
    const uint32_t a = plumb_report_items_only_adder(m, d);
    if (a == m->count || a == b ||
        !plumb_report_scene_precedes(m->scene, a, b) ||
        !plumb_report_items_inside_throughout(m, b, d))
        return false;
    const char *const x = plumb_report_items_text(m, d);
    const char *const y = plumb_report_items_text(m, b);
    plumb_report_story_tell(
        m->story, "@ returned before @ was called, so ~ was pushed on top of ~",
        a, b, y, x);
    tell_inside(m, b);
    plumb_report_story_tell(
        m->story, "@ ran entirely in that time, yet returned ~", d, x);
    return true;
}

static bool broke_last_in_first_out(const struct plumb_report_items *m,
                                    uint32_t d)
{
    if (!m->lifo || !plumb_report_items_answers(m, d))
        return false;
    for (uint32_t b = 0; b < m->count; b++)
        if (reaches_below(m, b, d))
            return true;
    return false;
}

static int compare_texts(const struct plumb_history *h, struct plumb_value a,
                         struct plumb_value b)
{
    size_t x, y;
    const char *const s = plumb_symbol_text(h->symbols, (uint32_t)a.bits, &x);
    const char *const t = plumb_symbol_text(h->symbols, (uint32_t)b.bits, &y);
    const int order = memcmp(s, t, x < y ? x : y);
    return order ? order : (x > y) - (x < y);
}

int plumb_report_items_compare(const struct plumb_report_items *m,
                               struct plumb_value a, struct plumb_value b)
{
    if (a.tag != b.tag)
        return a.tag < b.tag ? -1 : 1;
    if (a.tag == PLUMB_STR)
        return compare_texts(m->scene->h, a, b);
    const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    return (x > y) - (x < y);
}

static bool passed_over(const struct plumb_report_items *m, uint32_t d)
{
    if (!(m->smallest_first || m->largest_first) ||
        !plumb_report_items_answers(m, d))
        return false;
    for (uint32_t a = 0; a < m->count; a++) {
        if (!plumb_report_items_inside_throughout(m, a, d) ||
            m->fact[a].size == 0)
            continue;
        const int order = plumb_report_items_compare(m, m->fact[a].item[0],
                                                     m->fact[d].item[0]);
        if (m->largest_first ? order <= 0 : order >= 0)
            continue;
        tell_inside(m, a);
        plumb_report_story_tell(
            m->story,
            "@ ran entirely in that time, yet returned ~, which is ~ than ~", d,
            plumb_report_items_text(m, d),
            m->largest_first ? "smaller" : "larger",
            plumb_report_items_text(m, a));
        return true;
    }
    return false;
}

/* The plainest reason first. */
static bool (*const patterns[])(const struct plumb_report_items *m,
                                uint32_t i) = {
    came_from_nowhere,
    came_out_too_often,
    was_never_empty,
    broke_first_in_first_out,
    broke_last_in_first_out,
    passed_over,
    plumb_report_items_left_early,
    plumb_report_items_overtaken,
};

static bool tell_items(const struct plumb_report_items *m)
{
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (uint32_t i = 0; i < m->count; i++)
            if (patterns[p](m, i))
                return true;
    return false;
}

bool plumb_report_story_of_items(const struct plumb_report_story *s,
                                 const char *type)
{
    struct plumb_report_items m;
    return plumb_report_items_read(s, type, &m) && tell_items(&m);
}
