/* factor_queue.c - queue:enq=E,deq=K, the factors of Definition 3 by class.
 *
 * Number the items as they are added and the removals as they happen.  A queue
 * that is first in, first out has a *place* for each item, the same for its
 * addition and its removal: item i, removed as the p-th, needs a place within E
 * of i and within K of p, and no two items have the same.  An item that is
 * present, after t removals, cannot be removed before the (t+1)-th: its place
 * is at least t + 1 - K.  A sequence is legal iff there are places for all
 * (docs/relaxed-objects.md has the proof).
 *
 * Each item has an interval of places, so the earliest deadline first finds
 * them.  At places up to min(n - E, t - K), n items having been added, nothing
 * can change any more: their items are forgotten.  Items numbered beyond
 * t + 1 + K + E cannot be next; each can have the place of its number.
 *
 * Everything is relative to t.  A state is: the first place that is not
 * decided; the intervals of items that were removed and have no place yet; the
 * items that might be next, with numbers; and the sequence of the others.  A
 * step costs O((E + K)^2). */
#include "base/memory.h"
#include "relaxation.h"
#include "spec/stores/sequence.h"
#include "spec/types/queue_family.h"
#include <string.h>

struct interval {
    int32_t release, deadline;
};

struct item {
    plumb_spec_vid value;
    int32_t number;
};

struct head {
    plumb_spec_state rest; /* a sequence: the items behind the window */
    int32_t first;         /* place that is not decided */
    uint32_t intervals;    /* sorted; the window follows them */
};

/* A state, looked at or put together. */
struct view {
    struct head head;
    uint32_t count; /* of the window */
    struct interval *interval;
    struct item *item;
};

struct extra {
    struct plumb_spec_sequences sequences;
    char *scratch;              /* where the next state is put together */
    struct interval *candidate; /* all that want a place */
    size_t capacity, candidates;
    int32_t enq, deq;
};

enum { INFINITE = 1 << 28 }; /* more than a window can hold */

static int32_t factor(const struct plumb_spec *spec, unsigned param)
{
    return spec->param[param] < INFINITE ? (int32_t)spec->param[param]
                                         : INFINITE;
}

static bool open(struct plumb_spec_space *space)
{
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    if (!e)
        return false;
    space->extra = e;
    e->enq = factor(space->spec, PLUMB_QUEUE_ENQ_FACTOR);
    e->deq = factor(space->spec, PLUMB_QUEUE_DEQ_FACTOR);
    return plumb_spec_sequences_init(&e->sequences, space->arena.budget);
}

static void close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_sequences_release(&e->sequences);
    PLUMB_RELEASE(space->arena.budget, e->scratch, e->capacity);
    PLUMB_RELEASE(space->arena.budget, e->candidate, e->candidates);
}

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    const struct head empty = { PLUMB_EMPTY_SEQUENCE, 1, 0 };
    return plumb_spec_space_intern(space, &empty, sizeof empty);
}

/* ---- states ---- */

static const struct head *head_of(const struct plumb_spec_space *space,
                                  plumb_spec_state s)
{
    return space->data[s];
}

static uint32_t window_of(const struct plumb_spec_space *space,
                          plumb_spec_state s)
{
    const uint32_t words = (space->size[s] - (uint32_t)sizeof(struct head)) / 8;
    static_assert(sizeof(struct item) == 8 && sizeof(struct interval) == 8,
                  "so that either is 8 bytes");
    return words - head_of(space, s)->intervals;
}

static const struct item *items_of(const struct plumb_spec_space *space,
                                   plumb_spec_state s)
{
    const char *const data = space->data[s];
    return (const struct item *)(const void *)(data + sizeof(struct head) +
                                               (size_t)head_of(space, s)
                                                       ->intervals *
                                                   sizeof(struct interval));
}

static uint64_t length_of(const struct plumb_spec_space *space,
                          plumb_spec_state s)
{
    const struct extra *const e = space->extra;
    return (uint64_t)window_of(space, s) +
           plumb_spec_sequence_length(&e->sequences, head_of(space, s)->rest);
}

/* A copy of the state that may be changed, with room for one more interval and
 * one more item; false when memory is used up. */
