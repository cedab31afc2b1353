/* search.c - depth first over configurations, each visited once.
 *
 * A configuration is the set of operations that have taken effect and what the
 * object may then be.  From one, any operation called before the horizon (the
 * earliest return among those still to come) may take effect next: Wing & Gong
 * with Lowe's memoising.  The configuration is remembered as a 128-bit
 * fingerprint, so a visit costs 16 bytes however long the history or wide the
 * window.  Six observations keep the number of visits down:
 *
 *   read  An operation that only reads and is legal now may take effect now:
 *         whatever follows is as legal with it out of the way.  So reads are
 *         placed at once, without branching.
 *   twin  Of two operations with the same effect and answer the one that
 *         returns first may be taken first: in any order that has them the
 *         other way round they can change places.
 *   idle  A pending operation that adds no state to what the object may be is
 *         not worth taking.
 *   spare What was visited before with one pending operation less, and is as
 *         good, need not be visited.
 *   late  An enqueue behind an item that must leave later than it is not worth
 *         trying (queue_deadlines.h).
 *   ends  A push in front of an item that must be seen first is not either
 *         (sequence_ends.h).
 *
 * The verifier knows the first five, from its own proof (plumb/verify.h); a
 * search for a certificate does without the sixth.
 * Time: steps are at most the number of configurations times the window;
 * configurations are exponential in the window in the worst case. */
#include "search.h"

#include "base/memory.h"
#include "base/pace.h"
#include "told.h"
#include <assert.h>

/* A configuration on the current path. */
struct plumb_check_frame {
    plumb_check_state_set states;
    uint32_t depth; /* operations lifted when it was entered */
    uint32_t horizon;
    uint32_t next;   /* entry to try next, then groups: entries + 1 + group */
    uint32_t number; /* in the list of the certificate */
    /* before the last operation, if that was a pending one; else NO_STATE_SET */
    plumb_check_state_set before;
};

enum outcome { DONE, GO_ON, SEEN, STOP };

enum { LAST_TAKEN = 32, PAST = 16384, MANY_STEPS = 20000 };

/* A step that was taken before: what `from` became by `action`. */
struct plumb_check_past_step {
    const struct plumb_spec_action *action;
    plumb_check_state_set from, next;
};

bool plumb_check_searcher_open(struct plumb_check_searcher *s,
                               const struct plumb_spec_bound *bound,
                               const struct plumb_check_traits *traits,
                               bool forgetting, struct plumb_budget *budget)
{
    *s = (struct plumb_check_searcher){ .budget = budget, .traits = traits };
    plumb_check_agenda_init(&s->agenda, budget);
    plumb_check_visited_init(&s->visited, budget);
    return plumb_check_state_sets_open(
        &s->sets, bound,
        bound->branches || (forgetting && traits->pending_branches), budget);
}

void plumb_check_searcher_close(struct plumb_check_searcher *s)
{
    plumb_check_state_sets_close(&s->sets);
    plumb_check_agenda_release(&s->agenda);
    plumb_check_visited_release(&s->visited);
    PLUMB_RELEASE(s->budget, s->frame, s->frame_capacity);
    PLUMB_RELEASE(s->budget, s->order, s->order_capacity);
    PLUMB_RELEASE(s->budget, s->step, s->step_capacity);
    PLUMB_RELEASE(s->budget, s->past, PAST);
}

/* Has the run to end?  The clock is read every 1024 steps. */
static bool out_of_budget(struct plumb_check_searcher *s)
{
    s->clock++;
    if (s->deadline && s->clock > s->deadline)
        s->ended = true;
    else if (s->clock % 1024 == 0)
        s->ended = plumb_budget_state(s->budget) != PLUMB_OK ||
                   (s->optional && plumb_base_budget_is_tight(s->budget));
    return s->ended;
}

/* Different orders take the same steps again and again, so the last one of each
 * hash is kept.  NULL while there have been few. */
static struct plumb_check_past_step *past_step(
    struct plumb_check_searcher *s, plumb_check_state_set from,
    const struct plumb_spec_action *a)
{
    if (!s->past && s->sets.steps >= MANY_STEPS)
        s->past = plumb_base_alloc_zeroed(s->budget, PAST * sizeof *s->past);
    return s->past ? s->past + plumb_base_mix(from, (uintptr_t)a) % PAST : NULL;
}

