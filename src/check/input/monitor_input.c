/* monitor_input.c - see monitor_input.h. */
#include "monitor_input.h"

#include "base/pace.h"
#include "history/symbols.h"
#include "kinds.h"
#include "numbering.h"
#include "spec/values.h"
#include <string.h>

#define NOTHING UINT32_MAX

/* The arrays of an input while they are filled. */
struct draft {
    struct plumb_check_input_op *op;
    uint32_t *event;
    uint32_t *origin; /* of the next operation */
    uint32_t arities; /* by number of arguments: some operation has it */
};

struct maker {
    const struct plumb_history *h;
    const struct plumb_spec *spec;
    struct plumb_base_arena *arena;
    struct plumb_check_numbering numbers;
    struct plumb_check_kinds kinds;
    struct plumb_check_inputs *out;
    struct draft *draft; /* by object */
};

/* The parameter `init`; false if there is none or it was not given. */
static bool initial_value(const struct maker *m, struct plumb_value *v)
{
    const char *text;
    if (!plumb_spec_value(m->spec, v, &text))
        return false;
    if (text)
        v->bits = plumb_symbol_find(m->h->symbols, text, strlen(text));
    return true;
}

/* ---- inputs ---- */

static bool is_in_input(const struct plumb_op *o)
{
    return o->outcome != PLUMB_OUTCOME_FAIL;
}

/* A single object has no more than the history has. */
static void count(struct maker *m)
{
    const struct plumb_history *const h = m->h;
    struct plumb_check_input *const input = m->out->input;
    if (h->objects == 1) {
        input->count = h->count;
        input->events = h->events;
        return;
    }
    for (uint32_t i = 0; i < h->count; i++)
        if (is_in_input(h->op + i)) {
            input[h->op[i].object].count++;
            input[h->op[i].object].events +=
                1u + (plumb_op_ret(h->op + i) != PLUMB_NEVER);
        }
}

static bool make_room(struct maker *m)
{
    struct plumb_check_input *const input = m->out->input;
    count(m);
    for (uint32_t i = 0; i < m->h->objects; i++) {
        struct draft *const d = m->draft + i;
        d->op = plumb_base_arena_alloc(m->arena, ((size_t)input[i].count + 1) *
                                                     sizeof *d->op);
        d->event = plumb_base_arena_alloc(
            m->arena, ((size_t)input[i].events + 1) * sizeof *d->event);
        if (!d->op || !d->event)
            return false;
        input[i].op = d->op;
        input[i].event = d->event;
        input[i].object = i;
        input[i].count = input[i].events = 0;
    }
    return true;
}

/* Put the events of an input's operations, from number `first` on, where their
 * ranks are; how many there are. */
static uint32_t place(const struct plumb_check_input *input, uint32_t first,
                      uint32_t *at)
{
    uint32_t returns = 0;
    for (uint32_t i = first; i < input->count; i++) {
        at[input->op[i].call] = 2 * i;
        if (input->op[i].ret == PLUMB_NEVER)
            continue;
        at[input->op[i].ret] = 2 * i + 1;
        returns++;
    }
    return input->count - first + returns;
}

/* From operation `first` on those of one object, but no further than `end`;
 * which is the next?  NOTHING: plumb_spec_bind() is to look at one of them. */
static uint32_t add_some(struct maker *m, uint32_t first, uint32_t end)
{
    const struct plumb_op *const op = m->h->op;
    const uint32_t object = op[first].object;
    struct plumb_check_input *const input = m->out->input + object;
    struct plumb_check_input_op *t = m->draft[object].op + input->count;
    uint64_t roles = 0;
    uint32_t arities = 0, i = first;
    for (; i < end && op[i].object == object; i++) {
        if (!is_in_input(op + i))
            continue;
        const struct plumb_check_kind *const kind =
            plumb_check_kind_of(&m->kinds, op + i);
        if (!kind || !plumb_check_kind_copy(&m->kinds, kind, op + i, t))
            return NOTHING;
        t++;
        roles |= (uint64_t)1 << kind->role;
        arities |= (uint32_t)1 << kind->nargs;
    }
    input->count = (uint32_t)(t - m->draft[object].op);
    input->roles |= roles;
    m->draft[object].arities |= arities;
    return i;
}

/* The events of a single object are placed while its operations are at hand.
 */