static bool copy(struct plumb_spec_space *space, plumb_spec_state s,
                 struct view *v)
{
    struct extra *const e = space->extra;
    const struct head *const head = head_of(space, s);
    const size_t intervals = (size_t)head->intervals * sizeof *v->interval;
    v->head = *head;
    v->count = window_of(space, s);
    if (v->count >= INFINITE ||
        !PLUMB_GROW(space->arena.budget, e->scratch, e->capacity,
                    sizeof *head + intervals + (size_t)(v->count + 2) * 8) ||
        !PLUMB_GROW(space->arena.budget, e->candidate, e->candidates,
                    (size_t)head->intervals + v->count + 2))
        return false;
    v->interval = (struct interval *)(void *)(e->scratch + sizeof *head);
    v->item = (struct item *)(void *)(v->interval + head->intervals + 1);
    memcpy(v->interval, head + 1, intervals);
    memcpy(v->item, items_of(space, s), v->count * sizeof *v->item);
    return true;
}

static plumb_spec_state made(struct plumb_spec_space *space,
                             const struct view *v)
{
    struct extra *const e = space->extra;
    memcpy(e->scratch, &v->head, sizeof v->head);
    memmove(v->interval + v->head.intervals, v->item,
            v->count * sizeof *v->item);
    return plumb_spec_space_intern(
        space, e->scratch,
        (uint32_t)(sizeof v->head + (v->head.intervals + v->count) * 8));
}

/* ---- places ---- */

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Which of them should have this place?  `count` if none can. */
static uint32_t most_urgent(const struct interval *list, uint32_t count,
                            int32_t place)
{
    uint32_t best = count;
    for (uint32_t i = 0; i < count; i++)
        if (list[i].release <= place &&
            (best == count || list[i].deadline < list[best].deadline))
            best = i;
    return best < count && list[best].deadline >= place ? best : count;
}

/* Is there a place for everybody? */
static bool has_places(const struct extra *e, const struct view *v)
{
    struct interval *const list = e->candidate;
    uint32_t count = v->head.intervals;
    memcpy(list, v->interval, count * sizeof *list);
    for (uint32_t i = 0; i < v->count; i++)
        list[count++] =
            (struct interval){ greater(v->item[i].number - e->enq, 1 - e->deq),
                               v->item[i].number + e->enq };
    for (int32_t place = v->head.first; count; place++) {
        const uint32_t i = most_urgent(list, count, place);
        if (i == count)
            return false;
        list[i] = list[--count];
    }
    return true;
}

static int compare_intervals(const struct interval *a, const struct interval *b)
{
    if (a->deadline != b->deadline)
        return a->deadline < b->deadline ? -1 : 1;
    return (a->release > b->release) - (a->release < b->release);
}

static void delete_interval(struct view *v, uint32_t at)
{
    v->head.intervals--;
    memmove(v->interval + at, v->interval + at + 1,
            (v->head.intervals - at) * sizeof *v->interval);
}

static void insert_interval(struct view *v, struct interval fresh)
{
    uint32_t at = v->head.intervals++;
    while (at && compare_intervals(&fresh, v->interval + at - 1) < 0) {
        v->interval[at] = v->interval[at - 1];
        at--;
    }
    v->interval[at] = fresh;
}

/* Decide every place that can be, after `length` items are present. */
static void decide_places(const struct extra *e, struct view *v,
                          uint64_t length)
{
    const int32_t added = length < INFINITE ? (int32_t)length : INFINITE;
    const int32_t last = smaller(added - e->enq, -e->deq);
    for (; v->head.first <= last; v->head.first++) {
        const uint32_t i =
            most_urgent(v->interval, v->head.intervals, v->head.first);
        assert(i < v->head.intervals);
        delete_interval(v, i);
    }
    struct interval *const list = v->interval;
    const uint32_t count = v->head.intervals;
    v->head.intervals = 0; /* sort again: releases may be equal now */
    for (uint32_t i = 0; i < count; i++)
        insert_interval(
            v, (struct interval){ greater(list[i].release, v->head.first),
                                  list[i].deadline });
}

/* ---- steps ---- */

static bool is_near(const struct extra *e, int32_t number)
{
    return number <= 1 + e->enq + e->deq;
}

static plumb_spec_state append(struct plumb_spec_space *space,
                               plumb_spec_state s, plumb_spec_vid value)
{
    struct extra *const e = space->extra;
    const uint64_t length = length_of(space, s);
    struct view v;
    if (length >= INFINITE || !copy(space, s, &v))
        return PLUMB_NO_STATE;
    if (is_near(e, (int32_t)length + 1))
        v.item[v.count++] = (struct item){ value, (int32_t)length + 1 };
    else
        v.head.rest =
            plumb_spec_sequence_push_back(&e->sequences, v.head.rest, value);
    if (v.head.rest == PLUMB_NO_STATE)
        return PLUMB_NO_STATE;
    decide_places(e, &v, length + 1);
    return made(space, &v);
}

