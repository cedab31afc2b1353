/* sequence.c - sequences as paths in a shared forest.
 *
 * Fingerprint of x1 .. xn: the sum of c(xi) * base^(n - i), so that adding and
 * removing at either end are a few multiplications. */
#include "sequence.h"

#include "base/memory.h"
#include <assert.h>

static bool is_same(const struct plumb_spec_sequence *a,
                    const struct plumb_spec_sequence *b)
{
    return a->length == b->length && plumb_spec_print_equal(a->print, b->print);
}

/* base^n; powers up to the longest length so far are at hand. */
static bool power_of(struct plumb_spec_sequences *q, size_t n,
                     struct plumb_spec_print *result)
{
    if (!PLUMB_GROW(q->budget, q->power, q->power_capacity, n + 1))
        return false;
    if (q->powers == 0)
        q->power[q->powers++] = (struct plumb_spec_print){ { 1, 1 } };
    for (; q->powers <= n; q->powers++)
        q->power[q->powers] = plumb_spec_print_mul(q->power[q->powers - 1],
                                                   plumb_spec_print_base());
    *result = q->power[n];
    return true;
}

static uint64_t hash_of(const struct plumb_spec_sequence *s)
{
    return plumb_base_mix(s->print.h[0] + s->length, s->print.h[1]);
}

static uint64_t hash_of_number(const void *context, uint32_t number)
{
    const struct plumb_spec_sequences *const q = context;
    return hash_of(q->sequence + number);
}

static bool make_room(struct plumb_spec_sequences *q)
{
    return q->count < PLUMB_NO_STATE - 1 &&
           plumb_base_index_room(&q->index, hash_of_number, q) &&
           PLUMB_GROW(q->budget, q->sequence, q->capacity, q->count + 1);
}

/* The number of a sequence that is known, else PLUMB_NO_STATE and *p is where
 * it belongs.  Room was made. */
static plumb_spec_state find(const struct plumb_spec_sequences *q,
                             const struct plumb_spec_sequence *wanted,
                             struct plumb_base_probe *p)
{
    *p = plumb_base_index_probe(&q->index, hash_of(wanted));
    PLUMB_FOR_CANDIDATES(&q->index, p, s)
        if (is_same(q->sequence + s, wanted))
            return s;
    return PLUMB_NO_STATE;
}

static plumb_spec_state add(struct plumb_spec_sequences *q,
                            const struct plumb_spec_sequence *fresh,
                            const struct plumb_base_probe *p)
{
    q->sequence[q->count] = *fresh;
    plumb_base_index_put(&q->index, p, (uint32_t)q->count);
    return (plumb_spec_state)q->count++;
}

bool plumb_spec_sequences_init(struct plumb_spec_sequences *q,
                               struct plumb_budget *budget)
{
    const struct plumb_spec_sequence empty = { .length = 0 };
    struct plumb_base_probe p;
    *q = (struct plumb_spec_sequences){ .budget = budget };
    q->inverse =
        plumb_spec_print_power(plumb_spec_print_base(), PLUMB_PRIME - 2);
    plumb_base_index_init(&q->index, budget);
    return make_room(q) && find(q, &empty, &p) == PLUMB_NO_STATE &&
           add(q, &empty, &p) == PLUMB_EMPTY_SEQUENCE;
}

void plumb_spec_sequences_release(struct plumb_spec_sequences *q)
{
    struct plumb_budget *const b = q->budget;
    PLUMB_RELEASE(b, q->item, q->item_capacity);
    PLUMB_RELEASE(b, q->sequence, q->capacity);
    PLUMB_RELEASE(b, q->power, q->power_capacity);
    plumb_base_index_release(&q->index);
    *q = (struct plumb_spec_sequences){ .budget = b };
}

/* ---- the forest ---- */

/* Jump over the parent's jump and its jump's if they are of equal length, else
 * just to the parent: then any ancestor is O(log depth) jumps away. */
static uint32_t jump_for(const struct plumb_spec_item *item, uint32_t parent)
{
    const uint32_t j = item[parent].jump, jj = item[j].jump;
    const bool equal =
        item[parent].depth - item[j].depth == item[j].depth - item[jj].depth;
    return equal ? jj : parent;
}

static bool add_item(struct plumb_spec_sequences *q, plumb_spec_vid value,
                     const uint32_t *parent, uint32_t *number)
{
    if (q->items >= UINT32_MAX ||
        !PLUMB_GROW(q->budget, q->item, q->item_capacity, q->items + 1))
        return false;
    const uint32_t n = (uint32_t)q->items++;
    q->item[n] =
        (struct plumb_spec_item){ .value = value, .parent = n, .jump = n };
    if (parent) {
        q->item[n].parent = *parent;
        q->item[n].depth = q->item[*parent].depth + 1;
        q->item[n].jump = jump_for(q->item, *parent);
    }
    *number = n;
    return true;
}

static uint32_t ancestor(const struct plumb_spec_sequences *q, uint32_t n,
                         uint32_t depth)
{
    while (q->item[n].depth > depth)
        n = q->item[q->item[n].jump].depth >= depth ? q->item[n].jump
                                                    : q->item[n].parent;
    return n;
}

