/* small_state.c - small states, one per key, followed through few orders.
 *
 * As in live_configurations.c nothing takes effect before some operation returns that has
 * not: then any of the others that are open may do so before it, in any order,
 * and it is the last.  But here all answers are known beforehand, so an
 * operation with an answer that does not fit never takes effect.
 *
 * - What only reads takes effect as soon as its answer is right.
 * - Of two that do the same, the one that returns first goes first.
 * - A configuration is dropped if another has the same state and differs only
 *   in pending operations that it did not need.
 *
 * What took effect is a chain of records from each configuration backwards,
 * with the beginnings in common.  When one configuration is left, its chain is
 * written down, and begins anew. */
#include "small_state.h"

#include "base/memory.h"
#include <assert.h>
#include <string.h>

enum {
    SLOTS = 32,     /* open operations of a key */
    CONFIGS = 1024, /* configurations of a key, and in one search from them */
    NONE = 0        /* record and overlap 0 are not used */
};

struct plumb_check_small_state_config {
    uint32_t state, done; /* done: by slot */
    uint32_t log;         /* the last that took effect, or NONE */
};

struct plumb_check_small_state_effect {
    uint32_t before; /* or the next free one */
    uint32_t op, when;
    uint32_t users; /* configurations and records */
};

struct plumb_check_small_state_overlap {
    uint32_t op[SLOTS];
    uint32_t used, reads, pending; /* slots */
    uint32_t count, capacity;
    uint32_t next_free;
    struct plumb_check_small_state_config *config;
};

bool plumb_check_small_state_init(struct plumb_check_small_state *f)
{
    f->overlap_count = f->log_count = 1;
    f->queue = plumb_base_alloc(f->budget, CONFIGS * sizeof *f->queue);
    f->out = plumb_base_alloc(f->budget, CONFIGS * sizeof *f->out);
    if (f->queue && f->out &&
        PLUMB_GROW(f->budget, f->overlaps, f->overlaps_capacity, 16) &&
        PLUMB_GROW(f->budget, f->log, f->log_capacity, 64))
        return true;
    plumb_check_small_state_release(f);
    return false;
}

void plumb_check_small_state_release(struct plumb_check_small_state *f)
{
    struct plumb_budget *const b = f->budget;
    for (uint32_t i = 1; i < f->overlap_count; i++)
        PLUMB_RELEASE(b, f->overlaps[i].config, f->overlaps[i].capacity);
    PLUMB_RELEASE(b, f->overlaps, f->overlaps_capacity);
    PLUMB_RELEASE(b, f->amid, f->amid_capacity);
    PLUMB_RELEASE(b, f->log, f->log_capacity);
    plumb_base_release(b, f->queue, f->queue ? CONFIGS * sizeof *f->queue : 0);
    plumb_base_release(b, f->out, f->out ? CONFIGS * sizeof *f->out : 0);
}

/* ---- what took effect ---- */

/* A record behind `before`, whose user it takes over; NONE if none is wanted or
 * memory is used up. */
static uint32_t record(struct plumb_check_small_state *f, uint32_t before,
                       uint32_t op, uint32_t when)
{
    if (!f->own)
        return NONE;
    uint32_t r = f->free_log;
    if (r) {
        f->free_log = f->log[r].before;
    } else if (f->log_count < f->log_capacity ||
               PLUMB_GROW(f->budget, f->log, f->log_capacity,
                          f->log_count + 1)) {
        r = f->log_count++;
    } else {
        f->no_room = true;
        return NONE;
    }
    f->log[r] = (struct plumb_check_small_state_effect){ before, op, when, 1 };
    return r;
}

static uint32_t share(struct plumb_check_small_state *f, uint32_t log)
{
    if (log)
        f->log[log].users++;
    return log;
}

static void forget(struct plumb_check_small_state *f, uint32_t log)
{
    assert(log < f->log_count);
    while (log && !--f->log[log].users) {
        const uint32_t before = f->log[log].before;
        f->log[log].before = f->free_log;
        f->free_log = log;
        log = before;
    }
}

