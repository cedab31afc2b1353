/* monitor_priority.c - deciding priority queues.
 *
 * One pass gives every operation a gap, or finds one that has none.  Removals
 * without a result may be needed: then the operation that fails names an item
 * that one of them must have taken, and each is tried.  A prefix of the history
 * is decided in the same way, and that finds the earliest event.
 * docs/how-monitors-work.md has the arguments. */
#include "base/pace.h"
#include "check/input/monitor.h"
#include "check/keyed/keyed.h"
#include "priority.h"

#include <string.h>

/* Passes of one decision: each takes some 50 ns per operation. */
enum { PASSES = 32, OPERATIONS_OF_ALL_PASSES = 1 << 25 };

enum outcome { RIGHT, WRONG, GIVEN_UP, STOPPED };

/* ---- one decision ---- */

/* Was `i` called so late that another thief, called no later than the last
 * call of the victim's operations, does as well?  Then keep the earlier ones
 * for others. */
static bool is_spared(const struct plumb_check_priority *p, uint32_t i,
                      uint32_t from)
{
    const struct plumb_check_thief *const t = p->thief + i;
    for (uint32_t j = i + 1; j < p->thieves; j++) {
        const struct plumb_check_thief *const u = p->thief + j;
        if (u->victim != PLUMB_NO_SLOT)
            continue;
        return u->first <= from || u->first == t->first;
    }
    return false;
}

static enum outcome decide(struct plumb_check_priority *p);

/* Let each thief in turn have taken the victim, if that comes in time for the
 * operation that failed. */
static enum outcome try_thieves(struct plumb_check_priority *p, uint32_t victim)
{
    const uint32_t from = plumb_check_priority_item(p, victim).first;
    const uint32_t deadline = p->failure.last;
    if (from > deadline)
        return WRONG;
    for (uint32_t i = 0; i < p->thieves; i++) {
        struct plumb_check_thief *const t = p->thief + i;
        if (t->victim != PLUMB_NO_SLOT || is_spared(p, i, from))
            continue;
        if (t->first > deadline)
            break;
        plumb_check_priority_rob(p, i, victim);
        const enum outcome outcome = decide(p);
        if (outcome != WRONG)
            return outcome;
        plumb_check_priority_give_back(p, i);
    }
    return WRONG;
}

static enum outcome decide(struct plumb_check_priority *p)
{
    if (p->passes_left-- == 0) {
        p->passes_left = 0;
        return GIVEN_UP;
    }
    if (plumb_check_priority_pass(p))
        return RIGHT;
    if (p->stop != PLUMB_OK)
        return STOPPED;
    if (p->repeats)
        return GIVEN_UP;
    uint32_t victim;
    if (p->busy == p->thieves && !p->blamed)
        return WRONG;
    if (!plumb_check_priority_chain(p, &victim)) {
        p->stop = PLUMB_EMEMORY;
        return STOPPED;
    }
    return victim == PLUMB_NO_SLOT ? WRONG : try_thieves(p, victim);
}

/* Is it linearizable up to so many events?  `known`: what those that are open
 * then return later is made use of. */
static enum outcome decide_prefix(struct plumb_check_priority *p,
                                  uint32_t events, bool known)
{
    p->known = known;
    p->repeats = false;
    p->passes_left = PASSES + OPERATIONS_OF_ALL_PASSES / (p->input->count + 1);
    return plumb_check_priority_cut(p, events) ? decide(p) : STOPPED;
}

/* Is all of it linearizable?  If thefts are guessed and the guess is right, that
 * is all. */
static enum outcome decide_all(struct plumb_check_priority *p)
{
    if (!plumb_check_priority_cut(p, p->input->events))
        return STOPPED;
    if (p->thieves && plumb_check_priority_guess(p) &&
        plumb_check_priority_pass(p))
        return RIGHT;
    if (p->stop != PLUMB_OK)
        return STOPPED;
    return decide_prefix(p, p->input->events, false);
}

