/* live_small_state.c - machines whose keys are small states.
 *
 * An operation that is alone with its key takes one step in the state of the
 * key.  When a second one is called, the key gets an overlap (live_overlap.h), until
 * nothing is open and one state is left.
 *
 * A number is forgotten when nobody uses it: keys that are not as at first or
 * have open operations use theirs, and so do states, arguments and overlaps. */
#include "live_small_state.h"

#include "base/memory.h"
#include "check/input/monitor_input.h"
#include "live_overlap.h"
#include <assert.h>
#include <string.h>

enum { NONE = 0, MANY_STATES = 16 };

struct key {
    uint32_t state;
    uint32_t overlap; /* or NONE: then there is one operation at most */
    struct plumb_check_live_deed deed;
    uint64_t call; /* of the only operation; 0: none is open */
    bool known;
};

struct machine {
    struct plumb_check_live_talk *talk;
    const struct plumb_check_live_small_state_type *type;
    struct plumb_check_overlaps search;
    uint32_t start;
    struct key *key; /* by number of the key; nil is 0 */
    size_t keys;
    struct plumb_check_live_users *users, own;
    struct plumb_check_overlap *overlap; /* 0 is not used */
    size_t overlap_capacity;
    uint32_t overlaps, free_overlap;
    bool broken; /* memory was used up */
};

/* ---- numbers ---- */

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

static bool use_states(struct machine *m, struct plumb_check_overlap *overlap,
                       uint64_t ids)
{
    for (uint64_t left = ids; left; left &= left - 1)
        if (!use_state(m, overlap->state[__builtin_ctzll(left)]))
            return false;
    return true;
}

