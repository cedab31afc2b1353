/* live_few.c - machines whose keys are small states.
 *
 * An operation that is alone with its key takes one step in the state of the
 * key.  When a second one is called, the key gets a front (live_front.h), until
 * nothing is open and one state is left.
 *
 * A number is forgotten when nobody uses it: keys that are not as at first or
 * have open operations use theirs, and so do states, arguments and fronts. */
#include "check/live_few.h"

#include "base/memory.h"
#include "check/live_front.h"
#include "check/live_numbers.h"
#include "check/tape.h"
#include <string.h>

enum { NONE = 0, MANY_STATES = 16 };

struct key {
    uint32_t state;
    uint32_t front; /* or NONE: then there is one operation at most */
    struct plumb_live_deed deed;
    uint64_t call; /* of the only operation; 0: none is open */
    bool known;
};

struct machine {
    struct plumb_live_talk *talk;
    const struct plumb_live_few_type *type;
    struct plumb_front_search search;
    uint32_t start;
    struct key *key; /* by number of the key; nil is 0 */
    uint32_t *users; /* by number */
    size_t keys, numbers;
    struct plumb_front *front; /* 0 is not used */
    size_t front_capacity;
    uint32_t fronts, free_front;
};

/* ---- numbers ---- */

static bool is_number(uint32_t word)
{
    return word < INT32_MAX;
}

static bool grow_zeroed(struct plumb_budget *b, void **block, size_t *capacity,
                        size_t need, size_t size)
{
    const size_t before = *capacity;
    if (need <= before)
        return true;
    if (!plumb_grow(b, block, capacity, need, size))
        return false;
    memset((char *)*block + before * size, 0, (*capacity - before) * size);
    return true;
}

static bool use(struct machine *m, uint32_t word)
{
    if (!is_number(word))
        return true;
    if (!grow_zeroed(m->talk->budget, (void **)&m->users, &m->numbers,
                     (size_t)word + 1, sizeof *m->users))
        return false;
    m->users[word]++;
    return true;
}

static void leave(struct machine *m, uint32_t word)
{
    if (is_number(word) && !--m->users[word])
        plumb_live_forget(m->talk->numbers, word);
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

/* ---- opening ---- */

void plumb_live_few_close(void *machine)
{
    struct machine *const m = machine;
    struct plumb_budget *const b = m->talk->budget;
    for (uint32_t i = 1; i < m->fronts; i++)
        plumb_front_release(&m->search, m->front + i);
    plumb_release(b, m->front, m->front_capacity * sizeof *m->front);
    plumb_release(b, m->key, m->keys * sizeof *m->key);
    plumb_release(b, m->users, m->numbers * sizeof *m->users);
    plumb_front_search_release(&m->search);
    plumb_release(b, m, sizeof *m);
}

void *plumb_live_few_open(struct plumb_live_talk *talk,
                          const struct plumb_live_few_type *type)
{
    struct machine *const m = plumb_alloc_zeroed(talk->budget, sizeof *m);
    if (!m)
        return NULL;
    m->talk = talk;
    m->type = type;
    m->start = type->start(talk);
    m->fronts = 1;
    m->search =
        (struct plumb_front_search){ .type = type, .budget = talk->budget };
    if (use(m, talk->initial))
        return m;
    plumb_live_few_close(m);
    return NULL;
}

/* ---- keys ---- */

static uint32_t key_of(const struct plumb_live_op *o)
{
    return o->word[0] == PLUMB_NIL_WORD ? 0 : o->word[0] + 1;
}

static bool know(struct machine *m, const struct plumb_live_op *o)
{
    const uint32_t k = key_of(o);
    if (!grow_zeroed(m->talk->budget, (void **)&m->key, &m->keys, (size_t)k + 1,
                     sizeof *m->key))
        return false;
    if (m->key[k].known)
        return true;
    m->key[k].known = true;
    m->key[k].state = m->start;
    return use(m, o->word[0]);
}

static void forget_if_idle(struct machine *m, const struct plumb_live_op *o)
{
    struct key *const key = m->key + key_of(o);
    if (key->call || key->front || key->state != m->start)
        return;
    key->known = false;
    leave(m, o->word[0]);
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
        !plumb_grow(m->talk->budget, (void **)&m->front, &m->front_capacity,
                    (size_t)m->fronts + 1, sizeof *m->front))
        return NONE;
    n = m->fronts++;
    memset(m->front + n, 0, sizeof *m->front);
    return n;
}

static bool use_states(struct machine *m, struct plumb_front *front,
                       uint64_t ids)
{
    for (uint64_t left = ids; left; left &= left - 1)
        if (!use_state(m, front->state[__builtin_ctzll(left)]))
            return false;
    return true;
}

static void leave_states(struct machine *m, struct plumb_front *front,
                         uint64_t ids)
{
    for (uint64_t left = ids; left; left &= left - 1)
        leave_state(m, front->state[__builtin_ctzll(left)]);
    front->ids &= ~ids;
}

/* A second operation is called, or the only one never returns. */
static bool start_front(struct machine *m, struct key *key)
{
    const uint32_t n = new_front(m);
    if (n == NONE)
        return false;
    struct plumb_front *const front = m->front + n;
    if (!plumb_front_start(&m->search, front, key->state) ||
        !use_states(m, front, front->ids))
        return false;
    key->front = n;
    if (key->call)
        plumb_front_call(&m->search, front, &key->deed, key->call);
    key->call = 0;
    return true;
}

static void end_front(struct machine *m, struct key *key)
{
    struct plumb_front *const front = m->front + key->front;
    leave_states(m, front, front->ids);
    front->next_free = m->free_front;
    m->free_front = key->front;
    key->front = NONE;
}