/* ---- the earliest event ---- */

/* So many events are right, so many are wrong, as close as it is known; what is
 * too hard to tell is taken for right, up to `low`. */
struct bounds {
    uint32_t right, low, wrong;
};

/* False when it had to end. */
static bool probe(struct plumb_check_priority *p, struct bounds *b,
                  uint32_t events)
{
    const enum outcome outcome = decide_prefix(p, events, false);
    if (outcome == WRONG)
        b->wrong = events;
    else
        b->low = events;
    if (outcome == RIGHT)
        b->right = events;
    return outcome != STOPPED;
}

/* From `at`, which is one of the two bounds, in steps that double. */
static bool gallop(struct plumb_check_priority *p, struct bounds *b,
                   uint32_t at)
{
    const bool down = at == b->wrong;
    for (uint32_t step = 1; step < b->wrong - b->low; step *= 2) {
        const uint32_t next = down ? b->wrong - step : b->low + step;
        if (!probe(p, b, next))
            return false;
        if (next == (down ? b->low : b->wrong))
            return true;
    }
    return true;
}

/* Near the return of the operation that failed, in all likelihood. */
static bool find_earliest(struct plumb_check_priority *p, struct bounds *b)
{
    const uint32_t ret = p->input->op[p->sorted[p->failure.slot]].ret;
    if (ret != PLUMB_NEVER) {
        const uint32_t at = plumb_check_input_events_before(p->input, ret) + 1;
        if ((at < b->wrong && !probe(p, b, at)) || !gallop(p, b, at))
            return false;
    }
    while (b->wrong - b->low > 1)
        if (!probe(p, b, b->low + (b->wrong - b->low) / 2))
            return false;
    return true;
}

/* ---- answers ---- */

/* What makes the events up to the earliest wrong; if that is too hard to tell,
 * what makes all of them wrong. */
static bool find_blame(struct plumb_check_priority *p, uint32_t events)
{
    p->blamed = plumb_base_arena_zeroed(p->m->scratch, p->input->count);
    p->stop = PLUMB_EMEMORY;
    if (!p->blamed)
        return false;
    enum outcome outcome = decide_prefix(p, events, true);
    if (outcome != WRONG && outcome != STOPPED) {
        memset(p->blamed, 0, p->input->count);
        outcome = decide_prefix(p, p->input->events, true);
    }
    if (outcome != WRONG)
        return false;
    p->stop = PLUMB_EMEMORY;
    return plumb_check_list_blamed(p->m, p->blamed, p->input->count, NULL);
}

static bool answer_wrong(struct plumb_check_priority *p)
{
    struct bounds b = { .wrong = p->input->events };
    if (!find_earliest(p, &b) || !find_blame(p, b.wrong))
        return plumb_check_monitor_gives_up(p->m, p->stop);
    p->m->maybe = plumb_check_input_rank_at(p->input, b.right);
    p->m->sure = plumb_check_input_rank_at(p->input, b.wrong - 1);
    p->m->verdict = PLUMB_NOT_LINEARIZABLE;
    return true;
}

static bool answer(struct plumb_check_priority *p)
{
    switch (decide_all(p)) {
    case RIGHT:
        if (!plumb_check_priority_order(p))
            return plumb_check_monitor_gives_up(p->m, PLUMB_EMEMORY);
        p->m->verdict = PLUMB_LINEARIZABLE;
        return true;
    case WRONG:
        return answer_wrong(p);
    case GIVEN_UP:
        return plumb_check_monitor_declines(
            p->m, p->repeats ? "values repeat" : "pending removals");
    default:
        return plumb_check_monitor_gives_up(p->m, p->stop);
    }
}

/* ---- what it is for ---- */

/* 0 if it is not given: those that matter are flags, and cap. */
static uint64_t parameter(const struct plumb_spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->type->nparams; i++)
        if (spec->given[i] && !strcmp(spec->type->params[i].name, name))
            return spec->param[i];
    return 0;
}

