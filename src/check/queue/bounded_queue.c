/* bounded_queue.c - queues with a limit, and those that answer weakly.
 *
 * What answered `empty` or `full` is left out first: what remains has to be a
 * queue without a limit, or nothing is one (monitor_queue.c), and its order is
 * that of the items.  Then item_counts.c looks for instants for all.
 *
 * If it finds none, other orders may have some.  There is surely none
 *   - where more than `cap` items are there at once;
 *   - for an `empty` in whose interval, at every instant, some item is complete
 *     and none whose addition is open may be ahead of it;
 *   - for a `full` in whose interval there never are as many items as it needs.
 * All else is declined. */
#include "base/arena.h"
#include "base/pace.h"
#include "check/keyed/keyed.h"
#include "item_counts.h"
#include "queue_view.h"
#include "spec/builtin.h"
#include "spec/types/queue_family.h"
#include "spec/weak/weakness.h"

struct bounded {
    struct plumb_check_monitoring *m;
    struct plumb_check_counting counting;
    struct plumb_check_input some; /* without failing answers */
    uint32_t *pick;                /* of those: indexes into the input */
    uint32_t picks;
};

static bool ends(struct plumb_check_monitoring *m)
{
    return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
}

static bool is_pending(const struct plumb_check_input_op *o)
{
    return plumb_check_input_is_pending(o);
}

/* Loops over all that happened look at the clock; where it is time to end,
 * nothing is found, and the run ends with the next question. */
static bool goes_on(const struct bounded *b, uint32_t step)
{
    return plumb_base_in_time(b->m->budget, step);
}

/* ---- what is left out first ---- */

static enum plumb_check_count_rule rule_of(const struct plumb_spec *spec)
{
    if (!spec->given[PLUMB_QUEUE_WEAK])
        return PLUMB_COUNT_STRICT;
    return spec->param[PLUMB_QUEUE_WEAK] == PLUMB_WEAK_GAP ? PLUMB_COUNT_GAP
                                                           : PLUMB_COUNT_CLAIM;
}

static bool is_left_out(const struct bounded *b,
                        const struct plumb_check_input_op *o)
{
    return o->term == PLUMB_TERM_FULL ||
           (o->term == PLUMB_TERM_EMPTY &&
            b->counting.rule != PLUMB_COUNT_STRICT);
}

static const char *why_declined(const struct bounded *b)
{
    const struct plumb_check_input *const input = b->m->input;
    if (input->roles >> PLUMB_ROLE_PEEK & 1)
        return "peeks at a queue with a limit";
    if (!b->m->spec->param[PLUMB_BLOCKING])
        return NULL;
    for (uint32_t i = 0; i < input->count && goes_on(b, i); i++)
        if (input->op[i].term == PLUMB_TERM_EMPTY)
            return "a blocking queue returned empty";
    return NULL;
}

static bool leave_out(struct bounded *b)
{
    const struct plumb_check_input *const input = b->m->input;
    b->pick = plumb_base_arena_alloc(b->m->scratch,
                                     (input->count + 1) * sizeof *b->pick);
    if (!b->pick)
        return false;
    for (uint32_t i = 0; i < input->count; i++) {
        if (!plumb_base_in_time(b->m->budget, i))
            return false;
        if (!is_left_out(b, input->op + i))
            b->pick[b->picks++] = i;
    }
    return plumb_check_input_cut(input, b->pick, b->picks, b->m->scratch,
                                 &b->some);
}

/* Are they a queue without a limit? */
static bool ask_about_order(struct bounded *b,
                            struct plumb_check_monitoring *plain)
{
    struct plumb_spec *const spec =
        plumb_base_arena_copy(b->m->scratch, b->m->spec, sizeof *spec);
    if (!spec)
        return false;
    spec->given[PLUMB_CAP] = false;
    *plain = *b->m;
    plain->input = &b->some;
    plain->spec = spec;
    return plumb_check_monitor_queue(plain);
}

/* ---- the items in their order ---- */

static void add_item(struct plumb_check_counting *c, uint32_t i)
{
    const struct plumb_check_input_op *const o = c->input->op + i;
    c->item[++c->items] =
        (struct plumb_check_counted){ o->call,     o->ret, PLUMB_NEVER,
                                      PLUMB_NEVER, i,      PLUMB_NEVER };
}

static void remove_item(struct plumb_check_counting *c, uint32_t i)
{
    const struct plumb_check_input_op *const o = c->input->op + i;
    struct plumb_check_counted *const x = c->item + ++c->removed;
    x->rem_call = o->call;
    x->rem_ret = o->ret;
    x->rem = i;
}