/* Room for so many more in the list. */
static bool make_room(struct plumb_check_small_state *f, uint32_t more)
{
    const size_t count = (size_t)f->amids + more;
    if (!PLUMB_GROW(f->budget, f->amid, f->amid_capacity, count))
        f->no_room = true;
    return !f->no_room;
}

static void write_down(struct plumb_check_small_state *f, uint32_t op,
                       uint32_t when)
{
    if (f->own && make_room(f, 1))
        f->amid[f->amids++] = (struct plumb_check_effect){ when, op };
}

/* The whole chain of a configuration that is alone. */
static void write_down_chain(struct plumb_check_small_state *f,
                             struct plumb_check_small_state_config *c)
{
    uint32_t length = 0;
    for (uint32_t r = c->log; r; r = f->log[r].before)
        length++;
    if (make_room(f, length)) {
        f->amids += length;
        uint32_t at = f->amids;
        for (uint32_t r = c->log; r; r = f->log[r].before)
            f->amid[--at] =
                (struct plumb_check_effect){ f->log[r].when, f->log[r].op };
    }
    forget(f, c->log);
    c->log = NONE;
}

/* ---- overlaps ---- */

static uint32_t new_overlap(struct plumb_check_small_state *f)
{
    uint32_t n = f->free_overlap;
    if (n) {
        f->free_overlap = f->overlaps[n].next_free;
        return n;
    }
    if (!PLUMB_GROW(f->budget, f->overlaps, f->overlaps_capacity,
                    f->overlap_count + 1))
        return NONE;
    n = f->overlap_count++;
    f->overlaps[n] = (struct plumb_check_small_state_overlap){ 0 };
    return n;
}

static bool put_config(struct plumb_check_small_state *f,
                       struct plumb_check_small_state_overlap *overlap,
                       struct plumb_check_small_state_config c)
{
    size_t capacity = overlap->capacity;
    if (!PLUMB_GROW(f->budget, overlap->config, capacity, overlap->count + 1))
        return false;
    overlap->capacity = (uint32_t)capacity;
    overlap->config[overlap->count++] = c;
    return true;
}

static void end_overlap(struct plumb_check_small_state *f,
                        struct plumb_check_small_state_key *key)
{
    struct plumb_check_small_state_overlap *const overlap =
        f->overlaps + key->overlap;
    for (uint32_t i = 0; i < overlap->count; i++)
        forget(f, overlap->config[i].log);
    overlap->count = 0;
    overlap->used = overlap->reads = overlap->pending = 0;
    overlap->next_free = f->free_overlap;
    f->free_overlap = key->overlap;
    key->overlap = NONE;
}

static void end_key(struct plumb_check_small_state *f,
                    struct plumb_check_small_state_key *key,
                    enum plumb_check_small_state_fate fate)
{
    key->fate = fate;
    key->open = PLUMB_SMALL_SEVERAL;
    if (key->overlap)
        end_overlap(f, key);
}

static bool is_pending(const struct plumb_check_small_state *f,
                       const struct plumb_check_input_op *o)
{
    return o->ret > f->known || plumb_check_input_is_pending(o);
}

static const struct plumb_check_input_op *op_in(
    const struct plumb_check_small_state *f,
    const struct plumb_check_small_state_overlap *overlap, uint32_t slot)
{
    return f->input->op + overlap->op[slot];
}

static uint32_t lowest(uint32_t slots)
{
    return (uint32_t)__builtin_ctz(slots);
}

/* All that only read and whose answer is right take effect: that is final if
 * there is no other configuration. */
static void let_reads(struct plumb_check_small_state *f,
                      const struct plumb_check_small_state_overlap *overlap,
                      struct plumb_check_small_state_config *c, uint32_t now,
                      bool final)
{
    for (uint32_t left = overlap->reads & ~c->done; left; left &= left - 1) {
        const uint32_t slot = lowest(left);
        const struct plumb_check_input_op *const o = op_in(f, overlap, slot);
        if (f->type->step(c->state, o, false) == PLUMB_SMALL_REFUSED)
            continue;
        c->done |= 1u << slot;
        if (final)
            write_down(f, overlap->op[slot], now);
        else
            c->log = record(f, c->log, overlap->op[slot], now);
    }
}