/* `*next` is what `from` becomes by `a`; false when the budget is used up. */
static bool take_step(struct plumb_check_searcher *s,
                      plumb_check_state_set from,
                      const struct plumb_spec_action *a,
                      plumb_check_state_set *next)
{
    if (out_of_budget(s))
        return false;
    struct plumb_check_past_step *const past = past_step(s, from, a);
    if (past && past->action == a && past->from == from) {
        *next = past->next;
        return true;
    }
    if (!plumb_check_state_sets_step(&s->sets, from, a, next))
        return false;
    if (past)
        *past = (struct plumb_check_past_step){ a, from, *next };
    return true;
}

static struct plumb_base_hash128 fingerprint(struct plumb_base_hash128 lifted,
                                             plumb_check_state_set states)
{
    struct plumb_base_hash128 key = lifted;
    key.lo ^= plumb_base_mix1(states + 0x2545f4914f6cdd1du);
    key.hi ^= plumb_base_mix1(states + 0x9fb21c651e98df25u);
    return key;
}

/* List the configuration that `number` becomes by the operation lifted last;
 * its own number is returned.  UINT32_MAX when memory is used up. */
static uint32_t list_step(struct plumb_check_searcher *s, uint32_t number)
{
    if (!s->list)
        return 0;
    if (s->steps >= UINT32_MAX - 2 ||
        !PLUMB_GROW(s->budget, s->step, s->step_capacity, (size_t)s->steps + 1))
        return UINT32_MAX;
    const uint32_t last = s->agenda.trail[s->agenda.depth - 1];
    s->step[s->steps++] = (struct plumb_certificate_step){
        number, plumb_check_agenda_op(&s->agenda, last)
    };
    return s->steps;
}

/* Place every read that is legal.  One pass is enough: whether an operation is
 * called before the horizon depends only on those called before it. */
static enum outcome place_reads(struct plumb_check_searcher *s,
                                plumb_check_state_set states, uint32_t *number,
                                uint32_t *horizon)
{
    struct plumb_check_agenda *const a = &s->agenda;
    uint32_t next;
    *horizon = PLUMB_NEVER;
    for (uint32_t i = plumb_check_agenda_first(a);
         i && a->entry[i].call < *horizon; i = next) {
        const struct plumb_check_entry *const e = a->entry + i;
        plumb_check_state_set after = PLUMB_NO_STATE_SET;
        next = e->next;
        if (e->reads) {
            if (!take_step(s, states, e->action, &after))
                return STOP;
            if (after == states) {
                plumb_check_agenda_lift(a, i);
                *number = list_step(s, *number);
                if (*number == UINT32_MAX)
                    return STOP;
                continue;
            }
        }
        if (e->ret < *horizon)
            *horizon = e->ret;
    }
    return GO_ON;
}

/* Was the same visited before with one pending operation less?  One of those
 * taken last, for a history may have very many. */
static bool spares_one(const struct plumb_check_searcher *s,
                       plumb_check_state_set states)
{
    const uint32_t takens = s->agenda.takens;
    for (uint32_t i = takens; i > 0 && i + LAST_TAKEN > takens; i--) {
        struct plumb_base_hash128 lifted;
        if (plumb_check_agenda_without(&s->agenda, i - 1, &lifted) &&
            plumb_check_visited_has(&s->visited, fingerprint(lifted, states)))
            return true;
    }
    return false;
}

/* The operations lifted so far led to `states`: a new configuration? */
static enum outcome enter(struct plumb_check_searcher *s,
                          plumb_check_state_set states, uint32_t number,
                          plumb_check_state_set before)
{
    const uint32_t depth = s->agenda.depth;
    uint32_t horizon;
    if (place_reads(s, states, &number, &horizon) == STOP)
        return STOP;
    if (horizon > s->prefix)
        s->prefix = horizon;
    if (plumb_check_agenda_is_done(&s->agenda))
        return DONE;
    if (spares_one(s, states)) {
        s->steps -= s->list; /* it is not going to be explored */
        return SEEN;
    }
    switch (plumb_check_visited_add(&s->visited,
                                    fingerprint(s->agenda.lifted, states))) {
    case PLUMB_VISIT_SEEN:
        return SEEN;
    case PLUMB_VISIT_NO_MEMORY:
        return STOP;
    case PLUMB_VISIT_NEW:
        break;
    }
    assert(s->frames < s->frame_capacity);
    s->frame[s->frames++] = (struct plumb_check_frame){
        .states = states,
        .depth = s->agenda.depth,
        .horizon = horizon,
        .next = plumb_check_agenda_first(&s->agenda),
        .number = number,
        .before = s->agenda.depth == depth ? before : PLUMB_NO_STATE_SET,
    };
    return GO_ON;
}

