/* live_small_state.c - machines whose keys are small states.
 *
 * An operation that is alone with its key takes one step in the state of the
 * key.  When a second one is called, the key gets a front (live_overlap.h), until
 * nothing is open and one state is left.
 *
 * A number is forgotten when nobody uses it: keys that are not as at first or
 * have open operations use theirs, and so do states, arguments and fronts. */
#include "live_small_state.h"

#include "base/memory.h"
#include "check/input/monitor_input.h"
#include "live_overlap.h"
#include <string.h>

enum { NONE = 0, MANY_STATES = 16 };

struct key {
    uint32_t state;
    uint32_t front; /* or NONE: then there is one operation at most */
    struct plumb_check_live_deed deed;
    uint64_t call; /* of the only operation; 0: none is open */
    bool known;
};

struct machine {
    struct plumb_check_live_talk *talk;
    const struct plumb_check_live_small_state_type *type;
    struct plumb_check_overlap_search search;
    uint32_t start;
    struct key *key; /* by number of the key; nil is 0 */
    size_t keys;
    struct plumb_check_live_users *users, own;
    struct plumb_check_overlap *front; /* 0 is not used */
    size_t front_capacity;
    uint32_t fronts, free_front;
    bool broken; /* memory was used up */
};

/* ---- numbers ---- */

static bool grow_zeroed(struct plumb_budget *b, void **block, size_t *capacity,
                        size_t need, size_t size)
{
    const size_t before = *capacity;
    if (need <= before)
        return true;
    if (!plumb_base_grow(b, block, capacity, need, size))
        return false;
    memset((char *)*block + before * size, 0, (*capacity - before) * size);
    return true;
}

static bool use(struct machine *m, uint32_t word)
{
    return plumb_check_live_use(m->users, word);
}

static void leave(struct machine *m, uint32_t word)
{
    plumb_check_live_leave(m->users, word);
}

static bool use_args(struct machine *m, const struct plumb_check_live_deed *d)
{
    return use(m, d->arg[0]) && use(m, d->arg[1]);
}

static void leave_args(struct machine *m, const struct plumb_check_live_deed *d)
{
    leave(m, d->arg[0]);
    leave(m, d->arg[1]);
}

static bool use_state(struct machine *m, uint32_t state)
{
    return !m->type->values || state == m->start || use(m, state);
}

static void leave_state(struct machine *m, uint32_t state)
{
    if (m->type->values && state != m->start)
        leave(m, state);
}

static bool use_states(struct machine *m, struct plumb_check_overlap *front,
                       uint64_t ids)
{
    for (uint64_t left = ids; left; left &= left - 1)
        if (!use_state(m, front->state[__builtin_ctzll(left)]))
            return false;
    return true;
}

static void leave_states(struct machine *m, struct plumb_check_overlap *front,
                         uint64_t ids)
{
    for (uint64_t left = ids; left; left &= left - 1)
        leave_state(m, front->state[__builtin_ctzll(left)]);
    front->ids &= ~ids;
}

/* ---- opening ---- */

/* What the key uses. */
static void drop_key(struct machine *m, uint32_t k)
{
    struct key *const key = m->key + k;
    if (k)
        leave(m, k - 1);
    leave_state(m, key->state);
    if (key->call)
        leave_args(m, &key->deed);
    if (!key->front)
        return;
    struct plumb_check_overlap *const front = m->front + key->front;
    leave_states(m, front, front->ids);
    for (uint32_t left = front->used; left; left &= left - 1)
        leave_args(m, front->deed + __builtin_ctz(left));
}

static void drop_all(struct machine *m)
{
    for (uint32_t k = 0; k < m->keys; k++)
        if (m->key[k].known)
            drop_key(m, k);
    leave(m, m->talk->initial);
}

void plumb_check_live_small_state_close(void *machine)
{
    struct machine *const m = machine;
    struct plumb_budget *const b = m->talk->budget;
    if (m->users != &m->own && !m->broken)
        drop_all(m);
    for (uint32_t i = 1; i < m->fronts; i++)
        plumb_check_overlap_release(&m->search, m->front + i);
    plumb_base_release(b, m->front, m->front_capacity * sizeof *m->front);
    plumb_base_release(b, m->key, m->keys * sizeof *m->key);
    plumb_check_live_users_release(&m->own);
    plumb_check_overlap_search_release(&m->search);
    plumb_base_release(b, m, sizeof *m);
}

void *plumb_check_live_small_state_open(
    struct plumb_check_live_talk *talk,
    const struct plumb_check_live_small_state_type *type,
    struct plumb_check_live_users *users)
{
    struct machine *const m = plumb_base_alloc_zeroed(talk->budget, sizeof *m);
    if (!m)
        return NULL;
    m->talk = talk;
    m->type = type;
    m->start = type->start(talk);
    m->fronts = 1;
    plumb_check_live_users_init(&m->own, talk->numbers);
    m->users = users ? users : &m->own;
    m->search = (struct plumb_check_overlap_search){ .type = type,
                                                     .budget = talk->budget,
                                                     .most = PLUMB_FRONT_MOST };
    if (use(m, talk->initial))
        return m;
    plumb_check_live_users_release(&m->own);
    plumb_base_release(talk->budget, m, sizeof *m);
    return NULL;
}

