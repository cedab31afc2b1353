/* plain_relaxed_stack.c - stacks with k, late, empty.
 *
 * list: for each item present, the top one first: the item, and how often it
 * was overtaken (0 without `late`). */
#include "plain_relaxed.h"

enum { ITEM, OVERTAKEN, WIDTH };

static size_t reach(const struct plumb_proof_plain *p,
                    const struct plumb_proof_plain_state *s);
static bool may_leave(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i);
static void leave(const struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i);

static const struct plumb_proof_container container = { WIDTH, reach, may_leave,
                                                        leave, false };

static uint64_t late(const struct plumb_proof_plain *p)
{
    return plumb_proof_plain_relaxation(p, PLAIN_LATE, PLAIN_UNBOUNDED);
}

static size_t reach(const struct plumb_proof_plain *p,
                    const struct plumb_proof_plain_state *s)
{
    const bool only_late =
        (p->with.relaxed & (1u << PLAIN_K | 1u << PLAIN_LATE)) ==
        1u << PLAIN_LATE;
    const uint64_t k = plumb_proof_plain_relaxation(
        p, PLAIN_K, only_late ? PLAIN_UNBOUNDED : 0);
    return plumb_proof_first(k, plumb_proof_items(s, &container));
}

static bool may_leave(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i)
{
    for (size_t above = 0; above < i; above++)
        if (plumb_proof_count_in(s, &container, above, OVERTAKEN) >= late(p))
            return false;
    return true;
}

static void leave(const struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i)
{
    for (size_t above = 0; above < i && late(p) != PLAIN_UNBOUNDED; above++)
        plumb_proof_field(s, &container, above, OVERTAKEN)->bits++;
    plumb_proof_cut(s, &container, i);
}

static enum plumb_proof_plain_result push(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (plumb_proof_relaxed_is_full(p, s, &container))
        return plumb_proof_relaxed_refuse(c->operation->kind == STACK_PUT, r);
    if (!plumb_proof_plain_push_front(p, &s->list, plumb_int(0)) ||
        !plumb_proof_plain_push_front(p, &s->list, c->args[0]))
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer(r, "ok");
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    const bool partial =
        kind == STACK_TAKE || (kind == STACK_POP && p->with.blocking);
    if (kind == STACK_PUSH || kind == STACK_PUT)
        return push(p, s, c, r);
    return plumb_proof_relaxed_answer(p, s, c, &container, kind == STACK_PEEK,
                                      partial, r);
}

const struct plumb_proof_plain_type plumb_proof_relaxed_stack = {
    .names = "stack",
    .parameters = "",
    PLAIN_TABLE(plumb_proof_stack_operations),
    .closed = true,
    .perform = perform,
};
