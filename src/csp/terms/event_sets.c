/* event_sets.c - sets of events.
 *
 * There are few sets, so equal ones are looked for one after the other. */
#include "event_sets.h"

#include "base/fail.h"
#include "base/memory.h"
#include "spans.h"
#include <assert.h>
#include <string.h>

void plumb_csp_event_sets_init(struct plumb_csp_event_sets *s,
                               struct plumb_budget *budget)
{
    *s = (struct plumb_csp_event_sets){ 0 };
    plumb_base_arena_init(&s->arena, budget);
}

void plumb_csp_event_sets_release(struct plumb_csp_event_sets *s)
{
    struct plumb_budget *const budget = s->arena.budget;
    for (uint32_t i = 0; i < s->sets; i++)
        PLUMB_RELEASE(budget, s->set[i].bit, s->set[i].words);
    PLUMB_RELEASE(budget, s->set, s->capacity);
    PLUMB_RELEASE(budget, s->key, s->key_capacity);
    plumb_base_arena_release(&s->arena);
}

/* A set of more words is taken as one that memory was refused for. */
enum { MOST_WORDS = 1 << 24 };

static bool push(struct plumb_csp_event_sets *s, uint32_t word)
{
    if (s->keys == MOST_WORDS)
        return false;
    return PLUMB_APPEND(s->arena.budget, s->key, s->keys, s->key_capacity,
                        word);
}

/* An event of a set that is being written down. */
struct writing {
    struct plumb_csp_event_sets *s;
    struct plumb_csp_formulas *f;
    const struct plumb_csp_event_text *event;
    plumb_csp_binding *binding;
};

static bool push_formula(const struct writing *w,
                         const struct plumb_csp_expr *e)
{
    const uint32_t formula = plumb_csp_formula(w->f, e, w->binding);
    return formula != PLUMB_NO_FORMULA && push(w->s, formula);
}

static bool push_event(const struct writing *w)
{
    const struct plumb_csp_event_text *const e = w->event;
    if (!push(w->s, e->name | (uint32_t)e->kind << 29) || !push(w->s, e->count))
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (!push_formula(w, e->data[i]))
            return false;
    return true;
}

static bool push_ranges(const struct writing *w,
                        const struct plumb_csp_range *range, uint32_t ranges);

static bool push_values(const struct writing *w,
                        const struct plumb_csp_range *range, uint32_t ranges)
{
    struct plumb_csp_range_walk walk =
        plumb_csp_range_begin(w->f, range, w->binding);
    for (int32_t value; plumb_csp_range_next(&walk, &value);) {
        w->binding[range->local] = plumb_csp_formula_constant(w->f, value);
        if (w->binding[range->local] == PLUMB_NO_FORMULA ||
            !push_ranges(w, range + 1, ranges - 1))
            return false;
    }
    return true;
}

/* An entry without a name, with the local and the bounds for data; then the
 * event with the index left open. */
static bool push_unknown(const struct writing *w,
                         const struct plumb_csp_range *range, uint32_t ranges)
{
    if (!push(w->s, PLUMB_NO_NAME) || !push(w->s, 1 + 2 * range->spans) ||
        !push(w->s, range->local))
        return false;
    for (uint32_t i = 0; i < range->spans; i++)
        if (!push_formula(w, range->span[i].low) ||
            !push_formula(w, range->span[i].high))
            return false;
    w->binding[range->local] = UINT32_MAX;
    return push_ranges(w, range + 1, ranges - 1);
}

/* x:{0..2}@y:{0..1}@e.x.y: the event for every combination of values. */
static bool push_ranges(const struct writing *w,
                        const struct plumb_csp_range *range, uint32_t ranges)
{
    if (!ranges)
        return push_event(w);
    assert(w->binding);
    const plumb_csp_binding before = w->binding[range->local];
    const enum plumb_csp_range_state state =
        plumb_csp_range_state(w->f, range, w->binding);
    const bool good = state != PLUMB_RANGE_REFUSED &&
                      (state == PLUMB_RANGE_KNOWN ? push_values : push_unknown)(
                          w, range, ranges);
    w->binding[range->local] = before;
    return good;
}

static uint32_t add_set(struct plumb_csp_event_sets *s,
                        const struct plumb_csp_event_bits *bits)
{
    if (!PLUMB_GROW(s->arena.budget, s->set, s->capacity, s->sets + 1))
        return PLUMB_NO_SET;
    s->set[s->sets] = *bits;
    return s->sets++;
}