static bool add_operations(struct maker *m)
{
    const uint32_t count = m->h->count;
    struct plumb_check_input *const input =
        m->h->objects == 1 ? m->out->input : NULL;
    for (uint32_t i = 0; i < count;) {
        const uint32_t before = input ? input->count : 0;
        const uint32_t most = count - i < PLUMB_POLL_OPERATIONS
                                  ? count - i
                                  : PLUMB_POLL_OPERATIONS;
        const uint32_t end = i + most;
        if (plumb_budget_state(m->arena->budget) != PLUMB_OK)
            return false;
        while (i < end)
            i = add_some(m, i, end);
        if (i == NOTHING) {
            m->out->declined = "operations that no monitor supports";
            return true;
        }
        if (input)
            input->events += place(input, before, m->draft->event);
    }
    return true;
}

/* Where operations are from, unless it is plain. */
static bool add_origins(struct maker *m)
{
    const struct plumb_history *const h = m->h;
    struct plumb_check_input *const input = m->out->input;
    if (h->objects == 1 && input->count == h->count)
        return true;
    uint32_t *const all =
        plumb_base_arena_alloc(m->arena, ((size_t)h->count + 1) * sizeof *all);
    uint32_t used = 0;
    if (!all)
        return false;
    for (uint32_t i = 0; i < h->objects; i++) {
        input[i].origin = m->draft[i].origin = all + used;
        used += input[i].count;
    }
    for (uint32_t i = 0; i < h->count; i++)
        if (is_in_input(h->op + i))
            *m->draft[h->op[i].object].origin++ = i;
    return true;
}

/* ---- events ---- */

/* A single object: if every rank is one of its events, they are where they
 * belong. */
static void add_events_of_one(struct maker *m)
{
    struct plumb_check_input *const input = m->out->input;
    uint32_t *const event = m->draft->event;
    if (input->events == m->h->events)
        return;
    memset(event, 0xff, m->h->events * sizeof *event);
    place(input, 0, event);
    uint32_t kept = 0;
    for (uint32_t r = 0; r < m->h->events; r++)
        if (event[r] != NOTHING)
            event[kept++] = event[r];
}

/* at[]: by rank, as above; of[]: the object of the event. */
static void add_events(struct maker *m, uint32_t *at, uint32_t *of)
{
    struct plumb_check_input *const input = m->out->input;
    memset(at, 0xff, m->h->events * sizeof *at);
    for (uint32_t i = 0; i < m->h->objects; i++) {
        place(input + i, 0, at);
        for (uint32_t k = 0; k < input[i].count; k++) {
            of[input[i].op[k].call] = i;
            if (input[i].op[k].ret != PLUMB_NEVER)
                of[input[i].op[k].ret] = i;
        }
    }
    for (uint32_t r = 0; r < m->h->events; r++)
        if (at[r] != NOTHING)
            m->draft[of[r]].event[input[of[r]].events++] = at[r];
}

static bool add_all_events(struct maker *m, struct plumb_base_arena *scratch)
{
    const size_t size = ((size_t)m->h->events + 1) * sizeof(uint32_t);
    if (m->h->objects == 1) {
        add_events_of_one(m);
        return true;
    }
    uint32_t *const at = plumb_base_arena_alloc(scratch, size);
    uint32_t *const of = plumb_base_arena_alloc(scratch, size);
    if (at && of)
        add_events(m, at, of);
    return at && of;
}

/* ---- the whole ---- */

/* Items are one word. */
static bool is_container(const struct maker *m, uint32_t object)
{
    return m->draft[object].arities < 4 &&
           m->out->input[object].roles >> PLUMB_ROLE_ADD & 1;
}

static bool tell_incarnations(struct maker *m, struct plumb_base_arena *scratch)
{
    for (uint32_t i = 0; i < m->out->count; i++)
        if (is_container(m, i) &&
            !plumb_check_incarnations(m->out->input + i, m->draft[i].op,
                                      scratch))
            return false;
    return true;
}

static bool tell_object_values(struct maker *m,
                               struct plumb_base_arena *scratch)
{
    struct plumb_check_object_values w;
    if (m->out->count < 2)
        return true;
    if (!plumb_check_object_values_init(&w, &m->kinds, m->out, scratch))
        return false;
    for (uint32_t i = 0; i < m->out->count; i++)
        plumb_check_object_values(&w, m->out->input + i, m->draft[i].op);
    return true;
}

