/* shrink.c - from a violation to its core.
 *
 * A *weakening* of a history is linearizable if the history is.  So as long as
 * the weakened history is still not linearizable, it is the better
 * explanation.  Weakenings, in the order they are tried:
 *
 *   cut       drop all events from some rank on;
 *   value     delete all operations that belong to a value, where the type is
 *             closed under that, or no answer that remains is in the way;
 *   read      delete an operation that only reads;
 *   response  forget a response: the operation becomes pending.
 *
 * The last three come as lists of units, and are tried in chunks that halve
 * down to single units (delta debugging, greedily), until a whole round of
 * single units changes nothing: then no single step is left and the core is
 * minimal.  Each try is a run of the search, limited in steps; all together
 * may take EFFORT times the steps of the decision, so shrinking never costs
 * more than a small multiple of deciding.  Steps, not seconds: the core does
 * not depend on the machine. */
#include "shrink.h"

#include "barred_values.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"
#include "check/search/search.h"
#include "check/search/told.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { EFFORT = 16, FREE_STEPS = 100000, HARDER = 4, EASY = 2000, FEW = 7 };
static_assert((int)FEW <= (int)PLUMB_ENUMERATE, "the verifier tries those");

/* An operation of the part, and what has become of it: what is said of an item
 * stands with the first of the operation's. */
struct piece {
    uint32_t first;       /* the first item of the same operation         */
    uint32_t call;        /* in the history                               */
    uint32_t ret;         /* likewise; PLUMB_NEVER if pending there       */
    plumb_spec_vid owner; /* the value it belongs to, with its result     */
    bool value_deleted, read_deleted, forgotten;
};

struct shrinker {
    const struct plumb_check_case *c;
    const struct plumb_check_part *part;
    struct plumb_check_searcher search;
    struct plumb_base_arena scratch;
    struct piece *piece; /* by item of the part */
    struct plumb_spec_action
        *pending;                 /* its action with the response forgotten */
    uint32_t *first;              /* by operation, if told: an item + 1 */
    struct plumb_check_part weak; /* the weakening that is being tried */
    uint32_t cut;
    uint64_t steps_left;
    uint64_t last_steps; /* of the last weakening that was a violation */
    bool doubt;          /* a try of this round was not decided */
    uint32_t *unit;      /* what the current chunks consist of */
    uint32_t units;
    bool closed; /* under deleting values: else some are barred */
    struct plumb_check_barred barred;
    bool *stays;           /* by value, if it is not closed */
    plumb_spec_vid spared; /* the value that is not tried in the first round */
    bool timed_out; /* the budget ended the run while something was weakened */
};

enum kind { VALUE, READ, RESPONSE };

/* ---- the weakened part ---- */

static bool is_forgotten(const struct shrinker *s, uint32_t i)
{
    const struct piece *const p = s->piece + s->piece[i].first;
    return p->forgotten || p->ret >= s->cut;
}

/* Pending reads never matter, so they are not kept. */
static bool is_kept(const struct shrinker *s, uint32_t i)
{
    const struct plumb_check_part_item *const x = s->part->item + i;
    const struct piece *const p = s->piece + s->piece[i].first;
    if (p->value_deleted || p->read_deleted || p->call >= s->cut)
        return false;
    return !(is_forgotten(s, i) && s->c->traits.trait[x->op].pending_reads);
}

static const struct plumb_spec_action *action_of(const struct shrinker *s,
                                                 uint32_t i)
{
    return s->part->item[i].action;
}

static enum plumb_spec_moment moment_of(const struct shrinker *s, uint32_t i)
{
    return (enum plumb_spec_moment)action_of(s, i)->moment;
}

static bool in_time(const struct shrinker *s, uint32_t i)
{
    return plumb_base_in_time(s->c->budget, i);
}

/* False if there is no time for it. */
static bool weaken(struct shrinker *s)
{
    s->weak.count = 0;
    for (uint32_t i = 0; i < s->part->count; i++) {
        if (!in_time(s, i))
            return false;
        const enum plumb_spec_moment moment = moment_of(s, i);
        const bool forgotten = is_forgotten(s, i);
        if (!is_kept(s, i) || (forgotten && moment == PLUMB_MOMENT_RETURN))
            continue;
        struct plumb_check_part_item *const x = s->weak.item + s->weak.count++;
        *x = s->part->item[i];
        if (forgotten) {
            x->action = s->pending + i;
            x->ret = moment == PLUMB_MOMENT_CALL ? x->ret : PLUMB_NEVER;
        }
    }
    return true;
}

