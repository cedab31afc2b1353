/* traits.c - classes of twins by hashing; read-only by asking the type. */
#include "traits.h"

#include "base/hash.h"
#include <string.h>

struct classes {
    const struct plumb_spec_action **member; /* one action of each class */
    bool *pending;
    uint32_t *slot; /* class + 1, or 0; for all actions, so it never grows */
    size_t slots;
    uint32_t count;
    bool by_thread; /* the specification may look at the thread */
};

static uint64_t hash_action(const struct plumb_spec_action *a, bool pending)
{
    uint64_t h = plumb_base_mix(a->kind, pending ? PLUMB_TERM_ANY : a->term);
    for (unsigned i = 0; i < a->nargs; i++)
        h = plumb_base_mix(h, a->arg[i]);
    for (unsigned i = 0; !pending && i < a->nres; i++)
        h = plumb_base_mix(h, a->res[i]);
    return h;
}

static bool same_values(const plumb_spec_vid *a, const plumb_spec_vid *b,
                        unsigned n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static bool is_twin(const struct classes *c, const struct plumb_spec_action *a,
                    const struct plumb_spec_action *b, bool pending)
{
    if (a->kind != b->kind || a->nargs != b->nargs ||
        (c->by_thread && a->thread != b->thread) ||
        !same_values(a->arg, b->arg, a->nargs))
        return false;
    return pending || (a->term == b->term && a->nres == b->nres &&
                       same_values(a->res, b->res, a->nres));
}

static uint32_t class_of(struct classes *c, const struct plumb_spec_action *a,
                         bool pending)
{
    const size_t mask = c->slots - 1;
    size_t i = hash_action(a, pending) & mask;
    for (; c->slot[i]; i = (i + 1) & mask) {
        const uint32_t k = c->slot[i] - 1;
        if (c->pending[k] == pending && is_twin(c, c->member[k], a, pending))
            return k;
    }
    c->member[c->count] = a;
    c->pending[c->count] = pending;
    c->slot[i] = ++c->count;
    return c->count - 1;
}

static struct plumb_spec_action forget(const struct plumb_spec_action *a)
{
    struct plumb_spec_action forgotten = *a;
    forgotten.term = PLUMB_TERM_ANY;
    forgotten.nres = 0;
    return forgotten;
}

static bool would_branch(const struct plumb_spec_bound *b,
                         const struct plumb_spec_action *a)
{
    const struct plumb_spec_type *const type = b->spec->type;
    const struct plumb_spec_action forgotten = forget(a);
    return type->branches && type->branches(b, &forgotten);
}

static struct plumb_check_trait trait_of(const struct plumb_spec_bound *b,
                                         struct classes *c,
                                         const struct plumb_spec_action *a)
{
    const struct plumb_spec_type *const type = b->spec->type;
    const bool pending = plumb_check_action_is_pending(a);
    const struct plumb_spec_action forgotten = forget(a);
    struct plumb_check_trait t;
    t.pending_twins = class_of(c, a, true);
    t.twins = pending ? t.pending_twins : class_of(c, a, false);
    t.reads = type->reads && type->reads(b->spec, a);
    t.pending_reads = type->reads && type->reads(b->spec, &forgotten);
    return t;
}

bool plumb_check_traits_make(const struct plumb_spec_bound *bound,
                             struct plumb_base_arena *arena,
                             struct plumb_check_traits *traits)
{
    const uint32_t n = bound->history->count;
    struct plumb_base_arena scratch;
    struct classes c = { .slots = 16,
                         .by_thread = bound->spec->user ||
                                      bound->spec->type->by_thread };
    /* steps, and operations that a state names, are told apart: no twins */
    const bool distinct =
        bound->spec->type->stepwise || plumb_spec_is_told(bound->spec->type);
    while (c.slots < 4 * (size_t)n)
        c.slots *= 2;
    plumb_base_arena_init(&scratch, arena->budget);
    c.member =
        plumb_base_arena_alloc(&scratch, 2 * (size_t)n * sizeof *c.member);
    c.pending =
        plumb_base_arena_alloc(&scratch, 2 * (size_t)n * sizeof *c.pending);
    c.slot = plumb_base_arena_zeroed(&scratch, c.slots * sizeof *c.slot);
    struct plumb_check_trait *const trait =
        plumb_base_arena_zeroed(arena, n * sizeof *trait);
    bool room = c.member && c.pending && c.slot && trait;
    bool branches = false;
    for (uint32_t i = 0; room && i < n; i++) {
        if (i % PLUMB_POLL_OPERATIONS == 0 &&
            plumb_budget_state(arena->budget) != PLUMB_OK)
            room = false;
        if (bound->action[i].skip)
            continue;
        trait[i] = trait_of(bound, &c, bound->action + i);
        if (distinct)
            trait[i].twins = trait[i].pending_twins = i;
        branches |= would_branch(bound, bound->action + i);
    }
    *traits =
        (struct plumb_check_traits){ trait, distinct ? n : c.count, branches };
    plumb_base_arena_release(&scratch);
    return room;
}