static bool open_slot(struct plumb_check_small_state *f,
                      struct plumb_check_small_state_overlap *overlap,
                      uint32_t i, uint32_t now)
{
    assert(!(overlap->reads & ~overlap->used));
    if (overlap->used == UINT32_MAX)
        return false;
    const uint32_t slot = lowest(~overlap->used);
    overlap->op[slot] = i;
    overlap->used |= 1u << slot;
    const bool pending = is_pending(f, f->input->op + i);
    overlap->pending |= (uint32_t)pending << slot;
    if (f->type->reads(f->input->op + i, pending)) {
        overlap->reads |= 1u << slot;
        for (uint32_t c = 0; c < overlap->count; c++)
            let_reads(f, overlap, overlap->config + c, now,
                      overlap->count == 1);
    }
    return true;
}

/* A second operation is called. */
static bool start_overlap(struct plumb_check_small_state *f,
                          struct plumb_check_small_state_key *key, uint32_t now)
{
    key->overlap = new_overlap(f);
    struct plumb_check_small_state_overlap *const overlap =
        f->overlaps + key->overlap;
    if (key->overlap == NONE)
        return false;
    if (!put_config(
            f, overlap,
            (struct plumb_check_small_state_config){ .state = key->state }))
        return false;
    const uint32_t open = key->open;
    key->open = PLUMB_SMALL_SEVERAL;
    return !open || open_slot(f, overlap, open - 1, now);
}

void plumb_check_small_state_call_amid(struct plumb_check_small_state *f,
                                       uint32_t i,
                                       struct plumb_check_small_state_key *key,
                                       uint32_t now)
{
    const struct plumb_check_input_op *const o = f->input->op + i;
    if (key->fate != PLUMB_SMALL_FOLLOWED ||
        (is_pending(f, o) && f->type->reads(o, true)))
        return;
    const bool declined = f->type->declines && f->type->declines(o);
    if (!declined && !key->overlap && !key->open)
        key->open = i + 1;
    else if (declined || (!key->overlap && !start_overlap(f, key, now)) ||
             !open_slot(f, f->overlaps + key->overlap, i, now))
        end_key(f, key, PLUMB_SMALL_LEFT);
}

/* ---- returns ---- */

/* Is `a` the same as `b` in this state, and rather to be taken? */
static bool goes_first(const struct plumb_check_small_state *f,
                       const struct plumb_check_input_op *a,
                       const struct plumb_check_input_op *b, uint32_t state)
{
    if (a->role != b->role || a->ret > b->ret ||
        (a->ret == b->ret && a->call >= b->call))
        return false;
    const size_t words = is_pending(f, b) ? a->nargs : PLUMB_INPUT_WORDS;
    if (memcmp(a->word, b->word, words * sizeof *a->word) != 0 ||
        (!is_pending(f, b) && a->term != b->term))
        return false;
    return f->type->step(state, a, is_pending(f, a)) ==
           f->type->step(state, b, is_pending(f, b));
}

static bool has_twin_before(
    const struct plumb_check_small_state *f,
    const struct plumb_check_small_state_overlap *overlap,
    const struct plumb_check_small_state_config *c, uint32_t slot)
{
    const uint32_t others =
        overlap->used & ~overlap->reads & ~c->done & ~(1u << slot);
    for (uint32_t left = others; left; left &= left - 1)
        if (goes_first(f, op_in(f, overlap, lowest(left)),
                       op_in(f, overlap, slot), c->state))
            return true;
    return false;
}

/* Is `b` superfluous next to `a`? */
static bool covers(const struct plumb_check_small_state_config *a,
                   const struct plumb_check_small_state_config *b,
                   uint32_t pending)
{
    return a->state == b->state && !(a->done & ~b->done) &&
           !((a->done ^ b->done) & ~pending);
}

struct search {
    struct plumb_check_small_state *f;
    struct plumb_check_small_state_overlap *overlap;
    uint32_t returning; /* its slot, as a bit */
    uint32_t now;
    uint64_t *work; /* that may be done */
    bool too_many;
};