/* Operations that never returned, and need not have taken effect, may have done
 * so after all others: removals that were called first take what comes next. */
static bool line_up_pending(struct bounded *b)
{
    struct plumb_check_counting *const c = &b->counting;
    for (uint32_t i = 0; i < c->input->count; i++) {
        const struct plumb_check_input_op *const o = c->input->op + i;
        if (!goes_on(b, i))
            return false;
        if (is_pending(o) && o->role == PLUMB_ROLE_ADD && !c->number[i])
            add_item(c, i);
    }
    for (uint32_t i = 0; i < c->input->count && c->removed < c->items; i++) {
        const struct plumb_check_input_op *const o = c->input->op + i;
        if (!goes_on(b, i))
            return false;
        if (is_pending(o) && o->role == PLUMB_ROLE_REMOVE && !c->number[i])
            remove_item(c, i);
    }
    return true;
}

static bool line_up(struct bounded *b,
                    const struct plumb_check_monitoring *plain)
{
    struct plumb_check_counting *const c = &b->counting;
    const size_t size = (size_t)c->input->count + 2;
    c->item = plumb_base_arena_alloc(b->m->scratch, size * sizeof *c->item);
    c->number = plumb_base_arena_zeroed(
        b->m->scratch, ((size_t)c->input->count + 1) * sizeof *c->number);
    if (!c->item || !c->number)
        return false;
    for (uint32_t i = 0; i < plain->order_count; i++) {
        const uint32_t op = b->pick[plain->order[i]];
        if (!plumb_base_in_time(b->m->budget, i))
            return false;
        if (c->input->op[op].role == PLUMB_ROLE_ADD)
            add_item(c, op);
        else if (c->input->op[op].term != PLUMB_TERM_EMPTY)
            remove_item(c, op);
        c->number[op] = 1; /* it has one; which, is seen to later */
    }
    return line_up_pending(b);
}

/* What is open at `rank` might have answered otherwise, or taken other items,
 * until it returns. */
static uint32_t answered_by(const struct bounded *b, uint32_t rank)
{
    const struct plumb_check_input *const input = b->m->input;
    uint32_t last = rank;
    for (uint32_t i = 0;
         i < input->count && input->op[i].call < rank && goes_on(b, i); i++)
        if (!is_pending(input->op + i) && input->op[i].ret > last)
            last = input->op[i].ret;
    return last;
}

/* ---- is it surely wrong? ---- */

static bool begin_blame(struct bounded *b)
{
    struct plumb_check_monitoring *const m = b->m;
    m->blames = 0;
    m->blame = plumb_base_arena_alloc(m->arena,
                                      (m->input->count + 1) * sizeof *m->blame);
    return m->blame;
}

/* Operations are blamed in the order of their calls, once each. */
static void end_blame(struct plumb_check_monitoring *m, uint32_t maybe,
                      uint32_t sure, const bool *wanted)
{
    for (uint32_t i = 0;
         i < m->input->count && plumb_base_in_time(m->budget, i); i++)
        if (wanted[i])
            m->blame[m->blames++] = i;
    m->maybe = maybe;
    m->sure = sure;
    m->verdict = PLUMB_NOT_LINEARIZABLE;
}

static void want(bool *wanted, const struct plumb_check_counted *x)
{
    wanted[x->add] = true;
    if (x->rem != PLUMB_NEVER)
        wanted[x->rem] = true;
}

/* A removal called before that rank never returned: who knows what it took. */
static bool has_lost_removal(const struct bounded *b, uint32_t rank)
{
    const struct plumb_check_input *const input = b->m->input;
    for (uint32_t i = 0; i < input->count && input->op[i].call < rank; i++) {
        if (!goes_on(b, i))
            return true;
        if (input->op[i].role == PLUMB_ROLE_REMOVE && is_pending(input->op + i))
            return true;
    }
    return false;
}

/* At the return of an addition: more than `cap` items have come by then whose
 * removals have not been called. */
static bool is_overfull(const struct bounded *b, uint32_t rank, bool *wanted)
{
    const struct plumb_check_counting *const c = &b->counting;
    uint64_t there = 0;
    if (has_lost_removal(b, rank))
        return false;
    for (uint32_t i = 1; i <= c->items && goes_on(b, i); i++)
        there += c->item[i].add_ret <= rank && c->item[i].rem_call > rank;
    if (there <= c->cap)
        return false;
    for (uint32_t i = 1; i <= c->items && goes_on(b, i); i++)
        if (c->item[i].add_ret <= rank && c->item[i].rem_call > rank)
            want(wanted, c->item + i);
    return true;
}