void plumb_check_live_small_state_limit(void *machine, uint32_t most)
{
    ((struct machine *)machine)->search.most = most;
}

/* ---- keys ---- */

static uint32_t key_word(const struct machine *m,
                         const struct plumb_check_live_op *o)
{
    return m->type->unkeyed ? PLUMB_NIL_WORD : o->word[0];
}

static uint32_t key_of(const struct machine *m,
                       const struct plumb_check_live_op *o)
{
    const uint32_t word = key_word(m, o);
    return word == PLUMB_NIL_WORD ? 0 : word + 1;
}

static struct plumb_check_live_deed deed_of(const struct machine *m,
                                            const struct plumb_check_live_op *o)
{
    const unsigned first = !m->type->unkeyed;
    return (struct plumb_check_live_deed){
        o->role,
        { o->nargs > first ? o->word[first] : PLUMB_NO_WORD,
          o->nargs > first + 1 ? o->word[first + 1] : PLUMB_NO_WORD }
    };
}

static bool know(struct machine *m, const struct plumb_check_live_op *o)
{
    const uint32_t k = key_of(m, o);
    if (!grow_zeroed(m->talk->budget, (void **)&m->key, &m->keys, (size_t)k + 1,
                     sizeof *m->key))
        return false;
    if (m->key[k].known)
        return true;
    m->key[k].known = true;
    m->key[k].state = m->start;
    return use(m, key_word(m, o));
}

static void forget_if_idle(struct machine *m,
                           const struct plumb_check_live_op *o)
{
    struct key *const key = m->key + key_of(m, o);
    if (key->call || key->front || key->state != m->start)
        return;
    key->known = false;
    leave(m, key_word(m, o));
}

static bool become(struct machine *m, struct key *key, uint32_t state)
{
    const uint32_t before = key->state;
    if (before == state)
        return true;
    if (!use_state(m, state))
        return false;
    key->state = state;
    leave_state(m, before);
    return true;
}

/* ---- fronts ---- */

static uint32_t new_front(struct machine *m)
{
    uint32_t n = m->free_front;
    if (n) {
        m->free_front = m->front[n].next_free;
        return n;
    }
    if (m->fronts >= m->front_capacity &&
        !plumb_base_grow(m->talk->budget, (void **)&m->front,
                         &m->front_capacity, (size_t)m->fronts + 1,
                         sizeof *m->front))
        return NONE;
    n = m->fronts++;
    memset(m->front + n, 0, sizeof *m->front);
    return n;
}

/* A second operation is called, or the only one never returns. */
static bool start_front(struct machine *m, struct key *key)
{
    const uint32_t n = new_front(m);
    if (n == NONE)
        return false;
    struct plumb_check_overlap *const front = m->front + n;
    if (!plumb_check_overlap_start(&m->search, front, key->state) ||
        !use_states(m, front, front->ids))
        return false;
    key->front = n;
    if (key->call)
        plumb_check_overlap_call(&m->search, front, &key->deed, key->call);
    key->call = 0;
    return true;
}

static void end_front(struct machine *m, struct key *key)
{
    struct plumb_check_overlap *const front = m->front + key->front;
    leave_states(m, front, front->ids);
    front->next_free = m->free_front;
    m->free_front = key->front;
    key->front = NONE;
}

/* Something has returned. */
static bool tidy(struct machine *m, struct key *key, uint64_t ids_before)
{
    struct plumb_check_overlap *const front = m->front + key->front;
    if (!use_states(m, front, front->ids & ~ids_before))
        return false;
    const uint32_t settled =
        front->info ? plumb_check_overlap_settle(&m->search, front) : 0;
    for (uint32_t left = settled; left; left &= left - 1)
        leave_args(m, front->deed + __builtin_ctz(left));
    if (__builtin_popcountll(front->ids) > MANY_STATES)
        leave_states(m, front, plumb_check_overlap_unused(&m->search, front));
    if (front->used || front->list.count > 1)
        return true;
    if (!become(m, key, front->state[front->list.config[0].state]))
        return false;
    end_front(m, key);
    return true;
}

/* ---- events ---- */

static enum plumb_check_live_word declined(struct machine *m, const char *why)
{
    m->talk->declined = why;
    return PLUMB_LIVE_DECLINED;
}

/* Memory is used up: who uses what is not known any more. */
static enum plumb_check_live_word no_room(struct machine *m)
{
    m->broken = true;
    return PLUMB_LIVE_NO_ROOM;
}

static enum plumb_check_live_word too_much(struct machine *m)
{
    return declined(m, "too many concurrent operations");
}

