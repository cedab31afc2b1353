/* scene.c - choosing and naming the operations of a report. */
#include "scene.h"
#include <assert.h>

struct plumb_report_scene plumb_report_scene_of_core(
    const struct plumb_history *h, const struct plumb_core *core)
{
    return (struct plumb_report_scene){
        .h = h,
        .op = core->op,
        .forgotten = core->forgotten,
        .count = core->count,
        .cut = core->cut,
    };
}

bool plumb_report_scene_of_history(const struct plumb_history *h,
                                   struct plumb_base_arena *arena,
                                   struct plumb_report_scene *scene)
{
    uint32_t *const op =
        plumb_base_arena_alloc(arena, (h->count + (size_t)1) * sizeof *op);
    uint32_t count = 0;
    if (!op)
        return false;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->op[i].outcome != PLUMB_OUTCOME_FAIL)
            op[count++] = i;
    *scene = (struct plumb_report_scene){
        .h = h, .op = op, .count = count, .cut = PLUMB_NEVER
    };
    return true;
}

/* Bijective base 26: a, ..., z, aa, ab, ..., zz, aaa, ... */
void plumb_report_scene_letter(uint32_t i, struct plumb_base_text *out)
{
    char letters[8];
    size_t at = sizeof letters;
    for (uint64_t n = (uint64_t)i + 1; n; n = (n - 1) / 26)
        letters[--at] = (char)('a' + (n - 1) % 26);
    plumb_base_text_bytes(out, letters + at, sizeof letters - at);
}
