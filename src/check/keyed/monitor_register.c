/* monitor_register.c - registers whose values are each written once; others go
 * to any_register.c.
 *
 * register_intervals.c decides, return by return.  The order: values by `first`, but a value
 * with a limit comes just before the one that set it (docs/how-monitors-work.md
 * says why); of each value the write, then the reads in the order of their calls. */
#include "keyed.h"
#include "register_intervals.h"
#include "small_state.h"

#include "base/arena.h"
#include "base/pace.h"
#include <assert.h>
#include <string.h>

struct sweep {
    struct plumb_check_monitoring *m;
    struct plumb_check_intervals intervals;
    uint32_t interval_count;
    uint32_t told; /* operations whose writes the intervals know */
    uint32_t end;  /* rank of the first call that writes a value again */
    enum plumb_check_intervals_answer answer;
    uint32_t other; /* CROSSED: with this value */
};

/* Nil is the last.  So is the value at first if none was given: it is nil. */
static uint32_t value_of(const struct plumb_check_input *input, uint32_t word)
{
    return word >= PLUMB_NIL_WORD ? input->values : word;
}

static uint32_t moment_of(uint32_t rank)
{
    return rank + 2;
}

static bool start(struct sweep *s, struct plumb_check_monitoring *m)
{
    s->m = m;
    s->interval_count = m->input->values + 1;
    struct plumb_check_interval *const interval = plumb_base_arena_zeroed(
        m->scratch, ((size_t)s->interval_count + 1) * sizeof *interval);
    uint32_t *const value = plumb_base_arena_alloc(
        m->scratch, ((size_t)s->interval_count + 1) * sizeof *value);
    if (!interval || !value)
        return false;
    plumb_check_intervals_init(&s->intervals, interval, value,
                               value_of(m->input, m->input->initial));
    return true;
}

/* Tell the intervals of the writes that are called before rank `until`, in the
 * order of their calls, without a branch for what each operation is: reads go to
 * an interval behind all others. */
static void tell_writes(struct sweep *s, uint32_t until)
{
    const struct plumb_check_input *const input = s->m->input;
    uint32_t i = s->told;
    for (; i < input->count && input->op[i].call < until; i++) {
        const struct plumb_check_input_op *const o = input->op + i;
        const uint32_t read = 0 - (uint32_t)(o->role != PLUMB_ROLE_WRITE);
        const uint32_t value = value_of(input, o->word[0]);
        s->intervals.interval[s->interval_count].last = 0;
        if (plumb_check_intervals_write(
                &s->intervals, (value & ~read) | (s->interval_count & read),
                moment_of(o->call)))
            continue;
        s->end = o->call;
        break;
    }
    s->told = i;
}

/* Those that return, in order. */
static uint32_t list_returns(const uint32_t *event, uint32_t events,
                             uint32_t *returned)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < events; i++) {
        returned[count] = event[i] / 2;
        count += plumb_check_input_is_return(event[i]);
    }
    return count;
}

/* The first of them that is a violation, or NO_WORD. */
static uint32_t tell_returns(struct sweep *s, const uint32_t *returned,
                             uint32_t count)
{
    const struct plumb_check_input *const input = s->m->input;
    struct plumb_check_intervals intervals = s->intervals;
    uint32_t wrong = PLUMB_NO_WORD;
    for (uint32_t i = 0; i < count; i++) {
        const struct plumb_check_input_op *const o = input->op + returned[i];
        if (o->ret > s->end)
            break;
        s->answer = plumb_check_intervals_return(
            &intervals, value_of(input, o->word[0]), moment_of(o->call),
            moment_of(o->ret), &s->other);
        if (s->answer == PLUMB_INTERVALS_FINE)
            continue;
        wrong = returned[i];
        break;
    }
    s->intervals = intervals;
    return wrong;
}

/* The operation that returns before a value is written again and first is a
 * violation, or NO_WORD.  Some events at a time: what they say is at hand. */