/* Something has returned. */
static bool tidy(struct machine *m, struct key *key, uint64_t ids_before)
{
    struct plumb_front *const front = m->front + key->front;
    if (!use_states(m, front, front->ids & ~ids_before))
        return false;
    const uint32_t settled =
        front->info ? plumb_front_settle(&m->search, front) : 0;
    for (uint32_t left = settled; left; left &= left - 1)
        leave(m, front->deed[__builtin_ctz(left)].arg);
    if (__builtin_popcountll(front->ids) > MANY_STATES)
        leave_states(m, front, plumb_front_unused(&m->search, front));
    if (front->used || front->list.count > 1)
        return true;
    if (!become(m, key, front->state[front->list.config[0].state]))
        return false;
    end_front(m, key);
    return true;
}

/* ---- events ---- */

static enum plumb_live_word declined(struct machine *m, const char *why)
{
    m->talk->declined = why;
    return PLUMB_LIVE_DECLINED;
}

enum plumb_live_word plumb_live_few_call(void *machine, struct plumb_live_op *o)
{
    struct machine *const m = machine;
    const struct plumb_live_deed d = { o->role, o->nargs > 1 ? o->word[1]
                                                             : PLUMB_NO_WORD };
    const char *const why = m->type->declines(o);
    if (why)
        return declined(m, why);
    if (!know(m, o) || !use(m, d.arg))
        return PLUMB_LIVE_NO_ROOM;
    struct key *const key = m->key + key_of(o);
    if (!key->call && !key->front) {
        key->deed = d;
        key->call = o->call;
        return PLUMB_LIVE_GOOD;
    }
    if (!key->front && !start_front(m, key))
        return PLUMB_LIVE_NO_ROOM;
    o->ticket =
        plumb_front_call(&m->search, m->front + key->front, &d, o->call);
    return o->ticket < PLUMB_FRONT_SLOTS ? PLUMB_LIVE_GOOD
                                         : declined(m, "too much at once");
}

static enum plumb_live_word violated(struct machine *m,
                                     const struct plumb_live_op *o,
                                     const char *reason)
{
    m->talk->reason = reason;
    m->talk->word[0] = o->word[0];
    m->talk->word[1] = o->word[1];
    return PLUMB_LIVE_VIOLATED;
}

/* An operation alone with its key has ended. */
static enum plumb_live_word end_alone(struct machine *m,
                                      const struct plumb_live_op *o,
                                      uint32_t state)
{
    struct key *const key = m->key + key_of(o);
    if (!become(m, key, state))
        return PLUMB_LIVE_NO_ROOM;
    key->call = 0;
    leave(m, key->deed.arg);
    forget_if_idle(m, o);
    return PLUMB_LIVE_GOOD;
}

static enum plumb_live_word return_alone(struct machine *m,
                                         const struct plumb_live_op *o)
{
    const struct key *const key = m->key + key_of(o);
    uint32_t says;
    const uint32_t next = m->type->step(key->state, &key->deed, &says);
    if (m->type->tone(o->role) == PLUMB_LIVE_SAYS_STATE)
        says = key->state;
    return says == m->type->answer(o) ? end_alone(m, o, next)
                                      : violated(m, o, m->type->reason(o));
}

/* It has left its slot of the front; `word` is what that came to. */
static enum plumb_live_word end_amid(struct machine *m,
                                     const struct plumb_live_op *o,
                                     enum plumb_live_word word,
                                     uint64_t ids_before, const char *reason)
{
    struct key *const key = m->key + key_of(o);
    if (word == PLUMB_LIVE_VIOLATED)
        return violated(m, o, reason);
    if (word == PLUMB_LIVE_DECLINED)
        return declined(m, "too much at once");
    if (word != PLUMB_LIVE_GOOD || !tidy(m, key, ids_before))
        return PLUMB_LIVE_NO_ROOM;
    if (o->nargs > 1)
        leave(m, o->word[1]);
    forget_if_idle(m, o);
    return PLUMB_LIVE_GOOD;
}

enum plumb_live_word plumb_live_few_ret(void *machine, struct plumb_live_op *o,
                                        uint64_t now)
{
    struct machine *const m = machine;
    const struct key *const key = m->key + key_of(o);
    (void)now;
    if (!key->front)
        return return_alone(m, o);
    struct plumb_front *const front = m->front + key->front;
    const uint64_t ids = front->ids;
    return end_amid(
        m, o,
        plumb_front_return(&m->search, front, o->ticket, m->type->answer(o)),
        ids, m->type->reason(o));
}

enum plumb_live_word plumb_live_few_fail(void *machine, struct plumb_live_op *o)
{
    struct machine *const m = machine;
    const struct key *const key = m->key + key_of(o);
    if (!key->front)
        return end_alone(m, o, key->state);
    struct plumb_front *const front = m->front + key->front;
    const uint64_t ids = front->ids;
    return end_amid(m, o, plumb_front_fail(&m->search, front, o->ticket), ids,
                    "an operation on %0 failed, but it must have taken effect");
}

enum plumb_live_word plumb_live_few_info(void *machine, struct plumb_live_op *o)
{
    struct machine *const m = machine;
    struct key *const key = m->key + key_of(o);
    if (!key->front && m->type->watches(o->role))
        return end_alone(m, o, key->state);
    if (!key->front && !start_front(m, key))
        return PLUMB_LIVE_NO_ROOM;
    struct plumb_front *const front = m->front + key->front;
    plumb_front_info(&m->search, front, o->ticket);
    if (!tidy(m, key, front->ids))
        return PLUMB_LIVE_NO_ROOM;
    forget_if_idle(m, o);
    return PLUMB_LIVE_GOOD;
}

uint64_t plumb_live_few_resident(const void *machine)
{
    return ((const struct machine *)machine)->talk->numbers->used;
}