static bool is_written_so(const struct plumb_csp_event_bits *b,
                          const uint32_t *key, size_t count)
{
    return b->key && b->count == count &&
           !memcmp(b->key, key, count * sizeof *key);
}

static uint32_t intern_key(struct plumb_csp_event_sets *s,
                           struct plumb_csp_place place)
{
    for (uint32_t i = 0; i < s->sets; i++)
        if (is_written_so(&s->set[i], s->key, s->keys))
            return i;
    /* One word more: an empty key is not a missing one. */
    uint32_t *const key =
        plumb_base_arena_alloc(&s->arena, (s->keys + 1) * sizeof *key);
    if (!key)
        return PLUMB_NO_SET;
    memcpy(key, s->key ? s->key : key, s->keys * sizeof *key);
    return add_set(
        s, &(struct plumb_csp_event_bits){
               .key = key, .count = (uint32_t)s->keys, .place = place });
}

uint32_t plumb_csp_event_sets_text(struct plumb_csp_event_sets *s,
                                   struct plumb_csp_formulas *f,
                                   const struct plumb_csp_event_set *text,
                                   plumb_csp_binding *binding)
{
    s->keys = 0;
    for (uint32_t i = 0; i < text->count; i++)
        if (!push_ranges(&(struct writing){ s, f, &text->event[i], binding },
                         text->ranges ? text->range[i] : NULL,
                         text->ranges ? text->ranges[i] : 0))
            return PLUMB_NO_SET;
    const struct plumb_csp_place nowhere = { 0 };
    return intern_key(s, text->count ? text->event[0].place : nowhere);
}

uint32_t plumb_csp_event_sets_new(struct plumb_csp_event_sets *s)
{
    return add_set(s, &(struct plumb_csp_event_bits){ .ready = true });
}

bool plumb_csp_event_sets_add(struct plumb_csp_event_sets *s, uint32_t set,
                              uint32_t event)
{
    struct plumb_csp_event_bits *const b = &s->set[set];
    if (event / 64 >= b->words) {
        const size_t words = event / 64 + 1;
        uint64_t *const bit =
            plumb_base_resize(s->arena.budget, b->bit, b->words * sizeof *bit,
                              words * sizeof *bit);
        if (!bit)
            return false;
        memset(bit + b->words, 0, (words - b->words) * sizeof *bit);
        b->bit = bit;
        b->words = words;
    }
    b->bit[event / 64] |= (uint64_t)1 << event % 64;
    return true;
}

bool plumb_csp_event_sets_join(struct plumb_csp_event_sets *s, uint32_t set,
                               uint32_t from, uint32_t except)
{
    for (uint32_t e = 0; e < s->set[from].words * 64; e++)
        if (plumb_csp_event_sets_has(s, from, e) &&
            !(except != PLUMB_NO_SET &&
              plumb_csp_event_sets_has(s, except, e)) &&
            !plumb_csp_event_sets_add(s, set, e))
            return false;
    return true;
}

bool plumb_csp_event_sets_has_channel(const struct plumb_csp_event_sets *s,
                                      uint32_t set, uint32_t event)
{
    const struct plumb_csp_event_bits *const b = &s->set[set];
    for (uint32_t i = 0; i < b->channels; i++)
        if (plumb_csp_event_is_of_channel(
                s->events, event, b->channel[i].channel, b->channel[i].index))
            return true;
    return false;
}

static bool has_all_of(const struct plumb_csp_event_bits *b,
                       struct plumb_csp_event_channel c)
{
    for (uint32_t i = 0; i < b->channels; i++)
        if (b->channel[i].channel == c.channel &&
            (b->channel[i].index == UINT32_MAX ||
             b->channel[i].index == c.index))
            return true;
    return false;
}