static uint32_t sweep(struct sweep *s)
{
    enum { SOME = 2048 };
    const struct plumb_check_input *const input = s->m->input;
    uint32_t returned[SOME], wrong = PLUMB_NO_WORD;
    for (uint32_t i = 0; i < input->events && wrong == PLUMB_NO_WORD;) {
        const uint32_t left = input->events - i;
        const uint32_t some = left < SOME ? left : SOME;
        if ((s->m->why = plumb_budget_state(s->m->budget)))
            return PLUMB_NO_WORD;
        if (s->end != PLUMB_NEVER)
            break;
        tell_writes(s, plumb_check_input_rank_at(input, i + some - 1) + 1);
        wrong = tell_returns(s, returned,
                             list_returns(input->event + i, some, returned));
        i += some;
    }
    return wrong;
}

/* ---- the order ---- */

/* From the last value to the first, `place` becomes the place of a value in the
 * order, the one at first being 0.  Those that stand just before a value have
 * been met by then: they wait in a list. */
static bool order_values(struct sweep *s)
{
    struct plumb_check_interval *const interval = s->intervals.interval;
    const size_t size = s->interval_count * sizeof(uint32_t);
    uint32_t *const next = plumb_base_arena_alloc(s->m->scratch, size);
    uint32_t *const waiting = plumb_base_arena_alloc(s->m->scratch, size);
    uint32_t place = s->intervals.count;
    if (!next || !waiting)
        return false;
    memset(waiting, 0xff, size);
    for (uint32_t i = s->intervals.count; i-- > 0;) {
        if (!plumb_base_in_time(s->m->budget, i))
            return false;
        const uint32_t v = s->intervals.value[i], before = interval[v].place;
        assert(v < s->interval_count && interval[v].first);
        if (interval[v].limit) {
            next[v] = waiting[before];
            waiting[before] = v;
            continue;
        }
        interval[v].place = --place;
        for (uint32_t u = waiting[v]; u != PLUMB_NO_INTERVAL; u = next[u])
            interval[u].place = --place;
    }
    return true;
}

/* The value at first has no write: writes are numbered from 0, and reads stand
 * before the write of the next value. */
static uint32_t place_of(const struct sweep *s,
                         const struct plumb_check_input_op *o)
{
    const bool write = o->role == PLUMB_ROLE_WRITE;
    if (plumb_check_input_is_pending(o) && !write)
        return PLUMB_NO_PLACE;
    const struct plumb_check_interval *const interval =
        s->intervals.interval + value_of(s->m->input, o->word[0]);
    return interval->first ? 2 * interval->place - write : PLUMB_NO_PLACE;
}

static bool put_in_order(struct sweep *s)
{
    const struct plumb_check_input *const input = s->m->input;
    uint32_t *const at = plumb_base_arena_alloc(
        s->m->scratch, ((size_t)input->count + 1) * sizeof *at);
    if (!at || !order_values(s))
        return plumb_check_monitor_gives_up(s->m, PLUMB_EMEMORY);
    for (uint32_t i = 0; i < input->count; i++) {
        if (!plumb_base_in_time(s->m->budget, i))
            return plumb_check_monitor_gives_up(s->m, PLUMB_EMEMORY);
        at[i] = place_of(s, input->op + i);
    }
    s->m->verdict = PLUMB_LINEARIZABLE;
    return plumb_check_order_by_place(s->m, at, s->intervals.count - 1);
}

/* ---- the blame ---- */

/* Of each of the two values: its write, the first that returned, the last that
 * was called.  Three of them may be one. */
enum { WRITE, FIRST, LAST, CULPRITS };
struct culprits {
    uint32_t op[2][CULPRITS]; /* PLUMB_NO_WORD: none */
    bool keep[2][CULPRITS];
    uint32_t sure;
};

static uint32_t returned(const struct culprits *c,
                         const struct plumb_check_input_op *o)
{
    return o->ret <= c->sure ? o->ret : PLUMB_NEVER;
}

static void suspect(struct culprits *c, const struct plumb_check_input *input,
                    unsigned side, uint32_t i)
{
    const struct plumb_check_input_op *const o = input->op + i;
    uint32_t *const op = c->op[side];
    if (o->role == PLUMB_ROLE_WRITE)
        op[WRITE] = i;
    else if (returned(c, o) == PLUMB_NEVER)
        return;
    if (op[FIRST] == PLUMB_NO_WORD ||
        returned(c, o) < returned(c, input->op + op[FIRST]))
        op[FIRST] = i;
    if (op[LAST] == PLUMB_NO_WORD || o->call > input->op[op[LAST]].call)
        op[LAST] = i;
}

