/* explain_relaxed.c - items that left before others, too far or too often. */
#include "items.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum object { QUEUE, STACK, PRIORITY_QUEUE, NEITHER };

static enum object object_of(const struct plumb_report_items *m)
{
    static const char *const names[] = { "queue", "stack", "priority-queue" };
    const size_t size = strcspn(m->story->spec, ":");
    for (unsigned i = 0; i < NEITHER; i++)
        if (strlen(names[i]) == size &&
            memcmp(names[i], m->story->spec, size) == 0)
            return (enum object)i;
    return NEITHER;
}

/* The first of these parameters that is given, as in k=2; NULL: none is. */
static const char *bound_of(const struct plumb_report_items *m,
                            const char *const *names, size_t count,
                            int64_t *bound)
{
    for (size_t i = 0; i < count; i++) {
        char text[48];
        *bound = plumb_report_story_number(m->story, names[i], -1);
        if (*bound < 0)
            continue;
        snprintf(text, sizeof text, "%s=%" PRId64, names[i], *bound);
        return plumb_base_arena_copy(m->story->arena, text, strlen(text) + 1);
    }
    return NULL;
}

/* Should what `a` added surely leave before what `b` added? */
static bool goes_first(const struct plumb_report_items *m, enum object object,
                       uint32_t a, uint32_t b)
{
    const struct plumb_report_item_fact *const x = m->fact + a, *const y =
                                                                    m->fact + b;
    size_t size;
    if (object == QUEUE)
        return plumb_report_scene_precedes(m->scene, a, b);
    if (object == STACK)
        return plumb_report_scene_precedes(m->scene, b, a);
    const int order =
        x->size && y->size
            ? plumb_report_items_compare(m, x->item[0], y->item[0])
            : 0;
    return plumb_report_story_param(m->story, "max", &size) ? order > 0
                                                            : order < 0;
}

/* 1, 2 and 3: the items of those operations; lives as long as the arena. */
static const char *list_items(const struct plumb_report_items *m,
                              const bool *listed, uint32_t count)
{
    struct plumb_base_text t = { .budget = m->story->arena->budget };
    uint32_t left = count;
    for (uint32_t i = 0; i < m->count; i++) {
        if (!listed[i])
            continue;
        plumb_base_text_add(&t, plumb_report_items_text(m, i));
        left--;
        plumb_base_text_add(&t, left > 1 ? ", " : left ? " and " : "");
    }
    const char *const text = plumb_base_text_string(&t);
    const char *const kept =
        plumb_base_arena_copy(m->story->arena, text, strlen(text) + 1);
    plumb_base_text_release(&t);
    return kept ? kept : "?";
}

/* ---- patterns ---- */

bool plumb_report_items_left_early(const struct plumb_report_items *m,
                                   uint32_t i)
{
    static const char *const names[] = { "k", "early" };
    const enum object object = object_of(m);
    int64_t bound, ahead = 0;
    const char *const text = bound_of(m, names, 2, &bound);
    bool *const listed =
        plumb_base_arena_zeroed(m->story->arena, m->count * sizeof *listed);
    if (object == NEITHER || !text || !listed ||
        !plumb_report_items_answers(m, i))
        return false;
    const uint32_t b = plumb_report_items_only_adder(m, i);
    for (uint32_t a = 0; b < m->count && a < m->count; a++) {
        listed[a] = a != b && plumb_report_items_only_adder(m, a) == a &&
                    plumb_report_items_inside_throughout(m, a, i) &&
                    goes_first(m, object, a, b);
        ahead += listed[a];
    }
    if (ahead <= bound)
        return false;
    plumb_report_story_tell(
        m->story, "@ returned ~ while ~ were ahead of it; ~ allows # at most",
        i, plumb_report_items_text(m, i),
        list_items(m, listed, (uint32_t)ahead), text, bound);
    return true;
}

/* Did removal d surely take its item while that of `a` was inside? */
static bool overtakes(const struct plumb_report_items *m, enum object object,
                      uint32_t a, uint32_t d)
{
    const uint32_t b = plumb_report_items_only_adder(m, d);
    return plumb_report_items_surely_takes(m, d) && b < m->count && b != a &&
           goes_first(m, object, a, b) &&
           (object == QUEUE || plumb_report_scene_precedes(m->scene, a, d)) &&
           plumb_report_scene_ret(m->scene, d) <
               plumb_report_items_inside_until(m, a);
}

bool plumb_report_items_overtaken(const struct plumb_report_items *m,
                                  uint32_t i)
{
    static const char *const names[] = { "late", "k" };
    const enum object object = object_of(m);
    int64_t bound, times = 0;
    const char *const text =
        bound_of(m, names, object == QUEUE ? 2 : 1, &bound);
    bool *const listed =
        plumb_base_arena_zeroed(m->story->arena, m->count * sizeof *listed);
    if (object == NEITHER || !text || !listed ||
        !plumb_report_items_surely_adds(m, i) ||
        plumb_report_items_only_adder(m, i) != i)
        return false;
    for (uint32_t d = 0; d < m->count; d++) {
        listed[d] = overtakes(m, object, i, d);
        times += listed[d];
    }
    if (times <= bound)
        return false;
    plumb_report_story_tell(
        m->story,
        "~ left while ~ was still there and ahead of ~; ~ allows # to overtake "
        "it",
        list_items(m, listed, (uint32_t)times), plumb_report_items_text(m, i),
        times > 1 ? "them" : "it", text, bound);
    return true;
}
