/* plain_relaxed_priority.c - priority queues with k, late, empty.
 *
 * list: for each item present: its priority; the second part of a pair, or
 * absent; how often it was overtaken (0 without `late`).  The first to go by
 * rights comes first; those of equal priority stand in a fixed order. */
#include "plain_relaxed.h"

enum { PRIORITY, SECOND, OVERTAKEN, WIDTH };

static size_t reach(const struct plumb_proof_plain *p,
                    const struct plumb_proof_plain_state *s);
static bool may_leave(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i);
static void leave(const struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i);

static const struct plumb_proof_container container = { WIDTH, reach, may_leave,
                                                        leave, true };

static uint64_t late(const struct plumb_proof_plain *p)
{
    return plumb_proof_plain_relaxation(p, PLAIN_LATE, PLAIN_UNBOUNDED);
}

/* Negative: a is to go before b. */
static int compare_priorities(const struct plumb_proof_plain *p,
                              struct plumb_value a, struct plumb_value b)
{
    const int c = plumb_proof_priority_compare(p, a, b);
    return p->with.max ? -c : c;
}

static int compare_bits(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Any order will do for what does not matter. */
static int compare_records(const struct plumb_proof_plain *p,
                           const struct plumb_value *a,
                           const struct plumb_value *b)
{
    int c = compare_priorities(p, a[PRIORITY], b[PRIORITY]);
    if (!c)
        c = compare_bits(a[SECOND].tag, b[SECOND].tag);
    if (!c)
        c = compare_bits(a[SECOND].bits, b[SECOND].bits);
    return c ? c : compare_bits(a[OVERTAKEN].bits, b[OVERTAKEN].bits);
}

/* How many items come before one of this priority: they are smaller. */
static size_t smaller_ones(const struct plumb_proof_plain *p,
                           const struct plumb_proof_plain_state *s,
                           struct plumb_value priority)
{
    size_t low = 0, high = plumb_proof_items(s, &container);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_priorities(
                p, *plumb_proof_field(s, &container, middle, PRIORITY),
                priority) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t most_before(const struct plumb_proof_plain *p)
{
    const bool only_late =
        (p->with.relaxed & (1u << PLAIN_K | 1u << PLAIN_LATE)) ==
        1u << PLAIN_LATE;
    return plumb_proof_plain_relaxation(p, PLAIN_K,
                                        only_late ? PLAIN_UNBOUNDED : 0);
}

/* The item of index K, and all of its priority. */
static size_t reach(const struct plumb_proof_plain *p,
                    const struct plumb_proof_plain_state *s)
{
    const size_t items = plumb_proof_items(s, &container);
    size_t i = plumb_proof_first(most_before(p), items);
    while (i && i < items &&
           compare_priorities(
               p, *plumb_proof_field(s, &container, i - 1, PRIORITY),
               *plumb_proof_field(s, &container, i, PRIORITY)) == 0)
        i++;
    return i;
}

static bool may_leave(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i)
{
    const size_t before =
        smaller_ones(p, s, *plumb_proof_field(s, &container, i, PRIORITY));
    if (before > most_before(p))
        return false;
    for (size_t k = 0; k < before; k++)
        if (plumb_proof_count_in(s, &container, k, OVERTAKEN) >= late(p))
            return false;
    return true;
}

static void swap_records(struct plumb_value *a, struct plumb_value *b)
{
    for (size_t i = 0; i < WIDTH; i++) {
        const struct plumb_value v = a[i];
        a[i] = b[i];
        b[i] = v;
    }
}

/* Record i is the only one that may be in the wrong place: too far back. */
static void move_forward(const struct plumb_proof_plain *p,
                         struct plumb_proof_plain_state *s, size_t i)
{
    for (; i; i--) {
        struct plumb_value *const it = plumb_proof_field(s, &container, i, 0);
        if (compare_records(p, it - WIDTH, it) <= 0)
            return;
        swap_records(it - WIDTH, it);
    }
}

/* All that are smaller are overtaken.  That keeps their order: two with the
 * same priority and second part both are. */
static void leave(const struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i)
{
    const size_t before =
        smaller_ones(p, s, *plumb_proof_field(s, &container, i, PRIORITY));
    for (size_t k = 0; k < before && late(p) != PLAIN_UNBOUNDED; k++)
        plumb_proof_field(s, &container, k, OVERTAKEN)->bits++;
    plumb_proof_cut(s, &container, i);
}

static enum plumb_proof_plain_result insert(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const struct plumb_value second = c->nargs == 2 ? c->args[1] : PLAIN_ABSENT;
    if (plumb_proof_relaxed_is_full(p, s, &container))
        return plumb_proof_relaxed_refuse(false, r);
    if (!plumb_proof_plain_push_back(p, &s->list, c->args[0]) ||
        !plumb_proof_plain_push_back(p, &s->list, second) ||
        !plumb_proof_plain_push_back(p, &s->list, plumb_int(0)))
        return PLAIN_NO_MEMORY;
    move_forward(p, s, plumb_proof_items(s, &container) - 1);
    return plumb_proof_plain_answer(r, "ok");
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    const bool partial =
        kind == PRIORITY_TAKE || (kind == PRIORITY_DELMIN && p->with.blocking);
    if (kind == PRIORITY_INSERT)
        return insert(p, s, c, r);
    return plumb_proof_relaxed_answer(p, s, c, &container, kind == PRIORITY_MIN,
                                      partial, r);
}

const struct plumb_proof_plain_type plumb_proof_relaxed_priority_queue = {
    .names = "priority-queue",
    .parameters = "",
    PLAIN_TABLE(plumb_proof_priority_operations),
    .closed = true,
    .perform = perform,
};