/* May y, whose addition is open while x is complete, be ahead of x?  If only
 * what comes later says that it may not, *sure is when. */
static bool may_be_ahead(const struct plumb_check_counted *y,
                         const struct plumb_check_counted *x, uint32_t *sure)
{
    if (x->add_ret < y->add_call)
        return false;
    if (x->rem == PLUMB_NEVER || x->rem_ret >= y->rem_call)
        return true;
    *sure = *sure > x->rem_ret ? *sure : x->rem_ret;
    return false;
}

/* An operation that answered `empty`, and the additions that overlap it. */
struct doubt {
    const struct plumb_check_input_op *o;
    struct plumb_check_counted *open;
    uint32_t opens;
    uint32_t sure; /* so far */
};

static bool list_open(const struct bounded *b, struct doubt *d)
{
    const struct plumb_check_counting *const c = &b->counting;
    const struct plumb_check_input_op *const op = c->input->op;
    d->open = plumb_base_arena_alloc(
        b->m->scratch, ((size_t)c->input->count + 1) * sizeof *d->open);
    for (uint32_t i = 0; d->open && i < c->input->count; i++) {
        if (!goes_on(b, i))
            return false;
        if (op[i].role != PLUMB_ROLE_ADD || op[i].term == PLUMB_TERM_FULL ||
            op[i].call > d->o->ret || op[i].ret < d->o->call)
            continue;
        d->open[d->opens++] =
            c->number[i]
                ? c->item[c->number[i]]
                : (struct plumb_check_counted){ op[i].call,  op[i].ret,
                                                PLUMB_NEVER, PLUMB_NEVER,
                                                i,           PLUMB_NEVER };
    }
    return d->open;
}

/* Is x complete at `from`, and may nobody answer `empty` because of another?
 * Until when: its removal is called, or an addition that may be ahead is. */
static uint32_t covers_until(const struct doubt *d,
                             const struct plumb_check_counted *x, uint32_t from,
                             uint32_t *sure)
{
    uint32_t until = x->rem_call;
    for (uint32_t i = 0; i < d->opens; i++) {
        const struct plumb_check_counted *const y = d->open + i;
        if (y->add == x->add || y->add_ret < from || !may_be_ahead(y, x, sure))
            continue;
        if (y->add_call < from)
            return from;
        until = until < y->add_call ? until : y->add_call;
    }
    return until;
}

/* The one that does so longest from *from on, which is moved there. */
static const struct plumb_check_counted *best_cover(const struct bounded *b,
                                                    struct doubt *d,
                                                    uint32_t *from)
{
    const struct plumb_check_counted *best = NULL;
    uint32_t far = *from, far_sure = d->sure;
    for (uint32_t i = 1; i <= b->counting.items && far <= d->o->ret; i++) {
        const struct plumb_check_counted *const x = b->counting.item + i;
        uint32_t sure = d->sure;
        if (!goes_on(b, i))
            return NULL;
        if (x->add_ret > *from || x->rem_call <= far)
            continue;
        const uint32_t until = covers_until(d, x, *from, &sure);
        if (until <= far)
            continue;
        best = x;
        far = until;
        far_sure = sure;
    }
    *from = far;
    d->sure = far_sure;
    return best;
}

/* At every instant of o, which answered `empty`.  Under `gap` additions that
 * overlap it stay with it. */
static bool is_never_empty(const struct bounded *b,
                           const struct plumb_check_input_op *o, bool *wanted,
                           uint32_t *sure)
{
    struct doubt d = { .o = o, .sure = *sure };
    uint32_t from = o->call;
    const bool gap = b->counting.rule == PLUMB_COUNT_GAP;
    if (has_lost_removal(b, gap ? PLUMB_NEVER : o->ret) ||
        (gap && !list_open(b, &d)))
        return false;
    while (from <= o->ret) {
        const struct plumb_check_counted *const x = best_cover(b, &d, &from);
        if (!x)
            return false;
        want(wanted, x);
    }
    for (uint32_t i = 0; i < d.opens; i++)
        want(wanted, d.open + i);
    *sure = d.sure;
    return true;
}

/* At no instant of o, which answered `full`, are there as many items as it
 * takes, or removals that are open.  All is wanted, as in blame_all(). */