/* A weakening may take several times the steps of what it weakens, no more:
 * its certificate would be as much longer.  That leaves a doubt. */
static uint64_t step_limit(const struct shrinker *s)
{
    const uint64_t worth = HARDER * s->last_steps + EASY;
    return worth < s->steps_left ? worth : s->steps_left;
}

/* Is it still a violation, as far as the steps allow to tell? */
static bool still_violates(struct shrinker *s)
{
    struct plumb_check_finding found;
    if (!s->steps_left || plumb_base_budget_is_tight(s->c->budget) ||
        !weaken(s))
        return false;
    plumb_check_search(&s->search, &s->weak, step_limit(s), false, &found);
    /* Loading an operation costs about as much as a step. */
    const uint64_t cost = found.steps + s->weak.count + s->part->count / 8;
    s->steps_left = cost < s->steps_left ? s->steps_left - cost : 0;
    if (found.verdict == PLUMB_UNDECIDED)
        s->doubt = true;
    if (found.verdict != PLUMB_NOT_LINEARIZABLE)
        return false;
    s->last_steps = found.steps;
    return true;
}

/* ---- cutting ---- */

static bool violates_when_cut(struct shrinker *s, uint32_t cut)
{
    const uint32_t before = s->cut;
    s->cut = cut;
    if (still_violates(s))
        return true;
    s->cut = before;
    return false;
}

/* Violations are closed under extension, so the shortest violating prefix is
 * found by bisection.  The events before `prefix` were linearized, so it ends
 * behind the response at `prefix` at the earliest; most often there.  The events
 * before the rank that is given back are linearizable. */
static uint32_t cut_to_prefix(struct shrinker *s, uint32_t prefix)
{
    uint64_t low = prefix, reach = 1;
    while (low + reach < s->cut &&
           !violates_when_cut(s, (uint32_t)(low + reach))) {
        low += reach;
        reach *= 2;
    }
    while (low + 1 < s->cut) {
        const uint32_t middle = (uint32_t)(low + (s->cut - low) / 2);
        if (!violates_when_cut(s, middle))
            low = middle;
        if (!s->steps_left)
            break;
    }
    return s->doubt ? prefix : (uint32_t)low;
}

/* Nothing that is called after the last return matters. */
static void cut_behind_last_return(struct shrinker *s)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < s->part->count; i++)
        if (is_kept(s, i) && !is_forgotten(s, i) && s->piece[i].ret > last)
            last = s->piece[i].ret;
    s->cut = last + 1;
}

/* ---- units ---- */

static bool is_first(const struct shrinker *s, uint32_t i)
{
    return s->piece[i].first == i;
}

/* It only reads, and nobody misses it. */
static bool may_be_left_out(const struct shrinker *s, uint32_t i)
{
    const struct plumb_spec *const spec = s->c->bound->spec;
    const struct plumb_check_part_item *const x = s->part->item + i;
    return s->c->traits.trait[x->op].reads &&
           !(spec->type->missed && spec->type->missed(spec, x->action));
}

static bool is_unit(const struct shrinker *s, enum kind kind, uint32_t i)
{
    if (!is_kept(s, i) || !is_first(s, i))
        return false;
    switch (kind) {
    case VALUE:
        return s->piece[i].owner != PLUMB_NO_VALUE;
    case READ:
        return may_be_left_out(s, i);
    case RESPONSE:
        break;
    }
    return !is_forgotten(s, i);
}

/* Which values have to stay, because of answers that remain?  False when memory
 * is used up. */
static bool bar_values(struct shrinker *s)
{
    const struct plumb_check_case *const c = s->c;
    plumb_check_barred_begin(&s->barred, c->bound->spec);
    for (uint32_t i = 0; i < s->part->count; i++)
        if (is_kept(s, i) && is_first(s, i) && !is_forgotten(s, i) &&
            !plumb_check_barred_add(&s->barred, c->budget, action_of(s, i)))
            return false;
    memset(s->stays, 0, c->bound->values * sizeof *s->stays);
    for (uint32_t i = 0; i < s->part->count; i++)
        if (is_unit(s, VALUE, i) &&
            plumb_check_barred_is(&s->barred, action_of(s, i)))
            s->stays[s->piece[i].owner] = true;
    return true;
}

