/* plain_local.c - local linearizability: queues and stacks of threads.
 *
 * list: for each item the item and the thread that added it, by thread, and those
 * of one thread in the order in which they were added. */
#include "plain_relaxed.h"
#include <assert.h>

enum { ITEM, THREAD, WIDTH };

/* Operations of a stack are numbered like those of a queue. */
static_assert((int)STACK_PUT == (int)QUEUE_PUT &&
                  (int)STACK_POP == (int)QUEUE_DEQ &&
                  (int)STACK_TAKE == (int)QUEUE_TAKE &&
                  (int)STACK_PEEK == (int)QUEUE_PEEK,
              "one perform() for both");

static size_t reach(const struct plumb_proof_plain *p,
                    const struct plumb_proof_plain_state *s);
static bool may_leave(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i);
static void leave(const struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i);

static const struct plumb_proof_container container = { WIDTH, reach, may_leave,
                                                        leave, false };

static size_t reach(const struct plumb_proof_plain *p,
                    const struct plumb_proof_plain_state *s)
{
    (void)p;
    return plumb_proof_items(s, &container);
}

/* No item of the same thread is before it; in a stack, behind it. */
static bool may_leave(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i)
{
    const bool stack = p->type == &plumb_proof_local_stack;
    const size_t from = stack ? i + 1 : 0;
    const size_t to = stack ? plumb_proof_items(s, &container) : i;
    const uint64_t thread = plumb_proof_count_in(s, &container, i, THREAD);
    for (size_t k = from; k < to; k++)
        if (plumb_proof_count_in(s, &container, k, THREAD) == thread)
            return false;
    return true;
}

static void leave(const struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i)
{
    (void)p;
    plumb_proof_cut(s, &container, i);
}

/* Behind those of its thread, and of smaller ones. */
static bool add(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
                struct plumb_value item, unsigned thread)
{
    size_t i = plumb_proof_items(s, &container);
    if (!plumb_proof_plain_push_back(p, &s->list, item) ||
        !plumb_proof_plain_push_back(p, &s->list, plumb_int((int64_t)thread)))
        return false;
    for (; i && plumb_proof_count_in(s, &container, i - 1, THREAD) > thread;
         i--)
        for (size_t field = ITEM; field < WIDTH; field++) {
            struct plumb_value *const before =
                plumb_proof_field(s, &container, i - 1, field);
            struct plumb_value *const here =
                plumb_proof_field(s, &container, i, field);
            const struct plumb_value moved = *before;
            *before = *here;
            *here = moved;
        }
    return true;
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    const bool partial =
        kind == QUEUE_TAKE || (kind == QUEUE_DEQ && p->with.blocking);
    if (kind == QUEUE_ENQ || kind == QUEUE_PUT) {
        if (plumb_proof_relaxed_is_full(p, s, &container))
            return plumb_proof_relaxed_refuse(kind == QUEUE_PUT, r);
        return add(p, s, c->args[0], c->thread)
                   ? plumb_proof_plain_answer(r, "ok")
                   : PLAIN_NO_MEMORY;
    }
    return plumb_proof_relaxed_answer(p, s, c, &container, kind == QUEUE_PEEK,
                                      partial, r);
}

const struct plumb_proof_plain_type plumb_proof_local_queue = {
    .names = "local:queue",
    .parameters = "cap blocking",
    PLAIN_TABLE(plumb_proof_queue_operations),
    .closed = true,
    .perform = perform,
};

const struct plumb_proof_plain_type plumb_proof_local_stack = {
    .names = "local:stack",
    .parameters = "cap blocking",
    PLAIN_TABLE(plumb_proof_stack_operations),
    .closed = true,
    .perform = perform,
};
