/* live_set_class.c - the machine of sets: live_set.c, fed with a stream.
 *
 * A key that is absent and nobody's is forgotten.  Moments are the numbers of
 * events. */
#include "live.h"

#include "base/memory.h"
#include "check/input/monitor_input.h"
#include "live_numbers.h"
#include "live_set.h"
#include <string.h>

struct machine {
    struct plumb_check_live_talk *talk;
    struct plumb_check_live_set set;
    uint32_t *open; /* by key: operations */
    size_t key_capacity, open_capacity;
};

static void *open_set(struct plumb_check_live_talk *talk)
{
    struct machine *const m = plumb_base_alloc_zeroed(talk->budget, sizeof *m);
    if (!m)
        return NULL;
    m->talk = talk;
    if (plumb_check_live_set_init(&m->set, talk->budget, NULL))
        return m;
    plumb_base_release(talk->budget, m, sizeof *m);
    return NULL;
}

static void close_set(void *machine)
{
    struct machine *const m = machine;
    struct plumb_budget *const b = m->talk->budget;
    plumb_check_live_set_release(&m->set);
    PLUMB_RELEASE(b, m->set.key, m->key_capacity);
    PLUMB_RELEASE(b, m->open, m->open_capacity);
    plumb_base_release(b, m, sizeof *m);
}

/* ---- keys ---- */

/* Nil is key 0. */
static uint32_t key_of(const struct plumb_check_live_op *o)
{
    return o->word[0] == PLUMB_NIL_WORD ? 0 : o->word[0] + 1;
}

static bool make_room(struct machine *m, uint32_t key)
{
    struct plumb_budget *const b = m->talk->budget;
    const size_t need = (size_t)key + 1;
    return PLUMB_GROW_ZEROED(b, m->open, m->open_capacity, need) &&
           PLUMB_GROW_ZEROED(b, m->set.key, m->key_capacity, need);
}

/* An operation on the key is over. */
static void leave(struct machine *m, uint32_t key)
{
    struct plumb_check_set_key *const k = m->set.key + key;
    if (--m->open[key] || k->flip & 1)
        return;
    *k = (struct plumb_check_set_key){ 0 };
    if (key)
        plumb_check_live_forget(m->talk->numbers, key - 1);
}

/* ---- calls ---- */

static enum plumb_check_live_word call_set(void *machine,
                                           struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    const uint32_t key = key_of(o);
    if (!make_room(m, key))
        return PLUMB_LIVE_NO_ROOM;
    if (o->role != PLUMB_ROLE_MEMBER)
        o->ticket = plumb_check_live_set_call(
            &m->set, key, o->role == PLUMB_ROLE_INSERT, o->call, 0);
    if (o->ticket == PLUMB_SET_NO_ROOM)
        return PLUMB_LIVE_NO_ROOM;
    m->open[key]++;
    return PLUMB_LIVE_GOOD;
}

/* ---- returns ---- */

/* By role, and by its answer. */
static const char *const reason[][2] = {
    [PLUMB_ROLE_MEMBER] = { "member(%0) returned false, but %0 cannot have "
                            "been absent",
                            "member(%0) returned true, but %0 cannot have been "
                            "present" },
    [PLUMB_ROLE_INSERT] = { "insert(%0) returned false, but %0 was absent, or "
                            "present only by this "
                            "insert",
                            "insert(%0) returned true, but %0 cannot have been "
                            "absent" },
    [PLUMB_ROLE_DELETE] = { "delete(%0) returned false, but %0 was present, or "
                            "absent only by this "
                            "delete",
                            "delete(%0) returned true, but %0 cannot have been "
                            "present" },
};

static enum plumb_check_live_word violated(struct machine *m,
                                           const struct plumb_check_live_op *o,
                                           const char *why)
{
    return plumb_check_live_objects(m->talk, why, o->word[0], PLUMB_NO_WORD);
}

static enum plumb_check_live_word ret_set(void *machine,
                                          struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    const uint32_t key = key_of(o);
    const uint32_t to = o->role == PLUMB_ROLE_INSERT;
    uint32_t place;
    if (o->role == PLUMB_ROLE_MEMBER)
        place =
            plumb_check_live_set_saw(&m->set, key, o->word[1], o->call, o->now);
    else if (o->word[1])
        place =
            plumb_check_live_set_changed(&m->set, key, to, o->ticket, o->now);
    else
        place =
            plumb_check_live_set_refused(&m->set, key, to, o->ticket, o->now);
    if (place == PLUMB_SET_NO_ROOM)
        return PLUMB_LIVE_NO_ROOM;
    if (place == PLUMB_SET_NOWHERE)
        return violated(m, o, reason[o->role][!!o->word[1]]);
    leave(m, key);
    return PLUMB_LIVE_GOOD;
}

/* A change stays in the list of its key. */
static enum plumb_check_live_word info_set(void *machine,
                                           struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    if (o->role == PLUMB_ROLE_MEMBER)
        leave(m, key_of(o));
    return PLUMB_LIVE_GOOD;
}

static enum plumb_check_live_word fail_set(void *machine,
                                           struct plumb_check_live_op *o)
{
    struct machine *const m = machine;
    const uint32_t to = o->role == PLUMB_ROLE_INSERT;
    if (o->role == PLUMB_ROLE_MEMBER)
        return info_set(machine, o);
    if (!plumb_check_live_set_withdraw(&m->set, key_of(o), to, o->ticket))
        return violated(m, o,
                        to ? "insert(%0) failed, but %0 was present only "
                             "because of this insert"
                           : "delete(%0) failed, but %0 was absent only "
                             "because of this delete");
    leave(m, key_of(o));
    return PLUMB_LIVE_GOOD;
}

/* A lost change is open for ever; the key nil has no number. */
static bool is_set_idle(const void *machine)
{
    const struct machine *const m = machine;
    return !m->talk->numbers->used &&
           (!m->open_capacity || (!m->open[0] && !(m->set.key[0].flip & 1)));
}

const struct plumb_check_live_class plumb_check_live_class_set = {
    .open = open_set,
    .close = close_set,
    .call = call_set,
    .ret = ret_set,
    .info = info_set,
    .fail = fail_set,
    .idle = is_set_idle,
};
