/* relaxed_queue.c - queues whose items may leave before older ones.
 *
 * The index of an item is how many older ones are present; it is overtaken when
 * a younger one is removed.  What may be removed lies in a *window* at the
 * front:
 *
 *     early=E    the first E + 1 items
 *     segment=S  the items of the first segment, S slots that fill in order;
 *                the next one is opened when all of its items have left
 *     late=L     every item; but none may leave while the oldest has been
 *                overtaken L times.  The oldest has been so most often: what
 *                overtakes another item overtakes it
 *     k=K        early=K and late=K
 *
 * Behind the window nothing has been overtaken, so a state is the window, with
 * counts, and the sequence behind it.  A step costs O(window). */
#include "base/memory.h"
#include "relaxation.h"
#include "spec/stores/sequence.h"
#include "spec/types/queue_family.h"
#include <string.h>

struct item {
    plumb_spec_vid value;
    uint32_t overtaken; /* 0 without a bound on it */
};

struct head {
    plumb_spec_state rest; /* a sequence: the items behind the window */
    uint32_t room;         /* slots of the segment that are still to be filled;
                              0 if there is a rest, and without segments */
};

struct extra {
    struct plumb_spec_sequences sequences;
    char *scratch; /* where the next state is put together */
    size_t capacity;
    uint64_t early, late, segment; /* UINT64_MAX: not bounded */
};

/* A state, looked at. */
struct view {
    struct head head;
    uint32_t count; /* of the window */
    const struct item *item;
};

static uint64_t bound_of(const struct plumb_spec *spec, unsigned param)
{
    return spec->given[PLUMB_QUEUE_K] ? spec->param[PLUMB_QUEUE_K]
                                      : plumb_spec_bound_of(spec, param);
}

/* With one factor 0, the permutations of Definition 3 are one. */
static uint64_t factor_of(const struct plumb_spec *spec)
{
    return spec->param[PLUMB_QUEUE_ENQ_FACTOR] +
           spec->param[PLUMB_QUEUE_DEQ_FACTOR];
}

static void set_bounds(struct extra *e, const struct plumb_spec *spec)
{
    const bool given = spec->given[PLUMB_QUEUE_ENQ_FACTOR] ||
                       spec->given[PLUMB_QUEUE_DEQ_FACTOR];
    e->early = given ? factor_of(spec) : bound_of(spec, PLUMB_QUEUE_EARLY);
    e->late = given ? factor_of(spec) : bound_of(spec, PLUMB_QUEUE_LATE);
    e->segment = plumb_spec_bound_of(spec, PLUMB_QUEUE_SEGMENT);
    if (e->early == UINT64_MAX && e->late == UINT64_MAX &&
        e->segment == UINT64_MAX)
        e->early = 0; /* first in, first out: only `empty` is relaxed */
}

static bool open(struct plumb_spec_space *space)
{
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    if (!e)
        return false;
    space->extra = e;
    set_bounds(e, space->spec);
    return plumb_spec_sequences_init(&e->sequences, space->arena.budget);
}

static void close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_sequences_release(&e->sequences);
    PLUMB_RELEASE(space->arena.budget, e->scratch, e->capacity);
}

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    const struct head empty = { PLUMB_EMPTY_SEQUENCE, 0 };
    return plumb_spec_space_intern(space, &empty, sizeof empty);
}

static struct view look(const struct plumb_spec_space *space,
                        plumb_spec_state s)
{
    const char *const data = space->data[s];
    struct view v;
    memcpy(&v.head, data, sizeof v.head);
    v.count =
        (space->size[s] - (uint32_t)sizeof v.head) / (uint32_t)sizeof *v.item;
    v.item = (const struct item *)(const void *)(data + sizeof v.head);
    return v;
}

static uint32_t length_of_rest(const struct extra *e, const struct view *v)
{
    return plumb_spec_sequence_length(&e->sequences, v->head.rest);
}

/* ---- a state being put together ---- */

/* Room for a window of so many, or NULL. */
static struct item *room_for(struct plumb_spec_space *space, uint64_t count)
{
    struct extra *const e = space->extra;
    const bool fits = count < INT32_MAX / sizeof(struct item);
    const bool room =
        fits && PLUMB_GROW(space->arena.budget, e->scratch, e->capacity,
                           sizeof(struct head) + count * sizeof(struct item));
    return room ? (struct item *)(void *)(e->scratch + sizeof(struct head))
                : NULL;
}

static plumb_spec_state made(struct plumb_spec_space *space, struct head head,
                             uint32_t count)
{
    struct extra *const e = space->extra;
    memcpy(e->scratch, &head, sizeof head);
    return plumb_spec_space_intern(
        space, e->scratch,
        (uint32_t)(sizeof head + count * sizeof(struct item)));
}

/* The first item of the rest joins the window. */
static bool draw(struct extra *e, struct head *head, struct item *to)
{
    struct plumb_spec_sequences *const q = &e->sequences;
    *to = (struct item){ plumb_spec_sequence_front(q, head->rest), 0 };
    head->rest = plumb_spec_sequence_pop_front(q, head->rest);
    return head->rest != PLUMB_NO_STATE;
}

/* ---- adding ---- */

/* Does an item that is added belong to the window? */
static bool joins(const struct extra *e, const struct view *v)
{
    if (length_of_rest(e, v))
        return false;
    if (e->segment != UINT64_MAX)
        return v->head.room || !v->count;
    return v->count <= e->early;
}

static uint32_t room_after_joining(const struct extra *e, uint32_t room)
{
    if (e->segment == UINT64_MAX)
        return 0;
    if (room)
        return room - 1;
    return e->segment > UINT32_MAX ? UINT32_MAX : (uint32_t)e->segment - 1;
}

