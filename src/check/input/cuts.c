/* cuts.c - see cuts.h. */
#include "cuts.h"

#include "base/pace.h"
#include "history/symbols.h"
#include "spec/builtin.h"
#include "spec/lexicon.h"
#include "spec/values.h"

/* How many items there are more after an operation. */
enum effect { ONE_LESS = -1, NONE, ONE_MORE, UNKNOWN };

struct finder {
    const struct plumb_budget *budget;
    const struct plumb_history *h;
    const struct plumb_spec *spec;
    struct plumb_spec_lexicon lexicon;
    struct plumb_check_cuts *out;
    /* Of the operation before: many that follow each other are alike. */
    uint32_t name, term;
    uint8_t nargs, nres;
    enum effect effect;
    bool if_true;   /* of those that answer true; the others have none */
    bool timed_out; /* the budget ends the run */
};

/* ---- what an operation does ---- */

static bool is_countable(const struct plumb_spec_type *type)
{
    return type == &plumb_spec_type_queue || type == &plumb_spec_type_stack ||
           type == &plumb_spec_type_priority_queue ||
           type == &plumb_spec_type_set || type == &plumb_spec_type_multiset;
}

static enum effect effect_of_role(enum plumb_spec_role role, unsigned term)
{
    const bool ok = term == PLUMB_TERM_OK;
    switch (role) {
    case PLUMB_ROLE_ADD:
        if (term == PLUMB_TERM_FULL)
            return NONE;
        return ok ? ONE_MORE : UNKNOWN;
    case PLUMB_ROLE_INSERT:
        return ok ? ONE_MORE : UNKNOWN;
    case PLUMB_ROLE_REMOVE:
        if (term == PLUMB_TERM_EMPTY)
            return NONE;
        return ok ? ONE_LESS : UNKNOWN;
    case PLUMB_ROLE_DELETE:
        return ok ? ONE_LESS : UNKNOWN;
    case PLUMB_ROLE_PEEK:
    case PLUMB_ROLE_MEMBER:
    case PLUMB_ROLE_COUNT:
        return NONE;
    default:
        return UNKNOWN;
    }
}

/* Inserts and deletes that have a result say by that if they did anything. */
static void learn(struct finder *f, const struct plumb_op *o)
{
    const int row = plumb_spec_lexicon_row(&f->lexicon, o);
    const enum plumb_spec_role role =
        row < 0 ? PLUMB_ROLE_OTHER : f->spec->type->ops[row].role;
    const bool keyed = role == PLUMB_ROLE_INSERT || role == PLUMB_ROLE_DELETE;
    f->name = o->name;
    f->term = o->term;
    f->nargs = o->nargs;
    f->nres = o->nres;
    f->effect =
        effect_of_role(role, plumb_spec_lexicon_term(&f->lexicon, o->term));
    f->if_true = keyed && o->nres > 0;
}

/* Of one that returned. */
static enum effect effect_of(struct finder *f, const struct plumb_op *o)
{
    if (o->name != f->name || o->term != f->term || o->nargs != f->nargs ||
        o->nres != f->nres)
        learn(f, o);
    if (!f->if_true)
        return f->effect;
    struct plumb_value answer = plumb_op_results(f->h, o)[0];
    if (!plumb_spec_value_as_boolean(f->h, &answer))
        return UNKNOWN;
    return answer.bits ? f->effect : NONE;
}

/* ---- where it is empty ---- */

/* Where threads are always at work there is no cut, and it would be a waste of
 * time to look for one everywhere. */
static bool is_hopeless(const struct plumb_check_cuts *c, uint32_t i,
                        uint32_t least)
{
    const uint32_t some = 1000;
    return c->pieces == 1 && i > 2 * (uint64_t)least + some;
}

/* False: who knows what is in there. */
static bool find(struct finder *f, uint32_t least)
{
    const struct plumb_history *const h = f->h;
    struct plumb_check_cuts *const out = f->out;
    uint32_t end = 0; /* of all operations so far */
    int64_t items = 0;
    f->name = PLUMB_NEVER;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct plumb_op *const o = h->op + i;
        f->timed_out = !plumb_base_in_time(f->budget, i);
        if (f->timed_out)
            return false;
        if (items == 0 && end < o->call &&
            i - out->from[out->pieces - 1] >= least && h->count - i >= least)
            out->from[out->pieces++] = i;
        if (plumb_op_is_pending(o) /* open for ever */ ||
            is_hopeless(out, i, least))
            return true;
        end = o->resp > end ? o->resp : end;
        if (o->outcome == PLUMB_OUTCOME_FAIL)
            continue;
        const enum effect effect = effect_of(f, o);
        if (effect == UNKNOWN)
            return false;
        items += effect;
    }
    return true;
}