/* One more removal: every number is one less. */
static void shift(struct view *v)
{
    v->head.first--;
    for (uint32_t i = 0; i < v->head.intervals; i++) {
        v->interval[i].release--;
        v->interval[i].deadline--;
    }
    for (uint32_t i = 0; i < v->count; i++)
        v->item[i].number--;
}

/* Another item of the rest, unless there is none, might be next now. */
static bool refill(struct extra *e, struct view *v)
{
    struct plumb_spec_sequences *const q = &e->sequences;
    if (!plumb_spec_sequence_length(q, v->head.rest))
        return true;
    v->item[v->count++] =
        (struct item){ plumb_spec_sequence_front(q, v->head.rest),
                       1 + e->enq + e->deq };
    v->head.rest = plumb_spec_sequence_pop_front(q, v->head.rest);
    return v->head.rest != PLUMB_NO_STATE;
}

static bool has_older_equal(const struct item *item, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (item[i].value == item[at].value)
            return true;
    return false;
}

/* The state without item `at` of the window; false when memory is used up.
 * *legal: it may be removed. */
static bool remove_at(struct plumb_spec_space *space, plumb_spec_state s,
                      uint32_t at, struct view *v, bool *legal)
{
    struct extra *const e = space->extra;
    if (!copy(space, s, v))
        return false;
    shift(v);
    const int32_t number = v->item[at].number;
    v->count--;
    memmove(v->item + at, v->item + at + 1, (v->count - at) * sizeof *v->item);
    insert_interval(
        v, (struct interval){
               greater(greater(number - e->enq, -e->deq), v->head.first),
               smaller(number + e->enq, e->deq) });
    *legal = has_places(e, v);
    return true;
}

/* Answer item `at`, if that is legal. */
static bool answer(struct plumb_spec_space *space, plumb_spec_state s,
                   uint32_t at, bool peeks, struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    const uint64_t length = length_of(space, s);
    struct view v;
    bool legal;
    if (!remove_at(space, s, at, &v, &legal))
        return false;
    if (!legal)
        return true;
    if (peeks)
        return plumb_spec_states_add(out, s);
    if (!refill(e, &v))
        return false;
    decide_places(e, &v, length - 1);
    return plumb_spec_states_made(out, made(space, &v));
}

static bool take(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const struct item *const item = items_of(space, s);
    const uint32_t count = window_of(space, s);
    const bool peeks = a->kind == PLUMB_QUEUE_PEEK;
    const size_t before = out->count;
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_spec_answers_value(a, PLUMB_TERM_OK, item[i].value) ||
            has_older_equal(item, i))
            continue;
        if (!answer(space, s, i, peeks, out))
            return false;
        if (peeks && out->count > before)
            return true;
    }
    return true;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const uint64_t length = length_of(space, s);
    if (plumb_spec_finds_limit(space, PLUMB_CAP, length, a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (plumb_spec_queue_inserts(a))
        return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
               plumb_spec_states_made(out, append(space, s, a->arg[0]));
    return plumb_spec_step_says_empty(space, PLUMB_QUEUE_EMPTY, length, s, a,
                                      out) &&
           (!plumb_spec_answers(a, PLUMB_TERM_OK) || take(space, s, a, out));
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    (void)bound;
    return a->term == PLUMB_TERM_ANY && plumb_spec_queue_removes(a);
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const struct extra *const e = space->extra;
    const struct item *const item = items_of(space, s);
    const uint32_t count = window_of(space, s);
    plumb_base_text_add(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        plumb_base_text_add(out, i ? " " : "");
        plumb_spec_vid_show(space, item[i].value, out);
    }
    plumb_spec_sequence_show_items(
        space, &e->sequences, head_of(space, s)->rest, count ? " " : "", out);
    plumb_base_text_add(out, "]");
}

const struct plumb_spec_type plumb_spec_type_factor_queue = {
    .name = "queue",
    .what = "additions and removals each within a factor",
    .ops = plumb_spec_queue_ops,
    .nops = PLUMB_QUEUE_OPS,
    .params = plumb_spec_queue_params,
    .nparams = PLUMB_QUEUE_PARAMETERS,
    .open = open,
    .close = close,
    .initial = initial,
    .step = step,
    .branches = branches,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .bar = plumb_spec_barred_by_full,
    .show = show,
};