/* Do those that are kept cross?  A value at first was written before all. */
static bool cross(const struct culprits *c,
                  const struct plumb_check_input *input)
{
    uint32_t first[2], last[2];
    for (unsigned side = 0; side < 2; side++) {
        first[side] = c->op[side][WRITE] == PLUMB_NO_WORD ? 0 : PLUMB_NEVER;
        last[side] = 0;
        for (unsigned i = 0; i < CULPRITS; i++) {
            if (!c->keep[side][i])
                continue;
            const struct plumb_check_input_op *const o =
                input->op + c->op[side][i];
            const uint32_t ret = returned(c, o);
            if (ret != PLUMB_NEVER && moment_of(ret) < first[side])
                first[side] = moment_of(ret);
            if (moment_of(o->call) > last[side])
                last[side] = moment_of(o->call);
        }
    }
    return first[0] < last[1] && first[1] < last[0];
}

/* Each operation once, and no read that is not needed. */
static void choose(struct culprits *c, const struct plumb_check_input *input)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < CULPRITS; i++) {
            const uint32_t op = c->op[side][i];
            c->keep[side][i] = op != PLUMB_NO_WORD;
            for (unsigned j = 0; j < i; j++)
                if (c->op[side][j] == op)
                    c->keep[side][i] = false;
        }
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = FIRST; i < CULPRITS; i++) {
            if (!c->keep[side][i])
                continue;
            c->keep[side][i] = false;
            c->keep[side][i] = !cross(c, input);
        }
}

static void list_ascending(struct plumb_check_monitoring *m, uint32_t op)
{
    uint32_t i = m->blames++;
    for (; i > 0 && m->blame[i - 1] > op; i--)
        m->blame[i] = m->blame[i - 1];
    m->blame[i] = op;
}

static void blame_two(struct plumb_check_monitoring *m, uint32_t value,
                      uint32_t other)
{
    const struct plumb_check_input *const input = m->input;
    struct culprits c = { .sure = m->sure };
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < CULPRITS; i++)
            c.op[side][i] = PLUMB_NO_WORD;
    for (uint32_t i = 0; i < input->count && input->op[i].call < c.sure; i++) {
        const struct plumb_check_input_op *const o = input->op + i;
        if (o->word[0] == PLUMB_NO_WORD) /* a pending read */
            continue;
        const uint32_t v = value_of(input, o->word[0]);
        if (v == value || v == other)
            suspect(&c, input, v == other, i);
    }
    choose(&c, input);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < CULPRITS; i++)
            if (c.keep[side][i])
                list_ascending(m, c.op[side][i]);
}

static bool accuse(struct sweep *s, uint32_t op)
{
    struct plumb_check_monitoring *const m = s->m;
    const struct plumb_check_input_op *const o = m->input->op + op;
    m->blame =
        plumb_base_arena_alloc(m->arena, 2 * CULPRITS * sizeof *m->blame);
    if (!m->blame)
        return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
    m->verdict = PLUMB_NOT_LINEARIZABLE;
    m->maybe = m->sure = o->ret;
    if (s->answer == PLUMB_INTERVALS_UNWRITTEN)
        list_ascending(m, op);
    else
        blame_two(m, value_of(m->input, o->word[0]), s->other);
    return true;
}

static bool decide(struct sweep *s)
{
    struct plumb_check_monitoring *const m = s->m;
    if (!start(s, m))
        return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
    const uint32_t wrong = sweep(s);
    if (wrong != PLUMB_NO_WORD)
        return accuse(s, wrong);
    if (m->why)
        return false;
    if (s->end == PLUMB_NEVER)
        return put_in_order(s);
    return plumb_check_monitor_any_register(m, "values repeat");
}

bool plumb_check_monitor_register(struct plumb_check_monitoring *m)
{
    const uint64_t others =
        (uint64_t)1 << PLUMB_ROLE_CAS | (uint64_t)1 << PLUMB_ROLE_SWAP;
    struct sweep s = { .m = m, .end = PLUMB_NEVER };
    m->verdict = PLUMB_UNDECIDED;
    if (!(m->input->roles & others))
        return decide(&s);
    return plumb_check_monitor_any_register(m, "compare-and-set or swap");
}
