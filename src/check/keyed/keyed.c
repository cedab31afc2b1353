/* keyed.c - orders and blames of types with keys.
 *
 * A violation of a key is a violation of what was called before it ended: all
 * of the key that changes something, and some of what only reads.  Leaving out
 * a read never makes a violation of something that was none, so the fewest reads
 * are found by bisection: the shortest beginning of the list of reads that
 * still is a violation ends with one that is needed; keep it, go on with those
 * before it.  The list begins with the last read, as those that are needed are
 * often near the violation. */
#include "keyed.h"

#include "base/arena.h"
#include "base/pace.h"
#include "base/sort.h"
#include <assert.h>

bool plumb_check_monitor_gives_up(struct plumb_check_monitoring *m,
                                  enum plumb_status why)
{
    const enum plumb_status state = plumb_budget_state(m->budget);
    m->verdict = PLUMB_UNDECIDED;
    m->why = why == PLUMB_EMEMORY && state != PLUMB_OK ? state : why;
    return false;
}

/* Sorted by counting, without a branch: what has no place goes behind all
 * others, where the order has ended. */
bool plumb_check_order_by_place(struct plumb_check_monitoring *m,
                                const uint32_t *at, uint32_t changes)
{
    const uint32_t count = m->input->count, behind = 2 * changes + 1;
    assert(changes <= (UINT32_MAX - 1) / 2); /* places fit */
    uint32_t *const start = plumb_base_arena_zeroed(
        m->scratch, ((size_t)behind + 2) * sizeof *start);
    uint32_t *const order =
        plumb_base_arena_alloc(m->arena, ((size_t)count + 1) * sizeof *order);
    if (!start || !order)
        return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(m->budget, i))
            return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
        start[(at[i] < behind ? at[i] : behind) + 1]++;
    }
    for (uint32_t p = 1; p <= behind; p++)
        start[p] += start[p - 1];
    m->order_count = start[behind];
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(m->budget, i))
            return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
        order[start[at[i] < behind ? at[i] : behind]++] = i;
    }
    m->order = order;
    m->keys = 0;
    return true;
}

/* ---- blame ---- */

struct trial {
    struct plumb_check_monitoring *m;
    const struct plumb_check_accused *accused;
    uint32_t *event; /* of the key, up to the violation */
    uint32_t events;
    uint32_t *read; /* those not known to be needed, the last call first */
    uint32_t reads;
    bool *keep;         /* by operation */
    uint64_t allowance; /* events that may still be looked at */
};

/* Those that return after the violation have not answered before: they are
 * there without their answers if they may change something, else not at all. */
static bool collect(struct trial *t, uint32_t sure)
{
    const struct plumb_check_input *const input = t->m->input;
    for (uint32_t i = 0; i < input->events; i++) {
        const uint32_t e = input->event[i];
        const struct plumb_check_input_op *const o = input->op + e / 2;
        const bool is_return = plumb_check_input_is_return(e);
        if ((is_return ? o->ret : o->call) > sure)
            break;
        if (!plumb_base_in_time(t->m->budget, i))
            return false;
        if (!t->accused->whole &&
            plumb_check_key_of(input, o) != t->accused->key)
            continue;
        t->event[t->events++] = e;
        if (is_return)
            continue;
        if (!t->accused->reads(t->accused, o))
            t->keep[e / 2] = true;
        else if (!plumb_check_input_is_pending(o) && o->ret <= sure)
            t->read[t->reads++] = e / 2;
    }
    return true;
}

static void keep_reads(struct trial *t, uint32_t count)
{
    for (uint32_t i = 0; i < t->reads; i++)
        t->keep[t->read[i]] = i < count;
}

/* With the first `count` of the reads in question. */
static enum plumb_verdict try(struct trial *t, uint32_t count)
{
    keep_reads(t, count);
    t->allowance -= t->allowance < t->events ? t->allowance : t->events;
    return t->accused->judge(t->accused->context, t->event, t->events, t->keep);
}

/* Do the first `count` make it a violation?  *least and *enough tell what is
 * known: less than the former do not, the latter do. */
static void probe(struct trial *t, uint32_t count, uint32_t *least,
                  uint32_t *enough)
{
    const enum plumb_verdict verdict = try(t, count);
    if (verdict == PLUMB_NOT_LINEARIZABLE)
        *enough = count;
    else if (verdict == PLUMB_LINEARIZABLE)
        *least = count + 1;
    else
        t->allowance = 0;
}

/* The fewest of the reads in question, from the first, that make it a
 * violation; or a few more if there is no time.  They are often very few. */
static uint32_t fewest(struct trial *t)
{
    uint32_t least = 0, enough = t->reads;
    for (uint32_t n = 0; n < enough && t->allowance; n = n ? 2 * n : 1)
        probe(t, n, &least, &enough);
    while (least < enough && t->allowance)
        probe(t, least + (enough - least) / 2, &least, &enough);
    return enough;
}

static void drop_reads(struct trial *t)
{
    keep_reads(t, t->reads);
    while (t->reads && t->allowance) {
        const uint32_t count = fewest(t);
        keep_reads(t, count);
        t->reads = count ? count - 1 : 0;
    }
}

bool plumb_check_list_blamed(struct plumb_check_monitoring *m,
                             const bool *blamed, uint32_t count,
                             const uint32_t *of)
{
    uint32_t blames = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(m->budget, i))
            return false;
        blames += blamed[i];
    }
    m->blame = plumb_base_arena_alloc(m->arena, blames * sizeof *m->blame);
    if (!m->blame)
        return false;
    m->blames = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(m->budget, i))
            return false;
        if (blamed[i])
            m->blame[m->blames++] = of ? of[i] : i;
    }
    return true;
}

bool plumb_check_blame_key(struct plumb_check_monitoring *m,
                           const struct plumb_check_accused *accused,
                           uint32_t sure)
{
    const size_t count = m->input->count;
    struct trial t = { .m = m, .accused = accused };
    assert(accused->judge && accused->reads);
    t.event = plumb_base_arena_alloc(m->scratch, 2 * count * sizeof *t.event);
    t.read = plumb_base_arena_alloc(m->scratch, count * sizeof *t.read);
    t.keep = plumb_base_arena_zeroed(m->scratch, count * sizeof *t.keep);
    if (!t.event || !t.read || !t.keep || !collect(&t, sure))
        return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
    plumb_base_reverse(t.read, t.reads);
    t.allowance = 16 * (uint64_t)t.events + 2000000;
    drop_reads(&t);
    m->why = PLUMB_OK;
    m->verdict = PLUMB_NOT_LINEARIZABLE;
    m->maybe = m->sure = sure;
    return plumb_check_list_blamed(m, t.keep, m->input->count, NULL) ||
           plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
}