static bool make(struct maker *m, struct plumb_base_arena *scratch)
{
    const struct plumb_history *const h = m->h;
    struct plumb_check_inputs *const out = m->out;
    struct plumb_value init;
    const bool given = initial_value(m, &init);
    uint32_t initial = PLUMB_NO_WORD;
    if (!plumb_check_numbering_make(&m->numbers, h, given ? &init : NULL,
                                    m->spec->type->ordered, scratch))
        return false;
    if (given && !plumb_check_word_of(&m->kinds, init, 'v', &initial))
        out->declined = "an initial value that is not in the history";
    out->count = h->objects;
    out->input = plumb_base_arena_zeroed(m->arena,
                                         (h->objects + 1) * sizeof *out->input);
    m->draft =
        plumb_base_arena_zeroed(scratch, (h->objects + 1) * sizeof *m->draft);
    if (!out->input || !m->draft || !make_room(m) || !add_operations(m) ||
        (!out->declined && !(add_origins(m) && add_all_events(m, scratch))))
        return false;
    for (uint32_t i = 0; i < out->count; i++) {
        out->input[i].values = m->numbers.count;
        out->input[i].initial = initial;
        out->input[i].ordered = m->spec->type->ordered && !m->numbers.strings;
    }
    return out->declined ||
           (tell_object_values(m, scratch) && tell_incarnations(m, scratch));
}

bool plumb_check_inputs_make(const struct plumb_history *h,
                             const struct plumb_spec *spec,
                             struct plumb_base_arena *arena,
                             struct plumb_check_inputs *inputs)
{
    struct maker m = { .h = h, .spec = spec, .arena = arena, .out = inputs };
    struct plumb_base_arena scratch = { .budget = arena->budget };
    *inputs = (struct plumb_check_inputs){ .input = NULL };
    m.kinds.h = h;
    m.kinds.spec = spec;
    m.kinds.numbers = &m.numbers;
    const bool made =
        plumb_spec_lexicon_open(&m.kinds.lexicon, h, spec, arena->budget) &&
        make(&m, &scratch);
    plumb_spec_lexicon_close(&m.kinds.lexicon);
    plumb_base_arena_release(&scratch);
    return made;
}

/* ---- a part of one ---- */

static bool cut_events(const struct plumb_budget *budget,
                       const struct plumb_check_input *from,
                       const uint32_t *place, uint32_t *event,
                       struct plumb_check_input *to)
{
    to->event = event;
    for (uint32_t i = 0; i < from->events; i++) {
        const uint32_t e = from->event[i];
        if (!plumb_base_in_time(budget, i))
            return false;
        if (place[e / 2])
            event[to->events++] = 2 * (place[e / 2] - 1) + (e & 1);
    }
    return true;
}

bool plumb_check_input_cut(const struct plumb_check_input *from,
                           const uint32_t *pick, uint32_t count,
                           struct plumb_base_arena *arena,
                           struct plumb_check_input *to)
{
    struct plumb_check_input_op *const op =
        plumb_base_arena_alloc(arena, count * sizeof *op);
    uint32_t *const origin =
        plumb_base_arena_alloc(arena, count * sizeof *origin);
    uint32_t *const event =
        plumb_base_arena_alloc(arena, 2 * count * sizeof *event);
    uint32_t *const place =
        plumb_base_arena_zeroed(arena, from->count * sizeof *place);
    uint32_t *const word =
        plumb_base_arena_zeroed(arena, (from->values + 1) * sizeof *word);
    if (!op || !origin || !event || !place || !word)
        return false;
    *to = (struct plumb_check_input){ .op = op,
                                      .count = count,
                                      .origin = origin,
                                      .roles = from->roles,
                                      .object = from->object,
                                      .initial = PLUMB_NO_WORD };
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(arena->budget, i))
            return false;
        op[i] = from->op[pick[i]];
        origin[i] = plumb_check_input_origin(from, pick[i]);
        place[pick[i]] = i + 1;
        if (op[i].word[0] >= from->values)
            continue;
        uint32_t *const w = &word[op[i].word[0]];
        if (*w == 0)
            *w = ++to->values;
        op[i].word[0] = *w - 1;
    }
    return cut_events(arena->budget, from, place, event, to);
}

uint32_t plumb_check_input_events_before(const struct plumb_check_input *input,
                                         uint32_t rank)
{
    uint32_t low = 0, high = input->events;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (plumb_check_input_rank_at(input, middle) < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