/* Is item i of a value that may be deleted now? */
static bool may_be_deleted(const struct shrinker *s, uint32_t i)
{
    const plumb_spec_vid value = s->piece[i].owner;
    return value != s->spared && (s->closed || !s->stays[value]);
}

/* Values are listed in the order of their numbers, which is that of their
 * first appearance; operations in the order of their calls. */
static bool list_units(struct shrinker *s, enum kind kind)
{
    s->units = 0;
    if (kind == VALUE && !s->closed && !bar_values(s))
        return false;
    for (uint32_t i = 0; i < s->part->count; i++) {
        if (!in_time(s, i))
            return false;
        if (is_unit(s, kind, i) && (kind != VALUE || may_be_deleted(s, i)))
            s->unit[s->units++] = kind == VALUE ? s->piece[i].owner : i;
    }
    if (kind != VALUE)
        return true;
    uint32_t kept = 0;
    if (!plumb_base_sort(s->c->budget, s->unit, s->units, sizeof *s->unit,
                         plumb_base_by_number))
        return false;
    for (uint32_t i = 0; i < s->units; i++)
        if (i == 0 || s->unit[i] != s->unit[kept - 1])
            s->unit[kept++] = s->unit[i];
    s->units = kept;
    return true;
}

static bool has_unit(const struct shrinker *s, uint32_t from, uint32_t to,
                     uint32_t unit)
{
    return bsearch(&unit, s->unit + from, to - from, sizeof unit,
                   plumb_base_by_number);
}

/* Do, or undo, the weakening of units [from, to). */
static void apply(struct shrinker *s, enum kind kind, uint32_t from,
                  uint32_t to, bool on)
{
    if (kind == VALUE) {
        for (uint32_t i = 0; i < s->part->count && !s->timed_out; i++) {
            if (has_unit(s, from, to, s->piece[i].owner))
                s->piece[i].value_deleted = on;
            s->timed_out = !in_time(s, i);
        }
        return;
    }
    for (uint32_t u = from; u < to; u++)
        if (kind == READ)
            s->piece[s->unit[u]].read_deleted = on;
        else
            s->piece[s->unit[u]].forgotten = on;
}

/* Forget units [from, to) of the list: they are done. */
static void drop_units(struct shrinker *s, uint32_t from, uint32_t to)
{
    assert(from <= to && to <= s->units);
    memmove(s->unit + from, s->unit + to, (s->units - to) * sizeof *s->unit);
    s->units -= to - from;
}

/* Try chunks of `size` from the last to the first. */
static bool try_chunks(struct shrinker *s, enum kind kind, uint32_t size)
{
    bool changed = false;
    uint32_t to = s->units;
    while (to > 0 && s->steps_left && !s->timed_out) {
        const uint32_t from = to > size ? to - size : 0;
        apply(s, kind, from, to, true);
        if (still_violates(s)) {
            drop_units(s, from, to);
            changed = true;
        } else {
            apply(s, kind, from, to, false);
        }
        to = from;
    }
    return changed;
}

static bool shrink_kind(struct shrinker *s, enum kind kind)
{
    bool changed = false;
    if (!list_units(s, kind)) {
        s->steps_left = 0;
        return false;
    }
    uint32_t size = 1;
    while (size < s->units / 2)
        size *= 2;
    for (; size > 0 && s->steps_left && !s->timed_out; size /= 2)
        changed |= try_chunks(s, kind, size);
    return changed;
}

/* The item of the operation whose return makes it a violation: a core that
 * needs this item says what went wrong there, and not what was wrong before
 * and might yet have been put right. */
static plumb_spec_vid last_value(const struct shrinker *s)
{
    if (!s->c->bound->spec->type->bar)
        return PLUMB_NO_VALUE;
    for (uint32_t i = 0; i < s->part->count; i++)
        if (s->piece[i].ret == s->cut - 1)
            return s->piece[i].owner;
    return PLUMB_NO_VALUE;
}

/* True if a whole round found nothing: the core is minimal. */
static bool shrink_all(struct shrinker *s)
{
    s->spared = last_value(s);
    for (;;) {
        s->doubt = false;
        bool changed = shrink_kind(s, VALUE);
        changed |= s->spared != PLUMB_NO_VALUE;
        s->spared = PLUMB_NO_VALUE;
        changed |= shrink_kind(s, READ);
        changed |= shrink_kind(s, RESPONSE);
        cut_behind_last_return(s);
        if (s->timed_out || !s->steps_left ||
            plumb_base_budget_is_tight(s->c->budget))
            return false;
        if (!changed)
            return !s->doubt;
    }
}