static void leave_states(struct machine *m, struct plumb_check_overlap *overlap,
                         uint64_t ids)
{
    for (uint64_t left = ids; left; left &= left - 1)
        leave_state(m, overlap->state[__builtin_ctzll(left)]);
    overlap->ids &= ~ids;
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
    if (!key->overlap)
        return;
    struct plumb_check_overlap *const overlap = m->overlap + key->overlap;
    leave_states(m, overlap, overlap->ids);
    for (uint32_t left = overlap->used; left; left &= left - 1)
        leave_args(m, overlap->deed + __builtin_ctz(left));
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
    for (uint32_t i = 1; i < m->overlaps; i++)
        plumb_check_overlap_release(&m->search, m->overlap + i);
    PLUMB_RELEASE(b, m->overlap, m->overlap_capacity);
    PLUMB_RELEASE(b, m->key, m->keys);
    plumb_check_live_users_release(&m->own);
    plumb_check_overlaps_release(&m->search);
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
    m->start = talk->initial == PLUMB_NO_WORD ? type->start : talk->initial;
    m->overlaps = 1;
    plumb_check_live_users_init(&m->own, talk->numbers);
    m->users = users ? users : &m->own;
    m->search = (struct plumb_check_overlaps){ .type = type,
                                               .budget = talk->budget,
                                               .most = PLUMB_OVERLAP_MOST };
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
    if (!PLUMB_GROW_ZEROED(m->talk->budget, m->key, m->keys, (size_t)k + 1))
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
    if (key->call || key->overlap || key->state != m->start)
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

/* ---- overlaps ---- */

static uint32_t new_overlap(struct machine *m)
{
    uint32_t n = m->free_overlap;
    if (n) {
        m->free_overlap = m->overlap[n].next_free;
        return n;
    }
    if (!PLUMB_GROW(m->talk->budget, m->overlap, m->overlap_capacity,
                    (size_t)m->overlaps + 1))
        return NONE;
    n = m->overlaps++;
    memset(m->overlap + n, 0, sizeof *m->overlap);
    return n;
}

/* A second operation is called, or the only one never returns. */
static bool start_overlap(struct machine *m, struct key *key)
{
    assert(key->overlap == NONE);
    const uint32_t n = new_overlap(m);
    if (n == NONE)
        return false;
    struct plumb_check_overlap *const overlap = m->overlap + n;
    if (!plumb_check_overlap_start(&m->search, overlap, key->state) ||
        !use_states(m, overlap, overlap->ids))
        return false;
    key->overlap = n;
    if (key->call)
        plumb_check_overlap_call(&m->search, overlap, &key->deed, key->call);
    key->call = 0;
    return true;
}

static void end_overlap(struct machine *m, struct key *key)
{
    assert(key->overlap != NONE && !m->overlap[key->overlap].used);
    struct plumb_check_overlap *const overlap = m->overlap + key->overlap;
    leave_states(m, overlap, overlap->ids);
    overlap->next_free = m->free_overlap;
    m->free_overlap = key->overlap;
    key->overlap = NONE;
}

/* Something has returned. */
static bool tidy(struct machine *m, struct key *key, uint64_t ids_before)
{
    struct plumb_check_overlap *const overlap = m->overlap + key->overlap;
    if (!use_states(m, overlap, overlap->ids & ~ids_before))
        return false;
    const uint32_t settled =
        overlap->info ? plumb_check_overlap_settle(&m->search, overlap) : 0;
    for (uint32_t left = settled; left; left &= left - 1)
        leave_args(m, overlap->deed + __builtin_ctz(left));
    if (__builtin_popcountll(overlap->ids) > MANY_STATES)
        leave_states(m, overlap,
                     plumb_check_overlap_unused(&m->search, overlap));
    if (overlap->used || overlap->list.count > 1)
        return true;
    if (!become(m, key, overlap->state[overlap->list.config[0].state]))
        return false;
    end_overlap(m, key);
    return true;
}

/* ---- events ---- */

/* Memory is used up: who uses what is not known any more. */
static enum plumb_check_live_word no_room(struct machine *m)
{
    m->broken = true;
    return PLUMB_LIVE_NO_ROOM;
}

static enum plumb_check_live_word too_much(struct machine *m)
{
    return plumb_check_live_declines(m->talk, "too many concurrent operations");
}

static enum plumb_check_live_word call_amid(
    struct machine *m, struct key *key, const struct plumb_check_live_deed *d,
    struct plumb_check_live_op *o)
{
    if (!key->overlap && !start_overlap(m, key))
        return no_room(m);
    o->ticket = plumb_check_overlap_call(&m->search, m->overlap + key->overlap,
                                         d, o->call);
    if (o->ticket < PLUMB_OVERLAP_SLOTS)
        return PLUMB_LIVE_GOOD;
    leave_args(m, d);
    return too_much(m);
}

enum plumb_check_live_word plumb_check_live_small_state_call(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    const struct plumb_check_live_deed d = deed_of(m, o);
    if (o->role == PLUMB_ROLE_APPEND)
        return plumb_check_live_declines(m->talk, "append");
    if (!know(m, o) || !use_args(m, &d))
        return no_room(m);
    struct key *const key = m->key + key_of(m, o);
    if (key->call || key->overlap)
        return call_amid(m, key, &d, o);
    key->deed = d;
    key->call = o->call;
    return PLUMB_LIVE_GOOD;
}

/* What it answered: a bit, or a state. */
static uint32_t answer_of(const struct plumb_check_live_op *o)
{
    if (o->nres)
        return o->word[o->nargs];
    return o->term == PLUMB_TERM_NONE ? PLUMB_LIVE_ABSENT : 0;
}

static const char *reason_for(const struct machine *m,
                              const struct plumb_check_live_op *o)
{
    const bool says_state = m->type->says_state >> o->role & 1;
    const bool no = o->nres ? !says_state && !o->word[o->nargs]
                            : o->term == PLUMB_TERM_NONE;
    return m->type->reason[o->role][!no];
}

static enum plumb_check_live_word violated(struct machine *m,
                                           const struct plumb_check_live_op *o,
                                           const char *reason)
{
    return plumb_check_live_objects(m->talk, reason, o->word[0], o->word[1]);
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
    if (m->type->says_state >> o->role & 1)
        says = key->state;
    return says == answer_of(o) ? end_alone(m, o, next)
                                : violated(m, o, reason_for(m, o));
}

/* It has left its slot of the overlap; `word` is what that came to. */
static enum plumb_check_live_word end_amid(struct machine *m,
                                           const struct plumb_check_live_op *o,
                                           enum plumb_check_live_word word,
                                           uint64_t ids_before,
                                           const char *reason)
{
    struct key *const key = m->key + key_of(m, o);
    const struct plumb_check_live_deed d = deed_of(m, o);
    if (word != PLUMB_LIVE_GOOD)
        m->overlap[key->overlap].ids = ids_before;
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
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    const struct key *const key = m->key + key_of(m, o);
    if (!key->overlap)
        return return_alone(m, o);
    struct plumb_check_overlap *const overlap = m->overlap + key->overlap;
    const uint64_t ids = overlap->ids;
    return end_amid(m, o,
                    plumb_check_overlap_return(&m->search, overlap, o->ticket,
                                               answer_of(o)),
                    ids, reason_for(m, o));
}

enum plumb_check_live_word plumb_check_live_small_state_fail(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    const struct key *const key = m->key + key_of(m, o);
    if (!key->overlap)
        return end_alone(m, o, key->state);
    struct plumb_check_overlap *const overlap = m->overlap + key->overlap;
    const uint64_t ids = overlap->ids;
    return end_amid(
        m, o, plumb_check_overlap_fail(&m->search, overlap, o->ticket), ids,
        "an operation on %0 failed, but it must have taken effect");
}

enum plumb_check_live_word plumb_check_live_small_state_info(
    void *machine, struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    struct key *const key = m->key + key_of(m, o);
    if (!key->overlap && (m->type->watches >> o->role & 1))
        return end_alone(m, o, key->state);
    if (!key->overlap && !start_overlap(m, key))
        return no_room(m);
    struct plumb_check_overlap *const overlap = m->overlap + key->overlap;
    plumb_check_overlap_info(&m->search, overlap, o->ticket);
    if (!tidy(m, key, overlap->ids))
        return no_room(m);
    forget_if_idle(m, o);
    return PLUMB_LIVE_GOOD;
}

/* Keys that are not as at first have numbers, but for nil. */
bool plumb_check_live_small_state_idle(const void *machine)
{
    const struct machine *const m = machine;
    return !m->talk->numbers->used && (!m->keys || !m->key[0].known);
}
