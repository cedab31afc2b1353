/* decide_parts.c - the parts of a history take turns.
 *
 * One part may be hard and the next one a plain violation.  So in each round
 * every part that is not decided goes on until it has taken a number of steps,
 * the smallest part first, and this number doubles from round to round: a part
 * that takes s steps is decided before any other has taken more than 2s.  The
 * first part that is found to be a violation and can be certified is the
 * answer.  A certificate may cost as much as the part's turns so far; one that
 * costs more waits for the next round, as a search does.
 *
 * Threads share out the turns of a round.  All turns before a violation are
 * taken whatever the timing (workers.h), and only those count: what was found
 * behind it is used if the round goes on, and forgotten if not.  So the answer,
 * and every number in it, is the same for any number of threads. */
#include "decide_parts.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/workers.h"
#include "check/search/told.h"
#include "check/turns/turns.h"
#include "merge.h"
#include <assert.h>
#include <string.h>

enum { FIRST_TURN = 1 << 14 };

struct pool {
    const struct plumb_check_case *c;
    const struct plumb_check_turn_rules *rules;
    struct plumb_check_turns turns;
    struct plumb_check_turner *turner;   /* by thread */
    struct plumb_check_finding *finding; /* by part: of the turns that count */
    struct plumb_check_finding *fresh;   /* by part: of this round */
    bool *had;                           /* by part: its turn of this round */
    uint32_t *queue; /* parts that are not decided, the smallest first */
    uint32_t queued;
    uint32_t at;    /* where the threads begin in it */
    uint64_t until; /* steps, in all, that a part's turn ends after; 0: never */
};

enum end { GOES_ON, ANSWERED, ENDED };

static bool is_left(const struct plumb_check_case *c, uint32_t part)
{
    const struct plumb_check_monitored *const m = c->monitored;
    return !m || m->nothing ||
           (m->left && m->left[c->parts.part[part].item[0].op]);
}

static bool has_ended(const struct pool *p)
{
    return plumb_budget_state(p->c->budget) != PLUMB_OK;
}

/* ---- a round ---- */

static void take_turn(struct pool *p, unsigned member, uint32_t part)
{
    p->had[part] = true;
    plumb_check_turn(&p->turns, p->turner + member, part, p->until,
                     p->fresh + part);
}

/* A violation that was not certified only stands in line. */
static bool work(void *context, unsigned member, uint32_t i)
{
    struct pool *const p = context;
    const uint32_t part = p->queue[p->at + i];
    if (p->finding[part].verdict == PLUMB_NOT_LINEARIZABLE)
        return false;
    if (has_ended(p))
        return false;
    if (!p->had[part])
        take_turn(p, member, part);
    return p->fresh[part].verdict != PLUMB_NOT_LINEARIZABLE;
}

static bool lacks_memory(const struct pool *p, uint32_t part)
{
    const struct plumb_check_finding *const f = p->fresh + part;
    return p->had[part] && f->verdict == PLUMB_UNDECIDED &&
           f->why == PLUMB_EMEMORY;
}

/* A part that memory did not suffice for, beside those that wait and those that
 * other threads ran, gets all of it.  Returns where the threads stopped. */
static uint32_t try_alone(struct pool *p, uint32_t stop)
{
    for (uint32_t i = p->at; i < stop && i < p->queued; i++) {
        if (!lacks_memory(p, p->queue[i]) || has_ended(p))
            continue;
        plumb_check_turns_make_room(&p->turns, true);
        take_turn(p, 0, p->queue[i]);
        if (p->fresh[p->queue[i]].verdict == PLUMB_NOT_LINEARIZABLE)
            return i;
    }
    return stop;
}

/* The turns of queue[at ... stop] count. */
static void commit(struct pool *p, uint32_t stop)
{
    for (uint32_t i = p->at; i < p->queued && i <= stop; i++)
        if (p->had[p->queue[i]])
            p->finding[p->queue[i]] = p->fresh[p->queue[i]];
}

/* Or was it the end of the budget? */
static bool stopped_at_violation(const struct pool *p, uint32_t stop)
{
    return stop < p->queued &&
           p->finding[p->queue[stop]].verdict == PLUMB_NOT_LINEARIZABLE;
}

/* It is tried even when the budget has ended: a small part is proved before the
 * clock is looked at. */
static enum end prove(struct pool *p, uint32_t part)
{
    const struct plumb_check_turn_rules *const r = p->rules;
    const struct plumb_check_finding *const f = p->finding + part;
    if (!r->certify)
        return ANSWERED;
    enum plumb_status status = r->certify(r->context, part, f, p->until);
    if (status == PLUMB_EMEMORY && !has_ended(p)) {
        plumb_check_turns_make_room(&p->turns, true);
        status = r->certify(r->context, part, f, p->until);
    }
    if (status == PLUMB_END || (status == PLUMB_EMEMORY && p->queued > 1))
        return GOES_ON;
    return status == PLUMB_OK ? ANSWERED : ENDED;
}