/* ---- in and out ---- */

/* The first item of the operation of item i: its steps stand together, and
 * what is told of it has its number for a name. */
static uint32_t first_of(struct shrinker *s, uint32_t i)
{
    const struct plumb_check_part_item *const x = s->part->item + i;
    if (!s->part->told)
        return i && x->op == x[-1].op ? s->piece[i - 1].first : i;
    if (s->first[x->op] == 0)
        s->first[x->op] = i + 1;
    return s->first[x->op] - 1;
}

static bool open_shrinker(struct shrinker *s)
{
    const uint32_t n = s->part->count;
    const struct plumb_spec_type *const type = s->c->bound->spec->type;
    s->piece = plumb_base_arena_zeroed(&s->scratch, n * sizeof *s->piece);
    s->pending = plumb_base_arena_alloc(&s->scratch, n * sizeof *s->pending);
    s->unit = plumb_base_arena_alloc(&s->scratch, n * sizeof *s->unit);
    s->first = plumb_base_arena_zeroed(
        &s->scratch,
        (s->part->told ? s->c->bound->history->count : 0) * sizeof *s->first);
    s->stays = plumb_base_arena_alloc(&s->scratch, (s->c->bound->values + 1) *
                                                       sizeof *s->stays);
    s->weak = *s->part;
    s->weak.item =
        plumb_base_arena_alloc(&s->scratch, n * sizeof *s->weak.item);
    if (!s->piece || !s->pending || !s->unit || !s->first || !s->stays ||
        !s->weak.item)
        return false;
    struct plumb_spec_space *const space = &s->search.sets.space;
    s->closed = type->owner &&
                (!type->closed || type->closed(s->c->bound, s->part->object));
    const bool owners = s->closed || (type->owner && type->bar);
    for (uint32_t i = 0; i < n; i++) {
        const struct plumb_check_part_item *const x = s->part->item + i;
        if (!in_time(s, i))
            return false;
        s->piece[i].first = first_of(s, i);
        s->piece[i].call = plumb_check_part_rank(s->part, x->call);
        s->piece[i].ret = s->c->bound->action[x->op].ret;
        s->piece[i].owner =
            owners ? type->owner(space, x->action) : PLUMB_NO_VALUE;
        s->pending[i] = *x->action;
        s->pending[i].term = PLUMB_TERM_ANY;
        s->pending[i].nres = 0;
        s->pending[i].ret = PLUMB_NEVER;
    }
    return true;
}

static bool copy_core(const struct shrinker *s, struct plumb_base_arena *arena,
                      struct plumb_core *core)
{
    const uint32_t n = s->part->count;
    uint32_t *const op = plumb_base_arena_alloc(arena, n * sizeof *op);
    uint8_t *const forgotten =
        plumb_base_arena_alloc(arena, n * sizeof *forgotten);
    if (!op || !forgotten)
        return false;
    *core = (struct plumb_core){ .object = s->part->object,
                                 .cut = s->cut,
                                 .op = op,
                                 .forgotten = forgotten };
    for (uint32_t i = 0; i < n; i++) {
        if (!in_time(s, i))
            return false;
        if (!is_kept(s, i) || !is_first(s, i))
            continue;
        forgotten[core->count] = s->piece[i].forgotten;
        op[core->count++] = s->part->item[i].op;
    }
    return true;
}

/* List the configurations of the core.  The verifier may try all orders of a
 * small one instead, but from eight operations on that takes longer. */
static enum plumb_status certify(struct shrinker *s, uint64_t limit,
                                 struct plumb_base_arena *arena,
                                 struct plumb_check_shrunk *out)
{
    const struct plumb_check_case *const c = s->c;
    struct plumb_check_finding found;
    if (!copy_core(s, arena, &out->core) || !weaken(s))
        return PLUMB_EMEMORY;
    if (s->weak.count <= FEW)
        return PLUMB_OK;
    plumb_check_searcher_close(&s->search); /* its memory may be needed */
    if (!plumb_check_searcher_open(&s->search, c->bound, &c->traits, true,
                                   c->budget))
        return PLUMB_EMEMORY;
    plumb_check_search(&s->search, &s->weak, limit, true, &found);
    if (found.verdict == PLUMB_UNDECIDED && found.why == PLUMB_OK)
        return PLUMB_END;
    if (found.verdict != PLUMB_NOT_LINEARIZABLE)
        return found.why == PLUMB_OK ? PLUMB_EBUG : found.why;
    out->certificate_count = found.certificate_count;
    out->certificate = plumb_base_arena_copy(arena, found.certificate,
                                             found.certificate_count *
                                                 sizeof *out->certificate);
    return out->certificate ? PLUMB_OK : PLUMB_EMEMORY;
}

