/* told.c - making items of calls and returns. */
#include "told.h"

#include "base/sort.h"

uint32_t plumb_check_told_items(const struct plumb_spec_type *type,
                                const struct plumb_spec_action *a)
{
    return 1u + (type->called != NULL) +
           (type->returned && a->ret != PLUMB_NEVER);
}

static void add_instant(struct plumb_check_part *p, struct plumb_spec_action *a,
                        uint32_t rank)
{
    const uint32_t at = PLUMB_TOLD_RANKS * rank;
    p->item[p->count++] =
        (struct plumb_check_part_item){ a, a->whose, at, at + 1 };
}

static void add_effect(struct plumb_check_part *p,
                       const struct plumb_spec_action *a)
{
    const uint32_t ret =
        a->ret == PLUMB_NEVER ? PLUMB_NEVER : PLUMB_TOLD_RANKS * a->ret - 1;
    p->item[p->count++] =
        (struct plumb_check_part_item){ a, a->whose,
                                        PLUMB_TOLD_RANKS * a->call + 2, ret };
}

static struct plumb_spec_action *next_moment(struct plumb_spec_action *at,
                                             const struct plumb_spec_action *a,
                                             uint32_t whose,
                                             enum plumb_spec_moment moment)
{
    *at = *a;
    at->whose = whose;
    at->moment = (uint8_t)moment;
    return at;
}

bool plumb_check_told_add(const struct plumb_spec_bound *b, uint32_t i,
                          struct plumb_base_arena *arena,
                          struct plumb_check_part *p)
{
    const struct plumb_spec_type *const type = b->spec->type;
    const struct plumb_spec_action *const a = b->action + i;
    const uint32_t items = plumb_check_told_items(type, a);
    struct plumb_spec_action *at =
        plumb_base_arena_alloc(arena, items * sizeof *at);
    if (!at || b->history->events >= PLUMB_NEVER / PLUMB_TOLD_RANKS)
        return false;
    if (type->called)
        add_instant(p, next_moment(at++, a, i, PLUMB_MOMENT_CALL), a->call);
    add_effect(p, next_moment(at++, a, i, PLUMB_MOMENT_EFFECT));
    if (type->returned && a->ret != PLUMB_NEVER)
        add_instant(p, next_moment(at, a, i, PLUMB_MOMENT_RETURN), a->ret);
    return true;
}

static int by_call(const void *x, const void *y)
{
    const struct plumb_check_part_item *const a = x, *const b = y;
    return (a->call > b->call) - (a->call < b->call);
}

bool plumb_check_told_sort(struct plumb_check_part *p,
                           struct plumb_budget *budget)
{
    p->told = true;
    return plumb_base_sort(budget, p->item, p->count, sizeof *p->item, by_call);
}