/* *answer is the part that was proved to be a violation. */
static enum end run_round(struct pool *p, uint32_t *answer)
{
    for (p->at = 0; p->at < p->queued;) {
        const uint32_t first =
            plumb_base_workers_run(p->rules->jobs, p->queued - p->at, work, p);
        const uint32_t stop = try_alone(p, p->at + first);
        commit(p, stop);
        if (!stopped_at_violation(p, stop)) {
            if (has_ended(p))
                return ENDED;
            break;
        }
        *answer = p->queue[stop];
        const enum end end = prove(p, *answer);
        if (end != GOES_ON)
            return end;
        p->at = stop + 1;
    }
    return GOES_ON;
}

/* ---- all rounds ---- */

/* A violation that is not certified stays, and so does what can go on. */
static void drop_decided(struct pool *p)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->queued; i++) {
        const struct plumb_check_finding *const f = p->finding + p->queue[i];
        p->had[p->queue[i]] = false;
        if (f->interrupted || f->verdict == PLUMB_NOT_LINEARIZABLE)
            p->queue[kept++] = p->queue[i];
    }
    p->queued = kept;
}

enum { LAST_TURN = 1 << 26 };

/* The last one may take as long as it takes, after a while in which it is asked
 * now and then whom it suspects. */
static uint64_t end_of_turn(const struct pool *p, uint64_t turn)
{
    const uint64_t most = p->rules->most;
    if (p->queued == 1 && turn > LAST_TURN)
        return most;
    return most && most < turn ? most : turn;
}

static enum end run_rounds(struct pool *p, uint32_t *answer)
{
    const uint64_t first = p->rules->first ? p->rules->first : FIRST_TURN;
    for (uint64_t turn = first; p->queued; turn *= 2) {
        p->until = end_of_turn(p, turn);
        const enum end end = run_round(p, answer);
        if (end != GOES_ON)
            return end;
        if (p->rules->most && p->until == p->rules->most)
            break;
        drop_decided(p);
        plumb_check_turns_make_room(&p->turns, false);
    }
    return GOES_ON;
}

struct size {
    uint32_t count, part;
};

static int by_size(const void *x, const void *y)
{
    const struct size *const a = x, *const b = y;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return (a->part > b->part) - (a->part < b->part);
}

/* False when memory is used up. */
static bool line_up(struct pool *p)
{
    const struct plumb_check_parts *const parts = &p->c->parts;
    struct plumb_budget *const b = p->c->budget;
    struct size *const size =
        plumb_base_alloc(b, ((size_t)parts->count + 1) * sizeof *size);
    if (!size)
        return false;
    for (uint32_t i = 0; i < parts->count; i++) {
        p->finding[i].verdict =
            is_left(p->c, i) ? PLUMB_UNDECIDED : PLUMB_LINEARIZABLE;
        if (is_left(p->c, i))
            size[p->queued++] = (struct size){ parts->part[i].count, i };
    }
    const bool sorted =
        plumb_base_sort(b, size, p->queued, sizeof *size, by_size);
    for (uint32_t i = 0; i < p->queued; i++)
        p->queue[i] = size[i].part;
    PLUMB_RELEASE(b, size, (size_t)parts->count + 1);
    return sorted;
}

/* ---- what the findings say together ---- */

/* The events before this rank are linearizable as far as part i goes. */
static uint32_t sure_of(const struct pool *p, uint32_t i)
{
    const struct plumb_check_part *const part = p->c->parts.part + i;
    const uint32_t first = plumb_check_part_rank(part, part->item[0].call);
    const struct plumb_check_finding *const f = p->finding + i;
    return f->verdict == PLUMB_LINEARIZABLE ? PLUMB_NEVER
           : f->prefix > first              ? f->prefix
                                            : first;
}

static void count_work(const struct pool *p,
                       struct plumb_check_outcome_of_parts *out)
{
    for (uint32_t i = 0; i < p->c->parts.count; i++) {
        out->configurations += p->finding[i].configurations;
        out->steps += p->finding[i].steps;
    }
}

static void answer_violation(const struct pool *p, uint32_t violated,
                             struct plumb_check_outcome_of_parts *out)
{
    out->verdict = PLUMB_NOT_LINEARIZABLE;
    out->violated = violated;
    out->prefix = p->finding[violated].prefix;
    out->others = PLUMB_NEVER;
    for (uint32_t i = 0; i < p->c->parts.count; i++)
        if (i != violated && sure_of(p, i) < out->others)
            out->others = sure_of(p, i);
}