/* All but those that are to blame is left out, as whole values and as reads.
 * What is neither stays: it may matter, and does no harm. */
static bool keep_blamed(struct shrinker *s,
                        const struct plumb_check_violation *v)
{
    for (uint32_t i = 0; i < s->part->count; i++) {
        const uint32_t op = s->part->item[i].op;
        if (!in_time(s, i))
            return false;
        if (bsearch(&op, v->blame, v->blames, sizeof op, plumb_base_by_number))
            continue;
        if (may_be_left_out(s, i))
            s->piece[i].read_deleted = true;
        else if (s->piece[i].owner != PLUMB_NO_VALUE)
            s->piece[i].value_deleted = true;
    }
    return true;
}

/* A value is deleted with all its operations, or not at all. */
static bool keep_whole_values(struct shrinker *s)
{
    const size_t size = s->c->bound->values * sizeof(bool);
    bool *const kept = plumb_base_arena_zeroed(&s->scratch, size + 1);
    if (!kept)
        return false;
    for (uint32_t i = 0; i < s->part->count; i++) {
        if (!in_time(s, i))
            return false;
        if (s->piece[i].owner != PLUMB_NO_VALUE && !s->piece[i].read_deleted &&
            !s->piece[i].value_deleted)
            kept[s->piece[i].owner] = true;
    }
    for (uint32_t i = 0; i < s->part->count; i++) {
        if (!in_time(s, i))
            return false;
        if (s->piece[i].value_deleted && kept[s->piece[i].owner])
            s->piece[i].value_deleted = false;
    }
    return true;
}

/* A monitor knows which answers are in the way. */
static bool may_bar(const struct shrinker *s)
{
    const struct plumb_spec *const spec = s->c->bound->spec;
    return spec->type->owner && spec->type->bar &&
           spec->type->bar(spec) != PLUMB_BARRED;
}

/* A monitor that blames what is no violation has a fault. */
static bool start_with_blamed(struct shrinker *s,
                              const struct plumb_check_violation *v)
{
    struct plumb_check_finding found;
    if (!v->blames || !(s->closed || may_bar(s)))
        return true;
    if (!keep_blamed(s, v) || !keep_whole_values(s) || !weaken(s))
        return false;
    plumb_check_search(&s->search, &s->weak, 0, false, &found);
    s->last_steps = found.steps;
    s->steps_left = EFFORT * found.steps + FREE_STEPS;
    return true;
}

enum plumb_status plumb_check_shrink(const struct plumb_check_case *c,
                                     const struct plumb_check_violation *v,
                                     bool whole, struct plumb_base_arena *arena,
                                     struct plumb_check_shrunk *out)
{
    struct shrinker s = { .c = c,
                          .part = c->parts.part + v->part,
                          .cut = c->bound->history->events,
                          .steps_left = EFFORT * v->effort + FREE_STEPS,
                          .last_steps = v->effort,
                          .spared = PLUMB_NO_VALUE };
    enum plumb_status status = PLUMB_EMEMORY;
    *out = (struct plumb_check_shrunk){ .minimal = false };
    plumb_base_arena_init(&s.scratch, c->budget);
    if (plumb_check_searcher_open(&s.search, c->bound, &c->traits, true,
                                  c->budget) &&
        open_shrinker(&s) && start_with_blamed(&s, v)) {
        s.search.optional = true;
        out->maybe = v->prefix;
        out->prefix = s.cut;
        if (!whole) {
            out->maybe = cut_to_prefix(&s, v->prefix);
            out->prefix = s.cut;
            out->minimal = shrink_all(&s);
        }
        if (!s.timed_out)
            status = certify(&s, v->limit, arena, out);
    }
    plumb_check_searcher_close(&s.search);
    plumb_check_barred_release(&s.barred, c->budget);
    plumb_base_arena_release(&s.scratch);
    return status;
}
