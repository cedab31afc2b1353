/* plain_weak_stack.c - stacks whose nodes come from a pool.
 *
 * list: the items, the top one last.  table: who holds a node that is no item
 * (open_operations.h). */
#include "open_operations.h"
#include "proof/plain_operations.h"
#include <string.h>

static bool adds(const struct plumb_proof_plain_call *c)
{
    return c->operation->kind == STACK_PUSH || c->operation->kind == STACK_PUT;
}

static bool is_ok(const struct plumb_proof_plain_call *c)
{
    return plumb_proof_plain_same(c->seen->term, strlen(c->seen->term), "ok",
                                  2);
}

static enum plumb_proof_plain_result push(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const uint64_t held = plumb_proof_open_count(s, OPEN_FREED) +
                          plumb_proof_open_count(s, OPEN_HOLDS);
    const bool holds = plumb_proof_open_find(s, c->whose, OPEN_HOLDS);
    const bool waits = c->operation->kind == STACK_PUT;
    const bool limit = s->list.count >= p->with.cap;
    const bool full = s->list.count + held >= p->with.cap && !holds && !waits;
    if (limit && !full)
        return PLAIN_BLOCKS;
    if (full &&
        (limit || (c->seen ? !is_ok(c) : plumb_proof_plain_choose(c, 2) == 1)))
        return plumb_proof_plain_answer(r, "full");
    plumb_proof_open_end(p, s, c->whose, OPEN_HOLDS);
    return plumb_proof_plain_push_back(p, &s->list, c->args[0])
               ? plumb_proof_plain_answer(r, "ok")
               : PLAIN_NO_MEMORY;
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    if (adds(c))
        return push(p, s, c, r);
    if (!s->list.count)
        return plumb_proof_plain_nothing_there(
            kind == STACK_TAKE || (kind == STACK_POP && p->with.blocking), r);
    if (kind == STACK_PEEK)
        return plumb_proof_plain_answer_value(
            r, *plumb_proof_plain_at(&s->list, s->list.count - 1));
    if (!plumb_proof_open_begin(p, s, c->whose, OPEN_FREED, 0))
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer_value(r,
                                          plumb_proof_plain_pop_back(&s->list));
}

/* An addition that is going to succeed may have a node from now on. */
static bool call(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
                 const struct plumb_proof_plain_call *c)
{
    if (!adds(c) || (c->seen ? !is_ok(c) : plumb_proof_plain_choose(c, 2) == 0))
        return true;
    return plumb_proof_open_begin(p, s, c->whose, OPEN_HOLDS, 0);
}

static bool give_back(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_state *s,
                      const struct plumb_proof_plain_call *c)
{
    plumb_proof_open_end(p, s, c->whose, OPEN_HOLDS);
    plumb_proof_open_end(p, s, c->whose, OPEN_FREED);
    return true;
}

const struct plumb_proof_plain_type plumb_proof_plain_weak_stack = {
    .names = "stack",
    .parameters = "cap blocking weak",
    .operation = plumb_proof_stack_operations,
    .operations = PLAIN_STACK_OPERATIONS,
    .closed = true,
    .call = call,
    .give_back = give_back,
    .settles = true,
    .perform = perform,
};
