/* verify_growth.c - a variable without end is larger in later states.
 *
 * States are numbered as they are met, so what grows without end has a larger
 * value in each part of them than in the part before.  A few states of each
 * part are looked at.  A variable with an end may grow for as long: so what is
 * said is what was seen. */
#include "verify_growth.h"

#include "base/memory.h"
#include <inttypes.h>
#include <string.h>

enum {
    FEWEST = 512, /* states, or nothing is said       */
    PARTS = 8,
    LOOKS = 64,    /* at states of each part          */
    GROWING = 5,   /* parts, the last ones            */
    MOST_TOLD = 3, /* of a process                    */
    MOST_SLOTS = 1 << 16
};

struct extremes {
    int64_t most, least;
};

struct growth {
    const struct plumb_refine_side *side;
    uint32_t slots, states;
    uint32_t *vector;
    struct extremes *seen; /* of each part, for each slot */
    struct plumb_base_text *out;
    unsigned told;
};

static void look_at(struct growth *g, uint32_t state, struct extremes *seen,
                    bool first)
{
    plumb_csp_numbering_vector(g->side->numbering, state, g->vector);
    for (uint32_t s = 0; s < g->slots; s++) {
        const int64_t size =
            plumb_csp_system_slot_size(g->side->system, s, g->vector[s]);
        if (first || size > seen[s].most)
            seen[s].most = size;
        if (first || size < seen[s].least)
            seen[s].least = size;
    }
}

static void look(struct growth *g)
{
    for (uint64_t p = 0; p < PARTS; p++)
        for (uint64_t i = 0; i < LOOKS; i++)
            look_at(g,
                    (uint32_t)((p * LOOKS + i) * g->states / (PARTS * LOOKS)),
                    g->seen + p * g->slots, i == 0);
}

/* 1 if it becomes larger and larger, -1 if smaller, 0 if neither. */
static int direction_of(const struct growth *g, uint32_t slot)
{
    bool up = true, down = true;
    for (uint32_t p = PARTS - GROWING + 1; p < PARTS; p++) {
        const struct extremes *const now = g->seen + p * g->slots + slot;
        up &= now->most > now[-(ptrdiff_t)g->slots].most;
        down &= now->least < now[-(ptrdiff_t)g->slots].least;
    }
    return up ? 1 : down ? -1 : 0;
}

static void tell(struct growth *g, uint32_t slot, int direction)
{
    const struct extremes *const last = g->seen + (PARTS - 1) * g->slots + slot;
    plumb_base_text_add(g->out, g->told++ ? ", " : "  still growing: ");
    plumb_csp_system_slot_name(g->side->system, slot, g->out);
    if (slot >= plumb_csp_system_globals(g->side->system))
        plumb_base_text_add(g->out, ", with new arguments or operands");
    else
        plumb_base_text_printf(g->out, " (%s %" PRId64 ")",
                               direction > 0 ? "up to" : "down to",
                               direction > 0 ? last->most : last->least);
}

/* Components only if no variable grows. */
static void tell_all(struct growth *g)
{
    const uint32_t globals = plumb_csp_system_globals(g->side->system);
    for (uint32_t s = 0; s < g->slots && g->told < MOST_TOLD; s++) {
        const int direction = s < globals || !g->told ? direction_of(g, s) : 0;
        if (direction && (s < globals || direction > 0))
            tell(g, s, direction);
    }
    if (g->told)
        plumb_base_text_add(g->out, "; without a bound no search ends\n");
}

/* Whether anything grows there. */
static bool look_at_side(const struct plumb_refine_side *side,
                         struct plumb_base_text *out)
{
    if (!side->system || !side->numbering)
        return false;
    const struct plumb_csp_graph_source source =
        plumb_csp_numbering_source(side->numbering);
    struct growth g = { .side = side,
                        .slots = plumb_csp_system_slots(side->system),
                        .states = source.states(source.context),
                        .out = out };
    const size_t seen = (size_t)PARTS * g.slots;
    if (g.states < FEWEST || g.slots > MOST_SLOTS)
        return false;
    g.vector = plumb_base_alloc(NULL, g.slots * sizeof *g.vector);
    g.seen = plumb_base_alloc(NULL, seen * sizeof *g.seen);
    if (g.vector && g.seen) {
        look(&g);
        tell_all(&g);
    }
    PLUMB_RELEASE(NULL, g.vector, g.slots);
    PLUMB_RELEASE(NULL, g.seen, seen);
    return g.told;
}

void verify_growth(const struct plumb_refine_judgement *j,
                   struct plumb_base_text *out)
{
    if (!look_at_side(&j->impl, out))
        look_at_side(&j->spec, out);
}