/* What is done once for each piece grows with the symbols. */
static uint32_t least_of(const struct plumb_history *h, uint32_t least)
{
    const uint32_t enough = h->symbols->count / 4;
    const uint32_t few = 64;
    return least > enough || h->symbols->count < few ? least : enough;
}

bool plumb_check_cuts_find(const struct plumb_history *h,
                           const struct plumb_spec *spec, uint32_t least,
                           struct plumb_base_arena *arena,
                           struct plumb_check_cuts *cuts)
{
    struct finder f = {
        .budget = arena->budget, .h = h, .spec = spec, .out = cuts
    };
    least = least_of(h, least ? least : 1);
    cuts->from = plumb_base_arena_zeroed(arena, (h->count / least + (size_t)2) *
                                                    sizeof *cuts->from);
    cuts->pieces = 1;
    if (!cuts->from)
        return false;
    bool room = true;
    if (h->objects == 1 && is_countable(spec->type) && h->count / 2 >= least) {
        room = plumb_spec_lexicon_open(&f.lexicon, h, spec, arena->budget);
        if (room && !find(&f, least))
            cuts->pieces = 1;
        plumb_spec_lexicon_close(&f.lexicon);
    }
    cuts->from[cuts->pieces] = h->count;
    return room && !f.timed_out;
}

/* ---- pieces ---- */

/* Where the values of its operations are. */
struct extent {
    uint32_t first, end;
    uint64_t used; /* by its operations */
};

static bool find_values(const struct plumb_budget *budget,
                        const struct plumb_op *op, uint32_t count,
                        struct extent *e)
{
    *e = (struct extent){ .first = UINT32_MAX };
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t values = (uint32_t)op[i].nargs + op[i].nres;
        if (!plumb_base_in_time(budget, i))
            return false;
        if (values && op[i].values < e->first)
            e->first = op[i].values;
        if (values && op[i].values + values > e->end)
            e->end = op[i].values + values;
        e->used += values;
    }
    if (e->first > e->end)
        e->first = e->end;
    return true;
}

static bool move(const struct plumb_budget *budget, struct plumb_op *op,
                 uint32_t count, uint32_t rank, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++) {
        struct plumb_op *const o = op + i;
        if (!plumb_base_in_time(budget, i))
            return false;
        o->call -= rank;
        if (o->resp != PLUMB_NEVER)
            o->resp -= rank;
        o->values = o->nargs || o->nres ? o->values - value : 0;
    }
    return true;
}

/* Where values are not in the order of time (of threads that were recorded one
 * after the other, say) those of a piece are brought together. */
static const struct plumb_value *gather(const struct plumb_history *h,
                                        struct plumb_op *op, uint32_t count,
                                        const struct extent *e,
                                        struct plumb_base_arena *arena)
{
    struct plumb_value *const value =
        plumb_base_arena_alloc(arena, (e->used + 1) * sizeof *value);
    uint32_t used = 0;
    for (uint32_t i = 0; value && i < count; i++) {
        const uint32_t first = op[i].values;
        if (!plumb_base_in_time(arena->budget, i))
            return NULL;
        op[i].values = used;
        for (uint32_t k = 0; k < (uint32_t)op[i].nargs + op[i].nres; k++)
            value[used++] = h->value[first + k];
    }
    return value;
}

bool plumb_check_cuts_piece(const struct plumb_history *h,
                            const struct plumb_check_cuts *cuts, uint32_t piece,
                            struct plumb_base_arena *arena,
                            struct plumb_history *part, uint32_t *rank)
{
    const uint32_t from = cuts->from[piece], to = cuts->from[piece + 1];
    const uint32_t count = to - from;
    struct plumb_op *const op =
        plumb_base_arena_alloc(arena, count * sizeof *op);
    struct extent e;
    if (!op ||
        !plumb_base_paced_copy(arena->budget, op, h->op + from,
                               count * sizeof *op) ||
        !find_values(arena->budget, op, count, &e))
        return false;
    const struct plumb_value *value = h->value + e.first;
    if (e.end - e.first > 2 * e.used) {
        value = gather(h, op, count, &e, arena);
        e = (struct extent){ .end = (uint32_t)e.used };
    }
    *rank = piece ? h->op[from].call : 0;
    if (!value || !move(arena->budget, op, count, *rank, e.first))
        return false;
    *part = *h;
    part->op = op;
    part->value = value;
    part->origin = NULL;
    part->count = count;
    part->values = e.end - e.first;
    part->events = (to < h->count ? h->op[to].call : h->events) - *rank;
    part->valid = true;
    return true;
}