static bool is_never_full(const struct bounded *b,
                          const struct plumb_check_input_op *o, bool *wanted)
{
    const struct plumb_check_input *const input = b->m->input;
    const bool gap = b->counting.rule == PLUMB_COUNT_GAP;
    uint64_t called = 0, left = 0, leaving = 0;
    for (uint32_t e = 0; e < input->events; e++) {
        const struct plumb_check_input_op *const x =
            input->op + input->event[e] / 2;
        const uint32_t rank = plumb_check_input_rank_at(input, e);
        const bool back = plumb_check_input_is_return(input->event[e]);
        if (!goes_on(b, e))
            return false;
        if (rank > o->ret)
            break;
        if (x->term != PLUMB_TERM_EMPTY && x->term != PLUMB_TERM_FULL) {
            called += !back && x->role == PLUMB_ROLE_ADD;
            left += back && x->role == PLUMB_ROLE_REMOVE;
            leaving += !back && x->role == PLUMB_ROLE_REMOVE;
        }
        if (rank < o->call)
            continue;
        if (called - (called < left ? called : left) >= b->counting.cap ||
            (gap && leaving > left && called >= b->counting.cap))
            return false;
    }
    return plumb_base_paced_set(b->m->budget, wanted, true, input->count);
}

/* No path leads beyond the return at event `at`. */
static bool find_wrong(struct bounded *b, uint32_t at)
{
    struct plumb_check_monitoring *const m = b->m;
    const uint32_t op = m->input->event[at] / 2;
    const struct plumb_check_input_op *const o = m->input->op + op;
    bool *const wanted = plumb_base_arena_zeroed(m->scratch, m->input->count);
    uint32_t sure = answered_by(b, o->ret);
    if (!wanted || !begin_blame(b))
        return ends(m);
    bool wrong = false;
    if (o->term == PLUMB_TERM_EMPTY)
        wrong = is_never_empty(b, o, wanted, &sure);
    else if (o->term == PLUMB_TERM_FULL)
        wrong = is_never_full(b, o, wanted);
    else
        wrong = is_overfull(b, o->ret, wanted);
    if (!wrong)
        return plumb_check_monitor_declines(m, "the order of items is open");
    if (o->term == PLUMB_TERM_EMPTY || o->term == PLUMB_TERM_FULL)
        wanted[op] = true;
    end_blame(m, o->ret, sure, wanted);
    return true;
}

/* ---- all of it ---- */

static bool decide_bounded(struct plumb_check_monitoring *m);

static bool take_violation(struct bounded *b,
                           const struct plumb_check_monitoring *plain)
{
    struct plumb_check_monitoring *const m = b->m;
    m->blame = plain->blame;
    m->blames = plain->blames;
    m->maybe = plain->maybe;
    m->sure = answered_by(b, plain->sure);
    for (uint32_t i = 0; i < m->blames && goes_on(b, i); i++)
        m->blame[i] = b->pick[m->blame[i]];
    m->verdict = PLUMB_NOT_LINEARIZABLE;
    return true;
}

/* What happened before that rank. */
static bool cut_behind(const struct plumb_check_input *from, uint32_t rank,
                       struct plumb_base_arena *arena,
                       struct plumb_check_input *to)
{
    *to = *from;
    to->events = plumb_check_input_events_before(from, rank);
    struct plumb_check_input_op *const op =
        plumb_base_arena_alloc(arena, ((size_t)from->count + 1) * sizeof *op);
    if (!op)
        return false;
    to->op = op;
    for (to->count = 0;
         to->count < from->count && from->op[to->count].call < rank;
         to->count++) {
        struct plumb_check_input_op *const o = op + to->count;
        if (!plumb_base_in_time(arena->budget, to->count))
            return false;
        *o = from->op[to->count];
        if (o->ret < rank)
            continue;
        o->ret = PLUMB_NEVER;
        o->term = PLUMB_TERM_ANY;
        o->nres = 0;
        if (o->role != PLUMB_ROLE_ADD)
            o->word[0] = PLUMB_NO_WORD;
    }
    return true;
}

static bool has_full(const struct plumb_check_monitoring *m)
{
    for (uint32_t i = 0; i < m->blames; i++)
        if (m->input->op[m->blame[i]].term == PLUMB_TERM_FULL)
            return true;
    return false;
}

/* Without a value, a queue might be full elsewhere. */
static bool blame_all(struct plumb_check_monitoring *m)
{
    m->blames = m->input->count;
    m->blame = plumb_base_arena_alloc(m->arena, m->blames * sizeof *m->blame);
    for (uint32_t i = 0; m->blame && i < m->blames; i++) {
        if (!plumb_base_in_time(m->budget, i))
            return false;
        m->blame[i] = i;
    }
    return m->blame;
}