bool plumb_csp_event_sets_within(const struct plumb_csp_event_sets *s,
                                 uint32_t set, uint32_t other)
{
    const struct plumb_csp_event_bits *const a = &s->set[set];
    const struct plumb_csp_event_bits *const b = &s->set[other];
    assert(a->ready && b->ready);
    for (uint32_t i = 0; i < a->channels; i++)
        if (!has_all_of(b, a->channel[i]))
            return false;
    for (size_t i = 0; i < a->words; i++) {
        uint64_t left = a->bit[i] & ~(i < b->words ? b->bit[i] : 0);
        for (; left; left &= left - 1)
            if (!plumb_csp_event_sets_has_channel(
                    s, other,
                    (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(left)))
                return false;
    }
    return true;
}

static enum plumb_status fail_range(const struct plumb_csp_formulas *f,
                                    const uint32_t *key,
                                    struct plumb_csp_place place,
                                    struct plumb_error *err)
{
    int32_t value;
    for (uint32_t i = 1; i < key[1]; i++)
        if (!plumb_csp_formula_is_constant(f, key[2 + i], &value))
            return plumb_base_fail(
                err, PLUMB_EINPUT, place.line, place.column,
                "the range of an event in a set is not constant");
    return plumb_base_fail(err, PLUMB_EINPUT, place.line, place.column,
                           "the range has more than %d values",
                           PLUMB_MOST_VALUES);
}

/* A set has fewer channels than words in its text. */
static bool add_channel(struct plumb_csp_event_sets *s, uint32_t set,
                        uint32_t channel, uint32_t index)
{
    struct plumb_csp_event_bits *const b = &s->set[set];
    if (!b->channel)
        b->channel =
            plumb_base_arena_alloc(&s->arena, b->count * sizeof *b->channel);
    if (!b->channel)
        return false;
    b->channel[b->channels++] =
        (struct plumb_csp_event_channel){ channel, index };
    return true;
}

static bool add_event(struct plumb_csp_event_sets *s,
                      struct plumb_csp_event_numbers *events, uint32_t set,
                      const uint32_t *key, const int32_t *data)
{
    const enum plumb_csp_event_kind kind = plumb_csp_event_sets_kind(key[0]);
    const uint32_t name = plumb_csp_event_sets_name(key[0]);
    if (kind == PLUMB_EVENT_ANY)
        return add_channel(s, set, name,
                           key[1] ? (uint32_t)data[0] : UINT32_MAX);
    const uint32_t event =
        plumb_csp_event_number(events, kind, name, data, key[1]);
    return event != UINT32_MAX && plumb_csp_event_sets_add(s, set, event);
}

static enum plumb_status number_event(struct plumb_csp_event_sets *s,
                                      struct plumb_csp_event_numbers *events,
                                      struct plumb_csp_formulas *f,
                                      uint32_t set, const uint32_t *key,
                                      struct plumb_error *err)
{
    enum { MOST_DATA = 64 };
    int32_t data[MOST_DATA];
    const struct plumb_csp_place place = s->set[set].place;
    if (key[0] == PLUMB_NO_NAME)
        return fail_range(f, key, place, err);
    if (key[1] > MOST_DATA)
        return plumb_base_fail(err, PLUMB_EINPUT, place.line, place.column,
                               "an event in a set has more than %d data values",
                               MOST_DATA);
    for (uint32_t i = 0; i < key[1]; i++)
        if (!plumb_csp_formula_is_constant(f, key[2 + i], &data[i]))
            return plumb_base_fail(err, PLUMB_EINPUT, place.line, place.column,
                                   "the data of an event in a set must be "
                                   "constant, not the value of a variable");
    return add_event(s, events, set, key, data) ? PLUMB_OK
                                                : plumb_base_fail_memory(err);
}

enum plumb_status plumb_csp_event_sets_ready(
    struct plumb_csp_event_sets *s, struct plumb_csp_event_numbers *events,
    struct plumb_csp_formulas *f, uint32_t set, struct plumb_error *err)
{
    if (s->set[set].ready)
        return PLUMB_OK;
    const uint32_t *key = s->set[set].key;
    const uint32_t *const end = key + s->set[set].count;
    s->events = events;
    for (; key != end; key += 2 + key[1])
        PLUMB_TRY(number_event(s, events, f, set, key, err));
    s->set[set].ready = true;
    return PLUMB_OK;
}

static bool have_same_bits(const struct plumb_csp_event_bits *a,
                           const struct plumb_csp_event_bits *b)
{
    return a->ready && b->ready && !a->channels && !b->channels &&
           a->words == b->words &&
           (!a->words || !memcmp(a->bit, b->bit, a->words * sizeof *a->bit));
}

uint32_t plumb_csp_event_sets_same(struct plumb_csp_event_sets *s, uint32_t set)
{
    for (uint32_t i = 0; i < set; i++)
        if (have_same_bits(&s->set[i], &s->set[set]))
            return i;
    return set;
}

const uint32_t *plumb_csp_event_sets_key(const struct plumb_csp_event_sets *s,
                                         uint32_t set, uint32_t *count)
{
    *count = s->set[set].count;
    return s->set[set].key;
}