/* Add `c`, unless some configuration in the list covers it. */
static void add(struct search *s, struct plumb_check_small_state_config *list,
                uint32_t *count, struct plumb_check_small_state_config c)
{
    for (uint32_t i = 0; i < *count; i++)
        if (covers(list + i, &c, s->overlap->pending)) {
            forget(s->f, c.log);
            return;
        }
    *s->work -= *s->work < *count ? *s->work : *count;
    if (*count == CONFIGS || !*s->work) {
        s->too_many = true;
        forget(s->f, c.log);
        return;
    }
    list[(*count)++] = c;
}

/* `c` without the operation in that slot, then with it. */
static void take(struct search *s,
                 const struct plumb_check_small_state_config *c, uint32_t slot)
{
    struct plumb_check_small_state *const f = s->f;
    const struct plumb_check_input_op *const o = op_in(f, s->overlap, slot);
    const uint32_t state = f->type->step(c->state, o, is_pending(f, o));
    if (state == PLUMB_SMALL_REFUSED || has_twin_before(f, s->overlap, c, slot))
        return;
    struct plumb_check_small_state_config next = { state, c->done | 1u << slot,
                                                   NONE };
    next.log = record(f, share(f, c->log), s->overlap->op[slot], s->now);
    let_reads(f, s->overlap, &next, s->now, false);
    if (next.done & s->returning)
        add(s, f->out, &f->outs, next);
    else
        add(s, f->queue, &f->queued, next);
}

static void search(struct search *s)
{
    struct plumb_check_small_state *const f = s->f;
    f->queued = f->outs = 0;
    for (uint32_t i = 0; i < s->overlap->count; i++) {
        const struct plumb_check_small_state_config c = s->overlap->config[i];
        if (c.done & s->returning)
            add(s, f->out, &f->outs, c);
        else
            add(s, f->queue, &f->queued, c);
    }
    for (uint32_t i = 0; i < f->queued && !s->too_many; i++) {
        const struct plumb_check_small_state_config c = f->queue[i];
        const uint32_t open = s->overlap->used & ~s->overlap->reads & ~c.done;
        for (uint32_t left = open; left; left &= left - 1)
            take(s, &c, lowest(left));
    }
    for (uint32_t i = 0; i < f->queued; i++)
        forget(f, f->queue[i].log);
}

/* The configurations that were found are the overlap; the slot is free. */
static bool step_overlap(struct search *s)
{
    struct plumb_check_small_state *const f = s->f;
    struct plumb_check_small_state_overlap *const overlap = s->overlap;
    overlap->count = 0;
    overlap->used &= ~s->returning;
    overlap->reads &= ~s->returning;
    for (uint32_t i = 0; i < f->outs; i++) {
        f->out[i].done &= ~s->returning;
        if (!put_config(f, overlap, f->out[i]))
            return false;
    }
    return true;
}

/* One configuration, and at most one operation which has not taken effect: no
 * overlap is needed. */
static void simplify(struct plumb_check_small_state *f,
                     struct plumb_check_small_state_key *key)
{
    struct plumb_check_small_state_overlap *const overlap =
        f->overlaps + key->overlap;
    assert(overlap->count);
    if (overlap->count > 1)
        return;
    write_down_chain(f, overlap->config);
    if (overlap->config->done || overlap->used & (overlap->used - 1))
        return;
    key->state = overlap->config->state;
    key->open = overlap->used ? overlap->op[lowest(overlap->used)] + 1 : 0;
    end_overlap(f, key);
}

static uint32_t slot_of(const struct plumb_check_small_state_overlap *overlap,
                        uint32_t i)
{
    uint32_t slot = 0;
    while (!(overlap->used & 1u << slot) || overlap->op[slot] != i)
        slot++;
    return slot;
}

/* There is one configuration, and nothing that could take effect before the
 * operation in that slot, which returns.  Is its answer right? */