/* Does one of those to blame answer later that it failed?  Then the answer would
 * have to be forgotten. */
static bool fails_later(const struct plumb_check_monitoring *m,
                        const struct plumb_check_monitoring *early,
                        uint32_t rank)
{
    for (uint32_t i = 0; i < early->blames; i++) {
        const struct plumb_check_input_op *const o =
            m->input->op + early->blame[i];
        if (o->ret >= rank &&
            (o->term == PLUMB_TERM_EMPTY || o->term == PLUMB_TERM_FULL))
            return true;
    }
    return false;
}

/* What happened before that rank, decided by itself: what becomes known of when
 * it went wrong. */
static bool decide_before(struct plumb_check_monitoring *m, uint32_t rank,
                          enum plumb_verdict *verdict)
{
    struct plumb_base_arena scratch = { .budget = m->budget };
    struct plumb_check_input early;
    struct plumb_check_monitoring again = *m;
    again.scratch = &scratch;
    again.input = &early;
    again.verdict = PLUMB_UNDECIDED;
    const bool done =
        cut_behind(m->input, rank, &scratch, &early) && decide_bounded(&again);
    *verdict = again.verdict;
    if (done && again.verdict == PLUMB_NOT_LINEARIZABLE) {
        m->sure = again.sure;
        if (!fails_later(m, &again, rank)) {
            m->blame = again.blame;
            m->blames = again.blames;
        }
    }
    plumb_base_arena_release(&scratch);
    return done;
}

enum { MOST_LOOKS = 12, SHORT = 4096 };

/* Without a limit, and without answers that were left out, it is wrong since
 * then; with them, it may have been before.  What was open may have made it so
 * only when it returned. */
static bool narrow_down(struct plumb_check_monitoring *m)
{
    enum plumb_verdict verdict;
    uint32_t low = 0; /* what happened before is right */
    if (!decide_before(m, m->maybe, &verdict))
        return false;
    if (verdict == PLUMB_LINEARIZABLE)
        low = m->maybe;
    if (verdict != PLUMB_UNDECIDED || m->input->events < SHORT)
        for (int i = 0; i < MOST_LOOKS && low < m->sure; i++) {
            const uint32_t middle = low + (m->sure - low) / 2;
            if (!decide_before(m, middle + 1, &verdict))
                return false;
            if (verdict == PLUMB_UNDECIDED)
                break;
            if (verdict == PLUMB_LINEARIZABLE)
                low = middle + 1;
            else
                m->sure = middle < m->sure ? middle : m->sure;
        }
    m->maybe = low;
    return !has_full(m) || blame_all(m);
}

static bool count(struct bounded *b)
{
    struct plumb_check_monitoring *const m = b->m;
    uint32_t at = 0;
    switch (plumb_check_count(&b->counting, m, &at)) {
    case PLUMB_COUNT_FINE:
        m->verdict = PLUMB_LINEARIZABLE;
        return true;
    case PLUMB_COUNT_WRONG:
        return find_wrong(b, at);
    case PLUMB_COUNT_TOO_MANY:
        return plumb_check_monitor_declines(m, "too many operations overlap");
    case PLUMB_COUNT_ENDED:
        break;
    }
    return ends(m);
}

static bool decide_bounded(struct plumb_check_monitoring *m)
{
    const uint64_t cap =
        m->spec->given[PLUMB_CAP] ? m->spec->param[PLUMB_CAP] : UINT32_MAX / 2;
    struct bounded b = { .m = m,
                         .counting = {
                             .input = m->input,
                             .budget = m->budget,
                             .rule = rule_of(m->spec),
                             .told = plumb_spec_is_told(m->spec->type),
                             .cap = cap < UINT32_MAX / 2 ? (uint32_t)cap
                                                         : UINT32_MAX / 2 } };
    struct plumb_check_monitoring plain;
    const char *const why = why_declined(&b);
    if (why)
        return plumb_check_monitor_declines(m, why);
    if (!leave_out(&b) || !ask_about_order(&b, &plain))
        return ends(m);
    if (plain.verdict == PLUMB_NOT_LINEARIZABLE)
        return take_violation(&b, &plain);
    if (plain.verdict != PLUMB_LINEARIZABLE)
        return plumb_check_monitor_declines(m, plain.declined);
    return line_up(&b, &plain) ? count(&b) : ends(m);
}

bool plumb_check_monitor_bounded_queue(struct plumb_check_monitoring *m)
{
    return decide_bounded(m) &&
           (m->verdict != PLUMB_NOT_LINEARIZABLE || narrow_down(m) || ends(m));
}
