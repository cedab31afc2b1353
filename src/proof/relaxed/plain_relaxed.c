/* plain_relaxed.c - items come, and one that may leave does. */
#include "plain_relaxed.h"

#include <string.h>

void plumb_proof_cut(struct plumb_proof_plain_state *s,
                     const struct plumb_proof_container *c, size_t i)
{
    struct plumb_value *const first = plumb_proof_plain_at(&s->list, 0);
    struct plumb_value *const it = first + i * c->width;
    const size_t before = i * c->width;
    const size_t behind = s->list.count - before - c->width;
    if (before < behind) { /* the shorter end moves */
        memmove(first + c->width, first, before * sizeof *first);
        for (size_t n = 0; n < c->width; n++)
            plumb_proof_plain_pop_front(&s->list);
        return;
    }
    memmove(it, it + c->width, behind * sizeof *it);
    for (size_t n = 0; n < c->width; n++)
        plumb_proof_plain_pop_back(&s->list);
}

bool plumb_proof_has_older_equal(const struct plumb_proof_plain_state *s,
                                 const struct plumb_proof_container *c,
                                 size_t i)
{
    for (size_t older = 0; older < i; older++)
        if (plumb_value_equal(*plumb_proof_field(s, c, older, 0),
                              *plumb_proof_field(s, c, i, 0)))
            return true;
    return false;
}

bool plumb_proof_says_empty(const struct plumb_proof_plain *p,
                            const struct plumb_proof_plain_call *call,
                            size_t items)
{
    if (items > plumb_proof_plain_relaxation(p, PLAIN_EMPTY, 0))
        return false;
    if (call->seen)
        return plumb_proof_plain_same(call->seen->term,
                                      strlen(call->seen->term), "empty", 5);
    return plumb_proof_plain_choose(call, 2) == 1;
}

static bool is_seen(const struct plumb_proof_plain_state *s,
                    const struct plumb_proof_plain_seen *seen,
                    const struct plumb_proof_container *c, size_t i)
{
    const struct plumb_value second =
        c->pairs ? *plumb_proof_field(s, c, i, 1) : PLAIN_ABSENT;
    const unsigned parts = plumb_proof_plain_is_absent(second) ? 1 : 2;
    return seen->nres == parts &&
           plumb_value_equal(seen->res[0], *plumb_proof_field(s, c, i, 0)) &&
           (parts == 1 || plumb_value_equal(seen->res[1], second));
}

/* Does it matter that item i may leave? */
static bool counts(const struct plumb_proof_plain *p,
                   const struct plumb_proof_plain_state *s,
                   const struct plumb_proof_plain_call *call,
                   const struct plumb_proof_container *c, size_t i, bool any)
{
    return (any || !call->seen || is_seen(s, call->seen, c, i)) &&
           c->may_leave(p, s, i);
}

/* One of those that may leave, and were seen to if one such may. */
static size_t choose_item(const struct plumb_proof_plain *p,
                          const struct plumb_proof_plain_state *s,
                          const struct plumb_proof_plain_call *call,
                          const struct plumb_proof_container *c)
{
    const size_t reach = c->reach(p, s);
    size_t ways = 0, at = 0;
    for (size_t i = 0; i < reach; i++)
        ways += counts(p, s, call, c, i, false);
    const bool any = !ways; /* the answer is not what was seen: which one? */
    unsigned left = any ? 0 : plumb_proof_plain_choose(call, ways);
    while (!counts(p, s, call, c, at, any) || left-- > 0)
        at++;
    return at;
}

enum plumb_proof_plain_result plumb_proof_relaxed_answer(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *call,
    const struct plumb_proof_container *c, bool looks, bool partial,
    struct plumb_proof_plain_reply *r)
{
    if (!s->list.count)
        return plumb_proof_plain_nothing_there(partial, r);
    if (!looks && !partial &&
        plumb_proof_says_empty(p, call, plumb_proof_items(s, c)))
        return plumb_proof_plain_answer(r, "empty");
    const size_t i = choose_item(p, s, call, c);
    plumb_proof_plain_answer_value(r, *plumb_proof_field(s, c, i, 0));
    if (c->pairs &&
        !plumb_proof_plain_is_absent(*plumb_proof_field(s, c, i, 1)))
        plumb_proof_plain_answer_value(r, *plumb_proof_field(s, c, i, 1));
    if (!looks)
        c->leave(p, s, i);
    return PLAIN_RETURNS;
}

bool plumb_proof_relaxed_is_full(const struct plumb_proof_plain *p,
                                 const struct plumb_proof_plain_state *s,
                                 const struct plumb_proof_container *c)
{
    return p->with.has_cap && plumb_proof_items(s, c) >= p->with.cap;
}

enum plumb_proof_plain_result plumb_proof_relaxed_refuse(
    bool partial, struct plumb_proof_plain_reply *r)
{
    return partial ? PLAIN_BLOCKS : plumb_proof_plain_answer(r, "full");
}