/* Is there a twin that returns earlier and might be taken instead? */
static bool twin_goes_first(const struct plumb_check_agenda *a, uint32_t entry,
                            uint32_t horizon)
{
    const struct plumb_check_entry *const e = a->entry + entry;
    if (e->twins == UINT32_MAX)
        return false;
    for (uint32_t i = plumb_check_agenda_first(a);
         i && a->entry[i].call < horizon; i = a->entry[i].next)
        if (a->entry[i].twins == e->twins && a->entry[i].ret < e->ret)
            return true;
    return false;
}

/* The last operation was a pending one: would `a` lead to the same without it?
 * Then the configuration before it is tried with `a`, and spares it.  False
 * when the budget is used up. */
static bool does_without(struct plumb_check_searcher *s,
                         const struct plumb_check_frame *f,
                         const struct plumb_spec_action *a,
                         plumb_check_state_set after, bool *spared)
{
    plumb_check_state_set without = PLUMB_NO_STATE_SET;
    *spared = false;
    if (f->before == PLUMB_NO_STATE_SET)
        return true;
    if (!take_step(s, f->before, a, &without))
        return false;
    *spared = without == after;
    return true;
}

/* An operation is lifted: enter what it leads to, or put it back. */
static enum outcome follow(struct plumb_check_searcher *s,
                           plumb_check_state_set states,
                           const struct plumb_check_frame *from, bool pending)
{
    const uint32_t depth = from->depth;
    const uint32_t number = list_step(s, from->number);
    if (number == UINT32_MAX)
        return STOP;
    const enum outcome o =
        enter(s, states, number, pending ? from->states : PLUMB_NO_STATE_SET);
    if (o == SEEN)
        plumb_check_agenda_undo(&s->agenda, depth);
    return o;
}

/* Try the operations that returned, from where the frame left off. */
static enum outcome try_entries(struct plumb_check_searcher *s,
                                struct plumb_check_frame *f)
{
    struct plumb_check_agenda *const a = &s->agenda;
    while (f->next && f->next <= a->entries) {
        const uint32_t i = f->next;
        const struct plumb_check_entry *const e = a->entry + i;
        plumb_check_state_set after;
        bool spared;
        if (e->call >= f->horizon)
            break;
        f->next = e->next;
        if (!plumb_check_agenda_allows(a, e->lane) ||
            twin_goes_first(a, i, f->horizon))
            continue;
        if (!take_step(s, f->states, e->action, &after))
            return STOP;
        if (after == PLUMB_NO_STATE_SET)
            continue;
        if (!does_without(s, f, e->action, after, &spared))
            return STOP;
        if (spared)
            continue;
        plumb_check_agenda_lift(a, i);
        const enum outcome o = follow(s, after, f, false);
        if (o != SEEN)
            return o;
    }
    if (f->next <= a->entries)
        f->next = a->entries + 1;
    return SEEN;
}

/* Then the pending ones: the next member of each group. */
static enum outcome try_groups(struct plumb_check_searcher *s,
                               struct plumb_check_frame *f)
{
    struct plumb_check_agenda *const a = &s->agenda;
    for (;;) {
        const uint32_t g = f->next - a->entries - 1;
        plumb_check_state_set after;
        bool spared;
        if (g >= a->groups || a->member[a->group[g].first].call >= f->horizon)
            return SEEN;
        f->next++;
        const struct plumb_check_group *const group = a->group + g;
        if (group->taken == group->count)
            continue;
        const struct plumb_check_member *const m =
            a->member + group->first + group->taken;
        if (m->call >= f->horizon || !plumb_check_agenda_allows(a, m->lane))
            continue;
        if (!take_step(s, f->states, m->action, &after))
            return STOP;
        if (after == PLUMB_NO_STATE_SET ||
            plumb_check_state_sets_within(&s->sets, after, f->states))
            continue;
        if (!does_without(s, f, m->action, after, &spared))
            return STOP;
        if (spared &&
            !plumb_check_state_sets_within(&s->sets, after, f->before))
            continue;
        plumb_check_agenda_take(a, g);
        const enum outcome o = follow(s, after, f, true);
        if (o != SEEN)
            return o;
    }
}