static plumb_spec_state append(struct plumb_spec_space *space,
                               plumb_spec_state s, plumb_spec_vid value)
{
    struct extra *const e = space->extra;
    struct view v = look(space, s);
    const bool in_window = joins(e, &v);
    struct item *const to = room_for(space, (uint64_t)v.count + 1);
    if (!to)
        return PLUMB_NO_STATE;
    memcpy(to, v.item, v.count * sizeof *to);
    if (in_window) {
        to[v.count++] = (struct item){ value, 0 };
        v.head.room = room_after_joining(e, v.head.room);
    } else {
        v.head.rest =
            plumb_spec_sequence_push_back(&e->sequences, v.head.rest, value);
    }
    return v.head.rest == PLUMB_NO_STATE ? PLUMB_NO_STATE
                                         : made(space, v.head, v.count);
}

/* ---- removing ---- */

static bool may_be_removed(const struct extra *e, const struct view *v,
                           uint32_t at)
{
    for (uint32_t i = 0; i < at; i++) /* of equal ones only the oldest */
        if (v->item[i].value == v->item[at].value)
            return false;
    return at == 0 || v->item[0].overtaken < e->late;
}

/* All items of the segment have left: the next one, as far as it is filled. */
static bool next_segment(struct extra *e, struct head *head, struct item *to,
                         uint32_t *count)
{
    uint32_t left = plumb_spec_sequence_length(&e->sequences, head->rest);
    const uint32_t size =
        e->segment < UINT32_MAX ? (uint32_t)e->segment : UINT32_MAX;
    if (!left)
        return true;
    head->room = left < size ? size - left : 0;
    for (*count = 0; *count < size && left--; (*count)++)
        if (!draw(e, head, to + *count))
            return false;
    return true;
}

static bool refill(struct extra *e, struct head *head, struct item *to,
                   uint32_t *count)
{
    if (e->segment != UINT64_MAX)
        return *count || next_segment(e, head, to, count);
    return !plumb_spec_sequence_length(&e->sequences, head->rest) ||
           draw(e, head, to + (*count)++);
}

static plumb_spec_state remove_at(struct plumb_spec_space *space,
                                  plumb_spec_state s, uint32_t at)
{
    struct extra *const e = space->extra;
    struct view v = look(space, s);
    uint64_t most = v.count;
    if (e->segment != UINT64_MAX && v.count == 1)
        most += length_of_rest(e, &v) < e->segment ? length_of_rest(e, &v)
                                                   : e->segment;
    struct item *const to = room_for(space, most);
    const bool counts = e->late != UINT64_MAX;
    uint32_t kept = 0;
    if (!to)
        return PLUMB_NO_STATE;
    for (uint32_t i = 0; i < v.count; i++)
        if (i != at)
            to[kept++] =
                (struct item){ v.item[i].value,
                               v.item[i].overtaken + (counts && i < at) };
    return refill(e, &v.head, to, &kept) ? made(space, v.head, kept)
                                         : PLUMB_NO_STATE;
}

static bool take(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const struct extra *const e = space->extra;
    const struct view v = look(space, s);
    for (uint32_t i = 0; i < v.count; i++) {
        if (!plumb_spec_answers_value(a, PLUMB_TERM_OK, v.item[i].value) ||
            !may_be_removed(e, &v, i))
            continue;
        if (a->kind == PLUMB_QUEUE_PEEK)
            return plumb_spec_states_add(out, s);
        if (!plumb_spec_states_made(out, remove_at(space, s, i)))
            return false;
    }
    return true;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const struct extra *const e = space->extra;
    const struct view v = look(space, s);
    const uint64_t length = (uint64_t)v.count + length_of_rest(e, &v);
    if (plumb_spec_finds_limit(space, PLUMB_CAP, length, a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (plumb_spec_queue_inserts(a))
        return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
               plumb_spec_states_made(out, append(space, s, a->arg[0]));
    return plumb_spec_step_says_empty(space, PLUMB_QUEUE_EMPTY, length, s, a,
                                      out) &&
           (!plumb_spec_answers(a, PLUMB_TERM_OK) || take(space, s, a, out));
}

/* ---- what it allows deciders to do ---- */

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    (void)bound;
    return a->term == PLUMB_TERM_ANY && plumb_spec_queue_removes(a);
}

/* Without the operations of a value, every other item has fewer older ones and
 * is overtaken less often; but it may be in another segment. */
static bool closed(const struct plumb_spec_bound *bound, uint32_t object)
{
    return !bound->spec->given[PLUMB_QUEUE_SEGMENT] &&
           plumb_spec_closed_without_cap(bound, object);
}

static enum plumb_spec_bar bar(const struct plumb_spec *spec)
{
    return spec->given[PLUMB_QUEUE_SEGMENT] ? PLUMB_BARRED
                                            : PLUMB_BARRED_BY_FULL;
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const struct extra *const e = space->extra;
    const struct view v = look(space, s);
    plumb_base_text_add(out, "[");
    for (uint32_t i = 0; i < v.count; i++) {
        plumb_base_text_add(out, i ? " " : "");
        plumb_spec_vid_show(space, v.item[i].value, out);
    }
    plumb_spec_sequence_show_items(space, &e->sequences, v.head.rest,
                                   v.count ? " " : "", out);
    plumb_base_text_add(out, "]");
    if (v.count && v.item[0].overtaken)
        plumb_base_text_printf(out, " (first item overtaken %ux)",
                               (unsigned)v.item[0].overtaken);
}

const struct plumb_spec_type plumb_spec_type_relaxed_queue = {
    .name = "queue",
    .what = "items may leave before older ones",
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
    .closed = closed,
    .bar = bar,
    .show = show,
};
