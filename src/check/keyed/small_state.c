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
#include <string.h>

enum {
    SLOTS = 32,     /* open operations of a key */
    CONFIGS = 1024, /* configurations of a key, and in one search from them */
    NONE = 0        /* record and front 0 are not used */
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
    f->front_count = f->log_count = 1;
    f->queue = plumb_base_alloc(f->budget, CONFIGS * sizeof *f->queue);
    f->out = plumb_base_alloc(f->budget, CONFIGS * sizeof *f->out);
    if (f->queue && f->out &&
        PLUMB_GROW(f->budget, f->fronts, f->fronts_capacity, 16) &&
        PLUMB_GROW(f->budget, f->log, f->log_capacity, 64))
        return true;
    plumb_check_small_state_release(f);
    return false;
}

void plumb_check_small_state_release(struct plumb_check_small_state *f)
{
    struct plumb_budget *const b = f->budget;
    for (uint32_t i = 1; i < f->front_count; i++)
        PLUMB_RELEASE(b, f->fronts[i].config, f->fronts[i].capacity);
    PLUMB_RELEASE(b, f->fronts, f->fronts_capacity);
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

/* ---- fronts ---- */

static uint32_t new_front(struct plumb_check_small_state *f)
{
    uint32_t n = f->free_front;
    if (n) {
        f->free_front = f->fronts[n].next_free;
        return n;
    }
    if (!PLUMB_GROW(f->budget, f->fronts, f->fronts_capacity,
                    f->front_count + 1))
        return NONE;
    n = f->front_count++;
    f->fronts[n] = (struct plumb_check_small_state_overlap){ 0 };
    return n;
}

static bool put_config(struct plumb_check_small_state *f,
                       struct plumb_check_small_state_overlap *front,
                       struct plumb_check_small_state_config c)
{
    size_t capacity = front->capacity;
    if (!PLUMB_GROW(f->budget, front->config, capacity, front->count + 1))
        return false;
    front->capacity = (uint32_t)capacity;
    front->config[front->count++] = c;
    return true;
}

static void end_front(struct plumb_check_small_state *f,
                      struct plumb_check_small_state_key *key)
{
    struct plumb_check_small_state_overlap *const front =
        f->fronts + key->front;
    for (uint32_t i = 0; i < front->count; i++)
        forget(f, front->config[i].log);
    front->count = 0;
    front->used = front->reads = front->pending = 0;
    front->next_free = f->free_front;
    f->free_front = key->front;
    key->front = NONE;
}

static void end_key(struct plumb_check_small_state *f,
                    struct plumb_check_small_state_key *key,
                    enum plumb_check_small_state_fate fate)
{
    key->fate = fate;
    key->open = PLUMB_FEW_SEVERAL;
    if (key->front)
        end_front(f, key);
}

static bool is_pending(const struct plumb_check_small_state *f,
                       const struct plumb_check_input_op *o)
{
    return o->ret > f->known || plumb_check_input_is_pending(o);
}

static const struct plumb_check_input_op *op_in(
    const struct plumb_check_small_state *f,
    const struct plumb_check_small_state_overlap *front, uint32_t slot)
{
    return f->tape->op + front->op[slot];
}

static uint32_t lowest(uint32_t slots)
{
    return (uint32_t)__builtin_ctz(slots);
}

/* All that only read and whose answer is right take effect: that is final if
 * there is no other configuration. */
static void let_reads(struct plumb_check_small_state *f,
                      const struct plumb_check_small_state_overlap *front,
                      struct plumb_check_small_state_config *c, uint32_t now,
                      bool final)
{
    for (uint32_t left = front->reads & ~c->done; left; left &= left - 1) {
        const uint32_t slot = lowest(left);
        const struct plumb_check_input_op *const o = op_in(f, front, slot);
        if (f->type->step(c->state, o, false) == PLUMB_FEW_REFUSED)
            continue;
        c->done |= 1u << slot;
        if (final)
            write_down(f, front->op[slot], now);
        else
            c->log = record(f, c->log, front->op[slot], now);
    }
}

static bool open_slot(struct plumb_check_small_state *f,
                      struct plumb_check_small_state_overlap *front, uint32_t i,
                      uint32_t now)
{
    if (front->used == UINT32_MAX)
        return false;
    const uint32_t slot = lowest(~front->used);
    front->op[slot] = i;
    front->used |= 1u << slot;
    const bool pending = is_pending(f, f->tape->op + i);
    front->pending |= (uint32_t)pending << slot;
    if (f->type->reads(f->tape->op + i, pending)) {
        front->reads |= 1u << slot;
        for (uint32_t c = 0; c < front->count; c++)
            let_reads(f, front, front->config + c, now, front->count == 1);
    }
    return true;
}

/* A second operation is called. */
static bool start_front(struct plumb_check_small_state *f,
                        struct plumb_check_small_state_key *key, uint32_t now)
{
    key->front = new_front(f);
    struct plumb_check_small_state_overlap *const front =
        f->fronts + key->front;
    if (key->front == NONE)
        return false;
    if (!put_config(
            f, front,
            (struct plumb_check_small_state_config){ .state = key->state }))
        return false;
    const uint32_t open = key->open;
    key->open = PLUMB_FEW_SEVERAL;
    return !open || open_slot(f, front, open - 1, now);
}

void plumb_check_small_state_call_amid(struct plumb_check_small_state *f,
                                       uint32_t i,
                                       struct plumb_check_small_state_key *key,
                                       uint32_t now)
{
    const struct plumb_check_input_op *const o = f->tape->op + i;
    if (key->fate != PLUMB_FEW_FOLLOWED ||
        (is_pending(f, o) && f->type->reads(o, true)))
        return;
    const bool declined = f->type->declines && f->type->declines(o);
    if (!declined && !key->front && !key->open)
        key->open = i + 1;
    else if (declined || (!key->front && !start_front(f, key, now)) ||
             !open_slot(f, f->fronts + key->front, i, now))
        end_key(f, key, PLUMB_FEW_LEFT);
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
    const size_t words = is_pending(f, b) ? a->nargs : PLUMB_TAPE_WORDS;
    if (memcmp(a->word, b->word, words * sizeof *a->word) != 0 ||
        (!is_pending(f, b) && a->term != b->term))
        return false;
    return f->type->step(state, a, is_pending(f, a)) ==
           f->type->step(state, b, is_pending(f, b));
}

static bool has_twin_before(const struct plumb_check_small_state *f,
                            const struct plumb_check_small_state_overlap *front,
                            const struct plumb_check_small_state_config *c,
                            uint32_t slot)
{
    const uint32_t others =
        front->used & ~front->reads & ~c->done & ~(1u << slot);
    for (uint32_t left = others; left; left &= left - 1)
        if (goes_first(f, op_in(f, front, lowest(left)), op_in(f, front, slot),
                       c->state))
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
    struct plumb_check_small_state_overlap *front;
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
        if (covers(list + i, &c, s->front->pending)) {
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
    const struct plumb_check_input_op *const o = op_in(f, s->front, slot);
    const uint32_t state = f->type->step(c->state, o, is_pending(f, o));
    if (state == PLUMB_FEW_REFUSED || has_twin_before(f, s->front, c, slot))
        return;
    struct plumb_check_small_state_config next = { state, c->done | 1u << slot,
                                                   NONE };
    next.log = record(f, share(f, c->log), s->front->op[slot], s->now);
    let_reads(f, s->front, &next, s->now, false);
    if (next.done & s->returning)
        add(s, f->out, &f->outs, next);
    else
        add(s, f->queue, &f->queued, next);
}

static void search(struct search *s)
{
    struct plumb_check_small_state *const f = s->f;
    f->queued = f->outs = 0;
    for (uint32_t i = 0; i < s->front->count; i++) {
        const struct plumb_check_small_state_config c = s->front->config[i];
        if (c.done & s->returning)
            add(s, f->out, &f->outs, c);
        else
            add(s, f->queue, &f->queued, c);
    }
    for (uint32_t i = 0; i < f->queued && !s->too_many; i++) {
        const struct plumb_check_small_state_config c = f->queue[i];
        const uint32_t open = s->front->used & ~s->front->reads & ~c.done;
        for (uint32_t left = open; left; left &= left - 1)
            take(s, &c, lowest(left));
    }
    for (uint32_t i = 0; i < f->queued; i++)
        forget(f, f->queue[i].log);
}

/* The configurations that were found are the front; the slot is free. */
static bool step_front(struct search *s)
{
    struct plumb_check_small_state *const f = s->f;
    struct plumb_check_small_state_overlap *const front = s->front;
    front->count = 0;
    front->used &= ~s->returning;
    front->reads &= ~s->returning;
    for (uint32_t i = 0; i < f->outs; i++) {
        f->out[i].done &= ~s->returning;
        if (!put_config(f, front, f->out[i]))
            return false;
    }
    return true;
}

/* One configuration, and at most one operation which has not taken effect: no
 * front is needed. */
static void simplify(struct plumb_check_small_state *f,
                     struct plumb_check_small_state_key *key)
{
    struct plumb_check_small_state_overlap *const front =
        f->fronts + key->front;
    if (front->count > 1)
        return;
    write_down_chain(f, front->config);
    if (front->config->done || front->used & (front->used - 1))
        return;
    key->state = front->config->state;
    key->open = front->used ? front->op[lowest(front->used)] + 1 : 0;
    end_front(f, key);
}

static uint32_t slot_of(const struct plumb_check_small_state_overlap *front,
                        uint32_t i)
{
    uint32_t slot = 0;
    while (!(front->used & 1u << slot) || front->op[slot] != i)
        slot++;
    return slot;
}

/* There is one configuration, and nothing that could take effect before the
 * operation in that slot, which returns.  Is its answer right? */
static bool return_at_once(struct plumb_check_small_state *f,
                           struct plumb_check_small_state_overlap *front,
                           uint32_t slot, uint32_t now)
{
    struct plumb_check_small_state_config *const c = front->config;
    const uint32_t bit = 1u << slot;
    if (!(c->done & bit)) {
        const struct plumb_check_input_op *const o = op_in(f, front, slot);
        c->state = f->type->step(c->state, o, false);
        if (c->state == PLUMB_FEW_REFUSED)
            return false;
        write_down(f, front->op[slot], now);
        let_reads(f, front, c, now, true);
    }
    c->done &= ~bit;
    front->used &= ~bit;
    front->reads &= ~bit;
    return true;
}

static bool others_may_come_first(
    const struct plumb_check_small_state_overlap *front, uint32_t slot)
{
    const uint32_t done = front->config->done, bit = 1u << slot;
    const uint32_t changes = front->used & ~front->reads & ~bit;
    return front->count > 1 || (!(done & bit) && changes & ~done);
}

void plumb_check_small_state_return_amid(
    struct plumb_check_small_state *f, uint32_t i,
    struct plumb_check_small_state_key *key, uint32_t now)
{
    if (key->fate != PLUMB_FEW_FOLLOWED)
        return;
    struct plumb_check_small_state_overlap *const front =
        f->fronts + key->front;
    const uint32_t slot = slot_of(front, i);
    struct search s = { .f = f,
                        .front = front,
                        .returning = 1u << slot,
                        .now = now,
                        .work = f->work + plumb_check_key_group(
                                              (uint32_t)(key - f->key)) };
    if (!others_may_come_first(front, slot)) {
        if (!return_at_once(f, front, slot, now))
            front->count = 0;
    } else {
        search(&s);
        f->no_room |= !step_front(&s);
    }
    if (s.too_many || f->no_room)
        end_key(f, key, PLUMB_FEW_LEFT);
    else if (!front->count)
        end_key(f, key, PLUMB_FEW_VIOLATED);
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
    const struct plumb_check_input *const tape = f->tape;
    const struct plumb_check_small_state_rules *const rules = f->type->rules;
    struct plumb_check_small_state_key *const key = f->key;
    const uint32_t known = f->known;
    bool *const own = f->own;
    uint32_t i = 0;
    if (!rules || f->type->declines || f->type->whole || !own)
        return 0;
    for (; i < events; i++) {
        const uint32_t e = event[i];
        const struct plumb_check_input_op *const o = tape->op + e / 2;
        if (!goes_alone(rules, o, e, known, key + plumb_check_key_of(tape, o)))
            break;
        own[e / 2] = e & 1;
    }
    return i;
}

void plumb_check_small_state_finish(struct plumb_check_small_state *f,
                                    uint32_t k)
{
    struct plumb_check_small_state_key *const key = f->key + k;
    if (key->fate == PLUMB_FEW_FOLLOWED && key->front)
        write_down_chain(f, f->fronts[key->front].config);
}