static enum plumb_check_live_word call_amid(
    struct machine *m, struct key *key, const struct plumb_check_live_deed *d,
    struct plumb_check_live_op *o)
{
    if (!key->front && !start_front(m, key))
        return no_room(m);
    o->ticket =
        plumb_check_overlap_call(&m->search, m->front + key->front, d, o->call);
    if (o->ticket < PLUMB_FRONT_SLOTS)
        return PLUMB_LIVE_GOOD;
    leave_args(m, d);
    return too_much(m);
}

enum plumb_check_live_word plumb_check_live_small_state_call(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    const struct plumb_check_live_deed d = deed_of(m, o);
    const char *const why = m->type->declines ? m->type->declines(o) : NULL;
    if (why)
        return declined(m, why);
    if (!know(m, o) || !use_args(m, &d))
        return no_room(m);
    struct key *const key = m->key + key_of(m, o);
    if (key->call || key->front)
        return call_amid(m, key, &d, o);
    key->deed = d;
    key->call = o->call;
    return PLUMB_LIVE_GOOD;
}

static enum plumb_check_live_word violated(struct machine *m,
                                           const struct plumb_check_live_op *o,
                                           const char *reason)
{
    m->talk->reason = reason;
    m->talk->word[0] = o->word[0];
    m->talk->word[1] = o->word[1];
    return PLUMB_LIVE_VIOLATED;
}

/* An operation alone with its key has ended. */
static enum plumb_check_live_word end_alone(struct machine *m,
                                            const struct plumb_check_live_op *o,
                                            uint32_t state)
{
    struct key *const key = m->key + key_of(m, o);
    if (!become(m, key, state))
        return no_room(m);
    key->call = 0;
    leave_args(m, &key->deed);
    forget_if_idle(m, o);
    return PLUMB_LIVE_GOOD;
}

static enum plumb_check_live_word return_alone(
    struct machine *m, const struct plumb_check_live_op *o)
{
    const struct key *const key = m->key + key_of(m, o);
    uint32_t says;
    const uint32_t next = m->type->step(key->state, &key->deed, &says);
    if (m->type->tone(o->role) == PLUMB_LIVE_SAYS_STATE)
        says = key->state;
    return says == m->type->answer(o) ? end_alone(m, o, next)
                                      : violated(m, o, m->type->reason(o));
}

/* It has left its slot of the front; `word` is what that came to. */
static enum plumb_check_live_word end_amid(struct machine *m,
                                           const struct plumb_check_live_op *o,
                                           enum plumb_check_live_word word,
                                           uint64_t ids_before,
                                           const char *reason)
{
    struct key *const key = m->key + key_of(m, o);
    const struct plumb_check_live_deed d = deed_of(m, o);
    if (word != PLUMB_LIVE_GOOD)
        m->front[key->front].ids = ids_before;
    if (word == PLUMB_LIVE_VIOLATED)
        return violated(m, o, reason);
    if (word == PLUMB_LIVE_DECLINED)
        return too_much(m);
    if (word != PLUMB_LIVE_GOOD || !tidy(m, key, ids_before))
        return no_room(m);
    leave_args(m, &d);
    forget_if_idle(m, o);
    return PLUMB_LIVE_GOOD;
}

enum plumb_check_live_word plumb_check_live_small_state_ret(
    void *machine, struct plumb_check_live_op *o, uint64_t now)
{
    struct machine *const m = machine;
    const struct key *const key = m->key + key_of(m, o);
    (void)now;
    if (!key->front)
        return return_alone(m, o);
    struct plumb_check_overlap *const front = m->front + key->front;
    const uint64_t ids = front->ids;
    return end_amid(m, o,
                    plumb_check_overlap_return(&m->search, front, o->ticket,
                                               m->type->answer(o)),
                    ids, m->type->reason(o));
}

enum plumb_check_live_word plumb_check_live_small_state_fail(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    const struct key *const key = m->key + key_of(m, o);
    if (!key->front)
        return end_alone(m, o, key->state);
    struct plumb_check_overlap *const front = m->front + key->front;
    const uint64_t ids = front->ids;
    return end_amid(m, o,
                    plumb_check_overlap_fail(&m->search, front, o->ticket), ids,
                    "an operation on %0 failed, but it must have taken effect");
}

enum plumb_check_live_word plumb_check_live_small_state_info(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    struct key *const key = m->key + key_of(m, o);
    if (!key->front && m->type->watches(o->role))
        return end_alone(m, o, key->state);
    if (!key->front && !start_front(m, key))
        return no_room(m);
    struct plumb_check_overlap *const front = m->front + key->front;
    plumb_check_overlap_info(&m->search, front, o->ticket);
    if (!tidy(m, key, front->ids))
        return no_room(m);
    forget_if_idle(m, o);
    return PLUMB_LIVE_GOOD;
}

uint64_t plumb_check_live_small_state_resident(const void *machine)
{
    return ((const struct machine *)machine)->talk->numbers->used;
}

/* Keys that are not as at first have numbers, but for nil. */
bool plumb_check_live_small_state_idle(const void *machine)
{
    const struct machine *const m = machine;
    return !m->talk->numbers->used && (!m->keys || !m->key[0].known);
}