/* The item after `from` on the path to `to`, which is another one. */
static uint32_t step_towards(const struct plumb_spec_sequences *q,
                             uint32_t from, uint32_t to)
{
    const uint32_t depth = q->item[from].depth;
    if (q->item[to].depth > depth) {
        const uint32_t below = ancestor(q, to, depth + 1);
        if (q->item[below].parent == from)
            return below;
    }
    return q->item[from].parent;
}

/* ---- steps ---- */

static plumb_spec_state push(struct plumb_spec_sequences *q, plumb_spec_state s,
                             struct plumb_spec_print print,
                             plumb_spec_vid value, bool back)
{
    struct plumb_spec_sequence fresh = q->sequence[s];
    fresh.print = print;
    fresh.length++;
    const uint32_t length = fresh.length;
    const uint32_t end = back ? fresh.last : fresh.first;
    uint32_t number;
    struct plumb_base_probe p;
    if (!make_room(q))
        return PLUMB_NO_STATE;
    const plumb_spec_state known = find(q, &fresh, &p);
    if (known != PLUMB_NO_STATE)
        return known;
    if (!add_item(q, value, length > 1 ? &end : NULL, &number))
        return PLUMB_NO_STATE;
    if (back || length == 1)
        fresh.last = number;
    if (!back || length == 1)
        fresh.first = number;
    return add(q, &fresh, &p);
}

plumb_spec_state plumb_spec_sequence_push_back(struct plumb_spec_sequences *q,
                                               plumb_spec_state s,
                                               plumb_spec_vid value)
{
    const struct plumb_spec_print print = plumb_spec_print_add(
        plumb_spec_print_mul(q->sequence[s].print, plumb_spec_print_base()),
        plumb_spec_print_of(value));
    return push(q, s, print, value, true);
}

plumb_spec_state plumb_spec_sequence_push_front(struct plumb_spec_sequences *q,
                                                plumb_spec_state s,
                                                plumb_spec_vid value)
{
    struct plumb_spec_print power;
    if (!power_of(q, q->sequence[s].length, &power))
        return PLUMB_NO_STATE;
    const struct plumb_spec_print print = plumb_spec_print_add(
        q->sequence[s].print,
        plumb_spec_print_mul(plumb_spec_print_of(value), power));
    return push(q, s, print, value, false);
}

static plumb_spec_state pop(struct plumb_spec_sequences *q,
                            struct plumb_spec_sequence fresh, bool back)
{
    if (--fresh.length == 0)
        return PLUMB_EMPTY_SEQUENCE;
    struct plumb_base_probe p;
    if (!make_room(q))
        return PLUMB_NO_STATE;
    const plumb_spec_state known = find(q, &fresh, &p);
    if (known != PLUMB_NO_STATE)
        return known;
    if (back)
        fresh.last = step_towards(q, fresh.last, fresh.first);
    else
        fresh.first = step_towards(q, fresh.first, fresh.last);
    return add(q, &fresh, &p);
}

plumb_spec_state plumb_spec_sequence_pop_front(struct plumb_spec_sequences *q,
                                               plumb_spec_state s)
{
    struct plumb_spec_sequence fresh = q->sequence[s];
    struct plumb_spec_print power;
    assert(fresh.length > 0);
    if (!power_of(q, fresh.length - 1, &power))
        return PLUMB_NO_STATE;
    const struct plumb_spec_print front =
        plumb_spec_print_of(q->item[fresh.first].value);
    fresh.print =
        plumb_spec_print_sub(fresh.print, plumb_spec_print_mul(front, power));
    return pop(q, fresh, false);
}

plumb_spec_state plumb_spec_sequence_pop_back(struct plumb_spec_sequences *q,
                                              plumb_spec_state s)
{
    struct plumb_spec_sequence fresh = q->sequence[s];
    assert(fresh.length > 0);
    const struct plumb_spec_print back =
        plumb_spec_print_of(q->item[fresh.last].value);
    fresh.print = plumb_spec_print_mul(plumb_spec_print_sub(fresh.print, back),
                                       q->inverse);
    return pop(q, fresh, true);
}

bool plumb_spec_sequences_open(struct plumb_spec_space *space)
{
    space->extra = plumb_base_arena_alloc(&space->arena,
                                          sizeof(struct plumb_spec_sequences));
    return space->extra &&
           plumb_spec_sequences_init(space->extra, space->arena.budget);
}

void plumb_spec_sequences_close(struct plumb_spec_space *space)
{
    if (space->extra)
        plumb_spec_sequences_release(space->extra);
}

void plumb_spec_sequence_show_items(const struct plumb_spec_space *space,
                                    const struct plumb_spec_sequences *q,
                                    plumb_spec_state s, const char *before,
                                    struct plumb_base_text *out)
{
    const struct plumb_spec_sequence *const seq = q->sequence + s;
    uint32_t at = seq->first;
    for (uint32_t i = 0; i < seq->length; i++) {
        plumb_base_text_add(out, i ? " " : before);
        if (i)
            at = step_towards(q, at, seq->last);
        plumb_spec_vid_show(space, q->item[at].value, out);
    }
}

void plumb_spec_sequence_show(const struct plumb_spec_space *space,
                              const struct plumb_spec_sequences *q,
                              plumb_spec_state s, struct plumb_base_text *out)
{
    plumb_base_text_add(out, "[");
    plumb_spec_sequence_show_items(space, q, s, "", out);
    plumb_base_text_add(out, "]");
}
