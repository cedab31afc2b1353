/* plain_relaxed_queue.c - queues with k, early, late, segment, empty.
 *
 * list: for each item present, oldest first: the item; how many segments are
 * before its own that are not used up; how often it was overtaken.  0 without
 * `segment`, and without `late`.  number: of the items in these segments, with
 * those that have left; 0 without `segment`. */
#include "plain_relaxed.h"

enum { ITEM, SEGMENT, OVERTAKEN, WIDTH };

static size_t reach(const struct plumb_proof_plain *p,
                    const struct plumb_proof_plain_state *s);
static bool may_leave(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i);
static void leave(const struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i);

static const struct plumb_proof_container container = { WIDTH, reach, may_leave,
                                                        leave, false };

/* How far from the front an item may leave; and how often one is overtaken. */
static uint64_t early(const struct plumb_proof_plain *p)
{
    const uint64_t strict =
        p->with.relaxed & ~(1u << PLAIN_EMPTY) ? PLAIN_UNBOUNDED : 0;
    return plumb_proof_plain_relaxation(
        p, PLAIN_K, plumb_proof_plain_relaxation(p, PLAIN_EARLY, strict));
}

static uint64_t late(const struct plumb_proof_plain *p)
{
    return plumb_proof_plain_relaxation(
        p, PLAIN_K,
        plumb_proof_plain_relaxation(p, PLAIN_LATE, PLAIN_UNBOUNDED));
}

static uint64_t segment(const struct plumb_proof_plain *p)
{
    return plumb_proof_plain_relaxation(p, PLAIN_SEGMENT, 0);
}

static size_t reach(const struct plumb_proof_plain *p,
                    const struct plumb_proof_plain_state *s)
{
    const size_t items = plumb_proof_items(s, &container);
    return plumb_proof_first(segment(p) ? segment(p) - 1 : early(p), items);
}

static bool may_leave(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i)
{
    if (plumb_proof_has_older_equal(s, &container, i))
        return false;
    if (plumb_proof_count_in(s, &container, 0, SEGMENT) <
        plumb_proof_count_in(s, &container, i, SEGMENT))
        return false; /* an item of an earlier segment has not left */
    return i == 0 ||
           plumb_proof_count_in(s, &container, 0, OVERTAKEN) < late(p);
}

/* Segments that are used up are not counted. */
static void forget_segments(const struct plumb_proof_plain *p,
                            struct plumb_proof_plain_state *s)
{
    const uint64_t size = segment(p);
    const size_t items = plumb_proof_items(s, &container);
    const uint64_t used = items
                              ? plumb_proof_count_in(s, &container, 0, SEGMENT)
                          : size ? s->number / size
                                 : 0;
    s->number -= used * size;
    for (size_t i = 0; i < items && used; i++)
        plumb_proof_field(s, &container, i, SEGMENT)->bits -= used;
}

static void leave(const struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i)
{
    plumb_proof_cut(s, &container, i);
    for (size_t older = 0; older < i && late(p) != PLAIN_UNBOUNDED; older++)
        plumb_proof_field(s, &container, older, OVERTAKEN)->bits++;
    forget_segments(p, s);
}

static enum plumb_proof_plain_result add(struct plumb_proof_plain *p,
                                         struct plumb_proof_plain_state *s,
                                         const struct plumb_proof_plain_call *c,
                                         struct plumb_proof_plain_reply *r)
{
    if (plumb_proof_relaxed_is_full(p, s, &container))
        return plumb_proof_relaxed_refuse(c->operation->kind == QUEUE_PUT, r);
    const uint64_t size = segment(p);
    const uint64_t before = size ? s->number++ / size : 0;
    if (!plumb_proof_plain_push_back(p, &s->list, c->args[0]) ||
        !plumb_proof_plain_push_back(p, &s->list, plumb_int((int64_t)before)) ||
        !plumb_proof_plain_push_back(p, &s->list, plumb_int(0)))
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer(r, "ok");
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    const bool partial =
        kind == QUEUE_TAKE || (kind == QUEUE_DEQ && p->with.blocking);
    if (kind == QUEUE_ENQ || kind == QUEUE_PUT)
        return add(p, s, c, r);
    return plumb_proof_relaxed_answer(p, s, c, &container, kind == QUEUE_PEEK,
                                      partial, r);
}

const struct plumb_proof_plain_type plumb_proof_relaxed_queue = {
    .names = "queue",
    .parameters = "",
    PLAIN_TABLE(plumb_proof_queue_operations),
    .closed = true,
    .perform = perform,
};