/* GO_ON: it is interrupted, between two visits, and can be called again. */
static enum outcome explore(struct plumb_check_searcher *s)
{
    while (s->frames) {
        if (s->until && s->clock >= s->until)
            return GO_ON;
        struct plumb_check_frame *const f = s->frame + s->frames - 1;
        plumb_check_agenda_undo(&s->agenda, f->depth);
        enum outcome o = try_entries(s, f);
        if (o == SEEN)
            o = try_groups(s, f);
        if (o == DONE || o == STOP)
            return o;
        if (o == SEEN)
            s->frames--;
    }
    return SEEN;
}

static bool start(struct plumb_check_searcher *s,
                  const struct plumb_check_part *part)
{
    const bool room = PLUMB_GROW(s->budget, s->frame, s->frame_capacity,
                                 (size_t)part->count + 1);
    const bool more =
        room && PLUMB_GROW(s->budget, s->order, s->order_capacity, part->count);
    s->frames = s->steps = s->prefix = 0;
    s->clock = 0;
    s->ended = false;
    return more &&
           plumb_check_agenda_load(&s->agenda, s->sets.space.bound, part,
                                   s->traits, s->list) &&
           plumb_check_visited_clear(&s->visited);
}

static bool collect_order(struct plumb_check_searcher *s,
                          struct plumb_check_finding *found)
{
    for (uint32_t i = 0; i < s->agenda.depth; i++) {
        if (!plumb_base_in_time(s->budget, i))
            return false;
        s->order[i] = plumb_check_agenda_op(&s->agenda, s->agenda.trail[i]);
    }
    found->order = s->order;
    found->order_count = s->agenda.depth;
    return true;
}

void plumb_check_search_begin(struct plumb_check_searcher *s,
                              const struct plumb_check_part *part, bool list)
{
    s->part = part;
    s->list = list;
    s->deadline = 0;
    s->begun = start(s, part);
    s->first = s->begun ? plumb_check_state_sets_initial(&s->sets)
                        : PLUMB_NO_STATE_SET;
}

/* The first configuration is entered on the first turn. */
static enum outcome resume(struct plumb_check_searcher *s)
{
    enum outcome o = s->begun && !s->ended ? GO_ON : STOP;
    if (o == GO_ON && s->first != PLUMB_NO_STATE_SET) {
        o = enter(s, s->first, 0, PLUMB_NO_STATE_SET);
        s->first = PLUMB_NO_STATE_SET;
    } else if (!s->frames) {
        o = STOP;
    }
    return o == GO_ON ? explore(s) : o;
}

void plumb_check_search_go_on(struct plumb_check_searcher *s, uint64_t until,
                              struct plumb_check_finding *found)
{
    *found = (struct plumb_check_finding){ .verdict = PLUMB_UNDECIDED };
    s->until = until;
    const enum outcome o = resume(s);
    found->configurations = s->visited.count;
    found->steps = s->clock;
    found->prefix = plumb_check_part_rank(s->part, s->prefix);
    if (o == DONE && collect_order(s, found)) {
        found->verdict = PLUMB_LINEARIZABLE;
    } else if (o == SEEN) {
        found->verdict = PLUMB_NOT_LINEARIZABLE;
        found->certificate = s->step;
        found->certificate_count = s->steps;
    } else if (o == GO_ON) {
        found->interrupted = true;
    } else {
        found->why = plumb_budget_state(s->budget);
        if (found->why == PLUMB_OK && !s->ended)
            found->why = PLUMB_EMEMORY;
    }
}

void plumb_check_search(struct plumb_check_searcher *s,
                        const struct plumb_check_part *part, uint64_t limit,
                        bool list, struct plumb_check_finding *found)
{
    plumb_check_search_begin(s, part, list);
    s->deadline = limit;
    plumb_check_search_go_on(s, 0, found);
}