static bool return_at_once(struct plumb_check_small_state *f,
                           struct plumb_check_small_state_overlap *overlap,
                           uint32_t slot, uint32_t now)
{
    struct plumb_check_small_state_config *const c = overlap->config;
    const uint32_t bit = 1u << slot;
    if (!(c->done & bit)) {
        const struct plumb_check_input_op *const o = op_in(f, overlap, slot);
        c->state = f->type->step(c->state, o, false);
        if (c->state == PLUMB_SMALL_REFUSED)
            return false;
        write_down(f, overlap->op[slot], now);
        let_reads(f, overlap, c, now, true);
    }
    c->done &= ~bit;
    overlap->used &= ~bit;
    overlap->reads &= ~bit;
    return true;
}

static bool others_may_come_first(
    const struct plumb_check_small_state_overlap *overlap, uint32_t slot)
{
    const uint32_t done = overlap->config->done, bit = 1u << slot;
    const uint32_t changes = overlap->used & ~overlap->reads & ~bit;
    return overlap->count > 1 || (!(done & bit) && changes & ~done);
}

void plumb_check_small_state_return_amid(
    struct plumb_check_small_state *f, uint32_t i,
    struct plumb_check_small_state_key *key, uint32_t now)
{
    if (key->fate != PLUMB_SMALL_FOLLOWED)
        return;
    struct plumb_check_small_state_overlap *const overlap =
        f->overlaps + key->overlap;
    const uint32_t slot = slot_of(overlap, i);
    struct search s = { .f = f,
                        .overlap = overlap,
                        .returning = 1u << slot,
                        .now = now,
                        .work = f->work + plumb_check_key_group(
                                              (uint32_t)(key - f->key)) };
    if (!others_may_come_first(overlap, slot)) {
        if (!return_at_once(f, overlap, slot, now))
            overlap->count = 0;
    } else {
        search(&s);
        f->no_room |= !step_overlap(&s);
    }
    if (s.too_many || f->no_room)
        end_key(f, key, PLUMB_SMALL_LEFT);
    else if (!overlap->count)
        end_key(f, key, PLUMB_SMALL_VIOLATED);
    else
        simplify(f, key);
}

/* ---- alone ---- */

/* All bits or none. */
static inline uint32_t all_if(uint32_t bit)
{
    return 0 - bit;
}

/* What plumb_check_small_state_call() and plumb_check_small_state_return() do, without a branch for what
 * the operation is or does.  False: it is not alone, or it is a violation. */
static inline bool goes_alone(const struct plumb_check_small_state_rules *rules,
                              const struct plumb_check_input_op *o,
                              uint32_t event, uint32_t known,
                              struct plumb_check_small_state_key *key)
{
    const uint32_t me = event / 2 + 1, returns = event & 1;
    const uint32_t state = key->state;
    uint32_t next;
    const bool wrong = !plumb_check_small_state_apply(rules, o, state, &next);
    const bool with_others = key->open != (me & all_if(returns));
    if (with_others | (returns & wrong) | (o->ret > known))
        return false;
    key->open = me & ~all_if(returns);
    key->state = state ^ ((state ^ next) & all_if(returns));
    return true;
}

uint32_t plumb_check_small_state_go_alone(struct plumb_check_small_state *f,
                                          const uint32_t *event,
                                          uint32_t events)
{
    const struct plumb_check_input *const input = f->input;
    const struct plumb_check_small_state_rules *const rules = f->type->rules;
    struct plumb_check_small_state_key *const key = f->key;
    const uint32_t known = f->known;
    bool *const own = f->own;
    uint32_t i = 0;
    if (!rules || f->type->declines || f->type->whole || !own)
        return 0;
    for (; i < events; i++) {
        const uint32_t e = event[i];
        const struct plumb_check_input_op *const o = input->op + e / 2;
        if (!goes_alone(rules, o, e, known, key + plumb_check_key_of(input, o)))
            break;
        own[e / 2] = e & 1;
    }
    return i;
}

void plumb_check_small_state_finish(struct plumb_check_small_state *f,
                                    uint32_t k)
{
    struct plumb_check_small_state_key *const key = f->key + k;
    if (key->fate == PLUMB_SMALL_FOLLOWED && key->overlap)
        write_down_chain(f, f->overlaps[key->overlap].config);
}