static bool is_understood(const struct plumb_check_input_op *o, bool waits)
{
    const bool adds = o->role == PLUMB_ROLE_ADD;
    if (!adds && o->role != PLUMB_ROLE_REMOVE && o->role != PLUMB_ROLE_PEEK)
        return false;
    if (plumb_check_input_is_pending(o))
        return !adds || o->word[0] != PLUMB_NO_WORD;
    if (o->term == PLUMB_TERM_EMPTY)
        return o->role == PLUMB_ROLE_PEEK || (!adds && !waits);
    return o->term == PLUMB_TERM_OK && o->word[0] != PLUMB_NO_WORD;
}

/* NULL if it can be decided, as far as can be told without looking at all. */
static const char *why_not(const struct plumb_check_monitoring *m)
{
    if (parameter(m->spec, "cap"))
        return "a capacity limit";
    if (!m->input->ordered)
        return "values without an order";
    if (m->input->count >= UINT32_MAX / 4 || m->input->values >= UINT32_MAX / 4)
        return "the history is too long";
    return NULL;
}

static bool are_understood(const struct plumb_check_monitoring *m, bool *yes)
{
    const bool waits = parameter(m->spec, "blocking");
    *yes = true;
    for (uint32_t i = 0; *yes && i < m->input->count; i++) {
        if (!plumb_base_in_time(m->budget, i))
            return false;
        *yes = is_understood(m->input->op + i, waits);
    }
    return true;
}

/* The most removals that are ever open at a time. */
static bool count_thieves(const struct plumb_check_monitoring *m, size_t *most)
{
    const struct plumb_check_input *const input = m->input;
    uint32_t open = 0;
    *most = 0;
    for (uint32_t i = 0; i < input->events; i++) {
        if (!plumb_base_in_time(m->budget, i))
            return false;
        if (input->op[input->event[i] / 2].role != PLUMB_ROLE_REMOVE)
            continue;
        open += plumb_check_input_is_return(input->event[i]) ? -1u : 1u;
        *most = open > *most ? open : *most;
    }
    return true;
}

static bool prepare(struct plumb_check_priority *p)
{
    struct plumb_base_arena *const scratch = p->m->scratch;
    const size_t count = (size_t)p->input->count + 1;
    p->sorted = plumb_base_arena_alloc(scratch, count * sizeof *p->sorted);
    p->place = plumb_base_arena_alloc(scratch, count * sizeof *p->place);
    p->step = plumb_base_arena_alloc(scratch, count * sizeof *p->step);
    p->span = plumb_base_arena_alloc(scratch, count * sizeof *p->span);
    size_t thieves;
    if (!count_thieves(p->m, &thieves))
        return false;
    p->thief =
        plumb_base_arena_alloc(scratch, (thieves + 1) * sizeof *p->thief);
    p->robbed = plumb_base_arena_zeroed(scratch, count * sizeof *p->robbed);
    return p->sorted && p->place && p->step && p->span && p->thief &&
           p->robbed &&
           plumb_check_bits_init(&p->open, scratch, p->input->count + 1) &&
           plumb_check_priority_sort(p);
}

bool plumb_check_monitor_priority_queue(struct plumb_check_monitoring *m)
{
    struct plumb_check_priority p = {
        .m = m, .input = m->input, .largest_first = parameter(m->spec, "max")
    };
    const char *const reason = why_not(m);
    bool understood;
    if (reason)
        return plumb_check_monitor_declines(m, reason);
    if (!are_understood(m, &understood))
        return plumb_check_monitor_gives_up(p.m, PLUMB_EMEMORY);
    if (!understood)
        return plumb_check_monitor_declines(m, "impossible results");
    return prepare(&p) ? answer(&p)
                       : plumb_check_monitor_gives_up(p.m, PLUMB_EMEMORY);
}