static void sum_up(const struct pool *p,
                   struct plumb_check_outcome_of_parts *out)
{
    out->verdict = PLUMB_LINEARIZABLE;
    out->prefix = PLUMB_NEVER;
    for (uint32_t i = 0; i < p->c->parts.count; i++) {
        const struct plumb_check_finding *const f = p->finding + i;
        if (f->verdict == PLUMB_LINEARIZABLE)
            continue;
        if (out->why == PLUMB_OK)
            out->why = f->why;
        const bool found = f->verdict == PLUMB_NOT_LINEARIZABLE;
        out->unverified |= found;
        out->interrupted |= f->interrupted || (found && p->rules->most);
        out->verdict = PLUMB_UNDECIDED;
        if (sure_of(p, i) < out->prefix)
            out->prefix = sure_of(p, i);
    }
}

/* Of the parts, and what monitors found. */
static bool merge(const struct pool *p, struct plumb_base_arena *arena,
                  struct plumb_check_outcome_of_parts *out)
{
    const struct plumb_check_case *const c = p->c;
    struct plumb_base_arena scratch = { .budget = c->budget };
    uint32_t n = c->parts.count;
    struct plumb_check_order *const order =
        plumb_base_arena_alloc(&scratch, ((size_t)n + 1) * sizeof *order);
    for (uint32_t i = 0; order && i < n; i++)
        order[i] = (struct plumb_check_order){ p->finding[i].order,
                                               p->finding[i].order_count };
    if (order && c->monitored && c->monitored->order)
        order[n++] = (struct plumb_check_order){ c->monitored->order,
                                                 c->monitored->order_count };
    const bool merged =
        order && plumb_check_merge_orders(c->bound->history, order, n, arena,
                                          &out->order, &out->order_count);
    plumb_base_arena_release(&scratch);
    return merged;
}

/* Why it is undecided, if no part says so: the budget, or `most`. */
static void explain(const struct pool *p,
                    struct plumb_check_outcome_of_parts *out)
{
    const enum plumb_status state = plumb_budget_state(p->c->budget);
    out->interrupted &= state == PLUMB_OK && p->rules->most;
    if (state != PLUMB_OK || out->interrupted)
        out->why = state;
    else if (out->why == PLUMB_OK)
        out->why = PLUMB_EMEMORY;
}

static void conclude(const struct pool *p, enum end end, uint32_t answer,
                     struct plumb_base_arena *arena,
                     struct plumb_check_outcome_of_parts *out)
{
    count_work(p, out);
    if (end == ANSWERED) {
        answer_violation(p, answer, out);
        return;
    }
    sum_up(p, out);
    if (out->verdict == PLUMB_LINEARIZABLE && !merge(p, arena, out)) {
        out->verdict = PLUMB_UNDECIDED;
        out->why = PLUMB_EMEMORY;
    }
    if (out->verdict == PLUMB_UNDECIDED)
        explain(p, out);
}

/* ---- in and out ---- */

static bool open_pool(struct pool *p, struct plumb_base_arena *scratch,
                      unsigned threads)
{
    const size_t n = (size_t)p->c->parts.count + 1;
    p->finding = plumb_base_arena_zeroed(scratch, n * sizeof *p->finding);
    p->fresh = plumb_base_arena_zeroed(scratch, n * sizeof *p->fresh);
    p->had = plumb_base_arena_zeroed(scratch, n * sizeof *p->had);
    p->queue = plumb_base_arena_alloc(scratch, n * sizeof *p->queue);
    p->turner = plumb_base_arena_zeroed(scratch, threads * sizeof *p->turner);
    if (!p->finding || !p->fresh || !p->had || !p->queue || !p->turner ||
        !line_up(p) || !plumb_check_turns_open(&p->turns, p->c))
        return false;
    for (unsigned j = 0; j < threads; j++)
        plumb_check_turner_init(p->turner + j, p->c->budget);
    return true;
}

static void close_pool(struct pool *p, unsigned threads,
                       struct plumb_check_outcome_of_parts *out)
{
    for (unsigned j = 0; j < threads; j++)
        plumb_check_turner_release(&p->turns, p->turner + j);
    plumb_check_turns_close(&p->turns);
    out->unknown = atomic_load(&p->turns.unknown);
}

bool plumb_check_decide_parts(const struct plumb_check_case *c,
                              const struct plumb_check_turn_rules *rules,
                              struct plumb_base_arena *arena,
                              struct plumb_check_outcome_of_parts *out)
{
    struct pool p = { .c = c, .rules = rules };
    struct plumb_base_arena scratch = { .budget = c->budget };
    const unsigned threads =
        plumb_base_workers_size(rules->jobs, c->parts.count);
    uint32_t answer = 0;
    *out = (struct plumb_check_outcome_of_parts){ .verdict = PLUMB_UNDECIDED };
    const bool room = open_pool(&p, &scratch, threads);
    if (room) {
        const enum end end = run_rounds(&p, &answer);
        conclude(&p, end, answer, arena, out);
        close_pool(&p, threads, out);
    }
    plumb_base_arena_release(&scratch);
    return room;
}
